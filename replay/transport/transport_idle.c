/* The idle network: a queue of events. Among events of the same time, deliveries and
 * reports of sent messages come before timers; those of one kind come in the order of sending.
 * Deliveries and reports for the current time bypass the queue. */
#include "replay/transport/transport_idle.h"

#include "core/base/divisor.h"
#include "core/base/prefetch.h"
#include "core/memory/map.h"
#include "core/memory/memory.h"
#include "core/memory/pool.h"
#include "core/simulation/monotone_queue.h"

#include <assert.h>
#include <stdlib.h>

typedef enum idle_kind { IDLE_DELIVERY, IDLE_SENT, IDLE_TIMER } idle_kind;

struct idle_event {
    struct network_cookie cookie;
    uint64_t size_bytes;
    int64_t ready_ps;
    uint32_t source_node;
    uint32_t destination_node;
    uint32_t rank; /* TIMER */
    uint32_t domain;
    uint32_t kind; /* idle_kind */
};
static_assert(sizeof(struct idle_event) == 64, "an event is a cache line");
POOL_DEFINE(idle_event, struct idle_event)

/* A cached time of a message on the idle network. Messages of the same nodes, NICs, traffic class
 * and size have equal times, and programs send such messages again and again. */
struct idle_time {
    uint64_t size_bytes;
    int64_t time_ps;
    uint32_t source_node;
    uint32_t destination_node;
    uint32_t ends; /* NICs and class, plus ENDS_KNOWN; 0: the entry is empty */
};
#define ENDS_KNOWN (1u << 24)
#define TIMES_EACH 16u   /* entries in a row of the cache; nodes share rows if there are many */
#define ROWS_MAX   4096u /* most rows of the cache */

