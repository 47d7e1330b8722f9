/*
 * The files of a checkpoint: FOLDER/checkpoint, a text that describes it, and for each process that
 * wrote it FOLDER/state-GENERATION-PROCESS. The text names the files of one generation, so renaming
 * it into its place makes a checkpoint of what had been written before. For checkpoint.c.
 *
 * Invariant: every byte of both kinds of files is covered by a checksum.
 */
#ifndef ANAX_CORE_CHECKPOINT_FILES_H
#define ANAX_CORE_CHECKPOINT_FILES_H

#include "core/base/status.h"
#include "core/checkpoint/saved_state.h"

#include <stdio.h>

typedef enum checkpoint_kind {
    CHECKPOINT_RESULT = 1, /* result of a simulation that is over */
    CHECKPOINT_PROCESS,
    CHECKPOINT_PIECE
} checkpoint_kind;

/* A state file, as the text describes it. */
struct checkpoint_file {
    uint64_t bytes;
    uint64_t checksum; /* of the heads of all parts; each head has the checksum of its part */
};

/* What the text of a checkpoint says. */
struct checkpoint_text {
    uint64_t generation;
    uint64_t simulation; /* key of the simulation that was at work */
    uint32_t file_count;
    struct checkpoint_file *files; /* [process] */
    char *facts;                   /* lines "name: value" */
};

/* Frees what a text holds. */
void checkpoint_text_clear(struct checkpoint_text *text);

/* Reads FOLDER/checkpoint. STATUS_INPUT: it is not there, or damaged. STATUS_MEMORY: it may be
 * sound. The caller clears *text in any case. */
status_code checkpoint_text_read(struct checkpoint_text *text, const char *folder,
                                 struct status *status);
/* Returns whether the folder has a checkpoint, sound or damaged. Out of memory: false. */
bool checkpoint_exists(const char *folder);
/* Replaces FOLDER/checkpoint, and then removes the state files of all other generations. If it
 * fails, FOLDER/checkpoint is what it was. */
status_code checkpoint_text_write(const struct checkpoint_text *text, const char *folder,
                                  struct status *status);

/* Returns the size of the state file of a process; -1: this process does not see it. */
int64_t checkpoint_file_bytes(const char *folder, uint64_t generation, unsigned process);

/* Removes what belongs to no checkpoint, as runs that were killed leave it: unfinished files, and
 * the state files of all other generations than this one. 0: no generation stays. */
void checkpoint_remove_leftovers(const char *folder, uint64_t generation);
/* Removes the unfinished state file of this process, when a signal ends it. */
void checkpoint_abandon(const char *folder);

/* Removes the state file of a process, if it is there. */
void checkpoint_remove_file(const char *folder, uint64_t generation, unsigned process);

/* A state file that is being written or read. */
struct checkpoint_stream {
    FILE *file;
    char *path;
    struct checkpoint_file sums;
    /* Writing: */
    char *temporary; /* the name until the file is complete */
    /* Reading: */
    struct checkpoint_file expected;
};

/* Begins the state file of a process, under a temporary name until checkpoint_stream_close.
 * STATUS_MEMORY, or STATUS_INPUT: the file cannot be created. */
status_code checkpoint_stream_create(struct checkpoint_stream *stream, const char *folder,
                                     uint64_t generation, unsigned process, struct status *status);
/* Adds a part. */
status_code checkpoint_stream_put(struct checkpoint_stream *stream, checkpoint_kind kind,
                                  uint64_t part, const struct saved_state *state,
                                  struct status *status);
/* Closes the file. If code is STATUS_OK, everything is on the disk when this returns STATUS_OK;
 * otherwise the file is removed. Returns code or the error that happened here. */
status_code checkpoint_stream_close(struct checkpoint_stream *stream, status_code code,
                                    struct status *status);

/* Opens the state file of a process. */
status_code checkpoint_stream_open(struct checkpoint_stream *stream, const char *folder,
                                   const struct checkpoint_text *text, unsigned process,
                                   struct status *status);
/* The head of a part of a state file. */
struct checkpoint_head {
    uint64_t kind;
    uint64_t part; /* its number among the parts of its kind */
    uint64_t bytes;
    uint64_t checksum; /* of kind, part and content */
};

/* Reads the head of the next part; *is_end: there is none. The caller then calls
 * checkpoint_stream_read or checkpoint_stream_skip. STATUS_INPUT: the file is damaged. */
status_code checkpoint_stream_next(struct checkpoint_stream *stream, struct checkpoint_head *head,
                                   bool *is_end, struct status *status);

/* Reads the content of the part with this head into `state`. STATUS_INPUT: it is damaged. */
status_code checkpoint_stream_read(struct checkpoint_stream *stream,
                                   const struct checkpoint_head *head, struct saved_state *state,
                                   struct status *status);

/* Goes past the content of the part with this head. */
status_code checkpoint_stream_skip(struct checkpoint_stream *stream,
                                   const struct checkpoint_head *head, struct status *status);

/* STATUS_INPUT: a state file is not what was written. */
status_code checkpoint_set_damaged(const struct checkpoint_stream *stream, struct status *status);

#endif
