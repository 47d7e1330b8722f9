/*
 * The table of rules by which a coordinate of a partner follows from the rank's own coordinate, its
 * extent, and an iteration. A rule that stands before others is tried before them.
 */
#include "traces/extrapolate/laws/partners/law_rules.h"
#include "traces/extrapolate/laws/law_roots.h"
#include "traces/extrapolate/laws/partners/law_peers.h"
#include "traces/extrapolate/laws/series_law.h"

static int64_t wrap(int64_t coordinate, int64_t extent) {
    return (coordinate % extent + extent) % extent;
}

/* Returns a distance, whose sign is that of its number from 1. */
static int64_t signed_distance(int64_t number, int64_t extent) {
    return number < 0 ? -distance_of((uint32_t)-number - 1, extent)
                      : distance_of((uint32_t)number - 1, extent);
}

#define RULE(name, expression)                                                                     \
    static int64_t name(const struct rule_context *c) {                                            \
        return expression;                                                                         \
    }
#define BIT      (INT64_C(1) << c->index % number_rounds(c->extent))
#define BIT_BACK (INT64_C(1) << (c->trips - 1 - c->index) % number_rounds(c->extent))
RULE(shift, wrap(c->own + c->parameter, c->extent))
RULE(absolute, c->parameter)
RULE(from_end, c->extent - 1 - c->parameter)
RULE(mirror, c->extent - 1 - c->own)
RULE(half_up, c->own + c->extent / 2)
RULE(half_down, c->own - c->extent / 2)
RULE(exclusive_or, c->own ^ c->parameter)
RULE(other_coordinate, c->coordinates[c->parameter])
RULE(other_added, wrap(c->own + c->coordinates[c->parameter], c->extent))
RULE(other_taken, wrap(c->own - c->coordinates[c->parameter], c->extent))
RULE(without_last_bit, c->own &(c->own - 1))
RULE(step_up, wrap(c->own + c->index + c->parameter, c->extent))
RULE(step_down, wrap(c->own - c->index + c->parameter, c->extent))
RULE(bit_of_step, c->own ^ BIT)
RULE(bit_of_rest, c->own ^ BIT_BACK)
RULE(exclusive_or_step, c->own ^ (c->index + c->parameter))
RULE(bit_above, wrap(c->own + BIT, c->extent))
RULE(bit_below, wrap(c->own - BIT, c->extent))
RULE(rest_above, c->own + BIT_BACK)
RULE(rest_below, c->own - BIT_BACK)
RULE(step, c->index + c->parameter)
RULE(others, c->index < c->own ? c->index : c->index + 1)
RULE(step_from_end, c->extent - 1 - c->index)
RULE(far_shift, wrap(c->own + signed_distance(c->parameter, c->extent), c->extent))
RULE(without_first_bit, c->own == 0 ? -1 : c->own - (INT64_C(1) << (number_log2((uint64_t)c->own))))
RULE(bit_beyond, c->own + (INT64_C(1) << (c->index + (number_log2((uint64_t)c->own) + 1)) % 32))
RULE(bit_beyond_down,
     c->own - (INT64_C(1) << (c->index + number_bits((uint32_t)(c->extent - 1 - c->own))) % 32))
RULE(parent, c->own == 0 ? -1 : (c->own - 1) / c->parameter)
RULE(child, c->parameter % 8 * c->own + c->parameter / 8)
RULE(child_of_step, c->parameter * c->own + 1 + c->index)
RULE(by_turns, c->own + ((c->own + c->index + c->parameter) % 2 == 0 ? 1 : -1))
RULE(other_of_step, 1 + c->index % (c->extent > 1 ? c->extent - 1 : 1))
RULE(any_but_last, c->index % (c->extent > 1 ? c->extent - 1 : 1))
RULE(lower_neighbour, c->own == 0 ? 1 % c->extent : c->own + 1 == c->extent ? 0 : c->own - 1)
RULE(higher_neighbour, c->own == 0               ? c->extent - 1
                       : c->own + 1 == c->extent ? c->own - 1
                                                 : c->own + 1)

/* The partner in a round for numbers of ranks that are no power of two: of the first 2·rest ranks
 * the odd ones take part, in their order, and then all others. */
