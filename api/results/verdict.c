/*
 * The rules of the verdict. Each rule is a row of a table: `bounds` says what the run is made of,
 * and `advices` what to change.
 *
 * Invariant: shares are compared as integers, so a verdict is the same on every computer.
 */
#include "api/results/verdict.h"
#include "api/results/percent.h"

#include "api/results/link_numbers.h"
#include "api/results/verdict_numbers.h"
#include "api/results/verdict_path.h"
#include "core/settings/units.h"
#include "network/network_choices.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    UNEVEN_PERCENT = 110,   /* the most computation of a rank, in percent of its job's mean */
    EAGER_PERCENT = 2,      /* waits for late receivers that make a larger threshold worthwhile */
    CONTENTION_PERCENT = 5, /* queueing that makes another routing or placement worthwhile */
    BUSY_PERCENT = 10,      /* share of the run in which the busiest link must be busy for that */
    NOTHING_PERCENT = 1,    /* gains below this share get no number */
    NAMED_LINKS = 2
};

static bool is_share(const struct verdict_numbers *numbers, wide part, unsigned percent) {
    return part > 0 && part * 100 >= numbers->time_sum_ps * percent;
}

/* ---- parts of sentences ---- */

static double percent(const struct verdict_numbers *numbers, wide part) {
    return percent_of(part, numbers->time_sum_ps);
}

/* Adds which rank computes most, if the computation is uneven. */
static void add_imbalance(struct text_buffer *text, const struct verdict_numbers *numbers) {
    if (numbers->imbalance * 100 < (wide)UNEVEN_PERCENT * 1000000) return;
    text_add(text, "; rank %" PRIu32 " computes %.2f times as long as the mean%s",
             numbers->max_compute_rank, (double)numbers->imbalance / 1e6,
             numbers->result->job_count > 1 ? " of its job" : "");
}

static void add_links(struct text_buffer *text, const struct verdict_numbers *numbers) {
    const int64_t span_ps =
        link_numbers_span_ps(numbers->result->run.network, numbers->replay->time_ps);
    for (size_t i = 0; i < numbers->busiest.count && i < NAMED_LINKS; i++) {
        const struct network_link *link = &numbers->busiest.links[i];
        char from[32], to[32];
        link_numbers_source(link, from, sizeof from);
        link_numbers_destination(link, to, sizeof to);
        text_add(text, "%s%s %s -> %s (busy %.1f %%, stalled %.1f %% of %s)",
                 i == 0 ? "; the busiest links are " : " and ", link_numbers_kind(link), from, to,
                 percent_of((uint64_t)link->busy_ps, (uint64_t)span_ps),
                 percent_of((uint64_t)link->numbers.stalled_ps, (uint64_t)span_ps),
                 link_numbers_span_name(span_ps, numbers->replay->time_ps));
    }
}

/* ---- what bounds the run ---- */

static wide computation_part(const struct verdict_numbers *numbers) {
    return numbers->compute_sum_ps;
}
static void add_computation(struct text_buffer *text, const struct verdict_numbers *numbers) {
    text_add(text, "Computation bounds the run: it is %.1f %% of all ranks' time",
             percent(numbers, numbers->compute_sum_ps));
    add_imbalance(text, numbers);
}

/* Waits of senders for the answer of a receiver are a matter of the protocol only if messages were
 * sent by rendezvous; one-sided operations have late partners, too. */
static bool is_protocol(const struct verdict_numbers *numbers) {
    return numbers->replay->rendezvous_messages > 0 &&
           numbers->late_receiver_sum_ps > numbers->late_sender_sum_ps;
}

static wide partner_part(const struct verdict_numbers *numbers) {
    const wide late = numbers->late_sender_sum_ps + numbers->late_collective_sum_ps;
    return is_protocol(numbers) ? late : late + numbers->late_receiver_sum_ps;
}
static void add_partners(struct text_buffer *text, const struct verdict_numbers *numbers) {
    const struct {
        wide part;
        const char *whom;
    } waits[] = {
        {numbers->late_sender_sum_ps, "until a sender is ready"},
        {is_protocol(numbers) ? 0 : numbers->late_receiver_sum_ps, "until a receiver is ready"},
        {numbers->late_collective_sum_ps, "for partners in collectives"}};
    bool any = false;
    text_add(text, "Late partners bound the run: %.1f %% of all ranks' time is waiting for them",
             percent(numbers, partner_part(numbers)));
    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++) {
        if (waits[i].part * 1000 < numbers->time_sum_ps) continue; /* 0.1 % */
        text_add(text, "%s%.1f %% %s", any ? ", " : ": ", percent(numbers, waits[i].part),
                 waits[i].whom);
        any = true;
    }
    add_imbalance(text, numbers);
}

