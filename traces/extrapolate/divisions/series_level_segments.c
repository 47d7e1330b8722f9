/*
 * Places in the calls of all ranks that are those of given places on rank 0: between the same
 * messages. A message is known by how far it goes along each dimension of the grid, by its tag and
 * size, and by its number among those of its sender and receiver. See series_levels.h.
 *
 * Invariant: what rank 0 does not show is only guessed between calls that it shows. The segments of
 * a rank never fall, and no request is in flight where one ends.
 */
#include "core/memory/memory.h"
#include "traces/extrapolate/divisions/series_levels.h"
#include "traces/extrapolate/grids/series_grids.h"
#include "traces/program/content_hash.h"

#include <stdlib.h>

enum { OPEN = UINT32_MAX - 1 }; /* messages of a class are in several segments */

/* A message or collective of a rank. */
struct item {
    uint64_t class, channel; /* channel: its messages are numbered together */
    uint32_t element, number, count;
};

struct item_list {
    struct item *items;
    size_t count, capacity;
};

/* What rank 0 shows of a class of messages. */
struct class {
    uint32_t segment; /* OPEN: they differ */
    uint32_t first, count;
    bool is_unclear; /* two channels have other segments */
};

struct level_segments {
    const uint32_t *extents;
    uint32_t dimensions;
    struct key_table index; /* of classes */
    struct class *classes;
    size_t class_count, class_capacity;
    uint32_t *list; /* segments of the messages of classes */
    size_t list_count, list_capacity;
};

/* Returns the class of a message between two ranks. Steps forwards and backwards are alike but for
 * the first dimension that has some. */
static uint64_t class_of(const struct level_segments *segments, uint32_t from, uint32_t to,
                         int32_t tag, uint64_t bytes) {
    uint32_t own[SERIES_DIMENSIONS], other[SERIES_DIMENSIONS];
    uint64_t hash = 0;
    bool has_sign = false;
    grid_coordinates(segments->extents, segments->dimensions, from, own);
    grid_coordinates(segments->extents, segments->dimensions, to, other);
    for (uint32_t d = 0; d < segments->dimensions; d++) {
        const uint32_t extent = segments->extents[d];
        const uint32_t up = (other[d] + extent - own[d]) % extent;
        const bool is_back = 2 * up > extent;
        hash = content_hash_add3(hash, is_back ? extent - up : up, !has_sign && is_back, d);
        has_sign = has_sign || up > 0;
    }
    return content_hash_add3(hash, (uint32_t)tag, bytes, 1);
}

/* Lists the messages and collectives of a rank's other elements, in their order. */
static status_code list_items(const struct level_segments *segments, const struct program *program,
                              uint32_t rank, const struct level_rank *elements,
                              struct item_list *list, struct status *status) {
    uint32_t number = 0;
    for (size_t e = 0; e < elements->count; e++) {
        if (elements->elements[e].is_coarse) continue;
        for (uint64_t i = elements->elements[e].first; i < elements->elements[e].end; i++) {
            const struct program_operation operation =
                *PROGRAM_OPERATION_AT(program, rank, program->ranks[rank].first + i);
            struct item item = {.element = (uint32_t)e};
            if (operation.kind == OPERATION_SEND || operation.kind == OPERATION_RECEIVE) {
                const uint32_t peer = operation.message.peer;
                const bool is_send = operation.kind == OPERATION_SEND;
                const int32_t tag = program->envelopes[operation.message.envelope].tag;
                item.class = class_of(segments, is_send ? rank : peer, is_send ? peer : rank, tag,
                                      operation.bytes);
                item.channel = content_hash_add3(item.class, peer, is_send, 2);
            } else if (operation.kind == OPERATION_COLLECTIVE) {
                const struct program_collective_arguments *arguments =
                    &program->collective_arguments[operation.collective.arguments];
                const uint32_t size = program->communicators[arguments->communicator].size;
                item.class = item.channel = content_hash_add3(0, arguments->kind, size, 3);
            } else {
                continue;
            }
            item.number = number++;
            FORWARD_IF_ERROR(memory_grow((void **)&list->items, &list->capacity, list->count + 1,
                                         sizeof *list->items, status));
            list->items[list->count++] = item;
        }
    }
    return STATUS_OK;
}

