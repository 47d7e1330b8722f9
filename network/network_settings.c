/*
 * The network's settings: their names, ranges and defaults. Must not know where values come from.
 *
 * The defaults are those of the machine kim-1k with today's links.
 */
#include "network/arrangement/arrangement.h"
#include "network/engine/rails.h"
#include "network/network_choices.h"
#include "network/network_config.h"
#include "network/routing/misrouting.h"
#include "network/routing/ring.h"
#include "network/routing/routing.h"

SETTING_CHOICES(crossbar_names, "ideal", "input", "vc")

SETTING_CHOICES(arbitration_names, "round-robin", "least-recent", "oldest")

SETTING_CHOICES(priority_names, "auto", "off", "on")

SETTING_CHOICES(release_names, "tail", "head")

SETTING_CHOICES(trigger_names, "blocked", "granted")

SETTING_CHOICES(measure_names, "vc", "port")

SETTING_CHOICES(ugal_queue_names, "channel", "output")

SETTING_CHOICES(ugal_measure_names, "port", "vc")

SETTING_CHOICES(ugal_weights_names, "hops", "local-hops", "absolute-local-hops", "ratio")

SETTING_CHOICES(third_group_names, "others", "not-own", "any")

SETTING_CHOICES(minimal_vcs_names, "last", "first")

SETTING_CHOICES(reroute_candidate_names, "new", "same")

SETTING_CHOICES(nic_vc_choice_names, "turn", "destination")

SETTING_CHOICES(valiant_names, "group", "router")

#define SECOND             INT64_C(1000000000000)
#define FASTEST            INT64_C(10000000000000) /* 10TB/s */
#define BUFFER_LARGEST     (INT64_C(1) << 30)
#define PACKET_LARGEST     (INT64_C(1) << 20)
#define DIMENSIONS_LARGEST INT64_C(0x040004000400) /* 1024x1024x1024 */
#define GROUPS_LARGEST     65535 /* group numbers are 16 bits and one of them means none */

#define AT(member) offsetof(struct network_config, member)

#define LEVEL_ROWS(name, index, ends, above, bandwidth, latency, buffer)                           \
    {"network." name ".bandwidth",                                                                 \
     SETTING_BANDWIDTH,                                                                            \
     AT(level[index].bandwidth_bytes_per_s),                                                       \
     NETWORK_SLOWEST,                                                                              \
     FASTEST,                                                                                      \
     bandwidth,                                                                                    \
     NULL,                                                                                         \
     "bandwidth of a channel " ends ", per direction"},                                            \
        {"network." name ".latency",                                                               \
         SETTING_TIME,                                                                             \
         AT(level[index].latency_ps),                                                              \
         0,                                                                                        \
         SECOND,                                                                                   \
         latency,                                                                                  \
         NULL,                                                                                     \
         "time of flight of a channel " ends ", cable and transceivers" above},                    \
    {                                                                                              \
        "network." name ".buffer", SETTING_SIZE, AT(level[index].buffer_bytes), 1, BUFFER_LARGEST, \
            buffer, NULL, "input buffer of a router at a channel " ends ", per virtual channel"    \
    }

