/*
 * What a step of a rank is: an MPI call with what it posts and waits for, and the numbers in it.
 * Steps are folded into loops. Private to the extrapolation; series.h lists all files.
 */
#ifndef ANAX_TRACES_SERIES_STEP_H
#define ANAX_TRACES_SERIES_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SERIES_DEPTH = 5 }; /* of loops in each other */

#define SERIES_LOOP UINT32_MAX

typedef enum series_value_kind {
    SERIES_VALUE_COMPUTE,       /* picoseconds of computation before the step */
    SERIES_VALUE_GAP,           /* picoseconds of the trace since the last step, less computation */
    SERIES_VALUE_EVENTS,        /* event records of the trace since the last call */
    SERIES_VALUE_DURATION,      /* picoseconds of the call in the trace */
    SERIES_VALUE_PEER,          /* partner of a message */
    SERIES_VALUE_BYTES,         /* of a send */
    SERIES_VALUE_RECEIVED,      /* bytes of a receive */
    SERIES_VALUE_TAG,           /* if tags follow from ranks */
    SERIES_VALUE_ROOT,          /* of a collective; -1: none */
    SERIES_VALUE_SEND_BYTES,    /* of a collective */
    SERIES_VALUE_RECEIVE_BYTES, /* of a collective */
    SERIES_VALUE_WAIT,          /* position of a request among those in flight */
    SERIES_VALUE_TRIPS,         /* of a loop */
    SERIES_VALUE_KINDS
} series_value_kind;

/* What steps with equal contents have in common: the words say which call it is and what it posts
 * and waits for, the values are numbers that may differ. */
struct series_symbol {
    uint32_t first_word, word_count;
    uint32_t first_kind, value_count; /* kinds of its values */
    uint8_t crossed; /* set of dimensions of the symmetric grid that its messages cross */
};

/* What a step is, before it has a symbol. */
struct series_step_content {
    const int64_t *words;
    size_t word_count;
    const uint8_t *kinds;
    size_t kind_count;
    uint8_t crossed;
};

/* With a symmetric grid, the last word of each message and wait is the set of dimensions that it
 * crosses, or this number if it crosses several. */
#define SERIES_CROSSES_SEVERAL INT64_C(255)

/* The first word of each part of a call (message, collective or wait) has the kind of its operation
 * in the lowest 8 bits, and the operation's flags above them. */
enum { SERIES_HEAD_KIND_BITS = 8 };
static inline int64_t series_head(uint32_t kind, uint32_t flags) {
    return (int64_t)kind | (int64_t)flags << SERIES_HEAD_KIND_BITS;
}
static inline int64_t series_head_kind(int64_t head) {
    return head & ((1 << SERIES_HEAD_KIND_BITS) - 1);
}
static inline unsigned series_head_flags(int64_t head) {
    return (unsigned)(head >> SERIES_HEAD_KIND_BITS);
}

/* Which requests a wait is for, in the words of a symbol: those of its own call, all in flight, or
 * those at positions which are values of the step. */
enum { SERIES_WAIT_FOR_OWN, SERIES_WAIT_FOR_ALL, SERIES_WAIT_FOR_LIST };

struct series_step {
    uint32_t symbol;
    uint32_t first_value;
    bool is_moved; /* a test was moved to this wait (series_tested_requests.c) */
};

/* What tests are that found requests complete (series_tested_requests.c). */
typedef enum series_test_use {
    SERIES_TESTS_ARE_CALLS,   /* calls of their own */
    SERIES_TESTS_BEFORE_CALL, /* waits before the next call */
    SERIES_TESTS_BEFORE_WAIT, /* waits before the next call that waits */
    SERIES_TESTS_IN_WAIT,     /* a part of the next call that waits */
    SERIES_TEST_USES
} series_test_use;

/* A node of the folded steps of a rank: a step, or a loop of nodes. */
struct series_node {
    uint64_t hash;
    uint32_t symbol; /* SERIES_LOOP: a loop */
    uint32_t trips;
    uint32_t first, count; /* of a loop: its nodes */
};

struct series_rank {
    struct series_step *steps;
    size_t step_count, step_capacity;
    int64_t *values;
    size_t value_count, value_capacity;
    struct series_node *nodes;
    size_t node_count, node_capacity;
    uint32_t first, count; /* the nodes of the whole rank */
    uint64_t flat_hash;    /* of its symbols without the trips of loops */
    uint64_t size_hash;    /* of what it gives where a size has no law (series_sizes.c) */
};

#endif
