/*
 * Exact laws of values: a constant, a linear function of one feature with rational coefficients, or
 * the part of a total that one of n ranks gets. A law is taken only if it gives every value of the
 * series.
 */
#include "traces/extrapolate/series_law.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

__extension__ typedef __int128 signed_wide;

struct series_place law_place(const struct series_law_data *data, size_t i) {
    const struct series_sample *sample = &data->step->samples[data->samples[i]];
    const struct series_program *from = &data->series->programs[sample->program];
    struct series_place place = {from->program->rank_count,
                                 sample->rank,
                                 &from->extents,
                                 data->step->depth - (data->is_loop ? 1u : 0u),
                                 {0},
                                 {0}};
    if (sample->view > 0) {
        place.rank = series_view_rank(data->series, sample->program, sample->view, sample->rank);
        place.extents = &from->views[sample->view];
    }
    for (uint32_t l = 0; l < place.depth; l++) {
        place.index[l] = sample->index[l];
        place.trips[l] = sample->trips[l];
    }
    return place;
}

static bool find_constant(const struct series_law_data *data, struct series_law *law) {
    const int64_t value = law_sample_value(data, 0);
    for (size_t i = 1; i < data->count; i++)
        if (law_sample_value(data, i) != value) return false;
    *law = (struct series_law){.kind = SERIES_LAW_CONSTANT, .a = value, .programs = data->programs};
    return true;
}

/* Finds a number k that gives k mod P: that of the largest program, whose samples come last. Only
 * roots may be such, where no rank has this number. */
static bool find_modulo(const struct series_law_data *data, struct series_law *law) {
    const int64_t value = law_sample_value(data, data->count - 1);
    for (size_t i = 0; i < data->count; i++)
        if (law_sample_value(data, i) != value % law_place(data, i).ranks) return false;
    *law = (struct series_law){.kind = SERIES_LAW_MODULO, .a = value, .programs = data->programs};
    return true;
}

/* ---- linear laws ---- */

