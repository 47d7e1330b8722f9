/* Patterns of synthetic traffic. Every draw is a pure function of (seed, node, arrival number). */
#include "network/traffic/traffic_pattern.h"

#include "core/memory/memory.h"
#include "core/settings/nearest_name.h"
#include "core/simulation/random.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static uint32_t uniform(const struct traffic_space *space, uint32_t node, uint64_t count,
                        struct random_block draw) {
    (void)count;
    uint32_t other = random_below(draw.word[2], space->nodes - 1);
    return other < node ? other : other + 1;
}

static uint32_t adversarial(const struct traffic_space *space, uint32_t node, uint64_t count,
                            struct random_block draw) {
    (void)count;
    uint32_t group = (node / space->nodes_per_group + space->distance) % space->groups;
    return group * space->nodes_per_group + random_below(draw.word[2], space->nodes_per_group);
}

static uint32_t permutation(const struct traffic_space *space, uint32_t node, uint64_t count,
                            struct random_block draw) {
    (void)count;
    (void)draw;
    return space->permutation[node];
}

static uint32_t hotspot(const struct traffic_space *space, uint32_t node, uint64_t count,
                        struct random_block draw) {
    uint32_t chance = random_below(draw.word[3], 1000000);
    if (chance < (uint64_t)space->hotspot_millionths && node != space->hotspot_node)
        return space->hotspot_node;
    return uniform(space, node, count, draw);
}

static uint32_t all_to_all(const struct traffic_space *space, uint32_t node, uint64_t count,
                           struct random_block draw) {
    (void)draw;
    return (uint32_t)((node + 1 + count % (space->nodes - 1)) % space->nodes);
}

/* Makes a random cycle through all nodes: every node sends to one other node and receives from
 * one. */
static status_code make_permutation(struct traffic_space *space, struct status *status) {
    uint32_t *order = memory_new(space->nodes, sizeof *order);
    space->permutation = memory_new(space->nodes, sizeof *space->permutation);
    if (order == NULL || space->permutation == NULL) {
        free(order);
        return status_set(status, STATUS_MEMORY, "out of memory for a permutation of %u nodes",
                          space->nodes);
    }
    for (uint32_t i = 0; i < space->nodes; i++)
        order[i] = i;
    for (uint32_t i = space->nodes; i > 1; i--) {
        uint32_t other =
            random_below(random_draw(space->seed, RANDOM_PATTERN, UINT32_MAX, i).word[0], i);
        uint32_t swap = order[i - 1];
        order[i - 1] = order[other];
        order[other] = swap;
    }
    for (uint32_t i = 0; i < space->nodes; i++)
        space->permutation[order[i]] = order[(i + 1) % space->nodes];
    free(order);
    return STATUS_OK;
}

static const struct traffic_pattern rows[] = {
    {"uniform", "every message goes to a random other node"},
    {"adv+N",
     "adversarial: every message goes to a random node N groups ahead, as adv+2 (Garcia 2013)"},
    {"worst-case", "every message goes to a random node of the next group: adv+1 (Kim 2008, WC)"},
    {"permutation",
     "every node sends to one other node throughout (seeded cycle through all nodes)"},
    {"hotspot", "the share traffic.hotspot_share of messages goes to traffic.hotspot_node, the "
                "rest as uniform"},
    {"all-to-all", "every node sends to every other node in turn, beginning with the next one"},
    {"bursts", "as uniform, but traffic.burst messages at a time (16 unless set) go to one node"},
    {NULL, NULL},
};

static traffic_destination *const destinations[] = {
    uniform, adversarial, adversarial, permutation, hotspot, all_to_all, uniform,
};
static_assert(sizeof destinations / sizeof *destinations == sizeof rows / sizeof *rows - 1,
              "each pattern has a destination");

const struct traffic_pattern *traffic_patterns(void) {
    return rows;
}

