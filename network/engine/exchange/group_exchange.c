/*
 * A mailbox for each sender and each receiving group, in two sets for even and odd windows. A
 * sender writes a mailbox only in windows of its set, and receivers read it only in the window that
 * follows, so mailboxes need no locks. A mailbox says which window it is from; its sender empties
 * it when it first writes to it in a later window. The content of a mailbox to a group of another
 * process is sent there between two windows. In the receiving process, all other processes together
 * are one more sender.
 *
 * Threads may run on processors without a common cache, where a line that another thread has read
 * or written takes some 200 ns to arrive. So both sides prefetch: the sender the lines that it
 * writes next, and the receiver what was sent to the groups that it runs next.
 *
 * If only one thread works in a window, packets and notices to groups of this process are inserted
 * in the window: they become events beyond it, and events of one instant commute. Packets wait a
 * little in a ring, because what they touch of the other group has left the cache; those of
 * observed networks do not wait. Credits always go through the mailbox. They change what the
 * receiving group knows of its outputs and so how often it looks at them, which must not depend on
 * whether the group has run before or after the sending group.
 */
#include "network/engine/exchange/group_exchange.h"

#include "core/base/compiler_hints.h"
#include "core/base/prefetch.h"
#include "core/memory/memory.h"
#include "network/engine/flow_control/credits.h"
#include "network/engine/measurement/labels.h"
#include "network/engine/measurement/packet_trails.h"
#include "network/engine/state/events.h"
#include "network/engine/state/packet_pool.h"
#include "network/routing/observation/saturation.h"

#include <stdlib.h>
#include <string.h>

typedef enum crossing_event_kind {
    CROSSING_PACKET,
    CROSSING_CREDIT,
    CROSSING_NOTICE
} crossing_event_kind;

/* A crossing event is this head, then the packet of a packet or notice, then the record of the
 * message if there is one, then the label of a packet, if there are labels, and its trail, if the
 * network explains times. Its size is a multiple of 8 bytes. */
struct crossing_event {
    int64_t time_ps;
    uint32_t rail_offset; /* index of the receiving rail group minus its group */
    uint32_t port_vc;     /* a packet's input VC, or a credit's output VC */
    uint32_t bytes;       /* bytes of credit */
    uint16_t kind;
    uint16_t has_message;
};
static_assert(sizeof(struct crossing_event) % 8 == 0, "what follows is aligned");
static_assert(sizeof(struct network_message_record) % 8 == 0, "what follows is aligned");
static_assert(sizeof(struct packet_trail_totals) % 8 == 0, "what follows is aligned");
static_assert(sizeof(struct network_label) % 8 == 0, "what follows is aligned");

/* What crosses with a packet in an observed network. Each may be NULL. */
struct packet_annotations {
    const struct network_label *label;
    const struct packet_trail *trail;
    const struct packet_trail_totals *before; /* as packet_trail_before */
};

/* A packet on its way to another group, in a window that one thread runs alone. It stays in its
 * group's pools until it leaves the ring. */
struct network_crossing {
    struct rail_group *from, *to;
    int64_t time_ps;
    uint32_t packet;
    uint32_t port_vc;
    bool has_message;
};

/* A ring has room for CROSSINGS packets. What a packet takes in the other group is prefetched in
 * two steps, when CROSSING_PREPARED and CROSSING_FETCHED more packets have been put in. The packet
 * leaves the ring when CROSSING_AHEAD more have. */
enum { CROSSINGS = 16, CROSSING_PREPARED = 4, CROSSING_FETCHED = 8, CROSSING_AHEAD = 12 };

/* Bytes of the cache lines that a crossing event can lie in, but for one of an observed network:
 * its first byte is anywhere in the first line. */
#define CACHE_LINE     ((size_t)64)
#define CROSSING_BYTES (4 * CACHE_LINE)
static_assert(sizeof(struct crossing_event) + sizeof(struct network_packet) +
                      sizeof(struct network_message_record) <=
                  CROSSING_BYTES - CACHE_LINE,
              "a packet with its message is the largest one");

PREFETCH_FUNCTION void prefetch_for_writing(const char *address, size_t bytes) {
    for (size_t at = 0; at < bytes; at += CACHE_LINE)
        __builtin_prefetch(address + at, 1);
}

