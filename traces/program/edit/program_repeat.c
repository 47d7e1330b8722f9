/*
 * Repeats a stretch of a program.
 *
 * Invariant: the stretch is closed: messages, collectives and requests of a repetition belong to
 * that repetition alone. So both sides of the k-th message on each envelope are in the same
 * repetition.
 */
#include "traces/program/edit/program_repeat.h"

#include "core/base/plural.h"
#include "core/memory/memory.h"
#include "core/memory/memory_limit.h"
#include "core/settings/units.h"
#include "traces/program/edit/program_copy.h"
#include "traces/program/edit/program_regions.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPTION      "trace.repeat"
#define TIMES_LIMIT 1000000000

struct repeater {
    const struct program *whole;
    const char *text;
    char *region; /* REGION or REGION#n */
    uint64_t times;
    struct program_bounds *bounds; /* for each rank */
    struct program_inside inside;
    struct program_copy copy;
    bool *open; /* for each slot of the current rank: posted inside and not waited for yet */
};

static status_code parse(struct repeater *repeater, struct status *status) {
    const char *text = repeater->text, *sign = strrchr(text, '*');
    bool fits = sign != NULL && sign > text && sign[1] != '\0' &&
                strspn(sign + 1, "0123456789") == strlen(sign + 1) && strlen(sign + 1) < 11;
    if (fits) repeater->times = strtoull(sign + 1, NULL, 10);
    RETURN_ERROR_IF(
        !fits || repeater->times < 1 || repeater->times > TIMES_LIMIT, status, STATUS_USAGE,
        OPTION " %s: is not REGION*N (step*100, or step#3*100), N from 1 to %d", text, TIMES_LIMIT);
    repeater->region = strndup(text, (size_t)(sign - text));
    RETURN_ERROR_IF(repeater->region == NULL, status, STATUS_MEMORY, "out of memory for a name");
    int64_t time_ps;
    RETURN_ERROR_IF(
        !program_has_region(repeater->whole, repeater->region, strlen(repeater->region)) &&
            units_parse_time(repeater->region, &time_ps, NULL) == STATUS_OK,
        status, STATUS_USAGE,
        OPTION " %s: only a region can be repeated, not a stretch that begins at a time", text);
    return STATUS_OK;
}

/* ---- is the stretch closed? ---- */

/* Sets the error for a stretch that is not closed. place: an operation in a call, or the last one
 * of the stretch. */
static status_code tied(const struct repeater *repeater, uint32_t rank, uint64_t place,
                        const char *why, struct status *status) {
    const struct program *whole = repeater->whole;
    const char *call = program_call_name(whole, rank, place);
    return status_set(status, STATUS_INPUT,
                      OPTION " %s: rank %" PRIu32
                             ", %s: %s; only a stretch that all ranks enter and leave without "
                             "pending requests can be repeated (%s)",
                      repeater->text, rank, *call != '\0' ? call : "at the end", why,
                      program_text(whole, whole->source));
}

static status_code check_post(struct repeater *repeater, uint32_t rank, uint64_t place,
                              const struct program_operation *operation, struct status *status) {
    bool is_message = operation->kind != OPERATION_COLLECTIVE;
    uint32_t slot = is_message ? operation->message.slot : operation->collective.slot;
    if (is_message && !program_is_one_sided(operation) && operation->message.match == PROGRAM_NONE)
        return tied(repeater, rank, place, "a message without a partner", status);
    if (is_message && !program_inside_has_message(&repeater->inside, rank, place))
        return tied(repeater, rank, place, "the other side of a message lies outside", status);
    if (!is_message && !program_inside_has_collective(&repeater->inside, operation))
        return tied(repeater, rank, place, "not all members' calls of a collective lie inside",
                    status);
    if (slot != PROGRAM_NONE) repeater->open[slot] = true;
    return STATUS_OK;
}

static status_code check_wait(struct repeater *repeater, uint32_t rank, uint64_t place,
                              const struct program_operation *operation, struct status *status) {
    const struct program *whole = repeater->whole;
    const uint32_t *slots = &operation->wait.first;
    if (operation->wait.count > 1)
        slots = whole->wait_slots + whole->ranks[rank].first_wait_slot + operation->wait.first;
    for (uint32_t i = 0; i < operation->wait.count; i++) {
        if (!repeater->open[slots[i]])
            return tied(repeater, rank, place, "waits for a request posted before", status);
        repeater->open[slots[i]] = false;
    }
    return STATUS_OK;
}

