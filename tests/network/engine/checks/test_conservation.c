/*
 * Properties of whole runs over random machines, settings and loads: every run ends, nothing is
 * lost (the checks at the end of network_run), and results, down to the counts of every link, are
 * the same for any number of threads.
 */
#include "network/network_choices.h"
#include "tests/support/core/dice.h"
#include "tests/support/network/traffic_world.h"

#include "core/base/digest.h"
#include "core/simulation/random.h"
#include "network/arrangement/arrangement.h"
#include "network/routing/misrouting.h"
#include "network/routing/ring.h"
#include "network/routing/routing.h"

#include <stdbool.h>

/* Sanitizers make runs several times slower: they get fewer. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define RUNS 30
#else
#define RUNS 60
#endif
#define THREADS_MAX 4

/* Threads that outnumber the processors wait long for each other: one number of threads for a run,
 * all of them for every tenth. */
static bool runs_on(uint64_t run, unsigned threads) {
    return run % 10 == 0 || threads == 2 + run % 3;
}

/* ---------------------------------------------------------------- random settings */

/* Rows of the tables that the dice choose from: all but the arrangement from a file, which is last.
 */
enum { STREAM = 77, DRAWN_ARRANGEMENTS = 7, RAIL_CHOICES = 4, NIC_CHOICES = 6 };

static int64_t one_of(struct dice *dice, const int64_t *values, size_t count) {
    return values[dice_between(dice, 0, (int64_t)count - 1)];
}
#define ONE_OF(dice, ...)                                                                          \
    one_of(dice, (const int64_t[]){__VA_ARGS__},                                                   \
           sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t))

static void random_shape(struct dice *dice, struct network_config *config) {
    config->nodes_per_router = dice_between(dice, 1, 3);
    config->routers_per_group = dice_between(dice, 1, 4);
    config->globals_per_router = dice_between(dice, 0, 3);
    int64_t max = config->routers_per_group * config->globals_per_router + 1;
    if (dice_between(dice, 0, 3) == 0 && config->globals_per_router > 1) {
        config->globals_used = dice_between(dice, 1, config->globals_per_router);
        max = config->routers_per_group * config->globals_used + 1;
    }
    config->groups = dice_between(dice, 1, max < 9 ? max : 9);
    if (dice_between(dice, 0, 3) == 0) config->group_links = dice_between(dice, 1, 3);
    if (dice_between(dice, 0, 3) == 0 && config->routers_per_group == 4)
        config->group_dimensions = 2 | 2 << 16;
    else if (dice_between(dice, 0, 2) == 0)
        config->drawer_routers = dice_between(dice, 0, config->routers_per_group);
    if (config->group_dimensions != 0 || config->drawer_routers > 0) {
        config->more_locals[0].bandwidth_bytes_per_s = ONE_OF(dice, 0, 2000000000, 30000000000);
        config->more_locals[0].latency_ps = ONE_OF(dice, 0, 1, 30000);
    }
    if (config->groups * config->routers_per_group * config->nodes_per_router < 2)
        config->nodes_per_router = 2;
    do { /* any but those from files; circulant wants an even number of links */
        config->arrangement = (int32_t)dice_between(dice, 0, DRAWN_ARRANGEMENTS - 1);
    } while (arrangements()[config->arrangement].needs_even_globals &&
             network_config_arrangement(config).shape.globals_per_router % 2 == 1);
    config->arrangement_seed = dice_between(dice, 0, 1000);
    config->rails = ONE_OF(dice, 1, 1, 1, 2);
    config->rail_choice = (int32_t)dice_between(dice, 0, RAIL_CHOICES - 1);
}

/* Nodes of several NICs, if the shape allows those that the dice give. */
static void random_nics(const struct dice *dice, struct network_config *config) {
    struct network_config tried = *config;
    struct dice own = {dice->seed + UINT64_C(1000000), STREAM, 0}; /* leaves the other dice alone */
    tried.node_nics = dice_between(&own, 2, 4);
    tried.node_routers = ONE_OF(&own, 0, 1, 2);
    tried.node_router_stride = ONE_OF(&own, 1, 1, 2);
    tried.nic_choice = (int32_t)dice_between(&own, 0, NIC_CHOICES - 1);
    if (dice_between(&own, 0, 1) == 0) tried.stripe_bytes = ONE_OF(&own, 100, 3000);
    struct status status = STATUS_INIT;
    if (network_config_nodes(&tried) >= 2 && network_config_check(&tried, &status) == STATUS_OK)
        *config = tried;
    status_clear(&status);
}

