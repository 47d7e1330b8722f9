/*
 * NICs cut messages into packets; the messages of an endpoint take turns packet by packet, those of
 * several traffic classes as class_shares.h says.
 */
#include "network/engine/nic/nic.h"

#include "core/base/compiler_hints.h"
#include "network/engine/flow_control/class_shares.h"
#include "network/engine/flow_control/credits.h"
#include "network/engine/flow_control/wakeups.h"
#include "network/engine/measurement/history.h"
#include "network/engine/measurement/labels.h"
#include "network/engine/measurement/packet_trails.h"
#include "network/engine/measurement/statistics.h"
#include "network/engine/measurement/watch.h"
#include "network/engine/nic/acknowledgements.h"
#include "network/engine/nic/nic_classes.h"
#include "network/engine/nic/nic_host.h"
#include "network/engine/nic/nic_responses.h"
#include "network/engine/nic/nic_windows.h"
#include "network/engine/nic/rails.h"
#include "network/engine/state/channel_times.h"
#include "network/engine/state/events.h"
#include "network/engine/state/packet_pool.h"

HINT_NOINLINE void nic_hand_in(struct rail_group *home, uint32_t message_index) {
    const struct network *network = home->network;
    struct network_message_record *message = &home->messages.items[message_index];
    uint32_t endpoint = message->source - home->group * network->topology.endpoints_per_group;
    home->nics[home->nics[endpoint].first_nic].queued_messages++;
    if (nic_choice_has_stripes(network, message->size_bytes)) {
        nic_choice_hand_in_stripes(home, message_index);
        return;
    }
    if (network->nics.is_chosen_by_queue) nic_choice_take_shortest_queue(home, message);
    nic_hand_in_whole(home, message_index);
}

void nic_hand_in_whole(struct rail_group *home, uint32_t message_index) {
    if (home->network->rails.count == 1)
        nic_enqueue(home, message_index);
    else
        rails_hand_in(home, message_index);
}

void nic_enqueue(struct rail_group *rail_group, uint32_t message_index) {
    const struct network *network = rail_group->network;
    struct network_message_record *message = &rail_group->messages.items[message_index];
    uint32_t endpoint = message->source - rail_group->group * network->topology.endpoints_per_group;
    nic_classes_append(rail_group, endpoint, message_index);
    if (network->nics.counts_queues) rail_group->queued_bytes[endpoint] += message->left_bytes;
    bitset_add(&rail_group->allocation.due_allocators, network->tables.ports + endpoint);
}

uint32_t network_waiting(const struct rail_group *rail_group, uint32_t node) {
    const struct network *network = rail_group->network;
    uint32_t endpoint = node_shape_endpoint(&network->topology.node_shape, node, 0);
    return rail_group->nics[endpoint - rail_group->group * network->topology.endpoints_per_group]
        .queued_messages;
}

/* Returns the injection VC of a message if the setting chooses it by destination. */
static uint32_t vc_of_destination(const struct network *network, uint32_t destination) {
    const struct topology *topology = &network->topology;
    uint64_t endpoints = (uint64_t)topology->endpoints_per_group * topology->groups;
    return (uint32_t)((uint64_t)destination * network->vcs.injection_count / endpoints);
}

/* Returns the VC of the NIC's channel for the next packet of a message. A message that has begun
 * keeps its VC; a destination may decide; otherwise the injection VCs of the message's virtual
 * network are tried from its `next_vc` on, which advances with every packet. NETWORK_NONE: no VC
 * has credits, and *wake_ps is when one may have them. */
