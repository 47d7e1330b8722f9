/*
 * The network's face: builds the machine, takes messages and timers, runs the domains, and hands
 * deliveries to the sink.
 */
#include "network/network.h"

#include "core/digest.h"
#include "core/hints.h"
#include "core/memory.h"
#include "core/windows.h"
#include "network/fetch_ahead.h"
#include "network/rails.h"
#include "network/routing/misrouting.h"
#include "network/routing/ring.h"
#include "network/routing/routing.h"
#include "network/routing/saturation.h"

#include <stdlib.h>

/* Everything that is found once from the configuration. */
static void derive(network *network) {
    const network_config *config = &network->config;
    const topology *topology = &network->topology;
    network->policy = &routing_policies()[config->routing];
    network->misrouting = misrouting_chosen(config);
    unsigned needed = routing_vcs(config);
    network->free_vcs = config->vcs > 0 ? (uint32_t)config->vcs : needed;
    network->injection_vcs =
        config->injection_vcs > 0 ? (uint32_t)config->injection_vcs : network->free_vcs;
    network->vcs = network->free_vcs;
    if (network->vcs < network->injection_vcs) network->vcs = network->injection_vcs;
    network->ring_vc = ring_needed(config) ? network->vcs++ : NONE; /* no injection VC */
    for (int level = 0; level < NETWORK_LEVELS; level++)
        network->level_vcs[level] = network->free_vcs;
    if (network->ring_vc != NONE && config->ofar_global_vcs > 0 &&
        config->ofar_global_vcs < (int64_t)network->free_vcs)
        network->level_vcs[NETWORK_GLOBAL] = (uint32_t)config->ofar_global_vcs;
    const routing_transit *transit = network->policy->transit;
    network->look = transit != NULL ? transit->look : NULL;
    network->depart = transit != NULL ? transit->depart : NULL;
    unsigned more = config->valiant == NETWORK_VALIANT_ROUTER;
    network->minimal_class = (uint8_t)(network->policy->minimal_class + more);
    network->plain = network->policy->needs == 0 && network->depart == NULL &&
                     network->ring_vc == NONE && config->arbitration != NETWORK_LEAST_RECENT;
    bool cut = topology->cut;
    for (uint32_t rail = 1; network->other_rails != NULL && rail < network->rails; rail++)
        cut = cut || network->other_rails[rail - 1].cut;
    bool decided = network->policy->decide == NULL && (!cut || transit != NULL);
    network->launch_class = decided ? network->minimal_class : 0;
    network->launch_flags = decided ? PACKET_ROUTED : 0;
    bool parallel = group_shape_is_parallel(&topology->group);
    network->settled_flag = parallel && routing_reads_queues(config) ? 0 : PACKET_ROUTED;
    network->ports = topology->routers * topology->radix;
    network->outputs = network->ports + topology->nodes_per_group;
    network->port_words = (topology->radix + 63) / 64;
    network->request_words = (topology->radix * network->vcs + 63) / 64;
    network->full_packet_bytes = (uint32_t)(config->packet_bytes + config->header_bytes);
    int64_t fastest = 0;
    for (int level = 0; level < NETWORK_LEVELS; level++) {
        network->bandwidth[level] = config->level[level].bandwidth_bytes_per_s;
        network->latency_ps[level] = config->level[level].latency_ps;
        network->buffer_bytes[level] = (int32_t)config->level[level].buffer_bytes;
        network->full_packet_ps[level] =
            serialization_ps(network->full_packet_bytes, network->bandwidth[level]);
        if (network->bandwidth[level] > fastest) fastest = network->bandwidth[level];
        network->output_buffer_ps[level] =
            serialization_ps(config->output_buffer_bytes, network->bandwidth[level]);
    }
    network->injection_bandwidth = network->bandwidth[NETWORK_TERMINAL];
    if (config->nic_bandwidth_bytes_per_s > 0 &&
        config->nic_bandwidth_bytes_per_s < network->injection_bandwidth)
        network->injection_bandwidth = config->nic_bandwidth_bytes_per_s;
    network->injection_full_ps =
        serialization_ps(network->full_packet_bytes, network->injection_bandwidth);
    network->hop_ps = config->router_latency_ps + config->allocation_latency_ps;
    network->output_buffered = config->output_buffer_bytes > 0;
    network->cycle_ps =
        serialization_ps(config->phit_bytes, config->level[NETWORK_LOCAL].bandwidth_bytes_per_s);
    network->rest_ps =
        (network->cycle_ps * 1000000 + config->speedup_millionths - 1) / config->speedup_millionths;
    if (config->crossbar != NETWORK_CROSSBAR_IDEAL) {
        network->crossbar_bandwidth =
            (int64_t)((__int128)fastest * config->speedup_millionths / 1000000);
        network->crossbar_full_ps =
            serialization_ps(network->full_packet_bytes, network->crossbar_bandwidth);
    }
}

