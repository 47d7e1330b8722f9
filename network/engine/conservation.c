/*
 * The end of a run: checks the conservation of packets, bytes and credits. If a packet is stuck,
 * reports where it is and what it waits for.
 */
#include "network/engine/conservation.h"

#include "core/plural.h"
#include "network/engine/credits.h"
#include "network/engine/nic_host.h"
#include "network/engine/nic_windows.h"
#include "network/network_choices.h"
#include "network/routing/routing.h"

#include <inttypes.h>

#define STUCK_SHOWN 10

static void describe_stuck(const struct network *network, const struct network_domain *domain,
                           uint32_t port_vc, struct status *status) {
    const struct network_input_vc *buffer = &domain->input_vcs[port_vc];
    const struct network_packet *packet = &domain->packets.items[buffer->first];
    struct network_output_wiring wiring = network->wiring[buffer->input];
    static const char *const levels[] = {"injection", "local", "global"};
    uint32_t output = wiring.router * network->topology.radix + packet->output_port;
    bool ejection = network->wiring[output].channel_kind == NETWORK_TERMINAL;
    int64_t since_ns = (packet->ready_ps + 500) / 1000;
    status_append(
        status,
        "  group %u, router %u, %s input port %u, VC %u: packet of %u byte%s from node %u "
        "to node %u, first since %" PRId64 ".%03" PRId64
        " us, waits for output port %u, VC %u (%d bytes of "
        "credits)",
        domain->group, domain_first_router(domain) + wiring.router, levels[wiring.channel_kind],
        wiring.port, port_vc % network->vcs, packet->size_bytes, plural(packet->size_bytes),
        packet->source, packet->destination, since_ns / 1000, since_ns % 1000, packet->output_port,
        packet->output_vc,
        ejection && network->config.nic_receive_buffer_bytes == 0
            ? 0
            : domain->output_vcs[output * network->vcs + packet->output_vc].credits_bytes);
}

/* Says which NICs wait for their windows, or hold messages back. */
static void describe_windows(const struct network *network, struct status *status) {
    uint32_t waiting = 0, per_group = network->topology.nodes_per_group;
    for (uint32_t i = 0; i < network->domains_in_all_rails; i++) {
        const struct network_domain *domain = &network->domains[i];
        for (uint32_t node = 0; node < per_group; node++) {
            const struct nic_window *nic = &domain->windows->nics[node];
            if (!nic->closed && nic->held == 0) continue;
            if (++waiting > STUCK_SHOWN) continue;
            status_append(status,
                          "  node %u: %llu bytes without acknowledgement, %llu message%s held back"
                          "%s",
                          domain->group * per_group + node,
                          (unsigned long long)nic->outstanding_bytes, (unsigned long long)nic->held,
                          plural(nic->held), nic->closed ? ", network.nic.window is full" : "");
        }
    }
    if (waiting > STUCK_SHOWN)
        status_append(status, "  and %u more nodes wait for windows", waiting - STUCK_SHOWN);
}

static status_code report_stuck(const struct network *network, const char *what,
                                struct status *status) {
    uint64_t packets = 0;
    uint64_t stuck = 0;
    for (uint32_t i = 0; i < network->domains_in_all_rails; i++) {
        const struct network_domain *domain = &network->domains[i];
        packets += domain->accepted_packets - domain->totals.packets;
        packets += domain->accepted_responses - domain->totals.responses;
        for (uint32_t port_vc = 0; port_vc < network->ports * network->vcs; port_vc++)
            stuck += domain->input_vcs[port_vc].first != NETWORK_NONE;
    }
    status_set(
        status, STATUS_RUN,
        "network: %s: %llu packet%s under way, %llu buffer%s blocked; routing %s with %u VC%s",
        what, (unsigned long long)packets, plural(packets), (unsigned long long)stuck,
        plural(stuck), network_routing_names()[network->config.routing], network->free_vcs,
        plural(network->free_vcs));
    unsigned needed = routing_vcs(&network->config);
    if (network->free_vcs < needed)
        status_append(status,
                      "  the routing needs %u VCs to be free of deadlock; set network.vcs to 0",
                      needed);
    unsigned shown = 0;
    for (uint32_t i = 0; i < network->domains_in_all_rails && shown < STUCK_SHOWN; i++) {
        const struct network_domain *domain = &network->domains[i];
        for (uint32_t port_vc = 0; port_vc < network->ports * network->vcs && shown < STUCK_SHOWN;
             port_vc++) {
            if (domain->input_vcs[port_vc].first == NETWORK_NONE) continue;
            describe_stuck(network, domain, port_vc, status);
            shown++;
        }
    }
    if (stuck > shown)
        status_append(status, "  and %llu more", (unsigned long long)(stuck - shown));
    if (network->has_windows) describe_windows(network, status);
    return STATUS_RUN;
}

