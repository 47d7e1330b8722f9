/*
 * Which of several global links between two groups a packet takes. network.link_choice gives its
 * first candidate: the link of its message, a link of its own, or one on a shortest path.
 *
 * Must not know queues: routing_candidates.c compares candidates.
 */
#include "core/base/compiler_hints.h"
#include "core/base/digest.h"
#include "core/simulation/random.h"
#include "network/routing/routing.h"

/* Returns a link to a third group that is joined with both groups. */
HINT_NOINLINE static uint32_t link_via_third(const struct network *network,
                                             const struct topology *topology, uint32_t from_group,
                                             uint32_t to_group, uint32_t source, uint32_t key) {
    uint64_t draw = digest_mix(network_seed(network) ^ ((uint64_t)from_group << 32 | to_group),
                               (uint64_t)source << 32 | key);
    uint32_t third = random_below((uint32_t)draw, topology->groups);
    while (!topology_groups_are_joined(topology, from_group, third) ||
           !topology_groups_are_joined(topology, third, to_group))
        third = third + 1 < topology->groups ? third + 1 : 0; /* failures.h ensures one */
    return routing_link_of_message(network, topology, from_group, third, source, key);
}

HINT_NOINLINE uint32_t routing_link_of_message(const struct network *network,
                                               const struct topology *topology, uint32_t from_group,
                                               uint32_t to_group, uint32_t source, uint32_t key) {
    uint32_t count;
    const uint16_t *links = topology_links(topology, from_group, to_group, &count);
    if (count == 1) return links[0];
    if (count == 0) return link_via_third(network, topology, from_group, to_group, source, key);
    uint64_t draw = digest_mix(network_seed(network) ^ from_group, (uint64_t)source << 32 | key);
    return links[random_below((uint32_t)draw, count)];
}

/* Returns the hops from a router of a group over link x, and on to router `end` of the other group
 * unless it is NETWORK_NONE. */
static uint32_t hops_to_end(const struct network *network, const struct topology *topology,
                            uint32_t group, uint32_t router, uint32_t link, uint32_t to_group,
                            uint32_t end) {
    const struct network_link_end *link_ends = network->tables.link_ends;
    uint32_t hops = 1 + topology_local_hops(topology, group, router, link_ends[link].router);
    if (end == NETWORK_NONE) return hops;
    uint32_t peer = topology->link_peers[(size_t)group * topology->links_per_group + link];
    uint32_t arrival = link_ends[peer - to_group * topology->links_per_group].router;
    return hops + topology_local_hops(topology, to_group, arrival, end);
}

/* Returns the position of a link with the fewest hops to its end, drawn with `word`. */
static uint32_t shortest_position(const struct rail_group *rail_group, uint32_t group,
                                  uint32_t router, uint32_t to_group, uint32_t end, uint32_t word) {
    const struct network *network = rail_group->network;
    const struct topology *topology = rail_group->topology;
    uint32_t count, fewest = UINT32_MAX, equal = 0;
    const uint16_t *links = topology_links(topology, group, to_group, &count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t hops = hops_to_end(network, topology, group, router, links[i], to_group, end);
        equal = hops < fewest ? 1 : equal + (hops == fewest);
        if (hops < fewest) fewest = hops;
    }
    uint32_t position = 0;
    for (uint32_t left = random_below(word, equal);; position++) {
        if (hops_to_end(network, topology, group, router, links[position], to_group, end) != fewest)
            continue;
        if (left-- == 0) return position;
    }
}

uint32_t routing_shortest_link(const struct network *network, const struct topology *topology,
                               uint32_t from_group, uint32_t router, uint32_t to_group,
                               uint32_t to_router) {
    uint32_t count, best = 0, fewest = UINT32_MAX, fewest_before = UINT32_MAX;
    const uint16_t *links = topology_links(topology, from_group, to_group, &count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t before =
            hops_to_end(network, topology, from_group, router, links[i], to_group, NETWORK_NONE);
        uint32_t hops =
            hops_to_end(network, topology, from_group, router, links[i], to_group, to_router);
        if (hops > fewest || (hops == fewest && before >= fewest_before)) continue;
        best = links[i];
        fewest = hops;
        fewest_before = before;
    }
    return best;
}

