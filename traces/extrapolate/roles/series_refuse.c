/*
 * Says why the programs of a series have no roles in common: a call that only some of them make, or
 * the first step at which a rank of two programs differs.
 */
#include "traces/extrapolate/grids/series_grids.h"
#include "traces/extrapolate/laws/series_law.h"
#include "traces/extrapolate/laws/sizes/law_sizes.h"
#include "traces/extrapolate/refusals/series_where.h"
#include "traces/extrapolate/roles/series_roles.h"
#include "traces/extrapolate/series.h"
#include "traces/extrapolate/steps/series_steps.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct program *program_of(const struct series *series, uint32_t number) {
    return series->programs[number].program;
}

static const char *source_of(const struct series *series, uint32_t number) {
    return program_text(program_of(series, number), program_of(series, number)->source);
}

/* Returns whether a program makes a call of a region, and sets *rank and *step to the first one. */
static bool makes_call(const struct series *series, uint32_t number, uint32_t region,
                       uint32_t *rank, size_t *step) {
    const struct series_program *from = &series->programs[number];
    for (*rank = 0; *rank < from->program->rank_count; ++*rank)
        for (*step = 0; *step < from->ranks[*rank].step_count; ++*step) {
            const struct series_symbol *symbol =
                &series->steps.symbols[from->ranks[*rank].steps[*step].symbol];
            const int64_t *words = series->steps.words + symbol->first_word;
            if (words[0] == OPERATION_CALL && words[1] == (int64_t)region) return true;
        }
    return false;
}

/* A call that only some programs make. */
struct call_of_some {
    uint32_t region;
    uint32_t with, without; /* the last program that makes it, and the last one that does not */
    uint32_t
        odd; /* the only program that makes it, or that does not; PROGRAM_NONE: there is none */
};

/* Sets *call to the first MPI call that only some programs make. Returns false if there is none. */
static bool find_call(const struct series *series, struct call_of_some *call) {
    for (call->region = 0; call->region < series->steps.region_count; call->region++) {
        uint32_t count = 0;
        if (series->steps.regions[call->region].is_mpi == 0) continue;
        for (uint32_t k = 0; k < series->program_count; k++) {
            uint32_t rank;
            size_t step;
            const bool makes = makes_call(series, k, call->region, &rank, &step);
            *(makes ? &call->with : &call->without) = k;
            count += makes;
        }
        call->odd = count == 1                           ? call->with
                    : count + 1 == series->program_count ? call->without
                                                         : PROGRAM_NONE;
        if (count > 0 && count < series->program_count) return true;
    }
    return false;
}

/* Returns a rank that has different steps in two programs, *left and *right. If *right differs from
 * all other programs, which agree, sets *is_one to true; otherwise the two follow each other in the
 * series. */
static uint32_t find_difference(const struct series *series, uint32_t *left, uint32_t *right,
                                bool *is_one) {
    const uint32_t count = series->program_count;
    *is_one = true;
    for (uint32_t r = 0; r < program_of(series, 0)->rank_count; r++)
        for (uint32_t odd = 0; odd < count; odd++) {
            const uint32_t first = odd == 0 ? 1 : 0;
            const uint64_t hash = series->programs[first].ranks[r].flat_hash;
            bool others_agree = series->programs[odd].ranks[r].flat_hash != hash;
            for (uint32_t k = 0; k < count && others_agree; k++)
                others_agree = k == odd || series->programs[k].ranks[r].flat_hash == hash;
            if (!others_agree) continue;
            *right = odd;
            *left = odd == 0 ? 1 : odd - 1;
            return r;
        }
    *is_one = false;
    for (uint32_t r = 0; r < program_of(series, count - 2)->rank_count; r++)
        for (*right = count - 1; *right > 0; --*right) {
            *left = *right - 1;
            if (r < program_of(series, *left)->rank_count &&
                series->programs[*left].ranks[r].flat_hash !=
                    series->programs[*right].ranks[r].flat_hash)
                return r;
        }
    *left = count - 2;
    *right = count - 1;
    return 0;
}

/* Returns a text which says that tests depend on timing, if a call is a test; "": it is none. */
static const char *test_text(const char *call) {
    return strncmp(call, "MPI_Test", strlen("MPI_Test")) == 0
               ? "; which tests find a request complete depends on timing: if the application can "
                 "wait instead, record it so"
               : "";
}

/* Returns how many messages, collectives and waits a call has. */
static unsigned count_parts(const struct series *series, const struct series_symbol *symbol) {
    struct law_part_of_call part = {0};
    unsigned count = 0;
    while (law_next_part(series, symbol, &part))
        count++;
    return count;
}

