/*
 * Replays: the parts of a rank's time add up to it, the run ends with its last rank, and what is
 * said of calls, jobs and regions is what the ranks did.
 */
#include "tests/support/check/check_csv.h"
#include "tests/support/check/check_result.h"

#include <stdlib.h>
#include <string.h>

/* Sums over ranks. */
struct rank_sums {
    whole mpi_ps, wait_ps, messages, bytes;
    whole end_ps; /* latest */
};

struct replay {
    const struct place *result;
    struct check_machine machine;
    struct check_packets packets;
    struct place ranks, jobs, calls;
    size_t rank_count, job_count;
    struct rank_sums sums;
};

/* ---------------------------------------------------------------------------- ranks */

static void add_rank(struct rank_sums *sums, const struct place *rank, whole start_ps) {
    whole end_ps = start_ps + place_whole(rank, "time_ps");
    sums->mpi_ps += place_whole(rank, "mpi_ps");
    sums->wait_ps += place_whole(rank, "wait_late_sender_ps") +
                     place_whole(rank, "wait_late_receiver_ps") +
                     place_whole(rank, "wait_transit_ps") + place_whole(rank, "wait_queueing_ps") +
                     place_whole(rank, "collective_ps");
    sums->messages += place_whole(rank, "sent_messages");
    sums->bytes += place_whole(rank, "sent_bytes");
    if (end_ps > sums->end_ps) sums->end_ps = end_ps;
}

static void check_rank(const struct replay *replay, const struct place *rank, size_t number) {
    static const char *const parts[] = {
        "compute_ps",      "send_overhead_ps",    "receive_overhead_ps",
        "reduction_ps",    "wait_late_sender_ps", "wait_late_receiver_ps",
        "wait_transit_ps", "wait_queueing_ps",    "collective_ps"};
    whole sum_ps = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        sum_ps += place_whole(rank, parts[i]);
    place_equals(rank, "rank", (whole)number, "its place in the list");
    place_at_most(rank, "node", replay->machine.nodes - 1, "the last node");
    place_whole(rank, "node");
    place_equals(rank, "time_ps", sum_ps, "the sum of its parts");
    place_equals(
        rank, "collective_ps",
        place_whole(rank, "collective_late_ps") + place_whole(rank, "collective_transit_ps") +
            place_whole(rank, "collective_queueing_ps") + place_whole(rank, "collective_other_ps"),
        "the sum of its parts");
    place_at_most(rank, "wait_storage_ps", place_whole(rank, "wait_late_receiver_ps"),
                  "waits for late receivers");
    place_equals(rank, "mpi_ps", place_whole(rank, "time_ps") - place_whole(rank, "compute_ps"),
                 "its time less computation");
}

/* Whether computation takes what the recording says. */
static bool is_as_recorded(const struct place *result) {
    return strcmp(config_text(result, "trace.repeat"), "") == 0 &&
           strcmp(config_text(result, "trace.compute_scale"), "") == 0 &&
           strcmp(config_text(result, "replay.compute_scale"), "1") == 0 &&
           strcmp(config_text(result, "replay.compute_factors"), "") == 0 &&
           strcmp(config_text(result, "noise.kind"), "none") == 0;
}

/* No rank computes for longer than the recording lasted. */
static void check_span(const struct replay *replay) {
    struct place trace = place_key(replay->result, "trace");
    whole span_ps = place_whole(&trace, "span_ps");
    if (!replay->result->check->recorded || !is_as_recorded(replay->result)) return;
    for (size_t i = 0; i < replay->rank_count; i++) {
        struct place rank = place_item(&replay->ranks, i);
        place_at_most(&rank, "compute_ps", span_ps, "the span of the recording");
    }
}

/* Ranks of a node are at most as many as placement.ranks_per_node says; of jobs each has its own
 * settings, but no node has ranks of two. */
