/*
 * The inner levels of a program: the last level that all ranks take part in, with the coarse
 * levels. They look like the coarse levels of a larger program: in three dimensions, the last level
 * of all ranks on 8 ranks does what the first coarse level does on 64 ranks. If all ranks take part
 * in several levels, the coarse levels look like no whole program, and are compared with inner
 * levels. See series_levels.h.
 *
 * Invariant: on rank 0, the inner levels are the same number of calls before and after each row of
 * runs, with these runs and the calls between them (struct frame). On other ranks, they are the
 * same messages.
 */
#include "core/memory/memory.h"
#include "traces/extrapolate/divisions/series_call_sets.h"
#include "traces/extrapolate/divisions/series_levels.h"
#include "traces/extrapolate/grids/series_grids.h"

#include <stdlib.h>
#include <string.h>

enum {
    FEWEST_PROGRAMS = 3, /* inner levels that are extrapolated */
    MOST_CALLS = 64,     /* of the first coarse level in a run, where several frames are tried */
    MOST_FACTOR = 3      /* so many times as many calls may an inner level have that has more
                            dimensions than the first coarse level */
};
/* Instead of a set of dimensions: the grids are not alike. */
#define UNLIKE UINT32_MAX

/* Which calls of rank 0 are inner levels: `runs` runs that follow each other (a row), the calls
 * between these, `before` calls before the first of them, and `after` calls after the last one. */
struct frame {
    uint64_t before, after;
    uint32_t runs;
};

/* ---- the inner levels of a program ---- */

/* Lists the elements of all ranks of program k, with those of the inner levels as coarse ones. The
 * caller frees them, also after errors. Sets *fits to false if the frame does not fit rank 0, or if
 * other ranks do not have the same messages in the inner levels. */
static status_code select_calls(const struct level_divider *divider, uint32_t k,
                                const struct frame *frame, struct level_rank *ranks, bool *fits,
                                struct status *status) {
    const struct series *series = divider->series;
    const struct program *program = series->programs[k].program;
    const uint32_t rows = divider->runs / frame->runs,
                   number = series_level_rank_places(divider, k, 0);
    struct level_segments *segments = NULL;
    uint64_t *cuts = NULL;
    *fits = divider->runs % frame->runs == 0 && number != KEY_TABLE_NONE;
    if (!*fits) return STATUS_OK;
    for (uint32_t r = 0; r < program->rank_count; r++) {
        const struct level_rank *from = &divider->ranks[k][r];
        ranks[r] = (struct level_rank){.count = from->count, .capacity = from->count};
        ranks[r].elements = memory_new(from->count, sizeof *from->elements);
        RETURN_ERROR_IF(ranks[r].elements == NULL, status, STATUS_MEMORY,
                        "out of memory for coarse levels");
        if (from->count > 0)
            memcpy(ranks[r].elements, from->elements, from->count * sizeof *from->elements);
    }
    cuts = memory_new((size_t)rows * 2, sizeof *cuts);
    RETURN_ERROR_IF(cuts == NULL, status, STATUS_MEMORY, "out of memory for coarse levels");
    const uint64_t *places = &divider->places[number];
    for (size_t i = 0; i < rows && *fits; i++) {
        const uint64_t first = places[i * frame->runs], last = places[(i + 1) * frame->runs - 1];
        *fits = first >= frame->before && (i == 0 || first - frame->before >= cuts[2 * i - 1]);
        cuts[2 * i] = first - frame->before;
        cuts[2 * i + 1] = last + frame->after;
    }
    status_code code = STATUS_OK;
    if (*fits)
        code = series_level_segments_new(&segments, program,
                                         series->programs[k].extents.of[divider->grid],
                                         series->grids.rules[divider->grid].dimensions, &ranks[0],
                                         cuts, (size_t)rows * 2, status);
    for (uint32_t r = 0; r < program->rank_count && *fits && code == STATUS_OK; r++) {
        code = series_level_segments_apply(segments, program, r, &ranks[r], fits, status);
        uint32_t run = 0, unit = 0;
        for (size_t e = 0; e < ranks[r].count && *fits; e++) {
            struct level_element *element = &ranks[r].elements[e];
            if (element->is_coarse) {
                element->unit = run / frame->runs;
                run += e + 1 == ranks[r].count || !ranks[r].elements[e + 1].is_coarse;
            } else {
                element->is_coarse = element->segment % 2 == 1;
                element->unit = element->segment / 2;
                if (!element->is_coarse) continue;
            }
            *fits = element->unit == unit || (e > 0 && element->unit == unit + 1);
            unit = element->unit;
        }
        *fits = *fits && unit + 1 == rows && (run == 0 || run == divider->runs);
    }
    series_level_segments_free(segments);
    free(cuts);
    return code;
}

