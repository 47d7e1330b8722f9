/*
 * The choices of NICs, a function and a row of a table each: in blocks or in turn, by the pair of
 * nodes, the nearest pair, or the shortest queue. Also cuts large messages into stripes for several
 * NICs.
 */
#include "network/engine/nic/nic_choice.h"

#include "core/base/digest.h"
#include "core/simulation/random.h"
#include "network/engine/nic/nic.h"
#include "network/engine/nic/rails.h"
#include "network/engine/state/packet_pool.h"
#include "network/network_choices.h"

struct nic_choice_input {
    const struct network *network;
    uint32_t source; /* nodes */
    uint32_t destination;
};

static bool pair_works(const struct network *network, struct nic_endpoints pair) {
    return rails_endpoint_works(network, pair.source) &&
           rails_endpoint_works(network, pair.destination) &&
           rails_between(network, pair.source, pair.destination) != 0;
}

static struct nic_endpoints pair_of(const struct nic_choice_input *input, uint32_t from,
                                    uint32_t to) {
    const struct node_shape *node = &input->network->topology.node_shape;
    return (struct nic_endpoints){
        node_shape_endpoint(node, input->source, from % node->nics_per_node),
        node_shape_endpoint(node, input->destination, to % node->nics_per_node)};
}

/* ---------------------------------------------------------------- choices */

static uint32_t in_blocks(uint32_t nics, uint32_t index, uint32_t count) {
    return (uint32_t)((uint64_t)index * nics / count);
}

static uint32_t round_robin(uint32_t nics, uint32_t index, uint32_t count) {
    (void)count;
    return index % nics;
}

static void nics_by_pair(const struct nic_choice_input *input, uint32_t nic[2]) {
    uint64_t draw = digest_mix(network_seed(input->network),
                               (uint64_t)input->source << 32 | input->destination);
    nic[0] = random_below((uint32_t)draw, input->network->topology.node_shape.nics_per_node);
    nic[1] =
        random_below((uint32_t)(draw >> 32), input->network->topology.node_shape.nics_per_node);
}

/* Returns the sum of the hops from a router to the ends in its group of all links to another
 * group. */
static uint64_t hops_to_links(const struct topology *topology, uint32_t endpoint, uint32_t to) {
    uint32_t router = endpoint / topology->endpoints_per_router, count;
    uint32_t group = router / topology->routers_per_group;
    const uint16_t *links = topology_links(topology, group, to, &count);
    uint64_t hops = 0;
    for (uint32_t i = 0; i < count; i++)
        hops += topology_local_hops(topology, group, router % topology->routers_per_group,
                                    links[i] / topology->globals_per_router);
    return hops;
}

/* Returns the length of the minimal path between two endpoints: hops in a group, or the sum of hops
 * over all links between two groups. */
static uint64_t length_of(const struct topology *topology, struct nic_endpoints pair) {
    uint32_t from = pair.source / topology->endpoints_per_router;
    uint32_t to = pair.destination / topology->endpoints_per_router,
             a = topology->routers_per_group;
    if (from / a == to / a) return topology_local_hops(topology, from / a, from % a, to % a);
    return hops_to_links(topology, pair.source, to / a) +
           hops_to_links(topology, pair.destination, from / a);
}

/* Chooses the pair with the shortest minimal path; among equal ones, by the hash of the nodes. */
static void nics_nearest(const struct nic_choice_input *input, uint32_t nic[2]) {
    const struct network *network = input->network;
    uint32_t nics = network->topology.node_shape.nics_per_node;
    uint64_t best = UINT64_MAX;
    uint32_t start[2];
    nics_by_pair(input, start);
    for (uint32_t i = 0; i < nics; i++) {
        for (uint32_t j = 0; j < nics; j++) {
            struct nic_endpoints pair = pair_of(input, start[0] + i, start[1] + j);
            if (!pair_works(network, pair)) continue;
            uint64_t length = length_of(&network->topology, pair);
            if (length >= best) continue;
            best = length;
            nic[0] = (start[0] + i) % nics;
            nic[1] = (start[1] + j) % nics;
        }
    }
}

