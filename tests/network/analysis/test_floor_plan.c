/* Floors, cables and their prices: by hand, and against every cable listed one by one. */
#include "network/analysis/floor_cables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct floor_config config_of(const char *const *pairs) {
    struct floor_config config;
    struct setting_section section = {floor_setting_rows, floor_setting_count, &config};
    struct settings settings = {&section, 1};
    memset(&config, 0, sizeof config);
    assert_int_equal(settings_set_defaults(&settings, NULL), STATUS_OK);
    for (; pairs != NULL && *pairs != NULL; pairs++)
        assert_int_equal(settings_set_pair(&settings, *pairs, NULL), STATUS_OK);
    return config;
}

/* Abts 2011, Figure 4.4: 0.364 x + 9.71 against 1.4 x + 2.16; the lines cross at 7.55 / 1.036. */
static void cables_cost_what_abts_states(void **state) {
    (void)state;
    struct floor_config config = config_of(NULL);
    assert_int_equal(floor_crossover_mm(&config), 7288);
    assert_false(floor_cable_is_optical(&config, 7287));
    assert_true(floor_cable_is_optical(&config, 7288));
    const struct {
        int64_t length_mm, price; /* of one Gbit/s */
    } cables[] = {
        {0, 2160000}, {1000, 3560000}, {7000, 11960000}, {10000, 13350000}, {100000, 46110000}};
    for (size_t i = 0; i < sizeof cables / sizeof *cables; i++) {
        struct floor_cable_bill bill = {0};
        floor_cable_bill_add(&bill, &config, 3, cables[i].length_mm);
        floor_cable_bill_finish(&bill, 125000000);
        assert_true(bill.price == 3 * cables[i].price);
        assert_int_equal(bill.cables, 3);
        assert_int_equal(bill.length_mm, 3 * cables[i].length_mm);
        assert_int_equal(bill.longest_mm, cables[i].length_mm);
    }
    /* prices are rounded to the nearest microdollar: 2160000 · 8 · 28 / 10^9 = 0.484, of 29: 0.501
     */
    for (int64_t bytes_per_s = 28; bytes_per_s <= 29; bytes_per_s++) {
        struct floor_cable_bill bill = {0};
        floor_cable_bill_add(&bill, &config, 1, 0);
        floor_cable_bill_finish(&bill, bytes_per_s);
        assert_true(bill.price == bytes_per_s - 28);
    }
    config.optical_from_mm = 8000; /* Kim 2008, section 5 */
    assert_false(floor_cable_is_optical(&config, 7999));
    assert_true(floor_cable_is_optical(&config, 8000));
    config.optical_per_metre_microdollars = config.electrical_per_metre_microdollars;
    assert_int_equal(floor_crossover_mm(&config), -1);
    config.optical_fixed_microdollars = config.electrical_fixed_microdollars;
    assert_int_equal(floor_crossover_mm(&config), 0);
}

static void groups_stand_on_the_grid(void **state) {
    (void)state;
    const uint32_t grids[][4] = {{1, 1, 1, 1}, {2, 1, 2, 1},  {4, 1, 2, 2},  {5, 1, 3, 2},
                                 {9, 1, 3, 3}, {10, 1, 4, 3}, {8, 2, 4, 4},  {128, 4, 24, 22},
                                 {1, 4, 2, 2}, {1, 3, 2, 2},  {10, 3, 8, 6}, {256, 2, 24, 22}};
    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
        struct floor_grid grid = floor_grid_of(grids[i][0], grids[i][1]);
        assert_int_equal(grid.cabinets, grids[i][0] * grids[i][1]);
        assert_int_equal(grid.columns, grids[i][2]);
        assert_int_equal(grid.rows, grids[i][3]);
    }
    struct floor_config config = config_of((const char *const[]){"floor.pitch_y=3m", NULL});
    struct floor_grid grid = floor_grid_of(10, 1);
    assert_int_equal(floor_cable_mm(&config, &grid, 3, 3), 1000);
    assert_int_equal(floor_cable_mm(&config, &grid, 0, 9), 1300 + 2 * 3000 + 2000);
    assert_int_equal(floor_cable_mm(&config, &grid, 9, 0), 1300 + 2 * 3000 + 2000);
    assert_int_equal(floor_cable_mm(&config, &grid, 3, 4), 3 * 1300 + 3000 + 2000);
    grid = floor_grid_of(10, 3); /* 4 x 3 blocks of 2 x 2, the last place of each free */
    assert_int_equal(floor_cable_mm(&config, &grid, 0, 2), 3000 + 2000);
    assert_int_equal(floor_cable_mm(&config, &grid, 1, 3), 1300 + 2000);
    assert_int_equal(floor_cable_mm(&config, &grid, 2, 3 * 4), 3000 + 2000);
    assert_int_equal(floor_cable_mm(&config, &grid, 2, 3 * 9 + 1), 3 * 1300 + 3 * 3000 + 2000);
}

