/*
 * Measurements that are made up from known settings, and what a calibration finds in them.
 * Ping-pongs are generated and replayed as a user would; streams are closed forms, or generated as
 * well.
 */
#ifndef ANAX_TESTS_CALIBRATE_WORLD_H
#define ANAX_TESTS_CALIBRATE_WORLD_H

#include "tests/support/api/api_world.h"

#include <anax/anax.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZES = 24, WINDOW = 64, TRUTHS = 8 };

static inline uint64_t size_of(size_t i) {
    return i == 0 ? 0 : UINT64_C(1) << (i - 1);
}

struct truth {
    const char *name, *value;
};

static inline anax_config *machine_of(const char *machine, const struct truth *truths) {
    anax_config *config = NULL;
    anax_error error = ANAX_ERROR_INIT;
    assert_int_equal(anax_config_new(&config, NULL), ANAX_OK);
    if (anax_config_machine(config, machine, &error) != ANAX_OK) fail_msg("%s", error.text);
    for (; truths != NULL && truths->name != NULL; truths++)
        api_set(config, truths->name, truths->value);
    return config;
}

static inline int64_t pattern_ps(anax_config *config, const char *pattern, const char *iterations) {
    anax_trace *trace = NULL;
    anax_replay_result *result = NULL;
    anax_error error = ANAX_ERROR_INIT;
    api_set(config, "generate.iterations", iterations);
    if (anax_trace_generate(&trace, pattern, config, &error) != ANAX_OK ||
        anax_replay(&result, config, trace, NULL, &error) != ANAX_OK)
        fail_msg("%s", error.text);
    int64_t time_ps = 0;
    assert_int_equal(anax_replay_result_time_ps(&time_ps, result, &error), ANAX_OK);
    anax_replay_result_free(result);
    anax_trace_free(trace);
    return time_ps;
}

/* One way, by a generated program, whose two ranks are on one router: what a round more takes. */
static inline int64_t ping_pong_ps(anax_config *config, uint64_t size_bytes) {
    char size[32];
    snprintf(size, sizeof size, "%lluB", (unsigned long long)size_bytes);
    api_set(config, "generate.size", size);
    api_set(config, "generate.ranks", "2");
    api_set(config, "generate.compute", "0");
    const int64_t round_ps =
        pattern_ps(config, "ping-pong", "2") - pattern_ps(config, "ping-pong", "1");
    assert_int_equal(round_ps % 2, 0);
    return round_ps / 2;
}

/* A message of a window, by a generated program: what a window more takes. */
static inline double stream_ps(anax_config *config, uint64_t size_bytes) {
    char size[32], window[16];
    snprintf(size, sizeof size, "%lluB", (unsigned long long)size_bytes);
    snprintf(window, sizeof window, "%d", WINDOW);
    api_set(config, "generate.size", size);
    api_set(config, "generate.ranks", "2");
    api_set(config, "generate.compute", "0");
    api_set(config, "generate.window", window);
    return (double)(pattern_ps(config, "stream", "2") - pattern_ps(config, "stream", "1")) / WINDOW;
}

struct world {
    char folder[SCRATCH_FOLDER_BYTES];
    char *files[4];
    size_t count;
};

static inline int setup(void **state) {
    struct world *world = calloc(1, sizeof *world);
    *state = world;
    return world != NULL && scratch_folder_make(world->folder) ? 0 : -1;
}

static inline int teardown(void **state) {
    struct world *world = *state;
    int failed = scratch_folder_remove(world->folder);
    for (size_t i = 0; i < world->count; i++)
        free(world->files[i]);
    free(world);
    return failed;
}

static inline FILE *begin_file(struct world *world, const char *name) {
    const size_t size = strlen(world->folder) + strlen(name) + 2;
    char *path = malloc(size);
    assert_non_null(path);
    snprintf(path, size, "%s/%s", world->folder, name);
    world->files[world->count++] = path;
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    return file;
}

static inline void write_latency(struct world *world, anax_config *config) {
    FILE *file = begin_file(world, "osu_latency.txt");
    fputs("# OSU MPI Latency Test v7.5\n# Datatype: MPI_CHAR.\n# Size       Avg Latency(us)\n",
          file);
    for (size_t i = 0; i < SIZES; i++)
        fprintf(file, "%llu %.6f\n", (unsigned long long)size_of(i),
                (double)ping_pong_ps(config, size_of(i)) / 1e6);
    fclose(file);
}

