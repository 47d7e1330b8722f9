/*
 * Looks for laws of a size that all roles have in common: of the same message at the ends of a grid
 * and inside it, of messages to the same neighbour, or of messages along two dimensions.
 */
#include "core/memory/memory.h"
#include "traces/extrapolate/laws/series_law.h"
#include "traces/extrapolate/laws/series_laws.h"
#include "traces/extrapolate/laws/sizes/law_sizes.h"

#include <stdlib.h>

/* Looks for laws that the sizes of a call along two dimensions have in common: one for each
 * iteration of the loop at a level, or one for all iterations (level SERIES_DEPTH). */
static status_code find_turned_by(struct series *series, const struct series_law_data *data,
                                  uint32_t level, struct series_value_law *laws, bool *found,
                                  struct status *status) {
    enum { MOST_TRIPS = 64 }; /* each has a law */
    uint32_t trips = 1;
    if (level < SERIES_DEPTH) trips = data->role->loops[data->step->loops[level]].fixed_trips;
    if (trips == 0 || trips > MOST_TRIPS) return STATUS_OK;
    *laws = (struct series_value_law){
        .what = data->what, .levels = level < SERIES_DEPTH ? 1u << level : 0, .law_count = trips};
    laws->laws = memory_new(trips, sizeof *laws->laws);
    RETURN_ERROR_IF(laws->laws == NULL, status, STATUS_MEMORY, "out of memory for laws");
    *found = true;
    for (uint32_t i = 0; i < trips && *found; i++) {
        struct series_law *law = &laws->laws[i];
        struct series_alternatives alternatives = {.count = 0};
        FORWARD_IF_ERROR(
            law_find_by_other_dimension(series, data, level, i, law, &alternatives, found, status));
        if (!*found) break;
        series_law_mark_grid(series, law);
        FORWARD_IF_ERROR(
            series_alternative_keep(series, alternatives.list, alternatives.count, law, status));
    }
    if (*found) return STATUS_OK;
    free(laws->laws);
    laws->laws = NULL;
    return STATUS_OK;
}

status_code series_common_by_other_dimension(struct series *series,
                                             const struct series_law_data *data,
                                             struct series_value_law *laws, bool *found,
                                             struct status *status) {
    FORWARD_IF_ERROR(find_turned_by(series, data, SERIES_DEPTH, laws, found, status));
    for (uint32_t l = data->step->depth; l-- > 0 && !*found;)
        FORWARD_IF_ERROR(find_turned_by(series, data, l, laws, found, status));
    return STATUS_OK;
}

status_code series_common_find(struct series *series, const struct series_law_data *data,
                               struct series_value_law *laws, bool *found, struct status *status) {
    struct series_law law;
    struct series_alternatives alternatives = {.count = 0};
    FORWARD_IF_ERROR(law_find_ends(data, &law, &alternatives, found, status));
    if (!*found) {
        FORWARD_IF_ERROR(law_find_by_neighbour(series, data, laws, found, status));
        return *found ? STATUS_OK
                      : series_common_by_other_dimension(series, data, laws, found, status);
    }
    *laws = (struct series_value_law){.what = data->what, .law_count = 1};
    laws->laws = memory_new(1, sizeof *laws->laws);
    RETURN_ERROR_IF(laws->laws == NULL, status, STATUS_MEMORY, "out of memory for laws");
    laws->laws[0] = law;
    series_law_mark_grid(series, &law);
    return series_alternative_keep(series, alternatives.list, alternatives.count, laws->laws,
                                   status);
}

status_code series_common_replace(struct series *series, const struct series_law_data *data,
                                  const struct series_role_step *shown_by,
                                  struct series_value_law *laws, struct status *status) {
    struct series_value_law common = {0};
    bool is_shown, found = false;
    FORWARD_IF_ERROR(law_check_shared_extent(data, shown_by, laws, &is_shown, status));
    if (is_shown) return STATUS_OK;
    const status_code code = series_common_find(series, data, &common, &found, status);
    free(code == STATUS_OK && found ? laws->laws : common.laws);
    if (code != STATUS_OK) return code;
    if (found) *laws = common;
    for (uint32_t g = 0; g < laws->law_count && !(found && common.is_by_neighbour); g++)
        laws->laws[g].shares_extent = laws->laws[g].kind == SERIES_LAW_CONSTANT;
    return STATUS_OK;
}
