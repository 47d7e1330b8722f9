/*
 * Laws of partners: each coordinate of the partner in some grid follows from the rank's own
 * coordinate by one rule. Grids of one dimension give rings, hypercubes, trees, roots and halves;
 * others give neighbours, rows and columns, and transposes.
 */
#include "traces/extrapolate/laws/partners/law_peers.h"
#include "traces/extrapolate/grids/series_grids.h"
#include "traces/extrapolate/laws/partners/law_rules.h"
#include "traces/extrapolate/laws/series_law.h"
#include "traces/extrapolate/roles/series_keys.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_STEPS = 8, /* of a rule with RULE_WITH_STEPS */
    FEWEST_CHILDREN = 2,
    MOST_CHILDREN = 4,
    LEAST_RADIX = 3,
    MOST_RADIX = 8
};

/* Sets *coordinate to the partner's coordinate by a rule. Returns false if there is no partner. */
static bool rule_value(const struct series *series, uint32_t grid, uint32_t dimension,
                       const struct series_coordinate_rule *rule, const struct series_place *place,
                       uint32_t *coordinate) {
    uint32_t coordinates[SERIES_DIMENSIONS];
    const uint32_t *extents = place->extents->of[grid];
    grid_coordinates(extents, series->grids.rules[grid].dimensions, place->rank, coordinates);
    struct rule_context context = {.own = coordinates[dimension],
                                   .extent = extents[dimension],
                                   .coordinates = coordinates,
                                   .series = series,
                                   .place = place,
                                   .parameter = rule->parameter};
    if (rule_rows[rule->row].has_index) {
        if (rule->level >= place->depth) return false;
        context.index = place->index[rule->level];
        context.trips = place->trips[rule->level];
    }
    const int64_t result = rule_rows[rule->row].function(&context);
    *coordinate = (uint32_t)result;
    return result >= 0 && result < context.extent;
}

/* A dimension of a grid in which a rule is looked for. */
struct search {
    const struct series_law_data *data;
    uint32_t grid, dimension;
    bool with_late; /* also looks for late rules (rule_row.is_late) */
    bool with_rare; /* also looks for rare distances */
};

/* Returns the coordinate of a partner in the dimension of the search. */
static uint32_t peer_coordinate(const struct search *search, const struct series_place *place,
                                int64_t peer) {
    uint32_t coordinates[SERIES_DIMENSIONS];
    grid_coordinates(place->extents->of[search->grid],
                     search->data->series->grids.rules[search->grid].dimensions, (uint32_t)peer,
                     coordinates);
    return coordinates[search->dimension];
}

/* Returns whether a rule gives the partner of a sample. */
static bool rule_gives(const struct search *search, const struct series_law_data *data,
                       const struct series_coordinate_rule *rule, size_t sample) {
    const struct series_place place = law_place(data, sample);
    uint32_t coordinate;
    return rule_value(data->series, search->grid, search->dimension, rule, &place, &coordinate) &&
           coordinate == peer_coordinate(search, &place, law_sample_value(data, sample));
}

/* Returns whether a rule gives all partners. */
static bool rule_fits(const struct search *search, const struct series_coordinate_rule *rule) {
    enum { FIRST_TESTS = 32 }; /* samples of all programs, at which most rules fail */
    struct series_law_data data = *search->data;
    if (!rule_rows[rule->row].has_index && data.partners != NULL) {
        data.samples = data.partners; /* the rule gives all iterations the same partner */
        data.count = data.partner_count;
    }
    const size_t tests = data.count / 2 > FIRST_TESTS ? FIRST_TESTS : 0;
    for (size_t i = tests; i-- > 0;)
        if (!rule_gives(search, &data, rule, i * data.count / FIRST_TESTS)) return false;
    for (size_t i = data.count; i-- > 0;) /* the largest program comes first */
        if (!rule_gives(search, &data, rule, i)) return false;
    return true;
}

/* Returns the parameter by which a rule with RULE_WITH_SOLVED gives the partner of the first
 * sample. */