static void check_nodes(const struct replay *replay) {
    whole max = config_count(replay->result, "placement.ranks_per_node");
    const char *policy = config_text(replay->result, "placement.policy");
    size_t nodes = replay->machine.nodes < (1 << 24) ? (size_t)replay->machine.nodes : 0;
    uint32_t *ranks = calloc(nodes + 1, sizeof *ranks);
    if (ranks == NULL || replay->job_count != 1 || strcmp(policy, "rankfile") == 0) nodes = 0;
    for (size_t i = 0; i < replay->rank_count && nodes > 0; i++) {
        struct place rank = place_item(&replay->ranks, i);
        whole node = place_whole(&rank, "node");
        if (node < (whole)nodes)
            place_that(&rank, ++ranks[node] <= max, "node %s has more ranks than %s",
                       whole_text(node), whole_text(max));
    }
    free(ranks);
}

/* ---------------------------------------------------------------------------- jobs */

static void check_job_ranks(struct replay *replay, const struct place *job, size_t number,
                            size_t first, size_t end) {
    struct rank_sums sums = {0};
    whole start_ps = place_whole(job, "start_ps");
    for (size_t i = first; i < end && i < replay->rank_count; i++) {
        struct place rank = place_item(&replay->ranks, i);
        add_rank(&sums, &rank, start_ps);
        place_equals(&rank, "job", (whole)number, "whose it is");
        place_equals(&rank, "job_rank", (whole)(i - first), "its number in the job");
    }
    place_equals(job, "sent_messages", sums.messages, "the sum over its ranks");
    place_equals(job, "sent_bytes", sums.bytes, "the sum over its ranks");
    place_equals(job, "time_ps", sums.end_ps - start_ps, "that of its last rank");
    place_equals(job, "end_ps", sums.end_ps, "that of its last rank");
    replay->sums.mpi_ps += sums.mpi_ps;
    replay->sums.wait_ps += sums.wait_ps;
    replay->sums.messages += sums.messages;
    replay->sums.bytes += sums.bytes;
    if (sums.end_ps > replay->sums.end_ps) replay->sums.end_ps = sums.end_ps;
}

static void check_jobs(struct replay *replay) {
    whole first = 0;
    for (size_t i = 0; i < replay->job_count; i++) {
        struct place job = place_item(&replay->jobs, i);
        whole count = place_whole(&job, "ranks");
        place_equals(&job, "job", (whole)i, "its place in the list");
        place_named(&job, "name");
        place_named(&job, "path");
        place_named(&job, "placement");
        place_hash(&job, "hash");
        place_whole(&job, "seed");
        place_equals(&job, "first_rank", first, "the ranks before it");
        place_that(&job, count > 0, "no ranks");
        check_job_ranks(replay, &job, i, (size_t)first, (size_t)(first + count));
        first += count;
        if (!place_has(&job, "alone_ps")) {
            place_that(&job, !place_has(&job, "slowdown"), "a slowdown without alone_ps");
            continue;
        }
        place_is_ratio(&job, "slowdown", place_whole(&job, "time_ps"),
                       place_whole(&job, "alone_ps"), "time_ps / alone_ps");
    }
    place_that(&replay->ranks, first == (whole)replay->rank_count,
               "%zu ranks, but the jobs have %s", replay->rank_count, whole_text(first));
    place_equals(replay->result, "time_ps", replay->sums.end_ps, "when the last rank ends");
}

/* ---------------------------------------------------------------------------- calls, regions */

static void check_calls(const struct replay *replay) {
    whole time_ps = 0, wait_ps = 0;
    for (size_t i = 0; i < place_count(&replay->calls); i++) {
        struct place call = place_item(&replay->calls, i);
        place_named(&call, "name");
        whole count = place_whole(&call, "count");
        time_ps += place_whole(&call, "time_ps");
        wait_ps += place_whole(&call, "wait_ps");
        place_at_most(&call, "wait_ps", place_whole(&call, "time_ps"), "its time");
        if (count == 0) place_equals(&call, "time_ps", 0, "the time of no call");
    }
    place_that(&replay->calls, time_ps == replay->sums.mpi_ps,
               "%s ps in all, but the ranks were in MPI for %s", whole_text(time_ps),
               whole_text(replay->sums.mpi_ps));
    place_that(&replay->calls, wait_ps == replay->sums.wait_ps,
               "%s ps of waiting in all, but the ranks waited for %s", whole_text(wait_ps),
               whole_text(replay->sums.wait_ps));
}

