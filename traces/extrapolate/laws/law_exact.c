/*
 * Exact laws of values: a constant, a linear function of one feature with rational coefficients, or
 * the part of a total that one of n ranks gets (law_parts.c). A law is taken only if it gives every
 * value of the series.
 */
#include "core/base/greatest_common_divisor.h"
#include "core/base/wide.h"
#include "traces/extrapolate/laws/law_features.h"
#include "traces/extrapolate/laws/law_places.h"
#include "traces/extrapolate/laws/partners/law_peers.h"
#include "traces/extrapolate/laws/series_law.h"
#include "traces/extrapolate/laws/sizes/law_sizes.h"

/* Returns the index of the first sample whose value differs from that of the first sample; 0: there
 * is none. */
static size_t find_change(const struct series_law_data *data) {
    const int64_t value = law_sample_value(data, 0);
    for (size_t i = 1; i < data->count; i++)
        if (law_sample_value(data, i) != value) return i;
    return 0;
}

/* Returns the law of values that are all equal. */
static struct series_law constant_of(const struct series_law_data *data) {
    return (struct series_law){
        .kind = SERIES_LAW_CONSTANT, .a = law_sample_value(data, 0), .programs = data->programs};
}

/* Looks for a number k such that all values are k modulo P: the value of the largest program, whose
 * samples come last. */
static bool find_modulo(const struct series_law_data *data, struct series_law *law) {
    const int64_t value = law_sample_value(data, data->count - 1);
    for (size_t i = 0; i < data->count; i++)
        if (law_sample_value(data, i) != value % law_place(data, i).ranks) return false;
    *law = (struct series_law){.kind = SERIES_LAW_MODULO, .a = value, .programs = data->programs};
    return true;
}

/* ---- linear laws ---- */

/* Returns the greatest common divisor, which is not negative. */
static int64_t divisor_of(int64_t a, int64_t b) {
    return (int64_t)greatest_common_divisor(a < 0 ? -(uint64_t)a : (uint64_t)a,
                                            b < 0 ? -(uint64_t)b : (uint64_t)b);
}

/* Sets a, b and d of a law so that value = (a + b feature) / d at two points, where feature i is
 * over[i] / under[i]. Returns false if the numbers are too large. */
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
    int64_t common = divisor_of((int64_t)rise, (int64_t)run);
    if (common == 0) return false;
    const int64_t slope = (int64_t)rise / common, slope_under = (int64_t)run / common;
    /* The offset is v0 - slope f0, with the denominator slope_under under[0]. */
    signed_wide d = (signed_wide)slope_under * under[0];
    signed_wide a = (signed_wide)value[0] * d - (signed_wide)slope * over[0];
    signed_wide b = (signed_wide)slope * under[0];
    if (d > INT64_MAX || a > INT64_MAX || a < -INT64_MAX || b > INT64_MAX || b < -INT64_MAX)
        return false;
    common = divisor_of(divisor_of((int64_t)a, (int64_t)b), (int64_t)d);
    law->a = (int64_t)a / common;
    law->b = (int64_t)b / common;
    law->d = (int64_t)d / common;
    return true;
}

/* Different values of a feature: FEWEST_VALUES test two coefficients, and MOST_VALUES are counted.
 */
enum { FEWEST_VALUES = 3, MOST_VALUES = 4 };

/* Returns the place of a law's feature in the order of preference. Extents of a grid that nothing
 * else follows are only alternatives. */
static law_feature_rank rank_of(const struct series_law_data *data, const struct series_law *law) {
    return law_feature_is_extent(law->feature.row) && !data->series->grids.used[law->feature.grid]
               ? LAW_FEATURE_ALTERNATIVE
               : law_feature_rank_of(law->feature.row);
}

/* Returns whether the coefficients of a law are ones that programs have. A law with steps has whole
 * numbers, and an offset only if its feature may have one. An alternative has no offset. */
static bool is_usual(const struct series_law_data *data, const struct series_law *law) {
    switch (rank_of(data, law)) {
    case LAW_FEATURE_STEP:
        return law->d == 1 && (law->a == 0 || law_feature_may_have_offset(law->feature.row)) &&
               (law->b == 1 || !law_feature_is_of_stages(law->feature.row));
    case LAW_FEATURE_ALTERNATIVE:
        return law->a == 0;
    default:
        return true;
    }
}

