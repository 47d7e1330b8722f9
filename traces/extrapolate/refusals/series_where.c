/*
 * Writes where a value, a communicator or a rank without a rule is: its call, the user region
 * around the call, and ranks. Calls are counted from 1 on each rank, without the begins and ends of
 * user regions. Must not know roles.
 */
#include "traces/extrapolate/refusals/series_where.h"
#include "traces/extrapolate/steps/series_steps.h"

#include <stdio.h>
#include <string.h>

enum { SERIES_MOST_REGIONS = 16 }; /* in each other */

/* Appends the current range to the text, unless the text has SERIES_MOST_RANGES. */
static void end_range(struct series_ranges *ranges) {
    enum { RANGE_TEXT = 16 };
    char text[RANGE_TEXT] = "";
    const uint32_t more = ranges->last - ranges->first;
    if (ranges->count == 0) return;
    if (ranges->written == SERIES_MOST_RANGES) {
        ranges->left_out += more + 1;
        return;
    }
    if (more > 0) snprintf(text, sizeof text, "%s%u", more == 1 ? ", " : " to ", ranges->last);
    ranges->length +=
        (size_t)snprintf(ranges->text + ranges->length, sizeof ranges->text - ranges->length,
                         "%s%u%s", ranges->written == 0 ? "" : ", ", ranges->first, text);
    ranges->written++;
}

void series_ranges_add(struct series_ranges *ranges, uint32_t rank) {
    const bool grows = ranges->count > 0 && rank == ranges->last + 1;
    if (!grows) {
        end_range(ranges);
        ranges->first = rank;
    }
    ranges->last = rank;
    ranges->count++;
}

void series_ranges_end(struct series_ranges *ranges, char *text, size_t size) {
    end_range(ranges);
    if (ranges->count == 0)
        snprintf(text, size, "no rank");
    else if (ranges->left_out == 0)
        snprintf(text, size, "rank%s %s", ranges->count == 1 ? "" : "s", ranges->text);
    else
        snprintf(text, size, "ranks %s and %u more", ranges->text, ranges->left_out);
}

void series_where_members(const struct program *program, uint32_t communicator, char *text,
                          size_t size) {
    const struct program_communicator *own = &program->communicators[communicator];
    struct series_ranges ranges = {.count = 0};
    for (uint32_t i = 0; own->members != PROGRAM_NONE && i < own->size; i++)
        series_ranges_add(&ranges, program->communicator_members[own->members + i]);
    series_ranges_end(&ranges, text, size);
}

/* Returns the index, among the regions of the series, of the innermost user region in which a step
 * is; PROGRAM_NONE: it is in none. A region may be entered again within itself. */
static uint32_t region_around(const struct series *series, const struct series_rank *rank,
                              size_t step) {
    uint32_t left = 0; /* regions that were left before the step, and entered before that */
    for (size_t i = step; i-- > 0;) {
        const int64_t *words =
            series->steps.words + series->steps.symbols[rank->steps[i].symbol].first_word;
        if (words[0] == OPERATION_LEAVE) left++;
        if (words[0] != OPERATION_ENTER) continue;
        if (left == 0) return (uint32_t)words[1];
        left--;
    }
    return PROGRAM_NONE;
}

void series_where_call(const struct series *series, uint32_t program, uint32_t rank, size_t step,
                       char *text, size_t size) {
    const struct series_rank *from = &series->programs[program].ranks[rank];
    const uint32_t region = region_around(series, from, step);
    size_t number = 1;
    for (size_t i = 0; i < step; i++)
        number += series->steps.words[series->steps.symbols[from->steps[i].symbol].first_word] ==
                  OPERATION_CALL;
    snprintf(text, size, "call %zu of rank %u of %u ranks%s%s", number, rank,
             series->programs[program].program->rank_count,
             region == PROGRAM_NONE ? "" : ", in the user region ",
             region == PROGRAM_NONE ? "" : series_region_name(series, region));
}

uint32_t series_communicator_of(const struct program *program,
                                const struct program_operation *operation, bool *is_handle) {
    *is_handle = false;
    if (operation->kind == OPERATION_SEND || operation->kind == OPERATION_RECEIVE)
        return program->envelopes[operation->message.envelope].communicator;
    if (operation->kind != OPERATION_COLLECTIVE) return PROGRAM_NONE;
    const struct program_collective_arguments *arguments =
        &program->collective_arguments[operation->collective.arguments];
    *is_handle = arguments->kind == PROGRAM_COLLECTIVE_CREATE_HANDLE ||
                 arguments->kind == PROGRAM_COLLECTIVE_DESTROY_HANDLE;
    return arguments->communicator;
}

/* The calls of a rank up to an operation. */
struct counted_calls {
    uint32_t rank;
    uint32_t call;                         /* region of the last call */
    uint32_t entered[SERIES_MOST_REGIONS]; /* user regions around it, from the outer one */
    uint32_t depth;                        /* number of these regions, which may be larger */
    size_t count;                          /* calls */
};

/* Adds the operation of a walk. */
static void count_call(const struct program_walk *walk, struct counted_calls *calls) {
    const struct program_operation *operation = walk->operation;
    if (walk->rank != calls->rank) *calls = (struct counted_calls){.rank = walk->rank};
    if (operation->kind == OPERATION_ENTER) {
        if (calls->depth < SERIES_MOST_REGIONS)
            calls->entered[calls->depth] = operation->mark.region;
        calls->depth++;
    } else if (operation->kind == OPERATION_LEAVE && calls->depth > 0) {
        calls->depth--;
    } else if (operation->kind == OPERATION_CALL) {
        calls->call = operation->mark.region;
        calls->count++;
    }
}

/* Appends `words` and the last call to a text. */
static void append_call(const struct program *program, const struct counted_calls *calls,
                        const char *words, char *text, size_t size) {
    const size_t length = strlen(text);
    const bool is_inside = calls->depth > 0 && calls->depth <= SERIES_MOST_REGIONS;
    snprintf(
        text + length, size - length, "%s%s %s (call %zu of rank %u of %u ranks%s%s)",
        length > 0 ? " and " : "", words, program_text(program, program->regions[calls->call].name),
        calls->count, calls->rank, program->rank_count, is_inside ? ", in the user region " : "",
        is_inside ? program_text(program, program->regions[calls->entered[calls->depth - 1]].name)
                  : "");
}

void series_where_communicator(const struct program *program, uint32_t communicator, char *text,
                               size_t size) {
    struct program_walk walk = {0};
    struct counted_calls calls = {.count = 0};
    *text = '\0';
    while (program_walk_next(program, &walk)) {
        bool is_handle;
        count_call(&walk, &calls);
        if (calls.count == 0 ||
            series_communicator_of(program, walk.operation, &is_handle) != communicator)
            continue;
        if (!is_handle) {
            append_call(program, &calls, "is first used by", text, size);
            return;
        }
        if (*text == '\0') append_call(program, &calls, "is made by", text, size);
    }
    const size_t length = strlen(text);
    snprintf(text + length, size - length, "%shas no message or collective",
             length > 0 ? " and " : "");
}