/* A port of the physical ring: from router to router of a group in order, from the last one to the
 * first of the next group by links that come after the others: a·h forwards, a·h + 1 backwards. */
static void place_ring_port(network *network, uint32_t output) {
    const topology *topology = &network->topology;
    uint32_t router = output / topology->radix;
    uint32_t port = output % topology->radix;
    uint32_t first = topology->radix - RING_PORTS;
    bool onwards = port == first;
    bool leaves = topology->groups > 1 && router == (onwards ? topology->routers - 1 : 0);
    uint32_t other = (router + (onwards ? 1 : topology->routers - 1)) % topology->routers;
    network->local_peer[output] =
        leaves ? NONE : other * topology->radix + first + (onwards ? 1 : 0);
    network->places[output] = (place){
        .router = (uint16_t)router,
        .port = (uint16_t)port,
        .level = leaves ? NETWORK_GLOBAL : NETWORK_LOCAL,
        .first_lane = router * topology->radix * network->vcs,
        .peer_lane = leaves ? topology->links + (onwards ? 0 : 1)
                            : network->local_peer[output] * network->vcs,
    };
}

/* Where the outputs of a group are, and who is at the other end within the group. */
static status_code make_places(network *network, status *status) {
    const topology *topology = &network->topology;
    network->local_peer = memory_new(network->outputs, sizeof *network->local_peer);
    network->places = memory_new(network->outputs, sizeof *network->places);
    network->link_routers = memory_new(topology->links, sizeof *network->link_routers);
    RETURN_ERROR_IF(!network->local_peer || !network->places || !network->link_routers, status,
                    STATUS_MEMORY, "out of memory for the ports of a group");
    for (uint32_t link = 0; link < topology->links; link++)
        network->link_routers[link] = (uint16_t)(link / topology->globals);
    for (uint32_t output = 0; output < network->ports; output++) {
        uint32_t router = output / topology->radix;
        uint32_t port = output % topology->radix;
        network_level level = topology_level(topology, port);
        if (port >= topology->radix - topology->ring_ports) {
            place_ring_port(network, output);
            continue;
        }
        network->local_peer[output] = NONE;
        if (level == NETWORK_TERMINAL) {
            network->local_peer[output] =
                network->ports + router * topology->nodes_per_router + port;
        } else if (level == NETWORK_LOCAL) {
            group_end end = topology_local_end(topology, router, port);
            network->local_peer[output] = end.router * topology->radix + end.port;
        }
        network->places[output] = (place){
            .router = (uint16_t)router,
            .port = (uint16_t)port,
            .level = level,
            .first_lane = router * topology->radix * network->vcs,
            .peer_lane = level == NETWORK_GLOBAL
                             ? router * topology->globals + port - topology->first_global
                             : network->local_peer[output] * network->vcs,
        };
    }
    for (uint32_t node = 0; node < topology->nodes_per_group; node++) {
        uint32_t router = node / topology->nodes_per_router;
        uint32_t port = router * topology->radix + node % topology->nodes_per_router;
        network->local_peer[network->ports + node] = port;
        network->places[network->ports + node] = (place){
            .router = (uint16_t)router,
            .port = (uint16_t)node,
            .level = NETWORK_TERMINAL,
            .first_lane = router * topology->radix * network->vcs,
            .peer_lane = port * network->vcs,
        };
    }
    return STATUS_OK;
}

