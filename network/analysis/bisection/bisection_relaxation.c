/*
 * Climbs the dual of the relaxation: block-coordinate descent on unit vectors for fixed
 * multipliers, and small steps of the multipliers in the direction of the triangles' violations.
 * Since the steps overshoot, running means of multipliers and products are kept. See
 * bisection_relaxation.h.
 *
 * Nothing here decides about validity, except the last step of bisection_relaxation_bound.
 * Invariant: all factors fit 32 bits, and sums of `size` products of 32 by 24 bits fit 64.
 */
#include "network/analysis/bisection/bisection_relaxation.h"

#include "core/memory/memory.h"
#include "core/simulation/random.h"
#include "network/analysis/bisection/bisection_kernel.h"
#include "network/analysis/bisection/bisection_proof.h"

#include <stdlib.h>
#include <string.h>

#define RELAXATION_ONE (1 << RELAXATION_ONE_BITS)

enum {
    RANK_MAX = 32,
    SWEEPS_A_STEP = 3,
    SWEEPS_FIRST = 200, /* sweeps from random vectors */
    SWEEPS_BOUND = 80,  /* most sweeps before a bound is computed */
    MEAN_SHIFT = 5,     /* a running mean takes 1/32 of each new value */
    LENGTH_BITS = 28,   /* bits of a direction before it becomes a unit vector */
    FACTOR_MAX = INT32_MAX / 4
};

const int8_t relaxation_signs[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};

uint32_t bisection_relaxation_rank(uint32_t size) {
    return size <= 64 ? 16 : size <= 160 ? 24 : RANK_MAX;
}

status_code bisection_relaxation_new(struct bisection_relaxation *relaxation, uint32_t size,
                                     struct status *status) {
    memset(relaxation, 0, sizeof *relaxation);
    const size_t square = (size_t)size * size, vectors = (size_t)size * RANK_MAX;
    relaxation->capacity = size;
    relaxation->weight = memory_new(square, sizeof(int32_t));
    relaxation->balance = memory_new(size, sizeof(int32_t));
    relaxation->vectors = memory_new(vectors, sizeof(int32_t));
    relaxation->average_vectors = memory_new(vectors, sizeof(int32_t));
    relaxation->factor = memory_new(square, sizeof(int32_t));
    relaxation->products = memory_new(square, sizeof(int32_t));
    relaxation->mean_products = memory_new(square, sizeof(int32_t));
    relaxation->lower = memory_new(square, sizeof(int32_t));
    relaxation->lengths = memory_new(size, sizeof(int64_t));
    relaxation->rows = memory_new(size, sizeof(int64_t));
    if (relaxation->weight == NULL || relaxation->balance == NULL || relaxation->vectors == NULL ||
        relaxation->average_vectors == NULL || relaxation->factor == NULL ||
        relaxation->products == NULL || relaxation->mean_products == NULL ||
        relaxation->lower == NULL || relaxation->lengths == NULL || relaxation->rows == NULL) {
        bisection_relaxation_free(relaxation);
        return status_set(status, STATUS_MEMORY, "out of memory for a bound of %u routers", size);
    }
    return STATUS_OK;
}

void bisection_relaxation_free(struct bisection_relaxation *relaxation) {
    free(relaxation->weight);
    free(relaxation->balance);
    free(relaxation->triangles);
    free(relaxation->vectors);
    free(relaxation->average_vectors);
    free(relaxation->factor);
    free(relaxation->products);
    free(relaxation->mean_products);
    free(relaxation->lower);
    free(relaxation->lengths);
    free(relaxation->rows);
    triangle_map_clear(&relaxation->present);
    memset(relaxation, 0, sizeof *relaxation);
}

/* ---------------------------------------------------------------- vectors */