static struct network_mailbox *boxes_new(const struct network *network) {
    return memory_new_aligned(network->topology.groups, sizeof(struct network_mailbox));
}

static struct network_mail *mail_new(const struct network *network) {
    return memory_new_aligned(network->topology.groups, sizeof(struct network_mail));
}

/* Returns the number of senders: the threads, and after them all other processes together. */
static unsigned sender_count(const struct network *network) {
    return network->run.threads + (network->distribution.processes != NULL);
}

status_code exchange_open(struct network *network, struct status *status) {
    bool made = true;
    network->run.senders = memory_new_aligned(sender_count(network), sizeof *network->run.senders);
    for (unsigned i = 0; network->run.senders != NULL && i < sender_count(network); i++) {
        struct network_sender *sender = &network->run.senders[i];
        sender->sets[0] = boxes_new(network);
        sender->sets[1] = boxes_new(network);
        sender->mail[0] = mail_new(network);
        sender->mail[1] = mail_new(network);
        sender->groups = memory_new_aligned(network->topology.groups, sizeof *sender->groups);
        sender->crossings = memory_new_aligned(CROSSINGS, sizeof *sender->crossings);
        made = made && sender->sets[0] && sender->sets[1] && sender->mail[0] && sender->mail[1] &&
               sender->groups && sender->crossings;
    }
    RETURN_ERROR_IF(network->run.senders == NULL || !made, status, STATUS_MEMORY,
                    "out of memory for the mailboxes of %u threads", network->run.threads);
    return STATUS_OK;
}

void exchange_close(struct network *network) {
    for (unsigned i = 0; network->run.senders != NULL && i < sender_count(network); i++) {
        struct network_sender *sender = &network->run.senders[i];
        for (unsigned set = 0; set < 2; set++) {
            for (uint32_t group = 0; sender->sets[set] && group < network->topology.groups; group++)
                free(sender->sets[set][group].crossing_events);
            free(sender->sets[set]);
            free(sender->mail[set]);
        }
        free(sender->groups);
        free(sender->crossings);
    }
    free(network->run.senders);
    network->run.senders = NULL;
}

/* Prefetches what a thread writes first in a window: the first lines of its mailboxes, and what
 * tells receivers of them. */
PREFETCH_FUNCTION void prefetch_boxes(const struct network *network,
                                      const struct network_sender *sender, uint64_t window) {
    const uint32_t groups = network->topology.groups;
    prefetch_for_writing((const char *)sender->mail[window & 1],
                         groups * sizeof(struct network_mail));
    for (uint32_t group = 0; group < groups; group++) {
        const struct network_mailbox *box = &sender->boxes[group];
        if (box->capacity >= CROSSING_BYTES)
            prefetch_for_writing(box->crossing_events, CROSSING_BYTES);
    }
}

struct network_sender *exchange_sender(struct network *network, unsigned thread, uint64_t window) {
    struct network_sender *sender = &network->run.senders[thread];
    if (sender->window != window + 1) {
        sender->window = window + 1;
        sender->boxes = sender->sets[window & 1];
        sender->group_count = 0;
        if (!sender->has_one_thread) prefetch_boxes(network, sender, window);
    }
    return sender;
}

void exchange_begin(struct rail_group *home, unsigned thread, uint64_t window,
                    bool has_one_thread) {
    struct network *network = home->network;
    struct network_sender *sender = exchange_sender(network, thread, window);
    sender->has_one_thread = has_one_thread;
    for (uint32_t rail = 0; rail < network->rails.count; rail++)
        rail_group_in(home, rail)->sender = sender;
}

/* ---------------------------------------------------------------- arrival */

HINT_NOINLINE static void annotate(struct rail_group *to, uint32_t index,
                                   const struct packet_annotations *annotations) {
    if (annotations->label != NULL) labels_put(to, index, annotations->label);
    if (annotations->trail != NULL)
        packet_trail_put(to, index, annotations->trail, annotations->before);
}

/* Copies a packet and its message into the group's pools, as packet `index`, and inserts the event
 * of its arrival. Does nothing if index is NETWORK_NONE, because memory was short. */
