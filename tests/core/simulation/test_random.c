/* Counter-based random numbers: the published vectors, the mapping to ranges, and that the streams
 * of seeds, purposes and entities are different ones. */
#include "core/simulation/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Philox4x32-10 of Random123's known answers (file kat_vectors). */
static const struct {
    struct random_block counter;
    uint32_t key0;
    uint32_t key1;
    struct random_block drawn;
} vectors[] = {
    {{{0, 0, 0, 0}}, 0, 0, {{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}}},
    {{{UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX}},
     UINT32_MAX,
     UINT32_MAX,
     {{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}}},
    {{{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}},
     0xa4093822,
     0x299f31d0,
     {{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}},
};

static void philox_gives_the_published_vectors(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        struct random_block drawn =
            random_philox(vectors[i].counter, vectors[i].key0, vectors[i].key1);
        assert_memory_equal(&drawn, &vectors[i].drawn, sizeof drawn);
    }
}

/* A draw is Philox of (counter, entity, purpose) under the seed: what digests of results hang on.
 */
static void draw_is_philox(void **state) {
    (void)state;
    struct random_block counter = {{0x89abcdef, 0x01234567, 42, RANDOM_ARRIVAL}};
    struct random_block expected = random_philox(counter, 0x55667788, 0x11223344);
    struct random_block drawn =
        random_draw(0x1122334455667788, RANDOM_ARRIVAL, 42, 0x0123456789abcdef);
    assert_memory_equal(&drawn, &expected, sizeof drawn);
}

static void streams_of_seeds_and_purposes_differ(void **state) {
    (void)state;
    struct random_block draws[] = {
        random_draw(1, RANDOM_ROUTING, 3, 5),
        random_draw(2, RANDOM_ROUTING, 3, 5),
        random_draw(UINT64_C(1) << 32 | 1, RANDOM_ROUTING, 3, 5),
        random_draw(1, RANDOM_ARRIVAL, 3, 5),
        random_draw(1, RANDOM_ROUTING, 4, 5),
        random_draw(1, RANDOM_ROUTING, 3, 6),
        random_draw(1, RANDOM_ROUTING, 3, UINT64_C(1) << 32 | 5),
    };
    const size_t count = sizeof draws / sizeof *draws;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++)
            assert_memory_not_equal(&draws[i], &draws[j], sizeof *draws);
    }
}

static void below_stays_below(void **state) {
    (void)state;
    const uint32_t bounds[] = {1, 2, 3, 7, 1000, UINT32_C(1) << 31, UINT32_MAX};
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        assert_int_equal(random_below(0, bounds[i]), 0);
        assert_int_equal(random_below(UINT32_MAX, bounds[i]), bounds[i] - 1);
    }
}

/* Chi-square of uniformity for every word of the block. Of `cells` cells the statistic has the mean
 * cells-1 and the variance 2·(cells-1): bounded on both sides at five standard deviations. */
static void below_is_uniform(void **state) {
    (void)state;
    enum { CELLS = 73, DRAWS = 73 * 2000 };
    for (unsigned word = 0; word < 4; word++) {
        uint32_t counts[CELLS] = {0};
        for (uint32_t i = 0; i < DRAWS; i++) {
            struct random_block drawn = random_draw(7, RANDOM_ARRIVAL, i % 100, i / 100);
            counts[random_below(drawn.word[word], CELLS)]++;
        }
        double chi_square = 0;
        for (unsigned cell = 0; cell < CELLS; cell++) {
            double off = counts[cell] - 2000.0;
            chi_square += off * off / 2000.0;
        }
        assert_true(chi_square > 72 - 60 && chi_square < 72 + 60);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(philox_gives_the_published_vectors),
        cmocka_unit_test(draw_is_philox),
        cmocka_unit_test(streams_of_seeds_and_purposes_differ),
        cmocka_unit_test(below_stays_below),
        cmocka_unit_test(below_is_uniform),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