const struct setting_row network_setting_rows[] = {
    {"network.nodes_per_router", SETTING_COUNT, AT(nodes_per_router), 1, RADIX_MAX, "4", NULL,
     "p: nodes of a router"},
    {"network.routers_per_group", SETTING_COUNT, AT(routers_per_group), 1, RADIX_MAX, "8", NULL,
     "a: routers of a group"},
    {"network.group.dimensions", SETTING_DIMENSIONS, AT(group_dimensions), 0, DIMENSIONS_LARGEST,
     "0", NULL,
     "a group is a flattened butterfly of so many routers in each dimension, as 16x6, routed in "
     "order of dimensions; 0: completely connected"},
    {"network.group.links", SETTING_DIMENSIONS, AT(group_links), 1, DIMENSIONS_LARGEST, "1", NULL,
     "parallel channels between two routers that are neighbours, in each dimension, as 1x3; one "
     "number: in all"},
    {"network.globals_per_router", SETTING_COUNT, AT(globals_per_router), 0, RADIX_MAX, "4", NULL,
     "h: global channels of a router"},
    {"network.globals_used", SETTING_COUNT, AT(globals_used), 0, RADIX_MAX, "0", NULL,
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

    LEVEL_ROWS("terminal", NETWORK_TERMINAL, "between node and router", "", "25GB/s", "10ns",
               "16KiB"),
    LEVEL_ROWS("local", NETWORK_LOCAL, "between routers of a group", "; above 0", "25GB/s", "15ns",
               "16KiB"),
    LEVEL_ROWS("global", NETWORK_GLOBAL, "between groups", "; above 0", "25GB/s", "150ns", "32KiB"),

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
    {"network.router.transit_priority", SETTING_CHOICE, AT(transit_priority), 0, 0, "auto",
     priority_names,
     "strict priority of packets in transit over packets just injected; auto: on for ofar-ordered, "
     "off for all others"},
    {"network.router.release", SETTING_CHOICE, AT(release), 0, 0, "tail", release_names,
     "when a packet gives its buffer space back: with its tail, or when its head begins to leave, "
     "as in simulators that move packets as a whole"},
    {"network.router.allocation_rounds", SETTING_COUNT, AT(allocation_rounds), 1, 64, "1", NULL,
     "rounds of the separable allocator (crossbar: input, vc)"},

    {"network.nic.bandwidth", SETTING_BANDWIDTH, AT(nic_bandwidth_bytes_per_s), 0, FASTEST, "0",
     NULL, "what a node can inject; 0: as much as its channel takes"},
    {"network.nic.vcs", SETTING_COUNT, AT(injection_vcs), 0, 16, "0", NULL,
     "virtual channels of a router's injection buffer; 0: as many as the routing policy has"},
    {"network.nic.vc_choice", SETTING_CHOICE, AT(nic_vc_choice), 0, 0, "turn", nic_vc_choice_names,
     "which injection VC a message takes: the next one in turn that has room (turn), or always the "
     "one that the number of its destination gives"},
    {"network.nic.overhead", SETTING_TIME, AT(nic_overhead_ps), 0, SECOND, "0", NULL,
     "the network interface's time for every message"},
    {"network.nic.send_latency", SETTING_TIME, AT(nic_send_latency_ps), 0, SECOND, "0", NULL,
     "latency of host bus and network interface of a message that is sent; others may follow it"},
    {"network.nic.receive_latency", SETTING_TIME, AT(nic_receive_latency_ps), 0, SECOND, "0", NULL,
     "latency of network interface and host bus of a message that is received"},
    {"network.nic.message_gap", SETTING_TIME, AT(nic_message_gap_ps), 0, SECOND, "0", NULL,
     "least time between the beginnings of two messages that a network interface sends"},
    {"network.nic.receive_overhead", SETTING_TIME, AT(nic_receive_overhead_ps), 0, SECOND, "0",
     NULL, "the network interface's time for every message that it receives"},
    {"network.nic.receive_bandwidth", SETTING_BANDWIDTH, AT(nic_receive_bandwidth_bytes_per_s), 0,
     FASTEST, "0", NULL, "what a node can receive; 0: as much as its channel brings"},
    {"network.nic.receive_buffer", SETTING_SIZE, AT(nic_receive_buffer_bytes), 0, BUFFER_LARGEST,
     "0", NULL,
     "what a network interface holds of what it receives; when it is full, packets wait in the "
     "last "
     "router; 0: it takes all that arrives"},
    {"network.nic.host_bandwidth", SETTING_BANDWIDTH, AT(nic_host_bandwidth_bytes_per_s), 0,
     FASTEST, "0", NULL,
     "bandwidth of the host interface, which both directions share; 0: no limit of its own"},
    {"network.memory.latency", SETTING_TIME, AT(memory_latency_ps), 0, SECOND, "200ns", NULL,
     "start-up of a message between ranks of one node"},
    {"network.memory.bandwidth", SETTING_BANDWIDTH, AT(memory_bandwidth_bytes_per_s),
     NETWORK_SLOWEST, FASTEST, "20GB/s", NULL, "bandwidth of messages between ranks of one node"},

    {"network.routing", SETTING_CHOICE, AT(routing), 0, 0, "ugal-l", network_routing_names,
     "which way packets go"},
    {"network.misrouting", SETTING_CHOICE, AT(misrouting), 0, 0, "auto", network_misrouting_names,
     "by which global links packets leave on non-minimal paths"},
    {"network.third_group", SETTING_CHOICE, AT(third_group), 0, 0, "others", third_group_names,
     "which groups network.misrouting group draws from: others: all but the packet's own and its "
     "destination's; not-own: the destination's too; any: both too; where one of these two is "
     "drawn, the path is minimal"},
    {"network.minimal_vcs", SETTING_CHOICE, AT(minimal_vcs), 0, 0, "last", minimal_vcs_names,
     "which virtual channels minimal paths share with non-minimal ones: last: those that lead from "
     "the third group on (Kim 2008, Figure 7); first: those that lead there"},
    {"network.ugal.queue", SETTING_CHOICE, AT(ugal_queue), 0, 0, "channel", ugal_queue_names,
     "the queue in UGAL's comparison: output: what waits in the router for a port; channel: also "
     "what was sent and is not yet credited back"},
    {"network.ugal.measure", SETTING_CHOICE, AT(ugal_measure), 0, 0, "port", ugal_measure_names,
     "ugal-l, ugal-g, piggyback and par: port: the queue of all virtual channels of a port; vc: of "
     "the one that the path takes there, as ugal-l-vc always does"},
    {"network.ugal.waiting", SETTING_SWITCH, AT(ugal_waiting), 0, 0, "on", NULL,
     "whether packets that are first in their buffers and wait for a port are in its queue"},
    {"network.ugal.weights", SETTING_CHOICE, AT(ugal_weights), 0, 0, "hops", ugal_weights_names,
     "what UGAL multiplies the queues of the two paths by: their hops; their hops inside groups; "
     "these as they would be with network.arrangement absolute (as FOGSim counts); or 1 and "
     "network.ugal.ratio"},
    {"network.ugal.ratio", SETTING_RATIO, AT(ugal_ratio_millionths), 0, 1000000000, "2", NULL,
     "network.ugal.weights ratio: weight of the non-minimal path's queue, that of the minimal "
     "one's being 1"},
    {"network.reroute", SETTING_COUNT, AT(reroute), 0, 1000000, "0", NULL,
     "ugal, piggyback and par: how often the path of a packet that waits first in its source "
     "router's buffer is decided on again, once a cycle; 0: the first decision stands; no effect "
     "on other policies"},
    {"network.reroute_candidate", SETTING_CHOICE, AT(reroute_candidate), 0, 0, "new",
     reroute_candidate_names,
     "with which non-minimal path network.reroute compares: another one each time, or the same"},
    {"network.routing_bias", SETTING_BYTE_HOPS, AT(routing_bias_byte_hops), -BUFFER_LARGEST,
     BUFFER_LARGEST, "0", NULL,
     "added to the non-minimal side of UGAL's comparison, which is a queue in bytes times the hops "
     "of a path: favours minimal paths"},
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
     "ofar: a packet just injected must leave room for so many packets in the next buffer"},
    {"network.ofar.ring_first", SETTING_SWITCH, AT(ofar_ring_first), 0, 0, "on", NULL,
     "ofar: nodes send only while the escape ring holds nothing in the next router's buffer"},
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
