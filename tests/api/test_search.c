/* Which candidates a stage of a search keeps: fronts against their definition, on random points. */
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
    size_t front[MOST]; /* from 0, by definition */
    size_t count;
};

static bool beats(const struct world *w, size_t a, size_t b) {
    const int64_t cost = w->candidates[a].figures[SEARCH_COST];
    const int64_t other = w->candidates[b].figures[SEARCH_COST];
    if (w->times_ps[a] < 0) return false;
    return cost <= other && w->times_ps[a] <= w->times_ps[b] &&
           (cost < other || w->times_ps[a] < w->times_ps[b]);
}

/* Peels the fronts off one by one. */
static void define_fronts(struct world *w) {
    for (size_t i = 0; i < w->count; i++)
        w->front[i] = SIZE_MAX;
    for (size_t front = 0; front < w->count; front++) {
        bool first[MOST] = {false};
        for (size_t i = 0; i < w->count; i++) {
            if (w->front[i] < front || w->times_ps[i] < 0) continue;
            first[i] = true;
            for (size_t k = 0; k < w->count; k++)
                if (w->front[k] >= front && beats(w, k, i)) first[i] = false;
        }
        for (size_t i = 0; i < w->count; i++)
            if (first[i]) w->front[i] = front;
    }
}

static void make(struct world *w) {
    memset(w, 0, sizeof *w);
    w->count = 1 + draw(MOST - 1);
    const uint32_t costs = 1 + draw(12), times = 1 + draw(12);
    for (size_t i = 0; i < w->count; i++) {
        w->candidates[i].figures[SEARCH_COST] = draw(costs);
        w->times_ps[i] = draw(10) == 0 ? -1 : (int64_t)draw(times);
    }
    define_fronts(w);
}

static void fronts_are_kept_in_order(void **state) {
    (void)state;
    for (int run = 0; run < 2000; run++) {
        struct world w;
        make(&w);
        bool kept[MOST];
        size_t kept_count = 0, first = 0, timed = 0, counted = 0;
        const size_t wanted = draw((uint32_t)w.count + 1);
        assert_int_equal(
            search_keep(kept, &kept_count, w.candidates, w.times_ps, w.count, wanted, NULL),
            STATUS_OK);
        for (size_t i = 0; i < w.count; i++) {
            timed += w.times_ps[i] >= 0;
            first += w.front[i] == 0;
            counted += kept[i];
            assert_true(w.times_ps[i] >= 0 || !kept[i]);
        }
        size_t expected = first > wanted ? first : wanted;
        if (expected > timed) expected = timed;
        assert_int_equal(kept_count, expected);
        assert_int_equal(counted, expected);
        for (size_t i = 0; i < w.count; i++) {
            for (size_t k = 0; k < w.count; k++) {
                if (!kept[i] || kept[k] || w.times_ps[k] < 0) continue;
                assert_true(w.front[i] <= w.front[k]);
                assert_true(w.front[i] < w.front[k] || w.times_ps[i] <= w.times_ps[k]);
            }
        }
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
        cmocka_unit_test(fronts_are_kept_in_order),
        cmocka_unit_test(limits_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
