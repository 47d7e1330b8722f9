/*
 * A run through the public interface: a configuration of kim-72, a generated trace, and a folder
 * that goes with them.
 *
 * Header only. Must not look behind anax.h.
 */
#ifndef ANAX_TESTS_API_WORLD_H
#define ANAX_TESTS_API_WORLD_H

#include "tests/support/core/scratch_folder.h"

#include <anax/anax.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct api_world {
    anax_config *config;
    anax_trace *trace;
    char folder[SCRATCH_FOLDER_BYTES];
    char points[64]; /* in the folder; not made yet */
};

/* For a cmocka setup: returns 0, and -1 when something failed. */
static inline int api_world_new(void **state, const char *pattern, const char *ranks,
                                const char *iterations) {
    struct api_world *world = calloc(1, sizeof *world);
    if (world == NULL) return -1;
    if (!scratch_folder_make(world->folder) || anax_config_new(&world->config, NULL) != ANAX_OK ||
        anax_config_machine(world->config, "kim-72", NULL) != ANAX_OK ||
        anax_config_set(world->config, "generate.ranks", ranks, NULL) != ANAX_OK ||
        anax_config_set(world->config, "generate.iterations", iterations, NULL) != ANAX_OK ||
        anax_trace_generate(&world->trace, pattern, world->config, NULL) != ANAX_OK)
        return -1;
    snprintf(world->points, sizeof world->points, "%s/a/points", world->folder);
    *state = world;
    return 0;
}

/* A cmocka teardown. */
static inline int api_world_free(void **state) {
    struct api_world *world = *state;
    anax_trace_free(world->trace);
    anax_config_free(world->config);
    int failed = scratch_folder_remove(world->folder);
    free(world);
    return failed;
}

/* Sets a setting. A value that is refused fails the test. */
static inline void api_set(anax_config *config, const char *name, const char *value) {
    anax_error error = ANAX_ERROR_INIT;
    if (anax_config_set(config, name, value, &error) != ANAX_OK) fail_msg("%s", error.text);
}

#endif
