/*
 * Laws of rounds: the first iteration of each round has a law, and all others another one. The
 * iterations of a program without another call between them are one loop: 4 times log2 P rounds of
 * an allreduce by messages are a loop of 4 log2 P iterations, and a rank computes before the first
 * one of each allreduce.
 */
#include "traces/extrapolate/laws/series_laws.h"

#include <stdlib.h>

/* Returns whether ranks repeat rounds of a kind as a whole, some more than once, and programs have
 * rounds of different lengths. */
static bool has_rounds(const struct series_law_data *data, uint32_t level, uint32_t kind) {
    const struct series_role_step *step = data->step;
    bool differ = false, is_repeated = false;
    uint32_t last = 0;
    for (size_t i = 0; i < step->sample_count; i++) {
        const struct series_sample *sample = &step->samples[i];
        const uint32_t own =
            law_round_iterations(kind, data->series->programs[sample->program].program->rank_count);
        if (sample->trips[level] % own != 0) return false;
        is_repeated = is_repeated || sample->trips[level] > own;
        differ = differ || (last > 0 && own != last);
        last = own;
    }
    return differ && is_repeated;
}

status_code series_laws_try_rounds(struct series *series, const struct series_law_data *data,
                                   uint32_t level, struct series_value_law *laws, bool *found,
                                   struct status *status) {
    if (data->what != SERIES_VALUE_COMPUTE) return STATUS_OK;
    for (uint32_t kind = 0; kind < LAW_ROUND_KINDS && !*found; kind++) {
        if (!has_rounds(data, level, kind)) continue;
        const uint32_t levels = (LAW_ROUNDS + kind) * SERIES_LOOP_SETS | 1u << level;
        FORWARD_IF_ERROR(series_laws_try(series, data, levels, laws, false, found, status));
        bool is_open = false;
        for (uint32_t g = 0; *found && g < laws->law_count; g++)
            is_open = is_open || laws->laws[g].is_open;
        if (!is_open) continue;
        free(laws->laws);
        laws->laws = NULL;
        *found = false;
    }
    return STATUS_OK;
}
