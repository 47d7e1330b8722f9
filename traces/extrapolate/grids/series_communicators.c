/*
 * Communicators: finds the rule that gives their members. A family is all ranks, all but the first
 * or the last one, each rank alone, or the lines of a process grid: the ranks that share some
 * coordinates. All programs have communicators of each family. A communicator without a rule has no
 * family. If several lines fit a family, series_alternatives.c chooses one.
 */
#include "traces/extrapolate/grids/series_communicators.h"
#include "core/memory/memory.h"
#include "traces/extrapolate/grids/series_alternatives.h"
#include "traces/extrapolate/grids/series_grids.h"
#include "traces/extrapolate/grids/series_topologies.h"
#include "traces/extrapolate/refusals/series_where.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct series_lines series_lines_of(const struct series *series, const struct series_family *family,
                                    const struct series_grid_extents *extents) {
    struct series_lines lines = {1,
                                 1,
                                 series->grids.rules[family->grid].dimensions,
                                 extents->of[family->grid],
                                 family->spanned,
                                 family->firsts};
    for (uint32_t d = 0; d < lines.dimensions; d++)
        if ((lines.firsts >> d & 1) == 0)
            *(lines.spanned >> d & 1 ? &lines.size : &lines.count) *= lines.extents[d];
    return lines;
}

uint32_t series_line_place(const struct series_lines *lines, uint32_t rank, uint32_t *member) {
    uint32_t number = 0, line_stride = 1, member_stride = 1;
    bool is_outside = false;
    *member = 0;
    for (uint32_t d = 0; d < lines->dimensions; d++) {
        uint32_t coordinate = rank % lines->extents[d];
        rank /= lines->extents[d];
        if (lines->spanned >> d & 1) {
            *member += coordinate * member_stride;
            member_stride *= lines->extents[d];
        } else if ((lines->firsts >> d & 1) == 0) {
            number += coordinate * line_stride;
            line_stride *= lines->extents[d];
        } else if (coordinate > 0) {
            is_outside = true;
        }
    }
    return is_outside ? UINT32_MAX : number;
}

uint32_t series_line_rank(const struct series_lines *lines, uint32_t number, uint32_t member) {
    uint32_t rank = 0, stride = 1;
    for (uint32_t d = 0; d < lines->dimensions; d++) {
        uint32_t *from = lines->spanned >> d & 1 ? &member : &number;
        if ((lines->firsts >> d & 1) == 0) {
            rank += *from % lines->extents[d] * stride;
            *from /= lines->extents[d];
        }
        stride *= lines->extents[d];
    }
    return rank;
}

bool series_is_line(const struct program *program, const struct program_communicator *communicator,
                    const struct series_lines *lines, uint32_t number) {
    if (number >= lines->count) return false;
    if (communicator->members == PROGRAM_NONE || communicator->remote_size > 0 ||
        communicator->size != lines->size)
        return false;
    for (uint32_t i = 0; i < communicator->size; i++)
        if (program->communicator_members[communicator->members + i] !=
            series_line_rank(lines, number, i))
            return false;
    return true;
}

/* Returns whether a communicator has all ranks but rank 0, in their order. */
static bool is_all_but_first(const struct program *program, const struct program_communicator *c) {
    if (c->members == PROGRAM_NONE || c->remote_size > 0 || c->size + 1 != program->rank_count)
        return false;
    for (uint32_t i = 0; i < c->size; i++)
        if (program->communicator_members[c->members + i] != i + 1) return false;
    return true;
}

/* Returns whether a communicator has all ranks but the last one, in their order. */
static bool is_all_but_last(const struct program *program, const struct program_communicator *c) {
    if (c->members == PROGRAM_NONE || c->remote_size > 0 || c->size + 1 != program->rank_count)
        return false;
    for (uint32_t i = 0; i < c->size; i++)
        if (program->communicator_members[c->members + i] != i) return false;
    return true;
}

