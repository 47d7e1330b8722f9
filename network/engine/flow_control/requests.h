/*
 * Requests: the first packet of an input VC requests an output VC, or withdraws its request.
 */
#ifndef ANAX_NETWORK_REQUESTS_H
#define ANAX_NETWORK_REQUESTS_H

#include "core/base/prefetch.h"
#include "network/engine/state/state.h"

/* Requests an output for the first packet of the input VC in a position, which has been routed.
 * Returns the number of the allocator that becomes due: the router if it allocates all its outputs
 * together, else the output. */
uint32_t request_output(struct rail_group *rail_group, const struct network_hop_features *features,
                        const struct network_input_position *position,
                        const struct network_packet *packet);
/* Defers such a request, which request_make_deferred makes later in the same instant. The memory
 * that the request touches is prefetched meanwhile, which pays where outputs count their requests.
 */
void request_defer(struct rail_group *rail_group, const struct network_hop_features *features,
                   struct network_input_vc *input_vc, const struct network_input_position *position,
                   const struct network_packet *packet);

/* Makes all deferred requests, and makes their allocators due. Called before the decisions of
 * the instant, and when there is no room for another deferred request. */
void request_make_deferred(struct rail_group *rail_group,
                           const struct network_hop_features *features);
/* Withdraws the request of an input VC, but leaves the output's stall as it is: the caller requests
 * an output again, or calls request_end_stall. */
void request_withdraw_during_stall(struct rail_group *rail_group,
                                   const struct network_input_vc *input_vc);
/* Inverts the bit in request_bits of the input VC in a position that requests an output. The bit is
 * set while the input VC has a request. */
void request_flip(struct rail_group *rail_group, const struct network_hop_features *features,
                  const struct network_input_position *position, uint32_t output);
/* Ends an output's stall if no request is left. */
void request_end_stall(struct rail_group *rail_group, uint32_t output);

/* Withdraws the request of an input VC, given by its port VC, and ends the output's stall if no
 * request is left. */
void request_withdraw(struct rail_group *rail_group, uint32_t port_vc);
/* Requests an output again for the first packet of an input VC, and makes no allocator due. */
void request_again(struct rail_group *rail_group, uint32_t port_vc);

/* Returns the number of 64-bit words of request_bits for each output or router. On a machine with
 * has_one_word the compiler knows it, as it does the results of the two functions below. */
static inline uint32_t network_request_words(const struct network *network,
                                             const struct network_hop_features *features) {
    return features->has_one_word ? 1 : network->routers.request_words;
}

/* Returns the number of 64-bit words that hold one bit for each port of a router. */
static inline uint32_t network_port_words(const struct network *network,
                                          const struct network_hop_features *features) {
    return features->has_one_word ? 1 : network->routers.port_words;
}

/* Returns which of the request words has the bit of the input VC in a position. */
static inline uint32_t requests_input_vc_word(const struct network_hop_features *features,
                                              const struct network_input_position *position) {
    return features->has_one_word ? 0 : position->bit / 64;
}

/* Returns the word of request_bits that has the bit of an input VC in that position. */
static inline uint64_t *request_word(const struct rail_group *rail_group,
                                     const struct network_hop_features *features,
                                     const struct network_input_position *position,
                                     uint32_t output) {
    uint32_t allocator = features->allocates_by_router ? position->router : output;
    return &rail_group->allocation
                .request_bits[allocator * network_request_words(rail_group->network, features) +
                              requests_input_vc_word(features, position)];
}

/* Prefetches what a request from an input VC in a position for a port and VC of its router touches.
 */
PREFETCH_FUNCTION void request_fetch(const struct rail_group *rail_group,
                                     const struct network_hop_features *features,
                                     const struct network_input_position *position, uint32_t port,
                                     uint32_t vc) {
    const struct network *network = rail_group->network;
    const uint32_t output = position->router * network->topology.radix + port;
    __builtin_prefetch(&rail_group->outputs[output], 1);
    __builtin_prefetch(&rail_group->output_vcs[output * network->vcs.per_port + vc], 1);
    __builtin_prefetch(request_word(rail_group, features, position, output), 1);
}

#endif
