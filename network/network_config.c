/*
 * The network's settings: their names, ranges and defaults, and what must hold between them.
 *
 * Must not know where values come from. Invariant: a configuration that passes
 * network_config_check fits the integer widths of network/state.h, and every buffer of it holds the
 * largest packet, so that no packet can be stuck for want of space alone.
 *
 * The defaults are those of the machine kim-1k with today's links.
 */
#include "network/network_config.h"

#include "core/units.h"
#include "network/arrangement/arrangement.h"
#include "network/rails.h"
#include "network/routing/misrouting.h"
#include "network/routing/ring.h"
#include "network/routing/routing.h"

#include <inttypes.h>

static const char *const *crossbar_names(void) {
    static const char *const names[] = {"ideal", "input", "vc", NULL};
    return names;
}

static const char *const *arbitration_names(void) {
    static const char *const names[] = {"round-robin", "least-recent", "oldest", NULL};
    return names;
}

static const char *const *release_names(void) {
    static const char *const names[] = {"tail", "head", NULL};
    return names;
}

static const char *const *trigger_names(void) {
    static const char *const names[] = {"blocked", "granted", NULL};
    return names;
}

static const char *const *measure_names(void) {
    static const char *const names[] = {"vc", "port", NULL};
    return names;
}

static const char *const *ugal_queue_names(void) {
    static const char *const names[] = {"channel", "output", NULL};
    return names;
}

static const char *const *valiant_names(void) {
    static const char *const names[] = {"group", "router", NULL};
    return names;
}

#define SECOND             INT64_C(1000000000000)
#define SLOWEST            INT64_C(1000000)        /* 1MB/s */
#define FASTEST            INT64_C(10000000000000) /* 10TB/s */
#define BUFFER_LARGEST     (INT64_C(1) << 30)
#define PACKET_LARGEST     (INT64_C(1) << 20)
#define RADIX_LARGEST      1024
#define DIMENSIONS_LARGEST INT64_C(0x040004000400) /* 1024x1024x1024 */
#define GROUPS_LARGEST     65535 /* group numbers are 16 bits and one of them means none */
#define LINKS_LARGEST      65535 /* so are numbers of a group's global links */

#define AT(member) offsetof(network_config, member)

#define LEVEL_ROWS(name, index, ends, shortest, bandwidth, latency, buffer)                        \
    {"network." name ".bandwidth",                                                                 \
     SETTING_BANDWIDTH,                                                                            \
     AT(level[index].bandwidth_bytes_per_s),                                                       \
     SLOWEST,                                                                                      \
     FASTEST,                                                                                      \
     bandwidth,                                                                                    \
     NULL,                                                                                         \
     "bandwidth of a channel " ends ", per direction"},                                            \
        {"network." name ".latency",                                                               \
         SETTING_TIME,                                                                             \
         AT(level[index].latency_ps),                                                              \
         shortest,                                                                                 \
         SECOND,                                                                                   \
         latency,                                                                                  \
         NULL,                                                                                     \
         "time of flight of a channel " ends ", cable and transceivers"},                          \
    {                                                                                              \
        "network." name ".buffer", SETTING_SIZE, AT(level[index].buffer_bytes), 1, BUFFER_LARGEST, \
            buffer, NULL, "input buffer of a router at a channel " ends ", per virtual channel"    \
    }

