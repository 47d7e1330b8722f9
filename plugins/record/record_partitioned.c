/* What MPI 4 has in addition: partitioned communication and MPI_Isendrecv. A partitioned message is
 * sent when its last partition is ready, as MPICH does. MPI pairs partitioned requests in the order
 * in which both sides make them, apart from other messages, so a request is recorded when it is
 * made. */
#include "recorder.h"

#ifdef RECORD_HAS_MPI_4

static uint32_t partitioned_count; /* requests so far; the lock of the recorder guards it */

static void add_partitioned(MPI_Request handle, record_kind kind, MPI_Comm communicator, int peer,
                            int tag, uint64_t bytes, int partitions) {
    const struct record_communicator *found = record_communicator(communicator);
    const bool is_nothing = peer == MPI_PROC_NULL || !record_is_inside(found);
    struct record_request *request =
        record_request_add(handle, is_nothing ? RECORD_NOTHING : kind, communicator);
    if (request == NULL) return;
    request->is_persistent = true;
    request->is_active = false;
    request->peer = peer;
    request->tag = tag;
    request->bytes = bytes;
    request->partitions = partitions;
    if (is_nothing) return;
    request->partitioned = partitioned_count++;
    record_item(RECORDING_PARTITIONED);
    record_word(request->partitioned);
    record_word(found->communicator_number);
    record_word((uint64_t)record_world_rank(found, peer));
    record_signed(tag);
    record_word(kind == RECORD_IS_RECEIVE);
}

PUBLIC int MPI_Psend_init(const void *buffer, int partitions, MPI_Count count, MPI_Datatype type,
                          int peer, int tag, MPI_Comm communicator, MPI_Info info,
                          MPI_Request *request) {
    CALL;
    const int code =
        REAL(Psend_init)(buffer, partitions, count, type, peer, tag, communicator, info, request);
    PASS(code);
    START(Psend_init);
    add_partitioned(*request, RECORD_IS_SEND, communicator, peer, tag,
                    record_bytes(partitions * count, type), partitions);
    END;
    return code;
}
ALSO_PMPI(Psend_init)

PUBLIC int MPI_Precv_init(void *buffer, int partitions, MPI_Count count, MPI_Datatype type,
                          int peer, int tag, MPI_Comm communicator, MPI_Info info,
                          MPI_Request *request) {
    CALL;
    const int code =
        REAL(Precv_init)(buffer, partitions, count, type, peer, tag, communicator, info, request);
    PASS(code);
    START(Precv_init);
    add_partitioned(*request, RECORD_IS_RECEIVE, communicator, peer, tag,
                    record_bytes(partitions * count, type), partitions);
    END;
    return code;
}
ALSO_PMPI(Precv_init)

/* Notes that partitions are ready, and records the message with the last of them. */
static void make_ready(const struct record_call *call, recording_call number, MPI_Request handle,
                       int partitions) {
    record_call_begin(call, number);
    struct record_request *request = record_request_find(handle);
    if (request != NULL && request->kind == RECORD_IS_SEND && request->partitions > 0) {
        request->ready += partitions;
        if (request->ready == request->partitions) {
            record_item(RECORDING_PARTITIONED_SEND);
            record_word(request->partitioned);
            record_word(request->bytes);
            record_word(request->slot);
        }
    }
    record_call_end(call);
}

PUBLIC int MPI_Pready(int partition, MPI_Request request) {
    CALL;
    const int code = REAL(Pready)(partition, request);
    PASS(code);
    make_ready(&call_, RECORDING_CALL_Pready, request, 1);
    return code;
}
ALSO_PMPI(Pready)

PUBLIC int MPI_Pready_range(int low, int high, MPI_Request request) {
    CALL;
    const int code = REAL(Pready_range)(low, high, request);
    PASS(code);
    make_ready(&call_, RECORDING_CALL_Pready_range, request, high - low + 1);
    return code;
}
ALSO_PMPI(Pready_range)

/* MPICH before 4.1 and Open MPI 5.0 lack the const. */
#define LACKS_CONST                                                                                \
    __builtin_types_compatible_p(__typeof(MPI_Pready_list), int(int, int *, MPI_Request))
