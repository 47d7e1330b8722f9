/*
 * I/O nodes beside ranks in all that a replay is asked for: placements that read traffic, jobs,
 * critical paths in timelines, texts and pages, exports.
 */
#include "tests/support/api/api_world.h"
#include "tests/support/api/table_world.h"
#include "tests/support/traces/program_on_disk.h"

#include <anax/anax.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 4, BYTES = 3 << 20 };

struct world {
    char folder[SCRATCH_FOLDER_BYTES], path[128];
    anax_config *config;
    anax_trace *trace;
};

/* Each rank sends a message to the next rank, and writes a file of its own. */
static void write_program(const char *path, uint32_t ranks) {
    struct build_world build = build_world_new(ranks), *w = &build;
    for (uint32_t rank = 0; rank < ranks; rank++) {
        char name[16];
        snprintf(name, sizeof name, "out.%u", rank);
        const uint32_t file = builder_define_file(w->builder, name);
        w->region = builder_define_region(w->builder, "MPI_Sendrecv", true);
        build_call(w, rank);
        build_isend(w, rank, (rank + 1) % ranks, 3, 100, BUILDER_NO_REQUEST);
        build_irecv(w, rank, (rank + ranks - 1) % ranks, 3, 100, BUILDER_NO_REQUEST);
        build_call_end(w, rank);
        build_file_write(w, rank, file, 0, BYTES);
    }
    build_on_disk(w, path);
}

static int new_world(void **state) {
    struct world *world = *state = calloc(1, sizeof *world);
    assert_non_null(world);
    assert_true(scratch_folder_make(world->folder));
    snprintf(world->path, sizeof world->path, "%s/files.anax", world->folder);
    write_program(world->path, RANKS);
    assert_int_equal(anax_config_new(&world->config, NULL), ANAX_OK);
    assert_int_equal(anax_config_machine(world->config, "kim-72", NULL), ANAX_OK);
    api_set(world->config, "io.nodes", "2");
    assert_int_equal(anax_trace_open(&world->trace, world->path, world->config, NULL, NULL),
                     ANAX_OK);
    return 0;
}

static int free_world(void **state) {
    struct world *world = *state;
    anax_trace_free(world->trace);
    anax_config_free(world->config);
    scratch_folder_remove(world->folder);
    free(world);
    return 0;
}

static anax_replay_result *replayed(struct world *world, const anax_options *options) {
    anax_replay_result *result = NULL;
    anax_error error = ANAX_ERROR_INIT;
    if (anax_replay(&result, world->config, world->trace, options, &error) != ANAX_OK)
        fail_msg("%s", error.text);
    return result;
}

static void placements_by_traffic_keep_accesses_to_files(void **state) {
    struct world *world = *state;
    static const char *const policies[] = {"greedy", "partition"};
    api_set(world->config, "io.nodes", "60");
    for (size_t i = 0; i < 2; i++) {
        api_set(world->config, "placement.policy", policies[i]);
        anax_replay_result *result = replayed(world, NULL);
        anax_table *nodes = table_of(result, "io_nodes");
        int64_t written = 0;
        for (size_t row = 0; row < anax_table_row_count(nodes); row++)
            written += integer_of(nodes, row, "written_bytes");
        assert_int_equal(written, RANKS * BYTES);
        anax_table_free(nodes);
        anax_replay_result_free(result);
    }
}

/* Jobs of one rank that share nothing. The file of the first is on the I/O node of their group,
 * that of the second on another one, also when it runs alone. */