static status_code build(network *network, status *status) {
    FORWARD_IF_ERROR(topology_new(&network->topology, &network->config, status));
    FORWARD_IF_ERROR(rails_wire(network, status));
    derive(network);
    FORWARD_IF_ERROR(make_places(network, status));
    uint32_t groups = network->topology.groups;
    uint32_t domains = groups * network->rails;
    network->domains = memory_new(domains, sizeof *network->domains);
    network->next_ps = memory_new(groups, sizeof *network->next_ps);
    RETURN_ERROR_IF(!network->domains || !network->next_ps, status, STATUS_MEMORY,
                    "out of memory for %u groups", groups);
    network->domain_count = domains;
    network->lines = domain_lines_new(network);
    RETURN_ERROR_IF(network->lines == NULL, status, STATUS_MEMORY,
                    "out of memory for the routers of %u groups", groups);
    for (uint32_t i = 0; i < domains; i++)
        FORWARD_IF_ERROR(domain_new(&network->domains[i], network, i, status));
    return ring_new(network, status);
}

status_code network_new(network **made, const network_config *config, uint64_t seed,
                        const network_sink *sink, status *status) {
    FORWARD_IF_ERROR(network_config_check(config, status));
    network *network = memory_new(1, sizeof *network);
    RETURN_ERROR_IF(network == NULL, status, STATUS_MEMORY, "out of memory for a network");
    network->config = *config;
    network->seed = seed;
    network->sink = *sink;
    network->unordered = sink->unordered;
    network->threads = 1;
    network->rails = (uint32_t)config->rails;
    status_code code = build(network, status);
    if (code != STATUS_OK) {
        network_free(network);
        return code;
    }
    *made = network;
    return STATUS_OK;
}

static void free_outboxes(network *network) {
    if (network->outboxes == NULL) return;
    for (unsigned i = 0; i < 2 * network->threads * network->threads; i++)
        free(network->outboxes[i].parcels);
    free(network->outboxes);
    network->outboxes = NULL;
}

void network_free(network *network) {
    if (network == NULL) return;
    if (network->domains != NULL) {
        for (uint32_t i = 0; i < network->domain_count; i++)
            domain_free(&network->domains[i]);
    }
    free_outboxes(network);
    free(network->domains);
    free(network->next_ps);
    free(network->local_peer);
    free(network->link_routers);
    free(network->places);
    free(network->lines);
    topology_free(&network->topology);
    rails_free(network);
    free(network);
}

uint32_t network_node_count(const network *network) {
    return network->topology.groups * network->topology.nodes_per_group;
}

uint32_t network_rail_count(const network *network) {
    return network->rails;
}

uint32_t network_domain_count(const network *network) {
    return network->topology.groups;
}

network_domain *network_domain_at(network *network, uint32_t index) {
    return &network->domains[index];
}

network_domain *network_domain_of_node(network *network, uint32_t node) {
    return &network->domains[node / network->topology.nodes_per_group];
}

uint32_t network_domain_index(const network_domain *domain) {
    return domain->index;
}

void network_timer(network_domain *domain, int64_t at_ps, uint32_t entity, uint64_t data) {
    if (domain->network->unordered) {
        event_queue_insert(&domain->events, at_ps, NETWORK_EVENT(NETWORK_TIMER, data, entity));
    } else {
        event_queue_insert_keyed(&domain->events, at_ps, EVENT_KEY(EVENT_TIMER, entity), data, 0);
    }
}

void network_send(network_domain *domain, int64_t ready_ps, const network_message *sent) {
    if (nic_send_at_once(domain, ready_ps, sent)) return;
    uint32_t index = message_new(domain);
    if (index == NONE) return;
    const network *network = domain->network;
    uint32_t node = sent->source_node - domain->index * network->topology.nodes_per_group;
    const network_cookie *cookie = &sent->cookie;
    message *message = &domain->messages.items[index];
    message->cookie = *cookie;
    message->size_bytes = message->left_bytes = sent->size_bytes;
    message->ready_ps = ready_ps;
    message->source = sent->source_node;
    message->destination = sent->destination_node;
    message->sequence = domain->nics[node].sequence++;
    message->notify_sent = sent->notify_sent;
    message->has_cookie = (cookie->word[0] | cookie->word[1] | cookie->word[2]) != 0;
    message->started = false;
    message->whole = NONE;
    domain->started_messages++;
    if (sent->source_node == sent->destination_node) {
        int64_t end_ps = ready_ps + zero_load_ps(network, node, node, sent->size_bytes, 0);
        message->left_bytes = 0;
        if (sent->notify_sent) {
            uint32_t note = message_new(domain);
            if (note == NONE) return;
            message = &domain->messages.items[index];
            domain->messages.items[note] = *message;
            event_queue_insert_keyed(&domain->events, end_ps,
                                     EVENT_KEY(EVENT_SENT, message->source), message->sequence,
                                     note);
        }
        event_queue_insert_keyed(&domain->events, end_ps,
                                 EVENT_KEY(EVENT_DELIVERED, message->destination),
                                 (uint64_t)message->source << 32 | message->sequence, index);
    } else if (ready_ps > domain->now_ps) {
        event_queue_insert_keyed(&domain->events, ready_ps, EVENT_KEY(EVENT_READY, message->source),
                                 message->sequence, index);
    } else {
        nic_hand_in(domain, index);
    }
}