static wide protocol_part(const struct verdict_numbers *numbers) {
    return is_protocol(numbers) ? numbers->late_receiver_sum_ps : 0;
}
static void add_protocol(struct text_buffer *text, const struct verdict_numbers *numbers) {
    char threshold[UNITS_TEXT_BYTES];
    units_size_text(numbers->replay->eager_threshold_bytes, threshold, sizeof threshold);
    text_add(text,
             "The rendezvous protocol bounds the run: %.1f %% of all ranks' time is waiting of "
             "senders until a receiver is ready, in %" PRIu64
             " messages above the eager threshold of %s",
             percent(numbers, numbers->late_receiver_sum_ps), numbers->replay->rendezvous_messages,
             threshold);
    add_imbalance(text, numbers);
}

static wide distance_part(const struct verdict_numbers *numbers) {
    return numbers->transit_sum_ps;
}
static void add_distance(struct text_buffer *text, const struct verdict_numbers *numbers) {
    const struct network_totals *totals = &numbers->result->run.totals;
    text_add(text,
             "Distance and bandwidth bound the run: %.1f %% of all ranks' time is waiting for "
             "messages, as long "
             "as on an idle network",
             percent(numbers, numbers->transit_sum_ps));
    if (totals->packets > 0)
        text_add(text, "; a packet passes %.2f routers on average",
                 (double)totals->packet_hops / (double)totals->packets);
}

static wide contention_part(const struct verdict_numbers *numbers) {
    return numbers->queueing_sum_ps;
}
static void add_contention(struct text_buffer *text, const struct verdict_numbers *numbers) {
    text_add(text,
             "Contention bounds the run: %.1f %% of all ranks' time is waiting behind other "
             "messages",
             percent(numbers, numbers->queueing_sum_ps));
    add_links(text, numbers);
}

static wide host_part(const struct verdict_numbers *numbers) {
    return numbers->host_sum_ps;
}
static void add_host(struct text_buffer *text, const struct verdict_numbers *numbers) {
    text_add(text,
             "The processors' work for messages bounds the run: %.1f %% of all ranks' time is send "
             "and receive overhead and reductions",
             percent(numbers, numbers->host_sum_ps));
}

static wide storage_part(const struct verdict_numbers *numbers) {
    return numbers->storage_sum_ps;
}
static void add_storage(struct text_buffer *text, const struct verdict_numbers *numbers) {
    text_add(text, "Storage bounds the run: %.1f %% of all ranks' time is waiting for I/O nodes",
             percent(numbers, numbers->storage_sum_ps));
}

/* What can bound a run. The verdict names the rule with the largest part of all ranks' time; of
 * equal parts the first one in this list. */
static const struct {
    const char *name;
    const char *title;
    wide (*part)(const struct verdict_numbers *numbers);
    void (*add)(struct text_buffer *text, const struct verdict_numbers *numbers);
} bounds[] = {
    {"computation", "computation", computation_part, add_computation},
    {"late-partners", "late partners", partner_part, add_partners},
    {"protocol", "the rendezvous protocol", protocol_part, add_protocol},
    {"distance", "distance and bandwidth", distance_part, add_distance},
    {"contention", "contention", contention_part, add_contention},
    {"host", "the processors' work for messages", host_part, add_host},
    {"storage", "storage", storage_part, add_storage},
};
#define BOUNDS (sizeof bounds / sizeof *bounds)

/* Returns the rule with the largest part except rule `but`; BOUNDS: no exception. */
static size_t largest_bound(const struct verdict_numbers *numbers, size_t but) {
    size_t largest = but == 0 ? 1 : 0;
    for (size_t i = largest + 1; i < BOUNDS; i++)
        if (i != but && bounds[i].part(numbers) > bounds[largest].part(numbers)) largest = i;
    return largest;
}

/* Adds the second largest part, if it is half as large as the largest one or more. */
static void add_second(struct text_buffer *text, const struct verdict_numbers *numbers,
                       size_t largest) {
    const size_t second = largest_bound(numbers, largest);
    const wide part = bounds[second].part(numbers);
    if (part * 2 < bounds[largest].part(numbers)) return;
    text_add(text, ". The next largest part is %s (%.1f %%)", bounds[second].title,
             percent(numbers, part));
}

