/*
 * A transport that takes no time: a queue of events in the order of sending.
 */
#include "replay/transport/transport_instant.h"

#include "core/memory/memory.h"

#include <stdlib.h>

typedef enum instant_kind { INSTANT_DELIVERY, INSTANT_SENT, INSTANT_TIMER } instant_kind;

struct instant_event {
    instant_kind kind;
    uint32_t domain;
    uint32_t rank; /* TIMER */
    int64_t now_ps;
    struct network_delivery delivery;
};

static struct transport_instant *instant_of(struct transport *transport) {
    return (struct transport_instant *)transport;
}

static void push_event(struct transport_instant *instant, const struct instant_event *event) {
    if (instant->count == instant->capacity) {
        size_t capacity = instant->capacity == 0 ? 1024 : 2 * instant->capacity;
        struct instant_event *events = memory_new(capacity, sizeof *events);
        instant->failed = instant->failed || events == NULL;
        if (instant->failed) {
            free(events);
            return;
        }
        for (size_t i = 0; i < instant->count; i++)
            events[i] = instant->events[(instant->first + i) & (instant->capacity - 1)];
        free(instant->events);
        instant->events = events;
        instant->capacity = capacity;
        instant->first = 0;
    }
    instant->events[(instant->first + instant->count++) & (instant->capacity - 1)] = *event;
}

static void instant_send(struct transport *transport, uint32_t domain, int64_t ready_ps,
                         const struct network_message *message) {
    struct transport_instant *instant = instant_of(transport);
    if (instant->watch != NULL) instant->watch(instant->watch_context, message);
    struct instant_event event = {
        .kind = INSTANT_DELIVERY,
        .domain = network_config_domain_of_node(instant->network_config, message->destination_node),
        .now_ps = ready_ps,
        .delivery = {.source_node = message->source_node,
                     .destination_node = message->destination_node,
                     .size_bytes = message->size_bytes,
                     .ready_ps = ready_ps,
                     .cookie = message->cookie}};
    push_event(instant, &event);
    event.kind = INSTANT_SENT;
    event.domain = domain;
    if (message->notify_sent) push_event(instant, &event);
}

static void instant_set_timer(struct transport *transport, uint32_t domain, int64_t at_ps,
                              uint32_t rank) {
    push_event(instant_of(transport),
               &(struct instant_event){
                   .kind = INSTANT_TIMER, .domain = domain, .rank = rank, .now_ps = at_ps});
}

static int64_t instant_zero_load(const struct transport *transport,
                                 const struct network_message *message) {
    (void)transport, (void)message;
    return 0;
}

static status_code instant_run(struct transport *transport,
                               const struct network_run_options *options, struct status *status) {
    struct transport_instant *instant = instant_of(transport);
    const struct transport_sink *sink = &transport->sink;
    (void)options;
    while (instant->count > 0 && !instant->failed) {
        struct instant_event event = instant->events[instant->first];
        instant->first = (instant->first + 1) & (instant->capacity - 1);
        instant->count--;
        switch (event.kind) {
        case INSTANT_DELIVERY:
            sink->delivered(sink->context, event.domain, event.now_ps, &event.delivery);
            break;
        case INSTANT_SENT:
            sink->sent(sink->context, event.domain, event.now_ps, &event.delivery.cookie);
            break;
        case INSTANT_TIMER:
            sink->timer(sink->context, event.domain, event.now_ps, event.rank);
        }
    }
    RETURN_ERROR_IF(instant->failed, status, STATUS_MEMORY, "out of memory for messages in flight");
    return STATUS_OK;
}

static uint64_t instant_digest(const struct transport *transport) {
    (void)transport;
    return 0;
}

static const struct transport_functions instant_functions = {
    .send = instant_send,
    .set_timer = instant_set_timer,
    .zero_load_ps = instant_zero_load,
    .run = instant_run,
    .digest = instant_digest,
};

void transport_instant_init(struct transport_instant *instant,
                            const struct network_config *network_config) {
    *instant = (struct transport_instant){.transport = {.functions = &instant_functions},
                                          .network_config = network_config};
}

void transport_instant_clear(struct transport_instant *instant) {
    free(instant->events);
    *instant = (struct transport_instant){0};
}
