/* Exchanges among processes, each with each and after a reduction: what is sent arrives, sums and
 * gathered blocks are complete, and a process that fails takes the others with it, wherever they
 * are. */
#include "core/processes/processes.h"

#include "tests/support/core/process_mesh.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { COUNT = 3 };

/* Sends `bytes` bytes to each other process, all equal to the sender's and receiver's numbers. */
static status_code send_bytes(struct processes *processes, size_t bytes, struct status *status) {
    struct processes_packing sent[COUNT] = {{0}};
    struct processes_unpacking received[COUNT];
    unsigned own = processes_number(processes);
    char *data = malloc(bytes + 1);
    for (unsigned i = 0; i < COUNT; i++) {
        memset(data, (int)(16 * own + i), bytes);
        processes_pack(&sent[i], data, bytes);
    }
    status_code code = processes_exchange(processes, PROCESSES_RESULT, sent, received, status);
    for (unsigned i = 0; i < COUNT && code == STATUS_OK; i++) {
        if (i == own) continue;
        memset(data, (int)(16 * i + own), bytes);
        const char *arrived = processes_unpack(&received[i], bytes);
        if (arrived == NULL || memcmp(arrived, data, bytes) != 0 ||
            processes_unpack(&received[i], 1) != NULL)
            code = status_set(status, STATUS_INPUT, "%zu bytes did not arrive", bytes);
    }
    for (unsigned i = 0; i < COUNT; i++)
        processes_pack_free(&sent[i]);
    free(data);
    return code;
}

static status_code send_all_sizes(void *context, struct processes *processes,
                                  struct status *status) {
    static const size_t sizes[] = {0, 1, 8, 1000, 100000, 3};
    (void)context;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        FORWARD_IF_ERROR(send_bytes(processes, sizes[i], status));
    return STATUS_OK;
}

static void blocks_arrive(void **state) {
    (void)state;
    assert_int_equal(process_mesh_run(COUNT, send_all_sizes, NULL), STATUS_OK);
}

static void add(void *sum, const void *part) {
    *(uint64_t *)sum += *(const uint64_t *)part;
}

static status_code sum_and_gather(void *context, struct processes *processes,
                                  struct status *status) {
    uint64_t sum = 10 + processes_number(processes);
    struct processes_packing own = {0};
    struct processes_unpacking *received = NULL;
    (void)context;
    processes_pack(&own, &sum, sizeof sum);
    FORWARD_IF_ERROR(processes_combine(processes, &sum, sizeof sum, add, status));
    RETURN_ERROR_IF(sum != 33, status, STATUS_INPUT, "wrong sum");
    FORWARD_IF_ERROR(processes_gather(processes, &own, &received, status));
    for (unsigned i = 1; i < COUNT && received != NULL; i++) {
        const uint64_t *arrived = processes_unpack(&received[i], sizeof *arrived);
        RETURN_ERROR_IF(arrived == NULL || *arrived != 10 + i, status, STATUS_INPUT,
                        "not gathered");
    }
    RETURN_ERROR_IF((received != NULL) != (processes_number(processes) == 0), status, STATUS_INPUT,
                    "gathered elsewhere");
    processes_pack_free(&own);
    free(received);
    return processes_agree(processes, STATUS_OK, status);
}

static void sums_and_gathered_blocks_are_complete(void **state) {
    (void)state;
    assert_int_equal(process_mesh_run(COUNT, sum_and_gather, NULL), STATUS_OK);
}

/* Process 1 fails while the others sum up; all have its text. */
static status_code fail_in_one(void *context, struct processes *processes, struct status *status) {
    uint64_t sum = 0;
    (void)context;
    RETURN_ERROR_IF(processes_number(processes) == 1, status, STATUS_MEMORY, "no memory left");
    status_code code = processes_combine(processes, &sum, sizeof sum, add, status);
    if (code == STATUS_MEMORY && strcmp(status->text, "no memory left") == 0) return code;
    return status_set(status, STATUS_INPUT, "the failure did not arrive");
}

