/*
 * Process grids of recorded Cartesian topologies. The dimensions of MPI_Cart_create give the
 * extents of a grid in each program; the last dimension is the first one of the grid, along which
 * the rank varies fastest. The first rule that gives the extents of all programs gives those of the
 * new one: that of MPI_Dims_create comes first. If two dimensions or more vary, even extents in the
 * other order are next, and then those in which the dimensions that are the same in all programs
 * are given. If one dimension alone varies, the given ones come before.
 */
#include "traces/extrapolate/grids/series_grids.h"
#include "traces/extrapolate/grids/series_topologies.h"

#include <string.h>

/* Returns the kind of rule number `place` of those without given extents. The MPI library of the
 * recordings comes before the other one. From the first to the last dimension, those of
 * MPI_Dims_create do not rise, so the extents of a grid do not fall: RISING comes before FALLING.
 */
static series_grid_kind kind_at(const struct series *series, uint32_t place) {
    static const series_grid_kind kinds[] = {
        SERIES_GRID_FACTORS_RISING, SERIES_GRID_SPREAD_RISING, SERIES_GRID_RISING,
        SERIES_GRID_SORTED_RISING,  SERIES_GRID_FALLING,       SERIES_GRID_FACTORS_FALLING,
        SERIES_GRID_SPREAD_FALLING, SERIES_GRID_SORTED_FALLING};
    const struct program *largest = series->programs[series->program_count - 1].program;
    const char *creator = program_text(largest, largest->creator);
    if (place < 2 && strstr(creator, "Open MPI") == NULL) place = 1 - place;
    return kinds[place];
}

/* The first KINDS_FIRST of the KINDS kinds of kind_at are those that do not fall. */
enum { KINDS_FIRST = 4, KINDS = 8 };

/* Returns the set of dimensions whose extent is the same in all programs. */
static uint32_t constant_dimensions(const struct series *series,
                                    uint32_t (*extents)[SERIES_DIMENSIONS], uint32_t dimensions) {
    uint32_t set = 0;
    for (uint32_t d = 0; d < dimensions; d++) {
        bool is_same = true;
        for (uint32_t k = 1; k < series->program_count; k++)
            is_same = is_same && extents[k][d] == extents[0][d];
        set |= (uint32_t)is_same << d;
    }
    return set;
}

/* Sets the sides of a box to the proportions of the extents of the largest program. */
static void set_sides(const uint32_t *extents, uint32_t dimensions, uint32_t *sides) {
    uint32_t divisor = extents[0];
    for (uint32_t d = 1; d < dimensions; d++)
        for (uint32_t rest = extents[d]; rest > 0;) {
            const uint32_t next = divisor % rest;
            divisor = rest;
            rest = next;
        }
    for (uint32_t d = 0; d < dimensions; d++)
        sides[d] = extents[d] / divisor;
}

/* Sets the n-th rule of those by which the dimensions of a topology rise or, with is_given, of
 * those that give the dimensions of a set. Returns false if there are fewer. */
static bool candidate_of_kind(const struct series *series, const uint32_t *extents, uint32_t same,
                              bool is_given, uint32_t n, struct series_grid_rule *rule) {
    if (n >= (is_given ? KINDS : KINDS - KINDS_FIRST)) return false;
    rule->kind = kind_at(series, is_given ? n : KINDS_FIRST + n);
    for (uint32_t d = 0; d < rule->dimensions && is_given; d++)
        rule->given[d] = same >> d & 1 ? extents[d] : 0;
    return true;
}

/* Sets the n-th rule to try. Returns false after the last. */
static bool candidate(const struct series *series, uint32_t (*extents)[SERIES_DIMENSIONS],
                      uint32_t dimensions, uint32_t n, struct series_grid_rule *rule) {
    const uint32_t same = constant_dimensions(series, extents, dimensions);
    *rule = (struct series_grid_rule){.dimensions = dimensions, .is_recorded = true};
    if (n < KINDS_FIRST) {
        rule->kind = kind_at(series, n);
        return true;
    }
    n -= KINDS_FIRST;
    const bool has_given_first =
        dimensions - (uint32_t)__builtin_popcount(same) < 2; /* one dimension alone varies */
    const uint32_t first = has_given_first ? KINDS : KINDS - KINDS_FIRST;
    if (candidate_of_kind(series, extents[0], same, has_given_first, n, rule)) return true;
    n -= first;
    if (candidate_of_kind(series, extents[0], same, !has_given_first, n, rule)) return true;
    n -= 2 * KINDS - KINDS_FIRST - first;
    if (n == 0 && dimensions == 3) rule->kind = SERIES_GRID_MIDDLE_FIRST;
    if (n == 1 && dimensions < 4)
        set_sides(extents[series->program_count - 1], dimensions, rule->sides);
    return n <= 1;
}

bool series_recorded_rule(const struct series *series, const uint32_t *ranks,
                          uint32_t (*extents)[SERIES_DIMENSIONS], uint32_t dimensions, uint32_t n,
                          struct series_grid_rule *rule) {
    uint32_t found = 0;
    for (uint32_t i = 0; candidate(series, extents, dimensions, i, rule); i++) {
        bool fits = true;
        for (uint32_t k = 0; k < series->program_count && fits; k++) {
            uint32_t own[SERIES_DIMENSIONS];
            fits =
                grid_set_extents(rule, ranks[k], own) && memcmp(own, extents[k], sizeof own) == 0;
        }
        if (fits && found++ == n) return true;
    }
    return false;
}

