/*
 * The tables of a calibration. Knows results only.
 *
 * Values and intervals of steps are in the base unit of their setting: picoseconds, bytes or bytes
 * per second.
 */
#include "api/calibrate/calibration.h"
#include "api/calibrate/fit_settings.h"
#include "api/table/tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the machine ---- */

struct calibration_row {
    const char *machine, *distance;
    uint32_t first_node, second_node;
};

static status_code visit_result(const struct table_source *source, const struct table_sink *sink,
                                struct status *status) {
    (void)status;
    const anax_calibration *calibration = source->calibration;
    const struct calibration_row row = {
        .machine = api_machine_name(calibration->given),
        .distance = calibrate_distance_name(calibration->given->calibrate.distance),
        .first_node = calibration->nodes.first,
        .second_node = calibration->nodes.second,
    };
    table_add(sink, &row);
    return STATUS_OK;
}

static const struct table_column result_columns[] = {
    TABLE_COLUMN(calibration_row, machine, "machine", "",
                 "name of the machine whose network it is"),
    TABLE_NAME(calibration_row, distance, "distance",
               "where the nodes were: same-router, same-group, other-group or same-node"),
    TABLE_COLUMN(calibration_row, first_node, "first_node", "",
                 "first of the two nodes that the benchmarks are modelled between"),
    TABLE_COLUMN(calibration_row, second_node, "second_node", "", "second of these nodes"),
};

static const struct table result = {
    .name = "result",
    .form = TABLE_KEYS,
    TABLE_LIST(result_columns),
    .visit = visit_result,
    .help = "the machine and the nodes",
};

/* ---- fitted settings ---- */

struct fitted_row {
    const char *name, *value, *standing, *from;
};

static status_code visit_settings(const struct table_source *source, const struct table_sink *sink,
                                  struct status *status) {
    for (fit_parameter i = 0; i < FIT_PARAMETERS; i++) {
        const struct fit_result *fitted = &source->calibration->fit.parameters[i];
        char *value = api_config_value(source->calibration->config, fit_setting_name(i));
        RETURN_ERROR_IF(value == NULL, status, STATUS_MEMORY, "out of memory for a setting");
        table_add(sink, &(struct fitted_row){fit_setting_name(i), value,
                                             fit_standing_name(fitted->standing), fitted->how});
        free(value);
    }
    return STATUS_OK;
}

static const struct table_column setting_columns[] = {
    TABLE_NAME(fitted_row, name, "name", "name of the setting"),
    TABLE_COLUMN(fitted_row, value, "value", "", "its value in the calibrated machine"),
    TABLE_NAME(fitted_row, standing, "standing",
               "determined; divided (the measurements determine a sum of settings, which was "
               "divided); or kept (they do not determine it)"),
    TABLE_COLUMN(fitted_row, from, "from", "", "what it follows from, for people"),
};

static const struct table settings = {
    .name = "settings",
    .form = TABLE_ARRAY,
    TABLE_LIST(setting_columns),
    .visit = visit_settings,
    .help = "a setting that is fitted",
};

struct step_row {
    const char *setting;
    uint64_t from_bytes;
    int64_t value, half_interval;
};

static status_code visit_steps(const struct table_source *source, const struct table_sink *sink,
                               struct status *status) {
    (void)status;
    for (fit_parameter i = 0; i < FIT_PARAMETERS; i++) {
        const struct fit_result *fitted = &source->calibration->fit.parameters[i];
        for (size_t k = 0; k < fitted->count; k++) {
            const double half = fitted->steps[k].half_interval;
            const bool is_known = isfinite(half) && half < 9e18;
            table_add(sink, &(struct step_row){.setting = fit_setting_name(i),
                                               .from_bytes = fitted->steps[k].from_bytes,
                                               .value = fitted->steps[k].value,
                                               .half_interval =
                                                   is_known ? (int64_t)llround(half) : TABLE_NONE});
        }
    }
    return STATUS_OK;
}

static const struct table_column step_columns[] = {
    TABLE_NAME(step_row, setting, "setting", "name of the setting"),
    TABLE_COLUMN(step_row, from_bytes, "from_bytes", "bytes",
                 "message size from which on the value holds"),
    TABLE_COLUMN(step_row, value, "value", "",
                 "the value in the setting's base unit: picoseconds, bytes or bytes per second"),
    TABLE_COLUMN(step_row, half_interval, "half_interval", "",
                 "half of its 95 % confidence interval, in the same unit; null: not known"),
};