/* A window of small messages one way: the larger overhead decides. */
static inline void write_stream(struct world *world, anax_config *config, double larger_ps) {
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

/* A window of messages of all sizes, replayed: large ones are limited by the network. */
static inline void write_replayed_stream(struct world *world, anax_config *config, size_t sizes) {
    FILE *file = begin_file(world, "osu_bw.txt");
    fputs("# OSU MPI Bandwidth Test v5.9\n# Size      Bandwidth (MB/s)\n", file);
    for (size_t i = 1; i <= sizes; i++)
        fprintf(file, "%llu %.9f\n", (unsigned long long)size_of(i),
                1e6 * (double)size_of(i) / stream_ps(config, size_of(i)));
    fclose(file);
}

/* Both ways a rank has both overheads for each message. */
static inline void write_both_ways(struct world *world, double sum_ps) {
    FILE *file = begin_file(world, "osu_bibw.txt");
    fputs("# OSU MPI Bi-Directional Bandwidth Test v5.9\n# Size      Bandwidth (MB/s)\n", file);
    for (size_t i = 1; i <= 8; i++)
        fprintf(file, "%llu %.9f\n", (unsigned long long)size_of(i),
                2e6 * (double)size_of(i) / sum_ps);
    fclose(file);
}

static inline anax_calibration *calibrate(struct world *world, const anax_config *config) {
    anax_calibration *calibration = NULL;
    anax_error error = ANAX_ERROR_INIT;
    const anax_calibrate_plan plan = {sizeof plan, config, (const char *const *)world->files,
                                      world->count};
    if (anax_calibrate(&calibration, &plan, NULL, &error) != ANAX_OK) fail_msg("%s", error.text);
    return calibration;
}

/* Returns the value of a setting, which the caller frees. */
static inline char *value_of(const anax_config *config, const char *name) {
    char *value = NULL;
    assert_int_equal(anax_config_get(&value, config, name, NULL), ANAX_OK);
    return value;
}

static inline void expect_settings(const anax_calibration *calibration,
                                   const struct truth *truths) {
    const anax_config *config = anax_calibration_config(calibration);
    for (; truths->name != NULL; truths++) {
        char *value = value_of(config, truths->name);
        if (strcmp(value, truths->value) != 0) {
            char *text = anax_calibration_text(calibration);
            fail_msg("%s is %s, not %s, in\n%s%s", truths->name, value, truths->value, text,
                     anax_calibration_warnings(calibration));
        }
        anax_text_free(value);
    }
}

static inline void expect_warning(const anax_calibration *calibration, const char *words,
                                  bool wanted) {
    char *warnings = anax_calibration_warnings(calibration);
    if ((strstr(warnings, words) != NULL) != wanted)
        fail_msg("`%s` is %s:\n%s", words, wanted ? "not in" : "in", warnings);
    anax_text_free(warnings);
}

/* The number after a key of the JSON, from a place on; moves the place. */
static inline int64_t next_number(const char **place, const char *key) {
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    *place = strstr(*place, quoted);
    assert_non_null(*place);
    *place += strlen(quoted);
    return strtoll(*place, NULL, 10);
}

/* Writes the machine, takes it as a user does, and replays every size on it. */
static inline void expect_replays_as_modelled_with(const struct world *world,
                                                   const anax_calibration *calibration,
                                                   const struct truth *placed) {
    char path[96];
    anax_error error = ANAX_ERROR_INIT;
    char *yaml = anax_calibration_machine_yaml(calibration),
         *json = anax_calibration_json(calibration);
    snprintf(path, sizeof path, "%s/mine.yaml", world->folder);
    if (anax_text_write(yaml, path, NULL, &error) != ANAX_OK) fail_msg("%s", error.text);
    anax_config *config = machine_of(path, placed);
    const char *place = strstr(json, "\"kind\":\"ping-pong\"");
    assert_non_null(place);
    for (size_t i = 0; i < SIZES; i++) {
        const int64_t bytes = next_number(&place, "bytes");
        const int64_t modelled_ps = next_number(&place, "modelled_ps");
        assert_int_equal(bytes, size_of(i));
        assert_int_equal(ping_pong_ps(config, (uint64_t)bytes), modelled_ps);
    }
    anax_config_free(config);
    assert_int_equal(remove(path), 0);
    anax_text_free(yaml);
    anax_text_free(json);
}

static inline void expect_replays_as_modelled(const struct world *world,
                                              const anax_calibration *calibration) {
    expect_replays_as_modelled_with(world, calibration, NULL);
}

#endif