static void accept_packet(struct rail_group *to, uint32_t index, uint32_t port_vc,
                          const struct network_packet *packet,
                          const struct network_message_record *message,
                          const struct packet_annotations *annotations, int64_t time_ps) {
    if (index == NETWORK_NONE) return;
    to->packets.items[index] = *packet;
    if (HINT_UNLIKELY(annotations != NULL)) annotate(to, index, annotations);
    if (message != NULL) {
        uint32_t record = network_message_new(to);
        if (record == NETWORK_NONE) return;
        to->messages.items[record] = *message;
        to->packets.items[index].message = record;
    }
    event_queue_insert(&to->events, time_ps, NETWORK_EVENT(NETWORK_EVENT_ENTER_VC, index, port_vc));
}

static inline void accept_credit(struct rail_group *to, const struct crossing_event *credit) {
    const struct network_hop_features *features = &to->network->hop_features;
    int64_t time_ps = credits_return(to, features, credit->port_vc, credit->time_ps, credit->bytes);
    if (!features->has_basic_routing && to->routing.saturation != NULL)
        saturation_expect_credit(to, credit->port_vc, credit->bytes, time_ps);
}

static void accept_notice(struct rail_group *to, const struct network_packet *notice,
                          int64_t time_ps) {
    uint32_t index = network_packet_new(to);
    if (index == NETWORK_NONE) return;
    to->packets.items[index] = *notice;
    event_queue_insert(&to->events, time_ps, NETWORK_EVENT(NETWORK_EVENT_NOTICE, index, 0));
}

/* Finds the annotations of a packet in a crossing event, at `next`. Returns the address after them.
 */
HINT_NOINLINE static const char *read_annotations(const struct rail_group *to, const char *next,
                                                  struct packet_annotations *annotations) {
    *annotations = (struct packet_annotations){NULL, NULL, NULL};
    if (to->observers.labels != NULL) {
        annotations->label = (const void *)next;
        next += sizeof *annotations->label;
    }
    if (to->observers.trails != NULL) {
        annotations->trail = (const void *)next;
        next += sizeof *annotations->trail;
        if (HINT_UNLIKELY(annotations->trail->is_long)) {
            annotations->before = (const void *)next;
            next += sizeof *annotations->before;
        }
    }
    return next;
}

/* Takes all crossing events out of a mailbox, in the order in which they were put in. */
static void accept_all(struct rail_group *home, const struct network_mail *mail) {
    const char *end = mail->crossing_events + mail->used;
    for (const char *next = mail->crossing_events; next < end;) {
        const struct crossing_event *crossing = (const void *)next;
        struct rail_group *to = home + crossing->rail_offset;
        const struct network_packet *packet = (const void *)(crossing + 1);
        next += sizeof *crossing;
        if (crossing->kind == CROSSING_CREDIT) {
            accept_credit(to, crossing);
            continue;
        }
        next += sizeof *packet;
        const struct network_message_record *message =
            crossing->has_message ? (const void *)next : NULL;
        if (message != NULL) next += sizeof *message;
        struct packet_annotations annotations;
        bool is_annotated =
            HINT_UNLIKELY(to->observers.has_any) && crossing->kind == CROSSING_PACKET;
        if (is_annotated) next = read_annotations(to, next, &annotations);
        if (crossing->kind == CROSSING_NOTICE)
            accept_notice(to, packet, crossing->time_ps);
        else
            accept_packet(to, network_packet_new(to), crossing->port_vc, packet, message,
                          is_annotated ? &annotations : NULL, crossing->time_ps);
    }
}

void exchange_receive(struct network *network, uint32_t group, uint64_t window) {
    for (unsigned i = 0; i < sender_count(network); i++) {
        const struct network_mail *mail = &network->run.senders[i].mail[~window & 1][group];
        if (mail->window == window) accept_all(&network->rail_groups[group], mail);
    }
}

void exchange_prefetch(const struct network *network, uint32_t group, uint64_t window,
                       unsigned ahead) {
    const size_t bytes_max = 48 * CACHE_LINE;
    for (unsigned i = 0; i < sender_count(network); i++) {
        const struct network_mail *mail = &network->run.senders[i].mail[~window & 1][group];
        if (ahead > 0) {
            __builtin_prefetch(mail);
            continue;
        }
        if (mail->window != window) continue;
        const size_t bytes = mail->used < bytes_max ? mail->used : bytes_max;
        for (size_t at = 0; at < bytes; at += CACHE_LINE)
            __builtin_prefetch(mail->crossing_events + at);
    }
}

