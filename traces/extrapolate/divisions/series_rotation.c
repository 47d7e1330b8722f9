/*
 * Roles that move on by one rank in each iteration. For example, the ranks of column k mod n of a
 * grid factor panel k, and send it along their rows. Each rank has each role by turns, so that no
 * rule for roles fits. So the ranks are renumbered in each iteration: number 0 of a line is the
 * rank with coordinate k in iteration k. The renumbered programs are extrapolated, and the ranks of
 * the new program get their own numbers again.
 *
 * Invariant: each iteration ends with a collective that all ranks call equally often, or with the
 * end of a region, and no request is in flight there. With the new numbers, each rank makes the
 * same calls in all iterations but the first one; with the old ones, some rank does not.
 */
#include "traces/extrapolate/divisions/series_rotation.h"

#include "core/memory/memory.h"
#include "traces/extrapolate/divisions/series_call_sets.h"
#include "traces/extrapolate/divisions/series_levels.h"
#include "traces/extrapolate/grids/series_grids.h"
#include "traces/extrapolate/output/series_findings.h"
#include "traces/program/content_hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_ENDS = 8,  /* kinds of elements that are tried as the end of an iteration, in each grid */
    MOST_TRIED = 3, /* rotations of a series */
    MOST_DEPTH = 4  /* of divided series in each other */
};

/* A way to renumber ranks. */
struct rotation {
    uint32_t dimensions; /* of the grid */
    uint32_t moved;      /* set of dimensions along which the roles move on */
    uint64_t end;        /* key of the elements that end an iteration (end_key) */
};

/* A program with the elements of its ranks. */
struct listed {
    const struct program *program;
    const uint32_t *extents;
    struct level_rank *ranks;
};

static void free_listed(struct listed *listed) {
    for (uint32_t r = 0; listed->ranks != NULL && r < listed->program->rank_count; r++)
        free(listed->ranks[r].elements);
    free(listed->ranks);
    listed->ranks = NULL;
}

/* Lists the elements of all ranks of a program. Free them with free_listed, also after errors. Sets
 * *fits to false if an operation is not divided (series_level_rank_list). */
static status_code list(struct listed *listed, const struct program *program,
                        const uint32_t *extents, bool *fits, struct status *status) {
    *listed = (struct listed){.program = program, .extents = extents};
    listed->ranks = memory_new(program->rank_count, sizeof *listed->ranks);
    RETURN_ERROR_IF(listed->ranks == NULL, status, STATUS_MEMORY, "out of memory for a rotation");
    *fits = true;
    for (uint32_t r = 0; r < program->rank_count && *fits; r++)
        FORWARD_IF_ERROR(series_level_rank_list(&listed->ranks[r], program, r, NULL, fits, status));
    return STATUS_OK;
}

/* Returns the set of dimensions along which members of a communicator differ from the rank. */
static uint32_t spanned_by(const struct listed *listed, uint32_t dimensions, uint32_t communicator,
                           uint32_t rank) {
    const struct program_communicator *own = &listed->program->communicators[communicator];
    uint32_t first[SERIES_DIMENSIONS], other[SERIES_DIMENSIONS], spanned = 0;
    grid_coordinates(listed->extents, dimensions, rank, first);
    for (uint32_t i = 0; i < own->size; i++) {
        const uint32_t member = program_member(listed->program, communicator, i, rank);
        grid_coordinates(listed->extents, dimensions, member, other);
        for (uint32_t d = 0; d < dimensions; d++)
            spanned |= (uint32_t)(first[d] != other[d]) << d;
    }
    return spanned;
}

/* Returns the key of an element that may end an iteration: it has a collective or leaves a region,
 * and no request is in flight after it. 0: it may not. */
static uint64_t end_key(const struct listed *listed, uint32_t dimensions, uint32_t rank,
                        const struct level_element *element) {
    const struct program *program = listed->program;
    if (element->leaves_pending) return 0;
    for (uint64_t i = element->first; i < element->end; i++) {
        const struct program_operation operation =
            *PROGRAM_OPERATION_AT(program, rank, program->ranks[rank].first + i);
        if (operation.kind == OPERATION_LEAVE) return element->shape | 1;
        if (operation.kind != OPERATION_COLLECTIVE) continue;
        const uint32_t communicator =
            program->collective_arguments[operation.collective.arguments].communicator;
        return content_hash_add(element->shape,
                                spanned_by(listed, dimensions, communicator, rank)) |
               1;
    }
    return 0;
}

