/* Quotes texts for CSV. Bytes of a name that are not UTF-8 are replaced. */
#include "api/text/csv.h"

#include "core/base/utf8.h"

#include <string.h>

void csv_write_quoted(FILE *file, const char *text) {
    fputc('"', file);
    while (*text != '\0') {
        size_t length = utf8_character(text);
        if (*text == '"') fputc('"', file);
        if (length > 0)
            fwrite(text, 1, length, file);
        else
            fputc('?', file);
        text += length > 0 ? length : 1;
    }
    fputc('"', file);
}

void csv_write_name(FILE *file, const char *name) {
    const char *c = name;
    while (*c > ' ' && *c < 0x7F && strchr(",\"", *c) == NULL)
        c++;
    if (*c == '\0')
        fputs(name, file);
    else
        csv_write_quoted(file, name);
}
