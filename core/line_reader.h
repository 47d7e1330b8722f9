/*
 * Reads text files that say one thing per line: numbers, and comments that start with `#`.
 *
 * Knows nothing of what the lines mean. Invariant: every fault of a file is told with its place,
 * and a reader that was opened is closed once, whatever was wrong.
 *
 *     FORWARD_IF_ERROR(line_reader_open(&reader, path, status));
 *     while (line_reader_next(&reader)) … line_reader_number … LINE_FAULT …
 *     FORWARD_IF_ERROR(line_reader_close(&reader, status));
 */
#ifndef ANAX_CORE_LINE_READER_H
#define ANAX_CORE_LINE_READER_H

#include "core/source_report.h"

#include <stdint.h>

struct line_reader {
    struct source_report report;
    char *text; /* ended by a 0 */
    char *next; /* start of the next line */
    const char *line_start;
    const char *cursor; /* in the current line */
    size_t line;        /* from 1 */
};

/* STATUS_INPUT: missing, unreadable, too large; then there is nothing to close. */
status_code line_reader_open(struct line_reader *reader, const char *path, struct status *status);

/* STATUS_INPUT with all faults, if there were any. */
status_code line_reader_close(struct line_reader *reader, struct status *status);

/* Goes to the next line that says something; false at the end of the file. */
bool line_reader_next(struct line_reader *reader);

/* Whether nothing but a comment is left of the line. */
bool line_reader_at_end(const struct line_reader *reader);

/* Reads a number below limit (at least 1) and the blanks after it; what it is ("node", "rank") is
 * for messages. False after a fault. */
bool line_reader_number(struct line_reader *reader, const char *what, uint32_t limit,
                        uint32_t *number);

/* The same for one number or two with a minus between them, "8" or "8-15"; *last is *first for one.
 */
bool line_reader_range(struct line_reader *reader, const char *what, uint32_t limit,
                       uint32_t *first, uint32_t *last);

/* Reads what stands up to a blank, a comma or the end, and the blanks and the comma after it, into
 * word, which is of size bytes. False after a fault: nothing there, or too much; what it is is for
 * messages ("a time"). */
bool line_reader_word(struct line_reader *reader, const char *what, char *word, size_t size);

/* Whether the line ends here; a fault that says what was expected, if not. */
bool line_reader_end(struct line_reader *reader, const char *expected);

/* Adds a fault at a position of the current line. */
#define LINE_FAULT(reader, at, ...)                                                                \
    source_fault(&(reader)->report, (reader)->line, (size_t)((at) - (reader)->line_start) + 1,     \
                 NULL, __VA_ARGS__)

#endif
