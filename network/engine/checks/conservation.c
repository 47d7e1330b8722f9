/*
 * The end of a run: checks the conservation of packets, bytes and credits. If a packet is stuck,
 * stuck_report.c reports where it is and what it waits for.
 *
 * Several processes add up what they count, so that all come to the same decision. What concerns
 * one group alone is checked by its process, which sends the result to the others.
 */
#include "network/engine/checks/conservation.h"

#include "core/base/plural.h"
#include "network/engine/checks/stuck_report.h"
#include "network/engine/flow_control/credits.h"
#include "network/engine/nic/nic_host.h"
#include "network/engine/nic/nic_windows.h"

/* Checks that every output VC of an empty network has all of its credits again. */
static status_code check_credits(const struct network *network, struct status *status) {
    for (uint32_t i = 0; i < network->rail_group_count; i++) {
        struct rail_group *rail_group = &network->rail_groups[i];
        if (rail_group->is_elsewhere) continue;
        /* The run is over, and nothing is sent after it. A time beyond all credits that are still
         * on their way lets credits_settle add them. */
        rail_group->now_ps = EVENT_NEVER - 1;
        for (uint32_t port_vc = 0; port_vc < network->tables.outputs * network->vcs.per_port;
             port_vc++) {
            uint32_t output = port_of_vc(network, port_vc);
            credits_settle(rail_group, &rail_group->network->hop_features, port_vc);
            int32_t buffer_bytes = network_buffer_behind(network, output);
            RETURN_ERROR_IF(rail_group->output_vcs[port_vc].credits_bytes != buffer_bytes, status,
                            STATUS_RUN,
                            "network: credits are not conserved: group %u, output %u, VC %u has "
                            "%d of %d bytes; please report this",
                            rail_group->group, output, port_vc % network->vcs.per_port,
                            rail_group->output_vcs[port_vc].credits_bytes, buffer_bytes);
        }
        for (uint32_t output = 0;
             rail_group->shared_free_bytes != NULL && output < network->tables.outputs; output++)
            RETURN_ERROR_IF(rail_group->shared_free_bytes[output] !=
                                network_shared_behind(network, output),
                            status, STATUS_RUN,
                            "network: credits are not conserved: group %u, output %u has %d of %d "
                            "bytes of its shared buffer; please report this",
                            rail_group->group, output, rail_group->shared_free_bytes[output],
                            network_shared_behind(network, output));
    }
    return STATUS_OK;
}

/* Checks that NICs have taken all packets that arrived, and that no message is held. */
static status_code check_hosts(const struct network *network, struct status *status) {
    for (uint32_t i = 0; i < network->rail_group_count && network->nics.has_host_limits; i++) {
        const struct rail_group *rail_group = &network->rail_groups[i];
        for (uint32_t endpoint = 0;
             !rail_group->is_elsewhere && endpoint < network->topology.endpoints_per_group;
             endpoint++) {
            const struct nic_host *host = &rail_group->limits.hosts[endpoint];
            RETURN_ERROR_IF(host->bytes != 0 || host->first_packet != NETWORK_NONE ||
                                host->held_first != NETWORK_NONE,
                            status, STATUS_RUN,
                            "network: group %u, NIC %u still has %llu bytes that arrived, or a "
                            "message to send; please report this",
                            rail_group->group, endpoint, (unsigned long long)host->bytes);
        }
    }
    return STATUS_OK;
}

/* Checks that all packets have been acknowledged, and that no message is held. */
static status_code check_outstanding(const struct network *network, struct status *status) {
    for (uint32_t i = 0; i < network->rail_group_count && network->nics.has_windows; i++) {
        const struct rail_group *rail_group = &network->rail_groups[i];
        if (rail_group->is_elsewhere) continue;
        for (uint32_t endpoint = 0; endpoint < network->topology.endpoints_per_group; endpoint++) {
            const struct nic_window *nic = &rail_group->limits.windows->nics[endpoint];
            RETURN_ERROR_IF(nic->outstanding_bytes != 0 || nic->held != 0, status, STATUS_RUN,
                            "network: group %u, NIC %u still has %llu bytes outstanding and %llu "
                            "held message%s; please report this",
                            rail_group->group, endpoint, (unsigned long long)nic->outstanding_bytes,
                            (unsigned long long)nic->held, plural(nic->held));
        }
        RETURN_ERROR_IF(rail_group->limits.windows->pairs.count != 0, status, STATUS_RUN,
                        "network: group %u still keeps windows of %u pairs; please report this",
                        rail_group->group, rail_group->limits.windows->pairs.count);
    }
    return STATUS_OK;
}

