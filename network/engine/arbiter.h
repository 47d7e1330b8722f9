/*
 * Arbitration: which of several input VCs that ask for an output it serves first.
 */
#ifndef ANAX_NETWORK_ARBITER_H
#define ANAX_NETWORK_ARBITER_H

#include "network/engine/state.h"

/* Oldest first: by birth; packets born at the same time in a fixed order in which those of one
 * source do not overtake each other. */
static inline bool arbiter_older(const struct packet *packet, const struct packet *other) {
    if (packet->born_ps != other->born_ps) return packet->born_ps < other->born_ps;
    if (packet->source != other->source) return packet->source < other->source;
    return packet->number < other->number;
}

/* Which of two port VCs asking for the same output it serves first. */
struct input_vc *arbiter_better(const struct network_domain *domain, struct input_vc *a,
                                struct input_vc *b);
/* Notes that a port VC has been chosen among several, for round robin. */
void arbiter_pass_turn(struct network_domain *domain, const struct input_vc *served);
/* Notes that an output serves a port VC, for least recently served. */
void arbiter_stamp(struct network_domain *domain, const struct input_vc *served);

#endif
