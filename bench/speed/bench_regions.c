/*
 * The archive of an application whose functions the compiler has instrumented, as most records of
 * long traces are: each rank computes in short user regions, one inside another, and then exchanges
 * with its neighbours in a ring. A program for bench_import.
 *
 *   bench_regions RANKS ITERATIONS REGIONS FOLDER      REGIONS: pairs of records in an iteration
 */
#include "traces/program/builder/program_builder.h"
#include "traces/traces.h"

#include <stdio.h>
#include <stdlib.h>

enum { NAMES = 100, DEPTH = 4, BYTES = 8192 };

struct application {
    uint32_t ranks;
    uint32_t iterations;
    uint32_t regions;
    uint32_t names[NAMES];
    uint32_t isend, irecv, waitall;
};

/* Nests of DEPTH regions, until all have begun and ended. */
static status_code compute(struct program_builder *builder, const struct application *application,
                           uint32_t rank, int64_t *now_ps, struct status *status) {
    for (uint32_t i = 0; i < application->regions;) {
        uint32_t depth = 0;
        for (; depth < DEPTH && i < application->regions; depth++, i++) {
            FORWARD_IF_ERROR(
                builder_enter(builder, rank, application->names[i % NAMES], *now_ps, status));
            FORWARD_IF_ERROR(builder_compute(builder, rank, 150000 + 1000 * (i % 7), status));
            *now_ps += 200000;
        }
        for (; depth > 0; depth--, *now_ps += 50000)
            FORWARD_IF_ERROR(builder_leave(builder, rank, *now_ps, status));
    }
    return STATUS_OK;
}

static status_code exchange(struct program_builder *builder, const struct application *application,
                            uint32_t rank, int64_t *now_ps, struct status *status) {
    const uint32_t calls[] = {application->irecv, application->isend, application->waitall};
    const uint64_t requests[] = {1, 2};
    uint32_t right = (rank + 1) % application->ranks;
    uint32_t left = (rank + application->ranks - 1) % application->ranks;
    for (int i = 0; i < 3; i++, *now_ps += 1000000) {
        FORWARD_IF_ERROR(builder_call(builder, rank, calls[i], 0, *now_ps, status));
        if (i == 0)
            FORWARD_IF_ERROR(builder_receive(builder, rank, 0, left, 0, BYTES, 0, 1, status));
        else if (i == 1)
            FORWARD_IF_ERROR(builder_send(builder, rank, 0, right, 0, BYTES, 0, 2, status));
        else
            FORWARD_IF_ERROR(builder_wait(builder, rank, requests, 2, status));
        FORWARD_IF_ERROR(builder_return(builder, rank, *now_ps + 500000, false, status));
    }
    return STATUS_OK;
}

static status_code build(struct program_builder *builder, struct application *application,
                         struct status *status) {
    uint32_t *members = malloc(application->ranks * sizeof *members), world;
    RETURN_ERROR_IF(members == NULL, status, STATUS_MEMORY, "out of memory");
    for (uint32_t i = 0; i < application->ranks; i++)
        members[i] = i;
    status_code code = builder_define_communicator(builder, "MPI_COMM_WORLD", members,
                                                   application->ranks, &world, status);
    free(members);
    for (int i = 0; i < NAMES; i++) {
        char name[32];
        snprintf(name, sizeof name, "function_%d", i);
        application->names[i] = builder_define_region(builder, name, false);
    }
    application->irecv = builder_define_region(builder, "MPI_Irecv", true);
    application->isend = builder_define_region(builder, "MPI_Isend", true);
    application->waitall = builder_define_region(builder, "MPI_Waitall", true);
    for (uint32_t rank = 0; code == STATUS_OK && rank < application->ranks; rank++) {
        int64_t now_ps = 0;
        for (uint32_t i = 0; code == STATUS_OK && i < application->iterations; i++) {
            code = compute(builder, application, rank, &now_ps, status);
            if (code == STATUS_OK) code = exchange(builder, application, rank, &now_ps, status);
        }
    }
    return code;
}

static status_code write_archive(struct application *application, const char *folder,
                                 struct status *status) {
    struct program *program = NULL;
    struct traces_times times = {0};
    struct program_builder *builder = builder_new(application->ranks, status);
    if (builder == NULL) return STATUS_MEMORY;
    status_code code = build(builder, application, status);
    if (code == STATUS_OK) code = builder_seal(builder, 1, &program, status);
    if (code == STATUS_OK) code = traces_compute_nominal_times(program, &times, status);
    if (code == STATUS_OK) code = traces_write_otf2(program, &times, folder, status);
    builder_free(builder);
    traces_times_free(&times);
    program_free(program);
    return code;
}

int main(int argument_count, char **arguments) {
    struct application application = {0};
    if (argument_count == 5) {
        application.ranks = (uint32_t)strtoul(arguments[1], NULL, 10);
        application.iterations = (uint32_t)strtoul(arguments[2], NULL, 10);
        application.regions = (uint32_t)strtoul(arguments[3], NULL, 10);
    }
    if (application.ranks < 3) {
        fprintf(stderr,
                "usage: bench_regions RANKS ITERATIONS REGIONS FOLDER (3 ranks at least)\n");
        return 2;
    }
    struct status status = STATUS_INIT;
    status_code code = write_archive(&application, arguments[4], &status);
    if (code != STATUS_OK) fprintf(stderr, "bench_regions: %s\n", status.text);
    status_clear(&status);
    return code == STATUS_OK ? 0 : 1;
}