static uint32_t choose_vc(struct rail_group *rail_group, uint32_t output,
                          const struct network_message_record *message,
                          const struct network_nic *nic, uint32_t size_bytes, int64_t *wake_ps) {
    const struct network *network = rail_group->network;
    uint32_t vcs = network->vcs.per_port;
    uint32_t injection = network->vcs.injection_count;
    uint32_t first = message->virtual_network * network->vcs.per_virtual_network;
    uint32_t port_vc = output * vcs + first;
    bool by_destination = network->config.nic_vc_choice == NETWORK_NIC_VC_DESTINATION;
    if (message->started || by_destination) {
        uint32_t vc =
            by_destination ? vc_of_destination(network, message->destination) : message->vc - first;
        if (credits_are_available(rail_group, &network->hop_features, port_vc + vc, size_bytes))
            return first + vc;
        *wake_ps = credits_at_ps(rail_group, port_vc + vc, size_bytes);
        return NETWORK_NONE;
    }
    uint32_t next = nic->next_vc[message->virtual_network];
    for (uint32_t i = 0; i < injection; i++) {
        if (credits_are_available(rail_group, &network->hop_features, port_vc + next, size_bytes))
            return first + next;
        next = next + 1 < injection ? next + 1 : 0;
    }
    *wake_ps = EVENT_NEVER;
    for (uint32_t vc = 0; vc < injection; vc++) {
        int64_t at_ps = credits_at_ps(rail_group, port_vc + vc, size_bytes);
        if (at_ps < *wake_ps) *wake_ps = at_ps;
    }
    return NETWORK_NONE;
}

/* Returns the bytes of a packet with so much payload. */
static inline uint32_t bytes_of(const struct network *network, uint32_t payload) {
    if (network->channels.rounds_sizes)
        return payload == network->config.packet_bytes
                   ? network->channels.full_packet_bytes
                   : (uint32_t)network_config_packet_bytes(&network->config, payload);
    uint32_t size_bytes = payload + (uint32_t)network->config.header_bytes;
    return size_bytes > 0 ? size_bytes : 1;
}

/* Returns the message record for the first packet. A message of a single packet gives its own
 * record, or NETWORK_NONE if the packet says all; other messages give a copy. */
static uint32_t record_for(struct rail_group *rail_group, uint32_t index, bool alone) {
    const struct network_message_record *message = &rail_group->messages.items[index];
    const struct network *network = rail_group->network;
    if (alone)
        return message->has_cookie || message->size_bytes == 0 || network->channels.rounds_sizes
                   ? index
                   : NETWORK_NONE;
    uint32_t copy = network_message_new(rail_group);
    if (copy == NETWORK_NONE) return NETWORK_NONE;
    struct network_message_record *record = &rail_group->messages.items[copy];
    *record = rail_group->messages.items[index];
    wide bytes = network_config_message_bytes(&network->config, record->size_bytes);
    record->wire_bytes = bytes < UINT64_MAX ? (uint64_t)bytes : UINT64_MAX;
    return copy;
}

/* Records a packet that a NIC sends in all state besides its output and its VC. */
HINT_NOINLINE static void record_injection(struct rail_group *rail_group, uint32_t endpoint,
                                           uint32_t virtual_network, uint32_t vc, uint32_t index,
                                           int64_t ser_ps) {
    const uint32_t bytes = rail_group->packets.items[index].size_bytes;
    uint32_t output = rail_group->network->tables.ports + endpoint;
    if (rail_group->observers.labels != NULL)
        labels_label_packet(rail_group, index, endpoint, virtual_network);
    if (rail_group->shared_free_bytes != NULL)
        credits_take_shared(rail_group, output * rail_group->network->vcs.per_port + vc, bytes);
    if (rail_group->observers.history != NULL)
        history_record_transmission(rail_group, output, bytes, rail_group->now_ps,
                                    rail_group->now_ps + ser_ps);
    if (rail_group->observers.watch != NULL)
        watch_record_transmission(rail_group, output, index, rail_group->now_ps,
                                  rail_group->now_ps + ser_ps);
}

/* Sends a packet at now_ps by a VC of the NIC's channel. The caller has filled in its message and
 * its size, and counted it. */
