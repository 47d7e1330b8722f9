/*
 * The features of a machine that decide what a packet's hop has to do. Internal to network/.
 *
 * A basic machine has no traffic classes, shared buffers, windows or other features that only some
 * machines have (kim-1k-paper is one). Basic routing (minimal, for instance) needs no state besides
 * whole queues, and has no failures to go around. The functions that run at every hop take a
 * `struct network_hop_features`. In a run of a common basic machine this struct is a constant
 * (basic_machines.h), so the compiler removes all tests for features. In other runs it is
 * network->hop_features, and the same functions test for each feature.
 *
 * Invariant: the results are the same with a constant and with network->hop_features.
 */
#ifndef ANAX_NETWORK_HOP_FEATURES_H
#define ANAX_NETWORK_HOP_FEATURES_H

#include <stdbool.h>
#include <stdint.h>

struct rail_group;
struct network_input_vc;

struct network_hop_features {
    bool is_basic;               /* see is_basic in derive.c */
    bool has_basic_routing;      /* and has_basic_routing there; only if is_basic */
    bool allocates_by_router;    /* routers allocate all their outputs together, see router.h */
    bool has_output_buffers;     /* routers have output buffers */
    bool keeps_allocation_times; /* rail_group.allocation.vc_free_ps is kept */
    bool has_one_word;           /* all input VCs of a router have their bits in one word */
    bool is_observed; /* rail groups may have trails, labels, a history or watched links */
    uint8_t crossbar; /* network.router.crossbar */
    /* crossbar_traverse for this machine */
    void (*traverse)(struct rail_group *rail_group, struct network_input_vc *from, uint32_t output);
};

#endif
