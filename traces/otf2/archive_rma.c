/*
 * One-sided communication as records: operations, their completion, locks, and the synchronisation
 * of windows. Must not know OTF2.
 */
#include "traces/otf2/archive_parts.h"

#include "core/memory/memory.h"

#include <string.h>

static bool is_named(const struct archive_records *records, const char *beginning) {
    return strncmp(records->call_name, beginning, strlen(beginning)) == 0;
}

static bool is_rma_data(const struct archive_records *records,
                        const struct program_operation *operation) {
    return program_is_one_sided(operation) &&
           archive_envelope(records, operation)->tag == PROGRAM_TAG_RMA;
}

static bool is_atomic(const struct archive_records *records) {
    return is_named(records, "MPI_Accumulate") || is_named(records, "MPI_Raccumulate") ||
           is_named(records, "MPI_Get_accumulate") || is_named(records, "MPI_Rget_accumulate") ||
           is_named(records, "MPI_Fetch_and_op") || is_named(records, "MPI_Compare_and_swap");
}

static status_code emit_rma(struct archive_records *records,
                            const struct program_operation *operation, uint64_t request,
                            struct status *status) {
    bool writes = (operation->flags & OPERATION_FLAG_RMA_WRITE) != 0;
    bool reads = (operation->flags & OPERATION_FLAG_RMA_READ) != 0;
    struct archive_record record = {
        .kind = (writes && reads) || is_atomic(records) ? RECORD_ATOMIC
                : reads                                 ? RECORD_GET
                                                        : RECORD_PUT,
        .window = archive_rma_window_of(&records->windows, archive_envelope(records, operation)),
        .atomic = is_named(records, "MPI_Compare_and_swap") ? ARCHIVE_COMPARE_AND_SWAP
                  : reads                                   ? ARCHIVE_FETCH_AND_ACCUMULATE
                                                            : ARCHIVE_ACCUMULATE,
        .sent_bytes = writes ? operation->bytes : 0,
        .received_bytes = reads ? operation->bytes : 0,
        .request = request};
    FORWARD_IF_ERROR(archive_find_number(records, operation, &record.member, status));
    return archive_emit(records, record, status);
}

/* Records a lock or an unlock. A lock of one part with PROGRAM_LOCK_EXCLUSIVE has a second step,
 * which takes the lock of the whole window before and releases it after. That step has no record.
 */
static status_code emit_lock(struct archive_records *records,
                             const struct program_operation *operation, program_lock lock,
                             struct status *status) {
    struct archive_record record = {
        .kind = program_lock_takes(lock) ? RECORD_LOCK : RECORD_UNLOCK,
        .window = archive_rma_window_of(&records->windows, archive_envelope(records, operation)),
        .member = ARCHIVE_EVERYONE,
        .is_exclusive = lock == PROGRAM_LOCK_EXCLUSIVE};
    switch (lock) {
    case PROGRAM_LOCK_ONE:
        return STATUS_OK;
    case PROGRAM_LOCK_ALL:
        FORWARD_IF_ERROR(key_table_insert(&records->whole, record.window, 0, status));
        break;
    case PROGRAM_LOCK_RELEASE_ALL:
        if (key_table_remove(&records->whole, record.window) == KEY_TABLE_NONE) return STATUS_OK;
        break;
    default:
        FORWARD_IF_ERROR(archive_find_number(records, operation, &record.member, status));
    }
    return archive_emit(records, record, status);
}

static bool is_alike(const struct program_operation *a, const struct program_operation *b) {
    return a->kind == b->kind && a->message.envelope == b->message.envelope;
}

/* Records the messages of a window's synchronisation, one for each rank of a group, as one record:
 * at the first message. The operation before the first one always exists: it is that of the call.
 */
static status_code emit_group(struct archive_records *records,
                              const struct program_operation *operation, struct status *status) {
    bool is_first =
        (operation[-1].kind != OPERATION_SEND && operation[-1].kind != OPERATION_RECEIVE) ||
        !is_alike(&operation[-1], operation);
    if (!is_first) return STATUS_OK;
    struct archive_record record = {
        .kind = RECORD_GROUP_SYNC,
        .tag = archive_envelope(records, operation)->tag,
        .window = archive_rma_window_of(&records->windows, archive_envelope(records, operation))};
    uint32_t count = 0;
    for (; is_alike(&operation[count], operation); count++) {
        FORWARD_IF_ERROR(memory_grow((void **)&records->peers, &records->peer_capacity,
                                     (size_t)count + 1, sizeof *records->peers, status));
        records->peers[count] = operation[count].message.peer;
    }
    FORWARD_IF_ERROR(archive_rma_windows_add_group(&records->windows, records->peers, count,
                                                   &record.group, status));
    return archive_emit(records, record, status);
}

status_code archive_post_rma(struct archive_records *records,
                             const struct program_operation *operation, struct status *status) {
    uint64_t request = is_rma_data(records, operation) ? ++records->rma_count : 0;
    if (operation->message.slot != PROGRAM_NONE)
        records->flights[operation->message.slot] =
            (struct archive_flight){operation, request, true, false};
    if (request > 0) return emit_rma(records, operation, request, status);
    program_lock lock = program_lock_kind(records->program, operation);
    if (lock != PROGRAM_LOCK_NONE) return emit_lock(records, operation, lock, status);
    return emit_group(records, operation, status);
}

status_code archive_complete_rma(struct archive_records *records,
                                 const struct archive_flight *flight, struct status *status) {
    if (!is_rma_data(records, flight->posted)) return STATUS_OK;
    struct archive_record record = {
        .kind = RECORD_REMOTE_LOCAL_END,
        .window =
            archive_rma_window_of(&records->windows, archive_envelope(records, flight->posted)),
        .request = flight->request};
    FORWARD_IF_ERROR(archive_emit(records, record, status));
    if (!is_named(records, "MPI_Win_")) return STATUS_OK;
    record.kind = RECORD_REMOTE_END;
    return archive_emit(records, record, status);
}

bool archive_is_window_call(const struct archive_records *records,
                            const struct program_operation *operation) {
    return operation->kind == OPERATION_COLLECTIVE &&
           records->program->collective_arguments[operation->collective.arguments].kind ==
               PROGRAM_COLLECTIVE_WINDOW;
}

status_code archive_begin_window(struct archive_records *records, struct status *status) {
    if (records->has_begun_window) return STATUS_OK;
    records->has_begun_window = true;
    return archive_emit(records, (struct archive_record){.kind = RECORD_WINDOW_BEGIN}, status);
}

status_code archive_end_window_collective(struct archive_records *records,
                                          const struct program_operation *operation,
                                          int64_t return_ps, struct status *status) {
    const struct program_collective_arguments *arguments =
        &records->program->collective_arguments[operation->collective.arguments];
    FORWARD_IF_ERROR(archive_begin_window(records, status));
    if (return_ps > records->now_ps) records->now_ps = return_ps;
    records->has_begun_window = false;
    struct archive_record record = {
        .kind = RECORD_WINDOW_END,
        .window = records->windows.of_communicator[arguments->communicator],
        .window_call = is_named(records, "MPI_Win_create")     ? ARCHIVE_CREATE
                       : is_named(records, "MPI_Win_allocate") ? ARCHIVE_ALLOCATE
                       : is_named(records, "MPI_Win_free")     ? ARCHIVE_FREE
                                                               : ARCHIVE_FENCE};
    return archive_emit(records, record, status);
}
