/*
 * Rules for process grids: divides a number of ranks into extents, lists the rules, and compares
 * the grids of a series with that of the new program.
 */
#include "traces/extrapolate/grids/series_grids.h"
#include "core/memory/memory.h"
#include "traces/extrapolate/laws/law_roots.h"
#include "traces/extrapolate/laws/series_law.h"
#include "traces/extrapolate/series.h"
#include "traces/patterns/pattern_parts.h"

#include <stdio.h>
#include <string.h>

enum { LARGEST_GIVEN = 16 }; /* extent that is the same in all programs */

static bool is_falling(series_grid_kind kind) {
    return kind == SERIES_GRID_FALLING || kind == SERIES_GRID_SORTED_FALLING ||
           kind == SERIES_GRID_FACTORS_FALLING || kind == SERIES_GRID_SPREAD_FALLING;
}

static bool is_sorted(series_grid_kind kind) {
    return kind == SERIES_GRID_SORTED_FALLING || kind == SERIES_GRID_SORTED_RISING;
}

static void sort_falling(uint32_t *extents, uint32_t count) {
    for (uint32_t i = 1; i < count; i++)
        for (uint32_t k = i; k > 0 && extents[k - 1] < extents[k]; k--) {
            const uint32_t extent = extents[k];
            extents[k] = extents[k - 1];
            extents[k - 1] = extent;
        }
}

enum { MOST_DIVISORS = 1024 }; /* of a number of ranks */

/* Lists the divisors of a number in ascending order, at most MOST_DIVISORS. Returns how many. */
static uint32_t list_divisors(uint32_t number, uint32_t divisors[MOST_DIVISORS]) {
    uint32_t count = 0;
    for (uint64_t i = 1; i * i <= number && count < MOST_DIVISORS; i++)
        if (number % i == 0) divisors[count++] = (uint32_t)i;
    for (uint32_t i = count; i-- > 0 && count < MOST_DIVISORS;)
        if (number / divisors[i] > divisors[count - 1]) divisors[count++] = number / divisors[i];
    return count;
}

/* Divides a box with these sides into `ranks` equal parts of the least surface: the extents e with
 * the least sum of e[d] / sides[d]. Of several such divisions, takes the one with the smallest
 * first extent, and of these the one with the smallest second extent. */
static void divide_box(uint32_t ranks, uint32_t dimensions, const uint32_t sides[SERIES_DIMENSIONS],
                       uint32_t extents[SERIES_DIMENSIONS]) {
    uint32_t divisors[MOST_DIVISORS];
    const uint32_t count = list_divisors(ranks, divisors);
    const uint64_t last = dimensions == 3 ? sides[2] : 1;
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < count; k++) {
            const uint64_t x = divisors[i], y = divisors[k], z = ranks / x / y;
            if (ranks / x % y != 0 || (dimensions == 2 && z > 1)) continue;
            const uint64_t surface = x * sides[1] * last + y * sides[0] * last +
                                     (dimensions == 3 ? z * sides[0] * sides[1] : 0);
            if (surface >= least) continue;
            least = surface;
            extents[0] = (uint32_t)x;
            extents[1] = (uint32_t)y;
            if (dimensions == 3) extents[2] = (uint32_t)z;
        }
}

/* Returns the largest divisor of a number up to its rounded root. power: 2 or 3: square or cube. */
static uint32_t divisor_near_root(uint32_t number, unsigned power) {
    /* The root of 2^power times the number is twice the root of the number, so its lowest bit says
     * how to round. */
    uint32_t divisor = (uint32_t)((law_number_root((wide)number << power, power) + 1) / 2);
    while (number % divisor != 0)
        divisor--;
    return divisor;
}

