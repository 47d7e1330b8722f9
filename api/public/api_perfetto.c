/* The predicted run as a trace for the Perfetto viewer. */
#include "api/api.h"
#include "api/caller_struct.h"
#include "api/result.h"
#include "api/run/divided_programs.h"
#include "api/run/path_timeline.h"
#include "core/base/wide.h"
#include "core/memory/memory.h"
#include "core/processes/processes.h"
#include "network/network.h"
#include "traces/program/file/program_division.h"
#include "traces/traces.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Number of ranks if the caller gives none: viewers do not show thousands of tracks. */
enum { RANKS_MAX = 256 };

static status_code choose_ranks(struct traces_perfetto *input, const anax_replay_result *result,
                                const char *path, uint32_t first, uint32_t count,
                                struct status *status) {
    const uint32_t ranks = result->replay->rank_count;
    RETURN_ERROR_IF(first >= ranks, status, STATUS_USAGE,
                    "%s: there is no rank %u; the ranks are 0 to %u", path, first, ranks - 1);
    RETURN_ERROR_IF(count > ranks - first, status, STATUS_USAGE,
                    "%s: there is no rank %llu; the ranks are 0 to %u", path,
                    (unsigned long long)first + count - 1, ranks - 1);
    input->first_rank = first;
    input->rank_count = count;
    if (count == 0) input->rank_count = ranks - first < RANKS_MAX ? ranks - first : RANKS_MAX;
    return STATUS_OK;
}

/* ---- load of channels over time ---- */

enum { LOADS_MAX = 4 * 64 }; /* more groups are not shown one by one */

/* The load of one kind of channels of a group: busy time over time, in percent. */
struct load_track {
    char name[64];
    int64_t *times_ps;
    int64_t *values;
    size_t capacity;
    int64_t until_ps; /* the end of the latest bin */
    size_t count;
};

struct load_tracks {
    struct load_track *tracks;
    struct traces_counter *counters;
    size_t count;
    uint32_t group;
    int kind;
    status_code code;
    struct status *status;
};

static const char *kind_of(const struct network_load *load) {
    static const char *const names[] = {
        [NETWORK_LOCAL] = "local", [NETWORK_GLOBAL] = "global", [NETWORK_TERMINAL] = "ejection"};
    return load->is_injection ? "injection" : names[load->channel_kind];
}

static status_code add_load(struct load_track *track, int64_t time_ps, int64_t value,
                            struct status *status) {
    const size_t wanted = track->count + 1;
    size_t capacity = track->capacity;
    FORWARD_IF_ERROR(
        memory_grow((void **)&track->times_ps, &capacity, wanted, sizeof *track->times_ps, status));
    FORWARD_IF_ERROR(memory_grow((void **)&track->values, &track->capacity, wanted,
                                 sizeof *track->values, status));
    track->times_ps[track->count] = time_ps;
    track->values[track->count++] = value;
    return STATUS_OK;
}

/* Adds a bin to the track of its channels; bins without load are left out, and are 0. */
static bool add_load_bin(void *context, const struct network_load *load) {
    enum { PERCENT = 100 };
    struct load_tracks *tracks = context;
    const int kind = 2 * (int)load->channel_kind + load->is_injection;
    if (tracks->count == 0 || tracks->group != load->group || tracks->kind != kind) {
        if (tracks->count == LOADS_MAX) return false;
        struct load_track *added = &tracks->tracks[tracks->count++];
        snprintf(added->name, sizeof added->name, "%s channels of group %" PRIu32, kind_of(load),
                 load->group);
        tracks->group = load->group;
        tracks->kind = kind;
    }
    struct load_track *track = &tracks->tracks[tracks->count - 1];
    const wide span_ps = (wide)load->channels * (uint64_t)(load->to_ps - load->from_ps);
    const int64_t share = (int64_t)((wide)load->busy_ps * PERCENT / (span_ps > 0 ? span_ps : 1));
    tracks->code = STATUS_OK;
    if (load->from_ps > track->until_ps)
        tracks->code = add_load(track, track->until_ps, 0, tracks->status);
    if (tracks->code == STATUS_OK)
        tracks->code = add_load(track, load->from_ps, share, tracks->status);
    track->until_ps = load->to_ps;
    return tracks->code == STATUS_OK;
}

