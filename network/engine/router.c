/*
 * Routers: input-queued, virtual cut-through, one FIFO per (input port, VC).
 *
 * Within a time stamp, arrivals and wake-ups only mark; then everything marked is routed and
 * allocated in ascending order of its number. So the result does not depend on the order of
 * simultaneous events, and arbitration sees all that ask at a time.
 *
 * Here: buffers, routing of heads, the allocator of the ideal crossbar (each output decides for
 * itself) and the transfer itself. separable.c has the allocator for crossbars with busy inputs.
 */
#include "network/engine/router.h"

#include "core/hints.h"
#include "network/engine/events.h"
#include "network/engine/sleepers.h"
#include "network/routing/round_trips.h"
#include "network/routing/routing.h"
#include "network/routing/saturation.h"

void router_wake(network_domain *domain, uint32_t number, int64_t time_ps) {
    output *out = &domain->outputs[number];
    if (out->wake_ps > domain->now_ps && out->wake_ps <= time_ps) return;
    out->wake_ps = time_ps;
    event_queue_insert(&domain->events, time_ps, NETWORK_EVENT(NETWORK_WAKE, 0, number));
}

/* Its bit is set while a lane asks; this changes it. */
static inline void turn_request(network_domain *domain, const buffer *asking) {
    domain->request_bits[asking->request / 64] ^= UINT64_C(1) << (asking->request % 64);
}

/* Marks an output to be looked at in this time stamp. */
void router_mark(network_domain *domain, uint32_t output) {
    if (domain->input_free_ps != NULL && output < domain->network->ports) {
        if (domain->sleepers != NULL) sleepers_wake(domain, output);
        output = domain->network->places[output].router;
    }
    bitset_add(&domain->pending, output);
}

/* For policies that need more than an output's waiting_bytes: so many more wait, or less. */
APART static void note_request(network_domain *domain, const buffer *asking, int64_t bytes) {
    if (domain->saturation != NULL &&
        domain->network->places[asking->output].level == NETWORK_GLOBAL)
        saturation_count_waiting(domain, asking->output_lane, bytes);
    if (domain->vc_waiting_bytes != NULL)
        domain->vc_waiting_bytes[asking->output_lane] += (uint32_t)bytes;
}

/* What a transfer takes and gives back. */
typedef struct transfer_space {
    uint32_t taken_bytes; /* of the next buffer */
    uint32_t freed_bytes; /* of the buffer that the packet leaves … */
    int64_t delay_ps;     /* … and how much later than it leaves the credit is given back */
} transfer_space;

/* A transfer, for all that want to know more of it than the output does. In the ring, whose safety
 * is counted in packets, every one takes as much as the largest. */
static inline void note_transfer(network_domain *domain, const buffer *from, packet *packet,
                                 transfer_space *space) {
    const network *network = domain->network;
    uint32_t number = from->output;
    uint32_t out_lane = from->output_lane;
    if (domain->served != NULL) arbiter_stamp(domain, from);
    if (network->depart != NULL) network->depart(domain, from, packet);
    if (packet->output_vc == network->ring_vc) space->taken_bytes = network->full_packet_bytes;
    if (from->vc == network->ring_vc) space->freed_bytes = network->full_packet_bytes;
    if (domain->vc_waiting_bytes != NULL) domain->vc_waiting_bytes[out_lane] -= from->size_bytes;
    if (domain->saturation != NULL && !network->config.ugal_waiting)
        saturation_count_sent(domain, out_lane, from->size_bytes);
    if (domain->round_trips == NULL || network->places[number].level == NETWORK_TERMINAL) return;
    int64_t delay_ps = round_trips_delay_ps(domain, number, out_lane - number * network->vcs);
    round_trips_sent(domain, out_lane);
    if (from->level == NETWORK_LOCAL) space->delay_ps = delay_ps;
}

/* The first packet of a lane asks for its output. Returns the number of the allocator to be marked:
 * the output's own, or where routers allocate as a whole, the router's. */
static inline uint32_t ask(network_domain *domain, buffer *buffer, const packet *packet) {
    const network *network = domain->network;
    uint32_t size_bytes = packet->size_bytes;
    uint32_t first = buffer->router * network->topology.radix;
    uint32_t number = first + packet->output_port;
    bool whole_router = domain->input_free_ps != NULL;
    output *out = &domain->outputs[number];
    buffer->output = number;
    buffer->output_lane = number * network->vcs + packet->output_vc;
    /* By the time it is granted, what that takes and gives back will have come near. */
    __builtin_prefetch(&domain->lanes[buffer->output_lane], 1);
    __builtin_prefetch(&domain->rail[buffer->peer_group].lanes[buffer->peer], 1);
    buffer->size_bytes = size_bytes;
    buffer->early_ps = router_early_ps(network, number, size_bytes);
    if (whole_router) {
        __builtin_prefetch(&domain->input_free_ps[buffer->input]);
    } else {
        buffer->request = number * network->request_words * 64 + buffer->bit;
    }
    turn_request(domain, buffer);
    out->requests++;
    out->waiting_bytes += size_bytes;
    if (network->needs != 0) note_request(domain, buffer, size_bytes);
    return whole_router ? buffer->router : number;
}