static status_code check_rank(struct repeater *repeater, uint32_t rank, struct status *status) {
    const struct program_rank *rank_entry = &repeater->whole->ranks[rank];
    const struct program_bounds *bounds = &repeater->bounds[rank];
    int64_t depth = 0;
    memset(repeater->open, 0, rank_entry->slot_count * sizeof *repeater->open);
    for (uint64_t i = bounds->first; i < bounds->end; i++) {
        const struct program_operation *operation =
            &program_array(repeater->whole)[rank_entry->first + i];
        depth += operation->kind == OPERATION_ENTER;
        depth -= operation->kind == OPERATION_LEAVE;
        if (operation->kind == OPERATION_SEND || operation->kind == OPERATION_RECEIVE ||
            operation->kind == OPERATION_COLLECTIVE)
            FORWARD_IF_ERROR(check_post(repeater, rank, i, operation, status));
        else if (operation->kind == OPERATION_FILE && operation->file.slot != PROGRAM_NONE)
            repeater->open[operation->file.slot] = true;
        else if (operation->kind == OPERATION_WAIT)
            FORWARD_IF_ERROR(check_wait(repeater, rank, i, operation, status));
    }
    for (uint32_t slot = 0; slot < rank_entry->slot_count; slot++)
        if (repeater->open[slot])
            return tied(repeater, rank, bounds->end - 1,
                        "a request posted inside is waited for only afterwards", status);
    if (depth != 0)
        return tied(repeater, rank, bounds->end - 1, "a region around it ends or begins inside",
                    status);
    return STATUS_OK;
}

static status_code check_repeated(struct repeater *repeater, struct status *status) {
    const struct program *whole = repeater->whole;
    uint32_t max_slots = 0;
    for (uint32_t rank = 0; rank < whole->rank_count; rank++)
        if (whole->ranks[rank].slot_count > max_slots) max_slots = whole->ranks[rank].slot_count;
    repeater->open = memory_new(max_slots, sizeof *repeater->open);
    RETURN_ERROR_IF(repeater->open == NULL, status, STATUS_MEMORY, "out of memory for requests");
    for (uint32_t rank = 0; rank < whole->rank_count; rank++)
        FORWARD_IF_ERROR(check_rank(repeater, rank, status));
    return STATUS_OK;
}

/* ---- repeating ---- */

/* Returns the duration of the stretch in the trace. */
static int64_t duration_ps(const struct repeater *repeater, uint32_t rank) {
    const struct program_operation *operations =
        program_array(repeater->whole) + repeater->whole->ranks[rank].first;
    const struct program_bounds *bounds = &repeater->bounds[rank];
    return operations[bounds->end - 1].mark.trace_ps - operations[bounds->first].mark.trace_ps;
}

/* Returns the last time of a rank in the trace. */
static int64_t last_ps(const struct repeater *repeater, uint32_t rank) {
    const struct program_rank *rank_entry = &repeater->whole->ranks[rank];
    const struct program_operation *operations = program_array(repeater->whole) + rank_entry->first;
    for (uint64_t i = rank_entry->count; i-- > 0;)
        if (program_is_mark(&operations[i])) return operations[i].mark.trace_ps;
    return 0;
}

/* Returns how often the rank can repeat the stretch: the numbers of operations and the times in the
 * trace have limits. */
static uint64_t max_of_rank(const struct repeater *repeater, uint32_t rank) {
    const struct program_bounds *bounds = &repeater->bounds[rank];
    uint64_t count = repeater->whole->ranks[rank].count, once = bounds->end - bounds->first;
    int64_t once_ps = duration_ps(repeater, rank);
    uint64_t max = once > 0 ? (PROGRAM_NONE - 1 - count) / once : TIMES_LIMIT;
    int64_t room_ps = PROGRAM_TIME_LIMIT_PS - last_ps(repeater, rank);
    uint64_t max_in_time = once_ps > 0 ? (uint64_t)(room_ps / once_ps) + 1 : TIMES_LIMIT;
    return max < max_in_time ? max : max_in_time;
}

/* Refuses too many repetitions before any is made. Without this test the failure would take long
 * and use the memory of everything else that runs. While programs are built, an operation with
 * everything that belongs to it takes less than twice its size (measured: 34 to 43 bytes). */
