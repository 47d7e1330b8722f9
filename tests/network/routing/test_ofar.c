/*
 * OFAR: what a packet may do is enumerated by letting the policy look at it with every output but
 * one closed; from that follow hop bounds, the order of virtual channels, and that the escape ring
 * is always there (the ring itself: test_ring.c). Whole runs beyond saturation.
 */
#include "network/network_choices.h"
#include "tests/support/network/transit_walk.h"

#include "core/simulation/random.h"

static int32_t number_in(const char *const *names, const char *name) {
    for (int32_t i = 0; names[i] != NULL; i++)
        if (strcmp(names[i], name) == 0) return i;
    fail_msg("no %s", name);
    return -1;
}

static void ordered_channels_make_no_circle(void **state) {
    (void)state;
    const int64_t shapes[][3] = {{1, 2, 3}, {2, 1, 3}, {2, 2, 5}, {3, 1, 4},
                                 {2, 3, 4}, {3, 2, 3}, {3, 0, 1}, {3, 2, 5}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        for (int32_t m = 0; network_misrouting_names()[m] != NULL; m++) {
            if (strcmp(network_misrouting_names()[m], "group") == 0) continue;
            for (int32_t i = 0; i < 2;
                 i++) { /* absolute, relative: others differ in numbers only */
                struct network_config config = shaped(shapes[s], i, "routing=ofar-ordered");
                config.misrouting = m;
                config.classes = shapes[s][0] == 2 ? 2 : 1;
                if (config.classes > 1) config.acknowledgement = NETWORK_ACKNOWLEDGEMENT_PACKET;
                unsigned hops = check_ordered(&config);
                bool local = misrouting_policies()[m].allows_local;
                assert_true(hops <= (local ? 8u : 6u));
                const char *name = network_misrouting_names()[m];
                if (shapes[s][0] == 3 && shapes[s][2] == 5) { /* the longest ways do occur */
                    if (strcmp(name, "mm+l") == 0) assert_int_equal(hops, 8);
                    if (strcmp(name, "mm") == 0) assert_int_equal(hops, 6);
                    if (strcmp(name, "crg") == 0) assert_int_equal(hops, 5);
                }
            }
        }
    }
}

/* The same in groups of several dimensions and parallel links. */
static void ordered_channels_of_flattened_butterflies(void **state) {
    (void)state;
    const struct {
        int64_t shape[3];
        const char *group;
    } cases[] = {{{4, 1, 3}, "group.dimensions=2x2"},
                 {{6, 1, 2}, "group.dimensions=3x2"},
                 {{3, 1, 2}, "group.links=2"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int32_t m = 0; network_misrouting_names()[m] != NULL; m++) {
            if (strcmp(network_misrouting_names()[m], "group") == 0) continue;
            unsigned inside = i < 2 ? 2 : 1;
            unsigned misroutings = misrouting_policies()[m].allows_local ? 3 : 1;
            for (int32_t arrangement = 0; arrangement < 2; arrangement++) {
                struct network_config config =
                    shaped(cases[i].shape, arrangement, "routing=ofar-ordered");
                network_world_set(&config, cases[i].group);
                config.misrouting = m;
                unsigned hops = check_ordered(&config);
                assert_true(hops <= 3 * inside + 2 + misroutings);
            }
        }
    }
}

static void ring_is_always_reachable(void **state) {
    (void)state;
    const int64_t shapes[][3] = {{2, 1, 3}, {2, 2, 5}, {3, 1, 4}, {4, 2, 9}, {3, 2, 3}, {4, 1, 1}};
    const char *const kinds[] = {"routing=ofar ofar.ring=embedded",
                                 "routing=ofar ofar.ring=physical",
                                 "routing=ofar misrouting=rrg+l"};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            struct network_config config = shaped(shapes[s], 1, kinds[k]);
            config.classes = s % 3 + 1;
            if (s % 2 > 0) config.acknowledgement = NETWORK_ACKNOWLEDGEMENT_PACKET;
            struct network_world world;
            network_world_new(&world, &config, 5);
            check_escape(&world);
            network_free(world.network);
        }
    }
}

