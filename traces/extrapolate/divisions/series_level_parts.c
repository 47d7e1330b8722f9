/*
 * Makes the programs of the coarse levels and of the other calls, and joins the two new programs.
 * See series_levels.c.
 */
#include "core/memory/memory.h"
#include "traces/extrapolate/divisions/series_levels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The requests of the coarse levels have numbers from here on in the new program, beyond those of
 * the other calls. */
static const uint64_t COARSE_REQUESTS = UINT64_C(1) << 60;

/* ---- the programs of the parts ---- */

/* Defines the communicators that the calls of one part are in. set: the ranks of the part; NULL:
 * all ranks. is_rest: the part is the other calls; then also defines the communicators of all ranks
 * and of each rank alone, and the topologies. */
static status_code define_communicators(struct level_copy *copy, const struct level_set *set,
                                        const bool *is_used, bool is_rest, struct status *status) {
    const struct program *from = copy->from;
    uint32_t *members = memory_new(from->rank_count, sizeof *members);
    RETURN_ERROR_IF(members == NULL, status, STATUS_MEMORY, "out of memory for coarse levels");
    status_code code = STATUS_OK;
    for (uint32_t c = 0; c < from->communicator_count && code == STATUS_OK; c++) {
        const struct program_communicator *own = &from->communicators[c];
        const uint32_t *list = from->communicator_members + own->members;
        char name[SERIES_TEXT];
        uint32_t count = 0;
        const bool is_of_all = own->members == PROGRAM_NONE || own->size == from->rank_count;
        if (!is_used[c] && !(is_rest && is_of_all)) continue;
        for (uint32_t i = 0; i < own->size && own->members != PROGRAM_NONE; i++)
            if (set == NULL || set->coarse_ranks[list[i]] != PROGRAM_NONE)
                members[count++] = set == NULL ? list[i] : set->coarse_ranks[list[i]];
        snprintf(name, sizeof name, "%s%s", program_text(from, own->name),
                 set != NULL && count == own->size ? LEVEL_SUFFIX : "");
        code = own->members == PROGRAM_NONE
                   ? builder_define_communicator_self(copy->builder, name, &copy->communicators[c],
                                                      status)
                   : builder_define_communicator(copy->builder, name, members, count,
                                                 &copy->communicators[c], status);
        builder_set_communicator_number(copy->builder, copy->communicators[c], own->id);
        if (code == STATUS_OK && is_rest)
            code = series_level_copy_topology(copy, c, copy->communicators[c], status);
    }
    free(members);
    return code;
}

/* Sets is_used[communicator] for the communicators that the calls of one part are in. Sets *fits to
 * false if the coarse levels use a communicator of some ranks of which a member takes no part in
 * them. */
static void mark_used(const struct level_divider *divider, uint32_t k, bool coarse, bool *is_used,
                      bool *fits) {
    const struct program *program = divider->series->programs[k].program;
    for (uint32_t r = 0; r < program->rank_count; r++)
        for (size_t i = 0; i < divider->ranks[k][r].count; i++) {
            const struct level_element *element = &divider->ranks[k][r].elements[i];
            if (element->is_coarse != coarse) continue;
            for (uint64_t place = element->first; place < element->end; place++) {
                const struct program_operation operation =
                    *PROGRAM_OPERATION_AT(program, r, program->ranks[r].first + place);
                uint32_t communicator = PROGRAM_NONE;
                if (operation.kind == OPERATION_SEND || operation.kind == OPERATION_RECEIVE)
                    communicator = program->envelopes[operation.message.envelope].communicator;
                if (operation.kind == OPERATION_COLLECTIVE)
                    communicator =
                        program->collective_arguments[operation.collective.arguments].communicator;
                if (communicator == PROGRAM_NONE) continue;
                is_used[communicator] = true;
                const struct program_communicator *own = &program->communicators[communicator];
                for (uint32_t m = 0; coarse && m < own->size && own->size < program->rank_count;
                     m++)
                    *fits = *fits &&
                            divider->sets[k]
                                    .coarse_ranks[program_member(program, communicator, m, r)] !=
                                PROGRAM_NONE;
            }
        }
}

