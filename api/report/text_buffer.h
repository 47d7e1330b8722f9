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

struct text_buffer {
    char *text;
    size_t length;
    size_t capacity;
    bool failed;
};

#define TEXT_BUFFER_INIT                                                                           \
    { 0 }

void text_add(struct text_buffer *buffer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds a name, which may hold anything: control characters and what is no UTF-8 as \xNN, so that
 * none gets to the terminal; then blanks up to so many columns. A column is a character. */
void text_add_name(struct text_buffer *buffer, const char *name, size_t width);

/* The columns that it takes. */
size_t text_name_width(const char *name);

/* The same, but of a name that takes more columns than width only its beginning and its end, with
 * "..." between them. width is at least 8. */
void text_add_cut_name(struct text_buffer *buffer, const char *name, size_t width);

/* The same for a text of several lines. */
void text_add_lines(struct text_buffer *buffer, const char *lines);

/* Adds blanks up to the column (counted in characters of the present line); one blank at least. */
void text_pad(struct text_buffer *buffer, size_t column);

/* The text, to be freed by the caller; NULL if memory ran out. The buffer is empty afterwards. */
char *text_take(struct text_buffer *buffer);

#endif