static void random_channels(struct dice *dice, struct network_config *config) {
    config->packet_bytes = ONE_OF(dice, 20, 64, 500, 2048);
    config->header_bytes = ONE_OF(dice, 0, 0, 16, 64);
    config->flit_bytes = ONE_OF(dice, 0, 0, 6, 24);
    config->cell_bytes = ONE_OF(dice, 0, 0, 64);
    config->cell_header_bytes = config->cell_bytes > 0 ? ONE_OF(dice, 0, 18) : 0;
    int64_t wire_bytes = network_config_full_bytes(config);
    for (int kind = 0; kind < NETWORK_CHANNEL_KINDS; kind++) {
        struct network_channel_config *channel = &config->channels[kind];
        channel->bandwidth_bytes_per_s =
            dice_between(dice, 1, 25) * 1000000000 + dice_between(dice, 0, 999);
        if (dice_between(dice, 0, 2) == 0) channel->framing = INT64_C(9) << 32 | 10;
        channel->shared_buffer_bytes = ONE_OF(dice, 0, 0, 1) * dice_between(dice, 0, 4000);
        channel->buffer_bytes = wire_bytes * dice_between(dice, 1, 6) + dice_between(dice, 0, 30);
    }
    config->channels[NETWORK_TERMINAL].latency_ps = ONE_OF(dice, 0, 1, 10000);
    config->channels[NETWORK_LOCAL].latency_ps = ONE_OF(dice, 1, 999, 15000);
    config->channels[NETWORK_GLOBAL].latency_ps = ONE_OF(dice, 5000, 40001, 150000);
    config->nic_bandwidth_bytes_per_s = ONE_OF(dice, 0, 0, 3000000000);
    config->nic_overhead_ps = ONE_OF(dice, 0, 0, 20000);
    config->phit_bytes = ONE_OF(dice, 1, 8, 32);
    if (config->phit_bytes > wire_bytes) config->phit_bytes = 8; /* a load of 1 needs no more */
}

/* Half of the runs have no limits of hosts, so that other features are tested without them. */
static void random_hosts(struct dice *dice, struct network_config *config) {
    if (dice_between(dice, 0, 1) == 0) return;
    int64_t wire_bytes = network_config_full_bytes(config);
    config->nic_send_latency_ps = (struct by_size){
        2, {{0, ONE_OF(dice, 0, 1, 70001)}, {ONE_OF(dice, 64, 3000), ONE_OF(dice, 2, 90000)}}};
    config->nic_receive_latency_ps = ONE_OF(dice, 0, 1, 70001);
    config->nic_message_gap_ps = ONE_OF(dice, 0, 1, 30000, 500000);
    config->nic_receive_overhead_ps = ONE_OF(dice, 0, 0, 1, 40000);
    config->nic_receive_bandwidth_bytes_per_s =
        ONE_OF(dice, 0, 1, 1) *
        (dice_between(dice, 1, 25) * 1000000000 + dice_between(dice, 0, 999));
    config->nic_receive_buffer_bytes = dice_between(dice, 0, 3) * wire_bytes;
    config->nic_host_bandwidth_bytes_per_s =
        ONE_OF(dice, 0, 1) * (dice_between(dice, 1, 25) * 1000000000 + dice_between(dice, 0, 999));
}

static void random_router(struct dice *dice, struct network_config *config) {
    config->router_latency_ps = ONE_OF(dice, 0, 1, 30000, 100000);
    config->allocation_latency_ps = ONE_OF(dice, 0, 0, 2000, 70000);
    config->crossbar = (int32_t)dice_between(dice, 0, NETWORK_CROSSBAR_VC);
    int64_t speedup_millionths = ONE_OF(dice, 500000, 1000000, 2000000);
    config->allocation_rounds = dice_between(dice, 1, 3);
    config->output_buffer_bytes =
        dice_between(dice, 0, 3) * (network_config_full_bytes(config) + dice_between(dice, 0, 9));
    if (config->crossbar != NETWORK_CROSSBAR_IDEAL && config->output_buffer_bytes > 0)
        config->speedup_millionths = speedup_millionths;
    config->arbitration = (int32_t)dice_between(dice, 0, 2);
    config->transit_priority = (int32_t)dice_between(dice, 0, NETWORK_PRIORITY_ON);
    config->release = (int32_t)dice_between(dice, 0, 1);
    int64_t policies = 0;
    while (network_routing_names()[policies] != NULL)
        policies++;
    config->routing = (int32_t)dice_between(dice, 0, policies - 1);
    if (routing_policies()[config->routing].has_intermediate_router)
        config->valiant = (int32_t)dice_between(dice, 0, 1);
    config->routing_bias_byte_hops = ONE_OF(dice, 0, 0, 5000, -5000);
}

