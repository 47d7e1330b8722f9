/*
 * What packets occupy on channels: headers, cells, flits and framing. The bytes are counted here
 * flit by flit. The figures of Aries are those of its white paper [Alverson 2012]: a put of 64 B is
 * 14 flits of 48 bit, and links lose 1 flit in 10 to framing.
 */
#include "tests/support/core/dice.h"
#include "tests/support/network/network_world.h"

#include "core/settings/units.h"

/* Bytes with the last flit filled, one flit after the other. */
static int64_t filled(int64_t bytes, int64_t flit) {
    if (flit == 0) flit = 1;
    int64_t flits = 0;
    while (flits * flit < bytes)
        flits++;
    return flits * flit;
}

/* Bytes of a packet, one cell after the other. */
static int64_t counted(const struct network_config *config, int64_t payload) {
    int64_t flit = config->flit_bytes, bytes;
    if (config->cell_bytes == 0) {
        bytes = filled(config->header_bytes + payload, flit);
    } else {
        bytes = filled(config->header_bytes, flit);
        do {
            int64_t cell = payload < config->cell_bytes ? payload : config->cell_bytes;
            bytes += filled(cell + config->cell_header_bytes, flit);
            payload -= cell;
        } while (payload > 0);
    }
    return bytes > 0 ? bytes : 1;
}

static void packets_occupy_header_cells_and_flits(void **state) {
    (void)state;
    for (uint32_t seed = 1; seed <= 300; seed++) {
        struct dice dice = {seed, 1, 0};
        struct network_config config = network_world_config("");
        config.packet_bytes = 1 + dice_below(&dice, 300);
        config.header_bytes = (const int[]){0, 0, 1, 16, 29}[dice_below(&dice, 5)];
        config.cell_bytes = (const int[]){0, 1, 8, 64, 77}[dice_below(&dice, 5)];
        if (config.cell_bytes > 0)
            config.cell_header_bytes = (const int[]){0, 3, 18}[dice_below(&dice, 3)];
        config.flit_bytes = (const int[]){0, 1, 6, 24, 32}[dice_below(&dice, 5)];
        for (int64_t payload = 0; payload <= config.packet_bytes; payload++)
            assert_int_equal(network_config_packet_bytes(&config, payload),
                             counted(&config, payload));
        assert_int_equal(network_config_full_bytes(&config), counted(&config, config.packet_bytes));
        for (int64_t size = 0; size <= 4 * config.packet_bytes; size++) {
            int64_t left = size, bytes = 0;
            do {
                int64_t payload = left < config.packet_bytes ? left : config.packet_bytes;
                bytes += counted(&config, payload);
                left -= payload;
            } while (left > 0);
            assert_true(network_config_message_bytes(&config, (uint64_t)size) == (wide)bytes);
        }
    }
}

static void framing_takes_its_share_of_bandwidth(void **state) {
    (void)state;
    struct network_config config =
        network_world_config("terminal.bandwidth=10GB/s local.bandwidth=10GB/s local.framing=9/10 "
                             "global.bandwidth=25GB/s global.framing=64/66");
    assert_int_equal(network_config_bytes_per_s(&config, NETWORK_TERMINAL), 10000000000);
    assert_int_equal(network_config_bytes_per_s(&config, NETWORK_LOCAL), 9000000000);
    assert_int_equal(network_config_bytes_per_s(&config, NETWORK_GLOBAL), 24242424242);
    network_world_set(&config, "terminal.framing=1/2");
    assert_int_equal(network_config_injection_bytes_per_s(&config), 5000000000);
}

/* A put of 64 B has a header of 3 flits and 11 flits of data. */
#define ARIES                                                                                      \
    "packet=64B cell=64B cell_header=18B flit=6B header=0 local.framing=9/10 global.framing=9/10 " \
    "terminal.bandwidth=100GB/s local.bandwidth=5250MB/s global.bandwidth=4700MB/s "

