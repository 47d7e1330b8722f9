/*
 * Warnings that much of a trace is not modelled: in texts, JSON and through the interface; and that
 * what is guessed instead can be replayed.
 */
#include "tests/support/api/api_world.h"
#include "tests/support/api/table_world.h"
#include "tests/support/core/scratch_folder.h"
#include "tests/support/traces/archive_world.h"

#include <anax/anax.h>

#include <stdio.h>

/* So many calls without a record, of `each_ns`, beside recorded ones of a microsecond. */
static struct archive_maker *calls_of(const char *name, uint64_t unrecorded, uint64_t each_ns,
                                      uint64_t recorded) {
    struct archive_maker *maker = archive_of_two();
    for (uint32_t rank = 0; rank < 2; rank++) {
        OTF2_EvtWriter *events = maker_events(maker, rank, 0);
        uint64_t now = 0;
        for (uint64_t i = 0; i < unrecorded; i++, now += each_ns)
            maker_call(maker, events, now, now + each_ns, name);
        for (uint64_t i = 0; i < recorded; i++, now += 1000) {
            maker_enter(maker, events, now, "MPI_Bcast");
            OTF2_EvtWriter_MpiCollectiveEnd(events, NULL, now, OTF2_COLLECTIVE_OP_BCAST,
                                            MAKER_WORLD, 0, rank == 0 ? 16 : 0, 8);
            maker_leave(maker, events, now + 1000, "MPI_Bcast");
        }
    }
    return maker;
}

/* `sent` messages, of which so many are received. */
static struct archive_maker *messages(uint32_t sent, uint32_t received) {
    struct archive_maker *maker = archive_of_two();
    for (uint32_t i = 0; i < sent; i++)
        archive_send(maker, 0, "MPI_Send", 1, MAKER_WORLD, 10 * i);
    for (uint32_t i = 0; i < received; i++)
        archive_receive(maker, 1, "MPI_Recv", 0, MAKER_WORLD, 100, 10 * i);
    return maker;
}

static anax_trace *opened(const char *path, const anax_config *config) {
    anax_error error = ANAX_ERROR_INIT;
    anax_trace *trace = NULL;
    if (anax_trace_open(&trace, path, config, NULL, &error) != ANAX_OK) fail_msg("%s", error.text);
    return trace;
}

static void expect_in(char *text, const char *part) {
    assert_non_null(text);
    if (strstr(text, part) == NULL) fail_msg("no \"%s\" in %s", part, text);
    anax_text_free(text);
}

/* The words are in the text, whose lines may break between them. */
static void expect_words_in(char *text, const char *words) {
    assert_non_null(text);
    for (char *c = text; *c != '\0'; c++)
        if (*c == '\n') *c = ' ';
    expect_in(text, words);
}

/* The words are in the only warning; NULL: there is none. what: its name in JSON. */
static void expect_warning(struct archive_maker *maker, const char *what, const char *words) {
    anax_trace *trace = opened(maker_finish(maker), NULL);
    char *warnings = anax_trace_warnings(trace);
    assert_non_null(warnings);
    if (words == NULL) {
        assert_string_equal(warnings, "");
        expect_in(anax_trace_json(trace), "\"warnings\":[\n  ]");
    } else {
        if (strncmp(warnings, words, strlen(words)) != 0) fail_msg("%s", warnings);
        assert_ptr_equal(strchr(warnings, '\n') + 1, strchr(warnings, '\0'));
        expect_in(anax_trace_text(trace), "\nWarning: ");
        expect_words_in(anax_trace_text(trace), words);
        char key[128];
        snprintf(key, sizeof key, "\"what\":\"%s\"", what);
        expect_in(anax_trace_json(trace), key);
    }
    anax_text_free(warnings);
    anax_trace_free(trace);
    maker_free(maker);
}

static void warnings_begin_at_a_tenth_of_the_calls(void **state) {
    (void)state;
    expect_warning(messages(9, 9), NULL, NULL);
    expect_warning(messages(6, 5), NULL, NULL); /* 1 of 11 */
    expect_warning(messages(11, 9), "unmatched messages",
                   "10.0 % of the sends and receives (2 of 20) have no partner in the trace");
    expect_warning(calls_of("MPI_File_write", 1, 1, 10), NULL, NULL);
    expect_warning(calls_of("MPI_File_write", 1, 1, 9), "calls that are not modelled",
                   "10.0 % of the MPI calls (2 of 20, most often MPI_File_write) are not modelled");
    expect_warning(calls_of("MPI_File_write", 1, 1100, 10), NULL, NULL);
    expect_warning(calls_of("MPI_File_write", 1, 1200, 10), "time in calls that are not modelled",
                   "10.7 % of the recorded time in MPI (longest in MPI_File_write)");
    /* Making communicators is waiting for who starts last. */
    expect_warning(calls_of("MPI_Comm_split", 1, 1000000, 20), NULL, NULL);
    /* Calls that have no effect on others are none of them. */
    expect_warning(calls_of("MPI_Comm_rank", 100, 1000, 1), NULL, NULL);
    expect_warning(calls_of("MPI_Init", 1, 1000000, 1), NULL, NULL);
}

