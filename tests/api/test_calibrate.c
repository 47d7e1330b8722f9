/*
 * Calibrations from end to end: measurements that are made up from known settings give these
 * settings back, and replays on the machine that is written take what the calibration says.
 *
 * Ping-pongs are generated and replayed as a user would; streams are closed forms. Neither uses the
 * programs that the calibration itself replays.
 */
#include "tests/support/scratch_folder.h"

#include <anax/anax.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIZES = 24, WINDOW = 64, TRUTHS = 8 };

static uint64_t size_of(size_t i) {
    return i == 0 ? 0 : UINT64_C(1) << (i - 1);
}

struct truth {
    const char *name, *value;
};

static void set(anax_config *config, const char *name, const char *value) {
    anax_error error = ANAX_ERROR_INIT;
    if (anax_config_set(config, name, value, &error) != ANAX_OK) fail_msg("%s", error.text);
}

static anax_config *machine_of(const char *machine, const struct truth *truths) {
    anax_config *config = NULL;
    anax_error error = ANAX_ERROR_INIT;
    assert_int_equal(anax_config_new(&config, NULL), ANAX_OK);
    if (anax_config_machine(config, machine, &error) != ANAX_OK) fail_msg("%s", error.text);
    for (; truths != NULL && truths->name != NULL; truths++)
        set(config, truths->name, truths->value);
    return config;
}

static int64_t replayed_ps(anax_config *config, const char *iterations) {
    anax_trace *trace = NULL;
    anax_result *result = NULL;
    anax_error error = ANAX_ERROR_INIT;
    set(config, "generate.iterations", iterations);
    if (anax_trace_generate(&trace, "ping-pong", config, &error) != ANAX_OK ||
        anax_replay(&result, config, trace, NULL, &error) != ANAX_OK)
        fail_msg("%s", error.text);
    const int64_t time_ps = anax_result_time_ps(result);
    anax_result_free(result);
    anax_trace_free(trace);
    return time_ps;
}

/* One way, by a generated program, whose two ranks are on one router: what a round more takes. */
static int64_t ping_pong_ps(anax_config *config, uint64_t size_bytes) {
    char size[32];
    snprintf(size, sizeof size, "%lluB", (unsigned long long)size_bytes);
    set(config, "generate.size", size);
    set(config, "generate.ranks", "2");
    set(config, "generate.compute", "0");
    const int64_t round_ps = replayed_ps(config, "2") - replayed_ps(config, "1");
    assert_int_equal(round_ps % 2, 0);
    return round_ps / 2;
}

struct world {
    char folder[SCRATCH_FOLDER_BYTES];
    char *files[4];
    size_t count;
};

static int setup(void **state) {
    struct world *world = calloc(1, sizeof *world);
    *state = world;
    return world != NULL && scratch_folder_make(world->folder) ? 0 : -1;
}

static int teardown(void **state) {
    struct world *world = *state;
    int failed = scratch_folder_remove(world->folder);
    for (size_t i = 0; i < world->count; i++)
        free(world->files[i]);
    free(world);
    return failed;
}

static FILE *begin_file(struct world *world, const char *name) {
    const size_t size = strlen(world->folder) + strlen(name) + 2;
    char *path = malloc(size);
    assert_non_null(path);
    snprintf(path, size, "%s/%s", world->folder, name);
    world->files[world->count++] = path;
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    return file;
}

static void write_latency(struct world *world, anax_config *config) {
    FILE *file = begin_file(world, "osu_latency.txt");
    fputs("# OSU MPI Latency Test v7.5\n# Datatype: MPI_CHAR.\n# Size       Avg Latency(us)\n",
          file);
    for (size_t i = 0; i < SIZES; i++)
        fprintf(file, "%llu %.6f\n", (unsigned long long)size_of(i),
                (double)ping_pong_ps(config, size_of(i)) / 1e6);
    fclose(file);
}

