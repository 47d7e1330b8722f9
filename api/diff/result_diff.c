/*
 * Reads the results of two replays into one list: each entry has a name and its time in either
 * result. Entries that only one result lists count as 0 in the other where results list everything
 * that takes time.
 */
#include "api/diff/result_diff.h"

#include "api/json/json_input.h"
#include "core/memory/memory.h"

#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Parts of a rank's time in the JSON, with their names for people. What late receivers have by I/O
 * nodes is a cause of its own, of results with I/O nodes only. */
static const struct {
    const char *key, *name;
} causes[] = {
    {"compute_ps", "computation"},
    {"send_overhead_ps", "send overhead"},
    {"receive_overhead_ps", "receive overhead"},
    {"reduction_ps", "reductions"},
    {"wait_late_sender_ps", "late senders"},
    {"wait_late_receiver_ps", "late receivers"},
    {"wait_transit_ps", "network transit"},
    {"wait_queueing_ps", "network queueing"},
    {"collective_ps", "collectives"},
};
enum { CAUSES = sizeof causes / sizeof *causes, LATE_RECEIVERS = 5, NAMES_MAX = 10000 };

const char *result_group_name(result_group group) {
    static const char *const names[RESULT_GROUPS] = {"cause", "rank", "call", "region",
                                                     "link kind"};
    return names[group];
}

/* Returns a member of an object if it has this type; NULL otherwise. */
static struct json_object *member(struct json_object *object, const char *key, json_type type) {
    struct json_object *value = NULL;
    if (!json_object_object_get_ex(object, key, &value)) return NULL;
    return json_object_is_type(value, type) ? value : NULL;
}

static const char *text_of(struct json_object *object, const char *key) {
    struct json_object *value = member(object, key, json_type_string);
    return value != NULL ? json_object_get_string(value) : "";
}

/* Reads a time, which is at least 0. */
static bool read_time(wide *time_ps, struct json_object *object, const char *key) {
    struct json_object *value = NULL;
    return json_object_object_get_ex(object, key, &value) && json_input_whole(time_ps, value);
}

/* Returns the entry of a name, which is a new one if there is none from `hint` on. */
static status_code entry_of(struct result_entry **entry, anax_diff *diff, result_group group,
                            const char *name, size_t hint, struct status *status) {
    for (size_t i = hint; i < diff->count; i++) {
        *entry = &diff->entries[i];
        if ((*entry)->group == group && strcmp((*entry)->name, name) == 0) return STATUS_OK;
    }
    FORWARD_IF_ERROR(memory_grow((void **)&diff->entries, &diff->capacity, diff->count + 1,
                                 sizeof *diff->entries, status));
    *entry = &diff->entries[diff->count];
    **entry = (struct result_entry){.group = group};
    FORWARD_IF_ERROR(memory_copy_text(&(*entry)->name, name, status));
    diff->count++;
    return STATUS_OK;
}

static status_code add_time(anax_diff *diff, int which, result_group group, const char *name,
                            size_t hint, wide time_ps, struct status *status) {
    struct result_entry *entry = NULL;
    FORWARD_IF_ERROR(entry_of(&entry, diff, group, name, hint, status));
    entry->is_known[which] = true;
    entry->time_ps[which] += time_ps;
    return STATUS_OK;
}

/* Adds the time of each object of an array under its name. */
static status_code add_named(anax_diff *diff, int which, struct json_object *result,
                             const char *array, const char *name, const char *time,
                             result_group group, struct status *status) {
    struct json_object *list = member(result, array, json_type_array);
    RETURN_ERROR_IF(list != NULL && json_object_array_length(list) > NAMES_MAX, status,
                    STATUS_INPUT, "it has more than %d %s", NAMES_MAX, array);
    for (size_t i = 0; list != NULL && i < json_object_array_length(list); i++) {
        struct json_object *object = json_object_array_get_idx(list, i);
        wide time_ps = 0;
        RETURN_ERROR_IF(!read_time(&time_ps, object, time), status, STATUS_INPUT,
                        "%s %zu has no %s", array, i, time);
        FORWARD_IF_ERROR(add_time(diff, which, group, text_of(object, name), 0, time_ps, status));
    }
    return STATUS_OK;
}

/* Reads how long a rank waited for I/O nodes, which its late receivers include. */
static status_code read_storage(wide *time_ps, struct json_object *rank, size_t number,
                                struct status *status) {
    wide receivers_ps = 0;
    *time_ps = 0;
    if (!json_object_object_get_ex(rank, "wait_storage_ps", NULL)) return STATUS_OK;
    RETURN_ERROR_IF(
        !read_time(time_ps, rank, "wait_storage_ps") ||
            !read_time(&receivers_ps, rank, "wait_late_receiver_ps") || *time_ps > receivers_ps,
        status, STATUS_INPUT,
        "rank %zu has no wait_storage_ps that is part of wait_late_receiver_ps", number);
    return STATUS_OK;
}

