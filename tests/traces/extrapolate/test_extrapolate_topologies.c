/*
 * Extrapolation of programs with recorded process topologies: Cartesian dimensions as process
 * grids, and the topologies of the new program.
 */
#include "tests/support/series/series_family_rank.h"
#include "tests/support/series/series_run.h"
#include "traces/program/program_topology.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { DIMENSIONS = 3 };

/* The dimensions on a number of ranks, as in MPI_Cart_create: the last one varies fastest. */
struct shape {
    uint32_t ranks, sizes[DIMENSIONS];
};

/* What the programs of a test are. */
static struct {
    const struct shape *shapes;
    uint32_t dimensions;
    const char *creator;
    void (*steps)(struct family_rank *at, const uint32_t *sizes);
    bool is_recorded;  /* the communicator has its topology */
    bool has_lines;    /* there is a communicator for each line, in the order of recordings */
    bool has_graph;    /* of the neighbours */
    bool is_random;    /* rank 1 of the graph has an edge to itself by chance */
    uint32_t periodic; /* set of dimensions */
    uint32_t unlike;   /* on so many ranks, no dimension of the topology is periodic */
} made;

/* Returns the rank that is so many steps off along a dimension; FAMILY_NOBODY: it is beyond. */
static int64_t neighbour(uint32_t rank, const uint32_t *sizes, uint32_t dimension, int32_t step) {
    uint32_t stride = 1;
    for (uint32_t d = made.dimensions; d-- > dimension + 1;)
        stride *= sizes[d];
    const int32_t size = (int32_t)sizes[dimension];
    const int32_t own = (int32_t)(rank / stride % sizes[dimension]), other = own + step;
    if ((made.periodic >> dimension & 1) == 0 && (other < 0 || other >= size)) return FAMILY_NOBODY;
    return (int64_t)rank + ((other + size) % size - own) * (int64_t)stride;
}

/* Exchanges messages with both neighbours along each dimension. */
static void halo(struct family_rank *at, const uint32_t *sizes) {
    for (uint32_t d = 0; d < made.dimensions; d++) {
        const int64_t below = neighbour(at->rank, sizes, d, -1);
        const int64_t above = neighbour(at->rank, sizes, d, 1);
        at->tag = (int32_t)d;
        exchange(at, above, below, 100 + d);
        exchange(at, below, above, 200 + d);
    }
}

/* The same after an exchange in the planes of the first dimension, with other tags. */
static void planes(struct family_rank *at, const uint32_t *sizes) {
    for (uint32_t d = 1; d < made.dimensions; d++) {
        const int64_t below = neighbour(at->rank, sizes, d, -1);
        const int64_t above = neighbour(at->rank, sizes, d, 1);
        at->tag = (int32_t)(10 + d);
        exchange(at, above, below, 300);
        exchange(at, below, above, 300);
    }
    for (uint32_t d = 0; d < made.dimensions; d++) {
        const int64_t below = neighbour(at->rank, sizes, d, -1);
        const int64_t above = neighbour(at->rank, sizes, d, 1);
        at->tag = (int32_t)d;
        exchange(at, above, below, 100);
        exchange(at, below, above, 100);
    }
}

static void add_up(struct family_rank *at, const uint32_t *sizes) {
    (void)sizes;
    sum(at);
}

/* Adds up along the lines of each dimension. */
static void add_up_lines(struct family_rank *at, const uint32_t *sizes) {
    (void)sizes;
    for (uint32_t d = 0; d < 2; d++)
        collective(at, PROGRAM_COLLECTIVE_ALLREDUCE, at->groups[d], PROGRAM_NONE, 8 + 8 * d);
}

/* Exchanges messages in a ring of half of the ranks, which is not that of the topology. */
static void halves(struct family_rank *at, const uint32_t *sizes) {
    const uint32_t n = sizes[0] * sizes[1] / 2, line = at->rank / n * n, place = at->rank % n;
    exchange(at, line + (place + 1) % n, line + (place + n - 1) % n, 64);
    exchange(at, n - line + place, n - line + place, 32);
}

/* Exchanges messages in levels of every rank, every second one, and so on. */
static void levels(struct family_rank *at, const uint32_t *sizes) {
    for (uint32_t step = 1; step < sizes[0] && at->rank % step == 0; step *= 2) {
        const uint32_t up = (at->rank + step) % sizes[0];
        const uint32_t down = (at->rank + sizes[0] - step) % sizes[0];
        exchange(at, up, down, 4096 / step);
        exchange(at, down, up, 4096 / step);
    }
}

