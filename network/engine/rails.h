/*
 * Rails: parallel networks, each a complete copy of the dragonfly. A message, or each packet of it,
 * goes by one of them from end to end.
 *
 * Here: by which, and the parts of messages that go by several. Knows nodes' queues and which
 * routers work, no more of them. Invariant: a node's choices follow from its own messages and
 * queues alone, in their order; a message goes only by rails in which both of its routers work.
 */
#ifndef ANAX_NETWORK_RAILS_H
#define ANAX_NETWORK_RAILS_H

#include "network/engine/state.h"

struct rail_choice {
    const char *name;
    const char *help; /* one line, no full stop */
    bool by_packet;   /* the packets of a message go by several rails */
    /* The rail of a message of a node (counted within the group), or of its first packet, out of
     * those that are usable, as bits. */
    uint32_t (*choose)(struct network_domain *home, const struct message *message, uint32_t node,
                       uint32_t usable);
};

const struct rail_choice *rail_choices(void); /* ends with a row whose name is NULL */

/* What failures leave of the rails after the first, if there are any. STATUS_USAGE: nodes that no
 * rail joins, and what topology_new refuses. */
status_code rails_wire(struct network *network, struct status *status);
void rails_free(struct network *network);

/* The rails by which two nodes reach each other, as bits. */
uint32_t rails_between(const struct network *network, uint32_t source, uint32_t destination);

/* A node's message is ready to be sent: into the queue of a rail's NIC, or in parts into several.
 */
void rails_hand_in(struct network_domain *home, uint32_t message);

/* Of a message in parts, by its number in the home's pool. A part begins: whether it is the first.
 * A part is sent at *sent_ps: the message if it was the last part, with the time of the last one to
 * leave, else NONE. A part is dropped: whether it was the last, and with it the message. */
bool rails_begin(struct network_domain *domain, uint32_t parent);
uint32_t rails_end(struct network_domain *domain, uint32_t parent, int64_t *sent_ps);
bool rails_drop(struct network_domain *home, uint32_t parent);

/* Of `packets` in all that have so many rails to go by: how many full ones go before the last one
 * by the rail on which the last packet goes, and by the rail that has most of the others. */
struct rail_share {
    int64_t before_last;
    int64_t others; /* 0: there is no other rail with any */
};
struct rail_share rails_share(const struct network_config *config, int64_t rails, int64_t packets);

#endif