static void packets_of_aries_have_the_published_flits(void **state) {
    (void)state;
    struct network_config config = network_world_config(ARIES);
    assert_int_equal(network_config_packet_bytes(&config, 64), 14 * 6);
    assert_int_equal(network_config_packet_bytes(&config, 0), 3 * 6); /* a get's request */
    /* 64 B of payload in 14 flits, of which 9 in 10 carry them: 64 / 93.3 */
    int64_t link = config.channels[NETWORK_LOCAL].bandwidth_bytes_per_s;
    int64_t payload_rate = network_config_bytes_per_s(&config, NETWORK_LOCAL) * 64 /
                           network_config_packet_bytes(&config, 64);
    assert_int_equal(payload_rate * 1000 / link, 685);
    assert_int_equal(payload_rate, 3600000000);
}

/* Between two routers of a group, a packet of 64 B takes 84 B at 9/10 of the local channel:
 * 17.777 ns, rounded up to picoseconds. A packet of four cells takes as long as four of one. */
static void a_link_of_aries_takes_the_published_time(void **state) {
    (void)state;
    const char *shape = "nodes_per_router=1 routers_per_group=2 globals_per_router=0 groups=1 "
                        "routing=minimal local.buffer=64KiB terminal.buffer=64KiB ";
    char pairs[600];
    snprintf(pairs, sizeof pairs, "%s%s", ARIES, shape);
    for (int64_t cells = 1; cells <= 4; cells += 3) {
        struct network_config config = network_world_config(pairs);
        config.packet_bytes = 64 * cells;
        struct network_world world;
        network_world_new(&world, &config, 1);
        network_world_send(&world, 0, 1, (uint64_t)(64 * cells), 0);
        network_world_send(&world, 0, 1, (uint64_t)(6400 * cells), INT64_C(1000000000));
        network_world_run(&world, 1);
        assert_int_equal(world.count, 2);
        int64_t one_ps = world.deliveries[0].time_ps;
        int64_t all_ps = world.deliveries[1].time_ps - INT64_C(1000000000);
        /* 84 · 10^12 / 4725 · 10^6 = 17777.78 ps for each cell */
        assert_int_equal(all_ps - one_ps, 99 * (cells == 1 ? 17778 : 71112));
        const struct network_message message = {.destination_node = 1,
                                                .size_bytes = (uint64_t)(6400 * cells)};
        assert_int_equal(network_zero_load_ps(world.network, &message), all_ps);
        struct network_totals totals;
        network_fill_totals(world.network, &totals);
        assert_true(totals.bytes == (wide)(6464 * cells)); /* payload */
        network_world_free(&world);
    }
}

/* Where sizes are rounded, the bytes of a packet do not say its payload. Messages without a cookie
 * are those of synthetic traffic. */
static void payload_is_kept(void **state) {
    (void)state;
    const char *const sizes[] = {"flit=24B",
                                 "flit=24B header=0",
                                 "cell=64B cell_header=18B flit=6B",
                                 "cell=7B",
                                 "cell=8B rails=2 rail_choice=packet flit=16B",
                                 "header=0",
                                 "header=9B rails=2 rail_choice=packet"};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct network_config config = network_world_config(
            "nodes_per_router=1 routers_per_group=2 globals_per_router=1 groups=3 packet=100B");
        network_world_set(&config, sizes[i]);
        for (unsigned threads = 1; threads <= 3; threads++) {
            struct network_world world;
            network_world_new(&world, &config, 1);
            for (uint64_t size = 0; size <= 350; size++) {
                struct network_message message = {.source_node = (uint32_t)(size % 6),
                                                  .destination_node = (uint32_t)((size + 4) % 6),
                                                  .size_bytes = size};
                network_send(network_home_of_node(world.network, message.source_node),
                             (int64_t)size * 1000000, &message);
            }
            network_world_run(&world, threads);
            struct network_totals totals;
            network_fill_totals(world.network, &totals);
            assert_true(totals.bytes == 350 * 351 / 2);
            uint64_t seen = 0;
            for (size_t k = 0; k < world.count; k++)
                seen += world.deliveries[k].delivery.size_bytes;
            if (threads == 1) assert_int_equal(seen, 350 * 351 / 2);
            network_world_free(&world);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packets_occupy_header_cells_and_flits),
        cmocka_unit_test(framing_takes_its_share_of_bandwidth),
        cmocka_unit_test(packets_of_aries_have_the_published_flits),
        cmocka_unit_test(a_link_of_aries_takes_the_published_time),
        cmocka_unit_test(payload_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
