/* Time bins against a list of what was added, divided among bins of the final width. */
#include "core/simulation/time_bins.h"

#include "tests/support/core/dice.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include <cmocka.h>

enum { BINS = 7, SERIES = 3, SPANS_MAX = 60 };

struct span {
    uint32_t series;
    int64_t from_ps, to_ps;
    int64_t amount; /* 0: the span; otherwise an amount at from_ps */
};

static void add(struct time_bins *bins, const struct span *span) {
    if (span->amount != 0)
        time_bins_add(bins, span->series, span->from_ps, span->amount);
    else
        time_bins_add_span(bins, span->series, span->from_ps, span->to_ps);
}

static int64_t sum_of(const struct span *spans, uint32_t count, uint32_t series, int64_t from_ps,
                      int64_t to_ps) {
    int64_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (spans[i].series != series) continue;
        int64_t begin = spans[i].from_ps > from_ps ? spans[i].from_ps : from_ps;
        int64_t end = spans[i].to_ps < to_ps ? spans[i].to_ps : to_ps;
        if (spans[i].amount != 0)
            sum += begin == spans[i].from_ps && begin < to_ps ? spans[i].amount : 0;
        else if (begin < end)
            sum += end - begin;
    }
    return sum;
}

static void expect_bins(const struct time_bins *bins, const struct span *spans, uint32_t count) {
    for (uint32_t series = 0; series < SERIES; series++)
        for (uint32_t bin = 0; bin < BINS; bin++)
            assert_int_equal(
                bins->sums[series * BINS + bin],
                sum_of(spans, count, series, bin * bins->width_ps, (bin + 1) * bins->width_ps));
}

static void bins_are_those_of_their_final_width(void **state) {
    (void)state;
    struct status status = STATUS_INIT;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        struct dice dice = {.seed = (uint32_t)seed};
        struct span spans[SPANS_MAX];
        struct time_bins bins, back, halves[2];
        assert_int_equal(time_bins_new(&bins, BINS, SERIES, &status), STATUS_OK);
        assert_int_equal(time_bins_new(&back, BINS, SERIES, &status), STATUS_OK);
        assert_int_equal(time_bins_new(&halves[0], BINS, SERIES, &status), STATUS_OK);
        assert_int_equal(time_bins_new(&halves[1], BINS, SERIES, &status), STATUS_OK);
        uint32_t count = dice_below(&dice, SPANS_MAX) + 1, scale = dice_below(&dice, 20);
        int64_t last_ps = 0;
        for (uint32_t i = 0; i < count; i++) {
            int64_t from_ps = (int64_t)dice_below(&dice, 5000) << scale;
            spans[i] = (struct span){.series = dice_below(&dice, SERIES),
                                     .from_ps = from_ps,
                                     .to_ps = from_ps + ((int64_t)dice_below(&dice, 900) << scale)};
            if (dice_below(&dice, 3) == 0) spans[i].amount = dice_below(&dice, 1000) + 1;
            int64_t end_ps = spans[i].amount != 0 ? from_ps + 1 : spans[i].to_ps;
            bool counts = spans[i].amount != 0 || spans[i].to_ps > from_ps;
            if (counts && end_ps > last_ps) last_ps = end_ps;
            add(&bins, &spans[i]);
            add(&halves[dice_below(&dice, 2)], &spans[i]);
            expect_bins(&bins, spans, i + 1);
        }
        for (uint32_t i = count; i-- > 0;)
            add(&back, &spans[i]);
        time_bins_merge(&halves[0], &halves[1]);
        int64_t width_ps = TIME_BINS_FIRST_PS;
        while (width_ps * BINS < last_ps)
            width_ps *= 2;
        assert_int_equal(bins.width_ps, width_ps);
        assert_int_equal(back.width_ps, width_ps);
        assert_int_equal(halves[0].width_ps, width_ps);
        assert_memory_equal(bins.sums, back.sums, sizeof(int64_t) * BINS * SERIES);
        assert_memory_equal(bins.sums, halves[0].sums, sizeof(int64_t) * BINS * SERIES);
        time_bins_free(&bins);
        time_bins_free(&back);
        time_bins_free(&halves[0]);
        time_bins_free(&halves[1]);
    }
}

/* A span that ends where the last bin ends lies in the bins that are there; an instant at this time
 * does not. */
static void the_end_of_the_last_bin_is_beyond_it(void **state) {
    (void)state;
    const int64_t end_ps = BINS * (int64_t)TIME_BINS_FIRST_PS;
    struct status status = STATUS_INIT;
    struct time_bins bins;
    assert_int_equal(time_bins_new(&bins, BINS, SERIES, &status), STATUS_OK);
    time_bins_add_span(&bins, 0, end_ps - 1, end_ps);
    assert_int_equal(bins.width_ps, TIME_BINS_FIRST_PS);
    assert_int_equal(bins.sums[BINS - 1], 1);
    time_bins_add_span(&bins, 0, 5 * end_ps, 5 * end_ps); /* an empty span has no place */
    assert_int_equal(bins.width_ps, TIME_BINS_FIRST_PS);
    time_bins_add(&bins, 0, end_ps, 7);
    assert_int_equal(bins.width_ps, 2 * TIME_BINS_FIRST_PS);
    assert_int_equal(bins.sums[BINS / 2], 8); /* bins 6 and 7 of the first width */
    time_bins_free(&bins);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(bins_are_those_of_their_final_width),
                                       cmocka_unit_test(the_end_of_the_last_bin_is_beyond_it)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