uint32_t routing_shortest_link_via_third(const struct network *network,
                                         const struct topology *topology, uint32_t from_group,
                                         uint32_t router, uint32_t to_group, uint32_t to_router) {
    uint32_t best = 0, fewest = UINT32_MAX, fewest_before = UINT32_MAX;
    for (uint32_t third = 0; third < topology->groups; third++) {
        if (!topology_groups_are_joined(topology, from_group, third) ||
            !topology_groups_are_joined(topology, third, to_group))
            continue;
        uint32_t count;
        const uint16_t *links = topology_links(topology, from_group, third, &count);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t peer =
                topology->link_peers[(size_t)from_group * topology->links_per_group + links[i]];
            uint32_t arrival =
                network->tables.link_ends[peer - third * topology->links_per_group].router;
            uint32_t second =
                routing_shortest_link(network, topology, third, arrival, to_group, to_router);
            uint32_t first_hops =
                hops_to_end(network, topology, from_group, router, links[i], third, NETWORK_NONE);
            uint32_t before = first_hops + hops_to_end(network, topology, third, arrival, second,
                                                       to_group, NETWORK_NONE);
            uint32_t hops = first_hops + hops_to_end(network, topology, third, arrival, second,
                                                     to_group, to_router);
            if (hops > fewest || (hops == fewest && before >= fewest_before)) continue;
            best = links[i];
            fewest = hops;
            fewest_before = before;
        }
    }
    return best;
}

/* Returns 64 random bits of a packet for the choice among a group's links. */
static uint64_t packet_draw(const struct rail_group *rail_group, uint32_t group,
                            const struct network_packet *packet) {
    return digest_mix(network_seed(rail_group->network) ^ group,
                      (uint64_t)packet->source << 32 | routing_key(rail_group->network, packet));
}

HINT_NOINLINE static uint32_t shortest_link_from(const struct rail_group *rail_group,
                                                 uint32_t group, uint32_t router,
                                                 const struct network_packet *packet) {
    uint32_t count;
    const uint16_t *links =
        topology_links(rail_group->topology, group, packet->target_group, &count);
    if (count > 0)
        return links[shortest_position(rail_group, group, router, packet->target_group,
                                       packet->target_router,
                                       (uint32_t)packet_draw(rail_group, group, packet))];
    return routing_link_of_message(rail_group->network, rail_group->topology, group,
                                   packet->target_group, packet->source, packet->packet_number);
}

uint32_t routing_link_from(const struct rail_group *rail_group, uint32_t group, uint32_t router,
                           const struct network_packet *packet) {
    const struct network *network = rail_group->network;
    if (network->routing.draws_shortest_links)
        return shortest_link_from(rail_group, group, router, packet);
    return routing_link_of_message(network, rail_group->topology, group, packet->target_group,
                                   packet->source, routing_key(network, packet));
}

uint32_t routing_link_out(const struct rail_group *rail_group, uint32_t router, uint32_t group,
                          uint32_t word) {
    uint32_t count;
    const uint16_t *links = topology_links(rail_group->topology, rail_group->group, group, &count);
    return links[rail_group->network->routing.draws_shortest_links
                     ? shortest_position(rail_group, rail_group->group, router, group, NETWORK_NONE,
                                         word)
                     : random_below(word, count)];
}

/* Inserts a number into a sorted list without repetitions. `rank` counts the numbers that are not
 * yet in the list. Returns the number. */
static uint32_t insert_rank(uint32_t *sorted, uint32_t count, uint32_t rank) {
    uint32_t i = 0;
    while (i < count && sorted[i] <= rank + i)
        i++;
    for (uint32_t j = count; j > i; j--)
        sorted[j] = sorted[j - 1];
    sorted[i] = rank + i;
    return rank + i;
}

uint32_t routing_find_link_candidates(const struct rail_group *rail_group, uint32_t router,
                                      const struct network_packet *packet, uint32_t max,
                                      uint16_t *candidates) {
    uint32_t count;
    const uint16_t *links =
        topology_links(rail_group->topology, rail_group->group, packet->target_group, &count);
    candidates[0] = (uint16_t)routing_link_from(rail_group, rail_group->group, router, packet);
    if (count < 2 || max < 2) return 1;
    if (max > count) max = count;
    uint32_t positions[NETWORK_CANDIDATES_MAX];
    uint32_t first = 0;
    while (links[first] != candidates[0])
        first++;
    positions[0] = first;
    uint64_t draw =
        digest_mix(packet_draw(rail_group, rail_group->group, packet), packet->packet_number);
    if (routing_draws_again(rail_group)) draw = digest_mix(draw, (uint64_t)rail_group->now_ps);
    for (uint32_t i = 1; i < max; i++) {
        draw = digest_mix(draw, i);
        uint32_t rank = random_below((uint32_t)draw, count - i);
        candidates[i] = links[insert_rank(positions, i, rank)];
    }
    return max;
}
