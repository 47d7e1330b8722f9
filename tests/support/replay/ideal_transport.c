/* A transport without contention: a heap of deliveries, sends and timers. Aborts where the replay
 * sends into the past, or for a node of another domain. */
#include "tests/support/replay/ideal_transport.h"

#include "core/base/digest.h"
#include "core/memory/memory.h"

#include <stdlib.h>

typedef enum event_class { EVENT_DELIVERY, EVENT_SENT, EVENT_TIMER } event_class;

struct ideal_event {
    int64_t time_ps;
    event_class class;
    uint64_t sequence;
    uint32_t domain;
    uint32_t rank; /* timers */
    struct network_delivery delivery;
};

struct ideal_transport {
    struct transport transport;
    const struct network_config *network_config;
    struct ideal_event *heap;
    size_t count;
    size_t capacity;
    uint64_t sequence;
    int64_t now_ps;
    struct network_totals totals;
    bool failed;
};

static bool before(const struct ideal_event *a, const struct ideal_event *b) {
    if (a->time_ps != b->time_ps) return a->time_ps < b->time_ps;
    if ((a->class == EVENT_TIMER) != (b->class == EVENT_TIMER)) return b->class == EVENT_TIMER;
    return a->sequence < b->sequence;
}

static void push(struct ideal_transport *ideal, struct ideal_event event) {
    if (ideal->failed || memory_grow((void **)&ideal->heap, &ideal->capacity, ideal->count + 1,
                                     sizeof *ideal->heap, NULL) != STATUS_OK) {
        ideal->failed = true;
        return;
    }
    if (event.time_ps < ideal->now_ps) abort(); /* the replay sends into the past */
    event.sequence = ideal->sequence++;
    size_t at = ideal->count++;
    while (at > 0 && before(&event, &ideal->heap[(at - 1) / 2])) {
        ideal->heap[at] = ideal->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    ideal->heap[at] = event;
}

static struct ideal_event pop(struct ideal_transport *ideal) {
    struct ideal_event top = ideal->heap[0], last = ideal->heap[--ideal->count];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= ideal->count) break;
        if (child + 1 < ideal->count && before(&ideal->heap[child + 1], &ideal->heap[child]))
            child++;
        if (!before(&ideal->heap[child], &last)) break;
        ideal->heap[at] = ideal->heap[child];
        at = child;
    }
    ideal->heap[at] = last;
    return top;
}

static int64_t transmission_ps(uint64_t bytes, int64_t bandwidth) {
    __extension__ typedef unsigned __int128 product;
    return (int64_t)(((product)bytes * 1000000000000u + (product)bandwidth - 1) /
                     (product)bandwidth);
}

static int64_t ideal_zero_load(const struct transport *transport,
                               const struct network_message *message) {
    const struct network_config *network_config =
        ((const struct ideal_transport *)transport)->network_config;
    uint64_t size_bytes = message->size_bytes;
    if (message->source_node == message->destination_node)
        return network_config->memory_latency_ps +
               transmission_ps(size_bytes, network_config->memory_bandwidth_bytes_per_s);
    return network_config->channels[NETWORK_GLOBAL].latency_ps +
           transmission_ps(size_bytes,
                           network_config->channels[NETWORK_TERMINAL].bandwidth_bytes_per_s);
}

static void ideal_send(struct transport *transport, uint32_t domain, int64_t ready_ps,
                       const struct network_message *message) {
    struct ideal_transport *ideal = (struct ideal_transport *)transport;
    const struct network_config *network_config = ideal->network_config;
    uint32_t source = message->source_node, destination = message->destination_node;
    if (network_config_domain_of_node(network_config, source) != domain) abort();
    int64_t zero_load_ps = ideal_zero_load(transport, message);
    struct ideal_event event = {.time_ps = ready_ps + zero_load_ps,
                                .class = EVENT_DELIVERY,
                                .domain =
                                    network_config_domain_of_node(network_config, destination),
                                .delivery = {.source_node = source,
                                             .destination_node = destination,
                                             .size_bytes = message->size_bytes,
                                             .ready_ps = ready_ps,
                                             .zero_load_ps = zero_load_ps,
                                             .cookie = message->cookie}};
    push(ideal, event);
    if (!message->notify_sent) return;
    int64_t bandwidth = source == destination
                            ? network_config->memory_bandwidth_bytes_per_s
                            : network_config->channels[NETWORK_TERMINAL].bandwidth_bytes_per_s;
    event.class = EVENT_SENT;
    event.domain = domain;
    event.time_ps = ready_ps + transmission_ps(message->size_bytes, bandwidth);
    push(ideal, event);
}

static void ideal_set_timer(struct transport *transport, uint32_t domain, int64_t at_ps,
                            uint32_t rank) {
    struct ideal_event event = {
        .time_ps = at_ps, .class = EVENT_TIMER, .domain = domain, .rank = rank};
    push((struct ideal_transport *)transport, event);
}

static void count(struct network_totals *totals, const struct ideal_event *event) {
    const struct network_delivery *delivery = &event->delivery;
    bool memory = delivery->source_node == delivery->destination_node;
    totals->messages += !memory;
    totals->memory_messages += memory;
    totals->bytes += memory ? 0 : delivery->size_bytes;
    totals->digest += digest_mix(digest_mix(delivery->cookie.word[0], delivery->cookie.word[1]),
                                 (uint64_t)event->time_ps);
}

static status_code ideal_run(struct transport *transport, const struct network_run_options *options,
                             struct status *status) {
    struct ideal_transport *ideal = (struct ideal_transport *)transport;
    const struct transport_sink *sink = &transport->sink;
    (void)options;
    while (ideal->count > 0 && !ideal->failed) {
        struct ideal_event event = pop(ideal);
        const struct network_cookie *cookie = &event.delivery.cookie;
        ideal->now_ps = event.time_ps;
        switch (event.class) {
        case EVENT_DELIVERY:
            count(&ideal->totals, &event);
            sink->delivered(sink->context, event.domain, event.time_ps, &event.delivery);
            break;
        case EVENT_SENT:
            sink->sent(sink->context, event.domain, event.time_ps, cookie);
            break;
        case EVENT_TIMER:
            sink->timer(sink->context, event.domain, event.time_ps, event.rank);
        }
    }
    RETURN_ERROR_IF(ideal->failed, status, STATUS_MEMORY, "out of memory");
    return STATUS_OK;
}

static uint64_t ideal_digest(const struct transport *transport) {
    return ((const struct ideal_transport *)transport)->totals.digest;
}

static const struct transport_functions ideal_functions = {
    .send = ideal_send,
    .set_timer = ideal_set_timer,
    .zero_load_ps = ideal_zero_load,
    .run = ideal_run,
    .digest = ideal_digest,
};

struct transport *ideal_transport_new(const struct network_config *network_config) {
    struct ideal_transport *ideal = memory_new(1, sizeof *ideal);
    if (ideal == NULL) return NULL;
    ideal->transport.functions = &ideal_functions;
    ideal->network_config = network_config;
    return &ideal->transport;
}

const struct network_totals *ideal_transport_totals(const struct transport *transport) {
    return &((const struct ideal_transport *)transport)->totals;
}

void ideal_transport_free(struct transport *transport) {
    if (transport == NULL) return;
    free(((struct ideal_transport *)transport)->heap);
    free(transport);
}