/* Copies one part of a rank. own: its number in the copy. mark: the region around each run of the
 * coarse levels. repeats: as in struct level_divider. Times in the copy leave out the other part.
 */
static status_code copy_rank(struct level_copy *copy, const struct level_rank *list, uint32_t rank,
                             uint32_t own, bool coarse, uint32_t mark, uint32_t repeats,
                             struct status *status) {
    int64_t last_ps = 0, whole_ps = 0; /* when the last element ends: in the copy, in the program */
    bool is_open = false;              /* a run has begun */
    for (size_t n = 0; n < list->count * (repeats > 0 ? repeats : 1); n++) {
        const size_t i = n % list->count;
        const struct level_element *element = &list->elements[i];
        const bool is_own = element->is_coarse == coarse;
        const bool is_next = i == 0 || element->unit != list->elements[i - 1].unit;
        if (i == 0) whole_ps = 0;
        if ((!is_own || is_next) && is_open && coarse) {
            FORWARD_IF_ERROR(builder_leave(copy->builder, own, last_ps, status));
            is_open = false;
        }
        if (is_own && !is_open) {
            copy->shift_ps = last_ps - whole_ps;
            if (coarse) FORWARD_IF_ERROR(builder_enter(copy->builder, own, mark, last_ps, status));
        }
        is_open = is_own;
        whole_ps = element->end_ps;
        if (!is_own) continue;
        FORWARD_IF_ERROR(
            series_level_copy_operations(copy, rank, element->first, element->end, status));
        last_ps = whole_ps + copy->shift_ps;
    }
    if (is_open && coarse) FORWARD_IF_ERROR(builder_leave(copy->builder, own, last_ps, status));
    if (!coarse) /* what follows the last call */
        FORWARD_IF_ERROR(series_level_copy_operations(
            copy, rank, list->count > 0 ? list->elements[list->count - 1].end : 0,
            copy->from->ranks[rank].count, status));
    return builder_end_rank(copy->builder, own, status);
}

status_code series_level_part_make(const struct level_divider *divider, uint32_t k, bool coarse,
                                   struct program **part, bool *fits, struct status *status) {
    const struct program *from = divider->series->programs[k].program;
    const struct level_set *set = &divider->sets[k];
    struct program_builder *builder = builder_new(coarse ? set->count : set->ranks, status);
    if (builder == NULL) return STATUS_MEMORY;
    struct level_copy copy;
    bool *is_used = memory_new(from->communicator_count, sizeof *is_used);
    status_code code = series_level_copy_begin(&copy, from, builder, status);
    if (code == STATUS_OK && is_used == NULL)
        code = status_set(status, STATUS_MEMORY, "out of memory for coarse levels");
    if (code == STATUS_OK) {
        mark_used(divider, k, coarse, is_used, fits);
        code = define_communicators(&copy, coarse && divider->repeats == 0 ? set : NULL, is_used,
                                    !coarse, status);
    }
    const uint32_t mark =
        code == STATUS_OK && coarse ? builder_define_region(builder, LEVEL_MARK, false) : 0;
    if (coarse) copy.ranks = set->coarse_ranks;
    if (!coarse && divider->tags != NULL) {
        copy.tags = &divider->tags[k];
        copy.other_tags = &divider->tags[divider->series->program_count - 1];
    }
    for (uint32_t r = 0; r < from->rank_count && code == STATUS_OK; r++) {
        const uint32_t own = coarse ? set->coarse_ranks[r] : r;
        if (own != PROGRAM_NONE)
            code = copy_rank(&copy, &divider->ranks[k][r], r, own, coarse, mark, divider->repeats,
                             status);
    }
    if (code == STATUS_OK)
        code = series_level_copy_seal(&copy, divider->series->config->threads, part, status);
    series_level_copy_free(&copy);
    builder_free(builder);
    free(is_used);
    return code;
}

/* ---- the new program ---- */

