/* The table of channels that the messages of a chain waited for. */
#include "replay/engine/causes/chain_channels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Adds a wait for the channel from router `router` to node 7. */
static void add(int64_t *table, uint32_t router, int64_t wait_ps) {
    struct chain_message message = {.source_node = 3, .destination_node = 7};
    message.parts.route.count = 1;
    message.parts.route.routers[0] = router;
    message.parts.waits.waits_ps[0] = wait_ps;
    message.parts.waits.kinds[0] = NETWORK_TERMINAL;
    chain_channels_add(table, &message);
}

static int64_t time_of(const int64_t *table, chain_channel_kind sort, uint32_t source) {
    struct chain_channel channels[CHAIN_CHANNELS];
    uint32_t count = chain_channels_list(table, channels);
    for (uint32_t i = 0; i < count; i++)
        if (chain_channel_kind_of(channels[i].key) == sort &&
            chain_channel_source(channels[i].key) == source)
            return channels[i].time_ps;
    return 0;
}

static void few_channels_are_exact(void **state) {
    (void)state;
    int64_t table[CHAIN_CHANNEL_VALUES] = {0};
    for (uint32_t round = 1; round <= 3; round++)
        for (uint32_t router = 0; router < CHAIN_CHANNELS; router++)
            add(table, router, router * round);
    for (uint32_t router = 1; router < CHAIN_CHANNELS; router++)
        assert_int_equal(time_of(table, CHAIN_EJECTION, router), 6 * router);
}

static void many_channels_lose_at_most_a_share(void **state) {
    (void)state;
    enum { ROUTERS = 500 };
    int64_t table[CHAIN_CHANNEL_VALUES] = {0}, exact[ROUTERS] = {0}, sum = 0;
    uint32_t random = 12345;
    for (int i = 0; i < 20000; i++) {
        random = random * 1664525u + 1013904223u;
        const uint32_t any = random >> 8 & 1 ? (random >> 16) % 10 : (random >> 16) % ROUTERS;
        const int64_t wait_ps = random >> 20 & 255;
        exact[any] += wait_ps;
        sum += wait_ps;
        add(table, any, wait_ps);
    }
    for (uint32_t router = 0; router < ROUTERS; router++) {
        const int64_t time_ps = time_of(table, CHAIN_EJECTION, router);
        assert_true(time_ps <= exact[router]);
        assert_true(exact[router] - time_ps <= sum / (CHAIN_CHANNELS + 1));
    }
    assert_true(time_of(table, CHAIN_EJECTION, 0) > 0);
}

static void each_channel_of_a_route(void **state) {
    (void)state;
    int64_t table[CHAIN_CHANNEL_VALUES] = {0};
    struct chain_message message = {.source_node = 3, .destination_node = 7};
    struct network_time_parts *parts = &message.parts;
    parts->nic_waiting_ps = 50;
    parts->receiver_waiting_ps = 20;
    parts->route = (struct network_route){.count = 3, .routers = {11, 12, 13}};
    parts->waits = (struct network_waits){
        .waits_ps = {1, 2, 4}, .kinds = {NETWORK_LOCAL, NETWORK_GLOBAL, NETWORK_TERMINAL}};
    chain_channels_add(table, &message);
    assert_int_equal(time_of(table, CHAIN_NIC_WAITS, 3), 30);
    assert_int_equal(time_of(table, CHAIN_NIC_WAITS, 7), 20);
    assert_int_equal(time_of(table, CHAIN_LOCAL, 11), 1);
    assert_int_equal(time_of(table, CHAIN_GLOBAL, 12), 2);
    assert_int_equal(time_of(table, CHAIN_EJECTION, 13), 4);
    struct chain_channel channels[CHAIN_CHANNELS];
    assert_int_equal(chain_channels_list(table, channels), 5);
    for (uint32_t i = 0; i < 5; i++)
        if (chain_channel_kind_of(channels[i].key) == CHAIN_LOCAL)
            assert_int_equal(chain_channel_destination(channels[i].key), 12);
        else if (chain_channel_kind_of(channels[i].key) == CHAIN_EJECTION)
            assert_int_equal(chain_channel_destination(channels[i].key), 7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_channels_are_exact),
        cmocka_unit_test(many_channels_lose_at_most_a_share),
        cmocka_unit_test(each_channel_of_a_route),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