/* In-transit routing, of any kind; its ring needs room for two packets. */
static void random_transit(struct dice *dice, struct network_config *config) {
    if (routing_policies()[config->routing].transit == NULL) return;
    int64_t names = 0;
    while (network_misrouting_names()[names] != NULL)
        names++;
    do
        config->misrouting = (int32_t)dice_between(dice, 0, names - 1);
    while (misrouting_fault(config) != NULL);
    config->ofar_ring = (int32_t)dice_between(dice, 0, 1);
    if (config->group_dimensions != 0)
        config->ofar_ring = RING_PHYSICAL; /* there may be no other */
    config->ofar_measure = (int32_t)dice_between(dice, 0, 1);
    if (config->crossbar == NETWORK_CROSSBAR_IDEAL || config->allocation_rounds > 1)
        config->ofar_trigger = (int32_t)dice_between(dice, 0, 1);
    config->ofar_vcs = dice_between(dice, 1, 4);
    config->ofar_global_vcs = dice_between(dice, 0, config->ofar_vcs);
    config->ofar_ring_first = dice_between(dice, 0, 1);
    config->ofar_hop_limit = ONE_OF(dice, 0, 6, 32);
    config->ofar_threshold_millionths = ONE_OF(dice, 500000, 900000, 1000000);
    int64_t packet_bytes = network_config_full_bytes(config);
    for (int kind = NETWORK_LOCAL; kind < NETWORK_CHANNEL_KINDS; kind++)
        if (config->channels[kind].buffer_bytes < 2 * packet_bytes)
            config->channels[kind].buffer_bytes = 2 * packet_bytes;
}

/* In some runs; none where so many would cut nodes off. */
static void random_failures(struct dice *dice, struct network_config *config) {
    if (dice_between(dice, 0, 2) > 0) return;
    config->failed_routers = ONE_OF(dice, 0, 0, 1, 2);
    config->failed_locals = dice_between(dice, 0, 4);
    config->failed_globals = dice_between(dice, 0, 4);
    config->failures_seed = dice_between(dice, 0, 1000);
    struct network *network = NULL;
    struct network_sink sink = {0};
    struct status status = STATUS_INIT;
    if (network_new(&network, config, 1, &sink, &status) != STATUS_OK ||
        network_working_nodes(network) < 2)
        config->failed_routers = config->failed_locals = config->failed_globals = 0;
    network_free(network);
    status_clear(&status);
}

/* The rules of UGAL and its kin, and of what else differs between simulators. */
static void random_rules(struct dice *dice, struct network_config *config) {
    config->third_group = (int32_t)dice_between(dice, 0, 2);
    config->minimal_vcs = (int32_t)dice_between(dice, 0, 1);
    config->intragroup_paths = (int32_t)dice_between(dice, 0, 2);
    config->link_choice = (int32_t)dice_between(dice, 0, 2);
    config->minimal_candidates = ONE_OF(dice, 1, 1, 2, 4);
    config->nonminimal_candidates = ONE_OF(dice, 1, 1, 2, 3);
    config->routing_mode = (int32_t)ONE_OF(dice, 0, 0, 1, 2, 3, 4);
    config->ugal_queue = (int32_t)dice_between(dice, 0, 1);
    config->ugal_measure = (int32_t)dice_between(dice, 0, 1);
    config->ugal_waiting = dice_between(dice, 0, 1);
    config->ugal_weights = (int32_t)dice_between(dice, 0, 3);
    config->ugal_ratio_millionths = ONE_OF(dice, 0, 500000, 2000000);
    config->reroute = ONE_OF(dice, 0, 0, 3, 100);
    config->reroute_candidate = (int32_t)dice_between(dice, 0, 1);
    config->nic_vc_choice = (int32_t)dice_between(dice, 0, 1);
}

