/* Requests. An output counts its requests and their bytes; bits show which input VCs have a
 * request. */
#include "network/engine/requests.h"

#include "core/hints.h"
#include "network/engine/outputs.h"
#include "network/engine/statistics.h"
#include "network/routing/saturation.h"

void request_flip(struct network_domain *domain, const struct network_input_vc *asking) {
    domain->request_bits[asking->request / 64] ^= UINT64_C(1) << (asking->request % 64);
}

/* If NICs have receive buffers, lets all VCs of an ejection port share the credits of VC 0,
 * because a receive buffer serves all VCs but those of responses, which NICs take at once. */
static void share_receive_buffer(const struct network *network, struct network_input_vc *asking) {
    if (network->config.nic_receive_buffer_bytes > 0 &&
        network->wiring[asking->output].channel_kind == NETWORK_TERMINAL &&
        !network_is_response_vc(network, asking->vc))
        asking->output_port_vc = asking->output * network->vcs;
}

/* Adds `bytes`, which may be negative, to the waiting bytes of an output VC and of a global
 * link, for policies that read them. */
HINT_APART static void note_request(struct network_domain *domain,
                                    const struct network_input_vc *asking, int64_t bytes) {
    if (domain->saturation != NULL &&
        domain->network->wiring[asking->output].channel_kind == NETWORK_GLOBAL)
        saturation_count_waiting(domain, asking->output_port_vc, bytes);
    if (domain->vc_waiting_bytes != NULL)
        domain->vc_waiting_bytes[asking->output_port_vc] += (uint32_t)bytes;
}

/* Fills in the request of an input VC for the output of its first packet, and prefetches what
 * making the request and granting it touch. */
static inline void prepare(struct network_domain *domain, struct network_input_vc *buffer,
                           const struct network_packet *packet) {
    const struct network *network = domain->network;
    uint32_t size_bytes = packet->size_bytes;
    uint32_t first = buffer->router * network->topology.radix;
    uint32_t number = first + packet->output_port;
    __builtin_prefetch(&domain->outputs[number], 1);
    buffer->output = number;
    buffer->output_port_vc = number * network->vcs + packet->output_vc;
    /* The credits that the grant takes and gives back. */
    __builtin_prefetch(&domain->output_vcs[buffer->output_port_vc], 1);
    __builtin_prefetch(&domain->rail_domains[buffer->peer_group].output_vcs[buffer->peer], 1);
    buffer->size_bytes = size_bytes;
    buffer->early_ps = output_early_ps(network, number, size_bytes);
    if (domain->input_free_ps != NULL) {
        __builtin_prefetch(&domain->input_free_ps[buffer->input]);
    } else {
        buffer->request = number * network->request_words * 64 + buffer->bit;
        __builtin_prefetch(&domain->request_bits[buffer->request / 64], 1);
    }
    if (network->notes_requests) share_receive_buffer(network, buffer);
}

/* Makes a request that has been prepared. Returns the number of the allocator to mark. */
static inline uint32_t make(struct network_domain *domain, struct network_input_vc *buffer) {
    const struct network *network = domain->network;
    request_flip(domain, buffer);
    if (network->counts_requests) {
        struct network_output *out = &domain->outputs[buffer->output];
        out->requests++;
        out->waiting_bytes += buffer->size_bytes;
    }
    if (network->notes_requests) note_request(domain, buffer, buffer->size_bytes);
    return domain->input_free_ps != NULL ? buffer->router : buffer->output;
}

uint32_t request_output(struct network_domain *domain, struct network_input_vc *buffer,
                        const struct network_packet *packet) {
    prepare(domain, buffer, packet);
    return make(domain, buffer);
}

void request_later(struct network_domain *domain, struct network_input_vc *buffer,
                   const struct network_packet *packet) {
    prepare(domain, buffer, packet);
    if (domain->later_count == NETWORK_LATER_MOST) request_make_all(domain);
    domain->later[domain->later_count++] = buffer;
}

void request_make_all(struct network_domain *domain) {
    for (uint32_t i = 0; i < domain->later_count; i++)
        bitset_add(&domain->pending, make(domain, domain->later[i]));
    domain->later_count = 0;
}

void request_again(struct network_domain *domain, uint32_t port_vc) {
    struct network_input_vc *buffer = &domain->input_vcs[port_vc];
    request_output(domain, buffer, &domain->packets.items[buffer->first]);
}

void request_take_back(struct network_domain *domain, const struct network_input_vc *buffer) {
    struct network_output *out = &domain->outputs[buffer->output];
    request_flip(domain, buffer);
    out->waiting_bytes -= buffer->size_bytes;
    out->requests--;
    if (domain->network->notes_requests) note_request(domain, buffer, -(int64_t)buffer->size_bytes);
}

void request_end_stall(struct network_domain *domain, uint32_t number) {
    struct network_output *out = &domain->outputs[number];
    if (out->requests > 0 || out->blocked_ps == EVENT_NEVER) return;
    if (out->blocked_ps < domain->now_ps)
        statistics_stall(domain, number, out->blocked_ps, domain->now_ps);
    out->blocked_ps = EVENT_NEVER;
}

void request_withdraw(struct network_domain *domain, uint32_t port_vc) {
    const struct network_input_vc *buffer = &domain->input_vcs[port_vc];
    request_take_back(domain, buffer);
    request_end_stall(domain, buffer->output);
}