/* A window of small messages one way: the larger overhead decides. */
static void write_stream(struct world *world, anax_config *config, double larger_ps) {
    FILE *file = begin_file(world, "osu_bw.txt");
    const double answer_ps = (double)ping_pong_ps(config, 4);
    fputs("# OSU MPI Bandwidth Test v5.9\n# Size      Bandwidth (MB/s)\n", file);
    for (size_t i = 1; i <= 8; i++) {
        const double window_ps =
            (double)ping_pong_ps(config, size_of(i)) + (WINDOW - 1) * larger_ps + answer_ps;
        fprintf(file, "%llu %.9f\n", (unsigned long long)size_of(i),
                (double)size_of(i) * WINDOW * 1e6 / window_ps);
    }
    fclose(file);
}

/* Both ways a rank has both overheads for each message. */
static void write_both_ways(struct world *world, double sum_ps) {
    FILE *file = begin_file(world, "osu_bibw.txt");
    fputs("# OSU MPI Bi-Directional Bandwidth Test v5.9\n# Size      Bandwidth (MB/s)\n", file);
    for (size_t i = 1; i <= 8; i++)
        fprintf(file, "%llu %.9f\n", (unsigned long long)size_of(i),
                2e6 * (double)size_of(i) / sum_ps);
    fclose(file);
}

static anax_calibration *calibrate(struct world *world, const anax_config *config) {
    anax_calibration *calibration = NULL;
    anax_error error = ANAX_ERROR_INIT;
    if (anax_calibrate(&calibration, config, (const char *const *)world->files, world->count, NULL,
                       &error) != ANAX_OK)
        fail_msg("%s", error.text);
    return calibration;
}

static void expect_settings(const anax_calibration *calibration, const struct truth *truths) {
    const anax_config *config = anax_calibration_config(calibration);
    for (; truths->name != NULL; truths++) {
        char *value = anax_config_get(config, truths->name);
        if (strcmp(value, truths->value) != 0) {
            char *text = anax_calibration_text(calibration);
            fail_msg("%s is %s, not %s, in\n%s%s", truths->name, value, truths->value, text,
                     anax_calibration_warnings(calibration));
        }
        anax_text_free(value);
    }
}

static void expect_warning(const anax_calibration *calibration, const char *words, bool wanted) {
    const char *warnings = anax_calibration_warnings(calibration);
    if ((strstr(warnings, words) != NULL) != wanted)
        fail_msg("`%s` is %s:\n%s", words, wanted ? "not in" : "in", warnings);
}

/* The number after a key of the JSON, from a place on; moves the place. */
static int64_t next_number(const char **place, const char *key) {
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    *place = strstr(*place, quoted);
    assert_non_null(*place);
    *place += strlen(quoted);
    return strtoll(*place, NULL, 10);
}

/* Writes the machine, takes it as a user does, and replays every size on it. */
static void expect_replays_as_modelled(const struct world *world,
                                       const anax_calibration *calibration) {
    char path[96];
    anax_error error = ANAX_ERROR_INIT;
    char *yaml = anax_calibration_machine(calibration), *json = anax_calibration_json(calibration);
    snprintf(path, sizeof path, "%s/mine.yaml", world->folder);
    if (anax_text_write(yaml, path, NULL, &error) != ANAX_OK) fail_msg("%s", error.text);
    anax_config *config = machine_of(path, NULL);
    const char *place = strstr(json, "\"kind\":\"ping-pong\"");
    assert_non_null(place);
    for (size_t i = 0; i < SIZES; i++) {
        const int64_t bytes = next_number(&place, "bytes");
        const int64_t modelled_ps = next_number(&place, "modelled_ps");
        assert_int_equal(bytes, size_of(i));
        assert_int_equal(ping_pong_ps(config, (uint64_t)bytes), modelled_ps);
    }
    anax_config_free(config);
    anax_text_free(yaml);
    anax_text_free(json);
}