/* Makes the program of the inner levels of program k. *inner stays NULL if the frame does not fit,
 * or if messages of the inner levels have no partner in them. */
static status_code make_inner(const struct level_divider *divider, uint32_t k,
                              const struct frame *frame, struct program **inner,
                              struct status *status) {
    const uint32_t ranks = divider->series->programs[k].program->rank_count;
    struct level_divider whole = {.series = divider->series, .repeats = frame->runs};
    struct status other = STATUS_INIT;
    bool fits = true;
    status_code code =
        series_level_divider_new(&whole, divider->series, divider->grid, divider->step, status);
    whole.repeats = frame->runs;
    if (code == STATUS_OK)
        code = series_level_set_make(&whole.sets[k], divider->series, divider->grid, 1, ranks,
                                     &divider->series->programs[k].extents, status);
    if (code == STATUS_OK) code = select_calls(divider, k, frame, whole.ranks[k], &fits, status);
    if (code == STATUS_OK && fits) {
        code = series_level_part_make(&whole, k, true, inner, &fits, &other);
        if (code == STATUS_OK || code == STATUS_INPUT) {
            const struct program *made = code == STATUS_OK && fits ? *inner : NULL;
            if (made == NULL || made->unmatched_sends + made->unmatched_receives > 0) {
                program_free(*inner);
                *inner = NULL;
            }
            code = STATUS_OK;
        } else {
            status_set(status, code, "%s", other.text);
        }
    }
    status_clear(&other);
    series_level_divider_free(&whole);
    return code;
}

/* ---- frames ---- */

/* Compares the grid of the coarse levels in a grid of these extents with the grid of program j.
 * Returns the set of dimensions along which the coarse levels have one rank, and program j has two.
 * UNLIKE: they differ in another way along some dimension. */
static uint32_t flat_dimensions(const struct level_divider *divider,
                                const struct series_grid_extents *extents, uint32_t j) {
    const uint32_t grid = divider->grid;
    uint32_t flat = 0;
    for (uint32_t d = 0; d < divider->series->grids.rules[grid].dimensions; d++) {
        const uint32_t own = (extents->of[grid][d] + divider->step - 1) / divider->step;
        const uint32_t other = divider->series->programs[j].extents.of[grid][d];
        if (own != other && (own != 1 || other != 2)) return UNLIKE;
        if (own != other) flat |= 1U << d;
    }
    return flat;
}

/* Measures the first run of coarse levels of rank 0 of program k. Sets frame->runs to how often it
 * visits the coarser levels, in which fewer ranks take part than in the first coarse level;
 * ->before to its calls before the first of these visits, and ->after to its calls after the last
 * one. If there is no visit, both are the number of its calls. */
static status_code measure_run(const struct level_divider *divider, uint32_t k, struct frame *frame,
                               struct status *status) {
    const struct level_rank *rank = &divider->ranks[k][0];
    const struct series_program *program = &divider->series->programs[k];
    struct level_set set = {0};
    struct level_rank coarser = {0};
    bool fits = true, is_last_coarser = false;
    *frame = (struct frame){0};
    status_code code =
        series_level_set_make(&set, divider->series, divider->grid, divider->step * divider->step,
                              program->program->rank_count, &program->extents, status);
    if (code == STATUS_OK)
        code = series_level_rank_list(&coarser, program->program, 0, &set, &fits, status);
    size_t e = 0;
    while (e < rank->count && !rank->elements[e].is_coarse)
        e++;
    for (; e < rank->count && rank->elements[e].is_coarse && code == STATUS_OK; e++) {
        const bool is_coarser = fits && e < coarser.count && coarser.elements[e].is_coarse;
        if (is_coarser && !is_last_coarser) {
            frame->runs++;
            frame->after = 0;
        } else if (!is_coarser) {
            if (frame->runs == 0) frame->before++;
            frame->after++;
        }
        is_last_coarser = is_coarser;
    }
    free(coarser.elements);
    series_level_set_free(&set);
    return code;
}

/* Sets *frame to frame `number` of those by which inner levels of program j may look like the
 * coarse levels that were measured. Returns false after the last one. If the first coarse level
 * visits no coarser ones, these are all ways to divide its calls, around one run and then around
 * two, each beginning with equal parts. */
