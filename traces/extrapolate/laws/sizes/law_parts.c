/*
 * Exact laws of parts: a total is divided among n places as equally as whole elements allow
 * (series_part), and shared by the ranks of a line of a grid, by all ranks but one (a master and
 * its workers), by all pairs of ranks (the blocks of a matrix), or twice (series_sharers).
 */
#include "core/base/greatest_common_divisor.h"
#include "traces/extrapolate/grids/series_grids.h"
#include "traces/extrapolate/laws/partners/law_peers.h"
#include "traces/extrapolate/laws/series_law.h"
#include "traces/extrapolate/laws/sizes/law_sizes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Returns n, the number of places among which a total is divided. */
static int64_t sharers_of(const struct series_law *law, const struct series_place *place) {
    const int64_t extent = place->extents->of[law->feature.grid][law->feature.dimension];
    switch (law->sharers) {
    case SERIES_SHARED_BY_PAIRS:
        return extent * extent;
    case SERIES_SHARED_BY_OTHERS:
        return extent > 1 ? extent - 1 : 1;
    case SERIES_SHARED_TWICE:
        return place->ranks * extent;
    default:
        return extent;
    }
}

int64_t law_part_number(const struct series_law *law, const struct series *series,
                        const struct series_place *place, int64_t *parts) {
    uint32_t coordinates[SERIES_DIMENSIONS];
    const uint32_t *extents = place->extents->of[law->feature.grid];
    grid_coordinates(extents, series->grids.rules[law->feature.grid].dimensions, place->rank,
                     coordinates);
    const int64_t n = *parts = sharers_of(law, place);
    if (law->part == SERIES_PART_LARGEST) return 0;
    if (law->part == SERIES_PART_SMALLEST) return n - 1;
    int64_t x = (int64_t)coordinates[law->feature.dimension] + law->rules[0].parameter;
    if (law->feature.level < place->depth)
        x += (int64_t)law->rules[1].parameter * place->index[law->feature.level];
    return (x % n + n) % n;
}

/* Sets law->a to the smallest total that gives all values, and *last to the largest one. Part x of
 * n of a total t is t / n rounded down, and 1 more if x < t mod n. It is v if t is from (v - 1) n +
 * x + 1 to v n + x, so each value sets two bounds. Returns false if there is no such total. */
static bool find_total(const struct series_law_data *data, struct series_law *law, int64_t *last) {
    int64_t low = INT64_MIN, high = INT64_MAX;
    for (size_t i = 0; i < data->count; i++) {
        const struct series_place place = law_place(data, i);
        const int64_t value = law_sample_value(data, i);
        int64_t parts;
        const int64_t x = law_part_number(law, data->series, &place, &parts);
        if (value % law->d != 0 || value / law->d > INT64_MAX / 2 / parts) return false;
        const int64_t top = value / law->d * parts + x;
        if (top < high) high = top;
        if (top - parts + 1 > low) low = top - parts + 1;
        if (low > high) return false;
    }
    law->a = low;
    *last = high;
    return true;
}

/* Bytes of an element, in the order in which they are tried. RARE_UNIT is taken only if no other
 * law without an offset fits. */
static const int64_t units[] = {8, 4, 1, 16, 2};
enum { UNITS = sizeof units / sizeof *units, RARE_UNIT = 2 };

/* Returns whether all values are at least `fewest` bytes, so that equal parts of a total hardly fit
 * them by chance. */
static bool are_large(const struct series_law_data *data, int64_t fewest) {
    for (size_t i = 0; i < data->count; i++)
        if (law_sample_value(data, i) < fewest) return false;
    return true;
}

/* Completes a law of equal parts, of which sharers, d and part are set. Of the totals that fit,
 * takes the smallest one for SERIES_PART_SMALLEST, else the largest one. Sets *other to the same
 * law with the total at the other end. Returns false if no total fits. */
