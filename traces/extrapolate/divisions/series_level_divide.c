/*
 * Decides which ranks take part in coarse levels, and which calls belong to these. See
 * series_levels.c.
 */
#include "core/memory/memory.h"
#include "traces/extrapolate/divisions/series_levels.h"
#include "traces/extrapolate/grids/series_grids.h"
#include "traces/program/content_hash.h"

#include <stdlib.h>

/* ---- the ranks that take part ---- */

void series_level_set_free(struct level_set *set) {
    free(set->coarse_ranks);
    free(set->members);
    *set = (struct level_set){0};
}

status_code series_level_set_make(struct level_set *set, const struct series *series, uint32_t grid,
                                  uint32_t step, uint32_t ranks,
                                  const struct series_grid_extents *extents,
                                  struct status *status) {
    const uint32_t dimensions = series->grids.rules[grid].dimensions;
    *set = (struct level_set){.ranks = ranks};
    set->coarse_ranks = memory_new(ranks, sizeof *set->coarse_ranks);
    set->members = memory_new(ranks, sizeof *set->members);
    RETURN_ERROR_IF(set->coarse_ranks == NULL || set->members == NULL, status, STATUS_MEMORY,
                    "out of memory for coarse levels");
    for (uint32_t r = 0; r < ranks; r++) {
        uint32_t coordinates[SERIES_DIMENSIONS];
        bool is_member = true;
        grid_coordinates(extents->of[grid], dimensions, r, coordinates);
        for (uint32_t d = 0; d < dimensions; d++)
            is_member = is_member && coordinates[d] % step == 0;
        set->coarse_ranks[r] = is_member ? set->count : PROGRAM_NONE;
        if (is_member) set->members[set->count++] = r;
    }
    return STATUS_OK;
}

status_code series_level_set_others(struct level_set *set, uint32_t ranks, level_choice choice,
                                    struct status *status) {
    const uint32_t server = choice == LEVEL_BUT_FIRST ? 0 : ranks - 1;
    *set = (struct level_set){.ranks = ranks};
    set->coarse_ranks = memory_new(ranks, sizeof *set->coarse_ranks);
    set->members = memory_new(ranks, sizeof *set->members);
    RETURN_ERROR_IF(set->coarse_ranks == NULL || set->members == NULL, status, STATUS_MEMORY,
                    "out of memory for the ranks of a server");
    for (uint32_t r = 0; r < ranks; r++) {
        set->coarse_ranks[r] = r != server ? set->count : PROGRAM_NONE;
        if (r != server) set->members[set->count++] = r;
    }
    return STATUS_OK;
}

/* ---- the division of the series ---- */

uint64_t series_level_rank_hash(const struct level_rank *rank) {
    uint64_t hash = 0;
    for (size_t i = 0; i < rank->count; i++)
        if (!rank->elements[i].is_coarse) hash = content_hash_add(hash, rank->elements[i].hash);
    return hash;
}

uint32_t series_level_rank_places(const struct level_divider *divider, uint32_t k, uint32_t rank) {
    return key_table_find(&divider->index, series_level_rank_hash(&divider->ranks[k][rank]));
}

/* Notes how many other calls are before each run of a rank. Sets *fits to false if a rank with the
 * same other calls has its runs elsewhere. */
static status_code note_places(struct level_divider *divider, const struct level_rank *rank,
                               bool *fits, struct status *status) {
    const uint64_t hash = series_level_rank_hash(rank);
    uint32_t number = key_table_find(&divider->index, hash);
    const bool is_new = number == KEY_TABLE_NONE;
    uint64_t others = 0;
    uint32_t run = 0;
    if (is_new) {
        number = (uint32_t)divider->place_count + 1;
        FORWARD_IF_ERROR(memory_grow((void **)&divider->places, &divider->place_capacity,
                                     number + rank->runs, sizeof *divider->places, status));
        divider->places[divider->place_count] = rank->runs;
        divider->place_count = number + rank->runs;
        FORWARD_IF_ERROR(key_table_insert(&divider->index, hash, number, status));
    }
    *fits = *fits && divider->places[number - 1] == rank->runs;
    if (!*fits) return STATUS_OK;
    for (size_t i = 0; i < rank->count; i++) {
        const bool is_coarse = rank->elements[i].is_coarse;
        others += !is_coarse;
        if (!is_coarse || (i > 0 && rank->elements[i - 1].is_coarse)) continue;
        if (is_new) divider->places[number + run] = others;
        *fits = *fits && divider->places[number + run] == others;
        run++;
    }
    return STATUS_OK;
}

/* Lists the elements of all ranks of program k. Sets *has_runs to whether some of them belong to
 * the coarse levels. Sets *fits to false if the division does not keep the rules. */
