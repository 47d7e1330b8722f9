/*
 * The table of rules by which a coordinate of a partner follows from the rank's own coordinate, the
 * extent of the dimension, and an iteration. Rules are tried in the order of the table.
 */
#include "traces/extrapolate/laws/partners/law_rules.h"
#include "traces/extrapolate/laws/law_roots.h"
#include "traces/extrapolate/laws/partners/law_peers.h"
#include "traces/extrapolate/laws/series_law.h"

static int64_t wrap(int64_t coordinate, int64_t extent) {
    return (coordinate % extent + extent) % extent;
}

/* Returns the distance of row |number| - 1 for an extent, with the sign of the number. */
static int64_t signed_distance(int64_t number, int64_t extent) {
    return number < 0 ? -law_distance_of((uint32_t)-number - 1, extent)
                      : law_distance_of((uint32_t)number - 1, extent);
}

#define RULE(name, expression)                                                                     \
    static int64_t name(const struct rule_context *c) {                                            \
        return expression;                                                                         \
    }
#define BIT      (INT64_C(1) << c->index % law_number_rounds(c->extent))
#define BIT_BACK (INT64_C(1) << (c->trips - 1 - c->index) % law_number_rounds(c->extent))
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
RULE(without_first_bit,
     c->own == 0 ? -1 : c->own - (INT64_C(1) << (law_number_log2((uint64_t)c->own))))
RULE(bit_beyond, c->own + (INT64_C(1) << (c->index + (law_number_log2((uint64_t)c->own) + 1)) % 32))
RULE(bit_beyond_down,
     c->own - (INT64_C(1) << (c->index + law_number_bits((uint32_t)(c->extent - 1 - c->own))) % 32))
RULE(parent, c->own == 0 ? -1 : (c->own - 1) / c->parameter)
RULE(child, c->parameter % RULE_CHILD_UNIT * c->own + c->parameter / RULE_CHILD_UNIT)
RULE(child_of_step, c->parameter * c->own + 1 + c->index)
RULE(by_turns, c->own + ((c->own + c->index + c->parameter) % 2 == 0 ? 1 : -1))
RULE(other_of_step, 1 + c->index % (c->extent > 1 ? c->extent - 1 : 1))
RULE(any_but_last, c->index % (c->extent > 1 ? c->extent - 1 : 1))
RULE(lower_neighbour, c->own == 0 ? 1 % c->extent : c->own + 1 == c->extent ? 0 : c->own - 1)
RULE(higher_neighbour, c->own == 0               ? c->extent - 1
                       : c->own + 1 == c->extent ? c->own - 1
                                                 : c->own + 1)

/* Returns the partner in a round of recursive doubling among a power of two of ranks. `rest` ranks
 * are beyond it: of the first 2 rest ranks, only the odd ones take part. -1: the rank takes no
 * part. */
static int64_t partner_among_power(const struct rule_context *c, int64_t round) {
    const int64_t power = INT64_C(1) << law_number_log2((uint64_t)c->extent);
    const int64_t rest = c->extent - power;
    if (c->own < 2 * rest && c->own % 2 == 0) return -1;
    const int64_t own = c->own < 2 * rest ? c->own / 2 : c->own - rest;
    const int64_t other = own ^ INT64_C(1) << round;
    return other < rest ? 2 * other + 1 : other + rest;
}
#define POWER_ROUNDS law_number_rounds(INT64_C(1) << law_number_log2((uint64_t)c->extent))
RULE(doubling, partner_among_power(c, c->index % POWER_ROUNDS))
RULE(bit_below_power, c->own ^ (INT64_C(1) << c->index % POWER_ROUNDS))
RULE(doubling_up_and_down, partner_among_power(c, law_round_up_and_down(c->index, POWER_ROUNDS)))
RULE(doubling_down_and_up,
     partner_among_power(c, POWER_ROUNDS - 1 - law_round_up_and_down(c->index, POWER_ROUNDS)))