/* ---- what bounds a run that is explained ---- */

static bool is_explained(const struct verdict_numbers *numbers) {
    return numbers->replay->path_count > 0;
}

static bool is_endpoint_bound(const struct verdict_numbers *numbers) {
    return numbers->endpoint.busy_ps > numbers->result->ideal.distance_ps;
}

/* Returns the least time that any routing can reach with these nodes, of an explained run: without
 * contention, but not below the time for which a channel of a node carries its messages. */
static int64_t routing_floor_ps(const struct verdict_numbers *numbers) {
    return is_endpoint_bound(numbers) ? numbers->endpoint.busy_ps
                                      : numbers->result->ideal.distance_ps;
}

static void add_endpoint(struct text_buffer *text, const struct verdict_numbers *numbers) {
    char from[32], to[32];
    link_numbers_source(&numbers->endpoint, from, sizeof from);
    link_numbers_destination(&numbers->endpoint, to, sizeof to);
    text_add(text, "%s %s -> %s", link_numbers_kind(&numbers->endpoint), from, to);
}

static const char *add_path_bound(struct text_buffer *text, const struct verdict_numbers *numbers) {
    struct verdict_share share;
    const struct replay_critical_path *path = &numbers->replay->paths[0];
    verdict_path_share(&share, path);
    if (share.time_ps <= 0) return NULL;
    text_add(text, "%s %.1f %% of the critical path", share.what,
             percent_of((uint64_t)share.time_ps, (uint64_t)path->time_ps));
    verdict_add_longest(text, &share);
    if (strcmp(share.rule, "computation") == 0) add_imbalance(text, numbers);
    if (strcmp(share.rule, "contention") == 0) add_links(text, numbers);
    return share.rule;
}

/* Returns whether a run that takes time_ps is not worth mentioning as a faster one. */
static bool is_nothing(const struct verdict_numbers *numbers, int64_t time_ps) {
    const int64_t run_ps = numbers->replay->time_ps;
    return run_ps - time_ps <= run_ps / 100 * NOTHING_PERCENT;
}

/* Says what the times of ideal machines leave to gain. Returns false if there are none. */
static bool add_path_limit(struct text_buffer *text, const struct verdict_numbers *numbers) {
    const struct ideal_times *ideal = &numbers->result->ideal;
    const struct {
        const char *condition, *who;
        int64_t time_ps;
    } limits[] = {
        {is_endpoint_bound(numbers) ? "if nothing but the busiest channel of a node limited it"
                                    : "without contention",
         !is_endpoint_bound(numbers) &&
                 verdict_path_can_spread(&numbers->result->run.config->network)
             ? " with one path for each message"
             : ": all that routing can gain",
         routing_floor_ps(numbers)},
        {"with a network that takes no time", ": all that placement and network can gain",
         ideal->hosts_ps},
        {"with a network and an MPI that take no time", "", ideal->ideal_ps},
    };
    bool any = false;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        const int64_t time_ps = limits[i].time_ps;
        char time[32];
        if (time_ps <= 0 || is_nothing(numbers, time_ps)) continue;
        units_time_human(time_ps, time, sizeof time);
        text_add(text, "%s%s %s (%.2f times faster%s)", any ? ", " : "The run would take ", time,
                 limits[i].condition, (double)numbers->replay->time_ps / (double)time_ps,
                 limits[i].who);
        any = true;
    }
    if (!any && ideal->hosts_ps > 0)
        text_add(text, "Placement, routing and network cannot make it %d %% faster",
                 NOTHING_PERCENT);
    return any || ideal->hosts_ps > 0;
}

/* ---- what to change ---- */

static bool advise_threshold(const struct verdict_numbers *numbers, char *value, size_t size) {
    if (numbers->next_threshold_bytes == 0 ||
        !is_share(numbers, numbers->late_receiver_sum_ps, EAGER_PERCENT))
        return false;
    units_size_text(numbers->next_threshold_bytes, value, size);
    return true;
}

/* Returns whether messages wait for each other at a link between routers, which routing and
 * placement choose; at the NIC of a node neither helps. */
static bool is_contended(const struct verdict_numbers *numbers) {
    if (numbers->busiest.count == 0 || numbers->busiest.links[0].channel_kind == NETWORK_TERMINAL)
        return false;
    const int64_t time_ps = numbers->replay->time_ps;
    if (numbers->busiest.links[0].busy_ps < time_ps / 100 * BUSY_PERCENT) return false;
    if (is_explained(numbers))
        return time_ps - routing_floor_ps(numbers) > time_ps / 100 * CONTENTION_PERCENT;
    return is_share(numbers, numbers->queueing_sum_ps, CONTENTION_PERCENT);
}