/* Returns whether two samples have the same feature and different values. */
static bool contradict(const struct series_law_data *data, const struct series_feature *feature,
                       size_t left, size_t right) {
    const struct series_place a = law_place(data, left), b = law_place(data, right);
    int64_t top, bottom, other_top, other_bottom;
    return law_sample_value(data, left) != law_sample_value(data, right) &&
           law_feature_value(data->series, feature, &a, &top, &bottom) &&
           law_feature_value(data->series, feature, &b, &other_top, &other_bottom) &&
           (signed_wide)top * other_bottom == (signed_wide)other_top * bottom;
}

/* Returns whether the case of a feature comes again after equally many iterations in all programs
 * of the samples. Then nothing shows that this number depends on the number of ranks. */
static bool has_one_period(const struct series_law_data *data, uint32_t row) {
    int64_t period = 0;
    for (size_t i = 0; i < data->count; i++) {
        const int64_t own = law_feature_period(row, law_place(data, i).ranks);
        if (own == 0 || (period != 0 && own != period)) return false;
        period = own;
    }
    return true;
}

/* Sets *law to the law of one feature that gives all values. The feature must have FEWEST_VALUES
 * different values, a case two; a feature of the number of ranks or of an extent, `fewest`. With
 * two values, the law must have one coefficient, so that one value tests it. Returns false if there
 * is no such law. */