/* Returns whether a communicator is one of a family. lines, number: of SERIES_FAMILY_LINES. */
static bool is_of_family(const struct program *program, const struct program_communicator *c,
                         const struct series_family *family, const struct series_lines *lines,
                         uint32_t number) {
    switch (family->kind) {
    case SERIES_FAMILY_ALL:
        return series_is_world(program, c);
    case SERIES_FAMILY_REST:
        return is_all_but_first(program, c);
    case SERIES_FAMILY_BUT_LAST:
        return is_all_but_last(program, c);
    case SERIES_FAMILY_SELF:
        return c->members == PROGRAM_NONE;
    case SERIES_FAMILY_LINES:
        return series_is_line(program, c, lines, number);
    }
    return false;
}

/* What the communicators of a family must have in common. */
struct demand {
    bool in_use;   /* messages or collectives use line 0 in all programs */
    bool in_order; /* rank 0 has made its communicator at the same point in all programs */
};

/* Returns the first communicator in use that has no family yet and is line `number` of a family; if
 * there is none, and unless in_use, the first one that is not in use. PROGRAM_NONE: there is none.
 */
static uint32_t find_member(const struct series_program *from, const struct series_family *family,
                            const struct series_lines *lines, uint32_t number, bool in_use) {
    const struct program *program = from->program;
    uint32_t unused = PROGRAM_NONE;
    for (uint32_t c = 0; c < program->communicator_count; c++) {
        if (from->families[c] != PROGRAM_NONE ||
            ((unused != PROGRAM_NONE || in_use) && !from->is_used[c]) ||
            !is_of_family(program, &program->communicators[c], family, lines, number))
            continue;
        if (from->is_used[c]) return c;
        unused = c;
    }
    return unused;
}

/* Gives the communicators of a program that are of a family its number. Returns false if the
 * program lacks one of the lines. */
static bool match(struct series *series, uint32_t program_number,
                  const struct series_family *family, uint32_t family_number, bool in_use) {
    struct series_program *from = &series->programs[program_number];
    const struct series_lines lines = series_lines_of(series, family, &from->extents);
    const uint32_t count = family->kind == SERIES_FAMILY_LINES ? lines.count : 1;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t c = find_member(from, family, &lines, i, in_use && i == 0);
        if (c == PROGRAM_NONE) return false;
        from->families[c] = family_number;
    }
    return true;
}

/* Takes the number of a family from all communicators. */
static void unmatch(struct series *series, uint32_t family_number) {
    for (uint32_t k = 0; k < series->program_count; k++)
        for (uint32_t c = 0; c < series->programs[k].program->communicator_count; c++)
            if (series->programs[k].families[c] == family_number)
                series->programs[k].families[c] = PROGRAM_NONE;
}

/* Returns how many communicators in use with rank 0 a program has before the first one of a family.
 */
static uint32_t order_of(const struct series_program *from, uint32_t family) {
    const struct program *program = from->program;
    uint32_t count = 0;
    for (uint32_t c = 0; c < program->communicator_count && from->families[c] != family; c++) {
        const struct program_communicator *own = &program->communicators[c];
        count += from->is_used[c] && own->size > 0 &&
                 (own->members == PROGRAM_NONE || program->communicator_members[own->members] == 0);
    }
    return count;
}

/* Returns whether rank 0 made its communicator of a family at the same point in all programs. */
static bool has_one_order(const struct series *series, uint32_t family) {
    for (uint32_t k = 1; k < series->program_count; k++)
        if (order_of(&series->programs[k], family) != order_of(&series->programs[0], family))
            return false;
    return true;
}

/* Gives the communicators of all programs that are of a family its number, which is the next one.
 * Returns false, and changes nothing, if a program lacks some, if communicator `wanted` of the
 * largest program is not one of them, or if they do not meet the demand. */
