/*
 * Turns a program into records with Score-P's conventions, the reverse of the importer. Must not
 * know OTF2.
 *
 * Invariant: importing these records gives the same messages, matches, waits and collectives. There
 * are three exceptions: detached receives (see the header), the own blocks of in-place
 * v-collectives, which no trace holds, and inferred receives, which come back as recorded receives.
 */
#include "traces/otf2/archive_parts.h"

#include "core/memory/memory.h"

#include <stdlib.h>

static uint64_t number_key(uint32_t group, uint32_t rank) {
    return (uint64_t)group << 32 | rank;
}

static status_code add_group(struct archive_records *records, uint32_t first, uint32_t size,
                             struct status *status) {
    const uint32_t *members = records->program->communicator_members + first;
    if (size > 0 &&
        key_table_find(&records->numbers, number_key(first, members[size - 1])) != KEY_TABLE_NONE)
        return STATUS_OK; /* another communicator has the same group */
    for (uint32_t i = 0; i < size; i++)
        FORWARD_IF_ERROR(
            key_table_insert(&records->numbers, number_key(first, members[i]), i, status));
    return STATUS_OK;
}

struct archive_records *archive_records_new(const struct program *program, struct status *status) {
    struct archive_records *records = memory_new(1, sizeof *records);
    if (records == NULL) {
        status_set(status, STATUS_MEMORY, "out of memory for the records of an archive");
        return NULL;
    }
    records->program = program;
    if (archive_rma_windows_new(&records->windows, program, status) != STATUS_OK) {
        archive_records_free(records);
        return NULL;
    }
    for (uint32_t i = 0; i < program->communicator_count; i++) {
        const struct program_communicator *c = &program->communicators[i];
        if (c->members == PROGRAM_NONE) continue;
        if (add_group(records, c->members, c->size, status) != STATUS_OK ||
            add_group(records, c->remote_members, c->remote_size, status) != STATUS_OK) {
            archive_records_free(records);
            return NULL;
        }
    }
    return records;
}

void archive_records_free(struct archive_records *records) {
    if (records == NULL) return;
    key_table_free(&records->numbers);
    free(records->flights);
    free(records->waited);
    free(records->blocking);
    free(records->peers);
    free(records->operations);
    archive_rma_windows_free(&records->windows);
    key_table_free(&records->whole);
    free(records);
}

const struct archive_rma_windows *archive_records_windows(const struct archive_records *records) {
    return &records->windows;
}

/* Returns the number of a peer in its group. On an intercommunicator the peer is in the group that
 * the rank is not in. */
static uint32_t number_of(const struct archive_records *records, uint32_t communicator,
                          uint32_t peer) {
    const struct program_communicator *c = &records->program->communicators[communicator];
    if (c->members == PROGRAM_NONE) return 0;
    uint32_t number = key_table_find(&records->numbers, number_key(c->members, peer));
    if (number == KEY_TABLE_NONE && c->remote_size > 0)
        number = key_table_find(&records->numbers, number_key(c->remote_members, peer));
    return number;
}

status_code archive_emit(struct archive_records *records, struct archive_record record,
                         struct status *status) {
    record.time_ps = records->now_ps;
    return records->function(records->context, &record, status);
}

status_code archive_find_number(const struct archive_records *records,
                                const struct program_operation *operation, uint32_t *number,
                                struct status *status) {
    const struct program_envelope *envelope = archive_envelope(records, operation);
    *number = number_of(records, envelope->communicator, operation->message.peer);
    RETURN_ERROR_IF(*number == PROGRAM_NONE, status, STATUS_INPUT,
                    "rank %u: rank %u is not in the communicator of their message", records->rank,
                    operation->message.peer);
    return STATUS_OK;
}

/* Archives have no tags below 0. Messages that are matched apart from those of the application
 * (neighbour collectives, partitioned messages) have such tags, and get large ones. */
static int32_t archive_tag(int32_t tag) {
    return tag < 0 ? tag & INT32_MAX : tag;
}

static status_code emit_message(struct archive_records *records, archive_record_kind kind,
                                const struct program_operation *operation, uint64_t request,
                                struct status *status) {
    const struct program_envelope *envelope = archive_envelope(records, operation);
    uint32_t number = 0;
    FORWARD_IF_ERROR(archive_find_number(records, operation, &number, status));
    struct archive_record record = {.kind = kind,
                                    .communicator = envelope->communicator,
                                    .member = number,
                                    .tag = archive_tag(envelope->tag),
                                    .sent_bytes = operation->bytes,
                                    .request = request};
    return archive_emit(records, record, status);
}

