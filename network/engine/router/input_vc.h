/*
 * Route computation: packets enter input VCs. The first packet of each input VC, its front, is
 * routed and requests its output.
 */
#ifndef ANAX_NETWORK_INPUT_VC_H
#define ANAX_NETWORK_INPUT_VC_H

#include "network/engine/state/state.h"

/* Appends a packet of this rail group to an input VC (NETWORK_EVENT_ENTER_VC). */
void input_vc_append(struct rail_group *rail_group, const struct network_hop_features *features,
                     uint32_t port_vc, uint32_t packet);
/* Called when a traversal has made the next packet first in its input VC, which is in that
 * position. Routes the packet, as input_vc_may_request does, or if it may not request an output yet
 * (eligible_ps), inserts an event NETWORK_EVENT_FRONT for the time when it may. */
void input_vc_advance(struct rail_group *rail_group, const struct network_hop_features *features,
                      struct network_input_vc *input_vc,
                      const struct network_input_position *position);
/* Called when the first packet of an input VC may request an output from now_ps on. Routes the
 * packet and requests its output. If its path depends on queues, input_vc_route does so after all
 * events of this time stamp. */
void input_vc_may_request(struct rail_group *rail_group,
                          const struct network_hop_features *features, uint32_t port_vc);
/* Makes an input VC due for another routing decision, a cycle after the last one, if its first
 * packet still has this number at its source. */
void input_vc_reroute(struct rail_group *rail_group, uint32_t port_vc, uint32_t number);
/* Routes the first packet of an input VC whose path depends on queues, for the first time or
 * again. */
void input_vc_route(struct rail_group *rail_group, const struct network_hop_features *features,
                    uint32_t port_vc);

#endif
