/*
 * How many threads work, if the user has not set the number: one, or as many as can help, whichever
 * was faster in the last trials. Other programs on the computer may change the answer, so it is
 * tried anew now and then. This file knows only the amount of work done.
 */
#ifndef ANAX_CORE_ACTIVE_THREADS_H
#define ANAX_CORE_ACTIVE_THREADS_H

#include <stdbool.h>
#include <stdint.h>

struct active_threads {
    unsigned threads;   /* largest number of threads */
    bool is_trial;      /* the current number is being measured */
    bool is_many;       /* several threads work now */
    int64_t since_ns;   /* when the current stretch began */
    int64_t stretch_ns; /* its length */
    int64_t keep_ns;    /* length of the next stretch that is no trial */
    uint64_t work;      /* all work before the current stretch */
    uint64_t one_rate;  /* work per millisecond: last trial of one thread */
};

/* Begins with a trial of one thread. work: the amount of work done before. */
void active_threads_begin(struct active_threads *active, unsigned threads, uint64_t work,
                          int64_t now_ns);
/* Returns how many threads work next, given the amount of work so far, and most_useful, the number
 * beyond which threads cannot help. Call it between windows. */
unsigned active_threads_next(struct active_threads *active, int64_t now_ns, uint64_t work,
                             unsigned most_useful);

#endif