static bool choose_full(const struct level_divider *divider, uint32_t j,
                        const struct frame *measured, uint32_t number, struct frame *frame) {
    *frame = *measured;
    if (measured->runs > 0) return number == 0;
    const uint64_t calls = measured->before;
    const uint32_t places = series_level_rank_places(divider, j, 0);
    if (places == KEY_TABLE_NONE || calls > MOST_CALLS) return false;
    frame->runs = 1;
    uint64_t rest = calls, n = number;
    if (n > calls) {
        if (divider->runs % 2 != 0) return false;
        const uint64_t between = divider->places[places + 1] - divider->places[places];
        if (between > calls) return false;
        frame->runs = 2;
        rest = calls - between;
        n -= calls + 1;
    }
    if (n > rest) return false;
    const uint64_t middle = rest / 2;
    frame->before = n == 0 ? middle : n <= middle ? n - 1 : n;
    frame->after = rest - frame->before;
    return true;
}

/* Does the same where the program has more dimensions than the first coarse level, and so more
 * calls in a level. Frames with as many more calls before the runs as after them come first. */
static bool choose_flat(const struct level_divider *divider, const struct frame *measured,
                        uint32_t number, struct frame *frame) {
    const bool is_known = measured->runs > 0;
    const uint64_t least = is_known ? measured->before : 0;
    const uint64_t after = is_known ? measured->after : 0;
    const uint64_t more = MOST_FACTOR * measured->before + 1 - least;
    const uint64_t more_after = MOST_FACTOR * (is_known ? after : measured->before) + 1 - after;
    const uint64_t runs = is_known || divider->runs % 2 != 0 ? 1 : 2;
    if (measured->before > MOST_CALLS || after > MOST_CALLS) return false;
    frame->runs = is_known ? measured->runs : 1 + (uint32_t)(number % runs);
    uint64_t n = number / runs;
    frame->before = least + n;
    frame->after = after + n;
    if (n < more && n < more_after) return true;
    n -= more < more_after ? more : more_after;
    frame->before = least + n % more;
    frame->after = after + n / more;
    return n / more < more_after;
}

/* Returns whether rank 0 of program j sends the same number of messages to its next rank along each
 * dimension, in the calls of a frame around its first runs. */
static bool may_be_even(const struct level_divider *divider, uint32_t j,
                        const struct frame *frame) {
    const struct series_program *from = &divider->series->programs[j];
    const struct level_rank *rank = &divider->ranks[j][0];
    const uint32_t *extents = from->extents.of[divider->grid];
    const uint32_t dimensions = divider->series->grids.rules[divider->grid].dimensions;
    const uint32_t places = series_level_rank_places(divider, j, 0);
    uint64_t sent[SERIES_DIMENSIONS] = {0}, most = 0, others = 0;
    if (places == KEY_TABLE_NONE || frame->runs > divider->runs ||
        frame->before > divider->places[places])
        return false;
    const uint64_t first = divider->places[places] - frame->before;
    const uint64_t end = divider->places[places + frame->runs - 1] + frame->after;
    for (size_t e = 0; e < rank->count && others < end; e++) {
        if (rank->elements[e].is_coarse || others++ < first) continue;
        for (uint64_t i = rank->elements[e].first; i < rank->elements[e].end; i++) {
            const struct program_operation operation =
                *PROGRAM_OPERATION_AT(from->program, 0, from->program->ranks[0].first + i);
            if (operation.kind != OPERATION_SEND) continue;
            for (uint32_t d = 0, distance = 1; d < dimensions; distance *= extents[d++])
                sent[d] += extents[d] > 1 && operation.message.peer == distance;
        }
    }
    for (uint32_t d = 0; d < dimensions; d++)
        most = sent[d] > most ? sent[d] : most;
    for (uint32_t d = 0; d < dimensions; d++)
        if (extents[d] > 1 && sent[d] != most) return false;
    return most > 0;
}

enum { MOST_SENDS = 256 }; /* along one dimension; further ones are not compared */

/* The messages of rank 0 to the next rank along one dimension. */
struct sends {
    uint64_t bytes[MOST_SENDS];
    int32_t tags[MOST_SENDS];
    uint32_t count;
};

/* Returns whether messages along two dimensions are alike: equally many, with sizes in one
 * proportion, and with tags that differ by one number. */
