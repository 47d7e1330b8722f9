/*
 * Laws of rounds: the first iteration of each round has a law, and all others another one; or a law
 * has the iterations of a round, which are counted anew in each. The iterations of a program
 * without another call between them are one loop: 4 times log2 P rounds of an allreduce by messages
 * are a loop of 4 log2 P iterations. A rank computes before the first one of each allreduce, and
 * the sizes of the messages may halve from one to the next.
 */
#include "traces/extrapolate/laws/series_laws.h"
#include "traces/extrapolate/laws/sizes/law_sizes.h"

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

void series_laws_drop_open(struct series_value_law *laws, bool *found) {
    bool is_open = false;
    for (uint32_t g = 0; *found && g < laws->law_count; g++)
        is_open = is_open || laws->laws[g].is_open;
    if (!is_open) return;
    free(laws->laws);
    laws->laws = NULL;
    *found = false;
}

/* Returns whether ranks repeat their values in so many rounds of the innermost loop, and programs
 * have rounds of different lengths. */
static bool repeats_values(const struct series_law_data *data, uint32_t level, uint32_t rounds) {
    const struct series_role_step *step = data->step;
    bool differ = false;
    uint32_t last = 0;
    for (size_t i = 0; i < step->sample_count; i++) {
        const struct series_sample *sample = &step->samples[i];
        const uint32_t length = sample->trips[level] / rounds;
        if (length == 0 || sample->trips[level] % rounds != 0) return false;
        differ = differ || (last > 0 && length != last);
        last = length;
        if (sample->index[level] < length) continue;
        if (i < length) return false;
        const struct series_sample *before = &step->samples[i - length];
        if (before->program != sample->program || before->rank != sample->rank ||
            before->index[level] + length != sample->index[level] ||
            before->values[data->field] != sample->values[data->field])
            return false;
    }
    return differ;
}

/* Looks for a law of what all rounds have alike: the largest number of rounds that has one. */
static status_code try_alike(struct series *series, const struct series_law_data *data,
                             uint32_t level, struct series_value_law *laws, bool *found,
                             struct status *status) {
    enum { MOST_ROUNDS = 64 };
    struct series_law_data in_round = *data;
    if (data->is_loop || level + 1 != data->step->depth || data->choice != SERIES_SAMPLES_ALL)
        return STATUS_OK;
    in_round.round_level = level;
    for (uint32_t rounds = MOST_ROUNDS; rounds > 1 && !*found; rounds--) {
        in_round.rounds = rounds;
        if (!repeats_values(data, level, rounds)) continue;
        FORWARD_IF_ERROR(series_laws_try(series, &in_round, 0, laws, false, found, status));
        series_laws_drop_open(laws, found);
    }
    return STATUS_OK;
}

status_code series_laws_try_rounds(struct series *series, const struct series_law_data *data,
                                   uint32_t level, struct series_value_law *laws, bool *found,
                                   struct status *status) {
    const bool is_compute = data->what == SERIES_VALUE_COMPUTE;
    for (uint32_t kind = 0; is_compute && kind < LAW_ROUND_KINDS && !*found; kind++) {
        if (!has_rounds(data, level, kind)) continue;
        const uint32_t levels = (LAW_ROUNDS + kind) * SERIES_LOOP_SETS | 1u << level;
        FORWARD_IF_ERROR(series_laws_try(series, data, levels, laws, false, found, status));
        series_laws_drop_open(laws, found);
    }
    if (!*found && (is_compute || data->what == SERIES_VALUE_TAG || law_is_of_bytes(data->what)))
        return try_alike(series, data, level, laws, found, status);
    return STATUS_OK;
}

void series_rounds_mark(const struct series_law_data *data, struct series_law *law,
                        struct series_alternatives *alternatives) {
    law->rounds = data->rounds;
    law->round_level = data->round_level;
    for (uint32_t i = 0; i < alternatives->count; i++) {
        alternatives->list[i].law.rounds = data->rounds;
        alternatives->list[i].law.round_level = data->round_level;
    }
}
