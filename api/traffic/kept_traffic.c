/* Points of synthetic traffic as JSON. */
#include "api/json/json_build.h"
#include "api/traffic/sweep.h"
#include "core/memory/memory.h"

#include <assert.h>
#include <string.h>

#define SCHEMA "anax.traffic-point/2"

typedef enum kept_field_kind { KEPT_WHOLE, KEPT_WIDE } kept_field_kind;

/* The members of struct traffic_point that are kept. The digest, the flag and the two arrays are
 * kept apart. The number of threads is not kept: it belongs to the run that computed the point. */
struct kept_field {
    const char *name;
    kept_field_kind kind;
    size_t offset;
};

#define FIELD(kind, member)                                                                        \
    { #member, kind, offsetof(struct traffic_point, member) }

static const struct kept_field fields[] = {
    FIELD(KEPT_WHOLE, offered_millionths),
    FIELD(KEPT_WHOLE, accepted_millionths),
    FIELD(KEPT_WHOLE, accepted_messages),
    FIELD(KEPT_WIDE, accepted_latency_sum_ps),
    FIELD(KEPT_WHOLE, messages),
    FIELD(KEPT_WHOLE, unfinished),
    FIELD(KEPT_WIDE, latency_sum_ps),
    FIELD(KEPT_WHOLE, latency_max_ps),
    FIELD(KEPT_WHOLE, latency_p50_ps),
    FIELD(KEPT_WHOLE, latency_p95_ps),
    FIELD(KEPT_WHOLE, latency_p99_ps),
    FIELD(KEPT_WHOLE, minimal_messages),
    FIELD(KEPT_WIDE, minimal_latency_sum_ps),
    FIELD(KEPT_WHOLE, router_sum),
    FIELD(KEPT_WHOLE, totals.messages),
    FIELD(KEPT_WHOLE, totals.memory_messages),
    FIELD(KEPT_WHOLE, totals.packets),
    FIELD(KEPT_WHOLE, totals.packet_hops),
    FIELD(KEPT_WIDE, totals.bytes),
    FIELD(KEPT_WHOLE, totals.minimal_packets),
    FIELD(KEPT_WHOLE, totals.ring_entries),
    FIELD(KEPT_WHOLE, totals.responses),
    FIELD(KEPT_WHOLE, totals.response_hops),
    FIELD(KEPT_WHOLE, totals.response_bytes),
    FIELD(KEPT_WIDE, totals.latency_sum_ps),
    FIELD(KEPT_WHOLE, totals.latency_max_ps),
    FIELD(KEPT_WHOLE, totals.events),
    FIELD(KEPT_WHOLE, totals.windows),
    FIELD(KEPT_WHOLE, totals.shared_work),
    FIELD(KEPT_WHOLE, totals.critical_work),
};
enum { FIELDS = sizeof fields / sizeof *fields };

/* A new total needs a row above, or a place beside the rows. Two of the words are padding. */
static_assert(sizeof(struct network_totals) ==
                  (18 + 16 + NETWORK_LATENCY_BINS) * sizeof(uint64_t) + 2 * sizeof(wide),
              "all totals of the network are kept");

static void put_field(struct json_object *object, const struct kept_field *field,
                      const struct traffic_point *figures) {
    const char *place = (const char *)figures + field->offset;
    int64_t whole;
    wide sum;
    char text[WIDE_TEXT_BYTES];
    if (field->kind == KEPT_WHOLE) {
        memcpy(&whole, place, sizeof whole);
        json_put_int(object, field->name, whole);
    } else {
        memcpy(&sum, place, sizeof sum);
        json_put_text(object, field->name, wide_text(sum, text));
    }
}

static bool read_sum(wide *sum, const char *digits) {
    *sum = 0;
    if (digits == NULL || *digits == '\0' || strlen(digits) >= WIDE_TEXT_BYTES) return false;
    for (; *digits >= '0' && *digits <= '9'; digits++)
        *sum = *sum * 10 + (unsigned)(*digits - '0');
    return *digits == '\0';
}

static bool read_field(struct traffic_point *figures, const struct kept_field *field,
                       struct json_object *object) {
    char *place = (char *)figures + field->offset;
    int64_t whole;
    wide sum;
    if (field->kind == KEPT_WHOLE) {
        if (!kept_read_count(object, field->name, &whole)) return false;
        memcpy(place, &whole, sizeof whole);
    } else {
        if (!read_sum(&sum, kept_read_text(object, field->name))) return false;
        memcpy(place, &sum, sizeof sum);
    }
    return true;
}

/* Puts the counts of an array that are not 0, each after its index. */
static void put_counts(struct json_object *object, const char *name, const uint64_t *counts,
                       size_t count) {
    struct json_object *array = json_put_array(object, name);
    for (size_t i = 0; i < count; i++) {
        if (counts[i] == 0) continue;
        json_append_count(array, i);
        json_append_count(array, counts[i]);
    }
}

static bool read_counts(uint64_t *counts, size_t count, struct json_object *object,
                        const char *name) {
    struct json_object *array = NULL;
    if (!json_object_object_get_ex(object, name, &array) ||
        !json_object_is_type(array, json_type_array) || json_object_array_length(array) % 2 != 0)
        return false;
    for (size_t i = 0; i < json_object_array_length(array); i += 2) {
        const int64_t index = json_object_get_int64(json_object_array_get_idx(array, i));
        if (index < 0 || (uint64_t)index >= count) return false;
        counts[index] = (uint64_t)json_object_get_int64(json_object_array_get_idx(array, i + 1));
    }
    return true;
}

static bool read_figures(struct traffic_point *figures, struct json_object *object) {
    struct network_totals *totals = &figures->totals;
    int64_t stable = 0;
    for (size_t i = 0; i < FIELDS; i++)
        if (!read_field(figures, &fields[i], object)) return false;
    if (!kept_read_count(object, "stable", &stable) ||
        !kept_read_hash(object, "digest", &totals->digest))
        return false;
    figures->stable = stable != 0;
    totals->threads = 1;
    return read_counts(totals->router_hops, sizeof totals->router_hops / sizeof(uint64_t), object,
                       "router_hops") &&
           read_counts(totals->latency_histogram, NETWORK_LATENCY_BINS, object,
                       "latency_histogram");
}

static bool read_point(struct sweep_point *point, struct json_object *object) {
    const char *schema = kept_read_text(object, "schema"),
               *failure = kept_read_text(object, "failure");
    if (schema == NULL || strcmp(schema, SCHEMA) != 0) return false;
    if (failure != NULL) {
        if (memory_copy_text(&point->failure, failure, NULL) != STATUS_OK) return false;
    } else {
        struct traffic_point figures = {0};
        if (!read_figures(&figures, object)) return false;
        point->figures = figures;
        point->finished = true;
    }
    point->was_kept = true;
    point->seconds = kept_read_seconds(object);
    return true;
}

kept_state kept_traffic_find(struct sweep_point *point, const char *folder,
                             const struct kept_key *key) {
    struct json_object *object;
    kept_state state = kept_read(&object, folder, key);
    if (state == KEPT_FOUND && !read_point(point, object)) state = KEPT_DAMAGED;
    json_object_put(object);
    if (state == KEPT_DAMAGED) point->was_damaged = true;
    return state;
}

status_code kept_traffic_store(const struct sweep_point *point, const char *folder,
                               const struct kept_key *key, const char *label,
                               struct status *status) {
    const struct network_totals *totals = &point->figures.totals;
    struct json_object *object = kept_begin(SCHEMA, label, point->seconds);
    if (object != NULL && point->finished) {
        for (size_t i = 0; i < FIELDS; i++)
            put_field(object, &fields[i], &point->figures);
        json_put_int(object, "stable", point->figures.stable);
        json_put_hash(object, "digest", totals->digest);
        put_counts(object, "router_hops", totals->router_hops,
                   sizeof totals->router_hops / sizeof(uint64_t));
        put_counts(object, "latency_histogram", totals->latency_histogram, NETWORK_LATENCY_BINS);
    } else if (object != NULL) {
        json_put_text(object, "failure", point->failure);
    }
    return kept_write(object, folder, key, status);
}
