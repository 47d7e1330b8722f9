/*
 * One-sided operations on the ideal network: closed forms, and that their targets have no part in
 * them.
 */
#include "tests/support/replay/replay_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { S = WORLD_SEND_PS, BYTES = 50000 };
#define C    WORLD_MESSAGE_PS(WORLD_CONTROL_BYTES)
#define Z    WORLD_MESSAGE_PS(BYTES)
#define LONG INT64_C(100000000)

/* A call of rank 0 that posts an operation on rank `to`. */
static void post(struct world *w, uint32_t to, uint64_t bytes, unsigned flags, uint64_t request) {
    uint32_t region = builder_define_region(w->builder, "MPI_Put", true);
    assert_int_equal(builder_call(w->builder, 0, region, w->next_call++, 0, &w->status), STATUS_OK);
    assert_int_equal(builder_send(w->builder, 0, w->everyone, to, PROGRAM_TAG_RMA, bytes, flags,
                                  request, &w->status),
                     STATUS_OK);
    assert_int_equal(builder_wait_call(w->builder, 0, &w->status), STATUS_OK);
    assert_int_equal(builder_return(w->builder, 0, 0, false, &w->status), STATUS_OK);
}

static void operations_take_the_closed_form(void **state) {
    (void)state;
    static const struct {
        unsigned flags;
        uint64_t bytes;
        int64_t there_and_back_ps;
    } rows[] = {
        {OPERATION_FLAG_RMA_WRITE, BYTES, Z + C},
        {OPERATION_FLAG_RMA_READ, BYTES, C + Z},
        {OPERATION_FLAG_RMA_WRITE | OPERATION_FLAG_RMA_READ, BYTES, Z + Z},
        {OPERATION_FLAG_RMA_WRITE, 0, C + C},
    };
    for (unsigned software = 0; software < 2; software++) {
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            struct world w;
            world_new(&w, 2);
            w.config.progress = (int32_t)software;
            post(&w, 1, rows[i].bytes, rows[i].flags, BUILDER_NO_REQUEST);
            world_compute(&w, 1, LONG); /* the target is busy */
            const struct replay_result *result = world_finish(&w);
            assert_int_equal(result->ranks[0].time_ps, S + rows[i].there_and_back_ps);
            assert_int_equal(result->ranks[0].wait_transit_ps, rows[i].there_and_back_ps);
            assert_int_equal(result->ranks[1].time_ps, LONG);
            assert_int_equal(result->rma_operations, 1);
            assert_int_equal(result->eager_messages + result->rendezvous_messages, 0);
            assert_int_equal(result->ranks[0].sent_messages, 0);
            assert_int_equal(w.program->unmatched_sends, 0);
            world_free(&w);
        }
    }
}

/* Many under way, waited for together; one that nobody waits for; one to itself. */
static void several_operations_go_at_once(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 3);
    const uint64_t ids[] = {1, 2, 3};
    post(&w, 1, BYTES, OPERATION_FLAG_RMA_WRITE, 1);
    post(&w, 2, 8, OPERATION_FLAG_RMA_READ, 2);
    post(&w, 0, 8, OPERATION_FLAG_RMA_WRITE, 3);
    post(&w, 2, 8, OPERATION_FLAG_RMA_WRITE | OPERATION_FLAG_DETACHED, BUILDER_NO_REQUEST);
    world_wait(&w, 0, ids, 3);
    const struct replay_result *result = world_finish(&w);
    assert_int_equal(result->ranks[0].time_ps, S + Z + C);
    assert_int_equal(result->rma_operations, 4);
    struct program_totals totals;
    program_totals_compute(w.program, &totals);
    assert_int_equal(totals.messages, 0);
    assert_int_equal(totals.rma_operations, 4);
    assert_int_equal(totals.rma_bytes, BYTES + 24);
    world_free(&w);
}

/* Beside messages of the same pair: they meet their receives as if there were no operations. */
static void messages_are_matched_past_them(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 2);
    post(&w, 1, 8, OPERATION_FLAG_RMA_WRITE, BUILDER_NO_REQUEST);
    world_send(&w, 0, 1, 8, 0);
    post(&w, 1, 8, OPERATION_FLAG_RMA_READ, BUILDER_NO_REQUEST);
    world_send(&w, 0, 1, 16, 0);
    world_receive(&w, 1, 0, 8);
    world_receive(&w, 1, 0, 16);
    const struct replay_result *result = world_finish(&w);
    assert_int_equal(result->eager_messages, 2);
    assert_int_equal(w.program->unmatched_sends + w.program->unmatched_receives, 0);
    world_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_take_the_closed_form),
        cmocka_unit_test(several_operations_go_at_once),
        cmocka_unit_test(messages_are_matched_past_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
