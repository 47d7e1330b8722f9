/*
 * Synthetic traffic: what is accepted was offered, latencies are in order, curves are made of their
 * points, and the histogram is that of the point.
 */
#include "tests/support/check/check_csv.h"
#include "tests/support/check/check_result.h"

#include <string.h>

struct traffic {
    const struct place *result;
    struct check_machine machine;
    struct check_packets packets;
    struct place points, curves;
    whole message_bytes, wire_bytes; /* without and with headers */
    whole node_bandwidth;            /* of all rails */
    whole warmup_ps, measure_ps, burst;
    whole messages; /* measured, of all points */
    whole first_seed, seeds;
    bool varied; /* several machines or values, so that no point has the settings of the result */
};

/* The integer square root, rounded up. */
static whole root_of(whole square) {
    whole root = 0;
    for (whole bit = (whole)1 << 62; bit > 0; bit >>= 1)
        if ((root + bit) * (root + bit) <= square) root += bit;
    return root + 1;
}

static void read_settings(struct traffic *traffic) {
    const struct place *result = traffic->result;
    whole packet = config_size(result, "network.packet");
    whole message = config_size(result, "traffic.message");
    if (message == 0) message = packet;
    traffic->message_bytes = message;
    whole before_last = message > 0 ? (message - 1) / packet : 0;
    traffic->wire_bytes = whole_times(before_last, check_packet_bytes(result, packet)) +
                          check_packet_bytes(result, message - whole_times(before_last, packet));
    traffic->node_bandwidth = whole_times(check_bandwidth_of(result, "terminal"),
                                          traffic->machine.rails * traffic->machine.nics);
    traffic->warmup_ps = config_time(result, "traffic.warmup");
    traffic->measure_ps = config_time(result, "traffic.measure");
    traffic->burst = config_count(result, "traffic.burst");
    /* Of the pattern of that name unless it is set. */
    if (strcmp(config_text(result, "traffic.pattern"), "bursts") == 0 && traffic->burst == 1)
        traffic->burst = 16;
}

/* Bytes that all nodes can hand in during so long. */
static whole capacity_of(const struct traffic *traffic, whole time_ps) {
    whole bytes_per_s = whole_times(traffic->node_bandwidth, traffic->machine.nodes);
    return whole_times(bytes_per_s, time_ps) / TERA;
}

/* Offered messages, with what chance and the slots of arrivals allow. */
static whole offered_at_most(const struct traffic *traffic, whole load, whole time_ps) {
    whole bytes = whole_times(load, capacity_of(traffic, time_ps)) / MILLION;
    whole mean = bytes / traffic->wire_bytes + 1;
    whole chance = 6 * root_of(whole_times(mean, traffic->burst)) + 6 * traffic->burst;
    return mean + mean / 50 + chance;
}

/* ---------------------------------------------------------------------------- a point */

/* What came up before or in the measurement; and no node takes more than its channels carry. */
static void check_accepted(const struct traffic *traffic, const struct place *point) {
    whole load = place_share(point, "offered_load"),
          accepted = place_millionths(point, "accepted_load");
    place_that(point, load > 0, "no load was offered");
    /* Of the first message of each channel, the most may have come before. */
    whole max = capacity_of(traffic, traffic->measure_ps);
    whole first = whole_times(traffic->machine.nodes, traffic->machine.rails);
    whole bytes = whole_times(accepted, max) / MILLION;
    place_that(point, bytes <= max + whole_times(first, traffic->wire_bytes),
               "accepted_load %s millionths: more than the nodes' channels carry",
               whole_text(accepted));
    whole came = offered_at_most(traffic, load, traffic->warmup_ps + traffic->measure_ps);
    place_that(point, bytes / traffic->wire_bytes <= came,
               "accepted_load %s millionths: more than came up at a load of %s",
               whole_text(accepted), whole_text(load));
}

/* Messages measured are those that came up, but for the unfinished. */
static void check_count(const struct traffic *traffic, const struct place *point) {
    whole load = place_millionths(point, "offered_load");
    whole messages = place_whole(point, "messages"), unfinished = place_whole(point, "unfinished");
    whole max = offered_at_most(traffic, load, traffic->measure_ps);
    place_that(point, messages + unfinished <= max,
               "%s messages came up, more than %s at this load", whole_text(messages + unfinished),
               whole_text(max));
    if (place_flag(point, "stable"))
        place_equals(point, "unfinished", 0, "what a stable point leaves");
}

