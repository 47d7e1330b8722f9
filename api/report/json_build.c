/* Building JSON objects. See json_build.h for the invariant. */
#include "api/report/json_build.h"

#include "api/report/utf8.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void json_put_text(struct json_object *object, const char *key, const char *text) {
    json_object_object_add(object, key, json_object_new_string(text));
}

void json_put_bool(struct json_object *object, const char *key, bool value) {
    json_object_object_add(object, key, json_object_new_boolean(value));
}

void json_put_int(struct json_object *object, const char *key, int64_t value) {
    json_object_object_add(object, key, json_object_new_int64(value));
}

void json_put_count(struct json_object *object, const char *key, uint64_t value) {
    json_object_object_add(object, key, json_object_new_uint64(value));
}

void json_put_sum(struct json_object *object, const char *key, wide value) {
    char text[WIDE_TEXT_BYTES];
    if (value <= UINT64_MAX)
        json_put_count(object, key, (uint64_t)value);
    else
        json_object_object_add(object, key,
                               json_object_new_double_s((double)value, wide_text(value, text)));
}

void json_put_hash(struct json_object *object, const char *key, uint64_t value) {
    char text[17];
    snprintf(text, sizeof text, "%016" PRIx64, value);
    json_put_text(object, key, text);
}

static void put_millionths(struct json_object *object, const char *key, const char *sign,
                           wide millionths) {
    char text[WIDE_TEXT_BYTES + 16], whole[WIDE_TEXT_BYTES];
    int length =
        snprintf(text, sizeof text, "%s%s.%06u", sign, wide_text(millionths / 1000000u, whole),
                 (unsigned)(millionths % 1000000u));
    while (text[length - 1] == '0' && text[length - 2] != '.')
        text[--length] = '\0';
    double value = (double)millionths / 1e6;
    json_object_object_add(object, key,
                           json_object_new_double_s(*sign == '-' ? -value : value, text));
}

void json_put_millionths(struct json_object *object, const char *key, int64_t value) {
    put_millionths(object, key, value < 0 ? "-" : "",
                   value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void json_put_ratio(struct json_object *object, const char *key, wide numerator, wide denominator) {
    if (denominator == 0)
        json_object_object_add(object, key, NULL);
    else
        put_millionths(object, key, "", numerator * 1000000u / denominator);
}

void json_put_change(struct json_object *object, const char *key, int64_t difference,
                     uint64_t denominator) {
    uint64_t size = difference < 0 ? 0 - (uint64_t)difference : (uint64_t)difference;
    wide millionths = (wide)size * 1000000u / denominator;
    put_millionths(object, key, difference < 0 && millionths > 0 ? "-" : "", millionths);
}

void json_put_latency(struct json_object *object, const char *key, uint64_t messages,
                      int64_t latency_ps) {
    if (messages > 0)
        json_put_int(object, key, latency_ps);
    else
        json_object_object_add(object, key, NULL);
}

void json_put_seconds(struct json_object *object, const char *key, double seconds) {
    char text[64];
    snprintf(text, sizeof text, "%.6f", seconds);
    json_object_object_add(object, key, json_object_new_double_s(seconds, text));
}

struct json_object *json_put_object(struct json_object *object, const char *key) {
    struct json_object *member = json_object_new_object();
    json_object_object_add(object, key, member);
    return member;
}

struct json_object *json_put_array(struct json_object *object, const char *key) {
    struct json_object *member = json_object_new_array();
    json_object_object_add(object, key, member);
    return member;
}

struct json_object *json_append_object(struct json_object *array) {
    struct json_object *element = json_object_new_object();
    json_object_array_add(array, element);
    return element;
}

char *json_finish(struct json_object *object) {
    const char *text = json_object_to_json_string_ext(object, JSON_C_TO_STRING_PRETTY |
                                                                  JSON_C_TO_STRING_NOSLASHESCAPE);
    char *copy = text != NULL ? strdup(text) : NULL;
    if (copy != NULL) utf8_repair(copy);
    json_object_put(object);
    return copy;
}
