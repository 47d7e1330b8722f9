/* Decides when a rank's next operations are to be read and how many, and asks the system for the
 * pages that have them. */
#include "traces/program/file/program_read_ahead.h"

#include "core/memory/memory.h"
#include "core/memory/paging.h"

#include <stdlib.h>

/* A rank has one to two stretches read ahead, and all ranks together have at most half of the
 * memory for operations. Stretches longer than a megabyte would not be faster on a disk. */
enum { STRETCH_MIN_BYTES = 4096, STRETCH_MAX_BYTES = 1 << 20, STRETCHES = 4 };

static size_t operation_bytes(const struct program *program) {
    return program->packed != NULL ? sizeof *program->packed->upper : sizeof *program->operations;
}

status_code program_read_ahead_new(struct program_read_ahead **made, const struct program *program,
                                   uint32_t rank_count, struct status *status) {
    *made = NULL;
    if (paging_file_bytes(program->paging) == 0 || rank_count == 0) return STATUS_OK;
    struct program_read_ahead *ahead = memory_new(1, sizeof *ahead);
    if (ahead != NULL) ahead->until = memory_new(program->rank_count, sizeof *ahead->until);
    if (ahead == NULL || ahead->until == NULL) {
        free(ahead);
        return status_set(status, STATUS_MEMORY, "out of memory for %u ranks", rank_count);
    }
    ahead->program = program;
    uint64_t bytes = paging_room_bytes(program->paging) / STRETCHES / rank_count;
    if (bytes > STRETCH_MAX_BYTES) bytes = STRETCH_MAX_BYTES;
    ahead->stretch = bytes / operation_bytes(program);
    for (uint32_t rank = 0; bytes < STRETCH_MIN_BYTES && rank < program->rank_count; rank++)
        ahead->until[rank] = UINT64_MAX; /* too many ranks for so little memory */
    paging_advise_random(program->paging, true);
    *made = ahead;
    return STATUS_OK;
}

void program_read_ahead_free(struct program_read_ahead *ahead) {
    if (ahead == NULL) return;
    paging_advise_random(ahead->program->paging, false);
    free(ahead->until);
    free(ahead);
}

/* Fetches the wait slots of some of a rank's operations, as if all had equally many. */
static void prefetch_wait_slots(const struct program *program,
                                const struct program_rank *rank_entry, uint64_t from,
                                uint64_t count) {
    const uint64_t first =
        (from - rank_entry->first) * rank_entry->wait_slot_count / rank_entry->count;
    const uint64_t slots = count * rank_entry->wait_slot_count / rank_entry->count;
    if (slots > 0)
        paging_prefetch(&program->wait_slots[rank_entry->first_wait_slot + first],
                        slots * sizeof *program->wait_slots);
}

static void prefetch_operations(const struct program *program, uint32_t rank, uint64_t from,
                                uint64_t count) {
    const struct program_packed *packed = program->packed;
    prefetch_wait_slots(program, &program->ranks[rank], from, count);
    if (packed == NULL) {
        paging_prefetch(&program->operations[from], count * sizeof *program->operations);
        return;
    }
    const uint64_t place = program_word_place(packed, rank, from);
    const uint64_t block = program_block_of(packed, rank, place);
    const uint64_t blocks = program_block_of(packed, rank, place + count - 1) - block + 1;
    paging_prefetch(&packed->upper[place], count * sizeof *packed->upper);
    paging_prefetch(&packed->blocks[block], blocks * sizeof *packed->blocks);
}

void program_read_ahead_fetch(struct program_read_ahead *ahead, uint32_t rank, uint64_t index) {
    const struct program_rank *rank_entry = &ahead->program->ranks[rank];
    const uint64_t end = rank_entry->first + rank_entry->count;
    uint64_t from = ahead->until[rank] > index ? ahead->until[rank] : index;
    uint64_t until = index + 2 * ahead->stretch;
    if (until > end) until = end;
    if (until > from) prefetch_operations(ahead->program, rank, from, until - from);
    ahead->until[rank] = until < end ? until : UINT64_MAX;
}
