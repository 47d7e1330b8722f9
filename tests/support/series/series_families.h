/*
 * Families of programs as applications have them, for any number of ranks: grids, trees,
 * butterflies, rings, levels, and rules that hold for some sizes only.
 */
#ifndef ANAX_TESTS_SERIES_FAMILIES_H
#define ANAX_TESTS_SERIES_FAMILIES_H

#include "traces/program/program.h"

/* What a rank is to do next, in the words of MPI. */
struct family_rank;
typedef void family_steps(struct family_rank *at, uint32_t rank, uint32_t ranks);

struct series_family_pattern {
    const char *name;
    family_steps *steps;
    /* Divides the ranks into communicators; 0: there are none. */
    uint32_t (*color)(uint32_t rank, uint32_t ranks, uint32_t number);
    uint32_t colorings;
    bool has_requests; /* its ranks post requests, test them and wait for them */
};

/* Families by subject. The last row of each table has no name. */
extern const struct series_family_pattern series_families_of_grids[], series_families_of_trees[],
    series_families_of_groups[], series_families_of_others[], series_families_of_rounds[],
    series_families_of_applications[], series_families_of_tests[], series_families_of_halos[],
    series_families_of_call_sets[], series_families_of_levels[], series_families_of_rotation[];

/* Returns a family of all tables; NULL after the last one. */
const struct series_family_pattern *series_family_at(size_t number);
/* The test fails if no family has the name. */
const struct series_family_pattern *series_family_named(const char *name);

/* Makes the program of a family. The test fails if it has messages without a partner. */
struct program *series_family_make(const struct series_family_pattern *family, uint32_t ranks);

#endif
