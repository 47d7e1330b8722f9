/*
 * Distances of partners that follow from the number of ranks, such as its square root.
 */
#include "traces/extrapolate/laws/law_roots.h"
#include "traces/extrapolate/laws/partners/law_peers.h"
#include "traces/extrapolate/laws/series_law.h"

/* Distances that follow from an extent: some number of it, with one added to it or not, and
 * multiplied or divided. */
static const struct {
    uint32_t root, divisor; /* the root of this power (1: the power of two below), or the extent
                               divided by this number; both 0: log2 */
    bool is_above;
    const char *text;
    int32_t more;
    uint32_t times, by; /* 0 is 1 */
} distances[] = {
    {0, 2, false, "floor(n/2)", 0, 0, 0},
    {2, 0, false, "floor(sqrt n)", 0, 0, 0},
    {2, 0, true, "ceil(sqrt n)", 0, 0, 0},
    {0, 4, false, "floor(n/4)", 0, 0, 0},
    {0, 3, false, "floor(n/3)", 0, 0, 0},
    {3, 0, false, "floor(n^(1/3))", 0, 0, 0},
    {0, 0, false, "floor(log2 n)", 0, 0, 0},
    {0, 0, true, "ceil(log2 n)", 0, 0, 0},
    {0, 8, false, "floor(n/8)", 0, 0, 0},
    {1, 0, false, "the power of two below n", 0, 0, 0},
    /* Alternatives: too rare to be taken. */
    {0, 5, false, "floor(n/5)", 0, 0, 0},
    {0, 6, false, "floor(n/6)", 0, 0, 0},
    {2, 0, false, "(floor(sqrt n) + 1)", 1, 0, 0},
    {2, 0, false, "(floor(sqrt n) - 1)", -1, 0, 0},
    {2, 0, false, "2 floor(sqrt n)", 0, 2, 0},
    {2, 0, false, "ceil(floor(sqrt n)/2)", 1, 0, 2},
    {0, 0, false, "(floor(log2 n) + 1)", 1, 0, 0},
    {1, 0, false, "the power of two below n, halved", 0, 0, 2},
};
enum { DISTANCES = sizeof distances / sizeof *distances, ALTERNATIVE_DISTANCES = 8 };

uint32_t distance_rows(void) {
    return DISTANCES;
}

uint32_t distance_rare_rows(void) {
    return ALTERNATIVE_DISTANCES;
}

bool distance_is_power(uint32_t row) {
    return distances[row].root == 1 && distances[row].by == 0;
}

const char *distance_text(uint32_t row) {
    return distances[row].text;
}

/* Returns a number of the extent, before it is changed. */
static int64_t distance_base(uint32_t row, int64_t extent) {
    const uint32_t power = distances[row].root;
    if (distances[row].divisor > 0) return extent / distances[row].divisor;
    const int64_t logarithm = number_log2((uint64_t)extent);
    if (power == 1) return INT64_C(1) << logarithm;
    const int64_t below = power == 0 ? logarithm : (int64_t)number_root((wide)extent, power);
    const bool is_exact =
        power == 0 ? number_is_power(extent) : number_exact_root((uint32_t)extent, power) > 0;
    return below + (distances[row].is_above && !is_exact);
}

int64_t distance_of(uint32_t row, int64_t extent) {
    const int64_t times = distances[row].times > 0 ? distances[row].times : 1;
    const int64_t by = distances[row].by > 0 ? distances[row].by : 1;
    return (distance_base(row, extent) + distances[row].more) * times / by;
}
