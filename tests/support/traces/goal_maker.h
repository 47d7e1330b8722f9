/*
 * Schedules in GOAL for tests: text in a file, and the binary form of a small one.
 */
#ifndef ANAX_TESTS_GOAL_MAKER_H
#define ANAX_TESTS_GOAL_MAKER_H

#include "traces/traces.h"

#include <stdio.h>

/* Reads a schedule from a file that lasts as long as the call; errors name it "FILE". */
status_code goal_maker_read(struct program **program, const void *bytes, size_t size,
                            struct status *status);
/* The same for a text; fails the test on errors. */
struct program *goal_maker_program(const char *text);

/* What program_check demands, as txt2bin writes it. Returns the number of bytes, at most `size`. */
size_t goal_maker_binary(const struct program *program, unsigned char *bytes, size_t size);

#endif
