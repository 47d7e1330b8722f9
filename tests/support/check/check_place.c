/*
 * Placements: where ranks are is inside the machine, what is said of distances adds up, and what
 * leaves nodes is what links are expected to carry.
 */
#include "tests/support/check/check_result.h"

#include <stdlib.h>
#include <string.h>

struct placed {
    const struct place *result;
    struct check_machine machine;
    whole bytes, messages;           /* all */
    whole inside_node, inside_group; /* bytes; inside_group: between nodes of a group */
    whole other_group;
};

static whole count_used(bool *used, whole limit, whole number) {
    if (number >= limit || used[number]) return 0;
    used[number] = true;
    return 1;
}

static void check_ranks(const struct placed *placed) {
    const struct check_machine *machine = &placed->machine;
    struct place ranks = place_key(placed->result, "ranks"),
                 trace = place_key(placed->result, "trace");
    struct place used = place_key(placed->result, "used");
    size_t count = place_count(&ranks);
    whole nodes = machine->nodes < (1 << 24) ? machine->nodes * machine->nics : 0;
    bool *seen = calloc((size_t)(3 * nodes + 3), 1);
    whole used_nodes = 0, used_routers = 0, used_groups = 0;
    place_equals(&trace, "ranks", (whole)count, "the number of ranks");
    for (size_t i = 0; i < count; i++) {
        struct place rank = place_item(&ranks, i);
        whole node = place_whole(&rank, "node"), group = node * machine->groups / machine->nodes;
        whole router =
            machine->nics > 1 ? place_whole(&rank, "router") : node / machine->nodes_per_router;
        place_equals(&rank, "rank", (whole)i, "its place in the list");
        place_at_most(&rank, "node", machine->nodes - 1, "the last node");
        place_equals(&rank, "router", router, "that of its node");
        place_that(&rank, router / machine->routers_per_group == group, "a router elsewhere");
        place_equals(&rank, "group", group, "that of its node");
        if (seen == NULL) continue;
        used_nodes += count_used(seen, nodes, node);
        used_routers += count_used(seen + nodes, nodes, router);
        used_groups += count_used(seen + 2 * nodes, nodes, group);
    }
    if (seen != NULL && nodes > 0) {
        place_equals(&used, "nodes", used_nodes, "those with ranks");
        if (machine->nics == 1)
            place_equals(&used, "routers", used_routers, "those with ranks");
        else
            place_at_least(&used, "routers", used_routers, "those with ranks");
        place_equals(&used, "groups", used_groups, "those with ranks");
    }
    free(seen);
}

static void check_distances(struct placed *placed) {
    static const char *const distances[] = {"same_node", "same_router", "same_group",
                                            "other_group"};
    struct place traffic = place_key(placed->result, "traffic");
    placed->bytes = place_whole(&traffic, "bytes");
    placed->messages = place_whole(&traffic, "messages");
    whole bytes = 0, messages = 0, part[4] = {0};
    struct place list = place_key(placed->result, "distances");
    if (!place_that(&list, place_count(&list) == 4, "not of four distances")) return;
    for (size_t i = 0; i < 4; i++) {
        struct place distance = place_item(&list, i);
        place_that(&distance, strcmp(place_text(&distance, "distance"), distances[i]) == 0,
                   "not %s", distances[i]);
        part[i] = place_whole(&distance, "bytes");
        messages += place_whole(&distance, "messages");
        bytes += part[i];
        place_is_ratio(&distance, "share", part[i], placed->bytes, "its share of all bytes");
        if (placed->bytes > 0) place_share(&distance, "share");
    }
    place_equals(&traffic, "bytes", bytes, "the sum over distances");
    place_equals(&traffic, "messages", messages, "the sum over distances");
    place_at_most(&traffic, "pairs", messages, "the messages");
    place_whole(&traffic, "pairs");
    struct place trace = place_key(placed->result, "trace");
    place_at_least(&traffic, "messages", place_whole(&trace, "messages"), "those of the trace");
    place_at_least(&traffic, "bytes", place_whole(&trace, "message_bytes"), "those of the trace");
    placed->inside_node = part[0];
    placed->inside_group = part[1] + part[2];
    placed->other_group = part[3];
}

