/*
 * Several candidates for a packet's path. Adaptive policies compare up to
 * network.ugal.minimal_candidates minimal paths and network.ugal.nonminimal_candidates non-minimal
 * ones (2 and 2 on Cray's Aries, up to 4 together on Slingshot). Of either kind the path with the
 * smallest q · w is taken, of equal ones a path with the fewest hops, of these the one drawn first.
 * Under piggyback a minimal path whose link is not saturated comes before those whose link is. The
 * policy then compares the two.
 *
 * Minimal paths between groups differ in the global link. Inside a group they differ in the order
 * of the dimensions: the path in another order passes a router at which it turns into the next VC
 * class. Source: Alverson et al. 2012 (Aries); De Sensi et al. 2020 (Slingshot).
 */
#include "core/base/compiler_hints.h"
#include "core/base/digest.h"
#include "core/simulation/random.h"
#include "network/routing/misrouting.h"
#include "network/routing/observation/saturation.h"
#include "network/routing/routing.h"
#include "network/topology/failures.h"

/* A path under comparison. */
struct candidate {
    uint32_t link; /* global link by which it leaves the group; NETWORK_NO_LINK: it stays */
    uint32_t port;
    uint32_t hops;
    uint16_t waypoint; /* see struct routing_paths */
    uint8_t flags;
    uint8_t vc_class;
    bool saturated; /* piggyback: it is minimal, and its link is known to be saturated */
    int64_t weight;
    __int128 load;
};

static bool is_better(const struct candidate *candidate, const struct candidate *best) {
    if (best->port == NETWORK_NONE) return true;
    if (candidate->saturated != best->saturated) return best->saturated;
    if (candidate->load != best->load) return candidate->load < best->load;
    return candidate->hops < best->hops;
}

/* Sets the load of `candidate`, whose other members are set, and keeps the better of two paths. */
static void compare_candidate(struct rail_group *rail_group, uint32_t router,
                              const struct network_packet *packet, struct candidate *candidate,
                              struct candidate *best) {
    candidate->load = (__int128)routing_load_bytes(rail_group, router, candidate->port,
                                                   candidate->link, packet, candidate->vc_class) *
                      candidate->weight;
    if (is_better(candidate, best)) *best = *candidate;
}

/* Considers the minimal path over a link, in a VC class. */
static void consider_link(struct rail_group *rail_group, uint32_t router,
                          const struct network_packet *packet, uint32_t link, uint8_t vc_class,
                          struct candidate *best) {
    struct candidate candidate = {.link = link, .waypoint = (uint16_t)link, .vc_class = vc_class};
    candidate.port = routing_port_to_link(rail_group, router, link, packet);
    candidate.hops = routing_hops_over(rail_group, router, packet, link);
    candidate.weight = routing_minimal_weight(rail_group, router, packet, candidate.hops);
    if (rail_group->routing.saturation != NULL)
        candidate.saturated = saturation_known(rail_group, router, link);
    compare_candidate(rail_group, router, packet, &candidate, best);
}

/* Finds the best of the minimal paths to another group. A packet that has already taken a hop
 * towards a link keeps that link, so that its local hops stay in the order of the dimensions. */
static void find_link(struct rail_group *rail_group, uint32_t router,
                      const struct network_packet *packet, uint32_t max, uint8_t vc_class,
                      struct candidate *best) {
    uint16_t links[NETWORK_CANDIDATES_MAX] = {packet->waypoint};
    uint32_t count = 1;
    if (packet->waypoint == NETWORK_NO_LINK)
        count = routing_find_link_candidates(rail_group, router, packet, max, links);
    for (uint32_t i = 0; i < count; i++)
        consider_link(rail_group, router, packet, links[i], vc_class, best);
}

HINT_NOINLINE uint32_t routing_best_link(struct rail_group *rail_group, uint32_t router,
                                         const struct network_packet *packet) {
    const struct network *network = rail_group->network;
    if (!network->routing.reads_queues || network->routing.minimal_candidates == 1)
        return routing_link_from(rail_group, rail_group->group, router, packet);
    struct candidate best = {.port = NETWORK_NONE};
    find_link(rail_group, router, packet, network->routing.minimal_candidates, packet->vc_class,
              &best);
    return best.link;
}

/* Returns the router at which a path changes from the dimensions of the set to the others. */
static uint32_t corner_of(const struct group_shape *shape, uint32_t from, uint32_t to,
                          uint32_t set) {
    uint32_t corner = from;
    for (uint32_t i = 0; i < shape->dimension_count; i++) {
        const struct group_dimension *dimension = &shape->dimensions[i];
        uint32_t here = from / dimension->stride % dimension->extent;
        uint32_t there = to / dimension->stride % dimension->extent;
        if (set >> i & 1) corner += (there - here) * dimension->stride;
    }
    return corner;
}

/* Considers the paths inside the group that take the dimensions in another order: those of a set
 * first and then the others. Begins with a random set. */
