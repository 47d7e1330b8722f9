/*
 * Collects, sorts and finds the definitions of an archive. Must not know the OTF2 library.
 */
#include "traces/otf2/otf2_definitions.h"
#include "core/memory/memory.h"
#include "traces/otf2/otf2_properties.h"

#include <stdlib.h>
#include <string.h>

#define APPEND(definitions, array, count, capacity, element, status)                               \
    do {                                                                                           \
        FORWARD_IF_ERROR(memory_grow((void **)&(definitions)->array, &(definitions)->capacity,     \
                                     (definitions)->count + 1, sizeof *(definitions)->array,       \
                                     status));                                                     \
        (definitions)->array[(definitions)->count++] = (element);                                  \
    } while (0)

status_code otf2_definitions_add_string(struct otf2_definitions *definitions, uint32_t id,
                                        const char *text, struct status *status) {
    size_t size = strlen(text) + 1;
    FORWARD_IF_ERROR(memory_grow((void **)&definitions->texts, &definitions->text_capacity,
                                 definitions->text_bytes + size, 1, status));
    memcpy(definitions->texts + definitions->text_bytes, text, size);
    struct otf2_string string = {id, definitions->text_bytes};
    definitions->text_bytes += size;
    APPEND(definitions, strings, string_count, string_capacity, string, status);
    return STATUS_OK;
}

status_code otf2_definitions_add_region(struct otf2_definitions *definitions,
                                        struct otf2_region region, struct status *status) {
    APPEND(definitions, regions, region_count, region_capacity, region, status);
    return STATUS_OK;
}

status_code otf2_definitions_add_location(struct otf2_definitions *definitions,
                                          struct otf2_location location, struct status *status) {
    APPEND(definitions, locations, location_count, location_capacity, location, status);
    return STATUS_OK;
}

status_code otf2_definitions_add_group(struct otf2_definitions *definitions,
                                       struct otf2_group group, const uint64_t *members,
                                       struct status *status) {
    group.first = definitions->member_count;
    FORWARD_IF_ERROR(memory_grow((void **)&definitions->members, &definitions->member_capacity,
                                 definitions->member_count + group.size, sizeof *members, status));
    if (group.size > 0)
        memcpy(definitions->members + definitions->member_count, members,
               group.size * sizeof *members);
    definitions->member_count += group.size;
    APPEND(definitions, groups, group_count, group_capacity, group, status);
    return STATUS_OK;
}

status_code otf2_definitions_add_communicator(struct otf2_definitions *definitions,
                                              struct otf2_communicator communicator,
                                              struct status *status) {
    APPEND(definitions, communicators, communicator_count, communicator_capacity, communicator,
           status);
    return STATUS_OK;
}

status_code otf2_definitions_add_window(struct otf2_definitions *definitions,
                                        struct otf2_rma_window window, struct status *status) {
    APPEND(definitions, windows, window_count, window_capacity, window, status);
    return STATUS_OK;
}

/* Orders elements by their first member, the id. It has 32 bits except in locations. */
static int compare_ids(const void *a, const void *b) {
    uint32_t left, right;
    memcpy(&left, a, sizeof left);
    memcpy(&right, b, sizeof right);
    return (left > right) - (left < right);
}

static int compare_long_ids(const void *a, const void *b) {
    uint64_t left, right;
    memcpy(&left, a, sizeof left);
    memcpy(&right, b, sizeof right);
    return (left > right) - (left < right);
}

/* Orders groups by id, COMM_LOCATIONS groups first. The two uses have separate ids: EZTrace gives a
 * COMM_LOCATIONS group and a COMM_GROUP the same id. */
static int compare_groups(const void *a, const void *b) {
    const struct otf2_group *left = a, *right = b;
    bool left_locations = left->kind == OTF2_GROUP_LOCATIONS;
    bool right_locations = right->kind == OTF2_GROUP_LOCATIONS;
    if (left_locations != right_locations) return left_locations ? -1 : 1;
    return compare_ids(left, right);
}

typedef int (*comparison)(const void *, const void *);

/* Sorts with a stable merge sort, so that the first of several definitions with one id stays first.
 */
