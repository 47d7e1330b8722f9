/*
 * Labels: which owner each message, and each packet on its way, belongs to. The user of the network
 * gives a label to the next message of a group. All packets of the message carry the label.
 *
 * A network has labels only after network_keep_labels. They must not know what labels mean.
 * Invariant: packets without a label of their own, such as responses of NICs, have the empty label.
 */
#ifndef ANAX_NETWORK_LABELS_H
#define ANAX_NETWORK_LABELS_H

#include "core/base/compiler_hints.h"
#include "network/engine/state/state.h"

/* Makes the labels of a rail group; NULL: out of memory. */
struct labels *labels_new(void);

/* Frees what labels_new has made. */
void labels_free(struct labels *labels);

/* Records the label of the next message that is handed to the rail group. */
void labels_set_next(struct rail_group *rail_group, const struct network_label *label);
/* Gives a new message the label of labels_set_next, which holds for this message alone. */
HINT_NOINLINE void labels_label_message(struct rail_group *rail_group, uint32_t message);
/* Gives a message the label that it had in another rail group. */
HINT_NOINLINE void labels_move_message(struct rail_group *from, uint32_t message,
                                       struct rail_group *to, uint32_t moved);
/* Gives a packet that a NIC sends the label of the NIC's first message, unless it is a response. */
HINT_NOINLINE void labels_label_packet(struct rail_group *rail_group, uint32_t packet,
                                       uint32_t endpoint, uint32_t virtual_network);
/* Gives a packet a label. */
HINT_NOINLINE void labels_put(struct rail_group *rail_group, uint32_t packet,
                              const struct network_label *label);
/* Returns the label of a packet, which the next call may overwrite. */
HINT_NOINLINE const struct network_label *labels_of(const struct rail_group *rail_group,
                                                    uint32_t packet);

#endif
