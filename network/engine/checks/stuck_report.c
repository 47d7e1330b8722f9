/* Where packets are stuck: one line for each of the first input VCs, and for each of the first NICs
 * that wait for windows. Several processes give each other their lines, so all have the same
 * report. */
#include "network/engine/checks/stuck_report.h"

#include "core/base/plural.h"
#include "core/memory/memory.h"
#include "network/engine/nic/nic_windows.h"
#include "network/network_choices.h"
#include "network/routing/routing.h"

#include <inttypes.h>
#include <string.h>

#define STUCK_SHOWN 10

/* A line of a report, before its text. Lines are in the order of rail groups. */
struct line {
    uint32_t rail_group; /* its number */
    uint32_t bytes;
};

/* Takes the text that `described` has after its first line break as a line about the rail group
 * with this number. */
static void take_line(struct processes_packing *lines, uint32_t number, struct status *described) {
    const char *text = described->text != NULL ? strchr(described->text, '\n') : NULL;
    if (text != NULL) {
        const struct line line = {number, (uint32_t)strlen(text + 1)};
        processes_pack(lines, &line, sizeof line);
        processes_pack(lines, text + 1, line.bytes);
    }
    status_clear(described);
}

/* Appends the first `max` of the lines of all processes, in the order of rail groups. */
static void append_merged_lines(struct processes_unpacking *lists, unsigned count, unsigned max,
                                struct status *status) {
    for (unsigned shown = 0; shown < max; shown++) {
        struct processes_unpacking *first = NULL;
        const struct line *min = NULL;
        for (unsigned i = 0; i < count; i++) {
            struct processes_unpacking look = lists[i];
            const struct line *line = processes_unpack(&look, sizeof *line);
            if (line == NULL || (min != NULL && min->rail_group <= line->rail_group)) continue;
            min = line;
            first = &lists[i];
        }
        if (min == NULL) return;
        processes_unpack(first, sizeof *min);
        const char *text = processes_unpack(first, min->bytes);
        if (text != NULL) status_append(status, "%.*s", (int)min->bytes, text);
    }
}

/* Appends the lines of this process, or of all if several simulate the network. */
static status_code append_lines(const struct network *network, struct processes_packing *lines,
                                struct status *status) {
    if (network->distribution.processes == NULL) {
        struct processes_unpacking own = processes_view(lines);
        append_merged_lines(&own, 1, STUCK_SHOWN, status);
        return STATUS_OK;
    }
    unsigned count = processes_count(network->distribution.processes);
    struct status failure = STATUS_INIT;
    for (unsigned i = 0; i < count; i++) {
        struct processes_unpacking own = processes_view(lines);
        processes_pack_reset(&network->distribution.outgoing[i]);
        if (i != network->distribution.process)
            processes_pack(&network->distribution.outgoing[i], own.data, own.bytes);
    }
    if (processes_exchange(network->distribution.processes, PROCESSES_REPORT,
                           network->distribution.outgoing, network->distribution.arrived,
                           &failure) != STATUS_OK)
        return status_take(status, failure.code, failure.text);
    network->distribution.arrived[network->distribution.process] = processes_view(lines);
    append_merged_lines(network->distribution.arrived, count, STUCK_SHOWN, status);
    return STATUS_OK;
}

static void describe_stuck(const struct network *network, const struct rail_group *rail_group,
                           uint32_t port_vc, struct status *status) {
    const struct network_input_vc *input_vc = &rail_group->input_vcs[port_vc];
    const struct network_packet *packet = &rail_group->packets.items[input_vc->first];
    struct network_output_wiring wiring =
        network->tables.wiring[network->tables.positions[port_vc].input];
    static const char *const kinds[] = {"injection", "local", "global"};
    uint32_t output = wiring.router * network->topology.radix + packet->output_port;
    bool ejection = network->tables.wiring[output].channel_kind == NETWORK_TERMINAL;
    int64_t since_ns = (packet->request_ps + 500) / 1000;
    status_append(
        status,
        "  group %u, router %u, %s input port %u, VC %u: packet of %u byte%s from node %u "
        "to node %u, first since %" PRId64 ".%03" PRId64
        " us, waits for output port %u, VC %u (%d bytes of "
        "credits)",
        rail_group->group, rail_group_first_router(rail_group) + wiring.router,
        kinds[wiring.channel_kind], wiring.port, port_vc % network->vcs.per_port,
        packet->size_bytes, plural(packet->size_bytes),
        node_shape_node(&network->topology.node_shape, packet->source),
        node_shape_node(&network->topology.node_shape, packet->destination), since_ns / 1000,
        since_ns % 1000, packet->output_port, packet->vc,
        ejection && network->config.nic_receive_buffer_bytes == 0
            ? 0
            : rail_group->output_vcs[output * network->vcs.per_port + packet->vc].credits_bytes);
}

/* Returns the number of NICs of this process that wait for their windows, or hold messages back,
 * and describes the first of them. */
