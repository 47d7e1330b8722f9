/*
 * Reductions by recursive halving: Rabenseifner's allreduce and reduce, and reduce_scatter by
 * recursive halving and by a butterfly.
 *
 * In all of them members are first folded to a power of two, and each of those that remain has a
 * place. In each round partners exchange halves of the range of slices that they work on, and
 * combine what they receive with their own half. In the end each place has one slice, combined over
 * all members.
 *
 * If the nearest partners come first, the partner in round i is place xor 2^i, and the range of a
 * place before round i begins at slice
 *
 *     sum over b < i of bit b of place · power / 2^(b+1)
 *
 * So the slice of a place at the end is the place with its bits reversed. If the farthest partners
 * come first, the slice at the end is the place itself.
 *
 * Sources: Rabenseifner, "Optimization of collective reduction operations" (2004); Thakur,
 * Rabenseifner, Gropp (2005), who fold and number in this order; Traff, "An improved algorithm for
 * (non-commutative) reduce-scatter with an application" (2005) for the butterfly.
 */
#include "replay/collectives/collective_families.h"

/* Returns the range of slices of a place before the round with that distance, if the nearest
 * partners come first. */
static struct collective_blocks near_range(struct collective_fold fold, uint32_t place,
                                           uint32_t distance) {
    uint32_t first = 0, count = fold.power;
    for (uint32_t bit = 1; bit < distance; bit *= 2) {
        count /= 2;
        if (place & bit) first += count;
    }
    return (struct collective_blocks){first, count};
}

/* Fills in one exchange of halves, if the nearest partners come first. */
static void halve(struct collective_fold fold, uint32_t keepers, uint32_t place, uint32_t distance,
                  struct collective_step *step) {
    uint32_t partner = place ^ distance;
    step->to = step->from = collective_member_at(fold, keepers, partner);
    step->send = near_range(fold, partner, 2 * distance);
    step->receive = near_range(fold, place, 2 * distance);
    step->combine = 1;
}

/* Fills in one side of the fold: the member that leaves the rounds sends all its data to the
 * neighbour that stays in them. */
static void fold_in(bool stays, uint32_t neighbour, struct collective_blocks all,
                    struct collective_step *step) {
    *(stays ? &step->from : &step->to) = neighbour;
    step->send = step->receive = all;
    step->combine = stays;
}

/* Tags: 0 for the fold, 1 + round for the halving, BACK + round for the doubling or the gather,
 * BACK for the butterfly's last exchange, MOVE for the change of root, UNFOLD for the results of
 * folded members. */
enum { BACK = 40, MOVE = 79, UNFOLD = 80 };

static void rabenseifner_allreduce(const struct collective_call *call,
                                   struct collective_cursor *cursor, struct collective_step *step) {
    struct collective_fold fold = collective_fold_of(call->size);
    bool folded = call->own_member < 2 * fold.extra, stays = !folded || call->own_member % 2 == 1;
    uint32_t neighbour = call->own_member ^ 1, place = collective_place_of(fold, call->own_member);
    struct collective_blocks all = {0, fold.power};
    step->slice_count = fold.power;
    if (folded && collective_at(cursor)) fold_in(stays, neighbour, all, step);
    for (uint32_t round = 0; stays && round < fold.rounds; round++) {
        if (!collective_at(cursor)) continue;
        halve(fold, 1, place, 1u << round, step);
        step->tag = 1 + round;
    }
    for (uint32_t round = fold.rounds; stays && round-- > 0;) {
        if (!collective_at(cursor)) continue;
        uint32_t distance = 1u << round, partner = place ^ distance;
        step->to = step->from = collective_member_at(fold, 1, partner);
        step->send = near_range(fold, place, 2 * distance);
        step->receive = near_range(fold, partner, 2 * distance);
        step->tag = BACK + round;
    }
    if (folded && collective_at(cursor)) {
        *(stays ? &step->to : &step->from) = neighbour;
        step->send = step->receive = all;
        step->tag = UNFOLD;
    }
}
COLLECTIVE_BY_CURSOR(rabenseifner_allreduce)

/* Gathers the slices at the root's place, the farthest partners first. In the round with distance
 * d, the places that still take part agree with the root's in all bits above d. Those that differ
 * in bit d send all their slices to their partner and are done. */
static void gather_halves(struct collective_fold fold, uint32_t place, uint32_t root_place,
                          uint32_t stand_in, struct collective_cursor *cursor,
                          struct collective_step *step) {
    for (uint32_t round = fold.rounds; round-- > 0;) {
        uint32_t distance = 1u << round, partner = place ^ distance;
        bool sends = partner >> round == root_place >> round;
        if (collective_at(cursor)) {
            uint32_t member = partner == 0 ? stand_in : collective_member_at(fold, 0, partner);
            *(sends ? &step->to : &step->from) = member;
            step->send = near_range(fold, place, 2 * distance);
            step->receive = near_range(fold, partner, 2 * distance);
            step->tag = BACK + round;
        }
        if (sends) return;
    }
}

/* The even members of folded pairs stay in the rounds. A root that left them takes the place of
 * member 0 for the gather. */
