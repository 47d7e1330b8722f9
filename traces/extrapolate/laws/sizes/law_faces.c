/*
 * Exact laws of faces. A box of cells is divided among the ranks of a grid as equally as whole
 * cells allow. A message has the face of a rank's part, which is the product of its parts along two
 * dimensions, or a buffer that is large enough for such a face.
 */
#include "traces/extrapolate/grids/series_grids.h"
#include "traces/extrapolate/laws/series_law.h"
#include "traces/extrapolate/laws/sizes/law_sizes.h"

#include <inttypes.h>
#include <stdio.h>

enum {
    FEWEST_CELLS = 25,    /* of a face */
    MOST_CELLS = 1 << 26, /* of a face */
    MOST_FACES = 8        /* different values that are counted */
};

/* Bytes of a cell, in the order in which they are tried. */
static const int64_t units[] = {8, 4, 1, 16, 24, 32, 40};
enum { UNITS = sizeof units / sizeof *units };

/* Returns the part of a total that the rank at a coordinate gets. */
static int64_t part_of(int64_t total, int64_t coordinate, int64_t extent) {
    return total / extent + (coordinate < total % extent ? 1 : 0);
}

/* Where a rank is along the two dimensions of a face. */
struct face_place {
    int64_t coordinates[2], extents[2];
};

/* Returns where the rank of a place is. */
static struct face_place place_in(const struct series *series, const struct series_law *law,
                                  const struct series_place *place) {
    uint32_t coordinates[SERIES_DIMENSIONS];
    const uint32_t *extents = place->extents->of[law->grid];
    grid_coordinates(extents, series->grids.rules[law->grid].dimensions, place->rank, coordinates);
    const uint32_t first = law->dimensions[0], second = law->dimensions[1];
    return (struct face_place){{coordinates[first], coordinates[second]},
                               {extents[first], extents[second]}};
}

/* Returns the number of cells of a buffer, which is the same on all ranks. */
static int64_t padded_cells(const struct series_law *law, int64_t total,
                            const struct face_place *at) {
    return (total / at->extents[0] + law->margin) * (total / at->extents[1] + law->margin);
}

int64_t law_face_value(const struct series *series, const struct series_law *law,
                       const struct series_place *place) {
    const struct face_place at = place_in(series, law, place);
    if (law->margin > 0) return law->d * padded_cells(law, law->a, &at);
    return law->d * part_of(law->a, at.coordinates[0], at.extents[0]) *
           part_of(law->b, at.coordinates[1], at.extents[1]);
}

/* Sets law->b to the smallest second total that gives all values with the first total in law->a,
 * and *last to the largest one. Each value sets two bounds, as in law_parts.c. Returns false if
 * there is no such total. */
static bool find_second(const struct series_law_data *data, struct series_law *law, int64_t *last) {
    int64_t low = INT64_MIN, high = INT64_MAX;
    for (size_t i = 0; i < data->count; i++) {
        const struct series_place place = law_place(data, i);
        const struct face_place at = place_in(data->series, law, &place);
        const int64_t by = law->d * part_of(law->a, at.coordinates[0], at.extents[0]);
        const int64_t value = law_sample_value(data, i);
        if (by == 0 || value % by != 0) return false;
        const int64_t top = value / by * at.extents[1] + at.coordinates[1];
        if (top < high) high = top;
        if (top - at.extents[1] + 1 > low) low = top - at.extents[1] + 1;
        if (low > high) return false;
    }
    law->b = low;
    *last = high;
    return low > 0;
}

/* Takes a law, or adds it to the alternatives of the law that was taken. */
static void take(const struct series_law_data *data, const struct series_law *found,
                 struct series_law *law, struct series_alternatives *alternatives) {
    if (law->kind == SERIES_LAW_NONE)
        *law = *found;
    else
        law_add_alternative(data, found, false, law, alternatives);
}

/* Looks for totals by which the first value has `part` cells along the first dimension. same: both
 * totals must be equal. */
