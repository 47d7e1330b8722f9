/*
 * Requests: what is in flight, and what is complete. A request in flight has a slot. It gets the
 * one that was given back last, so that a loop gives its requests the same slots again and again.
 */
#include "recorder.h"

#include <stdlib.h>
#include <string.h>

static struct {
    struct record_map map;      /* handle -> slot */
    struct record_request *all; /* all[slot - 1] */
    uint32_t capacity;
    uint32_t first_free; /* slot; 0: none */
} requests;

/* Adds free slots, the least one first. */
static bool add_slots(void) {
    const uint32_t capacity = requests.capacity == 0 ? 64 : 2 * requests.capacity;
    struct record_request *all = realloc(requests.all, capacity * sizeof *all);
    if (all == NULL) return false;
    memset(all + requests.capacity, 0, (capacity - requests.capacity) * sizeof *all);
    for (uint32_t i = requests.capacity; i < capacity; i++)
        all[i].next_free = i + 1 < capacity ? i + 2 : 0;
    requests.first_free = requests.capacity + 1;
    requests.all = all;
    requests.capacity = capacity;
    return true;
}

struct record_request *record_request_add(MPI_Request handle, record_kind kind,
                                          MPI_Comm communicator) {
    if (requests.first_free == 0 && !add_slots()) return NULL;
    const uint32_t slot = requests.first_free;
    struct record_request *added = &requests.all[slot - 1];
    requests.first_free = added->next_free;
    *added = (struct record_request){.handle = handle,
                                     .kind = kind,
                                     .slot = slot,
                                     .held = record_communicator(communicator),
                                     .is_used = true,
                                     .is_active = true};
    record_hold_communicator(added->held);
    record_map_insert(&requests.map, RECORD_KEY(handle), slot);
    return added;
}

struct record_request *record_request_find(MPI_Request handle) {
    if (handle == MPI_REQUEST_NULL) return NULL;
    const uint32_t slot = record_map_find(&requests.map, RECORD_KEY(handle));
    return slot == 0 ? NULL : &requests.all[slot - 1];
}

static void forget(struct record_request *request) {
    record_map_remove(&requests.map, RECORD_KEY(request->handle), request->slot);
    record_release_communicator(request->held);
    free(request->words);
    request->words = NULL;
    request->is_used = false;
    request->next_free = requests.first_free;
    requests.first_free = request->slot;
}

/* ---- persistent requests ---- */

void record_request_start(struct record_request *request) {
    request->is_active = true;
    request->ready = 0;
    switch (request->kind) {
    case RECORD_IS_SEND:
        if (request->partitions == 0)
            record_send(request->held, request->peer, request->tag, request->bytes, request->flags,
                        request->slot);
        break;
    case RECORD_IS_RECEIVE:
        record_item(RECORDING_POST_RECEIVE);
        record_word(request->slot);
        break;
    case RECORD_IS_COLLECTIVE: {
        uint64_t *words = record_words(request->word_count);
        if (words != NULL && request->word_count > 0)
            memcpy(words, request->words, request->word_count * sizeof *words);
        break;
    }
    case RECORD_NOTHING:
        if (request->peer != MPI_PROC_NULL) record_outside(request->held);
        break;
    default:
        break;
    }
}

/* ---- completion ---- */

uint64_t record_received_bytes(const MPI_Status *status) {
    MPI_Count bytes = 0;
    PMPI_Get_elements_x(status, MPI_BYTE, &bytes);
    return bytes > 0 ? (uint64_t)bytes : 0;
}