/* Sets the sizes as Score-P records them, the reverse of otf2_import_collective.c. A recorded size
 * has a block for each member, or one block less in place. */
static void set_sizes(struct archive_record *record,
                      const struct program_collective_arguments *arguments, uint64_t size,
                      bool is_root, bool in_place) {
    uint64_t send = arguments->send_bytes, receive = arguments->receive_bytes;
    uint64_t blocks = in_place && size > 0 ? size - 1 : size, me = arguments->own_member;
    switch ((program_collective_kind)arguments->kind) {
    case PROGRAM_COLLECTIVE_BCAST:
        record->sent_bytes = is_root ? size * send : 0;
        record->received_bytes = receive;
        return;
    case PROGRAM_COLLECTIVE_REDUCE:
    case PROGRAM_COLLECTIVE_GATHER:
        record->sent_bytes = is_root && in_place ? 0 : send;
        record->received_bytes = is_root ? blocks * send : 0;
        return;
    case PROGRAM_COLLECTIVE_GATHERV:
        record->sent_bytes = is_root && in_place ? 0 : send;
        record->received_bytes = is_root ? receive : 0;
        return;
    case PROGRAM_COLLECTIVE_SCATTER:
        record->sent_bytes = is_root ? blocks * receive : 0;
        record->received_bytes = is_root && in_place ? 0 : receive;
        return;
    case PROGRAM_COLLECTIVE_SCATTERV:
        record->sent_bytes = is_root ? send : 0;
        record->received_bytes = is_root && in_place ? 0 : receive;
        return;
    case PROGRAM_COLLECTIVE_ALLGATHERV:
        record->sent_bytes = blocks * send;
        record->received_bytes = in_place ? receive - (send < receive ? send : receive) : receive;
        return;
    case PROGRAM_COLLECTIVE_ALLREDUCE:
    case PROGRAM_COLLECTIVE_ALLGATHER:
    case PROGRAM_COLLECTIVE_ALLTOALL:
    case PROGRAM_COLLECTIVE_REDUCE_SCATTER_BLOCK:
        record->sent_bytes = record->received_bytes = blocks * send;
        return;
    case PROGRAM_COLLECTIVE_ALLTOALLV:
    case PROGRAM_COLLECTIVE_ALLTOALLW:
        record->sent_bytes = send;
        record->received_bytes = receive;
        return;
    case PROGRAM_COLLECTIVE_REDUCE_SCATTER:
        record->sent_bytes = in_place ? send - (receive < send ? receive : send) : send;
        record->received_bytes = blocks * receive;
        return;
    case PROGRAM_COLLECTIVE_SCAN:
        record->sent_bytes = (size - me - in_place) * send;
        record->received_bytes = (me + 1 - in_place) * send;
        return;
    case PROGRAM_COLLECTIVE_EXSCAN:
        record->sent_bytes = (size - me - 1) * send;
        record->received_bytes = me * send;
        return;
    default:
        return;
    }
}

/* Sets the root and the number of a record. Returns true if the rank is the root. */
static bool set_root(struct archive_record *record,
                     const struct program_collective_arguments *arguments, bool inter,
                     unsigned flags) {
    if (!inter) {
        record->root = arguments->root == PROGRAM_NONE ? ARCHIVE_ROOT_NONE : ARCHIVE_ROOT_NUMBER;
        record->member = arguments->root;
        return arguments->root == arguments->own_member;
    }
    switch ((program_collective_kind)arguments->kind) {
    case PROGRAM_COLLECTIVE_BCAST:
    case PROGRAM_COLLECTIVE_REDUCE:
    case PROGRAM_COLLECTIVE_GATHER:
    case PROGRAM_COLLECTIVE_GATHERV:
    case PROGRAM_COLLECTIVE_SCATTER:
    case PROGRAM_COLLECTIVE_SCATTERV:
        break;
    default:
        return false;
    }
    bool self = (flags & OPERATION_FLAG_COLLECTIVE_ROOT_REMOTE) == 0 &&
                arguments->root == arguments->own_member;
    record->root = self                                              ? ARCHIVE_ROOT_SELF
                   : (flags & OPERATION_FLAG_COLLECTIVE_ROOT_REMOTE) ? ARCHIVE_ROOT_NUMBER
                                                                     : ARCHIVE_ROOT_THIS_GROUP;
    record->member = arguments->root;
    return self;
}