/* Returns how many iterations a rank has. */
static uint32_t count_ends(const struct listed *listed, const struct rotation *rotation,
                           uint32_t rank) {
    uint32_t count = 0;
    for (size_t i = 0; i < listed->ranks[rank].count; i++)
        count += end_key(listed, rotation->dimensions, rank, &listed->ranks[rank].elements[i]) ==
                 rotation->end;
    return count;
}

/* Returns the rank that is `places` places up from a rank along all moved dimensions, periodically;
 * down if `back`. */
static uint32_t moved_rank(const struct rotation *rotation, const uint32_t *extents, uint32_t rank,
                           uint32_t places, bool back) {
    uint32_t coordinates[SERIES_DIMENSIONS];
    grid_coordinates(extents, rotation->dimensions, rank, coordinates);
    for (uint32_t d = 0; d < rotation->dimensions; d++) {
        const uint32_t extent = extents[d], shift = places % extent;
        if ((rotation->moved >> d & 1) == 0) continue;
        coordinates[d] = (coordinates[d] + (back ? extent - shift : shift)) % extent;
    }
    return grid_rank(extents, rotation->dimensions, coordinates);
}

/* Sets shapes[k x ranks + r] to the hash of what a rank does in iteration k. */
static void take_shapes(const struct listed *listed, const struct rotation *rotation,
                        uint64_t *shapes) {
    const uint32_t ranks = listed->program->rank_count;
    for (uint32_t r = 0; r < ranks; r++) {
        uint64_t hash = 0;
        size_t k = 0;
        for (size_t i = 0; i < listed->ranks[r].count; i++) {
            const struct level_element *element = &listed->ranks[r].elements[i];
            hash = content_hash_add(hash, element->shape);
            if (end_key(listed, rotation->dimensions, r, element) != rotation->end) continue;
            shapes[k++ * ranks + r] = hash;
            hash = 0;
        }
    }
}

/* Sets *fits to whether all ranks have equally many iterations, two or more, and with the new
 * numbers, each rank makes the same calls in all iterations but the first one. Sets *is_plain to
 * false if some rank does not with the old numbers. The first iteration may begin with other calls.
 */
static status_code check(const struct listed *listed, const struct rotation *rotation, bool *fits,
                         bool *is_plain, struct status *status) {
    const uint32_t ranks = listed->program->rank_count, count = count_ends(listed, rotation, 0);
    *fits = count > 1;
    for (uint32_t r = 1; r < ranks && *fits; r++)
        *fits = count_ends(listed, rotation, r) == count;
    if (!*fits) return STATUS_OK;
    uint64_t *shapes = memory_new((uint64_t)count * ranks, sizeof *shapes);
    RETURN_ERROR_IF(shapes == NULL, status, STATUS_MEMORY, "out of memory for a rotation");
    take_shapes(listed, rotation, shapes);
    for (uint32_t k = 2; k < count; k++)
        for (uint32_t r = 0; r < ranks; r++) {
            const uint32_t own = moved_rank(rotation, listed->extents, r, k, false);
            const uint32_t first = moved_rank(rotation, listed->extents, r, 1, false);
            *fits = *fits && shapes[(size_t)k * ranks + own] == shapes[ranks + first];
            *is_plain = *is_plain && shapes[(size_t)k * ranks + r] == shapes[ranks + r];
        }
    free(shapes);
    return STATUS_OK;
}

/* ---- numbering ---- */

/* Returns a hash of the set of a communicator's members. image: [rank]: its number in the hash. */
static uint64_t members_hash(const struct program *program, uint32_t communicator,
                             const uint32_t *image) {
    const struct program_communicator *own = &program->communicators[communicator];
    uint64_t hash = own->size;
    for (uint32_t i = 0; i < own->size && own->members != PROGRAM_NONE; i++)
        hash += content_hash_mix(image[program->communicator_members[own->members + i]]);
    return hash;
}

/* Sets communicators[c] to the communicator whose members are the images of those of c;
 * PROGRAM_NONE: there is none. If several communicators have equal members, the n-th of them
 * becomes the n-th with the images. same: [rank]: the rank itself. */
