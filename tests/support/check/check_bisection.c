/*
 * Bisections: lines follow one another without a gap, meet where they say, and each has a cut into
 * two halves; bounds are in order.
 */
#include "tests/support/check/check_result.h"

#include <string.h>

/* As "5/4", "2" and "inf", whose denominator is 0. */
struct fraction {
    whole numerator, denominator;
};

static struct fraction read_fraction(const struct place *object, const char *key) {
    const char *text = place_text(object, key), *slash = strchr(text, '/');
    struct fraction value = {1, 0};
    char numerator[64];
    if (strcmp(text, "inf") == 0) return value;
    value.denominator = 1;
    snprintf(numerator, sizeof numerator, "%.*s", (int)(slash ? slash - text : 40), text);
    bool good =
        whole_read(numerator, &value.numerator) && value.numerator >= 0 &&
        (slash == NULL || (whole_read(slash + 1, &value.denominator) && value.denominator > 1));
    place_that(object, good, "%s: `%s` is no fraction", key, text);
    return good ? value : (struct fraction){0, 1};
}

/* -1, 0 or 1. */
static int compare(struct fraction one, struct fraction two) {
    whole left = whole_times(one.numerator, two.denominator);
    whole right = whole_times(two.numerator, one.denominator);
    return left < right ? -1 : left > right;
}

/* local + alpha * global; at inf the global links. */
static struct fraction value_of(const struct place *line, struct fraction alpha) {
    whole local = place_whole(line, "local_links"), global = place_whole(line, "global_links");
    if (alpha.denominator == 0) return (struct fraction){global, 1};
    return (struct fraction){whole_times(local, alpha.denominator) +
                                 whole_times(global, alpha.numerator),
                             alpha.denominator};
}

static void check_cut(const struct place *line, whole routers) {
    const char *cut = place_text(line, "cut");
    whole ones = 0, length = (whole)strlen(cut);
    for (const char *at = cut; *at != '\0'; at++) {
        place_that(line, *at == '0' || *at == '1', "cut: `%c` is no side", *at);
        ones += *at == '1';
    }
    whole less = ones < length - ones ? ones : length - ones;
    place_that(line, length == routers, "cut: %s routers, but there are %s", whole_text(length),
               whole_text(routers));
    place_that(line, less == routers / 2, "cut: %s and %s routers are no halves", whole_text(ones),
               whole_text(length - ones));
}

static void check_lines(const struct place *lines, const struct place *machine) {
    size_t count = place_count(lines);
    whole all_local = place_whole(machine, "local_links");
    whole all_global = place_whole(machine, "global_links");
    struct fraction end = {0, 1};
    place_that(lines, count > 0, "no lines");
    for (size_t i = 0; i < count; i++) {
        struct place line = place_item(lines, i);
        struct fraction from = read_fraction(&line, "from_alpha"),
                        to = read_fraction(&line, "to_alpha");
        whole local = place_whole(&line, "local_links");
        whole global = place_whole(&line, "global_links");
        place_at_most(&line, "local_links", all_local, "all local links");
        place_at_most(&line, "global_links", all_global, "all global links");
        check_cut(&line, place_whole(machine, "routers"));
        place_that(&line, compare(from, end) == 0, "it does not begin where the one before ends");
        place_that(&line, compare(from, to) < 0, "it ends before it begins");
        end = to;
        if (i + 1 == count) break;
        struct place next = place_item(lines, i + 1);
        place_that(&line,
                   local < place_whole(&next, "local_links") &&
                       global > place_whole(&next, "global_links"),
                   "the next one has no more local, or no fewer global links");
        place_that(&line, compare(value_of(&line, to), value_of(&next, to)) == 0,
                   "it does not meet the next one");
    }
    place_that(lines, end.denominator == 0, "the last one ends before inf");
}

static void check_points(const struct place *curve, const struct place *lines) {
    struct place points = place_key(curve, "points");
    size_t count = place_count(&points), line_count = place_count(lines);
    bool proven = place_flag(curve, "proven");
    if (!place_that(&points, count == line_count + 1, "%zu for %zu lines", count, line_count))
        return;
    bool all = true;
    for (size_t i = 0; i < count; i++) {
        struct place point = place_item(&points, i),
                     line = place_item(lines, i < line_count ? i : i - 1);
        struct fraction alpha = read_fraction(&point, "alpha");
        struct fraction right = read_fraction(&line, i < line_count ? "from_alpha" : "to_alpha");
        struct fraction lower = read_fraction(&point, "lower"),
                        upper = read_fraction(&point, "upper");
        bool here = place_flag(&point, "proven");
        all = all && here;
        place_that(&point, compare(alpha, right) == 0, "not where lines meet");
        place_that(&point, compare(upper, value_of(&line, alpha)) == 0, "upper is not on the line");
        place_that(&point, compare(lower, upper) <= 0, "lower is above upper");
        place_that(&point, !here || compare(lower, upper) == 0, "proven, but the bounds differ");
    }
    place_that(curve, !proven || all, "proven, but a point is not");
}

/* With the bandwidth of a local link, which is not in the result, it is that times the least value
 * of all lines at machine_alpha. So that bandwidth must be a whole number. */
static void check_bandwidth(const struct place *curve, const struct place *lines) {
    struct fraction alpha = read_fraction(curve, "machine_alpha"), min = {1, 0};
    whole bandwidth = place_whole(curve, "bisection_bytes_per_s");
    for (size_t i = 0; i < place_count(lines); i++) {
        struct place line = place_item(lines, i);
        struct fraction value = value_of(&line, alpha);
        if (compare(value, min) < 0) min = value;
    }
    if (bandwidth == INT64_MAX || min.numerator == 0) return;
    place_that(curve, whole_times(bandwidth, min.denominator) % min.numerator == 0,
               "bisection_bytes_per_s %s is not that of the lines", whole_text(bandwidth));
}

static void check_curve(const struct place *curve) {
    struct place machine = place_key(curve, "machine"), lines = place_key(curve, "lines");
    place_named(&machine, "name");
    place_named(curve, "arrangement");
    place_equals(&machine, "routers",
                 place_whole(&machine, "groups") * place_whole(&machine, "routers_per_group"),
                 "routers of all groups");
    const char *method = place_text(curve, "method");
    bool exact = strcmp(method, "exact") == 0;
    place_that(curve, exact || strcmp(method, "bounds") == 0 || strcmp(method, "search") == 0,
               "`%s` is no method", method);
    place_that(curve, exact == place_flag(curve, "proven"), "%s, but proven or not", method);
    check_lines(&lines, &machine);
    check_points(curve, &lines);
    check_bandwidth(curve, &lines);
    place_whole(curve, "bounds");
    place_millionths(curve, "wall_s");
    place_whole(&machine, "globals_per_router");
}

void check_bisections(const struct place *result, const char *folder) {
    (void)folder;
    if (!place_knows(result, "curves")) {
        check_curve(result);
        return;
    }
    struct place curves = place_key(result, "curves");
    for (size_t i = 0; i < place_count(&curves); i++) {
        struct place curve = place_item(&curves, i);
        check_curve(&curve);
    }
}
