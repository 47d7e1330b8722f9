/*
 * Finds regions and times in a program. Must not know the use of the part in between.
 *
 * Invariant: a region entered inside itself counts each time, and a LEAVE belongs to the region
 * that was entered last.
 */
#include "traces/program/edit/program_bounds.h"

#include "core/base/plural.h"
#include "core/settings/units.h"
#include "traces/program/edit/program_regions.h"

#include <inttypes.h>
#include <string.h>

/* One of the two ends of a part. */
struct place {
    const char *option; /* option that gave the end */
    const char *text;   /* text of the user; NULL: not given */
    size_t name_length;
    bool is_time;
    int64_t time_ps;
    uint64_t occurrence; /* which time in the region, from 1; 0: the first for the beginning, the
                        last for the end */
};

static bool begins(const struct program_operation *operation) {
    return operation->kind == OPERATION_CALL || operation->kind == OPERATION_ENTER;
}

static bool is_named(const struct program *program, const struct place *place, uint32_t region) {
    return program_region_has_name(program, region, place->text, place->name_length);
}

static status_code parse(struct place *place, const struct program *program, const char *text,
                         const char *option, struct status *status) {
    *place = (struct place){.option = option};
    if (text == NULL || *text == '\0') return STATUS_OK;
    place->text = text;
    place->name_length = strlen(text);
    if (program_has_region(program, text, place->name_length)) return STATUS_OK;
    if (units_parse_time(text, &place->time_ps, NULL) == STATUS_OK) {
        place->is_time = true;
        RETURN_ERROR_IF(place->time_ps < 0, status, STATUS_USAGE,
                        "%s %s: times count from the start of the trace and cannot be negative",
                        option, text);
        return STATUS_OK;
    }
    const char *sign = strrchr(text, '#');
    if (sign != NULL && sign[1] != '\0' && strspn(sign + 1, "0123456789") == strlen(sign + 1)) {
        place->name_length = (size_t)(sign - text);
        for (const char *digit = sign + 1; *digit != '\0' && place->occurrence < PROGRAM_NONE;
             digit++)
            place->occurrence = place->occurrence * 10 + (uint64_t)(*digit - '0');
        RETURN_ERROR_IF(place->occurrence == 0, status, STATUS_USAGE,
                        "%s %s: regions are counted from 1", option, text);
        if (program_has_region(program, text, place->name_length)) return STATUS_OK;
    }
    RETURN_ERROR_IF(strspn(text, "0123456789.") == strlen(text), status, STATUS_USAGE,
                    "%s %s: a time needs a unit (5ms), and the trace has no region `%s`", option,
                    text, text);
    return program_set_unknown_region(program, option, text, text, place->name_length, status);
}

static status_code too_few(const struct program *program, const struct place *place, uint32_t rank,
                           uint64_t times, struct status *status) {
    return status_set(status, STATUS_INPUT,
                      "%s %s: rank %u is in %.*s %" PRIu64
                      " time%s; choose a region that all ranks enter often enough, or a time (%s)",
                      place->option, place->text, rank, (int)place->name_length, place->text, times,
                      plural(times), program_text(program, program->source));
}

/* Finds the operation with which a rank enters the region for the chosen time. */
static status_code find_begin(const struct program *program, const struct place *place,
                              uint32_t rank, uint64_t *at, struct status *status) {
    const struct program_rank *rank_entry = &program->ranks[rank];
    uint64_t times = 0;
    for (uint64_t i = 0; i < rank_entry->count; i++) {
        const struct program_operation *operation = &program_array(program)[rank_entry->first + i];
        if (!program_is_mark(operation) || !begins(operation) ||
            !is_named(program, place, operation->mark.region) || ++times < place->occurrence)
            continue;
        *at = i;
        return STATUS_OK;
    }
    return too_few(program, place, rank, times, status);
}

/* Finds the operation after the one with which a rank leaves the region: the region entered for the
 * place->occurrence-th time, or the last one left if place->occurrence is 0. */
