/* Adds the waits of messages to a table of channels. A full table makes room by the method of Misra
 * and Gries. */
#include "replay/engine/causes/chain_channels.h"

/* Subtracts the smallest time of a full table, or limit_ps if that is less, from all entries.
 * Returns what it has subtracted. */
static int64_t subtract_min(int64_t *times_ps, int64_t limit_ps) {
    int64_t min_ps = limit_ps;
    for (unsigned i = 0; i < CHAIN_CHANNELS; i++)
        if (times_ps[i] < min_ps) min_ps = times_ps[i];
    for (unsigned i = 0; i < CHAIN_CHANNELS; i++)
        times_ps[i] -= min_ps;
    return min_ps;
}

static void add_channel(int64_t *table, chain_channel_kind sort, uint32_t source,
                        uint32_t destination, int64_t time_ps) {
    int64_t *times_ps = &table[CHAIN_CHANNELS];
    const int64_t key =
        (int64_t)((uint64_t)sort << 62 | (uint64_t)source << 31 | (uint64_t)destination);
    while (time_ps > 0) {
        for (unsigned i = 0; i < CHAIN_CHANNELS; i++)
            if (table[i] == key && times_ps[i] != 0) {
                times_ps[i] += time_ps;
                return;
            }
        unsigned place = 0;
        while (place < CHAIN_CHANNELS && times_ps[place] != 0)
            place++;
        if (place < CHAIN_CHANNELS) {
            table[place] = key;
            times_ps[place] = time_ps;
            return;
        }
        time_ps -= subtract_min(times_ps, time_ps);
    }
}

void chain_channels_add(int64_t *table, const struct chain_message *message) {
    static const chain_channel_kind sorts[] = {CHAIN_EJECTION, CHAIN_LOCAL, CHAIN_GLOBAL};
    const struct network_time_parts *parts = &message->parts;
    const struct network_route *route = &parts->route;
    add_channel(table, CHAIN_NIC_WAITS, message->source_node, message->source_node,
                parts->nic_waiting_ps - parts->receiver_waiting_ps);
    for (uint32_t i = 0; i < route->count && i < NETWORK_ROUTE_MAX; i++) {
        const bool is_last = i + 1 == route->count;
        if (!is_last && i + 1 == NETWORK_ROUTE_MAX) break; /* the next router is not known */
        add_channel(table, sorts[parts->waits.kinds[i]], route->routers[i],
                    is_last ? message->destination_node : route->routers[i + 1],
                    parts->waits.waits_ps[i]);
    }
    add_channel(table, CHAIN_NIC_WAITS, message->destination_node, message->destination_node,
                parts->receiver_waiting_ps);
}

uint32_t chain_channels_list(const int64_t *table, struct chain_channel channels[CHAIN_CHANNELS]) {
    uint32_t count = 0;
    for (unsigned i = 0; i < CHAIN_CHANNELS; i++)
        if (table[CHAIN_CHANNELS + i] > 0)
            channels[count++] =
                (struct chain_channel){(uint64_t)table[i], table[CHAIN_CHANNELS + i]};
    return count;
}
