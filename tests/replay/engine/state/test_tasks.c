/* Postponed tasks of a rank: they come back in the order in which they were postponed, once each,
 * and only software progress postpones any. */
#include "replay/engine/state/engine_state.h"
#include "replay/engine/state/tasks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { RANKS = 2 };

struct fixture {
    struct engine_rank ranks[RANKS];
    struct replay_engine engine;
    struct engine_domain domain;
};

static int set_up(void **state) {
    struct fixture *fixture = calloc(1, sizeof *fixture);
    if (fixture == NULL) return 1;
    for (uint32_t rank = 0; rank < RANKS; rank++)
        fixture->ranks[rank].last_task = PROGRAM_NONE;
    fixture->engine.ranks = fixture->ranks;
    fixture->domain.engine = &fixture->engine;
    *state = fixture;
    return 0;
}

static int tear_down(void **state) {
    struct fixture *fixture = *state;
    engine_task_pool_clear(&fixture->domain.tasks);
    free(fixture);
    return 0;
}

static void postpone(struct fixture *fixture, uint32_t rank, uint32_t send) {
    const struct engine_task task = {.kind = ENGINE_TASK_DATA, .send = send};
    tasks_postpone(&fixture->domain, rank, &task);
}

/* Takes all tasks of a rank, and expects those of the sends from `first` to `first` + `count` - 1.
 */
static void expect_tasks(struct fixture *fixture, uint32_t rank, uint32_t first, uint32_t count) {
    struct tasks_taken taken = tasks_take(&fixture->domain, &fixture->ranks[rank]);
    struct engine_task task;
    for (uint32_t i = 0; i < count; i++) {
        assert_true(tasks_next(&fixture->domain, &taken, &task));
        assert_int_equal(task.kind, ENGINE_TASK_DATA);
        assert_int_equal(task.send, first + i);
    }
    assert_false(tasks_next(&fixture->domain, &taken, &task));
}

static void tasks_come_back_in_the_order_in_which_they_were_postponed(void **state) {
    struct fixture *fixture = *state;
    expect_tasks(fixture, 0, 0, 0);
    for (uint32_t i = 0; i < 5; i++) {
        postpone(fixture, 0, i);
        if (i < 2) postpone(fixture, 1, 100 + i);
    }
    expect_tasks(fixture, 0, 0, 5);
    expect_tasks(fixture, 0, 0, 0);
    postpone(fixture, 0, 7); /* takes the place of a task that is done */
    expect_tasks(fixture, 1, 100, 2);
    expect_tasks(fixture, 0, 7, 1);
}

/* Those that are postponed while others are carried out belong to the next call. */
static void tasks_that_are_postponed_meanwhile_stay(void **state) {
    struct fixture *fixture = *state;
    struct engine_task task;
    postpone(fixture, 0, 1);
    postpone(fixture, 0, 2);
    struct tasks_taken taken = tasks_take(&fixture->domain, &fixture->ranks[0]);
    assert_true(tasks_next(&fixture->domain, &taken, &task));
    postpone(fixture, 0, 3);
    assert_true(tasks_next(&fixture->domain, &taken, &task));
    assert_int_equal(task.send, 2);
    assert_false(tasks_next(&fixture->domain, &taken, &task));
    expect_tasks(fixture, 0, 3, 1);
}

static void ranks_are_outside_from_the_end_of_a_call_with_software_progress(void **state) {
    struct fixture *fixture = *state;
    fixture->ranks[1] = (struct engine_rank){.is_outside_mpi = true, .call_from_ps = 50};
    fixture->engine.config.progress = REPLAY_PROGRESS_SOFTWARE;
    assert_false(tasks_rank_is_outside(&fixture->domain, 0, 50));
    assert_false(tasks_rank_is_outside(&fixture->domain, 1, 49));
    assert_true(tasks_rank_is_outside(&fixture->domain, 1, 50));
    fixture->engine.config.progress = REPLAY_PROGRESS_HARDWARE;
    assert_false(tasks_rank_is_outside(&fixture->domain, 1, 50));
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(tasks_come_back_in_the_order_in_which_they_were_postponed),
        TEST(tasks_that_are_postponed_meanwhile_stay),
        TEST(ranks_are_outside_from_the_end_of_a_call_with_software_progress),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
