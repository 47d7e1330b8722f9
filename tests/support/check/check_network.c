/* What the network says of all packets and messages, and of the busiest links. */
#include "tests/support/check/check_result.h"

#include <string.h>

/* Percentiles are interpolated within bins that are a 32nd of a power of two wide. */
static whole with_bin(whole latency_ps) {
    return latency_ps + latency_ps / 16 + 2;
}

static void check_nulls(const struct place *object) {
    static const char *const keys[] = {"mean_latency_ps", "p50_latency_ps", "p95_latency_ps",
                                       "p99_latency_ps", "max_latency_ps"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        place_that(object, place_knows(object, keys[i]) && !place_has(object, keys[i]),
                   "%s is not null, but there are no messages", keys[i]);
}

/* Of latencies that are not negative the largest share that can lie above the mean is known: at
 * most half of them are more than twice the mean, and so on. */
static void check_percentile(const struct place *object, const char *key,
                             const struct check_latencies *latencies, whole one_in) {
    place_at_most(object, key, with_bin(whole_times(latencies->mean_ps + 1, one_in)),
                  "what the mean allows");
}

void check_latencies_of(const struct place *object, whole messages,
                        struct check_latencies *latencies) {
    *latencies = (struct check_latencies){0};
    if (messages == 0) {
        check_nulls(object);
        return;
    }
    latencies->mean_ps = place_whole(object, "mean_latency_ps");
    latencies->p50_ps = place_whole(object, "p50_latency_ps");
    latencies->p95_ps = place_whole(object, "p95_latency_ps");
    latencies->p99_ps = place_whole(object, "p99_latency_ps");
    latencies->max_ps = place_whole(object, "max_latency_ps");
    place_at_most(object, "mean_latency_ps", latencies->max_ps, "the largest");
    place_at_most(object, "p50_latency_ps", latencies->p95_ps, "the 95th percentile");
    place_at_most(object, "p95_latency_ps", latencies->p99_ps, "the 99th percentile");
    place_at_most(object, "p99_latency_ps", latencies->max_ps, "the largest");
    check_percentile(object, "p50_latency_ps", latencies, 2);
    check_percentile(object, "p95_latency_ps", latencies, 20);
    check_percentile(object, "p99_latency_ps", latencies, 100);
    check_percentile(object, "max_latency_ps", latencies, messages);
    /* All up to a percentile are at most that, and so on. */
    whole bound_ps = whole_times(50, with_bin(latencies->p50_ps)) +
                     whole_times(45, with_bin(latencies->p95_ps)) +
                     whole_times(4, with_bin(latencies->p99_ps)) + latencies->max_ps;
    /* Of few messages, a percentile is one of them, and more of them may lie above. */
    bound_ps += whole_times(300, latencies->max_ps) / messages;
    place_at_most(object, "mean_latency_ps", bound_ps / 100 + 1, "what the percentiles allow");
}

static void check_hops(const struct place *result, const struct check_packets *packets) {
    struct place by_hops = place_key(result, "packets_by_hops");
    size_t bins = place_count(&by_hops);
    whole count = 0, hops = 0, last = 0;
    for (size_t i = 0; i < bins; i++) {
        struct place row = place_item(&by_hops, i);
        place_equals(&row, "hops", (whole)i, "its place in the list");
        last = place_whole(&row, "packets");
        place_that(&by_hops, i > 0 || last == 0, "a packet that passed no router");
        count += last;
        hops += whole_times(last, (whole)i);
    }
    place_that(&by_hops, count == packets->packets, "%s packets in all, but there are %s",
               whole_text(count), whole_text(packets->packets));
    place_that(&by_hops, last > 0 ? hops <= packets->packet_hops : hops == packets->packet_hops,
               "%s hops in all, but there are %s", whole_text(hops),
               whole_text(packets->packet_hops));
}

/* Each packet has one response, or none. Responses can be smaller than packets. */
static void check_responses(const struct place *result, const struct place *network,
                            struct check_packets *packets) {
    bool responds = strcmp(config_text(result, "network.acknowledgement"), "packet") == 0;
    place_equals(network, "responses", responds ? packets->packets : 0,
                 "the packets that have one");
    place_at_least(network, "response_hops", packets->responses,
                   "the responses, each through a router");
    place_at_most(network, "response_hops", whole_times(packets->responses, UINT8_MAX),
                  "what so many responses pass");
    place_at_least(network, "response_bytes", packets->responses, "a byte for each response");
    place_at_most(network, "response_bytes", whole_times(packets->responses, packets->max_bytes),
                  "what so many full packets have");
    if (responds) packets->min_bytes = 1;
}

void check_network(const struct place *result, struct check_packets *packets) {
    struct place network = place_key(result, "network");
    *packets = (struct check_packets){
        .messages = place_whole(&network, "messages"),
        .memory_messages = place_whole(&network, "memory_messages"),
        .bytes = place_whole(&network, "bytes"),
        .packets = place_whole(&network, "packets"),
        .packet_hops = place_whole(&network, "packet_hops"),
        .responses = place_whole(&network, "responses"),
        .response_hops = place_whole(&network, "response_hops"),
        .response_bytes = place_whole(&network, "response_bytes"),
        .packet_bytes = config_size(result, "network.packet"),
        .header_bytes = config_size(result, "network.header"),
        .rounded =
            config_size(result, "network.cell") > 0 || config_size(result, "network.flit") > 1,
        .min_bytes = check_packet_bytes(result, 0),
        .max_bytes = check_packet_bytes(result, config_size(result, "network.packet")),
    };
    check_responses(result, &network, packets);
    place_at_least(&network, "packets", packets->messages,
                   "the messages, each of a packet or more");
    place_at_least(&network, "packet_hops", packets->packets, "the packets, each through a router");
    place_at_most(&network, "bytes", whole_times(packets->packets, packets->packet_bytes),
                  "what so many packets hold");
    if (packets->packet_bytes > 0)
        place_at_most(&network, "packets",
                      packets->messages + packets->bytes / packets->packet_bytes,
                      "what so many messages and bytes need");
    struct check_latencies latencies;
    check_latencies_of(&network, packets->messages, &latencies);
    check_hops(result, packets);
    place_is_ratio(&network, "mean_hops", packets->packet_hops, packets->packets,
                   "packet_hops / packets");
    if (packets->packets > 0)
        place_share(&network, "minimal_share");
    else
        place_is_ratio(&network, "minimal_share", 0, 0, "a share of no packets");
    place_whole(&network, "ring_entries");
    struct place simulation = place_key(result, "simulation");
    place_at_least(&simulation, "threads", 1, "one thread");
    place_at_least(&simulation, "processes", 1, "one process");
    place_at_least(&simulation, "peak_rss_bytes", 1, "nothing");
    place_whole(&simulation, "events");
    place_whole(&simulation, "windows");
    place_millionths(&simulation, "wall_s");
}

/* ---------------------------------------------------------------------------- busiest links */

enum { BUSIEST_MAX = 10 };

static void check_busiest(const struct place *link, const struct place *result,
                          const struct check_machine *machine, const struct check_packets *packets,
                          whole busy_limit_ps) {
    const char *kind = place_text(link, "kind");
    const bool terminal = strcmp(kind, "injection") == 0 || strcmp(kind, "ejection") == 0;
    whole count = place_whole(link, "packets"), bytes = place_whole(link, "bytes");
    place_whole(link, "source");
    place_whole(link, "destination");
    place_whole(link, "port");
    place_at_most(link, "rail", machine->rails - 1, "the last rail");
    place_at_least(link, "packets", 1, "a link that is in the list");
    place_at_most(link, "packets",
                  packets->packet_hops + packets->packets + packets->response_hops +
                      packets->responses,
                  "all that packets do");
    place_at_least(link, "bytes", whole_times(count, packets->min_bytes), "the headers");
    place_at_most(link, "bytes", whole_times(count, packets->max_bytes),
                  "what so many packets hold");
    whole bandwidth = check_bandwidth_of(result, terminal ? "terminal" : kind);
    if (bandwidth > 0)
        place_at_least(link, "busy_ps", whole_times(bytes, TERA) / bandwidth,
                       "what so many bytes take");
    place_at_most(link, "busy_ps", busy_limit_ps, "that of the link before");
    place_whole(link, "stalled_ps");
    whole held_ps = place_whole(link, "held_ps");
    place_that(link,
               held_ps == 0 || (strcmp(kind, "injection") == 0 && config_acknowledges(result)),
               "held back by nothing");
    place_at_most(link, "source_group", machine->groups - 1, "the last group");
    place_at_most(link, "destination_group", machine->groups - 1, "the last group");
    whole from = place_whole(link, "source_group"), to = place_whole(link, "destination_group");
    place_that(link, (strcmp(kind, "global") == 0) == (from != to),
               "a %s link from group %s to group %s", kind, whole_text(from), whole_text(to));
}

void check_busiest_links(const struct place *result, const struct check_machine *machine,
                         const struct check_packets *packets) {
    struct place links = place_key(result, "busiest_links");
    size_t count = place_count(&links);
    place_that(&links, count <= BUSIEST_MAX, "%zu links", count);
    place_that(&links, (count > 0) == (packets->packets > 0), "%zu links, but %s packets", count,
               whole_text(packets->packets));
    whole busy_limit_ps = INT64_MAX;
    for (size_t i = 0; i < count; i++) {
        struct place link = place_item(&links, i);
        check_busiest(&link, result, machine, packets, busy_limit_ps);
        busy_limit_ps = place_whole(&link, "busy_ps");
    }
}
