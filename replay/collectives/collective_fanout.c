/*
 * Collectives along trees of a fixed fan-out, as in Open MPI: bcast and reduce over chains, binary
 * and 4-nomial trees, whole or in segments; bcast over a split binary tree; reduce over a binary
 * tree that keeps the members' order.
 *
 * Members are renumbered so that the root is 0. In the binary tree, level k has the numbers 2^k - 1
 * to 2^(k+1) - 2. A number v of level k has the children v + 2^k and v + 2^(k+1).
 *
 * Sources: the shapes are those of Open MPI 4.1 (ompi/mca/coll/base/coll_base_topo.c); pipelined
 * and split trees: Pjesivac-Grbovic et al., "Performance analysis of MPI collective operations"
 * (2007).
 */
#include "replay/collectives/collective_families.h"

#define RADIX 4 /* coll_tuned_bcast_knomial_radix of Open MPI 4.1 */

typedef enum tree_form { CHAIN, BINARY, KNOMIAL } tree_form;

struct tree_place {
    uint32_t from_root; /* number of the member, counted from the root */
    uint32_t parent;    /* number of the parent; COLLECTIVE_NOBODY for the root */
    uint32_t children;
    uint32_t reach; /* BINARY: 2^level; KNOMIAL: largest distance of a child, 0: none */
};

static uint32_t number_of(const struct collective_call *call) {
    return (uint32_t)(((uint64_t)call->own_member + call->size - call->root) % call->size);
}

static uint32_t member_of(const struct collective_call *call, uint32_t number) {
    return (uint32_t)(((uint64_t)number + call->root) % call->size);
}

static struct tree_place chain_place(uint32_t number, uint32_t size) {
    return (struct tree_place){number, number - 1, number + 1 < size ? 1 : 0, 1};
}

static struct tree_place binary_place(uint32_t number, uint32_t size) {
    uint64_t reach = 1;
    while (2 * reach - 1 <= number)
        reach *= 2;
    uint32_t children = number + 2 * reach < size ? 2 : number + reach < size ? 1 : 0;
    uint32_t above = (uint32_t)reach / 2, parent = COLLECTIVE_NOBODY;
    if (number > 0) parent = number - above < reach - 1 ? number - above : number - (uint32_t)reach;
    return (struct tree_place){number, parent, children, (uint32_t)reach};
}

/* Returns the position of a number in the 4-nomial tree. In base RADIX, the parent is the number
 * with its lowest non-zero digit set to 0; a child has one more non-zero digit, below that digit.
 */
static struct tree_place knomial_place(uint32_t number, uint32_t size) {
    struct tree_place place = {number, COLLECTIVE_NOBODY, 0, 0};
    for (uint64_t unit = 1; unit < size; unit *= RADIX) {
        if (number % (unit * RADIX) != 0) {
            place.parent = number - (uint32_t)(number % (unit * RADIX));
            break;
        }
        place.reach = (uint32_t)unit;
        for (uint32_t digit = 1; digit < RADIX; digit++)
            place.children += number + digit * unit < size;
    }
    return place;
}

static struct tree_place place_of(const struct collective_call *call, tree_form form) {
    uint32_t number = number_of(call);
    if (form == CHAIN) return chain_place(number, call->size);
    if (form == BINARY) return binary_place(number, call->size);
    return knomial_place(number, call->size);
}

/* Returns the number of the child with that index; children with larger subtrees come first. */
static uint32_t knomial_child(const struct tree_place *place, uint32_t child, uint32_t size) {
    for (uint64_t unit = place->reach; unit > 0; unit /= RADIX) {
        for (uint32_t digit = 1; digit < RADIX && place->from_root + digit * unit < size; digit++)
            if (child-- == 0) return place->from_root + digit * (uint32_t)unit;
    }
    return COLLECTIVE_NOBODY;
}

static uint32_t child_member(const struct collective_call *call, tree_form form,
                             const struct tree_place *place, uint32_t child) {
    uint32_t number = place->from_root + (place->reach << child);
    if (form == KNOMIAL) number = knomial_child(place, child, call->size);
    return member_of(call, number);
}

/* Down the tree: a group of steps for each segment, one step per child. The first step of a group
 * receives the segment from the parent, and its steps send the previous segment to the children.
 * The root receives nothing and sends the segment itself. Segment i has the tag i + 1. */
static uint32_t down_steps(const struct collective_call *call, tree_form form, uint32_t segments) {
    struct tree_place place = place_of(call, form);
    if (place.from_root == 0) return segments * place.children;
    return place.children == 0 ? segments : (segments + 1) * place.children;
}

static void down_step(const struct collective_call *call, tree_form form, uint32_t segments,
                      uint32_t number, struct collective_step *step) {
    struct tree_place place = place_of(call, form);
    uint32_t width = place.children == 0 ? 1 : place.children;
    uint32_t group = number / width, child = number % width, late = place.from_root != 0;
    if (late && child == 0 && group < segments) {
        step->from = member_of(call, place.parent);
        step->receive = (struct collective_blocks){group, 1};
    }
    if (child < place.children && group >= late) {
        step->to = child_member(call, form, &place, child);
        step->send = (struct collective_blocks){group - late, 1};
    }
    step->tag = group + 1 - late;
    step->lead = late;
    step->completes_before_next = child == width - 1;
}

/* Up the tree: a group of steps for each segment. Each step receives the segment from one child,
 * and the first step of a group also sends the previous segment to the parent. */
static uint32_t up_steps(const struct collective_call *call, tree_form form, uint32_t segments) {
    return down_steps(call, form, segments);
}