void router_ask(network_domain *domain, uint32_t lane) {
    buffer *buffer = &domain->buffers[lane];
    ask(domain, buffer, &domain->packets.items[buffer->first]);
}

/* The opposite of ask. */
static inline void take_back(network_domain *domain, const buffer *buffer) {
    output *out = &domain->outputs[buffer->output];
    turn_request(domain, buffer);
    out->waiting_bytes -= buffer->size_bytes;
    out->requests--;
    if (domain->network->needs != 0) note_request(domain, buffer, -(int64_t)buffer->size_bytes);
}

/* When nobody waits for an output's credits any longer. */
static inline void end_stall(network_domain *domain, uint32_t number) {
    output *out = &domain->outputs[number];
    if (out->requests > 0 || out->blocked_ps == EVENT_NEVER) return;
    if (out->blocked_ps < domain->now_ps)
        domain->stalled_ps[number] += domain->now_ps - out->blocked_ps;
    out->blocked_ps = EVENT_NEVER;
}

void router_withdraw(network_domain *domain, uint32_t lane) {
    const buffer *buffer = &domain->buffers[lane];
    take_back(domain, buffer);
    end_stall(domain, buffer->output);
}

/* Routes the first packet of a lane and lets it ask for its output. */
static inline void route_head(network_domain *domain, buffer *buffer) {
    packet *packet = &domain->packets.items[buffer->first];
    routing_route(domain, buffer->router, packet);
    bitset_add(&domain->pending, ask(domain, buffer, packet));
}

/* A packet at its source router whose way hangs on queues is decided on again a cycle later, if it
 * still waits then. So often that it matters, and no more: a network in which nothing else happens
 * must come to an end. */
APART static void come_back(network_domain *domain, uint32_t lane, bool first) {
    const network *network = domain->network;
    const packet *packet = &domain->packets.items[domain->buffers[lane].first];
    if (packet->routers > 0 || packet->target_group == domain->index) return;
    domain->decisions[lane] = first ? 0 : domain->decisions[lane] + 1;
    if (domain->decisions[lane] >= (uint64_t)network->config.reroute) return;
    event_queue_insert(&domain->events, domain->now_ps + network->cycle_ps,
                       NETWORK_EVENT(NETWORK_AGAIN, packet->number, lane));
}

void router_again(network_domain *domain, uint32_t lane, uint32_t number) {
    uint32_t first = domain->buffers[lane].first;
    if (first != NONE && domain->packets.items[first].number == number)
        bitset_add(&domain->heads, lane);
}

/* Decides anew on a packet that asks for an output. An output that it keeps asking for is not to
 * be looked at for that. */
APART static void route_again(network_domain *domain, uint32_t lane) {
    buffer *buffer = &domain->buffers[lane];
    packet *packet = &domain->packets.items[buffer->first];
    uint32_t before = buffer->output_lane, output_before = buffer->output;
    take_back(domain, buffer);
    routing_forget(domain->network, packet);
    routing_route(domain, buffer->router, packet);
    uint32_t allocator = ask(domain, buffer, packet);
    if (buffer->output_lane != before) {
        end_stall(domain, output_before);
        bitset_add(&domain->pending, allocator);
    }
    come_back(domain, lane, false);
}

/* Heads whose way hangs on queues: new ones, and those to be decided on anew. */
static inline void route_waiting(network_domain *domain, uint32_t lane) {
    if (domain->decisions == NULL) {
        route_head(domain, &domain->buffers[lane]);
        return;
    }
    const packet *packet = &domain->packets.items[domain->buffers[lane].first];
    if (packet->routers == 0 && packet->flags & (PACKET_ROUTED | PACKET_TENTATIVE)) {
        route_again(domain, lane);
    } else {
        route_head(domain, &domain->buffers[lane]);
        come_back(domain, lane, true);
    }
}

/* The first packet of a lane may ask from now on. Packets whose way hangs on the state of queues
 * are routed in order of their lanes when all events of this time have been seen. */
static inline void head(network_domain *domain, buffer *buffer) {
    const packet *packet = &domain->packets.items[buffer->first];
    if (routing_reads_state(domain->network, packet)) {
        bitset_add(&domain->heads, (uint32_t)(buffer - domain->buffers));
    } else {
        route_head(domain, buffer);
    }
}

void router_head(network_domain *domain, uint32_t lane) {
    head(domain, &domain->buffers[lane]);
}

