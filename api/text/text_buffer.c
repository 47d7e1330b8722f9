/* Appends to texts that grow: formatted pieces, names that are cut or padded by the width that they
 * take on a terminal, and paragraphs that are broken into lines. */
#include "api/text/text_buffer.h"

#include "core/base/utf8.h"
#include "core/memory/memory.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(struct text_buffer *buffer, size_t more) {
    void *array = buffer->text;
    if (memory_grow(&array, &buffer->capacity, buffer->length + more + 1, 1, NULL) != STATUS_OK)
        buffer->failed = true;
    buffer->text = array;
    return !buffer->failed;
}

void text_add(struct text_buffer *buffer, const char *format, ...) {
    if (buffer->failed) return;
    va_list arguments;
    const size_t room = buffer->capacity - buffer->length;
    va_start(arguments, format);
    int length =
        vsnprintf(room > 0 ? buffer->text + buffer->length : NULL, room, format, arguments);
    va_end(arguments);
    if (length < 0) {
        buffer->failed = true;
        return;
    }
    if ((size_t)length >= room) { /* it was cut */
        if (!reserve(buffer, (size_t)length)) return;
        va_start(arguments, format);
        vsnprintf(buffer->text + buffer->length, (size_t)length + 1, format, arguments);
        va_end(arguments);
    }
    buffer->length += (size_t)length;
}

void text_add_bytes(struct text_buffer *buffer, const char *bytes, size_t count) {
    if (buffer->failed || !reserve(buffer, count)) return;
    memcpy(buffer->text + buffer->length, bytes, count);
    buffer->length += count;
    buffer->text[buffer->length] = '\0';
}

void text_add_blanks(struct text_buffer *buffer, size_t count) {
    if (buffer->failed || !reserve(buffer, count)) return;
    memset(buffer->text + buffer->length, ' ', count);
    buffer->length += count;
    buffer->text[buffer->length] = '\0';
}

void text_add_count(struct text_buffer *buffer, uint64_t count) {
    char digits[20];
    size_t first = sizeof digits;
    do {
        digits[--first] = (char)('0' + count % 10);
        count /= 10;
    } while (count > 0);
    text_add_bytes(buffer, digits + first, sizeof digits - first);
}

/* Writes the next character of a name as it is shown, and sets *columns to its width. Returns its
 * number of bytes in the name. */
static size_t shown_character(const char *name, char shown[8], size_t *columns) {
    const unsigned char first = (unsigned char)name[0];
    size_t length = utf8_character(name);
    const bool ascii_control = first < 0x20 || first == 0x7F;
    const bool other_control = length == 2 && first == 0xC2 && (unsigned char)name[1] < 0xA0;
    *columns = 1;
    if (length > 0 && !ascii_control && !other_control) {
        memcpy(shown, name, length);
        shown[length] = '\0';
        return length;
    }
    if (length != 2) { /* not a character: show one byte */
        snprintf(shown, 8, "\\x%02X", first);
        *columns = 4;
        return 1;
    }
    snprintf(shown, 8, "\\x%02X", (unsigned char)name[1]); /* U+0080 to U+009F */
    *columns = 4;
    return length;
}

size_t text_name_width(const char *name) {
    char shown[8];
    size_t width = 0, columns;
    for (; *name != '\0'; width += columns)
        name += shown_character(name, shown, &columns);
    return width;
}

/* Adds the characters of a name that lie completely in columns first to end - 1. Returns the number
 * of columns added. */
static size_t add_columns(struct text_buffer *buffer, const char *name, size_t first, size_t end) {
    char shown[8];
    size_t added = 0;
    for (size_t column = 0, columns; *name != '\0' && column < end; column += columns) {
        name += shown_character(name, shown, &columns);
        if (column < first || column + columns > end) continue;
        text_add(buffer, "%s", shown);
        added += columns;
    }
    return added;
}

void text_add_name(struct text_buffer *buffer, const char *name, size_t width) {
    const size_t added = add_columns(buffer, name, 0, SIZE_MAX);
    if (added < width) text_add_blanks(buffer, width - added);
}

void text_add_cut_name(struct text_buffer *buffer, const char *name, size_t width) {
    static const char cut[] = "...";
    const size_t present = text_name_width(name), kept = width - (sizeof cut - 1), end = kept / 3;
    if (present <= width) {
        text_add_name(buffer, name, width);
        return;
    }
    size_t added = add_columns(buffer, name, 0, kept - end);
    text_add(buffer, "%s", cut);
    added += add_columns(buffer, name, present - end, present);
    if (added < kept) text_add_blanks(buffer, kept - added);
}

void text_add_lines(struct text_buffer *buffer, const char *lines) {
    char shown[8];
    size_t columns;
    while (*lines != '\0') {
        if (*lines == '\n' || *lines == '\t') {
            text_add(buffer, "%c", *lines++);
            continue;
        }
        lines += shown_character(lines, shown, &columns);
        text_add(buffer, "%s", shown);
    }
}

const char *text_plus_minus(const struct text_buffer *buffer) {
    return buffer->is_ascii ? "+-" : "\u00b1";
}

void text_pad(struct text_buffer *buffer, size_t column) {
    if (buffer->failed) return;
    size_t line = buffer->length, present = 0;
    for (; line > 0 && buffer->text[line - 1] != '\n'; line--)
        present += ((unsigned char)buffer->text[line - 1] & 0xC0) != 0x80;
    text_add_blanks(buffer, present < column ? column - present : 1);
}

char *text_take(struct text_buffer *buffer) {
    char *text = NULL;
    if (!buffer->failed && reserve(buffer, 0)) {
        text = buffer->text;
        text[buffer->length] = '\0';
    } else {
        free(buffer->text);
    }
    *buffer = (struct text_buffer)TEXT_BUFFER_INIT;
    return text;
}

void text_add_paragraph(struct text_buffer *buffer, size_t indent, const char *words) {
    size_t column = 0;
    while (*words != '\0') {
        size_t length = strcspn(words, " ");
        if (strncmp(words + length, " %", 2) == 0) length += 1 + strcspn(words + length + 1, " ");
        if (column > 0 && column + 1 + length <= TEXT_LINE_WIDTH) {
            text_add(buffer, " ");
            column++;
        } else {
            text_add(buffer, "%s%*s", column > 0 ? "\n" : "", (int)indent, "");
            column = indent;
        }
        text_add(buffer, "%.*s", (int)length, words);
        column += length;
        words += length;
        words += strspn(words, " ");
    }
    text_add(buffer, "\n");
}
