/*
 * Writes a json-c value as indented text: objects, arrays, numbers, and strings with their escapes.
 */
#include "api/json/json_text.h"

#include "api/text/text_buffer.h"

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

static inline void add_byte(struct text_buffer *text, char byte) {
    text_add_bytes(text, &byte, 1);
}

static void add_text(struct text_buffer *text, const char *from) {
    add_byte(text, '"');
    while (*from != '\0') {
        size_t plain = 0;
        while ((unsigned char)from[plain] >= 0x20 && escape_of((unsigned char)from[plain]) == NULL)
            plain++;
        text_add_bytes(text, from, plain);
        from += plain;
        if (*from == '\0') break;
        const char *escape = escape_of((unsigned char)*from);
        if (escape != NULL)
            text_add_bytes(text, escape, 2);
        else
            text_add(text, "\\u%04x", (unsigned)(unsigned char)*from);
        from++;
    }
    add_byte(text, '"');
}

/* Begins the line of the next member or element, or of the end. A comma ends the line before, if
 * a member or element stands there. */
static void add_line(struct text_buffer *text, bool comma, int level) {
    if (comma) add_byte(text, ',');
    add_byte(text, '\n');
    text_add_blanks(text, 2 * (size_t)level);
}

static void add_object(struct text_buffer *text, struct json_object *object, int level) {
    bool comma = false;
    add_byte(text, '{');
    json_object_object_foreach(object, key, member) {
        add_line(text, comma, level + 1);
        add_text(text, key);
        add_byte(text, ':');
        add_value(text, member, level + 1);
        comma = true;
    }
    add_line(text, false, level);
    add_byte(text, '}');
}

static void add_array(struct text_buffer *text, struct json_object *array, int level) {
    const size_t length = json_object_array_length(array);
    add_byte(text, '[');
    for (size_t i = 0; i < length; i++) {
        add_line(text, i > 0, level + 1);
        add_value(text, json_object_array_get_idx(array, i), level + 1);
    }
    add_line(text, false, level);
    add_byte(text, ']');
}

static void add_integer(struct text_buffer *text, struct json_object *value) {
    int64_t number = json_object_get_int64(value); /* INT64_MAX for any larger number */
    if (number < 0) add_byte(text, '-');
    if (number < INT64_MAX)
        text_add_count(text, number < 0 ? 0 - (uint64_t)number : (uint64_t)number);
    else
        text_add_count(text, json_object_get_uint64(value));
}

static void add_word(struct text_buffer *text, const char *word) {
    text_add_bytes(text, word, strlen(word));
}

static void add_value(struct text_buffer *text, struct json_object *value, int level) {
    switch (json_object_get_type(value)) {
    case json_type_null:
        add_word(text, "null");
        return;
    case json_type_boolean:
        add_word(text, json_object_get_boolean(value) ? "true" : "false");
        return;
    case json_type_double:
        add_word(text, json_object_get_userdata(value));
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
