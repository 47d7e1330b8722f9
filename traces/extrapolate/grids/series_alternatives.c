/*
 * Alternatives of communicators. An alternative is a rule or a law that fits the series as well as
 * the one that was taken, and gives the new program something else.
 *
 * Lines of several grids may have the same members in all programs of a series, and others in the
 * new one: the two halves of 4, 8 and 16 ranks are lines of n x 2, and of 2 x 2 x 2 x n/8.
 * is_better says which grid is preferred. If no grid comes before all others, the communicator is
 * refused, unless it has no message and no collective.
 */
#include "traces/extrapolate/grids/series_alternatives.h"
#include "core/memory/memory.h"
#include "traces/extrapolate/grids/series_communicators.h"
#include "traces/extrapolate/grids/series_grids.h"
#include "traces/extrapolate/grids/series_topologies.h"
#include "traces/extrapolate/laws/partners/law_peers.h"
#include "traces/extrapolate/laws/series_law.h"
#include "traces/extrapolate/refusals/series_where.h"

#include <stdio.h>
#include <stdlib.h>

/* Lines that fit a family in all programs. */
struct alternative {
    uint32_t family, grid, spanned, firsts;
};

/* All lines that fit the families of a series. */
struct alternatives {
    struct alternative *list; /* in the order of families */
    size_t count, capacity;
    uint32_t families_of[SERIES_GRIDS]; /* [grid]: number of families that its lines fit */
};

/* Returns the family with the lines of an alternative. */
static struct series_family family_of(const struct series *series,
                                      const struct alternative *alternative) {
    struct series_family family = series->families.list[alternative->family];
    family.grid = alternative->grid;
    family.spanned = alternative->spanned;
    family.firsts = alternative->firsts;
    return family;
}

/* Returns whether the lines of `family` are the communicators of family `number` in a program. */
static bool fits_in(const struct series *series, uint32_t program_number, uint32_t number,
                    const struct series_family *family) {
    const struct series_program *from = &series->programs[program_number];
    const struct program *program = from->program;
    const struct series_lines lines = series_lines_of(series, family, &from->extents);
    uint32_t found = 0, first = 0;
    for (uint32_t c = 0; c < program->communicator_count; c++) {
        if (from->families[c] != number) continue;
        const struct program_communicator *own = &program->communicators[c];
        uint32_t member = 0;
        if (own->size == 0 || found == lines.count) return false;
        first = program->communicator_members[own->members];
        if (!series_is_line(program, own, &lines, series_line_place(&lines, first, &member)))
            return false;
        found++;
    }
    return found == lines.count;
}

/* Returns whether they are in all programs. */
static bool fits(const struct series *series, uint32_t number, const struct series_family *family) {
    for (uint32_t k = series->program_count; k-- > 0;)
        if (!fits_in(series, k, number, family)) return false;
    return true;
}

/* Returns whether two families have different communicators in the new program. */
static bool differ(const struct series *series, const struct series_family *left,
                   const struct series_family *right) {
    const struct series_lines a = series_lines_of(series, left, &series->target);
    const struct series_lines b = series_lines_of(series, right, &series->target);
    if (a.size != b.size || a.count != b.count) return true;
    for (uint32_t r = 0; r < series->target_ranks; r++) {
        uint32_t own, other;
        const uint32_t i = series_line_place(&a, r, &own), j = series_line_place(&b, r, &other);
        if ((i < a.count) != (j < b.count)) return true;
        if (i >= a.count) continue;
        if (own != other || series_line_rank(&a, i, 0) != series_line_rank(&b, j, 0)) return true;
    }
    return false;
}

/* Lists all lines that fit a family. */
static status_code list_family(const struct series *series, uint32_t number,
                               struct alternatives *alternatives, struct status *status) {
    struct series_family family = series->families.list[number];
    if (family.kind != SERIES_FAMILY_LINES || family.spanned == 0) return STATUS_OK;
    for (uint32_t g = 1; g < series->grids.count; g++) {
        bool has_lines = false;
        if (!series_grid_is_alike(series, g)) continue;
        for (uint32_t set = 1; set + 1 < 1u << series->grids.rules[g].dimensions; set++) {
            const uint32_t others = ((1u << series->grids.rules[g].dimensions) - 1) & ~set;
            const bool has_all = series->families.list[number].firsts == 0;
            family.grid = g;
            family.spanned = set;
            for (uint32_t firsts = has_all ? 0 : 1; firsts <= (has_all ? 0 : others); firsts++) {
                family.firsts = firsts;
                if ((firsts & ~others) != 0 || !fits(series, number, &family)) continue;
                FORWARD_IF_ERROR(memory_grow((void **)&alternatives->list, &alternatives->capacity,
                                             alternatives->count + 1, sizeof *alternatives->list,
                                             status));
                alternatives->list[alternatives->count++] =
                    (struct alternative){number, g, set, firsts};
                has_lines = true;
            }
        }
        alternatives->families_of[g] += has_lines;
    }
    return STATUS_OK;
}

