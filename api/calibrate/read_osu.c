/*
 * Outputs of the OSU micro-benchmarks, versions 3 to 7: a line `# OSU MPI ... Test vN`, options in
 * more such lines, a header `# Size ...` and a row for each size. A file may contain several
 * outputs.
 *
 * Sources: the outputs in the suite's user guides (mvapich.cse.ohio-state.edu/benchmarks). MB/s
 * means 10^6 bytes per second, summed over all pairs and, in osu_bibw, over both directions.
 */
#include "api/calibrate/measurement_reader.h"

#include <stdio.h>
#include <string.h>

/* The tests: the beginning of the title, what the test measures, and the program's name. */
static const struct {
    const char *title;
    measurement_kind kind;
    const char *name;
} titles[] = {
    {"Latency Test", MEASUREMENT_LATENCY, "osu_latency"},
    {"Multi-threaded Latency Test", MEASUREMENT_OTHER, "osu_latency_mt"},
    {"Multi-process Latency Test", MEASUREMENT_OTHER, "osu_latency_mp"},
    {"Multi Latency Test", MEASUREMENT_OTHER, "osu_multi_lat"},
    {"Bandwidth Test", MEASUREMENT_STREAM, "osu_bw"},
    {"Bi-Directional Bandwidth Test", MEASUREMENT_BISTREAM, "osu_bibw"},
    {"Multiple Bandwidth / Message Rate Test", MEASUREMENT_STREAM, "osu_mbw_mr"},
    {"Allreduce Latency Test", MEASUREMENT_ALLREDUCE, "osu_allreduce"},
};
enum { TITLES = sizeof titles / sizeof *titles };

/* The columns of the present table, by their numbers. */
struct osu_columns {
    size_t count;   /* number of columns; 0: no header yet */
    size_t value;   /* column of the time or the bandwidth */
    size_t rate;    /* column of messages per second; 0: none */
    size_t verdict; /* column of the benchmark's own check; 0: none */
};

struct osu_reading {
    struct measurement_reader *reader;
    struct measurement about; /* properties of the tables that follow */
    struct osu_columns columns;
};

bool measurement_is_osu(const struct measurement_reader *reader) {
    return measurement_starts_with(reader, "# OSU MPI") ||
           measurement_starts_with(reader, "# OSU NCCL");
}

/* Reads the title after "# OSU MPI" or "# OSU MPI-CUDA" and blanks. */
static void read_title(struct osu_reading *reading) {
    struct measurement_reader *reader = reading->reader;
    const size_t prefix = strlen("# OSU MPI");
    reading->about = measurement_begin_output(reader);
    reading->columns = (struct osu_columns){0};
    size_t at = prefix;
    while (at < reader->length && reader->line[at] != ' ')
        at++;
    while (at < reader->length && reader->line[at] == ' ')
        at++;
    const char *title = reader->line + at;
    const size_t length = reader->length - at;
    snprintf(reading->about.name, sizeof reading->about.name, "OSU %.*s",
             length < 50 ? (int)length : 50, title);
    const bool one_sided = at == prefix; /* "# OSU MPI_Put ..." */
    for (size_t i = 0; i < TITLES && !one_sided; i++) {
        const size_t size = strlen(titles[i].title);
        if (length < size || memcmp(title, titles[i].title, size) != 0) continue;
        reading->about.kind = titles[i].kind;
        snprintf(reading->about.name, sizeof reading->about.name, "%s", titles[i].name);
    }
    const measurement_kind kind = reading->about.kind;
    if (kind == MEASUREMENT_LATENCY || measurement_is_stream(kind)) reading->about.processes = 2;
}

/* Checks that the header names the unit of the test's values. Returns false after a fault. */
static bool check_unit(struct osu_reading *reading, const struct measurement_field *field) {
    const bool rate = measurement_is_stream(reading->about.kind);
    const char *unit = rate ? "MB/s" : "us";
    const bool known =
        rate ? measurement_field_is(field, "MB/s") || measurement_field_contains(field, "(MB/s)")
             : measurement_field_contains(field, "Latency") &&
                   measurement_field_contains(field, "(us)");
    if (!known)
        MEASUREMENT_FAULT(
            reading->reader, field->text,
            "this column is `%.*s`, but %s prints its values in %s; give the output as "
            "the benchmark printed it",
            field->length < 40 ? (int)field->length : 40, field->text, reading->about.name, unit);
    return known;
}

