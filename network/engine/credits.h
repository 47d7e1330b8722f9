/*
 * Credits: how many bytes the buffer at the other end of an output VC still takes.
 */
#ifndef ANAX_NETWORK_CREDITS_H
#define ANAX_NETWORK_CREDITS_H

#include "network/engine/state.h"

/* Bytes of credit come back to an output VC at time_ps. */
void credits_return(struct network_domain *domain, uint32_t port_vc, int64_t time_ps,
                    uint32_t bytes);
/* When the output VC will have so many bytes of credit. EVENT_NEVER: the credits on their way do
 * not suffice; the output is then woken when enough are on their way. */
int64_t credits_time(struct network_domain *domain, uint32_t port_vc, uint32_t bytes);
void credits_settle_more(struct network_domain *domain, uint32_t port_vc);

/* Applies the credits that have come by now. */
static inline void credits_settle(struct network_domain *domain, uint32_t port_vc) {
    if (domain->output_vcs[port_vc].coming_ps <= domain->now_ps)
        credits_settle_more(domain, port_vc);
}

static inline bool credits_available(struct network_domain *domain, uint32_t port_vc,
                                     uint32_t bytes) {
    if (domain->output_vcs[port_vc].credits_bytes >= (int32_t)bytes) return true;
    credits_settle(domain, port_vc);
    return domain->output_vcs[port_vc].credits_bytes >= (int32_t)bytes;
}

#endif
