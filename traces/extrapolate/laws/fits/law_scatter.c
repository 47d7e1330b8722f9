/*
 * How measured values scatter. A position is one visit of a step, and has a mean over all ranks of
 * the largest program. The more ranks a program has, the more often one of them is late. If further
 * ranks of the new program repeated the values of the largest program visit by visit, no further
 * rank would be late. So a further rank takes the deviation of each position from another position
 * with about the same mean.
 */
#include "core/base/wide.h"
#include "core/memory/memory.h"
#include "traces/extrapolate/laws/fits/series_fits.h"
#include "traces/extrapolate/laws/series_law.h"

#include <stdlib.h>

/* At most MOST_ALIKE positions exchange their deviations. Their means differ by at most a quarter
 * of the smallest one (1 / QUARTER). */
enum { MOST_ALIKE = 16, QUARTER = 4 };

/* The samples of one program: from number `first` on, `positions` samples of each of `ranks` ranks.
 */
struct block {
    size_t first, ranks, positions;
};

/* Sets *block to the samples of a program. Returns false if its ranks have different numbers of
 * positions or only one position, or if there is only one rank. */
static bool find_block(const struct series_law_data *data, uint32_t program, struct block *block) {
    const struct series_sample *samples = data->step->samples;
    size_t end = data->count, first = 0;
    while (first < end && samples[data->samples[first]].program != program)
        first++;
    while (end > first && samples[data->samples[end - 1]].program != program)
        end--;
    *block = (struct block){.first = first};
    while (first + block->positions < end &&
           samples[data->samples[first + block->positions]].rank ==
               samples[data->samples[first]].rank)
        block->positions++;
    if (block->positions < 2 || (end - first) % block->positions != 0) return false;
    block->ranks = (end - first) / block->positions;
    for (size_t i = first; i < end; i++)
        if (samples[data->samples[i]].rank !=
            samples[data->samples[i - (i - first) % block->positions]].rank)
            return false;
    return block->ranks > 1;
}

/* Returns the value of a rank at a position, or 0 if it is negative. */
static int64_t value_in(const struct series_law_data *data, const struct block *block, size_t rank,
                        size_t position) {
    const int64_t value = law_sample_value(data, block->first + rank * block->positions + position);
    return value > 0 ? value : 0;
}

/* Returns the mean of a position over the ranks, and sets *least to the smallest value. */
static int64_t mean_of(const struct series_law_data *data, const struct block *block,
                       size_t position, int64_t *least) {
    wide sum = 0;
    *least = INT64_MAX;
    for (size_t r = 0; r < block->ranks; r++) {
        const int64_t value = value_in(data, block, r, position);
        sum += (uint64_t)value;
        if (value < *least) *least = value;
    }
    return (int64_t)(sum / block->ranks);
}

int64_t law_scatter_spread(const struct series_law_data *data, uint32_t program) {
    struct block block;
    wide sum = 0;
    if (!find_block(data, program, &block)) return -1;
    for (size_t i = 0; i < block.positions; i++) {
        int64_t least;
        const int64_t mean = mean_of(data, &block, i, &least);
        for (size_t r = 0; r < block.ranks; r++) {
            const int64_t value = value_in(data, &block, r, i);
            sum += (uint64_t)(value > mean ? value - mean : mean - value);
        }
    }
    return (int64_t)(sum / block.ranks / block.positions);
}

static int compare_means(const void *left, const void *right) {
    const struct series_position *a = left, *b = right;
    if (a->mean != b->mean) return (a->mean > b->mean) - (a->mean < b->mean);
    return (a->described > b->described) - (a->described < b->described);
}

/* Divides the positions, which are in the order of their means, into sets of positions with about
 * the same mean. */
static void find_alike(struct series_fit *fit) {
    for (uint32_t first = 0, end; first < fit->position_count; first = end) {
        const int64_t least = fit->positions[first].mean;
        end = first + 1;
        while (end < fit->position_count && end - first < MOST_ALIKE &&
               fit->positions[end].mean - least <= least / QUARTER)
            end++;
        for (uint32_t i = first; i < end; i++) {
            fit->positions[i].first_alike = first;
            fit->positions[i].alike = end - first;
        }
    }
}