/* Returns whether lines of one grid are preferred to those of another one. */
static bool is_better(const struct series *series, const struct alternatives *alternatives,
                      uint32_t grid, uint32_t other) {
    const bool is_told = series_grid_is_told(series, grid);
    if (is_told != series_grid_is_told(series, other)) return is_told;
    if (series->grids.rules[grid].is_recorded != series->grids.rules[other].is_recorded)
        return series->grids.rules[grid].is_recorded;
    if (alternatives->families_of[grid] != alternatives->families_of[other])
        return alternatives->families_of[grid] > alternatives->families_of[other];
    if (series->grids.rules[grid].dimensions != series->grids.rules[other].dimensions)
        return series->grids.rules[grid].dimensions < series->grids.rules[other].dimensions;
    if (series->grids.rules[grid].is_recorded) return grid < other; /* the first rule is taken */
    return !grid_is_of_library(&series->grids.rules[grid]) &&
           grid_is_of_library(&series->grids.rules[other]);
}

/* Returns whether an alternative is preferred to all others of its family (first to end - 1) that
 * differ from it in the new program. Sets *other to one of these; NULL: there is none that counts:
 * extrapolate.grid and recorded dimensions exclude others. */
static bool is_best(const struct series *series, const struct alternatives *alternatives,
                    const struct alternative *own, size_t first, size_t end,
                    const struct alternative **other) {
    const struct series_family family = family_of(series, own);
    bool best = true;
    *other = NULL;
    for (size_t i = first; i < end; i++) {
        const struct alternative *alternative = &alternatives->list[i];
        const struct series_family against = family_of(series, alternative);
        if (alternative == own || !differ(series, &family, &against)) continue;
        const bool better = is_better(series, alternatives, own->grid, alternative->grid);
        if (better && series_grid_is_told(series, own->grid) &&
            !series_grid_is_told(series, alternative->grid))
            continue;
        if (better && series_grid_is_refuted(series, own->grid, alternative->grid)) continue;
        if (*other == NULL || (best && !better)) *other = alternative;
        best = best && better;
    }
    return best;
}

/* Chooses among the alternatives first to end - 1, which are those of one family. */
static void choose(struct series *series, const struct alternatives *alternatives, size_t first,
                   size_t end) {
    struct series_family *family = &series->families.list[alternatives->list[first].family];
    const struct alternative *chosen = NULL, *other = NULL;
    for (size_t i = first; i < end && chosen == NULL; i++)
        if (is_best(series, alternatives, &alternatives->list[i], first, end, &other))
            chosen = &alternatives->list[i];
    family->is_open =
        chosen == NULL && !series_family_is_idle(series, alternatives->list[first].family);
    if (chosen == NULL) {
        chosen = &alternatives->list[first];
        is_best(series, alternatives, chosen, first, end, &other);
    }
    family->grid = chosen->grid;
    family->spanned = chosen->spanned;
    family->firsts = chosen->firsts;
    family->has_alternative = other != NULL;
    if (other == NULL) return;
    family->alternative_grid = other->grid;
    family->alternative_spanned = other->spanned;
    family->alternative_firsts = other->firsts;
}

/* Returns whether the lines are blocks of consecutive ranks. */
static bool is_block(const struct series *series, const struct series_family *family) {
    const struct series_lines lines = series_lines_of(series, family, &series->target);
    return series_line_rank(&lines, 0, lines.size - 1) + 1 == lines.size;
}

/* Returns the number of ranks in a block, if the lines are blocks, or the number of lines, if the
 * lines have every n-th rank. */
static int64_t width_of(const struct series *series, const struct series_family *family,
                        const struct series_grid_extents *extents) {
    const struct series_lines lines = series_lines_of(series, family, extents);
    return is_block(series, family) ? lines.size : lines.count;
}

/* If the lines of a family are blocks, or have every n-th rank, looks for a distance by the number
 * of ranks that gives their widths in the series, and another width in the new program. Makes it
 * the alternative of the family. */