static void jobs_apart_take_as_long_as_alone(void **state) {
    struct world *world = *state;
    anax_jobs *jobs = NULL;
    anax_replay_result *result = NULL;
    write_program(world->path, 1);
    api_set(world->config, "io.nodes", "9");
    api_set(world->config, "io.latency", "0ps");
    api_set(world->config, "io.write_rate", "1TB/s");
    api_set(world->config, "network.global.latency", "50us");
    api_set(world->config, "network.routing", "minimal");
    assert_int_equal(anax_jobs_new(&jobs, NULL), ANAX_OK);
    for (int i = 0; i < 2; i++)
        assert_int_equal(anax_jobs_add(jobs, world->path, world->config, NULL, NULL), ANAX_OK);
    assert_int_equal(anax_jobs_replay(&result, world->config, jobs, NULL, NULL), ANAX_OK);
    anax_table *table = table_of(result, "jobs");
    for (size_t row = 0; row < 2; row++)
        assert_int_equal(integer_of(table, row, "time_ps"), integer_of(table, row, "alone_ps"));
    anax_table_free(table);
    anax_replay_result_free(result);
    anax_jobs_free(jobs);
}

static void expect_words(char *text, const char *const *words, size_t count) {
    assert_non_null(text);
    for (size_t i = 0; i < count; i++)
        if (strstr(text, words[i]) == NULL) fail_msg("no \"%s\"", words[i]);
    anax_text_free(text);
}

static char *content_of(const char *path) {
    char *text = calloc(1, 1 << 20);
    FILE *file = fopen(path, "rb");
    assert_non_null(text);
    assert_non_null(file);
    const size_t length = fread(text, 1, (1 << 20) - 1, file);
    for (size_t i = 0; i < length; i++)
        if (text[i] == '\0') text[i] = ' ';
    assert_int_equal(fclose(file), 0);
    return text;
}

/* The path goes over I/O nodes, which have names of their own wherever ranks have. */
static void io_nodes_have_names_wherever_ranks_have(void **state) {
    struct world *world = *state;
    char timeline[160], perfetto[160];
    anax_options options = ANAX_OPTIONS_INIT;
    options.explain = options.timeline = true;
    options.path_steps = SIZE_MAX;
    api_set(world->config, "io.nodes", "1");
    api_set(world->config, "record.links", "n71-35,35-n71");
    api_set(world->config, "record.matrix", "rank");
    anax_replay_result *result = replayed(world, &options);
    static const char *const in_text[] = {"  I/O 71 ", "message from I/O 71", " to I/O node 71, ",
                                          "  I/O node 71 to rank "};
    expect_words(anax_replay_result_text(result), in_text, 4);
    snprintf(timeline, sizeof timeline, "%s/timeline", world->folder);
    snprintf(perfetto, sizeof perfetto, "%s/perfetto", world->folder);
    assert_int_equal(anax_replay_result_write_timeline(result, timeline, NULL), ANAX_OK);
    strcat(timeline, "/traces.def");
    assert_int_equal(anax_replay_result_write_perfetto(result, perfetto, 0, RANKS, NULL, NULL),
                     ANAX_OK);
    expect_words(content_of(timeline), (const char *const[]){"on rank ", "on I/O node 71"}, 2);
    anax_replay_result_free(result);
}

/* What the verdict says that placement and network can gain ends at the work of an I/O node. */
static void gains_end_at_the_work_of_an_io_node(void **state) {
    struct world *world = *state;
    static const char *const rules[] = {"stripes", "nearest"};
    api_set(world->config, "io.nodes", "2");
    api_set(world->config, "io.write_rate", "1MB/s");
    api_set(world->config, "replay.compute_scale", "0");
    for (size_t i = 0; i < 2; i++) {
        api_set(world->config, "io.rule", rules[i]);
        anax_replay_result *result = replayed(world, NULL);
        static const char *const words[] = {
            "Storage bounds the run: ", "If nobody waited for messages, the run would take",
            "reads and writes of an I/O node: placement"};
        expect_words(anax_replay_result_json(result), words, 3);
        anax_replay_result_free(result);
    }
}