static int64_t partner_among_power(const struct rule_context *c, int64_t round) {
    const int64_t power = INT64_C(1) << number_log2((uint64_t)c->extent);
    const int64_t rest = c->extent - power;
    if (c->own < 2 * rest && c->own % 2 == 0) return -1;
    const int64_t own = c->own < 2 * rest ? c->own / 2 : c->own - rest;
    const int64_t other = own ^ INT64_C(1) << round;
    return other < rest ? 2 * other + 1 : other + rest;
}
#define POWER_ROUNDS number_rounds(INT64_C(1) << number_log2((uint64_t)c->extent))
RULE(doubling, partner_among_power(c, c->index % POWER_ROUNDS))
RULE(bit_below_power, c->own ^ (INT64_C(1) << c->index % POWER_ROUNDS))
RULE(doubling_up_and_down, partner_among_power(c, round_up_and_down(c->index, POWER_ROUNDS)))
RULE(doubling_down_and_up,
     partner_among_power(c, POWER_ROUNDS - 1 - round_up_and_down(c->index, POWER_ROUNDS)))
#define ROUNDS number_rounds(c->extent)
RULE(bit_up_and_down, c->own ^ (INT64_C(1) << round_up_and_down(c->index, ROUNDS)))
RULE(bit_down_and_up, c->own ^ (INT64_C(1) << (ROUNDS - 1 - round_up_and_down(c->index, ROUNDS))))
RULE(bit_of_stages, c->own ^ (INT64_C(1) << round_of_stages(c->index, ROUNDS)))
RULE(tree_parent_of, tree_parent(c->own, c->parameter))
RULE(tree_child_up, tree_child(c->extent, c->own, c->parameter, c->index))
RULE(tree_child_down, tree_child(c->extent, c->own, c->parameter, c->trips - 1 - c->index))
RULE(in_order, order_rank(c->series, c->place, (uint32_t)c->parameter))
RULE(tree_child_levels, tree_child_by_level(c->extent, c->own, c->parameter, c->index))

/* The opponent in a round of a tournament in which all meet all: for even numbers of ranks the last
 * one stays, and the others go around. */
static int64_t opponent(const struct rule_context *c) {
    const int64_t stays = c->extent - 1, others = c->extent % 2 == 0 ? stays : c->extent;
    if (others <= 1) return stays - c->own;
    const int64_t round = c->index % others;
    if (c->extent % 2 == 0 && c->own == stays) return round;
    if (c->extent % 2 == 0 && c->own == round) return stays;
    return wrap(2 * round - c->own, others);
}