/* The mean over all is between those over the minimal and the other messages. */
static void check_means(const struct place *point, whole messages) {
    bool minimal = place_has(point, "minimal_mean_latency_ps");
    bool others = place_has(point, "nonminimal_mean_latency_ps");
    place_that(point, (messages > 0) == (minimal || others), "%s messages, but %s means",
               whole_text(messages), minimal || others ? "some" : "no");
    if (messages == 0) return;
    whole share = place_share(point, "minimal_share");
    place_that(point, minimal || share == 0, "minimal messages without a mean");
    place_that(point, others || share == MILLION, "nonminimal messages without a mean");
    whole mean_ps = place_whole(point, "mean_latency_ps"), min_ps, max_ps;
    whole one_ps = minimal ? place_whole(point, "minimal_mean_latency_ps") : 0;
    whole two_ps = others ? place_whole(point, "nonminimal_mean_latency_ps") : one_ps;
    if (!minimal) one_ps = two_ps;
    min_ps = one_ps < two_ps ? one_ps : two_ps;
    max_ps = one_ps < two_ps ? two_ps : one_ps;
    place_that(point, mean_ps + 1 >= min_ps && mean_ps <= max_ps + 1,
               "mean_latency_ps %s, but %s and %s of minimal and other messages",
               whole_text(mean_ps), whole_text(one_ps), whole_text(two_ps));
    /* The share is rounded down to millionths, the means to picoseconds. */
    whole mixed = whole_times(share, one_ps) + whole_times(MILLION - share, two_ps);
    whole slack = max_ps - min_ps + 2 * MILLION;
    whole is = whole_times(mean_ps, MILLION);
    place_that(point, is <= mixed + slack && is + slack >= mixed,
               "mean_latency_ps %s is not that of minimal and other messages together",
               whole_text(mean_ps));
}

static void check_point(struct traffic *traffic, const struct place *point) {
    whole messages = place_whole(point, "messages");
    struct check_latencies latencies;
    place_named(point, "routing");
    place_named(point, "misrouting");
    place_hash(point, "digest");
    if (!traffic->varied) check_accepted(traffic, point);
    if (!traffic->varied) check_count(traffic, point);
    check_latencies_of(point, messages, &latencies);
    check_means(point, messages);
    if (messages > 0) {
        whole hops = place_millionths(point, "mean_hops");
        place_that(point, hops >= MILLION, "fewer than one router passed");
    } else {
        place_is_ratio(point, "mean_hops", 0, 0, "a mean of no messages");
        place_is_ratio(point, "minimal_share", 0, 0, "a share of no messages");
    }
    if (place_has(point, "accepted_mean_latency_ps"))
        place_whole(point, "accepted_mean_latency_ps");
    else
        place_equals_decimal(point, "accepted_load", 0, "the load of no message");
    traffic->messages += messages;
    place_at_least(point, "seed", traffic->first_seed, "the first seed");
    place_at_most(point, "seed", traffic->first_seed + traffic->seeds - 1, "the last seed");
}

/* ---------------------------------------------------------------------------- curves */

/* A point is beyond saturation if it, or one of its seed at a lower load, is not stable. */
static void check_saturation(const struct traffic *traffic, const struct place *point, size_t first,
                             size_t count) {
    whole offered = place_millionths(point, "offered_load"), seed = place_whole(point, "seed");
    bool beyond = false;
    for (size_t i = first; i < first + count; i++) {
        struct place other = place_item(&traffic->points, i);
        beyond = beyond || (!place_flag(&other, "stable") && place_whole(&other, "seed") == seed &&
                            place_millionths(&other, "offered_load") <= offered);
    }
    place_that(point, place_flag(point, "beyond_saturation") == beyond,
               "beyond_saturation is not what the points say");
}

/* Returns the first point after those of the same load; *stable: whether all of them are. */
static size_t load_end(const struct traffic *traffic, size_t first, size_t end, bool *stable) {
    struct place point = place_item(&traffic->points, first);
    whole offered = place_millionths(&point, "offered_load");
    *stable = true;
    for (; first < end; first++) {
        point = place_item(&traffic->points, first);
        if (place_millionths(&point, "offered_load") != offered) break;
        *stable = *stable && place_flag(&point, "stable");
    }
    return first;
}

