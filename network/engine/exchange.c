/*
 * Packets, credits and answers that cross from one group to another in the same rail. An
 * event for a domain of the same thread is inserted at once; its time lies beyond the window, so
 * this makes no difference. An event for a domain of another thread is copied into a mailbox that
 * is emptied between windows.
 */
#include "network/engine/exchange.h"

#include "core/memory.h"
#include "network/engine/credits.h"
#include "network/engine/events.h"
#include "network/engine/packets.h"
#include "network/engine/trails.h"
#include "network/routing/saturation.h"

#include <stdlib.h>

status_code exchange_open(struct network *network, struct status *status) {
    if (network->threads == 1) return STATUS_OK;
    size_t boxes = (size_t)2 * network->threads * network->threads;
    network->outboxes = memory_new(boxes, sizeof *network->outboxes);
    RETURN_ERROR_IF(network->outboxes == NULL, status, STATUS_MEMORY,
                    "out of memory for the mailboxes of %u threads", network->threads);
    for (size_t i = 0; i < boxes; i++)
        network->outboxes[i].earliest_ps = EVENT_NEVER;
    return STATUS_OK;
}

void exchange_close(struct network *network) {
    if (network->outboxes == NULL) return;
    for (unsigned i = 0; i < 2 * network->threads * network->threads; i++) {
        free(network->outboxes[i].events_out);
        free(network->outboxes[i].trails);
    }
    free(network->outboxes);
    network->outboxes = NULL;
}

static struct network_outbox *outbox_at(const struct network *network, unsigned from, unsigned to,
                                        uint64_t window) {
    return &network->outboxes[((window & 1) * network->threads + from) * network->threads + to];
}

/* Records for the choice of windows that a group has an event at time_ps. */
static void note_event(struct network *network, uint32_t group, int64_t time_ps) {
    if (time_ps < network->next_ps[group]) network->next_ps[group] = time_ps;
}

static void accept_packet(struct network_domain *to, uint32_t port_vc,
                          const struct network_packet *packet,
                          const struct network_message_record *message,
                          const struct network_trail *trail, int64_t time_ps) {
    uint32_t index = packet_new(to);
    if (index == NETWORK_NONE) return;
    to->packets.items[index] = *packet;
    if (HINT_UNLIKELY(trail != NULL)) {
        struct network_trail *own = trail_at(to, index);
        if (own != NULL) *own = *trail;
    }
    if (message != NULL) {
        uint32_t record = message_new(to);
        if (record == NETWORK_NONE) return;
        to->messages.items[record] = *message;
        to->packets.items[index].message = record;
    }
    event_queue_insert(&to->events, time_ps, NETWORK_EVENT(NETWORK_ARRIVAL, index, port_vc));
    note_event(to->network, to->group, time_ps);
}

static void accept_credit(struct network_domain *to, uint32_t port_vc, uint32_t bytes,
                          int64_t time_ps, bool global) {
    credits_return(to, port_vc, time_ps, bytes);
    if (to->saturation != NULL && global) saturation_expect_credit(to, port_vc, bytes, time_ps);
    /* The credit may have set a wake-up, which is not earlier than time_ps. */
    note_event(to->network, to->group, time_ps);
}

static void accept_answer(struct network_domain *to, const struct network_packet *answer,
                          int64_t time_ps) {
    uint32_t index = packet_new(to);
    if (index == NETWORK_NONE) return;
    to->packets.items[index] = *answer;
    event_queue_insert(&to->events, time_ps, NETWORK_EVENT(NETWORK_ANSWER, index, 0));
    note_event(to->network, to->group, time_ps);
}

/* Returns a new event of a kind in the mailbox from one domain's thread to the other's. NULL: out
 * of memory, which is recorded in `from`. */
static struct network_remote_event *new_remote_event(struct network_domain *from,
                                                     const struct network_domain *to,
                                                     network_remote_kind kind, int64_t time_ps) {
    struct network *network = from->network;
    struct network_outbox *box = outbox_at(network, from->thread, to->thread, from->window);
    void *moved = box->events_out;
    if (memory_grow(&moved, &box->capacity, box->count + 1, sizeof *box->events_out, NULL) !=
        STATUS_OK) {
        from->out_of_memory = true;
        return NULL;
    }
    box->events_out = moved;
    if (time_ps < box->earliest_ps) box->earliest_ps = time_ps;
    struct network_remote_event *remote_event = &box->events_out[box->count++];
    remote_event->time_ps = time_ps;
    remote_event->domain = (uint32_t)(to - network->domains);
    remote_event->kind = kind;
    return remote_event;
}