/* Traffic classes in every other run, with shares that go with what else has been drawn. */
static void random_classes(uint64_t seed, struct network_config *config) {
    config->classes = seed % 2 == 0 ? 1 : (int64_t)(seed / 2 % NETWORK_CLASSES_MAX) + 1;
    if (config->classes == 1) return;
    config->nic_message_gap_ps = 0;
    for (int64_t i = 0; i < config->classes; i++) {
        config->class[i].minimum_millionths = (int64_t)(seed / 8 % 3) * 100000 * (i % 2);
        config->class[i].priority = (int64_t)(seed / 16 % 2) * i;
    }
    if (config->nic_receive_buffer_bytes == 0 &&
        config->ofar_trigger == NETWORK_OFAR_TRIGGER_BLOCKED)
        config->class[seed / 8 % 2].maximum_millionths = 700000;
}

/* Windows in some runs, with their own dice. */
static void random_windows(const struct dice *dice, struct network_config *config) {
    struct dice own = {dice->seed + UINT64_C(2000000), STREAM, 0};
    if (dice_between(&own, 0, 2) > 0) return;
    struct network_config tried = *config;
    tried.acknowledgement = dice_between(&own, 0, 1) == 0 ? NETWORK_ACKNOWLEDGEMENT_DELAY
                                                          : (int32_t)NETWORK_ACKNOWLEDGEMENT_PACKET;
    tried.response_bytes = ONE_OF(&own, 0, 8, 40);
    tried.nic_window_bytes = tried.packet_bytes * ONE_OF(&own, 0, 2, 9);
    tried.nic_pair_window_bytes = tried.packet_bytes * ONE_OF(&own, 0, 1, 3);
    if (dice_between(&own, 0, 1) == 0) {
        tried.congestion_control = NETWORK_CONGESTION_CONTROL_ENDPOINT;
        tried.congestion_begin_bytes = 3 * network_config_full_bytes(config);
        tried.congestion_end_bytes = network_config_full_bytes(config);
    }
    struct status status = STATUS_INIT;
    if (network_config_check(&tried, &status) == STATUS_OK) *config = tried;
    status_clear(&status);
}

/* Output VCs given out first where that is possible, and slow credits: with dice of their own. */
static void random_vc_allocation(uint64_t seed, struct network_config *config) {
    struct dice own = {seed ^ 0x5bd1e995, STREAM, 0};
    config->credit_latency_ps = ONE_OF(&own, 0, 0, 3000, 250000);
    struct network_config tried = *config;
    if (dice_between(&own, 0, 1) == 0) return;
    tried.vc_allocation = NETWORK_VC_FIRST;
    if (dice_between(&own, 0, 1) == 0) tried.arbitration = NETWORK_ROUND_ROBIN;
    struct status status = STATUS_INIT;
    if (network_config_check(&tried, &status) == STATUS_OK) *config = tried;
    status_clear(&status);
}

static struct network_config random_config(struct dice *dice) {
    struct network_config config = network_world_config("");
    random_shape(dice, &config);
    random_channels(dice, &config);
    random_router(dice, &config);
    random_transit(dice, &config);
    random_nics(dice, &config);
    random_failures(dice, &config);
    config.injection_vcs = ONE_OF(dice, 0, 0, 1, 5);
    random_rules(dice, &config);
    random_hosts(dice, &config);
    random_classes(dice->seed, &config);
    random_windows(dice, &config);
    random_vc_allocation(dice->seed, &config);
    return config;
}

/* ---------------------------------------------------------------- synthetic traffic */

static void mix_link(void *context, const struct network_link *link) {
    uint64_t *digest = context;
    *digest = digest_mix(*digest, (uint64_t)link->channel_kind << 32 | link->source);
    *digest = digest_mix(*digest, (uint64_t)link->destination << 32 | link->port);
    *digest = digest_mix(*digest, link->packets);
    *digest = digest_mix(*digest, link->bytes);
    *digest = digest_mix(*digest, (uint64_t)link->busy_ps);
    *digest = digest_mix(*digest, (uint64_t)link->numbers.stalled_ps);
}

struct outcome {
    uint64_t digest;
    uint64_t links;
    uint64_t messages;
    uint64_t unfinished;
    int64_t accepted_millionths;
    int64_t latency_sum_ps;
    int64_t latency_p99_ps;
};

static struct outcome run_traffic(const struct network_config *config,
                                  const struct traffic_config *traffic, int64_t load, uint64_t seed,
                                  unsigned threads) {
    struct traffic_options options = {.threads = threads};
    struct network *network;
    struct traffic_point point = traffic_world_run(config, traffic, load, seed, &options, &network);
    struct outcome outcome = {
        .digest = point.totals.digest,
        .messages = point.messages,
        .unfinished = point.unfinished,
        .accepted_millionths = point.accepted_millionths,
        .latency_sum_ps = point.latency_sum_ps,
        .latency_p99_ps = point.latency_p99_ps,
    };
    network_visit_links(network, mix_link, &outcome.links);
    network_free(network);
    return outcome;
}