static inline void inject_packet(struct rail_group *rail_group, uint32_t endpoint,
                                 uint32_t virtual_network, uint32_t vc, uint32_t size_bytes,
                                 uint32_t index) {
    const struct network *network = rail_group->network;
    const struct topology *topology = &network->topology;
    struct network_packet *packet = &rail_group->packets.items[index];
    uint32_t router = divisor_quotient(topology->endpoints_per_router_divisor, packet->destination);
    uint32_t group = divisor_quotient(topology->routers_per_group_divisor, router);
    struct network_nic *nic = &rail_group->nics[endpoint];
    packet->packet_number = rail_group->home->nics[endpoint].next_packet_number++;
    uint32_t next = nic->next_vc[virtual_network] + 1u;
    nic->next_vc[virtual_network] =
        (uint8_t)(next & -(uint32_t)(next < network->vcs.injection_count));
    packet->vc = (uint8_t)(virtual_network * network->vcs.per_virtual_network);
    packet->waypoint = NETWORK_NO_LINK;
    packet->target_group = (uint16_t)group;
    packet->target_router = (uint16_t)(router - group * topology->routers_per_group);
    packet->vc_class = network->routing.injection_class;
    packet->flags |= network->routing.injection_flags;
    packet->routers = 0;

    struct network_output *out = &rail_group->outputs[network->tables.ports + endpoint];
    int64_t ser_ps = channel_injection_ps(network, size_bytes);
    int64_t there_ps = rail_group->now_ps + network->channels.latency_ps[NETWORK_TERMINAL];
    packet->request_ps = there_ps + network->routers.delay_ps;
    packet->tail_ps = there_ps + ser_ps;
    out->free_ps = rail_group->now_ps + ser_ps;
    out->packets++;
    out->bytes += size_bytes;
    out->busy_ps += ser_ps;
    if (rail_group->tracks_injections)
        record_injection(rail_group, endpoint, virtual_network, vc, index, ser_ps);
    rail_group->output_vcs[(network->tables.ports + endpoint) * network->vcs.per_port + vc]
        .credits_bytes -= (int32_t)size_bytes;
    uint32_t input = network->tables.wiring[network->tables.ports + endpoint].peer_port_vc + vc;
    event_queue_insert(&rail_group->events, packet->request_ps,
                       NETWORK_EVENT(NETWORK_EVENT_ENTER_VC, index, input));
}

bool nic_send_at_once(struct rail_group *rail_group, int64_t ready_ps,
                      const struct network_message *sent, struct nic_endpoints pair) {
    const struct network *network = rail_group->network;
    const struct network_config *config = &network->config;
    const struct network_cookie *cookie = &sent->cookie;
    uint32_t endpoint = pair.source - rail_group->group * network->topology.endpoints_per_group;
    struct network_nic *nic = &rail_group->nics[endpoint];
    const struct network_output *out = &rail_group->outputs[network->tables.ports + endpoint];
    if (nic->first_message != NETWORK_NONE || out->free_ps > rail_group->now_ps ||
        ready_ps > rail_group->now_ps || sent->size_bytes == 0 ||
        sent->size_bytes > (uint64_t)config->packet_bytes || !network->nics.sends_at_once)
        return false;
    if ((cookie->word[0] | cookie->word[1] | cookie->word[2]) != 0 || sent->notify_sent ||
        out->stalled_since_ps != EVENT_NEVER || sent->source_node == sent->destination_node)
        return false;
    uint32_t size_bytes = (uint32_t)sent->size_bytes + (uint32_t)config->header_bytes;
    uint32_t vc = config->nic_vc_choice == NETWORK_NIC_VC_DESTINATION
                      ? vc_of_destination(network, pair.destination)
                      : nic->next_vc[0];
    if (!credits_are_available(rail_group, &network->hop_features,
                               (network->tables.ports + endpoint) * network->vcs.per_port + vc,
                               size_bytes))
        return false;
    uint32_t index = network_packet_new(rail_group);
    if (index == NETWORK_NONE) return false;
    struct network_packet *packet = &rail_group->packets.items[index];
    packet->ready_ps = ready_ps;
    packet->source = pair.source;
    packet->destination = pair.destination;
    packet->sequence = rail_group->nics[nic->first_nic].sequence++;
    packet->size_bytes = size_bytes;
    packet->message = NETWORK_NONE;
    packet->flags = NETWORK_PACKET_ALONE;
    rail_group->counts.started_messages++;
    rail_group->counts.accepted_packets++;
    rail_group->counts.accepted_bytes += sent->size_bytes;
    inject_packet(rail_group, endpoint, 0, vc, size_bytes, index);
    return true;
}

/* Removes the first message from the queue if it leaves; otherwise moves it to the end. */
static void rotate_queue(struct rail_group *rail_group, struct network_nic *nic, bool leaves) {
    uint32_t index = nic->first_message;
    uint32_t next = rail_group->messages.items[index].next;
    if (!leaves && next == NETWORK_NONE) return;
    nic->first_message = next;
    if (next == NETWORK_NONE) nic->last_message = NETWORK_NONE;
    if (leaves) return;
    rail_group->messages.items[index].next = NETWORK_NONE;
    rail_group->messages.items[nic->last_message].next = index;
    nic->last_message = index;
}