const setting_row network_setting_rows[] = {
    {"network.nodes_per_router", SETTING_COUNT, AT(nodes_per_router), 1, RADIX_LARGEST, "4", NULL,
     "p: nodes of a router"},
    {"network.routers_per_group", SETTING_COUNT, AT(routers_per_group), 1, RADIX_LARGEST, "8", NULL,
     "a: routers of a group"},
    {"network.group.dimensions", SETTING_DIMENSIONS, AT(group_dimensions), 0, DIMENSIONS_LARGEST,
     "0", NULL,
     "a group is a flattened butterfly of so many routers in each dimension, as 16x6, routed in "
     "order of dimensions; 0: completely connected"},
    {"network.group.links", SETTING_DIMENSIONS, AT(group_links), 1, DIMENSIONS_LARGEST, "1", NULL,
     "parallel channels between two routers that are neighbours, in each dimension, as 1x3; one "
     "number: in all"},
    {"network.globals_per_router", SETTING_COUNT, AT(globals_per_router), 0, RADIX_LARGEST, "4",
     NULL, "h: global channels of a router"},
    {"network.globals_used", SETTING_COUNT, AT(globals_used), 0, RADIX_LARGEST, "0", NULL,
     "tapering: how many of a router's global channels are connected, from the first; 0: all"},
    {"network.groups", SETTING_COUNT, AT(groups), 1, GROUPS_LARGEST, "33", NULL,
     "g: groups of the machine, at most a*h + 1"},
    {"network.rails", SETTING_COUNT, AT(rails), 1, RAILS_MOST, "1", NULL,
     "parallel networks: every node has a port in each, and each has routers and links of its own"},
    {"network.rail_choice", SETTING_CHOICE, AT(rail_choice), 0, 0, "pair", network_rail_names,
     "by which rail messages or packets go"},
    {"network.failures.file", SETTING_PATH, AT(failures_file), 0, 0, "", NULL,
     "routers and links that have failed, one per line (see anax-settings(5))"},
    {"network.failures.routers", SETTING_AMOUNT, AT(failed_routers), UNITS_AMOUNT_ALL, INT32_MAX,
     "0", NULL, "routers that have failed, at random, in each rail: so many, or a share, as 1%"},
    {"network.failures.locals", SETTING_AMOUNT, AT(failed_locals), UNITS_AMOUNT_ALL, INT32_MAX, "0",
     NULL, "local links that have failed, at random, in each rail: so many, or a share, as 1%"},
    {"network.failures.globals", SETTING_AMOUNT, AT(failed_globals), UNITS_AMOUNT_ALL, INT32_MAX,
     "0", NULL,
     "global links that have failed, at random, in each rail: so many, or a share, as 1%"},
    {"network.failures.seed", SETTING_COUNT, AT(failures_seed), 0, INT64_MAX, "1", NULL,
     "what random failures follow from; `seed` does not change the machine"},
    {"network.arrangement", SETTING_CHOICE, AT(arrangement), 0, 0, "absolute",
     network_arrangement_names, "how the groups' global channels are paired"},
    {"network.arrangement_seed", SETTING_COUNT, AT(arrangement_seed), 0, INT64_MAX, "1", NULL,
     "what a random arrangement follows from; `seed` does not change the machine"},
    {"network.arrangement_file", SETTING_PATH, AT(arrangement_file), 0, 0, "", NULL,
     "the file of an arrangement: one global link per line, both ends (see anax-settings(5))"},

    LEVEL_ROWS("terminal", NETWORK_TERMINAL, "between node and router", 0, "25GB/s", "10ns",
               "16KiB"),
    LEVEL_ROWS("local", NETWORK_LOCAL, "between routers of a group", 1, "25GB/s", "15ns", "16KiB"),
    LEVEL_ROWS("global", NETWORK_GLOBAL, "between groups", 1, "25GB/s", "150ns", "32KiB"),

    {"network.packet", SETTING_SIZE, AT(packet_bytes), 1, PACKET_LARGEST, "2KiB", NULL,
     "largest payload of a packet"},
    {"network.header", SETTING_SIZE, AT(header_bytes), 0, PACKET_LARGEST, "32B", NULL,
     "added to every packet on every channel"},
    {"network.phit", SETTING_SIZE, AT(phit_bytes), 1, PACKET_LARGEST, "32B", NULL,
     "what a channel moves in a cycle: the clock of synthetic traffic"},

    {"network.router.latency", SETTING_TIME, AT(router_latency_ps), 0, SECOND, "100ns", NULL,
     "pipeline of a router, from a head's arrival until it may ask for an output"},
    {"network.router.allocation_latency", SETTING_TIME, AT(allocation_latency_ps), 0, SECOND, "0",
     NULL, "from being first in its buffer until a packet may leave"},
    {"network.router.crossbar", SETTING_CHOICE, AT(crossbar), 0, 0, "ideal", crossbar_names,
     "ideal: outputs decide alone; input: an input port makes one transfer at a time; vc: each VC "
     "of an input port does, and the port begins one in a cycle"},
    {"network.router.speedup", SETTING_RATIO, AT(speedup_millionths), 100000, 100000000, "1", NULL,
     "bandwidth of a crossbar port over that of the fastest channel (crossbar: input, vc)"},
    {"network.router.output_buffer", SETTING_SIZE, AT(output_buffer_bytes), 0, BUFFER_LARGEST, "0",
     NULL, "buffer of an output port; 0: transfers go straight onto the channel"},
    {"network.router.arbitration", SETTING_CHOICE, AT(arbitration), 0, 0, "round-robin",
     arbitration_names, "which of the packets that ask for an output goes first"},
    {"network.router.transit_priority", SETTING_SWITCH, AT(transit_priority), 0, 0, "off", NULL,
     "strict priority of packets in transit over packets just injected"},
    {"network.router.release", SETTING_CHOICE, AT(release), 0, 0, "tail", release_names,
     "when a packet gives its buffer space back: with its tail, or when its head begins to leave, "
     "as in simulators that move packets as a whole"},
    {"network.router.allocation_rounds", SETTING_COUNT, AT(allocation_rounds), 1, 64, "1", NULL,
     "rounds of the separable allocator (crossbar: input, vc)"},

    {"network.nic.bandwidth", SETTING_BANDWIDTH, AT(nic_bandwidth_bytes_per_s), 0, FASTEST, "0",
     NULL, "what a node can inject; 0: as much as its channel takes"},
    {"network.nic.vcs", SETTING_COUNT, AT(injection_vcs), 0, 16, "0", NULL,
     "virtual channels of a router's injection buffer; 0: as many as the routing policy has"},
    {"network.nic.overhead", SETTING_TIME, AT(nic_overhead_ps), 0, SECOND, "0", NULL,
     "the network interface's time for every message"},
    {"network.memory.latency", SETTING_TIME, AT(memory_latency_ps), 0, SECOND, "200ns", NULL,
     "start-up of a message between ranks of one node"},
    {"network.memory.bandwidth", SETTING_BANDWIDTH, AT(memory_bandwidth_bytes_per_s), SLOWEST,
     FASTEST, "20GB/s", NULL, "bandwidth of messages between ranks of one node"},

    {"network.routing", SETTING_CHOICE, AT(routing), 0, 0, "ugal-l", network_routing_names,
     "which way packets go"},
    {"network.misrouting", SETTING_CHOICE, AT(misrouting), 0, 0, "auto", network_misrouting_names,
     "by which global links packets leave on non-minimal paths"},
    {"network.ugal.queue", SETTING_CHOICE, AT(ugal_queue), 0, 0, "channel", ugal_queue_names,
     "the queue in UGAL's comparison: output: what waits in the router for a port; channel: also "
     "what was sent and is not yet credited back"},
    {"network.reroute", SETTING_COUNT, AT(reroute), 0, 1000000, "0", NULL,
     "ugal, piggyback and par: how often a packet that is first in its source router's buffer and "
     "waits is decided on anew, once a cycle; 0: its first way stands"},
    {"network.routing_bias", SETTING_SIZE, AT(routing_bias_bytes), -BUFFER_LARGEST, BUFFER_LARGEST,
     "0", NULL, "added to the non-minimal side of UGAL's comparison: favours minimal paths"},
    {"network.ofar.ring", SETTING_CHOICE, AT(ofar_ring), 0, 0, "embedded", network_ring_names,
     "ofar's escape ring: a VC of channels that are there anyway, or channels of its own"},
    {"network.ofar.vcs", SETTING_COUNT, AT(ofar_vcs), 1, 15, "3", NULL,
     "ofar's virtual channels besides the ring's"},
    {"network.ofar.global_vcs", SETTING_COUNT, AT(ofar_global_vcs), 0, 15, "0", NULL,
     "how many of them global channels have; 0: all"},
    {"network.ofar.measure", SETTING_CHOICE, AT(ofar_measure), 0, 0, "vc", measure_names,
     "what ofar compares: the occupancy of single VCs, or of all of a port"},
    {"network.ofar.trigger", SETTING_CHOICE, AT(ofar_trigger), 0, 0, "blocked", trigger_names,
     "when a packet may leave ofar's minimal path: while it is blocked; or only at the moment at "
     "which its minimal output is granted to another one"},
    {"network.ofar.threshold", SETTING_RATIO, AT(ofar_threshold_millionths), 0, 1000000, "0.9",
     NULL, "ofar: most that a candidate may be occupied, as a share of the minimal output"},
    {"network.ofar.injection_room", SETTING_COUNT, AT(ofar_injection_room), 0, 64, "1", NULL,
     "ofar: packets that one just injected must leave room for in the next buffer"},
    {"network.ofar.hop_limit", SETTING_COUNT, AT(ofar_hop_limit), 0, 255, "32", NULL,
     "ofar: a packet in the ring stays there to its destination once it has passed so many "
     "routers"},
    {"network.valiant", SETTING_CHOICE, AT(valiant), 0, 0, "group", valiant_names,
     "where non-minimal paths turn to their destination: on entering the third group, or at a "
     "random router there (one virtual channel more)"},
    {"network.vcs", SETTING_COUNT, AT(vcs), 0, 255, "0", NULL,
     "virtual channels; 0: as many as the routing needs; with fewer its last classes share one, "
     "and packets can deadlock"},
    {"network.piggyback_factor", SETTING_RATIO, AT(piggyback_factor_millionths), 0, 1000000000, "2",
     NULL,
     "piggyback: a global port is saturated if its queue is longer than this times the mean "
     "of its router's global ports, and network.piggyback_packets more"},
    {"network.piggyback_packets", SETTING_COUNT, AT(piggyback_packets), 0, 1000000, "5", NULL,
     "piggyback: see network.piggyback_factor; in full packets"},
    {"network.starvation", SETTING_TIME, AT(starvation_ps), 0, INT64_MAX / 4, "1s", NULL,
     "a packet first in its buffer for so long ends the run with a report; 0: never"},
};

