/*
 * Processes that simulate together, as mpirun and srun start them: on one computer or on several.
 *
 * All processes run the same program with the same arguments. At the same places of the program
 * each sends a block to each other one (processes_exchange); nothing else is shared. A process
 * that fails tells the others with its next blocks, whatever these were meant for, and then the
 * others fail too, with its error. So no process waits for one that has given up.
 *
 * Up to some 32 processes, each sends a message to each other one in each exchange. More processes
 * first add up what all must know, which takes a number of steps that grows with the logarithm of
 * their number, and then send only the blocks that are not empty.
 *
 * Must not know what is simulated, nor MPI: a plug-in does (processes_plugin.h). Only one thread at
 * a time may call these functions.
 */
#ifndef ANAX_CORE_PROCESSES_H
#define ANAX_CORE_PROCESSES_H

#include "core/base/status.h"
#include "core/processes/processes_plugin.h"

#include <stdbool.h>
#include <stdint.h>

struct processes;

/* How this process was started. */
struct processes_launch {
    unsigned process; /* number of this process among those that were started together */
    unsigned count;   /* 1: it was started alone */
    /* The library whose mpirun started it, named as the plug-ins are. NULL: it was started alone,
     * or by a launcher under which the processes cannot find each other. */
    const char *library;
    const char *launcher; /* text for messages */
};

/* Finds out from the environment how this process was started. The variable ANAX_MPI decides before
 * the launcher does: "none" means alone. */
void processes_find_launch(struct processes_launch *launch);

/* Describes the plug-ins that are installed, as text for messages: "Open MPI, MPICH". Returns false
 * if there is none. */
bool processes_describe_plugins(char *text, size_t text_bytes);

/* Joins the other processes. *made is NULL if this one was started alone; otherwise the caller
 * ends with processes_finish and processes_leave. STATUS_USAGE: there is no plug-in for the
 * launcher's library, a variable of the environment has no valid value, or the process has too
 * little address space for MPI libraries. */
status_code processes_begin(struct processes **made, struct status *status);

/* Lets the launcher end all processes, after processes_begin has failed: those that wait for this
 * one in their library would wait for ever. The caller has printed the error, and ends. */
void processes_give_up(int exit_code);

/* Joins the other processes, as processes_begin does, by the functions of `plugin` in place of
 * those of an installed plug-in: for tests without MPI. */
status_code processes_begin_with_plugin(struct processes **made,
                                        const struct processes_plugin *plugin,
                                        struct status *status);

/* Tells the others that this process has nothing more to do, or that it has failed, with the text
 * of *status, and waits until all have called this function or failed. Returns `code` if it is an
 * error; the code of the first other process that has failed, with its text in *status; or
 * STATUS_OK. */
status_code processes_finish(struct processes *processes, status_code code, struct status *status);

/* Leaves the others, after processes_finish, and frees *processes, which may be NULL. */
void processes_leave(struct processes *processes, int exit_code);

/* Returns whether exchanges can follow, as after an error on which all have agreed; true for NULL.
 */
bool processes_are_together(const struct processes *processes);

/* Returns whether this process has failed and cannot tell the others, because it had no memory for
 * an exchange: its caller prints the error. False for NULL. */
bool processes_cannot_tell(const struct processes *processes);

/* Returns the number of this process, from 0; 0 for NULL. */
unsigned processes_number(const struct processes *processes);
/* Returns how many processes there are; 1 for NULL. */
unsigned processes_count(const struct processes *processes);

/* Returns how many of the processes run on this computer: 1 for NULL. */
unsigned processes_count_local(const struct processes *processes);

/* Returns how many threads this process may start, at least 1. in_set: the number of processors
 * that this process may use. If the processes of this computer together have more than it has, each
 * gets an equal share of the computer. quota: how many processors all of them may keep busy
 * together. */
unsigned processes_max_threads(const struct processes *processes, unsigned in_set, unsigned quota);

/* What an exchange is for. If two processes meet in an exchange with different purposes, they have
 * not made the same calls, which is an error of anax. */
typedef enum processes_purpose {
    PROCESSES_WINDOW = 1,
    PROCESSES_AGREEMENT,
    PROCESSES_RESULT,
    PROCESSES_TOTALS,
    PROCESSES_REPORT,
    PROCESSES_SUM,
    PROCESSES_SHARE,
    PROCESSES_TRACE,
    PROCESSES_END
} processes_purpose;

