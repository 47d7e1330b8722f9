/*
 * Two-level bit sets: marking is two instructions, visiting in ascending order skips empty words.
 * The sets of what is to be looked at in a time stamp; ascending order makes the visit a simulation
 * fact, whatever the order of marking.
 */
#ifndef ANAX_CORE_BITSET_H
#define ANAX_CORE_BITSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct bitset {
    uint64_t *words;
    uint64_t *summary; /* bit w: words[w] is not 0 */
    uint32_t word_count;
    uint32_t summary_count;
} bitset;

static inline bool bitset_new(bitset *set, uint32_t bits) {
    set->word_count = (bits + 63) / 64 + 1;
    set->summary_count = (set->word_count + 63) / 64;
    set->words = calloc((size_t)set->word_count + set->summary_count, sizeof *set->words);
    set->summary = set->words + set->word_count;
    return set->words != NULL;
}

static inline void bitset_free(bitset *set) {
    free(set->words);
    set->words = NULL;
}

static inline void bitset_add(bitset *set, uint32_t bit) {
    set->words[bit >> 6] |= UINT64_C(1) << (bit & 63);
    set->summary[bit >> 12] |= UINT64_C(1) << ((bit >> 6) & 63);
}

static inline void bitset_remove(bitset *set, uint32_t bit) {
    if ((set->words[bit >> 6] &= ~(UINT64_C(1) << (bit & 63))) == 0)
        set->summary[bit >> 12] &= ~(UINT64_C(1) << ((bit >> 6) & 63));
}

static inline bool bitset_has(const bitset *set, uint32_t bit) {
    return (set->words[bit >> 6] >> (bit & 63)) & 1;
}

/* The smallest bit >= from, or UINT32_MAX. */
static inline uint32_t bitset_next(const bitset *set, uint32_t from) {
    uint32_t word = from >> 6;
    if (word >= set->word_count) return UINT32_MAX;
    uint64_t bits = set->words[word] & (UINT64_MAX << (from & 63));
    if (bits != 0) return word * 64 + (uint32_t)__builtin_ctzll(bits);
    word++;
    uint32_t block = word >> 6;
    if (block >= set->summary_count) return UINT32_MAX;
    uint64_t blocks = set->summary[block] & (UINT64_MAX << (word & 63));
    while (blocks == 0) {
        if (++block >= set->summary_count) return UINT32_MAX;
        blocks = set->summary[block];
    }
    word = block * 64 + (uint32_t)__builtin_ctzll(blocks);
    return word * 64 + (uint32_t)__builtin_ctzll(set->words[word]);
}

/* Takes out the first word that is not empty, with its number; 0 when the set is empty. */
static inline uint64_t bitset_pop_word(bitset *set, uint32_t *word) {
    for (uint32_t block = 0; block < set->summary_count; block++) {
        if (set->summary[block] == 0) continue;
        *word = block * 64 + (uint32_t)__builtin_ctzll(set->summary[block]);
        uint64_t bits = set->words[*word];
        set->words[*word] = 0;
        set->summary[block] &= set->summary[block] - 1;
        return bits;
    }
    return 0;
}

/* Takes out and returns the smallest bit, or UINT32_MAX when empty. */
static inline uint32_t bitset_pop(bitset *set) {
    for (uint32_t block = 0; block < set->summary_count; block++) {
        if (set->summary[block] == 0) continue;
        uint32_t word = block * 64 + (uint32_t)__builtin_ctzll(set->summary[block]);
        uint64_t bits = set->words[word];
        set->words[word] = bits & (bits - 1);
        if (set->words[word] == 0) set->summary[block] &= set->summary[block] - 1;
        return word * 64 + (uint32_t)__builtin_ctzll(bits);
    }
    return UINT32_MAX;
}

#endif
