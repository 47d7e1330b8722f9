/*
 * The rules of the verdict. Each rule is a row of a table: `bounds` says what the run is made of,
 * and `advices` what to change. See verdict.h.
 *
 * Invariant: shares are compared as integers, so a verdict is the same on every computer.
 */
#include "api/report/verdict.h"

#include "api/report/link_report.h"
#include "api/report/report_layout.h"
#include "api/report/verdict_path.h"
#include "core/units.h"
#include "network/network_choices.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    UNEVEN_PERCENT = 110,    /* the most computation of a rank, in percent of the mean */
    EAGER_PERCENT = 2,       /* waits for late receivers that make a larger threshold worthwhile */
    CONTENTION_PERCENT = 5,  /* queueing that makes another routing or placement worthwhile */
    LARGEST_EAGER = 1 << 20, /* the largest eager threshold that is recommended */
    NAMED_LINKS = 2
};

/* What the rules read. Sums are over all ranks. */
struct figures {
    const anax_result *result;
    const struct replay_result *replay;
    wide time, compute, host, late_sender, late_receiver, transit, queueing, collectives;
    int64_t most_compute_ps; /* of a rank */
    uint32_t most_compute_rank;
    int64_t least_ps; /* the latest end of a rank that waits for nothing */
    uint32_t least_rank;
    struct link_report_busiest busiest;
    int64_t next_threshold_bytes; /* power of two that all messages fit; 0: no use or too large */
};

static int64_t start_of(const anax_result *result, uint32_t rank) {
    size_t job = 0;
    while (job + 1 < result->job_count && rank >= result->jobs[job + 1].first_rank)
        job++;
    return result->job_count > 0 ? result->jobs[job].start_ps : 0;
}

/* Returns the power of two that the largest message of the program fits into; 0 if the threshold of
 * the replay holds it already, or if it is above LARGEST_EAGER. */
static int64_t next_threshold(const struct figures *figures) {
    struct program_totals totals;
    program_totals_of(figures->result->trace->program, &totals);
    unsigned largest = 64;
    while (largest > 0 && totals.size_histogram[largest - 1] == 0)
        largest--;
    if (largest == 0 || largest > 21) return 0;
    const int64_t bytes = INT64_C(1) << (largest - 1);
    return bytes > figures->replay->eager_threshold_bytes && bytes <= LARGEST_EAGER ? bytes : 0;
}

static void read_figures(struct figures *figures, const anax_result *result) {
    const struct replay_result *replay = result->replay;
    *figures = (struct figures){.result = result, .replay = replay};
    for (uint32_t i = 0; i < replay->rank_count; i++) {
        const struct replay_rank_result *rank = &replay->ranks[i];
        const int64_t host_ps =
            rank->send_overhead_ps + rank->receive_overhead_ps + rank->reduction_ps;
        const int64_t end_ps = start_of(result, i) + rank->compute_ps + host_ps;
        figures->time += (uint64_t)rank->time_ps;
        figures->compute += (uint64_t)rank->compute_ps;
        figures->host += (uint64_t)host_ps;
        figures->late_sender += (uint64_t)rank->wait_late_sender_ps;
        figures->late_receiver += (uint64_t)rank->wait_late_receiver_ps;
        figures->transit += (uint64_t)rank->wait_transit_ps;
        figures->queueing += (uint64_t)rank->wait_queueing_ps;
        figures->collectives += (uint64_t)rank->collective_ps;
        if (rank->compute_ps > figures->most_compute_ps) {
            figures->most_compute_ps = rank->compute_ps;
            figures->most_compute_rank = i;
        }
        if (end_ps > figures->least_ps) {
            figures->least_ps = end_ps;
            figures->least_rank = i;
        }
    }
    link_report_busiest(result->network, &figures->busiest);
    if (replay->rendezvous_messages > 0) figures->next_threshold_bytes = next_threshold(figures);
}

static bool is_share(const struct figures *figures, wide part, unsigned percent) {
    return part > 0 && part * 100 >= figures->time * percent;
}

/* ---- parts of sentences ---- */

static double percent(const struct figures *figures, wide part) {
    return report_percent(part, figures->time);
}

/* Adds which rank computes most, if the computation is uneven. */
static void add_imbalance(struct text_buffer *text, const struct figures *figures,
                          const char *before) {
    const wide most = (wide)(uint64_t)figures->most_compute_ps * figures->replay->rank_count;
    if (figures->compute == 0 || most * 100 < figures->compute * UNEVEN_PERCENT) return;
    text_add(text, "%srank %" PRIu32 " computes %.2f times as long as the mean", before,
             figures->most_compute_rank, (double)most / (double)figures->compute);
}

