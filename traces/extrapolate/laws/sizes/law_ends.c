/*
 * Exact laws of the size of a message that roles by positions in a grid have in common. The same
 * message in another role is the n-th one there with the same call, words and law of its partner.
 * At the low and the high end of a dimension, the size may have a constant more or less in all
 * programs, for example because ranks leave out cells at the boundary.
 */
#include "core/memory/memory.h"
#include "traces/extrapolate/grids/series_grids.h"
#include "traces/extrapolate/laws/partners/law_peers.h"
#include "traces/extrapolate/laws/series_law.h"
#include "traces/extrapolate/laws/sizes/law_sizes.h"
#include "traces/extrapolate/roles/series_keys.h"
#include "traces/extrapolate/steps/series_steps.h"

#include <stdlib.h>
#include <string.h>

/* Places along a dimension. */
enum { INSIDE = 0, LOW = 1, HIGH = 2, ALONE = LOW | HIGH, PLACES };

/* How many bytes ranks have more than those inside. */
struct ends {
    uint32_t grid, dimension;
    int64_t more[PLACES]; /* [place along the dimension] */
};

/* Returns the place of the rank of sample i along the dimension. */
static uint32_t place_of(const struct series_law_data *data, const struct ends *ends, size_t i) {
    const struct series_place place = law_place(data, i);
    uint32_t coordinates[SERIES_DIMENSIONS];
    const uint32_t *extents = place.extents->of[ends->grid];
    grid_coordinates(extents, data->series->grids.rules[ends->grid].dimensions, place.rank,
                     coordinates);
    const uint32_t own = coordinates[ends->dimension];
    return (own == 0 ? LOW : 0) | (own + 1 == extents[ends->dimension] ? HIGH : 0);
}

/* Sets ends->more by the first ranks of the largest program that are at the low end, inside and at
 * the high end. Returns false if they have equal sizes, or the program lacks such ranks. */
static bool find_ends(const struct series_law_data *data, struct ends *ends) {
    const struct series_sample *samples = data->step->samples;
    const uint32_t program = samples[data->samples[data->count - 1]].program;
    int64_t values[PLACES];
    uint32_t known = 0;
    for (size_t i = 0; i < data->count && known != (1u << INSIDE | 1u << LOW | 1u << HIGH); i++) {
        if (samples[data->samples[i]].program != program) continue;
        const uint32_t place = place_of(data, ends, i);
        if (place == ALONE || (known >> place & 1) != 0) continue;
        values[place] = law_sample_value(data, i);
        known |= 1u << place;
    }
    if (known != (1u << INSIDE | 1u << LOW | 1u << HIGH)) return false;
    for (uint32_t place = LOW; place <= HIGH; place++)
        ends->more[place] = values[place] - values[INSIDE];
    ends->more[INSIDE] = 0;
    ends->more[ALONE] = ends->more[LOW] + ends->more[HIGH];
    return ends->more[LOW] != 0 || ends->more[HIGH] != 0;
}

/* Adds a number to the values of a law. Returns false if this is no law then. */
static bool add_to(struct series_law *law, int64_t more) {
    if (law->adds_ranks || law->times_ranks) return false;
    if (law->kind == SERIES_LAW_CONSTANT)
        law->a += more;
    else if (law->kind == SERIES_LAW_LINEAR)
        law->a += more * law->d;
    else if (law->kind == SERIES_LAW_PARTS)
        law->margin += more;
    else
        return false;
    return true;
}

/* Returns the place along a dimension that all ranks of a role have; PLACES: they have several. */
static uint32_t place_of_role(const struct series_law_data *data, const struct ends *ends) {
    const uint32_t last = (uint32_t)data->step->sample_count - 1;
    struct series_law_data one = *data;
    uint32_t place = PLACES;
    for (uint32_t i = 0; i <= last; i++) {
        one.samples = &i;
        const uint32_t own = place_of(&one, ends, 0);
        if (place != PLACES && place != own) return PLACES;
        place = own;
    }
    return place;
}

