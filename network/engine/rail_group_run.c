/*
 * Processes the events of a rail group in order, and delivers messages to the sink.
 *
 * Invariant: all arrivals of a time stamp are processed before anything is allocated in it.
 */
#include "network/engine/rail_group.h"

#include "core/base/compiler_hints.h"
#include "core/base/digest.h"
#include "core/base/prefetch.h"
#include "network/engine/fetch_in_stages.h"
#include "network/engine/flow_control/requests.h"
#include "network/engine/flow_control/wakeups.h"
#include "network/engine/measurement/packet_trails.h"
#include "network/engine/nic/acknowledgements.h"
#include "network/engine/nic/nic.h"
#include "network/engine/router/basic_machines.h"
#include "network/engine/router/congestion.h"
#include "network/engine/router/input_vc.h"
#include "network/engine/router/router.h"
#include "network/engine/state/events.h"
#include "network/engine/state/fetch_ahead.h"
#include "network/engine/state/packet_pool.h"
#include "network/engine/zero_load.h"
#include "network/routing/observation/saturation.h"
#include "network/routing/routing.h"

HINT_NOINLINE static void deliver_message(struct rail_group *rail_group, uint32_t index) {
    const struct network *network = rail_group->network;
    struct network_message_record message = rail_group->messages.items[index];
    network_message_free(rail_group, index);
    uint32_t source = node_shape_node(&network->topology.node_shape, message.source);
    uint32_t destination = node_shape_node(&network->topology.node_shape, message.destination);
    if (source == destination) {
        rail_group->counts.totals.memory_messages++;
        rail_group->counts.totals.digest +=
            digest_mix(digest_mix((uint64_t)source << 32 | message.sequence, destination),
                       (uint64_t)rail_group->now_ps);
    }
    if (network->sink.delivered == NULL) return;
    struct network_delivery delivery = {
        .source_node = source,
        .destination_node = destination,
        .size_bytes = message.size_bytes,
        .ready_ps = message.ready_ps,
        .routers = message.routers,
        .is_minimal = !message.is_nonminimal,
        .cookie = message.cookie,
    };
    delivery.zero_load_ps =
        zero_load_ps(network, rail_group->zero_load_times, message.source, message.destination,
                     message.size_bytes, message.sequence, message.virtual_network);
    network->sink.delivered(network->sink.context, rail_group, rail_group->now_ps, &delivery);
}

/* Handles a free event, which only makes work due or commutes with others (see events.h). */
static inline void handle_free(struct rail_group *rail_group,
                               const struct network_hop_features *features, uint64_t event) {
    const struct network_sink *sink = &rail_group->network->sink;
    uint32_t where = NETWORK_EVENT_WHERE(event);
    uint32_t what = NETWORK_EVENT_WHAT(event);
    if (NETWORK_EVENT_KIND(event) == NETWORK_EVENT_ENTER_VC) { /* by far the most frequent kind */
        if (!features->is_basic && rail_group->limits.congestion != NULL)
            congestion_count_arrival(rail_group, where, what);
        input_vc_append(rail_group, features, where, what);
        return;
    }
    switch (NETWORK_EVENT_KIND(event)) {
    case NETWORK_EVENT_FRONT:
        input_vc_may_request(rail_group, features, where);
        break;
    case NETWORK_EVENT_REROUTE:
        input_vc_reroute(rail_group, where, what);
        break;
    case NETWORK_EVENT_WAKE:
        wakeup_make_due(rail_group, features, where);
        break;
    case NETWORK_EVENT_CREDIT:
        saturation_remove_credit(rail_group, where, what);
        break;
    case NETWORK_EVENT_SATURATION_REPORT:
        saturation_receive_report(rail_group, where, what);
        break;
    case NETWORK_EVENT_NOTICE:
        acknowledgement_take_notice(rail_group, what);
        break;
    case NETWORK_EVENT_FREE_TIMER:
        fetch_sender(rail_group, where); /* synthetic traffic mostly sends */
        sink->timer(sink->context, rail_group, rail_group->now_ps, where, what);
        break;
    }
}

static void handle_keyed(struct rail_group *rail_group, const struct event_record *event) {
    const struct network_sink *sink = &rail_group->network->sink;
    switch (event->key >> 60) {
    case NETWORK_EVENT_READY:
        nic_hand_in(rail_group, event->extra);
        break;
    case NETWORK_EVENT_DELIVERED:
        if (HINT_UNLIKELY(rail_group->observers.trails != NULL))
            packet_trail_record_delivered(rail_group, event->extra);
        deliver_message(rail_group, event->extra);
        break;
    case NETWORK_EVENT_SENT: {
        struct network_message_record message = rail_group->messages.items[event->extra];
        network_message_free(rail_group, event->extra);
        if (sink->sent != NULL)
            sink->sent(sink->context, rail_group, rail_group->now_ps,
                       node_shape_node(&rail_group->network->topology.node_shape, message.source),
                       &message.cookie);
        break;
    }
    case NETWORK_EVENT_KEYED_TIMER:
        sink->timer(sink->context, rail_group, rail_group->now_ps, (uint32_t)event->key,
                    event->data);
        break;
    }
}

