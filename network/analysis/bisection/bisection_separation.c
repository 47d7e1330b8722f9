/*
 * Chooses triangle inequalities: drops some, and adds some of the violated ones.
 *
 * Violations are measured in the running means of the products, not in the last products: the climb
 * oscillates around its goal, and an inequality that is violated only for a moment costs time.
 * Invariant: no inequality occurs twice.
 */
#include "core/memory/memory.h"
#include "network/analysis/bisection/bisection_relaxation.h"

#include <stdlib.h>
#include <string.h>

enum {
    BUCKETS = 256,        /* buckets of violations, to take the largest without sorting */
    BUCKET_SHIFT = 16,    /* a bucket is 2^16 wide, with 2^24 for 1.0 */
    ADDED_PER_VERTEX = 6, /* most inequalities added by one call, per vertex */
    VIOLATION_MIN = 5     /* least violation, in buckets: 0.02 */
};

static uint64_t triangle_key(const struct bisection_relaxation *relaxation, uint32_t a, uint32_t b,
                             uint32_t c, uint32_t form) {
    const uint64_t size = relaxation->size;
    return ((a * size + b) * size + c) * 4 + form + 1; /* never 0 */
}

static status_code record_present(struct bisection_relaxation *relaxation, struct status *status) {
    triangle_map_empty(&relaxation->present);
    for (size_t t = 0; t < relaxation->triangle_count; t++) {
        const struct bisection_relaxation_triangle *triangle = &relaxation->triangles[t];
        uint64_t key =
            triangle_key(relaxation, triangle->a, triangle->b, triangle->c, triangle->form);
        RETURN_ERROR_IF(triangle_map_add(&relaxation->present, &key) == NULL, status, STATUS_MEMORY,
                        "out of memory for %zu inequalities", relaxation->triangle_count);
    }
    return STATUS_OK;
}

static void drop_idle(struct bisection_relaxation *relaxation) {
    size_t kept = 0;
    for (size_t t = 0; t < relaxation->triangle_count; t++) {
        const struct bisection_relaxation_triangle *triangle = &relaxation->triangles[t];
        if (triangle->current > 0 || triangle->average >= 1 << 5)
            relaxation->triangles[kept++] = *triangle;
    }
    relaxation->triangle_count = kept;
}

struct violated_walk {
    struct bisection_relaxation *relaxation;
    uint64_t count[BUCKETS]; /* number found in each bucket */
    uint32_t min;            /* lowest bucket that is added */
    uint64_t room_in_min;    /* how many of that bucket are added */
    bool adding;
};

static void meet(struct violated_walk *walk, uint32_t a, uint32_t b, uint32_t c, uint32_t form,
                 int64_t violation) {
    struct bisection_relaxation *relaxation = walk->relaxation;
    uint32_t bucket = (uint32_t)(violation >> BUCKET_SHIFT);
    if (bucket >= BUCKETS) bucket = BUCKETS - 1;
    if (walk->adding && bucket < walk->min) return;
    const uint64_t key = triangle_key(relaxation, a, b, c, form);
    if (triangle_map_find(&relaxation->present, &key) != NULL) return;
    if (!walk->adding) {
        walk->count[bucket]++;
        return;
    }
    if (bucket == walk->min && walk->room_in_min-- == 0) {
        walk->room_in_min = 0;
        return;
    }
    relaxation->triangles[relaxation->triangle_count++] = (struct bisection_relaxation_triangle){
        .a = (uint16_t)a, .b = (uint16_t)b, .c = (uint16_t)c, .form = (uint16_t)form};
}

/* Visits all triples whose inequalities the mean products violate. */
static void walk_violated(struct violated_walk *walk) {
    const struct bisection_relaxation *relaxation = walk->relaxation;
    const uint32_t size = relaxation->size;
    const int32_t min = VIOLATION_MIN << BUCKET_SHIFT, one = 1 << RELAXATION_ONE_BITS;
    for (uint32_t a = 0; a + 2 < size; a++) {
        const int32_t *of_a = &relaxation->mean_products[(size_t)a * size];
        for (uint32_t b = a + 1; b + 1 < size; b++) {
            const int32_t *of_b = &relaxation->mean_products[(size_t)b * size];
            const int32_t ab = of_a[b];
            for (uint32_t c = b + 1; c < size; c++) {
                const int32_t sum = of_a[c] + of_b[c], difference = of_a[c] - of_b[c];
                const int32_t limit = -one - min;
                if (ab + sum < limit) meet(walk, a, b, c, 0, -one - ab - sum);
                if (ab - sum < limit) meet(walk, a, b, c, 1, -one - ab + sum);
                if (difference - ab < limit) meet(walk, a, b, c, 2, -one + ab - difference);
                if (-difference - ab < limit) meet(walk, a, b, c, 3, -one + ab + difference);
            }
        }
    }
}

status_code bisection_relaxation_separate(struct bisection_relaxation *relaxation,
                                          struct status *status) {
    drop_idle(relaxation);
    FORWARD_IF_ERROR(record_present(relaxation, status));
    struct violated_walk walk = {.relaxation = relaxation};
    walk_violated(&walk);
    uint64_t wanted = (uint64_t)ADDED_PER_VERTEX * relaxation->size, above = 0;
    uint32_t min = BUCKETS;
    while (min > VIOLATION_MIN && above + walk.count[min - 1] <= wanted)
        above += walk.count[--min];
    walk.room_in_min = 0;
    if (min > VIOLATION_MIN) walk.room_in_min = wanted - above, min--;
    walk.min = min;
    walk.adding = true;
    FORWARD_IF_ERROR(memory_grow((void **)&relaxation->triangles, &relaxation->triangle_capacity,
                                 relaxation->triangle_count + wanted, sizeof *relaxation->triangles,
                                 status));
    walk_violated(&walk);
    return STATUS_OK;
}
