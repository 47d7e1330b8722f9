/*
 * Collectives: blocking, non-blocking and persistent. Built a second time with large counts
 * (record_collectives_large.c) where the library has them. Sizes are those of
 * program_collective_arguments in traces/program/program.h.
 *
 * P_NAME are the parameters of a collective, A_NAME its arguments, and D_NAME describes it.
 */
#include "record_counts.h"
#include "recorder.h"

#include <stdlib.h>
#include <string.h>

#ifndef RECORD_LARGE
void record_collective(const struct record_collective *collective, uint32_t slot) {
    const struct record_communicator *communicator = record_communicator(collective->communicator);
    if (!record_is_inside(communicator)) {
        record_outside(communicator);
        return;
    }
    const int root = collective->root;
    const uint64_t place = root == RECORD_NO_ROOT  ? (uint64_t)RECORDING_ROOT_NONE
                           : root == MPI_ROOT      ? (uint64_t)RECORDING_ROOT_SELF
                           : root == MPI_PROC_NULL ? (uint64_t)RECORDING_ROOT_GROUP
                                                   : RECORDING_ROOT_FIRST + (uint64_t)root;
    const uint64_t words[] = {RECORDING_COLLECTIVE,
                              collective->kind,
                              communicator->communicator_number,
                              place,
                              collective->sent,
                              collective->received,
                              collective->element,
                              collective->is_in_place ? RECORDING_IN_PLACE : 0,
                              slot};
    uint64_t *to = record_words(sizeof words / sizeof *words);
    if (to != NULL) memcpy(to, words, sizeof words);
    if (collective->sizes == NULL) return;
    record_item(RECORDING_SIZES);
    record_word((uint64_t)collective->size_count);
    to = record_words((size_t)collective->size_count);
    if (to != NULL)
        memcpy(to, collective->sizes, (size_t)collective->size_count * sizeof *collective->sizes);
}

struct record_request *record_add_collective(MPI_Request handle, MPI_Comm communicator) {
    const bool is_inside = record_is_inside(record_communicator(communicator));
    return record_request_add(handle, is_inside ? RECORD_IS_COLLECTIVE : RECORD_NOTHING,
                              communicator);
}

void record_begin_collective(MPI_Request handle, const struct record_collective *collective) {
    const struct record_request *request = record_add_collective(handle, collective->communicator);
    if (request != NULL) record_collective(collective, request->slot);
}

void record_keep_words(struct record_request *request, size_t first) {
    const size_t count = record_word_count() - first;
    request->is_persistent = true;
    request->is_active = false;
    request->words = malloc((count + 1) * sizeof *request->words);
    if (request->words == NULL) return;
    memcpy(request->words, record_words(0) - count, count * sizeof *request->words);
    request->word_count = count;
    record_drop_words(first);
}

void record_keep_collective(MPI_Request handle, const struct record_collective *collective) {
    struct record_request *request = record_add_collective(handle, collective->communicator);
    if (request == NULL) return;
    const size_t first = record_word_count();
    record_collective(collective, request->slot);
    record_keep_words(request, first);
}
#endif

/* Returns whether this rank takes part in a call with a root. If not, its types have no meaning,
 * and the MPI library must not be asked about them. */
static bool takes_part(int root) {
    return root != MPI_PROC_NULL;
}

static struct record_collective describe_collective(recording_collective kind,
                                                    MPI_Comm communicator, int root, uint64_t bytes,
                                                    MPI_Datatype type) {
    return (struct record_collective){.kind = kind,
                                      .communicator = communicator,
                                      .root = root,
                                      .sent = bytes,
                                      .received = bytes,
                                      .element = takes_part(root) ? record_type_bytes(type) : 0};
}

static bool is_inter(MPI_Comm handle) {
    const struct record_communicator *communicator = record_communicator(handle);
    return communicator != NULL && communicator->remote_size > 0;
}

static int rank_in(MPI_Comm handle) {
    const struct record_communicator *communicator = record_communicator(handle);
    return communicator != NULL ? communicator->rank : 0;
}

/* Returns whether the calling rank is the root, which of an intercommunicator is MPI_ROOT. */
static bool is_root(MPI_Comm communicator, int root) {
    return is_inter(communicator) ? root == MPI_ROOT : root == rank_in(communicator);
}