static void check_curve(const struct traffic *traffic, const struct place *curve, size_t first,
                        size_t count) {
    whole throughput = 0, stable_load = 0;
    bool stable = true;
    for (size_t i = first; i < first + count; i++) {
        struct place point = place_item(&traffic->points, i);
        whole accepted = place_millionths(&point, "accepted_load");
        if (accepted > throughput) throughput = accepted;
        check_saturation(traffic, &point, first, count);
        place_that(&point, strcmp(place_text(&point, "routing"), place_text(curve, "routing")) == 0,
                   "another routing policy than that of its curve");
    }
    for (size_t i = first; i < first + count;) {
        struct place point = place_item(&traffic->points, i);
        i = load_end(traffic, i, first + count, &stable);
        if (!stable) break;
        stable_load = place_millionths(&point, "offered_load");
    }
    place_hash(curve, "digest");
    place_equals_decimal(curve, "throughput", throughput, "the largest accepted load");
    if (stable_load > 0)
        place_equals_decimal(curve, "stable_load", stable_load, "the largest stable load");
    else
        place_that(curve, !place_has(curve, "stable_load"), "a stable_load, but no point is");
}

/* The mean of the saturation loads of a curve's seeds, which stand in the order of curves. */
static void check_searches(const struct traffic *traffic) {
    struct place searches = place_key(traffic->result, "saturation");
    place_that(&searches,
               (whole)place_count(&searches) ==
                   (whole)place_count(&traffic->curves) * traffic->seeds,
               "not one search for each curve and seed");
    for (size_t i = 0; i < place_count(&traffic->curves); i++) {
        struct place curve = place_item(&traffic->curves, i);
        whole sum = 0;
        for (whole k = 0; k < traffic->seeds; k++) {
            struct place search = place_item(&searches, (size_t)((whole)i * traffic->seeds + k));
            whole load = place_millionths(&search, "saturation_load");
            place_equals(&search, "seed", traffic->first_seed + k, "the seeds in order");
            if (place_has(&search, "unstable_load"))
                place_that(&search, place_millionths(&search, "unstable_load") > load,
                           "no load between the stable and the other one");
            place_that(&search, place_share(&search, "overload_of_all") > 0,
                       "an overload that is noticed is one");
            place_that(&search, place_share(&search, "overload_of_channel") > 0,
                       "an overload that is noticed is one");
            sum += load;
        }
        place_equals_decimal(&curve, "saturation_load", (sum + traffic->seeds / 2) / traffic->seeds,
                             "the mean of its seeds");
    }
}

/* Loads with several seeds are made of their points. */
static void check_loads(const struct traffic *traffic) {
    struct place loads = place_key(traffic->result, "loads");
    size_t next = 0, points = place_count(&traffic->points);
    for (size_t i = 0; i < place_count(&loads); i++) {
        struct place load = place_item(&loads, i);
        whole seeds = place_whole(&load, "seeds"), stable = 0, beyond = 0, accepted = 0;
        for (whole k = 0; k < seeds && next < points; k++, next++) {
            struct place point = place_item(&traffic->points, next);
            stable += place_flag(&point, "stable");
            beyond += place_flag(&point, "beyond_saturation");
            accepted += place_millionths(&point, "accepted_load");
            place_equals_decimal(&load, "offered_load", place_millionths(&point, "offered_load"),
                                 "the load of its points");
        }
        place_equals(&load, "stable_seeds", stable, "those of its points");
        place_equals(&load, "seeds_beyond_saturation", beyond, "those of its points");
        place_equals_decimal(&load, "accepted_load", seeds > 0 ? (accepted + seeds / 2) / seeds : 0,
                             "the mean of its points");
    }
    place_that(&loads, next == points, "%zu points, but there are %zu", next, points);
}

static void check_curves(const struct traffic *traffic) {
    size_t first = 0, points = place_count(&traffic->points);
    for (size_t i = 0; i < place_count(&traffic->curves); i++) {
        struct place curve = place_item(&traffic->curves, i);
        whole count = place_whole(&curve, "points");
        if (!place_that(&curve, count > 0 && count <= (whole)(points - first), "%s points",
                        whole_text(count)))
            return;
        check_curve(traffic, &curve, first, (size_t)count);
        first += (size_t)count;
    }
    place_that(&traffic->curves, first == points, "%zu points, but there are %zu", first, points);
}

/* ---------------------------------------------------------------------------- histogram */

/* A percentile lies in the bin with the message of that rank. */
static void check_rank(const struct place *point, const char *key, whole millionths, whole before,
                       whole here, whole messages, whole from_ps, whole to_ps) {
    whole wanted = (whole_times(messages, millionths) + MILLION - 1) / MILLION;
    if (wanted <= before || wanted > before + here) return;
    whole value_ps = place_whole(point, key);
    place_that(point, value_ps >= from_ps && value_ps <= to_ps,
               "%s %s, but %s to %s in the histogram", key, whole_text(value_ps),
               whole_text(from_ps), whole_text(to_ps));
}

