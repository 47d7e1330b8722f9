/*
 * Extrapolation of series that are divided, or whose ranks are numbered anew: multigrids with
 * coarse levels that some ranks leave out, and roles that move on by one rank in each iteration.
 */
#include "tests/support/series/series_families.h"
#include "tests/support/series/series_run.h"
#include "traces/traces.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const uint32_t eights[] = {8, 16, 32, 64, 0}, powers[] = {16, 32, 64, 128, 0};
static const uint32_t to_128[] = {8, 16, 32, 64, 128, 0}, to_64[] = {4, 8, 16, 32, 64, 0};
static const uint32_t to_1024[] = {8, 16, 32, 64, 1024, 0};
static const uint32_t to_32[] = {4, 8, 16, 32, 0}, areas[] = {9, 16, 25, 36, 100, 0};
static const uint32_t few_areas[] = {9, 16, 25, 36, 0}, small_areas[] = {4, 9, 16, 36, 0};

struct row {
    const char *name;
    const uint32_t *ranks;
    const char *text; /* of the report, or the error */
};

static void run_row(struct series_run *run, const struct row *row) {
    const struct series_family_pattern *family = series_family_named(row->name);
    *run = (struct series_run){.config = {.seed = 1, .threads = 1}};
    for (; row->ranks[run->count + 1] > 0; run->count++)
        run->programs[run->count] = series_family_make(family, row->ranks[run->count]);
    run->config.ranks = row->ranks[run->count];
    series_run_extrapolate(run);
}

/* Returns whether the report has a finding with this law. */
static bool has_law(const struct series_run *run, const char *text) {
    for (size_t i = 0; i < run->report.finding_count; i++)
        if (strstr(run->report.findings[i].law, text) != NULL) return true;
    return false;
}

/* These are the programs of their families, by the hash, and the report says how. */
static void parts_are_exact(void **state) {
    (void)state;
    static const char smaller[] = "those of a smaller program";
    static const char moves[] = "move on by one rank in each iteration";
    static const struct row rows[] = {
        {"levels_of_line", eights, smaller},
        {"levels_of_line", to_64, smaller},
        {"levels_of_ring", eights, smaller},
        {"levels_of_ring", to_32, "every second rank along each dimension of 32"},
        {"levels_gathered", powers, smaller},
        {"levels_gathered", to_128, smaller},
        {"panel_rings", areas, moves},
        {"panel_rings", to_128, moves},
        {"panel_owners", eights, moves},
        {"panel_owners", areas, moves},
        {"panel_blocks", eights, moves},
        {"panel_blocks", areas,
         "512 + 512 x iterations of the coordinate from this one on (dimension 1 of 10 x 10)"},
        {"panel_blocks", to_128, moves},
        {"product_rings", areas, moves},
        {"product_rings", few_areas, "two, whose calls follow each other in 6 to 10 runs"},
        {"product_rings", small_areas, moves},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct series_run run;
        run_row(&run, &rows[i]);
        if (run.status.code != STATUS_OK)
            fail_msg("%s from %u: %s", rows[i].name, rows[i].ranks[0], run.status.text);
        if (program_check_file(run.made, &run.status) != STATUS_OK)
            fail_msg("%s from %u: %s", rows[i].name, rows[i].ranks[0], run.status.text);
        struct program *real =
            series_family_make(series_family_named(rows[i].name), run.config.ranks);
        if (real->content_hash != run.made->content_hash)
            fail_msg("%s from %u: another program", rows[i].name, rows[i].ranks[0]);
        if (!has_law(&run, rows[i].text))
            fail_msg("%s from %u: no \"%s\"", rows[i].name, rows[i].ranks[0], rows[i].text);
        program_free(real);
        series_run_free(&run);
    }
}