/* Records that all of a message, or of a stripe, has been handed to the channel.
 * Schedules the sink's notice if the message wants one. */
static void record_sent(struct rail_group *rail_group, uint32_t endpoint, uint32_t index) {
    struct rail_group *home = rail_group->home;
    const struct network_message_record *message = &rail_group->messages.items[index];
    int64_t sent_ps = rail_group->outputs[rail_group->network->tables.ports + endpoint].free_ps;
    uint32_t report = NETWORK_NONE;
    if (message->parent != NETWORK_NONE) {
        report = rails_end(rail_group, message->parent, &sent_ps);
        if (report == NETWORK_NONE) return;
    } else if (message->notify_sent) {
        report = network_message_new(home);
        if (report == NETWORK_NONE) return;
        home->messages.items[report] = rail_group->messages.items[index];
    }
    home->nics[home->nics[endpoint].first_nic].queued_messages--;
    if (report == NETWORK_NONE) return;
    message = &home->messages.items[report];
    if (!message->notify_sent) {
        network_message_free(home, report);
        return;
    }
    event_queue_insert_keyed(&home->events, sent_ps,
                             NETWORK_EVENT_KEY(NETWORK_EVENT_SENT, message->source),
                             message->sequence, report);
}

/* Sends one packet of the queue's first message at now_ps by a VC of the NIC's channel. */
static inline void send_packet(struct rail_group *rail_group, uint32_t endpoint, uint32_t vc,
                               uint32_t payload, uint32_t size_bytes, bool has_windows) {
    struct network_nic *nic = &rail_group->nics[endpoint];
    uint32_t index = network_packet_new(rail_group);
    uint32_t first = nic->first_message;
    struct network_message_record *message = &rail_group->messages.items[first];
    if (index == NETWORK_NONE) return;
    bool finished = message->left_bytes == payload;
    bool opening = !message->started;
    bool alone = opening && finished && message->parent == NETWORK_NONE;
    bool leading =
        opening && (message->parent == NETWORK_NONE || rails_begin(rail_group, message->parent));
    uint32_t record = leading ? record_for(rail_group, first, alone) : NETWORK_NONE;
    message = &rail_group->messages.items[first]; /* record_for may have moved the pool */
    struct network_packet *packet = &rail_group->packets.items[index];
    packet->ready_ps = message->ready_ps;
    packet->source = message->source;
    packet->destination = message->destination;
    packet->sequence = message->sequence;
    packet->size_bytes = size_bytes;
    packet->message = record;
    packet->flags = alone ? NETWORK_PACKET_ALONE : 0;
    message->started = true;
    message->vc = (uint8_t)vc;
    message->left_bytes -= payload;
    if (rail_group->network->nics.counts_queues) rail_group->queued_bytes[endpoint] -= payload;
    rail_group->counts.accepted_packets++;
    rail_group->counts.accepted_bytes += payload;
    inject_packet(rail_group, endpoint, message->virtual_network, vc, size_bytes, index);
    bool waits = false;
    if (has_windows)
        waits = nic_windows_send(rail_group, endpoint, message->destination, payload) && !finished;
    if (finished) record_sent(rail_group, endpoint, first);
    rotate_queue(rail_group, nic, finished || waits);
    if (waits) nic_windows_hold(rail_group, endpoint, first);
    if (finished && record != first) network_message_free(rail_group, first);
}

/* Returns the payload of a message's next packet. */
static inline uint32_t next_payload(const struct network *network,
                                    const struct network_message_record *message) {
    uint64_t max = (uint64_t)network->config.packet_bytes;
    return (uint32_t)(message->left_bytes < max ? message->left_bytes : max);
}

/* Returns whether the next packet of a virtual network's queue could leave at now_ps. If it could
 * not, lowers *wake_ps to the time at which it may. */