/* The type has no meaning where there are no members: on an unknown communicator. */
static uint64_t sum(const COUNT *counts, int members, MPI_Datatype type) {
    uint64_t total = 0;
    for (int i = 0; i < members; i++)
        total += (uint64_t)counts[i];
    return total == 0 ? 0 : total * record_type_bytes(type);
}

/* Returns the bytes of a call with a root; 0 on a rank whose count and type have no meaning. */
static uint64_t rooted(COUNT count, MPI_Datatype type, int root) {
    return takes_part(root) ? record_bytes(count, type) : 0;
}

static struct record_collective gather(const void *sent, COUNT count, MPI_Datatype type,
                                       COUNT receive_count, MPI_Datatype receive_type, int root,
                                       MPI_Comm communicator) {
    const bool in_place = sent == MPI_IN_PLACE, all = in_place || root == MPI_ROOT;
    struct record_collective found =
        all ? describe_collective(RECORDING_GATHER, communicator, root,
                                  record_bytes(receive_count, receive_type), receive_type)
            : describe_collective(RECORDING_GATHER, communicator, root, rooted(count, type, root),
                                  type);
    found.is_in_place = in_place;
    return found;
}

static struct record_collective gatherv(const void *sent, COUNT count, MPI_Datatype type,
                                        const COUNT *counts, MPI_Datatype receive_type, int root,
                                        MPI_Comm communicator) {
    const bool in_place = sent == MPI_IN_PLACE, all = in_place || root == MPI_ROOT;
    struct record_collective found =
        describe_collective(RECORDING_GATHERV, communicator, root, 0, all ? receive_type : type);
    found.is_in_place = in_place;
    if (is_root(communicator, root))
        found.received = sum(counts, record_member_count(communicator), receive_type);
    if (found.is_in_place)
        found.sent = record_bytes(counts[rank_in(communicator)], receive_type);
    else if (root >= 0)
        found.sent = record_bytes(count, type);
    return found;
}

static struct record_collective scatter(COUNT send_count, MPI_Datatype send_type,
                                        const void *received, COUNT count, MPI_Datatype type,
                                        int root, MPI_Comm communicator) {
    const bool in_place = received == MPI_IN_PLACE, all = in_place || root == MPI_ROOT;
    struct record_collective found =
        all ? describe_collective(RECORDING_SCATTER, communicator, root,
                                  record_bytes(send_count, send_type), send_type)
            : describe_collective(RECORDING_SCATTER, communicator, root, rooted(count, type, root),
                                  type);
    found.is_in_place = in_place;
    return found;
}

static struct record_collective scatterv(const COUNT *counts, MPI_Datatype send_type,
                                         const void *received, COUNT count, MPI_Datatype type,
                                         int root, MPI_Comm communicator) {
    const bool in_place = received == MPI_IN_PLACE, all = in_place || root == MPI_ROOT;
    struct record_collective found =
        describe_collective(RECORDING_SCATTERV, communicator, root, 0, all ? send_type : type);
    found.is_in_place = in_place;
    if (is_root(communicator, root))
        found.sent = sum(counts, record_member_count(communicator), send_type);
    if (found.is_in_place)
        found.received = record_bytes(counts[rank_in(communicator)], send_type);
    else if (root >= 0)
        found.received = record_bytes(count, type);
    return found;
}

/* Describes MPI_Allgather and MPI_Alltoall. */
static struct record_collective blocks(recording_collective kind, const void *sent, COUNT count,
                                       MPI_Datatype type, COUNT receive_count,
                                       MPI_Datatype receive_type, MPI_Comm communicator) {
    const bool in_place = sent == MPI_IN_PLACE;
    struct record_collective found =
        describe_collective(kind, communicator, RECORD_NO_ROOT,
                            record_bytes(receive_count, receive_type), receive_type);
    found.is_in_place = in_place;
    if (!in_place) found.sent = record_bytes(count, type);
    if (!is_inter(communicator)) found.received = found.sent;
    return found;
}

