/*
 * Distances of partners that follow from the number of ranks, such as its square root.
 */
#include "traces/extrapolate/laws/law_roots.h"
#include "traces/extrapolate/laws/partners/law_peers.h"
#include "traces/extrapolate/laws/series_law.h"

/* Distances that follow from an extent n: (base + more) x times / by + plus. */
static const struct {
    /* The base: n / divisor, if that is not 0; otherwise the root of this power; root 1: the
     * largest power of two not above n; root 0: log2 n. All are rounded down, or up (is_above). */
    uint32_t root, divisor;
    bool is_above;
    const char *text;
    int32_t more;
    uint32_t times, by; /* 0: 1 */
    int32_t plus;
} distances[] = {
    {.text = "floor(n/2)", .divisor = 2},
    {.text = "floor(sqrt n)", .root = 2},
    {.text = "ceil(sqrt n)", .root = 2, .is_above = true},
    {.text = "floor(n/4)", .divisor = 4},
    {.text = "floor(n/3)", .divisor = 3},
    {.text = "floor(n^(1/3))", .root = 3},
    {.text = "floor(log2 n)"},
    {.text = "ceil(log2 n)", .is_above = true},
    {.text = "floor(n/8)", .divisor = 8},
    {.text = "the power of two below n", .root = 1},
    /* Rare: only alternatives. */
    {.text = "floor(n/5)", .divisor = 5},
    {.text = "floor(n/6)", .divisor = 6},
    {.text = "(floor(sqrt n) + 1)", .root = 2, .more = 1},
    {.text = "(floor(sqrt n) - 1)", .root = 2, .more = -1},
    {.text = "2 floor(sqrt n)", .root = 2, .times = 2},
    {.text = "ceil(floor(sqrt n)/2)", .root = 2, .more = 1, .by = 2},
    {.text = "(floor(log2 n) + 1)", .more = 1},
    {.text = "the power of two below n, halved", .root = 1, .by = 2},
    {.text = "(2 floor(sqrt n) - 1)", .root = 2, .times = 2, .plus = -1},
    {.text = "(2 floor(log2 n) + 1)", .times = 2, .plus = 1},
};
enum { DISTANCES = sizeof distances / sizeof *distances, ALTERNATIVE_DISTANCES = 10 };

uint32_t law_distance_rows(void) {
    return DISTANCES;
}

uint32_t law_distance_rare_rows(void) {
    return ALTERNATIVE_DISTANCES;
}

bool law_distance_is_power(uint32_t row) {
    return distances[row].root == 1 && distances[row].by == 0;
}

const char *law_distance_text(uint32_t row) {
    return distances[row].text;
}

/* Returns the base of a distance. */
static int64_t distance_base(uint32_t row, int64_t extent) {
    const uint32_t power = distances[row].root;
    if (distances[row].divisor > 0) return extent / distances[row].divisor;
    const int64_t logarithm = law_number_log2((uint64_t)extent);
    if (power == 1) return INT64_C(1) << logarithm;
    const int64_t below = power == 0 ? logarithm : (int64_t)law_number_root((wide)extent, power);
    const bool is_exact = power == 0 ? law_number_is_power(extent)
                                     : law_number_exact_root((uint32_t)extent, power) > 0;
    return below + (distances[row].is_above && !is_exact);
}

int64_t law_distance_of(uint32_t row, int64_t extent) {
    const int64_t times = distances[row].times > 0 ? distances[row].times : 1;
    const int64_t by = distances[row].by > 0 ? distances[row].by : 1;
    return (distance_base(row, extent) + distances[row].more) * times / by + distances[row].plus;
}
