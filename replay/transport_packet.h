/*
 * The packet-level network as a transport.
 */
#ifndef ANAX_REPLAY_TRANSPORT_PACKET_H
#define ANAX_REPLAY_TRANSPORT_PACKET_H

#include "replay/replay.h"
#include "replay/transport.h"

typedef struct transport_packet {
    transport transport;
    network *network;                  /* the caller frees it */
    const replay_companion *companion; /* other traffic on the network; NULL: none */
} transport_packet;

/* Builds the network. It must not outlive *packet, which must not move. packet->network is NULL
 * after an error. Errors are those of network_new. */
status_code transport_packet_new(transport_packet *packet, const network_config *machine,
                                 uint64_t seed, const replay_companion *companion, status *status);

#endif
