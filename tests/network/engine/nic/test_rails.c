/*
 * Rails: messages and packets go by the rail that the rule says, nothing is lost on the way, times
 * on an idle network are those of the parts, and results do not depend on threads.
 */
#include "tests/support/network/notices_world.h"

#include "core/simulation/random.h"
#include "network/routing/routing.h"

#define SMALL "nodes_per_router=2 routers_per_group=3 globals_per_router=1 groups=4 packet=1000B "
#define PAUSE INT64_C(1000000000)

/* ---------------------------------------------------------------- idle network */

/* The time of a message by one rail. */
static int64_t alone_ps(const struct network_config *config, uint32_t source, uint32_t destination,
                        int64_t size_bytes) {
    struct network_world world;
    struct network_config single = *config;
    single.rails = 1;
    network_world_new(&world, &single, 1);
    int64_t time_ps =
        network_world_zero_load_ps(world.network, source, destination, (uint64_t)size_bytes);
    network_world_free(&world);
    return time_ps;
}

/* Packets dealt one by one over the rails: the longest of the parts' times. */
static int64_t dealt_ps(const struct network_config *config, uint32_t source, uint32_t destination,
                        int64_t size_bytes) {
    int64_t bytes[16] = {0}, longest_ps = 0, packets = 0;
    do {
        int64_t left = size_bytes - packets * config->packet_bytes;
        bytes[packets % config->rails] += left < config->packet_bytes ? left : config->packet_bytes;
        packets++;
    } while (packets * config->packet_bytes < size_bytes);
    for (int64_t rail = 0; rail < config->rails && rail < packets; rail++) {
        int64_t time_ps = alone_ps(config, source, destination, bytes[rail]);
        if (time_ps > longest_ps) longest_ps = time_ps;
    }
    return longest_ps;
}

static void messages_take_the_closed_form(void **state) {
    (void)state;
    const int64_t sizes[] = {0, 1, 999, 1000, 1001, 2000, 2500, 3000, 3001, 7013, 9000};
    for (int32_t choice = 0; rail_choices()[choice].name != NULL; choice++) {
        for (int64_t rails = 1; rails <= 4; rails++) {
            struct network_config config =
                network_world_config(SMALL "routing=minimal nic.overhead=70ns "
                                           "terminal.bandwidth=20GB/s global.bandwidth=11GB/s");
            config.rails = rails;
            config.rail_choice = choice;
            struct network_world world;
            network_world_new(&world, &config, 1);
            int64_t ready_ps = 0;
            for (uint32_t destination = 0; destination < 24; destination++)
                for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++, ready_ps += PAUSE)
                    network_world_send(&world, 1, destination, (uint64_t)sizes[i], ready_ps);
            network_world_run(&world, 1);
            assert_int_equal(world.count, world.sent);
            for (size_t i = 0; i < world.count; i++) {
                const struct network_delivery *got = &world.deliveries[i].delivery;
                int64_t size_bytes = (int64_t)got->size_bytes;
                bool parts = rail_choices()[choice].is_by_packet && got->destination_node != 1;
                int64_t expected_ps = parts
                                          ? dealt_ps(&config, 1, got->destination_node, size_bytes)
                                          : alone_ps(&config, 1, got->destination_node, size_bytes);
                assert_int_equal(world.deliveries[i].time_ps - got->ready_ps, expected_ps);
                assert_int_equal(got->zero_load_ps, expected_ps);
            }
            network_world_free(&world);
        }
    }
}

/* ---------------------------------------------------------------- who goes where */

struct use {
    uint64_t injected[16]; /* packets, by rail */
    uint64_t links[16];
    uint32_t last_router;
};

static void count_link(void *context, const struct network_link *link) {
    struct use *use = context;
    use->links[link->rail]++;
    if (link->is_injection) use->injected[link->rail] += link->packets;
    uint32_t router = link->is_injection ? link->destination : link->source;
    assert_int_equal(router / 12, link->rail); /* 12 routers in each */
    if (link->channel_kind != NETWORK_TERMINAL)
        assert_int_equal(link->destination / 12, link->rail);
    if (router > use->last_router) use->last_router = router;
}