/* Ranks of both results stand at equal places of the list, which begins with the causes. */
static status_code add_ranks(anax_diff *diff, int which, struct json_object *result,
                             struct status *status) {
    struct json_object *list = member(result, "ranks", json_type_array);
    wide all_storage_ps = 0;
    RETURN_ERROR_IF(list == NULL || json_object_array_length(list) == 0, status, STATUS_INPUT,
                    "it has no ranks");
    for (size_t i = 0; i < json_object_array_length(list); i++) {
        struct json_object *rank = json_object_array_get_idx(list, i);
        char name[24];
        wide time_ps = 0, storage_ps = 0;
        FORWARD_IF_ERROR(read_storage(&storage_ps, rank, i, status));
        all_storage_ps += storage_ps;
        for (size_t k = 0; k < CAUSES; k++) {
            RETURN_ERROR_IF(!read_time(&time_ps, rank, causes[k].key), status, STATUS_INPUT,
                            "rank %zu has no %s", i, causes[k].key);
            if (k == LATE_RECEIVERS) time_ps -= storage_ps;
            FORWARD_IF_ERROR(
                add_time(diff, which, RESULT_CAUSE, causes[k].name, 0, time_ps, status));
        }
        RETURN_ERROR_IF(!read_time(&time_ps, rank, "time_ps"), status, STATUS_INPUT,
                        "rank %zu has no time_ps", i);
        snprintf(name, sizeof name, "%zu", i);
        const bool is_new = CAUSES + i >= diff->count || i >= diff->results[0].ranks;
        const size_t hint = is_new ? diff->count : CAUSES + i;
        FORWARD_IF_ERROR(add_time(diff, which, RESULT_RANK, name, hint, time_ps, status));
    }
    diff->results[which].ranks = json_object_array_length(list);
    if (all_storage_ps == 0) return STATUS_OK;
    return add_time(diff, which, RESULT_CAUSE, "I/O nodes", 0, all_storage_ps, status);
}

static status_code read_summary(struct result_summary *summary, struct json_object *result,
                                struct status *status) {
    struct json_object *machine = member(result, "machine", json_type_object);
    struct json_object *trace = member(result, "trace", json_type_object);
    wide time_ps = 0;
    RETURN_ERROR_IF(
        !read_time(&time_ps, result, "time_ps"), status, STATUS_INPUT,
        "it has no time_ps: the replay did not finish; give results of replays that did");
    RETURN_ERROR_IF(time_ps >= INT64_MAX, status, STATUS_INPUT,
                    "its time_ps is more than 106 days: a replay takes at most 26");
    summary->time_ps = (int64_t)time_ps;
    FORWARD_IF_ERROR(memory_copy_text(&summary->machine, text_of(machine, "name"), status));
    FORWARD_IF_ERROR(memory_copy_text(&summary->trace, text_of(trace, "path"), status));
    FORWARD_IF_ERROR(memory_copy_text(&summary->placement, text_of(result, "placement"), status));
    return memory_copy_text(&summary->routing, text_of(result, "routing"), status);
}

/* Marks a time that is missing in a result as a known time of 0 where results list everything that
 * takes time: causes, calls, and regions if there are any. Results list only the busiest links, and
 * not all ranks. */
static void mark_absent_known(anax_diff *diff) {
    for (size_t i = 0; i < diff->count; i++) {
        struct result_entry *entry = &diff->entries[i];
        for (int which = 0; which < 2; which++)
            if (entry->group == RESULT_CAUSE || entry->group == RESULT_CALL ||
                (entry->group == RESULT_REGION && diff->results[which].has_regions))
                entry->is_known[which] = true;
    }
}

static status_code add_result(anax_diff *diff, int which, struct json_object *result,
                              struct status *status) {
    static const char schema[] = "anax.replay/";
    const char *found = text_of(result, "schema");
    RETURN_ERROR_IF(strncmp(found, schema, sizeof schema - 1) != 0, status, STATUS_INPUT,
                    "this is no result of a replay (schema %.40s); give the JSON of `anax replay`",
                    found[0] != '\0' ? found : "missing");
    FORWARD_IF_ERROR(read_summary(&diff->results[which], result, status));
    FORWARD_IF_ERROR(add_ranks(diff, which, result, status));
    FORWARD_IF_ERROR(
        add_named(diff, which, result, "calls", "name", "time_ps", RESULT_CALL, status));
    FORWARD_IF_ERROR(
        add_named(diff, which, result, "regions", "name", "time_ps", RESULT_REGION, status));
    struct json_object *regions = member(result, "regions", json_type_array);
    diff->results[which].has_regions = regions != NULL && json_object_array_length(regions) > 0;
    FORWARD_IF_ERROR(
        add_named(diff, which, result, "busiest_links", "kind", "busy_ps", RESULT_LINKS, status));
    mark_absent_known(diff);
    return STATUS_OK;
}

status_code result_diff_read(anax_diff *diff, int which, const char *text, size_t length,
                             struct status *status) {
    struct json_object *result = NULL;
    FORWARD_IF_ERROR(json_input_parse(&result, text, length, status));
    status_code code = add_result(diff, which, result, status);
    json_object_put(result);
    return code;
}

status_code result_diff_read_file(anax_diff *diff, int which, const char *path,
                                  struct status *status) {
    struct json_object *result = NULL;
    FORWARD_IF_ERROR(json_input_read(&result, path, status));
    status_code code = add_result(diff, which, result, status);
    if (code != STATUS_OK) status_prefix(status, "%s", path);
    json_object_put(result);
    return code;
}