static void move_communicators(const struct program *program, const uint32_t *same,
                               const uint32_t *image, uint32_t *communicators) {
    for (uint32_t c = 0; c < program->communicator_count; c++) {
        const uint64_t own = members_hash(program, c, same);
        const uint64_t wanted = members_hash(program, c, image);
        uint32_t number = 0;
        for (uint32_t i = 0; i < c; i++)
            number += members_hash(program, i, same) == own;
        communicators[c] = PROGRAM_NONE;
        for (uint32_t i = 0; i < program->communicator_count; i++)
            if (members_hash(program, i, same) == wanted && number-- == 0) {
                communicators[c] = i;
                break;
            }
    }
}

/* Defines the communicators and topologies of the program in the copy. */
static status_code define_same(struct level_copy *copy, struct status *status) {
    const struct program *from = copy->from;
    for (uint32_t c = 0; c < from->communicator_count; c++) {
        const struct program_communicator *own = &from->communicators[c];
        const char *name = program_text(from, own->name);
        uint32_t index = 0;
        if (own->members == PROGRAM_NONE)
            FORWARD_IF_ERROR(builder_define_communicator_self(copy->builder, name, &index, status));
        else
            FORWARD_IF_ERROR(builder_define_communicator(copy->builder, name,
                                                         from->communicator_members + own->members,
                                                         own->size, &index, status));
        builder_set_communicator_number(copy->builder, index, own->id);
        FORWARD_IF_ERROR(series_level_copy_topology(copy, c, index, status));
    }
    return STATUS_OK;
}

/* The state while the ranks of a program are renumbered. */
struct numbering {
    const struct listed *listed;
    const struct rotation *rotation;
    struct level_copy copy;
    uint32_t *same;   /* [rank]: the rank itself */
    uint32_t *image;  /* [rank]: its number in the current iteration */
    size_t *next;     /* [rank]: its next element */
    int64_t *last_ps; /* [rank of the copy]: when its last element ends */
};

/* Appends what all ranks do in an iteration. is_last: what they do after the last iteration. */
static status_code append_iteration(struct numbering *numbering, bool is_last,
                                    struct status *status) {
    const struct listed *listed = numbering->listed;
    struct level_copy *copy = &numbering->copy;
    for (uint32_t r = 0; r < listed->program->rank_count; r++) {
        const struct level_rank *rank = &listed->ranks[r];
        const uint32_t own = numbering->image[r];
        size_t *next = &numbering->next[r];
        const uint64_t first = *next > 0 ? rank->elements[*next - 1].end : 0;
        const int64_t whole_ps = *next > 0 ? rank->elements[*next - 1].end_ps : 0;
        copy->shift_ps = numbering->last_ps[own] - whole_ps;
        while (!is_last && end_key(listed, numbering->rotation->dimensions, r,
                                   &rank->elements[*next]) != numbering->rotation->end)
            ++*next;
        const struct level_element *last = &rank->elements[*next];
        FORWARD_IF_ERROR(series_level_copy_operations(
            copy, r, first, is_last ? listed->program->ranks[r].count : last->end, status));
        if (is_last) {
            FORWARD_IF_ERROR(builder_end_rank(copy->builder, own, status));
            continue;
        }
        numbering->last_ps[own] = last->end_ps + copy->shift_ps;
        ++*next;
    }
    return STATUS_OK;
}

/* Makes the program with renumbered ranks. back: gives them their own numbers again. The caller
 * frees *program, also after errors. STATUS_INPUT: some communicator of moved ranks does not exist,
 * or a message has no partner. */
