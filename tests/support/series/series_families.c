/* Makes the programs of families, and lists all families. */
#include "tests/support/series/series_family_rank.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { COLORS_MAX = 4096 };

static const struct series_family_pattern *const tables[] = {
    series_families_of_grids,  series_families_of_trees,    series_families_of_groups,
    series_families_of_others, series_families_of_rounds,   series_families_of_applications,
    series_families_of_tests,  series_families_of_halos,    series_families_of_call_sets,
    series_families_of_levels, series_families_of_rotation,
};

const struct series_family_pattern *series_family_at(size_t number) {
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (const struct series_family_pattern *row = tables[t]; row->name != NULL; row++)
            if (number-- == 0) return row;
    return NULL;
}

const struct series_family_pattern *series_family_named(const char *name) {
    const struct series_family_pattern *family;
    for (size_t i = 0; (family = series_family_at(i)) != NULL; i++)
        if (strcmp(family->name, name) == 0) return family;
    fail_msg("no family %s", name);
    return NULL;
}

/* Makes the communicators of one coloring; groups[r]: that of a rank. */
static void make_groups(struct program_builder *builder, const struct series_family_pattern *family,
                        uint32_t number, uint32_t ranks, uint32_t *groups, struct status *status) {
    uint32_t *members = calloc(ranks, sizeof *members), left = ranks;
    for (uint32_t color = 0; left > 0 && color < COLORS_MAX; color++) {
        uint32_t count = 0, index = 0;
        for (uint32_t r = 0; r < ranks; r++)
            if (family->color(r, ranks, number) == color) members[count++] = r;
        if (count == 0) continue;
        builder_define_communicator(builder, number == 0 ? "rows" : "columns", members, count,
                                    &index, status);
        for (uint32_t i = 0; i < count; i++)
            groups[members[i]] = index;
        left -= count;
    }
    free(members);
}

struct program *series_family_make(const struct series_family_pattern *family, uint32_t ranks) {
    struct status status = STATUS_INIT;
    struct program_builder *builder = builder_new(ranks, &status);
    struct family_rank at = {.builder = builder,
                             .send = builder_define_region(builder, "MPI_Send", true),
                             .receive = builder_define_region(builder, "MPI_Recv", true),
                             .exchange = builder_define_region(builder, "MPI_Sendrecv", true),
                             .collective = builder_define_region(builder, "MPI_Allreduce", true),
                             .status = &status};
    if (family->has_requests) {
        at.post = builder_define_region(builder, "MPI_Isend", true);
        at.test = builder_define_region(builder, "MPI_Testall", true);
        at.wait = builder_define_region(builder, "MPI_Waitall", true);
    }
    uint32_t *members = calloc(ranks, sizeof *members);
    uint32_t *groups = calloc(ranks, FAMILY_COLORINGS * sizeof *groups);
    for (uint32_t i = 0; i < ranks; i++)
        members[i] = i;
    builder_define_communicator(builder, "world", members, ranks, &at.world, &status);
    for (uint32_t i = 0; i < family->colorings; i++)
        make_groups(builder, family, i, ranks, groups + (size_t)i * ranks, &status);
    for (uint32_t r = 0; r < ranks; r++) {
        at.rank = r;
        at.now_ps = 0;
        at.tag = 0;
        for (uint32_t i = 0; i < family->colorings; i++)
            at.groups[i] = groups[(size_t)i * ranks + r];
        family->steps(&at, r, ranks);
    }
    struct program *program = NULL;
    if (status.code != STATUS_OK || builder_seal(builder, 1, &program, &status) != STATUS_OK)
        fail_msg("%s of %u ranks: %s", family->name, ranks, status.text);
    if (program->unmatched_sends + program->unmatched_receives > 0)
        fail_msg("%s of %u ranks has messages without a partner", family->name, ranks);
    builder_free(builder);
    free(groups);
    free(members);
    return program;
}
