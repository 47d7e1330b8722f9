/*
 * UTF-8: names of regions and paths are bytes of any kind, JSON is UTF-8, and what is cut is cut
 * between two characters. Knows nothing else.
 */
#ifndef ANAX_CORE_UTF8_H
#define ANAX_CORE_UTF8_H

#include <stddef.h>

/* Bytes of the character that text begins with; 0 at its end, and where there is none. */
size_t utf8_character(const char *text);

/* Puts a question mark in the place of every byte that is part of no character. */
void utf8_repair(char *text);

/* Of a text how many bytes at most are shown, so that no character is cut: for "%.*s". A byte that
 * is part of no character stands for itself. */
int utf8_fit(const char *text, size_t most);

/* Both arguments of "%.*s". */
#define UTF8_SHOWN(text, most) utf8_fit((text), (most)), (text)

/* Copies a text, or as much of it as fits and "..." after that. size is at least 4. */
void utf8_copy(char *to, size_t size, const char *text);

#endif
