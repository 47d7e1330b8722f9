/*
 * Draws a candidate of a misrouting policy.
 *
 * Must not know queues. Invariant: a candidate link is connected and leads neither to the packet's
 * own group nor to its destination's group, so its path leads through one third group. A candidate
 * router (misrouting_draw_router) is another router of the packet's own group.
 */
#include "network/routing/misrouting.h"

#include "core/simulation/random.h"
#include "network/routing/routing.h"
#include "network/topology/failures.h"

/* ---------------------------------------------------------------- draws */

bool misrouting_leads_away(const struct rail_group *rail_group, const struct network_packet *packet,
                           uint32_t link) {
    uint32_t group = rail_group->wiring.peer_group[link];
    const struct topology *topology = rail_group->topology;
    if (group == NETWORK_NO_GROUP || group == packet->target_group) return false;
    return !topology->lacks_links ||
           topology_groups_are_joined(topology, group, packet->target_group);
}

/* Draws any link of the group. The group's links are listed by destination, and the links to the
 * packet's destination are left out. */
static uint16_t draw_any(const struct rail_group *rail_group, const struct network_packet *packet,
                         uint32_t word) {
    const struct topology *topology = rail_group->topology;
    uint32_t unwanted;
    const uint16_t *first =
        topology_links(topology, rail_group->group, packet->target_group, &unwanted);
    const uint16_t *all =
        &topology->links_by_destination[(size_t)rail_group->group * topology->links_per_group];
    uint32_t connected =
        topology->first_by_destination[(size_t)rail_group->group * (topology->groups + 1) +
                                       topology->groups];
    if (connected == unwanted) return NETWORK_NO_LINK;
    uint32_t position = random_below(word, connected - unwanted);
    for (uint32_t tried = 0; topology->lacks_links && tried < connected; tried++) {
        uint16_t link = all[(position + tried) % connected];
        if (misrouting_leads_away(rail_group, packet, link)) return link;
    }
    if (topology->lacks_links) return NETWORK_NO_LINK;
    return position < (uint32_t)(first - all) ? all[position] : all[position + unwanted];
}

/* Draws a link of one router. */
static uint16_t draw_of_router(const struct rail_group *rail_group, uint32_t router,
                               const struct network_packet *packet, uint32_t word) {
    uint32_t globals = rail_group->network->topology.globals_per_router;
    uint32_t first = router * globals;
    uint32_t count = 0;
    for (uint32_t k = 0; k < globals; k++)
        count += misrouting_leads_away(rail_group, packet, first + k);
    if (count == 0) return NETWORK_NO_LINK;
    uint32_t left = random_below(word, count);
    uint32_t link = first;
    while (!misrouting_leads_away(rail_group, packet, link) || left-- > 0)
        link++;
    return (uint16_t)link;
}

/* Draws a link of a random other router. If that router has no candidate, the next router that has
 * one is taken. */
static uint16_t draw_of_neighbour(const struct rail_group *rail_group, uint32_t router,
                                  const struct network_packet *packet, struct random_block block) {
    uint32_t routers = rail_group->network->topology.routers_per_group;
    if (routers < 2) return NETWORK_NO_LINK;
    uint32_t step = 1 + random_below(block.word[1], routers - 1);
    for (uint32_t tried = 1; tried < routers; tried++) {
        uint16_t link =
            draw_of_router(rail_group, (router + step) % routers, packet, block.word[0]);
        if (link != NETWORK_NO_LINK) return link;
        step = step % (routers - 1) + 1;
    }
    return NETWORK_NO_LINK;
}

/* Draws a group from those that network.third_group allows, each with the same chance. There must
 * be a group other than `own` and `other`. */
static uint32_t any_third_group(const struct network_config *config, uint32_t groups, uint32_t own,
                                uint32_t other, uint32_t word) {
    if (config->third_group == NETWORK_THIRD_ANY) return random_below(word, groups);
    uint32_t group;
    if (config->third_group == NETWORK_THIRD_NOT_OWN || own == other) {
        group = random_below(word, groups - 1);
        return group < own ? group : group + 1;
    }
    group = random_below(word, groups - 2);
    uint32_t low = own < other ? own : other;
    uint32_t high = own < other ? other : own;
    if (group >= low) group++;
    if (group >= high) group++;
    return group;
}

