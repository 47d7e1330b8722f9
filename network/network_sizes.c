/*
 * What packets occupy on channels: bytes with headers, cells and flits, and the bandwidth that
 * framing leaves. Sources and equations: docs/model.md, 1.
 */
#include "network/network_config.h"

#include "core/units.h"

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

wide network_config_message_bytes(const struct network_config *config, uint64_t size_bytes) {
    uint64_t most = (uint64_t)config->packet_bytes;
    uint64_t before_last = size_bytes > 0 ? (size_bytes - 1) / most : 0;
    int64_t last = (int64_t)(size_bytes - before_last * most);
    return (wide)before_last * (uint64_t)network_config_full_bytes(config) +
           (uint64_t)network_config_packet_bytes(config, last);
}

int64_t network_config_bandwidth(const struct network_config *config, network_level level) {
    int64_t share = config->level[level].framing;
    return (int64_t)((__int128)config->level[level].bandwidth_bytes_per_s *
                     units_share_part(share) / units_share_whole(share));
}
