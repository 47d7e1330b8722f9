/* How many points of a sweep run at once, and how many threads each of them has. */
#include "api/points/points_at_once.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { LARGE = 32768 }; /* the largest machine of which several points run at once */

static void points_share_the_threads(void **state) {
    (void)state;
    static const struct {
        unsigned threads, points_at_once; /* of the options */
        int64_t nodes;
        size_t count;
        unsigned points, point_threads; /* what follows */
    } rows[] = {
        {8, 0, 72, 100, 8, 1}, /* as many points as threads */
        {8, 0, 72, 3, 3, 2},   /* no more points than there are */
        {8, 0, LARGE, 100, 8, 1},     {8, 0, LARGE + 1, 100, 1, 8}, /* memory for one alone */
        {8, 4, LARGE + 1, 100, 4, 2}, /* unless the caller wants more */
        {2, 4, 72, 100, 4, 1},        /* more points than threads: one thread each */
        {8, 1, 72, 100, 1, 8},        {8, 0, 72, 1, 1, 8},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        anax_options options = ANAX_OPTIONS_INIT;
        unsigned threads = 0;
        options.threads = rows[i].threads;
        options.points_at_once = rows[i].points_at_once;
        assert_int_equal(points_at_once(&options, rows[i].nodes, rows[i].count, &threads),
                         rows[i].points);
        assert_int_equal(threads, rows[i].point_threads);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(points_share_the_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
