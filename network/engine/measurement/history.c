/* Adds busy and stalled time to time bins of each kind of channel. After a run the bins of all
 * groups are added up. */
#include "network/engine/measurement/history.h"

#include "core/memory/memory.h"

#include <stdlib.h>
#include <string.h>

/* Kinds of channels, in the order in which they are visited. */
enum { INJECTION, EJECTION, LOCAL, GLOBAL, KINDS };

/* What is counted of a kind. */
enum { PACKETS, BYTES, BUSY, STALLED, NUMBERS };

struct history {
    struct time_bins bins; /* series kind · NUMBERS + figure */
};

static uint32_t kind_of(const struct network *network, uint32_t output) {
    if (output >= network->tables.ports) return INJECTION;
    switch ((network_channel_kind)network->tables.wiring[output].channel_kind) {
    case NETWORK_LOCAL:
        return LOCAL;
    case NETWORK_GLOBAL:
        return GLOBAL;
    default:
        return EJECTION;
    }
}

static status_code history_new(struct rail_group *home, struct status *status) {
    home->observers.history = memory_new(1, sizeof *home->observers.history);
    RETURN_ERROR_IF(home->observers.history == NULL, status, STATUS_MEMORY,
                    "out of memory for time bins");
    return time_bins_new(&home->observers.history->bins, home->network->observation.history_bins,
                         KINDS * NUMBERS, status);
}

void history_free(struct history *history) {
    if (history == NULL) return;
    time_bins_free(&history->bins);
    free(history);
}

status_code network_keep_history(struct network *network, uint32_t bins, struct status *status) {
    network->observation.history_bins = bins;
    for (uint32_t i = 0; i < network->rail_group_count; i++) {
        struct rail_group *rail_group = &network->rail_groups[i];
        if (rail_group->is_elsewhere) continue;
        if (rail_group == rail_group->home) FORWARD_IF_ERROR(history_new(rail_group, status));
        rail_group->observers.history = rail_group->home->observers.history;
        rail_group_observe(rail_group);
        rail_group->tracks_injections = true;
    }
    return STATUS_OK;
}

void history_record_transmission(struct rail_group *rail_group, uint32_t output, uint32_t bytes,
                                 int64_t start_ps, int64_t end_ps) {
    struct time_bins *bins = &rail_group->observers.history->bins;
    uint32_t first = kind_of(rail_group->network, output) * NUMBERS;
    time_bins_add(bins, first + PACKETS, start_ps, 1);
    time_bins_add(bins, first + BYTES, start_ps, bytes);
    time_bins_add_span(bins, first + BUSY, start_ps, end_ps);
}

void history_record_stall(struct rail_group *rail_group, uint32_t output, int64_t since_ps,
                          int64_t until_ps) {
    uint32_t first = kind_of(rail_group->network, output) * NUMBERS;
    time_bins_add_span(&rail_group->observers.history->bins, first + STALLED, since_ps, until_ps);
}

/* ---------------------------------------------------------------- results */

void history_pack(struct processes_packing *block, const struct rail_group *home) {
    const struct time_bins *bins = &home->observers.history->bins;
    processes_pack(block, &bins->width_ps, sizeof bins->width_ps);
    processes_pack(block, bins->sums, (size_t)bins->count * bins->series * sizeof *bins->sums);
}

bool history_unpack(struct rail_group *home, struct processes_unpacking *block) {
    struct status status = STATUS_INIT;
    if (history_new(home, &status) != STATUS_OK) {
        status_clear(&status);
        return false;
    }
    struct time_bins *bins = &home->observers.history->bins;
    const size_t bytes = (size_t)bins->count * bins->series * sizeof *bins->sums;
    const int64_t *width_ps = processes_unpack(block, sizeof *width_ps);
    const void *sums = processes_unpack(block, bytes);
    if (width_ps == NULL || sums == NULL) return false;
    bins->width_ps = *width_ps;
    memcpy(bins->sums, sums, bytes);
    return true;
}

int64_t network_history_widen(struct network *network, int64_t width_ps) {
    for (uint32_t group = 0; group < network->topology.groups; group++) {
        const struct history *history = network->rail_groups[group].observers.history;
        if (history != NULL && history->bins.width_ps > width_ps) width_ps = history->bins.width_ps;
    }
    for (uint32_t group = 0; group < network->topology.groups; group++)
        if (network->rail_groups[group].observers.history != NULL)
            time_bins_widen(&network->rail_groups[group].observers.history->bins, width_ps);
    return width_ps;
}

static void count_channel(void *context, const struct network_link *link) {
    static const uint32_t kinds[NETWORK_CHANNEL_KINDS] = {
        [NETWORK_TERMINAL] = EJECTION, [NETWORK_LOCAL] = LOCAL, [NETWORK_GLOBAL] = GLOBAL};
    uint32_t *channels = context, kind = link->is_injection ? INJECTION : kinds[link->channel_kind];
    channels[link->source_group * KINDS + kind]++;
}

static bool visit_kind(const struct time_bins *bins, struct network_load *load, uint32_t kind,
                       bool (*visitor)(void *context, const struct network_load *load),
                       void *context) {
    static const network_channel_kind kinds[KINDS] = {NETWORK_TERMINAL, NETWORK_TERMINAL,
                                                      NETWORK_LOCAL, NETWORK_GLOBAL};
    const int64_t *sums = bins->sums + (size_t)kind * NUMBERS * bins->count;
    load->channel_kind = kinds[kind];
    load->is_injection = kind == INJECTION;
    for (uint32_t bin = 0; bin < bins->count; bin++) {
        load->bin = bin;
        load->from_ps = bin * bins->width_ps;
        load->to_ps = load->from_ps + bins->width_ps;
        load->packets = (uint64_t)sums[PACKETS * (size_t)bins->count + bin];
        load->bytes = (uint64_t)sums[BYTES * (size_t)bins->count + bin];
        load->busy_ps = sums[BUSY * (size_t)bins->count + bin];
        load->stalled_ps = sums[STALLED * (size_t)bins->count + bin];
        if (load->packets == 0 && load->busy_ps == 0 && load->stalled_ps == 0) continue;
        if (!visitor(context, load)) return false;
    }
    return true;
}

status_code network_visit_history(const struct network *network,
                                  bool (*visitor)(void *context, const struct network_load *load),
                                  void *context, struct status *status) {
    const uint32_t groups = network->topology.groups;
    uint32_t *channels = memory_new((size_t)groups * KINDS, sizeof *channels);
    RETURN_ERROR_IF(channels == NULL, status, STATUS_MEMORY, "out of memory for time bins");
    network_visit_links(network, count_channel, channels);
    bool more = true;
    for (uint32_t i = 0; i < groups * KINDS && more; i++) {
        const struct history *history = network->rail_groups[i / KINDS].observers.history;
        struct network_load load = {.group = i / KINDS, .channels = channels[i]};
        if (history != NULL) more = visit_kind(&history->bins, &load, i % KINDS, visitor, context);
    }
    free(channels);
    return STATUS_OK;
}

bool network_has_history(const struct network *network) {
    return network->observation.history_bins > 0;
}
