/*
 * UTF-8: names of regions and paths are bytes of any kind, JSON is UTF-8. Knows nothing else.
 */
#ifndef ANAX_API_UTF8_H
#define ANAX_API_UTF8_H

#include <stddef.h>

/* Bytes of the character that text begins with; 0 at its end, and where there is none. */
size_t utf8_character(const char *text);

/* Puts a question mark in the place of every byte that is part of no character. */
void utf8_repair(char *text);

#endif
