/*
 * A barrier at which threads meet again and again. The last one to arrive works alone while the
 * others wait, and then says how many go on. A thread that waits spins briefly and then sleeps, so
 * that other programs on the computer get its processor.
 *
 * The last thread sees what all others wrote before they arrived. All threads that go on see what
 * the last one wrote before the release.
 */
#ifndef ANAX_CORE_BARRIER_H
#define ANAX_CORE_BARRIER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    BARRIER_SLEEP_NS = 20000, /* some time between what it costs to sleep and to be woken up, on
                                 real and on virtual computers */
    BARRIER_SPINS_MIN = 16
};

struct barrier {
    pthread_mutex_t lock;
    pthread_cond_t released; /* for threads that go on at the next release */
    pthread_cond_t called;   /* for threads that were left out */
    unsigned max_spins;      /* reads of `word` before a thread sleeps, at most */
    int64_t released_ns;     /* time of the last release for which a thread slept */
    /* The number of threads that go on, in the low BARRIER_BITS bits, and above them the number of
     * releases so far. */
    _Alignas(64) atomic_ullong word;
    _Alignas(64) atomic_uint arrived; /* threads that have arrived since the last release */
    atomic_uint sleepers;
};

/* A thread's place at the barrier. */
struct barrier_seat {
    unsigned thread;         /* number of the thread, from 0 */
    unsigned spins;          /* reads of `word` before it sleeps; adapts itself */
    unsigned long long word; /* barrier.word as the thread last read it */
};

/* Returns how often a thread reads `word` in future that has slept for slept_ns before a release.
 * If it would have been faster to spin on, the number doubles, otherwise it is halved: other
 * programs have kept the threads from their processors. */
unsigned barrier_next_spins(unsigned spins, unsigned max_spins, int64_t slept_ns);

/* Initialises a barrier, from which the first `active` threads go on at once. max_spins: 0 makes
 * waiting threads sleep at once. */
void barrier_init(struct barrier *barrier, unsigned active, unsigned max_spins);

/* Frees what barrier_init has made. */
void barrier_clear(struct barrier *barrier);

/* Waits until the thread is one of those that go on. */
void barrier_enter(struct barrier *barrier, struct barrier_seat *seat);
/* Reports that a thread which went on has arrived at the barrier again. Returns true if it is the
 * last one; then it must call barrier_release before barrier_enter. */
bool barrier_arrive(struct barrier *barrier);
/* Lets the first `active` threads go on. */
void barrier_release(struct barrier *barrier, unsigned active);

#endif