static void deliver(network_domain *domain, uint32_t index) {
    const network *network = domain->network;
    message message = domain->messages.items[index];
    message_free(domain, index);
    if (message.source == message.destination) {
        domain->totals.memory_messages++;
        domain->totals.digest += digest_mix(
            digest_mix((uint64_t)message.source << 32 | message.sequence, message.destination),
            (uint64_t)domain->now_ps);
    }
    if (network->sink.delivered == NULL) return;
    network_delivery delivery = {
        .source_node = message.source,
        .destination_node = message.destination,
        .size_bytes = message.size_bytes,
        .ready_ps = message.ready_ps,
        .routers = (uint32_t)(message.left_bytes >> 1),
        .minimal = !(message.left_bytes & 1),
        .cookie = message.cookie,
    };
    delivery.zero_load_ps = zero_load_ps(network, message.source, message.destination,
                                         message.size_bytes, message.sequence);
    network->sink.delivered(network->sink.context, domain, domain->now_ps, &delivery);
}

/* Events that only mark what is to be looked at, or commute by the sink's word. */
static inline void handle_free(network_domain *domain, uint64_t event) {
    const network_sink *sink = &domain->network->sink;
    uint32_t where = NETWORK_WHERE(event);
    uint32_t what = NETWORK_WHAT(event);
    if (NETWORK_KIND(event) == NETWORK_ARRIVAL) { /* by far the most */
        router_arrival(domain, where, what);
        return;
    }
    switch (NETWORK_KIND(event)) {
    case NETWORK_HEAD:
        router_head(domain, where);
        break;
    case NETWORK_AGAIN:
        router_again(domain, where, what);
        break;
    case NETWORK_WAKE:
        router_mark(domain, where);
        break;
    case NETWORK_CREDIT:
        saturation_credit(domain, where, what);
        break;
    case NETWORK_NEWS:
        saturation_hear(domain, where, what);
        break;
    case NETWORK_TIMER:
        sink->timer(sink->context, domain, domain->now_ps, where, what);
        break;
    }
}

static void handle_keyed(network_domain *domain, const event_record *event) {
    const network_sink *sink = &domain->network->sink;
    switch (event->key >> 60) {
    case EVENT_READY:
        nic_hand_in(domain, event->extra);
        break;
    case EVENT_DELIVERED:
        deliver(domain, event->extra);
        break;
    case EVENT_SENT: {
        message message = domain->messages.items[event->extra];
        message_free(domain, event->extra);
        if (sink->sent != NULL)
            sink->sent(sink->context, domain, domain->now_ps, message.source, &message.cookie);
        break;
    }
    case EVENT_TIMER:
        sink->timer(sink->context, domain, domain->now_ps, (uint32_t)event->key, event->data);
        break;
    }
}

/* Finds packets that have been first in their buffers for too long. */
RARE static void check_starvation(network_domain *domain) {
    const network *network = domain->network;
    int64_t limit_ps = network->config.starvation_ps;
    domain->starvation_check_ps = domain->now_ps + limit_ps / 2 + 1;
    for (uint32_t lane = 0; lane < network->ports * network->vcs; lane++) {
        uint32_t first = domain->buffers[lane].first;
        if (first == NONE) continue;
        int64_t since_ps = domain->packets.items[first].ready_ps;
        if (domain->buffers[lane].eligible_ps > since_ps)
            since_ps = domain->buffers[lane].eligible_ps;
        if (domain->now_ps - since_ps > limit_ps) domain->starving_lane = lane;
    }
}

/* Flattened into one function: a packet's way through a router crosses five files, and the calls
 * between them would be a seventh of the time. */
