/*
 * A network that takes no time: a queue. With it the replay goes on from where ranks are stuck, or
 * from the start, to find the eager threshold that lets them go on; and runs from the start, to see
 * what is sent.
 *
 * Which operations can complete does not depend on time: a rank's own order, the matching and the
 * threshold decide. So the state in which ranks are stuck is the same for every network, and
 * raising the threshold changes it only once it reaches the smallest blocked send: each raise is to
 * there.
 */
#include "replay/engine.h"

#include "core/memory.h"

#include <stdlib.h>

typedef enum instant_kind { INSTANT_DELIVERY, INSTANT_SENT, INSTANT_TIMER } instant_kind;

typedef struct instant_event {
    instant_kind kind;
    uint32_t rank; /* TIMER */
    int64_t now_ps;
    network_delivery delivery;
} instant_event;

typedef struct instant {
    instant_watch *watch; /* told of every message; NULL: nobody */
    void *watch_context;
    instant_event *events; /* a ring */
    size_t capacity;       /* power of two */
    size_t first;
    size_t count;
    bool failed;
} instant;

static void push(instant *queue, const instant_event *event) {
    if (queue->count == queue->capacity) {
        size_t capacity = queue->capacity == 0 ? 1024 : 2 * queue->capacity;
        instant_event *events = memory_new(capacity, sizeof *events);
        queue->failed = queue->failed || events == NULL;
        if (queue->failed) return;
        for (size_t i = 0; i < queue->count; i++)
            events[i] = queue->events[(queue->first + i) & (queue->capacity - 1)];
        free(queue->events);
        queue->events = events;
        queue->capacity = capacity;
        queue->first = 0;
    }
    queue->events[(queue->first + queue->count++) & (queue->capacity - 1)] = *event;
}

void instant_send(engine *engine, int64_t ready_ps, const network_message *message) {
    instant *queue = engine->instant;
    if (queue->watch != NULL) queue->watch(queue->watch_context, message);
    instant_event event = {INSTANT_DELIVERY,
                           0,
                           ready_ps,
                           {.source_node = message->source_node,
                            .destination_node = message->destination_node,
                            .size_bytes = message->size_bytes,
                            .ready_ps = ready_ps,
                            .cookie = message->cookie}};
    push(engine->instant, &event);
    event.kind = INSTANT_SENT;
    if (message->notify_sent) push(engine->instant, &event);
}

void instant_timer(engine *engine, int64_t at_ps, uint32_t rank) {
    push(engine->instant, &(instant_event){.kind = INSTANT_TIMER, .rank = rank, .now_ps = at_ps});
}

static engine_domain *domain_of_node(engine *engine, uint32_t node) {
    return &engine->domains[network_domain_index(network_domain_of_node(engine->network, node))];
}

static void drain(engine *engine) {
    instant *queue = engine->instant;
    while (queue->count > 0 && !queue->failed) {
        instant_event event = queue->events[queue->first];
        queue->first = (queue->first + 1) & (queue->capacity - 1);
        queue->count--;
        const network_delivery *delivery = &event.delivery;
        switch (event.kind) {
        case INSTANT_DELIVERY:
            transfer_delivered(domain_of_node(engine, delivery->destination_node), event.now_ps,
                               delivery);
            break;
        case INSTANT_SENT:
            transfer_sent(domain_of_node(engine, delivery->source_node), event.now_ps,
                          &delivery->cookie);
            break;
        case INSTANT_TIMER:
            rank_timer(engine_domain_of_rank(engine, event.rank), event.rank, event.now_ps);
        }
    }
}

/* The smallest send that waits for its receiver though it need not; UINT64_MAX: none. */
static uint64_t smallest_blocked(const engine *engine) {
    uint64_t smallest = UINT64_MAX;
    for (uint32_t i = 0; i < engine->domain_count; i++) {
        const engine_domain *domain = &engine->domains[i];
        for (uint32_t k = 0; k < domain->send_count; k++) {
            const engine_send *send = &domain->sends[k];
            bool blocked = send->rank != PROGRAM_NONE && !send->answered && !send->synchronous &&
                           send->owner != OWNER_NOBODY;
            if (blocked && send->size_bytes < smallest) smallest = send->size_bytes;
        }
    }
    return smallest;
}

static bool all_finished(const engine *engine) {
    for (uint32_t i = 0; i < engine->program->rank_count; i++)
        if (engine->ranks[i].phase != RANK_FINISHED) return false;
    return true;
}

status_code instant_run(engine *engine, instant_watch *watch, void *context, status *status) {
    instant queue = {.watch = watch, .watch_context = context};
    engine->instant = &queue;
    engine_start(engine);
    drain(engine);
    engine->instant = NULL;
    free(queue.events);
    RETURN_ERROR_IF(queue.failed, status, STATUS_MEMORY, "out of memory for messages in flight");
    for (uint32_t i = 0; i < engine->domain_count; i++) {
        const engine_domain *domain = &engine->domains[i];
        if (domain->failure.code != STATUS_OK)
            return status_set(status, domain->failure.code, "%s", domain->failure.text);
    }
    return all_finished(engine) ? STATUS_OK : stall_report(engine, status);
}

static int64_t search(engine *engine, bool start) {
    instant queue = {0};
    engine->instant = &queue;
    if (start) engine_start(engine);
    drain(engine);
    while (!all_finished(engine) && !queue.failed) {
        uint64_t smallest = smallest_blocked(engine);
        if (smallest > INT64_MAX) break;
        engine->config.eager_threshold_bytes = (int64_t)smallest;
        for (uint32_t i = 0; i < engine->domain_count; i++)
            transfer_release(&engine->domains[i], smallest);
        drain(engine);
    }
    engine->instant = NULL;
    free(queue.events);
    return all_finished(engine) ? engine->config.eager_threshold_bytes : -1;
}

int64_t instant_threshold(engine *engine) {
    return search(engine, false);
}

int64_t instant_smallest_threshold(engine *engine) {
    return search(engine, true);
}