/* Returns where LEVEL_SUFFIX begins at the end of a name; NULL: the name does not end with it. */
static const char *name_end(const char *name) {
    const size_t length = strlen(name), suffix = strlen(LEVEL_SUFFIX);
    const bool has = length >= suffix && strcmp(name + length - suffix, LEVEL_SUFFIX) == 0;
    return has ? name + length - suffix : NULL;
}

/* Sets *index to the first communicator of all ranks. If `fine` has none, defines one with this
 * name. */
static status_code find_world(struct level_copy *copy, const struct program *fine, const char *name,
                              uint32_t *index, struct status *status) {
    for (uint32_t c = 0; c < fine->communicator_count; c++) {
        *index = c;
        if (fine->communicators[c].size == fine->rank_count) return STATUS_OK;
    }
    uint32_t *members = memory_new(fine->rank_count, sizeof *members);
    RETURN_ERROR_IF(members == NULL, status, STATUS_MEMORY, "out of memory for coarse levels");
    for (uint32_t r = 0; r < fine->rank_count; r++)
        members[r] = r;
    const status_code code =
        builder_define_communicator(copy->builder, name, members, fine->rank_count, index, status);
    free(members);
    return code;
}

/* Defines the communicators of the coarse levels in the new program. One whose name lacks
 * LEVEL_SUFFIX becomes the communicator of all ranks: in the series, some of its members take no
 * part in the coarse levels, and mark_used allows that for all ranks only. */
static status_code define_coarse(struct level_copy *copy, const struct level_set *set,
                                 const struct program *fine, struct status *status) {
    const struct program *from = copy->from;
    uint32_t *members = memory_new(set->count, sizeof *members);
    RETURN_ERROR_IF(members == NULL, status, STATUS_MEMORY, "out of memory for coarse levels");
    status_code code = STATUS_OK;
    for (uint32_t c = 0; c < from->communicator_count && code == STATUS_OK; c++) {
        const struct program_communicator *own = &from->communicators[c];
        const char *name = program_text(from, own->name), *end = name_end(name);
        char text[SERIES_TEXT];
        snprintf(text, sizeof text, "%.*s", (int)(end != NULL ? end - name : 0), name);
        for (uint32_t i = 0; i < own->size && own->members != PROGRAM_NONE; i++)
            members[i] = set->members[from->communicator_members[own->members + i]];
        if (own->members == PROGRAM_NONE)
            code = builder_define_communicator_self(copy->builder, text, &copy->communicators[c],
                                                    status);
        else if (end != NULL)
            code = builder_define_communicator(copy->builder, text, members, own->size,
                                               &copy->communicators[c], status);
        else
            code = find_world(copy, fine, name, &copy->communicators[c], status);
    }
    free(members);
    return code;
}

/* Defines the communicators and topologies of the other calls in the new program. */
static status_code define_fine(struct level_copy *copy, struct status *status) {
    const struct program *from = copy->from;
    for (uint32_t c = 0; c < from->communicator_count; c++) {
        const struct program_communicator *own = &from->communicators[c];
        const char *name = program_text(from, own->name);
        if (own->members == PROGRAM_NONE)
            FORWARD_IF_ERROR(builder_define_communicator_self(copy->builder, name,
                                                              &copy->communicators[c], status));
        else
            FORWARD_IF_ERROR(builder_define_communicator(
                copy->builder, name, from->communicator_members + own->members, own->size,
                &copy->communicators[c], status));
        FORWARD_IF_ERROR(series_level_copy_topology(copy, c, copy->communicators[c], status));
    }
    return STATUS_OK;
}

static bool is_mark(const struct program *program, const struct program_operation *operation,
                    program_operation_kind kind) {
    return operation->kind == kind &&
           strcmp(program_text(program, program->regions[operation->mark.region].name),
                  LEVEL_MARK) == 0;
}

/* Appends the next run of the coarse levels of a rank, without the marks around it. If the coarse
 * levels were divided again, the marks of their own coarse levels are gone: series_level_parts_join
 * leaves them out. place: operation of the rank to go on from. last_ps: time at which the run
 * begins in the new program; set to its end. Sets *fits to whether there is a run. */
