/*
 * Rounds of visits. A rank may compute before the first or the last visit of each round, and not
 * before the others. A new program with longer rounds copies round by round: the first visits of a
 * round from the first ones, and its last visit from the last one.
 *
 * The length of rounds is not known, but all programs have equally many. The number of rounds is
 * the largest one by which each round of a program computes at the same visits, and by which the
 * rounds of each program have the places of those of the largest one.
 */
#include "traces/extrapolate/laws/fits/series_fits.h"
#include "traces/extrapolate/laws/series_law.h"

enum { MOST_ROUNDS = 64, SMALL = 8 };

/* The visits of one rank, and the longest computation before one of them. */
struct visits {
    size_t first, count;
    int64_t most;
};

/* Sets the visits of the rank whose samples begin at `first`. */
static struct visits visits_at(const struct series_law_data *data, size_t first) {
    const struct series_sample *samples = data->step->samples;
    const struct series_sample *own = &samples[data->samples[first]];
    struct visits visits = {.first = first};
    for (size_t i = first; i < data->count; i++, visits.count++) {
        const struct series_sample *sample = &samples[data->samples[i]];
        if (sample->program != own->program || sample->rank != own->rank) break;
        const int64_t value = law_sample_value(data, i);
        if (value > visits.most) visits.most = value;
    }
    return visits;
}

/* Returns whether a visit has more than a small part of the longest computation. */
static bool is_long(const struct series_law_data *data, const struct visits *visits, size_t visit) {
    return law_sample_value(data, visits->first + visit) > visits->most / SMALL;
}

uint64_t law_rounds_place(uint64_t visit, uint64_t visits, uint64_t known, uint32_t rounds) {
    const uint64_t own = visits / rounds, other = known / rounds;
    const uint64_t round = visit / own, place = visit % own;
    uint64_t copied = 0;
    if (place > 0 && (place + 1 == own || other <= 2))
        copied = other - 1;
    else if (place > 0)
        copied = place < other - 1 ? place : other - 2;
    return round * other + copied;
}

/* Returns whether ranks compute at the places that the visits of another rank give, but for the
 * first visit of all. */
static bool has_places(const struct series_law_data *data, const struct visits *visits,
                       const struct visits *other, uint32_t rounds) {
    for (size_t i = 1; i < visits->count; i++)
        if (is_long(data, visits, i) !=
            is_long(data, other, law_rounds_place(i, visits->count, other->count, rounds)))
            return false;
    return true;
}

/* Returns whether each round has the places of the one before, but for the first visit of all. */
static bool is_repeated(const struct series_law_data *data, const struct visits *visits,
                        uint32_t rounds) {
    const size_t length = visits->count / rounds;
    for (size_t i = 1; i + length < visits->count; i++)
        if (is_long(data, visits, i) != is_long(data, visits, i + length)) return false;
    return true;
}

/* Returns whether ranks have so many rounds. last: a rank of the largest program. */
static bool are_rounds(const struct series_law_data *data, const struct visits *last,
                       uint32_t rounds) {
    struct visits visits;
    for (size_t i = 0; i < data->count; i += visits.count) {
        visits = visits_at(data, i);
        if (visits.count % rounds != 0 || !is_repeated(data, &visits, rounds) ||
            !has_places(data, &visits, last, rounds))
            return false;
    }
    return true;
}

uint32_t law_rounds_find(const struct series_law_data *data, bool *are_unknown) {
    struct visits visits, last = {0};
    bool differ = false, has_short = false, has_none = false;
    *are_unknown = false;
    if (data->what != SERIES_VALUE_COMPUTE || data->levels != 0 || data->step->depth == 0) return 0;
    for (size_t i = 0; i < data->count; i += visits.count) {
        visits = visits_at(data, i);
        differ = differ || (i > 0 && visits.count != last.count);
        for (size_t v = 0; v < visits.count && !has_none; v++) {
            has_short = has_short || !is_long(data, &visits, v);
            has_none = visits.most > 0 && law_sample_value(data, visits.first + v) == 0;
        }
        last = visits;
    }
    if (!differ || !has_short) return 0;
    for (uint32_t rounds = MOST_ROUNDS; rounds > 0; rounds--)
        if (last.count % rounds == 0 && are_rounds(data, &last, rounds)) return rounds;
    *are_unknown = has_none;
    return 0;
}
