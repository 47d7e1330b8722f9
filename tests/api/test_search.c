/* Which candidates a stage of a search keeps: the front and regrets against their definition, on
 * random points. */
#include "api/search/search_object.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 60 };

static uint64_t state_of_draws = 1;

static uint32_t draw(uint32_t below) {
    state_of_draws = state_of_draws * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state_of_draws >> 33) % below;
}

struct world {
    struct search_candidate candidates[MOST];
    int64_t times_ps[MOST];
    size_t count;
};

static bool beats(const struct world *w, size_t a, size_t b) {
    const int64_t cost = w->candidates[a].figures[SEARCH_COST];
    const int64_t other = w->candidates[b].figures[SEARCH_COST];
    if (w->times_ps[a] < 0) return false;
    return cost <= other && w->times_ps[a] <= w->times_ps[b] &&
           (cost < other || w->times_ps[a] < w->times_ps[b]);
}

static bool is_front(const struct world *w, size_t index) {
    for (size_t i = 0; i < w->count; i++)
        if (w->times_ps[index] < 0 || beats(w, i, index)) return false;
    return true;
}

/* How many times longer a candidate takes than the fastest that costs no more. */
static double regret(const struct world *w, size_t index) {
    int64_t best_ps = w->times_ps[index];
    for (size_t i = 0; i < w->count; i++)
        if (w->times_ps[i] >= 0 && w->times_ps[i] < best_ps &&
            w->candidates[i].figures[SEARCH_COST] <= w->candidates[index].figures[SEARCH_COST])
            best_ps = w->times_ps[i];
    return (double)w->times_ps[index] / (double)best_ps;
}

static void make(struct world *w) {
    memset(w, 0, sizeof *w);
    w->count = 1 + draw(MOST - 1);
    const uint32_t costs = 1 + draw(12), times = 1 + draw(40);
    for (size_t i = 0; i < w->count; i++) {
        w->candidates[i].figures[SEARCH_COST] = draw(costs);
        w->times_ps[i] = draw(10) == 0 ? -1 : (int64_t)(100 + draw(times));
    }
}

static void the_least_regret_is_kept(void **state) {
    (void)state;
    for (int run = 0; run < 2000; run++) {
        struct world w;
        make(&w);
        bool kept[MOST];
        size_t kept_count = 0, first = 0, timed = 0, counted = 0;
        double most = 0, least = 1e9; /* regrets of what is kept and of what is not */
        const size_t wanted = draw((uint32_t)w.count + 1);
        assert_int_equal(
            search_keep(kept, &kept_count, w.candidates, w.times_ps, w.count, wanted, NULL),
            STATUS_OK);
        for (size_t i = 0; i < w.count; i++) {
            timed += w.times_ps[i] >= 0;
            first += is_front(&w, i);
            counted += kept[i];
            assert_true(w.times_ps[i] >= 0 || !kept[i]);
            assert_true(kept[i] || !is_front(&w, i));
            if (w.times_ps[i] < 0) continue;
            const double own = regret(&w, i);
            if (kept[i] && own > most) most = own;
            if (!kept[i] && own < least) least = own;
        }
        assert_int_equal(counted, kept_count);
        assert_true(most <= least);
        assert_true(kept_count >= (wanted < timed ? wanted : timed));
        /* more than was wanted only for the front, or for what is near it */
        if (kept_count > wanted && kept_count > first) {
            assert_true(kept_count <= timed / 2);
            assert_true(most <= 1.05 + 1e-9);
        }
        if (kept_count < timed / 2) assert_true(least > 1.05 - 1e-9);
    }
}

static void limits_are_read(void **state) {
    (void)state;
    const char *const good[] = {"nodes=100:2000", "radix=64", "cost=2.5e5:"};
    const char *const bad[] = {"nodes",     "nodes=",      "nodes=a",  "nodes=1.5", "size=3",
                               "nodes=5:4", "nodes=1:2:3", "cost=-1",  "cost=nan",  "cost=1e30",
                               "radix=0x8", "=4",          "node=100", "nodes =4",  ""};
    struct search_limit limits[SEARCH_FIGURES] = {0};
    assert_int_equal(search_limits_parse(limits, good, 3, NULL), STATUS_OK);
    assert_int_equal(limits[SEARCH_NODES].least, 100);
    assert_int_equal(limits[SEARCH_NODES].most, 2000);
    assert_int_equal(limits[SEARCH_RADIX].least, 0);
    assert_int_equal(limits[SEARCH_RADIX].most, 64);
    assert_int_equal(limits[SEARCH_COST].least, INT64_C(250000000000));
    assert_int_equal(limits[SEARCH_COST].most, INT64_MAX);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct status status = STATUS_INIT;
        memset(limits, 0, sizeof limits);
        assert_int_equal(search_limits_parse(limits, &bad[i], 1, &status), STATUS_USAGE);
        assert_non_null(strstr(status.text, bad[i]));
        status_clear(&status);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_least_regret_is_kept),
        cmocka_unit_test(limits_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