static int32_t solve(const struct search *search, uint32_t row) {
    const struct series_place place = law_place(search->data, 0);
    const uint32_t peer = peer_coordinate(search, &place, law_sample_value(search->data, 0));
    uint32_t own[SERIES_DIMENSIONS];
    const uint32_t *extents = place.extents->of[search->grid];
    grid_coordinates(extents, search->data->series->grids.rules[search->grid].dimensions,
                     place.rank, own);
    if (rule_rows[row].kind == RULE_NUMBER) return (int32_t)peer;
    if (rule_rows[row].kind == RULE_FROM_END)
        return (int32_t)(extents[search->dimension] - 1 - peer);
    return (int32_t)(own[search->dimension] ^ peer);
}

/* Returns the shortest step that gives the partner of the last sample, which is of the largest
 * program. */
static int32_t far_step(const struct search *search) {
    const size_t last = search->data->count - 1;
    const struct series_place place = law_place(search->data, last);
    const int64_t extent = place.extents->of[search->grid][search->dimension];
    const int64_t step = (law_sample_value(search->data, last) - place.rank + extent) % extent;
    return (int32_t)(2 * step > extent ? step - extent : step);
}

/* Returns parameter n, from 0, of a rule with RULE_WITH_CHILD; 0 after the last one. */
static int32_t next_child(int32_t n) {
    for (int32_t children = FEWEST_CHILDREN; children <= MOST_CHILDREN; children++) {
        if (n < children) return children + RULE_CHILD_UNIT * (n + 1);
        n -= children;
    }
    return 0;
}

/* Sets *parameter to number n, from 0, of those that are tried for a row. Returns false after the
 * last one. */
static bool next_parameter(const struct search *search, uint32_t row, int32_t n,
                           int32_t *parameter) {
    switch (rule_rows[row].parameter) {
    case RULE_WITH_STEPS:
        *parameter = n % 2 == 1 ? n / 2 + 1 : -(n / 2);
        return n <= 2 * MOST_STEPS;
    case RULE_WITH_FEW:
        *parameter = n % 2 == 1 ? 1 : -(n / 2);
        return n <= 2;
    case RULE_WITH_SOLVED:
        *parameter = n == 0 ? solve(search, row) : 0;
        return n == 0;
    case RULE_WITH_ARITY:
        *parameter = FEWEST_CHILDREN + n;
        return *parameter <= MOST_CHILDREN;
    case RULE_WITH_CHILD:
        *parameter = next_child(n);
        return *parameter > 0;
    case RULE_WITH_RADIX:
        *parameter = LEAST_RADIX + n;
        return *parameter <= MOST_RADIX;
    case RULE_WITH_TURN:
        *parameter = n;
        return n < 2;
    case RULE_WITH_FAR:
        *parameter = n == 0 ? far_step(search) : 0;
        return n == 0 && abs(*parameter) > MOST_STEPS;
    case RULE_WITH_DISTANCE:
        *parameter = n % 2 == 0 ? n / 2 + 1 : -(n / 2 + 1);
        return n < 2 * (int32_t)(law_distance_rows() -
                                 (search->with_rare ? 0 : law_distance_rare_rows()));
    case RULE_WITH_ORDER:
        *parameter = n;
        return n < (int32_t)search->data->series->grids.order_count;
    case RULE_WITH_OTHER_DIMENSION: /* begins with the next dimension */
        *parameter = (int32_t)((search->dimension + 1 + (uint32_t)n) %
                               search->data->series->grids.rules[search->grid].dimensions);
        return n + 1 < (int32_t)search->data->series->grids.rules[search->grid].dimensions;
    case RULE_WITH_DIMENSION:
        *parameter = n;
        return n < (int32_t)search->data->series->grids.rules[search->grid].dimensions;
    default:
        *parameter = 0;
        return n == 0;
    }
}

/* Returns whether the grid has several dimensions. */
static bool is_plural(const struct search *search) {
    return search->data->series->grids.rules[search->grid].dimensions > 1;
}

