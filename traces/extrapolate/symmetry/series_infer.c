/*
 * Makes the steps of a role that no program of a series has. Takes the steps of a role of the
 * series that has other classes in some dimensions. Along these dimensions, exchanges its steps for
 * those of a role that has the wanted class there.
 */
#include "core/memory/memory.h"
#include "traces/extrapolate/steps/series_steps.h"
#include "traces/extrapolate/symmetry/series_symmetry.h"

#include <stdlib.h>
#include <string.h>

/* A change of the class in one dimension. */
struct inference {
    struct symmetry *symmetry;
    size_t left_out;    /* pattern of the series that is not used; SIZE_MAX: all are */
    uint32_t dimension; /* the dimension of the class that changes */
    uint32_t from, to;  /* classes */
};

/* Returns pattern i of the series, if it may be used; else NULL. */
static const struct symmetry_pattern *usable(const struct inference *inference, size_t i) {
    return i == inference->left_out ? NULL : &inference->symmetry->patterns[i];
}

/* Returns whether the steps along a dimension show what the class of the inference means. */
static bool may_compare(const struct inference *inference, uint32_t dimension) {
    return dimension == inference->dimension || inference->symmetry->is_shared;
}

/* Maps a cut from the left pattern of a pair to the right one. A cut divides the steps along the
 * dimension: `cut` is the number of steps before it. Returns false if the pair does not say where
 * the cut is in the right pattern. */
static bool map_by_pair(const struct symmetry *symmetry, const struct symmetry_pattern *left,
                        const struct symmetry_pattern *right, uint32_t dimension, uint32_t cut,
                        uint32_t *mapped) {
    struct symmetry_range before, behind; /* with the steps on both sides of the cut */
    if (!symmetry_range_find(symmetry, left, right, dimension, cut - 1, &before) ||
        !symmetry_range_find(symmetry, left, right, dimension, cut, &behind))
        return false;
    if (before.first != behind.first) { /* the cut is at a step that does not cross the dimension */
        *mapped = before.other_end;
        return before.other_end == behind.other_first;
    }
    const uint32_t ahead = cut - before.first, left_over = before.end - cut;
    const bool by_begin = ahead <= before.before, by_end = left_over <= before.behind;
    *mapped = by_begin ? before.other_first + ahead : before.other_end - left_over;
    return by_begin != by_end || (by_begin && *mapped == before.other_end - left_over);
}

/* Maps a cut by all pairs of roles that show the change of class. Returns false if no pair says
 * where the cut is, or if two pairs contradict each other. */
static bool map_cut(const struct inference *inference, uint32_t cut, uint32_t *mapped) {
    const struct symmetry *symmetry = inference->symmetry;
    bool found = false;
    for (size_t i = 0; i < symmetry->seen_count; i++)
        for (size_t j = 0; j < symmetry->seen_count; j++)
            for (uint32_t d = 0; d < symmetry->dimensions; d++) {
                const struct symmetry_pattern *left = usable(inference, i),
                                              *right = usable(inference, j);
                uint32_t place;
                if (left == NULL || right == NULL || !may_compare(inference, d) ||
                    !symmetry_is_pair(symmetry, left, right, d, inference->from, inference->to) ||
                    !map_by_pair(symmetry, left, right, d, cut, &place))
                    continue;
                if (found && place != *mapped) return false;
                *mapped = place;
                found = true;
            }
    return found;
}

/* Returns the first pattern of the series that has the wanted class in a dimension which may be
 * compared, and sets *dimension to this dimension. NULL: there is none. */
static const struct symmetry_pattern *find_example(const struct inference *inference,
                                                   uint32_t *dimension) {
    for (size_t i = 0; i < inference->symmetry->seen_count; i++)
        for (uint32_t d = 0; d < inference->symmetry->dimensions; d++) {
            const struct symmetry_pattern *pattern = usable(inference, i);
            if (pattern == NULL || !may_compare(inference, d) ||
                pattern->classes[d] != inference->to)
                continue;
            *dimension = d;
            return pattern;
        }
    return NULL;
}

/* Sets *exchanged to the symbol that differs from a symbol only in the dimension that it crosses,
 * which is `dimension`. Adds it if the series has none. */
static status_code turn_symbol(struct symmetry *symmetry, uint32_t symbol, uint32_t dimension,
                               uint32_t *exchanged, struct status *status) {
    struct series *series = symmetry->series;
    const struct series_symbol from = series->steps.symbols[symbol];
    const int64_t crossed = INT64_C(1) << dimension;
    *exchanged = symbol;
    if (from.crossed == crossed) return STATUS_OK;
    int64_t *words = memory_new(from.word_count, sizeof *words);
    uint8_t *kinds = memory_new(from.value_count + 1u, sizeof *kinds);
    status_code code = STATUS_OK;
    if (words == NULL || kinds == NULL)
        code = status_set(status, STATUS_MEMORY, "out of memory for roles");
    if (code == STATUS_OK) {
        memcpy(words, series->steps.words + from.first_word, from.word_count * sizeof *words);
        memcpy(kinds, series->steps.kinds + from.first_kind, from.value_count);
        for (size_t i = 2, count; i < from.word_count; i += count) {
            count = series_part_words(series, words + i);
            if (series_head_kind(words[i]) != OPERATION_COLLECTIVE && words[i + count - 1] != 0)
                words[i + count - 1] = crossed;
        }
        const struct series_step_content content = {words, from.word_count, kinds, from.value_count,
                                                    (uint8_t)crossed};
        code = series_symbol_intern(series, &content, exchanged, status);
    }
    free(words);
    free(kinds);
    return code == STATUS_OK ? symmetry_normals(symmetry, status) : code;
}