static const char *part_name(const int64_t *words) {
    switch (series_head_kind(words[0])) {
    case OPERATION_SEND:
        return "a send";
    case OPERATION_RECEIVE:
        return "a receive";
    case OPERATION_COLLECTIVE:
        return "a collective";
    default:
        return "a wait";
    }
}

/* Writes how a part of a call differs from the same part of another call. */
static void part_text(const struct series *series, const int64_t *words, const int64_t *other,
                      char *text, size_t size) {
    const int64_t kind = series_head_kind(words[0]);
    const uint32_t communicator = kind == OPERATION_COLLECTIVE ? 2 : 1;
    if (kind != series_head_kind(other[0])) {
        snprintf(text, size, " with %s", part_name(words));
    } else if (kind == OPERATION_WAIT) {
        snprintf(text, size,
                 words[1] == SERIES_WAIT_FOR_OWN   ? " for its own requests"
                 : words[1] == SERIES_WAIT_FOR_ALL ? " for all requests"
                                                   : " for some requests");
    } else if (words[communicator] != other[communicator]) {
        const char *name = series->families.list[words[communicator]].name;
        snprintf(text, size, " in %s%s", *name != '\0' ? "communicator " : "another communicator",
                 name);
    } else if (kind != OPERATION_COLLECTIVE && !series->assumptions.tags_are_values &&
               words[2] != other[2]) {
        snprintf(text, size, " with %s of tag %" PRId64, part_name(words), words[2]);
    } else {
        snprintf(text, size, " with %s of other arguments", part_name(words));
    }
}

/* Writes what step `number` of a rank is, and, if the same step of another rank has the same call,
 * how the two differ. */
static void step_text(const struct series *series, const struct series_rank *rank,
                      const struct series_rank *other, size_t number, char *text, size_t size) {
    if (number >= rank->step_count) {
        snprintf(text, size, "no step");
        return;
    }
    const struct series_symbol *own = &series->steps.symbols[rank->steps[number].symbol];
    const char *name = series_symbol_name(series, rank->steps[number].symbol);
    const struct series_symbol *against =
        number < other->step_count ? &series->steps.symbols[other->steps[number].symbol] : own;
    const int64_t *words = series->steps.words + own->first_word;
    const int64_t *others = series->steps.words + against->first_word;
    char how[2 * SERIES_TEXT] = "";
    struct law_part_of_call left = {0}, right = {0};
    if (words[0] == OPERATION_CALL && others[0] == OPERATION_CALL && words[1] == others[1]) {
        bool has_left, has_right;
        do {
            has_left = law_next_part(series, own, &left);
            has_right = law_next_part(series, against, &right);
        } while (has_left && has_right && left.word_count == right.word_count &&
                 memcmp(left.words, right.words, left.word_count * sizeof *left.words) == 0);
        if (has_left && has_right)
            part_text(series, left.words, right.words, how, sizeof how);
        else
            snprintf(how, sizeof how, " with %u messages, collectives and waits",
                     count_parts(series, own));
    }
    snprintf(text, size, "%s%s", name, how);
}

/* Writes which ranks of the smaller one of two programs have other steps in the larger one. */
static void differing_text(const struct series *series, uint32_t left, uint32_t right, char *text,
                           size_t size) {
    const struct series_program *a = &series->programs[left], *b = &series->programs[right];
    const uint32_t few = a->program->rank_count < b->program->rank_count ? a->program->rank_count
                                                                         : b->program->rank_count;
    struct series_ranges ranges = {.count = 0};
    for (uint32_t r = 0; r < few; r++)
        if (a->ranks[r].flat_hash != b->ranks[r].flat_hash) series_ranges_add(&ranges, r);
    series_ranges_end(&ranges, text, size);
}

static bool has_given(const struct series_grid_rule *rule) {
    bool has = false;
    for (uint32_t d = 0; d < rule->dimensions; d++)
        has = has || rule->given[d] > 0;
    return has;
}

/* If the smallest program has one rank along a dimension of a grid of three dimensions, and the
 * largest one has more, writes a hint to leave out such programs; otherwise "". */