void exchange_receive_early(struct network *network, uint32_t group, uint64_t window) {
    exchange_receive(network, group, window);
    for (unsigned i = 0; i < sender_count(network); i++) {
        struct network_mail *mail = &network->run.senders[i].mail[~window & 1][group];
        if (mail->window == window) mail->window = 0;
    }
}

/* ---------------------------------------------------------------- departure */

/* Returns the mailbox from the thread of a rail group to a group, after noting that something
 * arrives there at time_ps. */
static struct network_mailbox *mailbox_to(const struct rail_group *from, uint32_t group,
                                          int64_t time_ps) {
    struct network_sender *sender = from->sender;
    struct network_mailbox *box = &sender->boxes[group];
    if (box->window != sender->window) {
        box->window = sender->window;
        box->used = 0;
        box->earliest_ps = EVENT_NEVER;
        sender->groups[sender->group_count++] = group;
    }
    if (time_ps < box->earliest_ps) box->earliest_ps = time_ps;
    return box;
}

/* Makes room for `bytes` more in a mailbox. Running out of memory is recorded in the rail group. */
HINT_RARE static bool enlarge(struct rail_group *rail_group, struct network_mailbox *box,
                              size_t bytes) {
    void *moved = box->crossing_events;
    size_t wanted = box->capacity < 256 ? 1024 : 2 * box->capacity;
    if (wanted < box->used + bytes) wanted = box->used + bytes;
    if (memory_grow(&moved, &box->capacity, wanted, 1, NULL) != STATUS_OK) {
        rail_group->failure.out_of_memory = true;
        return false;
    }
    box->crossing_events = moved;
    return true;
}

/* Returns the address of a new crossing event of `bytes` in a mailbox. NULL: out of memory, which
 * is recorded in `from`. */
static inline struct crossing_event *new_crossing_event(struct rail_group *from,
                                                        struct network_mailbox *box, size_t bytes) {
    if (HINT_UNLIKELY(box->used + bytes > box->capacity) && !enlarge(from, box, bytes)) return NULL;
    char *address = box->crossing_events + box->used;
    box->used += bytes;
    /* for the next crossing events: their receiver still has the lines, of which the first
     * CROSSING_BYTES have been prefetched */
    prefetch_for_writing(address + CROSSING_BYTES, bytes);
    return (struct crossing_event *)(void *)address;
}

/* Finds the annotations of a packet and returns them. NULL: out of memory, which is recorded in the
 * rail group. */
HINT_NOINLINE static struct packet_annotations *
find_annotations(struct rail_group *from, uint32_t index, struct packet_annotations *annotations) {
    annotations->label = from->observers.labels != NULL ? labels_of(from, index) : NULL;
    annotations->trail = from->observers.trails != NULL ? packet_trail_at(from, index) : NULL;
    annotations->before = annotations->trail != NULL ? packet_trail_before(from, index) : NULL;
    return from->observers.trails != NULL && annotations->trail == NULL ? NULL : annotations;
}

static size_t annotations_bytes(const struct packet_annotations *annotations) {
    return (annotations->label != NULL ? sizeof *annotations->label : 0) +
           (annotations->trail != NULL ? sizeof *annotations->trail : 0) +
           (annotations->before != NULL ? sizeof *annotations->before : 0);
}

HINT_NOINLINE static void write_annotations(char *address,
                                            const struct packet_annotations *annotations) {
    size_t label_bytes = annotations->label != NULL ? sizeof *annotations->label : 0;
    if (annotations->label != NULL) memcpy(address, annotations->label, label_bytes);
    if (annotations->trail == NULL) return;
    memcpy(address + label_bytes, annotations->trail, sizeof *annotations->trail);
    if (annotations->before != NULL)
        memcpy(address + label_bytes + sizeof *annotations->trail, annotations->before,
               sizeof *annotations->before);
}

static inline struct network_crossing *crossing_at(const struct network_sender *sender,
                                                   uint32_t number) {
    return &sender->crossings[number % CROSSINGS];
}

/* Prefetches what an arrival in group `to` at time_ps changes first. The event queues of all groups
 * have buckets of one width. */
