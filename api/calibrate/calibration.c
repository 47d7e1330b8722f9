/*
 * Calibrates a machine: finds the network's part of the measured times, fits the hosts to the rest,
 * and replays the benchmarks on the fitted machine. Must not know files or formats.
 *
 * Invariant: the network's part is the time of a replay on the same machine with hosts that take no
 * time, so the hosts' costs contain no time of the network.
 */
#include "api/calibrate/calibration.h"

#include "api/calibrate/fit_settings.h"
#include "api/calibrate/link_fit.h"
#include "api/calibrate/reduction_fit.h"
#include "core/memory/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* The share by which measurements vary from run to run, about. Only relative weights depend on
 * it. */
#define VARIATION       0.01
#define ANSWER_BYTES    4
#define LARGE_DEVIATION 0.1

static double error_of(const struct measurement_row *row) {
    const double printed = row->resolution_ps / sqrt(12);
    return sqrt(VARIATION * VARIATION * row->time_ps * row->time_ps + printed * printed);
}

bool calibration_uses(const anax_calibration *calibration, const struct measurement *table) {
    if (table->kind == MEASUREMENT_ALLREDUCE)
        return benchmark_processes(calibration->given, table) > 1;
    return table->kind != MEASUREMENT_OTHER;
}

/* ---------------------------------------------------------------------------- sizes */

/* Message sizes, ascending, with the network's time of a message one way. */
struct network_times {
    uint64_t *sizes_bytes;
    double *times_ps;
    size_t count, capacity;
};

static int compare_sizes(const void *one, const void *other) {
    const uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
    return a < b ? -1 : a > b;
}

static status_code add_size(struct network_times *times, uint64_t size_bytes,
                            struct status *status) {
    FORWARD_IF_ERROR(memory_grow((void **)&times->sizes_bytes, &times->capacity, times->count + 1,
                                 sizeof *times->sizes_bytes, status));
    times->sizes_bytes[times->count++] = size_bytes;
    return STATUS_OK;
}

static status_code collect_sizes(struct network_times *times, const anax_calibration *calibration,
                                 struct status *status) {
    const struct measurement_list *list = &calibration->measurements;
    FORWARD_IF_ERROR(add_size(times, ANSWER_BYTES, status));
    FORWARD_IF_ERROR(add_size(times, (uint64_t)calibration->config->replay.control_bytes, status));
    for (size_t t = 0; t < list->count; t++)
        for (size_t i = 0; i < list->tables[t].count; i++)
            FORWARD_IF_ERROR(add_size(times, list->tables[t].rows[i].size_bytes, status));
    qsort(times->sizes_bytes, times->count, sizeof *times->sizes_bytes, compare_sizes);
    size_t kept = 0;
    for (size_t i = 0; i < times->count; i++)
        if (kept == 0 || times->sizes_bytes[i] != times->sizes_bytes[kept - 1])
            times->sizes_bytes[kept++] = times->sizes_bytes[i];
    times->count = kept;
    return STATUS_OK;
}

static double network_time(const struct network_times *times, uint64_t size_bytes) {
    const uint64_t *place = bsearch(&size_bytes, times->sizes_bytes, times->count,
                                    sizeof *times->sizes_bytes, compare_sizes);
    return place != NULL ? times->times_ps[place - times->sizes_bytes] : 0;
}

static status_code find_network_times(struct network_times *times, const struct benchmark_run *run,
                                      struct status *status) {
    const struct measurement ping_pong = {.kind = MEASUREMENT_LATENCY, .pairs = 1};
    times->times_ps = memory_new(times->count, sizeof *times->times_ps);
    RETURN_ERROR_IF(times->times_ps == NULL, status, STATUS_MEMORY, "out of memory for sizes");
    return benchmark_times(times->times_ps, run, &ping_pong, times->sizes_bytes, times->count,
                           status);
}

/* ---------------------------------------------------------------------------- ping-pongs */

