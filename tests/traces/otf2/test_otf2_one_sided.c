/*
 * One-sided communication: what Score-P records of it becomes operations, messages without data and
 * synchronisation of windows, and nothing of it is left over.
 */
#include "traces/program/edit/program_extract.h"
#include "traces/traces.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Eight ranks, five times over: fence, a put and a get of 4096 bytes, fence; post, start, a put of
 * 128, complete, wait; lock, an accumulate of 64, unlock; lock_all, a fetch_and_op of 8, flush, an
 * rput of 80, wait, unlock_all. */
enum { RANKS = 8, TIMES = 5 };

static struct program *open_recording(void) {
    struct status status = STATUS_INIT;
    struct program *program = NULL;
    struct traces_config config = {.polling_gap_ps = 1000000};
    if (traces_open(&program, ANAX_SOURCE_DIR "/tests/data/otf2/sp_rma_8/traces.otf2", &config, 1,
                    NULL, NULL, &status) != STATUS_OK)
        fail_msg("%s", status.text);
    assert_int_equal(program_check_file(program, &status), STATUS_OK);
    return program;
}

static void everything_is_carried_over(void **state) {
    (void)state;
    struct program *program = open_recording();
    struct program_totals totals;
    program_totals_compute(program, &totals);
    assert_int_equal(program->note_count, 0);
    assert_int_equal(totals.messages, 0);
    assert_int_equal(totals.rma_operations, RANKS * TIMES * 10); /* locks and unlocks among them */
    assert_int_equal(totals.rma_bytes, RANKS * TIMES * (4096 + 4096 + 128 + 64 + 8 + 80));
    assert_int_equal(totals.collectives[PROGRAM_COLLECTIVE_WINDOW][0], RANKS * (2 * TIMES + 2));
    assert_int_equal(totals.collectives[PROGRAM_COLLECTIVE_BARRIER][0], RANKS * TIMES);
    assert_int_equal(program->unmatched_sends + program->unmatched_receives, 0);
    program_free(program);
}

/* What a rank does in one of its calls: a letter for each operation. */
static void letters(const struct program *program, uint32_t rank, const char *call, char *text,
                    size_t size) {
    const struct program_rank *rank_entry = &program->ranks[rank];
    size_t length = 0;
    bool inside = false;
    for (uint64_t i = 0; i < rank_entry->count; i++) {
        const struct program_operation *operation = &program->operations[rank_entry->first + i];
        if (operation->kind == OPERATION_CALL)
            inside = strcmp(program_call_name(program, rank, i), call) == 0;
        if (!inside || length + 1 >= size) continue;
        bool remote = program_is_one_sided(operation);
        switch ((program_operation_kind)operation->kind) {
        case OPERATION_SEND:
            text[length++] = !remote                                          ? 's'
                             : !(operation->flags & OPERATION_FLAG_RMA_READ)  ? 'w'
                             : !(operation->flags & OPERATION_FLAG_RMA_WRITE) ? 'r'
                                                                              : 'x';
            break;
        case OPERATION_RECEIVE:
            text[length++] = 'm';
            break;
        case OPERATION_COLLECTIVE:
            text[length++] = 'c';
            break;
        case OPERATION_WAIT:
            text[length++] = (char)('0' + operation->wait.count);
            break;
        case OPERATION_RETURN:
            text[length++] = '.';
            break;
        default:
            break;
        }
    }
    text[length] = '\0';
}

/* Two operations are complete before the second fence synchronises; one before its MPI_Win_complete
 * tells the other side, and so on. */
static void calls_complete_what_they_must(void **state) {
    (void)state;
    static const struct {
        const char *call, *once;
    } rows[] = {
        {"MPI_Win_fence", "c.2c."},  {"MPI_Put", "w.w."},
        {"MPI_Get", "r."},           {"MPI_Win_post", "s1."},
        {"MPI_Win_start", "m1."},    {"MPI_Win_complete", "1s1."},
        {"MPI_Win_wait", "m1."},     {"MPI_Win_lock", "w1."},
        {"MPI_Accumulate", "w."},    {"MPI_Win_unlock", "1w1."},
        {"MPI_Fetch_and_op", "x."},  {"MPI_Win_flush", "1."},
        {"MPI_Rput", "w."},          {"MPI_Wait", "1."},
        {"MPI_Win_lock_all", "w1."}, {"MPI_Win_unlock_all", "w1."},
    };
    struct program *program = open_recording();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (uint32_t rank = 0; rank < RANKS; rank++) {
            char found[256], expected[256] = "";
            for (unsigned time = 0; time < TIMES; time++)
                strcat(expected, rows[i].once);
            letters(program, rank, rows[i].call, found, sizeof found);
            if (strcmp(found, expected) != 0)
                fail_msg("rank %u, %s: %s, not %s", rank, rows[i].call, found, expected);
        }
    }
    program_free(program);
}

/* Locks tell their window and kind; whatever locks a part holds it gives back. */
static void locks_come_in_pairs(void **state) {
    (void)state;
    static const struct {
        const char *from, *to;
        unsigned locks;
    } rows[] = {{NULL, NULL, TIMES},
                {"MPI_Win_lock#2", "MPI_Win_unlock#3", 2},
                {"MPI_Accumulate#2", NULL, TIMES - 2},
                {NULL, "MPI_Accumulate#2", 1}};
    struct program *whole = open_recording();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct status status = STATUS_INIT;
        struct program *part = NULL;
        if (program_extract(&part, whole, rows[i].from, rows[i].to, 1, &status) != STATUS_OK)
            fail_msg("%s", status.text);
        unsigned found[PROGRAM_LOCK_NONE + 1] = {0};
        for (uint64_t k = 0; k < part->operation_count; k++)
            if (program_is_one_sided(&part->operations[k]))
                found[program_lock_kind(part, &part->operations[k])]++;
        assert_int_equal(found[PROGRAM_LOCK_SHARED], RANKS * rows[i].locks);
        assert_int_equal(found[PROGRAM_LOCK_RELEASE], RANKS * rows[i].locks);
        assert_int_equal(found[PROGRAM_LOCK_EXCLUSIVE] + found[PROGRAM_LOCK_ONE], 0);
        assert_int_equal(found[PROGRAM_LOCK_ALL], found[PROGRAM_LOCK_RELEASE_ALL]);
        program_free(part);
    }
    program_free(whole);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_is_carried_over),
        cmocka_unit_test(calls_complete_what_they_must),
        cmocka_unit_test(locks_come_in_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
