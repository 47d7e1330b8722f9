/*
 * Gives the program of process 0 to all processes: see traces_distribute. The program travels as a
 * program file, so each process can read the ranks that it simulates when it knows which they are.
 */
#include "core/memory/memory.h"
#include "core/memory/paging.h"
#include "core/processes/processes.h"
#include "traces/program/file/program_file_writer.h"
#include "traces/program/file/program_load.h"
#include "traces/program/program_hash.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The file is read once or twice, so writing it fast counts more than its size. */
enum { FAST_LEVEL = 1 };
/* Bytes that process 0 sends at once. */
enum { PIECE_BYTES = 4 << 20 };

static status_code no_bytes(const char *what, struct status *status) {
    return status_set(status, STATUS_SYSTEM,
                      "cannot %s the temporary file of a trace: %s; set trace.memory_folder to a "
                      "folder with room",
                      what, strerror(errno != 0 ? errno : EIO));
}

/* Sends the bytes of the file of process 0, which the others append to theirs. */
static status_code send_bytes(FILE *file, struct processes *processes, char *piece, uint64_t bytes,
                              struct status *status) {
    const bool sends = processes_number(processes) == 0;
    errno = 0;
    for (uint64_t done = 0; done < bytes;) {
        const size_t size = bytes - done < PIECE_BYTES ? (size_t)(bytes - done) : PIECE_BYTES;
        if (sends && fread(piece, 1, size, file) != size) return no_bytes("read", status);
        FORWARD_IF_ERROR(processes_broadcast(processes, piece, size, status));
        if (!sends && fwrite(piece, 1, size, file) != size) return no_bytes("write", status);
        done += size;
    }
    return sends || fflush(file) == 0 ? STATUS_OK : no_bytes("write", status);
}

static status_code send_file(FILE *file, struct processes *processes, struct status *status) {
    uint64_t bytes = 0;
    if (processes_number(processes) == 0) {
        const off_t end = fseeko(file, 0, SEEK_END) == 0 ? ftello(file) : -1;
        if (end < 0) return no_bytes("read", status);
        bytes = (uint64_t)end;
        rewind(file);
    }
    FORWARD_IF_ERROR(processes_broadcast(processes, &bytes, sizeof bytes, status));
    char *piece = memory_new(PIECE_BYTES, 1);
    RETURN_ERROR_IF(piece == NULL, status, STATUS_MEMORY, "out of memory for a trace");
    const status_code code = send_bytes(file, processes, piece, bytes, status);
    free(piece);
    rewind(file);
    return code;
}

/* What all processes know of a program besides its file. */
struct program_identity {
    uint64_t content_hash; /* that of joined programs is not that of their file */
    char name[1024];       /* of the temporary file, for messages */
};

/* Writes the program of process 0 to its file, and frees it. */
static status_code write_program(struct program **program, FILE *file, unsigned threads,
                                 struct program_identity *identity, struct status *status) {
    struct program *own = *program;
    snprintf(identity->name, sizeof identity->name, "the temporary file of %s",
             program_text(own, own->source));
    identity->content_hash = own->content_hash;
    status_code code = program_hash(own, threads, &own->content_hash, status);
    if (code == STATUS_OK)
        code = program_file_write(own, fileno(file), FAST_LEVEL, threads, status);
    program_free(own);
    *program = NULL;
    return code == STATUS_OK ? STATUS_OK : status_prefix(status, "%s", identity->name);
}

/* Gives the file of process 0, which is that of its program, to the other processes. */
static status_code share_file(struct program **program, FILE *file, unsigned threads,
                              struct processes *processes, struct program_identity *identity,
                              struct status *status) {
    if (*program != NULL) FORWARD_IF_ERROR(write_program(program, file, threads, identity, status));
    FORWARD_IF_ERROR(processes_broadcast(processes, identity, sizeof *identity, status));
    return send_file(file, processes, status);
}

status_code traces_distribute(struct program **program, const struct traces_config *config,
                              unsigned threads, struct status *status) {
    const struct traces_loading loading = {.paging = traces_paging(config),
                                           .processes = config->processes,
                                           .is_large = true,
                                           .keeps_user_regions = true,
                                           .threads = threads};
    struct program_identity identity = {0};
    FILE *file = NULL;
    status_code code = loading.paging != NULL
                           ? paging_new_file(loading.paging, &file, status)
                           : status_set(status, STATUS_MEMORY, "out of memory for a trace");
    if (code == STATUS_OK)
        code = share_file(program, file, threads, config->processes, &identity, status);
    if (code == STATUS_OK) {
        code = program_load_stream(program, file, identity.name, &loading, status);
        if (code == STATUS_OK) (*program)->content_hash = identity.content_hash;
        return code;
    }
    if (file != NULL) fclose(file);
    paging_free(loading.paging);
    program_free(*program);
    *program = NULL;
    return code;
}