/* Divides a number as MPI_Dims_create of Open MPI does. The largest extent comes first. */
static void divide_by_factors(uint32_t number, uint32_t count, uint32_t *extents) {
    uint32_t factors[32], factor_count = 0;
    for (uint32_t factor = 2; number > 1; factor++) {
        if (factor > number / factor) factor = number; /* it is prime */
        for (; number % factor == 0; number /= factor)
            factors[factor_count++] = factor;
    }
    while (factor_count > 0) {
        uint32_t smallest = 0;
        for (uint32_t i = 1; i < count; i++)
            if (extents[i] < extents[smallest]) smallest = i;
        extents[smallest] *= factors[--factor_count];
    }
    sort_falling(extents, count);
}

/* The search for the division of MPI_Dims_create of MPICH: that whose largest and smallest extents
 * differ least, and of several the one with the largest smallest extent. */
struct spread {
    uint32_t count;                      /* of extents */
    uint32_t extents[SERIES_DIMENSIONS]; /* the division that is tried, the smallest first */
    uint32_t best[SERIES_DIMENSIONS];
    uint32_t least; /* difference of the largest and the smallest extent of the best one */
};

/* Tries all extents from number `place` on. number: their product. */
static void try_extents(struct spread *spread, uint32_t place, uint32_t number) {
    const uint32_t first = place > 0 ? spread->extents[place - 1] : 1;
    const uint32_t places = spread->count - place;
    if (places == 1 || place + 1 == SERIES_DIMENSIONS) {
        const uint32_t difference = number - spread->extents[0];
        spread->extents[place] = number;
        if (difference > spread->least ||
            (difference == spread->least && spread->extents[0] <= spread->best[0]))
            return;
        spread->least = difference;
        memcpy(spread->best, spread->extents, sizeof spread->best);
        return;
    }
    for (uint32_t extent = (uint32_t)law_number_root(number, places); extent >= first; extent--) {
        if (number % extent != 0) continue;
        spread->extents[place] = extent;
        try_extents(spread, place + 1, number / extent);
    }
}

/* Divides a number as MPI_Dims_create of MPICH does. The largest extent comes first. */
static void divide_by_spread(uint32_t number, uint32_t count, uint32_t *extents) {
    struct spread spread = {.count = count, .least = UINT32_MAX};
    if (count > 1)
        try_extents(&spread, 0, number);
    else
        spread.best[0] = number;
    for (uint32_t i = 0; i < count; i++)
        extents[i] = spread.best[count - 1 - i];
}

/* Divides a number into `count` extents in the way of a kind, the largest first or in the order of
 * the division. */
static void divide_evenly(series_grid_kind kind, uint32_t number, uint32_t count,
                          uint32_t *extents) {
    if (kind == SERIES_GRID_FACTORS_FALLING || kind == SERIES_GRID_FACTORS_RISING)
        divide_by_factors(number, count, extents);
    else if (kind == SERIES_GRID_SPREAD_FALLING || kind == SERIES_GRID_SPREAD_RISING)
        divide_by_spread(number, count, extents);
    else
        pattern_grid(number, count, extents);
    if (is_sorted(kind)) sort_falling(extents, count);
}

bool grid_set_extents(const struct series_grid_rule *rule, uint32_t ranks,
                      uint32_t extents[SERIES_DIMENSIONS]) {
    uint32_t left = ranks, open = 0, even[SERIES_DIMENSIONS] = {1, 1, 1, 1};
    for (uint32_t d = 0; d < SERIES_DIMENSIONS; d++)
        extents[d] = 1;
    if (rule->kind == SERIES_GRID_RECORDED) return false;
    if (rule->sides[0] > 0) {
        divide_box(ranks, rule->dimensions, rule->sides, extents);
        return true;
    }
    if (rule->kind == SERIES_GRID_MIDDLE_FIRST) {
        extents[1] = divisor_near_root(ranks, 3);
        extents[0] = divisor_near_root(ranks / extents[1], 2);
        extents[2] = ranks / extents[1] / extents[0];
        return true;
    }
    for (uint32_t d = 0; d < rule->dimensions; d++) {
        if (rule->given[d] == 0)
            open++;
        else if (left % rule->given[d] != 0)
            return false;
        else
            left /= rule->given[d];
    }
    if (open == 0) return left == 1;
    divide_evenly(rule->kind, left, open, even);
    for (uint32_t d = 0, i = 0; d < rule->dimensions; d++) {
        if (rule->given[d] > 0)
            extents[d] = rule->given[d];
        else
            extents[d] = even[is_falling(rule->kind) ? i : open - 1 - i];
        i += rule->given[d] == 0;
    }
    return true;
}

