/*
 * Counts the flows of watched links: their packets, and how long they waited behind which other
 * flows. Also finds the links to watch, and after a run joins what groups and processes have
 * counted.
 */
#include "network/engine/measurement/watch.h"

#include "core/memory/memory.h"
#include "network/engine/measurement/labels.h"
#include "network/engine/measurement/statistics.h"

#include <stdlib.h>
#include <string.h>

/* What tells flows apart. */
struct watch_identity {
    struct network_label label;
    uint64_t nodes; /* source node (upper half), destination node · 2 + whether it is minimal */
};

/* Number of a flow. Flow 0 of a link has no entry. */
struct watch_key {
    struct watch_identity key;
    uint32_t flow;
};

static inline uint64_t watch_hash(const struct watch_identity *key) {
    uint64_t hash = digest_spread(key->label.word[0]) + key->label.word[1];
    return map_hash(digest_spread(hash) + key->nodes);
}

static inline bool watch_is_same(const struct watch_identity *one,
                                 const struct watch_identity *other) {
    return one->nodes == other->nodes && one->label.word[0] == other->label.word[0] &&
           one->label.word[1] == other->label.word[1];
}

static inline bool watch_key_is_used(const struct watch_key *entry) {
    return entry->flow != 0;
}
MAP_DEFINE(watch_key, struct watch_key, struct watch_identity, watch_hash, watch_is_same,
           watch_key_is_used)

/* How long packets of one flow waited while the link carried packets of another one. */
struct watch_pair {
    uint64_t key; /* the flow that waited (upper half), the flow that was carried */
    int64_t waited_ps;
};

static inline bool watch_pair_is_used(const struct watch_pair *pair) {
    return pair->waited_ps > 0;
}
MAP_DEFINE(watch_pair, struct watch_pair, uint64_t, map_hash_of_word, map_is_same_word,
           watch_pair_is_used)

struct watch_sent {
    int64_t start_ps;
    int64_t end_ps;
    uint32_t flow;
};

struct watch_link {
    uint32_t output;
    uint32_t flow_count; /* flow 0 included */
    struct network_link_flow *flows;
    size_t flow_capacity;
    struct watch_key_map keys;
    struct watch_pair_map pairs;
    struct watch_sent *sent; /* ring of the latest transmissions */
    uint64_t sent_count;
    int64_t stalled_ps; /* not yet counted for a flow */
};

struct watch {
    uint16_t *link_of; /* [output]: 1 + its watched link; 0: none */
    struct watch_link *links;
    uint32_t count;
    int64_t *waits; /* [output]: of the network's victims; NULL: it has none */
};

/* ---------------------------------------------------------------- counting */

static struct watch_identity watch_identity_of(const struct rail_group *rail_group,
                                               uint32_t index) {
    const struct node_shape *shape = &rail_group->network->topology.node_shape;
    const struct network_packet *packet = &rail_group->packets.items[index];
    bool minimal = (packet->flags & NETWORK_PACKET_NONMINIMAL) == 0;
    struct watch_identity identity = {
        .nodes = (uint64_t)node_shape_node(shape, packet->source) << 32 |
                 (uint64_t)node_shape_node(shape, packet->destination) << 1 | minimal};
    if (rail_group->observers.labels != NULL) identity.label = *labels_of(rail_group, index);
    return identity;
}

