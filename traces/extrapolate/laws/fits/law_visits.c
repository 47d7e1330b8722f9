/*
 * How often a rank visits a step. The number of ranks may decide how many iterations a loop has, as
 * for rounds and stages. The computation of a rank in all iterations together then follows a
 * simpler law than that in one iteration: half the work in twice as many iterations is a quarter in
 * each.
 */
#include "traces/extrapolate/laws/fits/series_fits.h"

/* Returns the product of the iterations of the loops around a step. */
static wide product_of(const uint32_t *trips, uint32_t depth) {
    wide product = 1;
    for (uint32_t l = 0; l < depth; l++)
        product *= trips[l];
    return product;
}

/* Sets *visits to those of the program of sample *first, which is its first one, and *first to the
 * first sample of the next program. Returns false if the visits of a rank are not that product. */
static bool take_program(const struct series_law_data *data, size_t *first,
                         struct series_visits *visits) {
    const struct series_sample *samples = data->step->samples;
    const uint32_t program = samples[data->samples[*first]].program;
    *visits = (struct series_visits){.ranks = 0};
    while (*first < data->count && samples[data->samples[*first]].program == program) {
        const struct series_sample *sample = &samples[data->samples[*first]];
        const wide product = product_of(sample->trips, data->step->depth);
        wide own = 0;
        while (*first < data->count && samples[data->samples[*first]].program == program &&
               samples[data->samples[*first]].rank == sample->rank) {
            own++;
            ++*first;
        }
        if (own != product) return false;
        visits->ranks++;
        visits->count += own;
    }
    return true;
}

/* Sets *visits to those of the examples of the role in the new program. Returns false if an example
 * does not visit the step. */
static bool take_target(const struct series_law_data *data, struct series_visits *visits) {
    *visits = (struct series_visits){.ranks = 0};
    for (uint32_t e = 0; e < data->role->example_count; e++) {
        struct law_target_walk walk = {.data = data, .example = e};
        if (!law_target_next(&walk) || walk.example != e + 1) return false;
        visits->ranks++;
        visits->count += product_of(walk.place.trips, data->step->depth);
    }
    return visits->count > 0;
}

bool law_visits_take(const struct series_law_data *data,
                     struct series_visits visits[SERIES_MOST_MEANS], struct series_visits *target) {
    uint32_t programs = 0;
    bool is_same = true;
    if (data->step->depth == 0 || data->is_loop || data->levels != 0 || data->role == NULL ||
        data->step < data->role->steps || data->step >= data->role->steps + data->role->step_count)
        return false;
    for (size_t first = 0; first < data->count; programs++) {
        if (programs == SERIES_MOST_MEANS || !take_program(data, &first, &visits[programs]))
            return false;
        is_same = is_same && visits[programs].count * visits[0].ranks ==
                                 visits[0].count * visits[programs].ranks;
    }
    return !is_same && take_target(data, target);
}
