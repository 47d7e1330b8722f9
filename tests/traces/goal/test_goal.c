/* Reading GOAL: what becomes of a schedule, the binary form, orders, and what is refused. */
#include "tests/support/traces/goal_maker.h"
#include "traces/program/edit/program_join.h"
#include "traces/program/program_graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char schedule[] = "// a comment\n"
                               "/* and another\n one */ num_ranks 3\n"
                               "rank 0 {\n"
                               "l1: calc 100 cpu 2\n"
                               "  l2 : send 8b to 1 tag 5 cpu 1 nic 3 // behind it\n"
                               "l2 requires l1\n"
                               "l2 irequires l1\n"
                               "recv 0 b from 2\n"
                               "}\n"
                               "rank 2 { \n"
                               "x_1: send 0b to 0\r\n"
                               "}\n"
                               "rank 1 {\n"
                               "a: recv 8b from 0 tag 5\n"
                               "b: calc 0 nic 7\n"
                               "c: send 9b to 1 tag 4294967294\n"
                               "d: recv 9b from 1 tag 4294967294\n"
                               "a requires b\n"
                               "b irequires c\n"
                               "b requires d\n"
                               "}";

/* The vertices of a rank as a text: kind, CPU, NIC, needs. */
static void expect_rank(const struct program *program, uint32_t rank, const char *expected) {
    char text[400] = "";
    size_t at = 0;
    const struct program_rank *rank_entry = &program->ranks[rank];
    for (uint64_t i = rank_entry->first; i < rank_entry->first + rank_entry->count; i++) {
        const struct program_operation *operation = &program->operations[i];
        if (operation->kind == OPERATION_COMPUTE)
            at += (size_t)sprintf(text + at, " calc %d", (int)operation->compute.duration_ps);
        if (operation->kind == OPERATION_SEND || operation->kind == OPERATION_RECEIVE)
            at += (size_t)sprintf(text + at, " %s %d to %u slot %u",
                                  operation->kind == OPERATION_SEND ? "send" : "recv",
                                  (int)operation->bytes, operation->message.peer,
                                  operation->message.slot);
        if (operation->kind != OPERATION_VERTEX) continue;
        at += (size_t)sprintf(text + at, "; %u/%u", program_vertex_cpu(operation),
                              program_vertex_nic(operation));
        const uint32_t *needs = program_vertex_needs(program, rank, operation);
        for (uint32_t k = 0; k < operation->wait.count; k++)
            at += (size_t)sprintf(text + at, " %s%u", program_need_only_begun(needs[k]) ? "i" : "r",
                                  program_need_vertex(needs[k]));
    }
    assert_string_equal(text, expected);
}

static void a_schedule_becomes_graphs(void **state) {
    (void)state;
    struct program *program = goal_maker_program(schedule);
    expect_rank(program, 0,
                "; 2/0 calc 100000; 1/3 r0 i0 send 8 to 1 slot 1; 0/0 recv 0 to 2 slot 2");
    expect_rank(program, 2, "; 0/0 send 0 to 0 slot 0");
    /* What a vertex needs comes before it. */
    expect_rank(
        program, 1,
        "; 0/0 send 9 to 1 slot 0; 0/0 recv 9 to 1 slot 1; 0/7 i0 r1; 0/0 r2 recv 8 to 0 slot 3");
    assert_true(program_has_graphs(program));
    assert_int_equal(program->unmatched_sends + program->unmatched_receives, 0);
    struct program_totals totals;
    program_totals_compute(program, &totals);
    assert_int_equal(totals.messages, 3);
    assert_int_equal((uint64_t)totals.message_bytes, 17);
    assert_int_equal((uint64_t)totals.compute_ps, 100000);
    program_free(program);
}

static void program_files_keep_graphs(void **state) {
    (void)state;
    char path[64];
    snprintf(path, sizeof path, "/tmp/anax-goal-%ld.anax", (long)getpid());
    struct program *program = goal_maker_program(schedule), *again = NULL, *joined = NULL;
    struct status status = STATUS_INIT;
    assert_int_equal(traces_write_program(program, path, true, 1, &status), STATUS_OK);
    assert_int_equal(traces_read_program(&again, path, 1, &status), STATUS_OK);
    unlink(path);
    assert_int_equal(again->content_hash, program->content_hash);
    expect_rank(again, 0,
                "; 2/0 calc 100000; 1/3 r0 i0 send 8 to 1 slot 1; 0/0 recv 0 to 2 slot 2");
    const struct program *const parts[] = {again, program};
    assert_int_equal(program_join(&joined, parts, 2, &status), STATUS_OK);
    assert_int_equal(program_check(joined, &status), STATUS_OK);
    expect_rank(joined, 3,
                "; 2/0 calc 100000; 1/3 r0 i0 send 8 to 4 slot 1; 0/0 recv 0 to 5 slot 2");
    program_free(joined);
    program_free(again);
    program_free(program);
}