static void find_distance(const struct series *series, struct series_family *family) {
    const struct series_lines lines = series_lines_of(series, family, &series->target);
    const bool takes_turns =
        lines.size > 1 && series_line_rank(&lines, 0, 1) == lines.count && family->firsts == 0;
    if (series_grid_is_told(series, family->grid)) return;
    if (series->grids.rules[family->grid].is_recorded) return;
    if (!is_block(series, family) && !takes_turns) return;
    for (uint32_t row = 0; row < law_distance_rows() && !family->has_alternative; row++) {
        bool fits_all =
            law_distance_of(row, series->target_ranks) != width_of(series, family, &series->target);
        for (uint32_t k = 0; k < series->program_count && fits_all; k++)
            fits_all = law_distance_of(row, series->programs[k].program->rank_count) ==
                       width_of(series, family, &series->programs[k].extents);
        family->has_alternative = fits_all;
        family->alternative_distance = fits_all ? row + 1 : 0;
    }
}

/* Looks for lines that have all ranks of each program, because all grids of the series have one
 * rank along the other dimensions, but only some ranks of the new program. Makes them the
 * alternative of family `number`, if this is all ranks, but not the first such family, which is the
 * world. */
static void find_unseen(const struct series *series, uint32_t number) {
    struct series_family *own = &series->families.list[number], lines = *own;
    bool is_world = true;
    for (uint32_t f = 0; f < number; f++)
        is_world = is_world && series->families.list[f].kind != SERIES_FAMILY_ALL;
    if (own->kind != SERIES_FAMILY_ALL || is_world) return;
    if (series_family_is_cartesian(series, number)) return; /* of all ranks */
    lines.kind = SERIES_FAMILY_LINES;
    for (uint32_t g = 1; g < series->grids.count; g++)
        for (uint32_t set = 1; set + 1 < 1u << series->grids.rules[g].dimensions; set++) {
            lines.grid = g;
            lines.spanned = set;
            if (!series_grid_is_unseen(series, g) || !fits(series, number, &lines)) continue;
            own->has_alternative = true;
            own->alternative_grid = g;
            own->alternative_spanned = set;
            return;
        }
}

status_code series_alternatives_choose(struct series *series, struct status *status) {
    struct alternatives alternatives = {0};
    status_code code = STATUS_OK;
    for (uint32_t f = 0; f < series->families.count && code == STATUS_OK; f++)
        code = list_family(series, f, &alternatives, status);
    for (uint32_t f = 0; f < series->families.count; f++)
        find_unseen(series, f);
    for (size_t first = 0, end; code == STATUS_OK && first < alternatives.count; first = end) {
        end = first + 1;
        while (end < alternatives.count &&
               alternatives.list[end].family == alternatives.list[first].family)
            end++;
        choose(series, &alternatives, first, end);
        find_distance(series, &series->families.list[alternatives.list[first].family]);
    }
    free(alternatives.list);
    return code;
}

void series_alternative_text(const struct series *series, const struct series_family *family,
                             char *text, size_t size) {
    struct series_family alternative = *family;
    if (family->alternative_distance > 0) {
        const bool block = is_block(series, family);
        snprintf(text, size, block ? "blocks of %s ranks" : "all ranks in steps of %s",
                 law_distance_text(family->alternative_distance - 1));
        return;
    }
    alternative.kind = SERIES_FAMILY_LINES;
    alternative.grid = family->alternative_grid;
    alternative.spanned = family->alternative_spanned;
    alternative.firsts = family->alternative_firsts;
    series_family_text(series, &alternative, text, size);
}

status_code series_alternatives_refuse(const struct series *series, uint32_t family_number,
                                       const char *where, struct status *status) {
    const struct series_family *family = &series->families.list[family_number];
    const struct series_program *largest = &series->programs[series->program_count - 1];
    char own[2 * SERIES_TEXT], other[2 * SERIES_TEXT], name[PROGRAM_COMMUNICATOR_TEXT];
    char members[2 * SERIES_TEXT];
    uint32_t first = 0;
    while (largest->families[first] != family_number)
        first++;
    program_write_communicator(largest->program, first, name);
    series_where_members(largest->program, first, members, sizeof members);
    series_family_text(series, family, own, sizeof own);
    series_alternative_text(series, family, other, sizeof other);
    return status_set(
        status, STATUS_INPUT,
        "several rules fit the members of %s (%s of %u ranks), and they differ for %u ranks: %s, "
        "or %s; add a program with another number of ranks, or choose with extrapolate.grid; such "
        "a "
        "communicator %s",
        name, members, largest->program->rank_count, series->target_ranks, own, other, where);
}
