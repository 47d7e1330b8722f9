/* The table that says for which rule of the verdict each kind of part of a critical path counts,
 * and the functions that add up the parts by this table. */
#include "api/results/verdict_path.h"
#include "core/settings/units.h"
#include "network/network_choices.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *rule;
    const char *what;
    const char *kinds[8]; /* of parts; ends with NULL */
} rules[] = {
    {"computation", "Computation bounds the run: it is", {"computation", "noise"}},
    {"protocol",
     "The rendezvous protocol bounds the run: its requests and answers are",
     {"rendezvous"}},
    {"distance",
     "Distance bounds the run: latencies on the way of messages are",
     {"latency", "routers", "nic", "nic_window", "memory", "nic_collective"}},
    {"bandwidth",
     "Bandwidth bounds the run: sending messages at the speed of channels is",
     {"serialisation"}},
    {"contention",
     "Contention bounds the run: waiting of messages behind other messages is",
     {"queueing"}},
    {"storage", "Storage bounds the run: the work of I/O nodes is", {"storage"}},
    {"host", "The processors' work for messages bounds the run: it is", {"overhead"}},
    {"late-start", "The late start of a job bounds the run: it is", {"late_start"}},
};
#define RULES (sizeof rules / sizeof *rules)

static size_t rule_of(const char *kind) {
    for (size_t i = 0; i < RULES; i++)
        for (size_t k = 0; rules[i].kinds[k] != NULL; k++)
            if (strcmp(rules[i].kinds[k], kind) == 0) return i;
    return 0;
}

void verdict_path_share(struct verdict_share *share, const struct replay_critical_path *path) {
    struct verdict_share shares[RULES];
    size_t largest = 0;
    for (size_t i = 0; i < RULES; i++)
        shares[i] = (struct verdict_share){.rule = rules[i].rule, .what = rules[i].what};
    for (uint32_t i = 0; i < path->part_count; i++) {
        const struct replay_path_part *part = &path->parts[i];
        struct verdict_share *of = &shares[rule_of(part->kind)];
        of->time_ps += part->time_ps;
        if (of->longest == NULL || part->time_ps > of->longest->time_ps) of->longest = part;
    }
    for (size_t i = 1; i < RULES; i++)
        if (shares[i].time_ps > shares[largest].time_ps) largest = i;
    *share = shares[largest];
}

void verdict_add_longest(struct text_buffer *text, const struct verdict_share *share) {
    const struct replay_path_part *longest = share->longest;
    if (longest->name == NULL || longest->time_ps >= share->time_ps) return;
    if (strcmp(share->rule, "contention") == 0 && strcmp(longest->name, "nic") == 0)
        text_add(text, ", most of it in network interfaces");
    else if (strcmp(share->rule, "contention") == 0)
        text_add(text, ", most of it at %s channels", longest->name);
    else if (strcmp(share->rule, "distance") == 0)
        text_add(text, ", most of it %s on %s channels", longest->kind, longest->name);
    else if (strcmp(share->rule, "bandwidth") == 0)
        text_add(text, ", most of it on %s channels", longest->name);
    else
        text_add(text, ", most of it in %s", longest->name);
}

bool verdict_path_can_spread(const struct network_config *network) {
    const int64_t node = network_config_nic_bytes_per_s(network);
    if (strcmp(network_routing_names()[network->routing], "minimal") == 0) return false;
    for (unsigned i = 0; i < UNITS_DIMENSIONS - 1; i++) {
        if (network_config_bytes_per_s(network, NETWORK_CHANNEL_KINDS + i) < node) return true;
    }
    return network_config_bytes_per_s(network, NETWORK_LOCAL) < node ||
           network_config_bytes_per_s(network, NETWORK_GLOBAL) < node;
}
