/*
 * Tables of results: data, JSON, CSV and the outline have the same columns, in the same order, and
 * the same values; a table that there is not is refused by name.
 */
#include <anax/anax.h>

#include "tests/support/api/api_world.h"
#include "tests/support/api/table_world.h"
#include "tests/support/replay/stalling_program.h"

#include <inttypes.h>
#include <json-c/json.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A result of some kind, as the test sees it. */
struct subject {
    const char *kind;
    const void *result;
    anax_code (*table)(anax_table **table, const void *result, const char *name);
    struct json_object *json;
    const char *folder; /* of its CSV tables; NULL: it has none */
    size_t tables;      /* that were looked at */
    size_t files;
};

/* ---- one value as it should look ---- */

static void cell_text(const anax_column *column, size_t row, char *text, size_t size) {
    char *digits = NULL;
    switch (column->type) {
    case ANAX_COLUMN_INTEGER:
    case ANAX_COLUMN_TRUTH:
        if (column->integers[row] == ANAX_ABSENT_INTEGER)
            snprintf(text, size, "null");
        else if (column->type == ANAX_COLUMN_TRUTH)
            snprintf(text, size, "%s", column->integers[row] != 0 ? "true" : "false");
        else
            snprintf(text, size, "%" PRId64, column->integers[row]);
        break;
    case ANAX_COLUMN_NUMBER:
        if (isnan(column->numbers[row]))
            snprintf(text, size, "null");
        else
            snprintf(text, size, "%.6f", column->numbers[row]);
        break;
    case ANAX_COLUMN_SUM:
        digits = anax_sum_text(column->sums[row]);
        snprintf(text, size, "%s", digits);
        anax_text_free(digits);
        break;
    case ANAX_COLUMN_TEXT:
        snprintf(text, size, "%s", column->texts[row] != NULL ? column->texts[row] : "null");
        break;
    }
}

static void same_in_json(const anax_column *column, size_t row, struct json_object *object) {
    struct json_object *value = NULL;
    char expected[4096], number[64];
    if (!json_object_object_get_ex(object, column->name, &value))
        fail_msg("no key %s", column->name);
    cell_text(column, row, expected, sizeof expected);
    const char *is = value != NULL ? json_object_get_string(value) : "null";
    if (column->type == ANAX_COLUMN_NUMBER && value != NULL) {
        snprintf(number, sizeof number, "%.6f", json_object_get_double(value));
        is = number;
    }
    assert_string_equal(is, expected);
}

/* The keys of an object are the columns, in their order; other keys may stand around them. */
static void same_keys(const anax_table *table, struct json_object *object, bool alone) {
    size_t found = 0, keys = 0;
    json_object_object_foreach(object, key, value) {
        (void)value;
        const anax_column *column = anax_table_column(table, found);
        keys++;
        if (column != NULL && strcmp(column->name, key) == 0) found++;
    }
    assert_int_equal(found, anax_table_columns(table));
    if (alone) assert_int_equal(keys, found);
}

static void same_row(const anax_table *table, size_t row, struct json_object *object, bool alone) {
    same_keys(table, object, alone);
    for (size_t i = 0; i < anax_table_columns(table); i++)
        same_in_json(anax_table_column(table, i), row, object);
}

static void check_json(const struct subject *subject, const anax_table *table, const char *name,
                       const char *help) {
    struct json_object *value = NULL;
    bool there = json_object_object_get_ex(subject->json, name, &value);
    if (strstr(help, "(keys of the result itself") != NULL) {
        same_row(table, 0, subject->json, false);
    } else if (strstr(help, "(not in JSON") != NULL) {
        assert_false(there);
    } else if (strstr(help, "(an array of the first column") != NULL) {
        assert_int_equal(json_object_array_length(value), anax_table_rows(table));
        for (size_t i = 0; i < anax_table_rows(table); i++)
            assert_string_equal(json_object_get_string(json_object_array_get_idx(value, i)),
                                text_of(table, i, anax_table_column(table, 0)->name));
    } else if (strstr(help, "(an array") != NULL) {
        assert_int_equal(json_object_array_length(value), anax_table_rows(table));
        for (size_t i = 0; i < anax_table_rows(table); i++)
            same_row(table, i, json_object_array_get_idx(value, i), true);
    } else if (strstr(help, "(an object with a key for each row") != NULL) {
        assert_int_equal(json_object_object_length(value), anax_table_rows(table));
        for (size_t i = 0; i < anax_table_rows(table); i++) {
            char expected[4096];
            cell_text(anax_table_column(table, 1), i, expected, sizeof expected);
            assert_string_equal(
                json_object_get_string(json_object_object_get(value, text_of(table, i, "name"))),
                expected);
        }
    } else {
        assert_non_null(strstr(help, "(an object"));
        assert_int_equal(anax_table_rows(table), 1);
        same_row(table, 0, value, true);
    }
}

