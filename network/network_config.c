/*
 * Checks the settings of the network, whether they come from files or from code.
 *
 * Invariant: a configuration that passes network_config_check fits the integer widths of
 * network/engine/state/state.h, and each of its buffers holds the largest packet, so that no packet
 * can be stuck for lack of space alone.
 */
#include "network/network_config.h"
#include "network/network_choices.h"

#include "core/base/plural.h"
#include "core/settings/units.h"
#include "network/arrangement/arrangement.h"
#include "network/engine/nic/rails.h"
#include "network/routing/misrouting.h"
#include "network/routing/ring.h"
#include "network/routing/routing.h"

#include <inttypes.h>

#define LINKS_MAX 65535 /* the numbers of global links have 16 bits, and one means none */

/* Sets the status for the first fault, and appends each further fault as a line. */
#define FAULT(status, ...)                                                                         \
    do {                                                                                           \
        if ((status)->code == STATUS_OK)                                                           \
            status_set((status), STATUS_USAGE, __VA_ARGS__);                                       \
        else                                                                                       \
            status_append((status), __VA_ARGS__);                                                  \
    } while (0)

static const char *const kind_names[] = {"terminal", "local", "global"};

/* Checks every member against the range in its row, since configurations can also come from
 * code. */
static void check_ranges(const struct network_config *config, struct status *status) {
    struct setting_section section = {network_setting_rows, network_setting_count, NULL};
    for (size_t i = 0; i < section.row_count; i++) {
        const struct setting_row *row = &section.rows[i];
        const char *member = (const char *)config + row->offset;
        bool inside = true;
        if (row->kind == SETTING_CHOICE) {
            int32_t names = 0;
            while (row->choices()[names] != NULL)
                names++;
            int32_t value = *(const int32_t *)(const void *)member;
            inside = value >= 0 && value < names;
        } else if (row->kind == SETTING_BYTE_HOPS_BY_HOP) {
            inside = by_hop_is_valid((const void *)member, row->minimum, row->maximum);
        } else if (row->kind != SETTING_SWITCH && row->kind != SETTING_PATH) {
            int64_t value = *(const int64_t *)(const void *)member;
            inside = value >= row->minimum && value <= row->maximum;
        }
        if (inside) continue;
        char range[256];
        setting_range_text(row, range, sizeof range);
        FAULT(status, "%s is out of range; it takes %s", row->name, range);
    }
}

static bool check_group(const struct network_config *config, struct status *status) {
    int64_t routers = 1;
    unsigned dimensions = units_dimensions_count(config->group_dimensions);
    for (unsigned i = 0; i < dimensions; i++)
        routers *= units_dimension(config->group_dimensions, i);
    char text[UNITS_TEXT_BYTES];
    units_dimensions_text(config->group_dimensions, text, sizeof text);
    if (config->group_dimensions != 0 && (dimensions == 0 || routers != config->routers_per_group))
        FAULT(status,
              "network.group.dimensions %s make a group of %" PRId64 " router%s, but "
              "network.routers_per_group is %" PRId64 "; set one to fit the other",
              text, routers, plural((uint64_t)routers), config->routers_per_group);
    unsigned link_counts = units_dimensions_count(config->group_links);
    unsigned dimensions_or_one = dimensions > 0 ? dimensions : 1;
    units_dimensions_text(config->group_links, text, sizeof text);
    if (link_counts != 1 && link_counts != dimensions_or_one)
        FAULT(status,
              "network.group.links is %s, but groups have %u dimension%s; give a number for each, "
              "or one for all",
              text, dimensions_or_one, plural(dimensions_or_one));
    if (dimensions > 1 && config->drawer_routers > 0)
        FAULT(status, "network.group.drawer is for completely connected groups, but "
                      "network.group.dimensions has several dimensions; set one of them to 0");
    if (config->drawer_routers > config->routers_per_group)
        FAULT(status,
              "network.group.drawer is %" PRId64 ", but a group has only %" PRId64
              " router%s; lower it, or set it to 0",
              config->drawer_routers, config->routers_per_group,
              plural((uint64_t)config->routers_per_group));
    uint32_t types = config->drawer_routers > 0 ? 2 : dimensions_or_one;
    for (uint32_t type = 1; type < UNITS_DIMENSIONS; type++) {
        const struct network_local_config *local = &config->more_locals[type - 1];
        if (local->bandwidth_bytes_per_s > 0 && local->bandwidth_bytes_per_s < NETWORK_SLOWEST)
            FAULT(status,
                  "network.local%" PRIu32 ".bandwidth must be 0 (that of network.local) or at "
                  "least 1MB/s",
                  type + 1);
        if ((local->bandwidth_bytes_per_s > 0 || local->latency_ps > 0) && type >= types)
            FAULT(status,
                  "network.local%" PRIu32 ".%s is set, but local channels are of %" PRIu32
                  " type%s; set network.group.dimensions%s",
                  type + 1, local->bandwidth_bytes_per_s > 0 ? "bandwidth" : "latency", types,
                  plural(types), type == 1 ? " or network.group.drawer" : "");
    }
    return status->code == STATUS_OK;
}

