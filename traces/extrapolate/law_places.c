/*
 * Exact laws of tags that are numbers of places in a plane: a code whose cells lie along diagonals
 * of the ranks numbers a message by the cell. Each coordinate of the place is a sum of one or both
 * coordinates of the rank, or of these and the iteration, with either sign, and of a number.
 */
#include "traces/extrapolate/series_law.h"

#include <inttypes.h>
#include <stdio.h>

enum { SIGNS = 3, SUMS = SIGNS * SIGNS * SIGNS, MOST_MORE = 2, MORES = 2 * MOST_MORE + 1 };

/* The parts of a sum, by its number: whether they are added (1), taken away (-1) or neither. */
struct place_sum {
    int64_t x, y, index, more;
};

static struct place_sum sum_of(int32_t number) {
    const int32_t signs = number / MORES;
    return (struct place_sum){.x = signs % SIGNS - 1,
                              .y = signs / SIGNS % SIGNS - 1,
                              .index = signs / SIGNS / SIGNS - 1,
                              .more = number % MORES - MOST_MORE};
}

static bool has_rank(int32_t number) {
    const struct place_sum sum = sum_of(number);
    return sum.x != 0 || sum.y != 0;
}

/* Returns a coordinate of the place. */
static int64_t coordinate_of(const struct series *series, const struct series_law *law,
                             uint32_t dimension, const struct series_place *place) {
    const struct series_coordinate_rule *rule = &law->rules[dimension];
    const struct place_sum sum = sum_of(rule->parameter);
    uint32_t coordinates[SERIES_DIMENSIONS];
    const uint32_t *extents = place->extents->of[law->grid];
    grid_coordinates(extents, series->grids[law->grid].dimensions, place->rank, coordinates);
    const int64_t index = rule->level < place->depth ? place->index[rule->level] : 0;
    const int64_t extent = extents[dimension];
    const int64_t value =
        sum.x * coordinates[0] + sum.y * coordinates[1] + sum.index * index + sum.more;
    return (value % extent + extent) % extent;
}

int64_t law_place_value(const struct series *series, const struct series_law *law,
                        const struct series_place *place) {
    return law->a + coordinate_of(series, law, 0, place) +
           coordinate_of(series, law, 1, place) * place->extents->of[law->grid][0];
}

/* Returns whether a rule gives a coordinate of all values. */
static bool rule_fits(const struct series_law_data *data, const struct series_law *law,
                      uint32_t dimension) {
    for (size_t i = data->count; i-- > 0;) {
        const struct series_place place = law_place(data, i);
        const int64_t extent = place.extents->of[law->grid][0];
        const int64_t number = law_sample_value(data, i) - law->a;
        if (coordinate_of(data->series, law, dimension, &place) !=
            (dimension == 0 ? number % extent : number / extent))
            return false;
    }
    return true;
}

/* Sets the least value. Returns false if it is not the same in all programs, or some value is too
 * large for a place. */
static bool find_least(const struct series_law_data *data, int64_t *least) {
    uint32_t program = UINT32_MAX;
    int64_t own = 0;
    for (size_t i = 0; i <= data->count; i++) {
        const bool is_next =
            i == data->count || data->step->samples[data->samples[i]].program != program;
        if (is_next && program != UINT32_MAX) {
            if (program != data->step->samples[data->samples[0]].program && own != *least)
                return false;
            *least = own;
        }
        if (i == data->count) break;
        const int64_t value = law_sample_value(data, i);
        if (is_next || value < own) own = value;
        program = data->step->samples[data->samples[i]].program;
    }
    for (size_t i = 0; i < data->count; i++)
        if (law_sample_value(data, i) - *least >= law_place(data, i).ranks) return false;
    return true;
}

/* Finds the rule of a dimension. Another rule that fits and gives the new program other values
 * makes the law open. */
static bool find_rule(const struct series_law_data *data, uint32_t dimension,
                      struct series_law *law) {
    struct series_law other = *law;
    struct series_coordinate_rule *rule = &other.rules[dimension];
    struct series_rival rival;
    bool found = false;
    for (uint32_t level = data->step->depth > 0 ? data->step->depth : 1; level-- > 0;)
        for (int32_t number = 0; number < SUMS * MORES; number++) {
            *rule = (struct series_coordinate_rule){.level = (uint8_t)level, .parameter = number};
            if (!has_rank(number) || !rule_fits(data, &other, dimension)) continue;
            if (found && laws_differ(data, law, &other, true, &rival)) law->is_open = true;
            if (!found) law->rules[dimension] = *rule;
            found = true;
        }
    return found;
}

bool law_find_place(const struct series_law_data *data, struct series_law *law) {
    int64_t least = 0;
    if (!find_least(data, &least)) return false;
    for (uint32_t g = 0; g < data->series->grid_count; g++) {
        *law = (struct series_law){
            .kind = SERIES_LAW_PLACE, .grid = g, .a = least, .programs = data->programs};
        if (data->series->grids[g].dimensions == 2 && data->series->grid_used[g] &&
            find_rule(data, 0, law) && find_rule(data, 1, law))
            return true;
    }
    return false;
}

/* Writes "x + y - iteration + 1". */
static void sum_text(const struct place_sum *sum, char *text, size_t size) {
    static const char *const names[] = {"x", "y", "iteration"};
    const int64_t signs[] = {sum->x, sum->y, sum->index};
    size_t used = 0;
    *text = '\0';
    for (size_t i = 0; i < sizeof signs / sizeof *signs && used < size; i++)
        if (signs[i] != 0)
            used += (size_t)snprintf(
                text + used, size - used, "%s%s",
                signs[i] < 0 ? (used > 0 ? " - " : "-") : (used > 0 ? " + " : ""), names[i]);
    if (used < size && used == 0) snprintf(text, size, "%" PRId64, sum->more);
    if (used < size && used > 0 && sum->more != 0)
        snprintf(text + used, size - used, " %c %" PRId64, sum->more < 0 ? '-' : '+',
                 sum->more < 0 ? -sum->more : sum->more);
}

void law_place_text(const struct series *series, const struct series_law *law, char *text,
                    size_t size) {
    char extents[SERIES_TEXT], sums[2][64];
    for (uint32_t d = 0; d < 2; d++) {
        const struct place_sum sum = sum_of(law->rules[d].parameter);
        sum_text(&sum, sums[d], sizeof sums[d]);
    }
    grid_text(series, law->grid, &series->target, extents, sizeof extents);
    snprintf(text, size, "%" PRId64 " + the place (%s, %s) of %s", law->a, sums[0], sums[1],
             extents);
}
