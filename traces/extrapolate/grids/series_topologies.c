/*
 * Topologies of the new program. The communicators of a family have a Cartesian topology in the new
 * program if two conditions hold: they have one in all programs, with equally many dimensions and
 * the same periods, and a rule gives its dimensions (find_extents). series_graphs.c makes graphs.
 */
#include "traces/extrapolate/grids/series_topologies.h"
#include "core/memory/memory.h"
#include "traces/extrapolate/grids/series_communicators.h"
#include "traces/extrapolate/grids/series_graphs.h"
#include "traces/extrapolate/grids/series_grids.h"
#include "traces/extrapolate/output/series_findings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DIMENSIONS = 16 }; /* of a topology that is extrapolated */

/* The topology of a family in the new program. */
struct made_topology {
    bool is_there;   /* some program has one */
    const char *why; /* why the new program has none; NULL: it has one */
    uint32_t grid;   /* the grid that gives the dimensions; 0: none does */
    /* Of a Cartesian topology: size and period of each dimension in turn. */
    uint32_t numbers[2 * MOST_DIMENSIONS], count;
    bool is_graph;
    struct series_graph graph;
};

/* Returns the topology that all communicators of a family have in program k; NULL: some of them
 * have none. Sets *size to their number of members. Sets made->why if they have none or several. */
static const struct program_topology *find_own(const struct series *series, uint32_t k,
                                               uint32_t family, uint32_t *size,
                                               struct made_topology *made) {
    const struct series_program *from = &series->programs[k];
    const struct program_topology *first = NULL;
    bool has_none = false;
    for (uint32_t c = 0; c < from->program->communicator_count; c++) {
        if (from->families[c] != family) continue;
        const struct program_topology *own = series_topology_of(from->program, c);
        *size = from->program->communicators[c].size;
        has_none = has_none || own == NULL;
        if (own == NULL) continue;
        made->is_there = true;
        if (first == NULL) first = own;
        if (!program_topology_is_like(from->program, first, own))
            made->why = "communicators of one rule have several";
    }
    if (has_none) made->why = "some communicators have none";
    return has_none ? NULL : first;
}

/* Returns whether all programs have topologies of one kind, and Cartesian ones have equally many
 * dimensions and the same periods. Sets made->why if they do not. */
static bool are_alike(const struct series *series, const struct program_topology *const *own,
                      struct made_topology *made) {
    for (uint32_t k = 0; k < series->program_count; k++) {
        if (own[k] == NULL || own[k]->kind != own[0]->kind ||
            (own[k]->kind == PROGRAM_TOPOLOGY_CARTESIAN && own[k]->count != own[0]->count)) {
            made->why = "the programs have several";
            return false;
        }
        for (uint64_t i = 1; i < own[k]->count && own[k]->kind == PROGRAM_TOPOLOGY_CARTESIAN;
             i += 2)
            if (series_topology_numbers(series, k, own[k])[i] !=
                series_topology_numbers(series, 0, own[0])[i]) {
                made->why = "the programs have other periods";
                return false;
            }
    }
    return true;
}

/* Returns the first grid in use whose extents these are in all programs, or else the first one that
 * is not in use; 0: there is none. */
static uint32_t find_grid(const struct series *series, uint32_t (*extents)[SERIES_DIMENSIONS],
                          uint32_t dimensions) {
    for (int used = 1; used >= 0; used--)
        for (uint32_t g = 1; g < series->grids.count; g++) {
            bool fits = series->grids.rules[g].dimensions == dimensions &&
                        (used == 0 || series->grids.used[g]);
            for (uint32_t k = 0; k < series->program_count && fits; k++)
                fits = memcmp(series->programs[k].extents.of[g], extents[k], sizeof *extents) == 0;
            if (fits) return g;
        }
    return 0;
}

/* Sets the extents of the lines of a family in the new program. Returns false if the extents of the
 * topologies are not those of the lines in all programs. */
static bool find_lines(const struct series *series, const struct series_family *family,
                       uint32_t (*extents)[SERIES_DIMENSIONS], uint32_t dimensions,
                       uint32_t *target) {
    uint32_t place = 0;
    for (uint32_t d = 0; d < SERIES_DIMENSIONS; d++) {
        bool is_one = true, fits = place < dimensions;
        if ((family->spanned >> d & 1) == 0) continue;
        for (uint32_t k = 0; k < series->program_count; k++) {
            const uint32_t own = series->programs[k].extents.of[family->grid][d];
            is_one = is_one && own == 1;
            fits = fits && own == extents[k][place];
        }
        if (is_one && series->target.of[family->grid][d] == 1) continue;
        if (!fits) return false;
        target[place++] = series->target.of[family->grid][d];
    }
    return place == dimensions;
}

