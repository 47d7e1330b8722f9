/*
 * A predicted timeline holds what is not modelled too: its calls, and what results say of them.
 * Replayed, it says the same.
 */
#include "tests/support/api/table_world.h"
#include "tests/support/core/scratch_folder.h"
#include "tests/support/traces/archive_world.h"

#include <anax/anax.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Two ranks that call nothing of which the trace has records. */
static struct archive_maker *nothing_recorded(void) {
    static const char *const calls[] = {"MPI_Init",       "MPI_Cart_create",
                                        "MPI_Comm_rank",  "MPI_Iallreduce",
                                        "MPI_Iallreduce", "MPI_Wait",
                                        "MPI_Wait",       "MPI_Wait",
                                        "MPI_File_open",  "MPI_File_iwrite",
                                        "MPI_Ibarrier",   "MPI_Waitall",
                                        "MPI_Waitall",    "MPI_Neighbor_alltoall",
                                        "MPI_Test",       "MPI_Finalize"};
    struct archive_maker *maker = archive_of_two();
    for (uint32_t rank = 0; rank < 2; rank++)
        for (uint64_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
            maker_call(maker, maker_events(maker, rank, 0), 100 * i, 100 * i + 50, calls[i]);
    return maker;
}

/* How often a rank calls it. */
static unsigned calls_of(const struct program *program, uint32_t rank, const char *name) {
    unsigned count = 0;
    const struct program_rank *rank_entry = &program->ranks[rank];
    for (uint64_t i = rank_entry->first; i < rank_entry->first + rank_entry->count; i++)
        if (program->operations[i].kind == OPERATION_CALL)
            count += strcmp(program_text(program,
                                         program->regions[program->operations[i].mark.region].name),
                            name) == 0;
    return count;
}

static void calls_stay_in_programs(void **state) {
    (void)state;
    struct program *program = archive_finish(nothing_recorded(), &(struct traces_config){0});
    static const struct {
        const char *name;
        unsigned calls;
    } kept[] = {{"MPI_Init", 1},
                {"MPI_Cart_create", 1},
                {"MPI_Comm_rank", 0}, /* without effect on others */
                {"MPI_Iallreduce", 2},
                {"MPI_Wait", 2}, /* the third has nothing to wait for */
                {"MPI_File_open", 1},
                {"MPI_File_iwrite", 1},
                {"MPI_Ibarrier", 1},
                {"MPI_Waitall", 1},
                {"MPI_Neighbor_alltoall", 1},
                {"MPI_Test", 0},
                {"MPI_Finalize", 1}};
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        for (uint32_t rank = 0; rank < 2; rank++)
            assert_int_equal(calls_of(program, rank, kept[i].name), kept[i].calls);
    assert_int_equal(archive_noted(program, "MPI_Iallreduce"), 4);
    assert_int_equal(archive_noted(program, "MPI_Wait"), 0);
    program_free(program);
}

/* Both lists of a result's JSON. */
static char *notes_of(const anax_replay_result *result) {
    char *json = anax_replay_result_json(result);
    assert_non_null(json);
    char *start = strstr(json, "\"not_modelled\""), *end = strstr(json, "\"assumed\"");
    assert_non_null(start);
    assert_non_null(end);
    end = strstr(end, "\n  ]");
    assert_non_null(end);
    char *notes = strndup(start, (size_t)(end - start));
    anax_text_free(json);
    return notes;
}

static anax_replay_result *replayed(const anax_config *config, const char *path,
                                    anax_trace **trace) {
    anax_error error = ANAX_ERROR_INIT;
    anax_options options = ANAX_OPTIONS_INIT;
    anax_replay_result *result = NULL;
    options.timeline = true;
    if (anax_trace_open(trace, path, config, NULL, &error) != ANAX_OK ||
        anax_replay(&result, config, *trace, &options, &error) != ANAX_OK)
        fail_msg("%s: %s", path, error.text);
    return result;
}

/* Replays a trace, its timeline, and the timeline of that. */
static void expect_same(const char *path) {
    char folder[SCRATCH_FOLDER_BYTES], timeline[SCRATCH_FOLDER_BYTES + 8];
    assert_true(scratch_folder_make(folder));
    anax_config *config = NULL;
    assert_int_equal(anax_config_new(&config, NULL), ANAX_OK);
    assert_int_equal(anax_config_machine(config, "kim-72", NULL), ANAX_OK);
    anax_trace *trace = NULL;
    anax_replay_result *result = replayed(config, path, &trace);
    char *notes = notes_of(result);
    int64_t time_ps = time_of(result);
    for (int i = 0; i < 2; i++) {
        snprintf(timeline, sizeof timeline, "%s/%d", folder, i);
        anax_error error = ANAX_ERROR_INIT;
        if (anax_replay_result_write_timeline(result, timeline, &error) != ANAX_OK)
            fail_msg("%s", error.text);
        anax_replay_result_free(result);
        anax_trace_free(trace);
        result = replayed(config, timeline, &trace);
        char *again = notes_of(result);
        assert_string_equal(again, notes);
        assert_int_equal(time_of(result), time_ps);
        free(again);
    }
    anax_replay_result_free(result);
    anax_trace_free(trace);
    free(notes);
    anax_config_free(config);
    assert_int_equal(scratch_folder_remove(folder), 0);
}

static void replayed_timelines_say_the_same(void **state) {
    (void)state;
    struct archive_maker *maker = nothing_recorded();
    expect_same(maker_finish(maker));
    maker_free(maker);
    /* What is assumed, and what the tracer left out. */
    maker = archive_of_two();
    OTF2_EvtWriter *events = maker_events(maker, 0, 0);
    for (uint32_t rank = 0; rank < 2; rank++) {
        events = maker_events(maker, rank, 0);
        maker_enter(maker, events, 1, "MPI_Allreduce");
        OTF2_EvtWriter_MpiCollectiveEnd(events, NULL, 2, OTF2_COLLECTIVE_OP_ALLREDUCE, MAKER_WORLD,
                                        OTF2_COLLECTIVE_ROOT_NONE, 64, 64);
        maker_leave(maker, events, 3, "MPI_Allreduce");
        OTF2_EvtWriter_MeasurementOnOff(events, NULL, 4, OTF2_MEASUREMENT_OFF);
        OTF2_EvtWriter_MeasurementOnOff(events, NULL, 9, OTF2_MEASUREMENT_ON);
    }
    expect_same(maker_finish(maker));
    maker_free(maker);
}

/* The value of a property follows its name in the anchor file. */
static void damaged_notes_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *property;
        char value;
    } cases[] = {{"ANAX::NOTES", '-'}, {"ANAX::NOTES", '9'}, {"ANAX::NOTE_0", '2'}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char folder[SCRATCH_FOLDER_BYTES], timeline[SCRATCH_FOLDER_BYTES + 8];
        char path[SCRATCH_FOLDER_BYTES + 32], bytes[8192];
        assert_true(scratch_folder_make(folder));
        snprintf(timeline, sizeof timeline, "%s/t", folder);
        snprintf(path, sizeof path, "%s/traces.otf2", timeline);
        struct archive_maker *maker = nothing_recorded();
        anax_config *config = NULL;
        assert_int_equal(anax_config_new(&config, NULL), ANAX_OK);
        assert_int_equal(anax_config_machine(config, "kim-72", NULL), ANAX_OK);
        anax_trace *trace = NULL;
        anax_replay_result *result = replayed(config, maker_finish(maker), &trace);
        maker_free(maker);
        assert_int_equal(anax_replay_result_write_timeline(result, timeline, NULL), ANAX_OK);
        anax_replay_result_free(result);
        anax_trace_free(trace);
        FILE *file = fopen(path, "r+b");
        assert_non_null(file);
        size_t size = fread(bytes, 1, sizeof bytes, file), place = 0;
        size_t length = strlen(cases[i].property) + 1;
        while (place + length < size && memcmp(bytes + place, cases[i].property, length) != 0)
            place++;
        assert_true(place + length < size);
        assert_int_equal(fseek(file, (long)(place + length), SEEK_SET), 0);
        fputc(cases[i].value, file);
        fclose(file);
        anax_error error = ANAX_ERROR_INIT;
        assert_int_equal(anax_trace_open(&trace, path, config, NULL, &error), ANAX_ERROR_INPUT);
        assert_non_null(strstr(error.text, "traces.otf2: its property ANAX::NOTE"));
        anax_error_clear(&error);
        anax_config_free(config);
        assert_int_equal(scratch_folder_remove(folder), 0);
    }
}

static void timelines_of_bundled_archives_say_the_same(void **state) {
    (void)state;
    expect_same(ANAX_SOURCE_DIR "/tests/data/otf2/sp_cancel_8");
    expect_same(ANAX_SOURCE_DIR "/tests/data/otf2/sp_rma_8");
    expect_same(ANAX_SOURCE_DIR "/tests/data/otf2/sp_halo2d-noxnb_8");
}

/* Other tools, and reads and writes of files. */
static void timelines_of_shared_archives_say_the_same(void **state) {
    (void)state;
    static const char *const names[] = {"found/d_comm_topo", "public/tracer-stencil4d-32",
                                        "recorded/sp_mpiio_8"};
    if (access(ANAX_SHARED "/traces", R_OK) != 0) skip();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/traces/%s", ANAX_SHARED, names[i]);
        expect_same(path);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_stay_in_programs),
        cmocka_unit_test(replayed_timelines_say_the_same),
        cmocka_unit_test(damaged_notes_are_refused),
        cmocka_unit_test(timelines_of_bundled_archives_say_the_same),
        cmocka_unit_test(timelines_of_shared_archives_say_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