__attribute__((flatten)) static void run_domain(network_domain *domain, int64_t end_ps) {
    event_queue *events = &domain->events;
    int64_t now_ps, fetched = events->open_bucket;
    while ((now_ps = event_queue_peek(events, end_ps)) != EVENT_NEVER) {
        domain->now_ps = now_ps;
        if (events->open_bucket != fetched) fetch_first(domain);
        fetched = events->open_bucket;
        uint64_t handled = 0;
        for (uint64_t event; event_queue_take(events, now_ps, &event); handled++) {
            fetch_ahead(domain, FETCH_DISTANCE);
            handle_free(domain, event);
        }
        domain->totals.events += handled;
        event_record event;
        if (event_queue_take_keyed(events, now_ps, &event)) {
            fetch_message(domain);
            handle_keyed(domain, &event);
            domain->totals.events++;
            if (event_queue_more(events, now_ps)) continue;
        }
        router_allocate(domain);
        if (now_ps >= domain->starvation_check_ps && domain->network->config.starvation_ps > 0)
            check_starvation(domain);
    }
}

/* The same for a group in several rails, instant by instant: what a node does with one rail may
 * hang on what it has just heard by another. Keyed events are those of nodes, which are at home. */
static void run_rails(network_domain *home, int64_t end_ps) {
    const network *network = home->network;
    for (;;) {
        int64_t now_ps = EVENT_NEVER;
        for (uint32_t rail = 0; rail < network->rails; rail++) {
            int64_t first_ps = event_queue_peek(&domain_of_rail(home, rail)->events, end_ps);
            if (first_ps < now_ps) now_ps = first_ps;
        }
        if (now_ps == EVENT_NEVER) return;
        for (uint32_t rail = 0; rail < network->rails; rail++)
            domain_of_rail(home, rail)->now_ps = now_ps;
        for (bool more = true; more;) {
            more = false;
            for (uint32_t rail = 0; rail < network->rails; rail++) {
                network_domain *domain = domain_of_rail(home, rail);
                for (uint64_t event; event_queue_take(&domain->events, now_ps, &event);) {
                    handle_free(domain, event);
                    domain->totals.events++;
                    more = true; /* it may have sent by a rail that we have been at */
                }
            }
            event_record event;
            if (more || !event_queue_take_keyed(&home->events, now_ps, &event)) continue;
            handle_keyed(home, &event);
            home->totals.events++;
            more = true;
        }
        for (uint32_t rail = 0; rail < network->rails; rail++) {
            network_domain *domain = domain_of_rail(home, rail);
            router_allocate(domain);
            if (now_ps >= domain->starvation_check_ps && network->config.starvation_ps > 0)
                check_starvation(domain);
        }
    }
}

/* All events before end_ps are done, so a bound below it only moves the next window. */
static int64_t group_bound_ps(const network *network, uint32_t group, int64_t end_ps) {
    int64_t bound_ps = EVENT_NEVER;
    for (uint32_t i = group; i < network->domain_count; i += network->topology.groups) {
        int64_t next_ps = event_queue_next_bound(&network->domains[i].events);
        if (next_ps < bound_ps) bound_ps = next_ps;
    }
    return bound_ps > end_ps ? bound_ps : end_ps;
}

static void run_thread(void *context, unsigned thread, int64_t end_ps, uint64_t window) {
    network *network = context;
    for (uint32_t i = thread; i < network->topology.groups; i += network->threads) {
        if (network->next_ps[i] >= end_ps) continue;
        for (uint32_t j = i; j < network->domain_count; j += network->topology.groups)
            network->domains[j].window = window;
        if (network->rails == 1)
            run_domain(&network->domains[i], end_ps);
        else
            run_rails(&network->domains[i], end_ps);
        network->next_ps[i] = group_bound_ps(network, i, end_ps);
    }
}

static int64_t earliest_of_thread(void *context, unsigned thread, uint64_t window) {
    const network *network = context;
    int64_t earliest_ps = EVENT_NEVER;
    for (uint32_t i = thread; i < network->topology.groups; i += network->threads) {
        if (network->next_ps[i] < earliest_ps) earliest_ps = network->next_ps[i];
        for (uint32_t j = i; j < network->domain_count; j += network->topology.groups) {
            const network_domain *domain = &network->domains[j];
            if (domain->out_of_memory || domain->events.out_of_memory ||
                domain->starving_lane != NONE)
                return WINDOWS_STOP;
        }
    }
    for (unsigned to = 0; to < network->threads && network->threads > 1; to++) {
        int64_t sent_ps =
            network->outboxes[((window & 1) * network->threads + thread) * network->threads + to]
                .earliest_ps;
        if (sent_ps < earliest_ps) earliest_ps = sent_ps;
    }
    return earliest_ps;
}