/* Sets the extents of a topology of family `number` in the new program: those of one dimension, of
 * the family's lines, of a grid of all ranks, or by a rule of recorded dimensions. Returns false if
 * none of these gives them. sizes: [program]: members of a communicator. */
static bool find_extents(const struct series *series, uint32_t number, const uint32_t *sizes,
                         uint32_t (*extents)[SERIES_DIMENSIONS], uint32_t dimensions,
                         struct made_topology *made, uint32_t *target) {
    const struct series_family *family = &series->families.list[number];
    uint32_t size = series->target_ranks;
    struct series_grid_rule rule;
    if (family->kind == SERIES_FAMILY_SELF)
        size = 1;
    else if (family->kind == SERIES_FAMILY_LINES)
        size = series_lines_of(series, family, &series->target).size;
    else if (family->kind != SERIES_FAMILY_ALL)
        size--;
    if (dimensions == 0) return size == 1;
    if (dimensions == 1) {
        target[0] = size;
        return true;
    }
    if (family->kind == SERIES_FAMILY_LINES &&
        find_lines(series, family, extents, dimensions, target)) {
        made->grid = family->grid;
        return true;
    }
    if (family->kind == SERIES_FAMILY_ALL) {
        made->grid = find_grid(series, extents, dimensions);
        memcpy(target, series->target.of[made->grid], SERIES_DIMENSIONS * sizeof *target);
        return made->grid > 0;
    }
    for (uint32_t n = 0; series_recorded_rule(series, sizes, extents, dimensions, n, &rule); n++)
        if (grid_set_extents(&rule, size, target)) return true;
    return false;
}

/* Makes the Cartesian topology of a family. own: [program]: its topology. */
static void find_cartesian(const struct series *series, uint32_t family,
                           const struct program_topology *const *own, const uint32_t *sizes,
                           struct made_topology *made) {
    uint32_t extents[SERIES_PROGRAMS][SERIES_DIMENSIONS], target[SERIES_DIMENSIONS];
    uint32_t places[SERIES_DIMENSIONS];
    const uint32_t dimensions = own[0]->count > UINT64_C(2) * MOST_DIMENSIONS
                                    ? SERIES_DIMENSIONS + 1
                                    : series_recorded_extents(series, own, extents, places);
    if (dimensions > SERIES_DIMENSIONS) {
        made->why = "it has more than four dimensions";
        return;
    }
    if (!find_extents(series, family, sizes, extents, dimensions, made, target)) {
        made->why = "its dimensions follow no rule";
        return;
    }
    made->count = (uint32_t)own[0]->count;
    for (uint32_t i = 0; i < made->count; i++)
        made->numbers[i] = i % 2 == 0 ? 1 : series_topology_numbers(series, 0, own[0])[i];
    for (uint32_t i = 0; i < dimensions; i++)
        made->numbers[(size_t)2 * places[i]] = target[i];
}

/* Makes the graph of a family, which must be all ranks. */
static status_code find_graph(const struct series *series, uint32_t family,
                              const struct program_topology *const *own, struct made_topology *made,
                              struct status *status) {
    bool found = false;
    made->is_graph = true;
    if (series->families.list[family].kind == SERIES_FAMILY_ALL)
        FORWARD_IF_ERROR(series_graph_find(series, own, &made->graph, &found, status));
    if (!found) made->why = "the neighbours of its graph follow no rule";
    return STATUS_OK;
}

/* Makes the topology of a family. The caller frees its graph, also after errors. */
static status_code find_topology(const struct series *series, uint32_t family,
                                 struct made_topology *made, struct status *status) {
    const struct program_topology *own[SERIES_PROGRAMS];
    uint32_t sizes[SERIES_PROGRAMS];
    *made = (struct made_topology){0};
    for (uint32_t k = 0; k < series->program_count; k++)
        own[k] = find_own(series, k, family, &sizes[k], made);
    if (!made->is_there || made->why != NULL || !are_alike(series, own, made)) return STATUS_OK;
    if (own[0]->kind == PROGRAM_TOPOLOGY_GRAPH)
        return find_graph(series, family, own, made, status);
    find_cartesian(series, family, own, sizes, made);
    return STATUS_OK;
}

/* A communicator of the new program that has a topology. */
struct place {
    uint32_t communicator, family, number; /* number: of its line */
};

static int compare_places(const void *left, const void *right) {
    const struct place *a = left, *b = right;
    return (a->communicator > b->communicator) - (a->communicator < b->communicator);
}

/* Returns how many communicators a family has in the new program. */
static uint32_t count_lines(const struct series *series, const struct series_family *family) {
    return family->kind == SERIES_FAMILY_LINES
               ? series_lines_of(series, family, &series->target).count
               : 1;
}