static void consider_orders(struct rail_group *rail_group, uint32_t router,
                            const struct network_packet *packet, uint32_t max,
                            struct candidate *best) {
    const struct topology *topology = rail_group->topology;
    const struct network *network = rail_group->network;
    uint32_t to = packet->target_router, sets = 1u << topology->group_shape.dimension_count;
    uint32_t fewest = topology_local_hops(topology, rail_group->group, router, to);
    uint32_t first_port = topology_local_port(topology, rail_group->group, router, to);
    if (fewest < 2) return;
    uint64_t draw = digest_mix(network_seed(network) ^ (uint64_t)router << 32,
                               (uint64_t)packet->source << 32 | packet->packet_number);
    uint32_t set = random_below((uint32_t)draw, sets);
    for (uint32_t tried = 0; tried < sets && max > 1; tried++, set = (set + 1) % sets) {
        uint32_t corner = corner_of(&topology->group_shape, router, to, set);
        if (corner == router || corner == to) continue;
        if (!failures_router_works(topology,
                                   rail_group->group * topology->routers_per_group + corner))
            continue;
        if (routing_hops_by_router(rail_group, router, packet, corner) != fewest) continue;
        if (topology_local_port(topology, rail_group->group, router, corner) == first_port)
            continue;
        struct candidate candidate = {.link = NETWORK_NO_LINK,
                                      .waypoint = (uint16_t)corner,
                                      .flags = NETWORK_PACKET_BY_ROUTER,
                                      .vc_class = network->routing.policy->nonminimal_class,
                                      .hops = fewest};
        candidate.port = routing_port_to_router(rail_group, router, corner, packet);
        candidate.weight = routing_minimal_weight(rail_group, router, packet, fewest);
        compare_candidate(rail_group, router, packet, &candidate, best);
        max--;
    }
}

/* Finds the best of the minimal paths inside the group. */
static void find_inside(struct rail_group *rail_group, uint32_t router,
                        const struct network_packet *packet, struct candidate *best) {
    const struct network *network = rail_group->network;
    struct candidate candidate = {.link = NETWORK_NO_LINK,
                                  .waypoint = NETWORK_NO_LINK,
                                  .vc_class = network->routing.minimal_class};
    candidate.port = routing_port_inside(rail_group, router, packet);
    candidate.hops = routing_minimal_hops(rail_group, router, packet);
    candidate.weight = routing_minimal_weight(rail_group, router, packet, candidate.hops);
    if (packet->target_router == router || network->routing.minimal_candidates == 1 ||
        !routing_may_pass_router(rail_group, packet)) {
        *best = candidate; /* the only one */
        return;
    }
    compare_candidate(rail_group, router, packet, &candidate, best);
    consider_orders(rail_group, router, packet, network->routing.minimal_candidates, best);
}

/* Finds the best of the minimal paths. Where failures have left no link to the packet's group, it
 * is the path through a third group, for which the waypoint is set when the packet begins it. */
static void find_minimal(struct rail_group *rail_group, uint32_t router,
                         const struct network_packet *packet, struct candidate *best) {
    const struct network *network = rail_group->network;
    if (routing_is_in_target_group(rail_group, packet)) {
        find_inside(rail_group, router, packet, best);
    } else if (routing_needs_third_group(rail_group, packet)) {
        uint32_t link = routing_link(rail_group, packet->target_group, packet);
        consider_link(rail_group, router, packet, link, network->routing.policy->nonminimal_class,
                      best);
        best->waypoint = NETWORK_NO_LINK;
    } else {
        find_link(rail_group, router, packet, network->routing.minimal_candidates,
                  network->routing.minimal_class, best);
    }
}

/* Finds the best of the non-minimal paths. best->port stays NETWORK_NONE if there is none. */
static void find_nonminimal(struct rail_group *rail_group, uint32_t router,
                            const struct network_packet *packet, uint32_t draw,
                            struct candidate *best) {
    const struct network *network = rail_group->network;
    bool by_router = routing_may_pass_router(rail_group, packet);
    if (routing_is_in_target_group(rail_group, packet) && packet->target_router == router) return;
    for (uint32_t i = 0; i < network->routing.nonminimal_candidates; i++) {
        struct candidate candidate = {.link = NETWORK_NO_LINK,
                                      .vc_class = network->routing.policy->nonminimal_class};
        uint32_t number = draw * network->routing.nonminimal_candidates + i;
        candidate.waypoint = by_router ? misrouting_draw_router(rail_group, router, packet, number)
                                       : misrouting_draw_link(rail_group, router, packet, number);
        if (candidate.waypoint == NETWORK_NO_LINK) continue;
        if (by_router) {
            candidate.flags = NETWORK_PACKET_BY_ROUTER;
            candidate.port = routing_port_to_router(rail_group, router, candidate.waypoint, packet);
            candidate.hops = routing_hops_by_router(rail_group, router, packet, candidate.waypoint);
        } else {
            candidate.link = candidate.waypoint;
            candidate.port = routing_port_to_link(rail_group, router, candidate.link, packet);
            candidate.hops = routing_nonminimal_hops(rail_group, router, packet, candidate.link);
        }
        candidate.weight =
            routing_nonminimal_weight(rail_group, router, packet, candidate.link, candidate.hops);
        compare_candidate(rail_group, router, packet, &candidate, best);
    }
}

HINT_NOINLINE bool routing_candidates_find(struct rail_group *rail_group, uint32_t router,
                                           const struct network_packet *packet, uint32_t draw,
                                           struct routing_paths *paths) {
    struct candidate minimal = {.port = NETWORK_NONE},
                     nonminimal = {.port = NETWORK_NONE, .link = NETWORK_NO_LINK};
    find_minimal(rail_group, router, packet, &minimal);
    find_nonminimal(rail_group, router, packet, draw, &nonminimal);
    *paths = (struct routing_paths){.minimal_link = minimal.link,
                                    .nonminimal_link = nonminimal.link,
                                    .minimal_port = minimal.port,
                                    .nonminimal_port = nonminimal.port,
                                    .minimal_waypoint = minimal.waypoint,
                                    .nonminimal_waypoint = nonminimal.waypoint,
                                    .minimal_flags = minimal.flags,
                                    .nonminimal_flags = nonminimal.flags,
                                    .minimal_class = minimal.vc_class,
                                    .hops = packet->routers,
                                    .minimal_weight = minimal.weight,
                                    .nonminimal_weight = nonminimal.weight};
    return nonminimal.port != NETWORK_NONE;
}
