/* Copies a program and forgets which messages some of its receives take. */
#include "tests/support/traces/forgotten_receives.h"

#include "tests/support/core/dice.h"
#include "traces/program/edit/program_copy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void check(status_code code, const struct status *status) {
    if (code != STATUS_OK) fail_msg("%s", status->text);
}

/* A call that is nothing but a receive and its wait. */
static bool stands_alone(const struct program_operation *operation) {
    return operation[-1].kind == OPERATION_CALL && operation[0].kind == OPERATION_RECEIVE &&
           operation[1].kind == OPERATION_WAIT && operation[1].wait.count == 1 &&
           operation[1].wait.first == operation[0].message.slot &&
           operation[2].kind == OPERATION_RETURN;
}

static bool can_be_forgotten(const struct program_operation *operation, forget_which which) {
    bool is_any = which == FORGET_ANY && operation->kind == OPERATION_RECEIVE;
    return is_any || stands_alone(operation);
}

/* What waits for it later finds nothing to wait for. */
static uint64_t forget_in_rank(struct program_copy *copy, uint32_t rank, forget_which which,
                               unsigned share, struct dice *dice) {
    const struct program_rank *rank_entry = &copy->whole->ranks[rank];
    const struct program_operation *operations = copy->whole->operations + rank_entry->first;
    struct status status = STATUS_INIT;
    uint64_t first = 0, forgotten = 0;
    program_copy_begin(copy, rank);
    for (uint64_t i = 1; i + 2 < rank_entry->count; i++) {
        if (!can_be_forgotten(&operations[i], which) || dice_below(dice, 100) >= share) continue;
        uint32_t place;
        check(program_copy_operations(copy, rank, first, i, &status), &status);
        check(builder_append_unrecorded(copy->builder, rank, &place, &status), &status);
        first = i + (stands_alone(&operations[i]) ? 2 : 1);
        forgotten++;
    }
    check(program_copy_operations(copy, rank, first, rank_entry->count, &status), &status);
    check(program_copy_end(copy, rank, &status), &status);
    return forgotten;
}

struct program *forget_receives(const struct program *whole, forget_which which, unsigned share,
                                uint32_t seed, unsigned threads, uint64_t *forgotten) {
    struct status status = STATUS_INIT;
    struct program *result = NULL;
    struct program_copy copy;
    struct dice dice = {seed, 11, 0};
    check(program_copy_new(&copy, whole, NULL, &status), &status);
    *forgotten = 0;
    for (uint32_t rank = 0; rank < whole->rank_count; rank++)
        *forgotten += forget_in_rank(&copy, rank, which, share, &dice);
    check(program_copy_seal(&copy, "", threads, &result, &status), &status);
    program_copy_free(&copy);
    check(program_check_file(result, &status), &status);
    return result;
}

uint64_t forgotten_noted(const struct program *program, const char *what) {
    for (uint32_t i = 0; i < program->note_count; i++)
        if (strcmp(program_text(program, program->notes[i].what), what) == 0)
            return program->notes[i].count;
    return 0;
}