static void random_traffic_loses_nothing(void **state) {
    (void)state;
    static char *const patterns[] = {"uniform", "adv+1",      "worst-case", "permutation",
                                     "hotspot", "all-to-all", "bursts"};
    uint64_t quiet = 0, within_windows = 0;
    for (uint64_t seed = 0; seed < RUNS; seed++) {
        struct dice dice = {seed, STREAM, 0};
        struct network_config config = random_config(&dice);
        struct traffic_config traffic = {
            .pattern = patterns[dice_between(&dice, 0, 6)],
            .warmup_ps = 300000,
            .measure_ps = 1000000,
            .drain_ps = 300000,
            .message_bytes = dice_between(&dice, 0, 3) * dice_between(&dice, 0, 1000),
            .burst_messages = ONE_OF(&dice, 1, 1, 5),
            .hotspot_millionths = 300000,
            .traffic_class = TRAFFIC_CLASS_EACH,
        };
        if (config.groups == 1 && traffic.pattern[0] != 'u') traffic.pattern = "hotspot";
        within_windows += config.classes > 1 && config.acknowledgement != 0;
        int64_t load = ONE_OF(&dice, 50000, 300000, 700000, 1000000);
        struct outcome serial = run_traffic(&config, &traffic, load, seed, 1);
        quiet += serial.messages == 0;
        for (unsigned threads = 2; threads <= THREADS_MAX; threads++) {
            if (!runs_on(seed, threads)) continue;
            struct outcome parallel = run_traffic(&config, &traffic, load, seed, threads);
            if (memcmp(&parallel, &serial, sizeof serial) != 0)
                fail_msg("random run %llu: %u threads give another result (digest %s, links %s)",
                         (unsigned long long)seed, threads,
                         parallel.digest == serial.digest ? "same" : "different",
                         parallel.links == serial.links ? "same" : "different");
        }
    }
    assert_true(2 * quiet < RUNS); /* in most runs something did happen */
    assert_true(within_windows > 0);
}

/* ---------------------------------------------------------------- messages and answers */

/* What a group's callbacks have seen; padded so that threads do not write to one cache line. */
struct diary {
    _Alignas(64) uint64_t digest;
    int64_t last_ps;
    uint64_t delivered;
    uint64_t sent;
    uint64_t timers;
    uint64_t answered;
    uint64_t disorder;
};

struct chatter {
    struct network *network;
    const struct network_config *config;
    uint64_t seed;
    uint32_t nodes;
    struct diary diaries[9];
};

static struct diary *note(struct chatter *chatter, struct rail_group *rail_group, int64_t now_ps,
                          uint64_t what, uint64_t who) {
    struct diary *diary = &chatter->diaries[network_group_number(rail_group)];
    diary->disorder += now_ps < diary->last_ps;
    diary->last_ps = now_ps;
    diary->digest = digest_mix(digest_mix(diary->digest, (uint64_t)now_ps), digest_mix(what, who));
    return diary;
}

/* Sends what the cookie (name, answers to come) asks for. */
static void say(struct chatter *chatter, struct rail_group *rail_group, int64_t ready_ps,
                uint32_t node, uint64_t name, uint64_t answers) {
    struct random_block draw = random_draw(chatter->seed, RANDOM_NOISE, (uint32_t)name, answers);
    uint64_t packet = (uint64_t)chatter->config->packet_bytes;
    const uint64_t sizes[] = {0, 1, packet, packet + 1, 3 * packet, 7 * packet - 1};
    uint32_t to = draw.word[1] % chatter->nodes;
    while (!network_node_works(chatter->network, to))
        to = (to + 1) % chatter->nodes;
    struct network_message message = {
        .source_node = node,
        .destination_node = to,
        .size_bytes = sizes[draw.word[2] % 6],
        .notify_sent = draw.word[3] % 2 == 0,
        .traffic_class = (uint8_t)((draw.word[3] >> 8) % (uint32_t)chatter->config->classes),
        .cookie = {{name, answers, ~name}},
    };
    network_send(rail_group, ready_ps, &message);
    chatter->diaries[network_group_number(rail_group)].answered++;
}

