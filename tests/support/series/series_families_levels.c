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

/* ---- levels of a plane or a box, of which the first ones have all ranks ---- */

enum { ROUND_LEVELS = 3 }; /* with all ranks */

struct cycle {
    uint32_t extents[3], dimensions;
    uint32_t visits;     /* of the level below, by a visit of a level */
    bool is_periodic;    /* rings along each dimension */
    bool is_gathered;    /* ranks that leave give what they have to the one before */
    bool has_level_tags; /* or all levels have the same tag */
    uint64_t (*bytes)(uint32_t level, uint32_t dimension, uint32_t ranks);
    uint64_t level_ps; /* computation of the first level; a half on each next one */
    bool is_rising;    /* the smallest extent first */
};

/* Sizes halve while all ranks take part. */
static uint64_t shrinking(uint32_t level, uint32_t dimension, uint32_t ranks) {
    (void)ranks;
    return (UINT64_C(64) << dimension) >> (level < ROUND_LEVELS - 1 ? level : ROUND_LEVELS - 1);
}

/* The same along all dimensions. */
static uint64_t even(uint32_t level, uint32_t dimension, uint32_t ranks) {
    (void)dimension;
    return shrinking(level, 0, ranks);
}

/* The same, and those of the coarse levels follow nothing. */
static uint64_t of_all_ranks(uint32_t level, uint32_t dimension, uint32_t ranks) {
    if (level < ROUND_LEVELS) return shrinking(level, dimension, ranks);
    return 64 + 8 * (ranks * (level + 3) % 11);
}

/* Sets the distance to the next rank of a level along each dimension. Returns whether a rank takes
 * part. */
static bool strides_of(const struct cycle *cycle, uint32_t level, const uint32_t place[3],
                       uint32_t strides[3]) {
    const uint32_t halvings = level < ROUND_LEVELS ? 0 : level - ROUND_LEVELS + 1;
    bool is_member = true;
    for (uint32_t d = 0; d < 3; d++) {
        strides[d] = UINT32_C(1) << halvings;
        if (strides[d] > cycle->extents[d]) strides[d] = cycle->extents[d];
        is_member = is_member && place[d] % strides[d] == 0;
    }
    return is_member;
}

static void level_of_cycle(struct family_rank *at, const struct cycle *cycle,
                           const uint32_t place[3], uint32_t level, uint32_t ranks) {
    uint32_t strides[3];
    if (!strides_of(cycle, level, place, strides)) return;
    at->tag = cycle->has_level_tags ? (int32_t)level : 0;
    if (cycle->level_ps > 0) compute(at, (int64_t)(cycle->level_ps >> level));
    for (uint32_t d = 0, distance = 1; d < cycle->dimensions; distance *= cycle->extents[d++]) {
        const uint32_t extent = cycle->extents[d], stride = strides[d], x = place[d];
        const uint64_t bytes = cycle->bytes(level, d, ranks);
        if (stride >= extent) continue;
        if (!cycle->is_periodic) {
            exchange_along(at, x, extent, stride, stride * distance, bytes);
            continue;
        }
        const uint32_t first = at->rank - x * distance, own = x / stride;
        const uint32_t count = (extent + stride - 1) / stride;
        const uint32_t up = first + (own + 1) % count * stride * distance;
        const uint32_t down = first + (own + count - 1) % count * stride * distance;
        exchange(at, up, down, bytes);
        exchange(at, down, up, bytes);
    }
}

/* Ranks that leave after a level give what they have to the one before along the last dimension
 * that shrinks, or get it back. */
static void between_levels(struct family_rank *at, const struct cycle *cycle,
                           const uint32_t place[3], uint32_t level, bool is_back) {
    uint32_t strides[3], next[3];
    const bool is_member = strides_of(cycle, level, place, strides);
    if (!cycle->is_gathered || !is_member) return;
    strides_of(cycle, level + 1, place, next);
    for (uint32_t d = 0, distance = 1; d < cycle->dimensions; distance *= cycle->extents[d++]) {
        if (next[d] == strides[d]) continue;
        const int64_t step = (int64_t)strides[d] * distance;
        const bool leaves = place[d] % next[d] != 0;
        if (!leaves && place[d] + strides[d] >= cycle->extents[d]) continue;
        const int64_t other = leaves ? (int64_t)at->rank - step : (int64_t)at->rank + step;
        at->tag = is_back ? TAG_UP : TAG_DOWN;
        if (leaves != is_back)
            send_to(at, other, 32);
        else
            receive_from(at, other, 32);
    }
}

