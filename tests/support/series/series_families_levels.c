/*
 * Families of multigrids: on coarse levels every second rank of the level before takes part, along
 * each dimension of a grid.
 */
#include "tests/support/series/series_family_rank.h"

#include <stddef.h>
#include <stdint.h>

enum { CYCLES = 3, FINE_LEVELS = 3, TAG_DOWN = 50, TAG_UP = 51 };

static bool takes_part(uint32_t r, uint32_t stride) {
    return r % stride == 0;
}

/* Exchanges with the neighbours that are a stride away in a line with ends. */
static void exchange_along(struct family_rank *at, uint32_t place, uint32_t extent, uint32_t stride,
                           uint32_t distance, uint64_t bytes) {
    const int64_t up = place + stride < extent ? (int64_t)at->rank + distance : FAMILY_NOBODY;
    const int64_t down = place >= stride ? (int64_t)at->rank - distance : FAMILY_NOBODY;
    exchange(at, up, down, bytes);
    exchange(at, down, up, bytes);
}

/* A level of a line. With numbers, tags say which one it is. */
static void level_of_line(struct family_rank *at, uint32_t r, uint32_t n, uint32_t stride,
                          uint32_t number) {
    at->tag = (int32_t)number;
    if (takes_part(r, stride)) exchange_along(at, r, n, stride, stride, 64);
}

/* Ranks that leave give what they have to the one before, and get it back. */
static void levels_of_line(struct family_rank *at, uint32_t r, uint32_t n) {
    for (uint32_t i = 0; i < CYCLES; i++) {
        uint32_t stride = 1, number = 0;
        compute(at, 5000);
        for (; number < FINE_LEVELS; number++)
            level_of_line(at, r, n, 1, number);
        for (; stride * 2 < n; stride *= 2, number++) {
            at->tag = TAG_DOWN;
            if (r % (2 * stride) == stride) send_to(at, r - stride, 32);
            if (takes_part(r, 2 * stride) && r + stride < n) receive_from(at, r + stride, 32);
            level_of_line(at, r, n, 2 * stride, number);
        }
        for (; stride > 1; stride /= 2) {
            level_of_line(at, r, n, stride, --number);
            at->tag = TAG_UP;
            if (takes_part(r, stride) && r + stride / 2 < n) send_to(at, r + stride / 2, 32);
            if (r % stride == stride / 2) receive_from(at, r - stride / 2, 32);
        }
        for (number = FINE_LEVELS; number-- > 0;)
            level_of_line(at, r, n, 1, number);
        sum(at);
    }
}

/* A ring on each level, whose messages have half the size of those of the level before. */
static void levels_of_ring(struct family_rank *at, uint32_t r, uint32_t n) {
    for (uint32_t i = 0; i < CYCLES; i++)
        for (uint32_t stride = 1; stride < n; stride *= 2) {
            const uint32_t count = (n + stride - 1) / stride, place = r / stride;
            if (takes_part(r, stride))
                exchange(at, (place + 1) % count * stride, (place + count - 1) % count * stride,
                         65536 / stride);
        }
}

/* On each level below the first one, the four ranks or fewer that are left give all to rank 0. */
static void levels_gathered(struct family_rank *at, uint32_t r, uint32_t n) {
    for (uint32_t i = 0; i < CYCLES; i++) {
        uint32_t stride = 1;
        for (; n / stride > 4; stride *= 2)
            if (takes_part(r, stride)) exchange_along(at, r, n, stride, stride, 64);
        for (uint32_t from = stride; from < n; from += stride) {
            if (r == from) send_to(at, 0, 800);
            if (r == 0) receive_from(at, from, 800);
        }
    }
}

static void level_of_plane(struct family_rank *at, uint32_t x, uint32_t y, const uint32_t e[2],
                           uint32_t stride) {
    const uint32_t along = stride < e[0] ? stride : e[0], across = stride < e[1] ? stride : e[1];
    if (x % along != 0 || y % across != 0) return;
    exchange_along(at, x, e[0], along, along, 80);
    exchange_along(at, y, e[1], across, across * e[0], 48);
}

static void levels_of_grid(struct family_rank *at, uint32_t r, const uint32_t e[2]) {
    const uint32_t x = r % e[0], y = r / e[0];
    for (uint32_t i = 0; i < CYCLES; i++) {
        const uint32_t most = e[0] > e[1] ? e[0] : e[1];
        uint32_t stride = 1;
        for (; stride < most; stride *= 2)
            level_of_plane(at, x, y, e, stride);
        for (; stride > 1; stride /= 2)
            level_of_plane(at, x, y, e, stride / 2);
    }
}

/* Levels of a plane, down to the coarsest one. */
static void levels_of_plane(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[2];
    plane(n, e);
    levels_of_grid(at, r, e);
}

/* The coarse levels depend on the number of all ranks, so they are those of no smaller program. */
static void levels_of_work(struct family_rank *at, uint32_t r, uint32_t n) {
    for (uint32_t i = 0; i < CYCLES; i++)
        for (uint32_t stride = 1, number = 0; stride < n; stride *= 2, number++)
            if (takes_part(r, stride))
                exchange_along(at, r, n, stride, stride, 64 + 8 * (n * (number + 3) % 11));
}

/* Ranks take part in the second level by nothing that follows from their numbers. */
static void levels_of_data(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t last = 0;
    for (uint32_t q = 0; q < n; q++) {
        const bool is_member = q == 0 || (q * 2654435761u >> 28) % 2 == 0;
        if (!is_member) continue;
        if (q > 0 && (r == q || r == last)) exchange(at, r == q ? last : q, r == q ? last : q, 64);
        last = q;
    }
    exchange_along(at, r, n, 1, 1, 64);
}

const struct series_family_pattern series_families_of_levels[] = {
    FAMILY(levels_of_line),       FAMILY(levels_of_ring), FAMILY(levels_gathered),
    FAMILY(levels_of_plane),      FAMILY(levels_of_work), FAMILY(levels_of_data),
    {NULL, NULL, NULL, 0, false},
};
