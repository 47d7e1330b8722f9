/*
 * Requests: the first packet of an input VC asks for an output VC, and no longer asks.
 */
#ifndef ANAX_NETWORK_REQUESTS_H
#define ANAX_NETWORK_REQUESTS_H

#include "network/engine/state.h"

/* The first packet of an input VC, once routed, asks for its output. Returns the number of the
 * allocator to be marked: the output's own, or where a router allocates all its outputs together,
 * the router's. */
uint32_t request_output(struct network_domain *domain, struct input_vc *buffer,
                        const struct packet *packet);
/* The opposite. */
void request_take_back(struct network_domain *domain, const struct input_vc *buffer);
/* Its bit is set while an input VC asks; this changes it. */
void request_flip(struct network_domain *domain, const struct input_vc *asking);
/* Ends an output's stall if nothing waits for its credits any longer. */
void request_end_stall(struct network_domain *domain, uint32_t output);

/* The same for the input VC of that number: takes a request back and ends the stall, asks again
 * (marking nothing). */
void request_withdraw(struct network_domain *domain, uint32_t port_vc);
void request_again(struct network_domain *domain, uint32_t port_vc);

#endif
