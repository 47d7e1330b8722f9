/* Growing texts. See text_buffer.h for the invariant. */
#include "api/report/text_buffer.h"

#include "core/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(text_buffer *buffer, size_t more) {
    void *array = buffer->text;
    if (memory_grow(&array, &buffer->capacity, buffer->length + more + 1, 1, NULL) != STATUS_OK)
        buffer->failed = true;
    buffer->text = array;
    return !buffer->failed;
}

void text_add(text_buffer *buffer, const char *format, ...) {
    if (buffer->failed) return;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0) {
        buffer->failed = true;
        return;
    }
    if (!reserve(buffer, (size_t)length)) return;
    va_start(arguments, format);
    vsnprintf(buffer->text + buffer->length, (size_t)length + 1, format, arguments);
    va_end(arguments);
    buffer->length += (size_t)length;
}

void text_add_name(text_buffer *buffer, const char *name, size_t width) {
    size_t length = 0;
    for (const char *c = name; *c != '\0'; c++) {
        unsigned char byte = (unsigned char)*c;
        bool control = byte < 0x20 || byte == 0x7F;
        text_add(buffer, control ? "\\x%02X" : "%c", byte);
        length += control ? 4 : 1;
    }
    for (; length < width; length++)
        text_add(buffer, " ");
}

void text_pad(text_buffer *buffer, size_t column) {
    if (buffer->failed) return;
    size_t line = buffer->length;
    while (line > 0 && buffer->text[line - 1] != '\n')
        line--;
    size_t present = buffer->length - line;
    size_t spaces = present < column ? column - present : 1;
    if (!reserve(buffer, spaces)) return;
    memset(buffer->text + buffer->length, ' ', spaces);
    buffer->length += spaces;
    buffer->text[buffer->length] = '\0';
}

char *text_take(text_buffer *buffer) {
    char *text = NULL;
    if (!buffer->failed && reserve(buffer, 0)) {
        text = buffer->text;
        text[buffer->length] = '\0';
    } else {
        free(buffer->text);
    }
    *buffer = (text_buffer)TEXT_BUFFER_INIT;
    return text;
}