static void up_step(const struct collective_call *call, tree_form form, uint32_t segments,
                    uint32_t number, struct collective_step *step) {
    struct tree_place place = place_of(call, form);
    uint32_t width = place.children == 0 ? 1 : place.children;
    uint32_t group = number / width, child = number % width;
    uint32_t late = place.children != 0;
    if (child < place.children && group < segments) {
        step->from = child_member(call, form, &place, child);
        step->receive = (struct collective_blocks){group, 1};
        step->combine = 1;
    }
    if (place.from_root != 0 && child == 0 && group >= late) {
        step->to = member_of(call, place.parent);
        step->send = (struct collective_blocks){group - late, 1};
    }
    step->tag = group + 1 - late;
    step->lead = late;
}

#define DOWN(name, form, segments)                                                                 \
    uint32_t collective_##name##_steps(const struct collective_call *call) {                       \
        return down_steps(call, form, segments);                                                   \
    }                                                                                              \
    void collective_##name##_step(const struct collective_call *call, uint32_t number,             \
                                  struct collective_step *step) {                                  \
        down_step(call, form, segments, number, step);                                             \
    }
#define UP(name, form, segments)                                                                   \
    uint32_t collective_##name##_steps(const struct collective_call *call) {                       \
        return up_steps(call, form, segments);                                                     \
    }                                                                                              \
    void collective_##name##_step(const struct collective_call *call, uint32_t number,             \
                                  struct collective_step *step) {                                  \
        up_step(call, form, segments, number, step);                                               \
    }
DOWN(knomial_bcast, KNOMIAL, 1)
DOWN(binary_bcast, BINARY, 1)
DOWN(chain_bcast, CHAIN, 1)
DOWN(pipeline_bcast, CHAIN, collective_segments(call))
DOWN(binary_pipeline_bcast, BINARY, collective_segments(call))
UP(binary_reduce, BINARY, 1)
UP(chain_reduce, CHAIN, 1)
UP(pipeline_reduce, CHAIN, collective_segments(call))
UP(binary_pipeline_reduce, BINARY, collective_segments(call))

/* Returns the number of a member's partner in the split tree. One side of the tree has the odd
 * numbers and gets half 0, the other side has the even numbers and gets half 1. Numbers 2k - 1 and
 * 2k have equal positions on the two sides and exchange halves at the end. A last number without a
 * partner gets its other half from the root. */
static uint32_t split_partner(const struct collective_call *call, uint32_t number) {
    uint32_t partner = number % 2 == 1 ? number + 1 : number - 1;
    return partner < call->size ? partner : 0;
}

static bool is_single(const struct collective_call *call) {
    return call->size % 2 == 0;
}

uint32_t collective_split_binary_bcast_steps(const struct collective_call *call) {
    struct tree_place place = binary_place(number_of(call), call->size);
    if (place.from_root == 0) return place.children + is_single(call);
    return 1 + place.children + 1;
}

void collective_split_binary_bcast_step(const struct collective_call *call, uint32_t number,
                                        struct collective_step *step) {
    struct tree_place place = binary_place(number_of(call), call->size);
    uint32_t half = place.from_root % 2 == 0, late = place.from_root != 0;
    step->slice_count = 2;
    step->send = step->receive = (struct collective_blocks){half, 1};
    if (late && number == 0) {
        step->from = member_of(call, place.parent);
    } else if (number - late < place.children) {
        step->to = child_member(call, BINARY, &place, number - late);
        if (!late) step->send.first = number;
        step->completes_before_next = number - late == place.children - 1;
    } else if (!late) {
        step->to = member_of(call, call->size - 1);
        step->send.first = 1;
        step->tag = 1;
    } else {
        uint32_t partner = split_partner(call, place.from_root);
        step->from = member_of(call, partner);
        if (partner != 0) step->to = step->from;
        step->receive.first = 1 - half;
        step->tag = 1;
    }
}

/* A member's position in the tree that keeps the order. Of the members first to first + count - 1,
 * the last is the parent; its children are the member before it and the last member of the lower
 * half. */
struct ordered_place {
    uint32_t parent; /* COLLECTIVE_NOBODY for the last member of all */
    uint32_t child[2];
    uint32_t children;
};

static struct ordered_place ordered_place_of(const struct collective_call *call) {
    uint32_t first = 0, count = call->size, parent = COLLECTIVE_NOBODY;
    while (call->own_member != first + count - 1) {
        uint32_t half = count / 2;
        parent = first + count - 1;
        if (call->own_member < first + half) {
            count = half;
        } else {
            first += half;
            count -= half + 1;
        }
    }
    struct ordered_place place = {parent, {0, 0}, 0};
    if (count > 2) place.child[place.children++] = first + count - 2;
    if (count > 1) place.child[place.children++] = first + count / 2 - 1;
    return place;
}

uint32_t collective_in_order_reduce_steps(const struct collective_call *call) {
    struct ordered_place place = ordered_place_of(call);
    bool last = call->own_member == call->size - 1, moves = call->root != call->size - 1;
    return place.children + (last ? moves : 1) + (moves && call->own_member == call->root);
}

void collective_in_order_reduce_step(const struct collective_call *call, uint32_t number,
                                     struct collective_step *step) {
    struct ordered_place place = ordered_place_of(call);
    step->send = step->receive = (struct collective_blocks){0, 1};
    if (number < place.children) {
        step->from = place.child[number];
        step->combine = 1;
    } else if (call->own_member == call->size - 1) {
        step->to = call->root;
        step->tag = 1;
    } else if (number == place.children) {
        step->to = place.parent;
    } else {
        step->from = call->size - 1;
        step->tag = 1;
    }
}