/* Checks that the NICs of nodes fill the routers of a group evenly. */
static void check_nodes(const struct network_config *config, struct status *status) {
    int64_t nics = config->node_nics, p = config->nodes_per_router, a = config->routers_per_group;
    int64_t routers = config->node_routers > 0 ? config->node_routers : nics;
    int64_t stride = config->node_router_stride;
    if (nics % routers != 0) {
        FAULT(status,
              "network.node.routers is %" PRId64 ", but %" PRId64 " NIC%s of a node "
              "(network.node.nics) cannot be divided evenly among %" PRId64
              " routers; set it to a divisor of %" PRId64 ", or to 0",
              routers, nics, plural((uint64_t)nics), routers, nics);
        return;
    }
    if (routers == 1 && stride > 1)
        FAULT(status,
              "network.node.router_stride is %" PRId64 ", but the NICs of a node are on one router "
              "only; set it to 1, or set network.node.nics and network.node.routers to more",
              stride);
    else if (a % (routers * stride) != 0)
        FAULT(status,
              "the NICs of a node are on %" PRId64 " routers, %" PRId64 " apart "
              "(network.node.routers, network.node.router_stride), so a group's routers must be a "
              "multiple of %" PRId64 ", but network.routers_per_group is %" PRId64,
              routers, stride, routers * stride, a);
    if (p % (nics / routers) != 0)
        FAULT(status,
              "a node has %" PRId64 " NICs on each of its %" PRId64 " router%s (network.node.nics, "
              "network.node.routers), which does not divide the %" PRId64
              " of a router (network.nodes_per_router)",
              nics / routers, routers, plural((uint64_t)routers), p);
    if (nics > 1 && config->stripe_bytes > 0 && config->rails > 1 &&
        rail_choices()[config->rail_choice].is_by_packet)
        FAULT(status, "network.node.stripe and network.rail_choice packet would both cut messages "
                      "into parts; set one of them to another value");
}

static void check_shape(const struct network_config *config, struct status *status) {
    if (!check_group(config, status)) return;
    int64_t p = config->nodes_per_router, a = config->routers_per_group;
    int64_t h = config->globals_per_router, g = config->groups;
    int64_t radix = p + network_config_group(config).ports_per_router + h;
    if (radix > NETWORK_RADIX_MAX)
        FAULT(status,
              "a router has %" PRId64 " ports (p + %s + h), at most %d are possible; lower "
              "network.nodes_per_router, routers_per_group or globals_per_router",
              radix, radix == p + a - 1 + h ? "a - 1" : "local ones", NETWORK_RADIX_MAX);
    if (a * h > LINKS_MAX)
        FAULT(status,
              "a group has %" PRId64 " global channels (a*h), at most %d are possible; lower "
              "network.routers_per_group or globals_per_router",
              a * h, LINKS_MAX);
    int64_t used = config->globals_used > 0 ? config->globals_used : h;
    if (used > h)
        FAULT(status,
              "network.globals_used is %" PRId64 ", but a router has only %" PRId64
              " global channel%s; lower it, or set it to 0 to use all",
              used, h, plural((uint64_t)h));
    else if (g > a * used + 1)
        FAULT(status,
              "network.groups is %" PRId64 ", but %" PRId64 " router%s per group with %" PRId64
              " global channel%s each%s can connect at most a*h + 1 = %" PRId64 " group%s",
              g, a, plural((uint64_t)a), used, plural((uint64_t)used),
              used < h ? " (network.globals_used)" : "", a * used + 1,
              plural((uint64_t)(a * used + 1)));
    /* numbers of nodes, ports and links have 32 bits */
    if (p * a * g > INT32_MAX)
        FAULT(status,
              "the machine has %" PRId64 " %s (p*a*g), at most %d are possible; lower "
              "network.groups",
              p * a * g, config->node_nics > 1 ? "NICs" : "nodes", INT32_MAX);
    check_nodes(config, status);
}

