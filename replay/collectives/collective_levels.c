/*
 * Collectives in two levels. Their first and their last part run within each node, and their middle
 * part among one leader of each node. The middle part is the library's algorithm for the leaders,
 * or (offload) the NICs of the leaders carry it out along a tree.
 *
 * A leader is the root of the collective on the root's node, and the lowest member on the others.
 * Where the nodes are not known, the algorithms are those of the library for members with a node
 * each.
 *
 * Sources: MPICH 4, the files NAME_intra_smp.c in src/mpi/coll: the levels;
 * Alverson et al., Cray XC Series Network (2012), "Reductions and Barriers", and Graham et al.,
 * "Scalable Hierarchical Aggregation Protocol" (2016): trees of NICs or routers.
 *
 * Invariant: the tags of a part are below 2^28, apart from the two highest bits
 * (collective_compose.c); bits 28 and 29 hold the number of the part, from 1.
 */
#include "replay/collectives/collective_families.h"

#define PARTS_MAX 3
#define TAG_SHIFT 28

/* One part of a collective as its members see it. Those of a node are numbered in their order, the
 * leaders by their nodes. */
struct level_part {
    const struct collective_algorithm *algorithm;
    struct collective_call call;
    bool among_leaders;
    uint32_t steps; /* of this member */
};

/* ---- the tree of NICs ---- */

static uint32_t tree_radix(const struct collective_call *call) {
    int64_t radix = call->choice->offload_radix;
    return radix < 2 ? 2 : radix < INT32_MAX ? (uint32_t)radix : INT32_MAX;
}

/* Returns the number of the first child; the others follow it. */
static uint64_t tree_first_child(const struct collective_call *call) {
    return (uint64_t)call->own_member * tree_radix(call) + 1;
}

static uint32_t tree_children(const struct collective_call *call) {
    uint64_t first = tree_first_child(call);
    if (first >= call->size) return 0;
    uint64_t left = call->size - first;
    return left < tree_radix(call) ? (uint32_t)left : tree_radix(call);
}

/* Steps: from each child, with the parent, to each child. */
static uint32_t tree_steps(const struct collective_call *call) {
    return 2 * tree_children(call) + (call->own_member != 0);
}

static void tree_step(const struct collective_call *call, uint32_t number,
                      struct collective_step *step) {
    uint32_t children = tree_children(call), first = (uint32_t)tree_first_child(call);
    step->send = step->receive = (struct collective_blocks){0, 1};
    step->is_by_nic = true;
    if (number < children) {
        step->from = first + number;
        step->combine = 1;
        step->completes_before_next = number + 1 == children;
        return;
    }
    number -= children;
    if (call->own_member != 0 && number == 0) {
        step->to = step->from = (call->own_member - 1) / tree_radix(call);
        return;
    }
    number -= call->own_member != 0;
    step->to = first + number;
    step->completes_before_next = number + 1 == children;
}

static const struct collective_algorithm tree = {
    {"tree", "a tree of NICs"}, COLLECTIVE_VECTOR, tree_steps, tree_step};

/* ---- parts ---- */

static uint32_t leader_of(const struct collective_call *call, uint32_t node) {
    const struct collective_nodes *nodes = call->nodes;
    bool rooted = call->root != COLLECTIVE_NOBODY && call->root < call->size;
    if (rooted && nodes->node_of_member[call->root] == node) return call->root;
    return nodes->members[nodes->first[node]];
}

static uint32_t member_of(const struct collective_call *call, const struct level_part *part,
                          uint32_t number) {
    if (part->among_leaders) return leader_of(call, number);
    const struct collective_nodes *nodes = call->nodes;
    return nodes->members[nodes->first[nodes->node_of_member[call->own_member]] + number];
}

static struct collective_call call_as(const struct collective_call *call, uint32_t kind) {
    struct collective_call other = *call;
    other.kind = kind;
    other.nodes = NULL;
    other.send_bytes = other.receive_bytes =
        call->kind == PROGRAM_COLLECTIVE_BARRIER ? 0 : collective_vector_bytes(call);
    return other;
}

