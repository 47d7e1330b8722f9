/*
 * A barrier at which threads meet again and again. The last one to arrive works alone while the
 * others wait, and then says how many go on. Who waits spins briefly, then yields its processor
 * some times, and then sleeps, so that other programs on the computer get the processor.
 *
 * The last thread sees what all others wrote before they arrived. All threads that go on see what
 * the last one wrote before the release.
 */
#ifndef ANAX_CORE_BARRIER_H
#define ANAX_CORE_BARRIER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct barrier {
    pthread_mutex_t lock;
    pthread_cond_t released; /* for threads that go on at the next release */
    pthread_cond_t called;   /* for threads that were left out */
    unsigned most_spins;
    /* The number of releases so far, above BARRIER_BITS bits for how many threads go on. */
    _Alignas(64) atomic_ullong word;
    _Alignas(64) atomic_uint arrived;
    atomic_uint sleepers;
};

/* A thread's place at the barrier. */
struct barrier_seat {
    unsigned thread; /* 0 … */
    unsigned spins;  /* how often it looks before it yields; adapts itself */
    unsigned long long word;
};

/* The first `active` threads go on at once. most_spins: 0 if there are more threads than
 * processors. */
void barrier_init(struct barrier *barrier, unsigned active, unsigned most_spins);
void barrier_clear(struct barrier *barrier);

/* Waits until the thread is one of those that go on. */
void barrier_enter(struct barrier *barrier, struct barrier_seat *seat);
/* Says that a thread which went on has come to the next meeting. Returns true if it is the last;
 * then it must call barrier_release before it enters again. */
bool barrier_arrive(struct barrier *barrier);
/* Lets the first `active` threads go on. */
void barrier_release(struct barrier *barrier, unsigned active);

#endif