static bool try_family(struct series *series, const struct series_family *family, uint32_t wanted,
                       struct demand demand) {
    const uint32_t family_number = (uint32_t)series->families.count;
    const struct series_program *largest = &series->programs[series->program_count - 1];
    bool fits = true;
    for (uint32_t k = series->program_count; k-- > 0 && fits;)
        fits = match(series, k, family, family_number, demand.in_use);
    if (fits && largest->families[wanted] == family_number &&
        (!demand.in_order || has_one_order(series, family_number)))
        return true;
    unmatch(series, family_number);
    return false;
}

/* Tries the lines of all grids: first all lines of a grid, then those with the coordinate 0 in one
 * dimension, then in two, and so on. */
static bool try_lines(struct series *series, struct series_family *family, uint32_t wanted,
                      struct demand demand) {
    family->kind = SERIES_FAMILY_LINES;
    for (int fixed = 0; fixed < SERIES_DIMENSIONS; fixed++)
        for (uint32_t g = 0; g < series->grids.count; g++)
            for (uint32_t spanned = g > 0; spanned + 1 < 1u << series->grids.rules[g].dimensions;
                 spanned++) {
                const uint32_t all = (1u << series->grids.rules[g].dimensions) - 1;
                const uint32_t others = all & ~spanned;
                family->grid = g;
                family->spanned = spanned;
                for (family->firsts = 0; family->firsts <= others; family->firsts++)
                    if ((family->firsts & ~others) == 0 &&
                        __builtin_popcount(family->firsts) == fixed &&
                        try_family(series, family, wanted, demand))
                        return true;
            }
    return false;
}

/* Tries the kinds of families for a communicator of the largest program, in their order. */
static bool try_families(struct series *series, struct series_family *family, uint32_t wanted,
                         bool in_use) {
    static const series_family_kind kinds[] = {SERIES_FAMILY_ALL, SERIES_FAMILY_REST,
                                               SERIES_FAMILY_BUT_LAST};
    const struct program *program = series->programs[series->program_count - 1].program;
    const struct program_communicator *c = &program->communicators[wanted];
    const struct demand any = {.in_use = in_use}, ordered = {.in_use = in_use, .in_order = true};
    family->kind = SERIES_FAMILY_SELF;
    if (c->members == PROGRAM_NONE) return try_family(series, family, wanted, any);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        family->kind = kinds[i];
        if (try_family(series, family, wanted, any)) return true;
    }
    return c->remote_size == 0 &&
           (try_lines(series, family, wanted, ordered) || try_lines(series, family, wanted, any));
}

/* Adds the family of a communicator of the largest program, if a rule gives its members. */
static status_code find_family(struct series *series, uint32_t wanted, struct status *status) {
    const struct series_program *largest = &series->programs[series->program_count - 1];
    const struct program *program = largest->program;
    struct series_family family = {.kind = SERIES_FAMILY_ALL};
    snprintf(family.name, sizeof family.name, "%s",
             program_text(program, program->communicators[wanted].name));
    bool found = largest->is_used[wanted] && try_families(series, &family, wanted, true);
    if (!found) found = try_families(series, &family, wanted, false);
    if (!found) return STATUS_OK; /* series_steps.c refuses it if a rank uses it */
    FORWARD_IF_ERROR(memory_grow((void **)&series->families.list, &series->families.capacity,
                                 series->families.count + 1, sizeof *series->families.list,
                                 status));
    series->families.list[series->families.count++] = family;
    return STATUS_OK;
}

/* Sets is_used and is_idle of a program. Communicators that nothing uses are made by libraries, one
 * for each alternative that they try. */
static void mark_used(struct series_program *from) {
    const struct program *program = from->program;
    struct program_walk walk = {0};
    while (program_walk_next(program, &walk)) {
        bool is_handle;
        const uint32_t c = series_communicator_of(program, walk.operation, &is_handle);
        if (c == PROGRAM_NONE) continue;
        from->is_used[c] = true;
        from->is_idle[c] = from->is_idle[c] && is_handle;
    }
}