static bool find_rounded(const struct series_law_data *data, const struct series_feature *feature,
                         struct series_law *law, struct series_law *other) {
    law->kind = SERIES_LAW_PARTS;
    law->programs = data->programs;
    law->feature = *feature;
    law->feature.level = SERIES_DEPTH;
    int64_t last;
    if (!find_total(data, law, &last)) return false;
    *other = *law;
    *(law->part == SERIES_PART_SMALLEST ? &other->a : &law->a) = last;
    return true;
}

bool law_is_of_bytes(series_value_kind what) {
    return what == SERIES_VALUE_BYTES || what == SERIES_VALUE_RECEIVED ||
           what == SERIES_VALUE_SEND_BYTES || what == SERIES_VALUE_RECEIVE_BYTES;
}

/* Takes a law of parts, or adds it to the alternatives of the law that was taken. It is as good as
 * this law, unless is_known or if its part, elements or sharers differ. */
static void take_parts(const struct series_law_data *data, const struct series_law *found,
                       bool is_known, struct series_law *law,
                       struct series_alternatives *alternatives) {
    const bool is_alike =
        law->part == found->part && law->d == found->d && law->sharers == found->sharers;
    if (law->kind == SERIES_LAW_NONE)
        *law = *found;
    else
        law_add_alternative(data, found, !is_known && is_alike, law, alternatives);
}

/* Looks for parts along one dimension of a grid, with any shift of the places by a number of ranks
 * or by the iteration. wanted: a law of which all but these shifts and the total are set. */
static void find_along(const struct series_law_data *data, const struct series_law *wanted,
                       bool is_known, struct series_law *law,
                       struct series_alternatives *alternatives) {
    static const int32_t turns[] = {0, 1, -1}, shifts[] = {0, -1, 1, -2, 2};
    const uint32_t depth = data->step->depth - (data->is_loop ? 1u : 0u);
    struct series_law found = *wanted;
    bool any = is_known;
    for (uint32_t level = 0; level <= depth; level++)
        for (size_t t = 0; t < sizeof turns / sizeof *turns; t++)
            for (size_t s = 0; s < sizeof shifts / sizeof *shifts; s++) {
                int64_t last;
                if ((turns[t] != 0) != (level < depth)) continue;
                found.feature.level = (uint8_t)level;
                found.rules[0].parameter = shifts[s];
                found.rules[1].parameter = turns[t];
                if (!find_total(data, &found, &last) || last != found.a) continue;
                take_parts(data, &found, any, law, alternatives);
                any = true; /* laws with other shifts are alternatives, but not as good */
            }
}

/* Returns whether elements of so many bytes are looked for, beside a law: RARE_UNIT only if this
 * has an offset, or the same elements. */
static bool may_have_unit(const struct series_law *law, int64_t unit) {
    return unit != RARE_UNIT || law->kind == SERIES_LAW_NONE ||
           (law->kind == SERIES_LAW_PARTS && law->d == RARE_UNIT) ||
           (law->kind == SERIES_LAW_LINEAR && law->a != 0);
}

/* Looks for equal parts of elements of one size. alternatives_alone: other totals that fit do not
 * make the law open. */
static void find_all_rounded(const struct series_law_data *data,
                             const struct series_feature *feature, int64_t unit, bool is_known,
                             bool alternatives_alone, struct series_law *law,
                             struct series_alternatives *alternatives) {
    const bool is_of_all = data->series->grids.rules[feature->grid].dimensions == 1;
    for (series_sharers sharers = SERIES_SHARED_BY_LINE; sharers < SERIES_SHARERS; sharers++) {
        const bool is_shared_twice = sharers == SERIES_SHARED_TWICE;
        if (sharers != SERIES_SHARED_BY_LINE && is_shared_twice == is_of_all) continue;
        if (is_shared_twice && law->kind != SERIES_LAW_NONE && law->sharers != sharers) continue;
        for (series_part part = SERIES_PART_SMALLEST; part <= SERIES_PART_LARGEST; part++) {
            struct series_law found = {.d = unit, .sharers = sharers, .part = part}, other;
            if (!find_rounded(data, feature, &found, &other)) continue;
            take_parts(data, &found, is_known || alternatives_alone, law, alternatives);
            if (!is_known) take_parts(data, &other, alternatives_alone, law, alternatives);
        }
    }
}

