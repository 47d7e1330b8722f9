/*
 * Exact laws of parts with ghost cells: each rank has its part of a total, and the same number of
 * bytes beyond it (the margin), such as the rows of two neighbours.
 */
#include "traces/extrapolate/grids/series_grids.h"
#include "traces/extrapolate/laws/series_law.h"
#include "traces/extrapolate/laws/sizes/law_sizes.h"

enum { MOST_PARTS = 1024 }; /* along a dimension */
enum { NONE = -1 };         /* instead of a value: it is not known */

/* The values of one program along a dimension of a grid. */
struct line_sum {
    int64_t sum;   /* of the values of all coordinates */
    int64_t ranks; /* extent of the dimension */
    bool is_whole; /* each coordinate has one value */
};

/* Adds up the values of one program, from sample `first` on. Returns the index of the first sample
 * of the next program; if the line is not whole, of some sample of this one. */
static size_t add_up(const struct series_law_data *data, uint32_t grid, uint32_t dimension,
                     size_t first, struct line_sum *line) {
    const uint32_t program = data->step->samples[data->samples[first]].program;
    int64_t values[MOST_PARTS];
    uint32_t found = 0;
    size_t i = first;
    const uint32_t extent = data->series->programs[program].extents.of[grid][dimension];
    *line = (struct line_sum){.ranks = extent, .is_whole = extent <= MOST_PARTS};
    for (uint32_t x = 0; x < extent && line->is_whole; x++)
        values[x] = NONE;
    for (; i < data->count && data->step->samples[data->samples[i]].program == program &&
           line->is_whole;
         i++) {
        const struct series_place place = law_place(data, i);
        uint32_t coordinates[SERIES_DIMENSIONS];
        grid_coordinates(place.extents->of[grid], data->series->grids.rules[grid].dimensions,
                         place.rank, coordinates);
        const int64_t value = law_sample_value(data, i);
        int64_t *known = &values[coordinates[dimension]];
        line->is_whole =
            value > 0 && value < INT64_MAX / MOST_PARTS && (*known == NONE || *known == value);
        if (*known != NONE) continue;
        *known = value;
        line->sum += value;
        found++;
    }
    line->is_whole = line->is_whole && found == extent;
    return i;
}

/* Sets *margin to the number of bytes by which the sum along a dimension grows with each rank.
 * Returns false if it differs between programs, or is not positive. */
static bool find_margin(const struct series_law_data *data, uint32_t grid, uint32_t dimension,
                        int64_t *margin) {
    struct line_sum first, next;
    *margin = 0;
    size_t i = add_up(data, grid, dimension, 0, &first);
    if (!first.is_whole) return false;
    while (i < data->count) {
        i = add_up(data, grid, dimension, i, &next);
        if (!next.is_whole) return false;
        const int64_t ranks = next.ranks - first.ranks, more = next.sum - first.sum;
        if (ranks == 0 ? more != 0 : more % ranks != 0) return false;
        if (ranks != 0 && *margin != 0 && more / ranks != *margin) return false;
        if (ranks != 0) *margin = more / ranks;
    }
    return *margin > 0;
}

/* Returns whether all values are more than the margin. */
static bool are_above(const struct series_law_data *data, int64_t margin) {
    for (size_t i = 0; i < data->count; i++)
        if (law_sample_value(data, i) <= margin) return false;
    return true;
}

bool law_find_ghosts(const struct series_law_data *data, struct series_law *law,
                     struct series_alternatives *alternatives) {
    const struct series *series = data->series;
    if (data->margin != 0 || data->share != SERIES_SHARE_WHOLE || !law_may_have_remainders(data))
        return false;
    for (uint32_t g = 0; g < series->grids.count; g++)
        for (uint32_t d = 0; d < series->grids.rules[g].dimensions; d++) {
            struct series_law_data parts = *data;
            if (g > 0 && !series->grids.used[g]) continue;
            if (!find_margin(data, g, d, &parts.margin) || !are_above(data, parts.margin)) continue;
            *law = (struct series_law){.kind = SERIES_LAW_NONE};
            alternatives->count = 0;
            law_find_parts(&parts, law, alternatives);
            if (!law_find_remainders(&parts, law, alternatives)) continue;
            law->margin = parts.margin;
            for (uint32_t i = 0; i < alternatives->count; i++) {
                alternatives->list[i].law.margin = parts.margin;
                alternatives->list[i].own += parts.margin;
                alternatives->list[i].other += parts.margin;
            }
            return true;
        }
    return false;
}
