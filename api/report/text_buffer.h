/*
 * A text that grows: what reports are written into. Must not know what is written.
 *
 * Invariant: once memory ran out `failed` stays set, additions do nothing, and text_take gives
 * NULL, so that writers need no check of their own.
 */
#ifndef ANAX_API_TEXT_BUFFER_H
#define ANAX_API_TEXT_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct text_buffer {
    char *text;
    size_t length;
    size_t capacity;
    bool failed;
} text_buffer;

#define TEXT_BUFFER_INIT                                                                           \
    { 0 }

void text_add(text_buffer *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds a name from a trace, which may hold anything: control characters as \xNN, so that none gets
 * to the terminal; then blanks up to so many bytes. */
void text_add_name(text_buffer *buffer, const char *name, size_t width);

/* Adds text up to the column (counted in characters of the present line); one space at least. */
void text_pad(text_buffer *buffer, size_t column);

/* The text, to be freed by the caller; NULL if memory ran out. The buffer is empty afterwards. */
char *text_take(text_buffer *buffer);

#endif
