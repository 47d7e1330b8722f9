/*
 * Two-level bit sets. Adding a bit takes few instructions, and visiting the bits in ascending order
 * skips empty words. The simulation keeps pending work of a time stamp in bit sets: the order of
 * visits does not depend on the order of adding.
 */
#ifndef ANAX_CORE_BITSET_H
#define ANAX_CORE_BITSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct bitset {
    uint64_t *words;
    uint64_t *summary; /* bit w is set if words[w] is not 0 */
    uint32_t word_count;
    uint32_t summary_count;
    uint32_t filled; /* words of the summary that are not 0 */
};

/* Makes an empty set for the bits 0 … bits-1. Returns false if out of memory. */
static inline bool bitset_new(struct bitset *set, uint32_t bits) {
    set->word_count = (bits + 63) / 64 + 1;
    set->summary_count = (set->word_count + 63) / 64;
    set->words = calloc((size_t)set->word_count + set->summary_count, sizeof *set->words);
    set->summary = set->words + set->word_count;
    set->filled = 0;
    return set->words != NULL;
}

/* Frees a set. */
static inline void bitset_free(struct bitset *set) {
    free(set->words);
    set->words = NULL;
}

/* Adds a bit; adding it again has no effect. */
static inline void bitset_add(struct bitset *set, uint32_t bit) {
    uint64_t *summary = &set->summary[bit >> 12];
    set->filled += *summary == 0;
    set->words[bit >> 6] |= UINT64_C(1) << (bit & 63);
    *summary |= UINT64_C(1) << ((bit >> 6) & 63);
}

/* Returns whether no bit is set. */
static inline bool bitset_is_empty(const struct bitset *set) {
    return set->filled == 0;
}

/* Returns the index of the first summary word that is not 0. The set must not be empty. */
static inline uint32_t bitset_first_summary(const struct bitset *set) {
    uint32_t block = 0;
    while (set->summary[block] == 0)
        block++;
    return block;
}

/* Removes and returns the first word that is not empty. *word: its index. Returns 0 if the set is
 * empty. */
static inline uint64_t bitset_pop_word(struct bitset *set, uint32_t *word) {
    if (bitset_is_empty(set)) return 0;
    uint32_t block = bitset_first_summary(set);
    uint64_t *summary = &set->summary[block];
    *word = block * 64 + (uint32_t)__builtin_ctzll(*summary);
    *summary &= *summary - 1;
    set->filled -= *summary == 0;
    uint64_t bits = set->words[*word];
    set->words[*word] = 0;
    return bits;
}

/* Removes and returns the smallest bit; UINT32_MAX if the set is empty. */
static inline uint32_t bitset_pop(struct bitset *set) {
    if (bitset_is_empty(set)) return UINT32_MAX;
    uint32_t block = bitset_first_summary(set);
    uint64_t *summary = &set->summary[block];
    uint32_t word = block * 64 + (uint32_t)__builtin_ctzll(*summary);
    uint64_t bits = set->words[word];
    set->words[word] = bits & (bits - 1);
    if (set->words[word] == 0) {
        *summary &= *summary - 1;
        set->filled -= *summary == 0;
    }
    return word * 64 + (uint32_t)__builtin_ctzll(bits);
}

#endif