/* ---- CSV ---- */

/* The next cell of a line, without its quotes; moves on. */
static char *next_cell(char **line) {
    char *cell = *line, *end;
    if (*cell == '"') {
        end = strchr(++cell, '"');
        assert_non_null(end);
        *end++ = '\0';
    } else {
        end = cell + strcspn(cell, ",\n");
    }
    *line = *end == ',' ? end + 1 : end;
    if (*end == ',') *end = '\0';
    if (*end == '\n') {
        *end = '\0';
        *line = end;
    }
    return cell;
}

static void same_in_csv(const anax_column *column, size_t row, const char *cell) {
    char expected[4096];
    cell_text(column, row, expected, sizeof expected);
    if (strcmp(expected, "null") == 0) *expected = '\0';
    if (strcmp(expected, "true") == 0) strcpy(expected, "1");
    if (strcmp(expected, "false") == 0) strcpy(expected, "0");
    assert_string_equal(cell, expected);
}

static void check_csv(struct subject *subject, const anax_table *table, const char *name) {
    char path[256], *line = NULL;
    size_t size = 0, rows = 0;
    snprintf(path, sizeof path, "%s/%s.csv", subject->folder, name);
    FILE *file = fopen(path, "r");
    if (file == NULL) fail_msg("no %s", path);
    assert_true(getline(&line, &size, file) > 0);
    char *at = line;
    for (size_t i = 0; i < anax_table_columns(table); i++)
        assert_string_equal(next_cell(&at), anax_table_column(table, i)->name);
    assert_int_equal(*at, '\0');
    for (; getline(&line, &size, file) > 0; rows++) {
        at = line;
        for (size_t i = 0; i < anax_table_columns(table); i++)
            same_in_csv(anax_table_column(table, i), rows, next_cell(&at));
        assert_int_equal(*at, '\0');
    }
    assert_int_equal(rows, anax_table_rows(table));
    fclose(file);
    free(line);
    subject->files++;
}

/* ---- all tables of a result ---- */

/* The outline has the same columns, but one for all that are named after settings. */
static void same_as_outline(const anax_table *table, const char *name) {
    anax_table *outline = NULL;
    assert_int_equal(anax_table_outline(&outline, name, NULL), ANAX_OK);
    assert_int_equal(anax_table_rows(outline), 0);
    size_t at = 0;
    for (size_t i = 0; i < anax_table_columns(outline); i++) {
        const anax_column *column = anax_table_column(outline, i);
        assert_true(strlen(column->description) > 1);
        assert_null(strchr(column->description, '\n'));
        if (strcmp(column->name, "SETTING") == 0) {
            const anax_column *after = anax_table_column(outline, i + 1);
            while (at < anax_table_columns(table) &&
                   (after == NULL || strcmp(anax_table_column(table, at)->name, after->name) != 0))
                at++;
            continue;
        }
        assert_string_equal(anax_table_column(table, at)->name, column->name);
        assert_string_equal(anax_table_column(table, at)->unit, column->unit);
        assert_int_equal(anax_table_column(table, at++)->type, column->type);
        const char *unit = strrchr(column->name, '_');
        if (strcmp(column->unit, "ps") == 0) assert_string_equal(unit, "_ps");
        if (unit != NULL && strcmp(unit, "_ps") == 0) assert_string_equal(column->unit, "ps");
        if (unit != NULL && strcmp(unit, "_bytes") == 0) assert_string_equal(column->unit, "bytes");
    }
    assert_int_equal(at, anax_table_columns(table));
    anax_table_free(outline);
}

