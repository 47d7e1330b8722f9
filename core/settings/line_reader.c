/* Reads text files with one entry per line. Does not know the meaning of lines. */
#include "core/settings/line_reader.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define FILE_SIZE_MAX   ((size_t)256 << 20)
#define BYTE_ORDER_MARK "\xef\xbb\xbf" /* some editors put it at the start of UTF-8 files */

status_code line_reader_open(struct line_reader *reader, const char *path, struct status *status) {
    size_t size;
    *reader = (struct line_reader){0};
    FORWARD_IF_ERROR(source_file_read(path, FILE_SIZE_MAX, &reader->text, &size, status));
    reader->report = (struct source_report)SOURCE_REPORT(path, reader->text, size);
    reader->next = reader->text;
    if (!source_text_check(&reader->report))
        reader->next += size;
    else if (strncmp(reader->text, BYTE_ORDER_MARK, strlen(BYTE_ORDER_MARK)) == 0)
        reader->next += strlen(BYTE_ORDER_MARK);
    return STATUS_OK;
}

status_code line_reader_close(struct line_reader *reader, struct status *status) {
    status_code code = source_report_close(&reader->report, status);
    free(reader->text);
    reader->text = NULL;
    return code;
}

bool line_reader_at_end(const struct line_reader *reader) {
    return *reader->cursor == '\0' || *reader->cursor == '#' ||
           strchr("\r\n", *reader->cursor) != NULL;
}

static void skip_blanks(struct line_reader *reader) {
    reader->cursor += strspn(reader->cursor, " \t");
}

bool line_reader_next(struct line_reader *reader) {
    while (*reader->next != '\0' && !source_report_full(&reader->report)) {
        reader->line_start = reader->next;
        reader->cursor = reader->next;
        reader->line++;
        reader->next += strcspn(reader->next, "\n");
        if (*reader->next == '\n') reader->next++;
        skip_blanks(reader);
        if (!line_reader_at_end(reader)) return true;
    }
    return false;
}

bool line_reader_read_number(struct line_reader *reader, const char *what, uint32_t limit,
                             uint32_t *number) {
    const char *start = reader->cursor;
    uint64_t value = 0;
    for (; *reader->cursor >= '0' && *reader->cursor <= '9'; reader->cursor++) {
        if (value <= UINT32_MAX) value = value * 10 + (uint64_t)(*reader->cursor - '0');
    }
    if (reader->cursor == start) {
        LINE_FAULT(reader, start, "a %s number is expected here", what);
        return false;
    }
    if (value >= limit) {
        LINE_FAULT(reader, start, "there is no such %s: they are numbered from 0 to %" PRIu32, what,
                   limit - 1);
        return false;
    }
    *number = (uint32_t)value;
    skip_blanks(reader);
    return true;
}

bool line_reader_read_range(struct line_reader *reader, const char *what, uint32_t limit,
                            uint32_t *first, uint32_t *last) {
    const char *start = reader->cursor;
    if (!line_reader_read_number(reader, what, limit, first)) return false;
    *last = *first;
    if (*reader->cursor != '-') return true;
    /* "3 -1" is a number and a negative one, but "3-1", "3- 1" and "3 - 1" are ranges */
    if (!isdigit((unsigned char)reader->cursor[-1]) && isdigit((unsigned char)reader->cursor[1]))
        return true;
    reader->cursor++;
    skip_blanks(reader);
    if (!line_reader_read_number(reader, what, limit, last)) return false;
    if (*last < *first) LINE_FAULT(reader, start, "the range ends before it starts");
    return *last >= *first;
}

bool line_reader_read_word(struct line_reader *reader, const char *what, char *word, size_t size) {
    size_t length = strcspn(reader->cursor, " \t,#\r\n");
    if (length == 0 || length >= size) {
        LINE_FAULT(reader, reader->cursor, "%s is expected here", what);
        return false;
    }
    memcpy(word, reader->cursor, length);
    word[length] = '\0';
    reader->cursor += length;
    skip_blanks(reader);
    if (*reader->cursor == ',') reader->cursor++;
    skip_blanks(reader);
    return true;
}

bool line_reader_expect_end(struct line_reader *reader, const char *expected) {
    if (line_reader_at_end(reader)) return true;
    LINE_FAULT(reader, reader->cursor, "nothing more is expected in this line; write %s", expected);
    return false;
}