const size_t network_setting_count = sizeof network_setting_rows / sizeof network_setting_rows[0];

/* ---------------------------------------------------------------------------- checks */

/* The first fault sets the status, the others are added to it line by line. */
#define FAULT(status, ...)                                                                         \
    do {                                                                                           \
        if ((status)->code == STATUS_OK)                                                           \
            status_set((status), STATUS_USAGE, __VA_ARGS__);                                       \
        else                                                                                       \
            status_append((status), __VA_ARGS__);                                                  \
    } while (0)

/* Configurations can also come from code: every member against its row. */
static void check_ranges(const network_config *config, status *status) {
    setting_section section = {network_setting_rows, network_setting_count, NULL};
    for (size_t i = 0; i < section.row_count; i++) {
        const setting_row *row = &section.rows[i];
        const char *member = (const char *)config + row->offset;
        bool inside = true;
        if (row->kind == SETTING_CHOICE) {
            int32_t names = 0;
            while (row->choices()[names] != NULL)
                names++;
            int32_t value = *(const int32_t *)(const void *)member;
            inside = value >= 0 && value < names;
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

static bool check_group(const network_config *config, status *status) {
    int64_t routers = 1;
    unsigned dimensions = units_dimensions_count(config->group_dimensions);
    for (unsigned i = 0; i < dimensions; i++)
        routers *= units_dimension(config->group_dimensions, i);
    char text[UNITS_TEXT_BYTES];
    units_dimensions_text(config->group_dimensions, text, sizeof text);
    if (config->group_dimensions != 0 && (dimensions == 0 || routers != config->routers_per_group))
        FAULT(status,
              "network.group.dimensions %s make a group of %" PRId64 " routers, but "
              "network.routers_per_group is %" PRId64 "; set one to fit the other",
              text, routers, config->routers_per_group);
    unsigned named = units_dimensions_count(config->group_links);
    unsigned wanted = dimensions > 0 ? dimensions : 1;
    units_dimensions_text(config->group_links, text, sizeof text);
    if (named != 1 && named != wanted)
        FAULT(status,
              "network.group.links is %s, but groups have %u dimension%s; give a number for each, "
              "or one for all",
              text, wanted, wanted > 1 ? "s" : "");
    return status->code == STATUS_OK;
}

static void check_shape(const network_config *config, status *status) {
    if (!check_group(config, status)) return;
    int64_t p = config->nodes_per_router, a = config->routers_per_group;
    int64_t h = config->globals_per_router, g = config->groups;
    int64_t radix = p + network_config_group(config).ports + h;
    if (radix > RADIX_LARGEST)
        FAULT(status,
              "a router has %" PRId64 " ports (p + %s + h), at most %d are possible; lower "
              "network.nodes_per_router, routers_per_group or globals_per_router",
              radix, radix == p + a - 1 + h ? "a - 1" : "local ones", RADIX_LARGEST);
    if (a * h > LINKS_LARGEST)
        FAULT(status,
              "a group has %" PRId64 " global channels (a*h), at most %d are possible; lower "
              "network.routers_per_group or globals_per_router",
              a * h, LINKS_LARGEST);
    int64_t used = config->globals_used > 0 ? config->globals_used : h;
    if (used > h)
        FAULT(status,
              "network.globals_used is %" PRId64 ", but a router has only %" PRId64
              " global channels; lower it, or set it to 0 to use all",
              used, h);
    else if (g > a * used + 1)
        FAULT(status,
              "network.groups is %" PRId64 ", but %" PRId64 " routers per group with %" PRId64
              " global channels each%s can connect at most a*h + 1 = %" PRId64 " groups",
              g, a, used, used < h ? " (network.globals_used)" : "", a * used + 1);
    /* (node, port, link) numbers are 32 bits */
    if (p * a * g > INT32_MAX)
        FAULT(status,
              "the machine has %" PRId64 " nodes (p*a*g), at most %d are possible; lower "
              "network.groups",
              p * a * g, INT32_MAX);
}

group_shape network_config_group(const network_config *config) {
    return group_shape_of((uint32_t)config->routers_per_group, config->group_dimensions,
                          config->group_links);
}

arrangement_input network_config_arrangement(const network_config *config) {
    return (arrangement_input){
        .shape = {.routers = (uint32_t)config->routers_per_group,
                  .globals = (uint32_t)(config->globals_used > 0 ? config->globals_used
                                                                 : config->globals_per_router),
                  .groups = (uint32_t)config->groups},
        .seed = (uint64_t)config->arrangement_seed,
        .file = config->arrangement_file,
    };
}

static void check_arrangement(const network_config *config, status *faults) {
    status fault = STATUS_INIT;
    arrangement_input input = network_config_arrangement(config);
    if (arrangement_check(&arrangements()[config->arrangement], &input, &fault) != STATUS_OK)
        FAULT(faults, "%s", fault.text != NULL ? fault.text : "wrong network.arrangement");
    status_clear(&fault);
}

static void check_buffer(const char *name, int64_t buffer_bytes, const network_config *config,
                         status *status) {
    int64_t packet_bytes = config->packet_bytes + config->header_bytes;
    if (buffer_bytes >= packet_bytes) return;
    char buffer[UNITS_TEXT_BYTES], packet[UNITS_TEXT_BYTES], more[UNITS_TEXT_BYTES];
    units_size_text(buffer_bytes, buffer, sizeof buffer);
    units_size_text(packet_bytes, packet, sizeof packet);
    units_size_text(packet_bytes - buffer_bytes, more, sizeof more);
    FAULT(status,
          "%s is %s, too small for a packet of %s (network.packet + network.header); enlarge it by "
          "%s or more",
          name, buffer, packet, more);
}

static void check_buffers(const network_config *config, status *status) {
    check_buffer("network.terminal.buffer", config->level[NETWORK_TERMINAL].buffer_bytes, config,
                 status);
    if (config->routers_per_group > 1)
        check_buffer("network.local.buffer", config->level[NETWORK_LOCAL].buffer_bytes, config,
                     status);
    if (config->groups > 1)
        check_buffer("network.global.buffer", config->level[NETWORK_GLOBAL].buffer_bytes, config,
                     status);
    if (config->output_buffer_bytes > 0)
        check_buffer("network.router.output_buffer", config->output_buffer_bytes, config, status);
}

/* Into the ring goes who leaves room for one more. */
static void check_ring(const network_config *config, status *status) {
    if (!ring_needed(config)) return;
    if (config->ofar_global_vcs > config->ofar_vcs)
        FAULT(status,
              "network.ofar.global_vcs is %" PRId64 ", but there are only %" PRId64
              " (network.ofar.vcs); lower it, or set it to 0 for all",
              config->ofar_global_vcs, config->ofar_vcs);
    int64_t packets = config->ofar_injection_room > 1 ? config->ofar_injection_room + 1 : 2;
    int64_t least_bytes = packets * (config->packet_bytes + config->header_bytes);
    char needed[UNITS_TEXT_BYTES];
    units_size_text(least_bytes, needed, sizeof needed);
    static const char *const names[] = {"terminal", "local", "global"};
    for (int level = NETWORK_LOCAL; level < NETWORK_LEVELS; level++) {
        bool used = level == NETWORK_LOCAL ? config->routers_per_group > 1 : config->groups > 1;
        if (!used || config->level[level].buffer_bytes >= least_bytes) continue;
        FAULT(status,
              "network.%s.buffer is too small for the escape ring of network.routing ofar, which "
              "needs room for %" PRId64 " packets; set it to %s or more, or choose ofar-ordered",
              names[level], packets, needed);
    }
}

/* A packet hears of a grant in the round after it. */
static void check_trigger(const network_config *config, status *status) {
    if (routing_policies()[config->routing].transit == NULL ||
        config->ofar_trigger == OFAR_TRIGGER_BLOCKED ||
        config->crossbar == NETWORK_CROSSBAR_IDEAL || config->allocation_rounds > 1)
        return;
    FAULT(status, "network.ofar.trigger granted needs a second round of allocation, after that of "
                  "the grant; set network.router.allocation_rounds to 2 or more");
}

static void check_routing(const network_config *config, status *status) {
    check_ring(config, status);
    check_trigger(config, status);
    const routing_policy *routing = &routing_policies()[config->routing];
    if (config->valiant == NETWORK_VALIANT_ROUTER && !routing->turns_at_router)
        FAULT(status, "network.valiant router does not go with network.routing %s; set it to group",
              routing->name);
    if (config->reroute > 0 && !routing_reads_queues(config))
        FAULT(status, "network.reroute does not go with network.routing %s, which %s; set it to 0",
              routing->name,
              routing->transit != NULL ? "decides anew in each cycle anyway"
                                       : "does not look at queues");
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

status_code network_config_check(const network_config *config, status *result) {
    status faults = STATUS_INIT;
    check_ranges(config, &faults);
    if (faults.code == STATUS_OK) { /* sums and products are safe only within the ranges */
        check_shape(config, &faults);
        check_arrangement(config, &faults);
        check_buffers(config, &faults);
        check_routing(config, &faults);
        if (config->nic_bandwidth_bytes_per_s > 0 && config->nic_bandwidth_bytes_per_s < SLOWEST)
            FAULT(&faults, "network.nic.bandwidth must be 0 (no limit of its own) or at least "
                           "1MB/s");
        if (config->crossbar == NETWORK_CROSSBAR_IDEAL && config->speedup_millionths != 1000000)
            FAULT(&faults, "network.router.speedup means nothing with an ideal crossbar; set "
                           "network.router.crossbar to input, or the speedup to 1");
        else if (config->output_buffer_bytes == 0 && config->speedup_millionths != 1000000)
            FAULT(&faults, "network.router.speedup means nothing without output buffers, as a "
                           "transfer lasts as long as the packet is on its channel; set "
                           "network.router.output_buffer, or the speedup to 1");
    }
    status_code code = faults.code;
    if (code != STATUS_OK)
        status_set(result, code, "%s",
                   faults.text != NULL ? faults.text : "wrong network settings");
    status_clear(&faults);
    return code;
}
