/*
 * The state of a run that all groups share: its threads, its numbers, and the processes that
 * simulate the network together. Internal to network/.
 *
 * Groups that run in a window change nothing of this state but the sender of the thread that runs
 * them (group_exchange.h). The thread that plans the next window changes the rest, alone, except
 * for next_ps, which windows.h describes.
 */
#ifndef ANAX_NETWORK_RUN_STATE_H
#define ANAX_NETWORK_RUN_STATE_H

#include "core/processes/processes.h"
#include "core/simulation/windows.h"
#include "network/network.h"

#include <stdbool.h>
#include <stdint.h>

struct rail_group;
struct network_output;
struct network_sender;

struct network_run_state {
    const struct network_run_options *options;
    /* Processes the events of a group, see rail_group_run_of. */
    void (*run_group)(struct rail_group *home, int64_t end_ps);
    unsigned threads;
    /* [thread], and one for other processes, see group_exchange.h. */
    struct network_sender *senders;
    int64_t *next_ps; /* [group]: the earliest event in any rail, see windows.h */
    struct windows_result numbers;
    uint64_t progress_windows;    /* windows counted for progress calls */
    unsigned checkpoint_requests; /* of all processes, see network_checkpoint.h */
    bool has_begun;               /* a network runs once */
    bool is_stopped;              /* the run was ended before its last event */
    /* Why the processes could not go on together, or the run was ended. */
    struct status stop_status;
};

/* The processes that simulate the network together; distribution.c and process_gather.c fill this
 * in. */
struct network_process_state {
    struct processes *processes;         /* NULL: this process simulates all groups */
    unsigned process;                    /* number of this one */
    uint32_t rail_groups_here;           /* rail groups that this process simulates */
    unsigned *process_of_group;          /* [group]. NULL: this process simulates all groups */
    struct processes_packing *outgoing;  /* [process]: the block for it, see process_exchange.h */
    struct processes_unpacking *arrived; /* [process]: the block that came from it */
    bool *has_block; /* [process]: something was sent to its groups in the window that is over */
    /* After a run, of the other processes. NULL: there are none, or the run has not ended. */
    struct network_totals *totals_elsewhere; /* of all messages, then of each traffic class */
    /* Of the rail groups of other processes, see process_gather.c. */
    struct network_output *outputs_elsewhere;
};

#endif
