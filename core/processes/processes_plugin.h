/*
 * What a plug-in for an MPI library gives to core/processes/processes.c. The program itself
 * contains no MPI: it loads the plug-in (plugins/processes_mpi.c, built once for each library) when
 * it was started together with others.
 *
 * Knows nothing of anax, and includes nothing of it.
 */
#ifndef ANAX_CORE_PROCESSES_PLUGIN_H
#define ANAX_CORE_PROCESSES_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

/* Changes whenever this header does: a plug-in of another version is not used. */
#define PROCESSES_PLUGIN_VERSION 3u

/* The only symbol of a plug-in: a function that returns its table. */
#define PROCESSES_PLUGIN_SYMBOL "anax_processes_plugin"

/* What `exchange` and `exchange_some` return, apart from 0. */
enum { PROCESSES_NO_MEMORY = 1, PROCESSES_LOST };

struct processes_block {
    void *data;
    size_t bytes;
};

/* Adds to `sum` the part of other processes, in any order and grouping. */
typedef void (*processes_add)(void *context, void *sum, const void *part);

struct processes_plugin {
    unsigned version;
    /* Joins the processes that were started together. Sets *number to the number of this process,
     * *count to the number of all, and *local to the number of those on this computer. Returns 0,
     * or another value and a text in `error`. */
    int (*begin)(unsigned *number, unsigned *count, unsigned *local, char *error,
                 size_t error_bytes);
    /* Sends each other process its block of sent[count] and waits for one block from each, which
     * it describes in received[count]; the entries of the own process are not used. The data of
     * received blocks stay until the next call. is_patient: the wait may take long, so the
     * processor is left to others. Returns 0; PROCESSES_NO_MEMORY if there is no memory for what
     * another process sent; or PROCESSES_LOST if another process of this computer has ended before
     * it sent its block. After an error only end_all may follow. */
    int (*exchange)(const struct processes_block *sent, struct processes_block *received,
                    int is_patient);
    /* Begins to add up the `bytes` bytes at `sum` of all processes: a multiple of 8, and the same
     * number everywhere and each time. Until exchange_some returns, *sum belongs to the plug-in,
     * which calls `add` from this function and from exchange_some. */
    void (*reduce)(void *sum, size_t bytes, processes_add add, void *context);
    /* Follows reduce: ends the reduction, and does what `exchange` does, but only for the blocks
     * that there are. A block whose data are NULL is not sent. received[p].data is NULL if process
     * p has sent none. *expected is a part of the sum: the number of blocks that come to this
     * process. In a run either this function is used or `exchange`. */
    int (*exchange_some)(const struct processes_block *sent, struct processes_block *received,
                         const uint32_t *expected, int is_patient);
    /* Leaves the other processes. All call it. */
    void (*end)(void);
    /* Ends all processes at once. */
    void (*end_all)(int exit_code);
};

typedef const struct processes_plugin *(*processes_plugin_function)(void);

#endif
