/* Prints messages without control characters: those of C0 and DEL, and those of C1, which take two
 * bytes in UTF-8, are replaced. */
#include "cli/error_print.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* The control characters U+0080 to U+009F take two bytes in UTF-8. */
void error_print_text(const char *text) {
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++) {
        const bool second = c[0] == 0xC2 && c[1] >= 0x80 && c[1] < 0xA0;
        if (second) c++;
        const bool control = (*c < 0x20 && *c != '\n' && *c != '\t') || *c == 0x7F || second;
        fprintf(stderr, control ? "\\x%02X" : "%c", *c);
    }
}

void error_print_list(const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char few[512] = ""; /* what fits is printed also when memory has run out */
    char *text = length >= (int)sizeof few ? malloc((size_t)length + 1) : NULL;
    if (text != NULL)
        vsnprintf(text, (size_t)length + 1, format, arguments);
    else
        vsnprintf(few, sizeof few, format, arguments);
    error_print_text(text != NULL ? text : few);
    free(text);
}

void error_print(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    error_print_list(format, arguments);
    va_end(arguments);
}