static void check_arrangement(const struct network_config *config, struct status *faults) {
    struct status fault = STATUS_INIT;
    struct arrangement_input input = network_config_arrangement(config);
    if (arrangement_check(&arrangements()[config->arrangement], &input, &fault) != STATUS_OK)
        FAULT(faults, "%s", fault.text);
    status_clear(&fault);
}

static void check_buffer(const char *name, int64_t buffer_bytes,
                         const struct network_config *config, struct status *status) {
    int64_t packet_bytes = network_config_full_bytes(config);
    if (buffer_bytes >= packet_bytes) return;
    char buffer[UNITS_TEXT_BYTES], packet[UNITS_TEXT_BYTES], missing[UNITS_TEXT_BYTES];
    units_size_text(buffer_bytes, buffer, sizeof buffer);
    units_size_text(packet_bytes, packet, sizeof packet);
    units_size_text(packet_bytes - buffer_bytes, missing, sizeof missing);
    FAULT(status,
          "%s is %s, too small for a packet of %s (network.packet + %s); enlarge it by %s or more",
          name, buffer, packet,
          config->cell_bytes > 0   ? "headers of the packet and of its cells, in whole flits"
          : config->flit_bytes > 1 ? "network.header, in whole flits"
                                   : "network.header",
          missing);
}

int64_t network_config_min_bytes_per_s(const struct network_config *config, uint32_t channel_kind) {
    int64_t min = network_config_bytes_per_s(config, channel_kind);
    for (uint32_t type = NETWORK_CHANNEL_KINDS; type < NETWORK_CHANNEL_TYPES; type++) {
        int64_t bandwidth = network_config_bytes_per_s(config, type);
        if (channel_kind == NETWORK_LOCAL && bandwidth < min) min = bandwidth;
    }
    return min;
}

/* Checks what packets are divided into, and what framing leaves of channels. */
static void check_sizes(const struct network_config *config, struct status *status) {
    if (config->cell_bytes == 0 && config->cell_header_bytes > 0)
        FAULT(status, "network.cell_header means nothing without cells; set network.cell, or give "
                      "the header of a packet by network.header");
    for (uint32_t channel_kind = 0; channel_kind < NETWORK_CHANNEL_KINDS; channel_kind++) {
        const char *name = kind_names[channel_kind];
        if (!units_share_is_valid(config->channels[channel_kind].framing)) {
            FAULT(status, "network.%s.framing is no share above 0 and up to 1", name);
        } else if (network_config_min_bytes_per_s(config, channel_kind) < NETWORK_SLOWEST) {
            FAULT(status,
                  "network.%s.framing leaves less than 1MB/s of network.%s.bandwidth; enlarge one "
                  "of them",
                  name, name);
        }
    }
}

static void check_buffers(const struct network_config *config, struct status *status) {
    check_buffer("network.terminal.buffer", config->channels[NETWORK_TERMINAL].buffer_bytes, config,
                 status);
    if (config->routers_per_group > 1)
        check_buffer("network.local.buffer", config->channels[NETWORK_LOCAL].buffer_bytes, config,
                     status);
    if (config->groups > 1)
        check_buffer("network.global.buffer", config->channels[NETWORK_GLOBAL].buffer_bytes, config,
                     status);
    if (config->output_buffer_bytes > 0)
        check_buffer("network.router.output_buffer", config->output_buffer_bytes, config, status);
}