static uint16_t draw_group(const struct rail_group *rail_group, uint32_t router,
                           const struct network_packet *packet, struct random_block block) {
    uint32_t groups = rail_group->network->topology.groups;
    uint32_t own = rail_group->group;
    uint32_t other = packet->target_group;
    if (groups < (own == other ? 2 : 3)) return NETWORK_NO_LINK;
    uint32_t group =
        any_third_group(&rail_group->network->config, groups, own, other, block.word[0]);
    if (group == own || group == other) return NETWORK_NO_LINK;
    const struct topology *topology = rail_group->topology;
    for (uint32_t tried = 0; topology->lacks_links; tried++) {
        if (group != own && group != other && topology_groups_are_joined(topology, own, group) &&
            topology_groups_are_joined(topology, group, other))
            break;
        if (tried == groups) return NETWORK_NO_LINK;
        group = group + 1 < groups ? group + 1 : 0;
    }
    if (!rail_group->network->routing.draws_links_by_packet)
        return (uint16_t)routing_link(rail_group, group, packet);
    return (uint16_t)routing_link_out(rail_group, router, group, block.word[1]);
}

/* Returns the random numbers for a draw. If packets are decided on again, each decision gets other
 * numbers, unless network.reroute_candidate is same. The bits of the time, of the number and of the
 * draw overlap in a long run, so two decisions of one source can have equal keys. Then they get the
 * same random numbers. That is harmless: the numbers are still uniform and follow from seed and
 * key alone, and equal keys are too rare to relate the paths of packets. */
static struct random_block draw_for(const struct rail_group *rail_group,
                                    const struct network_packet *packet, uint32_t draw) {
    const struct network *network = rail_group->network;
    if (routing_draws_again(rail_group))
        return random_draw(network_seed(network), RANDOM_MISROUTING, packet->source,
                           (uint64_t)rail_group->now_ps ^ (uint64_t)packet->packet_number << 40 ^
                               (uint64_t)draw << 56);
    return random_draw(network_seed(network), RANDOM_ROUTING, packet->source,
                       (uint64_t)packet->packet_number << 8 | draw);
}

uint16_t misrouting_draw_link_of_router(const struct rail_group *rail_group, uint32_t router,
                                        const struct network_packet *packet, uint32_t draw) {
    struct random_block block = draw_for(rail_group, packet, draw);
    return draw_of_router(rail_group, router, packet, block.word[0]);
}

bool misrouting_router_leads_away(const struct rail_group *rail_group, uint32_t router,
                                  const struct network_packet *packet) {
    uint32_t globals = rail_group->network->topology.globals_per_router;
    for (uint32_t k = 0; k < globals; k++)
        if (misrouting_leads_away(rail_group, packet, router * globals + k)) return true;
    return false;
}

uint16_t misrouting_draw_link(const struct rail_group *rail_group, uint32_t router,
                              const struct network_packet *packet, uint32_t draw) {
    const struct network *network = rail_group->network;
    struct random_block block = draw_for(rail_group, packet, draw);
    switch (misrouting_candidates(network, packet)) {
    case MISROUTING_GROUP:
        return draw_group(rail_group, router, packet, block);
    case MISROUTING_CURRENT:
        return draw_of_router(rail_group, router, packet, block.word[0]);
    case MISROUTING_NEIGHBOUR:
        return draw_of_neighbour(rail_group, router, packet, block);
    default:
        return draw_any(rail_group, packet, block.word[0]);
    }
}

uint16_t misrouting_draw_router(const struct rail_group *rail_group, uint32_t router,
                                const struct network_packet *packet, uint32_t draw) {
    const struct topology *topology = rail_group->topology;
    uint32_t own = router, other = packet->target_router, routers = topology->routers_per_group;
    if (own == other || routers < 3) return NETWORK_NO_LINK;
    uint32_t by = random_below(draw_for(rail_group, packet, draw).word[0], routers - 2);
    uint32_t low = own < other ? own : other, high = own < other ? other : own;
    if (by >= low) by++;
    if (by >= high) by++;
    if (topology->failures == NULL) return (uint16_t)by;
    uint32_t first = rail_group->group * routers, tried = 0;
    while (by == own || by == other || !failures_router_works(topology, first + by)) {
        if (++tried == routers) return NETWORK_NO_LINK;
        by = by + 1 < routers ? by + 1 : 0;
    }
    return (uint16_t)by;
}
