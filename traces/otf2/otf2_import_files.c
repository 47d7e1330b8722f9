/*
 * Reads and writes of MPI-IO. A record names the handle, the bytes and, in Score-P's archives, the
 * offset, as an attribute. Without the attribute the access is at the file pointer of the rank,
 * which begins at 0 and moves with such accesses and with seeks.
 */
#include "core/memory/memory.h"
#include "traces/otf2/otf2_import_archive.h"
#include "traces/otf2/otf2_import_rank.h"

static status_code find_positions(struct import_rank *rank, struct status *status) {
    if (rank->positions != NULL) return STATUS_OK;
    rank->positions = memory_new(rank->archive->definitions.handle_count, sizeof *rank->positions);
    RETURN_ERROR_IF(rank->positions == NULL, status, STATUS_MEMORY, "out of memory for files");
    return STATUS_OK;
}

static status_code begin_access(struct import_rank *rank, struct import_call *call,
                                const struct otf2_event *event, uint64_t *position, size_t file,
                                struct status *status) {
    uint64_t offset = event->offset;
    uint64_t request = import_marked_request(IMPORT_FILE_MARK, event->request);
    if (offset == OTF2_OFFSET_NONE) {
        offset = *position;
        *position += event->bytes;
    }
    unsigned flags = (event->flags & OTF2_FILE_WRITES ? OPERATION_FLAG_FILE_WRITE : 0u) |
                     (event->flags & OTF2_FILE_COLLECTIVE ? OPERATION_FLAG_FILE_COLLECTIVE : 0u);
    RETURN_ERROR_IF(builder_request_is_in_flight(rank->archive->builder, rank->rank, request),
                    status, STATUS_INPUT, "an operation on a file begins twice (damaged file?)");
    call->has_file = true;
    return builder_access_file(rank->archive->builder, rank->rank, rank->archive->files[file],
                               offset, event->bytes, flags, request, status);
}

/* An operation that began while recording was off is not known. */
static status_code end_access(struct import_rank *rank, struct import_call *call,
                              const struct otf2_event *event, struct status *status) {
    const uint64_t request = import_marked_request(IMPORT_FILE_MARK, event->request);
    if (!builder_request_is_in_flight(rank->archive->builder, rank->rank, request))
        return STATUS_OK;
    call->has_file = true;
    return import_complete(call, request, status);
}

status_code import_file(struct import_rank *rank, struct import_call *call,
                        const struct otf2_event *event, size_t handle, size_t file,
                        struct status *status) {
    FORWARD_IF_ERROR(find_positions(rank, status));
    if (event->kind == OTF2_EVENT_FILE)
        return begin_access(rank, call, event, &rank->positions[handle], file, status);
    if (event->kind == OTF2_EVENT_FILE_DONE) return end_access(rank, call, event, status);
    rank->positions[handle] = event->offset;
    return STATUS_OK;
}
