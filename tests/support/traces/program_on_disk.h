/*
 * Programs that a test builds as program files, for what reads traces by their paths, and calls
 * that write to files of MPI-IO.
 *
 * Header only, as builder_world.h.
 */
#ifndef ANAX_TESTS_PROGRAM_ON_DISK_H
#define ANAX_TESTS_PROGRAM_ON_DISK_H

#include "tests/support/traces/builder_world.h"
#include "traces/traces.h"

/* A call in which a rank writes to a file of the program. */
static inline void build_file_write(struct build_world *w, uint32_t rank, uint32_t file,
                                    uint64_t offset, uint64_t bytes) {
    w->region = builder_define_region(w->builder, "MPI_File_write_at", true);
    build_call(w, rank);
    BUILD_OK(builder_access_file(w->builder, rank, file, offset, bytes, OPERATION_FLAG_FILE_WRITE,
                                 BUILDER_NO_REQUEST, &w->status));
    build_call_end(w, rank);
}

/* Seals the program and writes it to a path, over a file that is there. */
static inline void build_on_disk(struct build_world *w, const char *path) {
    struct program *program = build_sealed(w, 1);
    BUILD_OK(traces_write_program(program, path, true, 1, &w->status));
    program_free(program);
}

#endif