static void a_failure_reaches_all(void **state) {
    (void)state;
    assert_int_equal(process_mesh_run(COUNT, fail_in_one, NULL), STATUS_MEMORY);
}

struct numbers {
    uint64_t sum;
    uint64_t max;
};

static void add_numbers(void *sum, const void *part) {
    struct numbers *all = sum;
    const struct numbers *other = part;
    all->sum += other->sum;
    if (other->max > all->max) all->max = other->max;
}

/* In turn i process p sends something to the processes after it, up to number p + i, and adds
 * numbers up with all. Who gets nothing finds an empty block. */
static status_code send_to_some(void *context, struct processes *processes, struct status *status) {
    const unsigned own = processes_number(processes), count = processes_count(processes);
    struct processes_packing sent[5] = {{0}};
    struct processes_unpacking received[5];
    status_code code = STATUS_OK;
    (void)context;
    for (unsigned turn = 0; turn < count && code == STATUS_OK; turn++) {
        struct numbers numbers = {1 + own, turn + own};
        const struct processes_summary summary = {&numbers, sizeof numbers, add_numbers};
        bool has_block[5] = {false};
        for (unsigned i = 1; i <= turn; i++)
            has_block[(own + i) % count] = true;
        processes_exchange_begin(processes, PROCESSES_WINDOW, &summary, has_block);
        for (unsigned i = 0; i < count; i++) {
            processes_pack_reset(&sent[i]);
            for (uint64_t k = 0; has_block[i] && k < 1000 * turn; k++)
                processes_pack(&sent[i], &k, sizeof k);
        }
        code = processes_exchange_end(processes, sent, received, status);
        if (code == STATUS_OK &&
            (numbers.sum != count * (count + 1) / 2 || numbers.max != turn + count - 1))
            code = status_set(status, STATUS_INPUT, "wrong sums");
        for (unsigned i = 0; i < count && code == STATUS_OK; i++) {
            const bool comes = i != own && (own + count - i) % count <= turn;
            if (i != own && received[i].bytes != (comes ? 8000 * turn : 0))
                code = status_set(status, STATUS_INPUT, "another block arrived");
        }
    }
    for (unsigned i = 0; i < 5; i++)
        processes_pack_free(&sent[i]);
    return code;
}

static void some_send_and_all_add_up(void **state) {
    (void)state;
    for (unsigned count = 2; count <= 5; count++)
        assert_int_equal(process_mesh_run(count, send_to_some, NULL), STATUS_OK);
}

/* Process 0 fails while the others meet between windows, whose numbers cannot be added up then. */
static status_code fail_between_windows(void *context, struct processes *processes,
                                        struct status *status) {
    RETURN_ERROR_IF(processes_number(processes) == 0, status, STATUS_MEMORY, "no memory left");
    struct status others = STATUS_INIT;
    const status_code code = send_to_some(context, processes, &others);
    const bool is_told = code == STATUS_MEMORY && strcmp(others.text, "no memory left") == 0;
    status_clear(&others);
    RETURN_ERROR_IF(!is_told, status, STATUS_INPUT, "the failure did not arrive");
    return status_set(status, code, "told");
}

static void a_failure_between_windows_reaches_all(void **state) {
    (void)state;
    assert_int_equal(process_mesh_run(5, fail_between_windows, NULL), STATUS_MEMORY);
}

/* A process without memory ends the others, whichever exchange it is. */
static void a_process_that_gives_up_ends_all(void **state) {
    (void)state;
    for (unsigned last = 1; last <= 4; last++) {
        process_mesh_break(2, last);
        const status_code code = process_mesh_run(4, send_to_some, NULL);
        if (code != STATUS_MEMORY && code != STATUS_SYSTEM) fail_msg("code %d", (int)code);
    }
    process_mesh_break(0, 0);
}

/* Where an exchange breaks for lack of memory, the process knows that nobody else learns it. */
static status_code agree_without_memory(void *context, struct processes *processes,
                                        struct status *status) {
    (void)context;
    const bool could_tell = !processes_cannot_tell(processes);
    const status_code code = processes_agree(processes, STATUS_OK, status);
    if (could_tell && code == STATUS_MEMORY && processes_cannot_tell(processes)) return code;
    return status_set(status, STATUS_INPUT, "it says that it can tell the others");
}

