/*
 * Saturated global links. A link is saturated if its queue is longer than factor · (mean of the
 * queues of its router's connected global ports) + threshold. Reports pass one local channel after
 * another, so routers further away get them later. Source: N. Jiang et al., Indirect Adaptive
 * Routing on Large Scale Interconnection Networks, ISCA 2009 (piggyback routing). Factor and
 * threshold are settings.
 */
#include "network/routing/observation/saturation.h"

#include "core/base/compiler_hints.h"
#include "core/memory/memory.h"
#include "network/engine/state/events.h"

#include <stdlib.h>

enum { SATURATED_NOW = 1 }; /* << n: known to be saturated n local hops away */

struct saturation {
    int64_t *queue_bytes;  /* [link] */
    int64_t *router_bytes; /* [router]: sum over its links */
    uint8_t *flags;        /* [link] */
    struct bitset changed; /* routers whose queues have changed */
};

struct saturation *saturation_new(const struct network *network) {
    const struct topology *topology = &network->topology;
    struct saturation *made = memory_new(1, sizeof *made);
    if (made == NULL) return NULL;
    made->queue_bytes = memory_new(topology->links_per_group, sizeof *made->queue_bytes);
    made->router_bytes = memory_new(topology->routers_per_group, sizeof *made->router_bytes);
    made->flags = memory_new(topology->links_per_group, sizeof *made->flags);
    bool allocated = made->queue_bytes && made->router_bytes && made->flags;
    if (allocated && bitset_new(&made->changed, topology->routers_per_group)) return made;
    saturation_free(made);
    return NULL;
}

void saturation_free(struct saturation *saturation) {
    if (saturation == NULL) return;
    free(saturation->queue_bytes);
    free(saturation->router_bytes);
    free(saturation->flags);
    bitset_free(&saturation->changed);
    free(saturation);
}

SAVED_SIZE_IS(struct saturation, 56);

void saturation_save_or_restore(struct saved_state *state, struct rail_group *rail_group) {
    const struct topology *topology = &rail_group->network->topology;
    struct saturation *saturation = rail_group->routing.saturation;
    SAVED_ITEMS(state, saturation->queue_bytes, topology->links_per_group);
    SAVED_ITEMS(state, saturation->router_bytes, topology->routers_per_group);
    SAVED_ITEMS(state, saturation->flags, topology->links_per_group);
    save_or_restore_bitset(state, &saturation->changed);
}

static inline void change_queue(struct rail_group *rail_group, uint32_t link, int64_t bytes) {
    struct saturation *saturation = rail_group->routing.saturation;
    uint32_t router = rail_group->network->tables.link_ends[link].router;
    saturation->queue_bytes[link] += bytes;
    saturation->router_bytes[router] += bytes;
    bitset_add(&saturation->changed, router);
}

HINT_NOINLINE void saturation_count(struct rail_group *rail_group, uint32_t link, int64_t bytes) {
    change_queue(rail_group, link, bytes);
}

/* Adds bytes to the queue of a global link if it is an output's port VC whose bytes count. */
static inline void count_port_vc(struct rail_group *rail_group, uint32_t port_vc, int64_t bytes) {
    const struct network *network = rail_group->network;
    uint32_t output = port_of_vc(network, port_vc);
    if (network->tables.wiring[output].channel_kind != NETWORK_GLOBAL) return;
    uint32_t vc_class = network->routing.minimal_class, last = network->vcs.without_ring_count - 1;
    bool counts = network->config.ugal_measure == NETWORK_UGAL_MEASURE_PORT ||
                  (port_vc - output * network->vcs.per_port) % network->vcs.per_virtual_network ==
                      (vc_class < last ? vc_class : last);
    if (counts) change_queue(rail_group, network->tables.wiring[output].global_link, bytes);
}

HINT_NOINLINE void saturation_count_waiting(struct rail_group *rail_group, uint32_t port_vc,
                                            int64_t bytes) {
    if (rail_group->network->config.ugal_waiting) count_port_vc(rail_group, port_vc, bytes);
}

HINT_NOINLINE void saturation_count_sent(struct rail_group *rail_group, uint32_t port_vc,
                                         int64_t bytes) {
    if (!rail_group->network->config.ugal_waiting) count_port_vc(rail_group, port_vc, bytes);
}

HINT_NOINLINE void saturation_expect_credit(struct rail_group *rail_group, uint32_t port_vc,
                                            uint32_t bytes, int64_t time_ps) {
    event_queue_insert(&rail_group->events, time_ps,
                       NETWORK_EVENT(NETWORK_EVENT_CREDIT, bytes, port_vc));
}

HINT_NOINLINE void saturation_remove_credit(struct rail_group *rail_group, uint32_t port_vc,
                                            uint32_t bytes) {
    count_port_vc(rail_group, port_vc, -(int64_t)bytes);
}

/* Finds which links of a router are saturated, and reports those for which that has changed. */
static void find_flags(struct rail_group *rail_group, uint32_t router) {
    const struct network *network = rail_group->network;
    struct saturation *saturation = rail_group->routing.saturation;
    uint32_t globals = network->topology.globals_per_router, connected = 0;
    for (uint32_t link = router * globals; link < (router + 1) * globals; link++)
        connected += rail_group->wiring.peer_group[link] != NETWORK_NO_GROUP;
    __int128 scale = (__int128)connected * 1000000;
    __int128 limit =
        (__int128)saturation->router_bytes[router] * network->config.piggyback_factor_millionths +
        scale * network->config.piggyback_packets * network->channels.full_packet_bytes;
    for (uint32_t link = router * globals; link < (router + 1) * globals; link++) {
        uint8_t now = scale * saturation->queue_bytes[link] > limit ? SATURATED_NOW : 0;
        if ((saturation->flags[link] & SATURATED_NOW) == now) continue;
        saturation->flags[link] ^= SATURATED_NOW;
        for (uint32_t hops = 1; hops <= rail_group->topology->local_diameter; hops++)
            event_queue_insert(
                &rail_group->events, rail_group->now_ps + hops * network->channels.local_latency_ps,
                NETWORK_EVENT(NETWORK_EVENT_SATURATION_REPORT, hops << 1 | now, link));
    }
}

HINT_NOINLINE void saturation_settle(struct rail_group *rail_group) {
    for (uint32_t router;
         (router = bitset_pop(&rail_group->routing.saturation->changed)) != NETWORK_NONE;)
        find_flags(rail_group, router);
}

HINT_NOINLINE void saturation_receive_report(struct rail_group *rail_group, uint32_t link,
                                             uint32_t report) {
    uint32_t known = (uint32_t)SATURATED_NOW << (report >> 1);
    uint8_t *flags = &rail_group->routing.saturation->flags[link];
    *flags = (uint8_t)((*flags & ~known) | (report & 1 ? known : 0));
}

bool saturation_known(const struct rail_group *rail_group, uint32_t router, uint32_t link) {
    const struct network *network = rail_group->network;
    uint32_t hops = topology_local_hops(rail_group->topology, rail_group->group,
                                        network->tables.link_ends[link].router, router);
    return rail_group->routing.saturation->flags[link] & SATURATED_NOW << hops;
}