/* The same share of collectives is told of where there are many other calls. */
static void collectives_are_a_kind_of_their_own(void **state) {
    (void)state;
    struct archive_maker *maker = archive_of_two();
    for (uint32_t i = 0; i < 20; i++) {
        archive_send(maker, 0, "MPI_Send", 1, MAKER_WORLD, 10 * i);
        archive_receive(maker, 1, "MPI_Recv", 0, MAKER_WORLD, 100, 10 * i);
    }
    for (uint32_t rank = 0; rank < 2; rank++)
        maker_call(maker, maker_events(maker, rank, 0), 500, 500, "MPI_Iallreduce");
    expect_warning(maker, "collectives that are not modelled",
                   "100.0 % of the collectives (2 of 2) are not modelled "
                   "(trace.guess_collectives guesses non-blocking ones)");
}

static anax_config *kim_72(void) {
    anax_config *config = NULL;
    assert_int_equal(anax_config_new(&config, NULL), ANAX_OK);
    assert_int_equal(anax_config_machine(config, "kim-72", NULL), ANAX_OK);
    return config;
}

/* Results and program files say it, and of several jobs which one. */
static void results_and_program_files_carry_the_warning(void **state) {
    (void)state;
    char folder[SCRATCH_FOLDER_BYTES], file[SCRATCH_FOLDER_BYTES + 8];
    assert_true(scratch_folder_make(folder));
    snprintf(file, sizeof file, "%s/a.anax", folder);
    struct archive_maker *maker = calls_of("MPI_File_write", 1, 1, 9);
    anax_trace *trace = opened(maker_finish(maker), NULL);
    assert_int_equal(anax_trace_write_program(trace, file, NULL, NULL), ANAX_OK);
    anax_trace_free(trace);
    maker_free(maker);
    anax_config *config = kim_72();
    trace = opened(file, config);
    anax_replay_result *result = NULL;
    assert_int_equal(anax_replay(&result, config, trace, NULL, NULL), ANAX_OK);
    static const char words[] = "10.0 % of the MPI calls (2 of 20, most often MPI_File_write)";
    expect_in(anax_replay_result_warnings(result), words);
    expect_in(anax_replay_result_text(result), words);
    expect_in(anax_replay_result_json(result), "\"share\":0.1,");
    anax_replay_result_free(result);
    anax_jobs *jobs = NULL;
    assert_int_equal(anax_jobs_new(&jobs, NULL), ANAX_OK);
    maker = messages(1, 1);
    assert_int_equal(anax_jobs_add(jobs, maker_finish(maker), config, NULL, NULL), ANAX_OK);
    assert_int_equal(anax_jobs_add(jobs, file, config, NULL, NULL), ANAX_OK);
    assert_int_equal(anax_jobs_replay(&result, config, jobs, NULL, NULL), ANAX_OK);
    char *warnings = anax_replay_result_warnings(result);
    assert_non_null(warnings);
    assert_int_equal(strncmp(warnings, "job a: 10.0 %", 13), 0);
    anax_text_free(warnings);
    expect_in(anax_replay_result_json(result), "\"job\":1,\n      \"what\"");
    anax_replay_result_free(result);
    anax_jobs_free(jobs);
    maker_free(maker);
    anax_trace_free(trace);
    anax_config_free(config);
    assert_int_equal(scratch_folder_remove(folder), 0);
}

/* 16 messages at once pass a memory that carries one after another in the model's place. The
 * warning names what it needs, and comes neither of one message after another nor of other nodes.
 */
