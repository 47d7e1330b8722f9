/*
 * The network's settings: their names, ranges and defaults. Must not know where values come from.
 *
 * The defaults are those of the machine kim-1k with current links.
 */
#include "network/arrangement/arrangement.h"
#include "network/engine/nic/nic_choice.h"
#include "network/engine/nic/rails.h"
#include "network/network_choices.h"
#include "network/network_config.h"
#include "network/routing/misrouting.h"
#include "network/routing/ring.h"
#include "network/routing/routing.h"

SETTING_CHOICES(crossbar_names, "ideal", "input", "vc")

SETTING_CHOICES(arbitration_names, "round-robin", "least-recent", "oldest")

SETTING_CHOICES(vc_allocation_names, "with-crossbar", "first")

SETTING_CHOICES(priority_names, "auto", "off", "on")

SETTING_CHOICES(release_names, "tail", "head")

SETTING_CHOICES(trigger_names, "blocked", "granted")

SETTING_CHOICES(measure_names, "vc", "port")

SETTING_CHOICES(ugal_queue_names, "channel", "output")

SETTING_CHOICES(ugal_measure_names, "port", "vc")

SETTING_CHOICES(ugal_weights_names, "hops", "local-hops", "absolute-local-hops", "ratio")

SETTING_CHOICES(third_group_names, "others", "not-own", "any")

SETTING_CHOICES(intragroup_paths_names, "minimal", "policy", "router")

SETTING_CHOICES(routing_mode_names, "none", "adaptive-0", "adaptive-1", "adaptive-2", "adaptive-3")

SETTING_CHOICES(link_choice_names, "message", "packet", "shortest")

SETTING_CHOICES(minimal_vcs_names, "last", "first")

SETTING_CHOICES(reroute_candidate_names, "new", "same")

SETTING_CHOICES(nic_vc_choice_names, "turn", "destination")

SETTING_CHOICES(acknowledgement_names, "off", "delay", "packet")

SETTING_CHOICES(congestion_control_names, "off", "endpoint")

SETTING_CHOICES(valiant_names, "group", "router")

#define SECOND         INT64_C(1000000000000)
#define FASTEST        INT64_C(10000000000000) /* 10TB/s */
#define BUFFER_MAX     (INT64_C(1) << 30)
#define WINDOW_MAX     (INT64_C(1) << 40)
#define PACKET_MAX     (INT64_C(1) << 20)
#define DIMENSIONS_MAX INT64_C(0x040004000400) /* 1024x1024x1024 */
#define GROUPS_MAX     65535 /* group numbers have 16 bits, and one of them means none */

#define AT(member) offsetof(struct network_config, member)

#define MORE_LOCAL_ROWS(number, index, ends)                                                       \
    {.name = "network.local" number ".bandwidth",                                                  \
     .kind = SETTING_BANDWIDTH,                                                                    \
     .offset = AT(more_locals[index].bandwidth_bytes_per_s),                                       \
     .maximum = FASTEST,                                                                           \
     .initial = "0",                                                                               \
     .help = "bandwidth of local channels " ends "; 0: that of network.local"},                    \
    {                                                                                              \
        .name = "network.local" number ".latency", .kind = SETTING_TIME,                           \
        .offset = AT(more_locals[index].latency_ps), .maximum = SECOND, .initial = "0",            \
        .help = "latency of local channels " ends "; 0: that of network.local"                     \
    }

#define CHANNEL_ROWS(channel, index, ends, above, bandwidth, latency, buffer)                      \
    {.name = "network." channel ".bandwidth",                                                      \
     .kind = SETTING_BANDWIDTH,                                                                    \
     .offset = AT(channels[index].bandwidth_bytes_per_s),                                          \
     .minimum = NETWORK_SLOWEST,                                                                   \
     .maximum = FASTEST,                                                                           \
     .initial = (bandwidth),                                                                       \
     .help = "bandwidth of a channel " ends ", per direction"},                                    \
        {.name = "network." channel ".framing",                                                    \
         .kind = SETTING_SHARE,                                                                    \
         .offset = AT(channels[index].framing),                                                    \
         .minimum = 1,                                                                             \
         .maximum = INT64_MAX,                                                                     \
         .initial = "1",                                                                           \
         .help = "share of network." channel ".bandwidth that packets can use; framing takes the " \
                 "rest"},                                                                          \
        {.name = "network." channel ".latency",                                                    \
         .kind = SETTING_TIME,                                                                     \
         .offset = AT(channels[index].latency_ps),                                                 \
         .maximum = SECOND,                                                                        \
         .initial = (latency),                                                                     \
         .help = "latency of a channel " ends ", of cable and transceivers" above},                \
        {.name = "network." channel ".buffer",                                                     \
         .kind = SETTING_SIZE,                                                                     \
         .offset = AT(channels[index].buffer_bytes),                                               \
         .minimum = 1,                                                                             \
         .maximum = BUFFER_MAX,                                                                    \
         .initial = (buffer),                                                                      \
         .help = "input buffer of a router for a channel " ends ", per virtual channel"},          \
    {                                                                                              \
        .name = "network." channel ".shared_buffer", .kind = SETTING_SIZE,                         \
        .offset = AT(channels[index].shared_buffer_bytes), .maximum = BUFFER_MAX, .initial = "0",  \
        .help = "buffer that all virtual channels of such an input share, besides their own"       \
    }

#define CLASS_ROWS(group, index, number)                                                           \
    {.name = "network." group ".minimum",                                                          \
     .kind = SETTING_RATIO,                                                                        \
     .offset = AT(class[index].minimum_millionths),                                                \
     .maximum = 1000000,                                                                           \
     .initial = "0",                                                                               \
     .help = "share of every channel that traffic class " number                                   \
             " gets if it has packets; what it does not use goes to other classes"},               \
        {.name = "network." group ".maximum",                                                      \
         .kind = SETTING_RATIO,                                                                    \
         .offset = AT(class[index].maximum_millionths),                                            \
         .minimum = 1000,                                                                          \
         .maximum = 1000000,                                                                       \
         .initial = "1",                                                                           \
         .help = "share of any channel that traffic class " number " never exceeds"},              \
    {                                                                                              \
        .name = "network." group ".priority", .kind = SETTING_COUNT,                               \
        .offset = AT(class[index].priority), .maximum = 100, .initial = "0",                       \
        .help =                                                                                    \
            "beyond minimum shares, classes of higher priority go before traffic class " number    \
    }

const struct setting_row network_setting_rows[] = {
/* The order of these lines is that of `anax list settings`; empty lines keep clang-format from
 * sorting them. */
#include "network/settings/topology.def"

#include "network/settings/channels.def"

#include "network/settings/router.def"

#include "network/settings/nic.def"

#include "network/settings/responses.def"

#include "network/settings/classes.def"

#include "network/settings/routing.def"
};

const size_t network_setting_count = sizeof network_setting_rows / sizeof network_setting_rows[0];