/* Returns whether an earlier rule gives the same extents for all programs and the new one. */
static bool is_known(const struct series *series, uint32_t grid) {
    const size_t bytes = sizeof series->target.of[0];
    for (uint32_t g = 0; g < grid; g++) {
        bool same = series->grids.rules[g].dimensions == series->grids.rules[grid].dimensions &&
                    memcmp(series->target.of[g], series->target.of[grid], bytes) == 0;
        for (uint32_t k = 0; k < series->program_count && same; k++)
            same = memcmp(series->programs[k].extents.of[g], series->programs[k].extents.of[grid],
                          bytes) == 0;
        if (same) return true;
    }
    return false;
}

/* Returns whether an earlier rule of recorded dimensions gives the same extents for all programs.
 * The two differ only in the new program, and the earlier one is taken. */
static bool is_second(const struct series *series, uint32_t grid) {
    for (uint32_t g = 0; g < grid; g++) {
        bool same = series->grids.rules[g].is_recorded &&
                    series->grids.rules[g].dimensions == series->grids.rules[grid].dimensions;
        for (uint32_t k = 0; k < series->program_count && same; k++)
            same = memcmp(series->programs[k].extents.of[g], series->programs[k].extents.of[grid],
                          sizeof series->target.of[0]) == 0;
        if (same) return true;
    }
    return false;
}

/* Returns the number of extents of extrapolate.grid; 0: not given. */
static uint32_t told_dimensions(const struct series *series) {
    uint32_t dimensions = 0;
    for (uint32_t d = 0; d < SERIES_DIMENSIONS; d++)
        dimensions += series->config->grid[d] > 0;
    return dimensions;
}

/* Returns whether extrapolate.grid gives the extents of grids of this rule. */
static bool is_told(const struct series *series, const struct series_grid_rule *rule) {
    return rule->dimensions > 1 && told_dimensions(series) == rule->dimensions;
}

bool series_grid_is_told(const struct series *series, uint32_t grid) {
    return is_told(series, &series->grids.rules[grid]);
}

void series_grid_add(struct series *series, const struct series_grid_rule *rule,
                     uint32_t (*extents)[SERIES_DIMENSIONS]) {
    const uint32_t grid = series->grids.count;
    if (grid == SERIES_GRIDS) return;
    series->grids.rules[grid] = *rule;
    for (uint32_t k = 0; k < series->program_count; k++) {
        uint32_t *own = series->programs[k].extents.of[grid];
        if (extents != NULL)
            memcpy(own, extents[k], sizeof series->target.of[grid]);
        else if (!grid_set_extents(rule, series->programs[k].program->rank_count, own))
            return;
    }
    if (extents == NULL && !grid_set_extents(rule, series->target_ranks, series->target.of[grid]))
        return;
    if (is_told(series, rule))
        memcpy(series->target.of[grid], series->config->grid,
               rule->dimensions * sizeof *series->config->grid);
    else if (extents != NULL)
        return;
    series->grids.rules[grid].is_second = is_second(series, grid);
    if (!is_known(series, grid)) series->grids.count++;
}

static void add_grid(struct series *series, const struct series_grid_rule *rule) {
    series_grid_add(series, rule, NULL);
}

