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
#include "network/router.h"

#include "core/hints.h"
#include "network/routing/round_trips.h"
#include "network/routing/routing.h"
#include "network/routing/saturation.h"

void router_wake(network_domain *domain, uint32_t number, int64_t time_ps) {
    output *out = &domain->outputs[number];
    if (out->wake_ps > domain->now_ps && out->wake_ps <= time_ps) return;
    out->wake_ps = time_ps;
    event_queue_insert(&domain->events, time_ps, NETWORK_EVENT(NETWORK_WAKE, 0, number));
}

/* Where the allocator that grants a request keeps it. */
static inline uint64_t *request_word(network_domain *domain, const buffer *asking) {
    uint32_t row = domain->input_free_ps != NULL ? asking->router : asking->output;
    return &domain->request_bits[(size_t)row * domain->network->request_words + asking->bit / 64];
}

/* The number under which the allocator of an output is marked: its own, or with busy inputs that of
 * its router's first port. */
static inline uint32_t allocator_of(const network_domain *domain, const buffer *asking) {
    return domain->input_free_ps != NULL ? asking->router * domain->network->topology.radix
                                         : asking->output;
}

/* Marks an output to be looked at in this time stamp. */
void router_mark(network_domain *domain, uint32_t output) {
    if (domain->input_free_ps != NULL && output < domain->network->ports)
        output = domain->network->places[output].router * domain->network->topology.radix;
    bitset_add(&domain->pending, output);
}

/* For policies that need more than an output's waiting_bytes: so many more wait, or less. */
APART static void note_request(network_domain *domain, const buffer *asking, int64_t bytes) {
    const place *place = &domain->network->places[asking->output];
    if (domain->saturation != NULL && place->level == NETWORK_GLOBAL)
        saturation_count(domain, place->peer_lane, bytes);
    if (domain->vc_waiting_bytes != NULL)
        domain->vc_waiting_bytes[asking->output_lane] += (uint32_t)bytes;
}

/* The same when a packet of that size is granted an output lane; returns how much later than it
 * leaves its input lane its credit is given back. */
APART static int64_t note_grant(network_domain *domain, uint32_t output, uint32_t output_lane,
                                network_level from, uint32_t size_bytes) {
    if (domain->vc_waiting_bytes != NULL) domain->vc_waiting_bytes[output_lane] -= size_bytes;
    if (domain->round_trips == NULL || domain->network->places[output].level == NETWORK_TERMINAL)
        return 0;
    int64_t delay_ps =
        round_trips_delay_ps(domain, output, output_lane - output * domain->network->vcs);
    round_trips_sent(domain, output_lane);
    return from == NETWORK_LOCAL ? delay_ps : 0;
}

static inline void ask(network_domain *domain, buffer *buffer, const packet *packet) {
    const network *network = domain->network;
    uint32_t size_bytes = packet->size_bytes;
    uint32_t number = buffer->router * network->topology.radix + packet->output_port;
    output *out = &domain->outputs[number];
    buffer->output = number;
    buffer->output_lane = number * network->vcs + packet->output_vc;
    buffer->size_bytes = size_bytes;
    buffer->early_ps = router_early_ps(network, number, size_bytes);
    *request_word(domain, buffer) |= UINT64_C(1) << (buffer->bit % 64);
    out->requests++;
    out->waiting_bytes += size_bytes;
    if (network->policy->needs != 0) note_request(domain, buffer, size_bytes);
}

void router_ask(network_domain *domain, uint32_t lane) {
    buffer *buffer = &domain->buffers[lane];
    ask(domain, buffer, &domain->packets.items[buffer->first]);
}