/* Clears the sizes of members in the root's group: of that group only the root takes part. */
static void clear_bystander(struct archive_record *record) {
    if (record->root == ARCHIVE_ROOT_THIS_GROUP) record->sent_bytes = record->received_bytes = 0;
}

static status_code emit_collective(struct archive_records *records, archive_record_kind kind,
                                   const struct program_operation *operation, uint64_t request,
                                   struct status *status) {
    const struct program_collective_arguments *arguments =
        &records->program->collective_arguments[operation->collective.arguments];
    const struct program_communicator *c =
        &records->program->communicators[arguments->communicator];
    bool inter = c->remote_size > 0;
    bool local = !inter || key_table_find(&records->numbers,
                                          number_key(c->members, records->rank)) != KEY_TABLE_NONE;
    struct archive_record record = {
        .kind = kind,
        .communicator = arguments->communicator,
        .collective = arguments->kind,
        .is_in_place = (operation->flags & OPERATION_FLAG_COLLECTIVE_IN_PLACE) != 0,
        .request = request};
    bool is_root = set_root(&record, arguments, inter, operation->flags);
    bool to_local = local == (arguments->kind == PROGRAM_COLLECTIVE_REDUCE_SCATTER_BLOCK);
    uint64_t other_size = to_local ? c->size : c->remote_size;
    uint64_t max_bytes = arguments->send_bytes > arguments->receive_bytes
                             ? arguments->send_bytes
                             : arguments->receive_bytes;
    RETURN_ERROR_IF(((wide)c->size + c->remote_size) * max_bytes > UINT64_MAX, status, STATUS_INPUT,
                    "rank %u: the sizes of %s do not fit into an archive's records", records->rank,
                    program_collective_name(arguments->kind));
    set_sizes(&record, arguments, inter ? other_size : c->size, is_root, record.is_in_place);
    clear_bystander(&record);
    return archive_emit(records, record, status);
}

/* Finds out which operations of a call the call itself waits for. operations[0] is the CALL. Goes
 * backwards, so that a slot that is used twice in the call gives two answers. */
static status_code look_ahead(struct archive_records *records,
                              const struct program_operation *operations, uint32_t slot_count,
                              struct status *status) {
    const struct program *program = records->program;
    const uint32_t *wait_slots =
        program->wait_slots + program->ranks[records->rank].first_wait_slot;
    size_t count = 1;
    while (operations[count - 1].kind != OPERATION_RETURN)
        count++;
    FORWARD_IF_ERROR(memory_grow((void **)&records->blocking, &records->blocking_capacity, count,
                                 sizeof *records->blocking, status));
    FORWARD_IF_ERROR(memory_grow((void **)&records->waited, &records->waited_capacity, slot_count,
                                 sizeof *records->waited, status));
    for (size_t i = 0; i < count; i++) { /* only these slots: a rank may have many others */
        if (operations[i].kind == OPERATION_SEND || operations[i].kind == OPERATION_RECEIVE)
            if (operations[i].message.slot != PROGRAM_NONE)
                records->waited[operations[i].message.slot] = false;
    }
    for (size_t i = count; i-- > 0;) {
        const struct program_operation *operation = &operations[i];
        records->blocking[i] = false;
        if (operation->kind == OPERATION_WAIT) {
            const uint32_t *slots = operation->wait.count == 1 ? &operation->wait.first
                                                               : wait_slots + operation->wait.first;
            for (uint32_t s = 0; s < operation->wait.count; s++)
                records->waited[slots[s]] = true;
        } else if ((operation->kind == OPERATION_SEND || operation->kind == OPERATION_RECEIVE) &&
                   operation->message.slot != PROGRAM_NONE) {
            records->blocking[i] = records->waited[operation->message.slot];
            records->waited[operation->message.slot] = false;
        }
    }
    return STATUS_OK;
}

/* ---- posting and completing ---- */