const struct rule_row rule_rows[RULE_ROWS] = {
    {shift, "# (periodic)", RULE_WITH_STEPS, false, false, true, RULE_STEP},
    {exclusive_or, "xor #", RULE_WITH_SOLVED, false, false, false, RULE_OTHER},
    {half_up, "+ half", RULE_WITH_NOTHING, false, false, false, RULE_OTHER},
    {half_down, "- half", RULE_WITH_NOTHING, false, false, false, RULE_OTHER},
    {mirror, "mirrored", RULE_WITH_NOTHING, false, false, true, RULE_MIRROR},
    {absolute, "always #", RULE_WITH_SOLVED, false, false, true, RULE_NUMBER},
    {from_end, "always # from the end", RULE_WITH_SOLVED, false, false, true, RULE_FROM_END},
    {other_coordinate, "the coordinate in dimension #", RULE_WITH_DIMENSION, false, false, true,
     RULE_OTHER},
    {without_last_bit, "without its last 1 bit", RULE_WITH_NOTHING, false, false, false,
     RULE_OTHER},
    {without_first_bit, "without its first 1 bit", RULE_WITH_NOTHING, false, false, false,
     RULE_OTHER},
    {parent, "the parent in a tree of # children", RULE_WITH_ARITY, false, false, false, RULE_TREE},
    {child, "child # in a tree", RULE_WITH_CHILD, false, false, false, RULE_TREE},
    {tree_parent_of, "the parent in a #-nomial tree", RULE_WITH_RADIX, false, true, false,
     RULE_TREE},
    {lower_neighbour, "the lower one of both neighbours (periodic)", RULE_WITH_NOTHING, false,
     false, false, RULE_OTHER},
    {higher_neighbour, "the higher one of both neighbours (periodic)", RULE_WITH_NOTHING, false,
     false, false, RULE_OTHER},
    {far_shift, "#", RULE_WITH_DISTANCE, false, true, false, RULE_OTHER},
    {shift, "# (periodic)", RULE_WITH_FAR, false, true, false, RULE_STEP},
    {in_order, "#", RULE_WITH_ORDER, false, true, false, RULE_OTHER},
    {other_added, "+ the coordinate in dimension # (periodic)", RULE_WITH_OTHER_DIMENSION, false,
     true, false, RULE_SHIFT_OF_LINES},
    {other_taken, "- the coordinate in dimension # (periodic)", RULE_WITH_OTHER_DIMENSION, false,
     true, false, RULE_SHIFT_OF_LINES},
    {bit_of_step, "xor 2^iteration", RULE_WITH_NOTHING, true, false, false, RULE_OTHER},
    {bit_of_rest, "xor 2^(iterations left)", RULE_WITH_NOTHING, true, false, false, RULE_OTHER},
    {step_up, "+ iteration + # (periodic)", RULE_WITH_FEW, true, false, false, RULE_OTHER},
    {step_down, "- iteration + # (periodic)", RULE_WITH_FEW, true, false, false, RULE_OTHER},
    {exclusive_or_step, "xor (iteration + #)", RULE_WITH_FEW, true, false, false, RULE_OTHER},
    {bit_above, "+ 2^iteration (periodic)", RULE_WITH_NOTHING, true, false, false, RULE_OTHER},
    {bit_below, "- 2^iteration (periodic)", RULE_WITH_NOTHING, true, false, false, RULE_OTHER},
    {rest_above, "+ 2^(iterations left)", RULE_WITH_NOTHING, true, false, false, RULE_OTHER},
    {rest_below, "- 2^(iterations left)", RULE_WITH_NOTHING, true, false, false, RULE_OTHER},
    {bit_beyond, "+ 2^(iteration + bits of its own)", RULE_WITH_NOTHING, true, false, false,
     RULE_OTHER},
    {bit_beyond_down, "- 2^(iteration + bits of the ranks above)", RULE_WITH_NOTHING, true, false,
     false, RULE_OTHER},
    {child_of_step, "children in a tree of #", RULE_WITH_ARITY, true, false, false, RULE_TREE},
    {opponent, "the opponent in a tournament of all", RULE_WITH_NOTHING, true, true, false,
     RULE_OTHER},
    {by_turns, "the next one and the one before by turns, +#", RULE_WITH_TURN, true, true, false,
     RULE_OTHER},
    {other_of_step, "1 + iteration modulo (n - 1)", RULE_WITH_NOTHING, true, true, false,
     RULE_OTHER},
    {any_but_last, "iteration modulo (n - 1)", RULE_WITH_NOTHING, true, true, false, RULE_OTHER},
    {step, "the iteration + #", RULE_WITH_FEW, true, false, false, RULE_OTHER},
    {others, "all others in their order", RULE_WITH_NOTHING, true, false, false, RULE_OTHER},
    {step_from_end, "from the last one down", RULE_WITH_NOTHING, true, false, false, RULE_OTHER},
    {doubling, "xor 2^iteration among the ranks of a power of two", RULE_WITH_NOTHING, true, false,
     false, RULE_OTHER},
    {bit_below_power, "xor 2^iteration, begun again after floor(log2 n) of them", RULE_WITH_NOTHING,
     true, true, false, RULE_OTHER},
    {bit_up_and_down, "xor 2^iteration and back", RULE_WITH_NOTHING, true, true, false, RULE_OTHER},
    {bit_down_and_up, "xor 2^(iterations left) and back", RULE_WITH_NOTHING, true, true, false,
     RULE_OTHER},
    {bit_of_stages, "xor 2^round in the stages of a bitonic sort", RULE_WITH_NOTHING, true, true,
     false, RULE_OTHER},
    {doubling_up_and_down, "xor 2^iteration and back among the ranks of a power of two",
     RULE_WITH_NOTHING, true, true, false, RULE_OTHER},
    {doubling_down_and_up, "xor 2^(iterations left) and back among the ranks of a power of two",
     RULE_WITH_NOTHING, true, true, false, RULE_OTHER},
    {tree_child_up, "children in a #-nomial tree", RULE_WITH_RADIX, true, true, false, RULE_TREE},
    {tree_child_down, "children in a #-nomial tree, the last one first", RULE_WITH_RADIX, true,
     true, false, RULE_TREE},
    {tree_child_levels, "children in a #-nomial tree, level by level", RULE_WITH_RADIX, true, true,
     false, RULE_TREE},
};

bool rule_is_of_rounds(uint32_t row) {
    rule_function *const function = rule_rows[row].function;
    return function == bit_of_step || function == bit_of_rest || function == bit_above ||
           function == bit_below || function == rest_above || function == rest_below;
}