static void a_process_without_memory_cannot_tell_the_others(void **state) {
    (void)state;
    process_mesh_break(2, 1);
    assert_int_equal(process_mesh_run(3, agree_without_memory, NULL), STATUS_MEMORY);
    process_mesh_break(0, 0);
    assert_false(processes_cannot_tell(NULL));
}

static status_code disagree(void *context, struct processes *processes, struct status *status) {
    (void)context;
    status_code code = STATUS_OK;
    if (processes_number(processes) == 2) code = status_set(status, STATUS_RUN, "stalled");
    uint64_t shared = 7 + processes_number(processes);
    code = processes_agree(processes, code, status);
    /* a failure on which all agree does not part them */
    if (processes_broadcast(processes, &shared, sizeof shared, status) != STATUS_OK || shared != 7)
        return status_set(status, STATUS_INPUT, "nothing can follow");
    if (code == STATUS_RUN && strcmp(status->text, "stalled") == 0) return code;
    return status_set(status, STATUS_INPUT, "the processes did not agree");
}

static void all_agree_on_the_failure_of_one(void **state) {
    (void)state;
    assert_int_equal(process_mesh_run(COUNT, disagree, NULL), STATUS_RUN);
}

/* One process has more to add up, or to share, than the others: an error of all. */
static status_code add_up_more(void *context, struct processes *processes, struct status *status) {
    uint64_t sums[2] = {1, 2};
    const bool has_more = processes_number(processes) == *(const unsigned *)context;
    return processes_combine(processes, sums, has_more ? sizeof sums : sizeof *sums, add, status);
}

static status_code share_less(void *context, struct processes *processes, struct status *status) {
    uint64_t data[2] = {1, 2};
    (void)context;
    const status_code code = processes_broadcast(
        processes, data, processes_number(processes) == 0 ? sizeof *data : sizeof data, status);
    return processes_agree(processes, code, status);
}

static void other_sizes_are_an_error(void **state) {
    (void)state;
    for (unsigned process = 0; process < COUNT; process++)
        assert_int_equal(process_mesh_run(2, add_up_more, &(unsigned){process % 2}), STATUS_USAGE);
    assert_int_equal(process_mesh_run(COUNT, share_less, NULL), STATUS_USAGE);
}

/* One process adds up, the others already part: an error of all, and no process waits. */
static status_code go_different_ways(void *context, struct processes *processes,
                                     struct status *status) {
    uint64_t sum = 0;
    (void)context;
    if (processes_number(processes) != 1) return STATUS_OK;
    return processes_combine(processes, &sum, sizeof sum, add, status);
}

static void different_ways_are_an_error(void **state) {
    (void)state;
    assert_int_equal(process_mesh_run(2, go_different_ways, NULL), STATUS_SYSTEM);
}

/* Each of two processes on a computer says whether it may start as many threads as it should. */
static status_code divide_processors(void *context, struct processes *processes,
                                     struct status *status) {
    const unsigned online = (unsigned)sysconf(_SC_NPROCESSORS_ONLN), half = (online + 1) / 2;
    const unsigned of_two = online > 1 ? online / 2 : 1;
    (void)context;
    const bool is_right =
        processes_max_threads(processes, online, UINT_MAX) == of_two && /* shared */
        processes_max_threads(processes, half, UINT_MAX) <= half &&
        processes_max_threads(processes, online, 1) == 1 &&
        processes_max_threads(processes, 1, 8) == 1 && /* bound */
        processes_max_threads(processes, online, 2) == 1;
    return is_right ? STATUS_OK : status_set(status, STATUS_RUN, "another number of threads");
}

static void processes_share_processors_and_quota(void **state) {
    (void)state;
    assert_int_equal(process_mesh_run(2, divide_processors, NULL), STATUS_OK);
}

