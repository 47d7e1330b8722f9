/* Draws exponential variates by von Neumann's method and normal ones by Karney's. Invariant: all
 * decisions compare integers. */
#include "replay/hosts/noise_variates.h"

#include <stdbool.h>

struct noise_variate_stream noise_variate_begin(uint64_t seed, uint32_t entity, uint64_t number) {
    return (struct noise_variate_stream){.seed = seed, .entity = entity, .counter = number << 16};
}

static uint32_t uniform(struct noise_variate_stream *stream) {
    if (stream->left == 0) {
        stream->block = random_draw(stream->seed, RANDOM_NOISE, stream->entity, stream->counter++);
        stream->left = 4;
    }
    return stream->block.word[--stream->left];
}

/* A run of falling uniform numbers that begins with u0 has an even number of steps with probability
 * exp(-u0). */
int64_t noise_variate_exponential(struct noise_variate_stream *stream) {
    for (int64_t whole = 0;; whole++) {
        uint32_t first = uniform(stream), last = first;
        bool even = true;
        for (uint32_t next = uniform(stream); next < last; next = uniform(stream)) {
            last = next;
            even = !even;
        }
        if (even) return whole * NOISE_VARIATE_ONE + first;
    }
}

/* Returns true with probability exp(-1/2). */
static bool is_half(struct noise_variate_stream *stream) {
    uint32_t last = UINT32_C(1) << 31;
    bool even = true;
    for (uint32_t next = uniform(stream); next < last; next = uniform(stream)) {
        last = next;
        even = !even;
    }
    return even;
}

/* Returns true with probability exp(-x (2k + x) / (2k + 2)); x is in units of 2^-32. */
static bool is_below(struct noise_variate_stream *stream, uint64_t k, uint32_t x) {
    uint32_t last = x;
    bool even = true;
    for (uint32_t next = uniform(stream); next < last; next = uniform(stream)) {
        if ((uint64_t)uniform(stream) * (2 * k + 2) >= (2 * k << 32) + x) break;
        last = next;
        even = !even;
    }
    return even;
}

/* Returns k >= 0 with a probability proportional to exp(-k² / 2). */
static uint64_t whole_part(struct noise_variate_stream *stream) {
    for (;;) {
        uint64_t k = 0;
        while (is_half(stream))
            k++;
        uint64_t more = k > 1 ? k * (k - 1) : 0;
        while (more > 0 && is_half(stream))
            more--;
        if (more == 0) return k;
    }
}

int64_t noise_variate_normal(struct noise_variate_stream *stream) {
    for (;;) {
        uint64_t k = whole_part(stream);
        uint32_t x = uniform(stream);
        uint64_t times = k + 1;
        while (times > 0 && is_below(stream, k, x))
            times--;
        if (times > 0) continue;
        int64_t size = (int64_t)(k << 32) + x;
        return uniform(stream) < UINT32_C(1) << 31 ? -size : size;
    }
}
