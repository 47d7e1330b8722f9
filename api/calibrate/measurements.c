/*
 * Reads files of measurements, and finds from their contents which benchmark wrote them. Must not
 * know the formats.
 *
 * Invariant: a file with a fault adds nothing to the list.
 */
#include "api/calibrate/measurement.h"
#include "api/calibrate/measurement_reader.h"
#include "core/memory/memory.h"

#include <stdlib.h>
#include <string.h>

#define FILE_SIZE_MAX   ((size_t)64 << 20)
#define BYTE_ORDER_MARK "\xef\xbb\xbf"

const char *measurement_kind_name(measurement_kind kind) {
    static const char *const names[MEASUREMENT_KINDS] = {
        [MEASUREMENT_LATENCY] = "ping-pong",  [MEASUREMENT_STREAM] = "stream",
        [MEASUREMENT_BISTREAM] = "both ways", [MEASUREMENT_SENDRECV] = "sendrecv",
        [MEASUREMENT_EXCHANGE] = "exchange",  [MEASUREMENT_ALLREDUCE] = "allreduce",
        [MEASUREMENT_OTHER] = "other",
    };
    return names[kind];
}

/* Reads a file. Lines before the first header of a benchmark come from job scripts and launchers
 * and are ignored. */
static void read_lines(struct measurement_reader *reader) {
    bool first = true;
    while (measurement_next_line(reader)) {
        if (reader->field_count == 0) continue;
        if (measurement_is_osu(reader)) {
            read_osu(reader);
            return;
        }
        if (measurement_is_imb(reader)) {
            read_imb(reader);
            return;
        }
        if (first && measurement_is_netpipe(reader)) {
            read_netpipe(reader);
            return;
        }
        first = false;
    }
    source_report_fault(
        &reader->report, 1, 0, NULL,
        "this is no output of an OSU micro-benchmark (a line `# OSU MPI ... Test`), of the "
        "Intel MPI Benchmarks (`# Benchmarking ...`), nor of NetPIPE (np.out: rows of "
        "bytes, throughput and seconds); give the output as the benchmark printed it, "
        "with its header");
}

static void drop_tables(struct measurement_list *list, size_t first) {
    while (list->count > first)
        free(list->tables[--list->count].rows);
}

status_code measurements_read_text(struct measurement_list *list, const char *name,
                                   const char *text, size_t size, struct status *status) {
    FORWARD_IF_ERROR(memory_grow((void **)&list->files, &list->file_capacity, list->file_count + 1,
                                 sizeof *list->files, status));
    char *file = NULL;
    FORWARD_IF_ERROR(memory_copy_text(&file, name, status));
    list->files[list->file_count++] = file;
    const size_t first = list->count;
    struct measurement_reader reader = {
        .report = SOURCE_REPORT(file, text, size),
        .next = text,
        .end = text + size,
        .list = list,
        .first_table = first,
        .status = status,
    };
    if (source_text_check(&reader.report)) {
        if (size >= 3 && memcmp(text, BYTE_ORDER_MARK, 3) == 0) reader.next += 3;
        read_lines(&reader);
        measurement_end_table(&reader);
    }
    status_code code = source_report_close(&reader.report, status);
    if (reader.code != STATUS_OK) code = reader.code;
    if (code != STATUS_OK) drop_tables(list, first);
    return code;
}

status_code measurements_read(struct measurement_list *list, const char *path,
                              struct status *status) {
    char *text = NULL;
    size_t size = 0;
    FORWARD_IF_ERROR(source_file_read(path, FILE_SIZE_MAX, &text, &size, status));
    status_code code = measurements_read_text(list, path, text, size, status);
    free(text);
    return code;
}

void measurements_free(struct measurement_list *list) {
    drop_tables(list, 0);
    free(list->tables);
    for (size_t i = 0; i < list->file_count; i++)
        free(list->files[i]);
    free(list->files);
    *list = (struct measurement_list){0};
}
