/*
 * Exact laws of parts that share the remainder of a division in other ways (SERIES_PART_LAST_RANKS
 * and the kinds after it), or whose elements are rows of a length that only the sizes show. The
 * total is the sum of all parts of the smallest program.
 */
#include "traces/extrapolate/laws/series_law.h"
#include "traces/extrapolate/laws/sizes/law_sizes.h"

enum { MOST_PARTS = 1024 }; /* of the smallest program */

/* Bytes of an element, in the order in which they are tried; then those of a row are. */
static const int64_t units[] = {8, 4, 1, 16, 2};
enum { UNITS = sizeof units / sizeof *units, LARGEST_UNIT = 16, RARE_UNIT = 2 };

bool law_may_have_remainders(const struct series_law_data *data) {
    bool is_unequal = false;
    for (size_t i = 1; i < data->count; i++) {
        const struct series_sample *sample = &data->step->samples[data->samples[i]];
        const struct series_sample *before = &data->step->samples[data->samples[i - 1]];
        if (before->program != sample->program ||
            law_sample_value(data, i) == law_sample_value(data, i - 1))
            continue;
        if (before->rank == sample->rank) return false;
        is_unequal = true;
    }
    return is_unequal;
}

/* Sets the total to the sum of the parts of the first program. Returns false if no rank has some of
 * these parts. */
static bool set_total(const struct series_law_data *data, struct series_law *law) {
    uint64_t seen[MOST_PARTS / 64] = {0};
    const uint32_t program = data->step->samples[data->samples[0]].program;
    int64_t found = 0, parts = 0;
    law->a = 0;
    for (size_t i = 0; i < data->count; i++) {
        if (data->step->samples[data->samples[i]].program != program) break;
        const struct series_place place = law_place(data, i);
        const int64_t value = law_sample_value(data, i);
        const int64_t x = law_part_number(law, data->series, &place, &parts);
        if (parts > MOST_PARTS || value % law->d != 0 || value > INT64_MAX / MOST_PARTS)
            return false;
        if ((seen[x / 64] >> (x % 64) & 1) != 0) continue;
        seen[x / 64] |= UINT64_C(1) << (x % 64);
        law->a += value / law->d;
        found++;
    }
    return parts > 1 && found == parts;
}

/* Sets the total, and returns whether the law gives all values. */
static bool fits(const struct series_law_data *data, struct series_law *law) {
    if (!set_total(data, law)) return false;
    for (size_t i = data->count; i-- > 0;) {
        const struct series_place place = law_place(data, i);
        if (law_parts_value(data->series, law, &place) != law_sample_value(data, i)) return false;
    }
    return true;
}

/* Takes a law, or adds it to the alternatives of the law that was taken. It is as good as this law
 * if it has the same elements, unless is_known. */
static void take(const struct series_law_data *data, const struct series_law *found, bool is_known,
                 struct series_law *law, struct series_alternatives *alternatives) {
    if (law->kind == SERIES_LAW_NONE)
        *law = *found;
    else
        law_add_alternative(data, found, !is_known && law->d == found->d, law, alternatives);
}

/* Looks for parts along a dimension, with all ways to share the remainder (is_row: also the usual
 * one) and all shifts. wanted: a law of which all but these and the total are set. */
static void find_along(const struct series_law_data *data, const struct series_law *wanted,
                       bool is_row, bool is_known, struct series_law *law,
                       struct series_alternatives *alternatives) {
    static const int32_t shifts[] = {0, -1, 1, -2, 2};
    struct series_law found = *wanted;
    for (int part = is_row ? SERIES_PART_OF_RANK : SERIES_PART_LAST_RANKS;
         part <= SERIES_PART_BLOCK; part++) {
        if (part == SERIES_PART_SMALLEST || part == SERIES_PART_LARGEST) continue;
        found.part = (series_part)part;
        for (size_t s = 0; s < sizeof shifts / sizeof *shifts; s++) {
            found.rules[0].parameter = shifts[s];
            if (fits(data, &found)) take(data, &found, is_known, law, alternatives);
        }
    }
}

bool law_find_remainders(const struct series_law_data *data, struct series_law *law,
                         struct series_alternatives *alternatives) {
    const struct series *series = data->series;
    const bool is_known = law->kind != SERIES_LAW_NONE;
    if (!law_may_have_remainders(data)) return is_known;
    const int64_t row = law_common_divisor(data);
    for (uint32_t g = 0; g < series->grids.count; g++)
        for (uint32_t d = 0; d < series->grids.rules[g].dimensions; d++)
            for (size_t u = 0; u <= UNITS && (g == 0 || series->grids.used[g]); u++) {
                struct series_law wanted = {.kind = SERIES_LAW_PARTS,
                                            .programs = data->programs,
                                            .d = u < UNITS ? units[u] : row};
                wanted.feature.grid = (uint8_t)g;
                wanted.feature.dimension = (uint8_t)d;
                wanted.feature.level = SERIES_DEPTH;
                if (u == UNITS && row <= LARGEST_UNIT) continue;
                if (wanted.d == 0 || row % wanted.d != 0) continue;
                if (wanted.d == RARE_UNIT && law->kind != SERIES_LAW_NONE) continue;
                find_along(data, &wanted, u == UNITS, is_known, law, alternatives);
                wanted.sharers = SERIES_SHARED_BY_OTHERS;
                if (g == 0) find_along(data, &wanted, u == UNITS, is_known, law, alternatives);
            }
    return law->kind != SERIES_LAW_NONE;
}
