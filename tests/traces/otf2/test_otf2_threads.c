/* Several threads of a process call MPI: whose calls come first, and whose time is computation. */
#include "tests/support/traces/archive_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct program *finish(struct archive_maker *maker) {
    return archive_finish(maker, &(struct traces_config){0});
}

/* What a thread does with a request: posts or completes a receive, a send or a barrier. */
struct step {
    uint32_t thread;
    char what; /* r, s, b; R, S, B */
    uint64_t request;
};

static void take(struct archive_maker *maker, struct step step, uint64_t ticks) {
    OTF2_EvtWriter *events = maker_events(maker, 0, step.thread);
    static const char kinds[] = "rsbRSB";
    static const char *const calls[] = {"MPI_Start", "MPI_Start", "MPI_Ibarrier",
                                        "MPI_Wait",  "MPI_Wait",  "MPI_Wait"};
    const char *call = calls[strchr(kinds, step.what) - kinds];
    maker_enter(maker, events, ticks, call);
    if (step.what == 'r') OTF2_EvtWriter_MpiIrecvRequest(events, NULL, ticks, step.request);
    if (step.what == 'R')
        OTF2_EvtWriter_MpiIrecv(events, NULL, ticks, 0, MAKER_SELF, 1, 8, step.request);
    if (step.what == 's')
        OTF2_EvtWriter_MpiIsend(events, NULL, ticks, 0, MAKER_SELF, 1, 8, step.request);
    if (step.what == 'S') OTF2_EvtWriter_MpiIsendComplete(events, NULL, ticks, step.request);
    if (step.what == 'b')
        OTF2_EvtWriter_NonBlockingCollectiveRequest(events, NULL, ticks, step.request);
    if (step.what == 'B')
        OTF2_EvtWriter_NonBlockingCollectiveComplete(events, NULL, ticks,
                                                     OTF2_COLLECTIVE_OP_BARRIER, MAKER_WORLD,
                                                     OTF2_COLLECTIVE_ROOT_NONE, 0, 0, step.request);
    maker_leave(maker, events, ticks, call);
}

/* The kinds of a rank's operations that post and wait. */
static const char *order(const struct program *program) {
    static char text[64];
    size_t length = 0;
    for (uint64_t i = 0; i < program->ranks[0].count; i++) {
        const struct program_operation *operation =
            &program->operations[program->ranks[0].first + i];
        const char *found = memchr(
            (const char[]){OPERATION_SEND, OPERATION_RECEIVE, OPERATION_COLLECTIVE, OPERATION_WAIT},
            (int)operation->kind, 4);
        if (found == NULL) continue;
        static const char letters[] = {[OPERATION_SEND] = 's',
                                       [OPERATION_RECEIVE] = 'r',
                                       [OPERATION_COLLECTIVE] = 'b',
                                       [OPERATION_WAIT] = 'W'};
        text[length++] = letters[operation->kind];
    }
    text[length] = '\0';
    return text;
}

/* The clock stands still while one thread posts what another completes, whoever has the smaller
 * number; each thread's own order stays. */
