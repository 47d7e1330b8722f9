/*
 * The bytes of the blocks of collectives, where the blocks begin in the data, and how many messages
 * of an alltoall a rank has under way at a time.
 */
#include "replay/collectives/collectives.h"

#include "core/base/wide.h"
#include "replay/collectives/collective_libraries.h"

/* The largest number of segments. Longer vectors have larger segments. */
#define SEGMENTS_MAX (UINT32_C(1) << 20)

static uint64_t segment_bytes(const struct collective_choice *choice, uint64_t vector_bytes) {
    uint64_t min = vector_bytes / SEGMENTS_MAX + (vector_bytes % SEGMENTS_MAX != 0);
    uint64_t wanted = choice->segment_bytes > 0 ? (uint64_t)choice->segment_bytes : vector_bytes;
    return wanted > min ? wanted : min;
}

uint32_t collective_segments(const struct collective_call *call) {
    uint64_t bytes = collective_vector_bytes(call), segment = segment_bytes(call->choice, bytes);
    if (bytes <= segment) return 1;
    return (uint32_t)(bytes / segment + (bytes % segment != 0));
}

static uint64_t segment_start(const struct collective_call *call,
                              const struct collective_step *step, uint64_t segment) {
    uint64_t start = segment * segment_bytes(call->choice, step->vector_bytes);
    return start < step->vector_bytes ? start : step->vector_bytes;
}

/* Returns the bytes before a slice of a vector. A vector whose elements are known is cut as evenly
 * as whole elements allow, and the first slices are the longer ones. Others are cut as evenly as
 * whole bytes allow. */
static uint64_t slice_start(const struct collective_call *call, const struct collective_step *step,
                            uint32_t slice) {
    uint64_t element = call->element_bytes;
    if (element > 0 && program_is_reduction(call->kind) && step->vector_bytes % element == 0) {
        uint64_t elements = step->vector_bytes / element, longer = elements % step->slice_count;
        return (elements / step->slice_count * slice + (slice < longer ? slice : longer)) * element;
    }
    return (uint64_t)((wide)step->vector_bytes * slice / step->slice_count);
}

static uint64_t slices_bytes(const struct collective_call *call, const struct collective_step *step,
                             struct collective_blocks blocks) {
    uint32_t end = blocks.first + blocks.count;
    uint32_t over = end > step->slice_count ? end - step->slice_count : 0;
    return slice_start(call, step, end - over) - slice_start(call, step, blocks.first) +
           slice_start(call, step, over);
}

/* Returns the bytes of blocks of one size. The two groups of an intercommunicator may have
 * different sizes: in an allgather a block has its owner's size, in an alltoall its sender's. */
static uint64_t even_blocks_bytes(const struct collective_call *call,
                                  struct collective_blocks blocks, uint32_t from) {
    bool own = (blocks.first < call->size) == (call->own_member < call->size);
    if (call->kind == PROGRAM_COLLECTIVE_ALLTOALL) own = from == call->own_member;
    if (call->kind == PROGRAM_COLLECTIVE_ALLTOALL || call->kind == PROGRAM_COLLECTIVE_ALLGATHER)
        return blocks.count * (own ? call->send_bytes : call->receive_bytes);
    return blocks.count * collective_vector_bytes(call);
}

static uint64_t sized_blocks_bytes(const struct collective_call *call,
                                   struct collective_blocks blocks) {
    uint32_t members = call->size + call->remote_size, end = blocks.first + blocks.count;
    uint32_t over = end > members ? end - members : 0;
    return call->sums[end - over] - call->sums[blocks.first] + call->sums[over] - call->sums[0];
}

static uint64_t pair_bytes(const struct collective_call *call, uint32_t from, uint32_t to) {
    if (call->pair_rows != NULL) {
        bool to_second = call->remote_size > 0 && to >= call->size;
        return call->pair_bytes[call->pair_rows[from] + to - (to_second ? call->size : 0)];
    }
    if (call->remote_size == 0) return collective_pairs_bytes(call->pairs, from, to);
    if (from < call->size) return collective_pairs_bytes(&call->pairs[0], from, to - call->size);
    return collective_pairs_bytes(&call->pairs[1], from - call->size, to);
}

uint64_t collective_bytes(const struct collective_call *call, const struct collective_step *step,
                          struct collective_blocks blocks, uint32_t from, uint32_t to) {
    if (blocks.count == 0) return 0;
    switch (step->layout) {
    case COLLECTIVE_EMPTY:
        return 0;
    case COLLECTIVE_VECTOR:
        return step->vector_bytes;
    case COLLECTIVE_SLICES:
        return slices_bytes(call, step, blocks);
    case COLLECTIVE_SEGMENTS:
        return segment_start(call, step, blocks.first + UINT64_C(1)) -
               segment_start(call, step, blocks.first);
    case COLLECTIVE_BLOCKS:
        return even_blocks_bytes(call, blocks, from);
    case COLLECTIVE_SIZED:
        return sized_blocks_bytes(call, blocks);
    case COLLECTIVE_PAIRED:
        return pair_bytes(call, from, to);
    }
    return 0;
}

/* Returns the start of a block as a number of own blocks. In a REDUCE_SCATTER_BLOCK each group
 * deals with its own blocks, and the blocks of both groups have the same total size. */
static uint64_t even_blocks_start(const struct collective_call *call, uint32_t block) {
    bool second = call->remote_size > 0 && block >= call->size;
    if (call->kind != PROGRAM_COLLECTIVE_REDUCE_SCATTER_BLOCK || !second) return block;
    return (uint64_t)call->remote_size + block - call->size;
}

uint64_t collective_offset(const struct collective_call *call, const struct collective_step *step,
                           struct collective_blocks blocks) {
    switch (step->layout) {
    case COLLECTIVE_VECTOR:
        return step->vector_start;
    case COLLECTIVE_SLICES:
        return step->vector_start + slice_start(call, step, blocks.first);
    case COLLECTIVE_SEGMENTS:
        return step->vector_start + segment_start(call, step, blocks.first);
    case COLLECTIVE_BLOCKS:
        return even_blocks_start(call, blocks.first) * collective_vector_bytes(call);
    case COLLECTIVE_SIZED:
        return call->sums[blocks.first] - call->sums[0];
    case COLLECTIVE_EMPTY:
    case COLLECTIVE_PAIRED:
        return 0;
    }
    return 0;
}

uint32_t collective_throttle(const struct collective_call *call) {
#define LIBRARY_THROTTLE(name, choice, throttle, reads_nodes) throttle,
    static const uint32_t throttles[] = {LIBRARIES(LIBRARY_THROTTLE)};
    int64_t chosen = call->choice->throttle;
    if (chosen < 1) return throttles[call->choice->library];
    return chosen < UINT32_MAX ? (uint32_t)chosen : UINT32_MAX;
}
