/* Writes JSON values as text. See json_text.h. */
#include "api/report/json_text.h"

#include "api/report/text_buffer.h"

#include <inttypes.h>
#include <stdint.h>
#include <string.h>

static void add_value(struct text_buffer *text, struct json_object *value, int level);

/* Returns the escape of a byte in JSON, or NULL if the byte needs none. */
static const char *escape_of(unsigned char byte) {
    switch (byte) {
    case '"':
        return "\\\"";
    case '\\':
        return "\\\\";
    case '\b':
        return "\\b";
    case '\f':
        return "\\f";
    case '\n':
        return "\\n";
    case '\r':
        return "\\r";
    case '\t':
        return "\\t";
    default:
        return NULL;
    }
}

static void add_text(struct text_buffer *text, const char *from) {
    text_add(text, "\"");
    while (*from != '\0') {
        size_t plain = 0;
        while ((unsigned char)from[plain] >= 0x20 && escape_of((unsigned char)from[plain]) == NULL)
            plain++;
        text_add(text, "%.*s", (int)plain, from);
        from += plain;
        if (*from == '\0') break;
        const char *escape = escape_of((unsigned char)*from);
        if (escape != NULL)
            text_add(text, "%s", escape);
        else
            text_add(text, "\\u%04x", (unsigned)(unsigned char)*from);
        from++;
    }
    text_add(text, "\"");
}

/* Begins the line of the next member or element, or of the end. */
static void add_line(struct text_buffer *text, const char *before, int level) {
    text_add(text, "%s\n%*s", before, 2 * level, "");
}

static void add_object(struct text_buffer *text, struct json_object *object, int level) {
    const char *before = "";
    text_add(text, "{");
    json_object_object_foreach(object, key, member) {
        add_line(text, before, level + 1);
        add_text(text, key);
        text_add(text, ":");
        add_value(text, member, level + 1);
        before = ",";
    }
    add_line(text, "", level);
    text_add(text, "}");
}

static void add_array(struct text_buffer *text, struct json_object *array, int level) {
    const char *before = "";
    text_add(text, "[");
    for (size_t i = 0; i < json_object_array_length(array); i++) {
        add_line(text, before, level + 1);
        add_value(text, json_object_array_get_idx(array, i), level + 1);
        before = ",";
    }
    add_line(text, "", level);
    text_add(text, "]");
}

static void add_integer(struct text_buffer *text, struct json_object *value) {
    int64_t number = json_object_get_int64(value); /* INT64_MAX for any larger number */
    if (number < INT64_MAX)
        text_add(text, "%" PRId64, number);
    else
        text_add(text, "%" PRIu64, json_object_get_uint64(value));
}

static void add_value(struct text_buffer *text, struct json_object *value, int level) {
    switch (json_object_get_type(value)) {
    case json_type_null:
        text_add(text, "null");
        return;
    case json_type_boolean:
        text_add(text, json_object_get_boolean(value) ? "true" : "false");
        return;
    case json_type_double:
        text_add(text, "%s", (const char *)json_object_get_userdata(value));
        return;
    case json_type_int:
        add_integer(text, value);
        return;
    case json_type_string:
        add_text(text, json_object_get_string(value));
        return;
    case json_type_object:
        add_object(text, value, level);
        return;
    case json_type_array:
        add_array(text, value, level);
        return;
    }
}

char *json_text_of(struct json_object *value) {
    struct text_buffer text = TEXT_BUFFER_INIT;
    add_value(&text, value, 0);
    return text_take(&text);
}