static void find_totals(const struct series_law_data *data, const struct series_law *wanted,
                        int64_t part, bool same, struct series_law *law,
                        struct series_alternatives *alternatives) {
    const struct series_place place = law_place(data, 0);
    const struct face_place at = place_in(data->series, wanted, &place);
    const int64_t top = part * at.extents[0] + at.coordinates[0];
    for (int64_t total = top; total > top - at.extents[0] && total > 0; total--) {
        struct series_law found = *wanted;
        int64_t last;
        found.a = total;
        if (!find_second(data, &found, &last)) continue;
        if (same && (total < found.b || total > last)) continue;
        if (same) found.b = last = total;
        take(data, &found, law, alternatives);
        if (last == found.b) continue;
        found.b = last;
        take(data, &found, law, alternatives);
    }
}

/* Looks for faces along the two dimensions of `wanted`: tries all ways to divide the first value
 * into two factors. */
static void find_face(const struct series_law_data *data, const struct series_law *wanted,
                      bool same, struct series_law *law, struct series_alternatives *alternatives) {
    const int64_t value = law_sample_value(data, 0);
    if (value % wanted->d != 0) return;
    const int64_t cells = value / wanted->d;
    if (cells < FEWEST_CELLS || cells > MOST_CELLS) return;
    for (int64_t part = 1; part * part <= cells; part++) {
        if (cells % part != 0) continue;
        find_totals(data, wanted, part, same, law, alternatives);
        if (part * part != cells) find_totals(data, wanted, cells / part, same, law, alternatives);
    }
}

/* Returns whether there are at least `fewest` different values, so that a face hardly fits them by
 * chance. */
static bool are_many(const struct series_law_data *data, uint32_t fewest) {
    int64_t seen[MOST_FACES];
    uint32_t count = 0;
    for (size_t i = 0; i < data->count && count < MOST_FACES; i++) {
        const int64_t value = law_sample_value(data, i);
        uint32_t known = 0;
        while (known < count && seen[known] != value)
            known++;
        if (known == count) seen[count++] = value;
    }
    return count >= fewest;
}

/* Looks for faces of cells of so many bytes in all grids in use that have `fewest` to `most`
 * dimensions.
 */
static void find_in_grids(const struct series_law_data *data, int64_t unit, bool same,
                          uint8_t fewest, uint8_t most, struct series_law *law,
                          struct series_alternatives *alternatives) {
    const struct series *series = data->series;
    for (uint32_t g = 0; g < series->grids.count; g++) {
        struct series_law wanted = {
            .kind = SERIES_LAW_FACE, .grid = g, .d = unit, .programs = data->programs};
        const uint8_t dimensions = (uint8_t)series->grids.rules[g].dimensions;
        if (dimensions < fewest || dimensions > most || !series->grids.used[g]) continue;
        for (uint8_t first = 0; first < dimensions; first++)
            for (uint8_t second = 0; second < first; second++) {
                wanted.dimensions[0] = second;
                wanted.dimensions[1] = first;
                find_face(data, &wanted, same, law, alternatives);
            }
    }
}

/* Different values that a face of equal and of unequal totals needs. */
enum { FEWEST_OF_CUBE = 2, FEWEST_OF_BOX = 4 };

static bool is_unit(int64_t bytes) {
    for (size_t u = 0; u < UNITS; u++)
        if (units[u] == bytes) return true;
    return false;
}

/* Looks for faces whose cells are rows of a length that only the sizes show: pencils of a box. */
static void find_of_rows(const struct series_law_data *data, struct series_law *law,
                         struct series_alternatives *alternatives) {
    enum { MOST_ROWS = 6 }; /* in the largest number of bytes that divides all values */
    const int64_t row = law_common_divisor(data);
    if (data->programs < 3 || !are_many(data, FEWEST_OF_BOX)) return;
    for (int same = 1; same >= 0 && law->kind == SERIES_LAW_NONE; same--)
        for (int64_t rows = 1; rows <= MOST_ROWS; rows++)
            if (row % rows == 0)
                find_in_grids(data, row / rows, same == 1, 2,
                              is_unit(row / rows) ? 2 : SERIES_DIMENSIONS, law, alternatives);
}