/* Returns whether two rules without iterations give an example of the new program different
 * coordinates. */
static bool rules_differ(const struct search *search, const struct series_coordinate_rule *rule,
                         const struct series_coordinate_rule *other) {
    const struct series *series = search->data->series;
    const struct series_role *role = search->data->role;
    for (uint32_t i = 0; i < role->example_count; i++) {
        const struct series_place place = law_target_place(series, role->examples[i]);
        uint32_t left = UINT32_MAX, right = UINT32_MAX;
        if (!rule_value(series, search->grid, search->dimension, rule, &place, &left))
            left = UINT32_MAX;
        if (!rule_value(series, search->grid, search->dimension, other, &place, &right))
            right = UINT32_MAX;
        if (left != right) return true;
    }
    return false;
}

/* Returns whether another rule without iterations fits as well, and gives the new program other
 * partners. Longer steps do not count: with extents of 2 and 4, 5 steps are the same as 1. In grids
 * of several dimensions, steps are compared only with steps, because halves and ends are rare
 * there. */
static bool is_open(const struct search *search, const struct series_coordinate_rule *rule) {
    if (rule_rows[rule->row].has_index) return false;
    const int32_t longest = rule->parameter == 0 ? 1 : abs(rule->parameter);
    const bool is_step = rule_rows[rule->row].kind == RULE_STEP;
    for (uint32_t row = 0; row < RULE_ROWS; row++) {
        if (rule_rows[row].has_index) continue;
        if (is_step && is_plural(search) && rule_rows[row].kind != RULE_STEP) continue;
        if (rule_rows[row].is_late && !rule_rows[rule->row].is_late) continue;
        /* Trees, long steps and orders fit few ranks by chance: the parent of the first ranks is
         * rank 0, and 21 steps among 4, 16 and 64 ranks are n/3. They are only alternatives. */
        if (rule_rows[row].kind == RULE_TREE && rule_rows[rule->row].kind != RULE_TREE) continue;
        if (rule_rows[row].parameter == RULE_WITH_FAR) continue;
        if (rule_rows[row].parameter == RULE_WITH_ORDER) continue;
        struct series_coordinate_rule other = {.row = (uint8_t)row};
        for (int32_t n = 0; next_parameter(search, row, n, &other.parameter); n++) {
            if (is_step && rule_rows[row].kind == RULE_STEP && abs(other.parameter) > longest)
                break;
            if (rules_differ(search, rule, &other) && rule_fits(search, &other)) return true;
        }
    }
    return false;
}

/* Returns whether a step in a grid of several dimensions is at least as long as the dimension in
 * all programs: with small extents, some such step gives almost any partners. */
static bool is_beyond(const struct search *search, const struct series_coordinate_rule *rule) {
    const struct series *series = search->data->series;
    if (rule_rows[rule->row].kind != RULE_STEP || !is_plural(search)) return false;
    for (uint32_t k = 0; k < series->program_count; k++)
        if (series->programs[k].extents.of[search->grid][search->dimension] >
            (uint32_t)abs(rule->parameter))
            return false;
    return true;
}

/* Sets *rule to the first one that fits, of those with iterations or of those without. Returns
 * false if none fits. */
static bool find_among(const struct search *search, bool has_index,
                       struct series_coordinate_rule *rule) {
    for (uint32_t row = 0; row < RULE_ROWS; row++) {
        if (rule_rows[row].has_index != has_index) continue;
        const bool is_of_lines = rule_rows[row].kind == RULE_SHIFT_OF_LINES;
        if (rule_rows[row].is_late && (!search->with_late || is_plural(search) != is_of_lines))
            continue;
        const uint32_t levels = has_index ? search->data->step->depth : 1;
        *rule = (struct series_coordinate_rule){.row = (uint8_t)row};
        for (uint32_t level = levels; level-- > 0;) {
            rule->level = (uint8_t)level;
            for (int32_t n = 0; next_parameter(search, row, n, &rule->parameter); n++)
                if (!is_beyond(search, rule) && rule_fits(search, rule)) return true;
        }
    }
    return false;
}

