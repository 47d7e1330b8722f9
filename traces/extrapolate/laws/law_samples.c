/*
 * Divides the samples of a step into groups that follow one law each: those of the same iterations.
 */
#include "core/memory/memory.h"
#include "traces/extrapolate/laws/series_law.h"
#include "traces/program/content_hash.h"

#include <stdlib.h>

void series_groups_free(struct series_groups *groups) {
    free(groups->order);
    free(groups->first);
    free(groups->partners);
    free(groups->first_partner);
    free(groups->partner_hashes);
    free(groups->visit_hashes);
}

/* Returns whether a sample is among those in which the law is looked for. */
static bool is_chosen(const struct series_law_data *data, const struct series_sample *sample) {
    switch (data->choice) {
    case SERIES_SAMPLES_NEAR:
        return sample->is_near;
    case SERIES_SAMPLES_OWN:
        return sample->view == 0;
    case SERIES_SAMPLES_BOTH:
        return sample->is_near && sample->view == 0;
    default:
        return true;
    }
}

/* Returns whether two samples are of the same rank in the same view. */
static bool is_of_rank(const struct series_law_data *data, uint32_t left, uint32_t right) {
    const struct series_sample *a = &data->step->samples[left], *b = &data->step->samples[right];
    return a->program == b->program && a->rank == b->rank && a->view == b->view;
}

/* Returns whether sample `number` has the value of one of the last samples of its rank in a list.
 */
static bool is_repeated(const struct series_law_data *data, const uint32_t *samples, size_t count,
                        uint32_t number) {
    enum { MOST_COMPARED = 16 };
    const int64_t value = data->step->samples[number].values[data->field];
    for (size_t i = 0; i < MOST_COMPARED && i < count; i++) {
        const uint32_t other = samples[count - 1 - i];
        if (!is_of_rank(data, other, number)) return false;
        if (data->step->samples[other].values[data->field] == value) return true;
    }
    return false;
}

static uint64_t add_partner(uint64_t hash, const struct series_law_data *data, uint32_t number) {
    const struct series_sample *sample = &data->step->samples[number];
    return content_hash_add3(hash, (uint64_t)sample->program << 32 | sample->rank, sample->view,
                             (uint64_t)sample->values[data->field]);
}

static uint64_t add_visit(uint64_t hash, const struct series_law_data *data, uint32_t number) {
    const struct series_sample *sample = &data->step->samples[number];
    hash = add_partner(hash ^ data->step->depth, data, number);
    for (uint32_t l = 0; l < data->step->depth; l++)
        hash = content_hash_add3(hash, sample->index[l], sample->trips[l], l);
    return hash;
}

/* Lists the partners of each group without repeated ones, and sets the hashes of the group. */
static status_code record_partners(const struct series_law_data *data, struct series_groups *groups,
                                   struct status *status) {
    groups->partners = memory_new(groups->first[groups->count], sizeof *groups->partners);
    groups->first_partner = memory_new((size_t)groups->count + 1, sizeof *groups->first_partner);
    groups->partner_hashes = memory_new(groups->count, sizeof *groups->partner_hashes);
    groups->visit_hashes = memory_new(groups->count, sizeof *groups->visit_hashes);
    RETURN_ERROR_IF(groups->partners == NULL || groups->first_partner == NULL ||
                        groups->partner_hashes == NULL || groups->visit_hashes == NULL,
                    status, STATUS_MEMORY, "out of memory for laws");
    size_t count = 0;
    for (uint32_t g = 0; g < groups->count; g++) {
        groups->first_partner[g] = count;
        for (size_t i = groups->first[g]; i < groups->first[g + 1]; i++) {
            groups->visit_hashes[g] = add_visit(groups->visit_hashes[g], data, groups->order[i]);
            if (!is_repeated(data, groups->partners + groups->first_partner[g],
                             count - groups->first_partner[g], groups->order[i])) {
                groups->partners[count++] = groups->order[i];
                groups->partner_hashes[g] =
                    add_partner(groups->partner_hashes[g], data, groups->order[i]);
            }
        }
    }
    groups->first_partner[groups->count] = count;
    return STATUS_OK;
}

