/*
 * A program without some dimensions of its grid: the ranks whose coordinates are 0 along these
 * dimensions, and the messages among these ranks. Coarse levels with one rank along a dimension are
 * compared with such a program. See series_levels.h.
 */
#include "core/memory/memory.h"
#include "traces/extrapolate/divisions/series_levels.h"
#include "traces/extrapolate/grids/series_grids.h"

#include <stdlib.h>

/* Numbers the ranks that stay: those whose coordinates are 0 along the dimensions of the set flat.
 * Returns how many there are. numbers: PROGRAM_NONE: the rank does not stay. */
static uint32_t number_ranks(const struct level_divider *divider, uint32_t j, uint32_t flat,
                             uint32_t ranks, uint32_t *numbers) {
    const uint32_t dimensions = divider->series->grids.rules[divider->grid].dimensions;
    uint32_t count = 0;
    for (uint32_t r = 0; r < ranks; r++) {
        uint32_t coordinates[SERIES_DIMENSIONS];
        bool stays = true;
        grid_coordinates(divider->series->programs[j].extents.of[divider->grid], dimensions, r,
                         coordinates);
        for (uint32_t d = 0; d < dimensions; d++)
            stays = stays && ((flat >> d & 1U) == 0 || coordinates[d] == 0);
        numbers[r] = stays ? count++ : PROGRAM_NONE;
    }
    return count;
}

/* Defines the communicators, each of those of its members that stay. */
static status_code define_communicators(struct level_copy *copy, struct status *status) {
    const struct program *from = copy->from;
    uint32_t *members = memory_new(from->rank_count, sizeof *members);
    RETURN_ERROR_IF(members == NULL, status, STATUS_MEMORY, "out of memory for coarse levels");
    status_code code = STATUS_OK;
    for (uint32_t c = 0; c < from->communicator_count && code == STATUS_OK; c++) {
        const struct program_communicator *own = &from->communicators[c];
        const char *name = program_text(from, own->name);
        uint32_t count = 0;
        for (uint32_t i = 0; i < own->size && own->members != PROGRAM_NONE; i++) {
            const uint32_t member = copy->ranks[from->communicator_members[own->members + i]];
            if (member != PROGRAM_NONE) members[count++] = member;
        }
        if (own->members == PROGRAM_NONE)
            code = builder_define_communicator_self(copy->builder, name, &copy->communicators[c],
                                                    status);
        else if (count > 0)
            code = builder_define_communicator(copy->builder, name, members, count,
                                               &copy->communicators[c], status);
        else
            copy->communicators[c] = PROGRAM_NONE;
    }
    free(members);
    return code;
}

/* Counts an operation that is dropped or kept, and notes which of both its request is. */
static void post(struct level_copy *copy, uint32_t slot, bool is_dropped, uint32_t *dropped,
                 uint32_t *kept) {
    ++*(is_dropped ? dropped : kept);
    if (slot != PROGRAM_NONE) copy->in_flight[slot] = is_dropped ? LEVEL_DROPPED : 1;
}

/* Returns whether an element is left out: it has messages or waits for some, and all of these are
 * dropped. */
static bool is_dropped(struct level_copy *copy, uint32_t rank,
                       const struct level_element *element) {
    const struct program *from = copy->from;
    const uint32_t *list = from->wait_slots + from->ranks[rank].first_wait_slot;
    uint32_t dropped = 0, kept = 0;
    for (uint64_t i = element->first; i < element->end; i++) {
        const struct program_operation operation =
            *PROGRAM_OPERATION_AT(from, rank, from->ranks[rank].first + i);
        if (operation.kind == OPERATION_SEND || operation.kind == OPERATION_RECEIVE)
            post(copy, operation.message.slot, copy->ranks[operation.message.peer] == PROGRAM_NONE,
                 &dropped, &kept);
        if (operation.kind == OPERATION_COLLECTIVE)
            post(copy, operation.collective.slot, false, &dropped, &kept);
        for (uint32_t w = 0; operation.kind == OPERATION_WAIT && w < operation.wait.count; w++) {
            const uint32_t slot =
                operation.wait.count == 1 ? operation.wait.first : list[operation.wait.first + w];
            ++*(copy->in_flight[slot] == LEVEL_DROPPED ? &dropped : &kept);
        }
    }
    return dropped > 0 && kept == 0;
}

static status_code copy_rank(struct level_copy *copy, uint32_t rank, bool *fits,
                             struct status *status) {
    struct level_rank list = {0};
    status_code code = series_level_rank_list(&list, copy->from, rank, NULL, fits, status);
    for (size_t i = 0; i < list.count && *fits && code == STATUS_OK; i++)
        if (!is_dropped(copy, rank, &list.elements[i]))
            code = series_level_copy_operations(copy, rank, list.elements[i].first,
                                                list.elements[i].end, status);
    free(list.elements);
    return code == STATUS_OK ? builder_end_rank(copy->builder, copy->ranks[rank], status) : code;
}

status_code series_level_flat_make(const struct level_divider *divider, const struct program *from,
                                   uint32_t j, uint32_t flat, struct program **part,
                                   struct status *status) {
    uint32_t *numbers = memory_new(from->rank_count, sizeof *numbers);
    struct status other = STATUS_INIT;
    bool fits = true;
    RETURN_ERROR_IF(numbers == NULL, status, STATUS_MEMORY, "out of memory for coarse levels");
    struct program_builder *builder =
        builder_new(number_ranks(divider, j, flat, from->rank_count, numbers), status);
    struct level_copy copy;
    status_code code = series_level_copy_begin(&copy, from, builder, &other);
    copy.ranks = numbers;
    copy.drops = true;
    if (code == STATUS_OK) code = define_communicators(&copy, &other);
    for (uint32_t r = 0; r < from->rank_count && fits && code == STATUS_OK; r++)
        if (numbers[r] != PROGRAM_NONE) code = copy_rank(&copy, r, &fits, &other);
    if (code == STATUS_OK && fits)
        code = series_level_copy_seal(&copy, divider->series->config->threads, part, &other);
    if (code == STATUS_INPUT) /* a call cannot be divided */
        code = STATUS_OK;
    else if (code != STATUS_OK)
        status_set(status, code, "%s", other.text);
    status_clear(&other);
    series_level_copy_free(&copy);
    builder_free(builder);
    free(numbers);
    return code;
}
