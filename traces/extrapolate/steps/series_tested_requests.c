/*
 * Takes tests that found requests complete as waits for these requests. Whether a test finds them
 * complete depends on timing. If it does not, the rank waits for them later, so the new program may
 * always wait there.
 */
#include "traces/extrapolate/steps/series_tested_requests.h"
#include "core/memory/memory.h"
#include "traces/extrapolate/refusals/series_where.h"
#include "traces/extrapolate/roles/series_roles.h"
#include "traces/extrapolate/steps/series_steps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The state while the tests of a rank are moved. */
struct mover {
    const struct series *series;
    const struct series_program *from;
    uint32_t rank;
    struct series_operations *made;
    uint32_t *numbers; /* [slot of the program]: slot in `made` of the request that was posted last
                          in it */
    uint32_t posted;   /* requests so far: the next slot in `made` */
    uint32_t region;   /* of the last test */
    uint32_t *moved;   /* slots in `made` of requests that tests found complete, which the next wait
                          is for */
    size_t moved_count, moved_capacity;
};

static bool has_prefix(const struct program *program, uint32_t region, const char *prefix) {
    return strncmp(program_text(program, program->regions[region].name), prefix, strlen(prefix)) ==
           0;
}

bool series_tested_is_test(const struct program *program, uint32_t region) {
    return has_prefix(program, region, "MPI_Test");
}

static bool is_wait(const struct program *program, uint32_t region) {
    return has_prefix(program, region, "MPI_Wait");
}

/* Returns whether a call is a test that only finds requests complete: it posts nothing. */
static bool is_plain_test(const struct program *program, const struct program_operation *call) {
    if (!series_tested_is_test(program, call->mark.region) || call[1].kind != OPERATION_WAIT)
        return false;
    for (call++; call->kind == OPERATION_WAIT; call++) {
    }
    return call->kind == OPERATION_RETURN;
}

bool series_tested_are_there(const struct series *series) {
    bool has_tests = false, has_waits = false;
    for (uint32_t k = 0; k < series->program_count; k++) {
        const struct program *program = series->programs[k].program;
        const struct program_operation *operations = program_array(program);
        for (uint64_t i = 0; i < program->operation_count && !(has_tests && has_waits); i++) {
            if (operations[i].kind != OPERATION_CALL) continue;
            has_tests = has_tests || is_plain_test(program, &operations[i]);
            has_waits = has_waits || is_wait(program, operations[i].mark.region);
        }
    }
    return has_tests && has_waits;
}

void series_tested_rename(struct series *series) {
    for (uint32_t k = 0; k < series->program_count; k++) {
        struct series_program *from = &series->programs[k];
        for (uint32_t i = 0; i < from->program->region_count; i++) {
            if (!series_tested_is_test(from->program, i)) continue;
            const char *kind =
                program_text(from->program, from->program->regions[i].name) + strlen("MPI_Test");
            for (uint32_t other = 0; other < series->steps.region_count; other++) {
                const char *name = series_region_name(series, other);
                if (strncmp(name, "MPI_Wait", strlen("MPI_Wait")) == 0 &&
                    strcmp(name + strlen("MPI_Wait"), kind) == 0)
                    from->regions[i] = other;
            }
        }
    }
}

/* ---- moving ---- */

static status_code append(struct mover *mover, const struct program_operation *operation,
                          struct status *status) {
    struct series_operations *made = mover->made;
    FORWARD_IF_ERROR(memory_grow((void **)&made->list, &made->capacity, made->count + 1,
                                 sizeof *made->list, status));
    made->list[made->count++] = *operation;
    return STATUS_OK;
}

/* Appends an operation that posts a request, which gets a slot of its own. */
static status_code append_post(struct mover *mover, struct program_operation operation,
                               struct status *status) {
    uint32_t *slot = operation.kind == OPERATION_COLLECTIVE ? &operation.collective.slot
                     : operation.kind == OPERATION_FILE     ? &operation.file.slot
                                                            : &operation.message.slot;
    if (*slot != PROGRAM_NONE) {
        mover->numbers[*slot] = mover->posted;
        *slot = mover->posted++;
    }
    /* A wait takes the place of the test. */
    if (operation.kind == OPERATION_SEND)
        operation.flags = (uint8_t)(operation.flags & ~(unsigned)OPERATION_FLAG_SEND_PERSISTENT);
    return append(mover, &operation, status);
}

static const uint32_t *slots_of(const struct mover *mover, const struct program_operation *wait) {
    const struct program *program = mover->from->program;
    if (wait->wait.count == 1) return &wait->wait.first;
    return program->wait_slots + program->ranks[mover->rank].first_wait_slot + wait->wait.first;
}