static struct use sent_by(const char *choice, uint32_t messages, uint64_t size_bytes) {
    char settings[256];
    snprintf(settings, sizeof settings, SMALL "routing=minimal rails=3 rail_choice=%s", choice);
    struct network_config config = network_world_config(settings);
    struct network_world world;
    network_world_new(&world, &config, 1);
    for (uint32_t i = 0; i < messages; i++)
        network_world_send(&world, 0, 13, size_bytes, (int64_t)i * PAUSE);
    network_world_run(&world, 1);
    struct use use = {0};
    network_visit_links(world.network, count_link, &use);
    network_world_free(&world);
    assert_int_equal(use.last_router, 35);
    assert_int_equal(use.links[0], use.links[1]);
    assert_int_equal(use.links[0], use.links[2]);
    return use;
}

static void messages_and_packets_take_the_rail_of_the_rule(void **state) {
    (void)state;
    struct use use = sent_by("pair", 9, 4000);
    int rails = 0;
    for (int rail = 0; rail < 3; rail++)
        rails += use.injected[rail] > 0;
    assert_int_equal(rails, 1);
    use = sent_by("message", 9, 4000);
    for (int rail = 0; rail < 3; rail++)
        assert_int_equal(use.injected[rail], 12);
    use = sent_by("packet", 1, 5000); /* 2, 2 and 1 packets */
    assert_int_equal(use.injected[0], 2);
    assert_int_equal(use.injected[1], 2);
    assert_int_equal(use.injected[2], 1);
    use = sent_by("packet", 3, 5000); /* the next message goes on where the last one ended */
    for (int rail = 0; rail < 3; rail++)
        assert_int_equal(use.injected[rail], 5);
}

/* Pairs spread over rails about evenly. */
static void pairs_spread(void **state) {
    (void)state;
    struct network_config config = network_world_config(
        "nodes_per_router=4 routers_per_group=8 globals_per_router=4 groups=9 rails=4");
    struct network_world world;
    network_world_new(&world, &config, 7);
    uint32_t count[4] = {0};
    struct network_message_record message = {0};
    for (message.source = 0; message.source < 32; message.source++)
        for (message.destination = 32; message.destination < 288; message.destination++)
            count[rail_choices()[0].choose(network_home_of_group(world.network, 0), &message,
                                           message.source, 15)]++;
    for (int rail = 0; rail < 4; rail++)
        assert_in_range(count[rail], 1900, 2200); /* of 8192 */
    network_world_free(&world);
}

/* A long message of one rail keeps later ones to other rails, whatever their turn. */
static void long_messages_keep_later_ones_to_other_rails(void **state) {
    (void)state;
    struct network_config config =
        network_world_config(SMALL "routing=minimal rails=2 rail_choice=shortest");
    struct network_world world;
    network_world_new(&world, &config, 1);
    network_world_send(&world, 0, 13, 100000, 0);
    for (int i = 0; i < 10; i++)
        network_world_send(&world, 0, 13, 1000, 0);
    network_world_run(&world, 1);
    struct use use = {0};
    network_visit_links(world.network, count_link, &use);
    assert_int_equal(use.injected[0], 100);
    assert_int_equal(use.injected[1], 10);
    network_world_free(&world);
}

/* Short messages from one node to another stay in order on minimal paths, whatever else goes. */
static void short_messages_stay_in_order(void **state) {
    (void)state;
    struct network_config config = network_world_config(SMALL "routing=minimal rails=3 nic.vcs=1");
    struct network_world world;
    network_world_new(&world, &config, 1);
    for (uint32_t i = 0; i < 2000; i++) {
        struct random_block draw = random_draw(3, RANDOM_ARRIVAL, 0, i);
        network_world_send(&world, random_below(draw.word[0], 24), random_below(draw.word[1], 24),
                           1 + random_below(draw.word[2], 1000), (int64_t)i * 2000);
    }
    network_world_run(&world, 1);
    assert_int_equal(world.count, world.sent);
    uint64_t last[24][24] = {{0}};
    for (size_t i = 0; i < world.count; i++) {
        const struct network_delivery *got = &world.deliveries[i].delivery;
        if (got->source_node == got->destination_node) continue; /* the memory keeps no order */
        uint64_t *before = &last[got->source_node][got->destination_node];
        assert_true(got->cookie.word[0] > *before);
        *before = got->cookie.word[0];
    }
    network_world_free(&world);
}

/* ---------------------------------------------------------------- every policy */

static void every_policy_and_rule_gives_the_same_digest_on_threads(void **state) {
    (void)state;
    for (int32_t routing = 0; routing_policies()[routing].name != NULL; routing++) {
        for (int32_t choice = 0; rail_choices()[choice].name != NULL; choice++) {
            struct network_config config = network_world_config(SMALL "rails=3");
            config.routing = routing;
            config.rail_choice = choice;
            network_world_same_digest(&config, 600, false);
        }
    }
    struct network_config config = network_world_config(
        SMALL "rails=2 rail_choice=packet routing=ofar ofar.ring=physical router.crossbar=input");
    network_world_same_digest(&config, 600, false);
}