/* The same in groups of several dimensions and parallel links, under every misrouting policy. */
static void ring_of_flattened_butterflies_is_always_reachable(void **state) {
    (void)state;
    const struct {
        int64_t shape[3];
        const char *group;
    } cases[] = {{{4, 1, 3}, "routing=ofar group.dimensions=2x2"},
                 {{6, 1, 3}, "routing=ofar group.dimensions=3x2 group.links=1x2"},
                 {{8, 1, 3}, "routing=ofar group.dimensions=2x2x2"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int32_t n = 0; network_misrouting_names()[n / 2] != NULL; n++) {
            if (strcmp(network_misrouting_names()[n / 2], "group") == 0) continue;
            struct network_config config = shaped(cases[i].shape, n % 2, cases[i].group);
            config.misrouting = n / 2;
            struct network_world world;
            network_world_new(&world, &config, 5);
            check_escape(&world);
            network_free(world.network);
        }
    }
}

/* ---------------------------------------------------------------- when packets take another output
 */

/* A packet in router 0 on its way to the last group, after its first local hop. Its minimal output,
 * a local one, has been granted to another packet before; all others are free. */
struct waiting {
    struct network_world world;
    struct rail_group *rail_group;
    uint32_t port_vc;
    uint32_t minimal;
};

static void wait_in_router(struct waiting *waiting, const char *pairs, uint16_t via) {
    struct network_config config = shaped((const int64_t[]){4, 2, 9}, 0, pairs);
    network_world_new(&waiting->world, &config, 5);
    struct network *network = waiting->world.network;
    waiting->rail_group = network_home_of_group(network, 0);
    face_set_time(waiting->rail_group, 100000);
    struct network_packet packet = packet_to(network, 0, 9 * 4 - 1);
    packet.waypoint = via;
    waiting->port_vc = face_port_vc(network, network->topology.endpoints_per_router, 0);
    face_put(waiting->rail_group, waiting->port_vc, &packet);
    waiting->minimal = face_asked_output(waiting->rail_group, waiting->port_vc);
    assert_int_equal(face_channel_kind(network, waiting->minimal),
                     via == NETWORK_NO_LINK ? NETWORK_LOCAL : NETWORK_GLOBAL);
    set_output(waiting->rail_group, waiting->minimal, false);
}

/* Whether it leaves at once by another output than the minimal one. */
static bool leaves(struct waiting *waiting) {
    struct rail_group *rail_group = waiting->rail_group;
    bool goes = face_can_go(rail_group, waiting->port_vc);
    if (goes)
        assert_int_not_equal(face_asked_output(rail_group, waiting->port_vc), waiting->minimal);
    face_take(rail_group, waiting->port_vc);
    network_world_free(&waiting->world);
    return goes;
}

/* The same when one of the VCs of the minimal output has been granted just now, NETWORK_NONE:
 * before. */
static bool leaves_when(const char *pairs, uint32_t granted_vc, uint16_t via) {
    struct waiting waiting;
    wait_in_router(&waiting, pairs, via);
    const struct network *network = waiting.world.network;
    if (granted_vc != NETWORK_NONE)
        face_set_vc_free(waiting.rail_group, face_port_vc(network, waiting.minimal, granted_vc),
                         face_now_ps(waiting.rail_group) + network->config.allocation_latency_ps);
    return leaves(&waiting);
}