static const uint32_t *sizes_of(uint32_t ranks) {
    const struct shape *shape = made.shapes;
    while (shape->ranks != ranks)
        shape++;
    return shape->sizes;
}

/* Defines the lines along both dimensions of a plane: rank 0's, then those of rank 1, and so on. */
static void define_lines(struct family_rank *at, const uint32_t *sizes, uint32_t *lines[2]) {
    uint32_t members[64];
    for (uint32_t r = 0; r < sizes[0] * sizes[1]; r++)
        for (uint32_t d = 0; d < 2; d++) {
            const uint32_t column = r % sizes[1], row = r / sizes[1], place = d == 0 ? column : row;
            const uint32_t numbers[] = {sizes[d], made.periodic >> d & 1};
            if ((d == 0 ? row : column) > 0) continue;
            for (uint32_t i = 0; i < sizes[d]; i++)
                members[i] = d == 0 ? i * sizes[1] + column : row * sizes[1] + i;
            builder_define_communicator(at->builder, "line", members, sizes[d], &lines[d][place],
                                        at->status);
            builder_define_topology(at->builder, lines[d][place], PROGRAM_TOPOLOGY_CARTESIAN,
                                    numbers, 2, at->status);
        }
}

/* Defines the graph of the neighbours of all ranks. */
static void define_graph(struct family_rank *at, const uint32_t *sizes, const uint32_t *members,
                         uint32_t ranks) {
    uint32_t *numbers = calloc((2 + 4 * (size_t)DIMENSIONS) * ranks + 2, sizeof *numbers);
    uint32_t count = 0, graph = 0;
    for (uint32_t r = 0; r < ranks; r++) {
        uint32_t *own = &numbers[count];
        uint32_t neighbours[2 * DIMENSIONS + 1], edges = 0;
        for (uint32_t d = 0; d < made.dimensions; d++)
            for (int32_t step = -1; step < 2; step += 2)
                if (neighbour(r, sizes, d, step) != FAMILY_NOBODY)
                    neighbours[edges++] = (uint32_t)neighbour(r, sizes, d, step);
        if (made.is_random && r == ranks * 7 % 11 % ranks) neighbours[edges++] = r;
        own[0] = own[1] = edges;
        for (uint32_t i = 0; i < edges; i++)
            own[2 + i] = own[2 + edges + i] = neighbours[i];
        count += 2 + 2 * edges;
    }
    builder_define_communicator(at->builder, "graph", members, ranks, &graph, at->status);
    builder_define_topology(at->builder, graph, PROGRAM_TOPOLOGY_GRAPH, numbers, count, at->status);
    free(numbers);
}

static struct program *make(uint32_t ranks) {
    struct status status = STATUS_INIT;
    struct family_rank at = {.builder = builder_new(ranks, &status), .status = &status};
    const uint32_t *sizes = sizes_of(ranks);
    uint32_t *members = calloc(ranks, sizeof *members), numbers[2 * DIMENSIONS];
    uint32_t *lines[2] = {calloc(ranks, sizeof *members), calloc(ranks, sizeof *members)};
    for (uint32_t i = 0; i < ranks; i++)
        members[i] = i;
    for (uint32_t d = 0; d < made.dimensions; d++) {
        numbers[2 * d] = sizes[d];
        numbers[2 * d + 1] = ranks != made.unlike && (made.periodic >> d & 1);
    }
    builder_define_communicator(at.builder, "grid", members, ranks, &at.world, &status);
    if (made.is_recorded)
        builder_define_topology(at.builder, at.world, PROGRAM_TOPOLOGY_CARTESIAN, numbers,
                                2 * made.dimensions, &status);
    if (made.has_lines) define_lines(&at, sizes, lines);
    if (made.has_graph) define_graph(&at, sizes, members, ranks);
    at.exchange = builder_define_region(at.builder, "MPI_Sendrecv", true);
    at.collective = builder_define_region(at.builder, "MPI_Allreduce", true);
    for (at.rank = 0; at.rank < ranks; at.rank++) {
        at.now_ps = 0;
        at.groups[0] = lines[0][made.dimensions > 1 ? at.rank % sizes[1] : 0];
        at.groups[1] = lines[1][made.dimensions > 1 ? at.rank / sizes[1] : 0];
        for (uint32_t i = 0; i < 3; i++)
            made.steps(&at, sizes);
    }
    builder_set_source(at.builder, "test", made.creator != NULL ? made.creator : "", 0, ranks, 0);
    for (uint32_t d = 0; d < 2; d++)
        free(lines[d]);
    free(members);
    if (status.code != STATUS_OK) fail_msg("%s", status.text);
    return series_run_seal(at.builder);
}

