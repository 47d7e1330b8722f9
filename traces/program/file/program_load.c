/*
 * Loads program files: reads them, and tests what they say. program_file_reader.c reads the bytes.
 * Processes that divide a program load its tables, and ranks later: program_division.h.
 */
#include "traces/program/file/program_load.h"
#include "core/files/input_file.h"
#include "core/memory/memory.h"
#include "core/memory/paging.h"
#include "core/processes/processes.h"
#include "traces/program/file/program_division.h"
#include "traces/program/file/program_file_format.h"
#include "traces/program/file/program_file_reader.h"
#include "traces/program/program_check.h"
#include "traces/program/program_hash.h"
#include "traces/program/program_packed.h"
#include "traces/traces.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static status_code load_all(struct program_file_reader *reader, struct program *program,
                            unsigned threads, struct status *status) {
    FORWARD_IF_ERROR(program_file_reader_read_all(reader, status));
    FORWARD_IF_ERROR(program_check_loaded(program, threads, status));
    uint64_t hash;
    FORWARD_IF_ERROR(program_hash(program, threads, &hash, status));
    RETURN_ERROR_IF(hash != program->content_hash, status, STATUS_INPUT,
                    "does not hold the program it was written from");
    return STATUS_OK;
}

/* Sets *is_large to whether the processes need not all have the program: if for any of them it is
 * so large that its operations are packed. */
static status_code agree_on_size(const struct traces_loading *loading,
                                 const struct program *program, bool *is_large,
                                 struct status *status) {
    *is_large = loading->is_large;
    if (loading->processes == NULL || loading->is_large) return STATUS_OK;
    *is_large = program_packing_pays(program);
    return processes_any(loading->processes, is_large, status);
}

static status_code divide(struct program_file_reader **reader, struct program *program,
                          const char *path, const struct traces_loading *loading, bool *is_divided,
                          struct status *status) {
    FORWARD_IF_ERROR(program_division_new(is_divided, program, *reader, path, loading, status));
    if (*is_divided) *reader = NULL;
    return STATUS_OK;
}

/* Sets *is_here to whether this process gets the program, and reads it. */
static status_code load(struct program_file_reader **reader, struct program *program,
                        const char *path, const struct traces_loading *loading, bool *is_here,
                        struct status *status) {
    bool is_large, is_divided = false;
    FORWARD_IF_ERROR(agree_on_size(loading, program, &is_large, status));
    *is_here = !is_large || !loading->gathers || processes_number(loading->processes) == 0;
    if (is_large && !loading->gathers)
        FORWARD_IF_ERROR(divide(reader, program, path, loading, &is_divided, status));
    if (!*is_here || is_divided) return STATUS_OK;
    return load_all(*reader, program, loading->threads, status);
}

status_code program_load_stream(struct program **loaded, FILE *stream, const char *path,
                                const struct traces_loading *loading, struct status *status) {
    struct program_file_reader *reader = NULL;
    struct program *program = memory_new(1, sizeof *program);
    *loaded = NULL;
    if (program == NULL) {
        fclose(stream);
        paging_free(loading->paging);
        return status_set(status, STATUS_MEMORY, "out of memory for reading");
    }
    program->paging = loading->paging;
    bool is_here = false;
    status_code code = program_file_reader_new(&reader, program, stream, loading->threads, status);
    if (code == STATUS_OK) code = load(&reader, program, path, loading, &is_here, status);
    program_file_reader_free(reader);
    if (code == STATUS_OK && is_here) {
        *loaded = program;
        return STATUS_OK;
    }
    program_free(program);
    /* The error of another process names what that process read. */
    if (code == STATUS_OK || !processes_are_together(loading->processes)) return code;
    return status_prefix(status, "%s", path);
}

status_code traces_load_program(struct program **loaded, const char *path,
                                const struct traces_loading *loading, struct status *status) {
    FILE *file;
    *loaded = NULL;
    const status_code code = input_file_open(&file, path, status);
    if (code == STATUS_OK) return program_load_stream(loaded, file, path, loading, status);
    paging_free(loading->paging);
    return code;
}

status_code traces_read_program(struct program **program, const char *path, unsigned threads,
                                struct status *status) {
    const struct traces_loading loading = {.threads = threads, .keeps_user_regions = true};
    return traces_load_program(program, path, &loading, status);
}

status_code traces_is_program_file(bool *is_program, const char *path, struct status *status) {
    FILE *file;
    FORWARD_IF_ERROR(input_file_open(&file, path, status));
    static const uint8_t file_magic[PROGRAM_FILE_MAGIC_BYTES] = PROGRAM_FILE_MAGIC;
    uint8_t start[sizeof file_magic];
    *is_program = fread(start, 1, sizeof start, file) == sizeof start &&
                  memcmp(start, file_magic, sizeof start) == 0;
    bool no_memory = ferror(file) && errno == ENOMEM;
    fclose(file);
    RETURN_ERROR_IF(no_memory, status, STATUS_MEMORY, "%s: out of memory for reading it", path);
    return STATUS_OK;
}
