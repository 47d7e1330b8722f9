/*
 * A program of which some receives are forgotten, as if MPI_Mrecv had received them, and sealed
 * anew, so that they are inferred.
 */
#ifndef ANAX_TESTS_FORGOTTEN_RECEIVES_H
#define ANAX_TESTS_FORGOTTEN_RECEIVES_H

#include "traces/program/program.h"

#include <stdbool.h>

typedef enum forget_which {
    FORGET_BLOCKING, /* those that stand alone in their call */
    FORGET_ANY       /* also others, which are blocking then */
} forget_which;

/* Forgets the given share, in per cent; *forgotten: how many. Fails the running test unless the
 * result is sound. */
struct program *forget_receives(const struct program *whole, forget_which which, unsigned share,
                                uint32_t seed, unsigned threads, uint64_t *forgotten);

/* What the note of that name counts; 0 if there is none. */
uint64_t forgotten_noted(const struct program *program, const char *what);

#endif