/* Looks for equal parts of elements of the usual sizes. */
static void find_usual(const struct series_law_data *data, const struct series_feature *feature,
                       bool is_known, struct series_law *law,
                       struct series_alternatives *alternatives) {
    enum { FEWEST_ELEMENTS = 100 };
    for (size_t u = 0; u < UNITS; u++)
        if (may_have_unit(law, units[u]) && are_large(data, FEWEST_ELEMENTS * units[u]))
            find_all_rounded(data, feature, units[u], is_known, false, law, alternatives);
}

/* Looks for equal parts of larger elements, such as particles of 32 bytes: of the largest number of
 * bytes that divides all values, or a half, a third or a quarter of it. Where parts of elements of
 * the usual sizes fit, too, these are alternatives: 1024 elements of 32 bytes look like 2048 of 16
 * bytes until a part is rounded. */
static void find_rows(const struct series_law_data *data, uint32_t grid, uint32_t dimension,
                      struct series_law *law, struct series_alternatives *alternatives) {
    enum {
        MOST_ROWS = 4,      /* elements in the largest number of bytes */
        FEWEST_ROWS = 16,   /* such numbers in each value */
        LARGEST_USUAL = 16, /* bytes of an element of a usual size */
        WORD = 4            /* elements are multiples of so many bytes */
    };
    const struct series_feature feature = {.grid = (uint8_t)grid, .dimension = (uint8_t)dimension};
    const int64_t row = law_common_divisor(data);
    if (row <= LARGEST_USUAL || !are_large(data, FEWEST_ROWS * row)) return;
    for (int64_t rows = MOST_ROWS; rows > 0; rows--) /* the smallest elements first */
        if (row % (WORD * rows) == 0 && row / rows > LARGEST_USUAL)
            find_all_rounded(data, &feature, row / rows, false, true, law, alternatives);
}

/* Looks for parts along one dimension: first for equal parts, then for those by places. */
static void find_parts_in(const struct series_law_data *data, uint32_t grid, uint32_t dimension,
                          bool is_known, struct series_law *law,
                          struct series_alternatives *alternatives) {
    const bool is_of_all = data->series->grids.rules[grid].dimensions == 1;
    const struct series_feature feature = {.grid = (uint8_t)grid, .dimension = (uint8_t)dimension};
    if (law_is_of_bytes(data->what)) find_usual(data, &feature, is_known, law, alternatives);
    for (size_t u = 0; u < UNITS; u++)
        for (int by_others = 0; by_others <= (is_of_all ? 1 : 0); by_others++) {
            const struct series_law wanted = {.kind = SERIES_LAW_PARTS,
                                              .programs = data->programs,
                                              .d = units[u],
                                              .sharers = by_others == 1 ? SERIES_SHARED_BY_OTHERS
                                                                        : SERIES_SHARED_BY_LINE,
                                              .feature = feature};
            if (!may_have_unit(law, units[u])) continue;
            find_along(data, &wanted, is_known, law, alternatives);
        }
}

static bool is_rounded(const struct series_law *law) {
    return law->kind == SERIES_LAW_PARTS &&
           (law->part == SERIES_PART_SMALLEST || law->part == SERIES_PART_LARGEST);
}

bool law_own_edge(const struct series_law_data *data, uint32_t *grid, uint32_t *dimension) {
    return law_is_of_bytes(data->what) && !data->is_loop &&
           law_peer_edge(data->series, data->step, data->levels, data->group, grid, dimension) &&
           data->series->grids.used[*grid];
}

