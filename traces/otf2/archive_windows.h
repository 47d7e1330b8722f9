/*
 * The windows and groups that an archive defines for a program's one-sided communication. Inside of
 * the traces room; must not know OTF2.
 *
 * A program tells windows apart only where they are locked. So an archive has a window for each
 * that is, in the order of their numbers, and one more for each communicator with other one-sided
 * communication and none that is locked; what could be of any window of its communicator is of the
 * first.
 */
#ifndef ANAX_TRACES_ARCHIVE_WINDOWS_H
#define ANAX_TRACES_ARCHIVE_WINDOWS_H

#include "traces/key_table.h"
#include "traces/program/program.h"

struct archive_group {
    size_t first; /* index in members */
    uint32_t count;
};

struct archive_windows {
    uint32_t *communicators; /* of each window */
    uint32_t count;
    uint32_t *of_communicator;    /* its window; PROGRAM_NONE: it has none */
    struct key_table of_lock;     /* communicator and number of a window that is locked -> window */
    struct archive_group *groups; /* world ranks that MPI_Win_post and its like name */
    size_t group_count, group_capacity;
    uint32_t *members;
    size_t member_count, member_capacity;
    struct key_table group_index;
};

/* *windows: zeroed before. Free also after errors. */
status_code archive_windows_new(struct archive_windows *windows, const struct program *program,
                                struct status *status);
void archive_windows_free(struct archive_windows *windows);

/* The window of a one-sided operation or of a message between windows. */
uint32_t archive_window_of(const struct archive_windows *windows,
                           const struct program_channel *channel);

/* The number of the group of these world ranks, which is new unless it was asked for before. */
status_code archive_windows_group(struct archive_windows *windows, const uint32_t *ranks,
                                  uint32_t count, uint32_t *group, struct status *status);

#endif
