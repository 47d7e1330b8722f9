/*
 * Time bins: over all bins, the states of ranks add up to the ranks' times, and the load of
 * channels to that of the links. No bin has more time than its width. The communication matrix adds
 * up to all messages.
 */
#include "tests/support/check/check_csv.h"
#include "tests/support/check/check_result.h"

#include <stdlib.h>
#include <string.h>

static const char *const states[] = {"compute_ps",
                                     "send_overhead_ps",
                                     "receive_overhead_ps",
                                     "reduction_ps",
                                     "wait_late_sender_ps",
                                     "wait_late_receiver_ps",
                                     "wait_transit_ps",
                                     "wait_queueing_ps",
                                     "collective_late_ps",
                                     "collective_transit_ps",
                                     "collective_queueing_ps",
                                     "collective_other_ps"};
enum { STATES = sizeof states / sizeof *states };

/* A bin has the same width as all others, and its figures are at most `max` times this width. */
static void check_bin(const struct place *row, whole width_ps, whole time_ps, whole max) {
    whole bin = place_whole(row, "bin");
    place_equals(row, "from_ps", whole_times(bin, width_ps), "where the bin begins");
    place_equals(row, "to_ps", whole_times(bin + 1, width_ps), "where the bin ends");
    place_that(row, time_ps <= whole_times(max, width_ps), "more time than the bin has");
}

static whole width_of(const struct place *rows) {
    struct place first = place_item(rows, 0);
    return place_whole(&first, "to_ps") - place_whole(&first, "from_ps");
}

/* The times of the ranks from `first` to `end`, by state. */
static void add_ranks(const struct place *ranks, size_t first, size_t end, whole *sums) {
    for (size_t i = first; i < end && i < place_count(ranks); i++) {
        struct place rank = place_item(ranks, i);
        for (size_t k = 0; k < STATES; k++)
            sums[k] += place_whole(&rank, states[k]);
    }
}

static whole add_bin(const struct place *row, whole *sums) {
    whole time_ps = 0;
    for (size_t k = 0; k < STATES; k++) {
        sums[k] -= place_whole(row, states[k]);
        time_ps += place_whole(row, states[k]);
    }
    return time_ps;
}

static void check_left(const struct place *rows, const whole *sums) {
    for (size_t k = 0; k < STATES; k++)
        place_that(rows, sums[k] == 0, "%s is not that of the ranks", states[k]);
}

static void check_rank_bins(const struct place *result, const struct place *ranks) {
    struct place rows = place_key(result, "rank_bins");
    whole sums[STATES] = {0}, width_ps = width_of(&rows);
    size_t first = 0, end = 0, count = place_count(&rows);
    for (size_t i = 0; i < count; i++) {
        struct place row = place_item(&rows, i);
        whole group = place_whole(&row, "ranks");
        if ((size_t)place_whole(&row, "first_rank") != first || i == 0) {
            check_left(&rows, sums);
            first = (size_t)place_whole(&row, "first_rank");
            place_equals(&row, "first_rank", (whole)end, "the ranks before it");
            end = first + (size_t)group;
            add_ranks(ranks, first, end, sums);
        }
        check_bin(&row, width_ps, add_bin(&row, sums), group);
    }
    check_left(&rows, sums);
    place_that(&rows, end == place_count(ranks), "not all ranks");
}

static void check_state_bins(const struct place *result, const struct place *ranks) {
    struct place rows = place_key(result, "state_bins");
    whole sums[STATES] = {0}, width_ps = width_of(&rows);
    add_ranks(ranks, 0, place_count(ranks), sums);
    for (size_t i = 0; i < place_count(&rows); i++) {
        struct place row = place_item(&rows, i);
        place_equals(&row, "ranks", (whole)place_count(ranks), "all ranks");
        check_bin(&row, width_ps, add_bin(&row, sums), place_whole(&row, "ranks"));
    }
    check_left(&rows, sums);
}

/* What the links of a group and kind come to. */
struct load_sum {
    whole channels, packets, bytes, busy_ps, stalled_ps;
};

static struct load_sum add_links(const struct csv_table *links, const struct place *row) {
    struct load_sum sum = {0};
    const char *kind = place_text(row, "kind");
    whole group = place_whole(row, "group");
    for (size_t i = 0; i < links->rows; i++) {
        if (strcmp(csv_text(links, i, "kind"), kind) != 0 ||
            csv_whole(links, i, "source_group") != group)
            continue;
        sum.channels++;
        sum.packets += csv_whole(links, i, "packets");
        sum.bytes += csv_whole(links, i, "bytes");
        sum.busy_ps += csv_whole(links, i, "busy_ps");
        sum.stalled_ps += csv_whole(links, i, "stalled_ps");
    }
    return sum;
}

