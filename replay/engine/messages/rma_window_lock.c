/*
 * Locks of windows, kept at their targets. Several ranks can hold a lock at the same time if all
 * have the same kind of lock and it is not exclusive. A request is granted on arrival if the
 * holders allow it and no other request waits. Otherwise it waits until it is the first in line and
 * the holders allow it. Requests are granted in the order of arrival, so none starves.
 *
 * Must not know how requests and replies travel. Invariant: a lock exists only while a rank holds
 * it, so memory is proportional to the locks held and the requests waiting; a lock's state belongs
 * to its target's domain.
 */
#include "replay/engine/messages/rma_window_lock.h"
#include "replay/engine/state/engine_domain.h"

#include "core/memory/memory.h"

/* Returns whether a lock is that of the same target, communicator and number. */
static bool has_key_of(const struct engine_rma_window_lock *lock,
                       const struct engine_rma_window_lock *key) {
    return lock->target == key->target && lock->communicator == key->communicator &&
           lock->lock_number == key->lock_number;
}

/* Returns the lock with the key of *key, or NULL if no rank holds it. */
static struct engine_rma_window_lock *find_lock(struct engine_domain *domain,
                                                const struct engine_rma_window_lock *key) {
    for (uint32_t i = 0; i < domain->lock_count; i++)
        if (has_key_of(&domain->locks[i], key)) return &domain->locks[i];
    return NULL;
}

static struct engine_rma_window_lock key_of_lock(const struct replay_engine *engine,
                                                 const struct engine_rma_request *request) {
    const struct program_envelope *envelope = &engine->program->envelopes[request->envelope];
    return (struct engine_rma_window_lock){.target = request->target,
                                           .communicator = envelope->communicator,
                                           .lock_number = program_lock_number(envelope->tag),
                                           .first = PROGRAM_NONE,
                                           .last = PROGRAM_NONE};
}

static program_lock kind_of(const struct replay_engine *engine,
                            const struct engine_rma_request *request) {
    return program_lock_of(engine->program->envelopes[request->envelope].tag);
}

/* Returns whether the holders of a lock allow another one to hold it too. */
static bool is_open_to(const struct replay_engine *engine,
                       const struct engine_rma_window_lock *lock,
                       const struct engine_rma_request *request) {
    return lock->holders == 0 ||
           (lock->kind != PROGRAM_LOCK_EXCLUSIVE && lock->kind == kind_of(engine, request));
}

static void hold_request(struct engine_domain *domain, struct engine_rma_window_lock *lock,
                         const struct engine_rma_request *request) {
    lock->holders++;
    lock->kind = kind_of(domain->engine, request);
    lock->holder = request->source;
}

static uint32_t new_waiting(struct engine_domain *domain) {
    uint32_t index = engine_rma_request_pool_take(&domain->lock_requests);
    if (index == POOL_NONE)
        engine_fail(domain, STATUS_MEMORY, "out of memory for %u requests for locks of windows",
                    domain->lock_requests.used);
    return index;
}

static void wait_in_line(struct engine_domain *domain, struct engine_rma_window_lock *lock,
                         const struct engine_rma_request *request) {
    uint32_t index = new_waiting(domain);
    if (index == POOL_NONE) return;
    domain->lock_requests.items[index] = *request;
    domain->lock_requests.items[index].next = PROGRAM_NONE;
    if (lock->last == PROGRAM_NONE)
        lock->first = index;
    else
        domain->lock_requests.items[lock->last].next = index;
    lock->last = index;
}

bool rma_window_lock_take(struct engine_domain *domain, const struct engine_rma_request *request) {
    struct engine_rma_window_lock key = key_of_lock(domain->engine, request);
    struct engine_rma_window_lock *lock = find_lock(domain, &key);
    if (lock == NULL) {
        if (memory_grow((void **)&domain->locks, &domain->lock_capacity,
                        (size_t)domain->lock_count + 1, sizeof *domain->locks, NULL) != STATUS_OK) {
            engine_fail(domain, STATUS_MEMORY, "out of memory for %u locks of windows",
                        domain->lock_count);
            return false;
        }
        lock = &domain->locks[domain->lock_count++];
        *lock = key;
    } else if (lock->first != PROGRAM_NONE || !is_open_to(domain->engine, lock, request)) {
        wait_in_line(domain, lock, request);
        return false;
    }
    hold_request(domain, lock, request);
    return true;
}

void rma_window_lock_give_back(struct engine_domain *domain,
                               const struct engine_rma_request *unlock) {
    struct engine_rma_window_lock key = key_of_lock(domain->engine, unlock);
    struct engine_rma_window_lock *lock = find_lock(domain, &key);
    /* NULL: it was locked before the part of the trace that is replayed. */
    if (lock != NULL) lock->holders--;
}

bool rma_window_lock_next(struct engine_domain *domain, const struct engine_rma_request *unlock,
                          struct engine_rma_request *granted) {
    struct engine_rma_window_lock key = key_of_lock(domain->engine, unlock);
    struct engine_rma_window_lock *lock = find_lock(domain, &key);
    if (lock == NULL) return false;
    uint32_t first = lock->first;
    if (first == PROGRAM_NONE) {
        if (lock->holders == 0) *lock = domain->locks[--domain->lock_count];
        return false;
    }
    *granted = domain->lock_requests.items[first];
    if (!is_open_to(domain->engine, lock, granted)) return false;
    lock->first = domain->lock_requests.items[first].next;
    if (lock->first == PROGRAM_NONE) lock->last = PROGRAM_NONE;
    engine_rma_request_pool_give(&domain->lock_requests, first);
    hold_request(domain, lock, granted);
    return true;
}
