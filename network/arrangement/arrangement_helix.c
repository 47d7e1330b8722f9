/*
 * Helix arrangement. Of the h links of router (i, j), h div 2 go out to router j+1 of higher
 * groups, and h div 2 come in from router j-1 of lower groups. If h is odd, the remaining link is
 * mutual: it joins routers j and a-1-j. Half of a group's mutual links lead up and half lead down.
 * Source: Belka et al. 2017, section 2.2. (Equation 2 there, for the links that come in, must read
 * j-1 mod a for j, to agree with equation 1.)
 *
 * The links of a group that lead up have the numbers n = 0, 1, …: first the links that go out,
 * router by router, then the mutual links of routers 0 … a/2 - 1. Link n of group i leads to group
 * i + n + 1; with fewer groups than a·h + 1, it leads to i + (n mod (g-1)) + 1. If a·h is odd, the
 * mutual link of the middle router remains, which is its own partner. If g is even, it joins i with
 * i + g/2, and the last round of the other links leaves that distance out. If g is odd, it joins
 * pairs of groups at a distance with the fewest links, and one group leaves it unconnected. So the
 * numbers of links of any two pairs of groups differ by at most one.
 *
 * Links of a router: k = 0 … h/2-1 go out, the next h/2 come in, and the last one is mutual.
 */
#include "network/arrangement/arrangement.h"

struct helix {
    struct arrangement_shape shape;
    uint32_t half;     /* h div 2 */
    uint32_t out;      /* links of a group that go out: a·half */
    uint32_t complete; /* of the links that lead up, those in full rounds over all distances */
    bool middle;       /* a·h is odd */
};

/* Returns how many groups up link n leads: 1 … g-1. */
static uint32_t distance_of(const struct helix *helix, uint32_t n) {
    uint32_t distance = n % (helix->shape.groups - 1) + 1;
    bool shared = helix->middle && helix->shape.groups % 2 == 0 && n >= helix->complete;
    return distance + (shared && 2 * distance >= helix->shape.groups);
}

static uint32_t place_of(const struct helix *helix, uint32_t group, uint32_t router, uint32_t k) {
    return (group % helix->shape.groups * helix->shape.routers_per_group + router) *
               helix->shape.globals_per_router +
           k;
}

/* Returns the group at the other end of a group's middle mutual link, or the group itself if the
 * link is unconnected. */
static uint32_t middle_partner(const struct helix *helix, uint32_t group) {
    uint32_t groups = helix->shape.groups;
    if (groups % 2 == 0) return (group + groups / 2) % groups;
    /* After an even number of full rounds, the largest distances have the fewest links; after an
     * odd number, the smallest. */
    uint32_t rounds = arrangement_links_per_group(&helix->shape) / (groups - 1);
    uint32_t left = arrangement_links_per_group(&helix->shape) % (groups - 1);
    if (rounds % 2 == 0) {
        struct arrangement_link end = arrangement_wire_leftover(groups, left, group, left - 1);
        return end.group == ARRANGEMENT_UNCONNECTED ? group : end.group;
    }
    return (group ^ 1) < groups ? group ^ 1 : group;
}

static void join_routers(uint32_t *other, uint32_t one, uint32_t two) {
    other[one] = two;
    other[two] = one;
}

static void wire_group(const struct helix *helix, uint32_t i, uint32_t *other) {
    uint32_t a = helix->shape.routers_per_group, half = helix->half;
    for (uint32_t j = 0; j < a; j++) {
        for (uint32_t k = 0; k < half; k++)
            join_routers(
                other, place_of(helix, i, j, k),
                place_of(helix, i + distance_of(helix, j * half + k), (j + 1) % a, half + k));
    }
    if (helix->shape.globals_per_router % 2 == 0) return;
    for (uint32_t j = 0; j < a / 2; j++)
        join_routers(other, place_of(helix, i, j, 2 * half),
                     place_of(helix, i + distance_of(helix, helix->out + j), a - 1 - j, 2 * half));
    if (!helix->middle) return;
    uint32_t partner = middle_partner(helix, i);
    other[place_of(helix, i, a / 2, 2 * half)] =
        partner == i ? ARRANGEMENT_UNCONNECTED : place_of(helix, partner, a / 2, 2 * half);
}

status_code arrangement_helix(const struct arrangement_input *input, uint32_t *other,
                              struct status *status) {
    (void)status;
    uint32_t links = arrangement_links_per_group(&input->shape);
    struct helix helix = {
        .shape = input->shape,
        .half = input->shape.globals_per_router / 2,
        .out = input->shape.routers_per_group * (input->shape.globals_per_router / 2),
        .complete = links / 2 / (input->shape.groups - 1) * (input->shape.groups - 1),
        .middle = links % 2 == 1,
    };
    for (uint32_t i = 0; i < input->shape.groups; i++)
        wire_group(&helix, i, other);
    return STATUS_OK;
}