static status_code append_run(struct level_copy *copy, uint32_t rank, uint64_t *place,
                              int64_t *last_ps, bool *fits, struct status *status) {
    const struct program *from = copy->from;
    *fits = false;
    for (; *place < from->ranks[rank].count; ++*place) {
        const struct program_operation operation =
            *PROGRAM_OPERATION_AT(from, rank, from->ranks[rank].first + *place);
        if (is_mark(from, &operation, OPERATION_LEAVE)) {
            ++*place;
            *fits = true;
            return STATUS_OK;
        }
        if (is_mark(from, &operation, OPERATION_ENTER)) {
            copy->shift_ps = *last_ps - operation.mark.trace_ps;
            continue;
        }
        FORWARD_IF_ERROR(series_level_copy_operations(copy, rank, *place, *place + 1, status));
        if (operation.kind == OPERATION_RETURN) *last_ps = operation.mark.trace_ps + copy->shift_ps;
    }
    return STATUS_OK;
}

/* Returns how many other calls of a rank are before a run. Segment n + 1 begins at run n. */
static uint64_t place_of_run(const struct level_rank *rank, uint32_t run) {
    uint64_t place = 0;
    for (size_t i = 0; i < rank->count; i++)
        place += !rank->elements[i].is_coarse && rank->elements[i].segment <= run;
    return place;
}

/* Sets *fits to whether the runs of all ranks of a program are between the same messages as those
 * of rank 0. */
static status_code check_places(const struct level_divider *divider, uint32_t k, bool *fits,
                                struct status *status) {
    const struct series_program *program = &divider->series->programs[k];
    const struct level_set *set = &divider->sets[k];
    struct level_rank *ranks = divider->ranks[k];
    struct level_segments *segments = NULL;
    const uint64_t *places = &divider->places[series_level_rank_places(divider, k, 0)];
    status_code code =
        series_level_segments_new(&segments, program->program, program->extents.of[divider->grid],
                                  divider->series->grids.rules[divider->grid].dimensions, &ranks[0],
                                  places, (uint32_t)places[-1], status);
    for (uint32_t i = 0; i < set->count && *fits && code == STATUS_OK; i++) {
        struct level_rank *rank = &ranks[set->members[i]];
        const uint64_t *own =
            &divider->places[series_level_rank_places(divider, k, set->members[i])];
        code = series_level_segments_apply(segments, program->program, set->members[i], rank, fits,
                                           status);
        for (uint32_t run = 0; run < own[-1] && *fits; run++)
            *fits = place_of_run(rank, run) == own[run];
    }
    series_level_segments_free(segments);
    return code;
}

/* Sets *rule to the segments by which ranks of the new program have their runs between the same
 * messages as rank 0. *rule stays NULL if the ranks of the series do not follow this rule, or if
 * rank 0 of the new program makes calls that no rank of the series with runs makes. */
static status_code find_rule(const struct level_divider *divider, const struct program *fine,
                             struct level_segments **rule, struct status *status) {
    const struct series *series = divider->series;
    struct level_rank first = {0};
    bool fits = true;
    for (uint32_t k = 0; k < series->program_count && fits; k++)
        if (divider->ranks[k][0].runs > 0)
            FORWARD_IF_ERROR(check_places(divider, k, &fits, status));
    if (!fits) return STATUS_OK;
    status_code code = series_level_rank_list(&first, fine, 0, NULL, &fits, status);
    const uint32_t number = key_table_find(&divider->index, series_level_rank_hash(&first));
    if (code == STATUS_OK && fits && number != KEY_TABLE_NONE)
        code = series_level_segments_new(rule, fine, series->target.of[divider->grid],
                                         series->grids.rules[divider->grid].dimensions, &first,
                                         &divider->places[number],
                                         (uint32_t)divider->places[number - 1], status);
    free(first.elements);
    return code;
}

/* Appends a rank. own: its number in the coarse levels; PROGRAM_NONE: it has none. rule: gives the
 * places of its runs if no rank of the series has the same other calls; NULL: there is no rule. */
