/* Draws programs from a seed: messages of all modes, waits in any order, and collectives on
 * communicators of all kinds. */
#include "tests/support/traces/random_program.h"
#include "core/simulation/random.h"
#include "traces/program/builder/program_builder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { IN_FLIGHT_LIMIT = 64 };

struct maker {
    struct program_builder *builder;
    uint64_t seed, draws;
    uint32_t rank_count;
    uint32_t world, even, self, inter, user;
    struct {
        uint64_t requests[IN_FLIGHT_LIMIT];
        uint32_t request_count;
        uint64_t next_request;
        uint64_t event;
        int64_t now_ps;
        uint32_t depth;
    } ranks[64];
    struct status status;
};

#define MAKE(expression)                                                                           \
    do {                                                                                           \
        if ((expression) != STATUS_OK) fail_msg("%s", m->status.text);                             \
    } while (0)

static uint32_t below(struct maker *m, uint32_t bound) {
    struct random_block block = random_draw(m->seed, RANDOM_PATTERN, 99, m->draws++);
    return random_below(block.word[0], bound);
}

static void begin(struct maker *m, uint32_t rank, const char *name) {
    m->ranks[rank].event += 1 + below(m, 3);
    m->ranks[rank].now_ps += below(m, 1000);
    uint32_t region = builder_define_region(m->builder, name, true);
    MAKE(builder_call(m->builder, rank, region, m->ranks[rank].event, m->ranks[rank].now_ps,
                      &m->status));
}

static void finish(struct maker *m, uint32_t rank) {
    m->ranks[rank].now_ps += 1 + below(m, 1000);
    MAKE(builder_wait_call(m->builder, rank, &m->status));
    MAKE(builder_return(m->builder, rank, m->ranks[rank].now_ps, false, &m->status));
}

/* Waits for a random part of a rank's requests, or all; or tests find them complete. */
static void wait_some(struct maker *m, uint32_t rank, bool all) {
    uint64_t chosen[IN_FLIGHT_LIMIT];
    uint32_t count = 0, kept = 0;
    for (uint32_t i = 0; i < m->ranks[rank].request_count; i++) {
        uint64_t request = m->ranks[rank].requests[i];
        if (all || below(m, 2) == 0)
            chosen[count++] = request;
        else
            m->ranks[rank].requests[kept++] = request;
    }
    m->ranks[rank].request_count = kept;
    for (uint32_t i = count; i > 1; i--) { /* in any order */
        uint32_t other = below(m, i);
        uint64_t moved = chosen[i - 1];
        chosen[i - 1] = chosen[other];
        chosen[other] = moved;
    }
    bool tested = below(m, 3) == 0;
    uint64_t given = 0;
    begin(m, rank, tested ? "MPI_Testall" : "MPI_Waitall");
    if (tested)
        MAKE(builder_wait_tested(m->builder, rank, chosen, count, &given, &m->status));
    else
        MAKE(builder_wait(m->builder, rank, chosen, count, &m->status));
    finish(m, rank);
}

static uint64_t new_request(struct maker *m, uint32_t rank) {
    if (m->ranks[rank].request_count == IN_FLIGHT_LIMIT) return BUILDER_NO_REQUEST;
    uint64_t request = m->ranks[rank].next_request++ * 0x1234567; /* arbitrary ids */
    m->ranks[rank].requests[m->ranks[rank].request_count++] = request;
    return request;
}

/* One of a few requests of the rank, to be started again and again. */
static uint64_t persistent_request(struct maker *m, uint32_t rank) {
    uint64_t request = UINT64_C(0x777700000000) + below(m, 3);
    for (uint32_t i = 0; i < m->ranks[rank].request_count; i++)
        if (m->ranks[rank].requests[i] == request) return BUILDER_NO_REQUEST;
    m->ranks[rank].requests[m->ranks[rank].request_count++] = request;
    return request;
}