/* Appends steps first to end - 1 of the example along a dimension. In the pattern that is made,
 * they cross the dimension of the inference. */
static status_code write_steps(const struct inference *inference,
                               const struct symmetry_pattern *example, uint32_t dimension,
                               uint32_t first, uint32_t end, struct symmetry_pattern *made,
                               struct status *status) {
    for (uint32_t i = first; i < end; i++)
        FORWARD_IF_ERROR(turn_symbol(inference->symmetry,
                                     example->symbols[example->steps[dimension][i]],
                                     inference->dimension, &made->symbols[made->count++], status));
    return STATUS_OK;
}

/* Makes a pattern from the source, with the steps of the wanted class along one dimension. Between
 * two anchors or steps along other dimensions, each group of steps of the source is exchanged for
 * a group of the example. Sets *could to whether the series says where these groups end. */
static status_code change_class(const struct inference *inference,
                                const struct symmetry_pattern *source,
                                struct symmetry_pattern *made, bool *could, struct status *status) {
    const uint32_t dimension = inference->dimension, count = source->step_counts[dimension];
    const uint32_t *steps = source->steps[dimension];
    uint32_t along = 0, done = 0;
    const struct symmetry_pattern *example = find_example(inference, &along);
    *could = example != NULL && count > 0;
    *made = (struct symmetry_pattern){0};
    if (!*could) return STATUS_OK;
    const bool same = symmetry_is_same(inference->symmetry, source, dimension, example, along);
    memcpy(made->classes, source->classes, sizeof made->classes);
    made->classes[dimension] = inference->to;
    made->symbols = memory_new((size_t)source->count + example->count + 1, sizeof *made->symbols);
    RETURN_ERROR_IF(made->symbols == NULL, status, STATUS_MEMORY, "out of memory for roles");
    for (uint32_t i = 0, own = 0; i < source->count && *could; i++) {
        if (own == count || steps[own] != i) {
            made->symbols[made->count++] = source->symbols[i];
            continue;
        }
        while (own + 1 < count && steps[own + 1] == i + 1) {
            own++;
            i++;
        }
        own++;
        uint32_t end = example->step_counts[along];
        if (own < count) *could = same || map_cut(inference, own, &end);
        if (same && own < count) end = own;
        *could = *could && end >= done;
        if (!*could) break;
        FORWARD_IF_ERROR(write_steps(inference, example, along, done, end, made, status));
        done = end;
    }
    return STATUS_OK;
}

/* Makes a pattern from the source with other classes, one dimension after another. Sets *could to
 * whether the series says it. The caller frees *made, also after errors. */
static status_code change_all(struct symmetry *symmetry, const struct symmetry_pattern *source,
                              const uint32_t classes[SERIES_DIMENSIONS], size_t left_out,
                              struct symmetry_pattern *made, bool *could, struct status *status) {
    struct symmetry_pattern now = {0};
    status_code code = STATUS_OK;
    *could = true;
    *made = (struct symmetry_pattern){0};
    for (uint32_t d = 0; d < symmetry->dimensions && *could && code == STATUS_OK; d++) {
        const struct symmetry_pattern *from = now.symbols != NULL ? &now : source;
        if (from->classes[d] == classes[d]) continue;
        const struct inference inference = {symmetry, left_out, d, from->classes[d], classes[d]};
        struct symmetry_pattern next;
        code = change_class(&inference, from, &next, could, status);
        if (code == STATUS_OK && *could) code = symmetry_divide(symmetry, &next, status);
        symmetry_free(&now);
        now = next;
    }
    *could = *could && now.symbols != NULL;
    *made = now;
    return code;
}

/* Returns in how many dimensions a pattern has another class. */
static uint32_t differences(const struct symmetry *symmetry, const struct symmetry_pattern *pattern,
                            const uint32_t classes[SERIES_DIMENSIONS]) {
    uint32_t count = 0;
    for (uint32_t d = 0; d < symmetry->dimensions; d++)
        count += pattern->classes[d] != classes[d];
    return count;
}

static bool are_equal(const struct symmetry_pattern *left, const struct symmetry_pattern *right) {
    return left->count == right->count &&
           memcmp(left->symbols, right->symbols, left->count * sizeof *left->symbols) == 0;
}

status_code symmetry_infer(struct symmetry *symmetry, const uint32_t classes[SERIES_DIMENSIONS],
                           size_t left_out, struct symmetry_pattern *pattern, bool *made,
                           struct status *status) {
    *made = false;
    *pattern = (struct symmetry_pattern){0};
    /* The roles that differ in the fewest dimensions are the sources. All of them must give the
     * same steps. */
    for (uint32_t wanted = 1; wanted <= symmetry->dimensions && !*made; wanted++)
        for (size_t i = 0; i < symmetry->seen_count; i++) {
            struct symmetry_pattern other;
            bool could;
            if (i == left_out || differences(symmetry, &symmetry->patterns[i], classes) != wanted)
                continue;
            status_code code = change_all(symmetry, &symmetry->patterns[i], classes, left_out,
                                          &other, &could, status);
            if (code == STATUS_OK && could && !*made) {
                *pattern = other;
                pattern->source = (uint32_t)i;
                *made = true;
                continue;
            }
            const bool differs = could && *made && !are_equal(&other, pattern);
            symmetry_free(&other);
            if (code != STATUS_OK) return code;
            if (!differs) continue;
            *made = false;
            return STATUS_OK;
        }
    return STATUS_OK;
}