/* The same schedule, as txt2bin would write it; every part of it is needed, and no damage is
 * harmful. */
static void the_binary_form_is_the_same(void **state) {
    (void)state;
    unsigned char bytes[1024];
    struct status status = STATUS_INIT;
    struct program *program = goal_maker_program(schedule), *again = NULL;
    size_t size = goal_maker_binary(program, bytes, sizeof bytes);
    if (goal_maker_read(&again, bytes, size, &status) != STATUS_OK) fail_msg("%s", status.text);
    for (uint32_t rank = 0; rank < 3; rank++)
        assert_int_equal(again->ranks[rank].count, program->ranks[rank].count);
    expect_rank(
        again, 1,
        "; 0/0 send 9 to 1 slot 0; 0/0 recv 9 to 1 slot 1; 0/7 i0 r1; 0/0 r2 recv 8 to 0 slot 3");
    program_free(again);
    for (size_t cut = 8; cut < size; cut++) {
        assert_int_equal(goal_maker_read(&again, bytes, cut, &status), STATUS_INPUT);
        assert_null(again);
        status_clear(&status);
    }
    for (size_t at = 8; at < size; at++)
        for (unsigned bit = 0; bit < 8; bit += 7) {
            bytes[at] ^= (unsigned char)(1 << bit);
            if (goal_maker_read(&again, bytes, size, &status) == STATUS_OK) {
                assert_int_equal(program_check(again, &status), STATUS_OK);
                program_free(again);
            }
            status_clear(&status);
            bytes[at] ^= (unsigned char)(1 << bit);
        }
    program_free(program);
}

static const struct {
    const char *text;
    const char *reason;
} faults[] = {
    {"", "goal:1: `num_ranks` is expected, not the end of the file"},
    {"num_ranks", "a number of ranks is expected"},
    {"num_ranks 0", "0 ranks"},
    {"num_ranks 4000000000\nrank 0 {\n}", "too short for so many ranks"},
    {"num_ranks 99999999999999999999999", "is expected, of at most 4294967294"},
    {"num_ranks 2\nrank 0 {\n}\n", "rank 1 is missing (cut short?)"},
    {"num_ranks 1\nrank 1 {\n}\n", "goal:2: rank 1, but num_ranks is 1"},
    {"num_ranks 1\nrank 0 {\n}\nrank 0 {\n}\n", "goal:5: rank 0 ends here for the second time"},
    {"num_ranks 1\nrank 0 {\nl1: calc 5\n", "goal:4: a statement or `}` is expected, not the end"},
    {"num_ranks 1\nrank 0 {\nl1: jump 5\n}",
     "goal:3: `calc`, `send` or `recv` is expected, not `jump`"},
    {"num_ranks 1\nrank 0 {\nl1: calc 5 tag 3\n}", "not `tag`"},
    {"num_ranks 1\nrank 0 {\nl1: calc 5 cpu 256\n}", "a CPU is expected, of at most 255"},
    {"num_ranks 1\nrank 0 {\nl1: calc -5\n}", "a number of nanoseconds is expected, not `-5`"},
    {"num_ranks 1\nrank 0 {\nl1: calc 2305843009213694\n}", "26 days at most"},
    {"num_ranks 1\nrank 0 {\nl1: send 5 to 0\n}", "goal:3: `b` is expected, not `to`"},
    {"num_ranks 1\nrank 0 {\nl1: send 5b from 0\n}", "`to` is expected, not `from`"},
    {"num_ranks 1\nrank 0 {\nl1: send 5b to 7\n}",
     "goal:3: rank 0, l1: send to rank 7, but the ranks are 0 to 0"},
    {"num_ranks 1\nrank 0 {\nl1: recv 5b from -1\n}", "from any source"},
    {"num_ranks 1\nrank 0 {\nl1: recv 5b from 0 tag -1\n}", "with any tag"},
    {"num_ranks 1\nrank 0 {\nl1: recv 5b from 0 tag 4294967295\n}",
     "goal:3: rank 0, l1: a recv from any source or with any tag (-1 or 4294967295)"},
    {"num_ranks 2\nrank 0 {\nl2: send 10b to 1 tag 4294967295\n}",
     "goal:3: rank 0, l2: a send with the tag -1 (4294967295), which stands for any tag in a recv; "
     "the tags of sends are 0 to 4294967294"},
    {"num_ranks 2\nrank 0 {\nl2: send 10b to -1\n}",
     "goal:3: rank 0, l2: a send to rank -1 (4294967295), but the ranks are 0 to 1"},
    {"num_ranks 1\nrank 0 {\nl1: send 999999999999999999b to 0\n}", "at most 2^48 - 1"},
    {"num_ranks 1\nrank 0 {\nl1: calc 5\nl1: calc 6\n}",
     "goal:4: rank 0: l1 is the label of another operation, in line 3"},
    {"num_ranks 1\nrank 0 {\nl1: calc 5\nl1 requires l2\n}",
     "goal:4: rank 0: no operation before this line has the label l2"},
    {"num_ranks 1\nrank 0 {\nl1: calc 5\nl1 needs l1\n}",
     "`:`, `requires` or `irequires` is expected, not `needs`"},
    {"num_ranks 1\nrank 0 {\nl1: calc 5\nl1 requires l1\n}",
     "goal:3: rank 0: each of these requires the next one: l1 -> l1"},
    {"num_ranks 1\nrank 0 {\na: calc 5\nb: calc 5\nc: calc 5\na requires b\nb irequires c\nc "
     "requires a\n}",
     "goal:3: rank 0: each of these requires the next one: a -> b -> c -> a"},
    {"num_ranks 2\nrank 0 {\n\nl1: send 5b to 1 tag 3\n}\nrank 1 {\nrecv 5b from 0 tag 4\n}",
     "goal:4: rank 0, l1: the send to rank 1 with tag 3 has no recv there; in all, 2 messages are"},
    {"num_ranks 2\nrank 0 {\n}\nrank 1 {\nrecv 5b from 0 tag 4\n}",
     "goal:5: rank 1, operation 0: the recv from rank 0 with tag 4 has no send there"},
    {"num_ranks 1 /* without end", "goal:1: a comment that does not end"},
};

