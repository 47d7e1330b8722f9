/*
 * Processes the events of a domain in order, and delivers messages to the sink.
 *
 * Invariant: all arrivals of a time stamp are processed before anything is allocated in it.
 */
#include "network/engine/domain.h"

#include "core/base/digest.h"
#include "core/base/hints.h"
#include "core/base/prefetch.h"
#include "network/engine/acknowledgements.h"
#include "network/engine/basic_machines.h"
#include "network/engine/congestion.h"
#include "network/engine/events.h"
#include "network/engine/fetch_ahead.h"
#include "network/engine/fetch_in_stages.h"
#include "network/engine/nic.h"
#include "network/engine/packet_trails.h"
#include "network/engine/packets.h"
#include "network/engine/requests.h"
#include "network/engine/route_computation.h"
#include "network/engine/router.h"
#include "network/engine/wakeups.h"
#include "network/engine/zero_load.h"
#include "network/routing/routing.h"
#include "network/routing/saturation.h"

HINT_NOINLINE static void deliver_message(struct network_domain *domain, uint32_t index) {
    const struct network *network = domain->network;
    struct network_message_record message = domain->messages.items[index];
    message_free(domain, index);
    uint32_t source = node_shape_node(&network->topology.node, message.source);
    uint32_t destination = node_shape_node(&network->topology.node, message.destination);
    if (source == destination) {
        domain->counts.totals.memory_messages++;
        domain->counts.totals.digest +=
            digest_mix(digest_mix((uint64_t)source << 32 | message.sequence, destination),
                       (uint64_t)domain->now_ps);
    }
    if (network->sink.delivered == NULL) return;
    struct network_delivery delivery = {
        .source_node = source,
        .destination_node = destination,
        .size_bytes = message.size_bytes,
        .ready_ps = message.ready_ps,
        .routers = message.routers,
        .minimal = !message.detour,
        .cookie = message.cookie,
    };
    delivery.zero_load_ps =
        zero_load_ps(network, domain->zero_load_times, message.source, message.destination,
                     message.size_bytes, message.sequence, message.virtual_network);
    network->sink.delivered(network->sink.context, domain, domain->now_ps, &delivery);
}

/* Handles a free event, which only makes work due or commutes with others (see events.h). */
static inline void handle_free(struct network_domain *domain,
                               const struct network_hop_features *features, uint64_t event) {
    const struct network_sink *sink = &domain->network->sink;
    uint32_t where = NETWORK_WHERE(event);
    uint32_t what = NETWORK_WHAT(event);
    if (NETWORK_KIND(event) == NETWORK_ENTER_VC) { /* by far the most frequent kind */
        if (!features->basic && domain->limits.congestion != NULL)
            congestion_arrival(domain, where, what);
        input_vc_append(domain, features, where, what);
        return;
    }
    switch (NETWORK_KIND(event)) {
    case NETWORK_FRONT:
        front_may_request(domain, features, where);
        break;
    case NETWORK_REROUTE:
        front_reroute(domain, where, what);
        break;
    case NETWORK_WAKE:
        wakeup_now(domain, features, where);
        break;
    case NETWORK_CREDIT:
        saturation_credit(domain, where, what);
        break;
    case NETWORK_SATURATION_REPORT:
        saturation_receive_report(domain, where, what);
        break;
    case NETWORK_NOTICE:
        acknowledgement_notice(domain, what);
        break;
    case NETWORK_TIMER:
        fetch_sender(domain, where); /* synthetic traffic mostly sends */
        sink->timer(sink->context, domain, domain->now_ps, where, what);
        break;
    }
}

static void handle_keyed(struct network_domain *domain, const struct event_record *event) {
    const struct network_sink *sink = &domain->network->sink;
    switch (event->key >> 60) {
    case EVENT_READY:
        nic_hand_in(domain, event->extra);
        break;
    case EVENT_DELIVERED:
        if (HINT_UNLIKELY(domain->observers.trails != NULL)) trail_delivered(domain, event->extra);
        deliver_message(domain, event->extra);
        break;
    case EVENT_SENT: {
        struct network_message_record message = domain->messages.items[event->extra];
        message_free(domain, event->extra);
        if (sink->sent != NULL)
            sink->sent(sink->context, domain, domain->now_ps,
                       node_shape_node(&domain->network->topology.node, message.source),
                       &message.cookie);
        break;
    }
    case EVENT_TIMER:
        sink->timer(sink->context, domain, domain->now_ps, (uint32_t)event->key, event->data);
        break;
    }
}

/* Finds a packet that has been first in its buffer for longer than network.starvation. */
HINT_RARE static void check_starvation(struct network_domain *domain) {
    const struct network *network = domain->network;
    int64_t limit_ps = network->config.starvation_ps;
    domain->failure.starvation_check_ps = domain->now_ps + limit_ps / 2 + 1;
    for (uint32_t port_vc = 0; port_vc < network->tables.ports * network->vcs.per_port; port_vc++) {
        uint32_t first = domain->input_vcs[port_vc].first;
        if (first == NETWORK_NONE) continue;
        int64_t since_ps = domain->packets.items[first].request_ps;
        if (domain->input_vcs[port_vc].eligible_ps > since_ps)
            since_ps = domain->input_vcs[port_vc].eligible_ps;
        if (domain->now_ps - since_ps > limit_ps) domain->failure.starving_port_vc = port_vc;
    }
}

