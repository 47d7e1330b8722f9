/*
 * An independent LogGPS machine: reads a schedule in GOAL, and tells how long each rank takes on a
 * network without contention. Knows nothing of anax: what both say must be equal to the picosecond.
 *
 * Model: F. Ino, N. Fujimoto, K. Hagihara, LogGPS: a parallel computational model for
 * synchronization analysis, PPoPP 2001, as T. Hoefler et al. use it in LogGOPSim (HPDC 2010): a
 * message costs the sender o before it leaves and the receiver o when it is waited for, takes L + G
 * per byte, and beyond S bytes is announced and answered first.
 *
 * Beyond it: what NICs do (cpu 1) costs no o, and what they send is never announced; with software
 * progress, what a rank's library has to do waits for the end of a calc.
 */
#ifndef ANAX_TESTS_GOAL_REFERENCE_H
#define ANAX_TESTS_GOAL_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* GOAL has no words for them: told per point-to-point send of a rank, in order. */
enum { GOAL_STANDARD, GOAL_SYNCHRONOUS, GOAL_BUFFERED, GOAL_READY };

/* CPU time of a message at one end. */
struct goal_cost {
    int64_t each_ps;     /* o */
    int64_t kib_ps;      /* and what 1024 bytes add … */
    int64_t copy_kib_ps; /* … and more, if they are copied */
    int64_t start_ps;    /* of announcing or answering */
};

struct goal_machine {
    int64_t latency_ps, byte_ps;               /* L and G between nodes */
    int64_t memory_latency_ps, memory_byte_ps; /* and within one */
    struct goal_cost send[2], receive[2];      /* of small messages and of large ones … */
    uint64_t large_bytes;                      /* … which have so many bytes; 0: there are none */
    uint64_t eager_bytes;                      /* S */
    uint64_t control_bytes;                    /* of an announcement, and of an answer */
    bool fetches;  /* the receiver's NIC gets the data, and tells the sender; else: put */
    bool software; /* progress only outside of calcs */
    uint32_t ranks_per_node;
    const int64_t *start_ps; /* per rank: when it begins; NULL: all at 0 */
};

/* A step of the longest path to the end of a rank. */
typedef enum goal_step_kind {
    GOAL_COMPUTES,
    GOAL_SENDS,
    GOAL_RECEIVES,
    GOAL_MESSAGE,
    GOAL_CONTROL, /* an announcement, an answer, or that the data were fetched */
    GOAL_LEAVES,  /* until the data have left */
    GOAL_STARTS   /* until the rank begins */
} goal_step_kind;

struct goal_step {
    goal_step_kind kind;
    uint32_t rank; /* that works, or waits for the message */
    int64_t from_ps, to_ps;
};

/* The longest path to the end of a rank, from the last step to the first, to be freed. Of two
 * causes at the same time, what the rank itself did counts. */
struct goal_path {
    struct goal_step *steps;
    size_t count;
};

/* The time of each rank, which is over when all it does is; false: the text is no schedule that can
 * be carried out. A message of 1 byte stands for none, as GOAL has no empty ones. modes: per rank,
 * NULL: all standard. paths: per rank, with hardware progress only; NULL: not wanted. */
bool goal_times(const char *text, const struct goal_machine *machine, const uint8_t *const *modes,
                int64_t *times_ps, struct goal_path *paths);

#endif