/* Does the same, unless an earlier search has done so. */
static bool find_known(const struct search *search, bool has_index,
                       struct series_coordinate_rule *rule) {
    const uint64_t key = law_known_key(search->data, search->grid, search->dimension,
                                       search->with_late, search->with_rare, has_index);
    const struct law_known_rule *known = law_known_find(search->data, key);
    if (known != NULL) {
        *rule = known->rule;
        return known->is_found;
    }
    const bool found = find_among(search, has_index, rule);
    law_known_keep(search->data, key, rule, found);
    return found;
}

/* Sets *rule to the first one that fits; those without iterations come first. Returns false if none
 * fits. */
static bool find_rule(const struct search *search, struct series_coordinate_rule *rule) {
    return find_known(search, false, rule) ||
           (search->data->step->depth > 0 && find_known(search, true, rule));
}

/* Returns whether a rule with iterations in a grid of several dimensions is shown by loops of at
 * most two iterations: some such rule gives almost any two coordinates. */
static bool is_weak(const struct search *search, const struct series_coordinate_rule *rule) {
    if (!rule_rows[rule->row].has_index || !is_plural(search)) return false;
    for (size_t i = 0; i < search->data->count; i++)
        if (law_place(search->data, i).trips[rule->level] > 2) return false;
    return true;
}

/* Returns whether a law depends on iterations along several dimensions, and one rank of each
 * program shows it: in some grid, such a law gives almost any two partners that take turns. */
static bool is_of_one_rank(const struct series_law_data *data, const struct series_law *law) {
    uint32_t count = 0;
    for (uint32_t d = 0; d < data->series->grids.rules[law->grid].dimensions; d++)
        count += rule_rows[law->rules[d].row].has_index;
    return count > 1 && data->role->members == data->role->programs;
}

/* Sets *law to the first rule of each dimension of a grid. Returns false if a dimension has none.
 */
static bool find_rules_in(const struct series_law_data *data, uint32_t grid, bool with_late,
                          bool with_rare, struct series_law *law) {
    *law = (struct series_law){.kind = SERIES_LAW_PEER, .grid = grid, .programs = data->programs};
    for (uint32_t d = 0; d < data->series->grids.rules[grid].dimensions; d++) {
        struct search search = {data, grid, d, with_late, with_rare};
        if (!find_rule(&search, &law->rules[d])) return false;
    }
    return true;
}

/* Does the same, and sets is_open, is_weak and is_of_one_rank of the law. */
static bool find_in_grid(const struct series_law_data *data, uint32_t grid, bool with_late,
                         bool with_rare, struct series_law *law) {
    if (!find_rules_in(data, grid, with_late, with_rare, law)) return false;
    for (uint32_t d = 0; d < data->series->grids.rules[grid].dimensions; d++) {
        struct search search = {data, grid, d, with_late, with_rare};
        law->is_open = law->is_open || is_open(&search, &law->rules[d]);
        law->is_weak = law->is_weak || is_weak(&search, &law->rules[d]);
    }
    law->is_of_one_rank = is_of_one_rank(data, law);
    return true;
}

/* If roles are positions in a grid, looks for a law by which the partner is a neighbour in this
 * grid. Such a law comes before the same distance among all ranks. */
static bool find_neighbour(const struct series_law_data *data, struct series_law *law) {
    const struct series_role_rule *rule = &data->series->roles.rule;
    return (series_keys_of(rule->row) & SERIES_KEY_OF_CLASSES) != 0 &&
           data->series->grids.symmetric == 0 &&
           find_in_grid(data, rule->grid, false, false, law) && !law->is_open &&
           law_peer_is_neighbour(data->series, law);
}

/* If roles say which ranks are beyond a power of two, looks for a law by which the partner is at
 * the distance of this power. Among few ranks, such a distance is also a step in some grid. */