static void triggers_decide_when_packets_are_misrouted(void **state) {
    (void)state;
    const char *const granted[] = {
        "routing=ofar misrouting=crg ofar.trigger=granted",
        "routing=ofar-ordered misrouting=rrg ofar.trigger=granted",
        "routing=ofar misrouting=crg ofar.trigger=granted router.allocation_latency=20ns"};
    for (size_t i = 0; i < 3; i++) {
        assert_false(leaves_when(granted[i], NETWORK_NONE, NETWORK_NO_LINK));
        for (uint32_t vc = 0; vc < 4; vc++)
            assert_true(leaves_when(granted[i], vc, NETWORK_NO_LINK));
    }
    assert_true(
        leaves_when(granted[0], NETWORK_NONE, 0)); /* has left already: a global hop is due */
    assert_true(leaves_when("routing=ofar misrouting=crg", NETWORK_NONE, NETWORK_NO_LINK));
}

/* The same when each VC of the minimal output holds so many bytes, and of other outputs the first
 * one and each of the rest. */
static bool leaves_at(const char *pairs, int32_t minimal_bytes, int32_t first_bytes,
                      int32_t rest_bytes) {
    struct waiting waiting;
    wait_in_router(&waiting, pairs, NETWORK_NO_LINK);
    struct rail_group *rail_group = waiting.rail_group;
    const struct network *network = waiting.world.network;
    for (uint32_t number = 0; number < network->topology.radix; number++) {
        for (uint32_t vc = 0; vc < network->vcs.per_port; vc++) {
            int32_t bytes = vc == 0 ? first_bytes : rest_bytes;
            face_take_credits(rail_group, face_port_vc(network, number, vc),
                              number == waiting.minimal ? minimal_bytes : bytes);
        }
    }
    return leaves(&waiting);
}

/* A candidate holds at most half the share of its buffer that the minimal output does. */
static void the_limit_bounds_the_queues_of_candidates(void **state) {
    (void)state;
    const char *const vc = "routing=ofar misrouting=crg ofar.threshold=0.5 ofar.vcs=3 "
                           "local.buffer=1000B global.buffer=2000B";
    char port[200];
    snprintf(port, sizeof port, "%s ofar.measure=port", vc);
    assert_true(leaves_at(vc, 400, 400, 1500));
    assert_false(leaves_at(vc, 400, 401, 1500));
    assert_true(leaves_at(port, 400, 400, 400));
    assert_true(leaves_at(port, 400, 0, 600));
    assert_false(leaves_at(port, 400, 400, 401));
    assert_true(leaves_at(vc, 0, 0, 0));
    assert_false(leaves_at(vc, 0, 1, 1));
}

/* Whether a packet of 256 bytes that has been at so many routers may go on from a VC of router 0's
 * first node, or of its first neighbour, with so many credits for each output. */
static bool goes_with(const char *pairs, uint32_t port, uint32_t vc, uint8_t routers,
                      int32_t credits_bytes) {
    struct network_config config = shaped((const int64_t[]){4, 2, 9}, 0, pairs);
    struct network_world world;
    network_world_new(&world, &config, 5);
    struct network *network = world.network;
    struct rail_group *rail_group = network_home_of_group(network, 0);
    face_set_time(rail_group, 1);
    struct network_packet packet = packet_to(network, 0, 9 * 4 - 1);
    packet.routers = routers;
    for (uint32_t port_vc = 0; port_vc < network->topology.radix * network->vcs.per_port; port_vc++)
        face_set_credits(rail_group, port_vc, /* none of the ring's */
                         port_vc % network->vcs.per_port == network->vcs.ring_vc ? 0
                                                                                 : credits_bytes);
    uint32_t port_vc = face_port_vc(network, port, vc == NETWORK_NONE ? network->vcs.ring_vc : vc);
    face_put(rail_group, port_vc, &packet);
    bool goes = face_can_go(rail_group, port_vc);
    face_take(rail_group, port_vc);
    network_world_free(&world);
    return goes;
}