/* The opposite of ask. */
static inline void take_back(network_domain *domain, const buffer *buffer) {
    output *out = &domain->outputs[buffer->output];
    *request_word(domain, buffer) &= ~(UINT64_C(1) << (buffer->bit % 64));
    out->waiting_bytes -= buffer->size_bytes;
    out->requests--;
    if (domain->network->policy->needs != 0)
        note_request(domain, buffer, -(int64_t)buffer->size_bytes);
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
static inline void route_head(network_domain *domain, uint32_t lane) {
    buffer *buffer = &domain->buffers[lane];
    packet *packet = &domain->packets.items[buffer->first];
    routing_route(domain, buffer->router, packet);
    ask(domain, buffer, packet);
    bitset_add(&domain->pending, allocator_of(domain, buffer));
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
    ask(domain, buffer, packet);
    if (buffer->output_lane != before) {
        end_stall(domain, output_before);
        bitset_add(&domain->pending, allocator_of(domain, buffer));
    }
    come_back(domain, lane, false);
}

/* Heads whose way hangs on queues: new ones, and those to be decided on anew. */
static inline void route_waiting(network_domain *domain, uint32_t lane) {
    if (domain->decisions == NULL) {
        route_head(domain, lane);
        return;
    }
    const packet *packet = &domain->packets.items[domain->buffers[lane].first];
    if (packet->routers == 0 && packet->flags & (PACKET_ROUTED | PACKET_TENTATIVE)) {
        route_again(domain, lane);
    } else {
        route_head(domain, lane);
        come_back(domain, lane, true);
    }
}

/* The first packet of a lane may ask from now on. Packets whose way hangs on the state of queues
 * are routed in order of their lanes when all events of this time have been seen. */
void router_head(network_domain *domain, uint32_t lane) {
    const packet *packet = &domain->packets.items[domain->buffers[lane].first];
    if (routing_reads_state(domain->network, packet)) {
        bitset_add(&domain->heads, lane);
    } else {
        route_head(domain, lane);
    }
}

/* A packet has become first in its buffer at now_ps. */
static inline void become_first(network_domain *domain, uint32_t lane) {
    buffer *buffer = &domain->buffers[lane];
    if (buffer->eligible_ps > domain->now_ps) {
        event_queue_insert(&domain->events, buffer->eligible_ps,
                           NETWORK_EVENT(NETWORK_HEAD, 0, lane));
    } else {
        router_head(domain, lane);
    }
}

void router_arrival(network_domain *domain, uint32_t lane, uint32_t packet) {
    buffer *buffer = &domain->buffers[lane];
    domain->packets.items[packet].next = NONE;
    if (buffer->first == NONE) {
        buffer->first = buffer->last = packet;
        become_first(domain, lane);
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
    uint32_t peer = buffer->peer;
    if (buffer->level != NETWORK_GLOBAL) {
        credits_return(domain, peer, back_ps, bytes);
    } else {
        exchange_credit(domain, domain->peer_domain[peer],
                        domain->peer_port[peer] * network->vcs + buffer->vc, bytes, back_ps);
    }
}

/* The packet's head leaves an output at start_ps, its tail at end_ps: to the next buffer or out. */
static inline void forward(network_domain *domain, const place *place, lane *lane, uint32_t index,
                           int64_t start_ps, int64_t end_ps) {
    const network *network = domain->network;
    packet *packet = &domain->packets.items[index];
    uint32_t vc = packet->output_vc;
    lane->free_ps = domain->now_ps + network->config.allocation_latency_ps;
    if (place->level == NETWORK_TERMINAL) {
        nic_receive(domain, index, end_ps + network->latency_ps[NETWORK_TERMINAL]);
        return;
    }
    lane->credits_bytes -= (int32_t)router_space_bytes(network, vc, packet->size_bytes);
    int64_t delay_ps = network->latency_ps[place->level] + network->hop_ps;
    packet->ready_ps = start_ps + delay_ps;
    packet->tail_ps = end_ps + network->latency_ps[place->level];
    if (place->level == NETWORK_LOCAL) {
        event_queue_insert(&domain->events, packet->ready_ps,
                           NETWORK_EVENT(NETWORK_ARRIVAL, index, place->peer_lane + vc));
        return;
    }
    packet->vc = (uint8_t)(vc + 1);
    packet->via = NO_LINK; /* a link of the group it has left */
    exchange_packet(domain, domain->peer_domain[place->peer_lane],
                    domain->peer_port[place->peer_lane] * network->vcs + vc, index,
                    packet->ready_ps);
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

void router_transfer(network_domain *domain, uint32_t lane) {
    const network *network = domain->network;
    buffer *buffer = &domain->buffers[lane];
    uint32_t number = buffer->output;
    output *out = &domain->outputs[number];
    const place *place = &network->places[number];
    struct lane *out_lane = &domain->lanes[buffer->output_lane];
    uint32_t index = buffer->first;
    packet *packet = &domain->packets.items[index];
    uint32_t size_bytes = buffer->size_bytes;
    int64_t now_ps = domain->now_ps;
    *request_word(domain, buffer) &= ~(UINT64_C(1) << (buffer->bit % 64));

    int64_t start_ps = out->free_ps > now_ps ? out->free_ps : now_ps;
    int64_t end_ps = start_ps + channel_ps(network, place->level, size_bytes);
    if (end_ps < packet->tail_ps) end_ps = packet->tail_ps;
    if (out->blocked_ps != EVENT_NEVER) {
        if (out->blocked_ps < now_ps) domain->stalled_ps[number] += now_ps - out->blocked_ps;
        out->blocked_ps = EVENT_NEVER;
    }
    arbiter_served(domain, buffer);
    out->requests--;
    out->waiting_bytes -= size_bytes;
    out->turn = (uint16_t)(buffer->bit + 1);
    out->free_ps = end_ps;
    out->packets++;
    out->bytes += size_bytes;
    out->busy_ps += end_ps - start_ps;
    domain->totals.packet_hops++;
    if (packet->routers < UINT8_MAX) packet->routers++;
    if (network->depart != NULL) network->depart(domain, buffer, packet);
    int64_t released_ps = crossbar_done_ps(network, out, packet, now_ps, end_ps);
    int64_t delay_ps = 0;
    if (domain->input_free_ps != NULL) {
        if (network->config.crossbar == NETWORK_CROSSBAR_INPUT)
            domain->input_free_ps[buffer->input] = released_ps;
        buffer->served = (uint32_t)domain->totals.packet_hops;
    }

    buffer->first = packet->next;
    buffer->eligible_ps = now_ps + network->config.allocation_latency_ps;
    if (network->policy->needs != 0)
        delay_ps = note_grant(domain, number, buffer->output_lane, buffer->level, size_bytes);
    if (buffer->first != NONE) become_first(domain, lane);
    release(domain, buffer, released_ps + delay_ps,
            router_space_bytes(network, buffer->vc, size_bytes));
    forward(domain, place, out_lane, index, start_ps, end_ps);
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

/* The lane that wins an output of the ideal crossbar, or NONE; then *wake_ps is when it may be
 * worth looking again. */
static uint32_t choose(network_domain *domain, uint32_t number, int64_t *wake_ps) {
    const network *network = domain->network;
    uint32_t first_lane = network->places[number].first_lane;
    uint32_t best = NONE;
    const uint64_t *words = &domain->request_bits[(size_t)number * network->request_words];
    for (uint32_t word = 0; word < network->request_words; word++) {
        for (uint64_t bits = words[word]; bits != 0; bits &= bits - 1) {
            uint32_t lane = first_lane + word * 64 + (uint32_t)__builtin_ctzll(bits);
            if (!can_go(domain, &domain->buffers[lane], wake_ps)) continue;
            best = best == NONE ? lane : arbiter_better(domain, best, lane);
        }
    }
    return best;
}

/* The same when only one lane asks. */
static inline uint32_t only_request(network_domain *domain, uint32_t number, int64_t *wake_ps) {
    const network *network = domain->network;
    const uint64_t *words = &domain->request_bits[(size_t)number * network->request_words];
    uint32_t word = 0;
    while (words[word] == 0)
        word++;
    uint32_t lane =
        network->places[number].first_lane + word * 64 + (uint32_t)__builtin_ctzll(words[word]);
    return can_go(domain, &domain->buffers[lane], wake_ps) ? lane : NONE;
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
        uint32_t lane = out->requests == 1 ? only_request(domain, number, &wake_ps)
                                           : choose(domain, number, &wake_ps);
        if (lane == NONE) {
            if (wake_ps != EVENT_NEVER) router_wake(domain, number, wake_ps);
            return;
        }
        router_transfer(domain, lane);
    }
}

static inline void allocate_marked(network_domain *domain, uint32_t number) {
    const network *network = domain->network;
    if (number >= network->ports) {
        nic_inject(domain, number - network->ports);
    } else if (domain->input_free_ps != NULL) {
        separable_allocate(domain, network->places[number].router);
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
