/*
 * Collectives: turns the bytes that a tracer records into the sizes of the call. Must not know
 * archives.
 *
 * Score-P records the bytes that would travel if every member sent to every other one (N times a
 * block). With MPI_IN_PLACE it leaves out the member's own block and sets no flag. EZTrace and
 * dumpi2otf2 record the arguments.
 */
#include "traces/otf2/otf2_import_collective.h"

/* Returns true if the recorded bytes must be (N-1)·n, in place, and not N·n. */
static bool is_in_place(const struct import_collective_call *call, uint64_t recorded) {
    if (call->in_place != OTF2_IN_PLACE_UNKNOWN) return call->in_place == OTF2_IN_PLACE_YES;
    return call->size > 1 && recorded % call->size != 0 && recorded % (call->size - 1) == 0;
}

/* Returns the block of which `recorded` holds one per member. If the division leaves a rest,
 * returns `recorded` itself. */
static uint64_t block_of(const struct import_collective_call *call, uint64_t recorded,
                         unsigned *flags) {
    uint32_t blocks = call->size;
    if (!call->is_intercommunicator && is_in_place(call, recorded)) {
        *flags = OPERATION_FLAG_COLLECTIVE_IN_PLACE;
        blocks--;
    }
    return blocks == 0 || recorded % blocks != 0 ? recorded : recorded / blocks;
}

/* Returns the block of a root. A root that sent (or received) nothing itself was in place; then all
 * bytes are N-1 blocks. */
static uint64_t root_block_of(const struct import_collective_call *call, uint64_t own, uint64_t all,
                              unsigned *flags) {
    if (call->is_intercommunicator) return all / (call->size > 0 ? call->size : 1);
    if (own > 0 || all == 0 || call->size < 2) return own;
    *flags = OPERATION_FLAG_COLLECTIVE_IN_PLACE;
    return all / (call->size - 1);
}

static uint64_t larger(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

/* Sets *block to the block that fits `before` blocks received and `after` blocks sent. Returns
 * false if no block fits both. */
static bool is_scan_of(const struct import_collective_call *call, uint64_t before, uint64_t after,
                       uint64_t *block) {
    *block = before > 0 ? call->received / before : after > 0 ? call->sent / after : 0;
    return *block * before == call->received && *block * after == call->sent;
}

/* Returns the block of an inclusive scan: (N-me)·n bytes sent and (me+1)·n received, each one block
 * less in place. Both readings fit the middle member of an odd number. If neither fits, the larger
 * recorded size is the block. */
static uint64_t scan_block_of(const struct import_collective_call *call, unsigned *flags) {
    uint64_t after = (uint64_t)call->size - call->me, block = 0;
    if (call->in_place != OTF2_IN_PLACE_YES &&
        is_scan_of(call, (uint64_t)call->me + 1, after, &block))
        return block;
    if (!is_scan_of(call, call->me, after - 1, &block)) return larger(call->sent, call->received);
    *flags = OPERATION_FLAG_COLLECTIVE_IN_PLACE;
    return block;
}

static uint64_t exscan_block_of(const struct import_collective_call *call) {
    uint64_t block = 0;
    bool fits = is_scan_of(call, call->me, (uint64_t)call->size - call->me - 1, &block);
    return fits ? block : larger(call->sent, call->received);
}

/* Returns the size of kinds whose send_bytes and receive_bytes are equal. */
static uint64_t single_size(const struct import_collective_call *call, unsigned *flags) {
    switch (call->kind) {
    case PROGRAM_COLLECTIVE_BCAST: /* the root of an intercommunicator receives nothing */
        if (call->is_intercommunicator && call->is_root) return call->sent / call->size;
        return call->is_root && call->received == 0 ? call->sent : call->received;
    case PROGRAM_COLLECTIVE_REDUCE:
    case PROGRAM_COLLECTIVE_GATHER:
        return call->is_root ? root_block_of(call, call->sent, call->received, flags) : call->sent;
    case PROGRAM_COLLECTIVE_SCATTER:
        return call->is_root ? root_block_of(call, call->received, call->sent, flags)
                             : call->received;
    case PROGRAM_COLLECTIVE_ALLREDUCE:
    case PROGRAM_COLLECTIVE_ALLGATHER:
    case PROGRAM_COLLECTIVE_ALLTOALL:
    case PROGRAM_COLLECTIVE_REDUCE_SCATTER_BLOCK:
        return block_of(call, larger(call->sent, call->received), flags);
    case PROGRAM_COLLECTIVE_SCAN:
        return scan_block_of(call, flags);
    case PROGRAM_COLLECTIVE_EXSCAN:
        return exscan_block_of(call);
    default:
        return 0;
    }
}

unsigned import_collective_sizes(const struct import_collective_call *call, uint64_t *send_bytes,
                                 uint64_t *receive_bytes) {
    unsigned flags = 0;
    *send_bytes = call->sent;
    *receive_bytes = call->received;
    bool own_block_missing = call->is_root && !call->is_intercommunicator && !call->is_arguments;
    switch (call->kind) {
    case PROGRAM_COLLECTIVE_GATHERV:
        if (own_block_missing && call->sent == 0 && call->received > 0)
            flags = OPERATION_FLAG_COLLECTIVE_IN_PLACE;
        return flags;
    case PROGRAM_COLLECTIVE_SCATTERV:
        if (own_block_missing && call->received == 0 && call->sent > 0)
            flags = OPERATION_FLAG_COLLECTIVE_IN_PLACE;
        return flags;
    case PROGRAM_COLLECTIVE_ALLTOALLV:
    case PROGRAM_COLLECTIVE_ALLTOALLW:
        return 0;
    case PROGRAM_COLLECTIVE_ALLGATHER:
    case PROGRAM_COLLECTIVE_ALLTOALL:
        if (!call->is_intercommunicator || call->is_arguments) break;
        *send_bytes = block_of(call, call->sent, &flags); /* the groups' blocks may differ */
        *receive_bytes = block_of(call, call->received, &flags);
        return 0;
    case PROGRAM_COLLECTIVE_ALLGATHERV:
        if (call->is_arguments) return 0;
        *send_bytes = block_of(call, call->sent, &flags);
        if (flags == OPERATION_FLAG_COLLECTIVE_IN_PLACE &&
            *receive_bytes < PROGRAM_BYTES_LIMIT) /* others: refused */
            *receive_bytes += *send_bytes;
        return flags;
    case PROGRAM_COLLECTIVE_REDUCE_SCATTER: /* the recorded argument lacks the own block: take an
                                             * equal share
                                             */
        if (call->is_arguments) {
            *receive_bytes = call->received / (call->size > 0 ? call->size : 1);
            return 0;
        }
        *receive_bytes = block_of(call, call->received, &flags);
        if (flags == OPERATION_FLAG_COLLECTIVE_IN_PLACE &&
            *send_bytes < PROGRAM_BYTES_LIMIT) /* others: refused */
            *send_bytes += *receive_bytes;
        return flags;
    default:
        break;
    }
    *send_bytes =
        call->is_arguments ? larger(call->sent, call->received) : single_size(call, &flags);
    *receive_bytes = *send_bytes;
    return flags;
}