static int compare_items(const void *left, const void *right) {
    const struct item *a = left, *b = right;
    if (a->channel != b->channel) return a->channel < b->channel ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

static int compare_elements(const void *left, const void *right) {
    const struct item *a = left, *b = right;
    return (a->element > b->element) - (a->element < b->element);
}

/* Sorts items by channels and numbers those of each. */
static void number_items(struct item_list *list) {
    if (list->count > 0) qsort(list->items, list->count, sizeof *list->items, compare_items);
    for (size_t first = 0, end; first < list->count; first = end) {
        for (end = first; end < list->count; end++) {
            if (list->items[end].channel != list->items[first].channel) break;
            list->items[end].number = (uint32_t)(end - first);
        }
        for (size_t i = first; i < end; i++)
            list->items[i].count = (uint32_t)(end - first);
    }
}

/* Adds the messages of a channel of rank 0 to their class. */
static status_code add_channel(struct level_segments *segments, const struct level_rank *elements,
                               const struct item *items, uint32_t count, struct status *status) {
    uint32_t number = key_table_find(&segments->index, items[0].class);
    const bool is_new = number == KEY_TABLE_NONE;
    if (is_new) {
        number = (uint32_t)segments->class_count;
        FORWARD_IF_ERROR(memory_grow((void **)&segments->classes, &segments->class_capacity,
                                     segments->class_count + 1, sizeof *segments->classes, status));
        FORWARD_IF_ERROR(memory_grow((void **)&segments->list, &segments->list_capacity,
                                     segments->list_count + count, sizeof *segments->list, status));
        segments->classes[segments->class_count++] =
            (struct class){.segment = elements->elements[items[0].element].segment,
                           .first = (uint32_t)segments->list_count,
                           .count = count};
        segments->list_count += count;
        FORWARD_IF_ERROR(key_table_insert(&segments->index, items[0].class, number, status));
    }
    struct class *class = &segments->classes[number];
    class->is_unclear = class->is_unclear || class->count != count;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t segment = elements->elements[items[i].element].segment;
        if (segment != class->segment) class->segment = OPEN;
        if (is_new) segments->list[class->first + i] = segment;
        class->is_unclear =
            class->is_unclear || i >= class->count || segments->list[class->first + i] != segment;
    }
    return STATUS_OK;
}

status_code series_level_segments_new(struct level_segments **new, const struct program *program,
                                      const uint32_t *extents, uint32_t dimensions,
                                      struct level_rank *first, const uint64_t *cuts,
                                      size_t cut_count, struct status *status) {
    struct level_segments *segments = *new = memory_new(1, sizeof *segments);
    RETURN_ERROR_IF(segments == NULL, status, STATUS_MEMORY, "out of memory for coarse levels");
    *segments = (struct level_segments){.extents = extents, .dimensions = dimensions};
    uint64_t others = 0;
    size_t cut = 0;
    for (size_t e = 0; e < first->count; e++) {
        while (cut < cut_count && cuts[cut] <= others)
            cut++;
        first->elements[e].segment = (uint32_t)cut;
        others += !first->elements[e].is_coarse;
    }
    struct item_list list = {0};
    status_code code = list_items(segments, program, 0, first, &list, status);
    number_items(&list);
    for (size_t i = 0; i < list.count && code == STATUS_OK; i += list.items[i].count)
        code = add_channel(segments, first, &list.items[i], list.items[i].count, status);
    free(list.items);
    return code;
}

void series_level_segments_free(struct level_segments *segments) {
    if (segments == NULL) return;
    key_table_free(&segments->index);
    free(segments->classes);
    free(segments->list);
    free(segments);
}

/* Returns the segment of a message by rank 0; OPEN: rank 0 does not show it. */
static uint32_t segment_of(const struct level_segments *segments, const struct item *item) {
    const uint32_t number = key_table_find(&segments->index, item->class);
    if (number == KEY_TABLE_NONE) return OPEN;
    const struct class *class = &segments->classes[number];
    if (class->segment != OPEN) return class->segment;
    if (class->is_unclear || class->count != item->count) return OPEN;
    return segments->list[class->first + item->number];
}

/* Gives calls without a known segment that of their neighbours: of the last one, if it leaves a
 * request in flight, else of the next one. Sets *fits to whether segments never fall, and end
 * without a request in flight. */
static void fill(struct level_rank *elements, bool *fits) {
    const struct level_element *last = NULL;
    uint32_t next = OPEN;
    for (size_t e = 0; e < elements->count; e++) {
        struct level_element *element = &elements->elements[e];
        if (element->is_coarse) continue;
        if (last != NULL && last->leaves_pending && element->segment == OPEN)
            element->segment = last->segment;
        last = element;
    }
    for (size_t e = elements->count; e-- > 0;) {
        struct level_element *element = &elements->elements[e];
        if (element->is_coarse) continue;
        if (element->segment == OPEN) element->segment = next;
        next = element->segment;
    }
    last = NULL;
    for (size_t e = 0; e < elements->count && *fits; e++) {
        struct level_element *element = &elements->elements[e];
        if (element->is_coarse) continue;
        if (last != NULL && element->segment == OPEN) element->segment = last->segment;
        *fits = element->segment != OPEN &&
                (last == NULL || element->segment == last->segment ||
                 (element->segment > last->segment && !last->leaves_pending));
        last = element;
    }
}

status_code series_level_segments_apply(const struct level_segments *segments,
                                        const struct program *program, uint32_t rank,
                                        struct level_rank *elements, bool *fits,
                                        struct status *status) {
    struct item_list list = {0};
    status_code code = list_items(segments, program, rank, elements, &list, status);
    for (size_t e = 0; e < elements->count; e++)
        elements->elements[e].segment = OPEN;
    number_items(&list);
    if (list.count > 0) qsort(list.items, list.count, sizeof *list.items, compare_elements);
    for (size_t i = 0; i < list.count && *fits && code == STATUS_OK; i++) {
        struct level_element *element = &elements->elements[list.items[i].element];
        const uint32_t segment = segment_of(segments, &list.items[i]);
        if (segment == OPEN) continue;
        *fits = element->segment == OPEN || element->segment == segment;
        element->segment = segment;
    }
    free(list.items);
    if (code == STATUS_OK) fill(elements, fits);
    return code;
}