/* ---------------------------------------------------------------- notices, giving up */

#define SLOW SMALL "routing=minimal header=0 terminal.bandwidth=10GB/s rail_choice=packet "

static void messages_are_sent_when_all_rails_have_sent(void **state) {
    (void)state;
    /* 10 packets of 100 ns, four, three and three by each of three rails */
    struct notices notices = notices_of(SLOW "rails=3", 0, 13, 10000, 1, 0);
    assert_int_equal(notices.sents, 1);
    assert_int_equal(notices.sent_ps, 400000);
    /* the last packet is short: the others' rails take longer */
    notices = notices_of(SLOW "rails=2", 0, 13, 3001, 1, 0);
    assert_int_equal(notices.sent_ps, 200000);
    notices = notices_of(SLOW "rails=1", 0, 13, 10000, 1, 0);
    assert_int_equal(notices.sent_ps, 1000000);
}

/* Messages of which any part has begun are sent as a whole, the others not at all. */
static void messages_that_have_begun_are_sent_as_a_whole(void **state) {
    (void)state;
    struct notices notices = notices_of(SLOW "rails=3", 0, 13, 10000, 5, 0);
    assert_int_equal(notices.sents, 5);
    /* packet by packet all five take turns: after 150 ns the first two have begun */
    notices = notices_of(SLOW "rails=3", 0, 13, 10000, 5, 150000);
    assert_int_equal(notices.waiting, 5);
    assert_int_equal(notices.abandoned, 3);
    assert_int_equal(notices.sents, 2);
    assert_true(notices.delivered_ps > 0);
}

/* ---------------------------------------------------------------- progress */

struct told {
    uint64_t events;
    int calls;
};

static bool note_and_stop(void *context, int64_t now_ps, uint64_t events) {
    (void)now_ps;
    struct told *told = context;
    told->events = events;
    told->calls++;
    return false;
}

/* Progress counts the events of all rails. */
static void progress_counts_the_events_of_all_rails(void **state) {
    (void)state;
    struct network_config config =
        network_world_config(SMALL "routing=minimal rails=3 rail_choice=packet");
    struct network_world world;
    network_world_new(&world, &config, 1);
    for (int64_t i = 0; i < 4096; i++)
        network_world_send(&world, 0, 23, 3000, i * PAUSE);
    struct told told = {0};
    struct network_run_options options = {
        .threads = 1, .progress = note_and_stop, .progress_context = &told};
    struct status status = STATUS_INIT;
    assert_int_equal(network_run(world.network, &options, &status), STATUS_STOPPED);
    status_clear(&status);
    struct network_totals totals;
    network_fill_totals(world.network, &totals);
    assert_int_equal(told.calls, 1);
    assert_int_equal(told.events, totals.events);
    network_world_free(&world);
}

/* The domain of a node follows from the shape alone; it is the node's group in the network. */
static void domains_are_the_groups_of_nodes(void **state) {
    (void)state;
    for (int64_t rails = 1; rails <= 2; rails++) {
        struct network_config config = network_world_config(SMALL "routing=minimal");
        config.rails = rails;
        struct network_world world;
        network_world_new(&world, &config, 1);
        assert_int_equal(network_group_count(world.network), network_config_domains(&config));
        for (uint32_t node = 0; node < network_node_count(world.network); node++)
            assert_int_equal(network_group_number(network_home_of_node(world.network, node)),
                             network_config_domain_of_node(&config, node));
        network_world_free(&world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_take_the_closed_form),
        cmocka_unit_test(messages_and_packets_take_the_rail_of_the_rule),
        cmocka_unit_test(pairs_spread),
        cmocka_unit_test(long_messages_keep_later_ones_to_other_rails),
        cmocka_unit_test(short_messages_stay_in_order),
        cmocka_unit_test(every_policy_and_rule_gives_the_same_digest_on_threads),
        cmocka_unit_test(messages_are_sent_when_all_rails_have_sent),
        cmocka_unit_test(messages_that_have_begun_are_sent_as_a_whole),
        cmocka_unit_test(progress_counts_the_events_of_all_rails),
        cmocka_unit_test(domains_are_the_groups_of_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
