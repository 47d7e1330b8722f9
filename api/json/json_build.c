/* Puts members into json-c objects and arrays. The outermost object owns a note that is set when
 * memory runs out, so json_finish can refuse an incomplete text. */
#include "api/json/json_build.h"

#include "api/json/json_text.h"
#include "core/base/utf8.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what memory was too short for ---- */

/* Frees the note that memory ran out. The outermost object owns it, and all objects and arrays of a
 * result have a pointer to it as their user data. */
static void free_note(struct json_object *object, void *failed) {
    (void)object;
    free(failed);
}

struct json_object *json_begin(void) {
    struct json_object *object = json_object_new_object();
    bool *failed = calloc(1, sizeof *failed);
    if (object == NULL || failed == NULL) {
        json_object_put(object);
        free(failed);
        return NULL;
    }
    json_object_set_userdata(object, failed, free_note);
    return object;
}

void json_give_up(struct json_object *container) {
    if (container != NULL) *(bool *)json_object_get_userdata(container) = true;
}

/* Adds a value to an object, or, without a key, to an array. Returns the value, or NULL after
 * noting that memory ran out. */
static struct json_object *add_value(struct json_object *container, const char *key,
                                     struct json_object *value) {
    if (container != NULL && value != NULL &&
        (key != NULL ? json_object_object_add(container, key, value)
                     : json_object_array_add(container, value)) == 0)
        return value;
    json_give_up(container);
    json_object_put(value);
    return NULL;
}

static struct json_object *add_container(struct json_object *container, const char *key,
                                         struct json_object *value) {
    value = add_value(container, key, value);
    if (value != NULL) json_object_set_userdata(value, json_object_get_userdata(container), NULL);
    return value;
}

/* ---- members ---- */

void json_put_text(struct json_object *object, const char *key, const char *text) {
    add_value(object, key, text != NULL ? json_object_new_string(text) : NULL);
}

void json_put_bool(struct json_object *object, const char *key, bool value) {
    add_value(object, key, json_object_new_boolean(value));
}

void json_put_int(struct json_object *object, const char *key, int64_t value) {
    add_value(object, key, json_object_new_int64(value));
}

void json_put_count(struct json_object *object, const char *key, uint64_t value) {
    add_value(object, key, json_object_new_uint64(value));
}

/* Puts null, for which json-c has no value of its own. */
void json_put_null(struct json_object *object, const char *key) {
    if (object != NULL && json_object_object_add(object, key, NULL) != 0) json_give_up(object);
}

void json_put_sum(struct json_object *object, const char *key, wide value) {
    char text[WIDE_TEXT_BYTES];
    if (value <= UINT64_MAX)
        json_put_count(object, key, (uint64_t)value);
    else
        add_value(object, key, json_object_new_double_s((double)value, wide_text(value, text)));
}

void json_put_balance(struct json_object *object, const char *key, signed_wide value) {
    char digits[WIDE_TEXT_BYTES], text[WIDE_TEXT_BYTES + 1];
    if (value >= INT64_MIN && value <= INT64_MAX) {
        json_put_int(object, key, (int64_t)value);
        return;
    }
    snprintf(text, sizeof text, "%s%s", value < 0 ? "-" : "",
             wide_text(wide_magnitude(value), digits));
    add_value(object, key, json_object_new_double_s((double)value, text));
}

void json_put_hash(struct json_object *object, const char *key, uint64_t value) {
    char text[17];
    snprintf(text, sizeof text, "%016" PRIx64, value);
    json_put_text(object, key, text);
}

void json_put_millionths(struct json_object *object, const char *key, signed_wide value) {
    char text[WIDE_TEXT_BYTES + 16], whole[WIDE_TEXT_BYTES];
    const wide size = wide_magnitude(value);
    int length = snprintf(text, sizeof text, "%s%s.%06u", value < 0 ? "-" : "",
                          wide_text(size / 1000000u, whole), (unsigned)(size % 1000000u));
    while (text[length - 1] == '0' && text[length - 2] != '.')
        text[--length] = '\0';
    add_value(object, key, json_object_new_double_s((double)value / 1e6, text));
}

void json_put_seconds(struct json_object *object, const char *key, double seconds) {
    char text[64];
    snprintf(text, sizeof text, "%.6f", seconds);
    add_value(object, key, json_object_new_double_s(seconds, text));
}

struct json_object *json_put_object(struct json_object *object, const char *key) {
    return add_container(object, key, json_object_new_object());
}

struct json_object *json_put_array(struct json_object *object, const char *key) {
    return add_container(object, key, json_object_new_array());
}

/* ---- elements ---- */

struct json_object *json_append_object(struct json_object *array) {
    return add_container(array, NULL, json_object_new_object());
}

void json_append_text(struct json_object *array, const char *text) {
    add_value(array, NULL, json_object_new_string(text));
}

void json_append_count(struct json_object *array, uint64_t value) {
    add_value(array, NULL, json_object_new_uint64(value));
}

char *json_finish(struct json_object *object) {
    if (object == NULL) return NULL;
    const bool failed = *(const bool *)json_object_get_userdata(object);
    char *text = failed ? NULL : json_text_of(object);
    if (text != NULL) utf8_repair(text);
    json_object_put(object);
    return text;
}