static void faults_are_named(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct program *program = NULL;
        struct status status = STATUS_INIT;
        assert_int_equal(goal_maker_read(&program, faults[i].text, strlen(faults[i].text), &status),
                         STATUS_INPUT);
        assert_null(program);
        if (strstr(status.text, faults[i].reason) == NULL)
            fail_msg("%s\n  without: %s", status.text, faults[i].reason);
        status_clear(&status);
    }
}

/* A text that ends anywhere is refused, or is a schedule. */
static void every_beginning_is_safe(void **state) {
    (void)state;
    for (size_t cut = 0; cut < sizeof schedule - 1; cut++) {
        struct program *program = NULL;
        struct status status = STATUS_INIT;
        assert_int_equal(goal_maker_read(&program, schedule, cut, &status), STATUS_INPUT);
        assert_non_null(status.text);
        status_clear(&status);
    }
}

/* Program files may come from anywhere. */
static void broken_graphs_are_refused(void **state) {
    (void)state;
    struct program *program = goal_maker_program(schedule);
    struct program_operation *operations = program->operations;
    struct status status = STATUS_INIT;
#define AS(place, value, reason)                                                                   \
    do {                                                                                           \
        uint64_t kept = place;                                                                     \
        place = value;                                                                             \
        assert_int_equal(program_check(program, &status), STATUS_INPUT);                           \
        if (strstr(status.text, reason) == NULL) fail_msg("%s, not %s", status.text, reason);      \
        status_clear(&status);                                                                     \
        place = kept;                                                                              \
    } while (0)
    AS(operations[0].flags, 1, "flags that a vertex");
    AS(operations[0].place, 1 << 16, "a CPU or NIC");
    AS(operations[2].wait.count, 9, "needs outside the wait slots");
    AS(program->wait_slots[0], PROGRAM_NEED(1, 0), "a vertex that is not before");
    AS(operations[3].message.slot, 0, "the slot of another vertex");
    AS(operations[3].message.peer, 3, "a peer that does not exist");
    AS(operations[3].message.match, PROGRAM_NONE, "without its other side");
    AS(operations[3].flags, OPERATION_FLAG_SEND_SYNCHRONOUS, "flags that a message of a vertex");
    AS(operations[1].kind, OPERATION_WAIT, "an operation that a vertex cannot have");
    AS(operations[2].kind, OPERATION_COMPUTE, "an operation that belongs to no vertex");
    AS(program->ranks[0].slot_count, 4, "fewer vertices than slots");
    AS(program->ranks[0].send_count, 2, "not as many as it says");
    assert_int_equal(program_check(program, &status), STATUS_OK);
    program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_schedule_becomes_graphs),   cmocka_unit_test(program_files_keep_graphs),
        cmocka_unit_test(the_binary_form_is_the_same), cmocka_unit_test(faults_are_named),
        cmocka_unit_test(every_beginning_is_safe),     cmocka_unit_test(broken_graphs_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