static bool could_send(struct rail_group *rail_group, uint32_t endpoint, uint32_t virtual_network,
                       int64_t *wake_ps) {
    const struct network *network = rail_group->network;
    uint32_t output = network->tables.ports + endpoint;
    const struct network_message_record *message =
        &rail_group->messages.items[nic_classes_first(rail_group, endpoint, virtual_network)];
    int64_t at_ps = class_shares_open_ps(rail_group, output, virtual_network);
    if (at_ps <= rail_group->now_ps) {
        uint32_t size_bytes = bytes_of(network, next_payload(network, message));
        at_ps = EVENT_NEVER;
        if (choose_vc(rail_group, output, message, &rail_group->nics[endpoint], size_bytes,
                      &at_ps) != NETWORK_NONE)
            return true;
        if (rail_group->outputs[output].stalled_since_ps == EVENT_NEVER)
            rail_group->outputs[output].stalled_since_ps = rail_group->now_ps;
    }
    if (at_ps < *wake_ps) *wake_ps = at_ps;
    return false;
}

/* Makes the queue of the traffic class that sends next the NIC's own queue. A message whose
 * overhead the NIC has begun to pay keeps its turn. Returns false if no class can send at now_ps;
 * the NIC is woken when one may. */
HINT_NOINLINE static bool select_class(struct rail_group *rail_group, uint32_t endpoint) {
    const struct network *network = rail_group->network;
    uint32_t output = network->tables.ports + endpoint, best = NETWORK_NONE;
    const struct network_output *out = &rail_group->outputs[output];
    if (out->overhead_state != NETWORK_OVERHEAD_DUE && out->free_ps <= rail_group->now_ps)
        return true;
    int64_t wake_ps = EVENT_NEVER;
    for (uint32_t i = 0; i < network->vcs.virtual_networks; i++) {
        if (nic_classes_first(rail_group, endpoint, i) == NETWORK_NONE) continue;
        if (out->free_ps > rail_group->now_ps) {
            wake_ps = out->free_ps;
            break;
        }
        if (could_send(rail_group, endpoint, i, &wake_ps) &&
            (best == NETWORK_NONE || class_shares_compare(rail_group, output, i, output, best) < 0))
            best = i;
    }
    if (best != NETWORK_NONE)
        nic_classes_make_current(rail_group, endpoint, best);
    else if (wake_ps != EVENT_NEVER)
        wakeup_set(rail_group, output, wake_ps);
    return best != NETWORK_NONE;
}

void nic_end_stall(struct rail_group *rail_group, uint32_t output) {
    struct network_output *out = &rail_group->outputs[output];
    if (out->stalled_since_ps == EVENT_NEVER) return;
    statistics_count_stall(rail_group, output, out->stalled_since_ps, rail_group->home->now_ps);
    out->stalled_since_ps = EVENT_NEVER;
}

/* Sends the packets that can leave at now_ps. Callers pass constants for has_host, has_windows and
 * has_classes where they are false, so that these limits cost nothing when they are off. */