/* bandwidth 0: not that of all these links. */
static void check_kind(const struct place *kind, whole bandwidth) {
    whole links = place_whole(kind, "links"), used = place_whole(kind, "used");
    whole bytes = place_whole(kind, "bytes"), max = place_whole(kind, "max_bytes");
    place_at_most(kind, "used", links, "all links");
    place_equals(kind, "mean_bytes", links > 0 ? bytes / links : 0, "bytes / links");
    place_at_most(kind, "max_bytes", bytes, "all bytes");
    place_at_least(kind, "bytes", max + (used > 0 ? used - 1 : 0), "a byte on each used link");
    if (bandwidth > 0)
        place_at_most(kind, "bytes", whole_times(used, max), "max_bytes on each used link");
    place_that(kind, (used > 0) == (bytes > 0), "%s links used for %s bytes", whole_text(used),
               whole_text(bytes));
    place_that(kind,
               place_has(kind, "source") == (used > 0) &&
                   place_has(kind, "destination") == (used > 0),
               "ends of the link with max_bytes");
    if (used > 0) {
        place_whole(kind, "source");
        place_whole(kind, "destination");
    }
    if (bandwidth > 0)
        place_equals(kind, "max_time_ps", (whole_times(max, TERA) + bandwidth - 1) / bandwidth,
                     "what max_bytes take");
}

static void check_links(const struct placed *placed) {
    const struct place *result = placed->result;
    struct place links = place_key(result, "expected_links");
    static const char *const kinds[] = {"injection", "ejection", "local", "global"};
    if (!place_that(&links, place_count(&links) == 4, "not of four kinds")) return;
    struct place injection = place_item(&links, 0), ejection = place_item(&links, 1);
    struct place local = place_item(&links, 2), global = place_item(&links, 3);
    for (size_t i = 0; i < 4; i++) {
        struct place kind = place_item(&links, i);
        place_that(&kind, strcmp(place_text(&kind, "kind"), kinds[i]) == 0, "not %s", kinds[i]);
    }
    whole terminal = check_bandwidth_of(result, "terminal");
    whole nic = config_bandwidth(result, "network.nic.bandwidth");
    check_kind(&injection, nic > 0 && nic < terminal ? nic : terminal);
    check_kind(&ejection, terminal);
    check_kind(&local, check_unequal_locals(result) ? 0 : check_bandwidth_of(result, "local"));
    check_kind(&global, check_bandwidth_of(result, "global"));
    whole outside = placed->bytes - placed->inside_node;
    place_equals(&injection, "bytes", outside, "what leaves nodes");
    place_equals(&ejection, "bytes", outside, "what leaves nodes");
    place_at_least(&global, "bytes", placed->other_group, "what leaves groups");
    struct place used = place_key(result, "used");
    whole max =
        whole_times(place_whole(&used, "nodes"), placed->machine.rails * placed->machine.nics);
    place_at_most(&injection, "used", max, "the channels of nodes with ranks");
    place_at_most(&ejection, "used", max, "the channels of nodes with ranks");
    if (placed->machine.fails) return;
    whole channels = placed->machine.nodes * placed->machine.nics * placed->machine.rails;
    place_equals(&injection, "links", channels, "all channels of nodes");
    place_equals(&ejection, "links", channels, "all channels of nodes");
    place_equals(&global, "bytes", placed->other_group, "what leaves groups");
    if (strcmp(config_text(result, "network.group.dimensions"), "0") == 0)
        place_at_most(&local, "bytes", placed->inside_group + 2 * placed->other_group,
                      "a hop in each group");
}

/* The figures of the placement that was found are those of the links below. */
static void check_found_links(const struct place *result, const struct place *search) {
    struct place links = place_key(result, "expected_links");
    whole bytes = 0, longest_ps = 0;
    for (size_t i = 0; i < place_count(&links); i++) {
        struct place kind = place_item(&links, i);
        const whole time_ps = place_whole(&kind, "max_time_ps");
        bytes += place_whole(&kind, "bytes");
        if (time_ps > longest_ps) longest_ps = time_ps;
    }
    place_equals(search, "busiest_ps", longest_ps, "the longest max_time_ps");
    place_equals(search, "bytes", bytes, "the bytes of all links");
}

/* A search keeps the placement of the policy unless another one is better. */
static void check_place_search(const struct place *result) {
    if (!place_has(result, "search")) return;
    struct place search = place_key(result, "search");
    place_at_least(&search, "placements", 1, "the placement of the policy");
    whole start = place_whole(&search, "start_busiest_ps");
    check_found_links(result, &search);
    if (place_whole(&search, "replays") > 0) {
        place_at_most(&search, "time_ps", place_whole(&search, "start_time_ps"),
                      "that of the policy's placement");
        return;
    }
    place_at_most(&search, "busiest_ps", start, "that of the policy's placement");
    if (place_whole(&search, "busiest_ps") == start)
        place_at_most(&search, "bytes", place_whole(&search, "start_bytes"),
                      "those of the policy's placement");
}

void check_placement(const struct place *result, const char *folder) {
    struct placed placed = {.result = result};
    (void)folder;
    check_machine_of(result, &placed.machine);
    check_trace_head(result);
    place_named(result, "placement");
    if (!place_that(result, placed.machine.nodes > 0, "no nodes")) return;
    check_ranks(&placed);
    check_distances(&placed);
    check_links(&placed);
    check_place_search(result);
}
