/*
 * Windows of NICs: how many bytes of payload a NIC may have outstanding, in all and for each
 * destination. A packet is outstanding from when the NIC sends it until its acknowledgement
 * arrives.
 *
 * A NIC whose own window is closed sends no data, but it sends responses. A message whose pair of
 * NICs may send nothing is held: it leaves the NIC's queue, so that messages for other destinations
 * go on, and comes back when the pair may send again. A pair with held messages has at most one
 * message in the queue. That message gives up its place after each packet, so all messages of the
 * pair take turns.
 *
 * Congestion control (congestion.h) tells a NIC until when a pair shall send nothing. From then on
 * the pair has a window of its own, which doubles again and again until the pair forgets the
 * congestion.
 *
 * The state of a pair exists only while bytes are outstanding, messages are held, or congestion is
 * remembered. Notices that arrive at the same instant commute: they only count, take the later of
 * two times, and make pairs due, which are served in the order of their destinations. A pair that
 * remembers congestion has at most two timers.
 *
 * Invariant: a pair that may send and has held messages has a message in the queue, or is due.
 * Endpoints are numbered within the group.
 */
#ifndef ANAX_NETWORK_NIC_WINDOWS_H
#define ANAX_NETWORK_NIC_WINDOWS_H

#include "network/engine/state/state.h"

/* A NIC and a destination. */
struct nic_pair {
    uint64_t key; /* endpoint · 2^32 + destination */
    uint64_t outstanding_bytes;
    uint32_t held_first; /* queue of held messages */
    uint32_t held_last;
    uint32_t current;    /* message in the NIC's queue while others are held, or NETWORK_NONE */
    uint32_t next_due;   /* destination of the NIC's next pair that is due, or NETWORK_NONE */
    int64_t resume_ps;   /* after a notice of congestion: when the pair may send again */
    int64_t recovery_ps; /* time after which its window doubles from then on */
    bool is_congested;   /* the pair remembers such a notice */
    bool is_used;
    bool is_due;           /* a notice may have let the pair send again: see nic_windows_release */
    bool has_resume_timer; /* a NETWORK_NOTICE_RESUME is on its way */
    bool has_forget_timer; /* a NETWORK_NOTICE_FORGET is on its way */
};

static inline bool nic_pair_is_used(const struct nic_pair *pair) {
    return pair->is_used;
}
MAP_DEFINE(nic_pair, struct nic_pair, uint64_t, map_hash_of_word, map_is_same_word,
           nic_pair_is_used)

struct nic_window {
    uint64_t outstanding_bytes;
    uint64_t held;         /* number of held messages */
    int64_t idle_since_ps; /* since when the NIC sends no data because of windows, or EVENT_NEVER */
    uint32_t first_due;    /* destination of the first pair that is due, or NETWORK_NONE */
    bool is_closed;        /* the NIC waits for its own window */
};

struct nic_windows {
    struct nic_window *nics; /* [endpoint] */
    struct nic_pair_map pairs;
};

/* Returns the windows of a rail group, which nic_windows_free frees; NULL: out of memory. */
struct nic_windows *nic_windows_new(const struct network *network);

/* Frees what nic_windows_new has made. */
void nic_windows_free(struct nic_windows *windows);

/* Whether a message may send a packet now. */
typedef enum nic_admission {
    NIC_ADMITTED,
    NIC_HELD,  /* the first message has been held: the caller tries the next one */
    NIC_CLOSED /* the NIC's own window is full: no message may send */
} nic_admission;

/* Returns whether the first message of an endpoint's queue may send a packet at now_ps, and holds
 * the message if its pair may not. */
nic_admission nic_windows_admit(struct rail_group *rail_group, uint32_t endpoint, uint32_t payload);
/* Counts a packet that the first message of the queue sends to `destination`. Returns whether other
 * messages of the pair are held, so that this one gives up its turn: unless it is finished, the
 * caller takes it out of the queue and calls nic_windows_hold. */
bool nic_windows_send(struct rail_group *rail_group, uint32_t endpoint, uint32_t destination,
                      uint32_t payload);
/* Holds a message that has left the queue, behind the held messages of its pair. */
void nic_windows_hold(struct rail_group *rail_group, uint32_t endpoint, uint32_t message);
/* Moves held messages of the pairs that are due and may send to the end of the endpoint's queue. */
void nic_windows_release(struct rail_group *rail_group, uint32_t endpoint);
/* Records that a NIC sends nothing more at now_ps: if windows are the reason, counts the time until
 * it sends again. */
void nic_windows_record_idle(struct rail_group *rail_group, uint32_t endpoint);
/* Moves all held messages of a rail group to the ends of their queues. */
void nic_windows_release_all(struct rail_group *rail_group);
/* Takes a notice, given by its index in the rail group's pool of packets, and frees it. */
void nic_windows_take_notice(struct rail_group *rail_group, uint32_t index);

/* Returns the bytes that a packet counts in windows. */
static inline uint32_t nic_windows_bytes(const struct network *network, uint32_t size_bytes) {
    const struct network_config *config = &network->config;
    uint64_t bytes = size_bytes - (uint32_t)config->header_bytes;
    if (network->channels.rounds_sizes)
        bytes = (uint64_t)size_bytes * (uint64_t)config->packet_bytes /
                network->channels.full_packet_bytes;
    return bytes > 0 ? (uint32_t)bytes : 1;
}

/* Returns what nic_windows_bytes does, for a packet with so much payload. */
static inline uint32_t nic_windows_bytes_of_payload(const struct network *network,
                                                    uint32_t payload) {
    return nic_windows_bytes(network,
                             (uint32_t)network_config_packet_bytes(&network->config, payload));
}

#endif