static void add_links(struct text_buffer *text, const struct figures *figures) {
    const int64_t time_ps = figures->replay->time_ps;
    for (size_t i = 0; i < figures->busiest.count && i < NAMED_LINKS; i++) {
        const struct network_link *link = &figures->busiest.links[i];
        char from[32], to[32];
        link_report_source(link, from, sizeof from);
        link_report_destination(link, to, sizeof to);
        text_add(text, "%s%s %s -> %s (busy %.1f %%, stalled %.1f %% of the run)",
                 i == 0 ? "; the busiest links are " : " and ", link_report_kind(link), from, to,
                 report_percent((uint64_t)link->busy_ps, (uint64_t)time_ps),
                 report_percent((uint64_t)link->figures.stalled_ps, (uint64_t)time_ps));
    }
}

/* ---- what bounds the run ---- */

static wide computation_part(const struct figures *figures) {
    return figures->compute;
}
static void add_computation(struct text_buffer *text, const struct figures *figures) {
    text_add(text, "Computation bounds the run: it is %.1f %% of all ranks' time",
             percent(figures, figures->compute));
    add_imbalance(text, figures, "; ");
}

/* Waits of senders for the answer of a receiver are a matter of the protocol only if messages were
 * sent by rendezvous; one-sided operations have late partners, too. */
static bool is_protocol(const struct figures *figures) {
    return figures->replay->rendezvous_messages > 0 &&
           figures->late_receiver > figures->late_sender;
}

static wide partner_part(const struct figures *figures) {
    return is_protocol(figures) ? figures->late_sender
                                : figures->late_sender + figures->late_receiver;
}
static void add_partners(struct text_buffer *text, const struct figures *figures) {
    text_add(text,
             "Late partners bound the run: %.1f %% of all ranks' time is waiting until a sender is "
             "ready, and %.1f %% until a receiver is",
             percent(figures, figures->late_sender), percent(figures, figures->late_receiver));
    add_imbalance(text, figures, "; ");
}

static wide protocol_part(const struct figures *figures) {
    return is_protocol(figures) ? figures->late_receiver : 0;
}
static void add_protocol(struct text_buffer *text, const struct figures *figures) {
    char threshold[UNITS_TEXT_BYTES];
    units_size_text(figures->replay->eager_threshold_bytes, threshold, sizeof threshold);
    text_add(text,
             "The rendezvous protocol bounds the run: %.1f %% of all ranks' time is waiting of "
             "senders until a receiver is ready, in %" PRIu64
             " messages above the eager threshold of %s",
             percent(figures, figures->late_receiver), figures->replay->rendezvous_messages,
             threshold);
    add_imbalance(text, figures, "; ");
}

static wide distance_part(const struct figures *figures) {
    return figures->transit;
}
static void add_distance(struct text_buffer *text, const struct figures *figures) {
    const struct network_totals *totals = &figures->result->totals;
    text_add(text,
             "Distance bounds the run: %.1f %% of all ranks' time is waiting for messages as on an "
             "idle network",
             percent(figures, figures->transit));
    if (totals->packets > 0)
        text_add(text, "; a packet passes %.2f routers on average",
                 (double)totals->packet_hops / (double)totals->packets);
}

static wide contention_part(const struct figures *figures) {
    return figures->queueing;
}
static void add_contention(struct text_buffer *text, const struct figures *figures) {
    text_add(text,
             "Contention bounds the run: %.1f %% of all ranks' time is waiting behind other "
             "messages",
             percent(figures, figures->queueing));
    add_links(text, figures);
}

static wide collectives_part(const struct figures *figures) {
    return figures->collectives;
}
static void add_collectives(struct text_buffer *text, const struct figures *figures) {
    text_add(text, "Collectives bound the run: %.1f %% of all ranks' time is waiting in them",
             percent(figures, figures->collectives));
    add_imbalance(text, figures, "; ");
    add_links(text, figures);
}

static wide host_part(const struct figures *figures) {
    return figures->host;
}
static void add_host(struct text_buffer *text, const struct figures *figures) {
    text_add(text,
             "The processors' work for messages bounds the run: %.1f %% of all ranks' time is send "
             "and receive overhead and reductions",
             percent(figures, figures->host));
}

/* The rule with the largest part of all ranks' time speaks; of equal parts the first one. */
static const struct {
    const char *name;
    wide (*part)(const struct figures *figures);
    void (*add)(struct text_buffer *text, const struct figures *figures);
} bounds[] = {
    {"computation", computation_part, add_computation},
    {"late-partners", partner_part, add_partners},
    {"protocol", protocol_part, add_protocol},
    {"distance", distance_part, add_distance},
    {"contention", contention_part, add_contention},
    {"collectives", collectives_part, add_collectives},
    {"host", host_part, add_host},
};

