/*
 * Which call of the public interface reads which members of anax_options. The comment of
 * anax_options shows the same as a table, and tests/api/public/test_option_calls.c compares the
 * two.
 *
 * Invariant: a call sees the members that it reads, and the defaults of all others
 * (caller_read_options).
 */
#ifndef ANAX_API_OPTION_CALLS_H
#define ANAX_API_OPTION_CALLS_H

#include <stddef.h>

/* A set of members of anax_options. Members that have a meaning together are one element. */
enum option_set {
    CALL_READS_THREADS = 1 << 0,
    CALL_READS_POINTS_AT_ONCE = 1 << 1,
    CALL_READS_PROGRESS = 1 << 2, /* progress, progress_context */
    CALL_READS_PROCESSES = 1 << 3,
    CALL_READS_REPLACE = 1 << 4,
    CALL_READS_ASCII_ONLY = 1 << 5,
    CALL_READS_TIMELINE = 1 << 6,
    CALL_READS_ADVISE = 1 << 7,
    CALL_READS_EXPLAIN = 1 << 8,    /* explain, path_steps */
    CALL_READS_CHECKPOINTS = 1 << 9 /* checkpoint_..., resume_folder */
};

struct option_call {
    const char *name; /* of the function */
    /* What the call runs, for messages ("a replay"). Such a call refuses members that it does not
     * read and whose effect the caller would miss. NULL: the call ignores what it does not read. */
    const char *run;
    unsigned reads; /* an option_set */
};

extern const struct option_call option_calls[];
extern const size_t option_call_count;

/* Returns the row of a function, which must have one. */
const struct option_call *option_call_find(const char *name);

#endif