/* Looks for the law of all samples of a pool, from which ends->more is subtracted, and adds
 * ends->more of the role's place to it. */
static bool find_base(const struct series_law_data *pooled, const struct ends *ends, uint32_t place,
                      struct series_law *law, struct series_alternatives *alternatives) {
    alternatives->count = 0;
    if (!law_find_value(pooled, law, alternatives) || law->is_open) return false;
    for (uint32_t i = 0; i < alternatives->count; i++) {
        struct series_alternative *alternative = &alternatives->list[i];
        if (!add_to(&alternative->law, ends->more[place])) return false;
        alternative->own += ends->more[place];
        alternative->other += ends->more[place];
    }
    return add_to(law, ends->more[place]);
}

/* ---- the same message in all roles ---- */

const struct series_law *law_partner_of(const struct series_role_step *step, uint32_t field) {
    const struct series_value_law *laws = &step->laws[field - 1];
    return laws->what == SERIES_VALUE_PEER && laws->law_count == 1 ? laws->laws : NULL;
}

bool law_is_of_message(const struct series_law_data *data) {
    return data->what == SERIES_VALUE_BYTES || data->what == SERIES_VALUE_RECEIVED;
}

bool law_next_part(const struct series *series, const struct series_symbol *symbol,
                   struct law_part_of_call *part) {
    /* Before the first part: the kind and the region; computation, gap, records and duration. */
    enum { CALL_WORDS = 2, CALL_VALUES = 4 };
    const int64_t *first = series->steps.words + symbol->first_word,
                  *end = first + symbol->word_count;
    if (part->words == NULL) {
        *part = (struct law_part_of_call){.words = first + CALL_WORDS, .field = CALL_VALUES};
    } else {
        const int64_t kind = series_head_kind(*part->words);
        if (kind == OPERATION_COLLECTIVE)
            part->field += 3; /* root and bytes to give and take */
        else if (kind != OPERATION_WAIT)
            part->field += series->assumptions.tags_are_values ? 3 : 2; /* partner, bytes, tag */
        else if (part->words[1] == SERIES_WAIT_FOR_LIST)
            part->field += (uint32_t)part->words[2];
        part->words += part->word_count;
    }
    if (part->words >= end) return false;
    part->word_count = series_part_words(series, part->words);
    return true;
}

/* Returns whether a step has the call of data->step, and in it a message with the words and the law
 * of the partner of the message of `data`; sets *field to its size. Other messages of the call may
 * be missing: ranks at the end of a grid have none beyond it. */
static bool is_alike(const struct series_role_step *step, const struct series_law_data *data,
                     uint32_t *field) {
    const struct series *series = data->series;
    const struct series_symbol *own = &series->steps.symbols[data->step->symbol];
    const struct series_symbol *other = &series->steps.symbols[step->symbol];
    struct law_part_of_call wanted = {0}, part = {0};
    *field = data->field;
    if (step->depth != data->step->depth) return false;
    if (step == data->step) return true;
    if (!law_is_of_message(data)) return step->symbol == data->step->symbol;
    if (step->laws == NULL || series->steps.words[own->first_word] != OPERATION_CALL ||
        series->steps.words[other->first_word] != OPERATION_CALL ||
        series->steps.words[own->first_word + 1] != series->steps.words[other->first_word + 1])
        return false;
    while (law_next_part(series, own, &wanted) && wanted.field + 1 != data->field) {
    }
    while (law_next_part(series, other, &part)) {
        if (part.word_count != wanted.word_count ||
            memcmp(part.words, wanted.words, part.word_count * sizeof *part.words) != 0)
            continue;
        const struct series_law *partner = law_partner_of(step, part.field + 1);
        if (partner == NULL || !law_peer_is_same(partner, law_partner_of(data->step, data->field)))
            continue;
        *field = part.field + 1;
        return true;
    }
    return false;
}

