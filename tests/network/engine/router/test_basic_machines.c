/*
 * Plain machines, for which the code of a hop is compiled separately: the code for all machines
 * gives the same results, stalls and events, and the same parts of times where the network explains
 * them, and what is not basic is never taken for basic.
 */
#include "tests/support/network/network_face.h"

#include "core/base/digest.h"

struct outcome {
    struct network_totals totals;
    int64_t stalled_ps;
    bool was_basic;
    uint64_t parts; /* digest of what the times of messages consist of */
};

static uint64_t parts_digest;

/* Notes the parts of a message's time and its route. */
static void note_parts(void *context, struct rail_group *rail_group, int64_t now_ps,
                       const struct network_delivery *delivery) {
    (void)context;
    struct network_time_parts parts;
    uint64_t digest = digest_mix(delivery->cookie.word[0], (uint64_t)now_ps);
    network_fill_time_parts(rail_group, delivery, false, now_ps - delivery->ready_ps, &parts);
    for (unsigned kind = 0; kind < NETWORK_CHANNEL_KINDS; kind++) {
        digest = digest_mix(digest, (uint64_t)parts.waiting_ps[kind]);
        digest = digest_mix(digest, (uint64_t)parts.serialisation_ps[kind]);
        digest = digest_mix(digest, parts.hops[kind]);
    }
    for (uint32_t i = 0; i < parts.route.count && i < NETWORK_ROUTE_MAX; i++)
        digest = digest_mix(digest_mix(digest, parts.route.routers[i]),
                            (uint64_t)parts.waits.waits_ps[i]);
    parts_digest += digest;
}

/* Messages of many sizes, so many that they wait for each other; every third goes to node 0. */
static struct outcome run(const struct network_config *config, bool as_plain, bool explains) {
    struct network_world world;
    struct outcome outcome = {.stalled_ps = 0};
    network_world_new(&world, config, 1);
    if (explains) {
        struct status status = STATUS_INIT;
        assert_int_equal(network_explain(world.network, &status), STATUS_OK);
        face_set_delivered(world.network, note_parts);
    }
    parts_digest = 0;
    const uint32_t nodes = network_node_count(world.network);
    for (uint32_t i = 0; i < 4000; i++) {
        const uint32_t source = i % nodes, other = (source + 1 + i / nodes * 7) % nodes;
        network_world_send(&world, source, i % 3 == 0 ? 0 : other, i * 37 % 900,
                           (int64_t)(i / nodes) * 1000);
    }
    outcome.was_basic = face_is_basic(world.network);
    if (!as_plain) face_make_not_basic(world.network);
    network_world_run(&world, 1);
    network_fill_totals(world.network, &outcome.totals);
    for (uint32_t i = 0; i < network_group_count(world.network); i++)
        for (uint32_t output = 0; output < face_outputs(world.network); output++)
            outcome.stalled_ps += face_stalled_ps(face_rail_group(world.network, i), output);
    outcome.parts = parts_digest;
    network_world_free(&world);
    return outcome;
}

static const struct {
    const char *machine, *settings;
} machines[] = {
    {"kim-72", "routing=minimal"},
    {"kim-72", "routing=ugal-l"},
    {"kim-72", "routing=valiant nic.overhead=100ns nic.vcs=2"},
    {"kim-72", "routing=ugal-l-vc"},
    {"kim-72", "routing=piggyback reroute=4"},
    {"kim-72", "routing=par"},
    {"kim-72", "routing=ofar router.transit_priority=on"},
    {"kim-72", "routing=minimal link_choice=shortest failures.locals=2"},
    {"kim-1k-paper", "routing=minimal"},
    {"kim-1k-paper", "routing=par"},
    {"kim-1k-paper", "routing=ugal-l-cr"},
    {"kim-1k-paper", "routing=ofar-ordered"},
    {"kim-1k-paper", "routing=ugal-g router.output_buffer=64B local.buffer=64B"},
};

static void code_for_all_machines_gives_the_same_results(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        const struct network_config config =
            network_world_machine(machines[i].machine, machines[i].settings);
        const struct outcome basic = run(&config, true, false), other = run(&config, false, false);
        assert_true(basic.was_basic);
        assert_true(basic.stalled_ps > 0);
        assert_int_equal(basic.stalled_ps, other.stalled_ps);
        assert_int_equal(basic.totals.digest, other.totals.digest);
        assert_int_equal(basic.totals.events, other.totals.events);
        assert_int_equal(basic.totals.packet_hops, other.totals.packet_hops);
    }
}

static void code_for_all_machines_gives_the_same_parts_of_times(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        const struct network_config config =
            network_world_machine(machines[i].machine, machines[i].settings);
        const struct outcome basic = run(&config, true, true), other = run(&config, false, true);
        assert_true(basic.was_basic && basic.parts != 0);
        assert_int_equal(basic.parts, other.parts);
        assert_int_equal(basic.totals.digest, other.totals.digest);
        assert_int_equal(basic.totals.events, other.totals.events);
    }
}

static void other_features_are_never_taken_for_basic(void **state) {
    (void)state;
    const char *const settings[] = {
        "classes=2",
        "rails=2",
        "router.arbitration=oldest",
        "router.arbitration=least-recent",
        "router.release=head",
        "router.credit_latency=10ns",
        "local.shared_buffer=8KiB",
        "nic.window=64KiB acknowledgement=delay",
        "nic.message_gap=10ns",
        "nic.receive_buffer=64KiB",
        "nic.receive_bandwidth=10GB/s",
        "congestion_control=endpoint acknowledgement=delay",
    };
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        const struct network_config config = network_world_machine("kim-72", settings[i]);
        struct network_world world;
        network_world_new(&world, &config, 1);
        if (face_is_basic(world.network) || face_has_basic_routing(world.network))
            fail_msg("%s is taken for basic", settings[i]);
        network_world_free(&world);
    }
}

static void other_routing_is_never_taken_for_basic(void **state) {
    (void)state;
    const char *const settings[] = {
        "routing=ofar",        "routing=piggyback",          "routing=ugal-l-vc",
        "routing=ugal-l-cr",   "router.transit_priority=on", "reroute=4",
        "link_choice=shortest"};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        const struct network_config config = network_world_machine("kim-72", settings[i]);
        struct network_world world;
        network_world_new(&world, &config, 1);
        if (!face_is_basic(world.network)) fail_msg("%s is not taken for basic", settings[i]);
        if (face_has_basic_routing(world.network))
            fail_msg("the routing of %s is taken for basic", settings[i]);
        network_world_free(&world);
    }
}

/* Who watches a network sees all transmissions of it: the code for machines without observers is
 * not used. */
static void observed_networks_use_the_code_for_all_machines(void **state) {
    (void)state;
    const struct network_config config = network_world_machine("kim-72", "routing=minimal");
    for (unsigned way = 0; way < 3; way++) {
        struct network_world world;
        struct status status = STATUS_INIT;
        network_world_new(&world, &config, 1);
        assert_false(face_is_observed(world.network));
        assert_int_equal(way == 0   ? network_explain(world.network, &status)
                         : way == 1 ? network_keep_labels(world.network, &status)
                                    : network_keep_history(world.network, 10, &status),
                         STATUS_OK);
        assert_true(face_is_observed(world.network));
        network_world_free(&world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(code_for_all_machines_gives_the_same_results),
        cmocka_unit_test(code_for_all_machines_gives_the_same_parts_of_times),
        cmocka_unit_test(other_features_are_never_taken_for_basic),
        cmocka_unit_test(other_routing_is_never_taken_for_basic),
        cmocka_unit_test(observed_networks_use_the_code_for_all_machines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