/* Finds a packet that has been first in its buffer for longer than network.starvation. */
HINT_RARE static void check_starvation(struct rail_group *rail_group) {
    const struct network *network = rail_group->network;
    int64_t limit_ps = network->config.starvation_ps;
    rail_group->failure.starvation_check_ps = rail_group->now_ps + limit_ps / 2 + 1;
    for (uint32_t port_vc = 0; port_vc < network->tables.ports * network->vcs.per_port; port_vc++) {
        uint32_t first = rail_group->input_vcs[port_vc].first;
        if (first == NETWORK_NONE) continue;
        int64_t since_ps = rail_group->packets.items[first].request_ps;
        if (rail_group->input_vcs[port_vc].eligible_ps > since_ps)
            since_ps = rail_group->input_vcs[port_vc].eligible_ps;
        if (rail_group->now_ps - since_ps > limit_ps)
            rail_group->failure.starving_port_vc = port_vc;
    }
}

/* Processes the events of a rail group before end_ps if there is one rail. */
static inline void run_one_rail(struct rail_group *rail_group,
                                const struct network_hop_features *features, int64_t end_ps) {
    struct event_queue *events = &rail_group->events;
    const bool fetches_outputs = rail_group->network->prefetching.covers_outputs;
    int64_t now_ps, fetched = events->open_bucket;
    while ((now_ps = event_queue_peek(events, end_ps)) != EVENT_NEVER) {
        rail_group->now_ps = now_ps;
        if (events->open_bucket != fetched) fetch_first(rail_group);
        fetched = events->open_bucket;
        uint64_t handled = 0;
        for (uint64_t event; event_queue_take(events, now_ps, &event); handled++) {
            if (fetches_outputs) {
                fetch_in_stages(rail_group, features);
            } else {
                fetch_ahead(rail_group, FETCH_DISTANCE);
            }
            handle_free(rail_group, features, event);
        }
        rail_group->counts.totals.events += handled;
        struct event_record event;
        if (event_queue_take_keyed(events, now_ps, &event)) {
            fetch_message(rail_group);
            handle_keyed(rail_group, &event);
            rail_group->counts.totals.events++;
            if (event_queue_more(events, now_ps)) continue;
        }
        if (!features->is_basic && rail_group->limits.congestion != NULL)
            congestion_settle(rail_group);
        router_allocate(rail_group, features);
        if (now_ps >= rail_group->failure.starvation_check_ps &&
            rail_group->network->config.starvation_ps > 0)
            check_starvation(rail_group);
    }
}

/* The compiler flattens each of these into one function: a packet's path through a router crosses
 * several files, and the calls between them would take a seventh of the time. */
#define RUN __attribute__((flatten)) static void

RUN run_any(struct rail_group *rail_group, int64_t end_ps) {
    run_one_rail(rail_group, &rail_group->network->hop_features, end_ps);
}

#define RUN_OF(name, ...)                                                                          \
    RUN run_##name(struct rail_group *rail_group, int64_t end_ps) {                                \
        run_one_rail(rail_group, &network_basic_##name, end_ps);                                   \
    }
NETWORK_BASIC_MACHINES(RUN_OF)

/* Processes the events of a group before end_ps in several rails, instant by instant, because the
 * actions of a node in one rail may depend on what has just arrived by another. Keyed events belong
 * to nodes, so they are in the home's queue. */
static void run_rails(struct rail_group *home, int64_t end_ps) {
    const struct network *network = home->network;
    for (;;) {
        int64_t now_ps = EVENT_NEVER;
        for (uint32_t rail = 0; rail < network->rails.count; rail++) {
            int64_t first_ps = event_queue_peek(&rail_group_in(home, rail)->events, end_ps);
            if (first_ps < now_ps) now_ps = first_ps;
        }
        if (now_ps == EVENT_NEVER) return;
        for (uint32_t rail = 0; rail < network->rails.count; rail++)
            rail_group_in(home, rail)->now_ps = now_ps;
        for (bool more = true; more;) {
            more = false;
            for (uint32_t rail = 0; rail < network->rails.count; rail++) {
                struct rail_group *rail_group = rail_group_in(home, rail);
                for (uint64_t event; event_queue_take(&rail_group->events, now_ps, &event);) {
                    handle_free(rail_group, &network->hop_features, event);
                    rail_group->counts.totals.events++;
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
            struct rail_group *rail_group = rail_group_in(home, rail);
            if (network->nics.has_congestion_control) congestion_settle(rail_group);
            router_allocate(rail_group, &network->hop_features);
            if (now_ps >= rail_group->failure.starvation_check_ps &&
                network->config.starvation_ps > 0)
                check_starvation(rail_group);
        }
    }
}

static bool is_same(const struct network_hop_features *features,
                    const struct network_hop_features *other) {
    return features->is_basic == other->is_basic &&
           features->has_basic_routing == other->has_basic_routing &&
           features->allocates_by_router == other->allocates_by_router &&
           features->has_output_buffers == other->has_output_buffers &&
           features->keeps_allocation_times == other->keeps_allocation_times &&
           features->has_one_word == other->has_one_word &&
           features->is_observed == other->is_observed && features->crossbar == other->crossbar;
}

rail_group_runner rail_group_run_of(const struct network *network) {
#define ROW(name, ...) {&network_basic_##name, run_##name},
    static const struct {
        const struct network_hop_features *features;
        rail_group_runner run;
    } rows[] = {NETWORK_BASIC_MACHINES(ROW)};
#undef ROW
    if (network->rails.count > 1) return run_rails;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (is_same(&network->hop_features, rows[i].features)) return rows[i].run;
    return run_any;
}