/* Recommends a policy with paths through a third group, since the others cannot avoid a full link.
 */
static bool advise_routing(const struct verdict_numbers *numbers, char *value, size_t size) {
    const struct network_config *network = &numbers->result->run.config->network;
    if (!is_contended(numbers) || strcmp(network_routing_names()[network->routing], "minimal") != 0)
        return false;
    snprintf(value, size, "ugal-l");
    return true;
}

/* Recommends scattered ranks instead of adjacent ones: adjacent ranks share few links, scattered
 * ranks use those of the whole machine. */
static bool advise_placement(const struct verdict_numbers *numbers, char *value, size_t size) {
    const anax_replay_result *result = numbers->result;
    if (!is_contended(numbers) || result->job_count != 1 ||
        strcmp(placement_policy_names()[result->jobs[0].policy], "block") != 0)
        return false;
    snprintf(value, size, "random");
    return true;
}

/* What can be recommended. The verdict names the first rule that applies, unless --advise finds
 * another one faster. */
static const struct {
    const char *name, *setting;
    bool (*value)(const struct verdict_numbers *numbers, char *value, size_t size);
} advices[] = {
    {"eager-threshold", "mpi.eager_threshold", advise_threshold},
    {"routing", "network.routing", advise_routing},
    {"placement", "placement.policy", advise_placement},
};

/* Returns the number of changes that the rules recommend, the first rule's first. */
static size_t find_advices(struct verdict_advice list[VERDICT_ADVICES],
                           const struct verdict_numbers *numbers) {
    static_assert(sizeof advices / sizeof *advices == VERDICT_ADVICES, "one for each rule");
    size_t count = 0;
    for (size_t i = 0; i < VERDICT_ADVICES; i++) {
        struct verdict_advice *advice = &list[count];
        if (!advices[i].value(numbers, advice->value, sizeof advice->value)) continue;
        advice->rule = advices[i].name;
        advice->setting = advices[i].setting;
        count++;
    }
    return count;
}

size_t verdict_find_advice(struct verdict_advice list[VERDICT_ADVICES],
                           const anax_replay_result *result) {
    struct verdict_numbers numbers;
    verdict_numbers_read(&numbers, result);
    return find_advices(list, &numbers);
}

/* ---- sentences ---- */

static void take_sentence(struct verdict *verdict, const char *rule, struct text_buffer *text) {
    char *words = text_take(text);
    struct verdict_sentence *sentence = &verdict->sentences[verdict->count++];
    sentence->rule = rule;
    snprintf(sentence->text, sizeof sentence->text, "%s.", words != NULL ? words : "out of memory");
    free(words);
}

static void add_bound(struct verdict *verdict, const struct verdict_numbers *numbers) {
    struct text_buffer text = TEXT_BUFFER_INIT;
    const char *rule = is_explained(numbers) ? add_path_bound(&text, numbers) : NULL;
    if (rule != NULL) {
        take_sentence(verdict, rule, &text);
        return;
    }
    const size_t largest = largest_bound(numbers, BOUNDS);
    bounds[largest].add(&text, numbers);
    add_second(&text, numbers, largest);
    take_sentence(verdict, bounds[largest].name, &text);
}

static void add_limit(struct verdict *verdict, const struct verdict_numbers *numbers) {
    struct text_buffer text = TEXT_BUFFER_INIT;
    char min[32];
    if (is_explained(numbers) && add_path_limit(&text, numbers)) {
        take_sentence(verdict, "limit", &text);
        return;
    }
    const bool is_storage = numbers->storage_ps > numbers->earliest_end_ps;
    const int64_t min_ps = is_storage ? numbers->storage_ps : numbers->earliest_end_ps;
    if (min_ps <= 0) return;
    const int64_t start_ps = is_storage ? 0 : numbers->earliest_end_start_ps;
    const int64_t time_ps = numbers->replay->time_ps;
    units_time_human(min_ps, min, sizeof min);
    text_add(&text, "If nobody waited%s, the run would take %s, for the ",
             is_storage ? " for messages" : "", min);
    if (start_ps > 0) {
        units_time_human(start_ps, min, sizeof min);
        text_add(&text, "start of a job at %s, and the ", min);
    }
    if (is_storage)
        text_add(&text, "reads and writes of an I/O node: ");
    else
        text_add(&text, "computation and overheads of rank %" PRIu32 ": ",
                 numbers->earliest_end_rank);
    if (is_nothing(numbers, min_ps))
        text_add(&text, "placement, routing and network cannot make it %d %% faster",
                 NOTHING_PERCENT);
    else
        text_add(&text, "placement, routing and network can make it at most %.2f times faster%s",
                 (double)time_ps / (double)min_ps,
                 is_explained(numbers) ? "" : " (--explain finds what each of them can gain)");
    const int64_t busy_ps = numbers->endpoint.busy_ps;
    if (busy_ps > min_ps && !is_nothing(numbers, busy_ps)) {
        text_add(&text, "; routing alone at most %.2f times, since ",
                 (double)time_ps / (double)busy_ps);
        add_endpoint(&text, numbers);
        units_time_human(busy_ps, min, sizeof min);
        text_add(&text, " is busy for %s", min);
    }
    take_sentence(verdict, "limit", &text);
}