static void sort_stably(char *array, char *scratch, size_t count, size_t size, comparison compare) {
    if (count < 2) return;
    size_t half = count / 2;
    sort_stably(array, scratch, half, size, compare);
    sort_stably(array + half * size, scratch, count - half, size, compare);
    memcpy(scratch, array, half * size);
    size_t left = 0, right = half, to = 0;
    while (left < half && right < count) {
        bool from_right = compare(array + right * size, scratch + left * size) < 0;
        memcpy(array + to++ * size, from_right ? array + right++ * size : scratch + left++ * size,
               size);
    }
    memcpy(array + to * size, scratch + left * size, (half - left) * size);
}

static bool is_sorted(const char *array, size_t count, size_t size, comparison compare) {
    for (size_t i = 1; i < count; i++)
        if (compare(array + (i - 1) * size, array + i * size) >= 0) return false;
    return true;
}

static status_code sort_unique(void *array, size_t *count, size_t size, comparison compare,
                               struct status *status) {
    if (is_sorted(array, *count, size, compare)) return STATUS_OK;
    char *scratch = memory_new(*count, size);
    RETURN_ERROR_IF(scratch == NULL, status, STATUS_MEMORY, "out of memory for definitions");
    sort_stably(array, scratch, *count, size, compare);
    free(scratch);
    size_t kept = 0;
    char *elements = array;
    for (size_t i = 0; i < *count; i++) {
        if (kept > 0 && compare(elements + (kept - 1) * size, elements + i * size) == 0) continue;
        memmove(elements + kept++ * size, elements + i * size, size);
    }
    *count = kept;
    return STATUS_OK;
}

status_code otf2_definitions_add_named(struct otf2_named_list *list, struct otf2_named named,
                                       struct status *status) {
    FORWARD_IF_ERROR(memory_grow((void **)&list->items, &list->capacity, list->count + 1,
                                 sizeof *list->items, status));
    list->items[list->count++] = named;
    return STATUS_OK;
}

status_code otf2_definitions_add_handle(struct otf2_definitions *definitions,
                                        struct otf2_handle handle, struct status *status) {
    FORWARD_IF_ERROR(memory_grow((void **)&definitions->handles, &definitions->handle_capacity,
                                 definitions->handle_count + 1, sizeof handle, status));
    definitions->handles[definitions->handle_count++] = handle;
    return STATUS_OK;
}

status_code otf2_definitions_finish(struct otf2_definitions *definitions, struct status *status) {
    FORWARD_IF_ERROR(sort_unique(definitions->strings, &definitions->string_count,
                                 sizeof *definitions->strings, compare_ids, status));
    FORWARD_IF_ERROR(sort_unique(definitions->regions, &definitions->region_count,
                                 sizeof *definitions->regions, compare_ids, status));
    FORWARD_IF_ERROR(sort_unique(definitions->locations, &definitions->location_count,
                                 sizeof *definitions->locations, compare_long_ids, status));
    FORWARD_IF_ERROR(sort_unique(definitions->groups, &definitions->group_count,
                                 sizeof *definitions->groups, compare_groups, status));
    FORWARD_IF_ERROR(sort_unique(definitions->windows, &definitions->window_count,
                                 sizeof *definitions->windows, compare_ids, status));
    FORWARD_IF_ERROR(sort_unique(definitions->handles, &definitions->handle_count,
                                 sizeof *definitions->handles, compare_ids, status));
    struct otf2_named_list *lists[] = {&definitions->io_paradigms, &definitions->files,
                                       &definitions->attributes};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        FORWARD_IF_ERROR(sort_unique(lists[i]->items, &lists[i]->count, sizeof *lists[i]->items,
                                     compare_ids, status));
    return sort_unique(definitions->communicators, &definitions->communicator_count,
                       sizeof *definitions->communicators, compare_ids, status);
}

void otf2_definitions_clear(struct otf2_definitions *definitions) {
    free(definitions->creator);
    free(definitions->texts);
    free(definitions->strings);
    free(definitions->regions);
    free(definitions->locations);
    free(definitions->groups);
    free(definitions->members);
    free(definitions->communicators);
    free(definitions->windows);
    free(definitions->handles);
    free(definitions->io_paradigms.items);
    free(definitions->files.items);
    free(definitions->attributes.items);
    *definitions = (struct otf2_definitions){0};
}

/* Returns the index of an id; SIZE_MAX if it is not defined. Ids are mostly 0, 1, 2 …, so the id
 * itself is the first guess. */
