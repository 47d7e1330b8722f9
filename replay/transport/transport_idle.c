/* A network without contention: a queue of events. At one time deliveries and reports of sent
 * messages come before timers, and otherwise in the order of sending. Those that are due at once
 * need no place in the queue. */
#include "replay/transport/transport_idle.h"

#include "core/event_queue.h"
#include "core/memory.h"
#include "core/pool.h"

#include <stdlib.h>

typedef enum idle_kind { IDLE_DELIVERY, IDLE_SENT, IDLE_TIMER } idle_kind;

struct idle_event {
    uint32_t kind; /* idle_kind */
    uint32_t domain;
    uint32_t rank; /* TIMER */
    uint32_t next; /* for its pool */
    struct network_delivery delivery;
};
POOL_DEFINE(idle_event, struct idle_event)

/* Keys of events in the queue: at one time those with the lower key come first. */
enum { IDLE_MESSAGES, IDLE_TIMERS };

#define BUCKET_PS INT64_C(65536) /* some messages each */

struct idle_state {
    struct idle_event_pool events;
    struct event_queue queue;
    /* Deliveries and reports of the current time that came after those in the queue. */
    uint32_t *now;
    size_t now_first;
    size_t now_count;
    size_t now_capacity;
    int64_t now_ps;
    uint64_t sequence;
    bool failed; /* out of memory */
};

/* Returns a new event; NULL: out of memory. */
static struct idle_event *new_event(struct idle_state *state, idle_kind kind, uint32_t domain) {
    uint32_t index = idle_event_pool_take(&state->events);
    if (index == POOL_NONE) {
        state->failed = true;
        return NULL;
    }
    struct idle_event *event = &state->events.items[index];
    event->kind = kind;
    event->domain = domain;
    return event;
}

static void put_now(struct idle_state *state, uint32_t event) {
    void *now = state->now;
    if (state->now_first == state->now_count) state->now_first = state->now_count = 0;
    if (memory_grow(&now, &state->now_capacity, state->now_count + 1, sizeof *state->now, NULL) !=
        STATUS_OK) {
        state->failed = true;
        return;
    }
    state->now = now;
    state->now[state->now_count++] = event;
}

static void put(struct idle_state *state, int64_t time_ps, const struct idle_event *event) {
    uint32_t index = (uint32_t)(event - state->events.items);
    if (time_ps == state->now_ps && event->kind != IDLE_TIMER) {
        put_now(state, index);
        return;
    }
    event_queue_insert_keyed(&state->queue, time_ps,
                             event->kind == IDLE_TIMER ? IDLE_TIMERS : IDLE_MESSAGES,
                             state->sequence++, index);
}

/* Prefetches an event. */
static void fetch_event(const struct idle_state *state, uint32_t index) {
    const char *event = (const char *)&state->events.items[index];
    __builtin_prefetch(event);
    __builtin_prefetch(event + sizeof(struct idle_event) - 1);
}

/* Takes the next event, and sets the time to its time. Returns its number; POOL_NONE: there is
 * none. */
static uint32_t take_next(struct idle_state *state) {
    struct event_record record;
    bool now = state->now_first < state->now_count;
    int64_t next_ps = event_queue_peek(&state->queue, now ? state->now_ps + 1 : EVENT_NEVER);
    if (now &&
        (next_ps == EVENT_NEVER || event_queue_next_keyed(&state->queue)->key == IDLE_TIMERS))
        return state->now[state->now_first++];
    if (next_ps == EVENT_NEVER || !event_queue_take_keyed(&state->queue, next_ps, &record))
        return POOL_NONE;
    state->now_ps = next_ps;
    const struct event_record *next = event_queue_next_keyed(&state->queue);
    if (next != NULL) fetch_event(state, next->extra);
    return record.extra;
}

static int64_t idle_zero_load(const struct transport *transport,
                              const struct network_message *message) {
    const struct network *network = ((const struct transport_idle *)transport)->network;
    return network != NULL ? network_zero_load_ps(network, message) : 0;
}