/* Adds grids of which one or two extents are given: one of 2 to LARGEST_GIVEN, or two of 2 to 4. */
static void add_given(struct series *series, uint32_t dimensions, uint32_t given) {
    struct series_grid_rule rule = {.dimensions = dimensions, .kind = SERIES_GRID_FALLING};
    for (uint32_t place = 0; place < dimensions; place++) {
        if (given == 1) {
            for (uint32_t extent = 2; extent <= LARGEST_GIVEN; extent++) {
                rule.given[place] = extent;
                add_grid(series, &rule);
            }
        } else {
            for (uint32_t first = 2; first <= 4; first++)
                for (uint32_t second = 2; second <= 4; second++) {
                    rule.given[(place + 1) % dimensions] = first;
                    rule.given[(place + 2) % dimensions] = second;
                    add_grid(series, &rule);
                }
        }
        memset(rule.given, 0, sizeof rule.given);
    }
}

/* Lists the rare grids behind the others: that of PETSc's DMDA for cubes, and those of boxes that
 * are longer in some dimensions. */
static void add_rare_grids(struct series *series) {
    static const uint8_t boxes[][3] = {
        {1, 2, 0}, {2, 1, 0}, {1, 3, 0}, {3, 1, 0}, {1, 4, 0}, {4, 1, 0}, {1, 1, 2},
        {1, 2, 1}, {2, 1, 1}, {1, 2, 2}, {2, 1, 2}, {2, 2, 1}, {1, 1, 4}, {1, 4, 1},
        {4, 1, 1}, {1, 2, 4}, {1, 4, 2}, {2, 1, 4}, {2, 4, 1}, {4, 1, 2}, {4, 2, 1},
        {1, 2, 3}, {1, 3, 2}, {2, 1, 3}, {2, 3, 1}, {3, 1, 2}, {3, 2, 1}};
    const uint32_t count = series->grids.count;
    add_grid(series, &(struct series_grid_rule){.dimensions = 3, .kind = SERIES_GRID_MIDDLE_FIRST});
    for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++)
        add_grid(series,
                 &(struct series_grid_rule){.dimensions = boxes[i][2] > 0 ? 3 : 2,
                                            .sides = {boxes[i][0], boxes[i][1], boxes[i][2]}});
    series->grids.alternative_count = series->grids.count - count;
    series->grids.count = count;
}

status_code series_grids_find(struct series *series, struct status *status) {
    uint64_t product = 1;
    for (uint32_t d = 0; d < SERIES_DIMENSIONS; d++)
        if (series->config->grid[d] > 0) product *= series->config->grid[d];
    RETURN_ERROR_IF(
        series->config->grid[0] > 0 && product != series->target_ranks, status, STATUS_USAGE,
        "extrapolate.grid has %llu places, but extrapolate.ranks is %u; set one to the other",
        (unsigned long long)product, series->target_ranks);
    static const uint32_t order[] = {3, 2, 4};
    add_grid(series, &(struct series_grid_rule){.dimensions = 1});
    series_recorded_grids_add(series);
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        for (series_grid_kind kind = SERIES_GRID_FALLING; kind <= SERIES_GRID_RISING; kind++)
            add_grid(series, &(struct series_grid_rule){.dimensions = order[i], .kind = kind});
    for (uint32_t dimensions = 2; dimensions <= SERIES_DIMENSIONS; dimensions++)
        for (series_grid_kind kind = SERIES_GRID_SORTED_FALLING; kind <= SERIES_GRID_SPREAD_RISING;
             kind++)
            add_grid(series, &(struct series_grid_rule){.dimensions = dimensions, .kind = kind});
    add_given(series, 2, 1);
    add_given(series, 3, 1);
    add_given(series, 3, 2);
    series_orders_list(series);
    add_rare_grids(series);
    return STATUS_OK;
}