static void message(struct maker *m) {
    uint32_t from = below(m, m->rank_count), to = below(m, m->rank_count);
    uint32_t communicator = from % 2 == 0 && to % 2 == 0 && below(m, 2) ? m->even : m->world;
    if (m->rank_count > 1 && from % 2 != to % 2 && below(m, 2)) communicator = m->inter;
    if (from == to && below(m, 2)) communicator = m->self;
    int32_t tag = (int32_t)below(m, 4);
    uint64_t bytes = below(m, 4) == 0 ? 0 : (uint64_t)below(m, 1u << below(m, 31));
    static const unsigned modes[] = {0, OPERATION_FLAG_SEND_SYNCHRONOUS,
                                     OPERATION_FLAG_SEND_BUFFERED, OPERATION_FLAG_SEND_READY};
    static const char *const names[] = {"MPI_Isend", "MPI_Issend", "MPI_Ibsend", "MPI_Irsend"};
    uint32_t mode = below(m, 4);
    unsigned flags = modes[mode];
    uint32_t kind = below(m, 20);
    bool detached = kind < 2 || m->ranks[from].request_count == IN_FLIGHT_LIMIT;
    uint64_t request = BUILDER_NO_REQUEST;
    if (!detached && mode == 0 && below(m, 2) == 0) request = persistent_request(m, from);
    bool persistent = request != BUILDER_NO_REQUEST;
    begin(m, from, persistent ? "MPI_Start" : names[mode]);
    if (detached) flags |= OPERATION_FLAG_DETACHED;
    if (persistent) flags |= OPERATION_FLAG_SEND_PERSISTENT;
    if (!detached && !persistent) request = new_request(m, from);
    MAKE(builder_send(m->builder, from, communicator, to, tag, bytes, flags, detached ? 0 : request,
                      &m->status));
    finish(m, from);
    if (kind == 19) return; /* nobody receives it */
    begin(m, to, "MPI_Irecv");
    if (m->ranks[to].request_count == IN_FLIGHT_LIMIT) {
        MAKE(builder_receive(m->builder, to, communicator, from, tag, bytes,
                             OPERATION_FLAG_DETACHED, 0, &m->status));
    } else if (kind < 10) {
        MAKE(builder_receive(m->builder, to, communicator, from, tag, bytes, 0, new_request(m, to),
                             &m->status));
    } else {
        request = new_request(m, to);
        MAKE(builder_reserve_receive(m->builder, to, request, &m->status));
        MAKE(builder_fill_receive(m->builder, to, request, communicator, from, tag, bytes,
                                  &m->status));
    }
    finish(m, to);
}

/* Gives half of the collectives what recordings know of them. */
static void add_sizes(struct maker *m, uint32_t rank,
                      const struct program_collective_arguments *arguments) {
    const uint32_t communicator = arguments->communicator;
    const uint32_t members = communicator == m->world  ? m->rank_count
                             : communicator == m->even ? (m->rank_count + 1) / 2
                                                       : 1;
    uint64_t row[64] = {0}, left = arguments->send_bytes;
    if (arguments->root % 2 == 0) return;
    if (program_is_reduction(arguments->kind))
        MAKE(builder_set_element(m->builder, rank, 4, &m->status));
    if (!program_is_paired(arguments->kind)) return;
    for (uint32_t i = 0; i + 1 < members; i++) {
        row[i] = left * (i + rank) % 4 / 4;
        left -= row[i];
    }
    row[members - 1] = left;
    MAKE(builder_set_bytes_to_members(m->builder, rank, row, members, &m->status));
}