static int compare_rows(const void *one, const void *other) {
    const struct measurement_row *a = one, *b = other;
    if (a->size_bytes != b->size_bytes) return a->size_bytes < b->size_bytes ? -1 : 1;
    return a->time_ps < b->time_ps ? -1 : a->time_ps > b->time_ps;
}

/* Makes one point per size: the median of the rows with this size. Returns the number of points. */
static size_t merge(struct fit_latency_point *points, struct measurement_row *rows, size_t count,
                    const struct network_times *times) {
    size_t merged = 0;
    qsort(rows, count, sizeof *rows, compare_rows);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first; end < count && rows[end].size_bytes == rows[first].size_bytes;)
            end++;
        const struct measurement_row *median = &rows[first + (end - first - 1) / 2];
        if (merged == SEGMENT_POINTS_MAX) break;
        points[merged++] =
            (struct fit_latency_point){median->size_bytes, median->time_ps, error_of(median),
                                       network_time(times, median->size_bytes)};
    }
    return merged;
}

static status_code collect_latencies(struct fit_latency_point *points, size_t *count,
                                     const struct measurement_list *list,
                                     const struct network_times *times, struct status *status) {
    struct measurement_row *rows = NULL;
    size_t found = 0, capacity = 0;
    status_code code = STATUS_OK;
    for (size_t t = 0; t < list->count && code == STATUS_OK; t++) {
        const struct measurement *table = &list->tables[t];
        if (table->kind != MEASUREMENT_LATENCY) continue;
        code = memory_grow((void **)&rows, &capacity, found + table->count, sizeof *rows, status);
        for (size_t i = 0; i < table->count && code == STATUS_OK; i++)
            rows[found++] = table->rows[i];
    }
    if (code == STATUS_OK && found == 0)
        code = status_set(status, STATUS_INPUT,
                          "there is no ping-pong among these measurements, and nothing can be "
                          "fitted without one: give the output of osu_latency, IMB PingPong or "
                          "NetPIPE, too");
    if (code == STATUS_OK) *count = merge(points, rows, found, times);
    free(rows);
    return code;
}

/* ---------------------------------------------------------------------------- streams */

/* Returns the first table of a kind with the fewest or the most pairs. */
static const struct measurement *find_table(const struct measurement_list *list,
                                            measurement_kind kind, bool max_pairs) {
    const struct measurement *found = NULL;
    for (size_t t = 0; t < list->count; t++) {
        const struct measurement *table = &list->tables[t];
        if (table->kind != kind) continue;
        if (found == NULL ||
            (max_pairs ? table->pairs > found->pairs : table->pairs < found->pairs))
            found = table;
    }
    return found;
}

static status_code collect_stream(struct fit_stream_data *data, const struct measurement *table,
                                  const struct benchmark_run *run,
                                  const struct network_times *times, struct status *status) {
    if (table == NULL) return STATUS_OK;
    struct fit_stream_point *points = memory_new(table->count, sizeof *points);
    double *network_ps = memory_new(table->count, sizeof *network_ps);
    uint64_t *sizes = memory_new(table->count, sizeof *sizes);
    status_code code = STATUS_OK;
    if (points == NULL || network_ps == NULL || sizes == NULL)
        code = status_set(status, STATUS_MEMORY, "out of memory for streams");
    for (size_t i = 0; i < table->count && code == STATUS_OK; i++)
        sizes[i] = table->rows[i].size_bytes;
    if (code == STATUS_OK)
        code = benchmark_times(network_ps, run, table, sizes, table->count, status);
    for (size_t i = 0; i < table->count && code == STATUS_OK; i++) {
        const struct measurement_row *row = &table->rows[i];
        const double back =
            table->kind == MEASUREMENT_EXCHANGE ? 0 : network_time(times, ANSWER_BYTES);
        points[i] =
            (struct fit_stream_point){row->size_bytes, row->time_ps, error_of(row), network_ps[i],
                                      network_time(times, row->size_bytes) + back};
    }
    free(network_ps);
    free(sizes);
    data->points = points;
    data->count = code == STATUS_OK ? table->count : 0;
    data->window = benchmark_window(run->config, table);
    data->pairs = table->pairs;
    return code;
}