/* Answers of I/O nodes are those to the call that reads or writes. */
static void answers_belong_to_the_call_that_accesses_the_file(void **state) {
    struct world *world = *state;
    int64_t answers = 0;
    api_set(world->config, "io.nodes", "1");
    api_set(world->config, "record.links", "n71-35");
    anax_replay_result *result = replayed(world, NULL);
    anax_table *flows = table_of(result, "link_flows");
    for (size_t row = 0; row < anax_table_row_count(flows); row++) {
        if (integer_of(flows, row, "source_rank") != RANKS) continue;
        assert_string_equal(text_of(flows, row, "call"), "MPI_File_write_at");
        answers++;
    }
    assert_int_equal(answers, RANKS);
    anax_table_free(flows);
    anax_replay_result_free(result);
}

/* A warning about waits alone that are not modelled names the wait. */
static void warnings_name_waits_that_are_not_modelled(void **state) {
    struct world *world = *state;
    struct build_world build = build_world_new(1), *w = &build;
    w->region = builder_define_region(w->builder, "MPI_Wait", true);
    build_call(w, 0);
    assert_int_equal(builder_return(w->builder, 0, 1000000, false, NULL), STATUS_OK);
    builder_add_note(w->builder, "MPI-IO", "files cost no time", 1);
    build_on_disk(w, world->path);
    anax_trace_free(world->trace);
    assert_int_equal(anax_trace_open(&world->trace, world->path, world->config, NULL, NULL),
                     ANAX_OK);
    expect_words(anax_trace_warnings(world->trace), (const char *const[]){"(longest in MPI_Wait)"},
                 1);
}

/* A rank writes at once and, with a wait, later, which is 60 of 100 us in MPI, and exchanges
 * messages, whose requests have the numbers that those of files had. */
static void write_and_send(struct build_world *w, uint32_t rank, uint32_t file) {
    int64_t now_ps = 0;
    static const char *const names[] = {"MPI_File_write_at", "MPI_File_iwrite_at", "MPI_Wait",
                                        "MPI_Isend",         "MPI_Wait",           "MPI_Recv"};
    for (unsigned i = 0; i < 6; i++) {
        const uint64_t request = i == 0 ? BUILDER_NO_REQUEST : 7;
        w->region = builder_define_region(w->builder, names[i], true);
        BUILD_OK(builder_call(w->builder, rank, w->region, i, now_ps, &w->status));
        if (i < 2)
            BUILD_OK(builder_access_file(w->builder, rank, file, i, 8, OPERATION_FLAG_FILE_WRITE,
                                         request, &w->status));
        if (i == 3) build_isend(w, rank, 1 - rank, 0, 8, request);
        if (i == 2 || i == 4) build_wait(w, rank, request);
        if (i == 5) build_irecv(w, rank, 1 - rank, 0, 8, BUILDER_NO_REQUEST);
        now_ps += i < 3 ? 20000000 : 40000000 / 3;
        if (i == 0 || i == 5) BUILD_OK(builder_wait_call(w->builder, rank, &w->status));
        BUILD_OK(builder_return(w->builder, rank, now_ps, false, &w->status));
    }
}

/* Without I/O nodes accesses are in the list of what is not modelled, and they and their waits in
 * the warnings; with I/O nodes in neither. A replay says so and a trace, whose machine has or has
 * no I/O nodes. */
static void accesses_without_io_nodes_are_not_modelled(void **state) {
    struct world *world = *state;
    struct build_world build = build_world_new(2), *w = &build;
    const uint32_t file = builder_define_file(w->builder, "out");
    for (uint32_t rank = 0; rank < 2; rank++)
        write_and_send(w, rank, file);
    build_on_disk(w, world->path);
    for (unsigned with = 0; with < 2; with++) {
        api_set(world->config, "io.nodes", with ? "2" : "0");
        anax_trace_free(world->trace);
        assert_int_equal(anax_trace_open(&world->trace, world->path, world->config, NULL, NULL),
                         ANAX_OK);
        anax_replay_result *result = replayed(world, NULL);
        char *texts[] = {anax_trace_warnings(world->trace), anax_replay_result_warnings(result),
                         anax_trace_json(world->trace),     anax_replay_result_json(result),
                         anax_trace_text(world->trace),     anax_replay_result_text(result)};
        for (unsigned i = 0; i < 6; i++) {
            static const char *const words[][2] = {
                {"40.0 % of the MPI calls (4 of 10, most often MPI_File_",
                 "60.0 % of the recorded"},
                {"\"what\":\"reads and writes of files\"",
                 "io.nodes, io.share): they take no time"},
                {"reads and writes of files 4", "no I/O nodes (io.nodes, io.share)"}};
            for (unsigned k = 0; k < 2; k++)
                if ((strstr(texts[i], words[i / 2][k]) != NULL) == with)
                    fail_msg("%s I/O nodes: \"%s\" %s in %s", with ? "with" : "without",
                             words[i / 2][k], with ? "is" : "is not", texts[i]);
            anax_text_free(texts[i]);
        }
        anax_replay_result_free(result);
    }
}