void grid_text(const struct series *series, uint32_t grid,
               const struct series_grid_extents *extents, char *text, size_t size) {
    size_t length = 0;
    *text = '\0';
    for (uint32_t d = 0; d < series->grids.rules[grid].dimensions && length < size; d++)
        length += (size_t)snprintf(text + length, size - length, "%s%u", d > 0 ? " x " : "",
                                   extents->of[grid][d]);
}

static const char *library_text(series_grid_kind kind) {
    return kind <= SERIES_GRID_FACTORS_RISING ? "of MPI_Dims_create by Open MPI"
                                              : "of MPI_Dims_create by MPICH";
}

void grid_rule_text(const struct series_grid_rule *rule, char *text, size_t size) {
    uint32_t open = 0;
    size_t length = 0;
    for (uint32_t d = 0; d < rule->dimensions; d++)
        open += rule->given[d] == 0;
    if (rule->dimensions == 1) {
        snprintf(text, size, "the ranks in their order");
        return;
    }
    length += (size_t)snprintf(text, size, "%u-D%s", rule->dimensions,
                               rule->is_recorded ? ", of a Cartesian topology" : "");
    if (rule->kind == SERIES_GRID_RECORDED) return;
    if (rule->sides[0] > 0) {
        char third[16] = "";
        if (rule->dimensions == 3) snprintf(third, sizeof third, " x %u", rule->sides[2]);
        snprintf(text + length, size - length,
                 ", parts of a box of %u x %u%s with the least surface", rule->sides[0],
                 rule->sides[1], third);
        return;
    }
    if (rule->kind == SERIES_GRID_MIDDLE_FIRST) {
        snprintf(text + length, size - length,
                 ", extent 2 near the cube root, extent 1 near the square root of the rest");
        return;
    }
    for (uint32_t d = 0; d < rule->dimensions && length < size; d++)
        if (rule->given[d] > 0)
            length += (size_t)snprintf(text + length, size - length, ", extent %u is %u", d + 1,
                                       rule->given[d]);
    if (length < size && open > 1)
        snprintf(text + length, size - length, ", extents %s, the %s first",
                 grid_is_of_library(rule) ? library_text(rule->kind) : "as equal as possible",
                 is_falling(rule->kind) ? "largest" : "smallest");
    else if (length < size)
        snprintf(text + length, size - length, ", the rest in extent %u",
                 rule->given[0] == 0   ? 1u
                 : rule->given[1] == 0 ? 2u
                                       : 3u);
}

/* Returns whether two grids have the same extents in another order. */
static bool is_reordered(const uint32_t left[SERIES_DIMENSIONS],
                         const uint32_t right[SERIES_DIMENSIONS]) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < SERIES_DIMENSIONS; i++)
        for (uint32_t j = 0; j < SERIES_DIMENSIONS; j++)
            if (left[i] == right[j] && (found >> j & 1) == 0) {
                found |= 1u << j;
                break;
            }
    return found == (1u << SERIES_DIMENSIONS) - 1;
}

/* Looks for another rule that gives the extents of all programs, and gives the new program others:
 * the same extents in another order (is_other_order), or other ones. Returns false if there is
 * none.
 */
static bool find_alternative(const struct series *series, uint32_t grid, bool is_other_order,
                             uint32_t *alternative) {
    const size_t bytes = sizeof series->target.of[0];
    const uint32_t *own = series->target.of[grid];
    if (is_told(series, &series->grids.rules[grid])) return false;
    for (uint32_t g = 0; g < series->grids.count; g++) {
        bool same =
            g != grid && series->grids.rules[g].dimensions == series->grids.rules[grid].dimensions;
        for (uint32_t k = 0; k < series->program_count && same; k++)
            same = memcmp(series->programs[k].extents.of[g], series->programs[k].extents.of[grid],
                          bytes) == 0;
        *alternative = g;
        if (same && memcmp(series->target.of[g], own, bytes) != 0 &&
            is_reordered(series->target.of[g], own) == is_other_order)
            return true;
    }
    return false;
}

