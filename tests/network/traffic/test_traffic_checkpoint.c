/*
 * Synthetic traffic that is stopped with a checkpoint after every window, and goes on from it in a
 * new network, gives the results of a run that was not stopped: for every routing policy, and for
 * all parts of a machine that have state. A member that is not saved shows as a difference.
 */
#include "tests/support/core/checkpoint_world.h"
#include "tests/support/network/traffic_world.h"

/* Links, as a sum that depends on every member. */
struct links {
    uint64_t sum;
};

static void add_link(void *context, const struct network_link *link) {
    struct links *links = context;
    const uint64_t words[] = {
        link->packets,
        link->bytes,
        (uint64_t)link->busy_ps,
        link->measured.packets,
        link->measured.bytes,
        (uint64_t)link->measured.busy_ps,
        link->injected.packets,
        link->injected.bytes,
        (uint64_t)link->measured.stalled_ps,
        link->source,
        link->destination,
        (uint64_t)link->numbers.stalled_ps,
        link->port,
        link->rail,
        (uint64_t)link->held_ps,
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        links->sum = digest_mix(links->sum, words[i]);
}

struct outcome {
    struct traffic_point point;
    struct traffic_histogram histogram;
    struct links links;
    struct network_totals classes[2];
};

static status_code run(struct outcome *outcome, const struct network_config *config,
                       const struct traffic_config *traffic, int64_t load,
                       struct traffic_options *options, struct status *status) {
    struct network *network = NULL;
    memset(outcome, 0, sizeof *outcome);
    options->histogram = &outcome->histogram;
    status_code code =
        traffic_run(&outcome->point, &network, config, traffic, load, 5, options, status);
    if (code == STATUS_OK) {
        network_visit_links(network, add_link, &outcome->links);
        for (uint32_t class = 0; class < 2; class ++)
            network_fill_class_totals(network, class, &outcome->classes[class]);
    }
    outcome->point.totals.threads = 1;
    network_free(network);
    return code;
}

/* Checks a run that is stopped after every `every` windows. Returns how often it was. */
static unsigned check(const struct network_config *config, const struct traffic_config *traffic,
                      int64_t load, unsigned every, const char *what) {
    static struct outcome whole, parts;
    struct status status = STATUS_INIT;
    struct traffic_options options = {.threads = 1};
    struct checkpoint_world world;
    if (run(&whole, config, traffic, load, &options, &status) != STATUS_OK)
        fail_msg("%s: %s", what, status.text);
    checkpoint_world_new(&world, every);
    bool is_stopped = true;
    while (is_stopped) {
        options.checkpoint = checkpoint_world_begin(&world);
        options.threads = 1 + world.lives % 3;
        status_code code = run(&parts, config, traffic, load, &options, &status);
        is_stopped = checkpoint_world_end(&world, code, &status);
    }
    checkpoint_world_free(&world);
    assert_true(whole.point.totals.messages > 100);
    if (memcmp(&whole, &parts, sizeof whole) != 0)
        fail_msg("%s: digest %llx and %llx, %llu and %llu events, %llu and %llu windows", what,
                 (unsigned long long)whole.point.totals.digest,
                 (unsigned long long)parts.point.totals.digest,
                 (unsigned long long)whole.point.totals.events,
                 (unsigned long long)parts.point.totals.events,
                 (unsigned long long)whole.point.totals.windows,
                 (unsigned long long)parts.point.totals.windows);
    return world.lives - 1;
}

/* 36 nodes in 9 groups, with small buffers and so much traffic that packets wait everywhere. */
#define MACHINE                                                                                    \
    "nodes_per_router=1 routers_per_group=4 globals_per_router=2 groups=9 global.latency=200ns "   \
    "packet=256B phit=4B terminal.buffer=2KiB local.buffer=2KiB global.buffer=4KiB "

static void stopped_runs_of_every_policy_give_the_same_results(void **state) {
    (void)state;
    struct traffic_config traffic = traffic_world_config("adv+1", 300000, 1500000, 300000);
    for (int32_t policy = 0; network_routing_names()[policy] != NULL; policy++) {
        struct network_config config = network_world_config(MACHINE);
        config.routing = policy;
        traffic.message_bytes = policy % 2 ? 1000 : 0;
        unsigned stops = check(&config, &traffic, 900000, 1, network_routing_names()[policy]);
        assert_true(stops > 10);
    }
}

static void stopped_runs_of_every_part_give_the_same_results(void **state) {
    (void)state;
    static const char *const parts[] = {
        "router.arbitration=least-recent",
        "router.arbitration=oldest router.allocation_latency=20ns",
        "router.crossbar=input router.release=head routing=ofar-ordered phit=1KiB packet=1KiB",
        "router.crossbar=vc router.speedup=2 router.output_buffer=2KiB",
        ("router.crossbar=input router.vc_allocation=first router.credit_latency=30ns "
         "router.speedup=2 router.output_buffer=2KiB"),
        "rails=2 rail_choice=packet",
        "reroute=50 routing=ugal-l",
        "reroute=50 reroute_candidate=same routing=par",
        "piggyback_packets=1 piggyback_factor=0.5 routing=piggyback local.latency=100ns",
        "global.shared_buffer=2KiB local.shared_buffer=1KiB global.buffer=1KiB",
        "nic.message_gap=20ns nic.host_bandwidth=30GB/s nic.receive_buffer=2KiB nic.overhead=1ns",
        "classes=4 class0.minimum=0.3 class1.maximum=0.1 class0.priority=1 class1.minimum=0.1",
        "acknowledgement=packet nic.window=2KiB nic.pair_window=512B",
        "acknowledgement=packet nic.bandwidth=5GB/s terminal.bandwidth=5GB/s",
        ("acknowledgement=delay congestion_control=endpoint congestion.begin=1KiB "
         "congestion.end=512B congestion.recovery=1us"),
        "nodes_per_router=2 node.nics=2 node.stripe=512B rails=2",
    };
    static const char *const patterns[] = {"hotspot", "uniform", "adv+1"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        struct network_config config = network_world_config(MACHINE);
        struct traffic_config traffic =
            traffic_world_config(patterns[i % 3], 300000, 1000000, 200000);
        network_world_set(&config, parts[i]);
        traffic.burst_messages = 2;
        traffic.message_bytes = 700;
        traffic.hotspot_millionths = 200000;
        if (config.classes > 1) traffic.traffic_class = TRAFFIC_CLASS_EACH;
        check(&config, &traffic, 900000, 1, parts[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stopped_runs_of_every_policy_give_the_same_results),
        cmocka_unit_test(stopped_runs_of_every_part_give_the_same_results),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