static status_code number(const struct listed *listed, const struct rotation *rotation, bool back,
                          unsigned threads, struct program **program, struct status *status) {
    const struct program *from = listed->program;
    const uint32_t ranks = from->rank_count, count = count_ends(listed, rotation, 0);
    struct numbering numbering = {.listed = listed, .rotation = rotation};
    struct program_builder *builder = builder_new(ranks, status);
    if (builder == NULL) return STATUS_MEMORY;
    status_code code = series_level_copy_begin(&numbering.copy, from, builder, status);
    numbering.same = memory_new(ranks, sizeof *numbering.same);
    numbering.image = memory_new(ranks, sizeof *numbering.image);
    numbering.next = memory_new(ranks, sizeof *numbering.next);
    numbering.last_ps = memory_new(ranks, sizeof *numbering.last_ps);
    if (code == STATUS_OK && (numbering.same == NULL || numbering.image == NULL ||
                              numbering.next == NULL || numbering.last_ps == NULL))
        code = status_set(status, STATUS_MEMORY, "out of memory for a rotation");
    if (code == STATUS_OK) code = define_same(&numbering.copy, status);
    numbering.copy.ranks = numbering.image;
    numbering.copy.moves_roots = true;
    for (uint32_t r = 0; r < ranks && code == STATUS_OK; r++)
        numbering.same[r] = r;
    for (uint32_t k = 0; k <= count && code == STATUS_OK; k++) {
        for (uint32_t r = 0; r < ranks; r++)
            numbering.image[r] = moved_rank(rotation, listed->extents, r, k < count ? k : 0, !back);
        move_communicators(from, numbering.same, numbering.image, numbering.copy.communicators);
        code = append_iteration(&numbering, k == count, status);
    }
    if (code == STATUS_OK) code = series_level_copy_seal(&numbering.copy, threads, program, status);
    if (code == STATUS_OK && (*program)->unmatched_sends + (*program)->unmatched_receives > 0)
        code = status_set(status, STATUS_INPUT, "messages of a rotation have no partner");
    series_level_copy_free(&numbering.copy);
    builder_free(builder);
    free(numbering.same);
    free(numbering.image);
    free(numbering.next);
    free(numbering.last_ps);
    return code;
}

/* ---- the search ---- */

/* Gives the ranks of the new program (made) their own numbers again. STATUS_INPUT: its ranks have
 * unequal numbers of iterations, or as for number(). */
static status_code number_back(const struct series *series, const struct rotation *rotation,
                               const struct program *made, const uint32_t *extents,
                               struct program **program, struct status *status) {
    struct listed listed;
    bool fits = true;
    status_code code = list(&listed, made, extents, &fits, status);
    const uint32_t count = code == STATUS_OK && fits ? count_ends(&listed, rotation, 0) : 0;
    for (uint32_t r = 1; r < made->rank_count && code == STATUS_OK && fits; r++)
        fits = count_ends(&listed, rotation, r) == count;
    if (code == STATUS_OK && !fits)
        code = status_set(status, STATUS_INPUT, "no rule says where iterations end");
    if (code == STATUS_OK)
        code = number(&listed, rotation, true, series->config->threads, program, status);
    free_listed(&listed);
    return code;
}

/* Adds the finding to the report. count: iterations of the largest program. */
static status_code add_finding(const struct series *series, uint32_t grid,
                               const struct rotation *rotation, uint32_t count,
                               struct extrapolate_report *report, struct status *status) {
    char where[] = "all ranks", law[3 * SERIES_TEXT], fit[] = "exact", text[SERIES_TEXT];
    grid_text(series, grid, &series->target, text, sizeof text);
    const size_t begin = (size_t)snprintf(law, sizeof law, "move on by one rank in each iteration");
    size_t length = begin;
    for (uint32_t d = 0; d < rotation->dimensions; d++)
        if (rotation->moved >> d & 1)
            length += (size_t)snprintf(law + length, sizeof law - length, "%s%u of %s",
                                       length == begin ? " along dimension " : " and dimension ",
                                       d + 1, text);
    const struct extrapolate_finding finding = {
        .subject = "roles", .where = where, .law = law, .fit = fit, .count = count};
    return series_finding_add(report, &finding, status);
}

/* Renumbers the ranks of all programs, extrapolates these programs, and gives the ranks of the new
 * one their own numbers again. */
static status_code extrapolate_numbered(struct series *series, struct listed *listed, uint32_t grid,
                                        const struct rotation *rotation, struct program **program,
                                        struct status *status) {
    const uint32_t count = series->program_count;
    struct program **numbered = memory_new(count, sizeof *numbered), *made = NULL;
    struct extrapolate_report report = {0};
    struct extrapolate_config config = *series->config;
    status_code code = STATUS_OK;
    config.exact_sizes = true;
    RETURN_ERROR_IF(numbered == NULL, status, STATUS_MEMORY, "out of memory for a rotation");
    for (uint32_t k = 0; k < count && code == STATUS_OK; k++)
        code = number(&listed[k], rotation, false, series->config->threads, &numbered[k], status);
    if (code == STATUS_OK)
        code = series_extrapolate(&made, &report, (const struct program *const *)numbered, count,
                                  &config, series->division_depth + 1, status);
    if (code == STATUS_OK)
        code = number_back(series, rotation, made, series->target.of[grid], program, status);
    if (code == STATUS_OK)
        code = add_finding(series, grid, rotation, count_ends(&listed[count - 1], rotation, 0),
                           series->findings.report, status);
    if (code == STATUS_OK) code = series_findings_move(series->findings.report, &report, status);
    extrapolate_report_free(&report);
    program_free(made);
    for (uint32_t k = 0; k < count; k++)
        program_free(numbered[k]);
    free(numbered);
    return code;
}

