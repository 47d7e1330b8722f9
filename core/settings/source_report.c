/*
 * Reports of faults in text files. Invariant: `out` is open exactly if there are faults to report.
 * For a position outside the text no source line is shown, and nothing beyond the text is read.
 */
#include "core/settings/source_report.h"
#include "core/base/plural.h"

#include "core/files/input_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------- characters */

/* Returns the bytes of the well-formed UTF-8 character at text (Unicode 15, table 3-7); 0 if there
 * is none. */
static size_t character_bytes(const unsigned char *text, size_t size) {
    unsigned first = text[0];
    if (first < 0x80) return 1;
    size_t bytes = first >= 0xc2 && first <= 0xdf   ? 2
                   : first >= 0xe0 && first <= 0xef ? 3
                   : first >= 0xf0 && first <= 0xf4 ? 4
                                                    : 0;
    if (bytes == 0 || bytes > size) return 0;
    unsigned low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    unsigned high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    if (text[1] < low || text[1] > high) return 0;
    for (size_t i = 2; i < bytes; i++) {
        if (text[i] < 0x80 || text[i] > 0xbf) return 0;
    }
    return bytes;
}

/* Returns true for C0 characters except tab and line ends, for delete, and for C1 characters (two
 * bytes in UTF-8). */
static bool is_control(const unsigned char *text, size_t bytes) {
    if (bytes == 2) return text[0] == 0xc2 && text[1] < 0xa0;
    return bytes == 1 &&
           ((text[0] < 0x20 && text[0] != '\t' && text[0] != '\n' && text[0] != '\r') ||
            text[0] == 0x7f);
}

static bool ends_line(const struct source_report *report, size_t offset) {
    if (report->text[offset] == '\n') return true;
    return report->text[offset] == '\r' &&
           (offset + 1 == report->size || report->text[offset + 1] != '\n');
}

bool source_text_check(struct source_report *report) {
    const unsigned char *text = (const unsigned char *)report->text;
    size_t offset = 0;
    while (offset < report->size) {
        size_t bytes = character_bytes(text + offset, report->size - offset);
        if (bytes == 0) {
            source_report_fault_at(report, offset, "byte 0x%02x is not UTF-8 text", text[offset]);
            return false;
        }
        if (is_control(text + offset, bytes)) {
            source_report_fault_at(report, offset, "control character 0x%02x in a text file",
                                   text[offset + bytes - 1]);
            return false;
        }
        offset += bytes;
    }
    return true;
}

/* ---------------------------------------------------------------------------- faults */

#define SHOWN_MAX 120 /* characters of a source line */
#define BEFORE    60  /* most of them before the caret in long lines */

/* Prints the source line, cut around the column, and the caret below it. */
static void print_source(const struct source_report *report, size_t line, size_t column,
                         const char *hint) {
    size_t offset = 0;
    for (size_t number = 1; number < line && offset < report->size; offset++)
        number += ends_line(report, offset);
    size_t first = column > SHOWN_MAX ? column - BEFORE : 1;
    fputs("  ", report->out);
    for (size_t at = 1; offset < report->size && at < first + SHOWN_MAX; at++) {
        if (ends_line(report, offset)) break;
        const unsigned char *next = (const unsigned char *)report->text + offset;
        size_t bytes = character_bytes(next, report->size - offset);
        if (at >= first) {
            if (bytes == 0 || is_control(next, bytes))
                fputc('?', report->out);
            else if (*next == '\t' || *next == '\r')
                fputc(' ', report->out);
            else
                fwrite(next, 1, bytes, report->out);
        }
        offset += bytes > 0 ? bytes : 1;
    }
    fprintf(report->out, "\n  %*s^", (int)(column - first), "");
    if (hint != NULL) fprintf(report->out, " (%s)", hint);
}

static void fault(struct source_report *report, size_t line, size_t column, const char *hint,
                  const char *format, va_list arguments) {
    report->faults++;
    if (report->out == NULL) report->out = open_memstream(&report->buffer, &report->length);
    if (report->out == NULL) return; /* source_report_close reports it */
    if (report->faults > 1) fputc('\n', report->out);
    if (column > 0)
        fprintf(report->out, "%s:%zu:%zu: error: ", report->name, line, column);
    else
        fprintf(report->out, "%s:%zu: error: ", report->name, line);
    vfprintf(report->out, format, arguments);
    if (column > 0) {
        fputc('\n', report->out);
        print_source(report, line, column, hint);
    }
}

void source_report_fault(struct source_report *report, size_t line, size_t column, const char *hint,
                         const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fault(report, line, column, hint, format, arguments);
    va_end(arguments);
}

void source_report_fault_at(struct source_report *report, size_t offset, const char *format, ...) {
    size_t line = 1, column = 1;
    for (size_t i = 0; i < offset; i++) {
        if (ends_line(report, i))
            line++, column = 1;
        else if (((unsigned char)report->text[i] & 0xc0) != 0x80)
            column++;
    }
    va_list arguments;
    va_start(arguments, format);
    fault(report, line, column, NULL, format, arguments);
    va_end(arguments);
}

status_code source_report_close(struct source_report *report, struct status *status) {
    bool whole = report->out != NULL && ferror(report->out) == 0;
    if (report->out != NULL && fclose(report->out) != 0) whole = false;
    status_code code = STATUS_OK;
    if (report->faults > 0 && whole)
        code = status_set(status, STATUS_INPUT, "%s%s", report->buffer,
                          source_report_full(report) ? "\n(too many faults: the rest of the file "
                                                       "was not read)"
                                                     : "");
    else if (report->faults > 0)
        code = status_set(status, STATUS_MEMORY, "%s: %u error%s, and no memory to tell %s",
                          report->name, report->faults, plural(report->faults),
                          report->faults == 1 ? "it" : "them");
    free(report->buffer);
    report->out = NULL;
    report->buffer = NULL;
    return code;
}

/* ---------------------------------------------------------------------------- files */

status_code source_file_read(const char *path, size_t size_max, char **text, size_t *size,
                             struct status *status) {
    FILE *file;
    FORWARD_IF_ERROR(input_file_open(&file, path, status));
    size_t capacity = 4096, length = 0;
    char *buffer = malloc(capacity + 1);
    while (buffer != NULL) {
        length += fread(buffer + length, 1, capacity - length, file);
        if (length < capacity || capacity > size_max) break;
        capacity *= 2;
        char *grown = realloc(buffer, capacity + 1);
        if (grown == NULL) free(buffer);
        buffer = grown;
    }
    int read_error = ferror(file) ? errno : 0;
    fclose(file);
    RETURN_ERROR_IF(buffer == NULL, status, STATUS_MEMORY, "%s: out of memory for reading it",
                    path);
    if (read_error != 0 || length > size_max) {
        free(buffer);
        RETURN_ERROR_IF(read_error != 0, status, STATUS_INPUT, "%s: cannot be read: %s", path,
                        strerror(read_error));
        return status_set(status, STATUS_INPUT,
                          "%s: larger than %zu bytes, too large for a text file", path, size_max);
    }
    buffer[length] = '\0';
    *text = buffer;
    *size = length;
    return STATUS_OK;
}
