/*
 * Drops the messages that NICs have not begun to send. Responses are not dropped: they acknowledge
 * packets that have arrived.
 */
#include "network/network.h"

#include "network/engine/nic/nic.h"
#include "network/engine/nic/nic_classes.h"
#include "network/engine/nic/nic_host.h"
#include "network/engine/nic/nic_windows.h"
#include "network/engine/nic/rails.h"
#include "network/engine/state/packet_pool.h"

/* Drops the messages of a NIC's queue that it has not begun to send. Returns their number. */
static uint64_t abandon_queue(struct rail_group *rail_group, uint32_t endpoint) {
    struct rail_group *home = rail_group->home;
    struct network_nic *nic = &rail_group->nics[endpoint];
    uint64_t dropped = 0;
    uint32_t next = nic->first_message;
    nic->first_message = nic->last_message = NETWORK_NONE;
    while (next != NETWORK_NONE) {
        uint32_t index = next;
        next = rail_group->messages.items[index].next;
        uint32_t parent = rail_group->messages.items[index].parent;
        if (rail_group->messages.items[index].started ||
            (parent != NETWORK_NONE && home->messages.items[parent].started)) {
            nic_enqueue(rail_group, index);
        } else {
            network_message_free(rail_group, index);
            if (parent == NETWORK_NONE || rails_drop(home, parent)) {
                home->nics[home->nics[endpoint].first_nic].queued_messages--;
                dropped++;
            }
            /* overhead that the dropped message has paid does not count for the next one */
            rail_group->outputs[rail_group->network->tables.ports + endpoint].overhead_state =
                NETWORK_OVERHEAD_DUE;
        }
    }
    return dropped;
}

/* Drops the messages that the NICs of one rail have not begun to send. Returns their number; a
 * message in stripes counts in the rail of its last stripe. */
static uint64_t abandon_rail(struct rail_group *rail_group) {
    const struct network *network = rail_group->network;
    uint32_t queues = rail_group->limits.shares != NULL ? network->vcs.virtual_networks : 1;
    uint64_t dropped = 0;
    if (rail_group->limits.windows != NULL) nic_windows_release_all(rail_group);
    for (uint32_t endpoint = 0; endpoint < network->topology.endpoints_per_group; endpoint++) {
        struct network_nic *nic = &rail_group->nics[endpoint];
        bool empty = true;
        if (rail_group->limits.hosts != NULL) nic_host_release_all(rail_group, endpoint);
        if (rail_group->queued_bytes != NULL) rail_group->queued_bytes[endpoint] = 0;
        for (uint32_t i = 0; i < queues; i++) {
            if (rail_group->limits.shares != NULL)
                nic_classes_make_current(rail_group, endpoint, i);
            dropped += abandon_queue(rail_group, endpoint);
            empty = empty && nic->first_message == NETWORK_NONE;
        }
        if (empty) nic_end_stall(rail_group, network->tables.ports + endpoint);
    }
    return dropped;
}

uint64_t network_abandon(struct rail_group *rail_group) {
    uint64_t dropped = 0;
    for (uint32_t rail = 0; rail < rail_group->network->rails.count; rail++)
        dropped += abandon_rail(rail_group_in(rail_group, rail));
    rail_group->counts.started_messages -= dropped;
    return dropped;
}
