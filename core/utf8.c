/* UTF-8 as defined by RFC 3629: no surrogates, no overlong forms, up to U+10FFFF. */
#include "core/utf8.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static bool is_between(uint8_t byte, uint8_t least, uint8_t most) {
    return byte >= least && byte <= most;
}

size_t utf8_character(const char *text) {
    const uint8_t *bytes = (const uint8_t *)text;
    uint8_t first = bytes[0];
    if (first < 0x80) return first != 0;
    size_t length = is_between(first, 0xC2, 0xDF)   ? 2
                    : is_between(first, 0xE0, 0xEF) ? 3
                    : is_between(first, 0xF0, 0xF4) ? 4
                                                    : 0;
    if (length == 0) return 0;
    uint8_t least = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    uint8_t most = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    if (!is_between(bytes[1], least, most)) return 0;
    for (size_t i = 2; i < length; i++)
        if (!is_between(bytes[i], 0x80, 0xBF)) return 0;
    return length;
}

void utf8_repair(char *text) {
    while (*text != '\0') {
        size_t length = utf8_character(text);
        if (length == 0) *text = '?';
        text += length > 0 ? length : 1;
    }
}

int utf8_fit(const char *text, size_t most) {
    size_t fit = 0;
    while (text[fit] != '\0') {
        size_t length = utf8_character(text + fit);
        if (length == 0) length = 1;
        if (fit + length > most) break;
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
