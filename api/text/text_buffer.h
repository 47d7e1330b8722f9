/*
 * A text that grows, for writing reports. Must not know what the text means.
 *
 * Invariant: once memory has run out, `failed` stays set, additions do nothing, and text_take
 * returns NULL, so that writers need no checks of their own.
 */
#ifndef ANAX_API_TEXT_BUFFER_H
#define ANAX_API_TEXT_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TEXT_LINE_WIDTH = 80 }; /* columns of a line for people */

struct text_buffer {
    char *text;
    size_t length;
    size_t capacity;
    bool failed;
    bool is_ascii; /* the writer sets it: write signs in ASCII */
};

#define TEXT_BUFFER_INIT                                                                           \
    { 0 }

/* Adds a text that is made as printf makes it. */
void text_add(struct text_buffer *buffer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds `count` bytes of a text. Takes a tenth of text_add's time, as the next two functions do. */
void text_add_bytes(struct text_buffer *buffer, const char *bytes, size_t count);

/* Adds `count` blanks. */
void text_add_blanks(struct text_buffer *buffer, size_t count);

/* Adds a number. */
void text_add_count(struct text_buffer *buffer, uint64_t count);

/* Adds a name of any bytes, and then blanks up to `width` columns. Control characters and bytes
 * that are not UTF-8 appear as \xNN, so that none reaches the terminal. A column is a character. */
void text_add_name(struct text_buffer *buffer, const char *name, size_t width);

/* Returns the columns that text_add_name takes for a name without blanks. */
size_t text_name_width(const char *name);

/* Adds a name as text_add_name does. If the name takes more columns than width, only its beginning
 * and its end are added, with "..." between them. width is at least 8. */
void text_add_cut_name(struct text_buffer *buffer, const char *name, size_t width);

/* Adds a text of several lines. Control characters other than line ends and tabs, and bytes that
 * are not UTF-8, appear as \xNN. */
void text_add_lines(struct text_buffer *buffer, const char *lines);

/* Returns the sign before half the width of an interval, as the buffer wants it. */
const char *text_plus_minus(const struct text_buffer *buffer);

/* Adds blanks up to the column, counted in characters of the present line; at least one blank. */
void text_pad(struct text_buffer *buffer, size_t column);

/* Adds a paragraph of words, with line breaks before the column TEXT_LINE_WIDTH, and none before a
 * percent sign. */
void text_add_paragraph(struct text_buffer *buffer, size_t indent, const char *words);

/* Returns the text and empties the buffer. The caller frees the text; NULL if memory ran out. */
char *text_take(struct text_buffer *buffer);

#endif