/* Returns the smallest total whose buffer has at least so many cells. */
static int64_t least_total(const struct series_law *law, int64_t cells,
                           const struct face_place *at) {
    int64_t low = 0, high = MOST_CELLS;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (padded_cells(law, middle, at) < cells)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Looks for the totals of buffers that give all values, and takes the smallest and the largest one.
 */
static void find_padded(const struct series_law_data *data, const struct series_law *wanted,
                        struct series_law *law, struct series_alternatives *alternatives) {
    struct series_law found = *wanted;
    int64_t low = 1, high = MOST_CELLS;
    for (size_t i = 0; i < data->count && low <= high; i++) {
        const struct series_place place = law_place(data, i);
        const struct face_place at = place_in(data->series, wanted, &place);
        const int64_t value = law_sample_value(data, i);
        if (value % found.d != 0 || value / found.d > MOST_CELLS) return;
        const int64_t first = least_total(&found, value / found.d, &at);
        const int64_t last = least_total(&found, value / found.d + 1, &at) - 1;
        if (first > low) low = first;
        if (last < high) high = last;
    }
    if (low > high) return;
    found.a = found.b = low;
    take(data, &found, law, alternatives);
    found.a = found.b = high;
    take(data, &found, law, alternatives);
}

/* Looks for buffers: some codes send one that is large enough for the faces of all ranks, with one
 * or two cells more along each of the two dimensions. */
static void find_of_buffers(const struct series_law_data *data, struct series_law *law,
                            struct series_alternatives *alternatives) {
    enum { MOST_ROWS = 6, MOST_MARGIN = 2, FEWEST_OF_BUFFERS = 3 };
    const struct series *series = data->series;
    const int64_t row = law_common_divisor(data);
    if (data->programs < 3 || !are_many(data, FEWEST_OF_BUFFERS)) return;
    for (uint32_t g = 0; g < series->grids.count; g++)
        for (int64_t rows = 1; rows <= MOST_ROWS && series->grids.used[g]; rows++)
            for (int64_t margin = 1; margin <= MOST_MARGIN; margin++) {
                const struct series_law wanted = {.kind = SERIES_LAW_FACE,
                                                  .grid = g,
                                                  .d = row / rows,
                                                  .margin = margin,
                                                  .programs = data->programs,
                                                  .dimensions = {0, 1}};
                if (series->grids.rules[g].dimensions == 2 && row % rows == 0)
                    find_padded(data, &wanted, law, alternatives);
            }
}

bool law_find_face(const struct series_law_data *data, struct series_law *law,
                   struct series_alternatives *alternatives) {
    const bool has_few = data->programs < 3; /* only faces of equal totals are looked for */
    *law = (struct series_law){.kind = SERIES_LAW_NONE};
    for (int same = 1; same >= has_few && law->kind == SERIES_LAW_NONE; same--) {
        if (!are_many(data, same == 1 && !has_few ? FEWEST_OF_CUBE : FEWEST_OF_BOX)) continue;
        for (size_t u = 0; u < UNITS && law->kind == SERIES_LAW_NONE; u++)
            find_in_grids(data, units[u], same == 1, 3, SERIES_DIMENSIONS, law, alternatives);
    }
    if (law->kind == SERIES_LAW_NONE) find_of_rows(data, law, alternatives);
    if (law->kind == SERIES_LAW_NONE) find_of_buffers(data, law, alternatives);
    return law->kind != SERIES_LAW_NONE;
}

void law_face_text(const struct series *series, const struct series_law *law, char *text,
                   size_t size) {
    char grid[SERIES_TEXT];
    grid_text(series, law->grid, &series->target, grid, sizeof grid);
    if (law->margin > 0) {
        snprintf(text, size,
                 "(floor(%" PRId64 "/n) + %" PRId64 ") (floor(%" PRId64 "/m) + %" PRId64
                 ") x %" PRId64 ", n and m the extents of %s",
                 law->a, law->margin, law->a, law->margin, law->d, grid);
        return;
    }
    snprintf(text, size,
             "the face of a part of %" PRId64 " x %" PRId64 " cells of %" PRId64
             " along dimensions %u and %u of %s",
             law->a, law->b, law->d, law->dimensions[0] + 1u, law->dimensions[1] + 1u, grid);
}