static void hint_text(const struct series *series, char *text, size_t size) {
    const uint32_t last = series->program_count - 1;
    *text = '\0';
    for (uint32_t g = 1; g < series->grids.count; g++) {
        if (series->grids.rules[g].dimensions != 3 || grid_is_rare(&series->grids.rules[g]) ||
            has_given(&series->grids.rules[g]))
            continue;
        for (uint32_t d = 0; d < 3; d++) {
            char few[SERIES_TEXT], many[SERIES_TEXT];
            if (series->programs[0].extents.of[g][d] > 1 ||
                series->programs[last].extents.of[g][d] == 1)
                continue;
            grid_text(series, g, &series->programs[0].extents, few, sizeof few);
            grid_text(series, g, &series->programs[last].extents, many, sizeof many);
            snprintf(text, size,
                     "; in a grid of three dimensions, %u ranks are %s and %u are %s: if the "
                     "application has one, leave out programs with one rank along a dimension",
                     program_of(series, 0)->rank_count, few, program_of(series, last)->rank_count,
                     many);
            return;
        }
    }
}

/* Writes a hint that only one program differs from all others. odd: its number; PROGRAM_NONE: none
 * does.
 */
static void alone_text(const struct series *series, uint32_t odd, char *text, size_t size) {
    *text = '\0';
    if (odd == PROGRAM_NONE || series->program_count < 4) return;
    snprintf(
        text, size,
        "; only the program of %u ranks differs: leave it out, or the calls (trace.from, trace.to)",
        program_of(series, odd)->rank_count);
}

static const char no_rule[] = "no rule says which ranks call MPI alike";
static const char reasons[] =
    "the programs are of different applications or inputs, or the application chooses its calls by "
    "something else than its grid, such as its data or coarser grids";

/* Refuses a series in which only some programs make a call. */
static status_code refuse_call(const struct series *series, const struct call_of_some *call,
                               const char *hint, struct status *status) {
    char place[2 * SERIES_TEXT] = "", alone[SERIES_TEXT];
    const char *name = series_region_name(series, call->region);
    uint32_t rank;
    size_t step;
    if (makes_call(series, call->with, call->region, &rank, &step))
        series_where_call(series, call->with, rank, step, place, sizeof place);
    alone_text(series, call->odd, alone, sizeof alone);
    return status_set(
        status, STATUS_INPUT,
        "%s: %s (%u ranks) calls %s, and %s (%u ranks) does not; the first one is "
        "%s; %s%s%s%s",
        no_rule, source_of(series, call->with), program_of(series, call->with)->rank_count, name,
        source_of(series, call->without), program_of(series, call->without)->rank_count, place,
        reasons, alone, test_text(name), hint);
}

status_code series_roles_refuse(const struct series *series, struct status *status) {
    struct call_of_some call;
    uint32_t left, right;
    char hint[3 * SERIES_TEXT], alone[SERIES_TEXT];
    bool is_one;
    hint_text(series, hint, sizeof hint);
    if (find_call(series, &call)) return refuse_call(series, &call, hint, status);
    const uint32_t rank = find_difference(series, &left, &right, &is_one);
    const struct series_rank *a = &series->programs[left].ranks[rank];
    const struct series_rank *b = &series->programs[right].ranks[rank];
    size_t i = 0;
    while (i < a->step_count && i < b->step_count && a->steps[i].symbol == b->steps[i].symbol)
        i++;
    if (i == a->step_count && i == b->step_count)
        return status_set(status, STATUS_INPUT,
                          "%s: ranks with the same number make the same calls in all programs, and "
                          "nothing says which calls further ranks make%s",
                          no_rule, hint);
    char left_step[3 * SERIES_TEXT], right_step[3 * SERIES_TEXT];
    step_text(series, a, b, i, left_step, sizeof left_step);
    step_text(series, b, a, i, right_step, sizeof right_step);
    char place[2 * SERIES_TEXT], differing[2 * SERIES_TEXT];
    series_where_call(series, left, rank, i, place, sizeof place);
    differing_text(series, left, right, differing, sizeof differing);
    alone_text(series, is_one ? right : PROGRAM_NONE, alone, sizeof alone);
    const char *tests = test_text(left_step);
    if (*tests == '\0') tests = test_text(right_step);
    return status_set(
        status, STATUS_INPUT,
        "%s: rank %u of %s (%u ranks)%s and of %s (%u ranks) first differ at step %zu: %s, and %s; "
        "the first of these is %s, and %s differ in the two programs; %s%s%s%s",
        no_rule, rank, source_of(series, left), program_of(series, left)->rank_count,
        is_one ? ", as of all others," : "", source_of(series, right),
        program_of(series, right)->rank_count, i + 1, left_step, right_step, place, differing,
        reasons, alone, tests, hint);
}
