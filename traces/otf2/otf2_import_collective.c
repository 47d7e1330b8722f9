/*
 * Collectives: from the bytes a tracer records to those the call was given. Must not know archives.
 *
 * Score-P records what would travel if every member sent to every other one (N times a block), less
 * the own block with MPI_IN_PLACE, which is not flagged; EZTrace and dumpi2otf2 record the
 * arguments.
 */
#include "traces/otf2/otf2_import.h"

/* The part of a size that is not explained by elements of up to 8 bytes. */
static uint64_t without_small_powers(uint64_t value) {
    for (int i = 0; i < 3 && value % 2 == 0; i++)
        value /= 2;
    return value;
}

/* Recorded is N·n, or (N-1)·n in place: which? Mostly only one of them is whole. Where both are,
 * sizes being multiples of 8 bytes as a rule, a multiple of N-1 comes about by chance once in
 * (N-1) / gcd(N-1, 8) cases, one of N once in N / gcd(N, 8); in place counts if it is the likelier
 * even though it is used four times less. */
static bool is_in_place(uint64_t recorded, uint64_t size) {
    if (size < 2 || recorded % (size - 1) != 0 || recorded == 0) return false;
    if (recorded % size != 0) return true;
    return without_small_powers(size - 1) > 4 * without_small_powers(size);
}

/* A block of which `recorded` holds one per member; it is the block where that cannot be. */
static uint64_t block_of(const import_collective_call *call, uint64_t recorded, unsigned *flags) {
    if (call->is_intercommunicator || !is_in_place(recorded, call->size))
        return call->size == 0 || recorded % call->size != 0 ? recorded : recorded / call->size;
    *flags = PROGRAM_IN_PLACE;
    return recorded / (call->size - 1);
}

/* A root that sent (or received) nothing itself did so in place; the rest is N-1 blocks. */
static uint64_t root_block_of(const import_collective_call *call, uint64_t own, uint64_t all,
                              unsigned *flags) {
    if (call->is_intercommunicator) return all / (call->size > 0 ? call->size : 1);
    if (own > 0 || all == 0 || call->size < 2) return own;
    *flags = PROGRAM_IN_PLACE;
    return all / (call->size - 1);
}

/* Inclusive scan: (N-me)·n sent, (me+1)·n received, and one block less each in place. */
static uint64_t scan_block_of(const import_collective_call *call, unsigned *flags) {
    uint64_t after = call->size - call->me; /* this member and those after it */
    if (call->received % (call->me + 1) == 0 &&
        call->received / (call->me + 1) == call->sent / after)
        return call->received / (call->me + 1);
    *flags = PROGRAM_IN_PLACE;
    return call->me > 0 ? call->received / call->me : call->sent / (after > 1 ? after - 1 : 1);
}

static uint64_t exscan_block_of(const import_collective_call *call) {
    if (call->me > 0) return call->received / call->me;
    return call->size > 1 ? call->sent / (call->size - 1) : 0;
}

static uint64_t larger(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

/* Kinds whose send_bytes and receive_bytes are one and the same size. */
static uint64_t single_size(const import_collective_call *call, unsigned *flags) {
    switch (call->kind) {
    case PROGRAM_BCAST: /* the root of an intercommunicator receives nothing */
        if (call->is_intercommunicator && call->is_root) return call->sent / call->size;
        return call->is_root && call->received == 0 ? call->sent : call->received;
    case PROGRAM_REDUCE:
    case PROGRAM_GATHER:
        return call->is_root ? root_block_of(call, call->sent, call->received, flags) : call->sent;
    case PROGRAM_SCATTER:
        return call->is_root ? root_block_of(call, call->received, call->sent, flags)
                             : call->received;
    case PROGRAM_ALLREDUCE:
    case PROGRAM_ALLGATHER:
    case PROGRAM_ALLTOALL:
    case PROGRAM_REDUCE_SCATTER_BLOCK:
        return block_of(call, larger(call->sent, call->received), flags);
    case PROGRAM_SCAN:
        return scan_block_of(call, flags);
    case PROGRAM_EXSCAN:
        return exscan_block_of(call);
    default:
        return 0;
    }
}

unsigned import_collective_sizes(const import_collective_call *call, uint64_t *send_bytes,
                                 uint64_t *receive_bytes) {
    unsigned flags = 0;
    *send_bytes = call->sent;
    *receive_bytes = call->received;
    bool own_block_missing = call->is_root && !call->is_intercommunicator && !call->is_arguments;
    switch (call->kind) {
    case PROGRAM_GATHERV:
        if (own_block_missing && call->sent == 0 && call->received > 0) flags = PROGRAM_IN_PLACE;
        return flags;
    case PROGRAM_SCATTERV:
        if (own_block_missing && call->received == 0 && call->sent > 0) flags = PROGRAM_IN_PLACE;
        return flags;
    case PROGRAM_ALLTOALLV:
    case PROGRAM_ALLTOALLW:
        return 0;
    case PROGRAM_ALLGATHER:
    case PROGRAM_ALLTOALL:
        if (!call->is_intercommunicator || call->is_arguments) break;
        *send_bytes = block_of(call, call->sent, &flags); /* the groups' blocks may differ */
        *receive_bytes = block_of(call, call->received, &flags);
        return 0;
    case PROGRAM_ALLGATHERV:
        if (call->is_arguments) return 0;
        *send_bytes = block_of(call, call->sent, &flags);
        if (flags == PROGRAM_IN_PLACE && *receive_bytes < PROGRAM_BYTES_LIMIT) /* else refused */
            *receive_bytes += *send_bytes;
        return flags;
    case PROGRAM_REDUCE_SCATTER: /* as an argument the own block is missing: an equal share then */
        *receive_bytes = call->received / (call->size > 0 ? call->size : 1);
        return 0;
    default:
        break;
    }
    *send_bytes =
        call->is_arguments ? larger(call->sent, call->received) : single_size(call, &flags);
    *receive_bytes = *send_bytes;
    return flags;
}