static const struct table steps = {
    .name = "steps",
    .form = TABLE_ARRAY,
    TABLE_LIST(step_columns),
    .visit = visit_steps,
    .help =
        "a value of a fitted setting, in the order of message sizes; a setting that was kept has "
        "none",
};

/* ---- benchmarks ---- */

struct benchmark_row {
    const char *name, *file, *kind;
    uint64_t line;
    int64_t used;
    uint32_t pairs;
};

static status_code visit_benchmarks(const struct table_source *source,
                                    const struct table_sink *sink, struct status *status) {
    (void)status;
    const anax_calibration *calibration = source->calibration;
    for (size_t t = 0; t < calibration->measurements.count; t++) {
        const struct measurement *measured = &calibration->measurements.tables[t];
        table_add(sink, &(struct benchmark_row){
                            .name = measured->name,
                            .file = measured->file,
                            .line = measured->line,
                            .kind = measurement_kind_name(measured->kind),
                            .used = calibration->modelled_ps[t] != NULL,
                            .pairs = measured->pairs,
                        });
    }
    return STATUS_OK;
}

static const struct table_column benchmark_columns[] = {
    TABLE_COLUMN(benchmark_row, name, "name", "", "name of the benchmark"),
    TABLE_COLUMN(benchmark_row, file, "file", "", "file that has its output"),
    TABLE_COLUMN(benchmark_row, line, "line", "", "line of the file where it begins"),
    TABLE_NAME(benchmark_row, kind, "kind",
               "ping-pong, stream, both ways, sendrecv, exchange, allreduce or other"),
    TABLE_FLAG(benchmark_row, used, "used", "whether its times are modelled"),
    TABLE_COLUMN(benchmark_row, pairs, "pairs", "", "pairs of processes that send at once"),
};

static const struct table benchmarks = {
    .name = "benchmarks",
    .form = TABLE_ARRAY,
    TABLE_LIST(benchmark_columns),
    .visit = visit_benchmarks,
    .help = "a benchmark of the files",
};

struct time_row {
    uint64_t benchmark, bytes;
    int64_t measured_ps, modelled_ps;
};

static status_code visit_times(const struct table_source *source, const struct table_sink *sink,
                               struct status *status) {
    (void)status;
    const anax_calibration *calibration = source->calibration;
    for (size_t t = 0; t < calibration->measurements.count; t++) {
        const struct measurement *measured = &calibration->measurements.tables[t];
        for (size_t i = 0; i < measured->count && calibration->modelled_ps[t] != NULL; i++)
            table_add(sink, &(struct time_row){
                                .benchmark = t,
                                .bytes = measured->rows[i].size_bytes,
                                .measured_ps = (int64_t)llround(measured->rows[i].time_ps),
                                .modelled_ps = (int64_t)llround(calibration->modelled_ps[t][i])});
    }
    return STATUS_OK;
}

static const struct table_column time_columns[] = {
    TABLE_COLUMN(time_row, benchmark, "benchmark", "", "number of the benchmark, from 0"),
    TABLE_COLUMN(time_row, bytes, "bytes", "bytes", "size of its messages"),
    TABLE_COLUMN(time_row, measured_ps, "measured_ps", "ps",
                 "measured time of a message, or of the operation"),
    TABLE_COLUMN(time_row, modelled_ps, "modelled_ps", "ps",
                 "time of the same on the calibrated machine"),
};

static const struct table times = {
    .name = "times",
    .form = TABLE_ARRAY,
    TABLE_LIST(time_columns),
    .visit = visit_times,
    .help = "a time of a benchmark that is used, in the order of message sizes",
};

/* ---- warnings ---- */

struct warning_row {
    const char *text;
};

static status_code visit_warnings(const struct table_source *source, const struct table_sink *sink,
                                  struct status *status) {
    for (const char *line = source->calibration->warnings; line != NULL && *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        char *copy = strndup(line, length);
        RETURN_ERROR_IF(copy == NULL, status, STATUS_MEMORY, "out of memory for a warning");
        table_add(sink, &(struct warning_row){copy});
        free(copy);
        line += length + (line[length] == '\n');
    }
    return STATUS_OK;
}

static const struct table_column warning_columns[] = {
    TABLE_COLUMN(warning_row, text, "text", "", "the warning"),
};

static const struct table warnings = {
    .name = "warnings",
    .form = TABLE_TEXTS,
    TABLE_LIST(warning_columns),
    .visit = visit_warnings,
    .help = "a setting that the measurements do not determine, or a large deviation of the model",
};

static const struct table *const tables[] = {&result, &settings, &steps, &benchmarks,
                                             &times,  &warnings, NULL};

const struct table_schema tables_calibration = {"calibration", "anax.calibration/1", tables};
