/*
 * OFAR beyond saturation: everything arrives, the number of threads and of looks at blocked packets
 * decides nothing, and without the ring it comes to a standstill.
 */
#include "network_world.h"

#include "core/random.h"
#include "network/router.h"
#include "network/sleepers.h"

/* All nodes send bursts of odd sizes d groups ahead, far more than goes through. */
static void flood(network_world *world, const char *pairs, unsigned threads, uint32_t messages) {
    network_config config =
        network_world_config("nodes_per_router=2 routers_per_group=4 globals_per_router=2 groups=9 "
                             "packet=256B header=8B "
                             "local.buffer=600B global.buffer=1100B terminal.buffer=600B");
    network_world_set(&config, pairs);
    network_world_new(world, &config, 3);
    for (uint32_t i = 0; i < messages; i++) {
        for (uint32_t source = 0; source < 72; source++) {
            random_block block = random_draw(7, RANDOM_NOISE, source, i);
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
    "routing=ofar misrouting=nrg router.crossbar=input router.allocation_rounds=2",
    "routing=ofar misrouting=rrg+l ofar.vcs=1 ofar.hop_limit=3 ofar.measure=port",
    "routing=ofar-ordered misrouting=mm+l",
    "routing=ofar-ordered misrouting=rrg router.crossbar=input router.transit_priority=on "
    "router.arbitration=least-recent router.allocation_rounds=3",
    "routing=ofar misrouting=mm+l arrangement=relative router.allocation_latency=20ns "
    "router.output_buffer=600B",
};

enum { MESSAGES = 40 };

/* Lets every router look at all that waits there, every few nanoseconds. */
static void look_at_all(void *context, network_domain *domain, int64_t now_ps, uint32_t entity,
                        uint64_t data) {
    (void)context;
    const network *network = domain->network;
    for (uint32_t router = 0; router < network->topology.routers; router++) {
        for (uint32_t word = 0; word < network->request_words; word++)
            domain->sleepers->asleep_bits[router * network->request_words + word] = 0;
        router_mark(domain, router * network->topology.radix);
    }
    if (now_ps < 15000000) network_timer(domain, now_ps + 3701, entity, data);
}

/* What sleeps could not go: the same digest if it is looked at all the time. */
static void test_more_looks_change_nothing(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof floods / sizeof *floods; i++) {
        network_totals totals[2];
        for (unsigned more = 0; more < 2; more++) {
            network_world world;
            flood(&world, floods[i], 1, MESSAGES);
            world.network->sink.timer = look_at_all;
            for (uint32_t group = 0; more > 0 && group < 9; group++)
                network_timer(&world.network->domains[group], 1, group, 0);
            network_world_run(&world, 1);
            network_totals_of(world.network, &totals[more]);
            network_world_free(&world);
        }
        assert_int_equal(totals[0].digest, totals[1].digest);
        assert_true(totals[1].events > totals[0].events + 9000);
    }
}

/* Everything arrives, whatever the number of threads, with the same digest. */
static void test_floods(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof floods / sizeof *floods; i++) {
        uint64_t digest = 0;
        for (unsigned threads = 1; threads <= 3; threads += 2) {
            network_world world;
            flood(&world, floods[i], threads, MESSAGES);
            network_world_run(&world, threads);
            network_totals totals;
            network_totals_of(world.network, &totals);
            assert_int_equal(totals.messages + totals.memory_messages, 72 * MESSAGES);
            if (threads == 1) digest = totals.digest;
            assert_int_equal(totals.digest, digest);
            assert_true(totals.minimal_packets < totals.packets);
            if (world.network->ring_ports == NULL) {
                assert_int_equal(totals.escapes, 0);
                for (unsigned routers = 10; routers < 16; routers++) /* 8 hops */
                    assert_int_equal(totals.router_hops[routers], 0);
            } else if (strstr(floods[i], "vcs=1") != NULL) {
                assert_true(totals.escapes > 0);
            }
            network_world_free(&world);
        }
    }
}

/* Without its ring ofar comes to a standstill, and says so. */
static void test_no_ring_no_way(void **state) {
    (void)state;
    network_world world;
    flood(&world, "routing=ofar misrouting=mm+l ofar.vcs=1", 1, 400);
    free(world.network->ring_ports);
    world.network->ring_ports = NULL;
    world.network->ring_vc = NONE;
    /* VCs as with the ring: all that are left may be taken in any order */
    status status = STATUS_INIT;
    uint32_t vcs = world.network->free_vcs;
    assert_int_equal(vcs, 1);
    assert_int_equal(network_world_try(&world, 1, &status), STATUS_RUN);
    assert_non_null(strstr(status.text, "deadlock"));
    status_clear(&status);
    network_world_free(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_floods),
        cmocka_unit_test(test_more_looks_change_nothing),
        cmocka_unit_test(test_no_ring_no_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
