/* Finds regions by name, and removes user regions. Must not know the use of the regions. */
#include "traces/program/edit/program_regions.h"

#include "core/base/utf8.h"
#include "core/memory/memory.h"
#include "core/settings/nearest_name.h"
#include "traces/program/program_packed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool program_region_has_name(const struct program *program, uint32_t region, const char *name,
                             size_t length) {
    const char *text = program_text(program, program->regions[region].name);
    return strlen(text) == length && memcmp(text, name, length) == 0;
}

bool program_has_region(const struct program *program, const char *name, size_t length) {
    for (uint32_t i = 0; i < program->region_count; i++)
        if (program_region_has_name(program, i, name, length)) return true;
    return false;
}

/* Moves the operations of a rank that are left to *kept, and those after it. */
static void keep_operations(struct program *program, struct program_rank *rank_entry,
                            uint64_t *kept, const uint32_t *numbers) {
    const uint64_t first = *kept, end = rank_entry->first + rank_entry->count;
    for (uint64_t i = rank_entry->first; i < end; i++) {
        struct program_operation operation = program->operations[i];
        struct program_operation *last = &program->operations[*kept - (*kept > first)];
        if (operation.kind == OPERATION_ENTER || operation.kind == OPERATION_LEAVE) {
            rank_entry->mark_count--;
            continue;
        }
        if (operation.kind == OPERATION_COMPUTE && *kept > first &&
            last->kind == OPERATION_COMPUTE) {
            last->compute.duration_ps += operation.compute.duration_ps;
            continue;
        }
        if (program_is_mark(&operation)) operation.mark.region = numbers[operation.mark.region];
        program->operations[(*kept)++] = operation;
    }
    rank_entry->first = first;
    rank_entry->count = *kept - first;
}

/* Does the same for packed operations, with a packer that leaves out user regions. A place is never
 * taken before the operation in it is read, but it may be taken while the block of that operation
 * is read, so the function copies the block first. */
static status_code keep_packed(struct program_packer *packer, struct program *program,
                               uint32_t rank, uint64_t *kept, struct status *status) {
    const struct program_packed *packed = program->packed;
    const struct program_operation *whole = packed->ranks[rank].whole_operations;
    struct program_rank *rank_entry = &program->ranks[rank];
    struct program_block block = {0};
    const uint64_t first = rank_entry->first, marks = rank_entry->mark_count;
    uint64_t left_out = 0;
    rank_entry->first = *kept;
    program_packer_begin(packer, program, rank);
    for (uint64_t i = first; i < first + rank_entry->count; i++) {
        const uint64_t place = program_word_place(packed, rank, i);
        if (i == first || place % PROGRAM_BLOCK_OPERATIONS == 0)
            block = packed->blocks[program_block_of(packed, rank, place)];
        struct program_operation operation;
        program_unpack_word(&operation, program_word(packed, rank, &block, place), &block, whole);
        left_out += operation.kind == OPERATION_ENTER || operation.kind == OPERATION_LEAVE;
        FORWARD_IF_ERROR(program_packer_add(packer, &operation, status));
    }
    FORWARD_IF_ERROR(program_packer_finish(packer, status));
    rank_entry->mark_count = (uint32_t)(marks - left_out);
    rank_entry->count = packer->next - rank_entry->first;
    *kept = packer->next;
    return STATUS_OK;
}

static status_code keep_all_packed(struct program *program, uint64_t *kept, const uint32_t *numbers,
                                   struct status *status) {
    struct program_packer packer = {.mpi_regions = numbers};
    status_code code = STATUS_OK;
    for (uint32_t rank = 0; rank < program->rank_count && code == STATUS_OK; rank++)
        code = keep_packed(&packer, program, rank, kept, status);
    program_packer_free(&packer);
    return code;
}

status_code program_remove_user_regions(struct program *program, struct status *status) {
    if (!program_has_user_regions(program)) return STATUS_OK;
    uint32_t *numbers = memory_new(program->region_count, sizeof *numbers), count = 0;
    RETURN_ERROR_IF(numbers == NULL, status, STATUS_MEMORY, "out of memory for regions");
    for (uint32_t i = 0; i < program->region_count; i++) {
        numbers[i] = count;
        if (program->regions[i].is_mpi) program->regions[count++] = program->regions[i];
    }
    program->region_count = count;
    uint64_t kept = 0;
    status_code code = STATUS_OK;
    if (program->packed != NULL)
        code = keep_all_packed(program, &kept, numbers, status);
    else
        for (uint32_t rank = 0; rank < program->rank_count; rank++)
            keep_operations(program, &program->ranks[rank], &kept, numbers);
    program->operation_count = kept;
    free(numbers);
    return code;
}

/* Finds the user regions that ranks enter; archives also define others. Returns their number. If
 * memory runs out, sets *entered to NULL and returns 0. The caller frees *entered. */
static uint32_t find_entered(bool **entered, const struct program *program) {
    uint32_t count = 0;
    *entered = memory_new(program->region_count, sizeof **entered);
    if (*entered == NULL) return 0;
    struct program_walk walk = {0};
    while (program_walk_next(program, &walk)) {
        const struct program_operation *operation = walk.operation;
        if (operation->kind != OPERATION_ENTER || (*entered)[operation->mark.region]) continue;
        (*entered)[operation->mark.region] = true;
        count++;
    }
    return count;
}

/* Appends the names of the first user regions to an error, each as a line. */
static void append_user_regions(const struct program *program, const bool *entered,
                                struct status *status) {
    enum { SHOWN = 8, NAME_BYTES = 200 };
    uint32_t count = 0;
    for (uint32_t i = 0; i < program->region_count; i++) {
        if (!entered[i] || count++ >= SHOWN) continue;
        const char *name = program_text(program, program->regions[i].name);
        status_append(status, "  %.*s", UTF8_SHOWN(name, strnlen(name, NAME_BYTES)));
    }
    if (count > SHOWN) status_append(status, "  and %u more", count - SHOWN);
}

status_code program_set_unknown_region(const struct program *program, const char *option,
                                       const char *text, const char *name, size_t length,
                                       struct status *status) {
    char wanted[256];
    const size_t max = length < sizeof wanted ? length : sizeof wanted - 1;
    snprintf(wanted, sizeof wanted, "%.*s", UTF8_SHOWN(name, max));
    struct nearest_name search = nearest_name_begin(wanted);
    bool *entered;
    const uint32_t count = find_entered(&entered, program);
    for (uint32_t i = 0; i < program->region_count; i++)
        if (program->regions[i].is_mpi || (count > 0 && entered[i]))
            nearest_name_offer(&search, program_text(program, program->regions[i].name));
    status_set(status, STATUS_USAGE, "%s %s: the trace has no region `%s`%s%s%s%s", option, text,
               wanted, search.name != NULL ? " (did you mean `" : "",
               search.name != NULL ? search.name : "", search.name != NULL ? "`?)" : "",
               count > 0 ? search.name == NULL ? "; its user regions are" : ""
                         : "; it holds no user regions at all (a program file has none if it was "
                           "converted with trace.user_regions=off)");
    if (search.name == NULL && count > 0) append_user_regions(program, entered, status);
    free(entered);
    return STATUS_USAGE;
}