/* Sets `vector` to the unit vector opposite to sum. Returns the length of sum, divided by 2^24. */
KERNEL_BODY int64_t normalise(const int64_t *sum, int32_t *vector, uint32_t rank) {
    uint64_t bits = 0;
    for (uint32_t k = 0; k < rank; k++)
        bits |= (uint64_t)(sum[k] < 0 ? -sum[k] : sum[k]);
    if (bits == 0) return 0;
    int used = 64 - __builtin_clzll(bits), down = used > LENGTH_BITS ? used - LENGTH_BITS : 0;
    int64_t squares = 0;
    for (uint32_t k = 0; k < rank; k++)
        squares += (sum[k] >> down) * (sum[k] >> down);
    int64_t length = bisection_kernel_square_root(squares);
    if (length == 0) return 0;
    int64_t inverse = (INT64_C(1) << (LENGTH_BITS + RELAXATION_ONE_BITS)) / length;
    /* if bits were shifted away, length >= 2^27; if not, the product is equally small */
    for (uint32_t k = 0; k < rank; k++)
        vector[k] = (int32_t)(-((sum[k] >> down) * inverse) >> LENGTH_BITS);
    return down > RELAXATION_ONE_BITS ? length << (down - RELAXATION_ONE_BITS)
                                      : length >> (RELAXATION_ONE_BITS - down);
}

/* Moves each vector in turn to its best direction while the others are fixed. Returns how much they
 * moved: the sum of absolute differences. */
KERNEL_BODY int64_t sweep_ranked(struct bisection_relaxation *relaxation, int32_t *vectors,
                                 uint32_t rank) {
    const uint32_t size = relaxation->size;
    int64_t total[RANK_MAX] = {0}, turned = 0;
    for (uint32_t i = 0; i < size; i++)
        for (uint32_t k = 0; k < rank; k++)
            total[k] += (int64_t)relaxation->balance[i] * vectors[(size_t)i * rank + k];
    for (uint32_t i = 0; i < size; i++) {
        const int32_t *factor = &relaxation->factor[(size_t)i * size];
        int32_t *own = &vectors[(size_t)i * rank], before[RANK_MAX];
        const int64_t balance = relaxation->balance[i], pull = relaxation->penalty * balance;
        int64_t sum[RANK_MAX];
        for (uint32_t k = 0; k < rank; k++) {
            before[k] = own[k];
            total[k] -= balance * own[k];
            sum[k] = pull * total[k];
        }
        for (uint32_t j = 0; j < size; j++) {
            const int32_t f = factor[j];
            if (f == 0) continue;
            const int32_t *other = &vectors[(size_t)j * rank];
            for (uint32_t k = 0; k < rank; k++)
                sum[k] += (int64_t)f * other[k];
        }
        relaxation->lengths[i] = normalise(sum, own, rank);
        for (uint32_t k = 0; k < rank; k++) {
            total[k] += balance * own[k];
            turned += own[k] < before[k] ? before[k] - own[k] : own[k] - before[k];
        }
    }
    return turned;
}

KERNEL_BODY int64_t sweep_body(struct bisection_relaxation *relaxation, int32_t *vectors) {
    if (relaxation->rank == 16) return sweep_ranked(relaxation, vectors, 16);
    if (relaxation->rank == 24) return sweep_ranked(relaxation, vectors, 24);
    return sweep_ranked(relaxation, vectors, RANK_MAX);
}
KERNEL(int64_t, sweep, (struct bisection_relaxation * relaxation, int32_t *vectors),
       (relaxation, vectors))

KERNEL_BODY void products_ranked(struct bisection_relaxation *relaxation, uint32_t rank) {
    const uint32_t size = relaxation->size;
    for (uint32_t i = 0; i < size; i++) {
        const int32_t *a = &relaxation->vectors[(size_t)i * rank];
        for (uint32_t j = i + 1; j < size; j++) {
            const int32_t *b = &relaxation->vectors[(size_t)j * rank];
            int64_t sum = 0;
            for (uint32_t k = 0; k < rank; k++)
                sum += (int64_t)a[k] * b[k];
            int32_t product = (int32_t)(sum >> RELAXATION_ONE_BITS);
            int32_t *mean = &relaxation->mean_products[(size_t)i * size + j];
            relaxation->products[(size_t)i * size + j] = product;
            *mean += (product - *mean) >> MEAN_SHIFT;
        }
    }
}