static status_code post_message(struct archive_records *records,
                                const struct program_operation *operation, bool blocking,
                                struct status *status) {
    bool send = operation->kind == OPERATION_SEND;
    if (!program_is_message(records->program, operation))
        return archive_post_rma(records, operation, status);
    uint32_t slot = operation->message.slot;
    struct archive_flight *flight = slot != PROGRAM_NONE ? &records->flights[slot] : NULL;
    bool is_restart = flight != NULL && flight->is_held;
    uint64_t request = blocking ? 0 : is_restart ? flight->request : ++records->request_count;
    if (flight != NULL) *flight = (struct archive_flight){operation, request, blocking, false};
    if (send)
        return emit_message(records, blocking ? RECORD_SEND : RECORD_ISEND, operation, request,
                            status);
    if (blocking) return STATUS_OK; /* recorded when it completes */
    return archive_emit(
        records, (struct archive_record){.kind = RECORD_IRECEIVE_REQUEST, .request = request},
        status);
}

static status_code post_collective(struct archive_records *records,
                                   const struct program_operation *operation, int64_t return_ps,
                                   struct status *status) {
    if (archive_is_window_call(records, operation))
        return archive_end_window_collective(records, operation, return_ps, status);
    if (operation->flags & OPERATION_FLAG_COLLECTIVE_BLOCKING) {
        FORWARD_IF_ERROR(archive_emit(
            records, (struct archive_record){.kind = RECORD_COLLECTIVE_BEGIN}, status));
        if (return_ps > records->now_ps) records->now_ps = return_ps;
        return emit_collective(records, RECORD_COLLECTIVE_END, operation, 0, status);
    }
    uint64_t request = ++records->request_count;
    records->flights[operation->collective.slot] =
        (struct archive_flight){operation, request, false, false};
    return archive_emit(
        records, (struct archive_record){.kind = RECORD_COLLECTIVE_REQUEST, .request = request},
        status);
}

static status_code emit_file(struct archive_records *records, archive_record_kind kind,
                             const struct program_operation *operation, uint64_t request,
                             struct status *status) {
    struct archive_record record = {.kind = kind,
                                    .file = operation->file.index,
                                    .offset = operation->file.offset,
                                    .sent_bytes = operation->bytes,
                                    .is_write = (operation->flags & OPERATION_FLAG_FILE_WRITE) != 0,
                                    .is_collective =
                                        (operation->flags & OPERATION_FLAG_FILE_COLLECTIVE) != 0,
                                    .request = request};
    return archive_emit(records, record, status);
}

/* Records that an access to a file begins, also one whose own call waits for it, as Score-P does.
 */
static status_code post_file(struct archive_records *records,
                             const struct program_operation *operation, struct status *status) {
    uint64_t request = ++records->request_count;
    if (operation->file.slot != PROGRAM_NONE)
        records->flights[operation->file.slot] =
            (struct archive_flight){operation, request, false, false};
    return emit_file(records, RECORD_FILE, operation, request, status);
}

static status_code complete_flight(struct archive_records *records,
                                   const struct archive_flight *flight, struct status *status) {
    bool is_collective = flight->posted->kind == OPERATION_COLLECTIVE;
    if (flight->posted->kind == OPERATION_FILE)
        return emit_file(records, RECORD_FILE_END, flight->posted, flight->request, status);
    if (!is_collective && !program_is_message(records->program, flight->posted))
        return archive_complete_rma(records, flight, status);
    switch (flight->posted->kind) {
    case OPERATION_SEND:
        if (flight->blocking) return STATUS_OK;
        return archive_emit(
            records,
            (struct archive_record){.kind = RECORD_ISEND_COMPLETE, .request = flight->request},
            status);
    case OPERATION_RECEIVE:
        return emit_message(records, flight->blocking ? RECORD_RECEIVE : RECORD_IRECEIVE,
                            flight->posted, flight->request, status);
    default:
        return emit_collective(records, RECORD_COLLECTIVE_COMPLETE, flight->posted, flight->request,
                               status);
    }
}

static status_code post_wait(struct archive_records *records,
                             const struct program_operation *operation, int64_t return_ps,
                             struct status *status) {
    const struct program *program = records->program;
    const uint32_t *slots = operation->wait.count == 1
                                ? &operation->wait.first
                                : program->wait_slots +
                                      program->ranks[records->rank].first_wait_slot +
                                      operation->wait.first;
    bool is_tested = (operation->flags & OPERATION_FLAG_WAIT_TESTED) != 0;
    if (return_ps > records->now_ps) records->now_ps = return_ps;
    for (uint32_t i = 0; i < operation->wait.count; i++) {
        struct archive_flight *flight = &records->flights[slots[i]];
        FORWARD_IF_ERROR(complete_flight(records, flight, status));
        flight->is_held = is_tested && flight->posted->kind == OPERATION_SEND &&
                          (flight->posted->flags & OPERATION_FLAG_SEND_PERSISTENT) != 0;
    }
    return STATUS_OK;
}