bool series_family_is_idle(const struct series *series, uint32_t family) {
    for (uint32_t k = 0; k < series->program_count; k++)
        for (uint32_t c = 0; c < series->programs[k].program->communicator_count; c++)
            if (series->programs[k].families[c] == family && !series->programs[k].is_idle[c])
                return false;
    return true;
}

/* Numbers the families in the order of their communicators in the largest program. */
static status_code number_families(struct series *series, struct status *status) {
    const struct series_program *largest = &series->programs[series->program_count - 1];
    const size_t count = series->families.count;
    if (count == 0) return STATUS_OK;
    struct series_family *families = memory_new(count, sizeof *families);
    uint32_t *numbers = memory_new(count, sizeof *numbers), next = 0;
    status_code code = STATUS_OK;
    if (families == NULL || numbers == NULL) {
        code = status_set(status, STATUS_MEMORY, "out of memory for communicators");
    } else {
        for (size_t f = 0; f < count; f++)
            numbers[f] = PROGRAM_NONE;
        for (uint32_t c = 0; c < largest->program->communicator_count; c++) {
            const uint32_t family = largest->families[c];
            if (family == PROGRAM_NONE || numbers[family] != PROGRAM_NONE) continue;
            families[next] = series->families.list[family];
            numbers[family] = next++;
        }
        memcpy(series->families.list, families, count * sizeof *families);
        for (uint32_t k = 0; k < series->program_count; k++)
            for (uint32_t c = 0; c < series->programs[k].program->communicator_count; c++)
                if (series->programs[k].families[c] != PROGRAM_NONE)
                    series->programs[k].families[c] = numbers[series->programs[k].families[c]];
    }
    free(families);
    free(numbers);
    return code;
}

status_code series_communicators_find(struct series *series, struct status *status) {
    for (uint32_t k = 0; k < series->program_count; k++) {
        struct series_program *from = &series->programs[k];
        const uint32_t count = from->program->communicator_count;
        from->families = memory_new(count, sizeof *from->families);
        from->is_used = memory_new(count, sizeof *from->is_used);
        from->is_idle = memory_new(count, sizeof *from->is_idle);
        RETURN_ERROR_IF(from->families == NULL || from->is_used == NULL || from->is_idle == NULL,
                        status, STATUS_MEMORY, "out of memory for communicators");
        for (uint32_t c = 0; c < count; c++) {
            from->families[c] = PROGRAM_NONE;
            from->is_idle[c] = true;
        }
        mark_used(from);
    }
    const struct series_program *largest = &series->programs[series->program_count - 1];
    /* The communicators in use come first. */
    for (int used = 1; used >= 0; used--)
        for (uint32_t c = 0; c < largest->program->communicator_count; c++)
            if (largest->families[c] == PROGRAM_NONE && largest->is_used[c] == (used == 1))
                FORWARD_IF_ERROR(find_family(series, c, status));
    FORWARD_IF_ERROR(number_families(series, status));
    FORWARD_IF_ERROR(series_alternatives_choose(series, status));
    for (size_t i = 0; i < series->families.count; i++)
        if (series->families.list[i].kind == SERIES_FAMILY_LINES)
            series->grids.used[series->families.list[i].grid] = true;
    return STATUS_OK;
}

/* Returns the first member of a communicator. */
static uint32_t first_member(const struct program *program, const struct program_communicator *c) {
    return c->members == PROGRAM_NONE || c->size == 0 ? 0
                                                      : program->communicator_members[c->members];
}

/* Returns whether the communicators of all programs are in the order of their first members, as in
 * recordings, and not family by family. */
