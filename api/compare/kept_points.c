/* Points of comparisons as JSON. */
#include "api/compare/kept_points.h"

#include "api/json/json_build.h"

#include <stdio.h>
#include <string.h>

#define SCHEMA "anax.point/4"

status_code kept_key_of(struct kept_key *key, const anax_config *config, const anax_trace *trace,
                        struct status *status) {
    FORWARD_IF_ERROR(kept_key_begin(key, config, ANAX_SCOPE_REPLAY, status));
    kept_key_add(key, trace->program->content_hash);
    return STATUS_OK;
}

static bool read_time(int64_t *time_ps, struct json_object *value) {
    if (!json_object_is_type(value, json_type_int) || json_object_get_int64(value) < 0)
        return false;
    *time_ps = json_object_get_int64(value);
    return true;
}

static bool read_link(struct compare_link *link, struct json_object *object) {
    const char *name = kept_read_text(object, "link");
    struct json_object *busy = NULL, *stalled = NULL;
    if (name == NULL || strlen(name) >= sizeof link->name ||
        !json_object_object_get_ex(object, "busy_ps", &busy) ||
        !json_object_object_get_ex(object, "stalled_ps", &stalled))
        return false;
    snprintf(link->name, sizeof link->name, "%s", name);
    return read_time(&link->busy_ps, busy) && read_time(&link->stalled_ps, stalled);
}

/* Reads where the time went, and the busiest links. */
static bool read_details(struct compare_point *point, struct json_object *object) {
    struct json_object *parts = NULL, *links = NULL, *exact = NULL;
    if (!kept_read_count(object, "links_span_ps", &point->links_span_ps)) return false;
    if (!json_object_object_get_ex(object, "parts_ps", &parts) ||
        !json_object_is_type(parts, json_type_array) ||
        json_object_array_length(parts) != COMPARE_PARTS ||
        !json_object_object_get_ex(object, "busiest_links", &links) ||
        !json_object_is_type(links, json_type_array) ||
        json_object_array_length(links) > COMPARE_LINKS ||
        !json_object_object_get_ex(object, "exact", &exact) ||
        !json_object_is_type(exact, json_type_boolean))
        return false;
    point->exact = json_object_get_boolean(exact);
    for (size_t i = 0; i < COMPARE_PARTS; i++)
        if (!read_time(&point->parts_ps[i], json_object_array_get_idx(parts, i))) return false;
    for (size_t i = 0; i < json_object_array_length(links); i++, point->link_count++)
        if (!read_link(&point->links[i], json_object_array_get_idx(links, i))) return false;
    return true;
}

static bool read_point(struct compare_point *point, struct json_object *object) {
    const char *schema = kept_read_text(object, "schema");
    const char *failure = kept_read_text(object, "failure");
    struct compare_point read = {.was_kept = true, .seconds = kept_read_seconds(object)};
    if (schema == NULL || strcmp(schema, SCHEMA) != 0) return false;
    if (failure != NULL) {
        read.failure = strdup(failure);
        if (read.failure == NULL) return false;
    } else {
        if (!kept_read_count(object, "time_ps", &read.time_ps) ||
            !kept_read_hash(object, "digest", &read.digest) || !read_details(&read, object))
            return false;
        read.finished = true;
    }
    *point = read;
    return true;
}

kept_state kept_find(struct compare_point *point, const char *folder, const struct kept_key *key) {
    struct json_object *object;
    kept_state state = kept_read(&object, folder, key);
    if (state == KEPT_FOUND && !read_point(point, object)) state = KEPT_DAMAGED;
    json_object_put(object);
    return state;
}

static void put_details(struct json_object *object, const struct compare_point *point) {
    json_put_bool(object, "exact", point->exact);
    struct json_object *parts = json_put_array(object, "parts_ps");
    for (size_t i = 0; i < COMPARE_PARTS; i++)
        json_append_count(parts, (uint64_t)point->parts_ps[i]);
    struct json_object *links = json_put_array(object, "busiest_links");
    for (uint32_t i = 0; i < point->link_count; i++) {
        struct json_object *link = json_append_object(links);
        json_put_text(link, "link", point->links[i].name);
        json_put_int(link, "busy_ps", point->links[i].busy_ps);
        json_put_int(link, "stalled_ps", point->links[i].stalled_ps);
    }
}

status_code kept_store(const struct compare_point *point, const char *folder,
                       const struct kept_key *key, const char *label, struct status *status) {
    struct json_object *object = kept_begin(SCHEMA, label, point->seconds);
    if (object != NULL && point->finished) {
        json_put_int(object, "time_ps", point->time_ps);
        json_put_int(object, "links_span_ps", point->links_span_ps);
        json_put_hash(object, "digest", point->digest);
        put_details(object, point);
    } else if (object != NULL) {
        json_put_text(object, "failure", point->failure);
    }
    return kept_write(object, folder, key, status);
}