/* What is counted in the groups of a process, or of all. */
struct conserved {
    wide accepted_bytes;
    uint64_t accepted_packets;
    uint64_t accepted_responses;
    uint64_t started;
    uint32_t without_memory; /* group that ran out of memory; NETWORK_NONE: none */
    bool is_starving;
    bool is_stopped;
};

static void count_own(struct conserved *sum, const struct network *network) {
    *sum =
        (struct conserved){.without_memory = NETWORK_NONE, .is_stopped = network->run.is_stopped};
    for (uint32_t i = 0; i < network->rail_group_count; i++) {
        const struct rail_group *rail_group = &network->rail_groups[i];
        bool lacks = rail_group->failure.out_of_memory || rail_group->events.out_of_memory;
        if (lacks && rail_group->group < sum->without_memory)
            sum->without_memory = rail_group->group;
        sum->accepted_packets += rail_group->counts.accepted_packets;
        sum->accepted_responses += rail_group->counts.accepted_responses;
        sum->accepted_bytes += rail_group->counts.accepted_bytes;
        sum->started += rail_group->counts.started_messages;
        sum->is_starving |= rail_group->failure.starving_port_vc != NETWORK_NONE;
    }
}

static void add_conserved(void *context, const void *part) {
    struct conserved *sum = context;
    const struct conserved *more = part;
    sum->accepted_bytes += more->accepted_bytes;
    sum->accepted_packets += more->accepted_packets;
    sum->accepted_responses += more->accepted_responses;
    sum->started += more->started;
    if (more->without_memory < sum->without_memory) sum->without_memory = more->without_memory;
    sum->is_starving |= more->is_starving;
    sum->is_stopped |= more->is_stopped;
}

static status_code check_each_group(const struct network *network, struct status *status) {
    FORWARD_IF_ERROR(check_hosts(network, status));
    FORWARD_IF_ERROR(check_outstanding(network, status));
    return check_credits(network, status);
}

status_code conservation_check(const struct network *network, struct status *status) {
    struct conserved sum;
    struct network_totals totals;
    count_own(&sum, network);
    FORWARD_IF_ERROR(processes_combine(network->distribution.processes, &sum, sizeof sum,
                                       add_conserved, status));
    RETURN_ERROR_IF(sum.without_memory != NETWORK_NONE, status, STATUS_MEMORY,
                    "out of memory while simulating group %u", sum.without_memory);
    network_fill_totals(network, &totals);
    uint64_t packets = sum.accepted_packets - totals.packets;
    uint64_t responses = sum.accepted_responses - totals.responses;
    uint64_t under_way = packets + responses;
    if (sum.is_starving)
        return stuck_report_write(network,
                                  "starvation: a packet has been first in its buffer for longer "
                                  "than network.starvation",
                                  under_way, status);
    RETURN_ERROR_IF(sum.is_stopped, status, STATUS_STOPPED, "stopped before the end");
    if (packets != 0 || responses != 0)
        return stuck_report_write(network, "deadlock", under_way, status);
    RETURN_ERROR_IF(totals.messages + totals.memory_messages != sum.started, status, STATUS_RUN,
                    "network: messages are not conserved: %llu started, %llu delivered; please "
                    "report this",
                    (unsigned long long)sum.started,
                    (unsigned long long)(totals.messages + totals.memory_messages));
    char accepted[WIDE_TEXT_BYTES], delivered[WIDE_TEXT_BYTES];
    RETURN_ERROR_IF(totals.bytes != sum.accepted_bytes, status, STATUS_RUN,
                    "network: bytes are not conserved: %s accepted, %s delivered; please report "
                    "this",
                    wide_text(sum.accepted_bytes, accepted), wide_text(totals.bytes, delivered));
    return processes_agree(network->distribution.processes, check_each_group(network, status),
                           status);
}
