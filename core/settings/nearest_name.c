/*
 * Nearest names by the optimal string alignment distance: Levenshtein's insertions, deletions and
 * substitutions, and Damerau's swaps of neighbours. Ignores case. Invariant: only names shorter
 * than LENGTH_LIMIT are compared, so no input makes this slow.
 */
#include "core/settings/nearest_name.h"

#include <ctype.h>
#include <string.h>

#define LENGTH_LIMIT 96

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

static int lower_case(char letter) {
    return tolower((unsigned char)letter);
}

/* row[i % 3][j]: the distance between the first i letters of a and the first j letters of b. */
static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length) {
    size_t row[3][LENGTH_LIMIT];
    for (size_t j = 0; j <= b_length; j++)
        row[0][j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        size_t *now = row[i % 3], *before = row[(i + 2) % 3], *two_before = row[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            size_t changed = before[j - 1] + (lower_case(a[i - 1]) != lower_case(b[j - 1]));
            now[j] = smaller(changed, 1 + smaller(before[j], now[j - 1]));
            if (i > 1 && j > 1 && lower_case(a[i - 1]) == lower_case(b[j - 2]) &&
                lower_case(a[i - 2]) == lower_case(b[j - 1]))
                now[j] = smaller(now[j], two_before[j - 2] + 1);
        }
    }
    return row[a_length % 3][b_length];
}

struct nearest_name nearest_name_begin(const char *wrong) {
    size_t allowed = strlen(wrong) / 4;
    struct nearest_name search = {wrong, NULL, (allowed > 2 ? allowed : 2) + 1};
    return search;
}

void nearest_name_offer(struct nearest_name *search, const char *candidate) {
    size_t wrong_length = strlen(search->wrong), length = strlen(candidate);
    if (wrong_length >= LENGTH_LIMIT || length >= LENGTH_LIMIT) return;
    size_t found = distance(search->wrong, wrong_length, candidate, length);
    if (found >= search->distance || found >= length) return;
    search->distance = found;
    search->name = candidate;
}