/* A packet has become first in its buffer at now_ps. */
static inline void become_first(network_domain *domain, buffer *buffer) {
    if (buffer->eligible_ps > domain->now_ps) {
        event_queue_insert(&domain->events, buffer->eligible_ps,
                           NETWORK_EVENT(NETWORK_HEAD, 0, (uint32_t)(buffer - domain->buffers)));
    } else {
        head(domain, buffer);
    }
}

void router_arrival(network_domain *domain, uint32_t lane, uint32_t packet) {
    buffer *buffer = &domain->buffers[lane];
    domain->packets.items[packet].next = NONE;
    if (buffer->first == NONE) {
        buffer->first = buffer->last = packet;
        become_first(domain, buffer);
    } else {
        domain->packets.items[buffer->last].next = packet;
        buffer->last = packet;
    }
}

/* Gives the space a packet leaves at released_ps back to whoever filled it. */
static inline void release(network_domain *domain, buffer *buffer, int64_t released_ps,
                           uint32_t bytes) {
    const network *network = domain->network;
    if (released_ps < buffer->released_ps) released_ps = buffer->released_ps;
    buffer->released_ps = released_ps;
    int64_t back_ps = released_ps + network->latency_ps[buffer->level];
    exchange_credit(domain, buffer->peer_group, buffer->peer, bytes, back_ps);
}

/* The packet's head leaves an output at start_ps, its tail at end_ps: to the next buffer or out. */
static inline void forward(network_domain *domain, const place *place, uint32_t index,
                           int64_t start_ps, int64_t end_ps) {
    const network *network = domain->network;
    int64_t latency_ps = network->latency_ps[place->level];
    if (place->level == NETWORK_TERMINAL) {
        nic_receive(domain, index, end_ps + latency_ps);
        return;
    }
    packet *packet = &domain->packets.items[index];
    uint32_t vc = packet->output_vc;
    int64_t ready_ps = start_ps + latency_ps + network->hop_ps;
    packet->ready_ps = ready_ps;
    packet->tail_ps = end_ps + latency_ps;
    if (place->level == NETWORK_LOCAL) {
        event_queue_insert(&domain->events, ready_ps,
                           NETWORK_EVENT(NETWORK_ARRIVAL, index, place->peer_lane + vc));
        return;
    }
    packet->vc = (uint8_t)(vc + 1);
    packet->via = NO_LINK; /* a link of the group it has left */
    exchange_packet(domain, domain->peer_domain[place->peer_lane],
                    domain->peer_port[place->peer_lane] * network->vcs + vc, index, ready_ps);
}

/* When the packet has left the input for good: with output buffers, when it is through the
 * crossbar; else with its tail on the channel. */
static inline int64_t crossbar_done_ps(const network *network, output *out, const packet *packet,
                                       int64_t now_ps, int64_t end_ps) {
    if (!network->output_buffered) return end_ps;
    if (network->crossbar_bandwidth == 0)
        return now_ps < packet->tail_ps ? packet->tail_ps : now_ps;
    int64_t done_ps = now_ps;
    done_ps += packet->size_bytes == network->full_packet_bytes
                   ? network->crossbar_full_ps
                   : serialization_ps(packet->size_bytes, network->crossbar_bandwidth);
    if (done_ps < packet->tail_ps) done_ps = packet->tail_ps;
    out->crossbar_ps = done_ps;
    return done_ps;
}

void router_transfer(network_domain *domain, buffer *buffer) {
    const network *network = domain->network;
    uint32_t number = buffer->output;
    output *out = &domain->outputs[number];
    const place *place = &network->places[number];
    struct lane *out_lane = &domain->lanes[buffer->output_lane];
    uint32_t index = buffer->first;
    packet *packet = &domain->packets.items[index];
    uint32_t size_bytes = buffer->size_bytes;
    int64_t now_ps = domain->now_ps;
    turn_request(domain, buffer);

    int64_t start_ps = out->free_ps > now_ps ? out->free_ps : now_ps;
    int64_t end_ps = start_ps + channel_ps(network, place->level, size_bytes);
    if (end_ps < packet->tail_ps) end_ps = packet->tail_ps;
    if (out->blocked_ps != EVENT_NEVER) {
        if (out->blocked_ps < now_ps) domain->stalled_ps[number] += now_ps - out->blocked_ps;
        out->blocked_ps = EVENT_NEVER;
    }
    out->requests--;
    out->waiting_bytes -= size_bytes;
    out->free_ps = end_ps;
    out->packets++;
    out->bytes += size_bytes;
    out->busy_ps += end_ps - start_ps;
    domain->totals.packet_hops++;
    packet->routers = (uint8_t)(packet->routers + (packet->routers < UINT8_MAX));
    transfer_space space = {size_bytes, size_bytes, 0};
    if (!network->plain) note_transfer(domain, buffer, packet, &space);
    if (domain->sleepers != NULL) sleepers_wake(domain, number);
    int64_t released_ps = crossbar_done_ps(network, out, packet, now_ps, end_ps);
    int64_t eligible_ps = now_ps + network->config.allocation_latency_ps;
    out_lane->free_ps = eligible_ps;
    if (network->config.crossbar == NETWORK_CROSSBAR_INPUT) {
        domain->input_free_ps[buffer->input] = released_ps;
    } else if (network->config.crossbar == NETWORK_CROSSBAR_VC) {
        domain->input_free_ps[buffer->input] = now_ps + network->cycle_ps;
        if (eligible_ps < released_ps) eligible_ps = released_ps;
    }
    if (place->level != NETWORK_TERMINAL) out_lane->credits_bytes -= (int32_t)space.taken_bytes;
    buffer->eligible_ps = eligible_ps;
    buffer->first = packet->next;
    if (buffer->first != NONE) become_first(domain, buffer);
    if (network->config.release == NETWORK_RELEASE_HEAD) released_ps = now_ps;
    release(domain, buffer, released_ps + space.delay_ps, space.freed_bytes);
    forward(domain, place, index, start_ps, end_ps);
}