KERNEL_BODY void multiply_body(struct bisection_relaxation *relaxation) {
    if (relaxation->rank == 16)
        products_ranked(relaxation, 16);
    else if (relaxation->rank == 24)
        products_ranked(relaxation, 24);
    else
        products_ranked(relaxation, RANK_MAX);
}
KERNEL(void, multiply, (struct bisection_relaxation * relaxation), (relaxation))

/* ---------------------------------------------------------------- multipliers */

static void add_factor(struct bisection_relaxation *relaxation, uint32_t i, uint32_t j,
                       int64_t value) {
    const size_t size = relaxation->size;
    relaxation->factor[i * size + j] += (int32_t)value;
    relaxation->factor[j * size + i] += (int32_t)value;
}

static void make_factors(struct bisection_relaxation *relaxation, bool average) {
    const size_t square = (size_t)relaxation->size * relaxation->size;
    for (size_t i = 0; i < square; i++)
        relaxation->factor[i] = (int32_t)(-relaxation->weight[i] * relaxation->scale);
    for (size_t t = 0; t < relaxation->triangle_count; t++) {
        const struct bisection_relaxation_triangle *triangle = &relaxation->triangles[t];
        const int64_t multiplier = average ? triangle->average : triangle->current;
        if (multiplier == 0) continue;
        const int8_t *sign = relaxation_signs[triangle->form];
        add_factor(relaxation, triangle->a, triangle->b, -multiplier * sign[0]);
        add_factor(relaxation, triangle->a, triangle->c, -multiplier * sign[1]);
        add_factor(relaxation, triangle->b, triangle->c, -multiplier * sign[2]);
    }
}

/* Returns by how much an inequality is violated, in units of 2^-24; negative if it holds. */
static int64_t violation(const struct bisection_relaxation *relaxation, const int32_t *products,
                         const struct bisection_relaxation_triangle *triangle) {
    const size_t size = relaxation->size;
    const int8_t *sign = relaxation_signs[triangle->form];
    return -(int64_t)RELAXATION_ONE -
           (int64_t)sign[0] * products[triangle->a * size + triangle->b] -
           (int64_t)sign[1] * products[triangle->a * size + triangle->c] -
           (int64_t)sign[2] * products[triangle->b * size + triangle->c];
}

/* Moves the multipliers by one step. The pace falls with the number of steps, so that the climb
 * settles. Multipliers are limited, so that the factors of a vertex in very many triangles fit. */
static void move_multipliers(struct bisection_relaxation *relaxation) {
    const int64_t pace =
        relaxation->degree * relaxation->scale * 15 / (int64_t)(1000 + relaxation->steps);
    for (size_t t = 0; t < relaxation->triangle_count; t++) {
        struct bisection_relaxation_triangle *triangle = &relaxation->triangles[t];
        int64_t value =
            triangle->current +
            ((violation(relaxation, relaxation->products, triangle) * pace) >> RELAXATION_ONE_BITS);
        int64_t max = FACTOR_MAX / (int64_t)relaxation->size;
        value = value < 0 ? 0 : value > max ? max : value;
        triangle->current = (int32_t)value;
        triangle->average += (triangle->current - triangle->average) / (1 << MEAN_SHIFT);
    }
}

/* ---------------------------------------------------------------- the climb */

static void draw_vectors(struct bisection_relaxation *relaxation) {
    for (uint32_t i = 0; i < relaxation->size; i++) {
        int64_t sum[RANK_MAX];
        for (uint32_t k = 0; k < relaxation->rank; k += 4) {
            struct random_block draw = random_draw(0, RANDOM_BISECTION, i, k);
            for (uint32_t l = 0; l < 4; l++)
                sum[k + l] = (int64_t)draw.word[l] - INT64_C(0x80000000);
        }
        normalise(sum, &relaxation->vectors[(size_t)i * relaxation->rank], relaxation->rank);
    }
}