static void check_region(const struct replay *replay, const struct place *region) {
    whole ranks = place_whole(region, "ranks"), max_ps = place_whole(region, "most_ps");
    whole rank = place_whole(region, "most_rank"), first, count;
    place_text(region, "name");
    whole number = place_whole(region, "job");
    if (!place_that(region, number < (whole)replay->job_count, "no such job")) return;
    struct place job = place_item(&replay->jobs, (size_t)number);
    first = place_whole(&job, "first_rank");
    count = place_whole(&job, "ranks");
    place_that(region, ranks > 0 && ranks <= count, "of %s ranks", whole_text(ranks));
    place_at_least(region, "count", ranks, "once for each of its ranks");
    place_at_most(region, "mpi_ps", place_whole(region, "time_ps"), "its time");
    place_at_least(region, "time_ps", max_ps, "that of one rank");
    place_at_most(region, "time_ps", whole_times(max_ps, ranks), "most_ps on all of its ranks");
    if (!place_that(region, rank >= first && rank < first + count, "rank %s is not of its job",
                    whole_text(rank)) ||
        rank >= (whole)replay->rank_count)
        return;
    struct place longest = place_item(&replay->ranks, (size_t)rank);
    place_at_least(&longest, "time_ps", max_ps, "its time in a region");
}

static void check_regions(const struct replay *replay) {
    struct place regions = place_key(replay->result, "regions");
    for (size_t i = 0; i < place_count(&regions); i++) {
        struct place region = place_item(&regions, i);
        check_region(replay, &region);
    }
}

/* ---------------------------------------------------------------------------- messages */

static bool has_windows(const struct replay *replay) {
    for (size_t i = 0; i < place_count(&replay->calls); i++) {
        struct place call = place_item(&replay->calls, i);
        if (strncmp(place_text(&call, "name"), "MPI_Win", 7) == 0) return true;
    }
    return false;
}

/* Returns the messages of requests to I/O nodes and of their answers. */
static whole check_io_nodes(const struct replay *replay) {
    if (!place_knows(replay->result, "io_nodes")) return 0;
    struct place nodes = place_key(replay->result, "io_nodes");
    whole requests = 0, bytes = 0;
    for (size_t i = 0; i < place_count(&nodes); i++) {
        struct place node = place_item(&nodes, i);
        whole own = place_whole(&node, "requests"), busy = place_whole(&node, "busy_ps");
        place_that(&node, place_whole(&node, "node") < replay->machine.nodes, "no such node");
        place_at_least(&node, "free_ps", busy, "the time that it was busy");
        place_at_most(&node, "waited_ps", whole_times(own, place_whole(&node, "free_ps")),
                      "all requests waiting until its end");
        requests += own;
        bytes += place_whole(&node, "read_bytes") + place_whole(&node, "written_bytes");
    }
    place_that(&nodes, replay->packets.bytes >= bytes || replay->packets.memory_messages > 0,
               "%s bytes crossed the network, which is too few for these",
               whole_text(replay->packets.bytes));
    return 2 * requests;
}

/* An eager message is one in the network; a rendezvous has a request and an answer besides, and
 * with get a note at its end; one of a collective is one of them. */
static void check_messages(const struct replay *replay) {
    struct place messages = place_key(replay->result, "messages");
    struct place trace = place_key(replay->result, "trace");
    const struct check_packets *packets = &replay->packets;
    whole eager = place_whole(&messages, "eager"), large = place_whole(&messages, "rendezvous");
    whole collective = place_whole(&messages, "collective");
    whole remote = place_whole(&messages, "one_sided"), others = 0;
    whole all = packets->messages + packets->memory_messages;
    place_whole(&messages, "eager_threshold_bytes");
    place_equals(&trace, "messages", eager + large, "eager and rendezvous messages");
    place_equals(&trace, "messages", replay->sums.messages, "what the ranks sent");
    place_equals(&trace, "message_bytes", replay->sums.bytes, "what the ranks sent");
    if (place_knows(replay->result, "background")) {
        struct place background = place_key(replay->result, "background");
        others = place_whole(&background, "messages");
    }
    const whole requests = check_io_nodes(replay);
    others += requests;
    place_that(&messages, all >= eager + 3 * large + collective + 2 * remote + requests,
               "%s messages crossed the network or a node, which is too few for these",
               whole_text(all));
    if (!has_windows(replay))
        place_that(&messages, all <= eager + 4 * (large + collective) + 2 * remote + others,
                   "%s messages crossed the network or a node, which is too many for these",
                   whole_text(all));
    if (packets->memory_messages == 0)
        place_that(&messages, packets->bytes >= replay->sums.bytes,
                   "%s bytes crossed the network, but the ranks sent %s",
                   whole_text(packets->bytes), whole_text(replay->sums.bytes));
}

