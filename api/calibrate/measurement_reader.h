/*
 * The shared part of the readers of benchmark outputs: lines, fields, numbers, faults. Private to
 * api/calibrate.
 *
 * Invariant: numbers have a decimal point, whatever the locale.
 */
#ifndef ANAX_API_MEASUREMENT_READER_H
#define ANAX_API_MEASUREMENT_READER_H

#include "api/calibrate/measurement.h"
#include "core/settings/source_report.h"

#include <stdbool.h>

enum { MEASUREMENT_FIELDS = 24, MEASUREMENT_COLUMNS_NONE = -1 };

/* A word of a line. */
struct measurement_field {
    const char *text;
    size_t length;
};

struct measurement_reader {
    struct source_report report;
    const char *next, *end;
    const char *line; /* the present line, without its end */
    size_t length;
    size_t line_number; /* of the present line, from 1 */
    bool has_ended;     /* the line had a line end */
    struct measurement_field fields[MEASUREMENT_FIELDS];
    size_t field_count; /* at most MEASUREMENT_FIELDS */
    struct measurement_list *list;
    struct measurement *table; /* table that rows are added to; NULL: none */
    size_t first_table;        /* index of the first table of this file */
    status_code code;          /* first failure; STATUS_MEMORY stays */
    struct status *status;
};

/* Reads the lines from the present one to the end of the file: `comment` those that begin with #,
 * `row` the others that are not empty. A last line without an end is a fault. */
void measurement_read_lines(struct measurement_reader *reader, void (*comment)(void *reading),
                            void (*row)(void *reading), void *reading);

/* Goes to the next line, empty or not. Returns false at the end, or when there are too many
 * faults. */
bool measurement_next_line(struct measurement_reader *reader);

/* Splits the line into fields: at two blanks or a tab if wide, otherwise at any blank. */
void measurement_split(struct measurement_reader *reader, bool wide);

/* Adds a fault at a position of the line; `at` points into the line. */
#define MEASUREMENT_FAULT(reader, at, ...)                                                         \
    source_report_fault(&(reader)->report, (reader)->line_number,                                  \
                        (size_t)((at) - (reader)->line) + 1, NULL, __VA_ARGS__)

/* Returns whether the present line begins with a text. */
bool measurement_starts_with(const struct measurement_reader *reader, const char *text);
/* Returns whether a field is a text. */
bool measurement_field_is(const struct measurement_field *field, const char *text);
/* Returns whether a field contains a text. */
bool measurement_field_contains(const struct measurement_field *field, const char *text);

/* Reads a number that is not negative, and sets *resolution to the worth of its last digit. Returns
 * false after a fault. */
bool measurement_read_number(struct measurement_reader *reader,
                             const struct measurement_field *field, double *value,
                             double *resolution);

/* Reads a size in bytes. Returns false after a fault. */
bool measurement_read_size(struct measurement_reader *reader, const struct measurement_field *field,
                           uint64_t *size_bytes);

/* Reads the number that follows a text anywhere in the line, as in "#processes = 2". Returns false
 * if there is none. */
bool measurement_read_number_after(const struct measurement_reader *reader, const char *text,
                                   uint32_t *value);

/* Begins a table with what is known of it, after the end of the one before it. */
void measurement_begin_table(struct measurement_reader *reader, const struct measurement *table);
/* Ends the table that was begun last; adds a fault if it has no rows. Does nothing if there is
 * none. */
void measurement_end_table(struct measurement_reader *reader);

/* Ends the table before the first line of another benchmark's output. Returns a table without rows
 * that has what is known of the benchmark's tables. */
struct measurement measurement_begin_output(struct measurement_reader *reader);

/* Returns whether the line has as many fields as the table's header; adds a fault if not. */
bool measurement_is_row(struct measurement_reader *reader, const char *benchmark, size_t columns);

/* Adds a row with a time in ps. Checks that sizes ascend, and that the line has an end. */
void measurement_add_row(struct measurement_reader *reader, uint64_t size_bytes, double time_ps,
                         double resolution_ps);

/* Adds a row with a printed time in us, whose last digit is worth `resolution` us. */
void measurement_add_time(struct measurement_reader *reader, uint64_t size_bytes, double value,
                          double resolution);
/* Adds a row with a printed rate `value`, whose last digit is worth `resolution`. rate_ps: the time
 * of a message at a rate of 1, in ps. */
void measurement_add_rate(struct measurement_reader *reader, uint64_t size_bytes, double rate_ps,
                          double value, double resolution);

/* Reads the output of an OSU benchmark, from the present line to the end of the file. */
void read_osu(struct measurement_reader *reader);
/* Reads the output of the Intel MPI Benchmarks likewise. */
void read_imb(struct measurement_reader *reader);
/* Reads the output of NetPIPE likewise. */
void read_netpipe(struct measurement_reader *reader);

/* Returns whether the present line begins the output of an OSU benchmark. */
bool measurement_is_osu(const struct measurement_reader *reader);
/* Returns whether the present line begins the output of the Intel MPI Benchmarks. */
bool measurement_is_imb(const struct measurement_reader *reader);
/* Returns whether the present line begins the output of NetPIPE. */
bool measurement_is_netpipe(struct measurement_reader *reader);

#endif
