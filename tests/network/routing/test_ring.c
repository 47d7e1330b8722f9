/* The escape ring of all small shapes, of flattened butterflies, and where no circle passes all
 * routers once. */
#include "network/network_choices.h"
#include "tests/support/network/transit_walk.h"

#include "network/arrangement/arrangement.h"
#include "network/routing/ring.h"

static void rings_of_all_shapes_pass_all_routers(void **state) {
    (void)state;
    unsigned found = 0, circles = 0;
    for (int64_t a = 1; a <= 4; a++) {
        for (int64_t h = 0; h <= 3; h++) {
            for (int64_t g = 1; g <= a * h + 1; g++) {
                for (int32_t i = 0; network_arrangement_names()[i] != NULL; i++) {
                    const int64_t shape[] = {a, h, g};
                    struct network_config config =
                        shaped(shape, i, "routing=ofar ofar.ring=embedded");
                    struct network *network = NULL;
                    struct network_sink sink = {0};
                    struct status status = STATUS_INIT;
                    if (a * g == 1) continue;
                    if (network_new(&network, &config, 1, &sink, &status) != STATUS_OK) {
                        status_clear(&status); /* groups that this arrangement cannot join */
                        continue;
                    }
                    uint32_t length = check_ring(network);
                    circles += length == a * g;
                    assert_true(length == a * g || length == 2 * (a * g - 1));
                    found++;
                    network_free(network);
                    network = NULL;
                    config.ofar_ring = RING_PHYSICAL;
                    assert_int_equal(network_new(&network, &config, 1, &sink, &status), STATUS_OK);
                    assert_int_equal(check_ring(network), a * g);
                    network_free(network);
                }
            }
        }
    }
    assert_true(found > 60);
    assert_true(10 * circles > 9 * found);
}

static void rings_of_flattened_butterflies_pass_all_routers(void **state) {
    (void)state;
    const struct {
        int64_t shape[3];
        const char *group;
    } cases[] = {{{6, 2, 9}, "group.dimensions=3x2"},
                 {{6, 0, 1}, "group.dimensions=2x3"},
                 {{4, 0, 1}, "group.dimensions=2x2"},
                 {{12, 1, 6}, "group.dimensions=2x3x2"},
                 {{8, 0, 1}, "group.dimensions=2x2x2"},
                 {{4, 2, 5}, "group.dimensions=2x2"},
                 {{96, 10, 14}, "group.dimensions=16x6 group.links=1x3"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct network_config config = shaped(cases[i].shape, 0, "routing=ofar ofar.ring=embedded");
        network_world_set(&config, cases[i].group);
        struct network_world world;
        network_world_new(&world, &config, 1);
        check_ring(world.network);
        network_world_free(&world);
    }
}

/* Two groups joined by one link, of routers that have neighbours: no circle passes them all once,
 * so the ring goes there and back. */
static void a_ring_round_a_tree_goes_there_and_back(void **state) {
    (void)state;
    const int64_t shape[] = {3, 2, 2};
    struct network_config config = shaped(shape, 0, "routing=ofar failures.globals=5");
    struct network_world world;
    network_world_new(&world, &config, 1);
    assert_int_equal(check_ring(world.network), 2 * (6 - 1));
    network_world_free(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rings_of_all_shapes_pass_all_routers),
        cmocka_unit_test(rings_of_flattened_butterflies_pass_all_routers),
        cmocka_unit_test(a_ring_round_a_tree_goes_there_and_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