static bool find_power(const struct series_law_data *data, struct series_law *law) {
    if (!series_key_is_beyond(data->series->roles.rule.row) ||
        !find_in_grid(data, 0, true, false, law) || law->is_open ||
        rule_rows[law->rules[0].row].parameter != RULE_WITH_DISTANCE)
        return false;
    return law_distance_is_power((uint32_t)abs(law->rules[0].parameter) - 1);
}

/* Sets *law to that in the first grid in which a rule gives each coordinate, preferably the only
 * one that fits. A pair (law_peer_is_pair) in a grid in use, or with recorded dimensions, comes
 * before later grids although it is open: such partners also follow from the numbers of ranks, and
 * from other grids. */
static bool find_in_grids(const struct series_law_data *data, struct series_law *law) {
    struct series_law open = {.kind = SERIES_LAW_NONE};
    const struct series_grid_rule *rules = data->series->grids.rules;
    for (int late = 0; late < 2; late++)
        for (int used = 1; used >= 0; used--)
            for (uint32_t i = 0; i < data->series->grids.count; i++) {
                const uint32_t g = data->series->grids.search_order[i];
                if (data->series->grids.used[g] != (used == 1) || rules[g].is_second) continue;
                if (!find_in_grid(data, g, late == 1, false, law)) continue;
                if (!law->is_open) return true;
                if (open.kind == SERIES_LAW_NONE) open = *law;
                if ((used == 1 || rules[g].is_recorded) && law_peer_is_pair(data->series, law))
                    return true;
            }
    *law = open;
    return open.kind != SERIES_LAW_NONE;
}

/* Returns whether a step of a law is more than half of the way around its dimension in all
 * programs. In each program, a shorter step in the other direction gives the same partners, but its
 * length differs between programs. */
static bool is_way_round(const struct series *series, const struct series_law *law) {
    for (uint32_t d = 0; d < series->grids.rules[law->grid].dimensions; d++) {
        const uint32_t step = (uint32_t)abs(law->rules[d].parameter);
        bool is_long = rule_rows[law->rules[d].row].kind == RULE_STEP && step > 1;
        for (uint32_t k = 0; k < series->program_count && is_long; k++)
            is_long = 2 * step > series->programs[k].extents.of[law->grid][d];
        if (is_long) return true;
    }
    return false;
}

/* Looks for a law by which the partner is a neighbour in a grid of several dimensions whose extents
 * are as equal as possible. */
static bool find_even_neighbour(const struct series_law_data *data, struct series_law *law) {
    for (uint32_t i = 0; i < data->series->grids.count; i++) {
        const uint32_t g = data->series->grids.search_order[i];
        const struct series_grid_rule *rule = &data->series->grids.rules[g];
        const bool is_even = rule->kind <= SERIES_GRID_SORTED_RISING && rule->sides[0] == 0 &&
                             (rule->given[0] | rule->given[1] | rule->given[2]) == 0;
        if (rule->dimensions > 1 && is_even && !rule->is_second &&
            find_in_grid(data, g, false, false, law) && !law->is_open &&
            law_peer_is_neighbour(data->series, law))
            return true;
    }
    return false;
}

bool law_find_peer(const struct series_law_data *data, struct series_law *law) {
    struct series_law neighbour;
    if (find_power(data, law)) return true;
    if (!find_in_grids(data, law)) return false;
    const bool is_line = data->series->grids.rules[law->grid].dimensions == 1;
    if (is_line ? find_neighbour(data, &neighbour)
                : is_way_round(data->series, law) && find_even_neighbour(data, &neighbour))
        *law = neighbour;
    return true;
}

bool law_peer_fits(const struct series_law_data *data, uint32_t grid) {
    struct series_law law;
    return find_rules_in(data, grid, false, false, &law);
}

/* Returns whether laws in a grid are no alternatives of laws in the grid `own`: because of
 * extrapolate.grid or recorded dimensions, because the new program has extents of 1, or larger
 * ones, that the series lacks, or because nothing else follows a grid of four dimensions. */