static void check_table(void *context, const anax_choice *choice) {
    struct subject *subject = context;
    const size_t length = strlen(subject->kind);
    if (strncmp(choice->name, subject->kind, length) != 0 || choice->name[length] != '.') return;
    const char *name = choice->name + length + 1;
    anax_table *table = NULL;
    if (subject->table(&table, subject->result, name) != ANAX_OK) {
        /* one class, one candidate, one seed; no background, search or explanation; nothing
         * recorded; no files of MPI-IO */
        static const char absent[] =
            " classes search background state_bins rank_bins channel_bins matrix"
            " link_flows link_waits longest_link_waits critical_path"
            " critical_path_parts critical_path_channels critical_path_steps"
            " job_critical_paths efficiency efficiency_regions"
            " efficiency_iterations sensitivity factors machines loads saturation"
            " machine_settings_changed io_nodes files ";
        char word[64];
        snprintf(word, sizeof word, " %s ", name);
        assert_non_null(strstr(absent, word));
        assert_false(json_object_object_get_ex(subject->json, name, NULL));
        return;
    }
    same_as_outline(table, choice->name);
    if (strcmp(name, "simulation") != 0) check_json(subject, table, name, choice->help);
    if (strstr(choice->help, ".csv)") != NULL) check_csv(subject, table, name);
    subject->tables++;
    assert_null(anax_table_column(table, anax_table_columns(table)));
    assert_null(anax_table_find(table, "no such column"));
    anax_table_free(table);
}

static void check_tables(struct subject *subject, char *json, size_t tables, size_t files) {
    subject->json = json_tokener_parse(json);
    assert_non_null(subject->json);
    anax_text_free(json);
    assert_int_equal(anax_list("tables", NULL, check_table, subject, NULL), ANAX_OK);
    json_object_put(subject->json);
    assert_int_equal(subject->tables, tables);
    assert_int_equal(subject->files, files);
}

static anax_code table_of_replay(anax_table **table, const void *result, const char *name) {
    return anax_replay_result_table(table, result, name, NULL);
}

static anax_code table_of_traffic(anax_table **table, const void *result, const char *name) {
    return anax_traffic_result_table(table, result, name, NULL);
}

static anax_code table_of_comparison(anax_table **table, const void *result, const char *name) {
    return anax_comparison_table(table, result, name, NULL);
}

static anax_code table_of_placement(anax_table **table, const void *result, const char *name) {
    return anax_placement_table(table, result, name, NULL);
}

static anax_code table_of_topology(anax_table **table, const void *result, const char *name) {
    const anax_topology *machine = result;
    return anax_topology_table(table, &machine, 1, name, NULL);
}

static anax_code table_of_trace(anax_table **table, const void *trace, const char *name) {
    return anax_trace_table(table, trace, name, NULL);
}

static anax_code table_of_bisection(anax_table **table, const void *bisection, const char *name) {
    return anax_bisection_table(table, bisection, name, NULL);
}

static anax_code table_of_calibration(anax_table **table, const void *result, const char *name) {
    return anax_calibration_table(table, result, name, NULL);
}

static anax_code table_of_extrapolation(anax_table **table, const void *result, const char *name) {
    return anax_extrapolation_table(table, result, name, NULL);
}

static anax_code table_of_diff(anax_table **table, const void *result, const char *name) {
    return anax_diff_table(table, result, name, NULL);
}

static int setup(void **state) {
    return api_world_new(state, "halo2d", "8", "3");
}

