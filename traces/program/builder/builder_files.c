/*
 * Phase 2 of building a program: reads and writes of files. Must not know where they come from.
 * Invariant: until the rank is done, BUILDER_FILE_WAITED marks those for which a wait stands behind
 * them.
 */
#include "traces/program/builder/builder_parts.h"

#include <inttypes.h>

status_code builder_access_file(struct program_builder *builder, uint32_t rank, uint32_t file,
                                uint64_t offset, uint64_t bytes, unsigned flags, uint64_t request,
                                struct status *status) {
    const unsigned allowed =
        OPERATION_FLAG_DETACHED | OPERATION_FLAG_FILE_WRITE | OPERATION_FLAG_FILE_COLLECTIVE;
    struct builder_rank *part = NULL;
    FORWARD_IF_ERROR(builder_enter_rank(builder, rank, true, "an access to a file", &part, status));
    RETURN_ERROR_IF(file >= builder->program->file_count || (flags & ~allowed) != 0, status,
                    STATUS_USAGE, "rank %u: unknown file %u, or flags %u of an access", rank, file,
                    flags);
    RETURN_ERROR_IF(
        bytes >= PROGRAM_BYTES_LIMIT || offset > PROGRAM_OFFSET_LIMIT - bytes, status, STATUS_INPUT,
        "rank %u: access to %" PRIu64 " bytes from byte %" PRIu64 " of a file (damaged file?)",
        rank, bytes, offset);
    struct program_operation *operation = NULL;
    FORWARD_IF_ERROR(builder_append(part, rank, &operation, status));
    *operation = (struct program_operation){.kind = OPERATION_FILE,
                                            .flags = flags & 0xFF,
                                            .value = bytes & (PROGRAM_BYTES_LIMIT - 1),
                                            .file = {offset, PROGRAM_NONE, file}};
    return flags & OPERATION_FLAG_DETACHED ? STATUS_OK : builder_post(part, rank, request, status);
}
