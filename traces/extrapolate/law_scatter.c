/*
 * How measured values scatter in the largest program. A position is one visit of a step, and has a
 * mean over all ranks. The more ranks a program has, the more often one of them is late. If the
 * ranks beyond those of the largest program repeated its values visit by visit, no further rank
 * would be late. So they take the deviations of another position with about the same mean.
 */
#include "core/memory/memory.h"
#include "traces/extrapolate/series_law.h"

#include <stdlib.h>

/* At most MOST_ALIKE positions exchange their deviations. Their means are up to a quarter apart. */
enum { MOST_ALIKE = 16, QUARTER = 4 };

/* The samples of one program, as ranks and their positions. */
struct block {
    size_t first, ranks, positions;
};

/* Finds the samples of a program. Returns false if its ranks have different numbers of positions,
 * or only one. */
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

static int compare_means(const void *left, const void *right) {
    const struct series_position *a = left, *b = right;
    if (a->mean != b->mean) return (a->mean > b->mean) - (a->mean < b->mean);
    return (a->number > b->number) - (a->number < b->number);
}

/* Divides the positions, in the order of their means, into sets of those that are alike. */
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

status_code scatter_take(const struct series_law_data *data, struct series_fit *fit,
                         struct status *status) {
    struct block block;
    if (!find_block(data, fit->known_program, &block) || block.positions > UINT32_MAX)
        return STATUS_OK;
    fit->positions = memory_new(block.positions, sizeof *fit->positions);
    RETURN_ERROR_IF(fit->positions == NULL, status, STATUS_MEMORY, "out of memory for laws");
    fit->position_count = (uint32_t)block.positions;
    for (uint32_t i = 0; i < fit->position_count; i++) {
        wide sum = 0;
        for (size_t r = 0; r < block.ranks; r++) {
            const int64_t value = law_sample_value(data, block.first + r * block.positions + i);
            sum += value > 0 ? (uint64_t)value : 0;
        }
        fit->positions[i].mean = (int64_t)(sum / block.ranks);
        fit->positions[i].number = i;
    }
    qsort(fit->positions, fit->position_count, sizeof *fit->positions, compare_means);
    find_alike(fit);
    for (uint32_t i = 0; i < fit->position_count; i++)
        fit->positions[fit->positions[i].number].place = i;
    return STATUS_OK;
}

uint32_t scatter_position(const struct series_fit *fit, uint32_t position, uint32_t shift) {
    const uint32_t place = fit->positions[position].place;
    const uint32_t first = fit->positions[place].first_alike, size = fit->positions[place].alike;
    const uint32_t by = size > 1 ? 1 + shift % (size - 1) : 0;
    return fit->positions[first + (place - first + by) % size].number;
}

int64_t scatter_turned(const struct series_fit *fit, uint32_t position, uint32_t from,
                       int64_t value) {
    const int64_t own = fit->positions[fit->positions[position].place].mean;
    const int64_t other = fit->positions[fit->positions[from].place].mean;
    if (other <= 0 || value <= 0) return value;
    const wide turned = (wide)(uint64_t)value * (uint64_t)own / (uint64_t)other;
    return turned < INT64_MAX ? (int64_t)turned : INT64_MAX;
}