static int compare_slots(const void *left, const void *right) {
    const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

/* Appends a wait for the slots of a wait of the program (NULL: none), and, with_moved, also for the
 * moved ones: then all of them in the order in which they were posted. */
static status_code append_wait(struct mover *mover, const struct program_operation *wait,
                               bool with_moved, struct status *status) {
    struct series_operations *made = mover->made;
    const size_t own = wait == NULL ? 0 : wait->wait.count;
    const size_t moved = with_moved ? mover->moved_count : 0, first = made->slot_count;
    FORWARD_IF_ERROR(memory_grow((void **)&made->slots, &made->slot_capacity, first + own + moved,
                                 sizeof *made->slots, status));
    for (size_t i = 0; i < own; i++)
        made->slots[made->slot_count++] = mover->numbers[slots_of(mover, wait)[i]];
    for (size_t i = 0; i < moved; i++)
        made->slots[made->slot_count++] = mover->moved[i];
    if (moved > 0) {
        qsort(made->slots + first, own + moved, sizeof *made->slots, compare_slots);
        mover->moved_count = 0;
    }
    struct program_operation operation = {.kind = OPERATION_WAIT};
    operation.wait.count = (uint32_t)(own + moved);
    operation.wait.first = own + moved == 1 ? made->slots[first] : (uint32_t)first;
    return append(mover, &operation, status);
}

/* Adds the requests that a test found complete to the moved ones, and sets *call, which is the CALL
 * of the test, to its RETURN. */
static status_code take_test(struct mover *mover, const struct program_operation **call,
                             struct status *status) {
    const struct program_operation *wait = *call + 1;
    for (; wait->kind == OPERATION_WAIT; wait++) {
        const size_t count = mover->moved_count;
        FORWARD_IF_ERROR(memory_grow((void **)&mover->moved, &mover->moved_capacity,
                                     count + wait->wait.count, sizeof *mover->moved, status));
        for (uint32_t i = 0; i < wait->wait.count; i++)
            mover->moved[mover->moved_count++] = mover->numbers[slots_of(mover, wait)[i]];
    }
    mover->made->tests++;
    mover->region = (*call)->mark.region;
    *call = wait;
    return STATUS_OK;
}

/* Appends a call that waits for the moved requests, before the call `call`. */
static status_code append_before(struct mover *mover, const struct program_operation *call,
                                 struct status *status) {
    struct program_operation mark = *call;
    if (mover->series->assumptions.tests == SERIES_TESTS_BEFORE_CALL)
        mark.mark.region = mover->region;
    else
        mark.flags = SERIES_CALL_OF_TEST;
    FORWARD_IF_ERROR(append(mover, &mark, status));
    FORWARD_IF_ERROR(append_wait(mover, NULL, true, status));
    mark.flags = 0;
    mark.kind = OPERATION_RETURN;
    return append(mover, &mark, status);
}

/* Appends the call at *call, with the wait for moved requests if this is its place, and sets *call
 * to its RETURN. */
static status_code append_call(struct mover *mover, const struct program_operation **call,
                               struct status *status) {
    const bool is_place =
        mover->moved_count > 0 && (mover->series->assumptions.tests == SERIES_TESTS_BEFORE_CALL ||
                                   is_wait(mover->from->program, (*call)->mark.region));
    const bool joins = is_place && mover->series->assumptions.tests == SERIES_TESTS_IN_WAIT;
    struct program_operation mark = **call;
    if (is_place && !joins) FORWARD_IF_ERROR(append_before(mover, *call, status));
    if (joins) mark.flags = SERIES_CALL_OF_TEST;
    FORWARD_IF_ERROR(append(mover, &mark, status));
    for (++*call; (*call)->kind != OPERATION_RETURN; ++*call)
        FORWARD_IF_ERROR((*call)->kind == OPERATION_WAIT
                             ? append_wait(mover, *call, joins && mover->moved_count > 0, status)
                             : append_post(mover, **call, status));
    return append(mover, *call, status);
}

static status_code move_all(struct mover *mover, struct status *status) {
    const struct program *program = mover->from->program;
    const struct program_rank *rank_entry = &program->ranks[mover->rank];
    const struct program_operation *operation = program_array(program) + rank_entry->first;
    for (const struct program_operation *end = operation + rank_entry->count; operation < end;
         operation++) {
        if (operation->kind != OPERATION_CALL)
            FORWARD_IF_ERROR(append(mover, operation, status));
        else if (is_plain_test(program, operation))
            FORWARD_IF_ERROR(take_test(mover, &operation, status));
        else
            FORWARD_IF_ERROR(append_call(mover, &operation, status));
    }
    RETURN_ERROR_IF(mover->moved_count > 0, status, STATUS_INPUT,
                    "rank %u of %s: no wait follows a test", mover->rank,
                    program_text(program, program->source));
    return STATUS_OK;
}

status_code series_tested_move(const struct series *series, const struct series_program *from,
                               uint32_t rank, struct series_operations *operations,
                               struct status *status) {
    struct mover mover = {.series = series, .from = from, .rank = rank, .made = operations};
    *operations = (struct series_operations){0};
    mover.numbers = memory_new(from->program->ranks[rank].slot_count + 1u, sizeof *mover.numbers);
    status_code code = mover.numbers == NULL
                           ? status_set(status, STATUS_MEMORY, "out of memory for tests")
                           : move_all(&mover, status);
    free(mover.numbers);
    free(mover.moved);
    return code;
}

void series_operations_free(struct series_operations *operations) {
    free(operations->list);
    free(operations->slots);
    *operations = (struct series_operations){0};
}

status_code series_tested_check(struct series *series, struct status *status) {
    series->outcome.lacks_waits = false;
    for (size_t r = 0; r < series->roles.count; r++)
        for (size_t s = 0; s < series->roles.list[r].step_count; s++) {
            const struct series_role_step *step = &series->roles.list[r].steps[s];
            if (!step->has_moved || step->has_others) continue;
            char text[SERIES_WHERE_TEXT];
            series->outcome.lacks_waits = true;
            series_where_step(series, &series->roles.list[r], step, false, text, sizeof text);
            return status_set(status, STATUS_INPUT,
                              "%s: all ranks found the requests complete by tests", text);
        }
    return STATUS_OK;
}