static status_code collect_streams(struct host_data *data, const anax_calibration *calibration,
                                   const struct benchmark_run *run,
                                   const struct network_times *times, struct status *status) {
    const struct measurement_list *list = &calibration->measurements;
    const struct measurement *fewest = find_table(list, MEASUREMENT_STREAM, false);
    const struct measurement *max = find_table(list, MEASUREMENT_STREAM, true);
    if (max != NULL && max->pairs == fewest->pairs) max = NULL;
    FORWARD_IF_ERROR(collect_stream(&data->stream, fewest, run, times, status));
    FORWARD_IF_ERROR(collect_stream(&data->crowded, max, run, times, status));
    FORWARD_IF_ERROR(collect_stream(&data->both, find_table(list, MEASUREMENT_BISTREAM, false), run,
                                    times, status));
    return collect_stream(&data->exchange, find_table(list, MEASUREMENT_EXCHANGE, false), run,
                          times, status);
}

/* ---------------------------------------------------------------------------- the whole */

static status_code fit_hosts(anax_calibration *calibration, const struct benchmark_run *run,
                             struct network_times *times, struct host_data *data,
                             struct status *status) {
    struct fit_latency_point *points = memory_new(SEGMENT_POINTS_MAX, sizeof *points);
    data->latencies = points;
    RETURN_ERROR_IF(points == NULL, status, STATUS_MEMORY, "out of memory for ping-pongs");
    FORWARD_IF_ERROR(collect_sizes(times, calibration, status));
    FORWARD_IF_ERROR(find_network_times(times, run, status));
    FORWARD_IF_ERROR(
        collect_latencies(points, &data->latency_count, &calibration->measurements, times, status));
    FORWARD_IF_ERROR(collect_streams(data, calibration, run, times, status));
    data->control_ps = network_time(times, (uint64_t)calibration->config->replay.control_bytes);
    return host_fit_run(&calibration->fit, data, status);
}

static void free_data(struct host_data *data, struct network_times *times) {
    free((void *)data->latencies);
    free((void *)data->stream.points);
    free((void *)data->crowded.points);
    free((void *)data->both.points);
    free((void *)data->exchange.points);
    free(times->sizes_bytes);
    free(times->times_ps);
}

static status_code model(anax_calibration *calibration, const struct benchmark_run *run,
                         struct status *status) {
    const struct measurement_list *list = &calibration->measurements;
    calibration->modelled_ps = memory_new(list->count, sizeof *calibration->modelled_ps);
    RETURN_ERROR_IF(calibration->modelled_ps == NULL, status, STATUS_MEMORY,
                    "out of memory for tables");
    for (size_t t = 0; t < list->count; t++) {
        const struct measurement *table = &list->tables[t];
        if (!calibration_uses(calibration, table)) continue;
        uint64_t *sizes = memory_new(table->count, sizeof *sizes);
        calibration->modelled_ps[t] = memory_new(table->count, sizeof **calibration->modelled_ps);
        status_code code = STATUS_OK;
        if (sizes == NULL || calibration->modelled_ps[t] == NULL)
            code = status_set(status, STATUS_MEMORY, "out of memory for tables");
        for (size_t i = 0; i < table->count && code == STATUS_OK; i++)
            sizes[i] = table->rows[i].size_bytes;
        if (code == STATUS_OK)
            code = benchmark_times(calibration->modelled_ps[t], run, table, sizes, table->count,
                                   status);
        free(sizes);
        FORWARD_IF_ERROR(code);
    }
    return STATUS_OK;
}