static size_t index_of_id(const void *array, size_t count, size_t size, uint32_t id) {
    if (id < count && compare_ids((const char *)array + id * size, &id) == 0) return id;
    const char *found = count > 0 ? bsearch(&id, array, count, size, compare_ids) : NULL;
    return found != NULL ? (size_t)(found - (const char *)array) / size : SIZE_MAX;
}

const char *otf2_definitions_text(const struct otf2_definitions *definitions, uint32_t string) {
    size_t index = index_of_id(definitions->strings, definitions->string_count,
                               sizeof *definitions->strings, string);
    return index == SIZE_MAX ? "" : definitions->texts + definitions->strings[index].offset;
}

/* Counts the COMM_LOCATIONS groups, which come first. */
static size_t count_location_groups(const struct otf2_definitions *definitions) {
    size_t count = 0;
    while (count < definitions->group_count &&
           definitions->groups[count].kind == OTF2_GROUP_LOCATIONS)
        count++;
    return count;
}

const struct otf2_group *otf2_definitions_ranks(const struct otf2_definitions *definitions) {
    size_t count = count_location_groups(definitions);
    const struct otf2_group *largest = NULL;
    for (size_t i = 0; i < count; i++)
        if (largest == NULL || definitions->groups[i].size > largest->size)
            largest = &definitions->groups[i];
    return largest;
}

const struct otf2_group *otf2_definitions_group(const struct otf2_definitions *definitions,
                                                uint32_t id) {
    size_t locations = count_location_groups(definitions);
    size_t others = definitions->group_count - locations;
    const struct otf2_group *groups = definitions->groups;
    if (groups == NULL) return NULL;
    size_t found = index_of_id(groups + locations, others, sizeof *groups, id);
    if (found != SIZE_MAX) return &groups[locations + found];
    found = index_of_id(groups, locations, sizeof *groups, id);
    return found != SIZE_MAX ? &groups[found] : NULL;
}

size_t otf2_definitions_search_region(const struct otf2_definitions *definitions, uint32_t id) {
    return index_of_id(definitions->regions, definitions->region_count,
                       sizeof *definitions->regions, id);
}

size_t otf2_definitions_find_location(const struct otf2_definitions *definitions, uint64_t id) {
    const struct otf2_location *found =
        definitions->location_count > 0
            ? bsearch(&id, definitions->locations, definitions->location_count,
                      sizeof *definitions->locations, compare_long_ids)
            : NULL;
    return found != NULL ? (size_t)(found - definitions->locations) : SIZE_MAX;
}

size_t otf2_definitions_find_window(const struct otf2_definitions *definitions, uint32_t id) {
    return index_of_id(definitions->windows, definitions->window_count,
                       sizeof *definitions->windows, id);
}

size_t otf2_definitions_search_communicator(const struct otf2_definitions *definitions,
                                            uint32_t id) {
    return index_of_id(definitions->communicators, definitions->communicator_count,
                       sizeof *definitions->communicators, id);
}

size_t otf2_definitions_find_handle(const struct otf2_definitions *definitions, uint32_t id,
                                    size_t *file) {
    const struct otf2_named_list *paradigms = &definitions->io_paradigms,
                                 *files = &definitions->files;
    size_t index = index_of_id(definitions->handles, definitions->handle_count,
                               sizeof *definitions->handles, id);
    if (index == SIZE_MAX) return SIZE_MAX;
    const struct otf2_handle *handle = &definitions->handles[index];
    size_t paradigm =
        index_of_id(paradigms->items, paradigms->count, sizeof *paradigms->items, handle->paradigm);
    *file = index_of_id(files->items, files->count, sizeof *files->items, handle->file);
    if (paradigm == SIZE_MAX || *file == SIZE_MAX) return SIZE_MAX;
    const char *name = otf2_definitions_text(definitions, paradigms->items[paradigm].name);
    return strcmp(name, OTF2_FILE_PARADIGM) == 0 ? index : SIZE_MAX;
}

uint32_t otf2_definitions_attribute(const struct otf2_definitions *definitions, const char *name) {
    for (size_t i = 0; i < definitions->attributes.count; i++) {
        const struct otf2_named *attribute = &definitions->attributes.items[i];
        if (strcmp(otf2_definitions_text(definitions, attribute->name), name) == 0)
            return attribute->id;
    }
    return OTF2_NOT_DEFINED;
}