/* Checks that every output VC of an empty network has all of its credits again. */
static status_code check_credits(const struct network *network, struct status *status) {
    for (uint32_t i = 0; i < network->domains_in_all_rails; i++) {
        struct network_domain *domain = &network->domains[i];
        domain->now_ps = EVENT_NEVER - 1;
        for (uint32_t port_vc = 0; port_vc < network->outputs * network->vcs; port_vc++) {
            uint32_t output = port_vc / network->vcs;
            credits_settle(domain, port_vc);
            int32_t buffer_bytes = network_buffer_behind(network, output);
            RETURN_ERROR_IF(domain->output_vcs[port_vc].credits_bytes != buffer_bytes, status,
                            STATUS_RUN,
                            "network: credits are not conserved: group %u, output %u, VC %u has "
                            "%d of %d bytes; please report this",
                            domain->group, output, port_vc % network->vcs,
                            domain->output_vcs[port_vc].credits_bytes, buffer_bytes);
        }
        for (uint32_t output = 0; domain->pools != NULL && output < network->outputs; output++)
            RETURN_ERROR_IF(domain->pools[output] != network_shared_behind(network, output), status,
                            STATUS_RUN,
                            "network: credits are not conserved: group %u, output %u has %d of %d "
                            "bytes of its shared buffer; please report this",
                            domain->group, output, domain->pools[output],
                            network_shared_behind(network, output));
    }
    return STATUS_OK;
}

/* Checks that NICs have taken all packets that arrived, and that no message is held. */
static status_code check_hosts(const struct network *network, struct status *status) {
    for (uint32_t i = 0; i < network->domains_in_all_rails && network->host_model; i++) {
        const struct network_domain *domain = &network->domains[i];
        for (uint32_t node = 0; node < network->topology.nodes_per_group; node++) {
            const struct nic_host *host = &domain->hosts[node];
            RETURN_ERROR_IF(host->bytes != 0 || host->first_packet != NETWORK_NONE ||
                                host->held_first != NETWORK_NONE,
                            status, STATUS_RUN,
                            "network: group %u, NIC %u still has %llu bytes that arrived, or a "
                            "message to send; please report this",
                            domain->group, node, (unsigned long long)host->bytes);
        }
    }
    return STATUS_OK;
}

/* Checks that all packets have been acknowledged, and that no message is held. */
static status_code check_outstanding(const struct network *network, struct status *status) {
    for (uint32_t i = 0; i < network->domains_in_all_rails && network->has_windows; i++) {
        const struct network_domain *domain = &network->domains[i];
        for (uint32_t node = 0; node < network->topology.nodes_per_group; node++) {
            const struct nic_window *nic = &domain->windows->nics[node];
            RETURN_ERROR_IF(nic->outstanding_bytes != 0 || nic->held != 0, status, STATUS_RUN,
                            "network: group %u, NIC %u still has %llu bytes outstanding and %llu "
                            "held message%s; please report this",
                            domain->group, node, (unsigned long long)nic->outstanding_bytes,
                            (unsigned long long)nic->held, plural(nic->held));
        }
        RETURN_ERROR_IF(domain->windows->pairs.count != 0, status, STATUS_RUN,
                        "network: group %u still keeps windows of %u pairs; please report this",
                        domain->group, domain->windows->pairs.count);
    }
    return STATUS_OK;
}

status_code conservation_check(const struct network *network, struct status *status) {
    uint64_t accepted_packets = 0;
    wide accepted_bytes = 0;
    uint64_t started = 0, responses = 0;
    bool starving = false;
    for (uint32_t i = 0; i < network->domains_in_all_rails; i++) {
        const struct network_domain *domain = &network->domains[i];
        RETURN_ERROR_IF(domain->out_of_memory || domain->events.out_of_memory, status,
                        STATUS_MEMORY, "out of memory while simulating group %u", domain->group);
        accepted_packets += domain->accepted_packets;
        accepted_bytes += domain->accepted_bytes;
        started += domain->started_messages;
        responses += domain->accepted_responses;
        starving |= domain->starving_port_vc != NETWORK_NONE;
    }
    if (starving)
        return report_stuck(network,
                            "starvation: a packet has been first in its buffer for longer "
                            "than network.starvation",
                            status);
    RETURN_ERROR_IF(network->stopped, status, STATUS_RUN, "stopped before the end");
    struct network_totals totals;
    network_totals_of(network, &totals);
    if (totals.packets != accepted_packets || totals.responses != responses)
        return report_stuck(network, "deadlock", status);
    RETURN_ERROR_IF(totals.messages + totals.memory_messages != started, status, STATUS_RUN,
                    "network: messages are not conserved: %llu started, %llu delivered; please "
                    "report this",
                    (unsigned long long)started,
                    (unsigned long long)(totals.messages + totals.memory_messages));
    char accepted[WIDE_TEXT_BYTES], delivered[WIDE_TEXT_BYTES];
    RETURN_ERROR_IF(totals.bytes != accepted_bytes, status, STATUS_RUN,
                    "network: bytes are not conserved: %s accepted, %s delivered; please report "
                    "this",
                    wide_text(accepted_bytes, accepted), wide_text(totals.bytes, delivered));
    FORWARD_IF_ERROR(check_hosts(network, status));
    FORWARD_IF_ERROR(check_outstanding(network, status));
    return check_credits(network, status);
}
