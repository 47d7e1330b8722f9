/*
 * Rails: parallel networks, each a complete copy of the dragonfly. A message, or each packet of it,
 * goes by one of them from end to end.
 *
 * Here: by which, and the parts of messages that go by several. Knows nodes' queues, not routers.
 * Invariant: a node's choices follow from its own messages and queues alone, in their order.
 */
#ifndef ANAX_NETWORK_RAILS_H
#define ANAX_NETWORK_RAILS_H

#include "network/state.h"

typedef struct rail_choice {
    const char *name;
    const char *help; /* one line, no full stop */
    bool by_packet;   /* the packets of a message go by several rails */
    /* The rail of a message of a node (counted within the group), or of its first packet. */
    uint32_t (*choose)(network_domain *home, const message *message, uint32_t node);
} rail_choice;

const rail_choice *rail_choices(void); /* ends with a row whose name is NULL */
const char *const *network_rail_names(void);

/* A node's message is ready to be sent: into the queue of a rail's NIC, or in parts into several.
 */
void rails_hand_in(network_domain *home, uint32_t message);

/* Of a message in parts, by its number in the home's pool. A part begins: whether it is the first.
 * A part is sent at *sent_ps: the message if it was the last part, with the time of the last one to
 * leave, else NONE. A part is dropped: whether it was the last, and with it the message. */
bool rails_begin(network_domain *domain, uint32_t whole);
uint32_t rails_end(network_domain *domain, uint32_t whole, int64_t *sent_ps);
bool rails_drop(network_domain *home, uint32_t whole);

/* How many full packets go before the last one by the rail on which the last packet goes, and how
 * many full packets go by the rail that has most of the others; of `packets` in all. */
typedef struct rail_share {
    int64_t before_last;
    int64_t others; /* 0: there is no other rail with any */
} rail_share;
rail_share rails_share(const network_config *config, int64_t packets);

#endif