static status_code unknown(const char *name, const char *setting, struct status *status) {
    struct nearest_name search = nearest_name_begin(name);
    for (const struct traffic_pattern *row = rows; row->name != NULL; row++)
        nearest_name_offer(&search, row->name);
    bool near = search.name != NULL && strcmp(search.name, name) != 0; /* adv+N is no name */
    status_set(status, STATUS_USAGE, "%s: no pattern is named `%s`%s%s%s; there are:", setting,
               name, near ? " (did you mean `" : "", near ? search.name : "", near ? "`?)" : "");
    for (const struct traffic_pattern *row = rows; row->name != NULL; row++)
        status_append(status, "  %-12s %s", row->name, row->help);
    return STATUS_USAGE;
}

/* Reads the N of adv+N, from 1 to groups-1. If `groups` is 0, it is not known. */
static status_code parse_distance(const char *name, const char *setting, uint32_t groups,
                                  uint32_t *distance, struct status *status) {
    char *end;
    errno = 0;
    const unsigned long number = strtoul(name + 4, &end, 10);
    RETURN_ERROR_IF(end == name + 4 || *end != '\0' || name[4] < '0' || name[4] > '9', status,
                    STATUS_USAGE, "%s: `%s` needs a number of groups, e.g. adv+2", setting, name);
    RETURN_ERROR_IF(groups == 1, status, STATUS_USAGE,
                    "%s: `%s`: the machine has only one group; take another pattern", setting,
                    name);
    const uint32_t end_of_range = groups > 0 ? groups : UINT32_MAX;
    *distance = (uint32_t)number;
    if (errno == 0 && number >= 1 && number < end_of_range) return STATUS_OK;
    RETURN_ERROR_IF(groups == 0, status, STATUS_USAGE,
                    "%s: `%s`: N is 1 or more, and less than the number of groups", setting, name);
    status_set(status, STATUS_USAGE, "%s: `%s`: the machine has %u groups, so N is 1 to %u",
               setting, name, groups, groups - 1);
    return STATUS_USAGE;
}

status_code traffic_pattern_check(const char *name, const char *setting, struct status *status) {
    if (name == NULL) return unknown("", setting, status);
    uint32_t distance;
    if (strncmp(name, "adv+", 4) == 0 && strcmp(name, "adv+N") != 0)
        return parse_distance(name, setting, 0, &distance, status);
    for (const struct traffic_pattern *row = rows; row->name != NULL; row++)
        if (strcmp(row->name, name) == 0 && strcmp(name, "adv+N") != 0) return STATUS_OK;
    return unknown(name, setting, status);
}

bool traffic_pattern_has_hotspot(const char *name) {
    return name != NULL && strcmp(name, "hotspot") == 0;
}

status_code traffic_pattern_find(const struct traffic_config *traffic, const char *setting,
                                 struct traffic_space *space, traffic_destination **destination,
                                 struct status *status) {
    const char *name = traffic->pattern;
    if (name == NULL) return unknown("", setting, status);
    RETURN_ERROR_IF(space->nodes < 2, status, STATUS_USAGE,
                    "traffic needs at least 2 nodes that work; there %s %u",
                    space->nodes == 1 ? "is" : "are", space->nodes);
    if (strncmp(name, "adv+", 4) == 0 && strcmp(name, "adv+N") != 0) {
        *destination = adversarial;
        return parse_distance(name, setting, space->groups, &space->distance, status);
    }
    size_t row = 0;
    while (rows[row].name != NULL && strcmp(rows[row].name, name) != 0)
        row++;
    if (rows[row].name == NULL || strcmp(name, "adv+N") == 0) return unknown(name, setting, status);
    *destination = destinations[row];
    if (*destination == adversarial) {
        RETURN_ERROR_IF(space->groups < 2, status, STATUS_USAGE, "%s: %s needs at least 2 groups",
                        setting, name);
        space->distance = 1;
    }
    return *destination == permutation ? make_permutation(space, status) : STATUS_OK;
}