static void read_header(struct osu_reading *reading) {
    struct measurement_reader *reader = reading->reader;
    measurement_split(reader, true);
    reading->columns = (struct osu_columns){.count = reader->field_count, .value = 1};
    measurement_begin_table(reader, &reading->about);
    if (reading->about.kind == MEASUREMENT_OTHER) return;
    if (reader->field_count < 2) {
        MEASUREMENT_FAULT(reader, reader->line, "this header names no column of values");
        return;
    }
    check_unit(reading, &reader->fields[1]);
    for (size_t i = 2; i < reader->field_count; i++) {
        if (measurement_field_is(&reader->fields[i], "Messages/s")) reading->columns.rate = i;
        if (measurement_field_is(&reader->fields[i], "Validation")) reading->columns.verdict = i;
    }
}

/* Reads a line that begins with #. A new data type begins a table with the same columns. */
static void read_comment(void *context) {
    struct osu_reading *reading = context;
    struct measurement_reader *reader = reading->reader;
    const struct measurement_field *second =
        reader->field_count > 1 ? &reader->fields[1] : &reader->fields[0];
    const struct measurement_field line = {reader->line, reader->length};
    if (measurement_is_osu(reader)) {
        read_title(reading);
    } else if (measurement_field_is(second, "Size")) {
        read_header(reading);
    } else if (measurement_field_is(second, "Datatype:")) {
        if (reader->table != NULL && reader->table->count > 0)
            measurement_begin_table(reader, &reading->about);
    } else if (measurement_field_contains(&line, " on DEVICE") ||
               measurement_field_contains(&line, " on MANAGED")) {
        MEASUREMENT_FAULT(
            reader, reader->line,
            "this run sent from or to the memory of an accelerator; anax models hosts, so "
            "calibrate with buffers in host memory (H H)");
    } else if (measurement_field_contains(&line, "window size: varied")) {
        MEASUREMENT_FAULT(
            reader, reader->line,
            "this run tried several windows (-V), and its tables have no times of one; "
            "run osu_mbw_mr with one window");
    } else {
        measurement_read_number_after(reader, "pairs:", &reading->about.pairs);
        measurement_read_number_after(reader, "window size:", &reading->about.window);
        if (reading->about.pairs == 0)
            MEASUREMENT_FAULT(reader, reader->line, "no pair of processes sent anything");
        reading->about.processes = 2 * reading->about.pairs;
    }
}

static void read_row(void *context) {
    struct osu_reading *reading = context;
    struct measurement_reader *reader = reading->reader;
    const struct osu_columns *columns = &reading->columns;
    const struct measurement *about = &reading->about;
    uint64_t size_bytes = 0;
    double value = 0, resolution = 0;
    if (reader->table == NULL || columns->count == 0) {
        if (about->kind != MEASUREMENT_OTHER)
            MEASUREMENT_FAULT(reader, reader->line,
                              "this line stands before the header `# Size ...` of %s", about->name);
        return;
    }
    if (about->kind == MEASUREMENT_OTHER) return;
    if (!measurement_is_row(reader, about->name, columns->count)) return;
    const size_t value_column = columns->rate > 0 ? columns->rate : columns->value;
    if (!measurement_read_size(reader, &reader->fields[0], &size_bytes) ||
        !measurement_read_number(reader, &reader->fields[value_column], &value, &resolution))
        return;
    if (columns->verdict > 0 && !measurement_field_is(&reader->fields[columns->verdict], "Pass") &&
        !measurement_field_is(&reader->fields[columns->verdict], "-")) {
        MEASUREMENT_FAULT(reader, reader->fields[columns->verdict].text,
                          "the benchmark found its own data damaged");
        return;
    }
    const double messages = about->kind == MEASUREMENT_BISTREAM ? 2 : about->pairs;
    /* A rate of 1 is 1e12 ps per message, or 1e6 ps per byte: rates are messages/s or MB/s. */
    const double each = columns->rate > 0 ? 1e12 : (double)size_bytes * 1e6;
    if (measurement_is_stream(about->kind))
        measurement_add_rate(reader, size_bytes, each * messages, value, resolution);
    else
        measurement_add_time(reader, size_bytes, value, resolution);
}

void read_osu(struct measurement_reader *reader) {
    struct osu_reading reading = {.reader = reader};
    measurement_read_lines(reader, read_comment, read_row, &reading);
}
