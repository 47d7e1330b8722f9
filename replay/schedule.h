/*
 * A program as a schedule: what each rank computes, sends and receives, and which earlier
 * operations of the same rank each operation requires. Collectives appear as the messages of their
 * algorithms. Other simulators and people read schedules.
 *
 * Must not know files or formats.
 */
#ifndef ANAX_REPLAY_SCHEDULE_H
#define ANAX_REPLAY_SCHEDULE_H

#include "replay/replay.h"

enum {
    SCHEDULE_NIC_CPU = 1, /* stands for the NIC where a format has CPUs alone */
    SCHEDULE_SIDE_CPU
};

typedef enum schedule_kind { SCHEDULE_CALC, SCHEDULE_SEND, SCHEDULE_RECEIVE } schedule_kind;

struct schedule_edge {
    uint32_t label;         /* label of an earlier operation of the same rank */
    bool needs_only_posted; /* true: that operation must have begun; false: it must be complete */
};

struct schedule_operation {
    schedule_kind kind;
    uint32_t rank;
    uint32_t label;      /* number of the operation in its rank, from 1 */
    int64_t duration_ps; /* CALC: duration; 0: it only joins the operations that it requires */
    uint32_t peer;       /* SEND: destination. RECEIVE: source */
    /* Distinguishes the messages from one rank to another that may be under way at the same time.
     * The k-th message sent with a tag is the k-th received with it. Below UINT32_MAX. */
    uint32_t tag;
    uint64_t size_bytes; /* SEND, RECEIVE */
    bool is_by_nic;   /* SEND, RECEIVE: part of a one-sided operation that the target's NIC carries
                      out,   at no cost to the rank */
    uint8_t cpu, nic; /* if the rank is a graph: the CPU and NIC of the vertex. Otherwise cpu is 0,
                         and from SCHEDULE_SIDE_CPU on for a non-blocking collective, which goes on
                         beside the rank and beside others of them */
    const char *call; /* name of the MPI call; "" for computation and for the work of NICs */
    const struct schedule_edge *edges;
    size_t edge_count;
};

typedef status_code (*schedule_visitor)(void *context, const struct schedule_operation *operation,
                                        struct status *status);

/* Calls `visit` for all operations of all ranks, rank by rank, each in program order; an error of
 * `visit` ends the walk and is returned. `network_config` may be any valid machine. A schedule
 * differs from the program as follows: synchronous, ready and buffered sends become standard sends,
 * and locks exclude nobody. Receives without a send are left out. Sends without a receive are
 * included, but nothing requires their completion. A one-sided operation is a message to the
 * target, whose part is listed before the target's own operations, and a message back. A rank that
 * is a graph is listed vertex by vertex, with the tags of its schedule. STATUS_MEMORY, or the
 * errors of network_config_check. */
status_code schedule_visit(const struct program *program, const struct replay_config *config,
                           const struct network_config *network_config, schedule_visitor visit,
                           void *context, struct status *status);

#endif
