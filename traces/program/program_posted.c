/*
 * Lists of sends, receives and collectives. Must not know the use of the lists.
 */
#include "traces/program/program_posted.h"
#include "core/memory.h"
#include "core/parallel.h"

#include <stdlib.h>

status_code program_posted_new(struct program_posted *posted, uint32_t rank_count,
                               struct status *status) {
    *posted = (struct program_posted){rank_count, memory_new(rank_count, sizeof *posted->ranks)};
    RETURN_ERROR_IF(posted->ranks == NULL, status, STATUS_MEMORY, "out of memory for %u ranks",
                    rank_count);
    return STATUS_OK;
}

void program_posted_free(struct program_posted *posted) {
    for (uint32_t rank = 0; posted->ranks != NULL && rank < posted->rank_count; rank++) {
        free(posted->ranks[rank].sends.at);
        free(posted->ranks[rank].receives.at);
        free(posted->ranks[rank].collectives.at);
    }
    free(posted->ranks);
    *posted = (struct program_posted){0};
}

status_code program_posted_add(struct program_posted_rank *rank, unsigned kind, uint64_t place,
                               struct status *status) {
    struct program_places *places = kind == PROGRAM_SEND         ? &rank->sends
                                    : kind == PROGRAM_RECEIVE    ? &rank->receives
                                    : kind == PROGRAM_COLLECTIVE ? &rank->collectives
                                                                 : NULL;
    if (places == NULL) return STATUS_OK;
    FORWARD_IF_ERROR(memory_grow((void **)&places->at, &places->capacity, places->count + 1,
                                 sizeof *places->at, status));
    places->at[places->count++] = (uint32_t)place;
    return STATUS_OK;
}

struct finder {
    const struct program *program;
    struct program_posted *posted;
};

static status_code find_rank(void *context, unsigned worker, uint64_t rank, struct status *status) {
    (void)worker;
    struct finder *finder = context;
    const struct program_rank *part = &finder->program->ranks[rank];
    const struct program_operation *operations = finder->program->operations + part->first;
    for (uint64_t i = 0; i < part->count; i++)
        FORWARD_IF_ERROR(
            program_posted_add(&finder->posted->ranks[rank], operations[i].kind, i, status));
    return STATUS_OK;
}

status_code program_posted_find(struct program_posted *posted, const struct program *program,
                                unsigned threads, struct status *status) {
    FORWARD_IF_ERROR(program_posted_new(posted, program->rank_count, status));
    struct finder finder = {program, posted};
    return parallel_for(threads, program->rank_count, find_rank, &finder, status);
}
