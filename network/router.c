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

#include "network/routing.h"

void router_wake(network_domain *domain, uint32_t output, int64_t time_ps) {
    struct output *out = &domain->outputs[output];
    if (out->wake_ps > domain->now_ps && out->wake_ps <= time_ps) return;
    out->wake_ps = time_ps;
    event_queue_insert(&domain->events, time_ps, EVENT_NETWORK, output, NETWORK_WAKE);
}

/* Marks an output to be looked at in this time stamp. */
void router_mark(network_domain *domain, uint32_t output) {
    if (domain->input_free_ps != NULL && output < domain->network->ports)
        output = domain->network->places[output].router * domain->network->topology.radix;
    bitset_add(&domain->pending, output);
}

/* Routes the first packet of a lane and lets it ask for its output. */
static void route_head(network_domain *domain, uint32_t lane) {
    const network *network = domain->network;
    uint32_t router = network->places[network->lane_output[lane]].router;
    packet *packet = &domain->packets.items[domain->buffers[lane].first];
    routing_route(domain, router, packet);
    uint32_t output = router * network->topology.radix + packet->output_port;
    uint32_t bit = lane - router * network->topology.radix * network->vcs;
    domain->request_bits[(size_t)output * network->request_words + bit / 64] |= UINT64_C(1)
                                                                               << (bit % 64);
    domain->buffers[lane].asking = 1;
    domain->outputs[output].requests++;
    domain->outputs[output].waiting_bytes += packet->size_bytes;
    router_mark(domain, output);
}

/* The first packet of a lane may ask from now on. Packets whose way hangs on the state of queues are
 * routed in order of their lanes when all events of this time have been seen. */
void router_head(network_domain *domain, uint32_t lane) {
    const packet *packet = &domain->packets.items[domain->buffers[lane].first];
    if (routing_reads_state(domain->network, packet)) {
        bitset_add(&domain->heads, lane);
    } else {
        route_head(domain, lane);
    }
}