/* Data on the way to a process, or from it. Its memory begins with room for what processes_exchange
 * adds. */
struct processes_packing {
    char *data;
    size_t bytes;
    size_t capacity;
    bool out_of_memory; /* out of memory: something is missing */
};

/* Appends `bytes` bytes of data, filled up to a multiple of 8 bytes. */
void processes_pack(struct processes_packing *packing, const void *data, size_t bytes);
/* Adds room for `bytes` bytes, at a multiple of 8, and returns it; NULL: out of memory. */
void *processes_pack_room(struct processes_packing *packing, size_t bytes);
/* Empties a packing, and keeps its memory for what is packed next. */
void processes_pack_reset(struct processes_packing *packing);
/* Frees the memory of a packing. */
void processes_pack_free(struct processes_packing *packing);

/* A received block, as far as it has not been read. */
struct processes_unpacking {
    const char *data;
    size_t bytes;
};

/* Returns the next `bytes` bytes of a block, as processes_pack has appended them; NULL: the block
 * has fewer. */
const void *processes_unpack(struct processes_unpacking *block, size_t bytes);

/* Returns a view of a packing, to read it without sending it. */
struct processes_unpacking processes_view(const struct processes_packing *packing);

/* Sends sent[p] to each other process p and receives a block from each into received[p], which is
 * valid until the next call. Both arrays have an entry for each process; the entry of this process
 * is not used. Returns the error of a process that has failed, STATUS_SYSTEM or STATUS_MEMORY. */
status_code processes_exchange(struct processes *processes, processes_purpose purpose,
                               struct processes_packing *sent, struct processes_unpacking *received,
                               struct status *status);

enum { PROCESSES_SUMMARY_BYTES = 64 };

/* What an exchange adds up over all processes, apart from the blocks. */
struct processes_summary {
    void *sum;    /* that of this process, and after the exchange that of all */
    size_t bytes; /* at most PROCESSES_SUMMARY_BYTES */
    /* Adds the summary of other processes, in any order and grouping. */
    void (*add)(void *sum, const void *part);
};

/* Begins an exchange as processes_exchange makes it, in which summaries are added up, too.
 * has_block has an entry for each process: whether this one will send it any data. Blocks can be
 * packed until processes_exchange_end; meanwhile more than some 32 processes add up summaries. */
void processes_exchange_begin(struct processes *processes, processes_purpose purpose,
                              const struct processes_summary *summary, const bool *has_block);
/* Ends the exchange: sends and receives the blocks, and sets the sum of the summary. The block of a
 * process that has sent no data has no bytes. Errors are those of processes_exchange; after one,
 * the sum means nothing. */
status_code processes_exchange_end(struct processes *processes, struct processes_packing *sent,
                                   struct processes_unpacking *received, struct status *status);

/* Sends the same block to each other process, as processes_exchange does. */
status_code processes_exchange_same(struct processes *processes, processes_purpose purpose,
                                    struct processes_packing *own,
                                    struct processes_unpacking *received, struct status *status);

/* Sends *own to process 0. There *received is an array of the blocks of all other processes, which
 * the caller frees, and *own stays the caller's; elsewhere *received is NULL and *own is freed,
 * also after an error. */
status_code processes_gather(struct processes *processes, struct processes_packing *own,
                             struct processes_unpacking **received, struct status *status);

/* Adds up `bytes` bytes of all processes: calls add(sum, part) for the part of each other process.
 * The order of processes differs, so `add` must not depend on it. STATUS_USAGE: another process has
 * another number of bytes. Does nothing for NULL. */
status_code processes_combine(struct processes *processes, void *sum, size_t bytes,
                              void (*add)(void *sum, const void *part), struct status *status);

/* Sets *value in all processes to whether it is true in any. Does nothing for NULL. */
status_code processes_any(struct processes *processes, bool *value, struct status *status);

/* Gives all processes the `bytes` bytes that process 0 has. STATUS_USAGE: it has another number of
 * bytes. Does nothing for NULL. */
status_code processes_broadcast(struct processes *processes, void *data, size_t bytes,
                                struct status *status);

/* Tells all processes whether each has succeeded: `code` and the text of *status. Returns `code` if
 * it is an error; the code of the first other process that has failed, with its text in *status; or
 * STATUS_OK. */
status_code processes_agree(struct processes *processes, status_code code, struct status *status);

#endif
