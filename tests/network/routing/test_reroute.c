/*
 * network.reroute: a packet that waits in its source router's buffer is decided on anew, once a
 * cycle, for as many cycles as the setting says.
 */
#include "network/network_choices.h"
#include "tests/support/network/traffic_world.h"

#include "tests/support/network/network_face.h"

/* Queues that show a congested link late, so that first decisions are often wrong. */
#define SMALL                                                                                      \
    "nodes_per_router=2 routers_per_group=4 globals_per_router=2 groups=9 packet=64B header=0 "    \
    "terminal.bandwidth=8GB/s local.bandwidth=8GB/s global.bandwidth=8GB/s phit=8B "               \
    "terminal.latency=1ns local.latency=10ns global.latency=30ns router.latency=0 "                \
    "terminal.buffer=128B local.buffer=128B global.buffer=256B starvation=0 ugal.queue=output "

static const char *const deciding[] = {"ugal-l",    "ugal-g",    "ugal-l-vc", "ugal-l-vch",
                                       "ugal-l-cr", "piggyback", "par",       NULL};

static struct traffic_point run_point(const char *settings, int64_t load_millionths,
                                      unsigned threads, uint64_t *digest) {
    struct network_config config = network_world_config(SMALL);
    network_world_set(&config, settings);
    struct traffic_config traffic = traffic_world_config("adv+1", 2000000, 2000000, 1000000);
    struct traffic_options options = {.threads = threads};
    struct network *network;
    struct traffic_point point =
        traffic_world_run(&config, &traffic, load_millionths, 1, &options, &network);
    struct network_totals totals;
    network_fill_totals(network, &totals);
    *digest = totals.digest;
    network_free(network);
    return point;
}

/* A blocked packet that may change its mind waits less. */
static void packets_that_are_decided_anew_wait_less(void **state) {
    (void)state;
    uint64_t digest;
    struct traffic_point once = run_point("routing=ugal-l", 200000, 1, &digest);
    struct traffic_point anew = run_point("routing=ugal-l reroute=1000", 200000, 1, &digest);
    double once_ns = (double)once.latency_sum_ps / 1e3 / (double)once.messages;
    double anew_ns = (double)anew.latency_sum_ps / 1e3 / (double)anew.messages;
    print_message("ugal-l, adv+1, 0.2: %.1f ns, anew %.1f ns\n", once_ns, anew_ns);
    assert_true(anew_ns < 0.9 * once_ns);
}

/* All policies, beyond saturation; the same for any number of threads. */
static void results_do_not_depend_on_threads(void **state) {
    (void)state;
    for (size_t i = 0; deciding[i] != NULL; i++) {
        char settings[80];
        snprintf(settings, sizeof settings, "routing=%s reroute=50", deciding[i]);
        uint64_t one, three;
        assert_true(run_point(settings, 600000, 1, &one).accepted_millionths > 0);
        run_point(settings, 600000, 3, &three);
        assert_int_equal(one, three);
    }
}

/* Only policies whose decision hangs on queues, and stands; to others it means nothing. */
static void only_policies_that_read_queues_decide_anew(void **state) {
    (void)state;
    for (int32_t routing = 0; network_routing_names()[routing] != NULL; routing++) {
        const char *name = network_routing_names()[routing];
        bool decides = false;
        for (size_t i = 0; deciding[i] != NULL; i++)
            decides |= strcmp(deciding[i], name) == 0;
        char once[80], anew[80];
        snprintf(once, sizeof once, "routing=%s", name);
        snprintf(anew, sizeof anew, "routing=%s reroute=50", name);
        uint64_t before, after;
        run_point(once, 600000, 1, &before);
        run_point(anew, 600000, 1, &after);
        assert_int_equal(before != after, decides);
    }
}

/* With the same candidate each time a packet goes by one of two ways, whatever it is decided on
 * how often; with others, by many. */
static void the_same_candidate_gives_two_ways_others_give_many(void **state) {
    (void)state;
    const char *const kinds[] = {"new", "same"};
    for (int kind = 0; kind < 2; kind++) {
        char candidate[40];
        snprintf(candidate, sizeof candidate, "reroute_candidate=%s", kinds[kind]);
        struct network_config config = network_world_config(SMALL "routing=ugal-l reroute=50");
        network_world_set(&config, candidate);
        config.routing_bias_byte_hops = -(1 << 30);
        struct network_world world;
        network_world_new(&world, &config, 1);
        struct rail_group *rail_group = network_home_of_group(world.network, 0);
        struct network_packet packet = {
            .destination = 60, .packet_number = 3, .waypoint = NETWORK_NO_LINK, .target_group = 7};
        uint32_t links = 0;
        for (int again = 0; again < 60; again++) {
            face_set_time(rail_group, 1000 * again);
            routing_undo_decision(world.network, &packet);
            routing_route(rail_group, 0, &packet);
            assert_int_not_equal(packet.waypoint, NETWORK_NO_LINK);
            links |= 1u << packet.waypoint;
        }
        assert_int_equal(__builtin_popcount(links), kind == 0 ? 7 : 1);
        network_world_free(&world);
    }
}

/* A network that is stuck comes to its end, and is reported. */
static void deadlock_is_found(void **state) {
    (void)state;
    struct network_config config = network_world_config(
        SMALL "local.buffer=64B global.buffer=64B terminal.buffer=64B routing=ugal-l vcs=1 "
              "reroute=100");
    struct traffic_config traffic = traffic_world_config("uniform", 1000000, 20000000, 1000000);
    struct traffic_options options = {.threads = 1};
    struct traffic_point point;
    struct network *network;
    struct status status = STATUS_INIT;
    status_code code =
        traffic_run(&point, &network, &config, &traffic, 1000000, 1, &options, &status);
    assert_int_equal(code, STATUS_RUN);
    assert_non_null(strstr(status.text, "network: deadlock: "));
    network_free(network);
    status_clear(&status);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packets_that_are_decided_anew_wait_less),
        cmocka_unit_test(results_do_not_depend_on_threads),
        cmocka_unit_test(only_policies_that_read_queues_decide_anew),
        cmocka_unit_test(the_same_candidate_gives_two_ways_others_give_many),
        cmocka_unit_test(deadlock_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
