/*
 * Views: programs with two dimensions of a grid exchanged. If the dimensions are alike, what a
 * program has along one of them is what its view would have along the other.
 */
#include "traces/extrapolate/symmetry/series_views.h"
#include "core/memory/memory.h"
#include "traces/extrapolate/grids/series_grids.h"
#include "traces/extrapolate/series.h"

#include <stdlib.h>
#include <string.h>

/* The program itself, and a view for each pair of dimensions. */
enum { VIEWS = 1 + SERIES_DIMENSIONS * (SERIES_DIMENSIONS - 1) / 2 };

/* Exchanges the values of the two dimensions of a view, from 1. */
static void exchange(uint32_t values[SERIES_DIMENSIONS], uint8_t view) {
    uint32_t high = 1, number = view - 1u;
    while (number >= high)
        number -= high++;
    const uint32_t value = values[high];
    values[high] = values[number];
    values[number] = value;
}

uint8_t series_view_of(uint32_t dimension, uint32_t other) {
    const uint32_t low = dimension < other ? dimension : other;
    const uint32_t high = dimension < other ? other : dimension;
    return low == high ? 0 : (uint8_t)(1 + high * (high - 1) / 2 + low);
}

status_code series_views_make(struct series *series, uint32_t grid, struct status *status) {
    if (series->grids.viewed == grid) return STATUS_OK;
    series_views_free(series);
    series->grids.viewed = grid;
    for (uint32_t k = 0; k < series->program_count; k++) {
        struct series_program *program = &series->programs[k];
        program->views = memory_new(VIEWS, sizeof *program->views);
        RETURN_ERROR_IF(program->views == NULL, status, STATUS_MEMORY, "out of memory for roles");
        for (uint32_t view = 0; view < VIEWS; view++) {
            program->views[view] = program->extents;
            if (view > 0) exchange(program->views[view].of[grid], (uint8_t)view);
        }
    }
    return STATUS_OK;
}

void series_views_free(struct series *series) {
    for (uint32_t k = 0; k < series->program_count; k++) {
        free(series->programs[k].views);
        series->programs[k].views = NULL;
    }
    series->grids.viewed = 0;
    for (size_t i = 0; i < series->roles.copy_count; i++)
        free(series->roles.copies[i]);
    free(series->roles.copies);
    series->roles.copies = NULL;
    series->roles.copy_count = series->roles.copy_capacity = 0;
}

uint32_t series_view_rank(const struct series *series, uint32_t program, uint8_t view,
                          uint32_t rank) {
    const uint32_t grid = series->grids.viewed, dimensions = series->grids.rules[grid].dimensions;
    const struct series_program *from = &series->programs[program];
    uint32_t coordinates[SERIES_DIMENSIONS];
    grid_coordinates(from->extents.of[grid], dimensions, rank, coordinates);
    exchange(coordinates, view);
    return grid_rank(from->views[view].of[grid], dimensions, coordinates);
}

/* Counts the sends of a program that go one step along one dimension of a grid. */
static uint64_t count_steps(const struct series *series, uint32_t program, uint32_t grid) {
    const struct series_program *from = &series->programs[program];
    const uint32_t *extents = from->extents.of[grid],
                   dimensions = series->grids.rules[grid].dimensions;
    uint64_t count = 0;
    for (uint32_t r = 0; r < from->program->rank_count; r++) {
        const struct program_rank *rank_entry = &from->program->ranks[r];
        uint32_t own[SERIES_DIMENSIONS], other[SERIES_DIMENSIONS];
        grid_coordinates(extents, dimensions, r, own);
        for (uint64_t i = 0; i < rank_entry->count; i++) {
            const struct program_operation *send =
                PROGRAM_OPERATION_AT(from->program, r, rank_entry->first + i);
            uint32_t crossed = 0, steps = 0;
            if (send->kind != OPERATION_SEND) continue;
            grid_coordinates(extents, dimensions, send->message.peer, other);
            for (uint32_t d = 0; d < dimensions; d++) {
                const uint32_t off = other[d] > own[d] ? other[d] - own[d] : own[d] - other[d];
                crossed += off != 0;
                steps += off == 1 || (off > 0 && off + 1 == extents[d]);
            }
            count += crossed == 1 && steps == 1;
        }
    }
    return count;
}

uint32_t series_views_grids(const struct series *series, uint32_t *grids, uint32_t most) {
    uint64_t best = 0, counts[SERIES_GRIDS] = {0};
    uint32_t found = 0;
    for (uint32_t g = 1; g < series->grids.count; g++) {
        if (series->grids.rules[g].dimensions < 2 || series->grids.rules[g].is_second) continue;
        for (uint32_t k = 0; k < series->program_count; k++)
            counts[g] += count_steps(series, k, g);
        if (counts[g] > best) best = counts[g];
    }
    for (uint32_t g = 1; g < series->grids.count && best > 0 && found < most; g++)
        if (counts[g] == best) grids[found++] = g;
    return found;
}