static void delivered(void *context, struct rail_group *rail_group, int64_t now_ps,
                      const struct network_delivery *delivery) {
    struct chatter *chatter = context;
    uint64_t name = delivery->cookie.word[0], answers = delivery->cookie.word[1];
    struct diary *diary = note(chatter, rail_group, now_ps, 1, name);
    diary->digest = digest_mix(diary->digest, delivery->size_bytes);
    diary->digest = digest_mix(diary->digest, (uint64_t)delivery->zero_load_ps);
    diary->disorder += delivery->cookie.word[2] != ~name;
    diary->delivered++;
    if (answers == 0) return;
    switch (name % 3) {
    case 0:
        say(chatter, rail_group, now_ps, delivery->destination_node, name, answers - 1);
        break;
    case 1:
        say(chatter, rail_group, now_ps + 12345, delivery->destination_node, name, answers - 1);
        break;
    default:
        network_set_timer(rail_group, now_ps + (int64_t)(name % 7), delivery->destination_node,
                          name << 8 | (answers - 1));
    }
}

static void sent(void *context, struct rail_group *rail_group, int64_t now_ps, uint32_t source_node,
                 const struct network_cookie *cookie) {
    struct diary *diary = note(context, rail_group, now_ps, 2, cookie->word[0]);
    diary->digest = digest_mix(diary->digest, source_node);
    diary->sent++;
}

static void timer(void *context, struct rail_group *rail_group, int64_t now_ps, uint32_t entity,
                  uint64_t data) {
    note(context, rail_group, now_ps, 3, data)->timers++;
    say(context, rail_group, now_ps, entity, data >> 8, data & 255);
}

static uint64_t chat(struct chatter *chatter, const struct network_config *config, uint64_t seed,
                     unsigned threads) {
    *chatter = (struct chatter){.config = config, .seed = seed};
    struct network_sink sink = {
        .context = chatter, .delivered = delivered, .sent = sent, .timer = timer};
    struct status status = STATUS_INIT;
    assert_int_equal(network_new(&chatter->network, config, seed, &sink, &status), STATUS_OK);
    chatter->nodes = network_node_count(chatter->network);
    for (uint32_t node = 0; node < chatter->nodes; node++) {
        if (!network_node_works(chatter->network, node)) continue;
        struct rail_group *rail_group = network_home_of_node(chatter->network, node);
        say(chatter, rail_group, 0, node, 2 * node, 12);
        say(chatter, rail_group, node % 5, node, 2 * node + 1, 12);
    }
    struct network_run_options options = {.threads = threads};
    if (network_run(chatter->network, &options, &status) != STATUS_OK)
        fail_msg("random talk %llu, %u threads: %s", (unsigned long long)seed, threads,
                 status.text);
    struct network_totals totals;
    network_fill_totals(chatter->network, &totals);
    uint64_t all = 0;
    for (uint32_t i = 0; i < network_group_count(chatter->network); i++) {
        all += chatter->diaries[i].delivered;
        assert_int_equal(chatter->diaries[i].disorder, 0);
    }
    assert_int_equal(all, 2 * network_working_nodes(chatter->network) *
                              13); /* every answer was given, and only once */
    assert_int_equal(totals.messages + totals.memory_messages, all);
    network_free(chatter->network);
    chatter->network = NULL;
    return totals.digest;
}

/* What callbacks see, and in which order, does not depend on threads. */
static void callbacks_do_not_depend_on_threads(void **state) {
    (void)state;
    static struct chatter serial, parallel;
    for (uint64_t seed = 1000; seed < 1000 + RUNS; seed++) {
        struct dice dice = {seed, STREAM, 0};
        struct network_config config = random_config(&dice);
        uint64_t digest = chat(&serial, &config, seed, 1);
        for (unsigned threads = 2; threads <= THREADS_MAX; threads++) {
            if (!runs_on(seed, threads)) continue;
            assert_int_equal(chat(&parallel, &config, seed, threads), digest);
            if (memcmp(parallel.diaries, serial.diaries, sizeof serial.diaries) != 0)
                fail_msg("random talk %llu: callbacks come differently on %u threads",
                         (unsigned long long)seed, threads);
        }
    }
}

static void dice_choose_from_all_rows(void **state) {
    (void)state;
    assert_null(arrangements()[DRAWN_ARRANGEMENTS + 1].name);
    assert_string_equal(arrangements()[DRAWN_ARRANGEMENTS].name, "file");
    assert_null(network_rail_names()[RAIL_CHOICES]);
    assert_null(network_nic_names()[NIC_CHOICES]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dice_choose_from_all_rows),
        cmocka_unit_test(random_traffic_loses_nothing),
        cmocka_unit_test(callbacks_do_not_depend_on_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
