/*
 * Writes where a step of a role is: its call on one rank, and the ranks of the role.
 */
#include "traces/extrapolate/refusals/series_where.h"
#include "traces/extrapolate/roles/series_roles.h"
#include "traces/extrapolate/steps/series_steps.h"

#include <stdio.h>

bool series_where_role(const struct series *series, uint32_t program,
                       const struct series_role *role, char *text, size_t size) {
    struct series_ranges ranges = {.count = 0};
    for (uint32_t r = 0; r < series->programs[program].program->rank_count; r++)
        if (series_role_key(series, program, r) == role->key) series_ranges_add(&ranges, r);
    series_ranges_end(&ranges, text, size);
    return ranges.count > 0;
}

/* Returns the number of the rank's step from which a sample was taken, by the address of its
 * values: the values of all steps are one array, in their order. SIZE_MAX: the sample is of a view,
 * and its values are a copy. */
static size_t step_of(const struct series_rank *rank, const struct series_sample *sample) {
    size_t low = 0, high = rank->step_count;
    if (sample->view > 0) return SIZE_MAX;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (rank->values + rank->steps[middle].first_value < sample->values)
            low = middle + 1;
        else
            high = middle;
    }
    return low < rank->step_count && rank->values + rank->steps[low].first_value == sample->values
               ? low
               : SIZE_MAX;
}

/* Returns the first step in a loop of a role. loop: its number. NULL: the loop is not in this
 * shape. */
static const struct series_role_step *first_in(const struct series_role *role,
                                               const struct series_shape_node *shape, size_t loop) {
    for (size_t i = 0; i < shape->count; i++) {
        const struct series_shape_node *node = &shape->nodes[i];
        if (node->symbol != SERIES_LOOP) continue;
        if (node->index_in_role == loop) {
            while (node->symbol == SERIES_LOOP)
                node = &node->nodes[0];
            return &role->steps[node->index_in_role];
        }
        const struct series_role_step *step = first_in(role, node, loop);
        if (step != NULL) return step;
    }
    return NULL;
}

/* Returns the first sample at a step that is of the rank of another sample; if there is none, the
 * last sample. */
static const struct series_sample *sample_of(const struct series_role_step *step,
                                             const struct series_sample *other) {
    for (size_t i = 0; i < step->sample_count; i++)
        if (step->samples[i].program == other->program && step->samples[i].rank == other->rank)
            return &step->samples[i];
    return &step->samples[step->sample_count - 1];
}

void series_where_step(const struct series *series, const struct series_role *role,
                       const struct series_role_step *step, bool is_loop, char *text, size_t size) {
    const struct series_role_step *call =
        is_loop ? first_in(role, &role->shape, (size_t)(step - role->loops)) : step;
    if (call == NULL || call->sample_count == 0 || step->sample_count == 0) {
        snprintf(text, size, "%s", is_loop ? "a loop" : series_symbol_name(series, step->symbol));
        return;
    }
    const struct series_sample *last = &step->samples[step->sample_count - 1];
    const struct series_sample *sample = is_loop ? sample_of(call, last) : last;
    const size_t number = step_of(&series->programs[sample->program].ranks[sample->rank], sample);
    char place[2 * SERIES_TEXT], name[SERIES_TEXT], ranks[2 * SERIES_TEXT];
    if (number == SIZE_MAX)
        snprintf(place, sizeof place, "a call of rank %u of %u ranks", sample->rank,
                 series->programs[sample->program].program->rank_count);
    else
        series_where_call(series, sample->program, sample->rank, number, place, sizeof place);
    series_role_text(series, role->key, name, sizeof name);
    const bool has_ranks = series_where_role(series, sample->program, role, ranks, sizeof ranks);
    snprintf(text, size, "%s%s (%s; role: %s%s%s)", is_loop ? "a loop that begins with " : "",
             series_symbol_name(series, call->symbol), place, name, has_ranks ? ", " : "",
             has_ranks ? ranks : "");
}
