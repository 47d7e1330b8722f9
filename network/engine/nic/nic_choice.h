/*
 * Nodes with several NICs: between which of their NICs a message goes.
 *
 * Outside the engine a message goes from node to node. Inside, it goes from endpoint to endpoint
 * (node_shape.h): this file chooses both when the message is sent, or cuts a large message into
 * stripes, one for each pair of NICs. If nodes have one NIC, nothing here is called but
 * nic_choice_has_stripes, which is then false. Each choice is one function and one row of the table
 * in nic_choice.c.
 *
 * Invariants: a choice follows only from the message, the state of the source node and the seed.
 * Both endpoints of a pair have a router that works, in at least one rail that they have in common.
 */
#ifndef ANAX_NETWORK_NIC_CHOICE_H
#define ANAX_NETWORK_NIC_CHOICE_H

#include "network/engine/state/state.h"

/* The two endpoints between which a message goes. */
struct nic_endpoints {
    uint32_t source;
    uint32_t destination;
};

struct nic_choice_input;

struct nic_choice {
    const char *name;
    const char *help; /* one line without a full stop */
    /* For choices by process: returns the NIC of a node's process `index` out of `count`. */
    uint32_t (*of_process)(uint32_t nics, uint32_t index, uint32_t count);
    bool is_by_queue; /* the source's NIC is chosen when the message reaches the queues of NICs */
    /* Changes the NICs that are next in round robin, for other choices; NULL: those are used. */
    void (*choose)(const struct nic_choice_input *input, uint32_t nic[2]);
};

/* Returns the table of choices, which ends with a row whose name is NULL. */
const struct nic_choice *nic_choices(void);

/* Returns the endpoints of a message that a node of the group sends now. If the message goes
 * through the network, the node's next pair of NICs in round robin is the following one from then
 * on. */
struct nic_endpoints nic_choice_next(struct rail_group *rail_group,
                                     const struct network_message *message);
/* Returns the endpoints that a message would have as the first one of an idle network. */
struct nic_endpoints nic_choice_first(const struct network *network,
                                      const struct network_message *message);

/* Changes the source of a message of the home's pool to that endpoint of its node where the fewest
 * bytes wait; among equal ones, the first from the present source on. For choices with is_by_queue,
 * when the message is handed in. */
void nic_choice_take_shortest_queue(struct rail_group *home,
                                    struct network_message_record *message);

/* Returns whether a message between endpoints of different nodes is sent in stripes. */
static inline bool nic_choice_has_stripes(const struct network *network, uint64_t size_bytes) {
    return network->nics.stripe_bytes > 0 && size_bytes >= network->nics.stripe_bytes;
}

/* Writes the endpoints of the stripes of a message with a sequence number at its source, and
 * returns their number. The endpoints may be any of the two nodes'. */
uint32_t nic_choice_write_stripes(const struct network *network, uint32_t source,
                                  uint32_t destination, uint32_t sequence,
                                  struct nic_endpoints stripes[NETWORK_NICS_MAX]);
/* Hands the stripes of a message of the home's pool in, as rails_hand_in does with those of rails.
 */
void nic_choice_hand_in_stripes(struct rail_group *home, uint32_t parent);

#endif