static int64_t greatest_divisor(int64_t a, int64_t b) {
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

/* Solves value = (a + b feature) / d from two points. Returns false if the numbers are too large.
 */
static bool solve(struct series_law *law, const int64_t over[2], const int64_t under[2],
                  const int64_t value[2]) {
    /* The slope is (v1 - v0) / (f1 - f0), as a fraction. */
    const int64_t limit = INT64_C(1) << 40;
    for (int i = 0; i < 2; i++)
        if (over[i] > limit || under[i] > limit) return false;
    signed_wide rise = (signed_wide)(value[1] - value[0]) * under[0] * under[1];
    signed_wide run = (signed_wide)over[1] * under[0] - (signed_wide)over[0] * under[1];
    if (run < 0) {
        run = -run;
        rise = -rise;
    }
    if (run > INT64_MAX || rise > INT64_MAX || rise < -INT64_MAX) return false;
    int64_t common = greatest_divisor((int64_t)rise, (int64_t)run);
    if (common == 0) return false;
    const int64_t slope = (int64_t)rise / common, slope_under = (int64_t)run / common;
    /* The offset is v0 - slope f0, with the denominator slope_under under[0]. */
    signed_wide d = (signed_wide)slope_under * under[0];
    signed_wide a = (signed_wide)value[0] * d - (signed_wide)slope * over[0];
    signed_wide b = (signed_wide)slope * under[0];
    if (d > INT64_MAX || a > INT64_MAX || a < -INT64_MAX || b > INT64_MAX || b < -INT64_MAX)
        return false;
    common = greatest_divisor(greatest_divisor((int64_t)a, (int64_t)b), (int64_t)d);
    law->a = (int64_t)a / common;
    law->b = (int64_t)b / common;
    law->d = (int64_t)d / common;
    return true;
}

static bool linear_value(const struct series *series, const struct series_law *law,
                         const struct series_place *place, int64_t *value) {
    int64_t over, under;
    if (!feature_value(series, &law->feature, place, &over, &under)) return false;
    const signed_wide top = (signed_wide)law->a * under + (signed_wide)law->b * over;
    const signed_wide bottom = (signed_wide)law->d * under;
    if (top % bottom != 0) return false;
    const signed_wide result = top / bottom;
    *value = (int64_t)result;
    return result <= INT64_MAX && result >= -INT64_MAX;
}

enum { MOST_VALUES = 4 };

/* Returns whether a law of steps or of a rival is one that programs have: of steps whole numbers,
 * and an offset only where the number of ranks is divided; no rival has one. */
static bool is_usual(const struct series_law *law) {
    switch (feature_rank_of(law->feature.row)) {
    case LAW_FEATURE_STEP:
        return law->d == 1 && (law->a == 0 || feature_divisors(law->feature.row) > 0);
    case LAW_FEATURE_RIVAL:
        return law->a == 0;
    default:
        return true;
    }
}

/* Finds the law of one feature. The feature must have three different values, so that two
 * coefficients are tested. */
static bool find_linear(const struct series_law_data *data, const struct series_feature *feature,
                        struct series_law *law) {
    int64_t over[MOST_VALUES], under[MOST_VALUES], value[MOST_VALUES];
    size_t found = 0;
    for (size_t i = 0; i < data->count && found < MOST_VALUES; i++) {
        const struct series_place place = law_place(data, i);
        int64_t top, bottom;
        if (!feature_value(data->series, feature, &place, &top, &bottom)) return false;
        size_t same = 0;
        while (same < found && (signed_wide)over[same] * bottom != (signed_wide)top * under[same])
            same++;
        if (same < found) {
            if (value[same] != law_sample_value(data, i)) return false;
            continue;
        }
        over[found] = top;
        under[found] = bottom;
        value[found++] = law_sample_value(data, i);
    }
    if (found < (feature_is_a_case(feature->row) ? 2 : 3)) return false;
    *law = (struct series_law){
        .kind = SERIES_LAW_LINEAR, .feature = *feature, .programs = data->programs};
    if (!solve(law, over, under, value)) return false;
    if (!is_usual(law)) return false;
    law->tests = (uint32_t)found - (law->a != 0 ? 2 : 1);
    if (!feature_is_of_program(feature->row)) law->tests += data->programs - 1;
    for (size_t i = 0; i < data->count; i++) {
        const struct series_place place = law_place(data, i);
        int64_t predicted;
        if (!linear_value(data->series, law, &place, &predicted) ||
            predicted != law_sample_value(data, i))
            return false;
    }
    return true;
}

/* Returns whether a dimension has the same extent in all programs of the series. */
static bool is_same_everywhere(const struct series *series, uint32_t grid, uint32_t dimension) {
    for (uint32_t k = 1; k < series->program_count; k++)
        if (series->programs[k].extents.of[grid][dimension] !=
            series->programs[0].extents.of[grid][dimension])
            return false;
    return true;
}

/* Returns whether a law may take this feature. An extent says something only in a grid that the
 * partners, roles or communicators use; a coordinate in any grid. */
static bool is_candidate(const struct series_law_data *data, const struct series_feature *feature) {
    const struct series *series = data->series;
    const uint32_t g = feature->grid;
    if (!feature_needs_grid(feature->row) || !feature_is_of_program(feature->row)) return true;
    return g > 0 && series->grid_used[g] && !is_same_everywhere(series, g, feature->dimension);
}

/* Sets the next feature of the same row after *feature: in another level, or another dimension or
 * grid. Returns false after the last. */
static bool next_in_row(const struct series_law_data *data, struct series_feature *feature) {
    if (feature_needs_level(feature->row)) return feature->level-- > 0;
    if (feature_divisors(feature->row) > 0)
        return ++feature->dimension < feature_divisors(feature->row);
    if (!feature_needs_grid(feature->row)) return false;
    if (++feature->dimension < data->series->grids[feature->grid].dimensions) return true;
    feature->dimension = 0;
    return ++feature->grid < data->series->grid_count;
}

/* Sets *feature to the first one of a row. Returns false if the row has none here. */
static bool first_feature(const struct series_law_data *data, uint32_t row,
                          struct series_feature *feature) {
    const uint32_t depth = data->step->depth - (data->is_loop ? 1u : 0u);
    *feature = (struct series_feature){.row = (uint8_t)row};
    if (!feature_needs_level(row)) return true;
    feature->level = (uint8_t)(depth - 1);
    return depth > 0;
}

/* Returns the place of a linear law in the order of preference: steps last, but for rivals;
 * features of the program without an offset; features that are not rounded; grids in use. Laws with
 * equal places are as good. */
static uint32_t place_of(const struct series_law_data *data, const struct series_law *law) {
    const law_feature_rank rank = feature_rank_of(law->feature.row);
    const bool is_unused =
        feature_needs_grid(law->feature.row) && !data->series->grid_used[law->feature.grid];
    return (rank == LAW_FEATURE_RIVAL ? 16u : 0) + (rank == LAW_FEATURE_STEP ? 8u : 0) +
           (law->a != 0 || !feature_is_of_program(law->feature.row) ? 4u : 0) +
           (rank == LAW_FEATURE_ROUNDED ? 2u : 0) + (is_unused ? 1u : 0);
}

enum { MOST_FOUND = 64 };

/* Laws that fit. */
struct found_laws {
    struct series_law list[MOST_FOUND];
    uint32_t count;
};

static void find_all_linear(const struct series_law_data *data, struct found_laws *found) {
    found->count = 0;
    for (uint32_t row = 0; row < feature_rows(); row++) {
        struct series_feature feature;
        bool more = first_feature(data, row, &feature);
        for (; more && found->count < MOST_FOUND; more = next_in_row(data, &feature))
            found->count += is_candidate(data, &feature) &&
                            find_linear(data, &feature, &found->list[found->count]);
    }
}

/* Adds `other` to the rivals of a law, if it differs from the law and from the other rivals in the
 * new program. A rival that is as good makes the law open, and then is its only rival. */
static void add_rival(const struct series_law_data *data, const struct series_law *other,
                      bool is_as_good, struct series_law *law, struct series_rivals *rivals) {
    struct series_rival rival;
    if (law->is_open || !laws_differ(data, law, other, false, &rival)) return;
    for (uint32_t i = 0; i < rivals->count && !is_as_good; i++)
        if (rivals->list[i].has_other == rival.has_other && rivals->list[i].other == rival.other)
            return;
    law->is_open = is_as_good;
    if (is_as_good) rivals->count = 0;
    if (rivals->count < SERIES_MOST_RIVALS) rivals->list[rivals->count++] = rival;
}

/* Returns whether a law may be a rival. Rare divisors only compete with other steps: any series of
 * a few powers of two has one that fits. */
static bool may_be_rival(const struct series_law *other, const struct series_law *law) {
    return feature_rank_of(other->feature.row) != LAW_FEATURE_RIVAL ||
           feature_divisors(other->feature.row) == 0 ||
           feature_rank_of(law->feature.row) == LAW_FEATURE_STEP;
}

/* Takes the best law that fits, and notes another one that differs from it in the new program. */
static bool choose_linear(const struct series_law_data *data, struct series_law *law,
                          struct series_rivals *rivals) {
    struct found_laws found;
    find_all_linear(data, &found);
    uint32_t best = 0;
    for (uint32_t i = 1; i < found.count; i++)
        if (place_of(data, &found.list[i]) < place_of(data, &found.list[best])) best = i;
    if (found.count == 0 || feature_rank_of(found.list[best].feature.row) == LAW_FEATURE_RIVAL)
        return false;
    *law = found.list[best];
    for (uint32_t i = 0; i < found.count; i++)
        if (i != best && may_be_rival(&found.list[i], law))
            add_rival(data, &found.list[i], place_of(data, &found.list[i]) == place_of(data, law),
                      law, rivals);
    return true;
}

/* ---- parts of a total ---- */

/* The place among those who share: the coordinate, shifted by the iteration. */
static uint32_t part_number(const struct series_law *law, const struct series *series,
                            const struct series_place *place, uint32_t *parts) {
    uint32_t coordinates[SERIES_DIMENSIONS];
    const uint32_t *extents = place->extents->of[law->feature.grid];
    grid_coordinates(extents, series->grids[law->feature.grid].dimensions, place->rank,
                     coordinates);
    const int64_t n = extents[law->feature.dimension];
    *parts = (uint32_t)n;
    if (law->part != SERIES_PART_OF_RANK)
        return law->part == SERIES_PART_LARGEST ? 0 : (uint32_t)n - 1;
    int64_t x = (int64_t)coordinates[law->feature.dimension] + law->rules[0].parameter;
    if (law->feature.level < place->depth)
        x += (int64_t)law->rules[1].parameter * place->index[law->feature.level];
    return (uint32_t)((x % n + n) % n);
}

/* Finds the total, from the bounds that every value sets. Part x of n of a total t is t / n, and 1
 * more if x < t mod n: it is v if t is from (v - 1) n + x + 1 to v n + x. */
static bool find_total(const struct series_law_data *data, struct series_law *law, int64_t *last) {
    int64_t low = INT64_MIN, high = INT64_MAX;
    for (size_t i = 0; i < data->count; i++) {
        const struct series_place place = law_place(data, i);
        const int64_t value = law_sample_value(data, i);
        uint32_t parts;
        const int64_t x = part_number(law, data->series, &place, &parts);
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

static const int64_t units[] = {1, 8, 4}; /* bytes of an element */
enum { UNITS = sizeof units / sizeof *units };

/* Finds parts of elements of one size along one dimension of a grid, with any shift by ranks or
 * iterations. */
static bool find_parts_along(const struct series_law_data *data, uint32_t grid, uint32_t dimension,
                             int64_t unit, struct series_law *law) {
    const uint32_t depth = data->step->depth - (data->is_loop ? 1u : 0u);
    *law = (struct series_law){.kind = SERIES_LAW_PARTS, .programs = data->programs, .d = unit};
    for (uint32_t level = 0; level <= depth; level++)
        for (int32_t turn = -1; turn <= 1; turn++)
            for (int32_t shift = -2; shift <= 2; shift++) {
                if ((turn != 0) != (level < depth)) continue;
                law->feature =
                    (struct series_feature){0, (uint8_t)grid, (uint8_t)dimension, (uint8_t)level};
                law->rules[0].parameter = shift;
                law->rules[1].parameter = turn;
                int64_t last;
                if (find_total(data, law, &last) && last == law->a) return true;
            }
    return false;
}

/* Returns whether all values are so many elements that parts of a total hardly fit by chance. */
static bool are_large(const struct series_law_data *data, int64_t unit) {
    enum { FEWEST_ELEMENTS = 100 };
    for (size_t i = 0; i < data->count; i++)
        if (law_sample_value(data, i) < FEWEST_ELEMENTS * unit) return false;
    return true;
}

/* Finds parts that are the same for all ranks: a total divided by an extent and rounded. other: the
 * law with the other end of the totals that fit. */
static bool find_rounded(const struct series_law_data *data, const struct series_feature *feature,
                         int64_t unit, series_part part, struct series_law *law,
                         struct series_law *other) {
    *law = (struct series_law){.kind = SERIES_LAW_PARTS,
                               .programs = data->programs,
                               .d = unit,
                               .feature = *feature,
                               .part = part};
    int64_t last;
    law->feature.level = SERIES_DEPTH;
    if (!are_large(data, unit) || !find_total(data, law, &last)) return false;
    *other = *law;
    *(part == SERIES_PART_SMALLEST ? &other->a : &law->a) = last;
    return true;
}

static bool is_of_bytes(series_value_kind what) {
    return what == SERIES_VALUE_BYTES || what == SERIES_VALUE_RECEIVED ||
           what == SERIES_VALUE_SEND_BYTES || what == SERIES_VALUE_RECEIVE_BYTES;
}

/* Takes a law of parts, or compares it with the one that was found. */
static void take_parts(const struct series_law_data *data, const struct series_law *found,
                       bool is_known, struct series_law *law, struct series_rivals *rivals) {
    if (law->kind == SERIES_LAW_NONE)
        *law = *found;
    else
        add_rival(data, found, !is_known && law->part == found->part, law, rivals);
}

/* Looks for parts along one dimension: first those that all ranks have alike. */
static void find_parts_in(const struct series_law_data *data, uint32_t grid, uint32_t dimension,
                          struct series_law *law, struct series_rivals *rivals) {
    const bool is_known = law->kind != SERIES_LAW_NONE && law->kind != SERIES_LAW_PARTS;
    const struct series_feature feature = {.grid = (uint8_t)grid, .dimension = (uint8_t)dimension};
    struct series_law found, other;
    for (size_t u = 0; u < UNITS && is_of_bytes(data->what); u++)
        for (series_part part = SERIES_PART_SMALLEST; part <= SERIES_PART_LARGEST; part++) {
            if (!find_rounded(data, &feature, units[u], part, &found, &other)) continue;
            take_parts(data, &found, is_known, law, rivals);
            if (!is_known) take_parts(data, &other, false, law, rivals);
        }
    for (size_t u = 0; u < UNITS; u++) {
        if (!find_parts_along(data, grid, dimension, units[u], &found)) continue;
        take_parts(data, &found, is_known, law, rivals);
        if (!is_known) break;
    }
}

/* Takes the first dimension of a grid in use along which the values are parts of a total. For a law
 * that was found already, it looks for a rival. */
static bool find_parts(const struct series_law_data *data, struct series_law *law,
                       struct series_rivals *rivals) {
    for (uint32_t g = 0; g < data->series->grid_count; g++)
        for (uint32_t d = 0; d < data->series->grids[g].dimensions; d++)
            if (g == 0 || data->series->grid_used[g]) find_parts_in(data, g, d, law, rivals);
    return law->kind != SERIES_LAW_NONE;
}

static int64_t parts_value(const struct series *series, const struct series_law *law,
                           const struct series_place *place) {
    uint32_t parts;
    const uint32_t x = part_number(law, series, place, &parts);
    return law->d * (law->a / parts + (x < law->a % parts ? 1 : 0));
}

/* ---- all laws ---- */

bool law_find_value(const struct series_law_data *data, struct series_law *law,
                    struct series_rivals *rivals) {
    rivals->count = 0;
    if (find_constant(data, law)) return true;
    if (data->programs < 3) return false;
    const bool is_linear = choose_linear(data, law, rivals);
    if (!is_linear && data->what == SERIES_VALUE_ROOT && find_modulo(data, law)) return true;
    if (data->what == SERIES_VALUE_COMPUTE || (is_linear && !is_of_bytes(data->what)))
        return is_linear;
    if (!is_linear) *law = (struct series_law){.kind = SERIES_LAW_NONE};
    return find_parts(data, law, rivals);
}

bool law_value(const struct series *series, const struct series_law *law,
               const struct series_place *place, int64_t *value) {
    switch (law->kind) {
    case SERIES_LAW_CONSTANT:
        *value = law->a;
        return true;
    case SERIES_LAW_MODULO:
        *value = law->a % place->ranks;
        return true;
    case SERIES_LAW_LINEAR:
        return linear_value(series, law, place, value);
    case SERIES_LAW_PARTS:
        *value = parts_value(series, law, place);
        return true;
    case SERIES_LAW_PEER:
        return law_peer(series, law, place, value);
    case SERIES_LAW_FIT:
        *value = series->fits[law->a].mean;
        return true;
    default:
        return false;
    }
}

/* Writes "(a + b feature) / d" without the numbers that change nothing. */
static void linear_text(const struct series *series, const struct series_law *law, char *text,
                        size_t size) {
    char feature[SERIES_TEXT], offset[32] = "", factor[32] = "", divisor[32] = "";
    feature_text(series, &law->feature, feature, sizeof feature);
    const bool is_sum = law->a != 0 && law->d != 1;
    if (law->a != 0) snprintf(offset, sizeof offset, "%" PRId64 " + ", law->a);
    if (law->b != 1) snprintf(factor, sizeof factor, "%" PRId64 " x ", law->b);
    if (law->d != 1) snprintf(divisor, sizeof divisor, " / %" PRId64, law->d);
    snprintf(text, size, "%s%s%s%s%s%s", is_sum ? "(" : "", offset, factor, feature,
             is_sum ? ")" : "", divisor);
}

static const char *const part_names[] = {[SERIES_PART_OF_RANK] = "a part",
                                         [SERIES_PART_SMALLEST] = "the smallest part",
                                         [SERIES_PART_LARGEST] = "the largest part"};

void law_text(const struct series *series, const struct series_law *law, char *text, size_t size) {
    switch (law->kind) {
    case SERIES_LAW_CONSTANT:
        snprintf(text, size, "%" PRId64, law->a);
        return;
    case SERIES_LAW_MODULO:
        snprintf(text, size, "%" PRId64 " modulo P", law->a);
        return;
    case SERIES_LAW_LINEAR:
        linear_text(series, law, text, size);
        return;
    case SERIES_LAW_PARTS:
        snprintf(text, size, "%s of %" PRId64 " among the ranks of %s", part_names[law->part],
                 law->a * law->d,
                 series->grids[law->feature.grid].dimensions > 1 ? "a line of the grid" : "P");
        return;
    case SERIES_LAW_PEER:
        law_peer_text(series, law, text, size);
        return;
    case SERIES_LAW_FIT:
        fit_text(&series->fits[law->a], text, size);
        return;
    default:
        snprintf(text, size, "no law");
    }
}