static void posts_come_before_completions(void **state) {
    (void)state;
    static const struct {
        struct step steps[10]; /* an order that could have taken place */
        const char *expected;
    } cases[] = {
        {{{0, 's', 1}, {0, 'S', 1}, {1, 'r', 2}, {0, 'R', 2}}, "sWrW"},
        {{{2, 's', 1}, {1, 'S', 1}, {2, 'r', 2}, {1, 'R', 2}}, "sWrW"},
        {{{1, 'b', 1}, {0, 'B', 1}}, "bW"},
        {{{2, 'b', 1}, {1, 'B', 1}}, "bW"},
        /* From 2 to 1 to 0 and back. */
        {{{2, 's', 1}, {1, 'S', 1}, {1, 'r', 2}, {0, 'R', 2}, {0, 'b', 3}, {2, 'B', 3}}, "sWrWbW"},
        /* A persistent request is started again by who did not complete it. */
        {{{1, 's', 1},
          {0, 'S', 1},
          {1, 's', 1},
          {0, 'S', 1},
          {2, 'r', 2},
          {1, 'R', 2},
          {2, 'r', 2},
          {1, 'R', 2}},
         "sWsWrWrW"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct archive_maker *maker = maker_new(1, 3, 1000000000, 0, true);
        for (const struct step *s = cases[i].steps; s->what != '\0'; s++)
            take(maker, *s, 10);
        struct program *program = finish(maker);
        if (strcmp(order(program), cases[i].expected) != 0)
            fail_msg("case %zu: %s instead of %s", i, order(program), cases[i].expected);
        assert_int_equal(archive_noted(program, "MPI_Irecv never completed"), 0);
        program_free(program);
    }
}

static void handle(struct archive_maker *maker, uint32_t rank, const char *call, uint64_t from,
                   uint64_t to) {
    OTF2_EvtWriter *events = maker_events(maker, rank, 0);
    maker_enter(maker, events, from, call);
    OTF2_EvtWriter_MpiCollectiveEnd(events, NULL, to, OTF2_COLLECTIVE_OP_CREATE_HANDLE, MAKER_WORLD,
                                    OTF2_COLLECTIVE_ROOT_NONE, 0, 0);
    maker_leave(maker, events, to, call);
}

static void barrier_on(struct archive_maker *maker, uint32_t rank, uint32_t thread, uint64_t from,
                       uint64_t to, uint32_t communicator) {
    OTF2_EvtWriter *events = maker_events(maker, rank, thread);
    maker_enter(maker, events, from, "MPI_Barrier");
    OTF2_EvtWriter_MpiCollectiveEnd(events, NULL, to, OTF2_COLLECTIVE_OP_BARRIER, communicator,
                                    OTF2_COLLECTIVE_ROOT_NONE, 0, 0);
    maker_leave(maker, events, to, "MPI_Barrier");
}

static void barrier(struct archive_maker *maker, uint32_t rank, uint32_t thread, uint64_t from,
                    uint64_t to) {
    barrier_on(maker, rank, thread, from, to, MAKER_WORLD);
}

static int64_t computation_ns(const struct program *program, uint32_t rank) {
    int64_t sum_ps = 0;
    for (uint64_t i = 0; i < program->ranks[rank].count; i++) {
        const struct program_operation *operation =
            &program->operations[program->ranks[rank].first + i];
        if (operation->kind == OPERATION_COMPUTE) sum_ps += operation->compute.duration_ps;
    }
    return sum_ps / 1000;
}

/* The first thread calls MPI_Init and MPI_Finalize, and thread 1 of rank 0 alone communicates:
 * what it waits for is no computation. If others communicate too, computation is the first
 * thread's. */
static void ranks_follow_who_communicates(void **state) {
    (void)state;
    static const struct {
        uint32_t who; /* makes one more call; 3: nobody */
        int64_t expected_ns;
    } cases[] = {
        {3, 10 + 80 + 100 + 300}, /* 0-10, 20-100, 400-500, 600-900 */
        {0, 10 + 680 + 190},      /* 0-10, 20-700, 710-900 */
        {1, 10 + 80 + 100 + 100 + 190},
        {2, 10 + 880}, /* 0-10, 20-900 */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct archive_maker *maker = maker_new(2, 3, 1000000000, 0, true);
        for (uint32_t rank = 0; rank < 2; rank++) {
            uint32_t thread = rank == 0 ? 1 : 0;
            maker_enter(maker, maker_events(maker, rank, 0), 0, "main");
            handle(maker, rank, "MPI_Init_thread", 10, 20);
            barrier(maker, rank, thread, 100, 400);
            barrier(maker, rank, thread, 500, 600);
            if (cases[i].who < 3) barrier(maker, rank, rank == 0 ? cases[i].who : 0, 700, 710);
            maker_enter(maker, maker_events(maker, rank, 0), 900, "MPI_Finalize");
            maker_leave(maker, maker_events(maker, rank, 0), 950, "MPI_Finalize");
            maker_leave(maker, maker_events(maker, rank, 0), 1000, "main");
        }
        maker_enter(maker, maker_events(maker, 0, 2), 720, "work");
        maker_leave(maker, maker_events(maker, 0, 2), 990, "work");
        struct program *program = finish(maker);
        if (computation_ns(program, 0) != cases[i].expected_ns)
            fail_msg("case %zu: %lld ns of computation", i, (long long)computation_ns(program, 0));
        assert_int_equal(archive_noted(program, "MPI calls of several threads of a process"),
                         cases[i].who == 1 || cases[i].who == 2 ? 3 : 2);
        program_free(program);
    }
}

/* Two threads are in collectives at the same time, on two communicators. The collective that ends
 * later is posted before the other one, since ranks may end them in different orders. If another
 * thread has called nothing meanwhile, a collective stays as it is. */
static void the_collective_that_ends_later_is_posted_first(void **state) {
    (void)state;
    static const struct {
        uint64_t world[2], self[2]; /* begin and end of the barriers of threads 0 and 1 */
        const char *expected;
        uint32_t apart; /* which collective is the one that was posted before it ended, from 0 */
    } cases[] = {
        {{100, 300}, {200, 400}, "bbW", 0},
        {{200, 400}, {100, 300}, "bbW", 0},
        {{100, 200}, {300, 400}, "bb", 2},
        {{100, 400}, {200, 300}, "bbW", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct archive_maker *maker = maker_new(1, 2, 1000000000, 0, true);
        barrier_on(maker, 0, 0, cases[i].world[0], cases[i].world[1], MAKER_WORLD);
        barrier_on(maker, 0, 1, cases[i].self[0], cases[i].self[1], MAKER_SELF);
        struct program *program = finish(maker);
        if (strcmp(order(program), cases[i].expected) != 0)
            fail_msg("case %zu: %s instead of %s", i, order(program), cases[i].expected);
        uint32_t number = 0;
        for (uint64_t k = 0; k < program->ranks[0].count; k++) {
            const struct program_operation *each =
                &program->operations[program->ranks[0].first + k];
            if (each->kind != OPERATION_COLLECTIVE) continue;
            assert_true(program_is_blocking(each));
            assert_int_equal((each->flags & OPERATION_FLAG_COLLECTIVE_SPLIT) != 0,
                             number++ == cases[i].apart);
        }
        assert_int_equal(number, 2);
        program_free(program);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_collective_that_ends_later_is_posted_first),
        cmocka_unit_test(posts_come_before_completions),
        cmocka_unit_test(ranks_follow_who_communicates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
