/*
 * Credits: the bytes for which the buffer at the other end of an output VC still has room.
 */
#ifndef ANAX_NETWORK_CREDITS_H
#define ANAX_NETWORK_CREDITS_H

#include "network/engine/state.h"

/* Schedules the return of credits to an output VC at time_ps. Wakes the output if a packet waits
 * for these credits. */
void credits_return(struct network_domain *domain, uint32_t port_vc, int64_t time_ps,
                    uint32_t bytes);
/* Returns when the output VC will have `bytes` of credit. EVENT_NEVER: the credits on their way
 * do not suffice; credits_return then wakes the output once enough are on their way. */
int64_t credits_time(struct network_domain *domain, uint32_t port_vc, uint32_t bytes);
/* Does the work of credits_settle, which callers use instead. */
void credits_settle_more(struct network_domain *domain, uint32_t port_vc);

/* Adds to the output VC the credits that have arrived by now_ps. */
static inline void credits_settle(struct network_domain *domain, uint32_t port_vc) {
    if (domain->output_vcs[port_vc].coming_ps <= domain->now_ps)
        credits_settle_more(domain, port_vc);
}

/* Returns whether the output VC has `bytes` of credit at now_ps. */
static inline bool credits_available(struct network_domain *domain, uint32_t port_vc,
                                     uint32_t bytes) {
    if (domain->output_vcs[port_vc].credits_bytes >= (int32_t)bytes) return true;
    credits_settle(domain, port_vc);
    return domain->output_vcs[port_vc].credits_bytes >= (int32_t)bytes;
}

#endif