static void collective_of_all(struct maker *m) {
    uint32_t kind = below(m, PROGRAM_COLLECTIVE_WINDOW), which = below(m, 3);
    bool blocking = below(m, 2) == 0;
    uint32_t communicator = which == 0 ? m->world : which == 1 ? m->even : m->self;
    uint32_t root = which == 2 ? 0 : below(m, which == 0 ? m->rank_count : (m->rank_count + 1) / 2);
    for (uint32_t rank = 0; rank < m->rank_count; rank++) {
        if (which == 1 && rank % 2 == 1) continue;
        struct program_collective_arguments arguments = {.kind = kind,
                                                         .communicator = communicator,
                                                         .root = root,
                                                         .send_bytes = below(m, 3) * 100,
                                                         .receive_bytes = below(m, 3) * 100};
        if (!blocking && m->ranks[rank].request_count == IN_FLIGHT_LIMIT) wait_some(m, rank, true);
        begin(m, rank, blocking ? "MPI_Allreduce" : "MPI_Iallreduce");
        MAKE(builder_collective(m->builder, rank, &arguments,
                                below(m, 4) == 0 ? OPERATION_FLAG_COLLECTIVE_IN_PLACE : 0,
                                blocking ? BUILDER_NO_REQUEST : new_request(m, rank), &m->status));
        add_sizes(m, rank, &arguments);
        finish(m, rank);
    }
}

static void mark(struct maker *m) {
    uint32_t rank = below(m, m->rank_count);
    int64_t now_ps = m->ranks[rank].now_ps += below(m, 5);
    if (m->ranks[rank].depth > 0 && below(m, 2)) {
        MAKE(builder_leave(m->builder, rank, now_ps, &m->status));
        m->ranks[rank].depth--;
    } else {
        MAKE(builder_enter(m->builder, rank, m->user, now_ps, &m->status));
        m->ranks[rank].depth++;
    }
}

static void define(struct maker *m) {
    uint32_t members[64], even[32], odd[32];
    for (uint32_t i = 0; i < m->rank_count; i++) {
        members[i] = i;
        if (i % 2 == 0)
            even[(m->rank_count + 1) / 2 - 1 - i / 2] = i; /* in falling order */
        else
            odd[i / 2] = i;
    }
    uint32_t even_count = (m->rank_count + 1) / 2;
    MAKE(builder_define_communicator(m->builder, "MPI_COMM_WORLD", members, m->rank_count,
                                     &m->world, &m->status));
    MAKE(builder_define_communicator(m->builder, "even", even, even_count, &m->even, &m->status));
    builder_set_communicator_number(m->builder, m->even, 4000000000);
    MAKE(builder_define_communicator_self(m->builder, "MPI_COMM_SELF", &m->self, &m->status));
    if (m->rank_count > 1)
        MAKE(builder_define_intercommunicator(m->builder, "inter", even, even_count, odd,
                                              m->rank_count / 2, &m->inter, &m->status));
    m->user = builder_define_region(m->builder, "solve", false);
    builder_set_source(m->builder, "random", "test", 12345, m->rank_count, 1000000);
    builder_add_note(m->builder, "MPI_Put", "one-sided communication is not modelled", 3);
    builder_add_assumption(m->builder, "sizes", "the trace does not say them", 2);
}

struct program *random_program(uint64_t seed, uint32_t rank_count, uint32_t steps) {
    struct maker *m = calloc(1, sizeof *m);
    assert_non_null(m);
    assert_true(rank_count <= 64);
    m->seed = seed;
    m->rank_count = rank_count;
    m->builder = builder_new(rank_count, &m->status);
    assert_non_null(m->builder);
    define(m);
    for (uint32_t i = 0; i < steps; i++) {
        uint32_t what = below(m, 10), rank = below(m, rank_count);
        if (what < 5) message(m);
        if (what == 5) collective_of_all(m);
        if (what == 6) mark(m);
        if (what == 7) wait_some(m, rank, false);
        if (what > 7) MAKE(builder_compute(m->builder, rank, below(m, 100000), &m->status));
    }
    for (uint32_t rank = 0; rank < rank_count; rank++) {
        if (below(m, 4) > 0) wait_some(m, rank, true);
        for (; m->ranks[rank].depth > 0; m->ranks[rank].depth--)
            MAKE(builder_leave(m->builder, rank, m->ranks[rank].now_ps, &m->status));
        if (below(m, 2)) /* makes no difference */
            MAKE(builder_end_rank(m->builder, rank, &m->status));
    }
    struct program *program = NULL;
    MAKE(builder_seal(m->builder, 1 + (unsigned)(seed % 3), &program, &m->status));
    builder_free(m->builder);
    free(m);
    return program;
}
