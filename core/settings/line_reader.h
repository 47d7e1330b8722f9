/*
 * Reads text files with one entry per line: numbers, words, and comments that start with `#`.
 *
 * Does not know the meaning of lines. Invariant: every fault of a file is reported with its place.
 * The caller closes an opened reader exactly once, also after faults.
 *
 *     FORWARD_IF_ERROR(line_reader_open(&reader, path, status));
 *     while (line_reader_next(&reader)) … line_reader_read_number … LINE_FAULT …
 *     FORWARD_IF_ERROR(line_reader_close(&reader, status));
 */
#ifndef ANAX_CORE_LINE_READER_H
#define ANAX_CORE_LINE_READER_H

#include "core/settings/source_report.h"

#include <stdint.h>

struct line_reader {
    struct source_report report;
    char *text; /* content of the file, ended by a 0 */
    char *next; /* start of the next line */
    const char *line_start;
    const char *cursor; /* position in the current line */
    size_t line;        /* from 1 */
};

/* Reads the file. STATUS_INPUT: it is missing, unreadable or too large; the reader is then not
 * open. */
status_code line_reader_open(struct line_reader *reader, const char *path, struct status *status);

/* Closes the reader. STATUS_INPUT lists all faults, if there were any. */
status_code line_reader_close(struct line_reader *reader, struct status *status);

/* Goes to the next line with an entry. Returns false at the end of the file. */
bool line_reader_next(struct line_reader *reader);

/* Returns true if the rest of the line is empty or a comment. */
bool line_reader_at_end(const struct line_reader *reader);

/* Reads a number below limit (at least 1) and the blanks after it. what: what the number counts,
 * for messages ("node", "rank"). Returns false after a fault. */
bool line_reader_read_number(struct line_reader *reader, const char *what, uint32_t limit,
                             uint32_t *number);

/* Reads one number, or two with a minus between them: "8" or "8-15". For one number *last is
 * *first. The other parameters and the result are those of line_reader_read_number. */
bool line_reader_read_range(struct line_reader *reader, const char *what, uint32_t limit,
                            uint32_t *first, uint32_t *last);

/* Reads characters up to a blank, a comma, a comment or the end of the line, and skips the blanks
 * and the comma after them. Writes a text of fewer than `size` bytes to word. what: what is
 * expected, for messages ("a time"). Returns false after a fault: no characters, or too many. */
bool line_reader_read_word(struct line_reader *reader, const char *what, char *word, size_t size);

/* Returns true at the end of the line. Otherwise adds a fault that names what was expected. */
bool line_reader_expect_end(struct line_reader *reader, const char *expected);

/* Adds a fault at a position of the current line. */
#define LINE_FAULT(reader, at, ...)                                                                \
    source_report_fault(&(reader)->report, (reader)->line,                                         \
                        (size_t)((at) - (reader)->line_start) + 1, NULL, __VA_ARGS__)

#endif