/* Returns the number of a packet's flow, which may be new. */
static uint32_t flow_of(struct rail_group *rail_group, struct watch_link *link, uint32_t packet) {
    const struct watch_identity key = watch_identity_of(rail_group, packet);
    const struct watch_key *found = watch_key_map_find(&link->keys, &key);
    if (found != NULL) return found->flow;
    if (link->flow_count >= rail_group->network->observation.watched_flows) return 0;
    void *flows = link->flows;
    struct watch_key *added = watch_key_map_add(&link->keys, &key);
    if (added == NULL || memory_grow(&flows, &link->flow_capacity, link->flow_count + 1,
                                     sizeof *link->flows, NULL) != STATUS_OK) {
        rail_group->failure.out_of_memory = true;
        return 0;
    }
    link->flows = flows;
    added->flow = link->flow_count++;
    link->flows[added->flow] =
        (struct network_link_flow){.is_known = true,
                                   .label = key.label,
                                   .source_node = (uint32_t)(key.nodes >> 32),
                                   .destination_node = (uint32_t)key.nodes >> 1,
                                   .is_minimal = (key.nodes & 1) != 0};
    return added->flow;
}

/* Counts that a packet of a flow waited for time_ps behind packets of another flow. */
static void count_wait(struct rail_group *rail_group, struct watch_link *link, uint32_t flow,
                       uint32_t behind, int64_t time_ps) {
    uint64_t key = (uint64_t)flow << 32 | behind;
    struct watch_pair *pair = watch_pair_map_find(&link->pairs, &key);
    if (pair == NULL && link->pairs.count >= rail_group->network->observation.watched_pairs) {
        key = flow = behind = 0;
        pair = watch_pair_map_find(&link->pairs, &key);
    }
    if (pair == NULL) pair = watch_pair_map_add(&link->pairs, &key);
    if (pair == NULL) {
        rail_group->failure.out_of_memory = true;
        return;
    }
    pair->waited_ps += time_ps;
}

/* Holds the time that a packet waited against the latest transmissions of the link. */
static void find_causes(struct rail_group *rail_group, struct watch_link *link, uint32_t flow,
                        int64_t from_ps, int64_t until_ps) {
    uint64_t first =
        link->sent_count > WATCH_TRANSMISSIONS ? link->sent_count - WATCH_TRANSMISSIONS : 0;
    for (uint64_t i = link->sent_count; i-- > first;) {
        const struct watch_sent *sent = &link->sent[i % WATCH_TRANSMISSIONS];
        if (sent->end_ps <= from_ps) return;
        int64_t start_ps = sent->start_ps > from_ps ? sent->start_ps : from_ps;
        int64_t end_ps = sent->end_ps < until_ps ? sent->end_ps : until_ps;
        if (end_ps <= start_ps) continue;
        count_wait(rail_group, link, flow, sent->flow, end_ps - start_ps);
    }
}

static struct watch_link *link_of(const struct rail_group *rail_group, uint32_t output) {
    const struct watch *watch = rail_group->observers.watch;
    uint16_t number = watch->link_of[output];
    return number > 0 ? &watch->links[number - 1] : NULL;
}

/* Counts how long a packet waited for an output if it is of a victim. */
static void watch_victim(struct rail_group *rail_group, uint32_t output, uint32_t index,
                         int64_t start_ps) {
    const struct network *network = rail_group->network;
    const int64_t time_ps = start_ps - rail_group->packets.items[index].request_ps;
    if (output >= network->tables.ports || time_ps <= 0) return;
    const uint64_t word = labels_of(rail_group, index)->word[0];
    bool is_victim = false;
    for (uint32_t i = 0; i < network->observation.victim_count; i++)
        is_victim |=
            (word & network->observation.victims[i].mask) == network->observation.victims[i].value;
    if (is_victim) rail_group->observers.watch->waits[output] += time_ps;
}

