/* The calls of point-to-point communication, but for those that complete requests. Built a second
 * time with large counts (record_messages_large.c) where the library has them. */
#include "record_counts.h"
#include "recorder.h"

#include <stdlib.h>

#ifndef RECORD_LARGE
void record_send(const struct record_communicator *communicator, int peer, int tag, uint64_t bytes,
                 unsigned flags, uint32_t slot) {
    if (peer == MPI_PROC_NULL) return;
    if (!record_is_inside(communicator)) {
        record_outside(communicator);
        return;
    }
    const int world = record_world_rank(communicator, peer);
    if (world < 0) return;
    uint64_t *words = record_words(7);
    if (words == NULL) return;
    words[0] = RECORDING_SEND;
    words[1] = communicator->communicator_number;
    words[2] = (uint64_t)world;
    words[3] = (uint64_t)tag << 1; /* tags of sends are not negative */
    words[4] = bytes;
    words[5] = flags;
    words[6] = slot;
}

void record_receive(MPI_Comm handle, int peer, const MPI_Status *status) {
    const struct record_communicator *communicator = record_communicator(handle);
    if (peer == MPI_PROC_NULL) return;
    const int world =
        communicator != NULL ? record_world_rank(communicator, status->MPI_SOURCE) : -1;
    if (world < 0) {
        record_outside(communicator);
        return;
    }
    record_item(RECORDING_RECEIVE);
    record_word(communicator->communicator_number);
    record_word((uint64_t)world);
    record_signed(status->MPI_TAG);
    record_word(record_received_bytes(status));
}
#endif

static void add_send(MPI_Request handle, MPI_Comm communicator, int peer, int tag, uint64_t bytes,
                     unsigned flags) {
    const struct record_communicator *found = record_communicator(communicator);
    const bool is_nothing = found == NULL || record_world_rank(found, peer) < 0;
    struct record_request *request =
        record_request_add(handle, is_nothing ? RECORD_NOTHING : RECORD_IS_SEND, communicator);
    if (request != NULL && peer != MPI_PROC_NULL)
        record_send(found, peer, tag, bytes, flags, request->slot);
}

static void add_receive(MPI_Request handle, MPI_Comm communicator, int peer) {
    const struct record_communicator *found = record_communicator(communicator);
    const bool is_nothing = peer == MPI_PROC_NULL || !record_is_inside(found);
    struct record_request *request =
        record_request_add(handle, is_nothing ? RECORD_NOTHING : RECORD_IS_RECEIVE, communicator);
    if (is_nothing) {
        if (peer != MPI_PROC_NULL) record_outside(found);
    } else if (request != NULL) {
        record_item(RECORDING_POST_RECEIVE);
        record_word(request->slot);
    }
}

static void add_persistent(MPI_Request handle, record_kind kind, MPI_Comm communicator, int peer,
                           int tag, uint64_t bytes, unsigned flags) {
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
    request->flags = flags | RECORDING_PERSISTENT;
}

#define SEND_CALLS(name, mode)                                                                     \
    PUBLIC int C(name)(const void *buffer, COUNT count, MPI_Datatype type, int peer, int tag,      \
                       MPI_Comm communicator) {                                                    \
        CALL;                                                                                      \
        const int code = REAL_C(name)(buffer, count, type, peer, tag, communicator);               \
        PASS(code);                                                                                \
        START(name);                                                                               \
        record_send(record_communicator(communicator), peer, tag, record_bytes(count, type), mode, \
                    0);                                                                            \
        END;                                                                                       \
        return code;                                                                               \
    }                                                                                              \
    ALSO(name)

SEND_CALLS(Send, 0)
SEND_CALLS(Bsend, RECORDING_BUFFERED)
SEND_CALLS(Ssend, RECORDING_SYNCHRONOUS)
SEND_CALLS(Rsend, RECORDING_READY)

#define ISEND_CALLS(name, mode)                                                                    \
    PUBLIC int C(name)(const void *buffer, COUNT count, MPI_Datatype type, int peer, int tag,      \
                       MPI_Comm communicator, MPI_Request *request) {                              \
        CALL;                                                                                      \
        const int code = REAL_C(name)(buffer, count, type, peer, tag, communicator, request);      \
        PASS(code);                                                                                \
        START(name);                                                                               \
        add_send(*request, communicator, peer, tag, record_bytes(count, type), mode);              \
        END;                                                                                       \
        return code;                                                                               \
    }                                                                                              \
    ALSO(name)

ISEND_CALLS(Isend, 0)
ISEND_CALLS(Ibsend, RECORDING_BUFFERED)
ISEND_CALLS(Issend, RECORDING_SYNCHRONOUS)
ISEND_CALLS(Irsend, RECORDING_READY)

#define SEND_INIT_CALLS(name, mode)                                                                \
    PUBLIC int C(name)(const void *buffer, COUNT count, MPI_Datatype type, int peer, int tag,      \
                       MPI_Comm communicator, MPI_Request *request) {                              \
        CALL;                                                                                      \
        const int code = REAL_C(name)(buffer, count, type, peer, tag, communicator, request);      \
        PASS(code);                                                                                \
        START(name);                                                                               \
        add_persistent(*request, RECORD_IS_SEND, communicator, peer, tag,                          \
                       record_bytes(count, type), mode);                                           \
        END;                                                                                       \
        return code;                                                                               \
    }                                                                                              \
    ALSO(name)

SEND_INIT_CALLS(Send_init, 0)
SEND_INIT_CALLS(Bsend_init, RECORDING_BUFFERED)
SEND_INIT_CALLS(Ssend_init, RECORDING_SYNCHRONOUS)
SEND_INIT_CALLS(Rsend_init, RECORDING_READY)