/* A packet has become first in its buffer at now_ps. */
static void become_first(network_domain *domain, uint32_t lane) {
    buffer *buffer = &domain->buffers[lane];
    if (buffer->eligible_ps > domain->now_ps) {
        event_queue_insert(&domain->events, buffer->eligible_ps, EVENT_NETWORK, lane, NETWORK_HEAD);
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

int64_t router_accepts_ps(const network_domain *domain, uint32_t output, uint32_t size_bytes) {
    const network *network = domain->network;
    const struct output *out = &domain->outputs[output];
    if (network->config.output_buffer_bytes == 0) return out->free_ps;
    network_level level = network->places[output].level;
    int64_t room_ps = out->free_ps + channel_ps(network, level, size_bytes) -
                      serialization_ps(network->config.output_buffer_bytes,
                                       network->bandwidth[level]);
    return room_ps > out->crossbar_ps ? room_ps : out->crossbar_ps;
}

bool router_has_credits(network_domain *domain, uint32_t output, const packet *packet) {
    if (domain->network->places[output].level == NETWORK_TERMINAL) return true; /* ejection */
    return credits_available(domain, output * domain->network->vcs + packet->output_vc,
                             packet->size_bytes);
}

/* Gives the space a packet leaves at released_ps back to whoever filled it. */
static void release(network_domain *domain, uint32_t lane, int64_t released_ps, uint32_t bytes) {
    const network *network = domain->network;
    buffer *buffer = &domain->buffers[lane];
    if (released_ps < buffer->released_ps) released_ps = buffer->released_ps;
    buffer->released_ps = released_ps;
    uint32_t port = network->lane_output[lane];
    uint32_t vc = lane - port * network->vcs;
    network_level level = network->places[port].level;
    int64_t back_ps = released_ps + network->latency_ps[level];
    if (level != NETWORK_GLOBAL) {
        credits_return(domain, network->local_peer[port] * network->vcs + vc, back_ps, bytes);
        return;
    }
    uint32_t x = network->places[port].router * network->topology.globals +
                 network->places[port].port - network->topology.first_global;
    exchange_credit(domain, domain->peer_domain[x], domain->peer_port[x] * network->vcs + vc,
                    bytes, back_ps);
}

/* The packet's head leaves an output at start_ps, its tail at end_ps: to the next buffer or out. */
static void forward(network_domain *domain, uint32_t output, uint32_t index, int64_t start_ps,
                    int64_t end_ps) {
    const network *network = domain->network;
    packet *packet = &domain->packets.items[index];
    place place = network->places[output];
    if (place.level == NETWORK_TERMINAL) {
        nic_receive(domain, index, end_ps + network->latency_ps[NETWORK_TERMINAL]);
        return;
    }
    uint32_t vc = packet->output_vc;
    domain->lanes[output * network->vcs + vc].credits_bytes -= (int32_t)packet->size_bytes;
    int64_t delay_ps = network->latency_ps[place.level] + network->hop_ps;
    packet->ready_ps = start_ps + delay_ps;
    packet->tail_ps = end_ps + delay_ps;
    if (place.level == NETWORK_LOCAL) {
        event_queue_insert(&domain->events, packet->ready_ps, EVENT_NETWORK,
                           (uint64_t)index << 32 | (network->local_peer[output] * network->vcs + vc),
                           NETWORK_ARRIVAL);
        return;
    }
    packet->vc = (uint8_t)(vc + 1);
    uint32_t x = (uint32_t)place.router * network->topology.globals + place.port -
                 network->topology.first_global;
    exchange_packet(domain, domain->peer_domain[x], domain->peer_port[x] * network->vcs + vc, index,
                    packet->ready_ps);
}

void router_transfer(network_domain *domain, uint32_t output, uint32_t lane) {
    const network *network = domain->network;
    struct output *out = &domain->outputs[output];
    buffer *buffer = &domain->buffers[lane];
    uint32_t index = buffer->first;
    packet *packet = &domain->packets.items[index];
    uint32_t size_bytes = packet->size_bytes;
    int64_t now_ps = domain->now_ps;
    uint32_t bit = lane - network->places[output].router * network->topology.radix * network->vcs;
    domain->request_bits[(size_t)output * network->request_words + bit / 64] &=
        ~(UINT64_C(1) << (bit % 64));
    out->requests--;
    out->waiting_bytes -= size_bytes;
    out->turn = (uint16_t)(bit + 1);

    int64_t start_ps = out->free_ps > now_ps ? out->free_ps : now_ps;
    int64_t end_ps = start_ps + channel_ps(network, network->places[output].level, size_bytes);
    if (end_ps < packet->tail_ps) end_ps = packet->tail_ps;
    int64_t released_ps = end_ps;
    if (network->crossbar_bandwidth > 0 && network->config.output_buffer_bytes > 0) {
        released_ps = now_ps + serialization_ps(size_bytes, network->crossbar_bandwidth);
        if (released_ps < packet->tail_ps) released_ps = packet->tail_ps;
        out->crossbar_ps = released_ps;
    } else if (network->config.output_buffer_bytes > 0) {
        released_ps = packet->tail_ps > now_ps ? packet->tail_ps : now_ps;
    }
    out->free_ps = end_ps;
    if (out->blocked_ps != EVENT_NEVER) {
        domain->stalled_ps[output] += now_ps - out->blocked_ps;
        out->blocked_ps = EVENT_NEVER;
    }
    out->packets++;
    out->bytes += size_bytes;
    out->busy_ps += end_ps - start_ps;
    domain->totals.packet_hops++;
    packet->routers++;
    if (domain->input_free_ps != NULL) {
        domain->input_free_ps[network->lane_output[lane]] = released_ps;
        buffer->served = (uint32_t)domain->totals.packet_hops;
    }
    buffer->asking = 0;

    buffer->first = packet->next;
    buffer->eligible_ps = now_ps + network->config.allocation_latency_ps;
    if (buffer->first != NONE) become_first(domain, lane);
    release(domain, lane, released_ps, size_bytes);
    forward(domain, output, index, start_ps, end_ps);
}

/* The lane that wins an output of the ideal crossbar, or NONE; then *wake_ps is when it may be
 * worth looking again. */
static uint32_t choose(network_domain *domain, uint32_t output, int64_t *wake_ps) {
    const network *network = domain->network;
    uint32_t router = network->places[output].router;
    uint32_t first_lane = router * network->topology.radix * network->vcs;
    arbiter arbiter = arbiter_new(domain, output, first_lane);
    *wake_ps = EVENT_NEVER;
    const uint64_t *words = &domain->request_bits[(size_t)output * network->request_words];
    for (uint32_t word = 0; word < network->request_words; word++) {
        for (uint64_t bits = words[word]; bits != 0; bits &= bits - 1) {
            uint32_t bit = word * 64 + (uint32_t)__builtin_ctzll(bits);
            const packet *packet =
                &domain->packets.items[domain->buffers[first_lane + bit].first];
            int64_t accepts_ps = router_accepts_ps(domain, output, packet->size_bytes);
            if (accepts_ps <= domain->now_ps) {
                if (router_has_credits(domain, output, packet)) {
                    arbiter_offer(&arbiter, bit);
                    continue;
                }
                accepts_ps = credits_time(domain, output * network->vcs + packet->output_vc,
                                          packet->size_bytes);
            }
            if (accepts_ps < *wake_ps) *wake_ps = accepts_ps;
        }
    }
    if (arbiter.best == NONE) return NONE;
    arbiter_served(&arbiter);
    return first_lane + arbiter.best;
}

/* The same when only one lane asks. */
static uint32_t only_request(network_domain *domain, uint32_t output, int64_t *wake_ps) {
    const network *network = domain->network;
    const uint64_t *words = &domain->request_bits[(size_t)output * network->request_words];
    uint32_t word = 0;
    while (words[word] == 0) word++;
    uint32_t lane = network->places[output].router * network->topology.radix * network->vcs +
                    word * 64 + (uint32_t)__builtin_ctzll(words[word]);
    const packet *packet = &domain->packets.items[domain->buffers[lane].first];
    *wake_ps = router_accepts_ps(domain, output, packet->size_bytes);
    if (*wake_ps > domain->now_ps) return NONE;
    if (!router_has_credits(domain, output, packet)) {
        *wake_ps = credits_time(domain, output * network->vcs + packet->output_vc,
                                packet->size_bytes);
        return NONE;
    }
    if (domain->served != NULL) {
        arbiter arbiter = arbiter_new(
            domain, output,
            network->places[output].router * network->topology.radix * network->vcs);
        arbiter.best = lane - arbiter.first_lane;
        arbiter_served(&arbiter);
    }
    return lane;
}

/* The ideal crossbar: an output takes from any inputs at once, as fast as it can send. */
static void allocate_output(network_domain *domain, uint32_t output) {
    struct output *out = &domain->outputs[output];
    while (out->requests > 0) {
        if (domain->network->config.output_buffer_bytes == 0 && out->free_ps > domain->now_ps) {
            router_wake(domain, output, out->free_ps);
            return;
        }
        int64_t wake_ps;
        uint32_t lane = out->requests == 1 ? only_request(domain, output, &wake_ps)
                                           : choose(domain, output, &wake_ps);
        if (lane == NONE) {
            if (out->free_ps <= domain->now_ps && out->blocked_ps == EVENT_NEVER)
                out->blocked_ps = domain->now_ps;
            if (wake_ps != EVENT_NEVER) router_wake(domain, output, wake_ps);
            return;
        }
        router_transfer(domain, output, lane);
    }
}

void router_allocate(network_domain *domain) {
    const network *network = domain->network;
    for (;;) {
        for (uint32_t lane; (lane = bitset_pop(&domain->heads)) != NONE;) route_head(domain, lane);
        uint32_t output = bitset_pop(&domain->pending);
        if (output == NONE) return;
        if (output >= network->ports) {
            nic_inject(domain, output - network->ports);
        } else if (domain->input_free_ps != NULL) {
            separable_allocate(domain, network->places[output].router);
        } else {
            allocate_output(domain, output);
        }
    }
}