static void tables_of_replays_agree(void **state) {
    struct api_world *world = *state;
    anax_replay_result *result = NULL;
    char folder[64];
    snprintf(folder, sizeof folder, "%s/tables", world->folder);
    anax_config_set(world->config, "trace.user_regions", "on", NULL);
    assert_int_equal(anax_replay(&result, world->config, world->trace, NULL, NULL), ANAX_OK);
    assert_int_equal(anax_replay_result_write_tables(result, folder, NULL), ANAX_OK);
    struct subject subject = {
        .kind = "replay", .result = result, .table = table_of_replay, .folder = folder};
    check_tables(&subject, anax_replay_result_json(result), 25, 6);
    anax_table *regions = table_of(result, "regions");
    assert_true(anax_table_rows(regions) > 0); /* so that something was compared */
    anax_replay_result_free(result);
    assert_non_null(text_of(regions, 0, "name")); /* a table outlives its result */
    anax_table_free(regions);
}

static void tables_of_traffic_agree(void **state) {
    struct api_world *world = *state;
    anax_traffic_result *result = NULL;
    char folder[64];
    snprintf(folder, sizeof folder, "%s/tables", world->folder);
    anax_config_set(world->config, "traffic.measure", "2us", NULL);
    anax_config_set(world->config, "network.routing", "par", NULL);
    assert_int_equal(anax_traffic(&result, world->config, "0.3", NULL, NULL), ANAX_OK);
    assert_int_equal(anax_traffic_result_write_tables(result, folder, NULL), ANAX_OK);
    struct subject subject = {
        .kind = "traffic", .result = result, .table = table_of_traffic, .folder = folder};
    check_tables(&subject, anax_traffic_result_json(result), 14, 5);
    anax_table *links = NULL, *routers = NULL;
    assert_int_equal(table_of_traffic(&links, result, "links"), ANAX_OK);
    assert_int_equal(table_of_traffic(&routers, result, "routers"), ANAX_OK);
    int64_t carried = 0, sent = 0;
    for (size_t i = 0; i < anax_table_rows(links); i++)
        if (strcmp(text_of(links, i, "kind"), "injection") == 0)
            carried += integer_of(links, i, "measured_packets");
    for (size_t i = 0; i < anax_table_rows(routers); i++)
        sent += integer_of(routers, i, "sent_packets");
    assert_int_equal(anax_table_rows(routers), 36);
    assert_true(sent > 0 && sent == carried);
    anax_table_free(links);
    anax_table_free(routers);
    anax_traffic_result_free(result);
}

static void tables_of_comparisons_agree(void **state) {
    struct api_world *world = *state;
    static const char *const factors[] = {"network.routing=minimal,par",
                                          "placement.policy=random,block"};
    const anax_compare_plan plan = {.size = sizeof(anax_compare_plan),
                                    .machines = (const anax_config *const *)&world->config,
                                    .machine_count = 1,
                                    .factors = factors,
                                    .factor_count = 2,
                                    .traces = (const anax_trace *const *)&world->trace,
                                    .trace_count = 1,
                                    .seeds = 3};
    anax_comparison *comparison = NULL;
    char folder[64];
    snprintf(folder, sizeof folder, "%s/tables", world->folder);
    assert_int_equal(anax_compare(&comparison, &plan, NULL, NULL), ANAX_OK);
    assert_int_equal(anax_comparison_write_tables(comparison, folder, NULL), ANAX_OK);
    struct subject subject = {
        .kind = "compare", .result = comparison, .table = table_of_comparison, .folder = folder};
    check_tables(&subject, anax_comparison_json(comparison), 13, 2);
    anax_table *candidates = NULL;
    assert_int_equal(anax_comparison_table(&candidates, comparison, "candidates", NULL), ANAX_OK);
    assert_int_equal(anax_table_rows(candidates), 4);
    assert_string_equal(text_of(candidates, 2, "network.routing"), "par");
    assert_int_equal(integer_of(candidates, 0, "difference_mean_ps"), ANAX_ABSENT_INTEGER);
    assert_true(isnan(column_of(candidates, "p")->numbers[0]));
    assert_true(column_of(candidates, "p")->numbers[1] <= 1);
    anax_comparison_free(comparison);
    assert_string_equal(text_of(candidates, 1, "placement.policy"), "block");
    anax_table_free(candidates);
}