/* Checks the latencies. An action of a router must not affect another router at the same instant,
 * because routers have no order within an instant, and because groups that run independently need
 * time between them. The terminal latency may be 0, since a node leads back to its own router only.
 */
static void check_latencies(const struct network_config *config, struct status *status) {
    if (config->channels[NETWORK_LOCAL].latency_ps == 0)
        FAULT(status,
              "network.local.latency is 0, but what a router does at one instant must not reach "
              "another one at the same instant, for routers have no order then; set it to 1ps or "
              "more (network.terminal.latency may be 0, as a node leads back to its own router "
              "only)");
    if (config->channels[NETWORK_GLOBAL].latency_ps == 0)
        FAULT(status,
              "network.global.latency is 0, but groups are simulated apart for as long as it is "
              "(the lookahead of their windows); set it to 1ps or more");
}

/* Checks the settings of an escape ring. A packet may enter the ring only if it leaves room for one
 * more packet. */
static void check_ring(const struct network_config *config, struct status *status) {
    if (!ring_is_needed(config)) return;
    if (config->ofar_global_vcs > config->ofar_vcs)
        FAULT(status,
              "network.ofar.global_vcs is %" PRId64 ", but there are only %" PRId64
              " (network.ofar.vcs); lower it, or set it to 0 for all",
              config->ofar_global_vcs, config->ofar_vcs);
    int64_t packets = config->ofar_injection_room > 1 ? config->ofar_injection_room + 1 : 2;
    int64_t min_bytes = packets * network_config_full_bytes(config);
    char needed[UNITS_TEXT_BYTES];
    units_size_text(min_bytes, needed, sizeof needed);
    for (int channel_kind = NETWORK_LOCAL; channel_kind < NETWORK_CHANNEL_KINDS; channel_kind++) {
        bool used =
            channel_kind == NETWORK_LOCAL ? config->routers_per_group > 1 : config->groups > 1;
        if (!used || config->channels[channel_kind].buffer_bytes >= min_bytes) continue;
        FAULT(status,
              "network.%s.buffer is too small for the escape ring of network.routing ofar, which "
              "needs room for %" PRId64 " packets; set it to %s or more, or choose ofar-ordered",
              kind_names[channel_kind], packets, needed);
    }
}

/* Checks network.ofar.trigger: a packet learns of a grant only in the next round of allocation. */
static void check_trigger(const struct network_config *config, struct status *status) {
    if (routing_policies()[config->routing].transit == NULL ||
        config->ofar_trigger == NETWORK_OFAR_TRIGGER_BLOCKED ||
        config->crossbar == NETWORK_CROSSBAR_IDEAL || config->allocation_rounds > 1)
        return;
    FAULT(status, "network.ofar.trigger granted needs a second round of allocation, after that of "
                  "the grant; set network.router.allocation_rounds to 2 or more");
}

/* Checks what does not go with network.router.vc_allocation first: routers whose outputs decide
 * alone, packets that ask for another output VC while they wait, and those that go before others.
 */
static void check_vc_allocation(const struct network_config *config, struct status *status) {
    if (config->vc_allocation == NETWORK_VC_WITH_CROSSBAR) return;
    if (config->crossbar == NETWORK_CROSSBAR_IDEAL)
        FAULT(status, "network.router.vc_allocation first needs network.router.crossbar input or "
                      "vc; set one of them, or vc_allocation to with-crossbar");
    if (config->arbitration != NETWORK_ROUND_ROBIN)
        FAULT(status, "network.router.vc_allocation first works only with round-robin arbitration; "
                      "set network.router.arbitration to round-robin, or vc_allocation to "
                      "with-crossbar");
    if (routing_policies()[config->routing].transit != NULL || config->reroute > 0)
        FAULT(status,
              "network.router.vc_allocation first does not go with packets that choose another "
              "output while they wait (network.routing %s%s); set it to with-crossbar",
              network_routing_names()[config->routing],
              config->reroute > 0 ? ", network.reroute" : "");
    if (config->transit_priority == NETWORK_PRIORITY_ON ||
        network_config_virtual_networks(config) > 1 || network_config_has_shares(config))
        FAULT(status,
              "network.router.vc_allocation first serves all input VCs in turn, so it cannot "
              "honour network.router.transit_priority, network.classes, "
              "network.class0.maximum or network.acknowledgement packet; set it to "
              "with-crossbar, or remove these");
}

