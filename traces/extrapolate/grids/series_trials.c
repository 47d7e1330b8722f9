/*
 * Communicators that a library makes only to time alternatives, as FFTW does for each plan. In a
 * trial, a rank makes and frees a communicator without a message or a larger collective meanwhile.
 * Which alternatives a library times, and which it chooses, depends on sizes and numbers of ranks.
 */
#include "traces/extrapolate/grids/series_trials.h"
#include "core/memory/memory.h"

#include <stdlib.h>

/* The largest collective, in bytes of a rank, by which a library agrees on one alternative. */
enum { AGREEMENT_BYTES = 64 };

/* What a rank had done when it made a communicator. */
struct making {
    uint64_t messages; /* messages and larger collectives; UINT64_MAX: it has not been made */
    uint32_t trials;   /* trials that had ended */
};

/* Returns the number of trials of a rank in which another trial ended. makings: room for one for
 * each communicator. */
static uint32_t count_trials(const struct program *program, uint32_t rank, struct making *makings) {
    const struct program_rank *rank_entry = &program->ranks[rank];
    const struct program_operation *operation = program_array(program) + rank_entry->first;
    uint64_t messages = 0;
    uint32_t trials = 0, count = 0;
    for (uint32_t c = 0; c < program->communicator_count; c++)
        makings[c].messages = UINT64_MAX;
    for (const struct program_operation *end = operation + rank_entry->count; operation < end;
         operation++) {
        messages += operation->kind == OPERATION_SEND || operation->kind == OPERATION_RECEIVE;
        if (operation->kind != OPERATION_COLLECTIVE) continue;
        const struct program_collective_arguments *arguments =
            &program->collective_arguments[operation->collective.arguments];
        struct making *making = &makings[arguments->communicator];
        messages +=
            arguments->send_bytes > AGREEMENT_BYTES || arguments->receive_bytes > AGREEMENT_BYTES;
        if (arguments->kind == PROGRAM_COLLECTIVE_CREATE_HANDLE) {
            *making = (struct making){messages, trials};
        } else if (arguments->kind == PROGRAM_COLLECTIVE_DESTROY_HANDLE &&
                   making->messages == messages) {
            count += trials > making->trials;
            trials++;
        }
    }
    return count;
}

status_code series_trials_count(const struct series *series, uint32_t *count,
                                struct status *status) {
    const struct program *largest = series->programs[series->program_count - 1].program;
    *count = 0;
    struct making *makings = memory_new(largest->communicator_count, sizeof *makings);
    RETURN_ERROR_IF(makings == NULL, status, STATUS_MEMORY, "out of memory for communicators");
    for (uint32_t r = 0; r < largest->rank_count; r++) {
        const uint32_t own = count_trials(largest, r, makings);
        *count = own > *count ? own : *count;
    }
    free(makings);
    return STATUS_OK;
}