static void tables_of_failed_points_agree(void **state) {
    struct api_world *world = *state;
    static const char *const factors[] = {"mpi.eager_threshold=4KiB,2MiB"};
    char path[64];
    snprintf(path, sizeof path, "%s/stall.anax", world->folder);
    write_stalling_program(path);
    anax_trace *trace = NULL;
    assert_int_equal(anax_trace_open(&trace, path, world->config, NULL, NULL), ANAX_OK);
    const anax_compare_plan plan = {.size = sizeof(anax_compare_plan),
                                    .machines = (const anax_config *const *)&world->config,
                                    .machine_count = 1,
                                    .factors = factors,
                                    .factor_count = 1,
                                    .traces = (const anax_trace *const *)&trace,
                                    .trace_count = 1,
                                    .seeds = 1};
    anax_comparison *comparison = NULL;
    anax_table *points = NULL;
    assert_int_equal(anax_compare(&comparison, &plan, NULL, NULL), ANAX_ERROR_RUN);
    assert_int_equal(anax_comparison_table(&points, comparison, "points", NULL), ANAX_OK);
    assert_int_equal(integer_of(points, 0, "time_ps"), ANAX_ABSENT_INTEGER);
    assert_int_equal(integer_of(points, 0, "completed"), 0);
    assert_null(text_of(points, 0, "digest"));
    assert_non_null(strstr(text_of(points, 0, "failure"), "MPI_Send"));
    assert_true(integer_of(points, 1, "time_ps") > 0);
    assert_null(text_of(points, 1, "failure"));
    anax_table_free(points);
    anax_comparison_free(comparison);
    anax_trace_free(trace);
}

static void tables_of_placements_agree(void **state) {
    struct api_world *world = *state;
    anax_placement *placement = NULL;
    assert_int_equal(anax_place(&placement, world->config, world->trace, NULL, NULL), ANAX_OK);
    struct subject subject = {.kind = "place", .result = placement, .table = table_of_placement};
    check_tables(&subject, anax_placement_json(placement), 10, 0);
    anax_placement_free(placement);
}

static void tables_of_topologies_agree(void **state) {
    struct api_world *world = *state;
    anax_topology *machine = NULL;
    anax_table *machines = NULL;
    assert_int_equal(anax_topology_new(&machine, world->config, NULL), ANAX_OK);
    struct subject subject = {.kind = "topology", .result = machine, .table = table_of_topology};
    const anax_topology *list[] = {machine, machine};
    check_tables(&subject, anax_topology_json(list, 1), 9, 0);
    assert_int_equal(anax_topology_table(&machines, list, 2, "machines", NULL), ANAX_OK);
    assert_int_equal(anax_table_rows(machines), 2);
    assert_int_equal(integer_of(machines, 1, "machine"), 1);
    assert_int_equal(integer_of(machines, 1, "radix"), 7);
    anax_table_free(machines);
    anax_topology_free(machine);
}

static void tables_of_traces_agree(void **state) {
    struct api_world *world = *state;
    struct subject subject = {.kind = "info", .result = world->trace, .table = table_of_trace};
    check_tables(&subject, anax_trace_json(world->trace), 8, 0);
}

static void tables_of_bisections_agree(void **state) {
    struct api_world *world = *state;
    anax_bisection *bisection = NULL;
    anax_table *lines = NULL;
    anax_config_set(world->config, "network.groups", "3", NULL);
    assert_int_equal(anax_bisection_new(&bisection, world->config, NULL, NULL), ANAX_OK);
    const anax_bisection *list[] = {bisection};
    struct subject subject = {
        .kind = "bisection", .result = bisection, .table = table_of_bisection};
    check_tables(&subject, anax_bisection_json(list, 1), 6, 0);
    char path[SCRATCH_FOLDER_BYTES + 16];
    snprintf(path, sizeof path, "%s/lines.csv", world->folder);
    assert_int_equal(anax_bisection_write_curves(list, 1, path, NULL, NULL), ANAX_OK);
    assert_int_equal(anax_bisection_write_curves(list, 1, path, NULL, NULL), ANAX_ERROR_EXISTS);
    assert_int_equal(anax_bisection_table(&lines, bisection, "lines", NULL), ANAX_OK);
    assert_string_equal(text_of(lines, 0, "from_alpha"), "0");
    anax_table_free(lines);
    anax_bisection_free(bisection);
}