#define ROUNDS law_number_rounds(c->extent)
RULE(bit_up_and_down, c->own ^ (INT64_C(1) << law_round_up_and_down(c->index, ROUNDS)))
RULE(bit_down_and_up,
     c->own ^ (INT64_C(1) << (ROUNDS - 1 - law_round_up_and_down(c->index, ROUNDS))))
RULE(bit_of_stages, c->own ^ (INT64_C(1) << law_round_of_stages(c->index, ROUNDS)))
RULE(tree_parent_of, law_tree_parent(c->own, c->parameter))
RULE(tree_child_up, law_tree_child(c->extent, c->own, c->parameter, c->index))
RULE(tree_child_down, law_tree_child(c->extent, c->own, c->parameter, c->trips - 1 - c->index))
RULE(in_order, law_order_rank(c->series, c->place, (uint32_t)c->parameter))
RULE(tree_child_levels, law_tree_child_by_level(c->extent, c->own, c->parameter, c->index))

/* Returns the opponent in a round of a tournament in which all ranks meet all others. For even
 * numbers of ranks, the last rank stays at its place, and the others go around. */
static int64_t opponent(const struct rule_context *c) {
    const int64_t stays = c->extent - 1, others = c->extent % 2 == 0 ? stays : c->extent;
    if (others <= 1) return stays - c->own;
    const int64_t round = c->index % others;
    if (c->extent % 2 == 0 && c->own == stays) return round;
    if (c->extent % 2 == 0 && c->own == round) return stays;
    return wrap(2 * round - c->own, others);
}