static status_code mark(struct archive_records *records, const struct program_operation *operation,
                        int64_t time_ps, struct status *status) {
    bool enter = operation->kind == OPERATION_CALL || operation->kind == OPERATION_ENTER;
    if (time_ps > records->now_ps) records->now_ps = time_ps;
    struct archive_record record = {.kind = enter ? RECORD_ENTER : RECORD_LEAVE,
                                    .region = operation->mark.region};
    return archive_emit(records, record, status);
}

/* Begins a call. If the call synchronises a window, records that first: operations that a fence
 * completes are complete during the fence. */
static status_code begin_call(struct archive_records *records,
                              const struct program_operation *operation, int64_t time_ps,
                              struct status *status) {
    const struct program *program = records->program;
    records->call_name = program_text(program, program->regions[operation->mark.region].name);
    records->has_begun_window = false;
    FORWARD_IF_ERROR(mark(records, operation, time_ps, status));
    for (; operation->kind != OPERATION_RETURN; operation++)
        if (archive_is_window_call(records, operation))
            return archive_begin_window(records, status);
    return STATUS_OK;
}

/* Sets *operations to those of a rank as an array. */
static status_code unpack_rank(struct archive_records *records, uint32_t rank,
                               const struct program_operation **operations, struct status *status) {
    const struct program *program = records->program;
    const struct program_rank *rank_entry = &program->ranks[rank];
    if (program->packed == NULL) {
        *operations = program->operations + rank_entry->first;
        return STATUS_OK;
    }
    FORWARD_IF_ERROR(memory_grow((void **)&records->operations, &records->operation_capacity,
                                 rank_entry->count, sizeof *records->operations, status));
    for (uint64_t i = 0; i < rank_entry->count; i++)
        records->operations[i] = *PROGRAM_OPERATION_AT(program, rank, rank_entry->first + i);
    *operations = records->operations;
    return STATUS_OK;
}

status_code archive_records_visit(struct archive_records *records, uint32_t rank,
                                  const struct traces_times *times,
                                  archive_record_function function, void *context,
                                  struct status *status) {
    const struct program *program = records->program;
    const struct program_rank *rank_entry = &program->ranks[rank];
    const struct program_operation *operations;
    const int64_t *time_ps = times->times_ps + times->first[rank];
    size_t call = 0; /* index of the CALL of the current call */
    FORWARD_IF_ERROR(unpack_rank(records, rank, &operations, status));
    records->rank = rank;
    records->request_count = records->rma_count = 0;
    key_table_remove_all(&records->whole);
    records->function = function;
    records->context = context;
    records->now_ps = 0;
    FORWARD_IF_ERROR(memory_grow((void **)&records->flights, &records->flight_capacity,
                                 rank_entry->slot_count, sizeof *records->flights, status));
    for (uint32_t slot = 0; slot < rank_entry->slot_count; slot++)
        records->flights[slot].is_held = false;
    for (size_t i = 0; i < rank_entry->count; i++) {
        const struct program_operation *operation = &operations[i];
        switch ((program_operation_kind)operation->kind) {
        case OPERATION_CALL:
            call = i;
            FORWARD_IF_ERROR(look_ahead(records, operation, rank_entry->slot_count, status));
            FORWARD_IF_ERROR(begin_call(records, operation, *time_ps++, status));
            break;
        case OPERATION_RETURN:
        case OPERATION_ENTER:
        case OPERATION_LEAVE:
            FORWARD_IF_ERROR(mark(records, operation, *time_ps++, status));
            break;
        case OPERATION_SEND:
        case OPERATION_RECEIVE:
            FORWARD_IF_ERROR(post_message(records, operation, records->blocking[i - call], status));
            break;
        case OPERATION_COLLECTIVE: /* *time_ps is the time of the RETURN */
            FORWARD_IF_ERROR(post_collective(records, operation, *time_ps, status));
            break;
        case OPERATION_FILE:
            FORWARD_IF_ERROR(post_file(records, operation, status));
            break;
        case OPERATION_WAIT:
            FORWARD_IF_ERROR(post_wait(records, operation, *time_ps, status));
            break;
        case OPERATION_COMPUTE:
        case OPERATION_END:
        case OPERATION_VERTEX: /* traces_write_otf2 refuses graphs */
            break;
        }
    }
    return STATUS_OK;
}