PREFETCH_FUNCTION void fetch_group(const struct rail_group *from, const struct rail_group *to,
                                   int64_t time_ps) {
    const uint32_t slot = (uint32_t)(time_ps >> from->events.shift) & (EVENT_BUCKETS - 1);
    __builtin_prefetch(&to->packets, 1);
    __builtin_prefetch(&to->messages, 1);
    __builtin_prefetch(&to->events.open_bucket, 1);
    __builtin_prefetch(&to->events.bucket[slot], 1);
}

/* Prefetches where the other group finds what the packet will take: the ends of its lists of free
 * packets and messages, and the slot of an event. */
PREFETCH_FUNCTION void crossing_prepare(const struct network_crossing *crossing) {
    const struct rail_group *to = crossing->to;
    const struct event_queue *events = &to->events;
    const uint32_t slot = (uint32_t)(crossing->time_ps >> events->shift) & (EVENT_BUCKETS - 1);
    __builtin_prefetch(network_packet_pool_list_end(&to->packets));
    __builtin_prefetch(event_queue_slot(events, events->bucket[slot]), 1);
    if (crossing->has_message)
        __builtin_prefetch(network_message_record_pool_list_end(&to->messages));
}

/* Prefetches the packet and the message of the other group that the packet will take. */
PREFETCH_FUNCTION void crossing_fetch(const struct network_crossing *crossing) {
    const struct rail_group *to = crossing->to;
    __builtin_prefetch(network_packet_pool_next(&to->packets, 0), 1);
    if (!crossing->has_message) return;
    const struct network_message_record *message =
        network_message_record_pool_next(&to->messages, 0);
    if (message == NULL) return;
    __builtin_prefetch(message, 1);
    __builtin_prefetch((const char *)message + sizeof *message - 1, 1);
}

/* Frees a packet that another group has accepted, and its message record. */
static inline void free_accepted(struct rail_group *from, uint32_t index) {
    uint32_t record = from->packets.items[index].message;
    network_packet_free(from, index);
    if (record != NETWORK_NONE) network_message_free(from, record);
}

static inline void crossing_accept(const struct network_crossing *crossing) {
    struct rail_group *from = crossing->from;
    const struct network_packet *packet = &from->packets.items[crossing->packet];
    accept_packet(crossing->to, network_packet_new_cold(crossing->to), crossing->port_vc, packet,
                  crossing->has_message ? &from->messages.items[packet->message] : NULL, NULL,
                  crossing->time_ps);
    free_accepted(from, crossing->packet);
}

/* Puts a packet into the ring. */
static inline void cross(struct rail_group *from, struct rail_group *to, uint32_t port_vc,
                         uint32_t packet, bool has_message, int64_t time_ps) {
    struct network_sender *sender = from->sender;
    const uint32_t number = sender->crossing_count++;
    struct network_crossing *crossing = crossing_at(sender, number);
    fetch_group(from, to, time_ps);
    *crossing = (struct network_crossing){from, to, time_ps, packet, port_vc, has_message};
    if (number >= CROSSING_PREPARED)
        crossing_prepare(crossing_at(sender, number - CROSSING_PREPARED));
    if (number >= CROSSING_FETCHED) crossing_fetch(crossing_at(sender, number - CROSSING_FETCHED));
    if (number >= CROSSING_AHEAD) crossing_accept(crossing_at(sender, number - CROSSING_AHEAD));
}

void exchange_end(struct rail_group *home) {
    struct network_sender *sender = home->sender;
    const uint32_t count = sender->crossing_count;
    uint32_t first = count > CROSSING_AHEAD ? count - CROSSING_AHEAD : 0;
    for (uint32_t i = first; i < count; i++)
        crossing_accept(crossing_at(sender, i));
    sender->crossing_count = 0;
}

