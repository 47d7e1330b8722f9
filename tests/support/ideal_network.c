/*
 * A network without contention, in place of the real one: the closed form ready + L + bytes / B for
 * every message (LogGPS's network), so that what the replay must yield can be said exactly.
 *
 * Implements those functions of network/network.h that the replay uses; single-threaded. L is the
 * global latency of the configuration, B the terminal bandwidth, groups are domains as in the real
 * one. Messages within a node take the memory model.
 */
#include "core/digest.h"
#include "core/memory.h"
#include "network/network.h"

#include <stdlib.h>

/* Its few figures are set by hand. */
const setting_row network_setting_rows[1];
const size_t network_setting_count = 0;

typedef enum event_class { EVENT_DELIVERY, EVENT_SENT, EVENT_TIMER } event_class;

typedef struct ideal_event {
    int64_t time_ps;
    event_class class;
    uint64_t sequence;
    uint32_t entity; /* timers */
    uint64_t data;
    network_delivery delivery;
} ideal_event;

struct network_domain {
    network *network;
    uint32_t index;
};

struct network {
    network_config config;
    network_sink sink;
    network_domain *domains;
    ideal_event *heap;
    size_t count;
    size_t capacity;
    uint64_t sequence;
    int64_t now_ps;
    network_totals totals;
    bool failed;
};

static bool before(const ideal_event *a, const ideal_event *b) {
    if (a->time_ps != b->time_ps) return a->time_ps < b->time_ps;
    if ((a->class == EVENT_TIMER) != (b->class == EVENT_TIMER)) return b->class == EVENT_TIMER;
    return a->sequence < b->sequence;
}

static void push(network *network, ideal_event event) {
    if (network->failed ||
        memory_grow((void **)&network->heap, &network->capacity, network->count + 1,
                    sizeof *network->heap, NULL) != STATUS_OK) {
        network->failed = true;
        return;
    }
    if (event.time_ps < network->now_ps) abort(); /* the replay sends into the past */
    event.sequence = network->sequence++;
    size_t at = network->count++;
    while (at > 0 && before(&event, &network->heap[(at - 1) / 2])) {
        network->heap[at] = network->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    network->heap[at] = event;
}

static ideal_event pop(network *network) {
    ideal_event top = network->heap[0], last = network->heap[--network->count];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= network->count) break;
        if (child + 1 < network->count && before(&network->heap[child + 1], &network->heap[child]))
            child++;
        if (!before(&network->heap[child], &last)) break;
        network->heap[at] = network->heap[child];
        at = child;
    }
    network->heap[at] = last;
    return top;
}

status_code network_new(network **made, const network_config *config, uint64_t seed,
                        const network_sink *sink, status *status) {
    (void)seed;
    network *network = memory_new(1, sizeof *network);
    network_domain *domains = memory_new((size_t)config->groups, sizeof *domains);
    if (network == NULL || domains == NULL) {
        free(network);
        free(domains);
        return status_set(status, STATUS_MEMORY, "out of memory");
    }
    network->config = *config;
    network->sink = *sink;
    network->domains = domains;
    for (uint32_t i = 0; i < config->groups; i++)
        domains[i] = (network_domain){network, i};
    *made = network;
    return STATUS_OK;
}

void network_free(network *network) {
    if (network == NULL) return;
    free(network->domains);
    free(network->heap);
    free(network);
}

uint32_t network_node_count(const network *network) {
    return (uint32_t)network_config_nodes(&network->config);
}

uint32_t network_domain_count(const network *network) {
    return (uint32_t)network->config.groups;
}

network_domain *network_domain_at(network *network, uint32_t index) {
    return &network->domains[index];
}

network_domain *network_domain_of_node(network *network, uint32_t node) {
    int64_t per_group = network->config.nodes_per_router * network->config.routers_per_group;
    return &network->domains[node / per_group];
}

uint32_t network_domain_index(const network_domain *domain) {
    return domain->index;
}

