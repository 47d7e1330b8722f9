/* Errors as values. Invariant: text is NULL exactly if the code is STATUS_OK. */
#include "core/base/status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The text of an error for whose own text there was no memory. It is never changed or freed. */
static const char no_memory[] = "out of memory";

void status_free_text(char *text) {
    if (text != no_memory) free(text);
}

static char *format_text(const char *format, va_list arguments) {
    va_list copy;
    va_copy(copy, arguments);
    int length = vsnprintf(NULL, 0, format, copy);
    va_end(copy);
    if (length < 0) return NULL;
    char *text = malloc((size_t)length + 1);
    if (text != NULL) vsnprintf(text, (size_t)length + 1, format, arguments);
    return text;
}

status_code status_set_v(struct status *status, status_code code, const char *format,
                         va_list arguments) {
    if (status == NULL) return code;
    return status_take(status, code, code == STATUS_OK ? NULL : format_text(format, arguments));
}

status_code status_take(struct status *status, status_code code, char *text) {
    if (code != STATUS_OK && text == NULL) {
        code = STATUS_MEMORY;
        text = (char *)no_memory;
    }
    if (status == NULL) {
        status_free_text(text);
        return code;
    }
    status_free_text(status->text);
    status->code = code;
    status->text = text;
    return code;
}

status_code status_set(struct status *status, status_code code, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    code = status_set_v(status, code, format, arguments);
    va_end(arguments);
    return code;
}

/* Replaces the text by the two texts with `between` between them. Keeps the old text if memory is
 * short. */
static void replace_text(struct status *status, const char *first, const char *between,
                         const char *second) {
    size_t size = strlen(first) + strlen(between) + strlen(second) + 1;
    char *joined = malloc(size);
    if (joined == NULL) return;
    snprintf(joined, size, "%s%s%s", first, between, second);
    status_free_text(status->text);
    status->text = joined;
}

status_code status_prefix(struct status *status, const char *format, ...) {
    if (status == NULL || status->code == STATUS_OK) return status ? status->code : STATUS_OK;
    va_list arguments;
    va_start(arguments, format);
    char *prefix = format_text(format, arguments);
    va_end(arguments);
    if (prefix != NULL) replace_text(status, prefix, ": ", status->text);
    free(prefix);
    return status->code;
}

void status_append(struct status *status, const char *format, ...) {
    if (status == NULL || status->code == STATUS_OK) return;
    va_list arguments;
    va_start(arguments, format);
    char *line = format_text(format, arguments);
    va_end(arguments);
    if (line != NULL) replace_text(status, status->text, "\n", line);
    free(line);
}

void status_clear(struct status *status) {
    if (status == NULL) return;
    status_free_text(status->text);
    status->text = NULL;
    status->code = STATUS_OK;
}

const char *status_code_text(status_code code) {
    static const char *const texts[] = {
#define STATUS_TEXT(name, text, exit_code) text,
        STATUS_CODES(STATUS_TEXT)
#undef STATUS_TEXT
    };
    return texts[code];
}

int status_exit_code(status_code code) {
    static const int exit_codes[] = {
#define STATUS_EXIT(name, text, exit_code) exit_code,
        STATUS_CODES(STATUS_EXIT)
#undef STATUS_EXIT
    };
    return exit_codes[code];
}
