/*
 * Checkpoints: the whole state of a simulation in a folder, from which another run of the program
 * goes on, with any number of processes and threads.
 *
 * A run of the program is described by facts: whatever decides its results. A checkpoint holds
 * them, and a run with other facts refuses it. A run consists of simulations, one after another,
 * each with a key. A checkpoint holds the results of those that are over, and the state of the one
 * that is at work, in pieces that any process can read.
 *
 * Must not know what is simulated. Invariant: at any moment the folder holds the last checkpoint
 * that was complete, or none. Several processes share one folder and call these functions together.
 */
#ifndef ANAX_CORE_CHECKPOINT_H
#define ANAX_CORE_CHECKPOINT_H

#include "core/base/status.h"
#include "core/checkpoint/saved_state.h"
#include "core/processes/processes.h"

/* What a run wants between two windows. */
typedef enum checkpoint_wish {
    CHECKPOINT_NONE,
    CHECKPOINT_WRITE,
    CHECKPOINT_STOP /* write one, and end the run */
} checkpoint_wish;

struct checkpoint_options {
    const char *folder; /* where checkpoints are written; NULL: nowhere */
    const char *resume; /* folder from which the run goes on; NULL: it begins */
    int64_t every_s;    /* seconds between two checkpoints; 0: only as `wish` says */
    checkpoint_wish (*wish)(void *context); /* asked between windows; NULL: never */
    void *wish_context;                     /* for `wish` and the next function */
    /* Told in process 0 why a checkpoint could not be written, when the run goes on; NULL: then it
     * ends. */
    void (*failed)(void *context, const char *why);
    struct processes *processes; /* NULL: this one alone */
};

/* The facts of a run, in the order in which they are compared. */
struct checkpoint_facts {
    char *text; /* lines "name: value"; owned */
    size_t bytes;
    size_t capacity;
    bool out_of_memory; /* an allocation failed, so the text is incomplete */
};

/* Adds a fact. Line ends in either text become spaces. */
void checkpoint_add_fact(struct checkpoint_facts *facts, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Frees the facts; none are left. */
void checkpoint_facts_clear(struct checkpoint_facts *facts);

struct checkpoint;

/* Begins a run that writes checkpoints, or goes on from one, or both. The strings of the options
 * must outlive it. STATUS_USAGE: there is a checkpoint already that may not be replaced; another
 * run writes into the folder; or the one to go on from has other facts, and the text names those
 * that differ. STATUS_INPUT: there is no checkpoint to go on from, or it is damaged. */
status_code checkpoint_new(struct checkpoint **made, const struct checkpoint_options *options,
                           const struct checkpoint_facts *facts, struct status *status);

/* Frees what checkpoint_new has made; NULL is allowed. */
void checkpoint_free(struct checkpoint *checkpoint);

/* The following functions take NULL for a run without checkpoints. */

/* Copies the result of a simulation that was over in the checkpoint from which the run goes on.
 * Returns false if there is none. */
bool checkpoint_find_result(const struct checkpoint *checkpoint, uint64_t key, void *result,
                            size_t bytes);
/* Records the result of a simulation that is over, for the next checkpoint. */
status_code checkpoint_record_result(struct checkpoint *checkpoint, uint64_t key,
                                     const void *result, size_t bytes, struct status *status);

/* Begins the simulation with that key. */
void checkpoint_begin(struct checkpoint *checkpoint, uint64_t key);
/* Returns whether the state of the simulation that has begun is in the checkpoint from which the
 * run goes on. */
bool checkpoint_resumes(const struct checkpoint *checkpoint);

/* Returns what is wanted now, in this process. */
checkpoint_wish checkpoint_due(struct checkpoint *checkpoint);

/* Sets the error of a run that was ended as CHECKPOINT_STOP says, with a checkpoint
 * (STATUS_STOPPED) or, because it has failed anyway, without (STATUS_RUN). */
void checkpoint_set_stopped(const struct checkpoint *checkpoint, bool is_written,
                            struct status *status);

/* The pieces of a simulation. */
struct checkpoint_pieces {
    void *context;
    uint32_t count;
    bool (*is_here)(void *context, uint32_t piece); /* whether this process has the piece */
    /* Saves or restores a piece. */
    void (*piece)(void *context, struct saved_state *state, uint32_t piece);
    /* Saves what a process knows apart from pieces. Restoring calls it in each process for each
     * process that has saved, so the function adds up what it restores. */
    void (*process)(void *context, struct saved_state *state);
};

/* Writes a checkpoint of the simulation that has begun. If that fails, none of its files stays, and
 * the last checkpoint does. */
status_code checkpoint_write(struct checkpoint *checkpoint, const struct checkpoint_pieces *pieces,
                             struct status *status);
/* Returns whether the run goes on although checkpoint_write returned an error. Then it tells the
 * error and clears *status. All processes call it. */
bool checkpoint_survives_error(const struct checkpoint *checkpoint, struct status *status);
/* Restores the state of the simulation that has begun. STATUS_INPUT: the checkpoint is damaged. */
status_code checkpoint_read(struct checkpoint *checkpoint, const struct checkpoint_pieces *pieces,
                            struct status *status);

#endif