static int64_t transmission_ps(uint64_t bytes, int64_t bandwidth) {
    __extension__ typedef unsigned __int128 wide;
    return (int64_t)(((wide)bytes * 1000000000000u + (wide)bandwidth - 1) / (wide)bandwidth);
}

int64_t network_zero_load_ps(const network *network, uint32_t source, uint32_t destination,
                             uint64_t size_bytes) {
    const network_config *config = &network->config;
    if (source == destination)
        return config->memory_latency_ps +
               transmission_ps(size_bytes, config->memory_bandwidth_bytes_per_s);
    return config->level[NETWORK_GLOBAL].latency_ps +
           transmission_ps(size_bytes, config->level[NETWORK_TERMINAL].bandwidth_bytes_per_s);
}

void network_send(network_domain *domain, int64_t ready_ps, const network_message *message) {
    network *network = domain->network;
    if (network_domain_of_node(network, message->source_node) != domain) abort();
    int64_t zero_load_ps = network_zero_load_ps(network, message->source_node,
                                                message->destination_node, message->size_bytes);
    ideal_event event = {.time_ps = ready_ps + zero_load_ps,
                         .class = EVENT_DELIVERY,
                         .delivery = {.source_node = message->source_node,
                                      .destination_node = message->destination_node,
                                      .size_bytes = message->size_bytes,
                                      .ready_ps = ready_ps,
                                      .zero_load_ps = zero_load_ps,
                                      .cookie = message->cookie}};
    push(network, event);
    if (!message->notify_sent) return;
    bool memory = message->source_node == message->destination_node;
    int64_t bandwidth = memory ? network->config.memory_bandwidth_bytes_per_s
                               : network->config.level[NETWORK_TERMINAL].bandwidth_bytes_per_s;
    event.class = EVENT_SENT;
    event.time_ps = ready_ps + transmission_ps(message->size_bytes, bandwidth);
    push(network, event);
}

void network_timer(network_domain *domain, int64_t at_ps, uint32_t entity, uint64_t data) {
    ideal_event event = {.time_ps = at_ps,
                         .class = EVENT_TIMER,
                         .entity = entity,
                         .data = data,
                         .delivery = {.source_node = domain->index}};
    push(domain->network, event);
}

static void count(network *network, const ideal_event *event) {
    network_totals *totals = &network->totals;
    const network_delivery *delivery = &event->delivery;
    bool memory = delivery->source_node == delivery->destination_node;
    totals->messages += !memory;
    totals->memory_messages += memory;
    totals->bytes += memory ? 0 : delivery->size_bytes;
    totals->digest += digest_mix(digest_mix(delivery->cookie.word[0], delivery->cookie.word[1]),
                                 (uint64_t)event->time_ps);
}

status_code network_run(network *network, const network_run_options *options, status *status) {
    (void)options;
    const network_sink *sink = &network->sink;
    while (network->count > 0 && !network->failed) {
        ideal_event event = pop(network);
        const network_delivery *delivery = &event.delivery;
        network->now_ps = event.time_ps;
        switch (event.class) {
        case EVENT_DELIVERY:
            count(network, &event);
            sink->delivered(sink->context,
                            network_domain_of_node(network, delivery->destination_node),
                            event.time_ps, delivery);
            break;
        case EVENT_SENT:
            sink->sent(sink->context, network_domain_of_node(network, delivery->source_node),
                       event.time_ps, delivery->source_node, &delivery->cookie);
            break;
        case EVENT_TIMER:
            sink->timer(sink->context, &network->domains[delivery->source_node], event.time_ps,
                        event.entity, event.data);
        }
    }
    RETURN_ERROR_IF(network->failed, status, STATUS_MEMORY, "out of memory");
    return STATUS_OK;
}

void network_totals_of(const network *network, network_totals *totals) {
    *totals = network->totals;
}

/* Nothing ever waits in a NIC here. */
uint64_t network_abandon(network_domain *domain) {
    (void)domain;
    return 0;
}
