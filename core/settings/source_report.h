/*
 * A report of all faults of a text file. Each fault has its place, its source line and a caret:
 *
 *   machine.yaml:3:5: error: there is no setting `network.latnecy`
 *         latnecy: 300ns
 *         ^ (did you mean `network.latency`?)
 *
 * Does not know the language of the file. Invariant: printed parts of the source are cut to a
 * maximum length and have no control characters.
 */
#ifndef ANAX_CORE_SOURCE_REPORT_H
#define ANAX_CORE_SOURCE_REPORT_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A reader should stop after this many faults, since more are rarely useful. */
#define SOURCE_FAULTS_MAX 50

struct source_report {
    const char *name; /* name of the file in messages */
    const char *text; /* the whole file in UTF-8; it need not end with a 0 */
    size_t size;
    unsigned faults;
    FILE *out; /* stream into buffer; NULL before the first fault */
    char *buffer;
    size_t length;
};

#define SOURCE_REPORT(name, text, size)                                                            \
    { (name), (text), (size), 0, NULL, NULL, 0 }

/* Adds a fault at a line and column (in characters), both from 1. Column 0: no place in the line.
 * hint is printed after the caret; NULL: none. */
void source_report_fault(struct source_report *report, size_t line, size_t column, const char *hint,
                         const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Adds a fault at a byte offset of the text. */
void source_report_fault_at(struct source_report *report, size_t offset, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Returns true if a reader should stop because of too many faults. */
static inline bool source_report_full(const struct source_report *report) {
    return report->faults >= SOURCE_FAULTS_MAX;
}

/* Frees the report. Returns STATUS_OK if there were no faults, else STATUS_INPUT with all that were
 * added; if the report is full, the text says that the rest of the file was not read.
 * STATUS_MEMORY: memory was short for the text of the faults. */
status_code source_report_close(struct source_report *report, struct status *status);

/* Returns true if the text is UTF-8 without control characters other than tabs and line ends.
 * Otherwise adds a fault for the first wrong place. */
bool source_text_check(struct source_report *report);

/* Reads a whole file of at most size_max bytes. The caller frees *text, which ends with a 0 that
 * *size does not count. STATUS_INPUT: the file is missing, unreadable or too large. */
status_code source_file_read(const char *path, size_t size_max, char **text, size_t *size,
                             struct status *status);

#endif