bool law_find_parts(const struct series_law_data *data, struct series_law *law,
                    struct series_alternatives *alternatives) {
    uint32_t grid, dimension;
    const bool has_edge = law_own_edge(data, &grid, &dimension);
    bool is_known = law->kind != SERIES_LAW_NONE && law->kind != SERIES_LAW_PARTS;
    if (has_edge) find_parts_in(data, grid, dimension, is_known, law, alternatives);
    is_known = is_known || law->kind == SERIES_LAW_PARTS;
    for (uint32_t g = 0; g < data->series->grids.count; g++)
        for (uint32_t d = 0; d < data->series->grids.rules[g].dimensions; d++)
            if ((g == 0 || data->series->grids.used[g]) &&
                !(has_edge && g == grid && d == dimension))
                find_parts_in(data, g, d, is_known, law, alternatives);
    const bool may_have_rows = law->kind == SERIES_LAW_NONE || is_rounded(law);
    for (uint32_t g = 0; g < data->series->grids.count && may_have_rows; g++)
        for (uint32_t d = 0; d < data->series->grids.rules[g].dimensions; d++)
            if (law_is_of_bytes(data->what) && (g == 0 || data->series->grids.used[g]))
                find_rows(data, g, d, law, alternatives);
    return law->kind != SERIES_LAW_NONE;
}

/* Returns the part at a place, without the margin. */
static int64_t part_value(const struct series *series, const struct series_law *law,
                          const struct series_place *place) {
    int64_t parts;
    const int64_t x = law_part_number(law, series, place, &parts);
    const int64_t whole = law->a / parts, rest = law->a % parts;
    switch (law->part) {
    case SERIES_PART_LAST_RANKS:
        return law->d * (whole + (x >= parts - rest ? 1 : 0));
    case SERIES_PART_LAST_RANK:
        return law->d * (whole + (x == parts - 1 ? rest : 0));
    case SERIES_PART_PROPORTIONAL:
        return law->d * (whole + rest * (x + 1) / parts - rest * x / parts);
    case SERIES_PART_BLOCK: {
        const int64_t block = whole + (rest > 0), left = law->a - block * x;
        return law->d * (left < 0 ? 0 : left < block ? left : block);
    }
    default:
        return law->d * (whole + (x < rest ? 1 : 0));
    }
}

int64_t law_parts_value(const struct series *series, const struct series_law *law,
                        const struct series_place *place) {
    return law->margin + part_value(series, law, place);
}

void law_parts_text(const struct series *series, const struct series_law *law, char *text,
                    size_t size) {
    static const char *const parts[] = {[SERIES_PART_OF_RANK] = "a part",
                                        [SERIES_PART_SMALLEST] = "the smallest part",
                                        [SERIES_PART_LARGEST] = "the largest part",
                                        [SERIES_PART_LAST_RANKS] = "a part (the last ones larger)",
                                        [SERIES_PART_LAST_RANK] = "a part (the last one larger)",
                                        [SERIES_PART_PROPORTIONAL] = "a part (in proportion)",
                                        [SERIES_PART_BLOCK] =
                                            "a part (equal blocks, then the rest)"};
    static const char *const sharers[] = {[SERIES_SHARED_BY_LINE] = "all ranks",
                                          [SERIES_SHARED_BY_PAIRS] = "the pairs of ranks",
                                          [SERIES_SHARED_BY_OTHERS] = "all ranks but one",
                                          [SERIES_SHARED_TWICE] =
                                              "all ranks and those of a line of the grid"};
    const bool is_line = series->grids.rules[law->feature.grid].dimensions > 1;
    char elements[48] = "", margin[48] = "";
    if (law->d > 1) snprintf(elements, sizeof elements, " in elements of %" PRId64, law->d);
    if (law->margin > 0) snprintf(margin, sizeof margin, "%" PRId64 " and ", law->margin);
    snprintf(text, size, "%s%s of %" PRId64 " among %s%s", margin, parts[law->part],
             law->a * law->d,
             is_line && law->sharers == SERIES_SHARED_BY_LINE ? "the ranks of a line of the grid"
                                                              : sharers[law->sharers],
             elements);
}

int64_t law_common_divisor(const struct series_law_data *data) {
    uint64_t divisor = 0;
    for (size_t i = 0; i < data->count; i++)
        divisor = greatest_common_divisor((uint64_t)llabs(law_sample_value(data, i)), divisor);
    return (int64_t)divisor;
}
