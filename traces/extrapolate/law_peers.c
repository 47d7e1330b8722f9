/*
 * Laws of partners: each coordinate of the partner in some grid follows from the rank's own
 * coordinate by one rule. Grids of one dimension give rings, hypercubes, trees, roots and halves;
 * others give neighbours, rows and columns, and transposes.
 */
#include "traces/extrapolate/series_law.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rule_context {
    int64_t own, extent; /* coordinate, and extent of its dimension */
    int64_t index, trips;
    const uint32_t *coordinates; /* all of them */
    int64_t parameter;
};

/* Returns the partner's coordinate; outside 0 … extent - 1: there is none. */
typedef int64_t coordinate_function(const struct rule_context *c);

static int64_t wrap(int64_t coordinate, int64_t extent) {
    return (coordinate % extent + extent) % extent;
}

/* Returns how many rounds of doubling reach all of so many ranks; 1 for one rank. Further
 * iterations begin again. */
static int64_t rounds(int64_t extent) {
    return extent < 2 ? 1 : number_log2((uint64_t)extent - 1) + 1;
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
#define BIT      (INT64_C(1) << c->index % rounds(c->extent))
#define BIT_BACK (INT64_C(1) << (c->trips - 1 - c->index) % rounds(c->extent))
RULE(shift, wrap(c->own + c->parameter, c->extent))
RULE(absolute, c->parameter)
RULE(from_end, c->extent - 1 - c->parameter)
RULE(mirror, c->extent - 1 - c->own)
RULE(half_up, c->own + c->extent / 2)
RULE(half_down, c->own - c->extent / 2)
RULE(exclusive_or, c->own ^ c->parameter)
RULE(other_coordinate, c->coordinates[c->parameter])
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
RULE(lower_neighbour, c->own == 0 ? 1 % c->extent : c->own + 1 == c->extent ? 0 : c->own - 1)
RULE(higher_neighbour, c->own == 0               ? c->extent - 1
                       : c->own + 1 == c->extent ? c->own - 1
                                                 : c->own + 1)

/* Recursive doubling for numbers of ranks that are no power of two: of the first 2·rest ranks the
 * odd ones take part, in their order, and then all others. */
static int64_t doubling(const struct rule_context *c) {
    int64_t power = 1;
    while (power <= c->extent / 2)
        power *= 2;
    const int64_t rest = c->extent - power;
    if (c->own < 2 * rest && c->own % 2 == 0) return -1;
    const int64_t own = c->own < 2 * rest ? c->own / 2 : c->own - rest;
    const int64_t other = own ^ INT64_C(1) << c->index % rounds(power);
    return other < rest ? 2 * other + 1 : other + rest;
}

typedef enum rule_parameter {
    PARAMETER_NONE,
    PARAMETER_STEPS,  /* a small number of either sign */
    PARAMETER_FEW,    /* -1, 0 or 1 */
    PARAMETER_SOLVED, /* follows from one sample */
    PARAMETER_DIMENSION,
    PARAMETER_FAR,     /* steps that the last sample asks for, of more than MOST_STEPS */
    PARAMETER_ARITY,   /* 2 to 4 children */
    PARAMETER_CHILD,   /* one of 2 to 4 children: their number, and 8 times that of the child */
    PARAMETER_TURN,    /* 0 or 1 */
    PARAMETER_DISTANCE /* number of a distance, of either sign */
} rule_parameter;

static const struct {
    coordinate_function *function;
    const char *text; /* #: the parameter */
    rule_parameter parameter;
    bool has_index;
    bool is_late;    /* tried where no other rule fits in any grid, and among all ranks only */
    bool is_of_grid; /* usual in grids of several dimensions */
} rows[] = {
    {shift, "# (periodic)", PARAMETER_STEPS, false, false, true},
    {exclusive_or, "xor #", PARAMETER_SOLVED, false, false, false},
    {half_up, "+ half", PARAMETER_NONE, false, false, false},
    {half_down, "- half", PARAMETER_NONE, false, false, false},
    {mirror, "mirrored", PARAMETER_NONE, false, false, true},
    {absolute, "always #", PARAMETER_SOLVED, false, false, true},
    {from_end, "always # from the end", PARAMETER_SOLVED, false, false, true},
    {other_coordinate, "the coordinate in dimension #", PARAMETER_DIMENSION, false, false, true},
    {without_last_bit, "without its last 1 bit", PARAMETER_NONE, false, false, false},
    {without_first_bit, "without its first 1 bit", PARAMETER_NONE, false, false, false},
    {parent, "the parent in a tree of # children", PARAMETER_ARITY, false, false, false},
    {child, "child # in a tree", PARAMETER_CHILD, false, false, false},
    {lower_neighbour, "the lower one of both neighbours (periodic)", PARAMETER_NONE, false, false,
     false},
    {higher_neighbour, "the higher one of both neighbours (periodic)", PARAMETER_NONE, false, false,
     false},
    {far_shift, "#", PARAMETER_DISTANCE, false, true, false},
    {shift, "# (periodic)", PARAMETER_FAR, false, true, false},
    {bit_of_step, "xor 2^iteration", PARAMETER_NONE, true, false, false},
    {bit_of_rest, "xor 2^(iterations left)", PARAMETER_NONE, true, false, false},
    {step_up, "+ iteration + # (periodic)", PARAMETER_FEW, true, false, false},
    {step_down, "- iteration + # (periodic)", PARAMETER_FEW, true, false, false},
    {exclusive_or_step, "xor (iteration + #)", PARAMETER_FEW, true, false, false},
    {bit_above, "+ 2^iteration (periodic)", PARAMETER_NONE, true, false, false},
    {bit_below, "- 2^iteration (periodic)", PARAMETER_NONE, true, false, false},
    {rest_above, "+ 2^(iterations left)", PARAMETER_NONE, true, false, false},
    {rest_below, "- 2^(iterations left)", PARAMETER_NONE, true, false, false},
    {bit_beyond, "+ 2^(iteration + bits of its own)", PARAMETER_NONE, true, false, false},
    {bit_beyond_down, "- 2^(iteration + bits of the ranks above)", PARAMETER_NONE, true, false,
     false},
    {child_of_step, "children in a tree of #", PARAMETER_ARITY, true, false, false},
    {by_turns, "the next one and the one before by turns, +#", PARAMETER_TURN, true, true, false},
    {other_of_step, "1 + iteration modulo (n - 1)", PARAMETER_NONE, true, true, false},
    {step, "the iteration + #", PARAMETER_FEW, true, false, false},
    {others, "all others in their order", PARAMETER_NONE, true, false, false},
    {step_from_end, "from the last one down", PARAMETER_NONE, true, false, false},
    {doubling, "xor 2^iteration among the ranks of a power of two", PARAMETER_NONE, true, false,
     false},
};
enum { ROWS = sizeof rows / sizeof *rows, MOST_STEPS = 8, FEWEST_CHILDREN = 2, MOST_CHILDREN = 4 };

static bool rule_value(const struct series *series, uint32_t grid, uint32_t dimension,
                       const struct series_coordinate_rule *rule, const struct series_place *place,
                       uint32_t *coordinate) {
    uint32_t coordinates[SERIES_DIMENSIONS];
    const uint32_t *extents = place->extents->of[grid];
    grid_coordinates(extents, series->grids[grid].dimensions, place->rank, coordinates);
    struct rule_context context = {.own = coordinates[dimension],
                                   .extent = extents[dimension],
                                   .coordinates = coordinates,
                                   .parameter = rule->parameter};
    if (rows[rule->row].has_index) {
        if (rule->level >= place->depth) return false;
        context.index = place->index[rule->level];
        context.trips = place->trips[rule->level];
    }
    const int64_t result = rows[rule->row].function(&context);
    *coordinate = (uint32_t)result;
    return result >= 0 && result < context.extent;
}

/* A dimension of a grid in which a rule is looked for. */
struct search {
    const struct series_law_data *data;
    uint32_t grid, dimension;
    bool with_late; /* rules */
    bool with_rare; /* distances */
};

static uint32_t peer_coordinate(const struct search *search, const struct series_place *place,
                                int64_t peer) {
    uint32_t coordinates[SERIES_DIMENSIONS];
    grid_coordinates(place->extents->of[search->grid],
                     search->data->series->grids[search->grid].dimensions, (uint32_t)peer,
                     coordinates);
    return coordinates[search->dimension];
}

static bool rule_fits(const struct search *search, const struct series_coordinate_rule *rule) {
    const struct series_law_data *data = search->data;
    for (size_t i = 0; i < data->count; i++) {
        const struct series_place place = law_place(data, i);
        uint32_t coordinate;
        if (!rule_value(data->series, search->grid, search->dimension, rule, &place, &coordinate) ||
            coordinate != peer_coordinate(search, &place, law_sample_value(data, i)))
            return false;
    }
    return true;
}

/* Returns the parameter that the first sample asks for. */
static int32_t solve(const struct search *search, uint32_t row) {
    const struct series_place place = law_place(search->data, 0);
    const uint32_t peer = peer_coordinate(search, &place, law_sample_value(search->data, 0));
    uint32_t own[SERIES_DIMENSIONS];
    const uint32_t *extents = place.extents->of[search->grid];
    grid_coordinates(extents, search->data->series->grids[search->grid].dimensions, place.rank,
                     own);
    if (rows[row].function == absolute) return (int32_t)peer;
    if (rows[row].function == from_end) return (int32_t)(extents[search->dimension] - 1 - peer);
    return (int32_t)(own[search->dimension] ^ peer);
}

/* Returns the shortest step that gives the partner of the last sample, which is of the largest
 * program. */
static int32_t far_step(const struct search *search) {
    const size_t last = search->data->count - 1;
    const struct series_place place = law_place(search->data, last);
    const int64_t extent = place.extents->of[search->grid][search->dimension];
    const int64_t step = wrap(law_sample_value(search->data, last) - place.rank, extent);
    return (int32_t)(2 * step > extent ? step - extent : step);
}

/* Returns the n-th child to try, as PARAMETER_CHILD; 0 after the last. */
static int32_t next_child(int32_t n) {
    for (int32_t children = FEWEST_CHILDREN; children <= MOST_CHILDREN; children++) {
        if (n < children) return children + 8 * (n + 1);
        n -= children;
    }
    return 0;
}

/* Sets the n-th parameter to try for a row. Returns false after the last. */
static bool next_parameter(const struct search *search, uint32_t row, int32_t n,
                           int32_t *parameter) {
    switch (rows[row].parameter) {
    case PARAMETER_STEPS:
        *parameter = n % 2 == 1 ? n / 2 + 1 : -(n / 2);
        return n <= 2 * MOST_STEPS;
    case PARAMETER_FEW:
        *parameter = n % 2 == 1 ? 1 : -(n / 2);
        return n <= 2;
    case PARAMETER_SOLVED:
        *parameter = n == 0 ? solve(search, row) : 0;
        return n == 0;
    case PARAMETER_ARITY:
        *parameter = FEWEST_CHILDREN + n;
        return *parameter <= MOST_CHILDREN;
    case PARAMETER_CHILD:
        *parameter = next_child(n);
        return *parameter > 0;
    case PARAMETER_TURN:
        *parameter = n;
        return n < 2;
    case PARAMETER_FAR:
        *parameter = n == 0 ? far_step(search) : 0;
        return n == 0 && abs(*parameter) > MOST_STEPS;
    case PARAMETER_DISTANCE:
        *parameter = n % 2 == 0 ? n / 2 + 1 : -(n / 2 + 1);
        return n < 2 * (int32_t)(distance_rows() - (search->with_rare ? 0 : distance_rare_rows()));
    case PARAMETER_DIMENSION:
        *parameter = n;
        return n < (int32_t)search->data->series->grids[search->grid].dimensions;
    default:
        *parameter = 0;
        return n == 0;
    }
}

/* Returns whether the grid has several dimensions. */
static bool is_plural(const struct search *search) {
    return search->data->series->grids[search->grid].dimensions > 1;
}

/* Returns whether two rules give different partners to a rank of the new program. */
static bool rules_differ(const struct search *search, const struct series_coordinate_rule *rule,
                         const struct series_coordinate_rule *other) {
    const struct series *series = search->data->series;
    const struct series_role *role = search->data->role;
    for (uint32_t i = 0; i < role->example_count; i++) {
        const struct series_place place = target_place(series, role->examples[i]);
        uint32_t left = UINT32_MAX, right = UINT32_MAX;
        if (!rule_value(series, search->grid, search->dimension, rule, &place, &left))
            left = UINT32_MAX;
        if (!rule_value(series, search->grid, search->dimension, other, &place, &right))
            right = UINT32_MAX;
        if (left != right) return true;
    }
    return false;
}

/* Returns whether another rule without iterations fits as well and gives other partners. Longer
 * steps do not count: in extents of 2 and 4, 5 steps are as good as 1. In grids of several
 * dimensions, steps compete with steps only: halves and ends are rare there. */
static bool is_open(const struct search *search, const struct series_coordinate_rule *rule) {
    if (rows[rule->row].has_index) return false;
    const int32_t longest = rule->parameter == 0 ? 1 : abs(rule->parameter);
    const bool is_step = rows[rule->row].function == shift;
    for (uint32_t row = 0; row < ROWS; row++) {
        if (rows[row].has_index) continue;
        if (is_step && is_plural(search) && rows[row].function != shift) continue;
        if (rows[row].is_late && !rows[rule->row].is_late) continue;
        if (rows[row].parameter == PARAMETER_FAR) continue; /* 21 steps of 4, 16 and 64 are n/3 */
        struct series_coordinate_rule other = {.row = (uint8_t)row};
        for (int32_t n = 0; next_parameter(search, row, n, &other.parameter); n++) {
            if (is_step && rows[row].function == shift && abs(other.parameter) > longest) break;
            if (rules_differ(search, rule, &other) && rule_fits(search, &other)) return true;
        }
    }
    return false;
}

/* Returns whether a step is longer than the dimension in all programs: extents that are small have
 * a common step for almost any partners. */
static bool is_beyond(const struct search *search, const struct series_coordinate_rule *rule) {
    const struct series *series = search->data->series;
    if (rows[rule->row].function != shift || !is_plural(search)) return false;
    for (uint32_t k = 0; k < series->program_count; k++)
        if (series->programs[k].extents.of[search->grid][search->dimension] >
            (uint32_t)abs(rule->parameter))
            return false;
    return true;
}

static bool find_rule(const struct search *search, struct series_coordinate_rule *rule) {
    for (uint32_t row = 0; row < ROWS; row++) {
        if (rows[row].is_late && (!search->with_late || is_plural(search))) continue;
        const uint32_t levels = rows[row].has_index ? search->data->step->depth : 1;
        *rule = (struct series_coordinate_rule){.row = (uint8_t)row};
        for (uint32_t level = levels; level-- > 0;) {
            rule->level = (uint8_t)level;
            for (int32_t n = 0; next_parameter(search, row, n, &rule->parameter); n++)
                if (!is_beyond(search, rule) && rule_fits(search, rule)) return true;
        }
    }
    return false;
}

/* Returns whether a rule of iterations was seen in two of them only: any two coordinates of a grid
 * follow from some such rule. */
static bool is_weak(const struct search *search, const struct series_coordinate_rule *rule) {
    if (!rows[rule->row].has_index || !is_plural(search)) return false;
    for (size_t i = 0; i < search->data->count; i++)
        if (law_place(search->data, i).trips[rule->level] > 2) return false;
    return true;
}

static bool find_in_grid(const struct series_law_data *data, uint32_t grid, bool with_late,
                         bool with_rare, struct series_law *law) {
    *law = (struct series_law){.kind = SERIES_LAW_PEER, .grid = grid, .programs = data->programs};
    for (uint32_t d = 0; d < data->series->grids[grid].dimensions; d++) {
        struct search search = {data, grid, d, with_late, with_rare};
        if (!find_rule(&search, &law->rules[d])) return false;
    }
    for (uint32_t d = 0; d < data->series->grids[grid].dimensions; d++) {
        struct search search = {data, grid, d, with_late, with_rare};
        law->is_open = law->is_open || is_open(&search, &law->rules[d]);
        law->is_weak = law->is_weak || is_weak(&search, &law->rules[d]);
    }
    return true;
}

/* Takes the first grid in which all coordinates follow from rules, preferably from one rule each. A
 * grid of several dimensions in use comes before all others even if its rule is open: pairs in an
 * extent of 2 also follow from the numbers of the ranks. */
bool law_find_peer(const struct series_law_data *data, struct series_law *law) {
    struct series_law open = {.kind = SERIES_LAW_NONE};
    for (int late = 0; late < 2; late++)
        for (int used = 1; used >= 0; used--)
            for (uint32_t i = 0; i < data->series->grid_count; i++) {
                const uint32_t g = data->series->grid_order[i];
                if (data->series->grid_used[g] != (used == 1)) continue;
                if (!find_in_grid(data, g, late == 1, false, law)) continue;
                if (!law->is_open) return true;
                if (open.kind == SERIES_LAW_NONE) open = *law;
                if (used == 1 && data->series->grids[g].dimensions > 1) return true;
            }
    *law = open;
    return open.kind != SERIES_LAW_NONE;
}

bool law_peer_fits(const struct series_law_data *data, uint32_t grid) {
    struct series_law law;
    return find_in_grid(data, grid, false, false, &law);
}

/* Returns whether a grid has no rivals of laws in another one: by --grid, since the new program has
 * extents that the series lacks, or since nothing else shows its four dimensions. */
static bool is_excluded(const struct series *series, uint32_t grid, uint32_t own) {
    const uint32_t dimensions = series->grids[grid].dimensions;
    if (grid == own) return false;
    if (series_grid_is_told(series, own) && !series_grid_is_told(series, grid)) return true;
    if (!series_grid_is_alike(series, grid) && !series_grid_is_unseen(series, grid)) return true;
    return dimensions > 3 && dimensions > series->grids[own].dimensions && !series->grid_used[grid];
}

/* Returns whether a rule may be a rival: in grids of several dimensions only the usual ones are.
 * has_index: the law follows from iterations. */
static bool may_be_rival(const struct search *search, uint32_t row, bool has_index) {
    if (rows[row].has_index) return has_index && !(rows[row].is_late && is_plural(search));
    return !is_plural(search) || (rows[row].is_of_grid && !rows[row].is_late);
}

static bool law_has_index(const struct series *series, const struct series_law *law) {
    for (uint32_t d = 0; d < series->grids[law->grid].dimensions; d++)
        if (rows[law->rules[d].row].has_index) return true;
    return false;
}

static bool is_same_place(const struct series_coordinate_rule *rule) {
    return rows[rule->row].function == shift && rule->parameter == 0;
}

/* Returns how much a law says. Long steps count twice, and so do numbers and mirrors. */
static uint32_t cost_of(const struct series *series, const struct series_law *law) {
    uint32_t cost = 0;
    for (uint32_t d = 0; d < series->grids[law->grid].dimensions; d++) {
        const struct series_coordinate_rule *rule = &law->rules[d];
        const bool is_long =
            (rows[rule->row].parameter == PARAMETER_STEPS && abs(rule->parameter) > 1) ||
            rows[rule->row].parameter == PARAMETER_FAR;
        const bool has_number =
            rows[rule->row].parameter == PARAMETER_SOLVED && rule->parameter > 0;
        if (is_same_place(rule)) continue;
        cost += is_long || has_number || rows[rule->row].function == mirror ? 2 : 1;
    }
    return cost;
}

/* Returns whether the partner is a neighbour in the grid, along one dimension or across several. */
static bool is_neighbour(const struct series *series, const struct series_law *law) {
    for (uint32_t d = 0; d < series->grids[law->grid].dimensions; d++)
        if (rows[law->rules[d].row].function != shift || abs(law->rules[d].parameter) > 1)
            return false;
    return true;
}

/* Returns whether a law that fits is a rival: it says no more or is usual, and differs in the new
 * program. */
static bool is_rival(const struct law_peer_search *wanted, const struct series_law *other,
                     struct series_rival *rival) {
    const struct series *series = wanted->data->series;
    const uint32_t own = cost_of(series, wanted->law);
    return (cost_of(series, other) <= (own > 1 ? own : 1) || is_neighbour(series, other)) &&
           laws_differ(wanted->data, wanted->law, other, true, rival) &&
           wanted->holds(wanted, other);
}

/* Looks for a rival in which one dimension follows from another rule than in the law `base`. Longer
 * steps are no rivals of those to a neighbour. */
static bool find_rival_along(const struct search *search, const struct law_peer_search *wanted,
                             const struct series_law *base, struct series_rival *rival) {
    const struct series_law *law = wanted->law;
    const struct series_coordinate_rule *first = &base->rules[search->dimension];
    const bool is_short = rows[first->row].function == shift && abs(first->parameter) <= 1;
    for (uint32_t row = 0; row < ROWS; row++) {
        const uint32_t levels = rows[row].has_index ? search->data->step->depth : 1;
        struct series_law other = *base;
        struct series_coordinate_rule *rule = &other.rules[search->dimension];
        if (!may_be_rival(search, row, law_has_index(search->data->series, law))) continue;
        for (uint32_t level = levels; level-- > 0;) {
            *rule = (struct series_coordinate_rule){.row = (uint8_t)row, .level = (uint8_t)level};
            for (int32_t n = 0; next_parameter(search, row, n, &rule->parameter); n++) {
                if (is_short && rows[row].function == shift &&
                    abs(rule->parameter) > abs(first->parameter))
                    break;
                if (rule_fits(search, rule) && is_rival(wanted, &other, rival)) return true;
            }
        }
    }
    return false;
}

/* Returns whether all rules of a law may be those of a rival. */
static bool is_usual(const struct series_law_data *data, const struct series_law *law,
                     const struct series_law *other) {
    const struct search search = {data, other->grid, 0, true, true};
    for (uint32_t d = 0; d < data->series->grids[other->grid].dimensions; d++)
        if (!may_be_rival(&search, other->rules[d].row, law_has_index(data->series, law)))
            return false;
    return true;
}

/* Returns the set of dimensions that a partner is another rank in. */
static uint32_t moved_dimensions(const struct series *series, const struct series_law *law) {
    uint32_t moved = 0;
    for (uint32_t d = 0; d < series->grids[law->grid].dimensions; d++)
        moved |= is_same_place(&law->rules[d]) ? 0 : 1u << d;
    return moved;
}

/* Returns whether other partners of a role move along other dimensions of the law's grid. */
static bool role_shows_grid(const struct series *series, const struct series_role *role,
                            const struct series_law *law) {
    const uint32_t moved = moved_dimensions(series, law);
    for (size_t i = 0; i < role->step_count; i++)
        for (uint32_t v = 0; v < role->steps[i].law_count; v++) {
            const struct series_value_law *laws = &role->steps[i].laws[v];
            for (uint32_t g = 0; g < laws->law_count; g++)
                if (laws->laws[g].kind == SERIES_LAW_PEER && laws->laws[g].grid == law->grid &&
                    (moved_dimensions(series, &laws->laws[g]) & ~moved) != 0)
                    return true;
        }
    return false;
}

/* Returns whether a law is a distance, or one in a grid that nothing else shows: then it may be a
 * distance as well. */
static bool may_be_distance(const struct series *series, const struct series_law *law) {
    if (law->grid == 0) return rows[law->rules[0].row].is_late;
    if (series->role_rule.grid == law->grid) return false;
    for (size_t f = 0; f < series->family_count; f++)
        if (series->families[f].grid == law->grid) return false;
    for (size_t r = 0; r < series->role_count; r++)
        if (role_shows_grid(series, &series->roles[r], law)) return false;
    return true;
}

bool law_peer_rival(const struct law_peer_search *wanted, struct series_rival *rival) {
    const struct series_law_data *data = wanted->data;
    const struct series_law *law = wanted->law;
    const bool with_rare = may_be_distance(data->series, law);
    for (uint32_t g = 0; g < data->series->grid_count; g++) {
        struct series_law base = *law;
        if (is_excluded(data->series, g, law->grid)) continue;
        if (g != law->grid && !find_in_grid(data, g, true, with_rare, &base)) continue;
        if (g != law->grid && !is_usual(data, law, &base)) continue;
        for (uint32_t d = 0; d < data->series->grids[g].dimensions; d++) {
            const struct search search = {data, g, d, true, with_rare};
            if (find_rival_along(&search, wanted, &base, rival)) return true;
        }
    }
    return false;
}

bool law_peer_is_same(const struct series_law *left, const struct series_law *right) {
    bool same = left->kind == SERIES_LAW_PEER && right->kind == SERIES_LAW_PEER &&
                left->grid == right->grid;
    for (uint32_t d = 0; d < SERIES_DIMENSIONS && same; d++)
        same = left->rules[d].row == right->rules[d].row &&
               left->rules[d].level == right->rules[d].level &&
               left->rules[d].parameter == right->rules[d].parameter;
    return same;
}

bool law_peer(const struct series *series, const struct series_law *law,
              const struct series_place *place, int64_t *value) {
    uint32_t coordinates[SERIES_DIMENSIONS];
    const uint32_t dimensions = series->grids[law->grid].dimensions;
    for (uint32_t d = 0; d < dimensions; d++)
        if (!rule_value(series, law->grid, d, &law->rules[d], place, &coordinates[d])) return false;
    *value = grid_rank(place->extents->of[law->grid], dimensions, coordinates);
    return true;
}

static void rule_text(const struct series_coordinate_rule *rule, char *text, size_t size) {
    const char *name = rows[rule->row].text, *sign = strchr(name, '#');
    const int number = rule->parameter + (rows[rule->row].parameter == PARAMETER_DIMENSION ? 1 : 0);
    if (sign == NULL)
        snprintf(text, size, "%s", name);
    else if (rows[rule->row].parameter == PARAMETER_DISTANCE)
        snprintf(text, size, "%c %s (periodic)", number < 0 ? '-' : '+',
                 distance_text((uint32_t)abs(number) - 1));
    else if (rows[rule->row].parameter == PARAMETER_CHILD)
        snprintf(text, size, "child %d in a tree of %d children", number / 8, number % 8);
    else if (rows[rule->row].function == shift)
        snprintf(text, size, "%+d%s", number, sign + 1);
    else
        snprintf(text, size, "%.*s%d%s", (int)(sign - name), name, number, sign + 1);
}

void law_peer_text(const struct series *series, const struct series_law *law, char *text,
                   size_t size) {
    const struct series_grid_rule *grid = &series->grids[law->grid];
    size_t length = 0;
    *text = '\0';
    for (uint32_t d = 0; d < grid->dimensions && length < size; d++) {
        if (is_same_place(&law->rules[d])) continue;
        char rule[SERIES_TEXT];
        rule_text(&law->rules[d], rule, sizeof rule);
        length +=
            (size_t)snprintf(text + length, size - length, "%s%s", length > 0 ? "; " : "", rule);
        if (grid->dimensions > 1 && length < size)
            length += (size_t)snprintf(text + length, size - length, " in dimension %u", d + 1);
    }
    if (length == 0) snprintf(text, size, "the rank itself");
    if (grid->dimensions > 1 && length < size) {
        char extents[SERIES_TEXT];
        grid_text(series, law->grid, &series->target, extents, sizeof extents);
        length = strlen(text);
        snprintf(text + length, size - length, " of %s", extents);
    } else if (length > 0 && length < size) {
        snprintf(text + length, size - length, " among all ranks");
    }
}