static void idle_send(struct transport *transport, uint32_t domain, int64_t ready_ps,
                      const struct network_message *message) {
    struct transport_idle *idle = (struct transport_idle *)transport;
    struct idle_state *state = idle->state;
    int64_t zero_load_ps = idle_zero_load(transport, message);
    struct idle_event *event =
        new_event(state, IDLE_DELIVERY,
                  network_config_domain_of_node(idle->machine, message->destination_node));
    if (event == NULL) return;
    event->delivery = (struct network_delivery){.source_node = message->source_node,
                                                .destination_node = message->destination_node,
                                                .size_bytes = message->size_bytes,
                                                .ready_ps = ready_ps,
                                                .zero_load_ps = zero_load_ps,
                                                .minimal = true,
                                                .cookie = message->cookie};
    put(state, ready_ps + zero_load_ps, event);
    if (!message->notify_sent) return;
    event = new_event(state, IDLE_SENT, domain);
    if (event == NULL) return;
    event->delivery.cookie = message->cookie;
    if (idle->network != NULL) ready_ps += network_idle_sent_ps(idle->network, message);
    put(state, ready_ps, event);
}

static void idle_timer(struct transport *transport, uint32_t domain, int64_t at_ps, uint32_t rank) {
    struct idle_state *state = ((struct transport_idle *)transport)->state;
    struct idle_event *event = new_event(state, IDLE_TIMER, domain);
    if (event == NULL) return;
    event->rank = rank;
    put(state, at_ps, event);
}

static void report(const struct transport_sink *sink, struct idle_state *state, uint32_t index) {
    const struct idle_event *event = &state->events.items[index];
    const uint32_t domain = event->domain;
    if (event->kind == IDLE_TIMER) {
        uint32_t rank = event->rank;
        idle_event_pool_give(&state->events, index);
        sink->timer(sink->context, domain, state->now_ps, rank);
        return;
    }
    const struct network_delivery delivery = event->delivery;
    bool arrives = event->kind == IDLE_DELIVERY;
    idle_event_pool_give(&state->events, index);
    if (arrives)
        sink->delivered(sink->context, domain, state->now_ps, &delivery);
    else
        sink->sent(sink->context, domain, state->now_ps, &delivery.cookie);
}

static status_code idle_run(struct transport *transport, const struct network_run_options *options,
                            struct status *status) {
    struct idle_state *state = ((struct transport_idle *)transport)->state;
    uint64_t handled = 0;
    while (!state->failed && !state->queue.out_of_memory) {
        uint32_t next = take_next(state);
        if (next == POOL_NONE) return STATUS_OK;
        RETURN_ERROR_IF(state->now_ps >= NETWORK_TIME_LIMIT_PS, status, STATUS_RUN,
                        "replay: an event on an idle network is beyond 26 days");
        if ((++handled & 0xffff) == 0 && options->progress != NULL &&
            !options->progress(options->progress_context, state->now_ps, handled))
            return status_set(status, STATUS_RUN, "stopped");
        report(&transport->sink, state, next);
    }
    return status_set(status, STATUS_MEMORY, "out of memory for messages in flight");
}

static uint64_t idle_digest(const struct transport *transport) {
    (void)transport;
    return 0;
}

static const struct transport_functions idle_functions = {
    .send = idle_send,
    .timer = idle_timer,
    .zero_load_ps = idle_zero_load,
    .run = idle_run,
    .digest = idle_digest,
};

status_code transport_idle_new(struct transport_idle *idle, const struct network_config *machine,
                               const struct network *network, struct status *status) {
    *idle = (struct transport_idle){.transport = {.functions = &idle_functions},
                                    .machine = machine,
                                    .network = network,
                                    .state = memory_new(1, sizeof *idle->state)};
    RETURN_ERROR_IF(idle->state == NULL, status, STATUS_MEMORY,
                    "out of memory for messages in flight");
    idle->state->now_ps = -1;
    return event_queue_new(&idle->state->queue, BUCKET_PS, status);
}

void transport_idle_clear(struct transport_idle *idle) {
    if (idle->state != NULL) {
        idle_event_pool_clear(&idle->state->events);
        event_queue_free(&idle->state->queue);
        free(idle->state->now);
    }
    free(idle->state);
    *idle = (struct transport_idle){0};
}
