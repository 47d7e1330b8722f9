/*
 * Finds exact laws of tags that are a constant plus the number of a place in a plane
 * (law_places.c). The constant is the smallest tag, and each coordinate of the place is the first
 * sum that gives all tags.
 */
#include "traces/extrapolate/laws/law_places.h"
#include "traces/extrapolate/laws/series_law.h"

/* Returns whether the rule of a dimension gives this coordinate of the places of all tags. */
static bool rule_fits(const struct series_law_data *data, const struct series_law *law,
                      uint32_t dimension) {
    for (size_t i = data->count; i-- > 0;) {
        const struct series_place place = law_place(data, i);
        const int64_t extent = place.extents->of[law->grid][0];
        const int64_t number = law_sample_value(data, i) - law->a;
        if (law_place_coordinate(data->series, law, dimension, &place) !=
            (dimension == 0 ? number % extent : number / extent))
            return false;
    }
    return true;
}

/* Sets *least to the smallest tag. Returns false if it differs between programs, or if a tag is too
 * large to be that of a place. */
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

/* Sets the rule of a dimension to the first one that fits. Another rule that fits and gives the new
 * program other tags makes the law open. Returns false if none fits. */
static bool find_rule(const struct series_law_data *data, uint32_t dimension,
                      struct series_law *law) {
    struct series_law other = *law;
    struct series_coordinate_rule *rule = &other.rules[dimension];
    struct series_alternative alternative;
    bool found = false;
    const int32_t sums = (int32_t)law_place_sums();
    for (uint32_t level = data->step->depth > 0 ? data->step->depth : 1; level-- > 0;)
        for (int32_t number = 0; number < sums; number++) {
            *rule = (struct series_coordinate_rule){.level = (uint8_t)level, .parameter = number};
            if (!law_place_has_rank(number) || !rule_fits(data, &other, dimension)) continue;
            if (found && laws_differ(data, law, &other, true, &alternative)) law->is_open = true;
            if (!found) law->rules[dimension] = *rule;
            found = true;
        }
    return found;
}

bool law_find_place(const struct series_law_data *data, struct series_law *law) {
    int64_t least = 0;
    if (!find_least(data, &least)) return false;
    for (uint32_t g = 0; g < data->series->grids.count; g++) {
        *law = (struct series_law){
            .kind = SERIES_LAW_PLACE, .grid = g, .a = least, .programs = data->programs};
        if (data->series->grids.rules[g].dimensions == 2 && data->series->grids.used[g] &&
            find_rule(data, 0, law) && find_rule(data, 1, law))
            return true;
    }
    return false;
}
