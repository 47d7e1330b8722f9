/*
 * Measures credit round trips and computes the delays of credits. Source: Kim et al. 2008, section
 * 4.3.2:
 *
 *   t_d(O) = t_crt(O) - t_crt0,
 *   delay of a credit = t_d(O) - minimum of t_d over the router's outputs.
 *
 * The time of sending is kept for each packet not yet credited, as in the paper's credit time
 * queue. Unlike in the paper, each VC of an output has a register of its own, and the minimum is
 * taken over the registers of one VC. The reason: the wait of a first global hop (VC 0) includes
 * delayed credits of the next group. With one register for both VCs, this wait would delay credits
 * of second global hops (VC 1), and these would delay the next first hops. Delays would then feed
 * themselves, and throughput would collapse. VCs rise along a path, so delays of a VC come from
 * higher VCs only.
 */
#include "network/routing/observation/round_trips.h"

#include "core/base/compiler_hints.h"
#include "core/memory/memory.h"
#include "network/engine/flow_control/credits.h"
#include "network/engine/state/channel_times.h"

#include <stdlib.h>

struct departure {
    int64_t sent_ps;
    uint32_t next;
};
POOL_DEFINE(departure, struct departure)

/* The packets of an output VC that are not yet credited, and t_d as last measured. */
struct port_vc_trips {
    uint32_t first;
    uint32_t last;
    int64_t measured_ps; /* t_d as measured by the last credit */
    int64_t excess_ps;   /* the register: t_d as measured at the last traversal of the port VC */
};

struct round_trips {
    struct port_vc_trips *output_vcs;
    int64_t *min_ps; /* [router·vcs + vc]: least register of the router's outputs */
    struct departure_pool departures;
    int64_t idle_full_ps[NETWORK_CHANNEL_TYPES]; /* t_crt0 of a full packet */
};

/* Returns the least time from the grant of a packet until its credit is back: to the next router,
 * through it by the fastest channel or the crossbar, until the tail has followed, and back. If the
 * head's departure releases the space, the time counts the head only. */
static int64_t least_round_trip_ps(const struct network *network, uint32_t type, uint32_t bytes) {
    if (network->config.release == NETWORK_RELEASE_HEAD)
        return 2 * network->channels.latency_ps[type] + network->config.credit_latency_ps +
               network->routers.delay_ps;
    int64_t fastest = network->routers.crossbar_bytes_per_s;
    for (int i = 0; i < NETWORK_CHANNEL_TYPES && !network->hop_features.has_output_buffers; i++) {
        if (i == 0 || network->channels.bytes_per_s[i] > fastest)
            fastest = network->channels.bytes_per_s[i];
    }
    int64_t head_ps =
        network->routers.delay_ps + (fastest > 0 ? channel_serialisation_ps(bytes, fastest) : 0);
    int64_t tail_ps = channel_ps(network, type, bytes);
    return 2 * network->channels.latency_ps[type] + network->config.credit_latency_ps +
           (head_ps > tail_ps ? head_ps : tail_ps);
}

/* Returns whether an output has credits: terminal outputs do not, and global outputs only if they
 * are connected. */
static bool has_credits(const struct rail_group *rail_group, uint32_t output) {
    const struct network_output_wiring *wiring = &rail_group->network->tables.wiring[output];
    if (wiring->channel_kind == NETWORK_TERMINAL) return false;
    const struct topology *topology = rail_group->topology;
    return wiring->channel_kind == NETWORK_LOCAL ||
           topology->link_peers[(size_t)rail_group->group * topology->links_per_group +
                                wiring->global_link] != TOPOLOGY_UNCONNECTED;
}

struct round_trips *round_trips_new(const struct rail_group *rail_group) {
    const struct network *network = rail_group->network;
    struct round_trips *made = memory_new(1, sizeof *made);
    if (made == NULL) return NULL;
    made->output_vcs =
        memory_new((size_t)network->tables.ports * network->vcs.per_port, sizeof *made->output_vcs);
    made->min_ps = memory_new((size_t)network->topology.routers_per_group * network->vcs.per_port,
                              sizeof *made->min_ps);
    if (!made->output_vcs || !made->min_ps) {
        round_trips_free(made);
        return NULL;
    }
    for (uint32_t port_vc = 0; port_vc < network->tables.ports * network->vcs.per_port; port_vc++) {
        int64_t excess_ps = has_credits(rail_group, port_of_vc(network, port_vc)) ? 0 : EVENT_NEVER;
        made->output_vcs[port_vc] =
            (struct port_vc_trips){NETWORK_NONE, NETWORK_NONE, 0, excess_ps};
    }
    for (uint32_t type = 0; type < NETWORK_CHANNEL_TYPES; type++)
        made->idle_full_ps[type] =
            least_round_trip_ps(network, type, network->channels.full_packet_bytes);
    return made;
}

