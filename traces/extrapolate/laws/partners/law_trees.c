/*
 * Trees and exchanges in rounds: parents and children in k-nomial trees, and the rounds of
 * iterations in bitonic sorts and in halving that is followed by doubling.
 */
#include "traces/extrapolate/laws/law_roots.h"
#include "traces/extrapolate/laws/partners/law_peers.h"
#include "traces/extrapolate/laws/series_law.h"

int64_t law_number_rounds(int64_t ranks) {
    return ranks < 2 ? 1 : law_number_log2((uint64_t)ranks - 1) + 1;
}

/* In a k-nomial tree, rank r has the children r + j k^i, with 0 < j < k and k^i below the last
 * digit of r, in base k, that is not 0. */
int64_t law_tree_child(int64_t ranks, int64_t rank, int64_t radix, int64_t number) {
    for (int64_t step = 1; rank + step < ranks && rank % (step * radix) == 0; step *= radix)
        for (int64_t j = 1; j < radix && rank + j * step < ranks; j++)
            if (number-- == 0) return rank + j * step;
    return -1;
}

int64_t law_tree_child_count(int64_t ranks, int64_t rank, int64_t radix) {
    int64_t count = 0;
    while (law_tree_child(ranks, rank, radix, count) >= 0)
        count++;
    return count;
}

int64_t law_tree_child_by_level(int64_t ranks, int64_t rank, int64_t radix, int64_t number) {
    int64_t step = 1;
    while (rank + step * radix < ranks && rank % (step * radix * radix) == 0)
        step *= radix;
    for (; step > 0; step /= radix)
        for (int64_t j = 1; j < radix && rank + j * step < ranks; j++)
            if (rank % (step * radix) == 0 && number-- == 0) return rank + j * step;
    return -1;
}

int64_t law_tree_parent(int64_t rank, int64_t radix) {
    if (rank == 0) return -1;
    int64_t step = 1;
    while (rank / step % radix == 0)
        step *= radix;
    return rank - rank / step % radix * step;
}

int64_t law_tree_size(int64_t ranks, int64_t rank) {
    const int64_t below = rank == 0 ? ranks : rank & -rank, rest = ranks - rank;
    return below < rest ? below : rest;
}

int64_t law_round_up_and_down(int64_t index, int64_t rounds) {
    const int64_t place = index % (2 * rounds);
    return place < rounds ? place : 2 * rounds - 1 - place;
}

int64_t law_round_of_stages(int64_t index, int64_t rounds) {
    int64_t place = index % (rounds * (rounds + 1) / 2), stage = 0;
    while (place > stage)
        place -= ++stage;
    return stage - place;
}

int64_t law_round_blocks(int64_t ranks, int64_t round) {
    const int64_t bit = INT64_C(1) << round, whole = ranks / (2 * bit) * bit;
    const int64_t rest = ranks % (2 * bit) - bit;
    return whole + (rest > 0 ? rest : 0);
}