/* What is injected leaves room for others. */
static void injection_leaves_room_for_others(void **state) {
    (void)state;
    for (uint32_t port = 0; port < 2; port++) { /* a node's, a neighbour's */
        int32_t needed_bytes = port == 0 ? 3 * 256 : 256;
        const char *pairs = "routing=ofar ofar.injection_room=2 ofar.ring_first=off";
        assert_true(goes_with(pairs, port, 0, 0, needed_bytes));
        assert_false(goes_with(pairs, port, 0, 0, needed_bytes - 1));
        assert_true(goes_with("routing=ofar-ordered ofar.injection_room=2", port, 0, 0, 256));
    }
}

/* Nodes send only while the ring's next buffer is empty, whichever way the ring goes, and look
 * again when it is. Packets of other routers are not held back. */
static void ring_goes_before_nodes(void **state) {
    (void)state;
    const char *const kinds[] = {"routing=ofar", "routing=ofar ofar.ring=physical"};
    for (size_t kind = 0; kind < 2; kind++) {
        for (uint32_t port = 0; port < 2; port++) { /* a node's, a neighbour's */
            struct network_config config = shaped((const int64_t[]){4, 2, 9}, 0, kinds[kind]);
            struct network_world world;
            network_world_new(&world, &config, 5);
            struct network *network = world.network;
            struct rail_group *rail_group = network_home_of_group(network, 0);
            face_set_time(rail_group, 1);
            struct network_packet packet = packet_to(network, 0, 9 * 4 - 1);
            uint32_t output = face_ring_port(rail_group, port);
            uint32_t ring = face_port_vc(network, output, network->vcs.ring_vc);
            uint32_t port_vc = face_port_vc(network, port, 0);
            int32_t all_bytes = face_credits(rail_group, ring);
            assert_int_equal(all_bytes, face_buffer_bytes(network, output));
            face_put(rail_group, port_vc, &packet);
            assert_true(face_find_output(rail_group, port_vc) == face_now_ps(rail_group));
            face_set_credits(rail_group, ring, all_bytes - 1);
            int64_t at_ps = face_find_output(rail_group, port_vc);
            if (port == 0) {
                assert_true(at_ps == EVENT_NEVER); /* it is told of the credits */
                assert_true(face_is_waited_for(rail_group, output));
            } else {
                assert_true(at_ps == face_now_ps(rail_group));
            }
            face_set_credits(rail_group, ring, all_bytes);
            assert_true(face_find_output(rail_group, port_vc) == face_now_ps(rail_group));
            face_take(rail_group, port_vc);
            network_world_free(&world);
        }
    }
}

/* Once a packet has been at so many routers, it stays in the ring. */
static void packets_stay_in_the_ring_after_the_hop_limit(void **state) {
    (void)state;
    assert_true(goes_with("routing=ofar ofar.hop_limit=9", 1, NETWORK_NONE, 8, 2000));
    assert_false(goes_with("routing=ofar ofar.hop_limit=9", 1, NETWORK_NONE, 9, 2000));
    assert_true(goes_with("routing=ofar ofar.hop_limit=9", 1, 0, 9, 2000));
}

/* ---------------------------------------------------------------- whole runs */

/* All nodes send bursts of odd sizes d groups ahead, far more than goes through. */
static void flood(struct network_world *world, const char *pairs, unsigned threads,
                  uint32_t messages) {
    struct network_config config =
        network_world_config("nodes_per_router=2 routers_per_group=4 globals_per_router=2 groups=9 "
                             "packet=256B header=8B "
                             "local.buffer=600B global.buffer=1100B terminal.buffer=600B");
    network_world_set(&config, pairs);
    network_world_new(world, &config, 3);
    for (uint32_t i = 0; i < messages; i++) {
        for (uint32_t source = 0; source < 72; source++) {
            struct random_block block = random_draw(7, RANDOM_NOISE, source, i);
            uint32_t group = (source / 8 + 1 + (i % 5 == 0 ? block.word[2] % 8 : i / 50 % 2)) % 9;
            uint32_t to = group * 8 + block.word[0] % 8;
            network_world_send(world, source, to, 1 + block.word[1] % 700, i * INT64_C(20000));
        }
    }
    world->threads = threads;
}

