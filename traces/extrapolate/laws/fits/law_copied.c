/*
 * Which values of the known program the new one copies. With roles by symmetry, a step has sizes of
 * messages along several dimensions, each in a view of its program. A law may be fitted to all of
 * them, but a message copies the sizes along one dimension: its own, or the first one that the
 * known program has. The means of the fit then are those of these sizes.
 */
#include "core/base/wide.h"
#include "core/memory/memory.h"
#include "traces/extrapolate/laws/fits/series_fits.h"
#include "traces/extrapolate/laws/series_law.h"

bool law_has_own(const struct series_role_step *step) {
    /* The samples of a program follow each other. */
    for (size_t first = 0, end; first < step->sample_count; first = end) {
        bool has = false;
        for (end = first;
             end < step->sample_count && step->samples[end].program == step->samples[first].program;
             end++)
            has = has || step->samples[end].view == 0;
        if (!has) return false;
    }
    return true;
}

size_t law_copied_samples(const struct series_role_step *step, const struct series_fit *fit,
                          size_t *first, size_t end) {
    size_t count = 0;
    if (!fit->is_of_view) return end - *first;
    while (*first < end && step->samples[*first].view != fit->view)
        ++*first;
    while (*first + count < end && step->samples[*first + count].view == fit->view)
        count++;
    return count;
}

/* Returns the lowest view of the samples of the known program. */
static uint8_t first_view(const struct series_law_data *data) {
    uint8_t view = UINT8_MAX;
    for (size_t i = 0; i < data->count; i++) {
        const struct series_sample *sample = &data->step->samples[data->samples[i]];
        if (sample->program == data->known_program && sample->view < view) view = sample->view;
    }
    return view;
}

/* Returns value x over / under. */
static int64_t multiply(int64_t value, int64_t over, int64_t under) {
    const signed_wide result = (signed_wide)value * over / under;
    return result < INT64_MAX ? (int64_t)result : INT64_MAX;
}

status_code law_copied_take(const struct series_law_data *data, struct series_fit *fit,
                            uint32_t **samples, size_t *count, struct status *status) {
    signed_wide sum = 0;
    int64_t known = 0;
    *samples = NULL;
    *count = 0;
    if (data->series->grids.symmetric == 0 || data->is_loop ||
        (data->what != SERIES_VALUE_BYTES && data->what != SERIES_VALUE_RECEIVED))
        return STATUS_OK;
    fit->is_of_view = true;
    fit->view = first_view(data);
    *samples = memory_new(data->count, sizeof **samples);
    RETURN_ERROR_IF(*samples == NULL, status, STATUS_MEMORY, "out of memory for laws");
    for (size_t i = 0; i < data->count; i++) {
        const struct series_sample *sample = &data->step->samples[data->samples[i]];
        if (sample->view != fit->view) continue;
        (*samples)[(*count)++] = data->samples[i];
        if (sample->program != data->known_program) continue;
        sum += law_sample_value(data, i);
        known++;
    }
    const int64_t mean = known > 0 ? (int64_t)(sum / known) : 0;
    if (mean <= 0 || fit->known_mean <= 0) return STATUS_OK;
    fit->mean = multiply(fit->mean, mean, fit->known_mean);
    fit->alternative_mean = multiply(fit->alternative_mean, mean, fit->known_mean);
    fit->last_off = multiply(fit->last_off, mean, fit->known_mean);
    fit->known_mean = mean;
    return STATUS_OK;
}