bool series_grid_other_order(const struct series *series, uint32_t grid, char *text, size_t size) {
    uint32_t alternative;
    if (!find_alternative(series, grid, true, &alternative)) return false;
    grid_text(series, alternative, &series->target, text, size);
    return true;
}

/* Returns whether no extent is given. */
static bool is_free(const struct series_grid_rule *rule) {
    for (uint32_t d = 0; d < rule->dimensions; d++)
        if (rule->given[d] > 0) return false;
    return true;
}

bool series_grid_has_other(const struct series *series, uint32_t grid, char *text, size_t size) {
    uint32_t alternative;
    if (!find_alternative(series, grid, false, &alternative)) return false;
    grid_text(series, alternative, &series->target, text, size);
    return true;
}

/* Returns whether some program of the series has the extent 1 in a dimension (is_one), or more. */
static bool is_seen(const struct series *series, uint32_t grid, uint32_t dimension, bool is_one) {
    for (uint32_t k = 0; k < series->program_count; k++)
        if ((series->programs[k].extents.of[grid][dimension] == 1) == is_one) return true;
    return false;
}

bool series_grid_is_alike(const struct series *series, uint32_t grid) {
    for (uint32_t d = 0; d < series->grids.rules[grid].dimensions; d++)
        if (!is_seen(series, grid, d, series->target.of[grid][d] == 1)) return false;
    return true;
}

/* Returns the number, from 1, of a dimension in which all programs have one rank and the new one
 * more; 0: there is none. */
static uint32_t unseen_dimension(const struct series *series, uint32_t grid) {
    for (uint32_t d = 0; d < series->grids.rules[grid].dimensions; d++)
        if (series->target.of[grid][d] > 1 && !is_seen(series, grid, d, false)) return d + 1;
    return 0;
}

bool series_grid_is_unseen(const struct series *series, uint32_t grid) {
    const struct series_grid_rule *rule = &series->grids.rules[grid];
    for (uint32_t d = 0; d < rule->dimensions; d++) {
        const bool is_one = series->target.of[grid][d] == 1;
        if (rule->given[d] > 0 || (is_one && !is_seen(series, grid, d, true))) return false;
    }
    return unseen_dimension(series, grid) > 0;
}

/* Refuses an extrapolate.grid with a dimension that no program of the series shows. */
static status_code refuse_unseen(const struct series *series, uint32_t grid,
                                 struct status *status) {
    static const char *const examples[] = {"", "", "4, 6 or 9", "8, 12 or 18", "16, 24 or 36"};
    char told[SERIES_TEXT], few[SERIES_TEXT], many[SERIES_TEXT];
    grid_text(series, grid, &series->target, told, sizeof told);
    grid_text(series, grid, &series->programs[0].extents, few, sizeof few);
    grid_text(series, grid, &series->programs[series->program_count - 1].extents, many,
              sizeof many);
    return status_set(
        status, STATUS_USAGE,
        "extrapolate.grid says %s, but the grids of the series are %s to %s: no program shows "
        "what ranks do along dimension %u; add programs whose grids have several "
        "ranks in each dimension, such as %s ranks",
        told, few, many, unseen_dimension(series, grid),
        examples[series->grids.rules[grid].dimensions]);
}

/* Writes the next larger number of ranks whose grid is like those of the series; "": none is within
 * FARTHEST. */
static void fitting_text(const struct series *series, uint32_t grid, char *text, size_t size) {
    enum { FARTHEST = 1000 };
    *text = '\0';
    for (uint32_t more = 1; more < FARTHEST; more++) {
        struct series_grid_extents extents;
        const uint32_t ranks = series->target_ranks + more;
        bool fits = grid_set_extents(&series->grids.rules[grid], ranks, extents.of[grid]);
        for (uint32_t d = 0; d < series->grids.rules[grid].dimensions && fits; d++)
            fits = is_seen(series, grid, d, extents.of[grid][d] == 1);
        if (!fits) continue;
        char example[SERIES_TEXT];
        grid_text(series, grid, &extents, example, sizeof example);
        snprintf(text, size, ", such as %u (%s)", ranks, example);
        return;
    }
}