/* Adds the most that a change against contention can gain. */
static void add_expected(struct text_buffer *text, const struct verdict_numbers *numbers,
                         const char *rule) {
    const int64_t time_ps = numbers->replay->time_ps;
    const int64_t floor_ps = routing_floor_ps(numbers), gain_ps = time_ps - floor_ps;
    if (!is_explained(numbers) || strcmp(rule, "eager-threshold") == 0 ||
        is_nothing(numbers, floor_ps))
        return;
    text_add(text, "; it can gain at most %.1f %%, if it avoids all contention%s",
             percent_of((uint64_t)gain_ps, (uint64_t)time_ps),
             is_endpoint_bound(numbers) ? " but that at the channels of nodes" : "");
}

/* Adds the changes with which a replay could not finish. Returns false if there are none. */
static bool add_failed(struct text_buffer *text, const anax_replay_result *result,
                       const struct verdict_advice *list, size_t count, const char *before) {
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        if ((result->not_advised >> i & 1) == 0) continue;
        text_add(text, "%s%s=%s", any ? " and " : before, list[i].setting, list[i].value);
        any = true;
    }
    if (any) text_add(text, " could not be replayed");
    return any;
}

static void add_advice(struct verdict *verdict, const struct verdict_numbers *numbers) {
    struct text_buffer text = TEXT_BUFFER_INIT;
    struct verdict_advice list[VERDICT_ADVICES];
    const size_t count = find_advices(list, numbers);
    if (count == 0) return;
    const anax_replay_result *result = numbers->result;
    const struct verdict_advice *advice = &list[result->advised < count ? result->advised : 0];
    const int64_t before_ps = numbers->replay->time_ps, after_ps = result->advised_ps;
    if (after_ps < 0 && add_failed(&text, result, list, count, "")) {
        take_sentence(verdict, advice->rule, &text);
        return;
    }
    if (after_ps < 0) {
        text_add(&text, "Try %s=%s (--advise replays with it and states the gain)", advice->setting,
                 advice->value);
        add_expected(&text, numbers, advice->rule);
    } else if (is_nothing(numbers, after_ps) && after_ps < before_ps) {
        text_add(&text, "%s=%s would hardly help: the run takes %.2f %% less with it",
                 advice->setting, advice->value,
                 percent_of((uint64_t)(before_ps - after_ps), (uint64_t)before_ps));
    } else if (after_ps < before_ps) {
        char time[32];
        units_time_human(after_ps, time, sizeof time);
        text_add(&text, "With %s=%s the run takes %s, %.2f %% less", advice->setting, advice->value,
                 time, percent_of((uint64_t)(before_ps - after_ps), (uint64_t)before_ps));
    } else {
        text_add(&text, "%s=%s would not help: the run takes %.2f %% longer with it",
                 advice->setting, advice->value,
                 percent_of((uint64_t)(after_ps - before_ps), (uint64_t)before_ps));
    }
    add_failed(&text, result, list, count, "; ");
    take_sentence(verdict, advice->rule, &text);
}

void verdict_find(struct verdict *verdict, const anax_replay_result *result) {
    struct verdict_numbers numbers;
    verdict->count = 0;
    if (!result->run.completed || result->replay->rank_count == 0) return;
    verdict_numbers_read(&numbers, result);
    if (numbers.time_sum_ps == 0) return;
    add_bound(verdict, &numbers);
    add_limit(verdict, &numbers);
    add_advice(verdict, &numbers);
}