/* ---- what bounds a run that is explained ---- */

static bool is_explained(const struct figures *figures) {
    return figures->replay->path_count > 0;
}

/* Adds where the longest part of a share is. */
static void add_longest(struct text_buffer *text, const struct verdict_share *share) {
    const struct replay_path_part *longest = share->longest;
    if (longest->name == NULL || longest->time_ps >= share->time_ps) return;
    if (strcmp(share->rule, "contention") == 0 && strcmp(longest->name, "nic") == 0)
        text_add(text, ", most of it in network interfaces");
    else if (strcmp(share->rule, "contention") == 0)
        text_add(text, ", most of it at %s channels", longest->name);
    else if (strcmp(share->rule, "distance") == 0)
        text_add(text, ", most of it %s on %s channels", longest->kind, longest->name);
    else
        text_add(text, ", most of it in %s", longest->name);
}

static const char *add_path_bound(struct text_buffer *text, const struct figures *figures) {
    struct verdict_share share;
    const struct replay_critical_path *path = &figures->replay->paths[0];
    verdict_path_share(&share, path);
    if (share.time_ps <= 0) return NULL;
    text_add(text, "%s %.1f %% of the critical path", share.what,
             report_percent((uint64_t)share.time_ps, (uint64_t)path->time_ps));
    add_longest(text, &share);
    if (strcmp(share.rule, "computation") == 0) add_imbalance(text, figures, "; ");
    if (strcmp(share.rule, "contention") == 0) add_links(text, figures);
    return share.rule;
}

/* Says what the times of ideal machines leave to gain. Returns whether they leave anything. */
static bool add_path_limit(struct text_buffer *text, const struct figures *figures) {
    const struct ideal_times *ideal = &figures->result->ideal;
    const struct {
        const char *condition, *who;
        int64_t time_ps;
    } limits[] = {
        {"without contention", ": all that routing can gain", ideal->distance_ps},
        {"with a network that takes no time", ": all that placement and network can gain",
         ideal->hosts_ps},
        {"with an MPI that takes none either", "", ideal->ideal_ps},
    };
    bool any = false;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        const int64_t time_ps = limits[i].time_ps;
        char time[32];
        if (time_ps <= 0 || time_ps >= figures->replay->time_ps) continue;
        units_time_human(time_ps, time, sizeof time);
        text_add(text, "%s%s %s (%.2f times faster%s)", any ? ", " : "The run would take ", time,
                 limits[i].condition, (double)figures->replay->time_ps / (double)time_ps,
                 limits[i].who);
        any = true;
    }
    return any;
}

/* ---- what to change ---- */

static bool advise_threshold(const struct figures *figures, char *value, size_t size) {
    if (figures->next_threshold_bytes == 0 ||
        !is_share(figures, figures->late_receiver, EAGER_PERCENT))
        return false;
    units_size_text(figures->next_threshold_bytes, value, size);
    return true;
}

/* Returns whether messages wait for each other at a link between routers, which routing and
 * placement choose; at the NIC of a node neither helps. */
static bool is_contended(const struct figures *figures) {
    if (figures->busiest.count == 0 || figures->busiest.links[0].channel_kind == NETWORK_TERMINAL)
        return false;
    const int64_t time_ps = figures->replay->time_ps;
    if (is_explained(figures))
        return time_ps - figures->result->ideal.distance_ps > time_ps / 100 * CONTENTION_PERCENT;
    return is_share(figures, figures->queueing, CONTENTION_PERCENT);
}

/* Policies that take no turn by a third group cannot avoid a link that is full. */
static bool advise_routing(const struct figures *figures, char *value, size_t size) {
    const struct network_config *network = &figures->result->config->network;
    if (!is_contended(figures) || strcmp(network_routing_names()[network->routing], "minimal") != 0)
        return false;
    snprintf(value, size, "ugal-l");
    return true;
}

/* Ranks side by side share few links; scattered ones share the machine. */
static bool advise_placement(const struct figures *figures, char *value, size_t size) {
    const anax_result *result = figures->result;
    if (!is_contended(figures) || result->job_count != 1 ||
        strcmp(placement_policy_names()[result->jobs[0].policy], "block") != 0)
        return false;
    snprintf(value, size, "random");
    return true;
}

