/*
 * The measurement of synthetic traffic. At its beginning a rail group writes down what its outputs
 * have sent so far, and at its end replaces that by what they have sent since then.
 *
 * The counts of all outputs stand one after another, as numbers of as many bytes as they need. Most
 * packets are full, and most transmissions take as long as a full packet. So bytes and times are
 * written as differences from those of as many full packets, and most take one byte.
 */
#include "network/engine/measurement/link_measurement.h"

#include "core/memory/memory.h"

#include <stdlib.h>
#include <string.h>

#define NUMBER_BYTES_MAX 10 /* of 7 bits each */
#define COUNTS_OF_OUTPUT 4
#define COUNTS_OF_NODE   2

/* Writes a number, which may be negative (modulo 2^64). Returns what follows it. */
static uint8_t *write_number(uint8_t *place, uint64_t number) {
    uint64_t folded = number << 1 ^ -(number >> 63);
    for (; folded >= 128; folded >>= 7)
        *place++ = (uint8_t)(folded | 128);
    *place++ = (uint8_t)folded;
    return place;
}

static const uint8_t *read_number(const uint8_t *place, uint64_t *number) {
    uint64_t folded = 0;
    unsigned shift = 0;
    for (; *place >= 128; shift += 7)
        folded |= (uint64_t)(*place++ & 127) << shift;
    folded |= (uint64_t)*place++ << shift;
    *number = folded >> 1 ^ -(folded & 1);
    return place;
}

/* Returns the time for which an output sends a full packet. */
static uint64_t full_ps(const struct network *network, uint32_t output) {
    return (uint64_t)(output < network->tables.ports
                          ? network->channels
                                .full_packet_ps[network->tables.wiring[output].channel_type]
                          : network->nics.injection_full_ps);
}

static uint8_t *write_counts(const struct network *network, uint32_t output, uint8_t *place,
                             const struct network_link *link) {
    const struct network_link_counts *counts = &link->measured;
    const uint64_t size_bytes = network->channels.full_packet_bytes;
    place = write_number(place, counts->packets);
    place = write_number(place, counts->bytes - counts->packets * size_bytes);
    place =
        write_number(place, (uint64_t)counts->busy_ps - counts->packets * full_ps(network, output));
    place = write_number(place, (uint64_t)counts->stalled_ps);
    if (output < network->tables.ports) return place;
    place = write_number(place, link->injected.packets);
    return write_number(place, link->injected.bytes - link->injected.packets * size_bytes);
}

const uint8_t *link_measurement_read(const struct rail_group *rail_group, uint32_t output,
                                     const uint8_t *place, struct network_link *link) {
    const struct network *network = rail_group->network;
    struct network_link_counts *counts = &link->measured;
    const uint64_t size_bytes = network->channels.full_packet_bytes;
    uint64_t busy_ps, stalled_ps;
    place = read_number(place, &counts->packets);
    place = read_number(place, &counts->bytes);
    place = read_number(place, &busy_ps);
    place = read_number(place, &stalled_ps);
    counts->bytes += counts->packets * size_bytes;
    counts->busy_ps = (int64_t)(busy_ps + counts->packets * full_ps(network, output));
    counts->stalled_ps = (int64_t)stalled_ps;
    if (output < network->tables.ports) return place;
    place = read_number(place, &link->injected.packets);
    place = read_number(place, &link->injected.bytes);
    link->injected.bytes += link->injected.packets * size_bytes;
    return place;
}

/* Returns the time for which a channel has been busy until now_ps. The transmissions in an output's
 * buffer follow each other without a gap, so the time after now_ps is subtracted. In a NIC,
 * free_ps may be the end of an overhead, which is not subtracted. */
static int64_t busy_so_far_ps(const struct rail_group *rail_group, uint32_t output,
                              int64_t now_ps) {
    const struct network_output *out = &rail_group->outputs[output];
    bool is_overhead =
        output >= rail_group->network->tables.ports && out->overhead_state == NETWORK_OVERHEAD_PAID;
    int64_t left_ps = is_overhead ? 0 : out->free_ps - now_ps;
    return out->busy_ps - (left_ps > 0 ? left_ps : 0);
}

static int64_t stalled_so_far_ps(const struct rail_group *rail_group, uint32_t output,
                                 int64_t now_ps) {
    int64_t since_ps = rail_group->outputs[output].stalled_since_ps;
    return rail_group->counts.links[output].stalled_ps +
           (since_ps < now_ps ? now_ps - since_ps : 0);
}

/* Returns for each endpoint what has left its injection buffers so far: what it has sent but the
 * packets in the pool that have passed no router. Such packets are few, and all are in the rail
 * group of their source, so none is counted while it moves. NULL: out of memory. */
