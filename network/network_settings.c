/*
 * The network's settings: their names, ranges and defaults. Must not know where values come from.
 *
 * The defaults are those of the machine kim-1k with current links.
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

SETTING_CHOICES(intragroup_paths_names, "minimal", "policy")

SETTING_CHOICES(minimal_vcs_names, "last", "first")

SETTING_CHOICES(reroute_candidate_names, "new", "same")

SETTING_CHOICES(nic_vc_choice_names, "turn", "destination")

SETTING_CHOICES(valiant_names, "group", "router")

#define SECOND             INT64_C(1000000000000)
#define FASTEST            INT64_C(10000000000000) /* 10TB/s */
#define BUFFER_LARGEST     (INT64_C(1) << 30)
#define PACKET_LARGEST     (INT64_C(1) << 20)
#define DIMENSIONS_LARGEST INT64_C(0x040004000400) /* 1024x1024x1024 */
#define GROUPS_LARGEST     65535 /* group numbers have 16 bits, and one of them means none */

#define AT(member) offsetof(struct network_config, member)

#define LEVEL_ROWS(channel, index, ends, above, bandwidth, latency, buffer)                        \
    {.name = "network." channel ".bandwidth",                                                      \
     .kind = SETTING_BANDWIDTH,                                                                    \
     .offset = AT(level[index].bandwidth_bytes_per_s),                                             \
     .minimum = NETWORK_SLOWEST,                                                                   \
     .maximum = FASTEST,                                                                           \
     .initial = (bandwidth),                                                                       \
     .help = "bandwidth of a channel " ends ", per direction"},                                    \
        {.name = "network." channel ".latency",                                                    \
         .kind = SETTING_TIME,                                                                     \
         .offset = AT(level[index].latency_ps),                                                    \
         .maximum = SECOND,                                                                        \
         .initial = (latency),                                                                     \
         .help = "latency of a channel " ends ", of cable and transceivers" above},                \
    {                                                                                              \
        .name = "network." channel ".buffer", .kind = SETTING_SIZE,                                \
        .offset = AT(level[index].buffer_bytes), .minimum = 1, .maximum = BUFFER_LARGEST,          \
        .initial = (buffer),                                                                       \
        .help = "input buffer of a router for a channel " ends ", per virtual channel"             \
    }

