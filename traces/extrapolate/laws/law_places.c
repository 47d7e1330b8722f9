/*
 * Values and texts of laws of tags that are a constant plus the number of a place in a plane. Some
 * codes number the lines of cells along diagonals of the ranks in this way. Each coordinate of the
 * place is a sum, modulo the extent: of one or both coordinates of the rank, or also of the
 * iteration, each added or subtracted, and of a small number. law_place_search.c finds these laws.
 */
#include "traces/extrapolate/laws/law_places.h"
#include "traces/extrapolate/grids/series_grids.h"
#include "traces/extrapolate/laws/series_law.h"

#include <inttypes.h>
#include <stdio.h>

/* A sum has three signs, each -1, 0 or 1, and an offset from -MOST_OFFSET to MOST_OFFSET. */
enum { SIGNS = 3, SUMS = SIGNS * SIGNS * SIGNS, MOST_OFFSET = 2, OFFSETS = 2 * MOST_OFFSET + 1 };

/* A sum. x, y, index: 1: the coordinate or the iteration is added; -1: it is subtracted; 0: it is
 * no part of the sum. */
struct place_sum {
    int64_t x, y, index, offset;
};

/* Returns the sum with a number. */
static struct place_sum sum_of(int32_t number) {
    const int32_t signs = number / OFFSETS;
    return (struct place_sum){.x = signs % SIGNS - 1,
                              .y = signs / SIGNS % SIGNS - 1,
                              .index = signs / SIGNS / SIGNS - 1,
                              .offset = number % OFFSETS - MOST_OFFSET};
}

uint32_t law_place_sums(void) {
    return SUMS * OFFSETS;
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
        sum.x * coordinates[0] + sum.y * coordinates[1] + sum.index * index + sum.offset;
    return (value % extent + extent) % extent;
}

int64_t law_place_value(const struct series *series, const struct series_law *law,
                        const struct series_place *place) {
    return law->a + law_place_coordinate(series, law, 0, place) +
           law_place_coordinate(series, law, 1, place) * place->extents->of[law->grid][0];
}

/* Writes a sum, such as "x + y - iteration + 1". */
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
    if (used < size && used == 0) snprintf(text, size, "%" PRId64, sum->offset);
    if (used < size && used > 0 && sum->offset != 0)
        snprintf(text + used, size - used, " %c %" PRId64, sum->offset < 0 ? '-' : '+',
                 sum->offset < 0 ? -sum->offset : sum->offset);
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