static struct record_collective allgatherv(const void *sent, COUNT count, MPI_Datatype type,
                                           const COUNT *counts, MPI_Datatype receive_type,
                                           MPI_Comm communicator) {
    struct record_collective found = describe_collective(
        RECORDING_ALLGATHERV, communicator, RECORD_NO_ROOT,
        sum(counts, record_member_count(communicator), receive_type), receive_type);
    found.is_in_place = sent == MPI_IN_PLACE;
    found.sent = found.is_in_place ? record_bytes(counts[rank_in(communicator)], receive_type)
                                   : record_bytes(count, type);
    return found;
}

/* Returns memory for the bytes to each member. The caller holds the lock. */
static uint64_t *sizes_of(int members) {
    static uint64_t *sizes;
    static int capacity;
    if (members > capacity) {
        uint64_t *larger = realloc(sizes, (size_t)members * sizeof *larger);
        if (larger == NULL) return NULL;
        sizes = larger;
        capacity = members;
    }
    return sizes;
}

static struct record_collective alltoallv(const void *sent, const COUNT *send_counts,
                                          MPI_Datatype send_type, const COUNT *counts,
                                          MPI_Datatype type, MPI_Comm communicator) {
    const int members = record_member_count(communicator);
    const bool in_place = sent == MPI_IN_PLACE;
    struct record_collective found = describe_collective(
        RECORDING_ALLTOALLV, communicator, RECORD_NO_ROOT, sum(counts, members, type), type);
    if (in_place) {
        send_counts = counts;
        send_type = type;
    }
    uint64_t *sizes = sizes_of(members);
    const uint64_t element = record_type_bytes(send_type);
    found.is_in_place = in_place;
    found.sent = sum(send_counts, members, send_type);
    for (int i = 0; sizes != NULL && i < members; i++)
        sizes[i] = (uint64_t)send_counts[i] * element;
    found.sizes = sizes;
    found.size_count = members;
    return found;
}

static struct record_collective alltoallw(const void *sent, const COUNT *send_counts,
                                          const MPI_Datatype *send_types, const COUNT *counts,
                                          const MPI_Datatype *types, MPI_Comm communicator) {
    const int members = record_member_count(communicator);
    struct record_collective found =
        describe_collective(RECORDING_ALLTOALLW, communicator, RECORD_NO_ROOT, 0, MPI_BYTE);
    found.is_in_place = sent == MPI_IN_PLACE;
    if (found.is_in_place) {
        send_counts = counts;
        send_types = types;
    }
    uint64_t *sizes = sizes_of(members);
    for (int i = 0; i < members; i++) {
        const uint64_t bytes = record_bytes(send_counts[i], send_types[i]);
        found.sent += bytes;
        found.received += record_bytes(counts[i], types[i]);
        if (sizes != NULL) sizes[i] = bytes;
    }
    found.sizes = sizes;
    found.size_count = members;
    return found;
}

static struct record_collective reduce_scatter(const void *sent, const COUNT *counts,
                                               MPI_Datatype type, MPI_Comm communicator) {
    const struct record_communicator *found_one = record_communicator(communicator);
    struct record_collective found =
        describe_collective(RECORDING_REDUCE_SCATTER, communicator, RECORD_NO_ROOT,
                            record_bytes(counts[rank_in(communicator)], type), type);
    found.sent = found_one == NULL ? 0 : sum(counts, found_one->size, type);
    found.is_in_place = sent == MPI_IN_PLACE;
    return found;
}

/* Describes reductions and scans, whose vectors have one size. */
static struct record_collective vector(recording_collective kind, const void *sent, COUNT count,
                                       MPI_Datatype type, int root, MPI_Comm communicator) {
    struct record_collective found =
        describe_collective(kind, communicator, root, rooted(count, type, root), type);
    found.is_in_place = sent == MPI_IN_PLACE;
    return found;
}

