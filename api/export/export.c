/*
 * `anax export`: the table of formats, and the export of a program in one of them. Must not know
 * what a format looks like.
 *
 * Invariant: the text is written in pieces of bounded size, so memory does not grow with the
 * program.
 */
#include "api/export/export.h"

#include "api/caller_struct.h"
#include "core/files/output_file.h"
#include "core/settings/nearest_name.h"
#include "traces/program/file/program_division.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE_BYTES = 1 << 16 };

const struct export_format *export_formats(void) {
    static const struct export_format rows[] = {
        {.name = "goal",
         .help = "GOAL, the text that LogGOPSim reads (with its txt2bin)",
         EXPORT_FUNCTIONS(goal)},
        {.name = "json",
         .help = "JSON, for programs: anax-json(5), PROGRAM",
         EXPORT_FUNCTIONS(json)},
        {.name = "dot",
         .help = "a graph for Graphviz, to look at small programs",
         EXPORT_FUNCTIONS(dot)},
        {0},
    };
    return rows;
}

struct export_walk {
    const struct export_format *format;
    struct export_writer writer;
};

static status_code flush_text(struct export_writer *writer, size_t min, struct status *status) {
    RETURN_ERROR_IF(writer->text.failed, status, STATUS_MEMORY, "out of memory for an export");
    if (writer->text.length < min || writer->text.length == 0) return STATUS_OK;
    RETURN_ERROR_IF(!writer->write(writer->context, writer->text.text, writer->text.length), status,
                    STATUS_SYSTEM, "the export could not be written");
    writer->text.length = 0;
    return STATUS_OK;
}

/* Ends the current rank, and begins and ends ranks until `rank` has begun. Ranks may have no
 * operations. */
static void go_to_rank(struct export_walk *walk, uint32_t rank) {
    struct export_writer *writer = &walk->writer;
    while (writer->rank != rank) {
        if (writer->rank != PROGRAM_NONE) walk->format->end_rank(writer, writer->rank);
        writer->rank = writer->rank == PROGRAM_NONE ? 0 : writer->rank + 1;
        writer->calc_ps = writer->calc_unit = 0;
        if (writer->rank < writer->program->rank_count)
            walk->format->begin_rank(writer, writer->rank);
    }
}

static status_code take_operation(void *context, const struct schedule_operation *operation,
                                  struct status *status) {
    struct export_walk *walk = context;
    go_to_rank(walk, operation->rank);
    walk->format->operation(&walk->writer, operation);
    return flush_text(&walk->writer, PIECE_BYTES, status);
}

static status_code find_format(const char *name, const struct export_format **format,
                               struct status *status) {
    struct nearest_name search = nearest_name_begin(name);
    for (*format = export_formats(); (*format)->name != NULL; ++*format) {
        if (strcmp((*format)->name, name) == 0) return STATUS_OK;
        nearest_name_offer(&search, (*format)->name);
    }
    status_set(status, STATUS_USAGE, "there is no format `%s`%s%s%s; there are", name,
               search.name != NULL ? " (did you mean `" : "",
               search.name != NULL ? search.name : "", search.name != NULL ? "`?)" : "");
    for (const struct export_format *row = export_formats(); row->name != NULL; row++)
        status_append(status, "  %-6s %s", row->name, row->help);
    return STATUS_USAGE;
}

static status_code export(struct export_walk *walk, const anax_config *config,
                          struct status *status) {
    walk->format->begin(&walk->writer);
    FORWARD_IF_ERROR(schedule_visit(walk->writer.program, &config->replay, &config->network,
                                    take_operation, walk, status));
    go_to_rank(walk, walk->writer.program->rank_count);
    walk->format->end(&walk->writer);
    return flush_text(&walk->writer, 0, status);
}

static status_code export_trace(const anax_trace *trace, const anax_config *config,
                                const char *format,
                                bool (*write)(void *context, const char *text, size_t length),
                                void *context, struct status *status) {
    struct export_walk walk = {
        .writer = {
            .program = trace->program, .write = write, .context = context, .rank = PROGRAM_NONE}};
    status_code code = find_format(format, &walk.format, status);
    if (code == STATUS_OK) code = program_division_load_all(trace->program->division, status);
    if (code == STATUS_OK) code = export(&walk, config, status);
    free(walk.writer.text.text);
    return code;
}

anax_code anax_trace_export(const anax_trace *trace, const anax_config *config, const char *format,
                            bool (*write)(void *context, const char *text, size_t length),
                            void *context, anax_error *error) {
    struct status status = STATUS_INIT;
    export_trace(trace, config, format, write, context, &status);
    return api_return(&status, error);
}

static bool write_piece(void *context, const char *text, size_t length) {
    return fwrite(text, 1, length, context) == length;
}

anax_code anax_trace_export_file(const anax_trace *trace, const anax_config *config,
                                 const char *format, const char *path, const anax_options *options,
                                 anax_error *error) {
    struct status status = STATUS_INIT;
    struct output_file file;
    anax_options own;
    if (caller_read_options(&own, options, __func__, &status) == STATUS_OK &&
        output_file_open(&file, path, own.replace, &status) == STATUS_OK) {
        status_code code = export_trace(trace, config, format, write_piece, file.stream, &status);
        output_file_finish(&file, code, &status);
    }
    return api_return(&status, error);
}