static bool are_by_members(const struct series *series) {
    bool is_by_family = true;
    for (uint32_t k = 0; k < series->program_count; k++) {
        const struct series_program *from = &series->programs[k];
        uint32_t last = PROGRAM_NONE, last_rank = 0;
        for (uint32_t c = 0; c < from->program->communicator_count; c++) {
            const uint32_t family = from->families[c];
            const uint32_t rank = first_member(from->program, &from->program->communicators[c]);
            if (family == PROGRAM_NONE) continue;
            if (last != PROGRAM_NONE && family < last) is_by_family = false;
            if (last != PROGRAM_NONE && (rank < last_rank || (rank == last_rank && family <= last)))
                return false;
            last = family;
            last_rank = rank;
        }
    }
    return !is_by_family;
}

uint32_t series_communicator_index(const struct series_family *family, uint32_t number) {
    return family->target_list != NULL ? family->target_list[number]
                                       : family->target_first + number;
}

/* Defines one line of a family. */
static status_code define_line(struct series_family *family, const struct series_lines *lines,
                               uint32_t number, struct program_builder *builder, uint32_t *members,
                               struct status *status) {
    uint32_t index = 0;
    for (uint32_t m = 0; m < lines->size; m++)
        members[m] = series_line_rank(lines, number, m);
    FORWARD_IF_ERROR(
        builder_define_communicator(builder, family->name, members, lines->size, &index, status));
    if (number == 0) family->target_first = index;
    if (family->target_list != NULL) family->target_list[number] = index;
    return STATUS_OK;
}

/* Defines the only communicator of a family that is not lines. members: all ranks in their order.
 */
static status_code define_only(const struct series *series, struct series_family *family,
                               struct program_builder *builder, const uint32_t *members,
                               struct status *status) {
    const uint32_t ranks = series->target_ranks;
    if (family->kind == SERIES_FAMILY_SELF)
        return builder_define_communicator_self(builder, family->name, &family->target_first,
                                                status);
    return builder_define_communicator(
        builder, family->name, members + (family->kind == SERIES_FAMILY_REST),
        family->kind == SERIES_FAMILY_ALL ? ranks : ranks - 1, &family->target_first, status);
}

/* Defines the communicators whose first member is among the ranks first to end - 1. These are one
 * rank, or all ranks: then families are defined one after another. all: all ranks in their order.
 * members: room for the members of a communicator. */
static status_code define_of_ranks(struct series *series, uint32_t first, uint32_t end,
                                   struct program_builder *builder, const uint32_t *all,
                                   uint32_t *members, struct status *status) {
    for (size_t i = 0; i < series->families.count; i++) {
        struct series_family *family = &series->families.list[i];
        if (family->kind != SERIES_FAMILY_LINES) {
            const uint32_t own = family->kind == SERIES_FAMILY_REST;
            if (own >= first && own < end)
                FORWARD_IF_ERROR(define_only(series, family, builder, all, status));
            continue;
        }
        const struct series_lines lines = series_lines_of(series, family, &series->target);
        if (end - first > 1) {
            for (uint32_t number = 0; number < lines.count; number++)
                FORWARD_IF_ERROR(define_line(family, &lines, number, builder, members, status));
            continue;
        }
        uint32_t member;
        const uint32_t number = series_line_place(&lines, first, &member);
        if (number < lines.count && member == 0)
            FORWARD_IF_ERROR(define_line(family, &lines, number, builder, members, status));
    }
    return STATUS_OK;
}

status_code series_communicators_define(struct series *series, struct program_builder *builder,
                                        struct status *status) {
    const uint32_t ranks = series->target_ranks;
    const uint32_t step = are_by_members(series) ? 1 : ranks;
    uint32_t *all = memory_new(ranks, sizeof *all), *members = memory_new(ranks, sizeof *members);
    status_code code = STATUS_OK;
    if (all == NULL || members == NULL)
        code = status_set(status, STATUS_MEMORY, "out of memory for communicators");
    for (size_t i = 0; i < series->families.count && code == STATUS_OK; i++) {
        struct series_family *family = &series->families.list[i];
        series_communicators_forget(family);
        if (step > 1 || family->kind != SERIES_FAMILY_LINES) continue;
        const uint32_t count = series_lines_of(series, family, &series->target).count;
        family->target_list = memory_new(count, sizeof *family->target_list);
        if (family->target_list == NULL)
            code = status_set(status, STATUS_MEMORY, "out of memory for communicators");
    }
    for (uint32_t r = 0; r < ranks && code == STATUS_OK; r++)
        all[r] = r;
    for (uint32_t r = 0; r < ranks && code == STATUS_OK; r += step)
        code = define_of_ranks(series, r, r + step, builder, all, members, status);
    free(all);
    free(members);
    return code;
}