/* The same cables on the floor: each has two ends; its way along its row and column is as long as
 * the two cabinets are apart, and nobody runs off the floor. */
static void check_floor(const struct floor_config *config, const struct floor_bill *bill,
                        const struct topology *topology) {
    struct floor_cables floor;
    const struct floor_cable_bill *global = &bill->level[NETWORK_GLOBAL];
    assert_int_equal(floor_cables_find(&floor, config, &bill->grid, topology, NULL), STATUS_OK);
    uint64_t ends = 0, optical = 0, cabinets = 0, inside = global->cables;
    int64_t length_mm = 0, longest_mm = 0, way_mm = 0, paired_mm = 0;
    for (uint32_t i = 0; i < floor.columns * floor.rows; i++) {
        const struct floor_place *place = &floor.places[i];
        const uint32_t x = i % floor.columns, y = i / floor.columns;
        if (place->cabinets > 0) {
            const struct floor_position spot = floor_position_of(&bill->grid, place->cabinet);
            assert_true(spot.x == x && spot.y == y);
        }
        cabinets += place->cabinets;
        ends += place->ends;
        optical += place->optical;
        length_mm += place->length_mm;
        if (place->longest_mm > longest_mm) longest_mm = place->longest_mm;
        assert_true(place->right >= 0 && (place->right == 0 || x + 1 < floor.columns));
        assert_true(place->below >= 0 && (place->below == 0 || y + 1 < floor.rows));
        way_mm += place->right * config->pitch_x_mm + place->below * config->pitch_y_mm;
    }
    assert_int_equal(floor.cabinets_per_side, 1);
    assert_int_equal(cabinets, bill->grid.cabinets);
    assert_int_equal(ends, 2 * global->cables);
    assert_int_equal(optical, 2 * global->optical);
    assert_int_equal(length_mm, 2 * global->length_mm);
    assert_int_equal(longest_mm, global->longest_mm);
    for (uint32_t one = 0; one < floor.cabinets; one++)
        for (uint32_t two = one + 1; two < floor.cabinets; two++) {
            inside -= floor.pairs[one][two].cables;
            paired_mm += (int64_t)floor.pairs[one][two].cables * floor.pairs[one][two].length_mm;
        }
    if (floor.cabinets > 0) {
        const int64_t inside_mm = (int64_t)inside * config->inside_mm;
        assert_int_equal(paired_mm + inside_mm, global->length_mm);
        assert_int_equal(way_mm + (int64_t)(global->cables - inside) * config->overhead_mm +
                             inside_mm,
                         global->length_mm);
    }
    floor_cables_free(&floor);
}

/* By hand: three groups of one router, each joined with both others, on a floor of two columns; on
 * one of 65 columns four cabinets share a place. */
static void ways_of_cables_are_those_by_hand(void **state) {
    (void)state;
    struct floor_config config = config_of(NULL);
    struct network_config network = {.nodes_per_router = 1,
                                     .routers_per_group = 1,
                                     .globals_per_router = 2,
                                     .groups = 3,
                                     .rails = 1};
    struct topology topology;
    struct floor_cables floor;
    assert_int_equal(topology_new(&topology, &network, NULL), STATUS_OK);
    struct floor_grid grid = floor_grid_of(3, 1);
    assert_int_equal(floor_cables_find(&floor, &config, &grid, &topology, NULL), STATUS_OK);
    assert_true(floor.columns == 2 && floor.rows == 2 && floor.cabinets == 3);
    /* 0-1 along the row, 0-2 down column 0, 1-2 along row 0 and down column 0 */
    assert_int_equal(floor.places[0].right, 2);
    assert_int_equal(floor.places[0].below, 2);
    assert_int_equal(floor.places[1].below, 0);
    assert_int_equal(floor.places[1].longest_mm, 2 * 1300 + 2000);
    assert_int_equal(floor.places[3].cabinets, 0);
    assert_int_equal(floor.pairs[1][2].cables, 1);
    floor_cables_free(&floor);
    grid = floor_grid_of(65 * 65, 1);
    assert_int_equal(floor_cables_find(&floor, &config, &grid, &topology, NULL), STATUS_OK);
    assert_true(floor.cabinets_per_side == 2 && floor.columns == 33 && floor.rows == 33 &&
                floor.cabinets == 0);
    assert_int_equal(floor.places[0].cabinets, 4);
    assert_int_equal(floor.places[33 * 33 - 1].cabinets, 1);
    assert_true(floor.places[0].ends == 4 && floor.places[1].ends == 2);
    floor_cables_free(&floor);
    topology_free(&topology);
}