static void one_process_needs_no_others(void **state) {
    struct status status = STATUS_INIT;
    uint64_t sum = 5;
    (void)state;
    assert_int_equal(processes_count(NULL), 1);
    assert_int_equal(processes_number(NULL), 0);
    assert_int_equal(processes_max_threads(NULL, 7, UINT_MAX), 7);
    assert_int_equal(processes_max_threads(NULL, 7, 3), 3);
    assert_int_equal(processes_combine(NULL, &sum, sizeof sum, add, &status), STATUS_OK);
    assert_int_equal(sum, 5);
    assert_int_equal(processes_agree(NULL, STATUS_RUN, &status), STATUS_RUN);
    processes_leave(NULL, 0);
}

static void a_wrong_limit_is_refused(void **state) {
    static const char *const wrong[] = {"", "many", "3x", "-1", "1000001"};
    struct processes *processes = NULL;
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct status status = STATUS_INIT;
        setenv("ANAX_TEST_DIRECT_PROCESSES", wrong[i], 1);
        assert_int_equal(processes_begin_with_plugin(&processes, NULL, &status), STATUS_USAGE);
        assert_non_null(strstr(status.text, "ANAX_TEST_DIRECT_PROCESSES"));
        status_clear(&status);
    }
    unsetenv("ANAX_TEST_DIRECT_PROCESSES");
}

static void launchers_are_recognised(void **state) {
    struct processes_launch launch;
    (void)state;
    unsetenv("ANAX_MPI");
    setenv("OMPI_COMM_WORLD_RANK", "1", 1);
    setenv("OMPI_COMM_WORLD_SIZE", "3", 1);
    processes_find_launch(&launch);
    assert_int_equal(launch.process, 1);
    assert_int_equal(launch.count, 3);
    assert_string_equal(launch.library, "openmpi");
    setenv("ANAX_MPI", "mpich", 1);
    processes_find_launch(&launch);
    assert_string_equal(launch.library, "mpich");
    setenv("ANAX_MPI", "none", 1);
    processes_find_launch(&launch);
    assert_int_equal(launch.count, 1);
    unsetenv("ANAX_MPI");
    setenv("OMPI_COMM_WORLD_SIZE", "1", 1);
    processes_find_launch(&launch);
    assert_int_equal(launch.count, 1);
    setenv("PMI_RANK", "0", 1);
    setenv("PMI_SIZE", "2", 1);
    processes_find_launch(&launch);
    assert_string_equal(launch.library, "mpich");
    assert_int_equal(launch.count, 2);
}

static int send_to_each(void **state) {
    (void)state;
    return setenv("ANAX_TEST_DIRECT_PROCESSES", "5", 1);
}

static int reduce_first(void **state) {
    (void)state;
    return setenv("ANAX_TEST_DIRECT_PROCESSES", "1", 1);
}

int main(void) {
    const struct CMUnitTest exchanges[] = {
        cmocka_unit_test(blocks_arrive),
        cmocka_unit_test(sums_and_gathered_blocks_are_complete),
        cmocka_unit_test(some_send_and_all_add_up),
        cmocka_unit_test(a_failure_reaches_all),
        cmocka_unit_test(a_failure_between_windows_reaches_all),
        cmocka_unit_test(a_process_that_gives_up_ends_all),
        cmocka_unit_test(a_process_without_memory_cannot_tell_the_others),
        cmocka_unit_test(all_agree_on_the_failure_of_one),
        cmocka_unit_test(other_sizes_are_an_error),
        cmocka_unit_test(different_ways_are_an_error),
    };
    const struct CMUnitTest others[] = {
        cmocka_unit_test(processes_share_processors_and_quota),
        cmocka_unit_test(one_process_needs_no_others),
        cmocka_unit_test(a_wrong_limit_is_refused),
        cmocka_unit_test(launchers_are_recognised),
    };
    int failed = cmocka_run_group_tests_name("each with each", exchanges, send_to_each, NULL);
    failed += cmocka_run_group_tests_name("with a reduction", exchanges, reduce_first, NULL);
    return failed + cmocka_run_group_tests_name("others", others, NULL, NULL);
}
