/*
 * Random programs that cannot deadlock, by construction: they are made of rounds, in which
 * everybody posts all its non-blocking operations before anybody waits, or blocking messages follow
 * one order.
 */
#ifndef ANAX_TESTS_RANDOM_REPLAY_H
#define ANAX_TESTS_RANDOM_REPLAY_H

#include "tests/support/replay/replay_world.h"

#define RANDOM_REPLAY_RANKS       12
#define RANDOM_REPLAY_SMALL_RANKS 5

/* Makes a new world with such a program and costs of all kinds. Returns the number of bytes sent
 * point to point. */
uint64_t random_replay(struct world *w, uint32_t seed);

/* Makes a shorter program with fewer ranks, which wait for all operations and never test one. */
void random_replay_small(struct world *w, uint32_t seed);

#endif