status_code series_topologies_define(struct series *series, struct program_builder *builder,
                                     struct status *status) {
    const size_t families = series->families.count;
    size_t count = 0, all = 0;
    for (size_t f = 0; f < families; f++)
        all += count_lines(series, &series->families.list[f]);
    struct made_topology *made = memory_new(families + 1, sizeof *made);
    struct place *places = memory_new(all + 1, sizeof *places);
    status_code code = STATUS_OK;
    if (made == NULL || places == NULL)
        code = status_set(status, STATUS_MEMORY, "out of memory for topologies");
    for (uint32_t f = 0; f < families && code == STATUS_OK; f++) {
        const struct series_family *family = &series->families.list[f];
        code = find_topology(series, f, &made[f], status);
        if (code != STATUS_OK || !made[f].is_there || made[f].why != NULL) continue;
        for (uint32_t i = 0; i < count_lines(series, family); i++)
            places[count++] = (struct place){series_communicator_index(family, i), f, i};
    }
    if (count > 0) qsort(places, count, sizeof *places, compare_places);
    for (size_t i = 0; i < count && code == STATUS_OK; i++) {
        const struct made_topology *own = &made[places[i].family];
        code = builder_define_topology(builder, places[i].communicator,
                                       own->is_graph ? PROGRAM_TOPOLOGY_GRAPH
                                                     : PROGRAM_TOPOLOGY_CARTESIAN,
                                       own->is_graph ? own->graph.numbers : own->numbers,
                                       own->is_graph ? own->graph.count : own->count, status);
    }
    for (size_t f = 0; f < families && made != NULL; f++)
        series_graph_free(&made[f].graph);
    free(made);
    free(places);
    return code;
}

/* Returns another grid of several dimensions that is in use; 0: there is none. */
static uint32_t other_grid(const struct series *series, uint32_t grid) {
    for (uint32_t g = 1; g < series->grids.count; g++)
        if (g != grid && series->grids.used[g]) return g;
    return 0;
}

/* Writes how well a topology of the new program is known. Returns whether it is uncertain. */
static bool fit_text(const struct series *series, const struct made_topology *made, char *text,
                     size_t size) {
    char other[SERIES_TEXT];
    snprintf(text, size, made->graph.is_uncertain ? "exact, but other rules fit as well" : "exact");
    if (made->is_graph) return made->graph.is_uncertain;
    if (made->grid == 0 || series->grids.used[made->grid]) return false;
    if (other_grid(series, made->grid) > 0) {
        grid_text(series, other_grid(series, made->grid), &series->target, other, sizeof other);
        snprintf(text, size, "exact, but what ranks do follows the grid %s", other);
        return true;
    }
    if (!series_grid_other_order(series, made->grid, other, sizeof other) &&
        !series_grid_has_other(series, made->grid, other, sizeof other))
        return false;
    snprintf(text, size,
             "exact, but the grid %s fits the series as well; choose with extrapolate.grid", other);
    return true;
}

status_code series_topologies_report(struct series *series, const struct program *made,
                                     struct status *status) {
    for (uint32_t f = 0; f < series->families.count; f++) {
        const struct series_family *family = &series->families.list[f];
        struct made_topology found;
        char sizes[PROGRAM_TOPOLOGY_TEXT], periods[PROGRAM_TOPOLOGY_TEXT];
        char law[2 * PROGRAM_TOPOLOGY_TEXT + SERIES_TEXT], fit[3 * SERIES_TEXT];
        FORWARD_IF_ERROR(find_topology(series, f, &found, status));
        const bool is_uncertain_graph = found.graph.is_uncertain;
        series_graph_free(&found.graph);
        found.graph.is_uncertain = is_uncertain_graph;
        if (!found.is_there) continue;
        const struct program_topology *own =
            series_topology_of(made, series_communicator_index(family, 0));
        bool is_uncertain = true;
        if (own == NULL || found.why != NULL) {
            snprintf(law, sizeof law, "none: %s", found.why != NULL ? found.why : "");
            snprintf(fit, sizeof fit, "left out");
        } else {
            program_topology_write_sizes(made, own, sizes);
            program_topology_write_periods(made, own, periods);
            if (found.is_graph)
                snprintf(law, sizeof law, "graph of %" PRIu64 " edges",
                         program_topology_edges(made, own));
            else
                snprintf(law, sizeof law, "%s%s%s", sizes, *periods != '\0' ? ", periodic in " : "",
                         periods);
            is_uncertain = fit_text(series, &found, fit, sizeof fit);
        }
        FORWARD_IF_ERROR(
            series_report_add(series, "topology", family->name, law, fit, 1, is_uncertain, status));
    }
    return STATUS_OK;
}
