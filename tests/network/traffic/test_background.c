/* Background traffic: free nodes send to free nodes, as much as is offered, each pattern as it
 * says; and others are left alone. */
#include "network/traffic/background.h"

#include "tests/support/network/network_world.h"

#define COOKIE (UINT64_C(15) << 60)
#define END_PS INT64_C(200000000)

struct listener {
    struct background *background;
    const bool *used;
    const struct network_config *config;
    uint32_t groups_on; /* N of adv+N; 0: any */
    uint64_t delivered;
    uint64_t to_hotspot;
    uint32_t seen_to[4096];
};

static void on_delivered(void *context, struct rail_group *rail_group, int64_t now_ps,
                         const struct network_delivery *delivery) {
    struct listener *listener = context;
    uint32_t size = listener->config->nodes_per_router * listener->config->routers_per_group;
    (void)rail_group, (void)now_ps;
    assert_int_equal(delivery->cookie.word[0], COOKIE);
    assert_false(listener->used[delivery->source_node]);
    assert_false(listener->used[delivery->destination_node]);
    assert_int_not_equal(delivery->source_node, delivery->destination_node);
    if (listener->groups_on > 0)
        assert_int_equal(delivery->destination_node / size,
                         (delivery->source_node / size + listener->groups_on) %
                             listener->config->groups);
    listener->delivered++;
    listener->seen_to[delivery->destination_node]++;
}

static void on_timer(void *context, struct rail_group *rail_group, int64_t now_ps, uint32_t entity,
                     uint64_t data) {
    struct listener *listener = context;
    assert_int_equal(data, 1);
    if (now_ps < END_PS)
        background_handle_timer(listener->background, rail_group, now_ps, entity, data);
    else
        background_abandon(listener->background, rail_group, entity);
}

static struct traffic_config traffic_of(const char *pattern) {
    return (struct traffic_config){.pattern = (char *)pattern,
                                   .burst_messages = 1,
                                   .hotspot_node = 5,
                                   .hotspot_millionths = 300000};
}

static void run(struct listener *listener, const struct network_config *config, const char *pattern,
                int64_t load_millionths, struct background_totals *totals) {
    struct status status = STATUS_INIT;
    struct network *network = NULL;
    struct traffic_config traffic = traffic_of(pattern);
    struct network_sink sink = {.context = listener, .delivered = on_delivered, .timer = on_timer};
    struct network_run_options options = {.threads = 1};
    listener->config = config;
    if (background_new(&listener->background, config, &traffic, load_millionths, listener->used, 1,
                       COOKIE, 1, &status) != STATUS_OK ||
        network_new(&network, config, 1, &sink, &status) != STATUS_OK)
        fail_msg("%s", status.text);
    background_start(listener->background, network);
    if (network_run(network, &options, &status) != STATUS_OK) fail_msg("%s", status.text);
    background_totals_of(listener->background, totals);
    background_free(listener->background);
    network_free(network);
}

/* 72 nodes in 9 groups of 8; every third node and all of group 2 are used. */
static const char shape[] = "nodes_per_router=2 routers_per_group=4 globals_per_router=2 groups=9 "
                            "routing=ugal-l header=0B";

static void mark_used(bool *used) {
    for (uint32_t node = 0; node < 72; node++)
        used[node] = node % 3 == 0 || node / 8 == 2;
}

static void free_nodes_alone_send_and_receive(void **state) {
    (void)state;
    static const char *const patterns[] = {"uniform",    "permutation", "hotspot",
                                           "all-to-all", "bursts",      "adv+1"};
    bool used[72];
    mark_used(used);
    struct network_config config = network_world_config(shape);
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        struct listener listener = {.used = used};
        struct background_totals totals;
        run(&listener, &config, patterns[i], 100000, &totals);
        uint32_t free_nodes = 0;
        for (uint32_t node = 0; node < 72; node++)
            free_nodes += !used[node];
        assert_int_equal(totals.nodes, free_nodes);
        assert_int_equal(listener.delivered, totals.messages);
        assert_true(listener.delivered > 9000);
        /* messages of one packet at a tenth of the channel's bandwidth, within 15 % */
        uint64_t packets = (uint64_t)END_PS *
                           (uint64_t)config.channels[NETWORK_TERMINAL].bandwidth_bytes_per_s /
                           (uint64_t)config.packet_bytes / 1000000000000u;
        uint64_t expected = packets * free_nodes / 10;
        assert_in_range(totals.messages + totals.refused, expected * 85 / 100,
                        expected * 115 / 100);
        if (i == 2) assert_true(listener.seen_to[5] > listener.delivered / 4);
        if (i == 0) /* all free nodes about alike */
            for (uint32_t node = 0; node < 72; node++)
                if (!used[node])
                    assert_in_range(listener.seen_to[node], listener.delivered / free_nodes * 2 / 3,
                                    listener.delivered / free_nodes * 4 / 3 + 1);
    }
}

/* With free nodes in every group adv+N goes exactly N groups on. */
static void adversarial_traffic_keeps_its_distance_in_groups(void **state) {
    (void)state;
    bool used[72];
    for (uint32_t node = 0; node < 72; node++)
        used[node] = node % 4 != 1;
    struct network_config config = network_world_config(shape);
    for (uint32_t distance = 1; distance < 9; distance += 3) {
        char pattern[16];
        snprintf(pattern, sizeof pattern, "adv+%u", distance);
        struct listener listener = {.used = used, .groups_on = distance};
        struct background_totals totals;
        run(&listener, &config, pattern, 50000, &totals);
        for (uint32_t node = 0; node < 72; node++)
            assert_true((listener.seen_to[node] > 0) == !used[node]);
    }
}

/* A hotspot cannot take what all send: nodes refuse, and memory stays bounded. */
static void a_saturated_hotspot_keeps_memory_bounded(void **state) {
    (void)state;
    bool used[72] = {false};
    struct network_config config = network_world_config(shape);
    struct listener listener = {.used = used};
    struct background_totals totals;
    run(&listener, &config, "hotspot", 1000000, &totals);
    assert_true(totals.refused > totals.messages / 4);
}

static void expect_refusal(const char *pattern, const bool *used, const char *expected) {
    struct network_config config = network_world_config(shape);
    struct traffic_config traffic = traffic_of(pattern);
    struct background *background = NULL;
    struct status status = STATUS_INIT;
    assert_int_equal(
        background_new(&background, &config, &traffic, 1000, used, 1, COOKIE, 1, &status),
        STATUS_USAGE);
    if (strstr(status.text, expected) == NULL) fail_msg("%s not in %s", expected, status.text);
    assert_null(background);
    status_clear(&status);
}

static void wrong_patterns_and_loads_are_refused(void **state) {
    (void)state;
    bool used[72] = {false};
    expect_refusal(NULL, used, "background.pattern: no pattern is named ``"); /* set to nothing */
    expect_refusal("unifrom", used, "background.pattern: no pattern is named `unifrom`");
    expect_refusal("adv+9", used, "9 groups");
    used[5] = true;
    expect_refusal("hotspot", used, "node 5, has ranks on it");
    for (uint32_t node = 0; node < 72; node++)
        used[node] = node != 9;
    expect_refusal("uniform", used, "at least 2 nodes without ranks; there is 1");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_nodes_alone_send_and_receive),
        cmocka_unit_test(adversarial_traffic_keeps_its_distance_in_groups),
        cmocka_unit_test(a_saturated_hotspot_keeps_memory_bounded),
        cmocka_unit_test(wrong_patterns_and_loads_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