/* Of two results in memory, of one in memory and one in a file, and of no result. */
static void tables_of_diffs_agree(void **state) {
    struct api_world *world = *state;
    char *texts[2], path[64];
    for (int i = 0; i < 2; i++) {
        anax_replay_result *result = NULL;
        anax_config_set(world->config, "placement.policy", i == 0 ? "block" : "random", NULL);
        assert_int_equal(anax_replay(&result, world->config, world->trace, NULL, NULL), ANAX_OK);
        texts[i] = anax_replay_result_json(result);
        anax_replay_result_free(result);
    }
    snprintf(path, sizeof path, "%s/second.json", world->folder);
    assert_int_equal(anax_text_write(texts[1], path, NULL, NULL), ANAX_OK);
    anax_diff *diff = NULL;
    assert_int_equal(anax_diff_texts(&diff, "first", texts[0], "second", texts[1], NULL), ANAX_OK);
    struct subject subject = {.kind = "diff", .result = diff, .table = table_of_diff};
    check_tables(&subject, anax_diff_json(diff), 2, 0);
    anax_diff_free(diff);

    anax_table *results = NULL;
    assert_int_equal(anax_diff_texts(&diff, "first", texts[0], path, NULL, NULL), ANAX_OK);
    assert_int_equal(anax_diff_table(&results, diff, "ranks", NULL), ANAX_ERROR_USAGE);
    assert_int_equal(anax_diff_table(&results, diff, "results", NULL), ANAX_OK);
    assert_string_equal(text_of(results, 0, "path"), "first");
    assert_string_equal(text_of(results, 0, "placement"), "block");
    assert_string_equal(text_of(results, 1, "path"), path);
    anax_table_free(results);
    anax_diff_free(diff);
    assert_int_equal(anax_diff_files(&diff, path, path, NULL), ANAX_OK);
    assert_int_equal(anax_diff_table(&results, diff, "results", NULL), ANAX_OK);
    assert_string_equal(text_of(results, 0, "path"), path);
    assert_string_equal(text_of(results, 0, "placement"), "random");
    anax_table_free(results);
    anax_diff_free(diff);

    anax_error error = ANAX_ERROR_INIT;
    assert_int_equal(anax_diff_texts(&diff, "first", texts[0], "mine", "{}", &error),
                     ANAX_ERROR_INPUT);
    assert_null(diff);
    assert_non_null(strstr(error.text, "mine: this is no result of a replay"));
    anax_error_clear(&error);
    for (int i = 0; i < 2; i++)
        anax_text_free(texts[i]);
}

static void tables_of_calibrations_agree(void **state) {
    struct api_world *world = *state;
    static const char *const files[] = {
        ANAX_SOURCE_DIR "/examples/calibration/osu_latency.txt",
        ANAX_SOURCE_DIR "/examples/calibration/osu_bw.txt",
    };
    anax_calibration *calibration = NULL;
    assert_int_equal(anax_calibrate(&calibration, world->config, files, 2, NULL, NULL), ANAX_OK);
    struct subject subject = {
        .kind = "calibration", .result = calibration, .table = table_of_calibration};
    check_tables(&subject, anax_calibration_json(calibration), 6, 0);
    anax_table *times = NULL, *steps = NULL;
    assert_int_equal(anax_calibration_table(&times, calibration, "times", NULL), ANAX_OK);
    assert_true(anax_table_rows(times) > 20); /* of both files */
    assert_int_equal(anax_calibration_table(&steps, calibration, "steps", NULL), ANAX_OK);
    assert_string_equal(text_of(steps, 0, "setting"), "mpi.eager_threshold");
    anax_table_free(times);
    assert_int_equal(anax_calibration_table(&times, calibration, "rows", NULL), ANAX_ERROR_USAGE);
    assert_null(times);
    anax_table_free(steps);
    anax_calibration_free(calibration);
}

