/*
 * Rails: parallel networks, each a complete copy of the dragonfly. A message, or each packet of
 * it, stays in one rail from end to end.
 *
 * This file chooses the rail, and keeps the stripes of messages that use several rails. It knows
 * endpoints' queues and which routers work, but nothing else of endpoints and routers. Invariant:
 * an endpoint's choices follow only from its own messages and queues, in their order; a message
 * uses only rails in which both of its routers work.
 */
#ifndef ANAX_NETWORK_RAILS_H
#define ANAX_NETWORK_RAILS_H

#include "network/engine/state/state.h"
#include "network/topology/failures.h"

struct rail_choice {
    const char *name;
    const char *help;  /* one line without a full stop */
    bool is_by_packet; /* the packets of a message use several rails */
    /* Returns the rail of a message of an endpoint (numbered within the group), or of the message's
     * first packet, out of the usable rails, which are given as bits. */
    uint32_t (*choose)(struct rail_group *home, const struct network_message_record *message,
                       uint32_t endpoint, uint32_t usable);
};

/* Returns the table of choices, which ends with a row whose name is NULL. */
const struct rail_choice *rail_choices(void);

/* Makes the topologies of the rails after the first if there are failures. STATUS_USAGE: no rail
 * joins some nodes, or topology_new rejects a rail. STATUS_MEMORY. rails_free frees the
 * topologies. */
status_code rails_make_topologies(struct network *network, struct status *status);

/* Frees what rails_make_topologies has made. */
void rails_free(struct network *network);

/* Returns whether the router of an endpoint works in at least one rail. */
static inline bool rails_endpoint_works(const struct network *network, uint32_t endpoint) {
    uint32_t router = endpoint / network->topology.endpoints_per_router;
    if (network->rails.working_rails != NULL) return network->rails.working_rails[router] != 0;
    return failures_router_works(&network->topology, router);
}

/* Returns the rails in which the routers of both endpoints work, as bits. */
uint32_t rails_between(const struct network *network, uint32_t source, uint32_t destination);

/* Puts a message of the home's pool, which its endpoint is ready to send, into the queue of one
 * rail's NIC, or its stripes into the queues of several. */
void rails_hand_in(struct rail_group *home, uint32_t message_index);

/* The next three functions are about the stripes of a message. `parent` is the message's index in
 * the home's pool. */
/* Records that a stripe begins. Returns whether it is the first. */
bool rails_begin(struct rail_group *rail_group, uint32_t parent);
/* Records that a stripe is sent at *sent_ps. If it is the last stripe, returns `parent` and sets
 * *sent_ps to the time of the latest stripe; else returns NETWORK_NONE. */
uint32_t rails_end(struct rail_group *rail_group, uint32_t parent, int64_t *sent_ps);
/* Drops a stripe. Returns whether it was the last; then the message is freed. */
bool rails_drop(struct rail_group *home, uint32_t parent);

/* Returns the number of packets of a message. */
uint64_t rails_packets_of(const struct network *network, uint64_t size_bytes);
/* Returns the bytes of payload of stripe number `stripe` of a message that is cut into `stripes`
 * stripes: it has the packets stripe, stripe + stripes, stripe + 2·stripes, … of the message's
 * `packets` packets. */
uint64_t rails_stripe_bytes(const struct network *network, uint64_t size_bytes, uint64_t packets,
                            uint32_t stripes, uint32_t stripe);

/* The numbers of full packets that the rails carry of one message: `before_last` counts those
 * that precede the last packet in its rail, and `others` counts the packets of the other rail
 * that has most of them. */
struct rail_share {
    int64_t before_last;
    int64_t others; /* 0: no other rail has packets */
};
/* Returns the shares of a message of `packets` packets that can use `rails` rails. */
struct rail_share rails_share(const struct network_config *config, int64_t rails, int64_t packets);

#endif