static const char *const floods[] = {
    "routing=ofar",
    "routing=ofar misrouting=crg+l ofar.ring=physical",
    "routing=ofar misrouting=nrg router.crossbar=input router.allocation_rounds=2 "
    "ofar.ring_first=off",
    "routing=ofar misrouting=rrg+l ofar.vcs=1 ofar.hop_limit=3 ofar.measure=port",
    "routing=ofar-ordered misrouting=mm+l",
    "routing=ofar misrouting=mm+l ofar.trigger=granted router.crossbar=vc "
    "router.allocation_rounds=2 router.transit_priority=on",
    "routing=ofar-ordered misrouting=crg ofar.trigger=granted",
    "routing=ofar-ordered misrouting=rrg router.crossbar=input router.transit_priority=on "
    "router.arbitration=least-recent router.allocation_rounds=3",
    "routing=ofar misrouting=mm+l arrangement=relative router.allocation_latency=20ns "
    "router.output_buffer=600B",
    /* output buffers with room for small packets only: what is sent raises limits */
    "routing=ofar misrouting=rrg+l ofar.vcs=1 ofar.threshold=0.3 router.output_buffer=600B",
    "routing=ofar-ordered misrouting=rrg ofar.measure=port ofar.threshold=0.3 "
    "router.output_buffer=600B",
};

enum { MESSAGES = 40 };

/* Makes every router allocate again every few nanoseconds. */
static void allocate_again(void *context, struct rail_group *rail_group, int64_t now_ps,
                           uint32_t entity, uint64_t data) {
    (void)context;
    face_wake_all(rail_group);
    if (now_ps < 15000000) network_set_timer(rail_group, now_ps + 3701, entity, data);
}

static int64_t stalled_ps(const struct network *network) {
    int64_t sum_ps = 0;
    for (uint32_t group = 0; group < network->topology.groups; group++)
        for (uint32_t port = 0; port < network->tables.ports; port++)
            sum_ps += face_stalled_ps(face_rail_group(network, group), port);
    return sum_ps;
}

/* What sleeps could not go: digest and stalls are the same if routers allocate all the time. */
static void more_allocations_change_nothing(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof floods / sizeof *floods; i++) {
        struct network_totals totals[2];
        int64_t stalls_ps[2];
        for (unsigned more = 0; more < 2; more++) {
            struct network_world world;
            flood(&world, floods[i], 1, MESSAGES);
            face_set_timer(world.network, allocate_again);
            for (uint32_t group = 0; more > 0 && group < 9; group++)
                network_set_timer(network_home_of_group(world.network, group), 1, group, 0);
            network_world_run(&world, 1);
            network_fill_totals(world.network, &totals[more]);
            stalls_ps[more] = stalled_ps(world.network);
            network_world_free(&world);
        }
        assert_int_equal(totals[0].digest, totals[1].digest);
        assert_int_equal(stalls_ps[0], stalls_ps[1]);
        assert_true(totals[1].events > totals[0].events + 9000);
    }
}

/* Everything arrives, whatever the number of threads, with the same digest. */
static void floods_arrive_on_any_number_of_threads(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof floods / sizeof *floods; i++) {
        uint64_t digest = 0;
        for (unsigned threads = 1; threads <= 3; threads += 2) {
            struct network_world world;
            flood(&world, floods[i], threads, MESSAGES);
            network_world_run(&world, threads);
            struct network_totals totals;
            network_fill_totals(world.network, &totals);
            assert_int_equal(totals.messages + totals.memory_messages, 72 * MESSAGES);
            if (threads == 1) digest = totals.digest;
            assert_int_equal(totals.digest, digest);
            assert_true(totals.minimal_packets < totals.packets);
            if (world.network->vcs.ring_vc == NETWORK_NONE) {
                assert_int_equal(totals.ring_entries, 0);
                for (unsigned routers = 10; routers < 16; routers++) /* 8 hops */
                    assert_int_equal(totals.router_hops[routers], 0);
            } else if (strstr(floods[i], "vcs=1") != NULL) {
                assert_true(totals.ring_entries > 0);
            }
            network_world_free(&world);
        }
    }
}

