/*
 * The packet-level network as a transport.
 */
#ifndef ANAX_REPLAY_TRANSPORT_PACKET_H
#define ANAX_REPLAY_TRANSPORT_PACKET_H

#include "replay/replay.h"
#include "replay/transport/transport.h"

struct transport_packet {
    struct transport transport;
    struct network *network;                  /* the caller frees it */
    const struct replay_companion *companion; /* other traffic on the network; NULL: none */
};

/* Builds the network of a machine. *packet must not move, and must outlive the network. The caller
 * frees packet->network, which is NULL after an error. Returns the errors of network_new. */
status_code transport_packet_new(struct transport_packet *packet,
                                 const struct network_config *network_config, uint64_t seed,
                                 const struct replay_companion *companion,
                                 const struct network_distribution *part, struct status *status);

#endif