/* Makes one group of all samples. */
static void take_all(const struct series_role_step *step, struct series_groups *groups) {
    for (size_t i = 0; i < step->sample_count; i++)
        groups->order[i] = (uint32_t)i;
    groups->first[1] = step->sample_count;
}

static uint32_t group_of(const struct series_law_data *data, uint32_t levels, size_t i) {
    const struct series_sample *sample = &data->step->samples[i];
    return law_group_of(data->role, data->step, levels,
                        data->series->programs[sample->program].program->rank_count, sample->index);
}

/* Sorts the chosen samples by groups, and in a group by their index: counts them, then places them.
 */
static void sort_samples(const struct series_law_data *data, uint32_t levels,
                         struct series_groups *groups) {
    const struct series_role_step *step = data->step;
    for (size_t i = 0; i < step->sample_count; i++)
        if (is_chosen(data, &step->samples[i])) groups->first[group_of(data, levels, i) + 2]++;
    for (uint32_t g = 0; g < groups->count; g++)
        groups->first[g + 2] += groups->first[g + 1];
    for (size_t i = 0; i < step->sample_count; i++)
        if (is_chosen(data, &step->samples[i]))
            groups->order[groups->first[group_of(data, levels, i) + 1]++] = (uint32_t)i;
}

status_code series_groups_make(const struct series_law_data *data, uint32_t levels, uint32_t count,
                               struct series_groups *groups, struct status *status) {
    const struct series_role_step *step = data->step;
    *groups = (struct series_groups){.order = memory_new(step->sample_count, sizeof *groups->order),
                                     .first = memory_new((size_t)count + 2, sizeof *groups->first),
                                     .count = count,
                                     .levels = levels};
    RETURN_ERROR_IF(groups->order == NULL || groups->first == NULL, status, STATUS_MEMORY,
                    "out of memory for laws");
    if (levels == 0 && data->choice == SERIES_SAMPLES_ALL)
        take_all(step, groups);
    else
        sort_samples(data, levels, groups);
    return data->what == SERIES_VALUE_PEER ? record_partners(data, groups, status) : STATUS_OK;
}

/* Returns the index of the first sample after `first` that is of another program. The samples of a
 * group are in the order of the programs. */
static size_t end_of_program(const struct series_law_data *data, size_t first) {
    const struct series_sample *samples = data->step->samples;
    const uint32_t program = samples[data->samples[first]].program;
    size_t low = first + 1, high = data->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (samples[data->samples[middle]].program == program)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static uint32_t count_programs(const struct series_law_data *data) {
    uint32_t count = 0;
    for (size_t i = 0; i < data->count; i = end_of_program(data, i))
        count++;
    return count;
}

struct series_law_data series_groups_data(const struct series_groups *groups, uint32_t number,
                                          const struct series_law_data *like) {
    struct series_law_data data = *like;
    data.samples = groups->order + groups->first[number];
    data.count = groups->first[number + 1] - groups->first[number];
    data.levels = groups->levels;
    data.group = number;
    data.groups = groups;
    if (groups->partners != NULL) {
        data.partners = groups->partners + groups->first_partner[number];
        data.visit_hash = groups->visit_hashes[number];
        data.partner_hash = groups->partner_hashes[number];
        data.partner_count = groups->first_partner[number + 1] - groups->first_partner[number];
    }
    data.programs = count_programs(&data);
    return data;
}

/* Returns whether a law gives all values. */
static bool gives_all(const struct series_law_data *data, const struct series_law *law) {
    for (size_t i = 0; i < data->count; i++) {
        const struct series_place place = law_place(data, i);
        int64_t value;
        if (!law_value(data->series, law, &place, &value) || value != law_sample_value(data, i))
            return false;
    }
    return true;
}

uint32_t law_count_groups(const struct series_law_data *data, const struct series_law *law) {
    uint32_t count = 0;
    for (uint32_t g = 0; g < data->groups->count; g++) {
        const struct series_law_data group = series_groups_data(data->groups, g, data);
        count += group.count > 0 && gives_all(&group, law);
    }
    return count;
}
