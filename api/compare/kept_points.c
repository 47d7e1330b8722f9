/* Points of comparisons as JSON. */
#include "api/compare/kept_points.h"

#include "api/report/json_build.h"

#include <string.h>

#define SCHEMA "anax.point/2"

status_code kept_key_of(struct kept_key *key, const anax_config *config, const anax_trace *trace,
                        struct status *status) {
    FORWARD_IF_ERROR(kept_key_begin(key, config, ANAX_SCOPE_REPLAY, status));
    kept_key_add(key, trace->program->content_hash);
    return STATUS_OK;
}

static bool read_point(struct compare_point *point, struct json_object *object) {
    const char *schema = kept_text(object, "schema");
    const char *failure = kept_text(object, "failure");
    struct compare_point read = {.found = true, .seconds = kept_seconds(object)};
    if (schema == NULL || strcmp(schema, SCHEMA) != 0) return false;
    if (failure != NULL) {
        read.failure = strdup(failure);
        if (read.failure == NULL) return false;
    } else {
        if (!kept_count(object, "time_ps", &read.time_ps) ||
            !kept_hash(object, "digest", &read.digest))
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

status_code kept_store(const struct compare_point *point, const char *folder,
                       const struct kept_key *key, const char *label, struct status *status) {
    struct json_object *object = kept_begin(SCHEMA, label, point->seconds);
    if (object != NULL && point->finished) {
        json_put_int(object, "time_ps", point->time_ps);
        json_put_hash(object, "digest", point->digest);
    } else if (object != NULL) {
        json_put_text(object, "failure", point->failure);
    }
    return kept_write(object, folder, key, status);
}
