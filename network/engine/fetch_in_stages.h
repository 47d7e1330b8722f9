/*
 * Prefetches what coming events touch on machines that are much larger than caches. It takes three
 * stages, because a later stage finds its addresses in what an earlier one has prefetched. These
 * functions change no state.
 *
 * An event ahead may be one that has already been handled (event_queue_ahead), and its packet may
 * since have been replaced by another one. Then the prefetch is useless, but harmless.
 */
#ifndef ANAX_NETWORK_FETCH_IN_STAGES_H
#define ANAX_NETWORK_FETCH_IN_STAGES_H

#include "core/base/prefetch.h"
#include "network/engine/exchange/group_exchange.h"
#include "network/engine/flow_control/requests.h"
#include "network/engine/state/fetch_ahead.h"
#include "network/routing/routing.h"

/* How many events ahead each stage looks. */
enum { FETCH_FIRST = 7, FETCH_SECOND = 5, FETCH_THIRD = FETCH_DISTANCE };
static_assert(FETCH_FIRST < EVENT_AHEAD, "event_queue_ahead looks no further");

/* Returns the mailbox that takes the credit of a packet in an input VC; NULL: the credit stays in
 * the group. */
PREFETCH_FUNCTION const struct network_mailbox *
fetch_mailbox(const struct rail_group *rail_group, const struct network_input_position *position) {
    if (!position->is_global) return NULL;
    return &rail_group->sender->boxes[rail_group->wiring.peer_group[position->global_link]];
}

/* Returns the first input VC that requests the output of a wake-up; NULL: none, or the event is no
 * wake-up of an output that allocates for itself. */
PREFETCH_FUNCTION const struct network_input_vc *
fetch_requester(const struct rail_group *rail_group, const struct network_hop_features *features,
                uint64_t event) {
    const struct network *network = rail_group->network;
    const uint32_t output = NETWORK_EVENT_WHERE(event),
                   words = network_request_words(network, features);
    if (NETWORK_EVENT_KIND(event) != NETWORK_EVENT_WAKE || output >= network->tables.ports ||
        features->allocates_by_router)
        return NULL;
    const uint64_t *bits = &rail_group->allocation.request_bits[(size_t)output * words];
    for (uint32_t word = 0; word < words; word++)
        if (bits[word] != 0)
            return &rail_group->input_vcs[network->tables.wiring[output].first_port_vc + word * 64 +
                                          (uint32_t)__builtin_ctzll(bits[word])];
    return NULL;
}

/* Prefetches for an arrival the input VC, the packet, and where its credit goes; for a timer the
 * NIC; for a wake-up the output and its requests. */
PREFETCH_FUNCTION void fetch_first_stage(const struct rail_group *rail_group,
                                         const struct network_hop_features *features) {
    const struct network *network = rail_group->network;
    const uint64_t ahead = event_queue_ahead(&rail_group->events, FETCH_FIRST);
    const uint32_t where = NETWORK_EVENT_WHERE(ahead);
    if (NETWORK_EVENT_KIND(ahead) == NETWORK_EVENT_ENTER_VC) {
        const struct network_input_position *position = &network->tables.positions[where];
        fetch_ahead(rail_group, FETCH_FIRST);
        if (position->is_global)
            __builtin_prefetch(fetch_mailbox(rail_group, position), 1);
        else
            __builtin_prefetch(&rail_group->output_vcs[position->peer], 1);
    } else if (NETWORK_EVENT_KIND(ahead) == NETWORK_EVENT_FREE_TIMER) {
        fetch_sender(rail_group, where);
        if (network->prefetching.timer_items != NULL)
            __builtin_prefetch(network->prefetching.timer_items +
                                   where * network->prefetching.timer_item_bytes,
                               1);
    } else if (NETWORK_EVENT_KIND(ahead) == NETWORK_EVENT_WAKE) {
        __builtin_prefetch(&rail_group->outputs[where], 1);
        __builtin_prefetch(&rail_group->output_vcs[(size_t)where * network->vcs.per_port], 1);
        __builtin_prefetch(&rail_group->output_vcs[(size_t)where * network->vcs.per_port +
                                                   network->vcs.per_port - 1],
                           1);
        if (where >= network->tables.ports)
            __builtin_prefetch(&rail_group->nics[where - network->tables.ports], 1);
        else if (!features->allocates_by_router)
            __builtin_prefetch(
                &rail_group->allocation
                     .request_bits[(size_t)where * network_request_words(network, features)],
                1);
    }
}

/* Prefetches for an arrival the end of the mailbox that takes its credit; for a wake-up the first
 * input VC that requests the output, the output VC to which its credit returns, and the output's
 * pointers of round robin. */
PREFETCH_FUNCTION void fetch_second_stage(const struct rail_group *rail_group,
                                          const struct network_hop_features *features) {
    const uint64_t ahead = event_queue_ahead(&rail_group->events, FETCH_SECOND);
    if (NETWORK_EVENT_KIND(ahead) == NETWORK_EVENT_ENTER_VC) {
        const struct network_mailbox *box = fetch_mailbox(
            rail_group, &rail_group->network->tables.positions[NETWORK_EVENT_WHERE(ahead)]);
        if (box != NULL) __builtin_prefetch(box->crossing_events + box->used, 1);
        return;
    }
    const struct network_input_vc *requester = fetch_requester(rail_group, features, ahead);
    if (requester == NULL) return;
    __builtin_prefetch(requester, 1);
    __builtin_prefetch(&rail_group->output_vcs[input_vc_position(rail_group, requester)->peer], 1);
    if (rail_group->allocation.round_robin != NULL)
        __builtin_prefetch(&rail_group->allocation.round_robin[(size_t)NETWORK_EVENT_WHERE(ahead) *
                                                               rail_group->network->vcs.per_port],
                           1);
}

/* Prefetches for an arrival the output that the packet will request, if its path is decided; for a
 * wake-up the packet that requests the output. */
PREFETCH_FUNCTION void fetch_third_stage(const struct rail_group *rail_group,
                                         const struct network_hop_features *features) {
    const struct network *network = rail_group->network;
    const uint64_t ahead = event_queue_ahead(&rail_group->events, FETCH_THIRD);
    const struct network_input_vc *requester = fetch_requester(rail_group, features, ahead);
    if (requester != NULL && requester->first != NETWORK_NONE)
        __builtin_prefetch(&rail_group->packets.items[requester->first], 1);
    if (NETWORK_EVENT_KIND(ahead) != NETWORK_EVENT_ENTER_VC ||
        NETWORK_EVENT_WHAT(ahead) >= rail_group->packets.used)
        return;
    const struct network_packet *packet = &rail_group->packets.items[NETWORK_EVENT_WHAT(ahead)];
    if ((packet->flags & (NETWORK_PACKET_ROUTED | NETWORK_PACKET_TO_INTERMEDIATE)) !=
        NETWORK_PACKET_ROUTED)
        return;
    const struct network_input_position *position =
        &network->tables.positions[NETWORK_EVENT_WHERE(ahead)];
    request_fetch(rail_group, features, position,
                  routing_port_ahead(rail_group, position->router, packet), packet->vc_class);
}

PREFETCH_FUNCTION void fetch_in_stages(const struct rail_group *rail_group,
                                       const struct network_hop_features *features) {
    fetch_first_stage(rail_group, features);
    fetch_second_stage(rail_group, features);
    fetch_third_stage(rail_group, features);
}

#endif