static void check_nics(const struct network_config *config, struct status *status) {
    const struct {
        const char *name;
        int64_t bytes_per_s;
    } limits[] = {{"bandwidth", config->nic_bandwidth_bytes_per_s},
                  {"receive_bandwidth", config->nic_receive_bandwidth_bytes_per_s},
                  {"host_bandwidth", config->nic_host_bandwidth_bytes_per_s}};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (limits[i].bytes_per_s > 0 && limits[i].bytes_per_s < NETWORK_SLOWEST)
            FAULT(status, "network.nic.%s must be 0 (no limit of its own) or at least 1MB/s",
                  limits[i].name);
    if (config->nic_receive_buffer_bytes > 0)
        check_buffer("network.nic.receive_buffer", config->nic_receive_buffer_bytes, config,
                     status);
}

/* Checks what needs acknowledgements, and that windows let a packet pass. */
static void check_windows(const struct network_config *config, struct status *status) {
    const struct {
        const char *name;
        int64_t bytes;
    } windows[] = {{"window", config->nic_window_bytes},
                   {"pair_window", config->nic_pair_window_bytes}};
    for (size_t i = 0; i < sizeof windows / sizeof *windows; i++) {
        if (windows[i].bytes == 0) continue;
        if (config->acknowledgement == NETWORK_ACKNOWLEDGEMENT_OFF)
            FAULT(status,
                  "network.nic.%s opens again by acknowledgements, and network.acknowledgement is "
                  "off; set it to delay or packet, or the window to 0",
                  windows[i].name);
        if (windows[i].bytes >= config->packet_bytes) continue;
        char packet[UNITS_TEXT_BYTES];
        units_size_text(config->packet_bytes, packet, sizeof packet);
        FAULT(status,
              "network.nic.%s is smaller than a packet (network.packet), so a full packet could "
              "never be sent; set it to 0 (no limit) or to %s or more",
              windows[i].name, packet);
    }
}

/* Checks the size of responses. None is larger than the largest packet, so buffers have room for
 * it, and responses do not need more time on a channel than the packets that they acknowledge. */
static void check_responses(const struct network_config *config, struct status *status) {
    if (!network_config_has_responses(config)) return;
    if (config->response_cell_bytes > 0 && config->cell_bytes == 0)
        FAULT(status, "network.acknowledgement_cell is for each cell of a packet, and network.cell "
                      "is 0 (packets have no cells); set one of them");
    int64_t packet_bytes = network_config_full_bytes(config);
    int64_t response_bytes = network_config_response_bytes(config, packet_bytes);
    if (response_bytes <= packet_bytes) return;
    char response[UNITS_TEXT_BYTES], packet[UNITS_TEXT_BYTES];
    units_size_text(response_bytes, response, sizeof response);
    units_size_text(packet_bytes, packet, sizeof packet);
    FAULT(status,
          "the acknowledgement of a full packet is %s (network.acknowledgement_size and "
          "acknowledgement_cell), more than the packet's %s; lower it, or enlarge network.packet",
          response, packet);
}

/* Checks the settings of congestion control. One message alone fills a port to a node with up to
 * two packets, which is no congestion. */