/* The messages of each rank are those of the family, and all computation. */
static void compare_messages(const struct row *row, const struct series_run *run) {
    const uint32_t ranks = run->config.ranks;
    struct program *real = series_family_make(series_family_named(row->name), ranks);
    int64_t own_ps = 0, real_ps = 0;
    for (uint32_t r = 0; r < ranks; r++) {
        assert_int_equal(run->made->ranks[r].count, real->ranks[r].count);
        for (uint64_t i = 0; i < real->ranks[r].count; i++) {
            const struct program_operation *own =
                &run->made->operations[run->made->ranks[r].first + i];
            const struct program_operation *other = &real->operations[real->ranks[r].first + i];
            if (own->kind != other->kind)
                fail_msg("%s to %u: rank %u differs", row->name, ranks, r);
            if (own->kind == OPERATION_COMPUTE) {
                own_ps += own->compute.duration_ps;
                real_ps += other->compute.duration_ps;
            }
            if (own->kind != OPERATION_SEND && own->kind != OPERATION_RECEIVE) continue;
            if (own->message.peer != other->message.peer || own->bytes != other->bytes)
                fail_msg("%s to %u: rank %u gives %u bytes to %u, not %u to %u", row->name, ranks,
                         r, (unsigned)own->bytes, own->message.peer, (unsigned)other->bytes,
                         other->message.peer);
            assert_int_equal(run->made->envelopes[own->message.envelope].tag,
                             real->envelopes[other->message.envelope].tag);
        }
    }
    assert_in_range(own_ps, real_ps - real_ps / 50, real_ps + real_ps / 50);
    program_free(real);
}

static void levels_have_their_messages(void **state) {
    (void)state;
    static const char smaller[] = "they are those of a smaller program";
    static const struct row rows[] = {
        {"levels_of_plane", to_128, smaller},  {"levels_of_plane", eights, smaller},
        {"cycles_of_plane", eights, smaller},  {"cycles_of_plane", to_32, smaller},
        {"cycles_of_torus", eights, smaller},  {"cycles_gathered", to_128, smaller},
        {"cycles_in_w", to_32, smaller},       {"cycles_of_box", eights, smaller},
        {"cycles_of_rings", eights, smaller},  {"cycles_of_rings", to_128, smaller},
        {"cycles_of_plane", to_1024, smaller}, {"cycles_rising", eights, smaller},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct series_run run;
        run_row(&run, &rows[i]);
        if (run.status.code != STATUS_OK || program_check_file(run.made, &run.status) != STATUS_OK)
            fail_msg("%s to %u: %s", rows[i].name, run.config.ranks, run.status.text);
        if (!has_law(&run, rows[i].text))
            fail_msg("%s to %u: no \"%s\"", rows[i].name, run.config.ranks, rows[i].text);
        compare_messages(&rows[i], &run);
        series_run_free(&run);
    }
}

static struct program *make_amg(uint32_t ranks) {
    struct program *program = NULL;
    struct status status = STATUS_INIT;
    const struct traces_pattern_config config = {
        .rank_count = ranks, .iterations = 2, .edge = 2, .compute_ps = 1 << 24, .seed = 1};
    if (traces_generate(&program, "amg", &config, &status) != STATUS_OK)
        fail_msg("%s", status.text);
    return program;
}

/* Returns the next send or receive of a rank from a place on, or the end. */
static uint64_t next_message(const struct program *program, uint32_t rank, uint64_t place) {
    for (; place < program->ranks[rank].count; place++) {
        const struct program_operation *operation =
            &program->operations[program->ranks[rank].first + place];
        if (operation->kind == OPERATION_SEND || operation->kind == OPERATION_RECEIVE) break;
    }
    return place;
}

/* On the way up, tags follow the number of levels, which the number of ranks decides. All ranks
 * have their messages in the order of the pattern, with those sizes; tags are others. */