/* The first rule that applies speaks. */
static const struct {
    const char *name, *setting;
    bool (*value)(const struct figures *figures, char *value, size_t size);
} advices[] = {
    {"eager-threshold", "mpi.eager_threshold", advise_threshold},
    {"routing", "network.routing", advise_routing},
    {"placement", "placement.policy", advise_placement},
};

static const char *find_advice(struct verdict_advice *advice, const struct figures *figures) {
    *advice = (struct verdict_advice){0};
    for (size_t i = 0; i < sizeof advices / sizeof *advices; i++) {
        if (!advices[i].value(figures, advice->value, sizeof advice->value)) continue;
        advice->setting = advices[i].setting;
        return advices[i].name;
    }
    return NULL;
}

void verdict_advice_of(struct verdict_advice *advice, const anax_result *result) {
    struct figures figures;
    read_figures(&figures, result);
    find_advice(advice, &figures);
}

/* ---- sentences ---- */

static void take_sentence(struct verdict *verdict, const char *rule, struct text_buffer *text) {
    char *words = text_take(text);
    struct verdict_sentence *sentence = &verdict->sentences[verdict->count++];
    sentence->rule = rule;
    snprintf(sentence->text, sizeof sentence->text, "%s.", words != NULL ? words : "out of memory");
    free(words);
}

static void add_bound(struct verdict *verdict, const struct figures *figures) {
    struct text_buffer text = TEXT_BUFFER_INIT;
    size_t largest = 0;
    const char *rule = is_explained(figures) ? add_path_bound(&text, figures) : NULL;
    if (rule != NULL) {
        take_sentence(verdict, rule, &text);
        return;
    }
    for (size_t i = 1; i < sizeof bounds / sizeof *bounds; i++)
        if (bounds[i].part(figures) > bounds[largest].part(figures)) largest = i;
    bounds[largest].add(&text, figures);
    take_sentence(verdict, bounds[largest].name, &text);
}

static void add_limit(struct verdict *verdict, const struct figures *figures) {
    struct text_buffer text = TEXT_BUFFER_INIT;
    char least[32];
    if (is_explained(figures) && add_path_limit(&text, figures)) {
        take_sentence(verdict, "limit", &text);
        return;
    }
    if (figures->least_ps <= 0) return;
    units_time_human(figures->least_ps, least, sizeof least);
    text_add(&text,
             "If nobody waited, the run would take %s, for the computation and overheads of rank "
             "%" PRIu32 ": placement, routing and network can make it at most %.2f times faster",
             least, figures->least_rank,
             (double)figures->replay->time_ps / (double)figures->least_ps);
    take_sentence(verdict, "limit", &text);
}

/* Adds the most that a change against contention can gain. */
static void add_expected(struct text_buffer *text, const struct figures *figures,
                         const char *rule) {
    const int64_t time_ps = figures->replay->time_ps;
    const int64_t gain_ps = time_ps - figures->result->ideal.distance_ps;
    if (!is_explained(figures) || strcmp(rule, "eager-threshold") == 0 || gain_ps <= 0) return;
    text_add(text, "; it can gain %.1f %% if it avoids all contention",
             report_percent((uint64_t)gain_ps, (uint64_t)time_ps));
}

static void add_advice(struct verdict *verdict, const struct figures *figures) {
    struct text_buffer text = TEXT_BUFFER_INIT;
    struct verdict_advice advice;
    const char *rule = find_advice(&advice, figures);
    if (rule == NULL) return;
    const int64_t before_ps = figures->replay->time_ps, after_ps = figures->result->advised_ps;
    if (after_ps < 0) {
        text_add(&text, "Try %s=%s (--advise replays with it and states the gain)", advice.setting,
                 advice.value);
        add_expected(&text, figures, rule);
    } else if (after_ps < before_ps) {
        char time[32];
        units_time_human(after_ps, time, sizeof time);
        text_add(&text, "With %s=%s the run takes %s, %.2f %% less", advice.setting, advice.value,
                 time, report_percent((uint64_t)(before_ps - after_ps), (uint64_t)before_ps));
    } else {
        text_add(&text, "%s=%s would not help: the run takes %.2f %% longer with it",
                 advice.setting, advice.value,
                 report_percent((uint64_t)(after_ps - before_ps), (uint64_t)before_ps));
    }
    take_sentence(verdict, rule, &text);
}

void verdict_of(struct verdict *verdict, const anax_result *result) {
    struct figures figures;
    verdict->count = 0;
    if (!result->completed || result->replay->rank_count == 0) return;
    read_figures(&figures, result);
    if (figures.time == 0) return;
    add_bound(verdict, &figures);
    add_limit(verdict, &figures);
    add_advice(verdict, &figures);
}