static void check_histogram(const struct traffic *traffic, const struct place *point) {
    struct place bins = place_key(traffic->result, "latencies");
    whole messages = 0, minimal = 0, end_ps = 0, min_ps = 0, max_ps = 0;
    whole all = place_whole(point, "messages");
    for (size_t i = 0; i < place_count(&bins); i++) {
        struct place bin = place_item(&bins, i);
        whole here = place_whole(&bin, "messages");
        whole from_ps = place_whole(&bin, "from_ps"), to_ps = place_whole(&bin, "to_ps");
        place_at_least(&bin, "from_ps", end_ps, "the end of the bin before");
        place_at_least(&bin, "to_ps", from_ps + 1, "its beginning");
        place_at_most(&bin, "to_ps", from_ps + from_ps / 32 + 1, "what a 32nd allows");
        place_at_least(&bin, "messages", 1, "a bin that is there");
        place_at_most(&bin, "minimal_messages", here, "all of the bin");
        check_rank(point, "p50_latency_ps", 500000, messages, here, all, from_ps, to_ps);
        check_rank(point, "p95_latency_ps", 950000, messages, here, all, from_ps, to_ps);
        check_rank(point, "p99_latency_ps", 990000, messages, here, all, from_ps, to_ps);
        messages += here;
        minimal += place_whole(&bin, "minimal_messages");
        min_ps += whole_times(here, from_ps);
        max_ps += whole_times(here, to_ps);
        end_ps = to_ps;
    }
    place_that(&bins, messages == all, "%s messages, but the point has %s", whole_text(messages),
               whole_text(all));
    if (messages == 0) return;
    place_is_ratio(point, "minimal_share", minimal, messages, "that of the histogram");
    whole mean_ps = place_whole(point, "mean_latency_ps");
    place_that(point, mean_ps >= min_ps / messages && mean_ps <= max_ps / messages,
               "mean_latency_ps %s, but %s to %s by the histogram", whole_text(mean_ps),
               whole_text(min_ps / messages), whole_text(max_ps / messages));
    place_at_most(point, "max_latency_ps", end_ps, "the last bin's end");
}

/* ---------------------------------------------------------------------------- tables */

static void check_tables(const struct traffic *traffic, const char *folder, bool single) {
    csv_rows(&traffic->points, folder, "points.csv");
    if (!single) return;
    struct place bins = place_key(traffic->result, "latencies");
    csv_rows(&bins, folder, "latencies.csv");
    check_link_tables(traffic->result, folder, &traffic->machine, &traffic->packets);
    check_history(traffic->result, folder);
}

void check_traffic(const struct place *result, const char *folder) {
    struct traffic traffic = {.result = result};
    check_machine_of(result, &traffic.machine);
    place_named(result, "routing");
    place_named(result, "misrouting");
    place_named(result, "pattern");
    if (!place_flag(result, "completed")) {
        place_named(result, "failure");
        place_that(result, !place_has(result, "digest"), "the digest of a run that did not finish");
        return;
    }
    place_hash(result, "digest");
    read_settings(&traffic);
    traffic.first_seed = place_whole(result, "seed");
    traffic.seeds = place_whole(result, "seeds");
    traffic.varied = place_has(result, "factors");
    traffic.points = place_key(result, "points");
    traffic.curves = place_key(result, "curves");
    size_t count = place_count(&traffic.points);
    place_that(&traffic.points, count > 0, "no points");
    for (size_t i = 0; i < count; i++) {
        struct place point = place_item(&traffic.points, i);
        check_point(&traffic, &point);
    }
    check_curves(&traffic);
    bool searched = place_has(result, "saturation");
    if (searched) check_searches(&traffic);
    if (traffic.seeds > 1) check_loads(&traffic);
    if (!traffic.varied) check_network(result, &traffic.packets);
    struct place network = place_key(result, "network");
    place_at_least(&network, "messages", traffic.messages, "the measured ones");
    if (!traffic.varied)
        place_equals(&network, "bytes",
                     whole_times(traffic.packets.messages, traffic.message_bytes),
                     "messages of this size");
    bool single = count == 1 && !searched;
    if (single) {
        struct place point = place_item(&traffic.points, 0);
        check_histogram(&traffic, &point);
        check_busiest_links(result, &traffic.machine, &traffic.packets);
    }
    if (folder != NULL) check_tables(&traffic, folder, single);
}