/* A series whose computation follows a law that one value tests. */
static void tables_of_extrapolations_agree(void **state) {
    struct api_world *world = *state;
    static const char *const ranks[] = {"4", "8", "16"}, *const computes[] = {"10us", "33us",
                                                                              "45us"};
    anax_trace *traces[3];
    anax_extrapolation *extrapolation = NULL;
    for (size_t i = 0; i < 3; i++) {
        anax_config_set(world->config, "generate.ranks", ranks[i], NULL);
        anax_config_set(world->config, "generate.compute", computes[i], NULL);
        assert_int_equal(anax_trace_generate(&traces[i], "bcast", world->config, NULL), ANAX_OK);
    }
    anax_config_set(world->config, "extrapolate.ranks", "32", NULL);
    assert_int_equal(anax_extrapolate(&extrapolation, (const anax_trace *const *)traces, 3,
                                      world->config, NULL, NULL),
                     ANAX_OK);
    struct subject subject = {
        .kind = "extrapolation", .result = extrapolation, .table = table_of_extrapolation};
    check_tables(&subject, anax_extrapolation_json(extrapolation), 3, 0);
    anax_table *found = NULL;
    assert_int_equal(anax_extrapolation_table(&found, extrapolation, "findings", NULL), ANAX_OK);
    const anax_column *uncertain = anax_table_find(found, "uncertain");
    int64_t lines = 0;
    char *warnings = anax_extrapolation_warnings(extrapolation);
    for (const char *line = warnings; *line != '\0'; line++)
        lines += *line == '\n';
    assert_non_null(strstr(warnings, "computation, in ps, MPI_Bcast: "));
    assert_int_equal(lines, 1);
    for (size_t i = 0; i < anax_table_rows(found); i++)
        lines -= uncertain->integers[i];
    assert_int_equal(lines, 0);
    anax_text_free(warnings);
    anax_table_free(found);
    assert_int_equal(anax_extrapolation_table(&found, extrapolation, "laws", NULL),
                     ANAX_ERROR_USAGE);
    anax_extrapolation_free(extrapolation);
    for (size_t i = 0; i < 3; i++)
        anax_trace_free(traces[i]);
}

static void refuses(const char *name, const char *hint) {
    anax_table *table = NULL;
    anax_error error = ANAX_ERROR_INIT;
    assert_int_equal(anax_table_outline(&table, name, &error), ANAX_ERROR_USAGE);
    assert_null(table);
    if (strstr(error.text, hint) == NULL) fail_msg("`%s` is not in `%s`", hint, error.text);
    anax_error_clear(&error);
}

static void unknown_tables_are_refused(void **state) {
    (void)state;
    refuses("", "anax list tables");
    refuses("replay", "anax list tables");
    refuses("replays.ranks", "anax list tables");
    refuses("replay.", "its tables are");
    refuses("replay.rank", "did you mean `ranks`?");
    refuses("traffic.ranks", "points");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(tables_of_replays_agree, setup, api_world_free),
        cmocka_unit_test_setup_teardown(tables_of_traffic_agree, setup, api_world_free),
        cmocka_unit_test_setup_teardown(tables_of_comparisons_agree, setup, api_world_free),
        cmocka_unit_test_setup_teardown(tables_of_failed_points_agree, setup, api_world_free),
        cmocka_unit_test_setup_teardown(tables_of_placements_agree, setup, api_world_free),
        cmocka_unit_test_setup_teardown(tables_of_topologies_agree, setup, api_world_free),
        cmocka_unit_test_setup_teardown(tables_of_traces_agree, setup, api_world_free),
        cmocka_unit_test_setup_teardown(tables_of_bisections_agree, setup, api_world_free),
        cmocka_unit_test_setup_teardown(tables_of_diffs_agree, setup, api_world_free),
        cmocka_unit_test_setup_teardown(tables_of_calibrations_agree, setup, api_world_free),
        cmocka_unit_test_setup_teardown(tables_of_extrapolations_agree, setup, api_world_free),
        cmocka_unit_test(unknown_tables_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