/* A comparison warns of files unless all of its candidates have I/O nodes. */
static void comparisons_warn_unless_all_machines_have_io_nodes(void **state) {
    struct world *world = *state;
    static const struct {
        const char *factor;
        bool is_told;
    } cases[] = {{"io.nodes=0,2", true}, {"io.nodes=1,2", false}};
    for (size_t i = 0; i < 2; i++) {
        const anax_config *machines[] = {world->config};
        const anax_trace *traces[] = {world->trace};
        anax_compare_plan plan = ANAX_COMPARE_PLAN_INIT;
        anax_comparison *comparison = NULL;
        anax_error error = ANAX_ERROR_INIT;
        plan.machines = machines;
        plan.machine_count = 1;
        plan.traces = traces;
        plan.trace_count = 1;
        plan.factors = &cases[i].factor;
        plan.factor_count = 1;
        plan.seeds = 1;
        if (anax_compare(&comparison, &plan, NULL, &error) != ANAX_OK) fail_msg("%s", error.text);
        char *text = anax_comparison_text(comparison);
        assert_non_null(text);
        assert_int_equal(strstr(text, "most often MPI_File_write_at") != NULL, cases[i].is_told);
        anax_text_free(text);
        anax_comparison_free(comparison);
    }
}

/* Four files with a write of 3 MiB each, and no read. */
static void texts_of_traces_count_accesses_to_files(void **state) {
    struct world *world = *state;
    char *text = anax_trace_text(world->trace);
    assert_non_null(text);
    const char *reads = strstr(text, "reads of files"), *writes = strstr(text, "writes of files");
    assert_non_null(reads);
    assert_non_null(writes);
    assert_int_equal(
        strncmp(reads + strlen("reads of files") + strspn(reads + strlen("reads of files"), " "),
                "0, 0 B\n", 7),
        0);
    assert_int_equal(strncmp(writes + strlen("writes of files") +
                                 strspn(writes + strlen("writes of files"), " "),
                             "4, 12.00 MiB, 4 files\n", 22),
                     0);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(texts_of_traces_count_accesses_to_files, new_world,
                                        free_world),
        cmocka_unit_test_setup_teardown(placements_by_traffic_keep_accesses_to_files, new_world,
                                        free_world),
        cmocka_unit_test_setup_teardown(jobs_apart_take_as_long_as_alone, new_world, free_world),
        cmocka_unit_test_setup_teardown(io_nodes_have_names_wherever_ranks_have, new_world,
                                        free_world),
        cmocka_unit_test_setup_teardown(gains_end_at_the_work_of_an_io_node, new_world, free_world),
        cmocka_unit_test_setup_teardown(accesses_without_io_nodes_are_not_modelled, new_world,
                                        free_world),
        cmocka_unit_test_setup_teardown(comparisons_warn_unless_all_machines_have_io_nodes,
                                        new_world, free_world),
        cmocka_unit_test_setup_teardown(warnings_name_waits_that_are_not_modelled, new_world,
                                        free_world),
        cmocka_unit_test_setup_teardown(answers_belong_to_the_call_that_accesses_the_file,
                                        new_world, free_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
