/*
 * Random programs for property tests: every kind of operation, all communicators, matched and
 * unmatched messages, waits in any order. They never deadlock: whatever a rank waits for has been
 * posted by its partner earlier in the global order in which the program is made.
 */
#ifndef ANAX_TESTS_RANDOM_PROGRAM_H
#define ANAX_TESTS_RANDOM_PROGRAM_H

#include "traces/program/program.h"

/* steps: about how many messages and collectives there are in all. Never NULL: fails the test. */
struct program *random_program(uint64_t seed, uint32_t rank_count, uint32_t steps);

#endif
