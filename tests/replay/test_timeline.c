/* The times of ranks that several processes have simulated come together in process 0: in one piece
 * or several, also from processes without ranks; other numbers of times are found. */
#include "replay/replay.h"
#include "tests/support/core/process_mesh.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { RANKS = 5 };

/* The times of a rank: as many as the test wants, and all different. */
struct timeline_case {
    uint64_t times_per_rank;
    unsigned owners; /* rank r belongs to process r % owners */
    unsigned odd;    /* this process has one time more for each rank; 0: none */
};

static int64_t time_of(uint32_t rank, uint64_t number) {
    return (int64_t)(rank * 1000000007 + number);
}

static struct replay_timeline new_timeline(uint64_t times_per_rank) {
    struct replay_timeline timeline = {.rank_count = RANKS,
                                       .first = calloc(RANKS + 1, sizeof(uint64_t)),
                                       .times_ps =
                                           calloc(RANKS * times_per_rank + 1, sizeof(int64_t))};
    for (uint32_t rank = 0; rank <= RANKS; rank++)
        timeline.first[rank] = rank * times_per_rank;
    return timeline;
}

static bool has_times_of(const struct replay_timeline *timeline, uint32_t rank) {
    for (uint64_t i = timeline->first[rank]; i < timeline->first[rank + 1]; i++)
        if (timeline->times_ps[i] != time_of(rank, i - timeline->first[rank])) return false;
    return true;
}

static status_code gather(void *context, struct processes *processes, struct status *status) {
    const struct timeline_case *wanted = context;
    const unsigned number = processes_number(processes);
    struct replay_timeline timeline =
        new_timeline(wanted->times_per_rank + (wanted->odd > 0 && number == wanted->odd));
    bool own[RANKS];
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        own[rank] = rank % wanted->owners == number;
        for (uint64_t i = timeline.first[rank]; own[rank] && i < timeline.first[rank + 1]; i++)
            timeline.times_ps[i] = time_of(rank, i - timeline.first[rank]);
    }
    status_code code = replay_timeline_gather(&timeline, own, processes, status);
    for (uint32_t rank = 0; code == STATUS_OK && number == 0 && rank < RANKS; rank++)
        if (!has_times_of(&timeline, rank))
            code = status_set(status, STATUS_RUN, "rank %u has other times", rank);
    if (code == STATUS_OK) /* once is enough */
        code = replay_timeline_gather(&timeline, own, processes, status);
    if (code == STATUS_OK && !timeline.is_gathered)
        code = status_set(status, STATUS_RUN, "not gathered");
    free(timeline.first);
    free(timeline.times_ps);
    return code;
}

static void times_come_together(void **state) {
    const struct timeline_case cases[] = {
        {0, 3, 0}, {7, 3, 0}, {7, 2, 0}, {7, 1, 0}, {1500000, 3, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(process_mesh_run(3, gather, (void *)&cases[i]), STATUS_OK);
}

static void other_numbers_of_times_are_found(void **state) {
    const struct timeline_case wrong = {7, 3, 2};
    (void)state;
    assert_int_equal(process_mesh_run(3, gather, (void *)&wrong), STATUS_SYSTEM);
}

/* One process has all times. */
static void one_process_has_all_times(void **state) {
    const struct timeline_case alone = {7, 1, 0};
    struct replay_timeline timeline = new_timeline(alone.times_per_rank);
    (void)state;
    assert_int_equal(replay_timeline_gather(&timeline, NULL, NULL, NULL), STATUS_OK);
    free(timeline.first);
    free(timeline.times_ps);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_come_together),
        cmocka_unit_test(other_numbers_of_times_are_found),
        cmocka_unit_test(one_process_has_all_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