/* Returns the bytes that wait at an endpoint's NICs, in all rails. */
static wide queued_bytes(const struct rail_group *home, uint32_t endpoint) {
    wide bytes = 0;
    uint32_t local = endpoint - home->group * home->network->topology.endpoints_per_group;
    for (uint32_t rail = 0; rail < home->network->rails.count; rail++)
        bytes += rail_group_in(home, rail)->queued_bytes[local];
    return bytes;
}

#define ROWS(X)                                                                                    \
    X("block",                                                                                     \
      .help = "by rank: the ranks of a node are divided into blocks, the first block "             \
              "on NIC 0 (Cray MPICH)",                                                             \
      .of_process = in_blocks)                                                                     \
    X("round-robin", .help = "by rank: the ranks of a node are dealt to its NICs in turn",         \
      .of_process = round_robin)                                                                   \
    X("pair",                                                                                      \
      .help = "a hash of source and destination node chooses; messages between two "               \
              "nodes stay in order",                                                               \
      .choose = nics_by_pair)                                                                      \
    X("message", .help = "the messages of a node take its NICs in turn", .choose = NULL)           \
    X("nearest",                                                                                   \
      .help = "a message uses the two NICs with the fewest hops between them, on "                 \
              "minimal paths",                                                                     \
      .choose = nics_nearest)                                                                      \
    X("shortest", .help = "a message leaves by the NIC at which the fewest bytes wait",            \
      .is_by_queue = true)
#define ROW(first, ...)  {.name = first, __VA_ARGS__},
#define NAME(first, ...) first,
static const struct nic_choice nic_rows[] = {ROWS(ROW){.name = NULL}};
static const char *const nic_names[] = {ROWS(NAME) NULL};
#undef ROWS
#undef ROW
#undef NAME

const struct nic_choice *nic_choices(void) {
    return nic_rows;
}

const char *const *network_nic_names(void) {
    return nic_names;
}

uint32_t network_nic_of_process(const struct network_config *config, uint32_t index,
                                uint32_t count) {
    const struct nic_choice *choice = &nic_rows[config->nic_choice];
    if (config->node_nics < 2 || choice->of_process == NULL) return NETWORK_NIC_ANY;
    return 1 + choice->of_process((uint32_t)config->node_nics, index, count);
}

/* ---------------------------------------------------------------- messages */

/* Returns the pair nearest after NICs nic[0] and nic[1] that works. Any two nodes that work have
 * one. */
static struct nic_endpoints working_pair(const struct nic_choice_input *input,
                                         const uint32_t nic[2]) {
    const struct network *network = input->network;
    struct nic_endpoints wanted = pair_of(input, nic[0], nic[1]);
    if (network->topology.failures == NULL && network->rails.working_rails == NULL) return wanted;
    for (uint32_t i = 0; i < network->topology.node_shape.nics_per_node; i++) {
        for (uint32_t j = 0; j < network->topology.node_shape.nics_per_node; j++) {
            struct nic_endpoints pair = pair_of(input, nic[0] + i, nic[1] + j);
            if (pair_works(network, pair)) return pair;
        }
    }
    return wanted;
}

/* Sets nic[0] and nic[1] to the pair with a number below nics²: each NIC of the source is in one
 * pair with each NIC of the destination. */
static void nics_of_pair(const struct network *network, uint32_t pair, uint32_t nic[2]) {
    uint32_t nics = network->topology.node_shape.nics_per_node;
    nic[0] = pair % nics;
    nic[1] = (pair + pair / nics) % nics;
}

static struct nic_endpoints choose_nics(const struct nic_choice_input *input,
                                        const struct network_message *message, uint32_t pair) {
    const struct network *network = input->network;
    const struct nic_choice *choice = &nic_rows[network->config.nic_choice];
    uint32_t nic[2];
    nics_of_pair(network, pair, nic);
    if (message->source_nic != NETWORK_NIC_ANY) nic[0] = message->source_nic - 1;
    if (message->destination_nic != NETWORK_NIC_ANY) nic[1] = message->destination_nic - 1;
    if (choice->choose != NULL) choice->choose(input, nic);
    return working_pair(input, nic);
}