/* Adds a collective of the members of each node, rooted at its leader. */
static struct level_part within_node(const struct collective_call *call, uint32_t kind) {
    const struct collective_nodes *nodes = call->nodes;
    uint32_t node = nodes->node_of_member[call->own_member];
    struct level_part part = {.call = call_as(call, kind)};
    part.call.size = nodes->first[node + 1] - nodes->first[node];
    part.call.own_member = nodes->place_in_node[call->own_member];
    part.call.root = nodes->place_in_node[leader_of(call, node)];
    bool same = kind == call->kind; /* the algorithm that is chosen for it is the two levels */
    part.algorithm = same ? collective_library_chosen(&part.call) : collective_chosen(&part.call);
    part.steps = part.algorithm->steps(&part.call);
    return part;
}

/* Adds the collective itself among the leaders, by the algorithm; NULL: as the library does it. */
static struct level_part among_leaders(const struct collective_call *call,
                                       const struct collective_algorithm *algorithm) {
    const struct collective_nodes *nodes = call->nodes;
    uint32_t node = nodes->node_of_member[call->own_member];
    struct level_part part = {.call = call_as(call, call->kind), .among_leaders = true};
    part.call.size = nodes->count;
    part.call.own_member = node;
    if (call->root != COLLECTIVE_NOBODY && call->root < call->size)
        part.call.root = nodes->node_of_member[call->root];
    part.algorithm = algorithm != NULL ? algorithm : collective_library_chosen(&part.call);
    if (leader_of(call, node) == call->own_member) part.steps = part.algorithm->steps(&part.call);
    return part;
}

static uint32_t parts_of(const struct collective_call *call,
                         const struct collective_algorithm *algorithm, struct level_part *parts) {
    uint32_t count = 0;
    if (call->kind != PROGRAM_COLLECTIVE_BCAST)
        parts[count++] = within_node(call, PROGRAM_COLLECTIVE_REDUCE);
    parts[count++] = among_leaders(call, algorithm);
    if (call->kind != PROGRAM_COLLECTIVE_REDUCE)
        parts[count++] = within_node(call, PROGRAM_COLLECTIVE_BCAST);
    return count;
}

static uint32_t level_steps(const struct collective_call *call,
                            const struct collective_algorithm *algorithm) {
    struct level_part parts[PARTS_MAX];
    if (call->nodes == NULL) return collective_library_chosen(call)->steps(call);
    uint32_t steps = 0, count = parts_of(call, algorithm, parts);
    for (uint32_t i = 0; i < count; i++)
        steps += parts[i].steps;
    return steps;
}

static void level_step(const struct collective_call *call,
                       const struct collective_algorithm *algorithm, uint32_t number,
                       struct collective_step *step) {
    struct level_part parts[PARTS_MAX];
    if (call->nodes == NULL) {
        collective_describe(collective_library_chosen(call), call, number, step);
        return;
    }
    uint32_t count = parts_of(call, algorithm, parts), i = 0;
    while (i + 1 < count && number >= parts[i].steps)
        number -= parts[i++].steps;
    const struct level_part *part = &parts[i];
    collective_describe(part->algorithm, &part->call, number, step);
    step->tag += (i + 1) << TAG_SHIFT;
    if (step->to != COLLECTIVE_NOBODY) step->to = member_of(call, part, step->to);
    if (step->from != COLLECTIVE_NOBODY) step->from = member_of(call, part, step->from);
}

uint32_t collective_two_level_steps(const struct collective_call *call) {
    return level_steps(call, NULL);
}

void collective_two_level_step(const struct collective_call *call, uint32_t number,
                               struct collective_step *step) {
    level_step(call, NULL, number, step);
}

uint32_t collective_offload_steps(const struct collective_call *call) {
    return level_steps(call, &tree);
}

void collective_offload_step(const struct collective_call *call, uint32_t number,
                             struct collective_step *step) {
    level_step(call, &tree, number, step);
}