static void rabenseifner_reduce(const struct collective_call *call,
                                struct collective_cursor *cursor, struct collective_step *step) {
    struct collective_fold fold = collective_fold_of(call->size);
    bool folded = call->own_member < 2 * fold.extra, stays = !folded || call->own_member % 2 == 0;
    bool moved = call->root < 2 * fold.extra && call->root % 2 == 1;
    uint32_t place = collective_place_of(fold, call->own_member);
    uint32_t root_place = moved ? 0 : collective_place_of(fold, call->root);
    step->slice_count = fold.power;
    if (folded && collective_at(cursor))
        fold_in(stays, call->own_member ^ 1, (struct collective_blocks){0, fold.power}, step);
    for (uint32_t round = 0; stays && round < fold.rounds; round++) {
        if (!collective_at(cursor)) continue;
        halve(fold, 0, place, 1u << round, step);
        step->tag = 1 + round;
    }
    if (moved && (call->own_member == 0 || call->own_member == call->root)) {
        if (collective_at(cursor)) {
            *(call->own_member == 0 ? &step->to : &step->from) =
                call->own_member == 0 ? call->root : 0;
            step->send = step->receive = near_range(fold, 0, fold.power);
            step->tag = MOVE;
        }
        if (call->own_member == 0) return;
        place = 0;
        stays = true;
    }
    uint32_t stand_in = moved ? call->root : collective_member_at(fold, 0, 0);
    if (stays) gather_halves(fold, place, root_place, stand_in, cursor, step);
}
COLLECTIVE_BY_CURSOR(rabenseifner_reduce)

/* Returns the members' blocks that belong to a range of places: the block of a folded member
 * belongs to the place of its neighbour. */
static struct collective_blocks blocks_of_places(struct collective_fold fold,
                                                 struct collective_blocks places) {
    uint32_t first = collective_member_at(fold, 0, places.first);
    uint32_t end = collective_member_at(fold, 0, places.first + places.count);
    return (struct collective_blocks){first, end - first};
}

static void halving_reduce_scatter(const struct collective_call *call,
                                   struct collective_cursor *cursor, struct collective_step *step) {
    struct collective_fold fold = collective_fold_of(call->size);
    bool folded = call->own_member < 2 * fold.extra, stays = !folded || call->own_member % 2 == 1;
    uint32_t place = collective_place_of(fold, call->own_member);
    if (folded && collective_at(cursor))
        fold_in(stays, call->own_member ^ 1, (struct collective_blocks){0, call->size}, step);
    for (uint32_t round = fold.rounds; stays && round-- > 0;) {
        if (!collective_at(cursor)) continue;
        uint32_t distance = 1u << round, partner = place ^ distance;
        struct collective_blocks own = {place & ~(distance - 1), distance};
        struct collective_blocks other = {partner & ~(distance - 1), distance};
        step->to = step->from = collective_member_at(fold, 1, partner);
        step->send = blocks_of_places(fold, other);
        step->receive = blocks_of_places(fold, own);
        step->combine = 1;
        step->tag = 1 + round;
    }
    if (folded && collective_at(cursor)) {
        *(stays ? &step->to : &step->from) = call->own_member ^ 1;
        step->send = step->receive = (struct collective_blocks){call->own_member & ~1u, 1};
        step->tag = UNFOLD;
    }
}
COLLECTIVE_BY_CURSOR(halving_reduce_scatter)

/* After the halving, a place holds the blocks of the place with its bits reversed, and the other
 * way round, so the two exchange them. */
static void butterfly_reduce_scatter(const struct collective_call *call,
                                     struct collective_cursor *cursor,
                                     struct collective_step *step) {
    struct collective_fold fold = collective_fold_of(call->size);
    bool folded = call->own_member < 2 * fold.extra, stays = !folded || call->own_member % 2 == 0;
    uint32_t place = collective_place_of(fold, call->own_member);
    uint32_t mirror = near_range(fold, place, fold.power).first;
    uint32_t owner = collective_member_at(fold, 0, mirror);
    if (folded && collective_at(cursor))
        fold_in(stays, call->own_member ^ 1, (struct collective_blocks){0, call->size}, step);
    for (uint32_t round = 0; stays && round < fold.rounds; round++) {
        if (!collective_at(cursor)) continue;
        halve(fold, 0, place, 1u << round, step);
        step->send = blocks_of_places(fold, step->send);
        step->receive = blocks_of_places(fold, step->receive);
        step->tag = 1 + round;
    }
    if (stays && mirror != place && collective_at(cursor)) {
        step->to = step->from = owner;
        step->send = (struct collective_blocks){owner, 1};
        step->receive = (struct collective_blocks){call->own_member, 1};
        step->tag = BACK;
    }
    if (stays && mirror < fold.extra && collective_at(cursor)) {
        step->to = owner + 1;
        step->send = (struct collective_blocks){owner + 1, 1};
        step->tag = UNFOLD;
    }
    if (!stays && collective_at(cursor)) {
        step->from = owner;
        step->receive = (struct collective_blocks){call->own_member, 1};
        step->tag = UNFOLD;
    }
}
COLLECTIVE_BY_CURSOR(butterfly_reduce_scatter)