static bool is_excluded(const struct series *series, uint32_t grid, uint32_t own) {
    const uint32_t dimensions = series->grids.rules[grid].dimensions;
    if (grid == own) return false;
    if (series_grid_is_told(series, own) && !series_grid_is_told(series, grid)) return true;
    if (series_grid_is_refuted(series, own, grid)) return true;
    if (!series_grid_is_alike(series, grid) && !series_grid_is_unseen(series, grid)) return true;
    return dimensions > 3 && dimensions > series->grids.rules[own].dimensions &&
           !series->grids.used[grid] && !series_grid_is_unseen(series, grid);
}

/* Returns whether a rule may be part of an alternative: in grids of several dimensions, only if
 * is_of_grid. has_index: the law that it is compared with depends on iterations. */
static bool may_be_alternative(const struct search *search, uint32_t row, bool has_index) {
    if (rule_rows[row].has_index)
        return has_index && !(rule_rows[row].is_late && is_plural(search));
    return !is_plural(search) || (rule_rows[row].is_of_grid && !rule_rows[row].is_late);
}

/* Returns the complexity of a law, the sum over its dimensions: 0 for the rank's own coordinate, 2
 * for a step of more than 1, a number other than 0 or a mirror, and 1 for anything else. */
static uint32_t complexity_of(const struct series *series, const struct series_law *law) {
    uint32_t complexity = 0;
    for (uint32_t d = 0; d < series->grids.rules[law->grid].dimensions; d++) {
        const struct series_coordinate_rule *rule = &law->rules[d];
        const bool is_long =
            (rule_rows[rule->row].parameter == RULE_WITH_STEPS && abs(rule->parameter) > 1) ||
            rule_rows[rule->row].parameter == RULE_WITH_FAR;
        const bool has_number =
            rule_rows[rule->row].parameter == RULE_WITH_SOLVED && rule->parameter > 0;
        if (law_rule_is_same_place(rule)) continue;
        complexity += is_long || has_number || rule_rows[rule->row].kind == RULE_MIRROR ? 2 : 1;
    }
    return complexity;
}

/* Returns whether a law that fits is an alternative: it is not more complex than the law that was
 * taken, or gives a neighbour; it differs in the new program; and wanted->holds. */
static bool is_alternative(const struct law_peer_search *wanted, const struct series_law *other,
                           struct series_alternative *alternative) {
    const struct series *series = wanted->data->series;
    const uint32_t own = complexity_of(series, wanted->law);
    return (complexity_of(series, other) <= (own > 1 ? own : 1) ||
            law_peer_is_neighbour(series, other)) &&
           laws_differ(wanted->data, wanted->law, other, true, alternative) &&
           wanted->holds(wanted, other);
}

/* Looks for an alternative that has another rule than the law `base` in one dimension. Longer steps
 * are no alternatives of a step to a neighbour. */
static bool find_alternative_along(const struct search *search,
                                   const struct law_peer_search *wanted,
                                   const struct series_law *base,
                                   struct series_alternative *alternative) {
    const struct series_law *law = wanted->law;
    const struct series_coordinate_rule *first = &base->rules[search->dimension];
    const bool is_short = rule_rows[first->row].kind == RULE_STEP && abs(first->parameter) <= 1;
    for (uint32_t row = 0; row < RULE_ROWS; row++) {
        const uint32_t levels = rule_rows[row].has_index ? search->data->step->depth : 1;
        struct series_law other = *base;
        struct series_coordinate_rule *rule = &other.rules[search->dimension];
        if (!may_be_alternative(search, row, law_peer_has_index(search->data->series, law)))
            continue;
        for (uint32_t level = levels; level-- > 0;) {
            *rule = (struct series_coordinate_rule){.row = (uint8_t)row, .level = (uint8_t)level};
            for (int32_t n = 0; next_parameter(search, row, n, &rule->parameter); n++) {
                if (is_short && rule_rows[row].kind == RULE_STEP &&
                    abs(rule->parameter) > abs(first->parameter))
                    break;
                if (rule_fits(search, rule) && is_alternative(wanted, &other, alternative))
                    return true;
            }
        }
    }
    return false;
}

