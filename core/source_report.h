/*
 * A report of all faults of a text file, each with its place, its source line and a caret:
 *   machine.yaml:3:5: error: there is no setting `network.latnecy`
 *         latnecy: 300ns
 *         ^ (did you mean `network.latency`?)
 *
 * Knows nothing of the file's language. Invariant: what is printed of the source is clipped and
 * holds no control characters.
 */
#ifndef ANAX_CORE_SOURCE_REPORT_H
#define ANAX_CORE_SOURCE_REPORT_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A reader should stop after so many faults: the rest is rarely news. */
#define SOURCE_FAULTS_MAX 50

struct source_report {
    const char *name; /* of the file, for messages */
    const char *text; /* all of it, UTF-8, not necessarily terminated */
    size_t size;
    unsigned faults;
    FILE *out; /* into buffer; NULL until the first fault */
    char *buffer;
    size_t length;
};

#define SOURCE_REPORT(name, text, size)                                                            \
    { (name), (text), (size), 0, NULL, NULL, 0 }

/* Adds a fault at a line and column (characters), both from 1; column 0: no place in the line.
 * hint is printed after the caret; NULL: none. */
void source_fault(struct source_report *report, size_t line, size_t column, const char *hint,
                  const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Adds a fault at a byte of the text. */
void source_fault_at(struct source_report *report, size_t offset, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static inline bool source_report_full(const struct source_report *report) {
    return report->faults >= SOURCE_FAULTS_MAX;
}

/* Frees the report. STATUS_OK when there were no faults, else STATUS_INPUT with all of them. */
status_code source_report_close(struct source_report *report, struct status *status);

/* Whether the text is UTF-8 without control characters but tabs and line ends; adds a fault for the
 * first place where it is not. */
bool source_text_check(struct source_report *report);

/* Reads a whole file of at most size_max bytes into *text (terminated by a 0 that size does not
 * count; the caller frees it). STATUS_INPUT: missing, unreadable, too large. */
status_code source_file_read(const char *path, size_t size_max, char **text, size_t *size,
                             struct status *status);

#endif