static void messages_within_nodes_beyond_their_memory_are_told(void **state) {
    (void)state;
    const struct {
        const char *window, *per_node, *bandwidth;
        bool is_told;
    } cases[] = {{"16", "2", "20GB/s", true},
                 {"16", "1", "20GB/s", false},
                 {"1", "2", "20GB/s", false},
                 {"16", "2", "10TB/s", false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        anax_config *config = kim_72();
        anax_trace *trace = NULL;
        anax_replay_result *result = NULL;
        anax_error error = ANAX_ERROR_INIT;
        api_set(config, "generate.ranks", "2");
        api_set(config, "generate.compute", "0");
        api_set(config, "generate.size", "1MiB");
        api_set(config, "generate.window", cases[i].window);
        api_set(config, "placement.ranks_per_node", cases[i].per_node);
        api_set(config, "network.memory.bandwidth", cases[i].bandwidth);
        if (anax_trace_generate(&trace, "stream", config, &error) != ANAX_OK ||
            anax_replay(&result, config, trace, NULL, &error) != ANAX_OK)
            fail_msg("%s", error.text);
        if (!cases[i].is_told) {
            char *warnings = anax_replay_result_warnings(result);
            assert_string_equal(warnings, "");
            anax_text_free(warnings);
        } else {
            static const char words[] =
                "the messages within node 0 have 160.0 MiB, for which its memory needs 14.";
            const double needed_ps = 160.0 * (1 << 20) / 20e9 * 1e12;
            assert_true(needed_ps > 14 * (double)time_of(result) &&
                        needed_ps < 15 * (double)time_of(result));
            expect_in(anax_replay_result_warnings(result), words);
            expect_words_in(anax_replay_result_text(result), words);
            expect_in(anax_replay_result_json(result), "\"what\":\"messages within nodes\"");
        }
        anax_replay_result_free(result);
        anax_trace_free(trace);
        anax_config_free(config);
    }
}

/* All kinds at once, on all ranks, in every order; nothing is left to warn of. */
static void guesses_are_replayed(void **state) {
    (void)state;
    static const char *const names[] = {"MPI_Ibarrier",
                                        "MPI_Ibcast",
                                        "MPI_Igather",
                                        "MPI_Igatherv",
                                        "MPI_Iscatter",
                                        "MPI_Iscatterv",
                                        "MPI_Iallgather",
                                        "MPI_Iallgatherv",
                                        "MPI_Ialltoall",
                                        "MPI_Ialltoallv",
                                        "MPI_Ialltoallw",
                                        "MPI_Iallreduce",
                                        "MPI_Ireduce",
                                        "MPI_Iscan",
                                        "MPI_Iexscan",
                                        "MPI_Ireduce_scatter",
                                        "MPI_Ireduce_scatter_block"};
    enum { NAMES = sizeof names / sizeof names[0], RANKS = 7 };
    struct archive_maker *maker = maker_new(RANKS, 1, 1000000000, 0, true);
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        OTF2_EvtWriter *events = maker_events(maker, rank, 0);
        for (uint64_t i = 0; i < NAMES; i++)
            maker_call(maker, events, 10 * i, 10 * i + 1, names[i]);
        for (uint64_t i = 0; i < NAMES; i++)
            maker_call(maker, events, 1000 + 10 * i, 1001 + 10 * i, "MPI_Wait");
    }
    static const char *const values[] = {"0", "8B", "1MiB"};
    int64_t before_ps = 0;
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        anax_error error = ANAX_ERROR_INIT;
        anax_config *config = kim_72();
        anax_replay_result *result = NULL;
        assert_int_equal(anax_config_set(config, "trace.guess_collectives", "world", NULL),
                         ANAX_OK);
        assert_int_equal(anax_config_set(config, "trace.guess_bytes", values[i], NULL), ANAX_OK);
        anax_trace *trace = opened(maker_finish(maker), config);
        if (anax_replay(&result, config, trace, NULL, &error) != ANAX_OK)
            fail_msg("%s", error.text);
        char *warnings = anax_replay_result_warnings(result);
        assert_string_equal(warnings, "");
        anax_text_free(warnings);
        if (i == 2) assert_true(time_of(result) > 10 * before_ps);
        before_ps = time_of(result);
        assert_true(before_ps > 0);
        anax_replay_result_free(result);
        anax_trace_free(trace);
        anax_config_free(config);
    }
    maker_free(maker);
}

/* A program file holds nothing to guess from. */
static void program_files_refuse_guesses(void **state) {
    (void)state;
    char folder[SCRATCH_FOLDER_BYTES], file[SCRATCH_FOLDER_BYTES + 8];
    assert_true(scratch_folder_make(folder));
    for (int i = 0; i < 2; i++) {
        snprintf(file, sizeof file, "%s/%d.anax", folder, i);
        struct archive_maker *maker =
            calls_of(i == 0 ? "MPI_Iallreduce" : "MPI_Comm_rank", 1, 1, 1);
        anax_trace *trace = opened(maker_finish(maker), NULL);
        assert_int_equal(anax_trace_write_program(trace, file, NULL, NULL), ANAX_OK);
        anax_trace_free(trace);
        maker_free(maker);
        anax_config *config = kim_72();
        anax_error error = ANAX_ERROR_INIT;
        assert_int_equal(anax_config_set(config, "trace.guess_collectives", "last", NULL), ANAX_OK);
        anax_code code = anax_trace_open(&trace, file, config, NULL, &error);
        assert_int_equal(code, i == 0 ? ANAX_ERROR_USAGE : ANAX_OK);
        if (i == 0) assert_non_null(strstr(error.text, "make it again from the archive"));
        anax_error_clear(&error);
        anax_trace_free(trace);
        anax_config_free(config);
    }
    assert_int_equal(scratch_folder_remove(folder), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(warnings_begin_at_a_tenth_of_the_calls),
        cmocka_unit_test(collectives_are_a_kind_of_their_own),
        cmocka_unit_test(results_and_program_files_carry_the_warning),
        cmocka_unit_test(messages_within_nodes_beyond_their_memory_are_told),
        cmocka_unit_test(guesses_are_replayed),
        cmocka_unit_test(program_files_refuse_guesses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