/* Returns whether all rules of a law may be those of an alternative. */
static bool is_usual(const struct series_law_data *data, const struct series_law *law,
                     const struct series_law *other) {
    const struct search search = {data, other->grid, 0, true, true};
    for (uint32_t d = 0; d < data->series->grids.rules[other->grid].dimensions; d++)
        if (!may_be_alternative(&search, other->rules[d].row,
                                law_peer_has_index(data->series, law)))
            return false;
    return true;
}

/* Returns whether other partners of a role move along other dimensions of the law's grid. */
static bool role_shows_grid(const struct series *series, const struct series_role *role,
                            const struct series_law *law) {
    const uint32_t moved = law_peer_moves(series, law);
    for (size_t i = 0; i < role->step_count; i++)
        for (uint32_t v = 0; v < role->steps[i].law_count; v++) {
            const struct series_value_law *laws = &role->steps[i].laws[v];
            for (uint32_t g = 0; g < laws->law_count; g++)
                if (laws->laws[g].kind == SERIES_LAW_PEER && laws->laws[g].grid == law->grid &&
                    (law_peer_moves(series, &laws->laws[g]) & ~moved) != 0)
                    return true;
        }
    return false;
}

/* Returns whether a law is compared with rare distances: it is a late rule among all ranks, or no
 * other partner, role or communicator follows its grid. */
static bool may_be_distance(const struct series *series, const struct series_law *law) {
    if (law->grid == 0) return rule_rows[law->rules[0].row].is_late;
    if (series->roles.rule.grid == law->grid) return false;
    for (size_t f = 0; f < series->families.count; f++)
        if (series->families.list[f].grid == law->grid) return false;
    for (size_t r = 0; r < series->roles.count; r++)
        if (role_shows_grid(series, &series->roles.list[r], law)) return false;
    return true;
}

/* Returns how many grids, from the first one, may have alternatives of a law. These include the
 * rare grids only if the law's grid has a given extent, other than 2 in a plane (pairs and halves
 * of all ranks). */
static uint32_t alternative_grids(const struct series *series, const struct series_law *law) {
    const struct series_grid_rule *grid = &series->grids.rules[law->grid];
    bool has_given = false;
    for (uint32_t d = 0; d < grid->dimensions; d++)
        has_given = has_given || grid->given[d] > 2 || (grid->given[d] > 0 && grid->dimensions > 2);
    return series->grids.count + (has_given ? series->grids.alternative_count : 0);
}

bool law_peer_alternative(const struct law_peer_search *wanted,
                          struct series_alternative *alternative) {
    const struct series_law_data *data = wanted->data;
    const struct series_law *law = wanted->law;
    const bool with_rare = may_be_distance(data->series, law);
    for (uint32_t g = 0; g < alternative_grids(data->series, law); g++) {
        struct series_law base = *law;
        if (is_excluded(data->series, g, law->grid)) continue;
        if (g != law->grid && !find_in_grid(data, g, true, with_rare, &base)) continue;
        if (g != law->grid && !is_usual(data, law, &base)) continue;
        for (uint32_t d = 0; d < data->series->grids.rules[g].dimensions; d++) {
            const struct search search = {data, g, d, true, with_rare};
            if (find_alternative_along(&search, wanted, &base, alternative)) return true;
        }
    }
    return false;
}

bool law_peer(const struct series *series, const struct series_law *law,
              const struct series_place *place, int64_t *value) {
    uint32_t coordinates[SERIES_DIMENSIONS];
    const uint32_t dimensions = series->grids.rules[law->grid].dimensions;
    for (uint32_t d = 0; d < dimensions; d++)
        if (!rule_value(series, law->grid, d, &law->rules[d], place, &coordinates[d])) return false;
    *value = grid_rank(place->extents->of[law->grid], dimensions, coordinates);
    return true;
}
