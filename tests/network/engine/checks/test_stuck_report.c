/*
 * What a run says when packets are stuck, wait for too long, or something got lost: a report naming
 * the place, on any number of threads, and never a run that does not end.
 */
#include "tests/support/network/traffic_world.h"

#include "tests/support/network/network_face.h"

#define SHAPE                                                                                      \
    "nodes_per_router=2 routers_per_group=2 globals_per_router=1 groups=3 routing=minimal "
#define THREADS_MAX 3

/* Takes bytes of credit from all port VCs of a group's outputs of one kind. */
static void take_credits(struct network *network, uint32_t group, network_channel_kind kind,
                         int32_t bytes) {
    struct rail_group *rail_group = network_home_of_group(network, group);
    for (uint32_t output = 0; output < network->tables.ports; output++) {
        if (face_channel_kind(network, output) != kind) continue;
        for (uint32_t vc = 0; vc < network->vcs.per_port; vc++)
            face_take_credits(rail_group, face_port_vc(network, output, vc), bytes);
    }
}

static void expect_report(struct network_world *world, unsigned threads, const char *const *texts) {
    struct status status = STATUS_INIT;
    assert_int_equal(network_world_try(world, threads, &status), STATUS_RUN);
    for (; *texts != NULL; texts++) {
        if (strstr(status.text, *texts) == NULL)
            fail_msg("no `%s` in the report:\n%s", *texts, status.text);
    }
    status_clear(&status);
    network_world_free(world);
}

static void deadlock_is_reported(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= THREADS_MAX; threads++) {
        struct network_config config = network_world_config(SHAPE);
        struct network_world world;
        network_world_new(&world, &config, 1);
        take_credits(world.network, 1, NETWORK_LOCAL, (int32_t)config.channels[1].buffer_bytes);
        network_world_send(&world, 4, 6, 5000, 0); /* group 1, from router 0 to router 1 */
        network_world_send(&world, 0, 1, 5000, 0); /* group 0 is fine */
        expect_report(&world, threads,
                      (const char *[]){"deadlock", "3 packets under way", "1 buffer blocked",
                                       "routing minimal with 2 VCs",
                                       "group 1, router 2, injection input port 0, VC 0",
                                       "packet of 2080 bytes from node 4 to node 6",
                                       "waits for output port 2, VC 0 (0 bytes of credits)", NULL});
    }
}

/* Messages that take longer than the longest run: within a node, and through the network. */
static void what_takes_too_long_is_reported(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= THREADS_MAX; threads++) {
        struct network_config config = network_world_config(SHAPE "memory.bandwidth=1MB/s");
        struct network_world world;
        network_world_new(&world, &config, 1);
        assert_true(network_world_zero_load_ps(world.network, 3, 3, UINT64_C(1) << 60) ==
                    NETWORK_TIME_LIMIT_PS);
        assert_true(network_world_zero_load_ps(world.network, 3, 8, UINT64_C(1) << 60) ==
                    NETWORK_TIME_LIMIT_PS);
        network_world_send(&world, 0, 1, 5000, 0);
        network_world_send(&world, 4, 4, UINT64_C(1) << 48, 1000);
        network_world_send(&world, 8, 0, 5000, 2000);
        expect_report(&world, threads,
                      (const char *[]){"the simulated time passes 2305843 s (26 days)", NULL});
    }
}

/* Many places: the first ten are shown, the rest counted. */
static void long_reports_are_cut(void **state) {
    (void)state;
    struct network_config config = network_world_config("groups=5");
    struct network_world world;
    network_world_new(&world, &config, 1);
    for (uint32_t group = 0; group < 5; group++) {
        take_credits(world.network, group, NETWORK_LOCAL, (int32_t)config.channels[1].buffer_bytes);
        take_credits(world.network, group, NETWORK_GLOBAL,
                     (int32_t)config.channels[2].buffer_bytes);
    }
    for (uint32_t node = 0; node < 60; node++)
        network_world_send(&world, node, (node + 77) % 160, 100, 0);
    expect_report(&world, 1, (const char *[]){"deadlock", "  and 50 more", NULL});
}

/* A lost credit does not stop the traffic, but the run is not trusted. */
static void lost_credits_are_reported(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= THREADS_MAX; threads++) {
        struct network_config config = network_world_config(SHAPE);
        struct network_world world;
        network_world_new(&world, &config, 1);
        take_credits(world.network, 2, NETWORK_GLOBAL, 1);
        network_world_send(&world, 8, 0, 5000, 0);
        expect_report(&world, threads,
                      (const char *[]){"credits are not conserved", "group 2", "VC 0", NULL});
    }
}

