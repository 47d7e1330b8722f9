/*
 * Exponential and normal variates by comparisons of random integers: without logarithms or
 * rounding, so that all computers compute identical bits.
 *
 * Sources: von Neumann, "Various techniques used in connection with random digits", 1951
 * (exponential); Karney, "Sampling exactly from the normal distribution", ACM TOMS 42(1), 2016,
 * algorithm N (normal). Uniform numbers have 32 bits here, so probabilities are off by about 2^-32.
 */
#ifndef ANAX_REPLAY_NOISE_VARIATES_H
#define ANAX_REPLAY_NOISE_VARIATES_H

#include "core/simulation/random.h"

#include <stdint.h>

#define NOISE_VARIATE_ONE (INT64_C(1) << 32)

/* A stream of uniform 32-bit numbers. It has up to 2^18 numbers for each (seed, entity, number),
 * far more than a variate uses. */
struct noise_variate_stream {
    uint64_t seed;
    uint32_t entity;
    uint64_t counter; /* number of the next block */
    unsigned left;    /* unused words of the block */
    struct random_block block;
};

/* Returns the stream of numbers of (seed, entity, number). */
struct noise_variate_stream noise_variate_begin(uint64_t seed, uint32_t entity, uint64_t number);

/* Returns an exponential variate of mean 1, >= 0, in units of 2^-32. */
int64_t noise_variate_exponential(struct noise_variate_stream *stream);

/* Returns a normal variate of mean 0 and variance 1, in units of 2^-32. */
int64_t noise_variate_normal(struct noise_variate_stream *stream);

#endif
