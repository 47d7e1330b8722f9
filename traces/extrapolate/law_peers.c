/*
 * Laws of partners: each coordinate of the partner in some grid follows from the rank's own
 * coordinate by one rule. Grids of one dimension give rings, hypercubes, trees, roots and halves;
 * others give neighbours, rows and columns, and transposes.
 */
#include "traces/extrapolate/series.h"

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

#define RULE(name, expression)                                                                     \
    static int64_t name(const struct rule_context *c) {                                            \
        return expression;                                                                         \
    }
#define BIT      (c->index < 31 ? INT64_C(1) << c->index : INT64_C(1) << 31)
#define BIT_BACK (c->trips - 1 - c->index < 31 ? INT64_C(1) << (c->trips - 1 - c->index) : -1)
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

/* Recursive doubling for numbers that are no power of two: of the first 2 rest ranks the odd ones
 * take part, in their order, and then all others. */
static int64_t doubling(const struct rule_context *c) {
    int64_t power = 1;
    while (power <= c->extent / 2)
        power *= 2;
    const int64_t rest = c->extent - power;
    if (c->own < 2 * rest && c->own % 2 == 0) return -1;
    const int64_t own = c->own < 2 * rest ? c->own / 2 : c->own - rest;
    const int64_t other = own ^ BIT;
    return other < rest ? 2 * other + 1 : other + rest;
}

typedef enum rule_parameter {
    PARAMETER_NONE,
    PARAMETER_STEPS,  /* a small number of either sign */
    PARAMETER_FEW,    /* -1, 0 or 1 */
    PARAMETER_SOLVED, /* follows from one sample */
    PARAMETER_DIMENSION
} rule_parameter;

static const struct {
    coordinate_function *function;
    const char *text; /* #: the parameter */
    rule_parameter parameter;
    bool has_index;
} rows[] = {
    {shift, "# (periodic)", PARAMETER_STEPS, false},
    {exclusive_or, "xor #", PARAMETER_SOLVED, false},
    {half_up, "+ half", PARAMETER_NONE, false},
    {half_down, "- half", PARAMETER_NONE, false},
    {mirror, "mirrored", PARAMETER_NONE, false},
    {absolute, "always #", PARAMETER_SOLVED, false},
    {from_end, "always # from the end", PARAMETER_SOLVED, false},
    {other_coordinate, "the coordinate in dimension #", PARAMETER_DIMENSION, false},
    {without_last_bit, "without its last 1 bit", PARAMETER_NONE, false},
    {bit_of_step, "xor 2^iteration", PARAMETER_NONE, true},
    {bit_of_rest, "xor 2^(iterations left)", PARAMETER_NONE, true},
    {step_up, "+ iteration + # (periodic)", PARAMETER_FEW, true},
    {step_down, "- iteration + # (periodic)", PARAMETER_FEW, true},
    {exclusive_or_step, "xor (iteration + #)", PARAMETER_FEW, true},
    {bit_above, "+ 2^iteration (periodic)", PARAMETER_NONE, true},
    {bit_below, "- 2^iteration (periodic)", PARAMETER_NONE, true},
    {rest_above, "+ 2^(iterations left)", PARAMETER_NONE, true},
    {rest_below, "- 2^(iterations left)", PARAMETER_NONE, true},
    {step, "the iteration + #", PARAMETER_FEW, true},
    {others, "all others in their order", PARAMETER_NONE, true},
    {step_from_end, "from the last one down", PARAMETER_NONE, true},
    {doubling, "xor 2^iteration among the ranks of a power of two", PARAMETER_NONE, true},
};
enum { ROWS = sizeof rows / sizeof *rows, MOST_STEPS = 8 };

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
    case PARAMETER_DIMENSION:
        *parameter = n;
        return n < (int32_t)search->data->series->grids[search->grid].dimensions;
    default:
        *parameter = 0;
        return n == 0;
    }
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
    const bool is_grid = search->data->series->grids[search->grid].dimensions > 1;
    for (uint32_t row = 0; row < ROWS && !rows[row].has_index; row++) {
        if (is_step && is_grid && rows[row].function != shift) continue;
        struct series_coordinate_rule other = {.row = (uint8_t)row};
        for (int32_t n = 0; next_parameter(search, row, n, &other.parameter); n++) {
            if (is_step && rows[row].function == shift && abs(other.parameter) > longest) break;
            if (rules_differ(search, rule, &other) && rule_fits(search, &other)) return true;
        }
    }
    return false;
}

static bool find_rule(const struct search *search, struct series_coordinate_rule *rule) {
    for (uint32_t row = 0; row < ROWS; row++) {
        const uint32_t levels = rows[row].has_index ? search->data->step->depth : 1;
        *rule = (struct series_coordinate_rule){.row = (uint8_t)row};
        for (uint32_t level = levels; level-- > 0;) {
            rule->level = (uint8_t)level;
            for (int32_t n = 0; next_parameter(search, row, n, &rule->parameter); n++)
                if (rule_fits(search, rule)) return true;
        }
    }
    return false;
}

static bool find_in_grid(const struct series_law_data *data, uint32_t grid,
                         struct series_law *law) {
    *law = (struct series_law){.kind = SERIES_LAW_PEER, .grid = grid, .programs = data->programs};
    for (uint32_t d = 0; d < data->series->grids[grid].dimensions; d++) {
        struct search search = {data, grid, d};
        if (!find_rule(&search, &law->rules[d])) return false;
        law->is_open = law->is_open || is_open(&search, &law->rules[d]);
    }
    return true;
}

/* Takes the first grid in which all coordinates follow from rules, preferably from one rule each.
 */
bool law_find_peer(const struct series_law_data *data, struct series_law *law) {
    struct series_law open = {.kind = SERIES_LAW_NONE};
    for (int used = 1; used >= 0; used--)
        for (uint32_t g = 0; g < data->series->grid_count; g++) {
            if (data->series->grid_used[g] != (used == 1)) continue;
            if (!find_in_grid(data, g, law)) continue;
            if (!law->is_open) return true;
            if (open.kind == SERIES_LAW_NONE) open = *law;
        }
    *law = open;
    return open.kind != SERIES_LAW_NONE;
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

static bool is_same_place(const struct series_coordinate_rule *rule) {
    return rows[rule->row].function == shift && rule->parameter == 0;
}

static void rule_text(const struct series_coordinate_rule *rule, char *text, size_t size) {
    const char *name = rows[rule->row].text, *sign = strchr(name, '#');
    const int number = rule->parameter + (rows[rule->row].parameter == PARAMETER_DIMENSION ? 1 : 0);
    if (sign == NULL)
        snprintf(text, size, "%s", name);
    else if (rows[rule->row].parameter == PARAMETER_STEPS)
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