static void lost_messages_are_reported(void **state) {
    (void)state;
    struct network_config config = network_world_config(SHAPE);
    struct network_world world;
    network_world_new(&world, &config, 1);
    network_world_send(&world, 8, 0, 5000, 0);
    face_count_message(network_home_of_group(world.network, 1));
    expect_report(&world, 1,
                  (const char *[]){"messages are not conserved: 2 started, 1 delivered", NULL});
}

static status_code run_hotspot(const char *settings, unsigned threads, struct status *status) {
    struct network_config config = network_world_config(settings);
    struct traffic_config traffic = traffic_world_config("hotspot", 1000000, 5000000, 1000000);
    traffic.hotspot_node = 5;
    traffic.hotspot_millionths = 1000000;
    struct traffic_options options = {.threads = threads};
    struct traffic_point point;
    struct network *network;
    status_code code =
        traffic_run(&point, &network, &config, &traffic, 1000000, 1, &options, status);
    network_free(network);
    return code;
}

static void starvation_is_reported(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= THREADS_MAX; threads++) {
        struct status status = STATUS_INIT;
        assert_int_equal(run_hotspot(SHAPE "starvation=300ns", threads, &status), STATUS_RUN);
        assert_non_null(strstr(status.text, "starvation: a packet has been first in its buffer for "
                                            "longer than network.starvation"));
        assert_non_null(strstr(status.text, "to node 5, first since "));
        status_clear(&status);
    }
}

/* The same load is no fault when nobody set a limit, or a long one. */
static void waiting_alone_is_no_fault(void **state) {
    (void)state;
    struct status status = STATUS_INIT;
    assert_int_equal(run_hotspot(SHAPE "starvation=0", 1, &status), STATUS_OK);
    assert_int_equal(run_hotspot(SHAPE "starvation=1s", 1, &status), STATUS_OK);
}

static bool no_further(void *context, int64_t now_ps, uint64_t events) {
    assert_true(now_ps > 0);
    assert_true(events > 0);
    ++*(unsigned *)context;
    return false;
}

static void progress_stops_a_run(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= THREADS_MAX; threads++) {
        struct network_config config = network_world_config(SHAPE "global.latency=1ps header=0 "
                                                                  "packet=100B router.latency=0");
        struct network_world world;
        network_world_new(&world, &config, 1);
        world.threads = threads;
        network_world_send(&world, 0, 11, 10000000, 0);
        unsigned calls = 0;
        struct network_run_options options = {
            .threads = threads, .progress = no_further, .progress_context = &calls};
        struct status status = STATUS_INIT;
        assert_int_equal(network_run(world.network, &options, &status), STATUS_STOPPED);
        assert_non_null(strstr(status.text, "stopped"));
        assert_int_equal(calls, 1);
        status_clear(&status);
        network_world_free(&world);
    }
}

/* A second run is refused, after a run that finished as after one that did not, and changes no
 * figure. */
static void a_network_runs_once(void **state) {
    (void)state;
    for (int32_t stuck = 0; stuck < 2; stuck++) {
        struct network_config config = network_world_config(SHAPE);
        struct network_world world;
        struct network_totals once, twice;
        struct status status = STATUS_INIT;
        network_world_new(&world, &config, 1);
        if (stuck) take_credits(world.network, 1, NETWORK_LOCAL, 1 << 16);
        network_world_send(&world, 4, 6, 5000, 0);
        assert_int_equal(network_world_try(&world, 1, NULL), stuck ? STATUS_RUN : STATUS_OK);
        network_fill_totals(world.network, &once);
        assert_int_equal(network_world_try(&world, 1, &status), STATUS_STATE);
        assert_non_null(strstr(status.text, "a second run of the same network"));
        network_fill_totals(world.network, &twice);
        assert_memory_equal(&once, &twice, sizeof once);
        status_clear(&status);
        network_world_free(&world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deadlock_is_reported),
        cmocka_unit_test(what_takes_too_long_is_reported),
        cmocka_unit_test(long_reports_are_cut),
        cmocka_unit_test(lost_credits_are_reported),
        cmocka_unit_test(lost_messages_are_reported),
        cmocka_unit_test(starvation_is_reported),
        cmocka_unit_test(waiting_alone_is_no_fault),
        cmocka_unit_test(progress_stops_a_run),
        cmocka_unit_test(a_network_runs_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
