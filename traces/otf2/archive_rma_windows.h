/*
 * The windows and groups that an archive defines for the one-sided communication of a program.
 * Private to the traces room; must not know OTF2.
 *
 * A program distinguishes windows only by their locks. So an archive has one window for each window
 * with locks, in the order of their numbers. It has one more window for each communicator that has
 * other one-sided communication and no window with locks. An operation that may belong to any
 * window of its communicator belongs to the first one.
 */
#ifndef ANAX_TRACES_ARCHIVE_RMA_WINDOWS_H
#define ANAX_TRACES_ARCHIVE_RMA_WINDOWS_H

#include "traces/key_table.h"
#include "traces/program/program.h"

struct archive_group {
    size_t first; /* index in members */
    uint32_t count;
};

struct archive_rma_windows {
    uint32_t *communicators; /* communicator of each window */
    uint32_t count;
    uint32_t *of_communicator;    /* first window of each communicator; PROGRAM_NONE: it has none */
    struct key_table of_lock;     /* communicator and number of a window with locks -> window */
    struct archive_group *groups; /* groups of MPI_Win_post, MPI_Win_start, MPI_Win_complete and
                                     MPI_Win_wait, as world ranks */
    size_t group_count, group_capacity;
    uint32_t *members;
    size_t member_count, member_capacity;
    struct key_table group_index;
};

/* Finds the windows of a program. *windows is zeroed before. Free `windows` also after errors. */
status_code archive_rma_windows_new(struct archive_rma_windows *windows,
                                    const struct program *program, struct status *status);

/* Frees what archive_rma_windows_new has made. */
void archive_rma_windows_free(struct archive_rma_windows *windows);

/* Returns the window of a one-sided operation or of a message that synchronises windows. */
uint32_t archive_rma_window_of(const struct archive_rma_windows *windows,
                               const struct program_envelope *envelope);

/* Sets *group to the number of the group of these world ranks. Adds the group if it is new. */
status_code archive_rma_windows_add_group(struct archive_rma_windows *windows,
                                          const uint32_t *ranks, uint32_t count, uint32_t *group,
                                          struct status *status);

#endif