void bisection_relaxation_begin(struct bisection_relaxation *relaxation, bool cold) {
    const size_t square = (size_t)relaxation->size * relaxation->size;
    if (cold)
        relaxation->penalty = 4 * relaxation->degree * relaxation->scale / relaxation->capacity + 1;
    relaxation->rank = bisection_relaxation_rank(relaxation->capacity);
    relaxation->steps = 0;
    make_factors(relaxation, false);
    if (cold) {
        draw_vectors(relaxation);
        for (int i = 0; i < SWEEPS_FIRST; i++)
            sweep(relaxation, relaxation->vectors);
    }
    memcpy(relaxation->average_vectors, relaxation->vectors,
           (size_t)relaxation->size * relaxation->rank * sizeof(int32_t));
    memset(relaxation->mean_products, 0, square * sizeof(int32_t));
    multiply(relaxation); /* so that the mean starts at the current products */
    memcpy(relaxation->mean_products, relaxation->products, square * sizeof(int32_t));
}

/* Raises the penalty if the vectors are out of balance. A larger penalty of unbalanced vectors
 * gives a better bound and a slower climb. */
static void adapt_penalty(struct bisection_relaxation *relaxation) {
    int64_t squares = 0;
    for (uint32_t k = 0; k < relaxation->rank; k++) {
        int64_t total = 0;
        for (uint32_t i = 0; i < relaxation->size; i++)
            total += (int64_t)relaxation->balance[i] *
                     relaxation->vectors[(size_t)i * relaxation->rank + k];
        total >>= RELAXATION_ONE_BITS - 12;
        squares += total * total;
    }
    const int64_t max = 4 * relaxation->degree * relaxation->scale;
    if (squares > INT64_C(1) << 24 && relaxation->penalty < max)
        relaxation->penalty += relaxation->penalty / 2 + 1;
}

void bisection_relaxation_climb(struct bisection_relaxation *relaxation, uint32_t steps) {
    for (uint32_t step = 0; step < steps; step++) {
        make_factors(relaxation, false);
        for (int i = 0; i < SWEEPS_A_STEP; i++)
            sweep(relaxation, relaxation->vectors);
        multiply(relaxation);
        move_multipliers(relaxation);
        relaxation->steps++;
    }
    adapt_penalty(relaxation);
}

/* Returns the correction for the least shift, to about a sixteenth, with which the proof succeeds;
 * negative if none does. */
static int64_t min_correction(struct bisection_relaxation *relaxation) {
    const struct bisection_proof_matrix matrix = {.size = relaxation->size,
                                                  .factor = relaxation->factor,
                                                  .balance = relaxation->balance,
                                                  .penalty = relaxation->penalty,
                                                  .diagonal = relaxation->lengths};
    int64_t low = 0, high = 1, found = -1;
    while (high < INT64_C(1) << 40) {
        found = bisection_proof_find_correction(&matrix, high, relaxation->lower, relaxation->rows);
        if (found >= 0) break;
        low = high;
        high *= 4;
    }
    for (int i = 0; i < 5 && found >= 0; i++) {
        int64_t middle = low + (high - low) / 2;
        if (middle == low) break;
        int64_t correction =
            bisection_proof_find_correction(&matrix, middle, relaxation->lower, relaxation->rows);
        if (correction >= 0) {
            found = correction;
            high = middle;
        } else {
            low = middle;
        }
    }
    return found;
}

int64_t bisection_relaxation_bound(struct bisection_relaxation *relaxation) {
    make_factors(relaxation, true);
    const int64_t still = (int64_t)relaxation->size * relaxation->rank; /* by rounding alone */
    for (int i = 0; i < SWEEPS_BOUND; i++)
        if (sweep(relaxation, relaxation->average_vectors) <= still) break;
    int64_t correction = min_correction(relaxation);
    if (correction < 0) return 0; /* the value of a cut is never negative */
    int64_t bound = 2 * relaxation->constant * relaxation->scale - correction;
    for (uint32_t i = 0; i < relaxation->size; i++)
        bound += relaxation->penalty * relaxation->balance[i] * relaxation->balance[i] -
                 relaxation->lengths[i];
    for (size_t t = 0; t < relaxation->triangle_count; t++)
        bound -= 2 * (int64_t)relaxation->triangles[t].average;
    return bound;
}