/* Every cable of a machine by itself; cabinets as the settings' help texts say. */
static void check_bill(const char *const *pairs, const int64_t *shape) {
    struct floor_config config = config_of(pairs);
    struct network_config network = {.nodes_per_router = shape[0],
                                     .routers_per_group = shape[1],
                                     .globals_per_router = shape[2],
                                     .groups = shape[3],
                                     .rails = 1};
    for (int kind = 0; kind < NETWORK_CHANNEL_KINDS; kind++)
        network.channels[kind].bandwidth_bytes_per_s = 125000000 * (kind + 1);
    struct topology topology;
    assert_int_equal(topology_new(&topology, &network, NULL), STATUS_OK);
    struct floor_bill bill;
    assert_int_equal(floor_bill_make(&bill, &config, &network, &topology, NULL), STATUS_OK);
    uint32_t a = topology.routers_per_group, h = topology.globals_per_router,
             routers = a * topology.groups;
    uint32_t *cabinet = calloc(routers, sizeof *cabinet), last = 0;
    assert_non_null(cabinet);
    for (uint32_t r = 0; r < routers; r++) {
        cabinet[r] = r / a / (uint32_t)config.groups_per_cabinet;
        if (config.cabinets_per_group > 1)
            cabinet[r] = r / a * (uint32_t)config.cabinets_per_group +
                         r % a * (uint32_t)config.cabinets_per_group / a;
        last = cabinet[r];
    }
    assert_int_equal(bill.grid.cabinets, last + 1);
    struct floor_cable_bill expected[NETWORK_CHANNEL_KINDS] = {{0}};
    floor_cable_bill_add(&expected[NETWORK_TERMINAL], &config,
                         routers * topology.endpoints_per_router, config.inside_mm);
    for (uint32_t one = 0; one < routers; one++) {
        for (uint32_t two = one + 1; two < routers; two++) {
            int64_t length = floor_cable_mm(&config, &bill.grid, cabinet[one], cabinet[two]);
            if (one / a == two / a)
                floor_cable_bill_add(&expected[NETWORK_LOCAL], &config, 1, length);
            for (uint32_t k = 0; k < h; k++) {
                uint32_t end = topology.link_peers[one * h + k];
                if (end != TOPOLOGY_UNCONNECTED && end / h == two)
                    floor_cable_bill_add(&expected[NETWORK_GLOBAL], &config, 1, length);
            }
        }
    }
    __int128 sum = 0;
    for (int kind = 0; kind < NETWORK_CHANNEL_KINDS; kind++) {
        floor_cable_bill_finish(&expected[kind], network.channels[kind].bandwidth_bytes_per_s);
        const struct floor_cable_bill *made = &bill.level[kind];
        assert_int_equal(made->cables, expected[kind].cables);
        assert_int_equal(made->optical, expected[kind].optical);
        assert_int_equal(made->length_mm, expected[kind].length_mm);
        assert_int_equal(made->longest_mm, expected[kind].longest_mm);
        assert_true(made->price == expected[kind].price);
        sum += made->price;
    }
    assert_true(bill.cable_price_microdollars == sum);
    int64_t gbits = shape[0] + 2 * (shape[1] - 1) + 3 * shape[2];
    assert_int_equal(bill.router_price_microdollars,
                     routers * (config.router_price_microdollars +
                                gbits * config.router_price_bandwidth_microdollars));
    check_floor(&config, &bill, &topology);
    free(cabinet);
    topology_free(&topology);
}

static void bills_are_those_of_all_cables_one_by_one(void **state) {
    (void)state;
    const int64_t shapes[][4] = {{2, 4, 2, 9}, {3, 7, 3, 11}, {1, 3, 0, 1}, {2, 5, 2, 4}};
    static const char *const floors[][4] = {
        {NULL},
        {"floor.groups_per_cabinet=3", "floor.pitch_x=4m", "floor.overhead=1m", NULL},
        {"floor.cabinets_per_group=3", "floor.pitch_y=2.5m", "price.router=390", NULL},
        {"floor.cabinets_per_group=2", "floor.optical_from=4m", "price.router_bandwidth=1.5", NULL},
    };
    for (size_t f = 0; f < sizeof floors / sizeof *floors; f++) {
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
            check_bill(floors[f], shapes[s]);
    }
}

static void contradictory_floors_are_refused(void **state) {
    (void)state;
    struct status status = STATUS_INIT;
    struct floor_config config = config_of(
        (const char *const[]){"floor.groups_per_cabinet=2", "floor.cabinets_per_group=2", NULL});
    assert_int_equal(floor_config_check(&config, 8, &status), STATUS_USAGE);
    assert_non_null(strstr(status.text, "one of them must be 1"));
    config.groups_per_cabinet = 1;
    assert_int_equal(floor_config_check(&config, 1, &status), STATUS_USAGE);
    assert_non_null(strstr(status.text, "a group has only 1 routers"));
    status_clear(&status);
    assert_int_equal(floor_config_check(&config, 2, NULL), STATUS_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cables_cost_what_abts_states),
        cmocka_unit_test(groups_stand_on_the_grid),
        cmocka_unit_test(bills_are_those_of_all_cables_one_by_one),
        cmocka_unit_test(ways_of_cables_are_those_by_hand),
        cmocka_unit_test(contradictory_floors_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