static void tags_may_count_levels(void **state) {
    (void)state;
    static const uint32_t cubes[] = {8, 27, 64, 125, 216, 0};
    struct series_run run;
    bool has = false;
    if (series_run_made(&run, make_amg, cubes) != STATUS_OK) fail_msg("%s", run.status.text);
    struct program *real = make_amg(216);
    for (uint32_t r = 0; r < 216; r++) {
        uint64_t own = next_message(run.made, r, 0), other = next_message(real, r, 0);
        while (own < run.made->ranks[r].count && other < real->ranks[r].count) {
            const struct program_operation *left =
                &run.made->operations[run.made->ranks[r].first + own];
            const struct program_operation *right = &real->operations[real->ranks[r].first + other];
            assert_int_equal(left->kind, right->kind);
            assert_int_equal(left->message.peer, right->message.peer);
            assert_int_equal(left->bytes, right->bytes);
            own = next_message(run.made, r, own + 1);
            other = next_message(real, r, other + 1);
        }
        assert_true(own == run.made->ranks[r].count && other == real->ranks[r].count);
    }
    for (size_t i = 0; i < run.report.finding_count; i++)
        has = has || (strcmp(run.report.findings[i].subject, "tags") == 0 &&
                      strcmp(run.report.findings[i].law,
                             "those of the program of 125 ranks, in their order") == 0 &&
                      run.report.findings[i].uncertain);
    assert_true(has);
    program_free(real);
    series_run_free(&run);
}

static void parts_are_refused(void **state) {
    (void)state;
    static const struct row rows[] = {
        {"levels_of_work", eights, "have a role that no program"},
        {"levels_of_work", to_128, "no rule"},
        {"cycles_of_work", eights, "no rule"},
        {"cycles_of_work", to_32, "no rule"},
        {"levels_of_data", eights, "no rule"},
        {"panel_jumps", to_128, "no rule says which ranks"},
        {"panel_jumps", areas, "no rule says which ranks"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct series_run run;
        run_row(&run, &rows[i]);
        series_run_refused(&run, STATUS_INPUT, rows[i].text);
    }
}

/* Counts the calls of progress, and stops the extrapolation at one of them. */
struct stopper {
    unsigned calls, last; /* last: 0: none */
};

static bool count_calls(void *context) {
    struct stopper *stopper = context;
    return ++stopper->calls != stopper->last;
}

static void stop_at(const struct row *row, struct stopper *stopper, status_code code) {
    const struct series_family_pattern *family = series_family_named(row->name);
    struct series_run run = {
        .config = {.seed = 1, .threads = 1, .progress = count_calls, .progress_context = stopper}};
    for (; row->ranks[run.count + 1] > 0; run.count++)
        run.programs[run.count] = series_family_make(family, row->ranks[run.count]);
    run.config.ranks = row->ranks[run.count];
    if (series_run_extrapolate(&run) != code)
        fail_msg("%s, stopped at %u: %s", row->name, stopper->last, run.status.text);
    assert_int_equal(run.made == NULL, code != STATUS_OK);
    series_run_free(&run);
}

/* An extrapolation that is stopped at any of some twenty attempts, in any part, ends there. */
static void progress_stops_every_part(void **state) {
    (void)state;
    static const struct row rows[] = {{"levels_of_ring", to_32, NULL},
                                      {"cycles_of_plane", eights, NULL},
                                      {"product_rings", few_areas, NULL},
                                      {"panel_rings", areas, NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct stopper all = {0};
        stop_at(&rows[i], &all, STATUS_OK);
        assert_true(all.calls > 2);
        const unsigned step = all.calls / 20 + 1;
        for (unsigned last = all.calls; last > 0; last = last > step ? last - step : 0) {
            struct stopper stopper = {.last = last};
            stop_at(&rows[i], &stopper, STATUS_STOPPED);
            assert_int_equal(stopper.calls, last);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_exact),           cmocka_unit_test(levels_have_their_messages),
        cmocka_unit_test(tags_may_count_levels),     cmocka_unit_test(parts_are_refused),
        cmocka_unit_test(progress_stops_every_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
