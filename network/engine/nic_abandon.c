/*
 * Drops the messages that NICs have not begun to send. Responses are not dropped: they acknowledge
 * packets that have arrived.
 */
#include "network/network.h"

#include "network/engine/nic.h"
#include "network/engine/nic_classes.h"
#include "network/engine/nic_host.h"
#include "network/engine/nic_windows.h"
#include "network/engine/packets.h"
#include "network/engine/rails.h"

/* Drops the messages of a NIC's queue that it has not begun to send. Returns their number. */
static uint64_t abandon_queue(struct network_domain *domain, uint32_t endpoint) {
    struct network_domain *home = domain->home;
    struct network_nic *nic = &domain->nics[endpoint];
    uint64_t dropped = 0;
    uint32_t next = nic->first_message;
    nic->first_message = nic->last_message = NETWORK_NONE;
    while (next != NETWORK_NONE) {
        uint32_t index = next;
        next = domain->messages.items[index].next;
        uint32_t parent = domain->messages.items[index].parent;
        if (domain->messages.items[index].started ||
            (parent != NETWORK_NONE && home->messages.items[parent].started)) {
            nic_enqueue(domain, index);
        } else {
            message_free(domain, index);
            if (parent == NETWORK_NONE || rails_drop(home, parent)) {
                home->nics[home->nics[endpoint].first_nic].waiting--;
                dropped++;
            }
            /* overhead that the dropped message has paid does not count for the next one */
            domain->outputs[domain->network->tables.ports + endpoint].overhead_state =
                NETWORK_OVERHEAD_DUE;
        }
    }
    return dropped;
}

/* Drops the messages that the NICs of one rail have not begun to send. Returns their number; a
 * message in parts counts in the rail of its last part. */
static uint64_t abandon_rail(struct network_domain *domain) {
    const struct network *network = domain->network;
    uint32_t queues = domain->limits.shares != NULL ? network->vcs.virtual_networks : 1;
    uint64_t dropped = 0;
    if (domain->limits.windows != NULL) nic_windows_release_all(domain);
    for (uint32_t endpoint = 0; endpoint < network->topology.endpoints_per_group; endpoint++) {
        struct network_nic *nic = &domain->nics[endpoint];
        bool empty = true;
        if (domain->limits.hosts != NULL) nic_host_release_all(domain, endpoint);
        if (domain->queued_bytes != NULL) domain->queued_bytes[endpoint] = 0;
        for (uint32_t i = 0; i < queues; i++) {
            if (domain->limits.shares != NULL) nic_classes_make_current(domain, endpoint, i);
            dropped += abandon_queue(domain, endpoint);
            empty = empty && nic->first_message == NETWORK_NONE;
        }
        if (empty) nic_end_stall(domain, network->tables.ports + endpoint);
    }
    return dropped;
}

uint64_t network_abandon(struct network_domain *domain) {
    uint64_t dropped = 0;
    for (uint32_t rail = 0; rail < domain->network->rails.count; rail++)
        dropped += abandon_rail(domain_of_rail(domain, rail));
    domain->counts.started_messages -= dropped;
    return dropped;
}