static bool are_alike(const struct sends *left, const struct sends *right) {
    if (left->count != right->count) return false;
    for (uint32_t i = 0; i < left->count; i++)
        if ((wide)left->bytes[i] * right->bytes[0] != (wide)right->bytes[i] * left->bytes[0] ||
            (int64_t)left->tags[i] - right->tags[i] != (int64_t)left->tags[0] - right->tags[0])
            return false;
    return true;
}

/* Returns whether the messages of rank 0 along all dimensions are alike in the inner levels of
 * program j. If not, some of the calls of a level may be missing in them. */
static bool is_even(const struct level_divider *divider, const struct program *inner, uint32_t j) {
    const uint32_t *extents = divider->series->programs[j].extents.of[divider->grid];
    const uint32_t dimensions = divider->series->grids.rules[divider->grid].dimensions;
    struct sends sent[2] = {{.count = 0}, {.count = 0}};
    bool has_first = false;
    for (uint32_t d = 0, distance = 1; d < dimensions; distance *= extents[d++]) {
        struct sends *own = &sent[has_first];
        own->count = 0;
        for (uint64_t i = 0; i < inner->ranks[0].count && extents[d] > 1; i++) {
            const struct program_operation operation =
                *PROGRAM_OPERATION_AT(inner, 0, inner->ranks[0].first + i);
            if (operation.kind != OPERATION_SEND || operation.message.peer != distance ||
                own->count == MOST_SENDS)
                continue;
            own->bytes[own->count] = operation.bytes;
            own->tags[own->count++] = inner->envelopes[operation.message.envelope].tag;
        }
        if (extents[d] > 1 && has_first && !are_alike(&sent[0], &sent[1])) return false;
        has_first = has_first || extents[d] > 1;
    }
    return true;
}

/* Compares the inner levels of program j with the coarse levels of program k, if their grids are
 * alike. is_flat: only pairs are compared in which the coarse levels have one rank along some
 * dimension, and program j has two; otherwise, only pairs with equal grids. */
static status_code compare_pair(const struct level_divider *divider, const struct program *coarse,
                                uint32_t k, uint32_t j, bool is_flat, const struct frame *frame,
                                struct level_likeness *likeness, bool *fits,
                                struct status *status) {
    struct program *inner = NULL, *part = NULL;
    const uint32_t flat = flat_dimensions(divider, &divider->series->programs[k].extents, j);
    if (flat == UNLIKE || (flat != 0) != is_flat || coarse->rank_count < 2) return STATUS_OK;
    FORWARD_IF_ERROR(make_inner(divider, j, frame, &inner, status));
    status_code code = STATUS_OK;
    *fits = inner != NULL;
    if (*fits && flat != 0) {
        *fits = is_even(divider, inner, j);
        if (*fits) code = series_level_flat_make(divider, inner, j, flat, &part, status);
        *fits = *fits && part != NULL;
    }
    if (*fits && code == STATUS_OK)
        code =
            series_level_likeness_add(likeness, part != NULL ? part : inner, coarse, fits, status);
    program_free(inner);
    program_free(part);
    return code;
}

/* Compares all pairs of coarse levels and of inner levels by a frame. */
static status_code compare_by_frame(const struct level_divider *divider,
                                    struct program *const *coarse, bool is_flat,
                                    const struct frame *frame, struct level_likeness *likeness,
                                    bool *fits, struct status *status) {
    const uint32_t count = divider->series->program_count;
    *fits = true;
    for (uint32_t k = 0; k < count && *fits; k++)
        for (uint32_t j = 0; j < count && *fits; j++)
            FORWARD_IF_ERROR(
                compare_pair(divider, coarse[k], k, j, is_flat, frame, likeness, fits, status));
    *fits = *fits && series_level_likeness_tests(likeness) > 0;
    return STATUS_OK;
}

/* Finds the first frame of a pair by which all pairs look alike. k: program of the coarse levels.
 * j: program of the inner levels. *likeness stays NULL if there is none; otherwise the caller frees
 * it. */
static status_code find_frame_of_pair(const struct level_divider *divider,
                                      struct program *const *coarse, uint32_t k, uint32_t j,
                                      bool is_flat, struct frame *frame,
                                      struct level_likeness **likeness, struct status *status) {
    struct frame measured;
    FORWARD_IF_ERROR(measure_run(divider, k, &measured, status));
    for (uint32_t n = 0; is_flat ? choose_flat(divider, &measured, n, frame)
                                 : choose_full(divider, j, &measured, n, frame);
         n++) {
        bool fits;
        if (is_flat && !may_be_even(divider, j, frame)) continue;
        *likeness = series_level_likeness_new();
        RETURN_ERROR_IF(*likeness == NULL, status, STATUS_MEMORY,
                        "out of memory for coarse levels");
        FORWARD_IF_ERROR(
            compare_by_frame(divider, coarse, is_flat, frame, *likeness, &fits, status));
        if (fits) return STATUS_OK;
        series_level_likeness_free(*likeness);
        *likeness = NULL;
    }
    return STATUS_OK;
}