/* Returns number n, from 0, of the steps of a role that are alike; NULL: there are fewer. */
static const struct series_role_step *alike_step(const struct series_role *role,
                                                 const struct series_law_data *data, uint32_t n,
                                                 uint32_t *field) {
    for (size_t i = 0; i < role->step_count; i++)
        if (is_alike(&role->steps[i], data, field) && n-- == 0) return &role->steps[i];
    return NULL;
}

status_code law_pool_sizes(const struct series_law_data *data, struct series_role_step *pool,
                           int64_t **sizes, struct status *status) {
    const struct series *series = data->series;
    uint32_t n = 0, field;
    size_t count = 0;
    pool->samples = NULL;
    pool->sample_count = pool->sample_capacity = 0;
    while (alike_step(data->role, data, n, &field) != data->step)
        n++;
    for (uint32_t k = 0; k < series->program_count; k++)
        for (size_t r = 0; r < series->roles.count; r++) {
            const struct series_role_step *step =
                alike_step(&series->roles.list[r], data, n, &field);
            for (size_t i = 0; step != NULL && i < step->sample_count; i++) {
                if (step->samples[i].program != k) continue;
                FORWARD_IF_ERROR(memory_grow((void **)&pool->samples, &pool->sample_capacity,
                                             count + 1, sizeof *pool->samples, status));
                pool->samples[count] = step->samples[i];
                pool->samples[count++].values += field;
            }
        }
    *sizes = memory_new(count, sizeof **sizes);
    RETURN_ERROR_IF(*sizes == NULL, status, STATUS_MEMORY, "out of memory for laws");
    for (size_t i = 0; i < count; i++) {
        (*sizes)[i] = *pool->samples[i].values;
        pool->samples[i].values = &(*sizes)[i];
    }
    pool->sample_count = count;
    return STATUS_OK;
}

/* ---- the search ---- */

/* Looks for a law of the sizes in all roles, and then, for each dimension of the grid of the roles,
 * for one without ends->more. pooled: the samples in all roles; their values are in sizes. */
static bool find_along(const struct series_law_data *data, const struct series_law_data *pooled,
                       int64_t *sizes, struct series_law *law,
                       struct series_alternatives *alternatives) {
    struct ends ends = {.grid = data->series->roles.rule.grid};
    if (law_find_value(pooled, law, alternatives) && !law->is_open) return true;
    for (; ends.dimension < data->series->grids.rules[ends.grid].dimensions; ends.dimension++) {
        const uint32_t place = place_of_role(data, &ends);
        if (place == PLACES || !find_ends(pooled, &ends)) continue;
        for (size_t i = 0; i < pooled->count; i++)
            sizes[pooled->samples[i]] -= ends.more[place_of(pooled, &ends, i)];
        if (find_base(pooled, &ends, place, law, alternatives)) return true;
        for (size_t i = 0; i < pooled->count; i++)
            sizes[pooled->samples[i]] += ends.more[place_of(pooled, &ends, i)];
    }
    return false;
}

status_code law_find_ends(const struct series_law_data *data, struct series_law *law,
                          struct series_alternatives *alternatives, bool *found,
                          struct status *status) {
    struct series_law_data pooled = *data;
    struct series_role_step pool = *data->step;
    struct series_groups groups = {0};
    int64_t *sizes = NULL;
    *found = false;
    if ((series_keys_of(data->series->roles.rule.row) & SERIES_KEY_OF_CLASSES) == 0 ||
        !law_is_of_bytes(data->what) ||
        (law_is_of_message(data) && law_partner_of(data->step, data->field) == NULL))
        return STATUS_OK;
    pooled.step = &pool;
    pooled.field = 0;
    status_code code = law_pool_sizes(data, &pool, &sizes, status);
    if (code == STATUS_OK) code = series_groups_make(&pooled, 0, 1, &groups, status);
    if (code == STATUS_OK) {
        pooled = series_groups_data(&groups, 0, &pooled);
        *found = find_along(data, &pooled, sizes, law, alternatives);
    }
    series_groups_free(&groups);
    free(pool.samples);
    free(sizes);
    return code;
}