static void visit(struct family_rank *at, const struct cycle *cycle, const uint32_t place[3],
                  uint32_t level, uint32_t ranks) {
    uint32_t most = 1;
    for (uint32_t d = 0; d < 3; d++)
        most = cycle->extents[d] > most ? cycle->extents[d] : most;
    level_of_cycle(at, cycle, place, level, ranks);
    for (uint32_t i = 0; i < cycle->visits && level + 1 < ROUND_LEVELS + log2_above(most); i++) {
        between_levels(at, cycle, place, level, false);
        visit(at, cycle, place, level + 1, ranks);
        between_levels(at, cycle, place, level, true);
        level_of_cycle(at, cycle, place, level, ranks);
    }
}

static void cycles(struct family_rank *at, struct cycle *cycle, uint32_t r, uint32_t n) {
    if (cycle->dimensions == 2)
        plane(n, cycle->extents);
    else
        space(n, cycle->extents);
    if (cycle->is_rising) {
        const uint32_t first = cycle->extents[0];
        cycle->extents[0] = cycle->extents[2];
        cycle->extents[2] = first;
    }
    const uint32_t *e = cycle->extents;
    const uint32_t place[3] = {r % e[0], r / e[0] % e[1], r / e[0] / e[1]};
    for (uint32_t i = 0; i < CYCLES; i++)
        visit(at, cycle, place, 0, n);
}

static void cycles_of_plane(struct family_rank *at, uint32_t r, uint32_t n) {
    struct cycle cycle = {{1, 1, 1}, 2, 1, false, false, true, shrinking, 0, false};
    cycles(at, &cycle, r, n);
}

static void cycles_of_torus(struct family_rank *at, uint32_t r, uint32_t n) {
    struct cycle cycle = {{1, 1, 1}, 2, 1, true, false, false, shrinking, 1 << 20, false};
    cycles(at, &cycle, r, n);
}

static void cycles_gathered(struct family_rank *at, uint32_t r, uint32_t n) {
    struct cycle cycle = {{1, 1, 1}, 2, 1, false, true, true, shrinking, 0, false};
    cycles(at, &cycle, r, n);
}

/* Each level visits the one below twice. */
static void cycles_in_w(struct family_rank *at, uint32_t r, uint32_t n) {
    struct cycle cycle = {{1, 1, 1}, 2, 2, false, false, true, shrinking, 0, false};
    cycles(at, &cycle, r, n);
}

static void cycles_of_box(struct family_rank *at, uint32_t r, uint32_t n) {
    struct cycle cycle = {{1, 1, 1}, 3, 1, false, false, true, even, 0, false};
    cycles(at, &cycle, r, n);
}

static void cycles_of_rings(struct family_rank *at, uint32_t r, uint32_t n) {
    struct cycle cycle = {{1, 1, 1}, 3, 1, true, false, true, shrinking, 0, false};
    cycles(at, &cycle, r, n);
}

/* The same with the smallest extent first: the first neighbours are pairs in small programs. */
static void cycles_rising(struct family_rank *at, uint32_t r, uint32_t n) {
    struct cycle cycle = {{1, 1, 1}, 3, 1, true, false, true, even, 0, false};
    cycle.is_rising = true;
    cycles(at, &cycle, r, n);
}

/* The sizes of the coarse levels follow the number of all ranks. */
static void cycles_of_work(struct family_rank *at, uint32_t r, uint32_t n) {
    struct cycle cycle = {{1, 1, 1}, 2, 1, false, false, true, of_all_ranks, 0, false};
    cycles(at, &cycle, r, n);
}

const struct series_family_pattern series_families_of_levels[] = {
    FAMILY(levels_of_line),  FAMILY(levels_of_ring),  FAMILY(levels_gathered),
    FAMILY(levels_of_plane), FAMILY(levels_of_work),  FAMILY(levels_of_data),
    FAMILY(cycles_of_plane), FAMILY(cycles_of_torus), FAMILY(cycles_gathered),
    FAMILY(cycles_in_w),     FAMILY(cycles_of_box),   FAMILY(cycles_of_rings),
    FAMILY(cycles_of_work),  FAMILY(cycles_rising),   {NULL, NULL, NULL, 0, false},
};