/* Finds the frame by which all coarse levels look like inner levels. Pairs in which the coarse
 * levels have fewer dimensions are compared only if there are no other pairs. *likeness stays NULL
 * if there is no such frame; otherwise the caller frees it. */
static status_code find_frame(const struct level_divider *divider, struct program *const *coarse,
                              struct frame *frame, struct level_likeness **likeness,
                              struct status *status) {
    const struct series *series = divider->series;
    for (int is_flat = 0; is_flat < 2; is_flat++)
        for (uint32_t k = series->program_count; k-- > 0;)
            for (uint32_t j = 0; j < series->program_count; j++) {
                const uint32_t flat = flat_dimensions(divider, &series->programs[k].extents, j);
                if (flat != UNLIKE && (flat != 0) == (is_flat != 0) && coarse[k]->rank_count > 1)
                    return find_frame_of_pair(divider, coarse, k, j, is_flat != 0, frame, likeness,
                                              status);
            }
    return STATUS_OK;
}

/* ---- the new coarse levels ---- */

/* Extrapolates the inner levels to as many ranks as the new coarse levels have. */
static status_code extrapolate_inner(const struct level_divider *divider, const struct frame *frame,
                                     uint32_t wanted, struct program **inner,
                                     struct extrapolate_report *report, struct status *status) {
    const struct series *series = divider->series;
    struct extrapolate_config config = *series->config;
    struct program **list = memory_new(series->program_count, sizeof *list);
    uint32_t count = 0;
    status_code code = STATUS_OK;
    RETURN_ERROR_IF(list == NULL, status, STATUS_MEMORY, "out of memory for coarse levels");
    config.ranks = wanted;
    config.exact_sizes = true;
    memset(config.grid, 0, sizeof config.grid);
    for (uint32_t k = 0; k < series->program_count && code == STATUS_OK; k++) {
        code = make_inner(divider, k, frame, &list[count], status);
        count += list[count] != NULL;
    }
    if (code == STATUS_OK && count >= FEWEST_PROGRAMS) {
        struct status other = STATUS_INIT;
        code = series_extrapolate(inner, report, (const struct program *const *)list, count,
                                  &config, series->division_depth + 1, &other);
        if (code == STATUS_INPUT)
            code = STATUS_OK;
        else if (code != STATUS_OK)
            status_set(status, code, "%s", other.text);
        status_clear(&other);
    }
    for (uint32_t i = 0; i < count; i++)
        program_free(list[i]);
    free(list);
    return code;
}

status_code series_level_inner_copy(const struct level_divider *divider,
                                    struct program *const *coarse, uint32_t wanted,
                                    struct program **new, uint32_t *tests,
                                    struct extrapolate_report *report, struct status *status) {
    const struct series *series = divider->series;
    struct level_likeness *likeness = NULL;
    struct program *inner = NULL;
    struct frame frame;
    status_code code = find_frame(divider, coarse, &frame, &likeness, status);
    for (uint32_t k = 0; k < series->program_count && likeness != NULL && code == STATUS_OK; k++)
        if (series->programs[k].program->rank_count == wanted &&
            flat_dimensions(divider, &series->target, k) == 0)
            code = make_inner(divider, k, &frame, &inner, status);
    if (code == STATUS_OK && likeness != NULL && inner == NULL)
        code = extrapolate_inner(divider, &frame, wanted, &inner, report, status);
    if (code == STATUS_OK && inner != NULL) {
        struct status other = STATUS_INIT;
        code = series_level_likeness_make(likeness, inner, series->config->threads, new, &other);
        if (code == STATUS_OK) *tests = series_level_likeness_tests(likeness);
        if (code == STATUS_INPUT)
            code = STATUS_OK; /* the likeness does not say what some level becomes */
        else if (code != STATUS_OK)
            status_set(status, code, "%s", other.text);
        status_clear(&other);
    }
    series_level_likeness_free(likeness);
    program_free(inner);
    return code;
}