/* Whether a lane's first packet can go now; else *wake_ps is moved forward to when it may. */
static inline bool can_go(network_domain *domain, const buffer *asking, int64_t *wake_ps) {
    int64_t at_ps = router_accepts_ps(domain, asking);
    if (at_ps <= domain->now_ps) {
        if (router_has_credits(domain, asking)) return true;
        router_note_stall(domain, asking->output);
        at_ps = credits_time(domain, asking->output_lane, asking->size_bytes);
    }
    if (at_ps < *wake_ps) *wake_ps = at_ps;
    return false;
}

/* The lane that wins an output of the ideal crossbar, or NULL; then *wake_ps is when it may be
 * worth looking again. */
static buffer *choose(network_domain *domain, uint32_t number, int64_t *wake_ps) {
    const network *network = domain->network;
    buffer *first = &domain->buffers[network->places[number].first_lane];
    buffer *best = NULL;
    bool several = false;
    const uint64_t *words = &domain->request_bits[(size_t)number * network->request_words];
    for (size_t word = 0; word < network->request_words; word++) {
        for (uint64_t bits = words[word]; bits != 0; bits &= bits - 1) {
            buffer *asking = first + word * 64 + __builtin_ctzll(bits);
            if (!can_go(domain, asking, wake_ps)) continue;
            several = best != NULL;
            best = several ? arbiter_better(domain, best, asking) : asking;
        }
    }
    if (several) arbiter_pass_turn(domain, best);
    return best;
}

/* The same when only one lane asks. */
static inline buffer *only_request(network_domain *domain, uint32_t number, int64_t *wake_ps) {
    const network *network = domain->network;
    const uint64_t *words = &domain->request_bits[(size_t)number * network->request_words];
    size_t word = 0;
    while (words[word] == 0)
        word++;
    buffer *asking = &domain->buffers[network->places[number].first_lane] + word * 64 +
                     __builtin_ctzll(words[word]);
    return can_go(domain, asking, wake_ps) ? asking : NULL;
}

/* The ideal crossbar: an output takes from any inputs at once, as fast as it can send. */
static void allocate_output(network_domain *domain, uint32_t number) {
    output *out = &domain->outputs[number];
    bool buffered = domain->network->output_buffered;
    while (out->requests > 0) {
        if (!buffered && out->free_ps > domain->now_ps) {
            router_wake(domain, number, out->free_ps);
            return;
        }
        int64_t wake_ps = EVENT_NEVER;
        buffer *granted = out->requests == 1 ? only_request(domain, number, &wake_ps)
                                             : choose(domain, number, &wake_ps);
        if (granted == NULL) {
            if (wake_ps != EVENT_NEVER) router_wake(domain, number, wake_ps);
            return;
        }
        router_transfer(domain, granted);
    }
}

static inline void allocate_marked(network_domain *domain, uint32_t number) {
    const network *network = domain->network;
    if (number >= network->ports) {
        nic_inject(domain, number - network->ports);
    } else if (domain->input_free_ps != NULL) {
        separable_allocate(domain, number);
    } else {
        allocate_output(domain, number);
    }
}

void router_allocate(network_domain *domain) {
    for (;;) {
        for (uint32_t lane; (lane = bitset_pop(&domain->heads)) != NONE;)
            route_waiting(domain, lane);
        uint32_t word;
        uint64_t bits = bitset_pop_word(&domain->pending, &word);
        if (bits == 0) break;
        for (; bits != 0; bits &= bits - 1)
            allocate_marked(domain, word * 64 + (uint32_t)__builtin_ctzll(bits));
    }
    if (domain->saturation != NULL) saturation_settle(domain);
}