bool calibration_deviation(const anax_calibration *calibration, measurement_kind kind, double *mean,
                           double *max, uint64_t *max_bytes) {
    const struct measurement_list *list = &calibration->measurements;
    size_t count = 0;
    *mean = *max = 0;
    for (size_t t = 0; t < list->count; t++) {
        const struct measurement *table = &list->tables[t];
        if (table->kind != kind || calibration->modelled_ps[t] == NULL) continue;
        for (size_t i = 0; i < table->count; i++, count++) {
            const double off = fabs(calibration->modelled_ps[t][i] / table->rows[i].time_ps - 1);
            *mean += off;
            if (off > *max) *max = off, *max_bytes = table->rows[i].size_bytes;
        }
    }
    if (count > 0) *mean /= (double)count;
    return count > 0;
}

static void warn_of_deviations(anax_calibration *calibration) {
    for (measurement_kind kind = 0; kind < MEASUREMENT_KINDS; kind++) {
        double mean = 0, max = 0;
        uint64_t bytes = 0;
        if (!calibration_deviation(calibration, kind, &mean, &max, &bytes) || max < LARGE_DEVIATION)
            continue;
        host_fit_warn(&calibration->fit,
                      "%s: the model is up to %.0f %% off (at %" PRIu64
                      " bytes), %.0f %% in the mean",
                      measurement_kind_name(kind), 100 * max, bytes, 100 * mean);
    }
}

static void warn_of_unused(anax_calibration *calibration) {
    const struct measurement_list *list = &calibration->measurements;
    for (size_t t = 0; t < list->count; t++) {
        const struct measurement *table = &list->tables[t];
        if (calibration_uses(calibration, table)) continue;
        host_fit_warn(&calibration->fit, "%s:%zu: %s is not used%s", table->file, table->line,
                      table->name,
                      table->kind == MEASUREMENT_ALLREDUCE
                          ? ": its output does not say how many processes ran; set calibrate.ranks"
                          : "");
    }
}

/* Sets the eager threshold to the user's value, or else to the protocol's, and sets the latency of
 * the given NICs or memory. STATUS_USAGE: the threshold is "auto". */
static status_code find_threshold(struct host_data *data, const anax_config *config,
                                  struct status *status) {
    struct replay_config replay = config->replay;
    data->eager_is_given = replay.eager_threshold_bytes >= 0;
    RETURN_ERROR_IF(replay.eager_threshold_bytes == REPLAY_EAGER_AUTO, status, STATUS_USAGE,
                    "mpi.eager_threshold=auto: the threshold of a calibration is a size, or found "
                    "from the measurements (mpi.eager_threshold=protocol)");
    data->eager_bytes = replay_eager_threshold(&replay);
    const struct network_config *network = &config->network;
    data->is_within_node = config->calibrate.distance == CALIBRATE_SAME_NODE;
    data->given_latency_ps = data->is_within_node
                                 ? (double)network->memory_latency_ps
                                 : (double)(by_size_at(&network->nic_send_latency_ps, 0) +
                                            network->nic_receive_latency_ps);
    return STATUS_OK;
}

status_code calibration_fit(anax_calibration *calibration, const anax_options *options,
                            struct status *status) {
    const struct benchmark_run run = {calibration->config, calibration->nodes, options};
    struct host_fit *fit = &calibration->fit;
    struct network_times times = {0};
    struct host_data data = {0};
    FORWARD_IF_ERROR(find_threshold(&data, calibration->given, status));
    FORWARD_IF_ERROR(fit_settings_clear(calibration->config, status));
    data.fastest_memory = (double)calibration->config->network.memory_bandwidth_bytes_per_s;
    status_code code = link_fit_run(calibration, &run, status);
    if (code == STATUS_OK) code = fit_hosts(calibration, &run, &times, &data, status);
    free_data(&data, &times);
    FORWARD_IF_ERROR(code);
    FORWARD_IF_ERROR(fit_settings_apply(calibration->config, calibration->given, fit, status));
    FORWARD_IF_ERROR(reduction_fit_run(calibration, &run, status));
    FORWARD_IF_ERROR(model(calibration, &run, status));
    warn_of_deviations(calibration);
    warn_of_unused(calibration);
    return STATUS_OK;
}
