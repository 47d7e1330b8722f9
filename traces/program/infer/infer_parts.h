/*
 * Private parts of finding the sends that unrecorded receives take, for
 *
 *   program_infer.c  the whole, and the removal of receives that take no send
 *   infer_queues.c   the sends and receives of each queue
 *   infer_bounds.c   the last send that a recorded receive can take
 *   infer_walk.c     a walk through the program in the order of times and causes
 *   infer_choice.c   the message that one unrecorded receive takes
 *
 * Must not know how a trace was read. Invariants:
 * - A queue holds the sends of one source and envelope to one destination. The k-th receive that
 *   the walk passes on a queue, recorded or not, takes its k-th send: receives are passed when they
 *   are posted.
 * - While inferring, a SEND or recorded RECEIVE has `queue`, the number of its queue, and no match.
 */
#ifndef ANAX_TRACES_INFER_PARTS_H
#define ANAX_TRACES_INFER_PARTS_H

#include "traces/key_table.h"
#include "traces/program/infer/program_infer.h"

struct infer_queue {
    uint32_t destination, source, envelope;
    uint32_t sends, receives; /* recorded sends and receives */
    uint32_t posted;          /* sends that the walk has passed */
    uint32_t claimed; /* receives that the walk has passed: the number of the next send to take */
    uint32_t known;   /* recorded receives that the walk has passed */
    /* Members for queues whose destination has unrecorded receives. */
    bool is_watched; /* true if the messages are in infer.sends and infer.receives */
    bool is_open;    /* true if unrecorded receives may take some of the sends */
    bool is_ready; /* true if the queue is in the destination's ready list: a send is posted and not
                      claimed */
    bool is_urgent; /* true if the queue is in the destination's urgent list: the next recorded
                       receive needs a later send than the next one */
    uint32_t ready_place; /* position in the ready list, and in the urgent list */
    uint32_t urgent_place;
    uint32_t target; /* the first send that the next recorded receive can take; PROGRAM_NONE: there
                        is no such receive or no such send */
    uint32_t target_of; /* the number of that receive */
    bool has_after;
    uint32_t after; /* if has_after: the first send after the target that the receive can take */
    uint64_t first_send;    /* index in infer.sends of the first send */
    uint64_t first_receive; /* index in infer.receives of the first receive */
};

/* A recorded send. Times are those of the trace. */
struct infer_send {
    uint64_t bytes;
    int64_t sent_ps; /* begin of its call */
    int64_t due_ps;  /* synchronous send: its recorded completion; blocking send: end of its call;
                        else sent_ps */
    uint32_t order;  /* number among the sends of its rank */
    bool is_synchronous;
};

/* A recorded receive. Times are those of the trace. */
struct infer_receive {
    uint64_t bytes;  /* INFER_ANY_BYTES: not known */
    int64_t done_ps; /* its recorded completion; INT64_MAX: never */
    uint32_t latest; /* number of the last send that it can take, if all later receives must find a
                        send of their length too */
    uint32_t unrecorded_before; /* unrecorded receives of the rank before this one */
};

#define INFER_ANY_BYTES UINT64_MAX

/* The clocks of two ranks may differ by this much if recorded messages show no larger difference.
 */
#define INFER_DOUBT_PS INT64_C(10000000)
/* How long a receive that may have received nothing looks for a message. */
#define INFER_PATIENCE_PS INT64_C(100000000)

struct infer_list {
    uint32_t *numbers;
    size_t count, capacity;
};

/* The decision on one unrecorded receive. */
struct infer_decision {
    uint32_t queue; /* the queue from which it takes a send; PROGRAM_NONE: it takes nothing */
    uint32_t send;
    bool is_by_time;
};

struct infer_rank {
    uint32_t unrecorded; /* unrecorded receives */
    uint32_t decided;    /* unrecorded receives that have a decision */
    uint64_t first_decision;
    uint64_t left; /* sends to the rank that no recorded receive needs and no unrecorded receive has
                      taken */
    int64_t clock_uncertainty_ps; /* how much the clocks of its senders may differ from its own */
    struct infer_list ready, urgent; /* lists of queues */
    uint32_t candidate;              /* scratch of infer_choice.c */
};

struct infer {
    struct program *program;
    struct infer_queue *queues;
    size_t queue_count, queue_capacity;
    struct infer_send *sends; /* sends and receives of watched queues */
    struct infer_receive *receives;
    struct infer_rank *ranks;
    struct infer_decision *decisions;
    void *deadlines; /* scratch of infer_choice.c */
    size_t deadline_capacity;
    struct infer_list candidates;
};

/* Finds the queues, their sends and their receives (infer_queues.c). */
status_code infer_queues_find(struct infer *infer, const struct program_posted *posted,
                              struct status *status);
/* Puts the queues and ranks into the state before a walk. */
void infer_queues_reset(struct infer *infer);

/* Functions of infer_bounds.c. infer_bounds_find sets the bounds of all open queues. */
void infer_bounds_find(struct infer *infer);
/* Returns how long after the completion of the recorded receive the send was sent, in picoseconds.
 */
int64_t infer_lateness(const struct infer *infer, uint32_t queue_number, uint32_t receive,
                       uint32_t send);
/* Records that the queue's recorded receive took a send before `send`. Returns false and changes
 * nothing if that is impossible. */
bool infer_rule_out(struct infer *infer, uint32_t queue_number, uint32_t receive, uint32_t send);

/* Returns send number `number` of a watched queue. */
static inline struct infer_send *infer_send_at(const struct infer *infer,
                                               const struct infer_queue *queue, uint32_t number) {
    return &infer->sends[queue->first_send + number];
}

/* Returns a receive of a queue by its number there. */
static inline struct infer_receive *
infer_receive_at(const struct infer *infer, const struct infer_queue *queue, uint32_t number) {
    return &infer->receives[queue->first_receive + number];
}

/* Returns true if the lengths allow that the receive takes the send. */
static inline bool infer_fits(const struct infer_receive *receive, const struct infer_send *send) {
    return receive->bytes == INFER_ANY_BYTES || receive->bytes == send->bytes;
}

/* Walks through the program and decides on all unrecorded receives (infer_walk.c). If no rank can
 * continue and the walk can rule out a decision, it stops and sets *again: the caller repeats the
 * walk. again NULL: the walk rules out nothing and goes to the end. */
status_code infer_walk(struct infer *infer, bool *again, struct status *status);

/* Updates a queue that has one more passed send or receive (infer_choice.c). */
status_code infer_queue_changed(struct infer *infer, uint32_t queue_number, struct status *status);

struct infer_choice {
    uint32_t queue;    /* PROGRAM_NONE: none of the posted messages */
    bool is_by_time;   /* true if several messages were possible */
    bool may_be_empty; /* true if the receive may have received nothing */
};

/* The surroundings of an unrecorded receive. */
struct infer_place {
    int64_t enter_ps, leave_ps; /* begin and end of its call */
    int64_t next_ps;  /* begin of the call with the next unrecorded receive; INT64_MAX: none */
    uint32_t partner; /* destination of the rank's next send before that call; PROGRAM_NONE: there
                         is none */
};

/* Chooses the send that the next unrecorded receive of a rank takes. */
status_code infer_choose(struct infer *infer, uint32_t rank_number, const struct infer_place *place,
                         struct infer_choice *choice, struct status *status);
/* Records that an unrecorded receive takes the next send of a queue as soon as possible, because
 * the trace shows that it was received before the place where its destination now stands. Returns
 * false if that was noted before, or if no unrecorded receive can have taken the send. */
bool infer_hasten(struct infer *infer, uint32_t queue_number, uint32_t send);

#endif