/* Makes counters of the load of channels, if the result has time bins. */
static status_code loads_of(struct load_tracks *tracks, struct traces_perfetto *input,
                            const anax_replay_result *result, struct status *status) {
    if (result->run.network == NULL || !network_has_history(result->run.network)) return STATUS_OK;
    tracks->status = status;
    tracks->tracks = memory_new(LOADS_MAX, sizeof *tracks->tracks);
    tracks->counters = memory_new(LOADS_MAX, sizeof *tracks->counters);
    RETURN_ERROR_IF(tracks->tracks == NULL || tracks->counters == NULL, status, STATUS_MEMORY,
                    "out of memory for the load of channels");
    FORWARD_IF_ERROR(network_visit_history(result->run.network, add_load_bin, tracks, status));
    if (tracks->code != STATUS_OK) return tracks->code;
    for (size_t i = 0; i < tracks->count; i++) {
        struct load_track *track = &tracks->tracks[i];
        FORWARD_IF_ERROR(add_load(track, track->until_ps, 0, status));
        tracks->counters[i] = (struct traces_counter){.name = track->name,
                                                      .unit = "%",
                                                      .times_ps = track->times_ps,
                                                      .values = track->values,
                                                      .count = track->count};
    }
    input->counters = tracks->counters;
    input->counter_count = tracks->count;
    return STATUS_OK;
}

static void loads_clear(struct load_tracks *tracks) {
    for (size_t i = 0; i < tracks->count; i++) {
        free(tracks->tracks[i].times_ps);
        free(tracks->tracks[i].values);
    }
    free(tracks->tracks);
    free(tracks->counters);
}

/* Writes the file in process 0, which has all times. */
static status_code write_all(const anax_replay_result *result, const char *path, uint32_t first,
                             uint32_t count, bool replace, struct status *status) {
    struct traces_times times;
    struct traces_perfetto input = {.times = &times};
    struct path_timeline way = {0};
    struct load_tracks loads = {0};
    int64_t *end_ps;
    status_code code = result_find_times(&times, &end_ps, result, path, status);
    if (code == STATUS_OK && result->replay->path_count > 0) {
        code = path_timeline_build(&way, result->replay, status);
        times.path = &way.path;
    }
    if (code == STATUS_OK) code = loads_of(&loads, &input, result, status);
    if (code == STATUS_OK) code = choose_ranks(&input, result, path, first, count, status);
    if (code == STATUS_OK)
        code = program_division_load_all(result->trace->program->division, status);
    if (code == STATUS_OK)
        code = traces_write_perfetto(result->trace->program, &input, path, replace, status);
    path_timeline_clear(&way);
    loads_clear(&loads);
    free(end_ps);
    return code;
}

static status_code write_perfetto(const anax_replay_result *result, const char *path,
                                  uint32_t first, uint32_t count, bool replace,
                                  struct status *status) {
    struct processes *processes = result->run.processes;
    if (result->run.completed && result->replay->timeline != NULL)
        FORWARD_IF_ERROR(divided_gather_times(result, processes, status));
    const bool writes = processes_number(processes) == 0;
    return writes ? write_all(result, path, first, count, replace, status) : STATUS_OK;
}

anax_code anax_replay_result_write_perfetto(const anax_replay_result *result, const char *path,
                                            uint32_t first, uint32_t count,
                                            const anax_options *options, anax_error *error) {
    struct status status = STATUS_INIT;
    anax_options own;
    if (caller_read_options(&own, options, __func__, &status) == STATUS_OK)
        write_perfetto(result, path, first, count, own.replace, &status);
    return api_return(&status, error);
}