static void receive(void *context, unsigned thread, uint64_t window) {
    exchange_receive(context, thread, window);
}

static bool between(void *context, int64_t now_ps) {
    network *network = context;
    if (network->progress == NULL || ++network->ticks % 4096 != 0) return false;
    uint64_t events = 0;
    for (uint32_t i = 0; i < network->topology.groups; i += network->threads)
        events += network->domains[i].totals.events; /* of thread 0's own domains */
    network->stopped =
        !network->progress(network->progress_context, now_ps, events * network->threads);
    return network->stopped;
}

/* More threads than groups with something to do cannot help. */
static unsigned threads_that_help(const network *network, unsigned wanted) {
    uint32_t busy = 0;
    for (uint32_t i = 0; i < network->topology.groups; i++)
        busy += network->next_ps[i] != EVENT_NEVER;
    unsigned most = wanted > 0 ? wanted : windows_processors();
    if (wanted == 0 && busy / 4 < most) most = busy / 4;
    if (most > network->topology.groups) most = network->topology.groups;
    return most > 0 ? most : 1;
}

static status_code prepare_threads(network *network, unsigned wanted, status *status) {
    free_outboxes(network);
    for (uint32_t i = 0; i < network->topology.groups; i++)
        network->next_ps[i] = EVENT_NEVER;
    for (uint32_t i = 0; i < network->domain_count; i++) {
        network_domain *domain = &network->domains[i];
        int64_t first_ps = event_queue_next_time(&domain->events);
        int64_t *next_ps = &network->next_ps[domain->index];
        if (first_ps < *next_ps) *next_ps = first_ps;
    }
    network->threads = threads_that_help(network, wanted);
    for (uint32_t i = 0; i < network->domain_count; i++)
        network->domains[i].thread = network->domains[i].index % network->threads;
    if (network->threads == 1) return STATUS_OK;
    size_t boxes = (size_t)2 * network->threads * network->threads;
    network->outboxes = memory_new(boxes, sizeof *network->outboxes);
    RETURN_ERROR_IF(network->outboxes == NULL, status, STATUS_MEMORY,
                    "out of memory for the mailboxes of %u threads", network->threads);
    for (size_t i = 0; i < boxes; i++)
        network->outboxes[i].earliest_ps = EVENT_NEVER;
    return STATUS_OK;
}

/*
 * How long nothing can come from another group: the global latency, and what always comes on top.
 * A packet also takes hop_ps before it may ask for anything; a credit also takes as long as the
 * smallest packet needs to leave: by the channel, or with output buffers, by the crossbar.
 */
static int64_t lookahead_ps(const network *network, const network_run_options *options) {
    if (network->topology.groups == 1) return EVENT_NEVER;
    int64_t smallest_bytes =
        network->config.header_bytes + (int64_t)options->smallest_message_bytes;
    if (smallest_bytes > network->full_packet_bytes) smallest_bytes = network->full_packet_bytes;
    int64_t fastest = 0; /* way out of a buffer; 0: at once */
    for (int level = 0; level < NETWORK_LEVELS; level++) {
        if (network->bandwidth[level] > fastest) fastest = network->bandwidth[level];
    }
    if (network->output_buffered) fastest = network->crossbar_bandwidth;
    if (network->config.release == NETWORK_RELEASE_HEAD) fastest = 0;
    int64_t leaving_ps = fastest > 0 ? serialization_ps(smallest_bytes, fastest) : 0;
    return network->latency_ps[NETWORK_GLOBAL] +
           (leaving_ps < network->hop_ps ? leaving_ps : network->hop_ps);
}

status_code network_run(network *network, const network_run_options *options, status *status) {
    FORWARD_IF_ERROR(prepare_threads(network, options->threads, status));
    network->progress = options->progress;
    network->progress_context = options->progress_context;
    network->stopped = false;
    windows_work work = {
        .context = network,
        .run = run_thread,
        .earliest = earliest_of_thread,
        .receive = receive,
        .between = between,
    };
    FORWARD_IF_ERROR(windows_run(&work, network->threads, lookahead_ps(network, options),
                                 &network->windows, status));
    return report_end(network, status);
}
