/* Roots and logarithms of whole numbers. */
#include "traces/extrapolate/laws/law_roots.h"
#include "traces/extrapolate/laws/series_law.h"

uint64_t law_number_root(wide number, unsigned power) {
    uint64_t root = 0;
    unsigned bits = 0;
    while (bits < 127 && number >> bits > 0)
        bits++;
    /* The highest bit of the root is bit number bits / power at most. So the product below has
     * bits + power bits at most, and fits into 128. */
    for (int bit = (int)(bits / power); bit >= 0; bit--) {
        const uint64_t next = root | UINT64_C(1) << bit;
        wide product = 1;
        for (unsigned i = 0; i < power; i++)
            product *= next;
        if (product <= number) root = next;
    }
    return root;
}

int64_t law_number_exact_root(uint32_t number, unsigned power) {
    const uint64_t root = law_number_root(number, power);
    uint64_t product = 1;
    for (unsigned i = 0; i < power; i++)
        product *= root;
    return product == number ? (int64_t)root : 0;
}

int64_t law_number_log2(uint64_t number) {
    return number == 0 ? -1 : 63 - __builtin_clzll(number);
}