#define COLLECTIVE_CALLS(upper, name, lower)                                                       \
    PUBLIC int C(name)(P_##upper) {                                                                \
        CALL;                                                                                      \
        const int code = REAL_C(name)(A_##upper);                                                  \
        PASS(code);                                                                                \
        START(name);                                                                               \
        const struct record_collective found = D_##upper;                                          \
        record_collective(&found, 0);                                                              \
        END;                                                                                       \
        return code;                                                                               \
    }                                                                                              \
    ALSO(name)                                                                                     \
    PUBLIC int C(I##lower)(P_##upper, MPI_Request * request) {                                     \
        CALL;                                                                                      \
        const int code = REAL_C(I##lower)(A_##upper, request);                                     \
        PASS(code);                                                                                \
        START(I##lower);                                                                           \
        const struct record_collective found = D_##upper;                                          \
        record_begin_collective(*request, &found);                                                 \
        END;                                                                                       \
        return code;                                                                               \
    }                                                                                              \
    ALSO(I##lower)                                                                                 \
    PERSISTENT_CALL(upper, name)

#ifdef PERSISTENT_COLLECTIVES
#define PERSISTENT_CALL(upper, name)                                                               \
    PUBLIC int INIT(name)(P_##upper, MPI_Info info, MPI_Request * request) {                       \
        CALL;                                                                                      \
        const int code = REAL_INIT(name)(A_##upper, info, request);                                \
        PASS(code);                                                                                \
        START(name##_init);                                                                        \
        const struct record_collective found = D_##upper;                                          \
        record_keep_collective(*request, &found);                                                  \
        END;                                                                                       \
        return code;                                                                               \
    }                                                                                              \
    ALSO_INIT(name)
#else
#define PERSISTENT_CALL(upper, name)
#endif

#define SENT     const void *sent, COUNT count, MPI_Datatype type
#define RECEIVED void *received, COUNT receive_count, MPI_Datatype receive_type
#define COUNTED(name, which)                                                                       \
    name, const COUNT which##counts[], const DISPLACEMENT which##places[], MPI_Datatype which##type
#define REDUCED const void *sent, void *received, COUNT count, MPI_Datatype type, MPI_Op operation

#ifndef RECORD_LARGE
#define P_BARRIER MPI_Comm communicator
#define A_BARRIER communicator
#define D_BARRIER describe_collective(RECORDING_BARRIER, communicator, RECORD_NO_ROOT, 0, MPI_BYTE)
COLLECTIVE_CALLS(BARRIER, Barrier, barrier)
#endif

#define P_BCAST void *buffer, COUNT count, MPI_Datatype type, int root, MPI_Comm communicator
#define A_BCAST buffer, count, type, root, communicator
#define D_BCAST vector(RECORDING_BCAST, NULL, count, type, root, communicator)
COLLECTIVE_CALLS(BCAST, Bcast, bcast)

#define P_GATHER SENT, RECEIVED, int root, MPI_Comm communicator
#define A_GATHER sent, count, type, received, receive_count, receive_type, root, communicator
#define D_GATHER gather(sent, count, type, receive_count, receive_type, root, communicator)
COLLECTIVE_CALLS(GATHER, Gather, gather)

#define P_GATHERV SENT, COUNTED(void *received, r_), int root, MPI_Comm communicator
#define A_GATHERV sent, count, type, received, r_counts, r_places, r_type, root, communicator
#define D_GATHERV gatherv(sent, count, type, r_counts, r_type, root, communicator)
COLLECTIVE_CALLS(GATHERV, Gatherv, gatherv)

#define P_SCATTER SENT, RECEIVED, int root, MPI_Comm communicator
#define A_SCATTER sent, count, type, received, receive_count, receive_type, root, communicator
#define D_SCATTER scatter(count, type, received, receive_count, receive_type, root, communicator)
COLLECTIVE_CALLS(SCATTER, Scatter, scatter)

#define P_SCATTERV COUNTED(const void *sent, s_), RECEIVED, int root, MPI_Comm communicator
#define A_SCATTERV                                                                                 \
    sent, s_counts, s_places, s_type, received, receive_count, receive_type, root, communicator
#define D_SCATTERV                                                                                 \
    scatterv(s_counts, s_type, received, receive_count, receive_type, root, communicator)
COLLECTIVE_CALLS(SCATTERV, Scatterv, scatterv)

#define P_ALLGATHER SENT, RECEIVED, MPI_Comm communicator
#define A_ALLGATHER sent, count, type, received, receive_count, receive_type, communicator
#define D_ALLGATHER                                                                                \
    blocks(RECORDING_ALLGATHER, sent, count, type, receive_count, receive_type, communicator)
COLLECTIVE_CALLS(ALLGATHER, Allgather, allgather)

#define P_ALLGATHERV SENT, COUNTED(void *received, r_), MPI_Comm communicator
#define A_ALLGATHERV sent, count, type, received, r_counts, r_places, r_type, communicator
#define D_ALLGATHERV allgatherv(sent, count, type, r_counts, r_type, communicator)
COLLECTIVE_CALLS(ALLGATHERV, Allgatherv, allgatherv)

#define P_ALLTOALL P_ALLGATHER
#define A_ALLTOALL A_ALLGATHER
#define D_ALLTOALL                                                                                 \
    blocks(RECORDING_ALLTOALL, sent, count, type, receive_count, receive_type, communicator)
COLLECTIVE_CALLS(ALLTOALL, Alltoall, alltoall)

#define P_ALLTOALLV                                                                                \
    COUNTED(const void *sent, s_), COUNTED(void *received, r_), MPI_Comm communicator
#define A_ALLTOALLV                                                                                \
    sent, s_counts, s_places, s_type, received, r_counts, r_places, r_type, communicator
#define D_ALLTOALLV alltoallv(sent, s_counts, s_type, r_counts, r_type, communicator)
COLLECTIVE_CALLS(ALLTOALLV, Alltoallv, alltoallv)

#define P_ALLTOALLW                                                                                \
    const void *sent, const COUNT s_counts[], const DISPLACEMENT s_places[],                       \
        const MPI_Datatype s_types[], void *received, const COUNT r_counts[],                      \
        const DISPLACEMENT r_places[], const MPI_Datatype r_types[], MPI_Comm communicator
#define A_ALLTOALLW                                                                                \
    sent, s_counts, s_places, s_types, received, r_counts, r_places, r_types, communicator
#define D_ALLTOALLW alltoallw(sent, s_counts, s_types, r_counts, r_types, communicator)
COLLECTIVE_CALLS(ALLTOALLW, Alltoallw, alltoallw)

#define P_ALLREDUCE REDUCED, MPI_Comm communicator
#define A_ALLREDUCE sent, received, count, type, operation, communicator
#define D_ALLREDUCE vector(RECORDING_ALLREDUCE, sent, count, type, RECORD_NO_ROOT, communicator)
COLLECTIVE_CALLS(ALLREDUCE, Allreduce, allreduce)

#define P_REDUCE REDUCED, int root, MPI_Comm communicator
#define A_REDUCE sent, received, count, type, operation, root, communicator
#define D_REDUCE vector(RECORDING_REDUCE, sent, count, type, root, communicator)
COLLECTIVE_CALLS(REDUCE, Reduce, reduce)

#define P_REDUCE_SCATTER                                                                           \
    const void *sent, void *received, const COUNT counts[], MPI_Datatype type, MPI_Op operation,   \
        MPI_Comm communicator
#define A_REDUCE_SCATTER sent, received, counts, type, operation, communicator
#define D_REDUCE_SCATTER reduce_scatter(sent, counts, type, communicator)
COLLECTIVE_CALLS(REDUCE_SCATTER, Reduce_scatter, reduce_scatter)

#define P_REDUCE_SCATTER_BLOCK P_ALLREDUCE
#define A_REDUCE_SCATTER_BLOCK A_ALLREDUCE
#define D_REDUCE_SCATTER_BLOCK                                                                     \
    vector(RECORDING_REDUCE_SCATTER_BLOCK, sent, count, type, RECORD_NO_ROOT, communicator)
COLLECTIVE_CALLS(REDUCE_SCATTER_BLOCK, Reduce_scatter_block, reduce_scatter_block)

#define P_SCAN P_ALLREDUCE
#define A_SCAN A_ALLREDUCE
#define D_SCAN vector(RECORDING_SCAN, sent, count, type, RECORD_NO_ROOT, communicator)
COLLECTIVE_CALLS(SCAN, Scan, scan)

#define P_EXSCAN P_ALLREDUCE
#define A_EXSCAN A_ALLREDUCE
#define D_EXSCAN vector(RECORDING_EXSCAN, sent, count, type, RECORD_NO_ROOT, communicator)
COLLECTIVE_CALLS(EXSCAN, Exscan, exscan)