void watch_record_transmission(struct rail_group *rail_group, uint32_t output,
                               uint32_t packet_index, int64_t start_ps, int64_t end_ps) {
    if (rail_group->observers.watch->waits != NULL)
        watch_victim(rail_group, output, packet_index, start_ps);
    struct watch_link *link = link_of(rail_group, output);
    if (link == NULL) return;
    const uint32_t number = flow_of(rail_group, link, packet_index);
    const struct network_packet *packet = &rail_group->packets.items[packet_index];
    struct network_link_flow *flow = &link->flows[number];
    /* A NIC sends a packet as soon as it has one: what waits there are messages. */
    int64_t ready_ps = output < rail_group->network->tables.ports ? packet->request_ps : start_ps;
    flow->packets++;
    flow->bytes += packet->size_bytes;
    flow->busy_ps += end_ps - start_ps;
    flow->stalled_ps += link->stalled_ps;
    link->stalled_ps = 0;
    if (start_ps > ready_ps) {
        flow->waited_ps += start_ps - ready_ps;
        find_causes(rail_group, link, number, ready_ps, start_ps);
    }
    link->sent[link->sent_count++ % WATCH_TRANSMISSIONS] =
        (struct watch_sent){start_ps, end_ps, number};
}

void watch_record_stall(struct rail_group *rail_group, uint32_t output, int64_t time_ps) {
    struct watch_link *link = link_of(rail_group, output);
    if (link != NULL) link->stalled_ps += time_ps;
}

/* ---------------------------------------------------------------- which links */

static void clear_link(struct watch_link *link) {
    free(link->flows);
    free(link->sent);
    watch_key_map_clear(&link->keys);
    watch_pair_map_clear(&link->pairs);
}

void watch_free(struct watch *watch) {
    if (watch == NULL) return;
    for (uint32_t i = 0; i < watch->count; i++)
        clear_link(&watch->links[i]);
    free(watch->links);
    free(watch->link_of);
    free(watch->waits);
    free(watch);
}

/* Makes the watch of a rail group if it has none. Returns false if out of memory. */
static bool watch_new(struct rail_group *rail_group) {
    if (rail_group->observers.watch == NULL)
        rail_group->observers.watch = memory_new(1, sizeof *rail_group->observers.watch);
    struct watch *watch = rail_group->observers.watch;
    if (watch != NULL && watch->link_of == NULL)
        watch->link_of = memory_new(rail_group->network->tables.outputs, sizeof *watch->link_of);
    return watch != NULL && watch->link_of != NULL;
}

static bool watch_output(struct rail_group *rail_group, uint32_t output) {
    if (!watch_new(rail_group)) return false;
    struct watch *watch = rail_group->observers.watch;
    struct watch_link *links = memory_new((size_t)watch->count + 1, sizeof *links);
    struct watch_link link = {.output = output, .flow_count = 1, .flow_capacity = 1};
    link.flows = memory_new(1, sizeof *link.flows);
    link.sent = memory_new(WATCH_TRANSMISSIONS, sizeof *link.sent);
    if (links == NULL || link.flows == NULL || link.sent == NULL) {
        clear_link(&link);
        free(links);
        return false;
    }
    if (watch->count > 0) memcpy(links, watch->links, watch->count * sizeof *links);
    free(watch->links);
    watch->links = links;
    links[watch->count++] = link;
    watch->link_of[output] = (uint16_t)watch->count;
    return true;
}

static bool is_named(const struct network_link *link, const struct network_link_name *name) {
    bool to_node = link->channel_kind == NETWORK_TERMINAL && !link->is_injection;
    return link->is_injection == name->is_from_node && to_node == name->is_to_node &&
           link->source == name->source && link->destination == name->destination;
}

struct link_search {
    const struct network_link_name *names;
    uint32_t count;
    uint32_t *found; /* [name]: links that have it; [count]: all watched links */
    bool failed;
};

static void watch_if_named(void *context, struct rail_group *rail_group, uint32_t output,
                           const struct network_link *link) {
    struct link_search *search = context;
    bool wanted = false;
    for (uint32_t i = 0; i < search->count; i++) {
        if (!is_named(link, &search->names[i])) continue;
        search->found[i]++;
        wanted = true;
    }
    if (!wanted || search->found[search->count]++ >= NETWORK_WATCHED_MAX) return;
    search->failed = search->failed || !watch_output(rail_group, output);
    rail_group_observe(rail_group);
    rail_group->tracks_injections = true;
}

