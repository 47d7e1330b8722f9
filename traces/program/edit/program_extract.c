/*
 * Cuts a part out of a program.
 *
 * Invariant: the part has both sides of a message or neither, and all members' calls of a
 * collective or none.
 */
#include "traces/program/edit/program_extract.h"

#include "core/memory/memory.h"
#include "traces/program/edit/program_copy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cutter {
    struct program_bounds *bounds; /* for each rank */
    struct program_inside inside;
    struct program_copy copy;
    uint32_t *open; /* user regions open on the current rank, outermost first */
    size_t capacity;
};

static void write_notes(struct cutter *cutter) {
    const struct program_copy *copy = &cutter->copy;
    if (copy->messages_left_out > 0)
        builder_add_note(
            copy->builder, "messages across the ends of the part",
            "their other side lies outside the part that is replayed: they are left out",
            copy->messages_left_out);
    if (copy->collectives_left_out > 0)
        builder_add_note(
            copy->builder, "collectives across the ends of the part",
            "not all members' calls lie inside the part that is replayed: they are left "
            "out",
            copy->collectives_left_out);
}

/* Enters the user regions in which the rank is where its part begins, so that its operations belong
 * to these regions. */
static status_code enter_open_regions(struct cutter *cutter, uint32_t rank, struct status *status) {
    const struct program *whole = cutter->copy.whole;
    const struct program_operation *operations = &program_array(whole)[whole->ranks[rank].first];
    const struct program_bounds *bounds = &cutter->bounds[rank];
    const struct program_operation *first = &operations[bounds->first];
    size_t depth = 0;
    if (first->kind == OPERATION_END) return STATUS_OK;
    for (uint64_t i = 0; i < bounds->first; i++) {
        if (operations[i].kind == OPERATION_ENTER) {
            FORWARD_IF_ERROR(memory_grow((void **)&cutter->open, &cutter->capacity, depth + 1,
                                         sizeof *cutter->open, status));
            cutter->open[depth++] = operations[i].mark.region;
        } else if (operations[i].kind == OPERATION_LEAVE && depth > 0) {
            depth--;
        }
    }
    for (size_t i = 0; i < depth; i++)
        FORWARD_IF_ERROR(program_copy_enter(&cutter->copy, rank, cutter->open[i],
                                            first->mark.trace_ps - bounds->before_ps, status));
    return STATUS_OK;
}

/* Appends the part of a rank, with the computation of a time window before and after it. */
static status_code append_rank(struct cutter *cutter, uint32_t rank, struct status *status) {
    const struct program_bounds *bounds = &cutter->bounds[rank];
    struct program_copy *copy = &cutter->copy;
    program_copy_begin(copy, rank);
    FORWARD_IF_ERROR(enter_open_regions(cutter, rank, status));
    FORWARD_IF_ERROR(builder_compute(copy->builder, rank, bounds->before_ps, status));
    FORWARD_IF_ERROR(program_copy_operations(copy, rank, bounds->first, bounds->end, status));
    FORWARD_IF_ERROR(builder_compute(copy->builder, rank, bounds->after_ps, status));
    program_copy_beside(copy, bounds->before_ps, bounds->after_ps);
    return program_copy_end(copy, rank, status);
}

static status_code seal(struct cutter *cutter, const char *from, const char *to, unsigned threads,
                        struct program **part, struct status *status) {
    bool begins = from != NULL && *from != '\0', ends = to != NULL && *to != '\0';
    size_t size = (begins ? strlen(from) : 0) + (ends ? strlen(to) : 0) + 16;
    char *how = malloc(size);
    RETURN_ERROR_IF(how == NULL, status, STATUS_MEMORY, "out of memory for a name");
    snprintf(how, size, "%s%s%s%s", begins ? ", from " : "", begins ? from : "",
             ends ? ", to " : "", ends ? to : "");
    write_notes(cutter);
    status_code code = program_copy_seal(&cutter->copy, how, threads, part, status);
    free(how);
    return code;
}

static status_code cut(struct cutter *cutter, struct program **part, const struct program *whole,
                       const char *from, const char *to, unsigned threads, struct status *status) {
    cutter->bounds = memory_new(whole->rank_count, sizeof *cutter->bounds);
    RETURN_ERROR_IF(cutter->bounds == NULL, status, STATUS_MEMORY,
                    "out of memory for a part of a program");
    FORWARD_IF_ERROR(program_bounds_find(cutter->bounds, whole, from, to, NULL, status));
    FORWARD_IF_ERROR(program_inside_new(&cutter->inside, whole, cutter->bounds, threads, status));
    FORWARD_IF_ERROR(program_copy_new(&cutter->copy, whole, &cutter->inside, status));
    for (uint32_t rank = 0; rank < whole->rank_count; rank++)
        FORWARD_IF_ERROR(append_rank(cutter, rank, status));
    return seal(cutter, from, to, threads, part, status);
}

status_code program_extract(struct program **part, const struct program *whole, const char *from,
                            const char *to, unsigned threads, struct status *status) {
    struct cutter cutter = {0};
    *part = NULL;
    FORWARD_IF_ERROR(program_make_array(whole, status));
    status_code code = cut(&cutter, part, whole, from, to, threads, status);
    program_inside_free(&cutter.inside);
    program_copy_free(&cutter.copy);
    free(cutter.bounds);
    free(cutter.open);
    return code;
}
