/* Tables of files: those of a trace, and the I/O nodes of a replay. */
#include "api/table/tables.h"

#include "core/memory/memory.h"
#include "traces/program/file/program_division.h"

#include <stdlib.h>

/* ---- the files of a trace ---- */

struct file_row {
    const char *name;
    uint64_t reads, writes;
    wide read_bytes, written_bytes;
    uint32_t ranks;
    uint32_t last_rank; /* that was counted, plus one */
};

static bool has_files(const struct table_source *source) {
    return source->program->file_count > 0;
}

static const struct table_condition files_used = {has_files, "if the trace has files of MPI-IO"};

static void add_access(struct file_row *file, uint32_t rank,
                       const struct program_operation *operation) {
    const bool writes = (operation->flags & OPERATION_FLAG_FILE_WRITE) != 0;
    file->ranks += file->last_rank != rank + 1;
    file->last_rank = rank + 1;
    *(writes ? &file->writes : &file->reads) += 1;
    *(writes ? &file->written_bytes : &file->read_bytes) += operation->bytes;
}

static status_code visit_files(const struct table_source *source, const struct table_sink *sink,
                               struct status *status) {
    const struct program *program = source->program;
    FORWARD_IF_ERROR(program_division_load_all(program->division, status));
    struct file_row *files = memory_new(program->file_count, sizeof *files);
    RETURN_ERROR_IF(files == NULL, status, STATUS_MEMORY, "out of memory for files");
    for (uint32_t i = 0; i < program->file_count; i++)
        files[i].name = program_text(program, program->files[i].name);
    for (uint32_t rank = 0; rank < program->rank_count; rank++) {
        const struct program_rank *rank_entry = &program->ranks[rank];
        for (uint64_t i = rank_entry->first; i < rank_entry->first + rank_entry->count; i++) {
            const struct program_operation *operation = PROGRAM_OPERATION_AT(program, rank, i);
            if (operation->kind == OPERATION_FILE)
                add_access(&files[operation->file.index], rank, operation);
        }
    }
    for (uint32_t i = 0; i < program->file_count; i++)
        table_add(sink, &files[i]);
    free(files);
    return STATUS_OK;
}

static const struct table_column file_columns[] = {
    TABLE_COLUMN(file_row, name, "name", "", "its name, as the application gave it"),
    TABLE_COLUMN(file_row, ranks, "ranks", "", "ranks that read or wrote it"),
    TABLE_COLUMN(file_row, reads, "reads", "", "reads of all ranks"),
    TABLE_COLUMN(file_row, read_bytes, "read_bytes", "bytes", "bytes that they asked for"),
    TABLE_COLUMN(file_row, writes, "writes", "", "writes of all ranks"),
    TABLE_COLUMN(file_row, written_bytes, "written_bytes", "bytes", "their bytes"),
};

const struct table table_files = {
    .name = "files",
    .form = TABLE_ARRAY,
    TABLE_LIST(file_columns),
    .condition = &files_used,
    .visit = visit_files,
    .help = "a file of MPI-IO",
};

/* ---- the I/O nodes of a replay ---- */

static bool has_io_nodes(const struct table_source *source) {
    return source->run->completed && source->replay->storage_count > 0;
}

static const struct table_condition io_nodes_used = {has_io_nodes, "with io.nodes or io.share"};

static status_code visit_io_nodes(const struct table_source *source, const struct table_sink *sink,
                                  struct status *status) {
    (void)status;
    for (uint32_t i = 0; i < source->replay->storage_count; i++)
        table_add(sink, &source->replay->storage[i]);
    return STATUS_OK;
}

static const struct table_column io_node_columns[] = {
    TABLE_COLUMN(replay_storage_node, node, "node", "", "number of the node"),
    TABLE_COLUMN(replay_storage_node, requests, "requests", "", "requests that it served"),
    TABLE_COLUMN(replay_storage_node, read_bytes, "read_bytes", "bytes", "bytes that it read"),
    TABLE_COLUMN(replay_storage_node, written_bytes, "written_bytes", "bytes",
                 "bytes that it wrote"),
    TABLE_COLUMN(replay_storage_node, busy_ps, "busy_ps", "ps", "time that it read or wrote"),
    TABLE_COLUMN(replay_storage_node, waited_ps, "waited_ps", "ps",
                 "time that requests waited there for others, summed up"),
    TABLE_COLUMN(replay_storage_node, free_ps, "free_ps", "ps", "end of its last service"),
};

const struct table table_io_nodes = {
    .name = "io_nodes",
    .form = TABLE_ARRAY,
    TABLE_LIST(io_node_columns),
    .condition = &io_nodes_used,
    .visit = visit_io_nodes,
    .help = "an I/O node",
};
