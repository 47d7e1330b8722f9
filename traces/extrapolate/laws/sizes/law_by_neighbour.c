/*
 * Exact laws of sizes that depend only on the neighbour. If roles are positions in a grid, a rank
 * inside may post the messages to all of its neighbours in one loop, and a rank at a corner has
 * fewer neighbours. The messages to the neighbour on one side, or across one edge or corner, may
 * then have one law in all roles and iterations.
 */
#include "core/memory/memory.h"
#include "traces/extrapolate/grids/series_grids.h"
#include "traces/extrapolate/laws/series_law.h"
#include "traces/extrapolate/laws/series_laws.h"
#include "traces/extrapolate/laws/sizes/law_sizes.h"
#include "traces/extrapolate/roles/series_keys.h"

#include <stdlib.h>
#include <string.h>

enum {
    NEIGHBOURS = 81, /* 3^SERIES_DIMENSIONS: one step down, none or one up along each dimension */
    NO_NEIGHBOUR = NEIGHBOURS /* instead of a neighbour: the partner is none */
};

/* The messages to one neighbour. */
struct neighbour {
    struct series_sample *samples; /* each with the size as its only value */
    size_t count, capacity;
};

/* The messages with the same words (kind, communicator and tag) in calls of one region, in all
 * roles. */
struct series_neighbour_messages {
    uint32_t region;
    size_t first_word, word_count; /* in series->steps.words */
    struct neighbour neighbours[NEIGHBOURS];
};

/* Returns which neighbour a partner is in the grid of the roles, without periods; NO_NEIGHBOUR: it
 * is none. */
static uint32_t neighbour_of(const struct series *series, const struct series_sample *sample,
                             int64_t partner) {
    const uint32_t grid = series->roles.rule.grid;
    const uint32_t dimensions = series->grids.rules[grid].dimensions;
    const struct series_program *from = &series->programs[sample->program];
    uint32_t own[SERIES_DIMENSIONS], other[SERIES_DIMENSIONS], number = 0;
    if (partner < 0 || partner >= from->program->rank_count || partner == sample->rank)
        return NO_NEIGHBOUR;
    grid_coordinates(from->extents.of[grid], dimensions, sample->rank, own);
    grid_coordinates(from->extents.of[grid], dimensions, (uint32_t)partner, other);
    for (uint32_t d = 0; d < SERIES_DIMENSIONS; d++) {
        if (other[d] > own[d] + 1 || own[d] > other[d] + 1) return NO_NEIGHBOUR;
        number = number * 3 + (other[d] + 1 - own[d]);
    }
    return number;
}

/* Appends a sample, unless one of the last samples of its rank has the same size. */
static status_code add_sample(struct neighbour *neighbour, const struct series_sample *sample,
                              uint32_t field, struct status *status) {
    enum { MOST_COMPARED = 4 };
    for (size_t i = 0; i < MOST_COMPARED && i < neighbour->count; i++) {
        const struct series_sample *last = &neighbour->samples[neighbour->count - 1 - i];
        if (last->program != sample->program || last->rank != sample->rank) break;
        if (*last->values == sample->values[field]) return STATUS_OK;
    }
    FORWARD_IF_ERROR(memory_grow((void **)&neighbour->samples, &neighbour->capacity,
                                 neighbour->count + 1, sizeof *neighbour->samples, status));
    neighbour->samples[neighbour->count] = *sample;
    neighbour->samples[neighbour->count++].values += field;
    return STATUS_OK;
}