static status_code find_end(const struct program *program, const struct place *place, uint32_t rank,
                            uint64_t *at, struct status *status) {
    const struct program_rank *rank_entry = &program->ranks[rank];
    uint64_t times = 0, depth = 0, depth_of_it = 0;
    *at = 0;
    for (uint64_t i = 0; i < rank_entry->count; i++) {
        const struct program_operation *operation = &program_array(program)[rank_entry->first + i];
        if (!program_is_mark(operation) || !is_named(program, place, operation->mark.region))
            continue;
        if (begins(operation)) {
            depth++;
            if (++times == place->occurrence) depth_of_it = depth;
            continue;
        }
        if (place->occurrence == 0 || (depth_of_it > 0 && depth == depth_of_it)) *at = i + 1;
        if (place->occurrence > 0 && *at > 0) return STATUS_OK;
        if (depth > 0) depth--;
    }
    return *at > 0 ? STATUS_OK : too_few(program, place, rank, times, status);
}

/* A computation and the time it took in the trace. The two differ after scaling. */
struct gap {
    int64_t compute_ps; /* 0: there is no computation */
    int64_t from_ps;
    int64_t to_ps;
};

/* Returns the computation right before operation `at` of a rank, which is a mark or the rank's END.
 */
static struct gap gap_before(const struct program *program, uint32_t rank, uint64_t at) {
    const struct program_operation *operation =
        &program_array(program)[program->ranks[rank].first + at];
    if (at == 0 || operation[-1].kind != OPERATION_COMPUTE) return (struct gap){0};
    struct gap gap = {.compute_ps = operation[-1].compute.duration_ps};
    bool has_begin = at > 1 && program_is_mark(&operation[-2]),
         has_end = program_is_mark(operation);
    if (has_end) gap.to_ps = operation->mark.trace_ps;
    if (has_begin) gap.from_ps = operation[-2].mark.trace_ps;
    if (!has_end) gap.to_ps = gap.from_ps + gap.compute_ps;
    if (!has_begin && gap.to_ps > gap.compute_ps) gap.from_ps = gap.to_ps - gap.compute_ps;
    return gap;
}

/* Returns the part of a computation that lies in a window of the trace: in proportion to its time,
 * rounded down. A computation that took no time counts in full or not at all. */
static int64_t part_of(const struct gap *gap, int64_t from_ps, int64_t to_ps) {
    if (gap->to_ps <= gap->from_ps)
        return from_ps <= gap->from_ps && gap->from_ps <= to_ps ? gap->compute_ps : 0;
    if (from_ps < gap->from_ps) from_ps = gap->from_ps;
    if (to_ps > gap->to_ps) to_ps = gap->to_ps;
    if (to_ps <= from_ps) return 0;
    return (int64_t)((wide)gap->compute_ps * (uint64_t)(to_ps - from_ps) /
                     (uint64_t)(gap->to_ps - gap->from_ps));
}

/* Finds the first mark outside calls at or after a time. Also computes how much computation lies
 * between the time and that mark, but not after to_ps. */
static void find_time_begin(const struct program *program, int64_t time_ps, int64_t to_ps,
                            uint32_t rank, struct program_bounds *bounds) {
    const struct program_rank *rank_entry = &program->ranks[rank];
    bool inside = false;
    bounds->first = rank_entry->count - 1;
    for (uint64_t i = 0; i < rank_entry->count; i++) {
        const struct program_operation *operation = &program_array(program)[rank_entry->first + i];
        if (!program_is_mark(operation)) continue;
        bool was_inside = inside;
        if (operation->kind == OPERATION_CALL || operation->kind == OPERATION_RETURN)
            inside = operation->kind == OPERATION_CALL;
        if (was_inside || operation->mark.trace_ps < time_ps) continue;
        bounds->first = i;
        break;
    }
    struct gap gap = gap_before(program, rank, bounds->first);
    bounds->before_ps = part_of(&gap, time_ps, to_ps);
}

/* Finds the end of the part after the last mark outside calls at or before a time. Also computes
 * how much computation lies between that mark and the time, unless bounds->before_ps counts it
 * already. */
