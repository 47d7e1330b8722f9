/*
 * When an output can take the packet of an input VC.
 */
#ifndef ANAX_NETWORK_OUTPUTS_H
#define ANAX_NETWORK_OUTPUTS_H

#include "network/engine/channel_times.h"
#include "network/engine/credits.h"

/* How long before its channel is free an output takes a packet: as long as the rest of its output
 * buffer takes to be sent once the packet is in it. */
static inline int64_t output_early_ps(const struct network *network, uint32_t number,
                                      uint32_t size_bytes) {
    if (!network->output_buffered) return 0;
    network_level level = (network_level)network->places[number].level;
    return network->output_buffer_ps[level] - channel_ps(network, level, size_bytes);
}

/* From when an output's channel, or its output buffer and the crossbar, are free for the packet of
 * a port VC, which may ask for another output. */
static inline int64_t output_channel_free_ps(const struct network_domain *domain, uint32_t number,
                                             const struct input_vc *asking) {
    const struct output *out = &domain->outputs[number];
    int64_t at_ps = out->free_ps;
    if (domain->network->output_buffered)
        at_ps -= number == asking->output
                     ? asking->early_ps
                     : output_early_ps(domain->network, number, asking->size_bytes);
    return at_ps < out->crossbar_ps ? out->crossbar_ps : at_ps;
}

/* From when an output takes the packet that asks for it: when its channel is free, or its output
 * buffer has room and the crossbar is free, and while allocation takes time, when the VC can be
 * allocated again. */
static inline int64_t output_accepts_ps(const struct network_domain *domain,
                                        const struct input_vc *asking) {
    const struct output *out = &domain->outputs[asking->output];
    int64_t vc_ps = domain->output_vcs[asking->output_port_vc].free_ps;
    int64_t at_ps = out->free_ps - asking->early_ps;
    if (at_ps < out->crossbar_ps) at_ps = out->crossbar_ps;
    return vc_ps > at_ps ? vc_ps : at_ps;
}

/* Whether the packet's next buffer has room for all of it. Ejection has, unless NICs have receive
 * buffers: else its port VCs are never charged. */
static inline bool output_has_credits(struct network_domain *domain,
                                      const struct input_vc *asking) {
    return credits_available(domain, asking->output_port_vc, asking->size_bytes);
}

/* A packet lacks nothing but credits for an output: from now on, or from when the channel has sent
 * what its output buffer holds, it stands idle for that. */
static inline void output_note_stall(struct network_domain *domain, uint32_t number) {
    struct output *out = &domain->outputs[number];
    if (out->blocked_ps == EVENT_NEVER)
        out->blocked_ps = out->free_ps > domain->now_ps ? out->free_ps : domain->now_ps;
}

#endif