static void check_congestion_control(const struct network_config *config, struct status *status) {
    if (config->congestion_control == NETWORK_CONGESTION_CONTROL_OFF) return;
    int64_t packets_bytes = 2 * (config->packet_bytes + config->header_bytes);
    char min[UNITS_TEXT_BYTES];
    units_size_text(packets_bytes, min, sizeof min);
    if (config->acknowledgement == NETWORK_ACKNOWLEDGEMENT_OFF)
        FAULT(status, "network.congestion_control limits what is not yet acknowledged, and "
                      "network.acknowledgement is off; set it to delay or packet, or "
                      "network.congestion_control to off");
    if (config->congestion_begin_bytes <= packets_bytes)
        FAULT(status,
              "network.congestion.begin must be more than two packets (network.packet + "
              "network.header), which wait without congestion; set it to more than %s",
              min);
    if (config->congestion_end_bytes >= config->congestion_begin_bytes)
        FAULT(status, "network.congestion.end must be less than network.congestion.begin");
}

/* Checks that 32 bits can count the bytes that wait for one output: those of the first packets in
 * all buffers of a router. */
static void check_waiting(const struct network_config *config, struct status *status) {
    int64_t ports = config->nodes_per_router + network_config_group(config).ports_per_router +
                    config->globals_per_router;
    int64_t vcs = routing_vcs(config);
    if (config->injection_vcs > vcs) vcs = config->injection_vcs;
    vcs *= network_config_virtual_networks(config);
    int64_t waiting_bytes = ports * vcs * network_config_full_bytes(config);
    if (waiting_bytes <= UINT32_MAX) return;
    char text[UNITS_TEXT_BYTES];
    units_size_text(waiting_bytes, text, sizeof text);
    FAULT(status,
          "the first packets in a router's %" PRId64 " buffers have up to %s, and only 4GiB can be "
          "counted; lower network.packet or network.header",
          ports * vcs, text);
}

/* Checks that 16 bits can number the buffers of a router, and NETWORK_EVENT_WHERE_BITS those of a
 * group's routers and NICs (network/engine/state/events.h). */
static void check_router_buffers(const struct network_config *config, struct status *status) {
    int64_t ports = config->nodes_per_router + network_config_group(config).ports_per_router +
                    config->globals_per_router;
    if (ring_is_physical(config)) ports += RING_PORTS;
    int64_t vcs = config->vcs > 0 ? config->vcs : routing_vcs(config);
    if (config->injection_vcs > vcs) vcs = config->injection_vcs;
    if (ring_is_needed(config)) vcs++;
    int64_t networks = network_config_virtual_networks(config);
    int64_t group = config->routers_per_group * (ports + config->nodes_per_router);
    if (group * vcs * networks >= 1 << 28)
        FAULT(status,
              "the routers of a group have %" PRId64 " buffers, and only 2^28 are possible; lower "
              "network.classes, network.nic.vcs or the shape of groups",
              group * vcs * networks);
    if (ports * vcs * networks <= UINT16_MAX) return;
    FAULT(status,
          "a router has %" PRId64 " ports with %" PRId64 " buffers each (%" PRId64
          " virtual networks of %" PRId64 " virtual channels), and only %d buffers are possible; "
          "lower network.classes, network.nic.vcs or the ports",
          ports, vcs * networks, networks, vcs, UINT16_MAX);
}