static bool is_same_kind(const struct place *row, const struct place *other) {
    return place_whole(row, "group") == place_whole(other, "group") &&
           strcmp(place_text(row, "kind"), place_text(other, "kind")) == 0;
}

static void check_load_left(const struct place *rows, const struct load_sum *left) {
    place_that(rows, left->packets == 0, "the packets are not those of the links");
    place_that(rows, left->bytes == 0, "the bytes are not those of the links");
    place_that(rows, left->busy_ps == 0, "busy_ps is not that of the links");
    place_that(rows, left->stalled_ps == 0, "stalled_ps is not that of the links");
}

static void check_load(const struct place *rows, const struct csv_table *links) {
    struct load_sum left = {0};
    whole width_ps = width_of(rows), packets = 0;
    struct place before = place_item(rows, 0);
    for (size_t i = 0; i < place_count(rows); i++) {
        struct place row = place_item(rows, i);
        if (i == 0 || !is_same_kind(&row, &before)) {
            check_load_left(rows, &left);
            left = add_links(links, &row);
            before = row;
        }
        place_equals(&row, "channels", left.channels, "the links of this group and kind");
        check_bin(&row, width_ps, place_whole(&row, "busy_ps") + place_whole(&row, "stalled_ps"),
                  place_whole(&row, "channels"));
        packets += place_whole(&row, "packets");
        left.packets -= place_whole(&row, "packets");
        left.bytes -= place_whole(&row, "bytes");
        left.busy_ps -= place_whole(&row, "busy_ps");
        left.stalled_ps -= place_whole(&row, "stalled_ps");
    }
    check_load_left(rows, &left);
    for (size_t i = 0; i < links->rows; i++)
        packets -= csv_whole(links, i, "packets");
    place_that(rows, packets == 0, "not the packets of all links");
}

void check_history(const struct place *result, const char *folder) {
    const bool is_replay = place_knows(result, "rank_bins");
    struct place loads = {0};
    if (is_replay) {
        struct place ranks = place_key(result, "ranks");
        check_rank_bins(result, &ranks);
        check_state_bins(result, &ranks);
    }
    if (!place_knows(result, "channel_bins") || folder == NULL) return;
    loads = place_key(result, "channel_bins");
    struct csv_table links;
    if (csv_open(&links, result->check, folder, "links.csv") && place_count(&loads) > 0)
        check_load(&loads, &links);
    csv_close(&links);
    csv_rows(&loads, folder, "channel_bins.csv");
    if (!is_replay) return;
    struct place ranks = place_key(result, "rank_bins"), all = place_key(result, "state_bins");
    csv_rows(&ranks, folder, "rank_bins.csv");
    csv_rows(&all, folder, "state_bins.csv");
}

void check_matrix(const struct place *result, const char *folder,
                  const struct check_packets *packets) {
    if (!place_knows(result, "matrix")) return;
    struct place rows = place_key(result, "matrix");
    struct place network = place_key(result, "messages");
    whole messages = 0, control = 0, bytes = 0, source = -1, destination = -1, files = 0;
    if (place_knows(result, "io_nodes")) {
        struct place nodes = place_key(result, "io_nodes");
        for (size_t i = 0; i < place_count(&nodes); i++) {
            struct place node = place_item(&nodes, i);
            files += 2 * place_whole(&node, "requests"); /* and their answers */
        }
    }
    for (size_t i = 0; i < place_count(&rows); i++) {
        struct place row = place_item(&rows, i);
        whole from = place_whole(&row, "source"), to = place_whole(&row, "destination");
        place_named(&row, "by");
        place_that(&row, from > source || (from == source && to > destination), "out of order");
        place_at_least(&row, "sources", 1, "one place");
        place_at_least(&row, "destinations", 1, "one place");
        source = from;
        destination = to;
        messages += place_whole(&row, "messages");
        control += place_whole(&row, "control_messages");
        bytes += place_whole(&row, "bytes") + place_whole(&row, "control_bytes");
    }
    place_that(&rows,
               messages == place_whole(&network, "eager") + place_whole(&network, "rendezvous") +
                               place_whole(&network, "collective") +
                               2 * place_whole(&network, "one_sided") + files ||
                   place_whole(&network, "one_sided") > 0,
               "%s messages with data, which are not all", whole_text(messages));
    if (!place_knows(result, "background")) {
        place_that(&rows, messages + control == packets->messages + packets->memory_messages,
                   "%s messages, which are not those of the network",
                   whole_text(messages + control));
        place_that(&rows,
                   packets->memory_messages > 0 ? bytes >= packets->bytes : bytes == packets->bytes,
                   "%s bytes, which are not those of the network", whole_text(bytes));
    }
    if (folder != NULL) csv_rows(&rows, folder, "matrix.csv");
}