struct nic_endpoints nic_choice_next(struct rail_group *rail_group,
                                     const struct network_message *message) {
    const struct network *network = rail_group->network;
    struct nic_choice_input input = {network, message->source_node, message->destination_node};
    if (input.source == input.destination) return pair_of(&input, 0, 0);
    uint32_t first = node_shape_endpoint(&network->topology.node_shape, input.source, 0);
    struct network_nic *nic =
        &rail_group->nics[first - rail_group->group * network->topology.endpoints_per_group];
    struct nic_endpoints pair = choose_nics(&input, message, nic->next_nic_pair);
    uint32_t pairs =
        network->topology.node_shape.nics_per_node * network->topology.node_shape.nics_per_node;
    nic->next_nic_pair = (uint16_t)(nic->next_nic_pair + 1u < pairs ? nic->next_nic_pair + 1u : 0);
    return pair;
}

struct nic_endpoints nic_choice_first(const struct network *network,
                                      const struct network_message *message) {
    struct nic_choice_input input = {network, message->source_node, message->destination_node};
    if (input.source == input.destination) return pair_of(&input, 0, 0);
    return choose_nics(&input, message, 0);
}

void nic_choice_take_shortest_queue(struct rail_group *home,
                                    struct network_message_record *message) {
    const struct network *network = home->network;
    const struct node_shape *shape = &network->topology.node_shape;
    uint32_t node = node_shape_node(shape, message->source);
    uint32_t first = node_shape_nic(shape, message->source);
    wide best = queued_bytes(home, message->source);
    for (uint32_t i = 1; i < shape->nics_per_node; i++) {
        uint32_t endpoint = node_shape_endpoint(shape, node, (first + i) % shape->nics_per_node);
        wide bytes = queued_bytes(home, endpoint);
        if (bytes >= best ||
            !pair_works(network, (struct nic_endpoints){endpoint, message->destination}))
            continue;
        best = bytes;
        message->source = endpoint;
    }
}

/* ---------------------------------------------------------------- stripes */

uint32_t nic_choice_write_stripes(const struct network *network, uint32_t source,
                                  uint32_t destination, uint32_t sequence,
                                  struct nic_endpoints stripes[NETWORK_NICS_MAX]) {
    struct nic_choice_input input = {network,
                                     node_shape_node(&network->topology.node_shape, source),
                                     node_shape_node(&network->topology.node_shape, destination)};
    uint32_t nics = network->topology.node_shape.nics_per_node, count = 0, nic[2];
    nics_of_pair(network, sequence % (nics * nics), nic);
    for (uint32_t i = 0; i < nics; i++) {
        struct nic_endpoints pair = pair_of(&input, nic[0] + i, nic[1] + i);
        if (pair_works(network, pair)) stripes[count++] = pair;
    }
    if (count == 0) stripes[count++] = working_pair(&input, nic);
    return count;
}

void nic_choice_hand_in_stripes(struct rail_group *home, uint32_t parent) {
    const struct network *network = home->network;
    struct nic_endpoints stripes[NETWORK_NICS_MAX];
    const struct network_message_record original = home->messages.items[parent];
    uint64_t packets = rails_packets_of(network, original.size_bytes);
    uint32_t max = nic_choice_write_stripes(network, original.source, original.destination,
                                            original.sequence, stripes);
    uint32_t count = packets < max ? (uint32_t)packets : max;
    home->messages.items[parent].left_stripes = count;
    home->messages.items[parent].sent_ps = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = network_message_new(home);
        if (index == NETWORK_NONE) return;
        struct network_message_record *added = &home->messages.items[index];
        *added = original;
        added->parent = parent;
        added->left_bytes = rails_stripe_bytes(network, original.size_bytes, packets, max, i);
        added->source = stripes[i].source;
        added->destination = stripes[i].destination;
        nic_hand_in_whole(home, index);
    }
}