struct idle_state {
    struct idle_event_pool events;
    struct monotone_queue queue; /* by queue_key */
    struct divisor nodes_of_domain;
    struct idle_time *times; /* [row][TIMES_EACH], by source node; NULL: messages take no time */
    uint32_t rows;           /* a power of two */
    /* Deliveries and reports of the current time that came after those in the queue. */
    uint32_t *now;
    size_t now_first;
    size_t now_count;
    size_t now_capacity;
    int64_t now_ps;
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

/* Messages come before timers of the same time. */
static uint64_t queue_key(int64_t time_ps, bool is_timer) {
    return (uint64_t)time_ps << 1 | is_timer;
}

static void put_event(struct idle_state *state, int64_t time_ps, const struct idle_event *event) {
    const uint32_t index = (uint32_t)(event - state->events.items);
    const bool is_timer = event->kind == IDLE_TIMER;
    if (time_ps == state->now_ps && !is_timer)
        put_now(state, index);
    else if (!monotone_queue_put(&state->queue, queue_key(time_ps, is_timer), index))
        state->failed = true;
}

/* Prefetches an event. */
PREFETCH_FUNCTION void fetch_event(const struct idle_state *state, uint32_t index) {
    __builtin_prefetch(&state->events.items[index]);
}

/* Takes the next event and sets now_ps to its time. Returns its index; POOL_NONE: no event is left.
 */
static uint32_t take_next(struct idle_state *state) {
    const bool message_is_due = monotone_queue_is_due(&state->queue) && !(state->queue.key & 1);
    if (state->now_first < state->now_count && !message_is_due)
        return state->now[state->now_first++];
    const uint32_t taken = monotone_queue_take(&state->queue);
    if (taken == MONOTONE_NONE) return POOL_NONE;
    state->now_ps = (int64_t)(state->queue.key >> 1);
    if (monotone_queue_is_due(&state->queue)) fetch_event(state, state->queue.due.first);
    return taken;
}

static inline bool is_time_of(const struct idle_time *time, const struct network_message *message,
                              uint32_t ends) {
    return time->destination_node == message->destination_node &&
           time->size_bytes == message->size_bytes && time->ends == ends &&
           time->source_node == message->source_node;
}

static int64_t idle_zero_load(const struct transport *transport,
                              const struct network_message *message) {
    const struct transport_idle *idle = (const struct transport_idle *)transport;
    if (idle->network == NULL) return 0;
    const uint32_t ends = ENDS_KNOWN | (uint32_t)message->source_nic << 16 |
                          (uint32_t)message->destination_nic << 8 | message->traffic_class;
    struct idle_time *row =
        &idle->state->times[(size_t)(message->source_node & (idle->state->rows - 1)) * TIMES_EACH];
    const uint64_t home = map_hash(message->destination_node + message->size_bytes) >> 32;
    struct idle_time *time = NULL;
    for (unsigned i = 0; i < TIMES_EACH; i++) {
        time = &row[(home + i) % TIMES_EACH];
        if (is_time_of(time, message, ends)) return time->time_ps;
        if (time->ends == 0) break;
    }
    *time = (struct idle_time){.size_bytes = message->size_bytes,
                               .time_ps = network_zero_load_ps(idle->network, message),
                               .source_node = message->source_node,
                               .destination_node = message->destination_node,
                               .ends = ends};
    return time->time_ps;
}

static void idle_send(struct transport *transport, uint32_t domain, int64_t ready_ps,
                      const struct network_message *message) {
    struct transport_idle *idle = (struct transport_idle *)transport;
    struct idle_state *state = idle->state;
    int64_t zero_load_ps = idle_zero_load(transport, message);
    struct idle_event *event = new_event(
        state, IDLE_DELIVERY, divisor_quotient(state->nodes_of_domain, message->destination_node));
    if (event == NULL) return;
    event->cookie = message->cookie;
    event->size_bytes = message->size_bytes;
    event->ready_ps = ready_ps;
    event->source_node = message->source_node;
    event->destination_node = message->destination_node;
    put_event(state, ready_ps + zero_load_ps, event);
    if (!message->notify_sent) return;
    event = new_event(state, IDLE_SENT, domain);
    if (event == NULL) return;
    event->cookie = message->cookie;
    if (idle->network != NULL) ready_ps += network_idle_sent_ps(idle->network, message);
    put_event(state, ready_ps, event);
}

static void idle_set_timer(struct transport *transport, uint32_t domain, int64_t at_ps,
                           uint32_t rank) {
    struct idle_state *state = ((struct transport_idle *)transport)->state;
    struct idle_event *event = new_event(state, IDLE_TIMER, domain);
    if (event == NULL) return;
    event->rank = rank;
    put_event(state, at_ps, event);
}

static void report_event(const struct transport_sink *sink, struct idle_state *state,
                         uint32_t index) {
    const struct idle_event event = state->events.items[index];
    idle_event_pool_give(&state->events, index);
    if (event.kind == IDLE_TIMER) {
        sink->timer(sink->context, event.domain, state->now_ps, event.rank);
        return;
    }
    if (event.kind == IDLE_SENT) {
        sink->sent(sink->context, event.domain, state->now_ps, &event.cookie);
        return;
    }
    const struct network_delivery delivery = {.source_node = event.source_node,
                                              .destination_node = event.destination_node,
                                              .size_bytes = event.size_bytes,
                                              .ready_ps = event.ready_ps,
                                              .zero_load_ps = state->now_ps - event.ready_ps,
                                              .is_minimal = true,
                                              .cookie = event.cookie};
    sink->delivered(sink->context, event.domain, state->now_ps, &delivery);
}

static status_code idle_run(struct transport *transport, const struct network_run_options *options,
                            struct status *status) {
    struct idle_state *state = ((struct transport_idle *)transport)->state;
    uint64_t handled = 0;
    while (!state->failed) {
        uint32_t next = take_next(state);
        if (next == POOL_NONE) return STATUS_OK;
        RETURN_ERROR_IF(state->now_ps >= NETWORK_TIME_LIMIT_PS, status, STATUS_RUN,
                        "replay: an event on an idle network is beyond 26 days");
        if ((++handled & 0xffff) == 0 && options->progress != NULL &&
            !options->progress(options->progress_context, state->now_ps, handled))
            return status_set(status, STATUS_STOPPED, "stopped");
        report_event(&transport->sink, state, next);
    }
    return status_set(status, STATUS_MEMORY, "out of memory for messages in flight");
}

static uint64_t idle_digest(const struct transport *transport) {
    (void)transport;
    return 0;
}

static const struct transport_functions idle_functions = {
    .send = idle_send,
    .set_timer = idle_set_timer,
    .zero_load_ps = idle_zero_load,
    .run = idle_run,
    .digest = idle_digest,
};

/* Returns for how many nodes times are kept. Most ranks send a few sizes to a few others. */
static uint32_t rows_of(const struct network_config *network_config) {
    const int64_t nodes = network_config_nodes(network_config);
    uint32_t rows = 1;
    while (rows < nodes && rows < ROWS_MAX)
        rows *= 2;
    return rows;
}

status_code transport_idle_new(struct transport_idle *idle,
                               const struct network_config *network_config,
                               const struct network *network, struct status *status) {
    *idle = (struct transport_idle){.transport = {.functions = &idle_functions},
                                    .network_config = network_config,
                                    .network = network,
                                    .state = memory_new(1, sizeof *idle->state)};
    RETURN_ERROR_IF(idle->state == NULL, status, STATUS_MEMORY,
                    "out of memory for messages in flight");
    if (network != NULL) {
        idle->state->rows = rows_of(network_config);
        idle->state->times =
            memory_new_aligned((size_t)idle->state->rows * TIMES_EACH, sizeof *idle->state->times);
        RETURN_ERROR_IF(idle->state->times == NULL, status, STATUS_MEMORY,
                        "out of memory for times of messages");
    }
    idle->state->now_ps = -1;
    idle->state->nodes_of_domain = divisor_of(network_config_domain_nodes(network_config));
    monotone_queue_new(&idle->state->queue);
    return STATUS_OK;
}

void transport_idle_clear(struct transport_idle *idle) {
    if (idle->state != NULL) {
        idle_event_pool_clear(&idle->state->events);
        monotone_queue_free(&idle->state->queue);
        free(idle->state->now);
        free(idle->state->times);
    }
    free(idle->state);
    *idle = (struct transport_idle){0};
}