/* Refuses an extrapolate.grid with a number of dimensions that no grid in use has. */
static status_code check_told(const struct series *series, struct status *status) {
    const uint32_t told = told_dimensions(series);
    uint32_t used = 0;
    for (uint32_t g = 0; g < series->grids.count; g++)
        if (series->grids.used[g] && series->grids.rules[g].dimensions > used)
            used = series->grids.rules[g].dimensions;
    if (told == 0) return STATUS_OK;
    for (uint32_t g = 0; g < series->grids.count; g++)
        if (series->grids.used[g] && is_told(series, &series->grids.rules[g])) return STATUS_OK;
    for (uint32_t g = 0; g < series->grids.count; g++)
        if (is_told(series, &series->grids.rules[g]) && series_grid_is_unseen(series, g))
            return refuse_unseen(series, g, status);
    if (used > 1)
        return status_set(
            status, STATUS_USAGE,
            "extrapolate.grid has %u extents, but the grid of the series has %u dimensions", told,
            used);
    return status_set(
        status, STATUS_USAGE,
        "extrapolate.grid has %u extents, but nothing in the series follows a process "
        "grid; leave it out",
        told);
}

status_code series_grids_check(const struct series *series, struct status *status) {
    FORWARD_IF_ERROR(check_told(series, status));
    for (uint32_t g = 0; g < series->grids.count; g++) {
        if (!series->grids.used[g]) continue;
        char text[SERIES_TEXT], other[SERIES_TEXT + 32];
        uint32_t alternative = 0;
        grid_text(series, g, &series->target, text, sizeof text);
        for (uint32_t d = 0; d < series->grids.rules[g].dimensions; d++) {
            const uint32_t extent = series->target.of[g][d];
            if (is_seen(series, g, d, extent == 1)) continue;
            fitting_text(series, g, other, sizeof other);
            return status_set(status, STATUS_INPUT,
                              "%u ranks do not fit the rule of the series: the grid would be %s, "
                              "and no program of the series has %s along dimension %u; choose "
                              "another extrapolate.ranks%s, or extrapolate.grid",
                              series->target_ranks, text,
                              extent == 1 ? "one rank alone" : "several ranks", d + 1, other);
        }
        if (!find_alternative(series, g, false, &alternative)) continue;
        /* Most applications divide ranks as equally as possible, and the rules that do so differ
         * for few numbers of ranks only. So such a grid comes before those with given extents.
         * Recorded dimensions have the first rule that gives them. */
        const struct series_grid_rule *own = &series->grids.rules[g];
        const struct series_grid_rule *against = &series->grids.rules[alternative];
        const bool are_even = !grid_is_rare(own) && !grid_is_rare(against);
        if (own->is_recorded || (is_free(own) && (!is_free(against) || are_even))) continue;
        grid_text(series, alternative, &series->target, other, sizeof other);
        return status_set(status, STATUS_INPUT,
                          "the grid of %u ranks may be %s or %s, both fit the series: add a "
                          "program with another number of ranks, or choose with extrapolate.grid, "
                          "such as 16x16x8",
                          series->target_ranks, text, other);
    }
    return STATUS_OK;
}

uint32_t series_grid_only_extent(const struct series *series, uint32_t grid, uint32_t dimensions) {
    uint32_t only = 0;
    for (uint32_t k = 0; k < series->program_count; k++)
        for (uint32_t d = 0; d < series->grids.rules[grid].dimensions; d++) {
            const uint32_t own = series->programs[k].extents.of[grid][d];
            if (own < 3 || (dimensions >> d & 1) == 0) continue;
            if (only != 0 && own != only) return 0;
            only = own;
        }
    return only;
}