/* Without its ring ofar comes to a standstill, and says so. */
static void without_its_ring_ofar_stands_still(void **state) {
    (void)state;
    struct network_world world;
    flood(&world, "routing=ofar misrouting=mm+l ofar.vcs=1", 1, 400);
    face_remove_ring(world.network);
    /* VCs as with the ring: all that are left may be taken in any order */
    struct status status = STATUS_INIT;
    uint32_t vcs = world.network->vcs.without_ring_count;
    assert_int_equal(vcs, 1);
    assert_int_equal(network_world_try(&world, 1, &status), STATUS_RUN);
    assert_non_null(strstr(status.text, "deadlock"));
    status_clear(&status);
    network_world_free(&world);
}

/* On an idle network OFAR is minimal. */
static void ofar_is_minimal_on_an_idle_network(void **state) {
    (void)state;
    const char *const names[] = {"ofar", "ofar-ordered"};
    for (size_t n = 0; n < 2; n++) {
        struct network_config config = network_world_config(
            "nodes_per_router=2 routers_per_group=4 globals_per_router=2 groups=9");
        config.routing = number_in(network_routing_names(), names[n]);
        struct network_world world;
        network_world_new(&world, &config, 1);
        for (uint32_t i = 0; i < 500; i++)
            network_world_send(&world, i * 7 % 72, (i * 31 + 5) % 72, 2000, i * INT64_C(10000000));
        network_world_run(&world, 1);
        for (size_t i = 0; i < world.count; i++) {
            const struct network_delivery *delivery = &world.deliveries[i].delivery;
            assert_true(delivery->is_minimal);
            assert_int_equal(world.deliveries[i].time_ps - delivery->ready_ps,
                             delivery->zero_load_ps);
        }
        network_world_free(&world);
    }
}

/* ---------------------------------------------------------------- settings */

static void refused(const char *pairs, const char *expected) {
    struct network_config config = network_world_config(pairs);
    struct network *network = NULL;
    struct network_sink sink = {0};
    struct status status = STATUS_INIT;
    assert_int_equal(network_new(&network, &config, 1, &sink, &status), STATUS_USAGE);
    if (strstr(status.text, expected) == NULL) fail_msg("%s: %s", pairs, status.text);
    status_clear(&status);
}

static void wrong_buffers_and_misrouting_are_refused(void **state) {
    (void)state;
    refused("routing=ofar local.buffer=3KiB", "room for 2 packets");
    refused("routing=ofar misrouting=group", "take rrg");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ordered_channels_make_no_circle),
        cmocka_unit_test(ordered_channels_of_flattened_butterflies),
        cmocka_unit_test(ring_is_always_reachable),
        cmocka_unit_test(ring_of_flattened_butterflies_is_always_reachable),
        cmocka_unit_test(triggers_decide_when_packets_are_misrouted),
        cmocka_unit_test(the_limit_bounds_the_queues_of_candidates),
        cmocka_unit_test(injection_leaves_room_for_others),
        cmocka_unit_test(ring_goes_before_nodes),
        cmocka_unit_test(packets_stay_in_the_ring_after_the_hop_limit),
        cmocka_unit_test(floods_arrive_on_any_number_of_threads),
        cmocka_unit_test(more_allocations_change_nothing),
        cmocka_unit_test(without_its_ring_ofar_stands_still),
        cmocka_unit_test(ofar_is_minimal_on_an_idle_network),
        cmocka_unit_test(wrong_buffers_and_misrouting_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
