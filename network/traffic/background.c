/* Starts a timer at each free node. When it expires, sends the messages of one arrival and sets the
 * timer for the next. Counts what it has sent and what was delivered. */
#include "network/traffic/background.h"

#include "core/memory/memory.h"
#include "network/traffic/arrivals.h"
#include "network/traffic/traffic_peers.h"

#include <stdlib.h>

/* Arrivals are not scheduled beyond this time, which is more than a year. */
#define BACKGROUND_FAR_PS (INT64_MAX / 8)

struct background_node {
    uint64_t arrivals; /* number of arrivals so far */
    uint64_t messages;
    uint64_t dropped; /* messages of its whole group that a timer of this node dropped */
    uint64_t refused;
};

struct background {
    struct arrivals arrivals;
    int64_t traffic_class;
    int64_t classes;
    struct traffic_peers free; /* the free nodes */
    uint64_t seed;
    uint64_t cookie;
    uint64_t timer_data;
    struct background_node *nodes; /* [index in free.nodes] */
};

static void schedule_arrival(const struct background *background, struct rail_group *rail_group,
                             int64_t now_ps, uint32_t node, struct random_block draw) {
    int64_t gap_ps = arrivals_gap_ps(&background->arrivals, draw, BACKGROUND_FAR_PS);
    if (gap_ps < BACKGROUND_FAR_PS && now_ps < BACKGROUND_FAR_PS)
        network_set_timer(rail_group, now_ps + gap_ps, node, background->timer_data);
}

void background_start(void *context, struct network *network) {
    struct background *background = context;
    for (uint32_t i = 0; i < background->free.count; i++) {
        uint32_t node = background->free.nodes[i];
        schedule_arrival(background, network_home_of_node(network, node), 0, node,
                         random_draw(background->seed, RANDOM_ARRIVAL, node, 0));
        background->nodes[i].arrivals = 1;
    }
}

void background_handle_timer(void *context, struct rail_group *rail_group, int64_t now_ps,
                             uint32_t node, uint64_t data) {
    struct background *background = context;
    struct background_node *state = &background->nodes[background->free.position[node]];
    uint64_t count = state->arrivals++;
    struct random_block draw = random_draw(background->seed, RANDOM_ARRIVAL, node, count);
    struct network_message message = {
        .source_node = node,
        .destination_node = traffic_peers_destination(&background->free, node, count, draw),
        .size_bytes = background->arrivals.message_bytes,
        .traffic_class = traffic_class_of(background->traffic_class, background->classes, count),
        .cookie = {{background->cookie, 0, 0}}};
    (void)data;
    for (int64_t i = 0; i < background->arrivals.burst; i++) {
        if (network_waiting(rail_group, node) >= BACKGROUND_WAITING) {
            state->refused++;
            continue;
        }
        state->messages++;
        network_send(rail_group, now_ps, &message);
    }
    schedule_arrival(background, rail_group, now_ps, node, draw);
}

void background_abandon(void *context, struct rail_group *rail_group, uint32_t node) {
    struct background *background = context;
    background->nodes[background->free.position[node]].dropped += network_abandon(rail_group);
}

void background_save_or_restore(void *context, struct saved_state *state, uint32_t group) {
    const struct background *background = context;
    const uint32_t *first = &background->free.first[group];
    save_or_restore_bytes(state, background->nodes + first[0],
                          (first[1] - first[0]) * sizeof *background->nodes);
}

void background_totals_of(const struct background *background, struct background_totals *totals) {
    *totals = (struct background_totals){.nodes = background->free.count};
    for (uint32_t i = 0; i < background->free.count; i++) {
        totals->messages += background->nodes[i].messages - background->nodes[i].dropped;
        totals->refused += background->nodes[i].refused;
    }
    totals->bytes = (wide)totals->messages * background->arrivals.message_bytes;
}

void background_add(void *totals, const void *more) {
    struct background_totals *sum = totals;
    const struct background_totals *part = more;
    sum->messages += part->messages;
    sum->bytes += part->bytes;
    sum->refused += part->refused;
}

static status_code choose_pattern(struct background *background,
                                  const struct network_config *config,
                                  const struct traffic_config *traffic, const bool *used,
                                  struct status *status) {
    uint32_t count = background->free.count;
    RETURN_ERROR_IF(count < 2, status, STATUS_USAGE,
                    "background traffic needs at least 2 nodes without ranks; there %s %u",
                    count == 1 ? "is" : "are", count);
    if (traffic_pattern_has_hotspot(traffic->pattern)) {
        bool is_there = traffic->hotspot_node < network_config_nodes(config);
        RETURN_ERROR_IF(!is_there || used[traffic->hotspot_node], status, STATUS_USAGE,
                        "the hotspot of background traffic, node %lld, %s",
                        (long long)traffic->hotspot_node,
                        is_there ? "has ranks on it" : "is not there");
    }
    return traffic_peers_choose(&background->free, traffic, "background.pattern", background->seed,
                                status);
}

status_code background_new(struct background **made, const struct network_config *config,
                           const struct traffic_config *traffic, int64_t load_millionths,
                           const bool *used, uint64_t seed, uint64_t cookie, uint64_t timer_data,
                           struct status *status) {
    struct background *background = memory_new(1, sizeof *background);
    RETURN_ERROR_IF(background == NULL, status, STATUS_MEMORY, "out of memory for traffic");
    background->seed = seed;
    background->traffic_class = traffic->traffic_class;
    background->classes = config->classes;
    background->cookie = cookie;
    background->timer_data = timer_data;
    status_code code = traffic_peers_make(&background->free, config, used, status);
    if (code == STATUS_OK) code = choose_pattern(background, config, traffic, used, status);
    if (code == STATUS_OK)
        code = arrivals_prepare(&background->arrivals, config, traffic, load_millionths, status);
    if (code == STATUS_OK) {
        background->nodes = memory_new(background->free.count, sizeof *background->nodes);
        if (background->nodes == NULL)
            code = status_set(status, STATUS_MEMORY, "out of memory for traffic of %u nodes",
                              background->free.count);
    }
    if (code != STATUS_OK) {
        background_free(background);
        return code;
    }
    *made = background;
    return STATUS_OK;
}

void background_free(struct background *background) {
    if (background == NULL) return;
    traffic_peers_clear(&background->free);
    free(background->nodes);
    free(background);
}