static void received(const struct record_request *request, const MPI_Status *status) {
    const struct record_communicator *communicator = request->held;
    if (request->partitions > 0) {
        record_item(RECORDING_PARTITIONED_RECEIVED);
        record_word(request->slot);
        record_word(request->partitioned);
        record_word(request->bytes);
        return;
    }
    const bool has_peer = request->is_of_pair && request->peer != MPI_ANY_SOURCE;
    const bool has_tag = request->is_of_pair && request->tag != MPI_ANY_TAG;
    const int from = has_peer ? request->peer : status->MPI_SOURCE;
    const int source = communicator != NULL ? record_world_rank(communicator, from) : -1;
    if (source < 0) { /* a receive that was cancelled has no source */
        record_item(RECORDING_CANCELLED);
        record_word(request->slot);
        return;
    }
    record_item(RECORDING_RECEIVED);
    record_word(request->slot);
    record_word(communicator->communicator_number);
    record_word((uint64_t)source);
    record_signed(has_tag ? request->tag : status->MPI_TAG);
    record_word(request->is_of_pair ? UINT64_MAX : record_received_bytes(status));
}

void record_request_done(MPI_Request handle, const MPI_Status *status) {
    struct record_request *request = record_request_find(handle);
    if (request == NULL || !request->is_active) return;
    int is_cancelled = 0;
    if (request->is_cancelled) PMPI_Test_cancelled(status, &is_cancelled);
    request->is_active = false;
    if (request->kind == RECORD_IS_RECEIVE && !is_cancelled) {
        received(request, status);
    } else if (request->kind == RECORD_IS_COMMUNICATOR) {
        record_define(request->made, record_agree(request->made, request->words));
    } else if (request->kind != RECORD_NOTHING) {
        record_item(is_cancelled ? RECORDING_CANCELLED : RECORDING_DONE);
        record_word(request->slot);
    }
    request->is_cancelled = false;
    if (request->partner != 0) {
        record_item(RECORDING_DONE);
        record_word(request->partner);
        forget(&requests.all[request->partner - 1]);
    }
    if (!request->is_persistent) forget(request);
}

static int class_of(int code) {
    int class = MPI_ERR_UNKNOWN;
    if (code == MPI_SUCCESS || PMPI_Error_class(code, &class) != MPI_SUCCESS) return code;
    return class;
}

bool record_has_received(int code) {
    return code == MPI_SUCCESS || class_of(code) == MPI_ERR_TRUNCATE;
}

bool record_has_completed(int code) {
    return record_has_received(code) || class_of(code) == MPI_ERR_IN_STATUS;
}

void record_requests_done(int code, int count, const int *indices, const MPI_Request *handles,
                          const MPI_Status *statuses) {
    const bool has_codes = class_of(code) == MPI_ERR_IN_STATUS;
    if (!has_codes && code != MPI_SUCCESS && count != 1) return; /* which of them is not known */
    for (int i = 0; i < count; i++)
        if (!has_codes || record_has_received(statuses[i].MPI_ERROR))
            record_request_done(handles[indices != NULL ? indices[i] : i], &statuses[i]);
}

void record_request_free(MPI_Request handle) {
    struct record_request *request = record_request_find(handle);
    if (request == NULL) return;
    if (request->is_active && request->kind != RECORD_NOTHING) {
        record_item(RECORDING_FREED);
        record_word(request->slot);
    }
    forget(request);
}

/* ---- memory of a thread ---- */

static __thread struct {
    MPI_Request *requests;
    MPI_Status *statuses;
    int request_capacity, status_capacity;
} scratch __attribute__((tls_model("initial-exec")));

MPI_Request *record_copy_requests(int count, const MPI_Request *from) {
    if (count <= 0 || count > scratch.request_capacity) {
        const int capacity = count > 0 ? 2 * count : 1;
        MPI_Request *larger = realloc(scratch.requests, (size_t)capacity * sizeof *larger);
        if (larger == NULL) abort(); /* the application would fail as well */
        scratch.requests = larger;
        scratch.request_capacity = capacity;
    }
    if (count > 0) memcpy(scratch.requests, from, (size_t)count * sizeof *from);
    return scratch.requests;
}

MPI_Status *record_statuses(int count) {
    if (count <= 0 || count > scratch.status_capacity) {
        const int capacity = count > 0 ? 2 * count : 1;
        MPI_Status *larger = realloc(scratch.statuses, (size_t)capacity * sizeof *larger);
        if (larger == NULL) abort();
        scratch.statuses = larger;
        scratch.status_capacity = capacity;
    }
    return scratch.statuses;
}