void series_communicators_forget(struct series_family *family) {
    free(family->target_list);
    family->target_list = NULL;
}

bool series_is_for_some(const struct series_family *family) {
    return family->kind == SERIES_FAMILY_REST || family->kind == SERIES_FAMILY_BUT_LAST ||
           family->firsts != 0;
}

bool series_is_member(const struct series *series, const struct series_family *family,
                      const struct series_grid_extents *extents, uint32_t ranks, uint32_t rank) {
    if (family->kind == SERIES_FAMILY_REST) return rank > 0;
    if (family->kind == SERIES_FAMILY_BUT_LAST) return rank + 1 < ranks;
    if (family->kind != SERIES_FAMILY_LINES) return true;
    const struct series_lines lines = series_lines_of(series, family, extents);
    uint32_t member;
    return series_line_place(&lines, rank, &member) < lines.count;
}

uint32_t series_communicator_of_rank(const struct series *series, uint32_t family, uint32_t rank) {
    const struct series_family *own = &series->families.list[family];
    if (own->kind == SERIES_FAMILY_REST && rank == 0) return PROGRAM_NONE;
    if (own->kind == SERIES_FAMILY_BUT_LAST && rank + 1 == series->target_ranks)
        return PROGRAM_NONE;
    if (own->kind != SERIES_FAMILY_LINES) return own->target_first;
    const struct series_lines lines = series_lines_of(series, own, &series->target);
    uint32_t member;
    const uint32_t number = series_line_place(&lines, rank, &member);
    return number < lines.count ? series_communicator_index(own, number) : PROGRAM_NONE;
}

void series_family_text(const struct series *series, const struct series_family *family, char *text,
                        size_t size) {
    if (family->kind == SERIES_FAMILY_ALL) {
        snprintf(text, size, "all ranks");
    } else if (family->kind == SERIES_FAMILY_REST) {
        snprintf(text, size, "all ranks but rank 0");
    } else if (family->kind == SERIES_FAMILY_BUT_LAST) {
        snprintf(text, size, "all ranks but the last one");
    } else if (family->kind == SERIES_FAMILY_SELF) {
        snprintf(text, size, "each rank alone");
    } else if (family->spanned == 0) {
        snprintf(text, size, family->firsts > 0 ? "rank 0 alone" : "each rank alone");
    } else {
        char grid[SERIES_TEXT];
        const uint32_t others =
            (1u << series->grids.rules[family->grid].dimensions) - 1 - family->spanned;
        grid_text(series, family->grid, &series->target, grid, sizeof grid);
        size_t length = (size_t)snprintf(text, size, "%s along dimension",
                                         family->firsts == others ? "the line of rank 0" : "lines");
        for (uint32_t d = 0; d < SERIES_DIMENSIONS && length < size; d++)
            if (family->spanned >> d & 1)
                length += (size_t)snprintf(text + length, size - length, " %u", d + 1);
        if (length < size)
            length += (size_t)snprintf(text + length, size - length, " of the grid %s", grid);
        for (uint32_t d = 0; d < SERIES_DIMENSIONS && length < size && family->firsts != others;
             d++)
            if (family->firsts >> d & 1)
                length += (size_t)snprintf(text + length, size - length,
                                           ", where coordinate %u is 0", d + 1);
    }
}
