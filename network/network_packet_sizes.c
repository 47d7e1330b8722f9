/*
 * What packets occupy on channels: bytes with headers, cells and flits, and the bandwidth that
 * framing leaves. Sources and equations: docs/model.md, 1.
 */
#include "network/network_config.h"

#include "core/base/greatest_common_divisor.h"
#include "core/settings/units.h"

/* Returns the bytes rounded up to whole flits. */
static int64_t whole_flits(const struct network_config *config, int64_t bytes) {
    int64_t flit = config->flit_bytes;
    return flit > 1 ? (bytes + flit - 1) / flit * flit : bytes;
}

int64_t network_config_packet_bytes(const struct network_config *config, int64_t payload_bytes) {
    int64_t cell = config->cell_bytes, bytes;
    if (cell == 0) {
        bytes = whole_flits(config, payload_bytes + config->header_bytes);
    } else {
        int64_t full = payload_bytes / cell, rest = payload_bytes % cell;
        bytes = whole_flits(config, config->header_bytes) +
                full * whole_flits(config, cell + config->cell_header_bytes);
        if (rest > 0 || full == 0) bytes += whole_flits(config, rest + config->cell_header_bytes);
    }
    return bytes > 0 ? bytes : 1;
}

int64_t network_config_response_bytes(const struct network_config *config, int64_t packet_bytes) {
    int64_t cells = 1;
    if (config->cell_bytes > 0) {
        int64_t full = whole_flits(config, config->cell_bytes + config->cell_header_bytes);
        cells = (packet_bytes - whole_flits(config, config->header_bytes) + full - 1) / full;
        if (cells < 1) cells = 1;
    }
    int64_t bytes =
        whole_flits(config, config->response_bytes + cells * config->response_cell_bytes);
    return bytes > 0 ? bytes : 1;
}

wide network_config_message_bytes(const struct network_config *config, uint64_t size_bytes) {
    uint64_t max = (uint64_t)config->packet_bytes;
    uint64_t before_last = size_bytes > 0 ? (size_bytes - 1) / max : 0;
    int64_t last = (int64_t)(size_bytes - before_last * max);
    return (wide)before_last * (uint64_t)network_config_full_bytes(config) +
           (uint64_t)network_config_packet_bytes(config, last);
}

int64_t network_config_raw_bytes_per_s(const struct network_config *config, uint32_t type) {
    int64_t own = type < NETWORK_CHANNEL_KINDS
                      ? 0
                      : config->more_locals[type - NETWORK_CHANNEL_KINDS].bandwidth_bytes_per_s;
    return own > 0 ? own
                   : config->channels[network_kind_of_channel_type(type)].bandwidth_bytes_per_s;
}

int64_t network_config_bytes_per_s(const struct network_config *config, uint32_t type) {
    int64_t share = config->channels[network_kind_of_channel_type(type)].framing;
    return (int64_t)((__int128)network_config_raw_bytes_per_s(config, type) *
                     units_share_part(share) / units_share_whole(share));
}

int64_t network_config_nic_bytes_per_s(const struct network_config *config) {
    const int64_t limits[] = {config->nic_bandwidth_bytes_per_s,
                              config->nic_host_bandwidth_bytes_per_s};
    int64_t bandwidth = network_config_bytes_per_s(config, NETWORK_TERMINAL);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (limits[i] > 0 && limits[i] < bandwidth) bandwidth = limits[i];
    return bandwidth;
}

int64_t network_config_latency_ps(const struct network_config *config, uint32_t type) {
    int64_t own = type < NETWORK_CHANNEL_KINDS
                      ? 0
                      : config->more_locals[type - NETWORK_CHANNEL_KINDS].latency_ps;
    return own > 0 ? own : config->channels[network_kind_of_channel_type(type)].latency_ps;
}

int64_t network_config_fastest_local_bytes_per_s(const struct network_config *config) {
    struct group_shape group = network_config_group(config);
    int64_t fastest = 0;
    for (uint32_t type = 0; type < group_shape_local_types(&group); type++) {
        int64_t bandwidth =
            network_config_raw_bytes_per_s(config, network_local_channel_type(type));
        if (bandwidth > fastest) fastest = bandwidth;
    }
    return fastest;
}

int64_t network_config_local_unit_bytes_per_s(const struct network_config *config) {
    struct group_shape group = network_config_group(config);
    uint64_t unit = 0;
    for (uint32_t type = 0; type < group_shape_local_types(&group); type++)
        unit = greatest_common_divisor(unit, (uint64_t)network_config_raw_bytes_per_s(
                                                 config, network_local_channel_type(type)));
    return (int64_t)unit;
}
