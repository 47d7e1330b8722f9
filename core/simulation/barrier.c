/*
 * One word says both which meeting is over and who goes on, so a thread that was left out cannot
 * mistake an old call for a new one. A thread that goes to sleep until the next release counts
 * itself before it looks at the word for the last time, and the release looks at the count after it
 * has written the word: one of the two sees the other.
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "core/simulation/barrier.h"

#include "core/base/compiler_hints.h"

#include <time.h>

#define BARRIER_BITS 16

static bool goes_on(const struct barrier_seat *seat, unsigned long long word) {
    return word != seat->word && seat->thread < (word & ((1u << BARRIER_BITS) - 1));
}

void barrier_init(struct barrier *barrier, unsigned active, unsigned max_spins) {
    pthread_mutex_init(&barrier->lock, NULL);
    pthread_cond_init(&barrier->released, NULL);
    pthread_cond_init(&barrier->called, NULL);
    barrier->max_spins = max_spins;
    atomic_init(&barrier->word, 1ull << BARRIER_BITS | active);
    atomic_init(&barrier->arrived, 0);
    atomic_init(&barrier->sleepers, 0);
}

void barrier_clear(struct barrier *barrier) {
    pthread_cond_destroy(&barrier->called);
    pthread_cond_destroy(&barrier->released);
    pthread_mutex_destroy(&barrier->lock);
}

static int64_t clock_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

unsigned barrier_next_spins(unsigned spins, unsigned max_spins, int64_t slept_ns) {
    unsigned next = slept_ns < BARRIER_SLEEP_NS ? spins * 2 : spins / 2;
    if (next < BARRIER_SPINS_MIN) next = BARRIER_SPINS_MIN;
    return next < max_spins ? next : max_spins;
}

/* Returns whether the thread goes on before it has looked at the word seat->spins times. */
static bool spin(struct barrier_seat *seat, const struct barrier *barrier) {
    for (unsigned i = 0; i < seat->spins; i++) {
        unsigned long long word = atomic_load_explicit(&barrier->word, memory_order_acquire);
        if (goes_on(seat, word)) {
            seat->word = word;
            return true;
        }
        if (word != seat->word) return false; /* left out */
        compiler_hint_spin();
    }
    return false;
}

/* Sleeps until the next release, unless it has come. The caller holds the lock. */
static void sleep_until_release(struct barrier *barrier, struct barrier_seat *seat) {
    const int64_t began_ns = clock_ns();
    atomic_fetch_add(&barrier->sleepers, 1);
    const bool sleeps = atomic_load(&barrier->word) == seat->word;
    if (sleeps) pthread_cond_wait(&barrier->released, &barrier->lock);
    atomic_fetch_sub(&barrier->sleepers, 1);
    if (barrier->max_spins > 0)
        seat->spins = barrier_next_spins(seat->spins, barrier->max_spins,
                                         sleeps ? barrier->released_ns - began_ns : 0);
}

void barrier_enter(struct barrier *barrier, struct barrier_seat *seat) {
    unsigned long long word = atomic_load_explicit(&barrier->word, memory_order_acquire);
    if (goes_on(seat, word)) {
        seat->word = word;
        return;
    }
    if (spin(seat, barrier)) return;
    pthread_mutex_lock(&barrier->lock);
    while (!goes_on(seat, word = atomic_load(&barrier->word))) {
        if (word != seat->word)
            pthread_cond_wait(&barrier->called, &barrier->lock);
        else
            sleep_until_release(barrier, seat);
    }
    pthread_mutex_unlock(&barrier->lock);
    seat->word = word;
}

bool barrier_arrive(struct barrier *barrier) {
    unsigned active =
        atomic_load_explicit(&barrier->word, memory_order_relaxed) & ((1u << BARRIER_BITS) - 1);
    if (atomic_fetch_add_explicit(&barrier->arrived, 1, memory_order_acq_rel) + 1 < active)
        return false;
    atomic_store_explicit(&barrier->arrived, 0, memory_order_relaxed);
    return true;
}

void barrier_release(struct barrier *barrier, unsigned active) {
    unsigned long long word = atomic_load_explicit(&barrier->word, memory_order_relaxed);
    unsigned before = word & ((1u << BARRIER_BITS) - 1);
    word = ((word >> BARRIER_BITS) + 1) << BARRIER_BITS | active;
    atomic_store(&barrier->word, word);
    if (atomic_load(&barrier->sleepers) == 0 && active <= before) return;
    pthread_mutex_lock(&barrier->lock);
    barrier->released_ns = clock_ns();
    pthread_cond_broadcast(&barrier->released);
    if (active > before) pthread_cond_broadcast(&barrier->called);
    pthread_mutex_unlock(&barrier->lock);
}