static inline void inject(struct rail_group *rail_group, uint32_t endpoint, bool has_host,
                          bool has_windows, bool has_classes) {
    const struct network *network = rail_group->network;
    uint32_t output = network->tables.ports + endpoint;
    struct network_output *out = &rail_group->outputs[output];
    struct network_nic *nic = &rail_group->nics[endpoint];
    for (;;) {
        if (has_windows) nic_windows_release(rail_group, endpoint);
        if (has_host) nic_host_release(rail_group, endpoint);
        if (has_classes && !select_class(rail_group, endpoint)) {
            if (nic_classes_are_empty(rail_group, endpoint)) break;
            return;
        }
        if (nic->first_message == NETWORK_NONE) break;
        if (out->free_ps > rail_group->now_ps) {
            wakeup_set(rail_group, output, out->free_ps);
            return;
        }
        struct network_message_record *message = &rail_group->messages.items[nic->first_message];
        int64_t start_ps = rail_group->now_ps;
        bool begins = !message->started && out->overhead_state == NETWORK_OVERHEAD_DUE;
        uint32_t payload = next_payload(network, message);
        if (has_windows && out->overhead_state == NETWORK_OVERHEAD_DUE) {
            nic_admission admission = nic_windows_admit(rail_group, endpoint, payload);
            if (admission == NIC_CLOSED) {
                nic_end_stall(rail_group, output);
                nic_windows_record_idle(rail_group, endpoint);
                return;
            }
            if (admission == NIC_HELD) {
                nic_end_stall(rail_group, output);
                if (has_host) nic_host_forget(rail_group, endpoint);
                continue;
            }
        }
        if (has_host && begins && nic_host_hold_early(rail_group, endpoint)) continue;
        if (!message->started && network->config.nic_overhead_ps > 0 &&
            out->overhead_state == NETWORK_OVERHEAD_DUE) {
            /* The NIC is first busy with the overhead of a new message. */
            if (has_host) nic_host_begin(rail_group, endpoint);
            out->overhead_state = NETWORK_OVERHEAD_PAID;
            out->free_ps = start_ps + network->config.nic_overhead_ps;
            continue;
        }
        uint32_t size_bytes = bytes_of(network, payload);
        int64_t wake_ps = EVENT_NEVER;
        uint32_t vc = choose_vc(rail_group, output, message, nic, size_bytes, &wake_ps);
        if (vc == NETWORK_NONE) {
            if (out->stalled_since_ps == EVENT_NEVER) out->stalled_since_ps = rail_group->now_ps;
            if (wake_ps != EVENT_NEVER) wakeup_set(rail_group, output, wake_ps);
            return;
        }
        if (out->stalled_since_ps != EVENT_NEVER) {
            statistics_count_stall(rail_group, output, out->stalled_since_ps, start_ps);
            out->stalled_since_ps = EVENT_NEVER;
        }
        if (has_host && !nic_host_await_free(rail_group, endpoint)) return;
        if (has_host && begins) nic_host_begin(rail_group, endpoint);
        out->overhead_state = NETWORK_OVERHEAD_DUE;
        if (has_classes)
            class_shares_record(rail_group, output, message->virtual_network, size_bytes);
        send_packet(rail_group, endpoint, vc, payload, size_bytes, has_windows);
        if (has_host) nic_host_send(rail_group, endpoint, size_bytes);
        if (rail_group->failure.out_of_memory) return;
    }
    if (has_windows) nic_windows_record_idle(rail_group, endpoint);
    if (has_host) nic_host_await_gap(rail_group, endpoint);
}

void nic_inject(struct rail_group *rail_group, uint32_t endpoint) {
    inject(rail_group, endpoint, false, false, false);
}

/* Sends a NIC's first response at now_ps if its channel and a VC are free. While responses wait for
 * credits, the NIC sends data. */
HINT_NOINLINE static void respond(struct rail_group *rail_group, uint32_t endpoint) {
    const struct network *network = rail_group->network;
    uint32_t output = network->tables.ports + endpoint,
             first = rail_group->limits.responses[endpoint].first;
    struct network_output *out = &rail_group->outputs[output];
    if (first == NETWORK_NONE) return;
    if (out->free_ps > rail_group->now_ps) {
        wakeup_set(rail_group, output, out->free_ps);
        return;
    }
    const struct network_message_record *response = &rail_group->messages.items[first];
    uint32_t size_bytes = (uint32_t)response->wire_bytes;
    int64_t wake_ps = EVENT_NEVER;
    uint32_t vc =
        choose_vc(rail_group, output, response, &rail_group->nics[endpoint], size_bytes, &wake_ps);
    if (vc == NETWORK_NONE) {
        if (wake_ps != EVENT_NEVER) wakeup_set(rail_group, output, wake_ps);
        return;
    }
    uint32_t index = network_packet_new(rail_group);
    if (index == NETWORK_NONE) return;
    struct network_packet *packet = &rail_group->packets.items[index];
    packet->ready_ps = response->ready_ps;
    packet->source = response->source;
    packet->destination = response->destination;
    packet->sequence = response->sequence;
    packet->size_bytes = size_bytes;
    packet->message = first;
    packet->flags = 0;
    nic_responses_take(rail_group, endpoint);
    nic_end_stall(rail_group, output); /* of data */
    if (out->overhead_state != NETWORK_OVERHEAD_DUE)
        out->overhead_state = NETWORK_OVERHEAD_PAID_EARLY;
    inject_packet(rail_group, endpoint, response->virtual_network, vc, size_bytes, index);
    if (rail_group->limits.responses[endpoint].first != NETWORK_NONE)
        wakeup_set(rail_group, output, out->free_ps);
}

HINT_NOINLINE void nic_inject_within_limits(struct rail_group *rail_group, uint32_t endpoint) {
    if (rail_group->limits.responses != NULL) respond(rail_group, endpoint);
    inject(rail_group, endpoint, rail_group->limits.hosts != NULL,
           rail_group->limits.windows != NULL, rail_group->limits.shares != NULL);
}
