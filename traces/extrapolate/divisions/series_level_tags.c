/*
 * Tags that number the levels of a multigrid. The levels on the way back up are numbered after the
 * coarse levels, so the tags of the levels that all ranks take part in depend on the number of
 * levels. The n-th tag of each program becomes the n-th tag of the largest program.
 *
 * Invariant: two messages have equal tags after the change if and only if they had equal tags
 * before it. The tags of the coarse levels do not change. Even if one of them is equal to a changed
 * tag, no message matches another receive, since no request is in flight where a run of the coarse
 * levels begins or ends.
 */
#include "core/memory/memory.h"
#include "traces/extrapolate/divisions/series_levels.h"

#include <stdlib.h>
#include <string.h>

static int compare_tags(const void *left, const void *right) {
    const int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;
    return (a > b) - (a < b);
}

/* Adds the tags of a call to a list. */
static status_code add_call(const struct program *program, uint32_t rank,
                            const struct level_element *element, struct key_table *known,
                            struct level_tags *tags, struct status *status) {
    for (uint64_t place = element->first; place < element->end; place++) {
        const struct program_operation operation =
            *PROGRAM_OPERATION_AT(program, rank, program->ranks[rank].first + place);
        if (operation.kind != OPERATION_SEND && operation.kind != OPERATION_RECEIVE) continue;
        const int32_t tag = program->envelopes[operation.message.envelope].tag;
        if (key_table_find(known, (uint32_t)tag) != KEY_TABLE_NONE) continue;
        FORWARD_IF_ERROR(key_table_insert(known, (uint32_t)tag, 0, status));
        FORWARD_IF_ERROR(memory_grow((void **)&tags->list, &tags->capacity, tags->count + 1,
                                     sizeof *tags->list, status));
        tags->list[tags->count++] = tag;
    }
    return STATUS_OK;
}

/* Lists the tags of the calls of program k that are not of the coarse levels, in ascending order.
 */
static status_code list_tags(const struct level_divider *divider, uint32_t k,
                             struct level_tags *tags, struct status *status) {
    const struct program *program = divider->series->programs[k].program;
    struct key_table known = {0};
    status_code code = STATUS_OK;
    for (uint32_t r = 0; r < program->rank_count; r++)
        for (size_t e = 0; e < divider->ranks[k][r].count && code == STATUS_OK; e++)
            if (!divider->ranks[k][r].elements[e].is_coarse)
                code =
                    add_call(program, r, &divider->ranks[k][r].elements[e], &known, tags, status);
    key_table_free(&known);
    if (tags->count > 0) qsort(tags->list, tags->count, sizeof *tags->list, compare_tags);
    return code;
}

status_code series_level_tags_find(struct level_divider *divider, bool *differ,
                                   struct status *status) {
    const uint32_t count = divider->series->program_count;
    bool are_as_many = true;
    *differ = false;
    divider->tags = memory_new(count, sizeof *divider->tags);
    RETURN_ERROR_IF(divider->tags == NULL, status, STATUS_MEMORY, "out of memory for tags");
    status_code code = STATUS_OK;
    for (uint32_t k = 0; k < count && code == STATUS_OK; k++) {
        const struct level_tags *first = &divider->tags[0], *own = &divider->tags[k];
        code = list_tags(divider, k, &divider->tags[k], status);
        are_as_many = are_as_many && own->count == first->count && own->count > 0;
        *differ = *differ || (are_as_many &&
                              memcmp(own->list, first->list, own->count * sizeof *own->list) != 0);
    }
    *differ = *differ && are_as_many && code == STATUS_OK;
    if (!*differ) series_level_tags_free(divider);
    return code;
}

void series_level_tags_free(struct level_divider *divider) {
    for (uint32_t k = 0; divider->tags != NULL && k < divider->series->program_count; k++)
        free(divider->tags[k].list);
    free(divider->tags);
    divider->tags = NULL;
}

int32_t series_level_tag(const struct level_tags *tags, const struct level_tags *other,
                         int32_t tag) {
    const int32_t *found =
        tags->count == 0 ? NULL
                         : bsearch(&tag, tags->list, tags->count, sizeof *tags->list, compare_tags);
    return found != NULL ? other->list[found - tags->list] : tag;
}