/* Processes the events of a domain before end_ps if there is one rail. */
static inline void run_one_rail(struct network_domain *domain,
                                const struct network_hop_features *features, int64_t end_ps) {
    struct event_queue *events = &domain->events;
    const bool fetches_outputs = domain->network->prefetching.outputs;
    int64_t now_ps, fetched = events->open_bucket;
    while ((now_ps = event_queue_peek(events, end_ps)) != EVENT_NEVER) {
        domain->now_ps = now_ps;
        if (events->open_bucket != fetched) fetch_first(domain);
        fetched = events->open_bucket;
        uint64_t handled = 0;
        for (uint64_t event; event_queue_take(events, now_ps, &event); handled++) {
            if (fetches_outputs) {
                fetch_in_stages(domain, features);
            } else {
                fetch_ahead(domain, FETCH_DISTANCE);
            }
            handle_free(domain, features, event);
        }
        domain->counts.totals.events += handled;
        struct event_record event;
        if (event_queue_take_keyed(events, now_ps, &event)) {
            fetch_message(domain);
            handle_keyed(domain, &event);
            domain->counts.totals.events++;
            if (event_queue_more(events, now_ps)) continue;
        }
        if (!features->basic && domain->limits.congestion != NULL) congestion_settle(domain);
        router_allocate(domain, features);
        if (now_ps >= domain->failure.starvation_check_ps &&
            domain->network->config.starvation_ps > 0)
            check_starvation(domain);
    }
}

/* The compiler flattens each of these into one function: a packet's path through a router crosses
 * several files, and the calls between them would take a seventh of the time. */
#define RUN __attribute__((flatten)) static void

RUN run_any(struct network_domain *domain, int64_t end_ps) {
    run_one_rail(domain, &domain->network->hop_features, end_ps);
}

#define RUN_OF(name, ...)                                                                          \
    RUN run_##name(struct network_domain *domain, int64_t end_ps) {                                \
        run_one_rail(domain, &network_basic_##name, end_ps);                                       \
    }
NETWORK_BASIC_MACHINES(RUN_OF)

/* Processes the events of a group before end_ps in several rails, instant by instant, because
 * the actions of a node in one rail may depend on what has just arrived by another. Keyed events
 * belong to nodes, so they are in the home domain's queue. */
static void run_rails(struct network_domain *home, int64_t end_ps) {
    const struct network *network = home->network;
    for (;;) {
        int64_t now_ps = EVENT_NEVER;
        for (uint32_t rail = 0; rail < network->rails.count; rail++) {
            int64_t first_ps = event_queue_peek(&domain_of_rail(home, rail)->events, end_ps);
            if (first_ps < now_ps) now_ps = first_ps;
        }
        if (now_ps == EVENT_NEVER) return;
        for (uint32_t rail = 0; rail < network->rails.count; rail++)
            domain_of_rail(home, rail)->now_ps = now_ps;
        for (bool more = true; more;) {
            more = false;
            for (uint32_t rail = 0; rail < network->rails.count; rail++) {
                struct network_domain *domain = domain_of_rail(home, rail);
                for (uint64_t event; event_queue_take(&domain->events, now_ps, &event);) {
                    handle_free(domain, &network->hop_features, event);
                    domain->counts.totals.events++;
                    more = true; /* the event may have sent by a rail that this loop has passed */
                }
            }
            struct event_record event;
            if (more || !event_queue_take_keyed(&home->events, now_ps, &event)) continue;
            handle_keyed(home, &event);
            home->counts.totals.events++;
            more = true;
        }
        for (uint32_t rail = 0; rail < network->rails.count; rail++) {
            struct network_domain *domain = domain_of_rail(home, rail);
            if (network->nics.has_congestion_control) congestion_settle(domain);
            router_allocate(domain, &network->hop_features);
            if (now_ps >= domain->failure.starvation_check_ps && network->config.starvation_ps > 0)
                check_starvation(domain);
        }
    }
}

static bool is_same(const struct network_hop_features *features,
                    const struct network_hop_features *other) {
    return features->basic == other->basic && features->by_router == other->by_router &&
           features->output_buffers == other->output_buffers &&
           features->allocation_times == other->allocation_times &&
           features->one_word == other->one_word && features->observed == other->observed &&
           features->crossbar == other->crossbar;
}

domain_runner domain_run_of(const struct network *network) {
#define ROW(name, ...) {&network_basic_##name, run_##name},
    static const struct {
        const struct network_hop_features *features;
        domain_runner run;
    } rows[] = {NETWORK_BASIC_MACHINES(ROW)};
#undef ROW
    if (network->rails.count > 1) return run_rails;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (is_same(&network->hop_features, rows[i].features)) return rows[i].run;
    return run_any;
}