static void check_background(const struct replay *replay) {
    if (!place_knows(replay->result, "background")) return;
    struct place background = place_key(replay->result, "background");
    place_named(&background, "pattern");
    place_share(&background, "load");
    place_whole(&background, "refused");
    place_at_most(&background, "nodes", replay->machine.nodes, "all nodes");
    place_at_most(&background, "messages",
                  replay->packets.messages + replay->packets.memory_messages,
                  "what crossed the network");
    place_at_most(&background, "bytes", replay->packets.bytes, "what crossed the network");
}

/* ---------------------------------------------------------------------------- tables */

static void check_tables(const struct replay *replay, const char *folder) {
    struct place regions = place_key(replay->result, "regions");
    csv_rows(&replay->ranks, folder, "ranks.csv");
    csv_rows(&replay->calls, folder, "calls.csv");
    csv_rows(&replay->jobs, folder, "jobs.csv");
    csv_rows(&regions, folder, "regions.csv");
    check_link_tables(replay->result, folder, &replay->machine, &replay->packets);
}

/* ---------------------------------------------------------------------------- all */

/* A run that did not finish has a report and no figures. */
static void check_incomplete(const struct place *result) {
    static const char *const figures[] = {"digest", "time_ps", "ranks",   "jobs",
                                          "calls",  "regions", "network", "busiest_links"};
    place_named(result, "failure");
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        place_that(result, !place_has(result, figures[i]), "%s of a run that did not finish",
                   figures[i]);
}

/* Of explained results: what a setting changes, as parts of the predicted time and by percent. */
static void check_sensitivity(const struct place *result) {
    if (!place_has(result, "sensitivity")) return;
    struct place settings = place_key(result, "sensitivity");
    whole time = place_whole(result, "time_ps");
    for (size_t i = 0; i < place_count(&settings); i++) {
        struct place setting = place_item(&settings, i);
        whole effect = place_signed(&setting, "effect_ps");
        place_is_ratio(&setting, "elasticity", effect, time, "effect_ps / time_ps");
        if (strcmp(place_text(&setting, "unit"), "percent") == 0)
            place_is_ratio(&setting, "derivative", effect, 100, "a hundredth of effect_ps");
    }
}

void check_replay(const struct place *result, const char *folder) {
    struct replay replay = {.result = result};
    check_machine_of(result, &replay.machine);
    check_trace_head(result);
    check_notes(result);
    check_mpi_of_machine(result);
    place_named(result, "routing");
    place_named(result, "misrouting");
    place_named(result, "placement");
    if (!place_flag(result, "completed")) {
        check_incomplete(result);
        return;
    }
    place_hash(result, "digest");
    place_that(result, !place_has(result, "failure"), "a failure of a run that finished");
    struct place trace = place_key(result, "trace");
    replay.ranks = place_key(result, "ranks");
    replay.jobs = place_key(result, "jobs");
    replay.calls = place_key(result, "calls");
    replay.rank_count = place_count(&replay.ranks);
    replay.job_count = place_count(&replay.jobs);
    place_equals(&trace, "ranks", (whole)replay.rank_count, "the number of ranks");
    check_network(result, &replay.packets);
    check_busiest_links(result, &replay.machine, &replay.packets);
    check_divided_load(result, &replay.machine, &replay.packets, folder);
    for (size_t i = 0; i < replay.rank_count; i++) {
        struct place rank = place_item(&replay.ranks, i);
        check_rank(&replay, &rank, i);
    }
    check_span(&replay);
    check_nodes(&replay);
    check_jobs(&replay);
    check_calls(&replay);
    check_regions(&replay);
    check_messages(&replay);
    check_background(&replay);
    check_sensitivity(result);
    check_history(result, folder);
    check_matrix(result, folder, &replay.packets);
    if (folder != NULL) check_tables(&replay, folder);
}
