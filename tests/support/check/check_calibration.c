/* Calibrations: what fitting measurements gave, anax.calibration/1. */
#include "tests/support/check/check_result.h"

#include <string.h>

static bool is_one_of(const char *text, const char *const *list) {
    for (; *list != NULL; list++)
        if (strcmp(text, *list) == 0) return true;
    return false;
}

/* The steps of a setting by message size, in ascending order, from *next on; none of what was kept.
 * Moves *next behind them. */
static void check_steps(const struct place *steps, const struct place *setting, size_t *next) {
    whole before = -1;
    const bool kept = strcmp(place_text(setting, "standing"), "kept") == 0;
    const size_t first = *next;
    for (; *next < place_count(steps); ++*next) {
        struct place step = place_item(steps, *next);
        if (strcmp(place_text(&step, "setting"), place_text(setting, "name")) != 0) break;
        place_at_least(&step, "from_bytes", before + 1, "more than the step before");
        before = place_whole(&step, "from_bytes");
        place_whole(&step, "value");
        if (place_has(&step, "half_interval")) place_whole(&step, "half_interval");
    }
    place_that(setting, (*next == first) == kept, "steps are of what was fitted");
}

static void check_settings(const struct place *result) {
    static const char *const standings[] = {"determined", "divided", "kept", NULL};
    struct place settings = place_key(result, "settings"), steps = place_key(result, "steps");
    size_t next = 0;
    place_that(&settings, place_count(&settings) > 0, "no settings");
    for (size_t i = 0; i < place_count(&settings); i++) {
        struct place setting = place_item(&settings, i);
        place_named(&setting, "name");
        place_named(&setting, "from");
        place_text(&setting, "value");
        place_that(&setting, is_one_of(place_text(&setting, "standing"), standings),
                   "standing `%s` is none", place_text(&setting, "standing"));
        for (size_t k = 0; k < i; k++) {
            struct place other = place_item(&settings, k);
            place_that(&setting,
                       strcmp(place_text(&other, "name"), place_text(&setting, "name")) != 0,
                       "a setting twice");
        }
        check_steps(&steps, &setting, &next);
    }
    place_that(&steps, next == place_count(&steps), "a step of no setting, or out of order");
}

/* A benchmark and its times, which begin at *next; moves *next behind them. */
static void check_benchmark(const struct place *benchmark, const struct place *times, whole number,
                            size_t *next) {
    static const char *const kinds[] = {"ping-pong", "stream",    "both ways", "sendrecv",
                                        "exchange",  "allreduce", "other",     NULL};
    const size_t first = *next;
    const bool used = place_flag(benchmark, "used");
    whole before = -1;
    place_named(benchmark, "name");
    place_named(benchmark, "file");
    place_at_least(benchmark, "line", 1, "the first line");
    place_at_least(benchmark, "pairs", 1, "one pair");
    place_that(benchmark, is_one_of(place_text(benchmark, "kind"), kinds), "kind `%s` is none",
               place_text(benchmark, "kind"));
    for (; *next < place_count(times); ++*next) {
        struct place row = place_item(times, *next);
        if (place_whole(&row, "benchmark") != number) break;
        place_at_least(&row, "bytes", before + 1, "more than the row before");
        before = place_whole(&row, "bytes");
        place_at_least(&row, "measured_ps", 1, "a time");
        place_at_least(&row, "modelled_ps", 1, "a time");
    }
    place_that(benchmark, (*next > first) == used, "times are of a benchmark that is used");
}

void check_calibration(const struct place *result, const char *folder) {
    static const char *const distances[] = {"same-router", "same-group", "other-group", NULL};
    struct place benchmarks = place_key(result, "benchmarks"), times = place_key(result, "times");
    size_t next = 0;
    (void)folder;
    place_named(result, "machine");
    place_that(result, is_one_of(place_text(result, "distance"), distances),
               "distance `%s` is none", place_text(result, "distance"));
    place_that(result, place_whole(result, "first_node") != place_whole(result, "second_node"),
               "one node, not two");
    check_settings(result);
    place_that(&benchmarks, place_count(&benchmarks) > 0, "no benchmarks");
    for (size_t i = 0; i < place_count(&benchmarks); i++) {
        struct place benchmark = place_item(&benchmarks, i);
        check_benchmark(&benchmark, &times, (whole)i, &next);
    }
    place_that(&times, next == place_count(&times), "a time of no benchmark, or out of order");
}
