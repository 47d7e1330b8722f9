/*
 * Hashing of contents: equal words give equal hashes on every machine. Not cryptographic. Knows
 * nothing of what it hashes.
 */
#ifndef ANAX_TRACES_CONTENT_HASH_H
#define ANAX_TRACES_CONTENT_HASH_H

#include "core/digest.h"

#include <stddef.h>
#include <stdint.h>

/* The one of programs' hashes: they stand in program files, so it stays. */
static inline uint64_t content_hash_mix(uint64_t word) {
    return digest_shuffle(word, 32, UINT64_C(0xD6E8FEB86659FD93), 29, DIGEST_GOLDEN, 32);
}

/* Takes one more word into a running hash; the order of words matters. */
static inline uint64_t content_hash_add(uint64_t hash, uint64_t word) {
    return content_hash_mix(hash + DIGEST_GOLDEN + content_hash_mix(word));
}

/* The two halves of the product, one upon the other (as in wyhash: Wang Yi, Modern
 * Non-Cryptographic Hash Function, 2019). */
static inline uint64_t content_hash_fold(uint64_t left, uint64_t right) {
    unsigned __int128 product = (unsigned __int128)left * right;
    return (uint64_t)(product >> 64) ^ (uint64_t)product;
}

/* Takes three words at once, several times as fast as one by one. They become one word, for which
 * the step of the running hash is a bijection: so what was different stays different. */
static inline uint64_t content_hash_add3(uint64_t hash, uint64_t first, uint64_t second,
                                         uint64_t third) {
    uint64_t word = content_hash_fold(first ^ UINT64_C(0xA0761D6478BD642F),
                                      second ^ UINT64_C(0xE7037ED1A0B428DB));
    word = content_hash_fold(word ^ UINT64_C(0x8EBC6AF09C88C6E3),
                             third ^ UINT64_C(0x589965CC75374CC3));
    hash = (hash ^ word) * DIGEST_GOLDEN;
    return hash ^ hash >> 32;
}

static inline uint64_t content_hash_words32(uint64_t hash, const uint32_t *words, size_t count) {
    hash = content_hash_add(hash, count);
    for (size_t i = 0; i < count; i++)
        hash = content_hash_add(hash, words[i]);
    return hash;
}

static inline uint64_t content_hash_words64(uint64_t hash, const uint64_t *words, size_t count) {
    hash = content_hash_add(hash, count);
    for (size_t i = 0; i < count; i++)
        hash = content_hash_add(hash, words[i]);
    return hash;
}

static inline uint64_t content_hash_text(uint64_t hash, const char *text) {
    for (; *text != '\0'; text++)
        hash = content_hash_add(hash, (unsigned char)*text);
    return content_hash_add(hash, 0);
}

#endif
