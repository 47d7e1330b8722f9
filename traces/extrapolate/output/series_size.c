/* How large the new program will be: counts the operations of its ranks without writing them. */
#include "traces/extrapolate/laws/series_law.h"
#include "traces/extrapolate/output/series_output.h"
#include "traces/extrapolate/steps/series_steps.h"

/* Counts stop here, so that products of two fit. */
static const wide MOST_OPERATIONS = (wide)1 << 60;

static wide limited(wide count) {
    return count < MOST_OPERATIONS ? count : MOST_OPERATIONS;
}

/* Returns the operations of one step: its computation, and the call with what it posts. */
static wide count_step(const struct series *series, const struct series_role_step *step) {
    const struct series_symbol *symbol = &series->steps.symbols[step->symbol];
    const int64_t *words = series->steps.words + symbol->first_word,
                  *end = words + symbol->word_count;
    wide count = 2;
    if (words[0] != OPERATION_CALL) return count;
    count++; /* the return */
    for (words += 2; words < end; count++)
        words += series_part_words(series, words);
    return count;
}

/* Counts what a rank does, with the trips that loops have in their first iteration. */
static wide count_nodes(const struct series *series, const struct series_role *role,
                        const struct series_shape_node *shape, struct series_place *place) {
    wide sum = 0;
    for (size_t i = 0; i < shape->count; i++) {
        const struct series_shape_node *node = &shape->nodes[i];
        if (node->symbol != SERIES_LOOP) {
            sum = limited(sum + count_step(series, &role->steps[node->index_in_role]));
            continue;
        }
        const struct series_role_step *loop = &role->loops[node->index_in_role];
        const uint32_t level = place->depth;
        int64_t trips;
        if (!law_value(series, law_at(role, loop, loop->laws, place), place, &trips) || trips < 0 ||
            trips > UINT32_MAX)
            continue; /* writing refuses it */
        place->index[level] = 0;
        place->trips[level] = (uint32_t)trips;
        place->depth = level + 1;
        sum = limited(sum + count_nodes(series, role, node, place) * (uint64_t)trips);
        place->depth = level;
    }
    return sum;
}

wide series_operations(const struct series *series) {
    wide sum = 0;
    for (size_t r = 0; r < series->roles.count; r++) {
        const struct series_role *role = &series->roles.list[r];
        wide examples = 0;
        for (uint32_t i = 0; i < role->example_count; i++) {
            struct series_place place = law_target_place(series, role->examples[i]);
            examples += count_nodes(series, role, &role->shape, &place);
        }
        if (role->example_count > 0)
            sum = limited(sum + limited(examples / role->example_count) * role->target_members);
    }
    return sum;
}