/* Equal overheads without a latency of the NIC: a ping-pong determines all of it. */
static void test_a_ping_pong_gives_its_settings_back(void **state) {
    struct world *world = *state;
    static const struct truth truths[] = {
        {"mpi.eager_threshold", "8KiB"},
        {"mpi.send_overhead", "310ns/256B:420ns"},
        {"mpi.receive_overhead", "310ns/256B:420ns"},
        {"mpi.eager_send_copy_per_kib", "0/256B:90ns"},
        {"mpi.eager_receive_copy_per_kib", "0/256B:90ns"},
        {"mpi.rendezvous_send_overhead", "0/8193B:700ns"},
        {"mpi.rendezvous_receive_overhead", "0/8193B:700ns"},
        {"mpi.send_overhead_per_kib", "0/8193B:15ns"},
        {"mpi.receive_overhead_per_kib", "0/8193B:15ns"},
        {NULL, NULL},
    };
    anax_config *config = machine_of("kim-72", truths), *given = machine_of("kim-72", NULL);
    write_latency(world, config);
    anax_calibration *calibration = calibrate(world, given);
    expect_settings(calibration, truths);
    expect_warning(calibration, "a ping-pong tells only their sum", true);
    expect_warning(calibration, "mpi.eager_threshold: taken to be", true);
    expect_warning(calibration, "% off", false);
    expect_replays_as_modelled(world, calibration);
    anax_calibration_free(calibration);
    /* a known threshold is not looked for */
    set(given, "mpi.eager_threshold", "8KiB");
    calibration = calibrate(world, given);
    expect_settings(calibration, truths);
    expect_warning(calibration, "mpi.eager_threshold", false);
    anax_calibration_free(calibration);
    anax_config_free(given);
    anax_config_free(config);
}

/* With a stream the latency of NICs is told from overheads. */
static void test_a_stream_tells_latency_from_overheads(void **state) {
    struct world *world = *state;
    static const struct truth truths[] = {
        {"mpi.eager_threshold", "4KiB"},
        {"mpi.send_overhead", "200ns"},
        {"mpi.receive_overhead", "200ns"},
        {"network.nic.send_latency", "260ns"},
        {"network.nic.receive_latency", "260ns"},
        {"mpi.eager_send_copy_per_kib", "0/512B:40ns"},
        {"mpi.eager_receive_copy_per_kib", "0/512B:40ns"},
        {"mpi.rendezvous_send_overhead", "0/4097B:350ns"},
        {"mpi.rendezvous_receive_overhead", "0/4097B:350ns"},
        {NULL, NULL},
    };
    anax_config *config = machine_of("kim-72", truths), *given = machine_of("kim-72", NULL);
    write_latency(world, config);
    write_stream(world, config, 200e3);
    anax_calibration *calibration = calibrate(world, given);
    expect_settings(calibration, truths);
    expect_warning(calibration, "a stream tells the larger of them only", true);
    expect_replays_as_modelled(world, calibration);
    anax_calibration_free(calibration);
    anax_config_free(given);
    anax_config_free(config);
}

/* Streams one way and both ways tell both overheads, but not which is whose. */
static void test_streams_both_ways_tell_both_overheads(void **state) {
    struct world *world = *state;
    static const struct truth truths[] = {
        {"mpi.send_overhead", "180ns"},
        {"mpi.receive_overhead", "320ns"},
        {"network.nic.send_latency", "150ns"},
        {"network.nic.receive_latency", "150ns"},
        {NULL, NULL},
    };
    anax_config *config = machine_of("kim-72", truths), *given = machine_of("kim-72", NULL);
    write_latency(world, config);
    write_stream(world, config, 320e3);
    write_both_ways(world, 500e3);
    anax_calibration *calibration = calibrate(world, given);
    expect_settings(calibration, truths);
    expect_warning(calibration, "do not tell which of the two is the larger one", true);
    expect_replays_as_modelled(world, calibration);
    anax_calibration_free(calibration);
    anax_config_free(given);
    anax_config_free(config);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_ping_pong_gives_its_settings_back, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_stream_tells_latency_from_overheads, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_streams_both_ways_tell_both_overheads, setup,
                                        teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
