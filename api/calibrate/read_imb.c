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
};

bool is_imb(const struct measurement_reader *reader) {
    const struct measurement_field line = {reader->line, reader->length};
    return reader_starts_with(reader, "# Benchmarking ") ||
           (reader->line[0] == '#' && field_contains(&line, "Intel(R) MPI Benchmark"));
}

static void read_name(struct imb_reading *reading) {
    struct measurement_reader *reader = reading->reader;
    reader_end_table(reader);
    reading->column_count = 0;
    reading->about = (struct measurement){.kind = MEASUREMENT_OTHER, .pairs = 1};
    if (reader->field_count < 3) return;
    const struct measurement_field *name = &reader->fields[2];
    snprintf(reading->about.name, sizeof reading->about.name, "IMB %.*s",
             name->length < 40 ? (int)name->length : 40, name->text);
    for (size_t i = 0; i < BENCHMARKS; i++) {
        if (!field_is(name, benchmarks[i].name)) continue;
        reading->about.kind = benchmarks[i].kind;
        reading->column = benchmarks[i].column;
    }
    const measurement_kind kind = reading->about.kind;
    if (kind == MEASUREMENT_STREAM || kind == MEASUREMENT_BISTREAM)
        reading->about.window = WINDOW_OF_IMB;
}

/* Reads the number of processes from "# #processes = 4", and derives the pairs that run at once. */
static void read_processes(struct imb_reading *reading) {
    uint32_t processes = 0;
    if (!reader_number_after(reading->reader, "#processes", &processes)) return;
    struct measurement *about = &reading->about;
    about->processes = processes;
    const bool pairs = about->kind == MEASUREMENT_STREAM || about->kind == MEASUREMENT_BISTREAM;
    if (pairs && processes >= 2) about->pairs = processes / 2;
    const bool two_only =
        about->kind == MEASUREMENT_SENDRECV || about->kind == MEASUREMENT_EXCHANGE;
    if (two_only && processes != 2) about->kind = MEASUREMENT_OTHER; /* a ring of processes */
}

static void read_header(struct imb_reading *reading) {
    struct measurement_reader *reader = reading->reader;
    reading->column_count = reader->field_count;
    reading->value = 0;
    if (reading->about.name[0] == '\0') {
        READER_FAULT(reader, reader->line,
                     "this header stands before `# Benchmarking NAME`, so it belongs to nothing");
        return;
    }
    reader_begin_table(reader, &reading->about);
    if (reading->about.kind == MEASUREMENT_OTHER) return;
    for (size_t i = 1; i < reader->field_count; i++)
        if (field_is(&reader->fields[i], reading->column)) reading->value = i;
    if (reading->value == 0)
        READER_FAULT(reader, reader->line,
                     "%s has a column %s, which this header lacks; give the output as the "
                     "benchmark printed it",
                     reading->about.name, reading->column);
}

static void read_comment(struct imb_reading *reading) {
    const struct measurement_reader *reader = reading->reader;
    if (reader_starts_with(reader, "# Benchmarking "))
        read_name(reading);
    else if (field_is(&reader->fields[0], "#bytes"))
        read_header(reading);
    else
        read_processes(reading);
}

/* Returns whether IMB left out a size for lack of memory: its row has a text instead of figures. */
static bool is_left_out(const struct measurement_reader *reader) {
    return reader->field_count > 1 && (field_contains(&reader->fields[1], "out-of-mem") ||
                                       field_contains(&reader->fields[1], "int-overflow"));
}

static void read_row(struct imb_reading *reading) {
    struct measurement_reader *reader = reading->reader;
    uint64_t size_bytes = 0;
    double value = 0, resolution = 0;
    if (reading->about.kind == MEASUREMENT_OTHER && reading->about.name[0] != '\0') return;
    if (reader->table == NULL) {
        READER_FAULT(reader, reader->line,
                     "this line belongs to no table: `# Benchmarking ...` and `#bytes ...` are "
                     "expected before it");
        return;
    }
    if (reading->value == 0 || is_left_out(reader)) return;
    if (reader->field_count != reading->column_count) {
        READER_FAULT(reader, reader->line,
                     "this is no row of %s: %zu fields are expected here, as the header names; the "
                     "line may be cut short, or printed by another program",
                     reading->about.name, reading->column_count);
        return;
    }
    if (!reader_size(reader, &reader->fields[0], &size_bytes) ||
        !reader_number(reader, &reader->fields[reading->value], &value, &resolution))
        return;
    double time_ps = value * 1e6, resolution_ps = resolution * 1e6;
    if (reading->about.kind == MEASUREMENT_STREAM || reading->about.kind == MEASUREMENT_BISTREAM) {
        const double messages =
            reading->about.pairs * (reading->about.kind == MEASUREMENT_BISTREAM ? 2.0 : 1.0);
        time_ps = value > 0 ? 1e12 * messages / value : 0;
        resolution_ps = value > 0 ? time_ps * resolution / value : 0;
    }
    reader_add_row(reader, size_bytes, time_ps, resolution_ps);
}

void read_imb(struct measurement_reader *reader) {
    struct imb_reading reading = {.reader = reader,
                                  .about = {.kind = MEASUREMENT_OTHER, .pairs = 1}};
    do {
        if (reader->field_count == 0) continue;
        if (!reader->has_ended)
            READER_FAULT(reader, reader->line,
                         "the file ends within this line; it may be cut short (if it is complete, "
                         "end the line)");
        else if (reader->fields[0].text[0] == '#')
            read_comment(&reading);
        else
            read_row(&reading);
    } while (reader_next(reader));
}
