/*
 * Laws of tags that are numbers of places in a plane, their values and texts (law_place_search.c
 * finds them): a code whose cells lie along diagonals
 * of the ranks numbers a message by the cell. Each coordinate of the place is a sum of one or both
 * coordinates of the rank, or of these and the iteration, with either sign, and of a number.
 */
#include "traces/extrapolate/laws/law_places.h"
#include "traces/extrapolate/grids/series_grids.h"
#include "traces/extrapolate/laws/series_law.h"

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

uint32_t law_place_sums(void) {
    return SUMS * MORES;
}

bool law_place_has_rank(int32_t number) {
    const struct place_sum sum = sum_of(number);
    return sum.x != 0 || sum.y != 0;
}

int64_t law_place_coordinate(const struct series *series, const struct series_law *law,
                             uint32_t dimension, const struct series_place *place) {
    const struct series_coordinate_rule *rule = &law->rules[dimension];
    const struct place_sum sum = sum_of(rule->parameter);
    uint32_t coordinates[SERIES_DIMENSIONS];
    const uint32_t *extents = place->extents->of[law->grid];
    grid_coordinates(extents, series->grids.rules[law->grid].dimensions, place->rank, coordinates);
    const int64_t index = rule->level < place->depth ? place->index[rule->level] : 0;
    const int64_t extent = extents[dimension];
    const int64_t value =
        sum.x * coordinates[0] + sum.y * coordinates[1] + sum.index * index + sum.more;
    return (value % extent + extent) % extent;
}

int64_t law_place_value(const struct series *series, const struct series_law *law,
                        const struct series_place *place) {
    return law->a + law_place_coordinate(series, law, 0, place) +
           law_place_coordinate(series, law, 1, place) * place->extents->of[law->grid][0];
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
