/*
 * UTF-8. Names of regions and paths may have any bytes, JSON has to be UTF-8, and texts are cut
 * between two characters only. Knows no other file.
 */
#ifndef ANAX_CORE_UTF8_H
#define ANAX_CORE_UTF8_H

#include <stddef.h>

/* Returns the bytes of the first character of text; 0 at its end, and if there is no valid
 * character. */
size_t utf8_character(const char *text);

/* Replaces every byte that is part of no character by a question mark. */
void utf8_repair(char *text);

/* Returns how many bytes of a text to show, at most `max`, so that no character is cut: for
 * "%.*s". A byte that is part of no character counts as a character. */
int utf8_fit(const char *text, size_t max);

/* Both arguments for "%.*s". */
#define UTF8_SHOWN(text, max) utf8_fit((text), (max)), (text)

/* Copies a text. If it does not fit, copies as much as possible and "..." after it. size: at least
 * 4. */
void utf8_copy(char *to, size_t size, const char *text);

#endif
