/* Calibrations: what fitting measurements gave, anax.calibration/1. */
#include "tests/support/check/check_result.h"

#include <string.h>

static bool is_one_of(const char *text, const char *const *list) {
    for (; *list != NULL; list++)
        if (strcmp(text, *list) == 0) return true;
    return false;
}

/* The steps of a setting by message size, in ascending order; none of what was kept. */
static void check_steps(const struct place *setting) {
    struct place steps = place_key(setting, "steps");
    whole before = -1;
    const bool kept = strcmp(place_text(setting, "standing"), "kept") == 0;
    place_that(&steps, (place_count(&steps) == 0) == kept, "steps are of what was fitted");
    for (size_t i = 0; i < place_count(&steps); i++) {
        struct place step = place_item(&steps, i);
        place_at_least(&step, "from_bytes", before + 1, "more than the step before");
        before = place_whole(&step, "from_bytes");
        place_whole(&step, "value");
        if (place_has(&step, "half_interval")) place_whole(&step, "half_interval");
    }
}

static void check_settings(const struct place *result) {
    static const char *const standings[] = {"determined", "divided", "kept", NULL};
    struct place settings = place_key(result, "settings");
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
        check_steps(&setting);
    }
}

static void check_benchmark(const struct place *benchmark) {
    static const char *const kinds[] = {"ping-pong", "stream",    "both ways", "sendrecv",
                                        "exchange",  "allreduce", "other",     NULL};
    struct place rows = place_key(benchmark, "rows");
    const bool used = place_flag(benchmark, "used");
    whole before = -1;
    place_named(benchmark, "name");
    place_named(benchmark, "file");
    place_at_least(benchmark, "line", 1, "the first line");
    place_at_least(benchmark, "pairs", 1, "one pair");
    place_that(benchmark, is_one_of(place_text(benchmark, "kind"), kinds), "kind `%s` is none",
               place_text(benchmark, "kind"));
    place_that(&rows, (place_count(&rows) > 0) == used, "rows are of a benchmark that is used");
    for (size_t i = 0; i < place_count(&rows); i++) {
        struct place row = place_item(&rows, i);
        place_at_least(&row, "bytes", before + 1, "more than the row before");
        before = place_whole(&row, "bytes");
        place_at_least(&row, "measured_ps", 1, "a time");
        place_at_least(&row, "modelled_ps", 1, "a time");
    }
}

void check_calibration(const struct place *result, const char *folder) {
    static const char *const distances[] = {"same-router", "same-group", "other-group", NULL};
    struct place nodes = place_key(result, "nodes"), benchmarks = place_key(result, "benchmarks");
    (void)folder;
    place_named(result, "machine");
    place_that(result, is_one_of(place_text(result, "distance"), distances),
               "distance `%s` is none", place_text(result, "distance"));
    if (place_that(&nodes, place_count(&nodes) == 2, "not two nodes"))
        place_that(&nodes, place_number(&nodes, 0) != place_number(&nodes, 1), "one node, not two");
    check_settings(result);
    place_that(&benchmarks, place_count(&benchmarks) > 0, "no benchmarks");
    for (size_t i = 0; i < place_count(&benchmarks); i++) {
        struct place benchmark = place_item(&benchmarks, i);
        check_benchmark(&benchmark);
    }
}
