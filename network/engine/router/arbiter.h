/*
 * Arbitration: the choice among several input VCs that request the same output.
 */
#ifndef ANAX_NETWORK_ARBITER_H
#define ANAX_NETWORK_ARBITER_H

#include "network/engine/state/state.h"

/* Returns whether `packet` is older than `other`. Packets whose messages were ready at the same
 * time have a fixed order in which packets of one source do not overtake each other. */
static inline bool arbiter_is_older(const struct network_packet *packet,
                                    const struct network_packet *other) {
    if (packet->ready_ps != other->ready_ps) return packet->ready_ps < other->ready_ps;
    if (packet->source != other->source) return packet->source < other->source;
    return packet->packet_number < other->packet_number;
}

/* Compares two input VCs at the outputs that they request, by class_shares_compare if traffic
 * classes share channels by rules; otherwise responses go before data. Returns less than 0 if `a`
 * goes first, more than 0 if `b` does, and 0 if neither does. */
int arbiter_compare_classes(const struct rail_group *rail_group, const struct network_input_vc *a,
                            const struct network_input_vc *b);
/* Returns the one of two input VCs requesting an output that the output serves first. */
struct network_input_vc *arbiter_better(const struct rail_group *rail_group,
                                        const struct network_hop_features *features,
                                        uint32_t output, struct network_input_vc *a,
                                        struct network_input_vc *b);
/* Records for round robin that an output has chosen an input VC among several. */
void arbiter_advance(struct rail_group *rail_group, const struct network_hop_features *features,
                     uint32_t output, const struct network_input_vc *served);
/* Records for least-recent arbitration that an output serves an input VC. */
void arbiter_stamp(struct rail_group *rail_group, uint32_t output,
                   const struct network_input_vc *served);

#endif
