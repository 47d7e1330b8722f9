/*
 * The parts of finding out which sends unrecorded receives take, shared by
 *
 *   program_infer.c  the whole, and what becomes of receives that take none
 *   infer_queues.c   who sends to whom, in which order
 *   infer_bounds.c   which sends recorded receives can take at the latest
 *   infer_walk.c     the program gone through in the order of its times and of causes
 *   infer_choice.c   one unrecorded receive: which of the messages that are there it takes
 *
 * only. Must not know how a trace was read. Invariants:
 *  - A queue holds the sends of one source and channel to one destination. The k-th receive that is
 *    passed on it, recorded or not, takes its k-th send: receives are passed as they are posted.
 *  - While inferring, match of a SEND or recorded RECEIVE is the number of its queue.
 */
#ifndef ANAX_TRACES_INFER_PARTS_H
#define ANAX_TRACES_INFER_PARTS_H

#include "traces/key_table.h"
#include "traces/program/program_infer.h"

struct infer_queue {
    uint32_t destination, source, channel;
    uint32_t sends, receives; /* recorded in all */
    uint32_t posted;          /* sends passed so far */
    uint32_t claimed;         /* receives passed so far: the next one takes this send */
    uint32_t known;           /* recorded ones among them */
    /* Only where the destination has unrecorded receives. */
    bool is_watched;      /* its messages are in infer.sends and infer.receives */
    bool is_open;         /* unrecorded receives may take some of its sends */
    bool is_ready;        /* in the destination's list: a send is there that is not claimed */
    bool is_urgent;       /* in the destination's list: the next recorded receive needs a later
                             send than the next one */
    uint32_t ready_place; /* in these lists */
    uint32_t urgent_place;
    uint32_t target;    /* the first send that the next recorded receive can take; PROGRAM_NONE:
                           there is no such receive, or no such send */
    uint32_t target_of; /* the number of that receive */
    bool has_after;
    uint32_t after;         /* if has_after: the same after the target */
    uint64_t first_send;    /* its part of infer.sends */
    uint64_t first_receive; /* and of infer.receives */
};

/* Times are those of the trace. */
struct infer_send {
    uint64_t bytes;
    int64_t sent_ps; /* its call began */
    int64_t due_ps;  /* synchronous: its completion was recorded; blocking: its call was over; else
                        as sent_ps */
    uint32_t order;  /* number among its rank's sends */
    bool is_synchronous;
};

/* A recorded receive. */
struct infer_receive {
    uint64_t bytes;             /* INFER_ANY_BYTES: not known */
    int64_t done_ps;            /* when its completion was recorded; INT64_MAX: never */
    uint32_t latest;            /* the last send that it can take if all others after it find one of
                                   their length too */
    uint32_t unrecorded_before; /* unrecorded receives of the rank before it */
};

#define INFER_ANY_BYTES UINT64_MAX

/* So far apart clocks may be of which recorded messages say nothing worse. */
#define INFER_DOUBT_PS INT64_C(10000000)
/* So long a receive that may have received nothing looks for a message. */
#define INFER_PATIENCE_PS INT64_C(100000000)

struct infer_list {
    uint32_t *numbers;
    size_t count, capacity;
};

/* On an unrecorded receive. */
struct infer_decision {
    uint32_t queue; /* PROGRAM_NONE: it takes nothing */
    uint32_t send;
    bool is_by_time;
};

struct infer_rank {
    uint32_t unrecorded; /* receives */
    uint32_t decided;    /* of them */
    uint64_t first_decision;
    uint64_t left;    /* sends to the rank that no recorded receive needs, and not taken yet */
    int64_t doubt_ps; /* the clocks of its senders may differ so much from its own */
    struct infer_list ready, urgent; /* queues */
    uint32_t candidate;              /* scratch of infer_choice.c */
};

struct infer {
    struct program *program;
    struct infer_queue *queues;
    size_t queue_count, queue_capacity;
    struct infer_send *sends; /* of watched queues */
    struct infer_receive *receives;
    struct infer_rank *ranks;
    struct infer_decision *decisions;
    void *deadlines; /* scratch of infer_choice.c */
    size_t deadline_capacity;
    struct infer_list candidates;
};

/* infer_queues.c */
status_code infer_queues_find(struct infer *infer, const struct program_posted *posted,
                              struct status *status);
/* As before a walk. */
void infer_queues_reset(struct infer *infer);

/* infer_bounds.c */
void infer_bounds_find(struct infer *infer);
/* How long after the completion of a queue's recorded receive the send was sent. */
int64_t infer_lateness(const struct infer *infer, uint32_t queue, uint32_t receive, uint32_t send);
/* The queue's recorded receive took an earlier send. False, and nothing is changed, if it cannot.
 */
bool infer_rule_out(struct infer *infer, uint32_t queue, uint32_t receive, uint32_t send);

static inline struct infer_send *infer_send_at(const struct infer *infer,
                                               const struct infer_queue *queue, uint32_t number) {
    return &infer->sends[queue->first_send + number];
}

static inline struct infer_receive *
infer_receive_at(const struct infer *infer, const struct infer_queue *queue, uint32_t number) {
    return &infer->receives[queue->first_receive + number];
}

/* Is a receive of that length the receive of that send, as far as lengths tell? */
static inline bool infer_fits(const struct infer_receive *receive, const struct infer_send *send) {
    return receive->bytes == INFER_ANY_BYTES || receive->bytes == send->bytes;
}

/* infer_walk.c: goes through the program and decides on all unrecorded receives; from where no rank
 * can go on, *again, with what was ruled out, unless again is NULL or nothing can be. */
status_code infer_walk(struct infer *infer, bool *again, struct status *status);

/* infer_choice.c. The queue has got one more send, or receive. */
status_code infer_queue_changed(struct infer *infer, uint32_t queue, struct status *status);

struct infer_choice {
    uint32_t queue;    /* PROGRAM_NONE: none of the messages that are there */
    bool is_by_time;   /* several could have been it */
    bool may_be_empty; /* it may have received nothing at all */
};

/* Where an unrecorded receive stands. */
struct infer_place {
    int64_t enter_ps, leave_ps; /* its call */
    int64_t next_ps;            /* the next one's call begins; INT64_MAX: there is none */
    uint32_t partner; /* to whom the rank sends next before that; PROGRAM_NONE: to nobody */
};

/* What the next unrecorded receive of a rank takes. */
status_code infer_choose(struct infer *infer, uint32_t rank, const struct infer_place *place,
                         struct infer_choice *choice, struct status *status);
/* A queue's next send was received before what its destination is at: it is taken as soon as it can
 * be. False if that is known already, or no unrecorded receive can have taken it. */
bool infer_hasten(struct infer *infer, uint32_t queue, uint32_t send);

#endif