static bool find_linear(const struct series_law_data *data, const struct series_feature *feature,
                        size_t fewest, struct series_law *law) {
    int64_t over[MOST_VALUES], under[MOST_VALUES], value[MOST_VALUES];
    size_t found = 0;
    if (data->change > 0 && contradict(data, feature, data->change - 1, data->change)) return false;
    for (size_t i = 0; i < data->count && found < MOST_VALUES; i++) {
        const struct series_place place = law_place(data, i);
        int64_t top, bottom;
        if (!law_feature_value(data->series, feature, &place, &top, &bottom)) return false;
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
    const bool is_a_case = law_feature_is_a_case(feature->row);
    if (found < (is_a_case ? 2 : law_feature_is_of_program(feature->row) ? fewest : FEWEST_VALUES))
        return false;
    if (is_a_case && has_one_period(data, feature->row)) return false;
    *law = (struct series_law){
        .kind = SERIES_LAW_LINEAR, .feature = *feature, .programs = data->programs};
    if (!solve(law, over, under, value)) return false;
    if (!is_usual(data, law)) return false;
    if (found < FEWEST_VALUES && law->a != 0 && !is_a_case && !data->may_be_untested) return false;
    law->tests = (uint32_t)found - (law->a != 0 ? 2 : 1);
    if (!law_feature_is_of_program(feature->row)) law->tests += data->programs - 1;
    for (size_t i = 0; i < data->count; i++) {
        const struct series_place place = law_place(data, i);
        int64_t predicted;
        if (!law_linear_value(data->series, law, &place, &predicted) ||
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

/* Returns whether no extent of a grid is given. */
static bool is_free(const struct series_grid_rule *grid) {
    for (uint32_t d = 0; d < grid->dimensions; d++)
        if (grid->given[d] > 0) return false;
    return true;
}

/* Returns whether a feature is the face that the messages of a size cross: the extent of the
 * dimension that they cross, divided by the number of ranks. */
static bool is_own_face(const struct series_law_data *data, const struct series_feature *feature) {
    uint32_t grid, dimension;
    return law_is_of_bytes(data->what) && law_feature_is_face(feature->row) &&
           data->series->grids.used[feature->grid] && !data->is_loop &&
           law_peer_dimension(data->series, data->step, data->levels, data->group, &grid,
                              &dimension) &&
           feature->grid == grid && feature->dimension == dimension;
}

/* Returns whether a feature is the inverse of the extent along the edge that the messages of a size
 * cross. */
static bool is_own_edge(const struct series_law_data *data, const struct series_feature *feature) {
    uint32_t grid, dimension;
    return law_feature_is_inverse(feature->row) && law_own_edge(data, &grid, &dimension) &&
           feature->grid == grid && feature->dimension == dimension;
}

/* Returns whether the samples are of several iterations of the loop at a level. */
static bool has_iterations(const struct series_law_data *data, uint32_t level) {
    const uint32_t first = law_place(data, 0).index[level];
    for (size_t i = 1; i < data->count; i++)
        if (law_place(data, i).index[level] != first) return true;
    return false;
}

/* Returns whether a law may have this feature here. An extent must be of a grid in use, or may be
 * that of an alternative. A coordinate may be of any grid. */
static bool is_candidate(const struct series_law_data *data, const struct series_feature *feature) {
    const struct series *series = data->series;
    const uint32_t g = feature->grid;
    if (law_feature_needs_level(feature->row) && law_feature_needs_grid(feature->row))
        return (law_feature_is_of_blocks(feature->row) ? law_is_of_bytes(data->what)
                                                       : data->what == SERIES_VALUE_ROOT) &&
               g > 0 && series->grids.used[g] && has_iterations(data, feature->level);
    if (law_feature_needs_level(feature->row) &&
        law_feature_rank_of(feature->row) == LAW_FEATURE_STEP)
        return has_iterations(data, feature->level);
    if (!law_feature_needs_grid(feature->row) || !law_feature_is_of_program(feature->row))
        return true;
    if (is_own_face(data, feature)) return true;
    const bool may_be_alternative = law_feature_is_extent(feature->row) &&
                                    series->grids.rules[g].dimensions <= 3 &&
                                    is_free(&series->grids.rules[g]);
    return g > 0 && (series->grids.used[g] || may_be_alternative) &&
           !is_same_everywhere(series, g, feature->dimension);
}

/* Returns the number of loops around the value. */
static uint32_t depth_of(const struct series_law_data *data) {
    return data->step->depth - (data->is_loop ? 1u : 0u);
}

/* Sets *feature to the next one of the same row: with another divisor, at another level, or of
 * another dimension or grid. Returns false after the last one. */
static bool next_in_row(const struct series_law_data *data, struct series_feature *feature) {
    if (law_feature_divisors(feature->row) > 0)
        return ++feature->divisor < law_feature_divisors(feature->row);
    if (law_feature_needs_level(feature->row) && feature->level-- > 0) return true;
    if (!law_feature_needs_grid(feature->row)) return false;
    if (law_feature_needs_level(feature->row)) feature->level = (uint8_t)(depth_of(data) - 1);
    if (++feature->dimension < data->series->grids.rules[feature->grid].dimensions) return true;
    feature->dimension = 0;
    return ++feature->grid < data->series->grids.count;
}

/* Sets *feature to the first one of a row. Returns false if the row has none here. */
static bool first_feature(const struct series_law_data *data, uint32_t row,
                          struct series_feature *feature) {
    const uint32_t depth = depth_of(data);
    *feature = (struct series_feature){.row = (uint8_t)row};
    if (!law_feature_needs_level(row)) return true;
    feature->level = (uint8_t)(depth - 1);
    return depth > 0;
}

/* Returns the place of a linear law in the order of preference; laws with equal places are equally
 * good. The bits, from the highest one: an alternative; with steps; with an offset, or of ranks or
 * iterations; rounded; of a grid that is not in use; no face or edge that the message crosses. */
static uint32_t place_of(const struct series_law_data *data, const struct series_law *law) {
    const law_feature_rank rank = rank_of(data, law);
    const bool is_unused =
        law_feature_needs_grid(law->feature.row) && !data->series->grids.used[law->feature.grid];
    const bool is_face = rank == LAW_FEATURE_PLAIN && law->a == 0 &&
                         (is_own_face(data, &law->feature) || is_own_edge(data, &law->feature));
    return (rank == LAW_FEATURE_ALTERNATIVE ? 32u : 0) + (rank == LAW_FEATURE_STEP ? 16u : 0) +
           (law->a != 0 || !law_feature_is_of_program(law->feature.row) ? 8u : 0) +
           (rank == LAW_FEATURE_ROUNDED ? 4u : 0) + (is_unused ? 2u : 0) + (is_face ? 0u : 1u);
}

enum { MOST_FOUND = 64 };    /* laws that fit */
enum { MOST_GROUPS = 1024 }; /* of iterations, that are compared */

/* Linear laws that fit. */
struct found_laws {
    struct series_law list[MOST_FOUND];
    uint32_t count;
};

/* Returns whether a law of a size gives a rank of the new program a negative number, or a law of a
 * root gives it no rank of the new program. */
static bool is_impossible(const struct series_law_data *data, const struct series_law *law) {
    struct law_target_walk walk = {.data = data};
    const bool is_root = data->what == SERIES_VALUE_ROOT;
    if (!is_root && (!law_is_of_bytes(data->what) || law->b >= 0)) return false;
    while (law_target_next(&walk)) {
        int64_t value;
        if (law_value(data->series, law, &walk.place, &value) &&
            (is_root ? value >= data->series->target_ranks : value < 0))
            return true;
    }
    return false;
}

static void find_all_linear(const struct series_law_data *data, size_t fewest,
                            struct found_laws *found) {
    found->count = 0;
    for (uint32_t row = 0; row < law_feature_rows(); row++) {
        struct series_feature feature;
        bool more = first_feature(data, row, &feature);
        for (; more && found->count < MOST_FOUND; more = next_in_row(data, &feature))
            found->count += is_candidate(data, &feature) &&
                            find_linear(data, &feature, fewest, &found->list[found->count]) &&
                            !is_impossible(data, &found->list[found->count]);
    }
}

/* Returns whether a law with a feature of the iteration may be the alternative of the law of one
 * iteration: it must hold in at least as many iterations as that law. */
static bool holds_as_often(const struct series_law_data *data, const struct series_law *other,
                           const struct series_law *law) {
    if (data->levels == 0 || !law_feature_needs_level(other->feature.row) ||
        data->groups->count > MOST_GROUPS)
        return true;
    return law_count_groups(data, other) >= law_count_groups(data, law);
}

/* Returns whether `other` may be an alternative of a law. Features with a rare divisor are only
 * compared with laws with steps, and with sizes with d > 1, because one of them fits any series of
 * a few powers of two. Extents of unused grids are only compared with laws that are rounded or have
 * an offset. */
static bool may_be_alternative(const struct series_law_data *data, const struct series_law *other,
                               const struct series_law *law) {
    const law_feature_rank rank = law_feature_rank_of(law->feature.row);
    if (!holds_as_often(data, other, law)) return false;
    if (rank_of(data, other) != LAW_FEATURE_ALTERNATIVE) return true;
    if (law_feature_divisors(other->feature.row) > 0)
        return rank == LAW_FEATURE_STEP || (law->d > 1 && law_is_of_bytes(data->what));
    return !law_feature_is_extent(other->feature.row) || rank != LAW_FEATURE_PLAIN || law->a != 0;
}

/* Returns whether a law may be taken, and not only be an alternative. A law of two values may have
 * no steps. */
static bool may_be_taken(const struct series_law_data *data, const struct series_law *law,
                         size_t fewest) {
    return rank_of(data, law) <
           (fewest < FEWEST_VALUES ? LAW_FEATURE_STEP : LAW_FEATURE_ALTERNATIVE);
}

/* Returns whether a law of partners in the loop at a level is of some kind. */
typedef bool partners_are(const struct series *series, const struct series_law *law,
                          uint32_t level);

/* If the values are the trips of a loop, returns whether some partners in the loop are of a kind.
 */
static bool has_partners(const struct series_law_data *data, partners_are *are) {
    const struct series_role *role = data->role;
    if (!data->is_loop) return false;
    const uint32_t level = data->step->depth - 1, loop = data->step->loops[level];
    for (size_t i = 0; i < role->step_count; i++) {
        const struct series_role_step *step = &role->steps[i];
        if (step->depth <= level || step->loops[level] != loop) continue;
        for (uint32_t v = 0; step->laws != NULL && v < step->law_count; v++)
            for (uint32_t g = 0; step->laws[v].laws != NULL && g < step->laws[v].law_count; g++)
                if (are(data->series, &step->laws[v].laws[g], level)) return true;
    }
    return false;
}

/* A kind of partners: they follow from powers of two of the iterations, among all ranks. */
static bool are_of_all_rounds(const struct series *series, const struct series_law *law,
                              uint32_t level) {
    return law_peer_is_of_rounds(series, law, level) &&
           series->grids.rules[law->grid].dimensions == 1;
}

/* Returns the index of the law of the logarithm of an extent of a grid in use, or else, if partners
 * are among all ranks, that of the number of ranks; `best`: there is none among the laws. */
static uint32_t best_of_rounds(const struct series_law_data *data, const struct found_laws *found,
                               uint32_t best) {
    uint32_t of_ranks = best;
    for (uint32_t i = found->count; i-- > 0;) {
        const struct series_feature *feature = &found->list[i].feature;
        if (!law_feature_is_logarithm(feature->row) || found->list[i].a != 0) continue;
        if (law_feature_needs_grid(feature->row)) {
            if (data->series->grids.used[feature->grid]) best = i;
        } else if (has_partners(data, are_of_all_rounds)) {
            of_ranks = i;
        }
    }
    return law_feature_is_logarithm(found->list[best].feature.row) ? best : of_ranks;
}

/* Sets *law to the best linear law that fits, and *alternatives to those of it that differ in the
 * new program. Returns false if there is none that may be taken. */
static bool choose_linear(const struct series_law_data *data, size_t fewest, struct series_law *law,
                          struct series_alternatives *alternatives) {
    struct found_laws found;
    find_all_linear(data, fewest, &found);
    uint32_t best = 0;
    for (uint32_t i = 1; i < found.count; i++)
        if (place_of(data, &found.list[i]) < place_of(data, &found.list[best])) best = i;
    if (found.count == 0 || !may_be_taken(data, &found.list[best], fewest)) return false;
    if (has_partners(data, law_peer_is_of_rounds) &&
        !law_feature_is_logarithm(found.list[best].feature.row))
        best = best_of_rounds(data, &found, best);
    *law = found.list[best];
    const bool is_of_rounds =
        law_feature_is_logarithm(law->feature.row) && has_partners(data, are_of_all_rounds);
    for (uint32_t i = 0; i < found.count; i++) {
        const struct series_law *other = &found.list[i];
        const bool is_as_good = place_of(data, other) == place_of(data, law) &&
                                (!is_of_rounds || law_feature_is_logarithm(other->feature.row));
        if (i != best && may_be_alternative(data, other, law))
            law_add_alternative(data, other, is_as_good, law, alternatives);
    }
    return true;
}

/* ---- all laws ---- */

/* Compares a law of equal parts of a total with laws of features that are not rounded, which may
 * have two values: many totals have the same parts for two extents. A face (extent / P) is taken in
 * its place. */
static void compare_rounded(const struct series_law_data *data, struct series_law *law,
                            struct series_alternatives *alternatives) {
    struct found_laws found;
    struct series_alternative alternative;
    find_all_linear(data, 2, &found);
    for (uint32_t i = 0; i < found.count; i++) {
        const struct series_law part = *law;
        if (rank_of(data, &found.list[i]) != LAW_FEATURE_PLAIN || found.list[i].a != 0) continue;
        if (law->kind == SERIES_LAW_PARTS && law_feature_is_face(found.list[i].feature.row) &&
            !law->is_open && laws_differ(data, &found.list[i], law, false, &alternative)) {
            *law = found.list[i];
            alternatives->count = 0;
            law_add_alternative(data, &part, false, law, alternatives);
        } else {
            law_add_alternative(data, &found.list[i], false, law, alternatives);
        }
    }
}

/* Looks for a law of tags less P: some programs number the messages of a second round after those
 * of all ranks. */
static bool find_beyond_ranks(const struct series_law_data *data, struct series_law *law) {
    struct series_law_data less = *data;
    struct series_alternatives none = {.count = 0};
    less.share = SERIES_SHARE_LESS_RANKS;
    less.change = find_change(&less);
    if (less.change == 0)
        *law = constant_of(&less);
    else if (!choose_linear(&less, FEWEST_VALUES, law, &none))
        return false;
    law->adds_ranks = true;
    return true;
}

/* Looks for a law of the bytes of a collective divided by P: each rank gives equally many to all.
 */
static bool find_per_rank(const struct series_law_data *data, struct series_law *law,
                          struct series_alternatives *alternatives) {
    struct series_law_data share = *data;
    if (data->share != SERIES_SHARE_WHOLE ||
        (data->what != SERIES_VALUE_SEND_BYTES && data->what != SERIES_VALUE_RECEIVE_BYTES))
        return false;
    for (size_t i = 0; i < data->count; i++)
        if (law_sample_value(data, i) % law_place(data, i).ranks != 0) return false;
    share.share = SERIES_SHARE_PER_RANK;
    *law = (struct series_law){.kind = SERIES_LAW_NONE};
    alternatives->count = 0;
    if (!law_find_value(&share, law, alternatives)) return false;
    const int64_t ranks = data->series->target_ranks;
    law->times_ranks = true;
    for (uint32_t i = 0; i < alternatives->count; i++) {
        alternatives->list[i].law.times_ranks = true;
        alternatives->list[i].own *= ranks;
        alternatives->list[i].other *= ranks;
    }
    return true;
}

bool law_find_untested(const struct series_law_data *data, uint32_t grid, uint32_t dimension,
                       struct series_law *law) {
    struct series_law_data untested = *data;
    struct series_feature feature = {.grid = (uint8_t)grid, .dimension = (uint8_t)dimension};
    while (!law_feature_is_inverse(feature.row))
        feature.row++;
    untested.may_be_untested = true;
    return find_linear(&untested, &feature, 2, law) && law->a >= 0 && law->b > 0;
}

/* Returns whether all tags are a partner of the same call plus a constant, and sets *more to the
 * constant. */
static bool is_partner(const struct series_law_data *data, int64_t *more) {
    const struct series_symbol *symbol = &data->series->steps.symbols[data->step->symbol];
    for (uint32_t v = 0; v < symbol->value_count; v++) {
        bool is_same = data->series->steps.kinds[symbol->first_kind + v] == SERIES_VALUE_PEER;
        for (size_t i = data->count; i-- > 0 && is_same;) {
            const int64_t *values = data->step->samples[data->samples[i]].values;
            const int64_t own = values[data->field] - values[v];
            if (i + 1 == data->count) *more = own;
            is_same = own == *more;
        }
        if (is_same) return true;
    }
    return false;
}

/* Looks for a law of tags that are a partner plus a constant. */
static bool find_partner(const struct series_law_data *data, struct series_law *law) {
    struct series_law_data partner = *data;
    partner.partners = NULL; /* nothing is known about these */
    if (data->share != SERIES_SHARE_WHOLE || !is_partner(data, &partner.margin) ||
        !law_find_peer(&partner, law))
        return false;
    law->pairing = SERIES_PAIRING_PARTNER;
    law->a = partner.margin;
    return true;
}

/* Looks for a law of tags that number the pair of the rank and a partner, or the partner alone. */
static bool find_pairing(const struct series_law_data *data, struct series_law *law) {
    struct series_law_data partner = *data;
    const series_share shares[] = {SERIES_SHARE_AFTER_RANK, SERIES_SHARE_BEFORE_RANK};
    const series_pairing pairings[] = {SERIES_PAIRING_RANK_FIRST, SERIES_PAIRING_PARTNER_FIRST};
    partner.partners = NULL; /* nothing is known about these */
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        bool may_be = true;
        partner.share = shares[i];
        for (size_t k = 0; k < data->count && may_be; k++) {
            const int64_t other = law_sample_value(&partner, k);
            may_be = other >= 0 && other < law_place(data, k).ranks;
        }
        if (!may_be || !law_find_peer(&partner, law)) continue;
        law->pairing = pairings[i];
        return true;
    }
    return find_partner(data, law);
}

bool law_find_value(const struct series_law_data *data, struct series_law *law,
                    struct series_alternatives *alternatives) {
    alternatives->count = 0;
    struct series_law_data noted = *data;
    noted.change = find_change(&noted);
    if (noted.change == 0) {
        *law = constant_of(&noted);
        return true;
    }
    if (noted.programs < 3)
        return noted.programs == 2 && law_is_of_bytes(noted.what) &&
               law_find_face(&noted, law, alternatives);
    bool is_linear = choose_linear(&noted, FEWEST_VALUES, law, alternatives);
    if (!is_linear && noted.what == SERIES_VALUE_ROOT && find_modulo(&noted, law)) return true;
    const bool may_have_parts =
        noted.what != SERIES_VALUE_COMPUTE && (!is_linear || law_is_of_bytes(noted.what));
    if (!is_linear) *law = (struct series_law){.kind = SERIES_LAW_NONE};
    if (may_have_parts && law_find_parts(&noted, law, alternatives)) {
        if (law->kind == SERIES_LAW_PARTS && law->part != SERIES_PART_OF_RANK)
            compare_rounded(&noted, law, alternatives);
        else if (law->kind == SERIES_LAW_PARTS && law_is_of_bytes(noted.what))
            law_find_remainders(&noted, law, alternatives);
        return true;
    }
    if (is_linear || choose_linear(&noted, 2, law, alternatives)) return true;
    if (!law_is_of_bytes(noted.what))
        return noted.what == SERIES_VALUE_TAG && noted.rounds == 0 &&
               (find_beyond_ranks(&noted, law) || law_find_place(&noted, law) ||
                find_pairing(&noted, law));
    if (law_find_face(&noted, law, alternatives)) return true;
    *law = (struct series_law){.kind = SERIES_LAW_NONE};
    alternatives->count = 0;
    return law_find_remainders(&noted, law, alternatives) ||
           find_per_rank(&noted, law, alternatives) || law_find_ghosts(&noted, law, alternatives);
}