/* Appends the samples of one program at a step to the messages of their neighbours. */
static status_code add_step(const struct series *series, struct series_neighbour_messages *messages,
                            const struct series_role_step *step, uint32_t program,
                            struct status *status) {
    const struct series_symbol *symbol = &series->steps.symbols[step->symbol];
    struct law_part_of_call part = {0};
    if (series->steps.words[symbol->first_word] != OPERATION_CALL ||
        series->steps.words[symbol->first_word + 1] != messages->region)
        return STATUS_OK;
    while (law_next_part(series, symbol, &part)) {
        if (part.word_count != messages->word_count ||
            memcmp(part.words, series->steps.words + messages->first_word,
                   part.word_count * sizeof *part.words) != 0)
            continue;
        for (size_t i = 0; i < step->sample_count; i++) {
            const struct series_sample *sample = &step->samples[i];
            if (sample->program != program) continue;
            const uint32_t number = neighbour_of(series, sample, sample->values[part.field]);
            if (number != NO_NEIGHBOUR)
                FORWARD_IF_ERROR(
                    add_sample(&messages->neighbours[number], sample, part.field + 1, status));
        }
    }
    return STATUS_OK;
}

/* Sets *found to the messages in all roles that have the words of the message of `data`, by their
 * neighbours. The series keeps them until series_neighbour_messages_forget. */
static status_code find_messages(struct series *series, const struct series_law_data *data,
                                 const struct series_neighbour_messages **found,
                                 struct status *status) {
    const struct series_symbol *symbol = &series->steps.symbols[data->step->symbol];
    struct law_part_of_call part = {0};
    while (law_next_part(series, symbol, &part) && part.field + 1 != data->field) {
    }
    const struct series_neighbour_messages wanted = {
        .region = (uint32_t)series->steps.words[symbol->first_word + 1],
        .first_word = (size_t)(part.words - series->steps.words),
        .word_count = part.word_count,
    };
    for (size_t i = 0; i < series->laws.message_count; i++) {
        const struct series_neighbour_messages *known = &series->laws.messages[i];
        if (known->region == wanted.region && known->word_count == wanted.word_count &&
            memcmp(series->steps.words + known->first_word, part.words,
                   part.word_count * sizeof *part.words) == 0) {
            *found = known;
            return STATUS_OK;
        }
    }
    FORWARD_IF_ERROR(memory_grow((void **)&series->laws.messages, &series->laws.message_capacity,
                                 series->laws.message_count + 1, sizeof *series->laws.messages,
                                 status));
    struct series_neighbour_messages *messages =
        &series->laws.messages[series->laws.message_count++];
    *messages = wanted;
    for (uint32_t k = 0; k < series->program_count; k++)
        for (size_t r = 0; r < series->roles.count; r++)
            for (size_t s = 0; s < series->roles.list[r].step_count; s++)
                FORWARD_IF_ERROR(
                    add_step(series, messages, &series->roles.list[r].steps[s], k, status));
    *found = messages;
    return STATUS_OK;
}

void series_neighbour_messages_forget(struct series *series) {
    for (size_t i = 0; i < series->laws.message_count; i++)
        for (uint32_t n = 0; n < NEIGHBOURS; n++)
            free(series->laws.messages[i].neighbours[n].samples);
    series->laws.message_count = 0;
}

/* Sets neighbours[g] to the neighbour that all partners in group g of iterations are. Returns false
 * if the partners of a group are several neighbours, or none. */
static bool find_neighbours(const struct series_law_data *data, uint32_t levels,
                            uint32_t *neighbours, uint32_t count) {
    const struct series_role_step *step = data->step;
    for (uint32_t g = 0; g < count; g++)
        neighbours[g] = NO_NEIGHBOUR;
    for (size_t i = 0; i < step->sample_count; i++) {
        const struct series_sample *sample = &step->samples[i];
        const uint32_t ranks = data->series->programs[sample->program].program->rank_count;
        uint32_t *found = &neighbours[law_group_of(data->role, step, levels, ranks, sample->index)];
        const uint32_t own = neighbour_of(data->series, sample, sample->values[data->field - 1]);
        if (own == NO_NEIGHBOUR || (*found != NO_NEIGHBOUR && own != *found)) return false;
        *found = own;
    }
    for (uint32_t g = 0; g < count; g++)
        if (neighbours[g] == NO_NEIGHBOUR) return false;
    return true;
}