static status_code list_program(struct level_divider *divider, uint32_t k, bool *has_runs,
                                bool *fits, struct status *status) {
    const struct program *program = divider->series->programs[k].program;
    const struct level_set *set = &divider->sets[k];
    *has_runs = false;
    for (uint32_t r = 0; r < program->rank_count && *fits; r++) {
        FORWARD_IF_ERROR(
            series_level_rank_list(&divider->ranks[k][r], program, r, set, fits, status));
        *has_runs = *has_runs || divider->ranks[k][r].runs > 0;
    }
    for (uint32_t i = 0; i < set->count && *fits && *has_runs; i++) {
        const struct level_rank *rank = &divider->ranks[k][set->members[i]];
        if (divider->runs == 0 || (divider->choice != LEVEL_BY_STEP && rank->runs > divider->runs))
            divider->runs = rank->runs;
        *fits = rank->runs > 0 && (rank->runs == divider->runs || divider->choice != LEVEL_BY_STEP);
        if (*fits) FORWARD_IF_ERROR(note_places(divider, rank, fits, status));
    }
    return STATUS_OK;
}

status_code series_level_divide(struct level_divider *divider, bool *fits, struct status *status) {
    const struct series *series = divider->series;
    const uint32_t count = series->program_count;
    uint32_t with_runs = 0;
    for (uint32_t k = 0; k <= count; k++) {
        const uint32_t ranks =
            k < count ? series->programs[k].program->rank_count : series->target_ranks;
        FORWARD_IF_ERROR(
            divider->choice == LEVEL_BY_STEP
                ? series_level_set_make(
                      &divider->sets[k], series, divider->grid, divider->step, ranks,
                      k < count ? &series->programs[k].extents : &series->target, status)
                : series_level_set_others(&divider->sets[k], ranks, divider->choice, status));
    }
    *fits = divider->sets[count].count < series->target_ranks;
    for (uint32_t k = count; k-- > 0 && *fits;) {
        bool has_runs;
        *fits = divider->sets[k].count < divider->sets[k].ranks;
        if (*fits) FORWARD_IF_ERROR(list_program(divider, k, &has_runs, fits, status));
        with_runs += *fits && has_runs;
        *fits = *fits && (has_runs || (k + 1 < count && divider->sets[k].count == 1));
    }
    *fits = *fits && with_runs > 1;
    return STATUS_OK;
}

status_code series_level_divide_by_order(struct level_divider *divider, bool *fits,
                                         struct status *status) {
    const uint32_t count = divider->series->program_count;
    key_table_free(&divider->index);
    divider->index = (struct key_table){0};
    divider->place_count = 0;
    divider->runs = 0;
    *fits = true;
    for (uint32_t k = count; k-- > 0 && *fits;) {
        bool has_runs;
        divider->sets[k].tags = &divider->tags[k];
        divider->sets[k].other_tags = &divider->tags[count - 1];
        FORWARD_IF_ERROR(list_program(divider, k, &has_runs, fits, status));
    }
    return STATUS_OK;
}

void series_level_divider_free(struct level_divider *divider) {
    const struct series *series = divider->series;
    for (uint32_t k = 0; divider->sets != NULL && k <= series->program_count; k++)
        series_level_set_free(&divider->sets[k]);
    for (uint32_t k = 0; divider->ranks != NULL && k < series->program_count; k++) {
        const uint32_t ranks = series->programs[k].program->rank_count;
        for (uint32_t r = 0; divider->ranks[k] != NULL && r < ranks; r++)
            free(divider->ranks[k][r].elements);
        free(divider->ranks[k]);
    }
    series_level_tags_free(divider);
    key_table_free(&divider->index);
    free(divider->sets);
    free(divider->ranks);
    free(divider->places);
}

status_code series_level_divider_new(struct level_divider *divider, const struct series *series,
                                     uint32_t grid, uint32_t step, struct status *status) {
    *divider = (struct level_divider){.series = series, .grid = grid, .step = step};
    divider->sets = memory_new(series->program_count + 1, sizeof *divider->sets);
    divider->ranks = memory_new(series->program_count, sizeof *divider->ranks);
    bool has_memory = divider->sets != NULL && divider->ranks != NULL;
    for (uint32_t k = 0; k < series->program_count && has_memory; k++) {
        divider->ranks[k] =
            memory_new(series->programs[k].program->rank_count, sizeof **divider->ranks);
        has_memory = divider->ranks[k] != NULL;
    }
    RETURN_ERROR_IF(!has_memory, status, STATUS_MEMORY, "out of memory for coarse levels");
    return STATUS_OK;
}