typedef __typeof(__builtin_choose_expr(LACKS_CONST, (int *)NULL, (const int *)NULL)) partition_list;

PUBLIC int MPI_Pready_list(int count, partition_list partitions, MPI_Request request) {
    CALL;
    const int code = REAL(Pready_list)(count, partitions, request);
    PASS(code);
    make_ready(&call_, RECORDING_CALL_Pready_list, request, count);
    return code;
}
ALSO_PMPI(Pready_list)

PUBLIC int MPI_Parrived(MPI_Request request, int partition, int *flag) {
    CALL;
    const int code = REAL(Parrived)(request, partition, flag);
    PASS(code);
    if (*flag)
        PLAIN(Parrived);
    else
        record_call_poll(&call_, RECORDING_CALL_Parrived);
    return code;
}
ALSO_PMPI(Parrived)

/* ---- MPI_Isendrecv: a receive and a send with one request ---- */

static void add_pair(MPI_Request handle, MPI_Comm communicator, int destination, int tag,
                     uint64_t bytes, int source, int receive_tag) {
    const struct record_communicator *found = record_communicator(communicator);
    if (!record_is_inside(found)) {
        record_outside(found);
        return;
    }
    uint32_t sent = 0;
    if (destination != MPI_PROC_NULL) {
        const struct record_request *request =
            record_request_add(MPI_REQUEST_NULL, RECORD_IS_SEND, communicator);
        if (request == NULL) return;
        sent = request->slot;
        record_send(found, destination, tag, bytes, 0, sent);
    }
    struct record_request *request = record_request_add(
        handle, source != MPI_PROC_NULL ? RECORD_IS_RECEIVE : RECORD_NOTHING, communicator);
    if (request == NULL) return;
    request->partner = sent;
    request->peer = source;
    request->tag = receive_tag;
    request->is_of_pair = true;
    if (source == MPI_PROC_NULL) return;
    record_item(RECORDING_POST_RECEIVE);
    record_word(request->slot);
}

/* name: with _c for large counts. */
#define ISENDRECV_CALL(name, count_type)                                                           \
    PUBLIC int MPI_##name(const void *sent, count_type send_count, MPI_Datatype send_type,         \
                          int destination, int send_tag, void *received, count_type receive_count, \
                          MPI_Datatype receive_type, int source, int receive_tag,                  \
                          MPI_Comm communicator, MPI_Request *request) {                           \
        CALL;                                                                                      \
        const int code =                                                                           \
            REAL(name)(sent, send_count, send_type, destination, send_tag, received,               \
                       receive_count, receive_type, source, receive_tag, communicator, request);   \
        PASS(code);                                                                                \
        START(Isendrecv);                                                                          \
        add_pair(*request, communicator, destination, send_tag,                                    \
                 record_bytes(send_count, send_type), source, receive_tag);                        \
        END;                                                                                       \
        return code;                                                                               \
    }                                                                                              \
    ALSO_PMPI(name)

ISENDRECV_CALL(Isendrecv, int)
#if MPI_VERSION >= 4
ISENDRECV_CALL(Isendrecv_c, MPI_Count)
#endif

#define ISENDRECV_REPLACE_CALL(name, count_type)                                                   \
    PUBLIC int MPI_##name(void *buffer, count_type count, MPI_Datatype type, int destination,      \
                          int send_tag, int source, int receive_tag, MPI_Comm communicator,        \
                          MPI_Request *request) {                                                  \
        CALL;                                                                                      \
        const int code = REAL(name)(buffer, count, type, destination, send_tag, source,            \
                                    receive_tag, communicator, request);                           \
        PASS(code);                                                                                \
        START(Isendrecv_replace);                                                                  \
        add_pair(*request, communicator, destination, send_tag, record_bytes(count, type), source, \
                 receive_tag);                                                                     \
        END;                                                                                       \
        return code;                                                                               \
    }                                                                                              \
    ALSO_PMPI(name)

ISENDRECV_REPLACE_CALL(Isendrecv_replace, int)
#if MPI_VERSION >= 4
ISENDRECV_REPLACE_CALL(Isendrecv_replace_c, MPI_Count)
#endif

#else
typedef int record_partitioned_is_empty; /* a file must hold something */
#endif