static status_code append_rank(const struct level_divider *divider, struct level_copy *fine,
                               struct level_copy *coarse, const struct level_segments *rule,
                               uint32_t rank, uint32_t own, struct status *status) {
    struct level_rank list = {0};
    uint64_t place = 0;
    int64_t last_ps = 0, whole_ps = 0;
    uint32_t number = KEY_TABLE_NONE, run = 0;
    uint32_t runs = own != PROGRAM_NONE ? divider->runs : 0;
    bool fits = true;
    status_code code = series_level_rank_list(&list, fine->from, rank, NULL, &fits, status);
    if (runs > 0) number = key_table_find(&divider->index, series_level_rank_hash(&list));
    const bool is_known = number != KEY_TABLE_NONE;
    if (is_known) runs = (uint32_t)divider->places[number - 1];
    fits = fits && (runs == 0 || is_known || rule != NULL);
    if (fits && runs > 0 && !is_known && code == STATUS_OK)
        code = series_level_segments_apply(rule, fine->from, rank, &list, &fits, status);
    for (size_t i = 0; i <= list.count && fits && code == STATUS_OK; i++) {
        for (; run < runs && fits && code == STATUS_OK; run++) {
            /* By the rule, run n is before the first call of a segment beyond n. */
            const bool is_here = is_known ? divider->places[number + run] == i
                                          : i == list.count || list.elements[i].segment > run;
            if (!is_here) break;
            code = append_run(coarse, own, &place, &last_ps, &fits, status);
        }
        if (i == list.count || code != STATUS_OK) break;
        fine->shift_ps = last_ps - whole_ps;
        whole_ps = list.elements[i].end_ps;
        code = series_level_copy_operations(fine, rank, list.elements[i].first,
                                            list.elements[i].end, status);
        last_ps = whole_ps + fine->shift_ps;
    }
    if (code == STATUS_OK && (!fits || run != runs))
        code = status_set(status, STATUS_INPUT,
                          "no rule says when rank %u takes part in the coarse levels", rank);
    if (code == STATUS_OK)
        code = series_level_copy_operations(fine, rank,
                                            list.count > 0 ? list.elements[list.count - 1].end : 0,
                                            fine->from->ranks[rank].count, status);
    free(list.elements);
    return code == STATUS_OK ? builder_end_rank(fine->builder, rank, status) : code;
}

status_code series_level_parts_join(const struct level_divider *divider, const struct program *fine,
                                    const struct program *coarse, struct program **program,
                                    struct status *status) {
    const struct level_set *set = &divider->sets[divider->series->program_count];
    struct program_builder *builder = builder_new(fine->rank_count, status);
    if (builder == NULL) return STATUS_MEMORY;
    struct level_copy copies[2] = {{0}, {0}};
    status_code code = series_level_copy_begin(&copies[0], fine, builder, status);
    if (code == STATUS_OK && coarse != NULL)
        code = series_level_copy_begin(&copies[1], coarse, builder, status);
    if (code == STATUS_OK) code = define_fine(&copies[0], status);
    if (code == STATUS_OK && coarse != NULL) code = define_coarse(&copies[1], set, fine, status);
    struct level_segments *rule = NULL;
    if (code == STATUS_OK && coarse != NULL) code = find_rule(divider, fine, &rule, status);
    copies[1].ranks = set->members;
    copies[1].requests = COARSE_REQUESTS;
    for (uint32_t r = 0; r < fine->rank_count && code == STATUS_OK; r++)
        code = append_rank(divider, &copies[0], &copies[1], rule, r,
                           coarse != NULL ? set->coarse_ranks[r] : PROGRAM_NONE, status);
    if (copies[1].latest_ps > copies[0].latest_ps) copies[0].latest_ps = copies[1].latest_ps;
    if (code == STATUS_OK)
        code =
            series_level_copy_seal(&copies[0], divider->series->config->threads, program, status);
    if (code == STATUS_OK && (*program)->unmatched_sends + (*program)->unmatched_receives > 0)
        code = status_set(status, STATUS_INPUT, "messages of coarse levels have no partner");
    series_level_copy_free(&copies[0]);
    series_level_copy_free(&copies[1]);
    series_level_segments_free(rule);
    builder_free(builder);
    return code;
}