void exchange_packet(struct rail_group *from, const struct network_hop_features *features,
                     uint32_t group, uint32_t port_vc, uint32_t packet_index, int64_t time_ps) {
    struct rail_group *to = &from->groups_of_rail[group];
    const struct network_packet *packet = &from->packets.items[packet_index];
    uint32_t record = packet->message;
    const struct network_message_record *message =
        record != NETWORK_NONE ? &from->messages.items[record] : NULL;
    struct packet_annotations own, *annotations = NULL;
    if (features->is_observed && from->observers.has_any) {
        annotations = find_annotations(from, packet_index, &own);
        if (annotations == NULL) return;
    }
    struct network_mailbox *box = mailbox_to(from, group, time_ps);
    if (from->sender->has_one_thread &&
        !(from->network->distribution.processes != NULL && to->is_elsewhere)) {
        if (annotations == NULL) {
            cross(from, to, port_vc, packet_index, message != NULL, time_ps);
            return; /* the packet is freed when it leaves the ring */
        }
        accept_packet(to, network_packet_new(to), port_vc, packet, message, annotations, time_ps);
    } else {
        size_t message_bytes = message != NULL ? sizeof *message : 0;
        struct crossing_event *crossing =
            new_crossing_event(from, box,
                               sizeof *crossing + sizeof *packet + message_bytes +
                                   (annotations != NULL ? annotations_bytes(annotations) : 0));
        if (crossing == NULL) return;
        *crossing = (struct crossing_event){.time_ps = time_ps,
                                            .rail_offset = from->rail_offset,
                                            .port_vc = port_vc,
                                            .kind = CROSSING_PACKET,
                                            .has_message = message != NULL};
        char *address = (char *)(crossing + 1);
        memcpy(address, packet, sizeof *packet);
        if (message != NULL) memcpy(address + sizeof *packet, message, message_bytes);
        if (HINT_UNLIKELY(annotations != NULL))
            write_annotations(address + sizeof *packet + message_bytes, annotations);
    }
    free_accepted(from, packet_index);
}

void exchange_credit(struct rail_group *from, uint32_t group, uint32_t port_vc, uint32_t bytes,
                     int64_t time_ps) {
    struct crossing_event *crossing =
        new_crossing_event(from, mailbox_to(from, group, time_ps), sizeof *crossing);
    if (crossing != NULL)
        *crossing = (struct crossing_event){.time_ps = time_ps,
                                            .rail_offset = from->rail_offset,
                                            .port_vc = port_vc,
                                            .bytes = bytes,
                                            .kind = CROSSING_CREDIT};
}

void exchange_notice(struct rail_group *from, uint32_t group, const struct network_packet *notice,
                     int64_t time_ps) {
    struct rail_group *to = &from->groups_of_rail[group];
    if (to == from) {
        accept_notice(to, notice, time_ps);
        return;
    }
    struct network_mailbox *box = mailbox_to(from, group, time_ps);
    if (from->sender->has_one_thread && !to->is_elsewhere) {
        accept_notice(to, notice, time_ps);
        return;
    }
    struct crossing_event *crossing =
        new_crossing_event(from, box, sizeof *crossing + sizeof *notice);
    if (crossing == NULL) return;
    *crossing = (struct crossing_event){
        .time_ps = time_ps, .rail_offset = from->rail_offset, .kind = CROSSING_NOTICE};
    memcpy(crossing + 1, notice, sizeof *notice);
}

void exchange_hand_over(struct network_sender *sender) {
    struct network_mail *mail = sender->mail[(sender->window - 1) & 1];
    for (uint32_t i = 0; i < sender->group_count; i++) {
        const struct network_mailbox *box = &sender->boxes[sender->groups[i]];
        mail[sender->groups[i]] =
            (struct network_mail){box->crossing_events, box->used, box->window};
    }
}

/* ---------------------------------------------------------------- other processes */

void exchange_visit_departing(struct network *network, uint64_t window,
                              void (*take)(void *context, uint32_t group,
                                           const struct network_mailbox *box),
                              void *context) {
    for (unsigned thread = 0; thread < network->run.threads; thread++) {
        const struct network_sender *sender = exchange_sender(network, thread, window);
        for (uint32_t i = 0; i < sender->group_count; i++) {
            uint32_t group = sender->groups[i];
            if (network->rail_groups[group].is_elsewhere)
                take(context, group, &sender->boxes[group]);
        }
    }
}

void exchange_arrive(struct network *network, uint32_t group, const void *crossing_events,
                     size_t bytes, uint64_t window) {
    struct network_sender *sender = &network->run.senders[network->run.threads];
    struct network_mailbox *box = &sender->sets[window & 1][group];
    if (box->window != window + 1) {
        box->window = window + 1;
        box->used = 0;
    }
    if (box->used + bytes > box->capacity && !enlarge(&network->rail_groups[group], box, bytes))
        return;
    memcpy(box->crossing_events + box->used, crossing_events, bytes);
    box->used += bytes;
    sender->mail[window & 1][group] =
        (struct network_mail){box->crossing_events, box->used, box->window};
}
