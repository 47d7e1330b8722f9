/* Writes numbers of 128 bits as decimal texts, which the C library cannot do. */
#include "core/base/wide.h"

#include <string.h>

const char *wide_text(wide value, char text[WIDE_TEXT_BYTES]) {
    char *first = text + WIDE_TEXT_BYTES - 1;
    *first = '\0';
    do {
        *--first = (char)('0' + (unsigned)(value % 10));
        value /= 10;
    } while (value > 0);
    return memmove(text, first, (size_t)(text + WIDE_TEXT_BYTES - first));
}