PUBLIC int C(Recv)(void *buffer, COUNT count, MPI_Datatype type, int peer, int tag,
                   MPI_Comm communicator, MPI_Status *status) {
    CALL;
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE && call_.is_recorded) status = &own;
    const int code = REAL_C(Recv)(buffer, count, type, peer, tag, communicator, status);
    PASS_RECEIVED(code);
    START(Recv);
    record_receive(communicator, peer, status);
    END;
    return code;
}
ALSO(Recv)

PUBLIC int C(Irecv)(void *buffer, COUNT count, MPI_Datatype type, int peer, int tag,
                    MPI_Comm communicator, MPI_Request *request) {
    CALL;
    const int code = REAL_C(Irecv)(buffer, count, type, peer, tag, communicator, request);
    PASS(code);
    START(Irecv);
    add_receive(*request, communicator, peer);
    END;
    return code;
}
ALSO(Irecv)

PUBLIC int C(Recv_init)(void *buffer, COUNT count, MPI_Datatype type, int peer, int tag,
                        MPI_Comm communicator, MPI_Request *request) {
    CALL;
    const int code = REAL_C(Recv_init)(buffer, count, type, peer, tag, communicator, request);
    PASS(code);
    START(Recv_init);
    add_persistent(*request, RECORD_IS_RECEIVE, communicator, peer, tag, 0, 0);
    END;
    return code;
}
ALSO(Recv_init)

PUBLIC int C(Sendrecv)(const void *sent, COUNT send_count, MPI_Datatype send_type, int destination,
                       int send_tag, void *received, COUNT receive_count, MPI_Datatype receive_type,
                       int source, int receive_tag, MPI_Comm communicator, MPI_Status *status) {
    CALL;
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE && call_.is_recorded) status = &own;
    const int code =
        REAL_C(Sendrecv)(sent, send_count, send_type, destination, send_tag, received,
                         receive_count, receive_type, source, receive_tag, communicator, status);
    PASS_RECEIVED(code);
    START(Sendrecv);
    record_receive(communicator, source, status);
    record_send(record_communicator(communicator), destination, send_tag,
                record_bytes(send_count, send_type), 0, 0);
    END;
    return code;
}
ALSO(Sendrecv)

PUBLIC int C(Sendrecv_replace)(void *buffer, COUNT count, MPI_Datatype type, int destination,
                               int send_tag, int source, int receive_tag, MPI_Comm communicator,
                               MPI_Status *status) {
    CALL;
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE && call_.is_recorded) status = &own;
    const int code = REAL_C(Sendrecv_replace)(buffer, count, type, destination, send_tag, source,
                                              receive_tag, communicator, status);
    PASS_RECEIVED(code);
    START(Sendrecv_replace);
    record_receive(communicator, source, status);
    record_send(record_communicator(communicator), destination, send_tag, record_bytes(count, type),
                0, 0);
    END;
    return code;
}
ALSO(Sendrecv_replace)

/* ---- matched probes ---- */

/* A matched probe takes its message out of the queue in which receives look for messages, so the
 * probe is the receive. MPI_Mrecv and MPI_Imrecv only say where the data goes. */
#ifndef RECORD_LARGE
PUBLIC int MPI_Mprobe(int source, int tag, MPI_Comm communicator, MPI_Message *message,
                      MPI_Status *status) {
    CALL;
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE && call_.is_recorded) status = &own;
    const int code = REAL(Mprobe)(source, tag, communicator, message, status);
    PASS(code);
    START(Mprobe);
    record_receive(communicator, source, status);
    END;
    return code;
}
ALSO_PMPI(Mprobe)

PUBLIC int MPI_Improbe(int source, int tag, MPI_Comm communicator, int *flag, MPI_Message *message,
                       MPI_Status *status) {
    CALL;
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE && call_.is_recorded) status = &own;
    const int code = REAL(Improbe)(source, tag, communicator, flag, message, status);
    PASS(code);
    if (!*flag) {
        record_call_poll(&call_, RECORDING_CALL_Improbe);
        return code;
    }
    START(Improbe);
    record_receive(communicator, source, status);
    END;
    return code;
}
ALSO_PMPI(Improbe)

PUBLIC int MPI_Probe(int source, int tag, MPI_Comm communicator, MPI_Status *status) {
    CALL;
    const int code = REAL(Probe)(source, tag, communicator, status);
    PASS(code);
    PLAIN(Probe);
    return code;
}
ALSO_PMPI(Probe)

PUBLIC int MPI_Iprobe(int source, int tag, MPI_Comm communicator, int *flag, MPI_Status *status) {
    CALL;
    const int code = REAL(Iprobe)(source, tag, communicator, flag, status);
    PASS(code);
    if (*flag)
        PLAIN(Iprobe);
    else
        record_call_poll(&call_, RECORDING_CALL_Iprobe);
    return code;
}
ALSO_PMPI(Iprobe)

#endif

PUBLIC int C(Mrecv)(void *buffer, COUNT count, MPI_Datatype type, MPI_Message *message,
                    MPI_Status *status) {
    CALL;
    const int code = REAL_C(Mrecv)(buffer, count, type, message, status);
    PASS(code);
    PLAIN(Mrecv);
    return code;
}
ALSO(Mrecv)

PUBLIC int C(Imrecv)(void *buffer, COUNT count, MPI_Datatype type, MPI_Message *message,
                     MPI_Request *request) {
    CALL;
    const int code = REAL_C(Imrecv)(buffer, count, type, message, request);
    PASS(code);
    PLAIN(Imrecv);
    return code;
}
ALSO(Imrecv)