/* Extrapolates programs with these dimensions. The last one is that of the new program. */
static status_code extrapolate(struct series_run *run, const struct shape *shapes,
                               uint32_t dimensions) {
    uint32_t ranks[SERIES_RUN_MAX + 1] = {0};
    made.shapes = shapes;
    made.dimensions = dimensions;
    for (uint32_t i = 0; shapes[i].ranks > 0; i++)
        ranks[i] = shapes[i].ranks;
    return series_run_made(run, make, ranks);
}

/* The same, and expects the program of the application. */
static void expect_made(struct series_run *run, const struct shape *shapes, uint32_t dimensions) {
    if (extrapolate(run, shapes, dimensions) != STATUS_OK) fail_msg("%s", run->status.text);
    series_run_equal(run, make(run->config.ranks));
}

/* Returns the next message of a rank from a place on; NULL: there is none. */
static const struct program_operation *next_message(const struct program *program, uint32_t rank,
                                                    uint64_t *place) {
    while (*place < program->ranks[rank].count) {
        const struct program_operation *operation =
            PROGRAM_OPERATION_AT(program, rank, program->ranks[rank].first + (*place)++);
        if (operation->kind == OPERATION_SEND || operation->kind == OPERATION_RECEIVE)
            return operation;
    }
    return NULL;
}

/* Expects the messages of the application on all ranks. Times of calls may be others. */
static void expect_messages(const struct series_run *run) {
    struct program *real = make(run->config.ranks);
    for (uint32_t r = 0; r < real->rank_count; r++)
        for (uint64_t i = 0, k = 0;;) {
            const struct program_operation *own = next_message(run->made, r, &i);
            const struct program_operation *other = next_message(real, r, &k);
            assert_int_equal(own == NULL, other == NULL);
            if (own == NULL) break;
            assert_int_equal(own->kind, other->kind);
            assert_int_equal(own->message.peer, other->message.peer);
            assert_int_equal(own->bytes, other->bytes);
        }
    program_free(real);
}

/* Returns whether the report has a finding of this subject with these texts. */
static bool reports(const struct series_run *run, const char *subject, const char *law,
                    const char *fit, bool is_uncertain) {
    for (size_t i = 0; i < run->report.finding_count; i++) {
        const struct extrapolate_finding *finding = &run->report.findings[i];
        if (strcmp(finding->subject, subject) == 0 && strstr(finding->law, law) != NULL &&
            strstr(finding->fit, fit) != NULL && finding->uncertain == is_uncertain)
            return true;
    }
    return false;
}

static int set_up(void **state) {
    (void)state;
    memset(&made, 0, sizeof made);
    made.steps = halo;
    made.is_recorded = true;
    return 0;
}

/* Lines of 4, 8 and 16 ranks along two dimensions are lines of several grids. */
static void recorded_dimensions_choose_a_grid(void **state) {
    (void)state;
    static const struct shape shapes[] = {
        {8, {2, 4}}, {16, {2, 8}}, {32, {2, 16}}, {48, {2, 24}}, {0, {0}}};
    struct series_run run;
    made.steps = add_up_lines;
    made.has_lines = true;
    made.periodic = 1;
    expect_made(&run, shapes, 2);
    assert_true(reports(&run, "topology", "2x24, periodic in 0", "exact", false));
    assert_true(reports(&run, "communicator", "lines along dimension 1", "exact", false));
    series_run_free(&run);
}

/* 18 ranks are no extent of 2 to 16, as grids without topologies have. */
static void a_constant_extent_may_be_large(void **state) {
    (void)state;
    static const struct shape shapes[] = {
        {36, {2, 18}}, {54, {3, 18}}, {90, {5, 18}}, {126, {7, 18}}, {0, {0}}};
    struct series_run run;
    expect_made(&run, shapes, 2);
    assert_true(reports(&run, "grid", "of a Cartesian topology, extent 1 is 18", "", false));
    series_run_free(&run);
    made.is_recorded = false;
    assert_int_equal(extrapolate(&run, shapes, 2), STATUS_INPUT);
    series_run_free(&run);
}