/* Looks for the law of the messages to one neighbour, which three programs or more must have. */
static status_code find_law(const struct series_law_data *wanted, const struct neighbour *neighbour,
                            struct series_law *law, struct series_alternatives *alternatives,
                            bool *found, struct status *status) {
    enum { FEWEST_PROGRAMS = 3 };
    struct series_role_step pool = *wanted->step;
    struct series_law_data data = *wanted;
    struct series_groups groups = {0};
    *found = false;
    pool.samples = neighbour->samples;
    pool.sample_count = neighbour->count;
    pool.depth = 0;
    data.step = &pool;
    data.field = 0;
    const status_code code = series_groups_make(&data, 0, 1, &groups, status);
    if (code == STATUS_OK) {
        data = series_groups_data(&groups, 0, &data);
        data.levels = wanted->levels;
        data.group = wanted->group;
        *found = data.programs >= FEWEST_PROGRAMS && law_find_value(&data, law, alternatives) &&
                 !law->is_open;
        law->shares_extent =
            law->kind == SERIES_LAW_CONSTANT && law_shares_extent(data.series, &pool);
    }
    series_groups_free(&groups);
    return code;
}

/* Looks for the laws of all groups of iterations: neighbours[g] is the neighbour of group g. */
static status_code find_laws(struct series *series, const struct series_law_data *data,
                             const uint32_t *neighbours, struct series_value_law *laws, bool *found,
                             struct status *status) {
    const struct series_neighbour_messages *messages;
    FORWARD_IF_ERROR(find_messages(series, data, &messages, status));
    laws->laws = memory_new(laws->law_count, sizeof *laws->laws);
    RETURN_ERROR_IF(laws->laws == NULL, status, STATUS_MEMORY, "out of memory for laws");
    *found = true;
    for (uint32_t g = 0; g < laws->law_count && *found; g++) {
        struct series_law_data group = *data;
        struct series_alternatives alternatives = {.count = 0};
        group.levels = laws->levels;
        group.group = g;
        FORWARD_IF_ERROR(find_law(&group, &messages->neighbours[neighbours[g]], &laws->laws[g],
                                  &alternatives, found, status));
        if (!*found) break;
        FORWARD_IF_ERROR(series_alternative_keep(series, alternatives.list, alternatives.count,
                                                 &laws->laws[g], status));
    }
    for (uint32_t g = 0; g < laws->law_count && *found; g++)
        series_law_mark_grid(series, &laws->laws[g]);
    return STATUS_OK;
}

status_code law_find_by_neighbour(struct series *series, const struct series_law_data *data,
                                  struct series_value_law *laws, bool *found,
                                  struct status *status) {
    *found = false;
    if ((series_keys_of(series->roles.rule.row) & SERIES_KEY_OF_CLASSES) == 0 ||
        !law_is_of_message(data))
        return STATUS_OK;
    const struct series_value_law *partners = &data->step->laws[data->field - 1];
    if (partners->what != SERIES_VALUE_PEER || partners->law_count == 0 ||
        partners->levels >= SERIES_LOOP_SETS)
        return STATUS_OK;
    uint32_t *neighbours = memory_new(partners->law_count, sizeof *neighbours);
    RETURN_ERROR_IF(neighbours == NULL, status, STATUS_MEMORY, "out of memory for laws");
    *laws = (struct series_value_law){.what = data->what,
                                      .levels = partners->levels,
                                      .law_count = partners->law_count,
                                      .is_by_neighbour = true};
    status_code code = STATUS_OK;
    if (find_neighbours(data, partners->levels, neighbours, partners->law_count))
        code = find_laws(series, data, neighbours, laws, found, status);
    free(neighbours);
    if (*found && code == STATUS_OK) return STATUS_OK;
    free(laws->laws);
    *laws = (struct series_value_law){.what = data->what};
    *found = false;
    return code;
}
