/*
 * A program under construction: ranks with one communicator and one MPI call. Any error that a test
 * does not ask for fails it.
 *
 * Header only, because it is little. Must not look behind program_builder.h.
 */
#ifndef ANAX_TESTS_BUILDER_WORLD_H
#define ANAX_TESTS_BUILDER_WORLD_H

#include "traces/program/builder/program_builder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct build_world {
    struct program_builder *builder;
    uint32_t communicator;
    uint32_t region;
    int64_t now_ps[64]; /* of each rank's next mark */
    struct status status;
};

static inline struct build_world build_world_new(uint32_t rank_count) {
    struct build_world world = {.status = STATUS_INIT};
    world.builder = builder_new(rank_count, &world.status);
    assert_non_null(world.builder);
    builder_set_source(world.builder, "", "", 0, 0, 1000000000);
    world.region = builder_define_region(world.builder, "MPI_Call", true);
    uint32_t members[64];
    for (uint32_t i = 0; i < rank_count; i++)
        members[i] = i;
    assert_int_equal(builder_define_communicator(world.builder, "MPI_COMM_WORLD", members,
                                                 rank_count, &world.communicator, &world.status),
                     STATUS_OK);
    return world;
}

/* Of a build_world *w. */
#define BUILD_OK(expression)                                                                       \
    do {                                                                                           \
        if ((expression) != STATUS_OK) fail_msg("%s", w->status.text);                             \
    } while (0)

static inline void build_call(struct build_world *w, uint32_t rank) {
    BUILD_OK(builder_call(w->builder, rank, w->region, 7, w->now_ps[rank]++, &w->status));
}

static inline void build_call_end(struct build_world *w, uint32_t rank) {
    BUILD_OK(builder_wait_call(w->builder, rank, &w->status));
    BUILD_OK(builder_return(w->builder, rank, w->now_ps[rank]++, false, &w->status));
}

static inline void build_isend(struct build_world *w, uint32_t rank, uint32_t to, int32_t tag,
                               uint64_t bytes, uint64_t request) {
    BUILD_OK(
        builder_send(w->builder, rank, w->communicator, to, tag, bytes, 0, request, &w->status));
}

static inline void build_irecv(struct build_world *w, uint32_t rank, uint32_t from, int32_t tag,
                               uint64_t bytes, uint64_t request) {
    BUILD_OK(builder_receive(w->builder, rank, w->communicator, from, tag, bytes, 0, request,
                             &w->status));
}

static inline void build_wait(struct build_world *w, uint32_t rank, uint64_t request) {
    BUILD_OK(builder_wait(w->builder, rank, &request, 1, &w->status));
}

static inline struct program *build_sealed(struct build_world *w, unsigned threads) {
    struct program *program = NULL;
    BUILD_OK(builder_seal(w->builder, threads, &program, &w->status));
    BUILD_OK(program_check(program, &w->status));
    builder_free(w->builder);
    return program;
}

static inline void build_refused(struct build_world *w, status_code code, const char *text) {
    assert_int_equal(w->status.code, code);
    assert_non_null(w->status.text);
    if (strstr(w->status.text, text) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", w->status.text, text);
    status_clear(&w->status);
}

static inline const struct program_operation *build_operation(const struct program *program,
                                                              uint32_t rank, uint64_t index) {
    assert_true(index < program->ranks[rank].count);
    return &program->operations[program->ranks[rank].first + index];
}

static inline void build_collective(struct build_world *w, uint32_t rank,
                                    program_collective_kind kind, uint32_t communicator,
                                    uint64_t send, uint64_t receive, uint64_t request) {
    struct program_collective_arguments arguments = {.kind = kind,
                                                     .communicator = communicator,
                                                     .root = 0,
                                                     .send_bytes = send,
                                                     .receive_bytes = receive};
    build_call(w, rank);
    BUILD_OK(builder_collective(w->builder, rank, &arguments, 0, request, &w->status));
    if (request != BUILDER_NO_REQUEST) build_wait(w, rank, request);
    build_call_end(w, rank);
}

#endif
