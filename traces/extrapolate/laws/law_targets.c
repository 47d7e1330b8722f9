/*
 * Compares laws in the new program: laws that give the same values in the whole series may give
 * different ones there. Only the examples of each role are compared, and only some iterations of
 * long loops.
 */
#include "traces/extrapolate/laws/law_roots.h"
#include "traces/extrapolate/laws/partners/law_peers.h"
#include "traces/extrapolate/laws/series_law.h"

enum {
    ALL_ITERATIONS = 16
}; /* each of these is compared; later ones double from one to the next */

struct series_place law_target_place(const struct series *series, uint32_t rank) {
    return (struct series_place){series->target_ranks, rank, &series->target, 0, {0}, {0}};
}

uint32_t law_round_iterations(uint32_t kind, uint32_t ranks) {
    switch (kind) {
    case 0:
        return (uint32_t)law_number_rounds(ranks);
    case 1:
        return ranks > 1 ? (uint32_t)law_number_log2(ranks) : 1;
    default:
        return ranks > 2 ? ranks - 1 : 1;
    }
}

uint32_t law_group_of(const struct series_role *role, const struct series_role_step *step,
                      uint32_t levels, uint32_t ranks, const uint32_t index[SERIES_DEPTH]) {
    const uint32_t divisor = levels / SERIES_LOOP_SETS;
    uint32_t group = 0;
    if (divisor >= LAW_ROUNDS)
        return index[__builtin_ctz(levels)] % law_round_iterations(divisor - LAW_ROUNDS, ranks) > 0;
    if (divisor == 1) return index[__builtin_ctz(levels)] > 0;
    if (divisor > 0) return index[__builtin_ctz(levels)] % divisor;
    for (uint32_t l = 0; l < step->depth; l++)
        if (levels >> l & 1) group = group * role->loops[step->loops[l]].fixed_trips + index[l];
    return group;
}

/* Returns whether the programs of the series have these iterations, if each iteration has a law of
 * its own. The new program may have more iterations if the trips of a loop follow from other roles.
 */
static bool has_group(const struct series_role *role, const struct series_role_step *step,
                      uint32_t levels, const uint32_t index[SERIES_DEPTH]) {
    if (levels >= SERIES_LOOP_SETS) return true;
    for (uint32_t l = 0; l < step->depth; l++)
        if (levels >> l & 1 && index[l] >= role->loops[step->loops[l]].fixed_trips) return false;
    return true;
}

const struct series_law *law_at(const struct series_role *role, const struct series_role_step *step,
                                const struct series_value_law *laws,
                                const struct series_place *place) {
    if (!has_group(role, step, laws->levels, place->index)) return NULL;
    return &laws->laws[law_group_of(role, step, laws->levels, place->ranks, place->index)];
}

/* Sets *index to the iteration of the loop at a level that the samples are of. Returns false if
 * they are of several iterations. */
static bool find_own_iteration(const struct series_law_data *data, uint32_t level,
                               uint32_t *index) {
    uint32_t group = data->group;
    if (data->levels >= SERIES_LOOP_SETS || (data->levels >> level & 1) == 0) return false;
    for (uint32_t l = data->step->depth; l-- > level + 1;)
        if (data->levels >> l & 1) group /= data->role->loops[data->step->loops[l]].fixed_trips;
    *index = group % data->role->loops[data->step->loops[level]].fixed_trips;
    return true;
}

/* Enters the loops around a step from a level on, each in its first iteration, or in that of the
 * samples. Returns false if a loop has no iterations, or its trips are not known. */
static bool enter_loops(struct law_target_walk *walk, uint32_t level) {
    const struct series_law_data *data = walk->data;
    const uint32_t depth = data->step->depth - (data->is_loop ? 1u : 0u);
    for (; level < depth; level++) {
        const struct series_role_step *loop = &data->role->loops[data->step->loops[level]];
        int64_t trips;
        walk->place.depth = level;
        if (loop->laws == NULL || loop->laws->laws == NULL ||
            !law_value(data->series, law_at(data->role, loop, loop->laws, &walk->place),
                       &walk->place, &trips) ||
            trips <= 0 || trips > UINT32_MAX)
            return false;
        if (!find_own_iteration(data, level, &walk->place.index[level]))
            walk->place.index[level] = 0;
        walk->place.trips[level] = (uint32_t)trips;
    }
    walk->place.depth = depth;
    return true;
}

/* Goes to the next iteration that is compared. Returns false after the last one of all loops. */
static bool next_iteration(struct law_target_walk *walk) {
    for (uint32_t level = walk->place.depth; level-- > 0;) {
        uint32_t *index = &walk->place.index[level], own;
        const uint32_t trips = walk->place.trips[level];
        if (*index + 1 >= trips || find_own_iteration(walk->data, level, &own)) continue;
        const uint32_t next = *index < ALL_ITERATIONS ? *index + 1 : *index * 2;
        *index = next < trips ? next : trips - 1;
        if (enter_loops(walk, level + 1)) return true;
    }
    return false;
}

bool law_target_next(struct law_target_walk *walk) {
    const struct series_role *role = walk->data->role;
    if (walk->began && next_iteration(walk)) return true;
    for (; walk->example < role->example_count; walk->example++) {
        walk->began = true;
        walk->place = law_target_place(walk->data->series, role->examples[walk->example]);
        if (!enter_loops(walk, 0)) continue;
        walk->example++;
        return true;
    }
    return false;
}

bool laws_differ(const struct series_law_data *data, const struct series_law *law,
                 const struct series_law *other, bool needs_other,
                 struct series_alternative *alternative) {
    struct law_target_walk walk = {.data = data};
    while (law_target_next(&walk)) {
        if (data->levels >= SERIES_LOOP_SETS &&
            law_group_of(data->role, data->step, data->levels, walk.place.ranks,
                         walk.place.index) != data->group)
            continue;
        struct series_place place = walk.place;
        if (data->rounds > 0 && !law_place_in_round(&place, data->rounds, data->round_level))
            continue;
        struct series_alternative found = {.law = *other, .rank = place.rank};
        found.has_own = law_value(data->series, law, &place, &found.own);
        found.has_other = law_value(data->series, other, &place, &found.other);
        if (!found.has_own || (needs_other && !found.has_other) ||
            (found.has_other && found.other == found.own))
            continue;
        *alternative = found;
        return true;
    }
    return false;
}

bool law_is_possible(const struct series_law_data *data, const struct series_value_law *laws) {
    struct law_target_walk walk = {.data = data};
    while (law_target_next(&walk)) {
        int64_t value;
        if (!law_value(data->series, law_at(data->role, data->step, laws, &walk.place), &walk.place,
                       &value) ||
            (value < 0 && data->what == SERIES_VALUE_COMPUTE))
            return false;
    }
    return true;
}

bool law_round(const struct series_law_data *data, struct series_value_law *laws) {
    struct law_target_walk walk = {.data = data};
    bool could = true;
    while (could && law_target_next(&walk)) {
        const struct series_law *law = law_at(data->role, data->step, laws, &walk.place);
        int64_t value;
        if (law == NULL || law_value(data->series, law, &walk.place, &value)) continue;
        could = law->kind == SERIES_LAW_LINEAR && law->tests > 0;
        if (could) laws->laws[law - laws->laws].is_rounded = true;
        could = could && law_value(data->series, law, &walk.place, &value) && value >= 0;
    }
    for (uint32_t g = 0; g < laws->law_count && !could; g++)
        laws->laws[g].is_rounded = false;
    return could;
}