const struct rule_row rule_rows[RULE_ROWS] = {
    {.function = shift,
     .text = "# (periodic)",
     .parameter = RULE_WITH_STEPS,
     .is_of_grid = true,
     .kind = RULE_STEP},
    {.function = exclusive_or, .text = "xor #", .parameter = RULE_WITH_SOLVED},
    {.function = half_up, .text = "+ half"},
    {.function = half_down, .text = "- half"},
    {.function = mirror, .text = "mirrored", .is_of_grid = true, .kind = RULE_MIRROR},
    {.function = absolute,
     .text = "always #",
     .parameter = RULE_WITH_SOLVED,
     .is_of_grid = true,
     .kind = RULE_NUMBER},
    {.function = from_end,
     .text = "always # from the end",
     .parameter = RULE_WITH_SOLVED,
     .is_of_grid = true,
     .kind = RULE_FROM_END},
    {.function = other_coordinate,
     .text = "the coordinate in dimension #",
     .parameter = RULE_WITH_DIMENSION,
     .is_of_grid = true},
    {.function = without_last_bit, .text = "without its last 1 bit"},
    {.function = without_first_bit, .text = "without its first 1 bit"},
    {.function = parent,
     .text = "the parent in a tree of # children",
     .parameter = RULE_WITH_ARITY,
     .kind = RULE_TREE},
    {.function = child,
     .text = "child # in a tree",
     .parameter = RULE_WITH_CHILD,
     .kind = RULE_TREE},
    {.function = tree_parent_of,
     .text = "the parent in a #-nomial tree",
     .parameter = RULE_WITH_RADIX,
     .is_late = true,
     .kind = RULE_TREE},
    {.function = lower_neighbour, .text = "the lower one of both neighbours (periodic)"},
    {.function = higher_neighbour, .text = "the higher one of both neighbours (periodic)"},
    {.function = far_shift, .text = "#", .parameter = RULE_WITH_DISTANCE, .is_late = true},
    {.function = shift,
     .text = "# (periodic)",
     .parameter = RULE_WITH_FAR,
     .is_late = true,
     .kind = RULE_STEP},
    {.function = in_order, .text = "#", .parameter = RULE_WITH_ORDER, .is_late = true},
    {.function = other_added,
     .text = "+ the coordinate in dimension # (periodic)",
     .parameter = RULE_WITH_OTHER_DIMENSION,
     .is_late = true,
     .kind = RULE_SHIFT_OF_LINES},
    {.function = other_taken,
     .text = "- the coordinate in dimension # (periodic)",
     .parameter = RULE_WITH_OTHER_DIMENSION,
     .is_late = true,
     .kind = RULE_SHIFT_OF_LINES},
    {.function = bit_of_step, .text = "xor 2^iteration", .has_index = true},
    {.function = bit_of_rest, .text = "xor 2^(iterations left)", .has_index = true},
    {.function = step_up,
     .text = "+ iteration + # (periodic)",
     .parameter = RULE_WITH_FEW,
     .has_index = true},
    {.function = step_down,
     .text = "- iteration + # (periodic)",
     .parameter = RULE_WITH_FEW,
     .has_index = true},
    {.function = exclusive_or_step,
     .text = "xor (iteration + #)",
     .parameter = RULE_WITH_FEW,
     .has_index = true},
    {.function = bit_above, .text = "+ 2^iteration (periodic)", .has_index = true},
    {.function = bit_below, .text = "- 2^iteration (periodic)", .has_index = true},
    {.function = rest_above, .text = "+ 2^(iterations left)", .has_index = true},
    {.function = rest_below, .text = "- 2^(iterations left)", .has_index = true},
    {.function = bit_beyond, .text = "+ 2^(iteration + bits of its own)", .has_index = true},
    {.function = bit_beyond_down,
     .text = "- 2^(iteration + bits of the ranks above)",
     .has_index = true},
    {.function = child_of_step,
     .text = "children in a tree of #",
     .parameter = RULE_WITH_ARITY,
     .has_index = true,
     .kind = RULE_TREE},
    {.function = opponent,
     .text = "the opponent in a tournament of all",
     .has_index = true,
     .is_late = true},
    {.function = by_turns,
     .text = "the next one and the one before by turns, +#",
     .parameter = RULE_WITH_TURN,
     .has_index = true,
     .is_late = true},
    {.function = other_of_step,
     .text = "1 + iteration modulo (n - 1)",
     .has_index = true,
     .is_late = true},
    {.function = any_but_last,
     .text = "iteration modulo (n - 1)",
     .has_index = true,
     .is_late = true},
    {.function = step, .text = "the iteration + #", .parameter = RULE_WITH_FEW, .has_index = true},
    {.function = others, .text = "all others in their order", .has_index = true},
    {.function = step_from_end, .text = "from the last one down", .has_index = true},
    {.function = doubling,
     .text = "xor 2^iteration among the ranks of a power of two",
     .has_index = true},
    {.function = bit_below_power,
     .text = "xor 2^iteration, begun again after floor(log2 n) of them",
     .has_index = true,
     .is_late = true},
    {.function = bit_up_and_down,
     .text = "xor 2^iteration and back",
     .has_index = true,
     .is_late = true},
    {.function = bit_down_and_up,
     .text = "xor 2^(iterations left) and back",
     .has_index = true,
     .is_late = true},
    {.function = bit_of_stages,
     .text = "xor 2^round in the stages of a bitonic sort",
     .has_index = true,
     .is_late = true},
    {.function = doubling_up_and_down,
     .text = "xor 2^iteration and back among the ranks of a power of two",
     .has_index = true,
     .is_late = true},
    {.function = doubling_down_and_up,
     .text = "xor 2^(iterations left) and back among the ranks of a power of two",
     .has_index = true,
     .is_late = true},
    {.function = tree_child_up,
     .text = "children in a #-nomial tree",
     .parameter = RULE_WITH_RADIX,
     .has_index = true,
     .is_late = true,
     .kind = RULE_TREE},
    {.function = tree_child_down,
     .text = "children in a #-nomial tree, the last one first",
     .parameter = RULE_WITH_RADIX,
     .has_index = true,
     .is_late = true,
     .kind = RULE_TREE},
    {.function = tree_child_levels,
     .text = "children in a #-nomial tree, level by level",
     .parameter = RULE_WITH_RADIX,
     .has_index = true,
     .is_late = true,
     .kind = RULE_TREE},
};

bool law_rule_is_of_rounds(uint32_t row) {
    rule_function *const function = rule_rows[row].function;
    return function == bit_of_step || function == bit_of_rest || function == bit_above ||
           function == bit_below || function == rest_above || function == rest_below ||
           function == doubling || function == bit_below_power;
}