static uint32_t first_absent(const struct link_search *search) {
    uint32_t absent = 0;
    while (absent < search->count && search->found[absent] > 0)
        absent++;
    return absent;
}

/* What each of several processes has found; as struct link_search says. */
struct found_links {
    uint32_t count[NETWORK_WATCHED_MAX + 1];
};

static void add_found(void *sum, const void *part) {
    struct found_links *all = sum;
    const struct found_links *more = part;
    for (uint32_t i = 0; i <= NETWORK_WATCHED_MAX; i++)
        all->count[i] += more->count[i];
}

status_code network_watch(struct network *network, const struct network_link_name *names,
                          uint32_t count, struct status *status) {
    struct found_links found = {{0}};
    struct link_search search = {.names = names, .count = count, .found = found.count};
    RETURN_ERROR_IF(count > NETWORK_WATCHED_MAX, status, STATUS_USAGE,
                    "record.links: %u names of links; at most %u are possible", count,
                    NETWORK_WATCHED_MAX);
    statistics_visit_outputs(network, watch_if_named, &search);
    FORWARD_IF_ERROR(processes_combine(network->distribution.processes, &found, sizeof found,
                                       add_found, status));
    uint32_t absent = first_absent(&search);
    RETURN_ERROR_IF(search.failed, status, STATUS_MEMORY, "out of memory for watched links");
    RETURN_ERROR_IF(absent < count, status, STATUS_USAGE,
                    "record.links: the machine has no link from %s %u to %s %u",
                    names[absent].is_from_node ? "node" : "router", names[absent].source,
                    names[absent].is_to_node ? "node" : "router", names[absent].destination);
    RETURN_ERROR_IF(found.count[count] > NETWORK_WATCHED_MAX, status, STATUS_USAGE,
                    "record.links: %u links; at most %u can be watched", found.count[count],
                    NETWORK_WATCHED_MAX);
    if (found.count[count] > 0) {
        network->observation.watched_flows = WATCH_FLOWS / found.count[count];
        network->observation.watched_pairs = WATCH_PAIRS / found.count[count];
    }
    return STATUS_OK;
}

static bool watch_waits(struct rail_group *rail_group) {
    if (!watch_new(rail_group)) return false;
    rail_group->observers.watch->waits =
        memory_new(rail_group->network->tables.outputs, sizeof *rail_group->observers.watch->waits);
    return rail_group->observers.watch->waits != NULL;
}

status_code network_watch_waits(struct network *network,
                                const struct network_label_pattern *patterns, uint32_t count,
                                struct status *status) {
    bool enough = true;
    memcpy(network->observation.victims, patterns, count * sizeof *patterns);
    network->observation.victim_count = count;
    for (uint32_t i = 0; i < network->rail_group_count && enough; i++) {
        struct rail_group *rail_group = &network->rail_groups[i];
        if (rail_group->is_elsewhere) continue;
        enough = watch_waits(rail_group);
        rail_group_observe(rail_group);
    }
    RETURN_ERROR_IF(!enough, status, STATUS_MEMORY, "out of memory for waits at links");
    return STATUS_OK;
}

/* ---------------------------------------------------------------- results */

struct waits_visit {
    void (*visitor)(void *context, const struct network_link *link, int64_t waited_ps);
    void *context;
};

static void visit_waits(void *context, struct rail_group *rail_group, uint32_t output,
                        const struct network_link *link) {
    const struct waits_visit *visit = context;
    const int64_t *waits =
        rail_group->observers.watch != NULL ? rail_group->observers.watch->waits : NULL;
    if (waits != NULL && waits[output] > 0) visit->visitor(visit->context, link, waits[output]);
}

void network_visit_waits(const struct network *network,
                         void (*visitor)(void *context, const struct network_link *link,
                                         int64_t waited_ps),
                         void *context) {
    struct waits_visit visit = {visitor, context};
    statistics_visit_outputs(network, visit_waits, &visit);
}