/* Tries to move the roles along one set of dimensions. Elements of rank 0 of the largest program
 * are tried as the end of an iteration, from the last one back. */
static status_code try_dimensions(struct series *series, struct listed *listed, uint32_t grid,
                                  uint32_t moved, uint32_t *tried, struct program **program,
                                  bool *found, struct status *status) {
    const struct listed *largest = &listed[series->program_count - 1];
    struct rotation rotation = {.dimensions = series->grids.rules[grid].dimensions, .moved = moved};
    uint64_t ends[MOST_ENDS];
    uint32_t count = 0;
    for (size_t i = largest->ranks[0].count; i-- > 0 && count < MOST_ENDS && !*found;) {
        bool fits = true, is_plain = true, is_known = false;
        rotation.end = end_key(largest, rotation.dimensions, 0, &largest->ranks[0].elements[i]);
        for (uint32_t e = 0; e < count; e++)
            is_known = is_known || ends[e] == rotation.end;
        if (rotation.end == 0 || is_known) continue;
        ends[count++] = rotation.end;
        for (uint32_t k = 0; k < series->program_count && fits; k++)
            FORWARD_IF_ERROR(check(&listed[k], &rotation, &fits, &is_plain, status));
        if (!fits || is_plain || ++*tried > MOST_TRIED) continue;
        struct status other = STATUS_INIT;
        const status_code code =
            extrapolate_numbered(series, listed, grid, &rotation, program, &other);
        *found = code == STATUS_OK;
        if (code != STATUS_OK && code != STATUS_INPUT) {
            *status = other;
            return code;
        }
        if (code == STATUS_INPUT) {
            program_free(*program);
            *program = NULL;
        }
        status_clear(&other);
    }
    return STATUS_OK;
}

static status_code try_grid(struct series *series, uint32_t grid, uint32_t *tried,
                            struct program **program, bool *found, struct status *status) {
    const uint32_t count = series->program_count;
    struct listed *listed = memory_new(count, sizeof *listed);
    bool fits = true;
    status_code code = STATUS_OK;
    RETURN_ERROR_IF(listed == NULL, status, STATUS_MEMORY, "out of memory for a rotation");
    for (uint32_t k = 0; k < count && fits && code == STATUS_OK; k++)
        code = list(&listed[k], series->programs[k].program, series->programs[k].extents.of[grid],
                    &fits, status);
    for (uint32_t moved = (1u << series->grids.rules[grid].dimensions) - 1;
         moved > 0 && fits && !*found && code == STATUS_OK; moved--)
        code = try_dimensions(series, listed, grid, moved, tried, program, found, status);
    for (uint32_t k = 0; k < count; k++)
        if (listed[k].program != NULL) free_listed(&listed[k]);
    free(listed);
    return code;
}

/* Returns whether a grid is tried: all ranks, a plane without given extents, or one whose lines are
 * communicators. */
static bool is_tried(const struct series *series, uint32_t grid) {
    const struct series_grid_rule *rule = &series->grids.rules[grid];
    if (rule->dimensions != 2 || grid_is_rare(rule)) return rule->dimensions == 1;
    if (rule->given[0] == 0 && rule->given[1] == 0) return true;
    for (size_t i = 0; i < series->families.count; i++)
        if (series->families.list[i].kind == SERIES_FAMILY_LINES &&
            series->families.list[i].grid == grid)
            return true;
    return false;
}

status_code series_rotation_find(struct series *series, struct program **program, bool *found,
                                 struct status *status) {
    uint32_t tried = 0;
    *found = false;
    if (series->division_depth >= MOST_DEPTH) return STATUS_OK;
    for (uint32_t g = 0; g < series->grids.count && !*found; g++)
        if (is_tried(series, g))
            FORWARD_IF_ERROR(try_grid(series, g, &tried, program, found, status));
    return STATUS_OK;
}
