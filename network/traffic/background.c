/* Background traffic among free nodes. See background.h. */
#include "network/traffic/background.h"

#include "core/memory.h"
#include "network/traffic/arrivals.h"
#include "network/traffic/traffic_pattern.h"

#include <stdlib.h>
#include <string.h>

/* No arrival is further off: more than a year. */
#define BACKGROUND_FAR_PS (INT64_MAX / 8)

typedef struct background_node {
    uint64_t arrivals; /* so far */
    uint64_t messages;
    uint64_t refused;
} background_node;

struct background {
    arrivals arrivals;
    traffic_space space;      /* of the free nodes, or for adv+N of all */
    uint32_t nodes_per_group; /* of the machine */
    traffic_destination *destination;
    uint32_t *free;   /* free nodes, ascending */
    uint32_t *number; /* [node]: its place there */
    uint32_t *first;  /* [group]: the place of its first free node; groups + 1 entries */
    uint32_t free_count;
    uint64_t seed;
    uint64_t cookie;
    uint64_t timer;
    background_node *nodes; /* by place */
};

static void number_nodes(background *background, const bool *used, uint32_t node_count) {
    uint32_t groups = node_count / background->nodes_per_group;
    for (uint32_t node = 0; node < node_count; node++) {
        if (node % background->nodes_per_group == 0)
            background->first[node / background->nodes_per_group] = background->free_count;
        background->number[node] = background->free_count;
        if (!used[node]) background->free[background->free_count++] = node;
    }
    background->first[groups] = background->free_count;
}

/* Of the groups from the one of node on, the first with free nodes, and of them the one that lies
 * as far in as node does in its group. */
static uint32_t free_near(const background *background, uint32_t node) {
    uint32_t size = background->nodes_per_group, group = node / size;
    while (background->first[group] == background->first[group + 1])
        group = group + 1 < background->space.groups ? group + 1 : 0;
    uint32_t first = background->first[group], count = background->first[group + 1] - first;
    return background->free[first + (uint32_t)((uint64_t)(node % size) * count / size)];
}

static uint32_t destination_of(const background *background, uint32_t node, uint64_t count,
                               random_block draw) {
    uint32_t place = background->number[node], to;
    if (background->space.distance > 0)
        to = free_near(background, background->destination(&background->space, node, count, draw));
    else
        to = background->free[background->destination(&background->space, place, count, draw)];
    if (to != node) return to;
    return background->free[place + 1 < background->free_count ? place + 1 : 0];
}

static void schedule_arrival(const background *background, network_domain *domain, int64_t now_ps,
                             uint32_t node, random_block draw) {
    int64_t gap_ps = arrivals_gap_ps(&background->arrivals, draw, BACKGROUND_FAR_PS);
    if (gap_ps < BACKGROUND_FAR_PS && now_ps < BACKGROUND_FAR_PS)
        network_timer(domain, now_ps + gap_ps, node, background->timer);
}

void background_start(void *context, network *network) {
    background *background = context;
    for (uint32_t i = 0; i < background->free_count; i++) {
        uint32_t node = background->free[i];
        schedule_arrival(background, network_domain_of_node(network, node), 0, node,
                         random_draw(background->seed, RANDOM_ARRIVAL, node, 0));
        background->nodes[i].arrivals = 1;
    }
}

void background_timer(void *context, network_domain *domain, int64_t now_ps, uint32_t node,
                      uint64_t data) {
    background *background = context;
    background_node *state = &background->nodes[background->number[node]];
    uint64_t count = state->arrivals++;
    random_block draw = random_draw(background->seed, RANDOM_ARRIVAL, node, count);
    network_message message = {.source_node = node,
                               .destination_node = destination_of(background, node, count, draw),
                               .size_bytes = background->arrivals.message_bytes,
                               .cookie = {{background->cookie, 0, 0}}};
    (void)data;
    for (int64_t i = 0; i < background->arrivals.burst; i++) {
        if (network_waiting(domain, node) >= BACKGROUND_WAITING) {
            state->refused++;
            continue;
        }
        state->messages++;
        network_send(domain, now_ps, &message);
    }
    schedule_arrival(background, domain, now_ps, node, draw);
}

void background_totals_of(const background *background, background_totals *totals) {
    *totals = (background_totals){.nodes = background->free_count};
    for (uint32_t i = 0; i < background->free_count; i++) {
        totals->messages += background->nodes[i].messages;
        totals->refused += background->nodes[i].refused;
    }
    totals->bytes = totals->messages * background->arrivals.message_bytes;
}

/* The space that the pattern is about; see background.h. */
static status_code find_pattern(background *background, const network_config *config,
                                const traffic_config *traffic, const bool *used, status *status) {
    uint32_t node_count = (uint32_t)network_config_nodes(config);
    RETURN_ERROR_IF(background->free_count < 2, status, STATUS_USAGE,
                    "background traffic needs at least 2 nodes without ranks; there %s %u",
                    background->free_count == 1 ? "is" : "are", background->free_count);
    background->space = (traffic_space){.nodes = background->free_count,
                                        .nodes_per_group = background->nodes_per_group,
                                        .groups = (uint32_t)config->groups,
                                        .hotspot_millionths = traffic->hotspot_millionths,
                                        .seed = background->seed};
    FORWARD_IF_ERROR(traffic_pattern_find(traffic, "background.pattern", &background->space,
                                          &background->destination, status));
    if (background->space.distance > 0) background->space.nodes = node_count;
    if (strcmp(traffic->pattern, "hotspot") != 0) return STATUS_OK;
    RETURN_ERROR_IF(traffic->hotspot_node >= node_count || used[traffic->hotspot_node], status,
                    STATUS_USAGE, "the hotspot of background traffic, node %lld, %s",
                    (long long)traffic->hotspot_node,
                    traffic->hotspot_node >= node_count ? "is not there" : "has ranks on it");
    background->space.hotspot_node = background->number[traffic->hotspot_node];
    return STATUS_OK;
}

status_code background_new(background **made, const network_config *config,
                           const traffic_config *traffic, int64_t load_millionths, const bool *used,
                           uint64_t seed, uint64_t cookie, uint64_t timer, status *status) {
    uint32_t node_count = (uint32_t)network_config_nodes(config);
    background *background = memory_new(1, sizeof *background);
    RETURN_ERROR_IF(background == NULL, status, STATUS_MEMORY, "out of memory for traffic");
    background->nodes_per_group = (uint32_t)(config->nodes_per_router * config->routers_per_group);
    background->seed = seed;
    background->cookie = cookie;
    background->timer = timer;
    background->free = memory_new(node_count, sizeof *background->free);
    background->number = memory_new(node_count, sizeof *background->number);
    background->first = memory_new((size_t)config->groups + 1, sizeof *background->first);
    background->nodes = memory_new(node_count, sizeof *background->nodes);
    status_code code = STATUS_OK;
    if (!background->free || !background->number || !background->first || !background->nodes) {
        code =
            status_set(status, STATUS_MEMORY, "out of memory for traffic of %u nodes", node_count);
    } else {
        number_nodes(background, used, node_count);
        code = arrivals_prepare(&background->arrivals, config, traffic, load_millionths, status);
        if (code == STATUS_OK) code = find_pattern(background, config, traffic, used, status);
    }
    if (code != STATUS_OK) {
        background_free(background);
        return code;
    }
    *made = background;
    return STATUS_OK;
}

void background_free(background *background) {
    if (background == NULL) return;
    free(background->free);
    free(background->number);
    free(background->first);
    free(background->nodes);
    free(background->space.permutation);
    free(background);
}
