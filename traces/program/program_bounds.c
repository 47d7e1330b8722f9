/*
 * Finding regions and times in a program. Must not know what is done with the part between.
 *
 * Invariant: a region entered inside itself counts each time; what is left is what was entered
 * last.
 */
#include "traces/program/program_bounds.h"

#include "core/units.h"
#include "traces/program/program_regions.h"

#include <inttypes.h>
#include <string.h>

/* One of the two ends. */
typedef struct place {
    const char *option; /* with which it was given */
    const char *text;   /* as it was given; NULL: not at all */
    size_t name_length;
    bool is_time;
    int64_t time_ps;
    uint64_t number; /* from 1; 0: the first to begin with, the last to end with */
} place;

static bool is_mark(const program_operation *operation) {
    return operation->kind == PROGRAM_CALL || operation->kind == PROGRAM_RETURN ||
           operation->kind == PROGRAM_ENTER || operation->kind == PROGRAM_LEAVE;
}

static bool begins(const program_operation *operation) {
    return operation->kind == PROGRAM_CALL || operation->kind == PROGRAM_ENTER;
}

static bool is_named(const program *program, const place *place, uint32_t region) {
    return program_region_is(program, region, place->text, place->name_length);
}

static status_code parse(place *place, const program *program, const char *text, const char *option,
                         status *status) {
    *place = (struct place){.option = option};
    if (text == NULL || *text == '\0') return STATUS_OK;
    place->text = text;
    place->name_length = strlen(text);
    if (program_region_known(program, text, place->name_length)) return STATUS_OK;
    if (units_parse_time(text, &place->time_ps, NULL) == STATUS_OK) {
        place->is_time = true;
        return STATUS_OK;
    }
    const char *sign = strrchr(text, '#');
    if (sign != NULL && sign[1] != '\0' && strspn(sign + 1, "0123456789") == strlen(sign + 1)) {
        place->name_length = (size_t)(sign - text);
        for (const char *digit = sign + 1; *digit != '\0' && place->number < PROGRAM_NONE; digit++)
            place->number = place->number * 10 + (uint64_t)(*digit - '0');
        RETURN_ERROR_IF(place->number == 0, status, STATUS_USAGE,
                        "%s %s: regions are counted from 1", option, text);
        if (program_region_known(program, text, place->name_length)) return STATUS_OK;
    }
    return program_region_unknown(program, option, text, text, place->name_length, status);
}

static status_code too_few(const program *program, const place *place, uint32_t rank,
                           uint64_t times, status *status) {
    return status_set(status, STATUS_INPUT,
                      "%s %s: rank %u is in %.*s %" PRIu64
                      " times; choose a region that all ranks enter so often, or a time (%s)",
                      place->option, place->text, rank, (int)place->name_length, place->text, times,
                      program_text(program, program->source));
}

/* The operation with which a rank enters the region. */
static status_code find_begin(const program *program, const place *place, uint32_t rank,
                              uint64_t *at, status *status) {
    const program_rank *part = &program->ranks[rank];
    uint64_t times = 0;
    for (uint64_t i = 0; i < part->count; i++) {
        const program_operation *operation = &program->operations[part->first + i];
        if (!is_mark(operation) || !begins(operation) ||
            !is_named(program, place, operation->mark.region) || ++times < place->number)
            continue;
        *at = i;
        return STATUS_OK;
    }
    return too_few(program, place, rank, times, status);
}

/* The one after that with which it leaves it: the number-th one entered, or the last one left. */
static status_code find_end(const program *program, const place *place, uint32_t rank, uint64_t *at,
                            status *status) {
    const program_rank *part = &program->ranks[rank];
    uint64_t times = 0, depth = 0, depth_of_it = 0;
    *at = 0;
    for (uint64_t i = 0; i < part->count; i++) {
        const program_operation *operation = &program->operations[part->first + i];
        if (!is_mark(operation) || !is_named(program, place, operation->mark.region)) continue;
        if (begins(operation)) {
            depth++;
            if (++times == place->number) depth_of_it = depth;
            continue;
        }
        if (place->number == 0 || (depth_of_it > 0 && depth == depth_of_it)) *at = i + 1;
        if (place->number > 0 && *at > 0) return STATUS_OK;
        if (depth > 0) depth--;
    }
    return *at > 0 ? STATUS_OK : too_few(program, place, rank, times, status);
}

/* The first call or region that begins at or after a time; computation before it is cut there. */
static void find_time_begin(const program *program, int64_t time_ps, uint32_t rank,
                            program_bounds *bounds) {
    const program_rank *part = &program->ranks[rank];
    bounds->first = part->count - 1;
    for (uint64_t i = 0; i < part->count; i++) {
        const program_operation *operation = &program->operations[part->first + i];
        if (!is_mark(operation) || !begins(operation) || operation->mark.trace_ps < time_ps)
            continue;
        bounds->first = i;
        bounds->before_ps = operation->mark.trace_ps - time_ps;
        return;
    }
}

static void find_time_end(const program *program, int64_t time_ps, uint32_t rank,
                          program_bounds *bounds) {
    const program_rank *part = &program->ranks[rank];
    bounds->end = bounds->first;
    for (uint64_t i = bounds->first; i < part->count; i++) {
        const program_operation *operation = &program->operations[part->first + i];
        if (!is_mark(operation) || begins(operation)) continue;
        if (operation->mark.trace_ps > time_ps) return;
        bounds->end = i + 1;
        bounds->after_ps = time_ps - operation->mark.trace_ps;
    }
}

static status_code find_bounds(program_bounds *bounds, const program *program, const place *from,
                               const place *to, uint32_t rank, status *status) {
    *bounds = (program_bounds){.end = program->ranks[rank].count - 1};
    if (from->is_time)
        find_time_begin(program, from->time_ps, rank, bounds);
    else if (from->text != NULL)
        FORWARD_IF_ERROR(find_begin(program, from, rank, &bounds->first, status));
    if (to->is_time)
        find_time_end(program, to->time_ps, rank, bounds);
    else if (to->text != NULL)
        FORWARD_IF_ERROR(find_end(program, to, rank, &bounds->end, status));
    /* A rank may compute from before the window until after it. */
    if (from->is_time && to->is_time && bounds->before_ps > to->time_ps - from->time_ps)
        bounds->before_ps = to->time_ps - from->time_ps;
    RETURN_ERROR_IF(bounds->end < bounds->first, status, STATUS_INPUT,
                    "rank %u leaves %s before it enters %s: nothing lies between", rank, to->text,
                    from->text);
    return STATUS_OK;
}

status_code program_bounds_find(program_bounds *bounds, const program *program, const char *from,
                                const char *to, const char *option, status *status) {
    place begin, end;
    FORWARD_IF_ERROR(parse(&begin, program, from, option != NULL ? option : "--from", status));
    FORWARD_IF_ERROR(parse(&end, program, to, option != NULL ? option : "--to", status));
    RETURN_ERROR_IF(begin.is_time && end.is_time && end.time_ps <= begin.time_ps, status,
                    STATUS_USAGE, "--to %s is not after --from %s", to, from);
    for (uint32_t rank = 0; rank < program->rank_count; rank++)
        FORWARD_IF_ERROR(find_bounds(&bounds[rank], program, &begin, &end, rank, status));
    return STATUS_OK;
}