static int compare_flows(const struct network_link_flow *a, const struct network_link_flow *b) {
    if (a->is_known != b->is_known) return a->is_known ? -1 : 1;
    if (a->bytes != b->bytes) return a->bytes > b->bytes ? -1 : 1;
    if (a->source_node != b->source_node) return a->source_node < b->source_node ? -1 : 1;
    if (a->destination_node != b->destination_node)
        return a->destination_node < b->destination_node ? -1 : 1;
    for (unsigned i = 0; i < 2; i++)
        if (a->label.word[i] != b->label.word[i])
            return a->label.word[i] < b->label.word[i] ? -1 : 1;
    return (int)b->is_minimal - (int)a->is_minimal;
}

static int by_flow(const void *one, const void *other) {
    const struct network_link_flow *const *a = one, *const *b = other;
    return compare_flows(*a, *b);
}

static int by_wait(const void *one, const void *other) {
    const struct network_link_wait *a = one, *b = other;
    if (a->waited_ps != b->waited_ps) return a->waited_ps > b->waited_ps ? -1 : 1;
    int order = compare_flows(a->flow, b->flow);
    return order != 0 ? order : compare_flows(a->behind, b->behind);
}

/* Adds to each flow what it waited behind others, and what others waited behind it. */
static void add_up_waits(const struct watch_link *link, struct network_link_flow *flows) {
    for (uint32_t i = 0; i < link->pairs.capacity; i++) {
        const struct watch_pair *pair = &link->pairs.entries[i];
        if (!watch_pair_is_used(pair)) continue;
        flows[pair->key >> 32].behind_ps += pair->waited_ps;
        flows[(uint32_t)pair->key].caused_ps += pair->waited_ps;
    }
    flows[0].stalled_ps += link->stalled_ps; /* whose packets took another output after all */
}

static bool visit_watched(const struct watch_link *link, const struct network_link *of,
                          const struct network_watch_visitor *visitor) {
    struct network_link_flow *flows = memory_new(link->flow_count, sizeof *flows);
    const struct network_link_flow **order = memory_new(link->flow_count, sizeof *order);
    struct network_link_wait *waits = memory_new((size_t)link->pairs.count + 1, sizeof *waits);
    size_t count = 0;
    if (flows == NULL || order == NULL || waits == NULL) {
        free(flows);
        free(order);
        free(waits);
        return false;
    }
    memcpy(flows, link->flows, link->flow_count * sizeof *flows);
    add_up_waits(link, flows);
    for (uint32_t i = 0; i < link->pairs.capacity; i++) {
        const struct watch_pair *pair = &link->pairs.entries[i];
        if (watch_pair_is_used(pair))
            waits[count++] = (struct network_link_wait){
                &flows[pair->key >> 32], &flows[(uint32_t)pair->key], pair->waited_ps};
    }
    qsort(waits, count, sizeof *waits, by_wait);
    for (uint32_t i = 0; i < link->flow_count; i++)
        order[i] = &flows[i];
    qsort(order, link->flow_count, sizeof *order, by_flow);
    for (uint32_t i = 0; i < link->flow_count && visitor->flow != NULL; i++) {
        const struct network_link_flow *flow = order[i];
        bool any = flow->packets > 0 || flow->stalled_ps > 0 || flow->caused_ps > 0;
        if (any) visitor->flow(visitor->context, of, flow);
    }
    for (size_t i = 0; i < count && visitor->wait != NULL; i++)
        visitor->wait(visitor->context, of, &waits[i]);
    free(flows);
    free(order);
    free(waits);
    return true;
}

struct output_visit {
    const struct network_watch_visitor *visitor;
    bool failed;
};