void round_trips_free(struct round_trips *trips) {
    if (trips == NULL) return;
    free(trips->output_vcs);
    free(trips->min_ps);
    departure_pool_clear(&trips->departures);
    free(trips);
}

SAVED_SIZE_IS(struct round_trips, 88);

void round_trips_save_or_restore(struct saved_state *state, struct rail_group *rail_group) {
    const struct network *network = rail_group->network;
    struct round_trips *trips = rail_group->routing.round_trips;
    SAVED_ITEMS(state, trips->output_vcs, (size_t)network->tables.ports * network->vcs.per_port);
    SAVED_ITEMS(state, trips->min_ps,
                (size_t)network->topology.routers_per_group * network->vcs.per_port);
    SAVED_POOL(state, &trips->departures);
}

HINT_NOINLINE void round_trips_record_sent(struct rail_group *rail_group, uint32_t port_vc) {
    struct round_trips *trips = rail_group->routing.round_trips;
    uint32_t added = departure_pool_take(&trips->departures);
    if (added == POOL_NONE) {
        rail_group->failure.out_of_memory = true;
        return;
    }
    struct port_vc_trips *list = &trips->output_vcs[port_vc];
    trips->departures.items[added] = (struct departure){rail_group->now_ps, NETWORK_NONE};
    if (list->first == NETWORK_NONE) {
        list->first = added;
    } else {
        trips->departures.items[list->last].next = added;
    }
    list->last = added;
}

HINT_NOINLINE void round_trips_record_credit(struct rail_group *rail_group, uint32_t port_vc,
                                             uint32_t bytes, int64_t time_ps) {
    const struct network *network = rail_group->network;
    struct round_trips *trips = rail_group->routing.round_trips;
    struct port_vc_trips *list = &trips->output_vcs[port_vc];
    uint32_t oldest = list->first;
    if (oldest == NETWORK_NONE)
        return; /* an endpoint's credit, or memory has run out, which ends the run */
    struct departure *departure = &trips->departures.items[oldest];
    uint32_t type = network->tables.wiring[port_of_vc(network, port_vc)].channel_type;
    int64_t min_ps = bytes == network->channels.full_packet_bytes
                         ? trips->idle_full_ps[type]
                         : least_round_trip_ps(network, type, bytes);
    int64_t excess_ps = time_ps - departure->sent_ps - min_ps;
    list->measured_ps = excess_ps > 0 ? excess_ps : 0;
    list->first = departure->next;
    departure_pool_give(&trips->departures, oldest);
}

/* Sets the register of a port VC, and updates the least register of its router and VC. */
static void set_register(struct rail_group *rail_group, uint32_t output, uint32_t vc,
                         int64_t excess_ps) {
    const struct network *network = rail_group->network;
    const struct topology *topology = &network->topology;
    struct round_trips *trips = rail_group->routing.round_trips;
    uint32_t router = network->tables.wiring[output].router;
    struct port_vc_trips *changed = &trips->output_vcs[output * network->vcs.per_port + vc];
    int64_t *min_ps = &trips->min_ps[router * network->vcs.per_port + vc];
    int64_t before_ps = changed->excess_ps;
    changed->excess_ps = excess_ps;
    if (excess_ps <= *min_ps) {
        *min_ps = excess_ps;
    } else if (before_ps == *min_ps) {
        uint32_t first = router * topology->radix;
        int64_t now_ps = EVENT_NEVER;
        for (uint32_t i = first + topology->endpoints_per_router; i < first + topology->radix;
             i++) {
            int64_t other_ps = trips->output_vcs[i * network->vcs.per_port + vc].excess_ps;
            if (other_ps < now_ps) now_ps = other_ps;
            if (now_ps <= before_ps) break; /* another register is as low, so the least stays */
        }
        *min_ps = now_ps;
    }
}

HINT_NOINLINE int64_t round_trips_delay_ps(struct rail_group *rail_group, uint32_t output,
                                           uint32_t vc) {
    const struct network *network = rail_group->network;
    struct round_trips *trips = rail_group->routing.round_trips;
    const struct port_vc_trips *port_vc = &trips->output_vcs[output * network->vcs.per_port + vc];
    credits_settle(rail_group, &rail_group->network->hop_features,
                   output * network->vcs.per_port + vc);
    if (port_vc->measured_ps != port_vc->excess_ps)
        set_register(rail_group, output, vc, port_vc->measured_ps);
    return port_vc->excess_ps -
           trips->min_ps[network->tables.wiring[output].router * network->vcs.per_port + vc];
}
