/*
 * What the code of a hop knows of the machine. Internal to network/.
 *
 * Most machines have none of the features that only some have, such as traffic classes, shared
 * buffers, windows or failures: they are plain. The functions that every packet passes at every hop
 * take a `struct network_machine`. In a run of a plain machine it is a constant (plain_machines.h),
 * so that the compiler leaves all tests for features out of that run; in other runs it is the
 * network's own, and the same functions test for each feature.
 *
 * Invariant: the results are the same with a constant and with the network's own.
 */
#ifndef ANAX_NETWORK_MACHINE_H
#define ANAX_NETWORK_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

struct network_domain;
struct network_input_vc;

struct network_machine {
    bool plain;            /* see is_plain in derive.c */
    bool by_router;        /* routers allocate all their outputs together, see router.h */
    bool output_buffers;   /* routers have them */
    bool allocation_times; /* domain.vc_free_ps is kept */
    bool narrow;           /* all input VCs of a router have their bits in one word */
    bool observed;         /* domains may have trails, labels, a history or watched links */
    uint8_t crossbar;      /* network.router.crossbar */
    /* crossbar_transfer for this machine */
    void (*transfer)(struct network_domain *domain, struct network_input_vc *from, uint32_t output);
};

#endif