static void visit_output(void *context, struct rail_group *rail_group, uint32_t output,
                         const struct network_link *link) {
    struct output_visit *visit = context;
    if (rail_group->observers.watch == NULL) return;
    const struct watch_link *watched = link_of(rail_group, output);
    if (watched != NULL && !visit_watched(watched, link, visit->visitor)) visit->failed = true;
}

status_code network_visit_watched(const struct network *network,
                                  const struct network_watch_visitor *visitor,
                                  struct status *status) {
    struct output_visit visit = {.visitor = visitor};
    statistics_visit_outputs(network, visit_output, &visit);
    RETURN_ERROR_IF(visit.failed, status, STATUS_MEMORY, "out of memory for watched links");
    return STATUS_OK;
}

/* ---------------------------------------------------------------- several processes */

/* A watched link in a block between processes: this head, its flows, and its pairs. */
struct packed_link {
    uint64_t output;
    uint64_t flows;
    uint64_t pairs;
    int64_t stalled_ps;
};

void watch_pack(struct processes_packing *block, const struct rail_group *rail_group) {
    const uint64_t count =
        rail_group->observers.watch != NULL ? rail_group->observers.watch->count : 0;
    processes_pack(block, &count, sizeof count);
    for (uint64_t i = 0; i < count; i++) {
        const struct watch_link *link = &rail_group->observers.watch->links[i];
        const struct packed_link head = {link->output, link->flow_count, link->pairs.count,
                                         link->stalled_ps};
        processes_pack(block, &head, sizeof head);
        processes_pack(block, link->flows, link->flow_count * sizeof *link->flows);
        for (uint32_t k = 0; k < link->pairs.capacity; k++)
            if (watch_pair_is_used(&link->pairs.entries[k]))
                processes_pack(block, &link->pairs.entries[k], sizeof(struct watch_pair));
    }
    if (rail_group->network->observation.victim_count > 0)
        processes_pack(block, rail_group->observers.watch->waits,
                       rail_group->network->tables.outputs *
                           sizeof *rail_group->observers.watch->waits);
}

static bool unpack_waits(struct rail_group *rail_group, struct processes_unpacking *block) {
    const size_t bytes =
        rail_group->network->tables.outputs * sizeof *rail_group->observers.watch->waits;
    const void *waits = processes_unpack(block, bytes);
    if (waits == NULL || !watch_waits(rail_group)) return false;
    memcpy(rail_group->observers.watch->waits, waits, bytes);
    return true;
}

static bool unpack_link(struct rail_group *rail_group, struct processes_unpacking *block) {
    const struct packed_link *head = processes_unpack(block, sizeof *head);
    if (head == NULL || !watch_output(rail_group, (uint32_t)head->output)) return false;
    struct watch_link *link = link_of(rail_group, (uint32_t)head->output);
    struct network_link_flow *flows = memory_new(head->flows, sizeof *flows);
    const void *received = processes_unpack(block, head->flows * sizeof *flows);
    free(link->flows);
    link->flows = flows;
    if (flows == NULL || received == NULL) return false;
    memcpy(flows, received, head->flows * sizeof *flows);
    link->flow_count = (uint32_t)head->flows;
    link->flow_capacity = link->flow_count;
    link->stalled_ps = head->stalled_ps;
    for (uint64_t i = 0; i < head->pairs; i++) {
        const struct watch_pair *pair = processes_unpack(block, sizeof *pair);
        struct watch_pair *added =
            pair != NULL ? watch_pair_map_add(&link->pairs, &pair->key) : NULL;
        if (added == NULL) return false;
        added->waited_ps = pair->waited_ps;
    }
    return true;
}

bool watch_unpack(struct rail_group *rail_group, struct processes_unpacking *block) {
    const uint64_t *count = processes_unpack(block, sizeof *count);
    bool is_there = count != NULL;
    for (uint64_t i = 0; is_there && i < *count; i++)
        is_there = unpack_link(rail_group, block);
    return is_there &&
           (rail_group->network->observation.victim_count == 0 || unpack_waits(rail_group, block));
}
