/*
 * Hashes of contents. Equal words have equal hashes on every computer. The hashes are not
 * cryptographic. Knows nothing of what it hashes.
 */
#ifndef ANAX_TRACES_CONTENT_HASH_H
#define ANAX_TRACES_CONTENT_HASH_H

#include "core/base/digest.h"

#include <stddef.h>
#include <stdint.h>

/* Returns the mixed word of hashes of programs. These are in program files, so the constants stay.
 */
static inline uint64_t content_hash_mix(uint64_t word) {
    return digest_shuffle(word, 32, UINT64_C(0xD6E8FEB86659FD93), 29, DIGEST_GOLDEN, 32);
}

/* Adds a word to a running hash. The order of words matters. */
static inline uint64_t content_hash_add(uint64_t hash, uint64_t word) {
    return content_hash_mix(hash + DIGEST_GOLDEN + content_hash_mix(word));
}

/* Returns the exclusive or of the two halves of the product (as in wyhash: Wang Yi, Modern
 * Non-Cryptographic Hash Function, 2019). */
static inline uint64_t content_hash_fold(uint64_t left, uint64_t right) {
    unsigned __int128 product = (unsigned __int128)left * right;
    return (uint64_t)(product >> 64) ^ (uint64_t)product;
}

/* Adds three words to a running hash at once, several times as fast as one by one. The function
 * first makes one word of the three. For a fixed word the step is a bijection of the running hash,
 * so different hashes stay different. */
static inline uint64_t content_hash_add3(uint64_t hash, uint64_t first, uint64_t second,
                                         uint64_t third) {
    uint64_t word = content_hash_fold(first ^ UINT64_C(0xA0761D6478BD642F),
                                      second ^ UINT64_C(0xE7037ED1A0B428DB));
    word = content_hash_fold(word ^ UINT64_C(0x8EBC6AF09C88C6E3),
                             third ^ UINT64_C(0x589965CC75374CC3));
    hash = (hash ^ word) * DIGEST_GOLDEN;
    return hash ^ hash >> 32;
}

/* Adds the number of words and the words to a running hash. */
static inline uint64_t content_hash_words32(uint64_t hash, const uint32_t *words, size_t count) {
    hash = content_hash_add(hash, count);
    for (size_t i = 0; i < count; i++)
        hash = content_hash_add(hash, words[i]);
    return hash;
}

/* Adds the number of words and the words to a running hash. */
static inline uint64_t content_hash_words64(uint64_t hash, const uint64_t *words, size_t count) {
    hash = content_hash_add(hash, count);
    for (size_t i = 0; i < count; i++)
        hash = content_hash_add(hash, words[i]);
    return hash;
}

/* Adds a text and its final 0 to a running hash. */
static inline uint64_t content_hash_text(uint64_t hash, const char *text) {
    for (; *text != '\0'; text++)
        hash = content_hash_add(hash, (unsigned char)*text);
    return content_hash_add(hash, 0);
}

#endif