const struct setting_row network_setting_rows[] = {
    {.name = "network.nodes_per_router",
     .kind = SETTING_COUNT,
     .offset = AT(nodes_per_router),
     .minimum = 1,
     .maximum = RADIX_MAX,
     .initial = "4",
     .help = "p: number of nodes connected to each router"},
    {.name = "network.routers_per_group",
     .kind = SETTING_COUNT,
     .offset = AT(routers_per_group),
     .minimum = 1,
     .maximum = RADIX_MAX,
     .initial = "8",
     .help = "a: number of routers in each group"},
    {.name = "network.group.dimensions",
     .kind = SETTING_DIMENSIONS,
     .offset = AT(group_dimensions),
     .maximum = DIMENSIONS_LARGEST,
     .initial = "0",
     .help = "a group is a flattened butterfly with this many routers in each dimension, e.g. "
             "16x6; packets take its dimensions in order; 0: completely connected"},
    {.name = "network.group.links",
     .kind = SETTING_DIMENSIONS,
     .offset = AT(group_links),
     .minimum = 1,
     .maximum = DIMENSIONS_LARGEST,
     .initial = "1",
     .help = "parallel channels between two routers that are neighbours, in each dimension, as "
             "1x3; one number: in all"},
    {.name = "network.globals_per_router",
     .kind = SETTING_COUNT,
     .offset = AT(globals_per_router),
     .maximum = RADIX_MAX,
     .initial = "4",
     .help = "h: number of global channels of each router"},
    {.name = "network.globals_used",
     .kind = SETTING_COUNT,
     .offset = AT(globals_used),
     .maximum = RADIX_MAX,
     .initial = "0",
     .help =
         "tapering: only the first so many global channels of each router are connected; 0: all"},
    {.name = "network.groups",
     .kind = SETTING_COUNT,
     .offset = AT(groups),
     .minimum = 1,
     .maximum = GROUPS_LARGEST,
     .initial = "33",
     .help = "g: number of groups in the machine, at most a*h + 1"},
    {.name = "network.rails",
     .kind = SETTING_COUNT,
     .offset = AT(rails),
     .minimum = 1,
     .maximum = NETWORK_RAILS_MOST,
     .initial = "1",
     .help = "parallel networks: every node has a port in each, and each has routers and links of "
             "its own"},
    {.name = "network.rail_choice",
     .kind = SETTING_CHOICE,
     .offset = AT(rail_choice),
     .initial = "pair",
     .choices = network_rail_names,
     .help = "how the rail of a message or packet is chosen"},
    {.name = "network.failures.file",
     .kind = SETTING_PATH,
     .offset = AT(failures_file),
     .initial = "",
     .help = "routers and links that have failed, one per line (see anax-settings(5))"},
    {.name = "network.failures.routers",
     .kind = SETTING_AMOUNT,
     .offset = AT(failed_routers),
     .minimum = UNITS_AMOUNT_ALL,
     .maximum = INT32_MAX,
     .initial = "0",
     .help = "routers that have failed, at random, in each rail: so many, or a share, as 1%"},
    {.name = "network.failures.locals",
     .kind = SETTING_AMOUNT,
     .offset = AT(failed_locals),
     .minimum = UNITS_AMOUNT_ALL,
     .maximum = INT32_MAX,
     .initial = "0",
     .help = "local links that have failed, at random, in each rail: so many, or a share, as 1%"},
    {.name = "network.failures.globals",
     .kind = SETTING_AMOUNT,
     .offset = AT(failed_globals),
     .minimum = UNITS_AMOUNT_ALL,
     .maximum = INT32_MAX,
     .initial = "0",
     .help = "global links that have failed, at random, in each rail: so many, or a share, as 1%"},
    {.name = "network.failures.seed",
     .kind = SETTING_COUNT,
     .offset = AT(failures_seed),
     .maximum = INT64_MAX,
     .initial = "1",
     .help = "seed of random failures; `seed` does not change the machine"},
    {.name = "network.arrangement",
     .kind = SETTING_CHOICE,
     .offset = AT(arrangement),
     .initial = "absolute",
     .choices = network_arrangement_names,
     .help = "how the groups' global channels are paired"},
    {.name = "network.arrangement_seed",
     .kind = SETTING_COUNT,
     .offset = AT(arrangement_seed),
     .maximum = INT64_MAX,
     .initial = "1",
     .help = "seed of a random arrangement; `seed` does not change the machine"},
    {.name = "network.arrangement_file",
     .kind = SETTING_PATH,
     .offset = AT(arrangement_file),
     .initial = "",
     .help =
         "the file of an arrangement: one global link per line, both ends (see anax-settings(5))"},

    LEVEL_ROWS("terminal", NETWORK_TERMINAL, "between node and router", "", "25GB/s", "10ns",
               "16KiB"),
    LEVEL_ROWS("local", NETWORK_LOCAL, "between routers of a group", "; above 0", "25GB/s", "15ns",
               "16KiB"),
    LEVEL_ROWS("global", NETWORK_GLOBAL, "between groups", "; above 0", "25GB/s", "150ns", "32KiB"),

    {.name = "network.packet",
     .kind = SETTING_SIZE,
     .offset = AT(packet_bytes),
     .minimum = 1,
     .maximum = PACKET_LARGEST,
     .initial = "2KiB",
     .help = "largest payload of a packet"},
    {.name = "network.header",
     .kind = SETTING_SIZE,
     .offset = AT(header_bytes),
     .maximum = PACKET_LARGEST,
     .initial = "32B",
     .help = "size of the header that every packet has on every channel"},
    {.name = "network.phit",
     .kind = SETTING_SIZE,
     .offset = AT(phit_bytes),
     .minimum = 1,
     .maximum = PACKET_LARGEST,
     .initial = "32B",
     .help = "what a channel moves in a cycle: the clock of synthetic traffic"},

    {.name = "network.router.latency",
     .kind = SETTING_TIME,
     .offset = AT(router_latency_ps),
     .maximum = SECOND,
     .initial = "100ns",
     .help = "time that a packet's head takes from its arrival at a router until it may ask for an "
             "output"},
    {.name = "network.router.allocation_latency",
     .kind = SETTING_TIME,
     .offset = AT(allocation_latency_ps),
     .maximum = SECOND,
     .initial = "0",
     .help = "time from when a packet is first in its buffer until it may leave"},
    {.name = "network.router.crossbar",
     .kind = SETTING_CHOICE,
     .offset = AT(crossbar),
     .initial = "ideal",
     .choices = crossbar_names,
     .help = "ideal: outputs decide alone; input: an input port makes one transfer at a time; vc: "
             "each VC of an input port does, and the port begins one in a cycle"},
    {.name = "network.router.speedup",
     .kind = SETTING_RATIO,
     .offset = AT(speedup_millionths),
     .minimum = 100000,
     .maximum = 100000000,
     .initial = "1",
     .help = "bandwidth of a crossbar port over that of the fastest channel (crossbar: input, vc)"},
    {.name = "network.router.output_buffer",
     .kind = SETTING_SIZE,
     .offset = AT(output_buffer_bytes),
     .maximum = BUFFER_LARGEST,
     .initial = "0",
     .help = "buffer of an output port; 0: transfers go straight onto the channel"},
    {.name = "network.router.arbitration",
     .kind = SETTING_CHOICE,
     .offset = AT(arbitration),
     .initial = "round-robin",
     .choices = arbitration_names,
     .help = "which of the packets that ask for an output is served first"},
    {.name = "network.router.transit_priority",
     .kind = SETTING_CHOICE,
     .offset = AT(transit_priority),
     .initial = "auto",
     .choices = priority_names,
     .help = "strict priority of packets in transit over packets just injected; auto: on for "
             "ofar-ordered, off for all others"},
    {.name = "network.router.release",
     .kind = SETTING_CHOICE,
     .offset = AT(release),
     .initial = "tail",
     .choices = release_names,
     .help = "when a packet gives its buffer space back: with its tail, or when its head begins to "
             "leave, as in simulators that move packets as a whole"},
    {.name = "network.router.allocation_rounds",
     .kind = SETTING_COUNT,
     .offset = AT(allocation_rounds),
     .minimum = 1,
     .maximum = 64,
     .initial = "1",
     .help = "rounds of the separable allocator (crossbar: input, vc)"},

    {.name = "network.nic.bandwidth",
     .kind = SETTING_BANDWIDTH,
     .offset = AT(nic_bandwidth_bytes_per_s),
     .maximum = FASTEST,
     .initial = "0",
     .help = "bandwidth at which a node can inject; 0: that of its channel"},
    {.name = "network.nic.vcs",
     .kind = SETTING_COUNT,
     .offset = AT(injection_vcs),
     .maximum = 16,
     .initial = "0",
     .help =
         "virtual channels of a router's injection buffer; 0: as many as the routing policy has"},
    {.name = "network.nic.vc_choice",
     .kind = SETTING_CHOICE,
     .offset = AT(nic_vc_choice),
     .initial = "turn",
     .choices = nic_vc_choice_names,
     .help = "which injection VC a message takes: the next one in turn that has room (turn), or "
             "always the one that the number of its destination gives"},
    {.name = "network.nic.overhead",
     .kind = SETTING_TIME,
     .offset = AT(nic_overhead_ps),
     .maximum = SECOND,
     .initial = "0",
     .help = "time that a network interface spends on every message before it sends it"},
    {.name = "network.nic.send_latency",
     .kind = SETTING_TIME,
     .offset = AT(nic_send_latency_ps),
     .maximum = SECOND,
     .initial = "0",
     .help = "latency of host bus and network interface of a message that is sent; others may "
             "follow it"},
    {.name = "network.nic.receive_latency",
     .kind = SETTING_TIME,
     .offset = AT(nic_receive_latency_ps),
     .maximum = SECOND,
     .initial = "0",
     .help = "latency of network interface and host bus of a message that is received"},
    {.name = "network.nic.message_gap",
     .kind = SETTING_TIME,
     .offset = AT(nic_message_gap_ps),
     .maximum = SECOND,
     .initial = "0",
     .help = "least time between the beginnings of two messages that a network interface sends"},
    {.name = "network.nic.receive_overhead",
     .kind = SETTING_TIME,
     .offset = AT(nic_receive_overhead_ps),
     .maximum = SECOND,
     .initial = "0",
     .help = "the network interface's time for every message that it receives"},
    {.name = "network.nic.receive_bandwidth",
     .kind = SETTING_BANDWIDTH,
     .offset = AT(nic_receive_bandwidth_bytes_per_s),
     .maximum = FASTEST,
     .initial = "0",
     .help = "what a node can receive; 0: as much as its channel brings"},
    {.name = "network.nic.receive_buffer",
     .kind = SETTING_SIZE,
     .offset = AT(nic_receive_buffer_bytes),
     .maximum = BUFFER_LARGEST,
     .initial = "0",
     .help = "what a network interface holds of what it receives; when it is full, packets wait in "
             "the last router; 0: it takes all that arrives"},
    {.name = "network.nic.host_bandwidth",
     .kind = SETTING_BANDWIDTH,
     .offset = AT(nic_host_bandwidth_bytes_per_s),
     .maximum = FASTEST,
     .initial = "0",
     .help =
         "bandwidth of the host interface, which both directions share; 0: no limit of its own"},
    {.name = "network.memory.latency",
     .kind = SETTING_TIME,
     .offset = AT(memory_latency_ps),
     .maximum = SECOND,
     .initial = "200ns",
     .help = "latency of a message between ranks of one node"},
    {.name = "network.memory.bandwidth",
     .kind = SETTING_BANDWIDTH,
     .offset = AT(memory_bandwidth_bytes_per_s),
     .minimum = NETWORK_SLOWEST,
     .maximum = FASTEST,
     .initial = "20GB/s",
     .help = "bandwidth of messages between ranks of one node"},

    {.name = "network.routing",
     .kind = SETTING_CHOICE,
     .offset = AT(routing),
     .initial = "ugal-l",
     .choices = network_routing_names,
     .help = "routing policy: how the path of a packet is chosen"},
    {.name = "network.misrouting",
     .kind = SETTING_CHOICE,
     .offset = AT(misrouting),
     .initial = "auto",
     .choices = network_misrouting_names,
     .help = "misrouting policy: which global links packets on non-minimal paths may take"},
    {.name = "network.third_group",
     .kind = SETTING_CHOICE,
     .offset = AT(third_group),
     .initial = "others",
     .choices = third_group_names,
     .help =
         "which groups network.misrouting group draws from: others: all but the packet's own and "
         "its "
         "destination's; not-own: the destination's too; any: both too; where one of these two is "
         "drawn, the path is minimal"},
    {.name = "network.intragroup_paths",
     .kind = SETTING_CHOICE,
     .offset = AT(intragroup_paths),
     .initial = "minimal",
     .choices = intragroup_paths_names,
     .help = "packets to a node of their own group: minimal: they never leave the group; policy: "
             "the routing policy can send them through another group, like packets to other "
             "groups; no effect on minimal, ofar and ofar-ordered"},
    {.name = "network.minimal_vcs",
     .kind = SETTING_CHOICE,
     .offset = AT(minimal_vcs),
     .initial = "last",
     .choices = minimal_vcs_names,
     .help = "which virtual channels minimal paths share with non-minimal ones: last: those that "
             "lead from the third group on (Kim 2008, Figure 7); first: those that lead there"},
    {.name = "network.ugal.queue",
     .kind = SETTING_CHOICE,
     .offset = AT(ugal_queue),
     .initial = "channel",
     .choices = ugal_queue_names,
     .help = "the queue in UGAL's comparison: output: what waits in the router for a port; "
             "channel: also what was sent and is not yet credited back"},
    {.name = "network.ugal.measure",
     .kind = SETTING_CHOICE,
     .offset = AT(ugal_measure),
     .initial = "port",
     .choices = ugal_measure_names,
     .help = "ugal-l, ugal-g, piggyback and par: port: the queue of all virtual channels of a "
             "port; vc: of the one that the path takes there, as ugal-l-vc always does"},
    {.name = "network.ugal.waiting",
     .kind = SETTING_SWITCH,
     .offset = AT(ugal_waiting),
     .initial = "on",
     .help =
         "whether packets that are first in their buffers and wait for a port are in its queue"},
    {.name = "network.ugal.weights",
     .kind = SETTING_CHOICE,
     .offset = AT(ugal_weights),
     .initial = "hops",
     .choices = ugal_weights_names,
     .help =
         "what UGAL multiplies the queues of the two paths by: their hops; their hops inside "
         "groups; "
         "these as they would be with network.arrangement absolute (as FOGSim counts); or 1 and "
         "network.ugal.ratio"},
    {.name = "network.ugal.ratio",
     .kind = SETTING_RATIO,
     .offset = AT(ugal_ratio_millionths),
     .maximum = 1000000000,
     .initial = "2",
     .help =
         "network.ugal.weights ratio: weight of the non-minimal path's queue, that of the minimal "
         "one's being 1"},
    {.name = "network.reroute",
     .kind = SETTING_COUNT,
     .offset = AT(reroute),
     .maximum = 1000000,
     .initial = "0",
     .help =
         "ugal, piggyback and par: how often the path of a packet that waits first in its source "
         "router's buffer is decided on again, once a cycle; 0: the first decision stands; no "
         "effect "
         "on other policies"},
    {.name = "network.reroute_candidate",
     .kind = SETTING_CHOICE,
     .offset = AT(reroute_candidate),
     .initial = "new",
     .choices = reroute_candidate_names,
     .help = "with which non-minimal path network.reroute compares: another one each time, or the "
             "same"},
    {.name = "network.routing_bias",
     .kind = SETTING_BYTE_HOPS,
     .offset = AT(routing_bias_byte_hops),
     .minimum = -BUFFER_LARGEST,
     .maximum = BUFFER_LARGEST,
     .initial = "0",
     .help = "added to the non-minimal side of UGAL's comparison, which is a queue in bytes times "
             "the hops of a path: favours minimal paths"},
    {.name = "network.ofar.ring",
     .kind = SETTING_CHOICE,
     .offset = AT(ofar_ring),
     .initial = "embedded",
     .choices = network_ring_names,
     .help = "ofar's escape ring: a VC of channels that are there anyway, or channels of its own"},
    {.name = "network.ofar.vcs",
     .kind = SETTING_COUNT,
     .offset = AT(ofar_vcs),
     .minimum = 1,
     .maximum = 15,
     .initial = "3",
     .help = "ofar's virtual channels besides the ring's"},
    {.name = "network.ofar.global_vcs",
     .kind = SETTING_COUNT,
     .offset = AT(ofar_global_vcs),
     .maximum = 15,
     .initial = "0",
     .help = "how many of network.ofar.vcs global channels have; 0: all"},
    {.name = "network.ofar.measure",
     .kind = SETTING_CHOICE,
     .offset = AT(ofar_measure),
     .initial = "vc",
     .choices = measure_names,
     .help = "what ofar compares: the occupancy of single VCs, or of all of a port"},
    {.name = "network.ofar.trigger",
     .kind = SETTING_CHOICE,
     .offset = AT(ofar_trigger),
     .initial = "blocked",
     .choices = trigger_names,
     .help = "when a packet may leave ofar's minimal path: while it is blocked; or only at the "
             "moment at which its minimal output is granted to another one"},
    {.name = "network.ofar.threshold",
     .kind = SETTING_RATIO,
     .offset = AT(ofar_threshold_millionths),
     .maximum = 1000000,
     .initial = "0.9",
     .help = "ofar: a candidate's occupancy is at most this share of the minimal output's"},
    {.name = "network.ofar.injection_room",
     .kind = SETTING_COUNT,
     .offset = AT(ofar_injection_room),
     .maximum = 64,
     .initial = "1",
     .help = "ofar: a packet just injected must leave room for so many packets in the next buffer"},
    {.name = "network.ofar.ring_first",
     .kind = SETTING_SWITCH,
     .offset = AT(ofar_ring_first),
     .initial = "on",
     .help =
         "ofar: nodes send only while the escape ring holds nothing in the next router's buffer"},
    {.name = "network.ofar.hop_limit",
     .kind = SETTING_COUNT,
     .offset = AT(ofar_hop_limit),
     .maximum = 255,
     .initial = "32",
     .help = "ofar: a packet in the ring stays there to its destination once it has passed so many "
             "routers"},
    {.name = "network.valiant",
     .kind = SETTING_CHOICE,
     .offset = AT(valiant),
     .initial = "group",
     .choices = valiant_names,
     .help =
         "where non-minimal paths turn to their destination: on entering the third group, or at a "
         "random router there (one virtual channel more)"},
    {.name = "network.vcs",
     .kind = SETTING_COUNT,
     .offset = AT(vcs),
     .maximum = 255,
     .initial = "0",
     .help = "virtual channels; 0: as many as the routing needs; with fewer its last classes share "
             "one, and packets can deadlock"},
    {.name = "network.piggyback_factor",
     .kind = SETTING_RATIO,
     .offset = AT(piggyback_factor_millionths),
     .maximum = 1000000000,
     .initial = "2",
     .help =
         "piggyback: a global port is saturated if its queue is longer than this times the mean "
         "of its router's global ports, and network.piggyback_packets more"},
    {.name = "network.piggyback_packets",
     .kind = SETTING_COUNT,
     .offset = AT(piggyback_packets),
     .maximum = 1000000,
     .initial = "5",
     .help = "piggyback: see network.piggyback_factor; in full packets"},
    {.name = "network.starvation",
     .kind = SETTING_TIME,
     .offset = AT(starvation_ps),
     .maximum = INT64_MAX / 4,
     .initial = "1s",
     .help = "a packet first in its buffer for so long ends the run with a report; 0: never"},
};

const size_t network_setting_count = sizeof network_setting_rows / sizeof network_setting_rows[0];