status_code law_scatter_take(const struct series_law_data *data, struct series_fit *fit,
                             struct status *status) {
    struct block block;
    if (!find_block(data, fit->known_program, &block) || block.positions > UINT32_MAX)
        return STATUS_OK;
    fit->positions = memory_new(block.positions, sizeof *fit->positions);
    RETURN_ERROR_IF(fit->positions == NULL, status, STATUS_MEMORY, "out of memory for laws");
    fit->position_count = (uint32_t)block.positions;
    for (uint32_t i = 0; i < fit->position_count; i++) {
        fit->positions[i].mean = mean_of(data, &block, i, &fit->positions[i].least);
        fit->positions[i].described = i;
    }
    qsort(fit->positions, fit->position_count, sizeof *fit->positions, compare_means);
    find_alike(fit);
    for (uint32_t i = 0; i < fit->position_count; i++)
        fit->positions[fit->positions[i].described].place = i;
    return STATUS_OK;
}

uint32_t law_scatter_position(const struct series_fit *fit, uint32_t position, uint32_t shift) {
    const uint32_t place = fit->positions[position].place;
    const uint32_t first = fit->positions[place].first_alike, size = fit->positions[place].alike;
    const uint32_t by = size > 1 ? 1 + shift % (size - 1) : 0;
    return fit->positions[first + (place - first + by) % size].described;
}

int64_t law_scatter_moved(const struct series_fit *fit, uint32_t position, uint32_t from,
                          int64_t value) {
    const int64_t own = fit->positions[fit->positions[position].place].mean;
    const int64_t other = fit->positions[fit->positions[from].place].mean;
    if (other <= 0 || value <= 0) return value;
    const wide scaled = (wide)(uint64_t)value * (uint64_t)own / (uint64_t)other;
    return scaled < INT64_MAX ? (int64_t)scaled : INT64_MAX;
}

/* Returns value * over / under. */
static int64_t multiply(int64_t value, int64_t over, int64_t under) {
    return (int64_t)((signed_wide)value * over / under);
}

int64_t law_scatter_scaled(const struct series_fit *fit, uint32_t position, int64_t value) {
    if (value < 0) value = 0;
    if (fit->known_spread == 0) return multiply(value, fit->mean, fit->known_mean);
    const struct series_position *at = &fit->positions[fit->positions[position].place];
    const int64_t mean = multiply(at->mean, fit->mean, fit->known_mean);
    int64_t over = fit->spread, under = fit->known_spread;
    if (multiply(at->mean - at->least, over, under) > mean) { /* no value falls below zero */
        over = mean;
        under = at->mean - at->least;
    }
    const int64_t scaled = mean + multiply(value - at->mean, over, under);
    return scaled > 0 ? scaled : 0;
}

struct series_copied_part law_scatter_part(const struct series_role_step *step,
                                           const struct series_sample *samples, size_t count,
                                           uint32_t field, const uint32_t *trips, uint32_t rounds) {
    struct series_copied_part part = {.over = 1, .under = 1};
    const wide limit = (wide)1 << 62;
    wide visits = 1, known = 1, whole = 0, copied = 0;
    for (uint32_t l = 0; l < step->depth; l++) {
        visits *= trips[l];
        known *= samples[0].trips[l];
    }
    if (known != count || visits > limit / count) return part;
    const bool has_rounds = rounds > 0 && visits % rounds == 0 && count % rounds == 0;
    if (!has_rounds && visits % count == 0) return part;
    for (size_t i = 0; i < count; i++) {
        const int64_t own = samples[i].values[field];
        whole += own > 0 ? (uint64_t)own : 0;
        if (i + 1 == visits % count) copied = whole;
    }
    copied += visits / count * whole;
    if (has_rounds) {
        part.rounds = rounds;
        part.visits = (uint64_t)visits;
        copied = 0;
        for (uint64_t i = 0; i < part.visits; i++) {
            const int64_t own =
                samples[law_rounds_place(i, part.visits, count, rounds)].values[field];
            copied += own > 0 ? (uint64_t)own : 0;
        }
    }
    if (copied == 0 || copied > limit / count || whole > limit / visits) return part;
    part.over = whole * visits;
    part.under = copied * count;
    return part;
}
