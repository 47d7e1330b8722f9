/*
 * Credits: the bytes for which the buffer at the other end of an output VC still has room.
 *
 * With shared buffers, an output also counts the free bytes of the buffer that all VCs at the other
 * end share (rail_group->shared_free_bytes). What a VC takes beyond its own buffer makes its
 * credits negative, and is taken from the shared buffer; credits that come back go there first. So
 * for every output, the free bytes of its shared buffer and the negative credits of its VCs add up
 * to the size of that buffer. The VC of an escape ring takes nothing from it, because the ring's
 * safety is counted in its own buffer.
 */
#ifndef ANAX_NETWORK_CREDITS_H
#define ANAX_NETWORK_CREDITS_H

#include "network/engine/state/state.h"

/* Schedules the return of credits to an output VC at time_ps, but not before those that are on
 * their way to it: credits come back in order. Wakes the output if a packet waits for these
 * credits. Returns when they arrive. */
int64_t credits_return(struct rail_group *rail_group, const struct network_hop_features *features,
                       uint32_t port_vc, int64_t time_ps, uint32_t bytes);
/* Returns when an output VC that lacks credits at now_ps will have `bytes` of credit, with what it
 * can take of the shared buffer. EVENT_NEVER: the credits on their way do not suffice;
 * credits_return then wakes the output once enough are on their way, or with shared buffers at
 * every credit. */
int64_t credits_at_ps(struct rail_group *rail_group, uint32_t port_vc, uint32_t bytes);
/* Returns whether the output VC has `bytes` of credit at now_ps with what it can take of the shared
 * buffer. Callers use credits_are_available instead. */
bool credits_shared_are_available(struct rail_group *rail_group, uint32_t port_vc, uint32_t bytes);
/* Takes what a packet of `bytes` needs beyond the VC's credits from the shared buffer. Called
 * before the credits are lowered. */
void credits_take_shared(struct rail_group *rail_group, uint32_t port_vc, uint32_t bytes);
/* Does the work of credits_settle, which callers use instead. */
void credits_settle_more(struct rail_group *rail_group, const struct network_hop_features *features,
                         uint32_t port_vc);

/* Adds to an output VC that has no overflow record its only returning credit. */
static inline void credits_take_only(struct network_output_vc *output_vc) {
    output_vc->credits_bytes += (int32_t)output_vc->returning_bytes;
    output_vc->returning_ps = EVENT_NEVER;
    output_vc->returning_bytes = 0;
}

/* Adds to the output VC the credits that have arrived by now_ps. */
static inline void credits_settle(struct rail_group *rail_group,
                                  const struct network_hop_features *features, uint32_t port_vc) {
    struct network_output_vc *output_vc = &rail_group->output_vcs[port_vc];
    if (output_vc->returning_ps > rail_group->now_ps) return;
    if (output_vc->overflow & NETWORK_HAS_OVERFLOW ||
        (!features->has_basic_routing && rail_group->tracks_credits))
        credits_settle_more(rail_group, features, port_vc);
    else
        credits_take_only(output_vc);
}

/* Returns whether the output VC has `bytes` of credit at now_ps. */
static inline bool credits_are_available(struct rail_group *rail_group,
                                         const struct network_hop_features *features,
                                         uint32_t port_vc, uint32_t bytes) {
    if (rail_group->output_vcs[port_vc].credits_bytes >= (int32_t)bytes) return true;
    credits_settle(rail_group, features, port_vc);
    if (rail_group->output_vcs[port_vc].credits_bytes >= (int32_t)bytes) return true;
    return !features->is_basic && rail_group->shared_free_bytes != NULL &&
           credits_shared_are_available(rail_group, port_vc, bytes);
}

#endif