/* Returns the trail of a packet; NULL: the network does not explain times. */
static inline const struct network_trail *trail_of(const struct network_domain *from,
                                                   uint32_t index) {
    return HINT_UNLIKELY(from->trails != NULL) ? &from->trails->packets[index] : NULL;
}

/* Puts the trail of a packet beside the newest event of its mailbox. */
HINT_RARE static void post_trail(struct network_domain *from, const struct network_domain *to,
                                 uint32_t index) {
    struct network_outbox *box = outbox_at(from->network, from->thread, to->thread, from->window);
    void *trails = box->trails;
    if (memory_grow(&trails, &box->trail_capacity, box->count, sizeof *box->trails, NULL) !=
        STATUS_OK) {
        from->out_of_memory = true;
        return;
    }
    box->trails = trails;
    box->trails[box->count - 1] = from->trails->packets[index];
}

void exchange_packet(struct network_domain *from, uint32_t group, uint32_t port_vc, uint32_t index,
                     int64_t time_ps) {
    struct network_domain *to = &from->rail_domains[group];
    const struct network_packet *packet = &from->packets.items[index];
    uint32_t record = packet->message;
    if (to->thread == from->thread) {
        accept_packet(to, port_vc, packet,
                      record != NETWORK_NONE ? &from->messages.items[record] : NULL,
                      trail_of(from, index), time_ps);
    } else {
        struct network_remote_event *remote_event =
            new_remote_event(from, to, NETWORK_REMOTE_PACKET, time_ps);
        if (remote_event == NULL) return;
        remote_event->port_vc = port_vc;
        remote_event->packet = *packet;
        if (record != NETWORK_NONE) remote_event->message = from->messages.items[record];
        if (HINT_UNLIKELY(from->trails != NULL)) post_trail(from, to, index);
    }
    packet_free(from, index);
    if (record != NETWORK_NONE) message_free(from, record);
}

void exchange_credit(struct network_domain *from, uint32_t group, uint32_t port_vc, uint32_t bytes,
                     int64_t time_ps) {
    struct network_domain *to = &from->rail_domains[group];
    if (to->thread == from->thread) {
        accept_credit(to, port_vc, bytes, time_ps, to != from);
        return;
    }
    struct network_remote_event *remote_event =
        new_remote_event(from, to, NETWORK_REMOTE_CREDIT, time_ps);
    if (remote_event == NULL) return;
    remote_event->port_vc = port_vc;
    remote_event->bytes = bytes;
}

void exchange_answer(struct network_domain *from, uint32_t group,
                     const struct network_packet *answer, int64_t time_ps) {
    struct network_domain *to = &from->rail_domains[group];
    if (to->thread == from->thread) {
        accept_answer(to, answer, time_ps);
        return;
    }
    struct network_remote_event *remote_event =
        new_remote_event(from, to, NETWORK_REMOTE_ANSWER, time_ps);
    if (remote_event != NULL) remote_event->packet = *answer;
}

void exchange_receive(struct network *network, unsigned thread, uint64_t window) {
    for (unsigned from = 0; from < network->threads; from++) {
        struct network_outbox *box = outbox_at(network, from, thread, window);
        for (size_t i = 0; i < box->count; i++) {
            const struct network_remote_event *remote_event = &box->events_out[i];
            struct network_domain *to = &network->domains[remote_event->domain];
            if (remote_event->kind == NETWORK_REMOTE_ANSWER) {
                accept_answer(to, &remote_event->packet, remote_event->time_ps);
            } else if (remote_event->kind == NETWORK_REMOTE_CREDIT) {
                accept_credit(to, remote_event->port_vc, remote_event->bytes, remote_event->time_ps,
                              true);
            } else {
                accept_packet(to, remote_event->port_vc, &remote_event->packet,
                              remote_event->packet.message != NETWORK_NONE ? &remote_event->message
                                                                           : NULL,
                              box->trails != NULL ? &box->trails[i] : NULL, remote_event->time_ps);
            }
        }
        box->count = 0;
        box->earliest_ps = EVENT_NEVER;
    }
}

int64_t exchange_earliest_ps(const struct network *network, unsigned thread, uint64_t window) {
    int64_t earliest_ps = EVENT_NEVER;
    for (unsigned to = 0; to < network->threads && network->outboxes != NULL; to++) {
        int64_t sent_ps = outbox_at(network, thread, to, window)->earliest_ps;
        if (sent_ps < earliest_ps) earliest_ps = sent_ps;
    }
    return earliest_ps;
}