static void find_time_end(const struct program *program, int64_t time_ps, bool from_time,
                          uint32_t rank, struct program_bounds *bounds) {
    const struct program_rank *rank_entry = &program->ranks[rank];
    bool inside = false;
    bounds->end = bounds->first;
    for (uint64_t i = bounds->first; i < rank_entry->count; i++) {
        const struct program_operation *operation = &program_array(program)[rank_entry->first + i];
        if (!program_is_mark(operation)) continue;
        if (operation->mark.trace_ps > time_ps) break;
        if (operation->kind == OPERATION_CALL || operation->kind == OPERATION_RETURN)
            inside = operation->kind == OPERATION_CALL;
        if (!inside) bounds->end = i + 1;
    }
    bool beginning = bounds->end == bounds->first;
    if (bounds->end + 1 >= rank_entry->count || (beginning && from_time)) return;
    struct gap gap = gap_before(program, rank, bounds->end + 1);
    bounds->after_ps = part_of(&gap, 0, time_ps);
}

static status_code find_bounds(struct program_bounds *bounds, const struct program *program,
                               const struct place *from, const struct place *to, uint32_t rank,
                               struct status *status) {
    *bounds = (struct program_bounds){.end = program->ranks[rank].count - 1};
    if (from->is_time)
        find_time_begin(program, from->time_ps, to->is_time ? to->time_ps : INT64_MAX, rank,
                        bounds);
    else if (from->text != NULL)
        FORWARD_IF_ERROR(find_begin(program, from, rank, &bounds->first, status));
    if (to->is_time)
        find_time_end(program, to->time_ps, from->is_time, rank, bounds);
    else if (to->text != NULL)
        FORWARD_IF_ERROR(find_end(program, to, rank, &bounds->end, status));
    /* Between two times a rank may do nothing; check_times refuses it if no rank does anything. */
    const bool is_empty =
        from->is_time || to->is_time ? bounds->end < bounds->first : bounds->end <= bounds->first;
    RETURN_ERROR_IF(is_empty, status, STATUS_INPUT,
                    "rank %u leaves %s before %s%s: nothing lies between", rank, to->text,
                    from->is_time ? "" : "it enters ", from->text);
    return STATUS_OK;
}

/* Returns the time of the last mark of all ranks. */
static int64_t last_mark_ps(const struct program *program) {
    int64_t last_ps = 0;
    for (uint64_t i = 0; i < program->operation_count; i++) {
        const struct program_operation *operation = &program_array(program)[i];
        if (program_is_mark(operation) && operation->mark.trace_ps > last_ps)
            last_ps = operation->mark.trace_ps;
    }
    return last_ps;
}

/* Refuses times between which no rank does anything: they are not times of this trace. */
static status_code check_times(const struct program_bounds *bounds, const struct program *program,
                               const struct place *from, const struct place *to,
                               struct status *status) {
    if (!from->is_time && !to->is_time) return STATUS_OK;
    for (uint32_t rank = 0; rank < program->rank_count; rank++)
        if (bounds[rank].first < bounds[rank].end || bounds[rank].before_ps > 0 ||
            bounds[rank].after_ps > 0)
            return STATUS_OK;
    char end[UNITS_TEXT_BYTES];
    units_time_human(last_mark_ps(program), end, sizeof end);
    return status_set(
        status, STATUS_INPUT,
        "nothing lies between %s and %s: the last call of the trace ends %s after its start (%s)",
        from->text != NULL ? from->text : "the start", to->text != NULL ? to->text : "the end", end,
        program_text(program, program->source));
}

status_code program_bounds_find(struct program_bounds *bounds, const struct program *program,
                                const char *from, const char *to, const char *option,
                                struct status *status) {
    struct place begin, end;
    FORWARD_IF_ERROR(parse(&begin, program, from, option != NULL ? option : "trace.from", status));
    FORWARD_IF_ERROR(parse(&end, program, to, option != NULL ? option : "trace.to", status));
    RETURN_ERROR_IF(begin.is_time && end.is_time && end.time_ps <= begin.time_ps, status,
                    STATUS_USAGE, "trace.to %s is not after trace.from %s", to, from);
    for (uint32_t rank = 0; rank < program->rank_count; rank++)
        FORWARD_IF_ERROR(find_bounds(&bounds[rank], program, &begin, &end, rank, status));
    return check_times(bounds, program, &begin, &end, status);
}
