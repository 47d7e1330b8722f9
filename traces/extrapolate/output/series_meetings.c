/*
 * Partners that meet: two partners of a rank that are different ranks in all programs of the
 * series, and one rank in the new program, such as both neighbours along a periodic dimension of
 * two ranks. Codes often send one message there, not two.
 */
#include "traces/extrapolate/laws/series_law.h"
#include "traces/extrapolate/output/series_findings.h"
#include "traces/extrapolate/roles/series_role.h"

enum { MOST_PARTNERS = 32 }; /* different ones of a role that are compared */

/* A law of partners, and a step that has it. */
struct partner {
    const struct series_law *law;
    const struct series_role_step *step;
};

/* Sets values to both partners at a place. Returns false if one of them has none there. */
static bool values_of(const struct series *series, const struct partner *one,
                      const struct partner *other, const struct series_place *place,
                      int64_t values[2]) {
    return law_value(series, one->law, place, &values[0]) &&
           law_value(series, other->law, place, &values[1]);
}

/* Returns whether two partners are one rank in the new program on all examples of a role. */
static bool meet_in_target(const struct series *series, const struct series_role *role,
                           const struct partner *one, const struct partner *other) {
    int64_t values[2];
    for (uint32_t i = 0; i < role->example_count; i++) {
        const struct series_place place = law_target_place(series, role->examples[i]);
        if (!values_of(series, one, other, &place, values) || values[0] != values[1]) return false;
    }
    return role->example_count > 0;
}

/* Returns whether two partners are one rank in one of the first `most` samples of the step of
 * `one`, or one of them has no partner there. */
static bool meet_in_series(const struct series *series, const struct partner *one,
                           const struct partner *other, size_t most) {
    const struct series_role_step *step = one->step;
    int64_t values[2];
    for (uint32_t i = 0; i < step->sample_count && i < most; i++) {
        const struct series_law_data data = {
            .series = series, .step = step, .samples = &i, .count = 1};
        const struct series_place place = law_place(&data, 0);
        if (!values_of(series, one, other, &place, values) || values[0] == values[1]) return true;
    }
    return false;
}

/* Adds a law of partners to a list, unless it meets one of the list in the series. Returns the new
 * number of the list. */
static uint32_t add_partner(const struct series *series, const struct partner *found,
                            struct partner partners[MOST_PARTNERS], uint32_t count) {
    if (count == MOST_PARTNERS || found->law->kind != SERIES_LAW_PEER) return count;
    for (uint32_t i = 0; i < count; i++) /* most laws meet another one at the first sample */
        if (meet_in_series(series, found, &partners[i], 1)) return count;
    for (uint32_t i = 0; i < count; i++)
        if (meet_in_series(series, found, &partners[i], SIZE_MAX)) return count;
    partners[count] = *found;
    return count + 1;
}

/* Lists the laws of a role that give different partners. Returns their number. */
static uint32_t take_partners(const struct series *series, const struct series_role *role,
                              struct partner partners[MOST_PARTNERS]) {
    uint32_t count = 0;
    for (size_t s = 0; s < role->step_count; s++)
        for (uint32_t v = 0; v < role->steps[s].law_count; v++) {
            const struct series_value_law *laws = &role->steps[s].laws[v];
            for (uint32_t g = 0; g < laws->law_count && laws->what == SERIES_VALUE_PEER; g++) {
                const struct partner found = {&laws->laws[g], &role->steps[s]};
                count = add_partner(series, &found, partners, count);
            }
        }
    return count;
}

status_code series_meetings_report(struct series *series, struct status *status) {
    for (size_t r = 0; r < series->roles.count; r++) {
        const struct series_role *role = &series->roles.list[r];
        struct partner partners[MOST_PARTNERS];
        if (role->target_members == 0) continue;
        const uint32_t count = take_partners(series, role, partners);
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t j = 0; j < i; j++)
                if (meet_in_target(series, role, &partners[i], &partners[j]))
                    return series_report_add(series, "partner", "all ranks",
                                             "two partners of some ranks are one rank",
                                             "no program has such a rank", 1, true, status);
    }
    return STATUS_OK;
}