static struct network_injection_counts *injected_so_far(const struct rail_group *rail_group) {
    const struct network *network = rail_group->network;
    const struct network_packet_pool *pool = &rail_group->packets;
    const uint32_t endpoints = network->topology.endpoints_per_group;
    struct network_injection_counts *injected = memory_new(endpoints, sizeof *injected);
    bool *is_free = memory_new((size_t)pool->used + 1, sizeof *is_free);
    if (injected == NULL || is_free == NULL) {
        free(injected);
        free(is_free);
        return NULL;
    }
    for (uint32_t endpoint = 0; endpoint < endpoints; endpoint++) {
        const struct network_output *channel =
            &rail_group->outputs[network->tables.ports + endpoint];
        injected[endpoint] = (struct network_injection_counts){channel->packets, channel->bytes};
    }
    for (uint32_t i = 0; i < pool->free_count; i++)
        is_free[pool->free_items[i]] = true;
    for (uint32_t i = 0; i < pool->used; i++) {
        const struct network_packet *packet = &pool->items[i];
        if (is_free[i] || packet->routers > 0) continue;
        uint32_t endpoint = packet->source - rail_group->group * endpoints;
        injected[endpoint].packets--;
        injected[endpoint].bytes -= packet->size_bytes;
    }
    free(is_free);
    return injected;
}

/* Takes from what a link has sent so far what it had sent before. */
static void subtract(struct network_link *link, const struct network_link *before) {
    link->measured.packets -= before->measured.packets;
    link->measured.bytes -= before->measured.bytes;
    link->measured.busy_ps -= before->measured.busy_ps;
    link->measured.stalled_ps -= before->measured.stalled_ps;
    link->injected.packets -= before->injected.packets;
    link->injected.bytes -= before->injected.bytes;
}

/* Writes the counts of all outputs until now_ps, less those in `before`, which may be NULL. The
 * timer that measures is the last event of its time (network_set_last_timer), and allocation
 * follows all events, so a measurement does not depend on the order of events. Returns what follows
 * the counts. */
static uint8_t *write_all(const struct rail_group *rail_group, int64_t now_ps, uint8_t *place,
                          const uint8_t *before, const struct network_injection_counts *injected) {
    const struct network *network = rail_group->network;
    for (uint32_t i = 0; i < network->tables.outputs; i++) {
        const struct network_output *output = &rail_group->outputs[i];
        struct network_link sent = {.measured = {output->packets, output->bytes,
                                                 busy_so_far_ps(rail_group, i, now_ps),
                                                 stalled_so_far_ps(rail_group, i, now_ps)}};
        if (i >= network->tables.ports) sent.injected = injected[i - network->tables.ports];
        if (before != NULL) {
            struct network_link earlier = {.is_injection = i >= network->tables.ports};
            before = link_measurement_read(rail_group, i, before, &earlier);
            subtract(&sent, &earlier);
        }
        place = write_counts(network, i, place, &sent);
    }
    return place;
}

/* Replaces the counts of a rail group by those since `before`, which may be NULL. */
static void count_outputs(struct rail_group *rail_group, int64_t now_ps, const uint8_t *before) {
    const struct network *network = rail_group->network;
    const size_t numbers = (size_t)network->tables.outputs * COUNTS_OF_OUTPUT +
                           (size_t)network->topology.endpoints_per_group * COUNTS_OF_NODE;
    struct network_injection_counts *injected = injected_so_far(rail_group);
    uint8_t *room = memory_new(numbers, NUMBER_BYTES_MAX);
    uint8_t *counts = NULL;
    size_t bytes = 0;
    if (injected != NULL && room != NULL) {
        bytes = (size_t)(write_all(rail_group, now_ps, room, before, injected) - room);
        counts = memory_new(bytes, 1);
    }
    if (counts == NULL)
        rail_group->failure.out_of_memory = true;
    else
        memcpy(counts, room, bytes);
    free(injected);
    free(room);
    free(rail_group->counts.measured);
    rail_group->counts.measured = counts;
    rail_group->counts.measured_bytes = counts != NULL ? bytes : 0;
}

void network_measure_begin(struct rail_group *rail_group) {
    for (uint32_t rail = 0; rail < rail_group->network->rails.count; rail++)
        count_outputs(rail_group_in(rail_group, rail), rail_group->now_ps, NULL);
}

void network_measure_end(struct rail_group *rail_group) {
    for (uint32_t rail = 0; rail < rail_group->network->rails.count; rail++) {
        struct rail_group *measured = rail_group_in(rail_group, rail);
        if (measured->counts.measured_bytes > 0)
            count_outputs(measured, rail_group->now_ps, measured->counts.measured);
    }
}
