/*
 * When an output can take the packet of an input VC.
 */
#ifndef ANAX_NETWORK_OUTPUTS_H
#define ANAX_NETWORK_OUTPUTS_H

#include "network/engine/flow_control/credits.h"
#include "network/engine/state/channel_times.h"

/* Returns when an output's channel, or its output buffer and the crossbar, are free for a packet.
 * An output buffer has room once the packet and what is left in it fill it at most. */
static inline int64_t output_channel_free_ps(const struct rail_group *rail_group,
                                             const struct network_hop_features *features,
                                             uint32_t output, uint32_t size_bytes) {
    const struct network *network = rail_group->network;
    const struct network_output *out = &rail_group->outputs[output];
    if (!features->has_output_buffers) return out->free_ps;
    uint32_t type = network->tables.wiring[output].channel_type;
    int64_t at_ps = out->free_ps - (network->channels.output_buffer_ps[type] -
                                    channel_ps(network, type, size_bytes));
    return at_ps < out->crossbar_free_ps ? out->crossbar_free_ps : at_ps;
}

/* Returns when an output VC takes a packet. The channel of its output must be free, or the output
 * buffer must have room and the crossbar be free. If allocation takes time, it must also be
 * possible to allocate the output VC again. */
static inline int64_t output_accepts_ps(const struct rail_group *rail_group,
                                        const struct network_hop_features *features,
                                        uint32_t output, uint32_t port_vc, uint32_t size_bytes) {
    int64_t vc_ps = output_vc_free_ps(rail_group, features, port_vc);
    int64_t at_ps = output_channel_free_ps(rail_group, features, output, size_bytes);
    return vc_ps > at_ps ? vc_ps : at_ps;
}

/* Records that a packet lacks nothing but credits for an output. The output is stalled from
 * now_ps on, or from when the channel has sent the contents of its output buffer. */
static inline void output_begin_stall(struct rail_group *rail_group, uint32_t output) {
    struct network_output *out = &rail_group->outputs[output];
    if (out->stalled_since_ps == EVENT_NEVER)
        out->stalled_since_ps =
            out->free_ps > rail_group->now_ps ? out->free_ps : rail_group->now_ps;
}

#endif
