/*
 * A run that is stopped with a checkpoint after every so many windows, and goes on from it in a new
 * simulation each time: everything that was not saved is lost in between.
 *
 * Header only, like the other worlds. Invariant: one simulation exists at a time.
 */
#ifndef ANAX_TESTS_CHECKPOINT_WORLD_H
#define ANAX_TESTS_CHECKPOINT_WORLD_H

#include "core/checkpoint/checkpoint.h"
#include "tests/support/core/scratch_folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct checkpoint_world {
    char scratch[SCRATCH_FOLDER_BYTES];
    char folder[64];
    unsigned every;  /* windows between two checkpoints */
    unsigned passed; /* windows since the last one */
    unsigned lives;  /* simulations so far */
    struct processes *processes;
    struct checkpoint *checkpoint; /* of the present simulation */
};

static inline checkpoint_wish checkpoint_world_wish(void *context) {
    struct checkpoint_world *world = context;
    if (++world->passed < world->every) return CHECKPOINT_NONE;
    world->passed = 0;
    return CHECKPOINT_STOP;
}

static inline void checkpoint_world_new(struct checkpoint_world *world, unsigned every) {
    *world = (struct checkpoint_world){.every = every};
    assert_true(scratch_folder_in_memory(world->scratch));
    snprintf(world->folder, sizeof world->folder, "%s/kept", world->scratch);
}

static inline void checkpoint_world_free(struct checkpoint_world *world) {
    scratch_folder_remove(world->scratch);
}

/* Begins the next simulation. */
static inline struct checkpoint *checkpoint_world_begin(struct checkpoint_world *world) {
    struct checkpoint_options options = {.folder = world->folder,
                                         .resume = world->lives++ > 0 ? world->folder : NULL,
                                         .wish = checkpoint_world_wish,
                                         .wish_context = world,
                                         .processes = world->processes};
    struct checkpoint_facts facts = {0};
    struct status status = STATUS_INIT;
    checkpoint_add_fact(&facts, "test", "%s", "a run of a test");
    world->passed = 0;
    if (checkpoint_new(&world->checkpoint, &options, &facts, &status) != STATUS_OK)
        fail_msg("%s", status.text);
    checkpoint_facts_clear(&facts);
    checkpoint_begin(world->checkpoint, 7);
    return world->checkpoint;
}

/* Ends it; returns whether it was stopped with a checkpoint. Any other error fails the test. */
static inline bool checkpoint_world_end(struct checkpoint_world *world, status_code code,
                                        struct status *status) {
    bool stopped = code == STATUS_STOPPED;
    checkpoint_free(world->checkpoint);
    if (code != STATUS_OK && !stopped) fail_msg("%s", status->text);
    status_clear(status);
    return stopped;
}

#endif