uint32_t series_recorded_extents(const struct series *series,
                                 const struct program_topology *const *topologies,
                                 uint32_t (*extents)[SERIES_DIMENSIONS], uint32_t *places) {
    const uint32_t all = (uint32_t)(topologies[0]->count / 2);
    uint32_t count = 0;
    for (uint32_t k = 0; k < series->program_count; k++)
        for (uint32_t d = 0; d < SERIES_DIMENSIONS; d++)
            extents[k][d] = 1;
    for (uint32_t d = all; d-- > 0;) {
        bool is_one = true;
        for (uint32_t k = 0; k < series->program_count; k++) {
            const uint32_t own = series_topology_numbers(series, k, topologies[k])[2 * (size_t)d];
            if (count < SERIES_DIMENSIONS) extents[k][count] = own;
            is_one = is_one && own == 1;
        }
        if (is_one) continue;
        if (count == SERIES_DIMENSIONS) return SERIES_DIMENSIONS + 1;
        if (places != NULL) places[count] = d;
        count++;
    }
    for (uint32_t k = 0; k < series->program_count && count < SERIES_DIMENSIONS; k++)
        extents[k][count] = 1;
    return count;
}

/* Returns number n, from 0, of the Cartesian topologies of all ranks of a program that consist of
 * `numbers` numbers (two for each dimension); NULL: there are fewer. */
static const struct program_topology *find_topology(const struct program *program, uint64_t numbers,
                                                    uint32_t n) {
    for (uint32_t i = 0; i < program->topology_count; i++) {
        const struct program_topology *topology = &program->topologies[i];
        if (topology->kind == PROGRAM_TOPOLOGY_CARTESIAN && topology->count == numbers &&
            series_is_world(program, &program->communicators[topology->communicator]) && n-- == 0)
            return topology;
    }
    return NULL;
}

/* Adds the grids of a topology: topologies[k] is that of program k. own: its number in the largest
 * program. */
static void add_topology(struct series *series, const struct program_topology *const *topologies,
                         uint32_t own) {
    uint32_t ranks[SERIES_PROGRAMS], extents[SERIES_PROGRAMS][SERIES_DIMENSIONS];
    struct series_grid_rule rule;
    uint32_t n = 0;
    const uint32_t dimensions = series_recorded_extents(series, topologies, extents, NULL);
    if (dimensions < 2 || dimensions > SERIES_DIMENSIONS) return;
    for (uint32_t k = 0; k < series->program_count; k++)
        ranks[k] = series->programs[k].program->rank_count;
    while (series_recorded_rule(series, ranks, extents, dimensions, n, &rule)) {
        series_grid_add(series, &rule, NULL);
        n++;
    }
    if (n > 0) return;
    const struct series_grid_rule alone = {
        .dimensions = dimensions, .kind = SERIES_GRID_RECORDED, .is_recorded = true};
    const uint32_t count = series->grids.count;
    series_grid_add(series, &alone, extents);
    if (series->grids.count == count && series->grids.without_rule == 0)
        series->grids.without_rule = own + 1;
}

void series_recorded_grids_add(struct series *series) {
    const struct program *largest = series->programs[series->program_count - 1].program;
    for (uint32_t i = 0; i < largest->topology_count; i++) {
        const struct program_topology *own = &largest->topologies[i];
        const struct program_topology *topologies[SERIES_PROGRAMS];
        uint32_t n = 0;
        bool all = true;
        while (find_topology(largest, own->count, n) != own && all) {
            all = find_topology(largest, own->count, n) != NULL;
            n++;
        }
        for (uint32_t k = 0; k < series->program_count && all; k++) {
            topologies[k] = find_topology(series->programs[k].program, own->count, n);
            all = topologies[k] != NULL;
        }
        if (all && own->kind == PROGRAM_TOPOLOGY_CARTESIAN) add_topology(series, topologies, i);
    }
}

void series_recorded_grids_refuse(const struct series *series, struct status *status) {
    const struct program *largest = series->programs[series->program_count - 1].program;
    char sizes[PROGRAM_TOPOLOGY_TEXT];
    if (series->grids.without_rule == 0) return;
    program_topology_write_sizes(largest, &largest->topologies[series->grids.without_rule - 1],
                                 sizes);
    status_append(status,
                  "the recorded Cartesian topologies, %s on %u ranks, follow no rule; "
                  "extrapolate.grid says that of %u ranks, the last dimension first",
                  sizes, largest->rank_count, series->target_ranks);
}

const struct program_topology *series_topology_of(const struct program *program,
                                                  uint32_t communicator) {
    uint32_t low = 0, high = program->topology_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (program->topologies[middle].communicator < communicator)
            low = middle + 1;
        else
            high = middle;
    }
    const bool found =
        low < program->topology_count && program->topologies[low].communicator == communicator;
    return found ? &program->topologies[low] : NULL;
}

bool series_family_is_cartesian(const struct series *series, uint32_t family) {
    const struct series_program *largest = &series->programs[series->program_count - 1];
    for (uint32_t c = 0; c < largest->program->communicator_count; c++) {
        const struct program_topology *own = series_topology_of(largest->program, c);
        if (largest->families[c] == family && own != NULL)
            return own->kind == PROGRAM_TOPOLOGY_CARTESIAN;
    }
    return false;
}
