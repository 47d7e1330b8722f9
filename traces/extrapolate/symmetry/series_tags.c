/*
 * Tags by dimension. Programs often number the messages of a grid by dimension and direction. If
 * each dimension of the symmetric grid has its own tags, and all dimensions have equally many, then
 * the number of a tag among those of its dimension takes the place of the tag in symbols.
 */
#include "core/memory/memory.h"
#include "traces/extrapolate/grids/series_grids.h"
#include "traces/extrapolate/series.h"
#include "traces/extrapolate/symmetry/series_views.h"

#include <string.h>

/* Returns the one dimension in which two ranks have different coordinates; SERIES_DIMENSIONS: there
 * is none, or there are several. */
static uint32_t dimension_between(const struct series *series,
                                  const struct series_grid_extents *extents, uint32_t rank,
                                  uint32_t peer) {
    const uint32_t grid = series->grids.symmetric,
                   dimensions = series->grids.rules[grid].dimensions;
    uint32_t own[SERIES_DIMENSIONS], other[SERIES_DIMENSIONS], found = SERIES_DIMENSIONS;
    grid_coordinates(extents->of[grid], dimensions, rank, own);
    grid_coordinates(extents->of[grid], dimensions, peer, other);
    for (uint32_t d = 0; d < dimensions; d++) {
        if (own[d] == other[d]) continue;
        if (found < SERIES_DIMENSIONS) return SERIES_DIMENSIONS;
        found = d;
    }
    return found;
}

/* Adds a tag to those of a dimension, in ascending order. Returns false if there are too many. */
static bool add_tag(struct series_dimension_tags *tags, int32_t tag) {
    uint32_t place = 0;
    while (place < tags->count && tags->list[place] < tag)
        place++;
    if (place < tags->count && tags->list[place] == tag) return true;
    if (tags->count == SERIES_DIMENSION_TAGS) return false;
    memmove(tags->list + place + 1, tags->list + place, (tags->count - place) * sizeof *tags->list);
    tags->list[place] = tag;
    tags->count++;
    return true;
}

/* Adds the tags of a rank's sends to those of their dimensions. Returns false if there are too
 * many.
 */
static bool add_rank(struct series *series, const struct series_program *from, uint32_t rank) {
    const struct program *program = from->program;
    const struct program_rank *rank_entry = &program->ranks[rank];
    const struct program_operation *operation = program_array(program) + rank_entry->first;
    for (uint64_t i = 0; i < rank_entry->count; i++, operation++) {
        if (operation->kind != OPERATION_SEND || program_is_one_sided(operation) ||
            !program_is_message(program, operation))
            continue;
        const uint32_t d = dimension_between(series, &from->extents, rank, operation->message.peer);
        if (d < SERIES_DIMENSIONS && !add_tag(&series->assumptions.dimension_tags[d],
                                              program->envelopes[operation->message.envelope].tag))
            return false;
    }
    return true;
}

bool series_tags_find(struct series *series) {
    const uint32_t dimensions = series->grids.rules[series->grids.symmetric].dimensions;
    struct series_dimension_tags *tags = series->assumptions.dimension_tags;
    bool fits = true, differ = false;
    memset(tags, 0, sizeof series->assumptions.dimension_tags);
    for (uint32_t k = 0; k < series->program_count && fits; k++)
        for (uint32_t r = 0; r < series->programs[k].program->rank_count && fits; r++)
            fits = add_rank(series, &series->programs[k], r);
    for (uint32_t d = 1; d < dimensions && fits; d++) {
        fits = tags[d].count == tags[0].count;
        differ = differ || (fits && memcmp(tags[d].list, tags[0].list,
                                           tags[0].count * sizeof *tags[0].list) != 0);
    }
    return fits && differ;
}

int64_t series_tag_word(const struct series *series, uint8_t crossed, int32_t tag) {
    if (!series->assumptions.tags_are_of_dimensions || crossed == 0 ||
        (crossed & (crossed - 1)) != 0)
        return tag;
    const struct series_dimension_tags *tags =
        &series->assumptions.dimension_tags[__builtin_ctz(crossed)];
    for (uint32_t i = 0; i < tags->count; i++)
        if (tags->list[i] == tag) return i;
    return tag;
}

int64_t series_tag_of(const struct series *series, int64_t crossed, int64_t word) {
    if (!series->assumptions.tags_are_of_dimensions || crossed <= 0 ||
        (crossed & (crossed - 1)) != 0)
        return word;
    const uint32_t d = (uint32_t)__builtin_ctz((uint32_t)crossed);
    if (d >= SERIES_DIMENSIONS || word < 0 || word >= series->assumptions.dimension_tags[d].count)
        return word;
    return series->assumptions.dimension_tags[d].list[word];
}