/* Checks what traffic classes are promised, and what does not go with maximum shares. */
static void check_classes(const struct network_config *config, struct status *status) {
    int64_t owed_millionths = 0;
    bool limited = false;
    for (int64_t i = 0; i < NETWORK_CLASSES_MAX; i++) {
        const struct network_class_config *class = &config->class[i];
        bool is_set = class->minimum_millionths != 0 || class->maximum_millionths != 1000000 ||
                      class->priority != 0;
        if (i >= config->classes && is_set)
            FAULT(status,
                  "network.class%" PRId64 " is set, but there %s only %" PRId64
                  " traffic class%s, numbered from 0; raise network.classes",
                  i, config->classes == 1 ? "is" : "are", config->classes,
                  config->classes == 1 ? "" : "es");
        if (class->minimum_millionths > class->maximum_millionths)
            FAULT(status,
                  "network.class%" PRId64 ".minimum is more than network.class%" PRId64
                  ".maximum; lower the minimum or raise the maximum",
                  i, i);
        owed_millionths += class->minimum_millionths;
        limited = limited || class->maximum_millionths < 1000000;
    }
    if (owed_millionths > 1000000)
        FAULT(status,
              "the minimum shares of the traffic classes add up to %" PRId64 ".%04" PRId64
              " %%, and a channel has only 100 %%; lower a network.class*.minimum",
              owed_millionths / 10000, owed_millionths % 10000);
    if (network_config_has_shares(config) && config->nic_message_gap_ps > 0)
        FAULT(status, "network.nic.message_gap does not go with several traffic classes or maximum "
                      "shares; set it to 0, or network.classes to 1");
    if (limited && config->nic_receive_buffer_bytes > 0)
        FAULT(status,
              "network.nic.receive_buffer, which all traffic classes share, does not go with "
              "a network.class*.maximum below 1; set one to its default");
    if (limited && routing_policies()[config->routing].transit != NULL &&
        config->ofar_trigger == NETWORK_OFAR_TRIGGER_GRANTED)
        FAULT(status,
              "network.ofar.trigger granted does not go with a network.class*.maximum below "
              "1; set it to blocked");
}

static void check_biases(const struct network_config *config, struct status *status) {
    const struct by_hop *biases = &config->routing_bias_by_hop;
    if (config->routing_mode == NETWORK_MODE_NONE) return;
    if (biases->count == 1 && biases->values[0] == 0) return;
    FAULT(status,
          "network.routing_bias_by_hop is set, but network.routing_mode adaptive-%d has biases of "
          "its own; set one of them to its default, 0 or none",
          (int)config->routing_mode - NETWORK_MODE_ADAPTIVE_0);
}

static void check_routing(const struct network_config *config, struct status *status) {
    check_biases(config, status);
    check_ring(config, status);
    check_router_buffers(config, status);
    check_waiting(config, status);
    check_trigger(config, status);
    check_vc_allocation(config, status);
    const struct routing_policy *routing = &routing_policies()[config->routing];
    if (config->valiant == NETWORK_VALIANT_ROUTER && !routing->has_intermediate_router)
        FAULT(status, "network.valiant router does not go with network.routing %s; set it to group",
              routing->name);
    unsigned needed = routing_vcs(config);
    if (config->vcs > needed)
        FAULT(status,
              "network.vcs is %" PRId64 ", but network.routing %s has use for %u; set it to 0 for "
              "as many as are needed",
              config->vcs, routing->name, needed);
    const char *fault = misrouting_fault(config);
    if (fault == NULL) return;
    FAULT(status, "network.misrouting %s does not go with network.routing %s, which %s",
          network_misrouting_names()[config->misrouting], network_routing_names()[config->routing],
          fault);
}

status_code network_config_check(const struct network_config *config, struct status *status) {
    struct status faults = STATUS_INIT;
    check_ranges(config, &faults);
    if (faults.code == STATUS_OK) { /* only within the ranges, sums and products cannot overflow */
        check_shape(config, &faults);
        check_arrangement(config, &faults);
        check_sizes(config, &faults);
        check_buffers(config, &faults);
        check_latencies(config, &faults);
        check_routing(config, &faults);
        check_nics(config, &faults);
        check_classes(config, &faults);
        check_windows(config, &faults);
        check_responses(config, &faults);
        check_congestion_control(config, &faults);
        if (config->crossbar == NETWORK_CROSSBAR_IDEAL && config->speedup_millionths != 1000000)
            FAULT(&faults, "network.router.speedup means nothing with an ideal crossbar; set "
                           "network.router.crossbar to input, or the speedup to 1");
        else if (config->output_buffer_bytes == 0 && config->speedup_millionths != 1000000)
            FAULT(&faults, "network.router.speedup means nothing without output buffers, as a "
                           "traversal lasts as long as the packet is on its channel; set "
                           "network.router.output_buffer, or the speedup to 1");
    }
    status_code code = faults.code;
    if (code != STATUS_OK) status_set(status, code, "%s", faults.text);
    status_clear(&faults);
    return code;
}