/* The sides of a box of 5 x 2 cells, which is no long box of the list. */
static void dimensions_follow_proportions(void **state) {
    (void)state;
    static const struct shape shapes[] = {
        {10, {2, 5}}, {40, {4, 10}}, {90, {6, 15}}, {160, {8, 20}}, {0, {0}}};
    struct series_run run;
    made.periodic = 3;
    expect_made(&run, shapes, 2);
    series_run_free(&run);
}

/* MPI_Dims_create of both libraries differs on 72 ranks, and on 432. */
static void each_library_has_its_dimensions(void **state) {
    (void)state;
    static const struct shape open_mpi[] = {
        {8, {4, 2}}, {18, {6, 3}}, {24, {6, 4}}, {72, {12, 6}}, {0, {0}}};
    static const struct shape mpich[] = {
        {8, {4, 2}}, {18, {6, 3}}, {24, {6, 4}}, {72, {9, 8}}, {0, {0}}};
    static const struct shape boxes[] = {{24, {4, 3, 2}},  {36, {4, 3, 3}},  {48, {4, 4, 3}},
                                         {68, {17, 2, 2}}, {432, {9, 8, 6}}, {0, {0}}};
    static const struct shape large[] = {{24, {4, 3, 2}},  {36, {4, 3, 3}},   {48, {4, 4, 3}},
                                         {68, {17, 2, 2}}, {432, {12, 6, 6}}, {0, {0}}};
    const struct {
        const struct shape *shapes;
        uint32_t dimensions;
        const char *creator, *other;
    } rows[] = {{open_mpi, 2, "anax record, Open MPI v4.1.4", "8 x 9"},
                {mpich, 2, "anax record, MPICH 4.0.2", "6 x 12"},
                {large, 3, "anax record, Open MPI v4.1.4", "6 x 8 x 9"},
                {boxes, 3, "anax record, MPICH 4.0.2", "6 x 6 x 12"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct series_run run;
        char law[128];
        made.creator = rows[i].creator;
        made.periodic = 7;
        expect_made(&run, rows[i].shapes, rows[i].dimensions);
        snprintf(law, sizeof law, "%s fits the series as well; choose with --grid", rows[i].other);
        assert_true(reports(&run, "grid", law, "", true));
        series_run_free(&run);
    }
}

/* MPI_Dims_create gives the dimensions of all programs, and so does the rule that one of them is 2.
 * The first decides about all partners: those along this dimension are one rank in the series, and
 * two in the new program, also with --grid, and in call sets and coarse levels. A larger program
 * shows which is which, and so does a role by symmetry. */
static void the_first_rule_decides_about_partners(void **state) {
    (void)state;
    static const struct shape shapes[] = {
        {4, {2, 2, 1}}, {8, {2, 2, 2}}, {16, {4, 2, 2}}, {32, {4, 4, 2}}, {0, {0}}};
    static const struct shape more[] = {{16, {4, 2, 2}}, {32, {4, 4, 2}},  {36, {4, 3, 3}},
                                        {64, {4, 4, 4}}, {128, {8, 4, 4}}, {0, {0}}};
    static const struct shape eights[] = {
        {8, {2, 2, 2}}, {16, {4, 2, 2}}, {32, {4, 4, 2}}, {64, {4, 4, 4}}, {0, {0}}};
    static const struct shape doubled[] = {
        {8, {2, 2, 2}}, {12, {3, 2, 2}}, {16, {4, 2, 2}}, {24, {4, 3, 2}}, {0, {0}}};
    struct series_run run;
    const char *const text = "several rules fit the partner (13 on rank 15 of 16 ranks): one rank "
                             "up or one rank down along dimension 2 of the grid 2 x 4 x 4, which "
                             "has at most 2 ranks there in all programs; add a program with more "
                             "ranks along it";
    made.steps = planes;
    made.periodic = 7;
    extrapolate(&run, shapes, 3);
    series_run_refused(&run, STATUS_INPUT, text);
    extrapolate(&run, shapes, 3);
    status_clear(&run.status);
    extrapolate_report_free(&run.report);
    memcpy(run.config.grid, (uint32_t[4]){2, 4, 4, 0}, sizeof run.config.grid);
    series_run_extrapolate(&run);
    series_run_refused(&run, STATUS_INPUT, text);
    expect_made(&run, more, 3);
    series_run_free(&run);
    extrapolate(&run, eights, 3);
    series_run_refused(&run, STATUS_INPUT, "one rank up or one rank down along dimension 1 of");
    extrapolate(&run, doubled, 3);
    series_run_refused(&run, STATUS_INPUT, "the partner may be one rank up or one rank down along");
    made.steps = halo;
    if (extrapolate(&run, doubled, 3) != STATUS_OK) fail_msg("%s", run.status.text);
    expect_messages(&run);
    series_run_free(&run);
}

/* If two dimensions vary, even dimensions in any order come before a given one. If one varies, the
 * others are given. The report names the other rule. */
static void even_dimensions_come_first_if_two_vary(void **state) {
    (void)state;
    static const struct shape cubes[] = {
        {8, {2, 2, 2}}, {16, {2, 2, 4}}, {32, {2, 4, 4}}, {64, {4, 4, 4}}, {0, {0}}};
    static const struct shape smaller[] = {
        {16, {2, 2, 4}}, {32, {2, 4, 4}}, {64, {4, 4, 4}}, {8, {2, 2, 2}}, {0, {0}}};
    static const struct shape pairs[] = {
        {6, {2, 3}}, {8, {2, 4}}, {10, {2, 5}}, {12, {2, 6}}, {0, {0}}};
    const struct {
        const struct shape *shapes;
        uint32_t dimensions;
        const char *other;
    } rows[] = {{cubes, 3, "8 x 4 x 2"}, {smaller, 3, "4 x 2 x 1"}, {pairs, 2, "4 x 3"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct series_run run;
        char law[128];
        made.periodic = 7;
        if (extrapolate(&run, rows[i].shapes, rows[i].dimensions) != STATUS_OK)
            fail_msg("%s", run.status.text);
        expect_messages(&run);
        snprintf(law, sizeof law, "%s fits the series as well; choose with --grid", rows[i].other);
        assert_true(reports(&run, "grid", law, "", true));
        series_run_free(&run);
    }
}

/* The smallest and the largest dimension come first by turns: --grid tells. */
static void dimensions_without_a_rule_need_the_grid(void **state) {
    (void)state;
    static const struct shape shapes[] = {{12, {3, 4}}, {16, {2, 8}}, {20, {5, 4}},
                                          {24, {4, 6}}, {36, {9, 4}}, {0, {0}}};
    struct series_run run;
    extrapolate(&run, shapes, 2);
    series_run_refused(&run, STATUS_INPUT,
                       "the recorded Cartesian topologies, 4x6 on 24 ranks, follow no rule; "
                       "extrapolate.grid says that of 36 ranks");
    extrapolate(&run, shapes, 2);
    status_clear(&run.status);
    extrapolate_report_free(&run.report);
    memcpy(run.config.grid, (uint32_t[4]){4, 9, 0, 0}, sizeof run.config.grid);
    series_run_extrapolate(&run);
    series_run_equal(&run, make(36));
    series_run_free(&run);
}

/* Messages that follow another grid than the dimensions. */
static void messages_win(void **state) {
    (void)state;
    static const struct shape shapes[] = {
        {12, {4, 3}}, {20, {5, 4}}, {24, {6, 4}}, {36, {6, 6}}, {0, {0}}};
    struct series_run run;
    made.steps = halves;
    made.creator = "anax record, MPICH 4.0.2";
    expect_made(&run, shapes, 2);
    assert_true(
        reports(&run, "topology", "6x6", "exact, but what ranks do follows the grid 18 x 2", true));
    series_run_free(&run);
}

/* Nothing follows the grid, so that the topology alone names the other order. */
static void squares_do_not_show_the_order(void **state) {
    (void)state;
    static const struct shape shapes[] = {
        {4, {2, 2}}, {9, {3, 3}}, {16, {4, 4}}, {12, {4, 3}}, {0, {0}}};
    struct series_run run;
    made.steps = add_up;
    expect_made(&run, shapes, 2);
    assert_true(
        reports(&run, "topology", "4x3", "but the grid 4 x 3 fits the series as well", true));
    series_run_free(&run);
}

static void topologies_without_a_rule_are_left_out(void **state) {
    (void)state;
    static const struct shape shapes[] = {
        {6, {3, 2}}, {9, {3, 3}}, {12, {4, 3}}, {15, {5, 3}}, {0, {0}}};
    struct series_run run;
    made.steps = add_up;
    made.periodic = 2;
    made.unlike = 9;
    assert_int_equal(extrapolate(&run, shapes, 2), STATUS_OK);
    assert_int_equal(run.made->topology_count, 0);
    assert_true(
        reports(&run, "topology", "none: the programs have other periods", "left out", true));
    series_run_free(&run);
}

/* A dimension with one rank in all programs is kept. */
static void dimensions_of_one_rank_stay(void **state) {
    (void)state;
    static const struct shape shapes[] = {
        {6, {3, 1, 2}}, {9, {3, 1, 3}}, {12, {4, 1, 3}}, {20, {5, 1, 4}}, {0, {0}}};
    struct series_run run;
    made.periodic = 3;
    expect_made(&run, shapes, 3);
    assert_true(reports(&run, "topology", "5x1x4, periodic in 0,1", "exact", false));
    series_run_free(&run);
}

static void graphs_of_neighbours_are_made(void **state) {
    (void)state;
    static const struct shape shapes[] = {{6, {3, 2}},  {9, {3, 3}},  {12, {4, 3}},
                                          {16, {4, 4}}, {30, {6, 5}}, {0, {0}}};
    struct series_run run;
    made.has_graph = true;
    for (made.periodic = 0; made.periodic < 4; made.periodic++) {
        expect_made(&run, shapes, 2);
        assert_int_equal(run.made->topology_count, 2);
        series_run_free(&run);
    }
    made.is_random = true;
    made.periodic = 0;
    assert_int_equal(extrapolate(&run, shapes, 2), STATUS_OK);
    assert_int_equal(run.made->topology_count, 1);
    assert_true(reports(&run, "topology", "none: the neighbours of its graph follow no rule",
                        "left out", true));
    series_run_free(&run);
}

/* Both neighbours along a periodic dimension of 3 ranks also follow from two iterations: one rank
 * up, and two. Roles inside the first dimension are in few programs and take laws of others. */
static void neighbours_of_rare_roles_are_neighbours(void **state) {
    (void)state;
    static const struct shape shapes[] = {{8, {2, 2, 2}},  {12, {3, 2, 2}}, {18, {3, 3, 2}},
                                          {27, {3, 3, 3}}, {36, {4, 3, 3}}, {0, {0}}};
    struct series_run run;
    made.steps = planes;
    made.periodic = 5;
    if (extrapolate(&run, shapes, 3) != STATUS_OK) fail_msg("%s", run.status.text);
    expect_messages(&run);
    series_run_free(&run);
}

/* Coarse levels are a part of their own; the rest has the topology. */
static void divided_series_keep_topologies(void **state) {
    (void)state;
    static const struct shape shapes[] = {{4, {4}},   {8, {8}},   {16, {16}},
                                          {32, {32}}, {64, {64}}, {0, {0}}};
    struct series_run run;
    made.steps = levels;
    made.periodic = 1;
    expect_made(&run, shapes, 1);
    assert_int_equal(run.made->topology_count, 1);
    series_run_free(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(recorded_dimensions_choose_a_grid, set_up),
        cmocka_unit_test_setup(a_constant_extent_may_be_large, set_up),
        cmocka_unit_test_setup(dimensions_follow_proportions, set_up),
        cmocka_unit_test_setup(each_library_has_its_dimensions, set_up),
        cmocka_unit_test_setup(the_first_rule_decides_about_partners, set_up),
        cmocka_unit_test_setup(even_dimensions_come_first_if_two_vary, set_up),
        cmocka_unit_test_setup(dimensions_without_a_rule_need_the_grid, set_up),
        cmocka_unit_test_setup(messages_win, set_up),
        cmocka_unit_test_setup(squares_do_not_show_the_order, set_up),
        cmocka_unit_test_setup(topologies_without_a_rule_are_left_out, set_up),
        cmocka_unit_test_setup(dimensions_of_one_rank_stay, set_up),
        cmocka_unit_test_setup(graphs_of_neighbours_are_made, set_up),
        cmocka_unit_test_setup(neighbours_of_rare_roles_are_neighbours, set_up),
        cmocka_unit_test_setup(divided_series_keep_topologies, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
