/*
 * A program as a schedule: what each rank computes, sends and receives, and which of its own
 * operations each of them requires. Collectives are the messages of their algorithms. This is what
 * other simulators read, and people.
 *
 * Must not know files or formats.
 */
#ifndef ANAX_REPLAY_SCHEDULE_H
#define ANAX_REPLAY_SCHEDULE_H

#include "replay/replay.h"

typedef enum schedule_kind { SCHEDULE_CALC, SCHEDULE_SEND, SCHEDULE_RECEIVE } schedule_kind;

struct schedule_edge {
    uint32_t label;   /* of an operation of the same rank that came before */
    bool only_posted; /* it must have begun; else it must be complete */
};

struct schedule_operation {
    schedule_kind kind;
    uint32_t rank;
    uint32_t label;      /* number in its rank, from 1 */
    int64_t duration_ps; /* CALC; 0: only there to join what it requires */
    uint32_t peer;       /* SEND: destination. RECEIVE: source */
    /* Of the messages from one rank to another that may be under way at once, each has its own;
     * the k-th sent with a tag is the k-th received. Below UINT32_MAX. */
    uint32_t tag;
    uint64_t size_bytes; /* SEND, RECEIVE */
    bool by_nic;         /* SEND, RECEIVE: the target's part in a one-sided operation, which its NIC
                            carries out and which costs the rank nothing */
    const char *call;    /* the MPI call it belongs to; "" for computation and what NICs do */
    const struct schedule_edge *edges;
    size_t edge_count;
};

typedef status_code (*schedule_visitor)(void *context, const struct schedule_operation *operation,
                                        struct status *status);

/* Calls visit for all operations of all ranks, rank after rank, each in program order. machine: any
 * that can be. What the schedule cannot say: synchronous, ready and buffered sends are standard
 * ones, and locks keep nobody out. Receives without a send are left out; sends without a receive
 * are there, and nothing requires that they complete. A one-sided operation is a message to the
 * target, which comes first of what the target does, and one back. */
status_code replay_schedule(const struct program *program, const struct replay_config *config,
                            const struct network_config *machine, schedule_visitor visit,
                            void *context, struct status *status);

#endif
