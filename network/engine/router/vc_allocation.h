/*
 * Output VCs given to input VCs before the crossbar (network.router.vc_allocation first).
 */
#ifndef ANAX_NETWORK_VC_ALLOCATION_H
#define ANAX_NETWORK_VC_ALLOCATION_H

#include "network/engine/state/state.h"

/* Who holds an output VC. The input VCs of its router are numbered as network_input_position.bit.
 */
struct vc_holder {
    uint16_t holder; /* 1 + the input VC that holds the output VC; 0: none */
    uint16_t next;   /* the input VC that is next in round robin */
    bool is_new;     /* `holder` got it in this round; false between rounds */
};

/* The state of a rail group's routers. */
struct vc_allocation {
    struct vc_holder *holders; /* [output VC] */
    uint16_t *next_outputs;    /* [input port]: the output port that is next in round robin */
    uint16_t *next_inputs;     /* [output]: the input port that is next in round robin */
};

/* Returns NULL if memory is short. The caller frees the result with vc_allocation_free. */
struct vc_allocation *vc_allocation_new(const struct network *network);

/* Frees what vc_allocation_new has made. */
void vc_allocation_free(struct vc_allocation *vc_allocation);

/* Allocates the output VCs and the outputs of a router. */
void vc_allocation_allocate(struct rail_group *rail_group, uint32_t router);

#endif