static status_code check_size(const struct repeater *repeater, struct status *status) {
    const struct program *whole = repeater->whole;
    uint64_t once = 0, max = TIMES_LIMIT, max_bytes = memory_limit_bytes();
    uint32_t busiest = 0;
    for (uint32_t rank = 0; rank < whole->rank_count; rank++) {
        uint64_t its = max_of_rank(repeater, rank);
        if (its < max) busiest = rank;
        if (its < max) max = its;
        once += repeater->bounds[rank].end - repeater->bounds[rank].first;
    }
    if (repeater->times < 2 || once == 0) return STATUS_OK;
    const uint64_t each = 2 * sizeof(struct program_operation), mib = (uint64_t)1 << 20;
    uint64_t room = max_bytes / each, rest = whole->operation_count;
    uint64_t fit = room > rest ? (room - rest) / once : 0;
    RETURN_ERROR_IF(repeater->times > fit && fit <= max, status, STATUS_INPUT,
                    OPTION " %s: needs %" PRIu64 " MiB of memory, and there are %" PRIu64
                           " MiB: at most %" PRIu64 " time%s",
                    repeater->text, once * each / 1024 * repeater->times / 1024, max_bytes / mib,
                    fit, plural(fit));
    RETURN_ERROR_IF(repeater->times > max, status, STATUS_INPUT,
                    OPTION " %s: rank %" PRIu32
                           " would have too many operations or too late times: at most %" PRIu64
                           " time%s",
                    repeater->text, busiest, max, plural(max));
    return STATUS_OK;
}

static status_code append_rank(struct repeater *repeater, uint32_t rank, struct status *status) {
    const struct program_bounds *bounds = &repeater->bounds[rank];
    uint64_t count = repeater->whole->ranks[rank].count;
    struct program_copy *copy = &repeater->copy;
    int64_t once_ps = duration_ps(repeater, rank);
    program_copy_begin(copy, rank);
    FORWARD_IF_ERROR(program_copy_operations(copy, rank, 0, bounds->first, status));
    for (uint64_t i = 0; i < repeater->times; i++) {
        if (i > 0) copy->shift_ps += once_ps;
        FORWARD_IF_ERROR(program_copy_operations(copy, rank, bounds->first, bounds->end, status));
    }
    FORWARD_IF_ERROR(program_copy_operations(copy, rank, bounds->end, count, status));
    return program_copy_end(copy, rank, status);
}

static status_code seal(struct repeater *repeater, unsigned threads, struct program **repeated,
                        struct status *status) {
    size_t size = strlen(repeater->text) + 16;
    char *how = malloc(size);
    RETURN_ERROR_IF(how == NULL, status, STATUS_MEMORY, "out of memory for a name");
    snprintf(how, size, ", repeat %s", repeater->text);
    status_code code = program_copy_seal(&repeater->copy, how, threads, repeated, status);
    free(how);
    return code;
}

static status_code make_repeated(struct repeater *repeater, unsigned threads,
                                 struct program **repeated, struct status *status) {
    const struct program *whole = repeater->whole;
    FORWARD_IF_ERROR(parse(repeater, status));
    repeater->bounds = memory_new(whole->rank_count, sizeof *repeater->bounds);
    RETURN_ERROR_IF(repeater->bounds == NULL, status, STATUS_MEMORY,
                    "out of memory for repeating a part of a program");
    FORWARD_IF_ERROR(program_bounds_find(repeater->bounds, whole, repeater->region,
                                         repeater->region, OPTION, status));
    FORWARD_IF_ERROR(
        program_inside_new(&repeater->inside, whole, repeater->bounds, threads, status));
    FORWARD_IF_ERROR(check_repeated(repeater, status));
    FORWARD_IF_ERROR(check_size(repeater, status));
    FORWARD_IF_ERROR(program_copy_new(&repeater->copy, whole, NULL, status));
    for (uint32_t rank = 0; rank < whole->rank_count; rank++)
        FORWARD_IF_ERROR(append_rank(repeater, rank, status));
    return seal(repeater, threads, repeated, status);
}

status_code program_repeat(struct program **repeated, const struct program *whole,
                           const char *repeat, unsigned threads, struct status *status) {
    struct repeater repeater = {.whole = whole, .text = repeat};
    *repeated = NULL;
    FORWARD_IF_ERROR(program_make_array(whole, status));
    status_code code = make_repeated(&repeater, threads, repeated, status);
    program_inside_free(&repeater.inside);
    program_copy_free(&repeater.copy);
    free(repeater.region);
    free(repeater.bounds);
    free(repeater.open);
    return code;
}
