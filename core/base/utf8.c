/* UTF-8 as defined by RFC 3629: no surrogates, no overlong forms, up to U+10FFFF. */
#include "core/base/utf8.h"

#include <stdint.h>
#include <string.h>
#include <unistr.h>

enum { LONGEST_BYTES = 4 };

size_t utf8_character(const char *text) {
    if ((uint8_t)*text < 0x80) return *text != '\0'; /* nearly always: not worth a call */
    int length = u8_mblen((const uint8_t *)text, strnlen(text, LONGEST_BYTES));
    return length > 0 ? (size_t)length : 0;
}

void utf8_repair(char *text) {
    while (*text != '\0') {
        size_t length = utf8_character(text);
        if (length == 0) *text = '?';
        text += length > 0 ? length : 1;
    }
}

int utf8_fit(const char *text, size_t max) {
    size_t fit = 0;
    while (text[fit] != '\0') {
        size_t length = utf8_character(text + fit);
        if (length == 0) length = 1;
        if (fit + length > max) break;
        fit += length;
    }
    return (int)fit;
}

void utf8_copy(char *to, size_t size, const char *text) {
    static const char more[] = "...";
    const size_t whole = strlen(text);
    const size_t length = whole < size ? whole : (size_t)utf8_fit(text, size - sizeof more);
    memcpy(to, text, length);
    to[length] = '\0';
    if (length < whole) memcpy(to + length, more, sizeof more);
}