static uint64_t describe_windows(const struct network *network, struct processes_packing *lines) {
    uint64_t waiting = 0;
    uint32_t per_group = network->topology.endpoints_per_group;
    for (uint32_t i = 0; i < network->rail_group_count; i++) {
        const struct rail_group *rail_group = &network->rail_groups[i];
        for (uint32_t local = 0; !rail_group->is_elsewhere && local < per_group; local++) {
            const struct nic_window *nic = &rail_group->limits.windows->nics[local];
            const uint32_t endpoint = rail_group->group * per_group + local;
            if (!nic->is_closed && nic->held == 0) continue;
            if (++waiting > STUCK_SHOWN) continue;
            struct status line = STATUS_INIT;
            status_set(&line, STATUS_RUN, "NICs");
            status_append(&line,
                          "  node %u: %llu bytes without acknowledgement, %llu message%s held back"
                          "%s",
                          node_shape_node(&network->topology.node_shape, endpoint),
                          (unsigned long long)nic->outstanding_bytes, (unsigned long long)nic->held,
                          plural(nic->held), nic->is_closed ? ", network.nic.window is full" : "");
            take_line(lines, i, &line);
        }
    }
    return waiting;
}

static void describe_packets(const struct network *network, struct processes_packing *lines) {
    unsigned shown = 0;
    for (uint32_t i = 0; i < network->rail_group_count && shown < STUCK_SHOWN; i++) {
        const struct rail_group *rail_group = &network->rail_groups[i];
        for (uint32_t port_vc = 0;
             !rail_group->is_elsewhere && port_vc < network->tables.ports * network->vcs.per_port &&
             shown < STUCK_SHOWN;
             port_vc++) {
            if (rail_group->input_vcs[port_vc].first == NETWORK_NONE) continue;
            struct status line = STATUS_INIT;
            status_set(&line, STATUS_RUN, "packets");
            describe_stuck(network, rail_group, port_vc, &line);
            take_line(lines, i, &line);
            shown++;
        }
    }
}

static uint64_t stuck_buffers(const struct network *network) {
    uint64_t stuck = 0;
    for (uint32_t i = 0; i < network->rail_group_count; i++) {
        const struct rail_group *rail_group = &network->rail_groups[i];
        for (uint32_t port_vc = 0;
             !rail_group->is_elsewhere && port_vc < network->tables.ports * network->vcs.per_port;
             port_vc++)
            stuck += rail_group->input_vcs[port_vc].first != NETWORK_NONE;
    }
    return stuck;
}

/* How many buffers and NICs are stuck in the groups of a process, or of all. */
struct stuck_counts {
    uint64_t buffers;
    uint64_t nics;
};

static void add_stuck(void *context, const void *part) {
    struct stuck_counts *sum = context;
    const struct stuck_counts *more = part;
    sum->buffers += more->buffers;
    sum->nics += more->nics;
}

static status_code count_stuck(struct stuck_counts *sum, const struct network *network,
                               struct status *status) {
    struct processes_packing unused = {0};
    *sum = (struct stuck_counts){.buffers = stuck_buffers(network)};
    if (network->nics.has_windows) sum->nics = describe_windows(network, &unused);
    processes_pack_free(&unused);
    return processes_combine(network->distribution.processes, sum, sizeof *sum, add_stuck, status);
}

status_code stuck_report_write(const struct network *network, const char *what, uint64_t packets,
                               struct status *status) {
    struct processes_packing lines = {0};
    struct stuck_counts stuck;
    FORWARD_IF_ERROR(count_stuck(&stuck, network, status));
    status_set(
        status, STATUS_RUN,
        "network: %s: %llu packet%s under way, %llu buffer%s blocked; routing %s with %u VC%s",
        what, (unsigned long long)packets, plural(packets), (unsigned long long)stuck.buffers,
        plural(stuck.buffers), network_routing_names()[network->config.routing],
        network->vcs.without_ring_count, plural(network->vcs.without_ring_count));
    unsigned needed = routing_vcs(&network->config);
    if (network->vcs.without_ring_count < needed)
        status_append(status,
                      "  the routing needs %u VCs to be free of deadlock; set network.vcs to 0",
                      needed);
    describe_packets(network, &lines);
    status_code code = append_lines(network, &lines, status);
    if (stuck.buffers > STUCK_SHOWN)
        status_append(status, "  and %llu more", (unsigned long long)(stuck.buffers - STUCK_SHOWN));
    processes_pack_reset(&lines);
    if (code == STATUS_OK && network->nics.has_windows) {
        describe_windows(network, &lines);
        code = append_lines(network, &lines, status);
    }
    if (stuck.nics > STUCK_SHOWN)
        status_append(status, "  and %llu more NICs wait for windows",
                      (unsigned long long)(stuck.nics - STUCK_SHOWN));
    processes_pack_free(&lines);
    return code != STATUS_OK ? code : STATUS_RUN;
}
