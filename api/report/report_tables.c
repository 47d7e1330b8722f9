/*
 * Results as CSV tables in a folder. Column names carry units and are documented in anax-json(5);
 * what stands there stays.
 */
#include "api/region_times.h"
#include "api/report/csv.h"
#include "api/report/link_report.h"
#include "api/report/report.h"
#include "core/output_folder.h"

#include <inttypes.h>

static void write_ranks(const anax_result *result, FILE *file) {
    fputs("rank,node,time_ps,compute_ps,mpi_ps,send_overhead_ps,receive_overhead_ps,reduction_ps,"
          "wait_late_sender_ps,wait_late_receiver_ps,wait_transit_ps,wait_queueing_ps,"
          "collective_ps,messages_sent,sent_bytes\n",
          file);
    for (uint32_t i = 0; i < result->replay->rank_count; i++) {
        const struct replay_rank_result *rank = &result->replay->ranks[i];
        const int64_t times_ps[] = {rank->time_ps,
                                    rank->compute_ps,
                                    rank->time_ps - rank->compute_ps,
                                    rank->send_overhead_ps,
                                    rank->receive_overhead_ps,
                                    rank->reduction_ps,
                                    rank->wait_late_sender_ps,
                                    rank->wait_late_receiver_ps,
                                    rank->wait_transit_ps,
                                    rank->wait_queueing_ps,
                                    rank->collective_ps};
        fprintf(file, "%" PRIu32 ",%" PRIu32, rank->rank, rank->node);
        for (size_t k = 0; k < sizeof times_ps / sizeof *times_ps; k++)
            fprintf(file, ",%" PRId64, times_ps[k]);
        fprintf(file, ",%" PRIu64 ",%" PRIu64 "\n", rank->messages_sent, rank->bytes_sent);
    }
}

static void write_calls(const anax_result *result, FILE *file) {
    fputs("call,count,time_ps,wait_ps\n", file);
    for (uint32_t i = 0; i < result->replay->call_count; i++) {
        const struct replay_call_result *call = &result->replay->calls[i];
        char time[WIDE_TEXT_BYTES], waiting[WIDE_TEXT_BYTES];
        csv_write_name(file, call->name);
        fprintf(file, ",%" PRIu64 ",%s,%s\n", call->count, wide_text(call->time_ps, time),
                wide_text(call->wait_ps, waiting));
    }
}

static void write_regions(const anax_result *result, FILE *file) {
    fputs("count,ranks,time_ps,mpi_ps,most_ps,most_rank,region\n", file);
    for (uint32_t i = 0; i < result->region_count; i++) {
        const struct region_time *region = &result->regions[i];
        char time[WIDE_TEXT_BYTES], mpi[WIDE_TEXT_BYTES];
        fprintf(file, "%" PRIu64 ",%" PRIu32 ",%s,%s,%" PRId64 ",%" PRIu32 ",", region->count,
                region->ranks, wide_text(region->time_ps, time), wide_text(region->mpi_ps, mpi),
                region->most_ps, region->most_rank);
        csv_write_quoted(file, region->name);
        fputc('\n', file);
    }
}

static void write_links(const anax_result *result, FILE *file) {
    bool traffic = result->kind == API_RESULT_TRAFFIC;
    link_report_write_links(result->network, traffic ? result->config->traffic.measure_ps : 0,
                            file);
}

static status_code write_table(const struct output_folder *folder, const char *name,
                               void (*write)(const anax_result *result, FILE *file),
                               const anax_result *result, struct status *status) {
    FILE *file = NULL;
    FORWARD_IF_ERROR(output_folder_open(folder, name, &file, status));
    write(result, file);
    return output_folder_close(folder, name, file, status);
}

static status_code write_groups(const anax_result *result, FILE *file, struct status *status) {
    return link_report_write_groups(result->network, file, status);
}

/* The same for a table whose writing can fail otherwise than by the disk. */
static status_code write_fallible(const struct output_folder *folder, const char *name,
                                  status_code (*write)(const anax_result *result, FILE *file,
                                                       struct status *status),
                                  const anax_result *result, struct status *status) {
    FILE *file = NULL;
    FORWARD_IF_ERROR(output_folder_open(folder, name, &file, status));
    status_code written = write(result, file, status);
    status_code closed =
        output_folder_close(folder, name, file, written == STATUS_OK ? status : NULL);
    return written != STATUS_OK ? written : closed;
}

static status_code write_all(const struct output_folder *folder, const anax_result *result,
                             struct status *status) {
    if (result->kind == API_RESULT_REPLAY) {
        FORWARD_IF_ERROR(write_table(folder, "ranks.csv", write_ranks, result, status));
        FORWARD_IF_ERROR(write_table(folder, "jobs.csv", report_write_jobs, result, status));
        FORWARD_IF_ERROR(write_table(folder, "calls.csv", write_calls, result, status));
        if (result->region_count > 0)
            FORWARD_IF_ERROR(write_table(folder, "regions.csv", write_regions, result, status));
    } else {
        FORWARD_IF_ERROR(write_table(folder, "points.csv", report_write_points, result, status));
        if (result->point_count != 1) return STATUS_OK;
        FORWARD_IF_ERROR(
            write_table(folder, "latencies.csv", report_write_latencies, result, status));
        FORWARD_IF_ERROR(
            write_fallible(folder, "routers.csv", report_write_routers, result, status));
    }
    FORWARD_IF_ERROR(write_table(folder, "links.csv", write_links, result, status));
    return write_fallible(folder, "groups.csv", write_groups, result, status);
}

status_code report_write_tables(const anax_result *result, const char *path,
                                struct status *status) {
    RETURN_ERROR_IF(!result->completed, status, STATUS_USAGE,
                    "%s: not written: the run did not finish, so there are no figures", path);
    struct output_folder folder;
    FORWARD_IF_ERROR(output_folder_begin(&folder, path, status));
    return output_folder_finish(&folder, write_all(&folder, result, status), status);
}
