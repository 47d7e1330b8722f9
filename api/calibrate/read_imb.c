/*
 * Outputs of the Intel MPI Benchmarks (IMB-MPI1), versions 3 to 2021: lines that begin with #,
 * among them `# Benchmarking NAME` and `# #processes = N`, then a header `#bytes ...`, and a row
 * for each size.
 *
 * Source: Intel MPI Benchmarks User Guide, "Output" and the definitions of the benchmarks. PingPong
 * prints half of a round trip. PingPing and Sendrecv print the time of a message each way. Uniband
 * and Biband send windows of 64 messages and print the rate over all pairs, Biband the sum of both
 * directions.
 */
#include "api/calibrate/measurement_reader.h"

#include <stdio.h>
#include <string.h>

/* The benchmarks that are fitted. `column` is the heading of the time or rate. */
static const struct {
    const char *name;
    measurement_kind kind;
    const char *column;
} benchmarks[] = {
    {"PingPong", MEASUREMENT_LATENCY, "t[usec]"},
    {"PingPing", MEASUREMENT_SENDRECV, "t[usec]"},
    {"Sendrecv", MEASUREMENT_SENDRECV, "t_avg[usec]"},
    {"Exchange", MEASUREMENT_EXCHANGE, "t_avg[usec]"},
    {"Uniband", MEASUREMENT_STREAM, "Msg/sec"},
    {"Biband", MEASUREMENT_BISTREAM, "Msg/sec"},
    {"Allreduce", MEASUREMENT_ALLREDUCE, "t_avg[usec]"},
};
enum { BENCHMARKS = sizeof benchmarks / sizeof *benchmarks, WINDOW_OF_IMB = 64 };

struct imb_reading {
    struct measurement_reader *reader;
    struct measurement about;
    const char *column; /* heading of the column of values */
    size_t column_count, value;
    size_t defects; /* column of the benchmark's own check (-check); 0: none */
};

bool measurement_is_imb(const struct measurement_reader *reader) {
    const struct measurement_field line = {reader->line, reader->length};
    return measurement_starts_with(reader, "# Benchmarking ") ||
           (reader->line[0] == '#' && measurement_field_contains(&line, "Intel(R) MPI Benchmark"));
}

static void read_name(struct imb_reading *reading) {
    struct measurement_reader *reader = reading->reader;
    reading->about = measurement_begin_output(reader);
    reading->column_count = 0;
    if (reader->field_count < 3) return;
    const struct measurement_field *name = &reader->fields[2];
    snprintf(reading->about.name, sizeof reading->about.name, "IMB %.*s",
             name->length < 40 ? (int)name->length : 40, name->text);
    for (size_t i = 0; i < BENCHMARKS; i++) {
        if (!measurement_field_is(name, benchmarks[i].name)) continue;
        reading->about.kind = benchmarks[i].kind;
        reading->column = benchmarks[i].column;
    }
    if (measurement_is_stream(reading->about.kind)) reading->about.window = WINDOW_OF_IMB;
}

/* Reads the number of processes from "# #processes = 4", and derives the pairs that run at once. */
static void read_processes(struct imb_reading *reading) {
    uint32_t processes = 0;
    if (!measurement_read_number_after(reading->reader, "#processes", &processes)) return;
    struct measurement *about = &reading->about;
    about->processes = processes;
    if (measurement_is_stream(about->kind) && processes >= 2) about->pairs = processes / 2;
    const bool two_only =
        about->kind == MEASUREMENT_SENDRECV || about->kind == MEASUREMENT_EXCHANGE;
    if (two_only && processes != 2) about->kind = MEASUREMENT_OTHER; /* a ring of processes */
}

static void read_header(struct imb_reading *reading) {
    struct measurement_reader *reader = reading->reader;
    reading->column_count = reader->field_count;
    reading->value = reading->defects = 0;
    if (reading->about.name[0] == '\0') {
        MEASUREMENT_FAULT(
            reader, reader->line,
            "this header stands before `# Benchmarking NAME`, so it belongs to nothing");
        return;
    }
    measurement_begin_table(reader, &reading->about);
    if (reading->about.kind == MEASUREMENT_OTHER) return;
    for (size_t i = 1; i < reader->field_count; i++) {
        if (measurement_field_is(&reader->fields[i], reading->column)) reading->value = i;
        if (measurement_field_is(&reader->fields[i], "defects")) reading->defects = i;
    }
    if (reading->value == 0)
        MEASUREMENT_FAULT(reader, reader->line,
                          "%s has a column %s, which this header lacks; give the output as the "
                          "benchmark printed it",
                          reading->about.name, reading->column);
}

static void read_comment(void *context) {
    struct imb_reading *reading = context;
    const struct measurement_reader *reader = reading->reader;
    if (measurement_starts_with(reader, "# Benchmarking "))
        read_name(reading);
    else if (measurement_field_is(&reader->fields[0], "#bytes"))
        read_header(reading);
    else
        read_processes(reading);
}

/* Returns whether IMB left out a size for lack of memory or time: its row has a text instead of
 * figures. */
static bool is_left_out(const struct measurement_reader *reader) {
    return reader->field_count > 1 &&
           (measurement_field_contains(&reader->fields[1], "out-of-mem") ||
            measurement_field_contains(&reader->fields[1], "int-overflow") ||
            measurement_field_contains(&reader->fields[1], "time-out"));
}

/* Refuses a row in which the benchmark's own check (-check) found damaged data. */
static bool is_sound(const struct imb_reading *reading) {
    struct measurement_reader *reader = reading->reader;
    double defects = 0, resolution = 0;
    if (reading->defects == 0) return true;
    const struct measurement_field *field = &reader->fields[reading->defects];
    if (!measurement_read_number(reader, field, &defects, &resolution)) return false;
    if (defects > 0)
        MEASUREMENT_FAULT(reader, field->text, "the benchmark found its own data damaged");
    return !(defects > 0);
}

static void read_row(void *context) {
    struct imb_reading *reading = context;
    struct measurement_reader *reader = reading->reader;
    const struct measurement *about = &reading->about;
    uint64_t size_bytes = 0;
    double value = 0, resolution = 0;
    if (about->kind == MEASUREMENT_OTHER && about->name[0] != '\0') return;
    if (reader->table == NULL) {
        MEASUREMENT_FAULT(
            reader, reader->line,
            "this line belongs to no table: `# Benchmarking ...` and `#bytes ...` are "
            "expected before it");
        return;
    }
    if (reading->value == 0 || is_left_out(reader)) return;
    if (!measurement_is_row(reader, about->name, reading->column_count) ||
        !measurement_read_size(reader, &reader->fields[0], &size_bytes) ||
        !measurement_read_number(reader, &reader->fields[reading->value], &value, &resolution) ||
        !is_sound(reading))
        return;
    const double messages = about->pairs * (about->kind == MEASUREMENT_BISTREAM ? 2.0 : 1.0);
    if (measurement_is_stream(about->kind))
        measurement_add_rate(reader, size_bytes, 1e12 * messages, value, resolution);
    else
        measurement_add_time(reader, size_bytes, value, resolution);
}

void read_imb(struct measurement_reader *reader) {
    struct imb_reading reading = {.reader = reader,
                                  .about = {.kind = MEASUREMENT_OTHER, .pairs = 1}};
    measurement_read_lines(reader, read_comment, read_row, &reading);
}
