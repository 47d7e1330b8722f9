/*
 * Carries places between the calls of rank 0 over to other ranks. The places divide the calls of
 * rank 0 into segments. On another rank, a call is in the segment in which rank 0 has the same
 * messages. Two messages are the same if they go as far along each dimension of the grid, have the
 * same tag and size, and have the same number among such messages between their two ranks. See
 * series_levels.h.
 *
 * Invariant: a call with messages that rank 0 does not have gets the segment of a call beside it.
 * From call to call of a rank, the number of the segment never falls, and no request is in flight
 * where a segment ends.
 */
#include "core/memory/memory.h"
#include "traces/extrapolate/divisions/series_levels.h"
#include "traces/extrapolate/grids/series_grids.h"
#include "traces/program/content_hash.h"

#include <stdlib.h>

/* Instead of a segment: rank 0 has no such message, or has some in several segments. */
enum { NO_SEGMENT = UINT32_MAX - 1 };

/* What a hash is of. */
enum { HASH_OF_MESSAGE = 1, HASH_OF_CHANNEL, HASH_OF_COLLECTIVE };

/* A message or collective of a rank. A class is the messages of equal steps, tag and size, or the
 * collectives of one kind and number of members. A channel is the messages of a class that a rank
 * sends to one peer, or receives from it; the collectives of a class are one channel. */
struct item {
    uint64_t class, channel; /* hashes */
    uint32_t element;        /* index of its element */
    uint32_t number;         /* among the items of its channel */
    uint32_t count;          /* of the items of its channel */
};

struct item_list {
    struct item *items;
    size_t count, capacity;
};

/* The segments in which rank 0 has the messages of a class. */
struct class {
    uint32_t segment; /* of all of them; NO_SEGMENT: they are in several */
    uint32_t first;   /* in the list of segments: that of the first item of a channel */
    uint32_t count;   /* of the items of this channel */
    bool is_unclear;  /* two channels differ in their number of items or in the segments of these */
};

struct level_segments {
    const uint32_t *extents; /* of the grid */
    uint32_t dimensions;
    struct key_table index; /* [hash of a class]: index in classes */
    struct class *classes;
    size_t class_count, class_capacity;
    uint32_t *list; /* for each class, the segments of the items of its first channel */
    size_t list_count, list_capacity;
};

/* Returns the hash of the class of a message between two ranks. Whether the message goes forwards
 * or backwards counts only in the first dimension in which the two ranks differ. */
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
    return content_hash_add3(hash, (uint32_t)tag, bytes, HASH_OF_MESSAGE);
}

/* Lists the messages and collectives of a rank's elements that are not coarse, in their order. */
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
                item.channel = content_hash_add3(item.class, peer, is_send, HASH_OF_CHANNEL);
            } else if (operation.kind == OPERATION_COLLECTIVE) {
                const struct program_collective_arguments *arguments =
                    &program->collective_arguments[operation.collective.arguments];
                const uint32_t size = program->communicators[arguments->communicator].size;
                item.class = item.channel =
                    content_hash_add3(0, arguments->kind, size, HASH_OF_COLLECTIVE);
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

/* Compares by channels, and in a channel by numbers. */
static int compare_items(const void *left, const void *right) {
    const struct item *a = left, *b = right;
    if (a->channel != b->channel) return a->channel < b->channel ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

static int compare_elements(const void *left, const void *right) {
    const struct item *a = left, *b = right;
    return (a->element > b->element) - (a->element < b->element);
}

/* Sorts items by channels, and numbers the items of each channel from 0. */
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

/* Adds a channel of rank 0, which has `count` items, to its class. */
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
        if (segment != class->segment) class->segment = NO_SEGMENT;
        if (is_new) segments->list[class->first + i] = segment;
        class->is_unclear =
            class->is_unclear || i >= class->count || segments->list[class->first + i] != segment;
    }
    return STATUS_OK;
}

status_code series_level_segments_new(struct level_segments **new, const struct program *program,
                                      const uint32_t *extents, uint32_t dimensions,
                                      struct level_rank *elements, const uint64_t *cuts,
                                      size_t cut_count, struct status *status) {
    struct level_segments *segments = *new = memory_new(1, sizeof *segments);
    RETURN_ERROR_IF(segments == NULL, status, STATUS_MEMORY, "out of memory for coarse levels");
    *segments = (struct level_segments){.extents = extents, .dimensions = dimensions};
    uint64_t others = 0;
    size_t cut = 0;
    for (size_t e = 0; e < elements->count; e++) {
        while (cut < cut_count && cuts[cut] <= others)
            cut++;
        elements->elements[e].segment = (uint32_t)cut;
        others += !elements->elements[e].is_coarse;
    }
    struct item_list list = {0};
    status_code code = list_items(segments, program, 0, elements, &list, status);
    number_items(&list);
    for (size_t i = 0; i < list.count && code == STATUS_OK; i += list.items[i].count)
        code = add_channel(segments, elements, &list.items[i], list.items[i].count, status);
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

/* Returns the segment in which rank 0 has the same message; NO_SEGMENT: it has none, or several. */
static uint32_t segment_of(const struct level_segments *segments, const struct item *item) {
    const uint32_t number = key_table_find(&segments->index, item->class);
    if (number == KEY_TABLE_NONE) return NO_SEGMENT;
    const struct class *class = &segments->classes[number];
    if (class->segment != NO_SEGMENT) return class->segment;
    if (class->is_unclear || class->count != item->count) return NO_SEGMENT;
    return segments->list[class->first + item->number];
}

/* Gives each element without a segment that of the element before it, if a request is in flight
 * between the two, else that of the next element, or of the one before it if there is no next one.
 * Sets *fits to whether the numbers of segments never fall, and no request is in flight where a
 * segment ends. */
static void fill_gaps(struct level_rank *elements, bool *fits) {
    const struct level_element *last = NULL;
    uint32_t next = NO_SEGMENT;
    for (size_t e = 0; e < elements->count; e++) {
        struct level_element *element = &elements->elements[e];
        if (element->is_coarse) continue;
        if (last != NULL && last->leaves_pending && element->segment == NO_SEGMENT)
            element->segment = last->segment;
        last = element;
    }
    for (size_t e = elements->count; e-- > 0;) {
        struct level_element *element = &elements->elements[e];
        if (element->is_coarse) continue;
        if (element->segment == NO_SEGMENT) element->segment = next;
        next = element->segment;
    }
    last = NULL;
    for (size_t e = 0; e < elements->count && *fits; e++) {
        struct level_element *element = &elements->elements[e];
        if (element->is_coarse) continue;
        if (last != NULL && element->segment == NO_SEGMENT) element->segment = last->segment;
        *fits = element->segment != NO_SEGMENT &&
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
        elements->elements[e].segment = NO_SEGMENT;
    number_items(&list);
    if (list.count > 0) qsort(list.items, list.count, sizeof *list.items, compare_elements);
    for (size_t i = 0; i < list.count && *fits && code == STATUS_OK; i++) {
        struct level_element *element = &elements->elements[list.items[i].element];
        const uint32_t segment = segment_of(segments, &list.items[i]);
        if (segment == NO_SEGMENT) continue;
        *fits = element->segment == NO_SEGMENT || element->segment == segment;
        element->segment = segment;
    }
    free(list.items);
    if (code == STATUS_OK) fill_gaps(elements, fits);
    return code;
}
