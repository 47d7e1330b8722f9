/*
 * The format of program files: what their writer and their reader have in common. Private to the
 * traces room; program_codec.c defines the bytes of a section.
 *
 * Layout, with little-endian numbers:
 *
 *   header        magic, version, ranks, size of the file, the shared section's entry, CRC-32s
 *   shared        tables of all ranks, deflated
 *   rank table    one entry per rank: bytes, CRC-32 and counts. It is the index by rank: entries
 *                 say how long the ranks before one are
 *   ranks         each rank's operations, deflated, one after another
 *
 * Invariants: a CRC-32 covers every byte of the file, so damage of up to 32 neighbouring bits is
 * always found; equal programs give equal bytes for any number of threads; reading a rank needs
 * nothing of another rank.
 */
#ifndef ANAX_TRACES_PROGRAM_FILE_FORMAT_H
#define ANAX_TRACES_PROGRAM_FILE_FORMAT_H

#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

#define PROGRAM_FILE_MAGIC                                                                         \
    { 'A', 'N', 'A', 'X', 'P', 'R', 'G', '\n' }

/* Sizes of parts of the file. */
enum {
    PROGRAM_FILE_MAGIC_BYTES = 8,
    PROGRAM_FILE_HEADER_BYTES = 64,
    PROGRAM_FILE_ENTRY_BYTES = 44 /* of the rank table */
};

/* Offsets in the header, which the magic begins. */
enum {
    PROGRAM_FILE_VERSION = 8,
    PROGRAM_FILE_RANK_COUNT = 12,
    PROGRAM_FILE_FILE_BYTES = 16,
    PROGRAM_FILE_SHARED = 24,    /* struct program_file_entry */
    PROGRAM_FILE_TABLE_CRC = 44, /* of the rank table */
    PROGRAM_FILE_HEADER_CRC = 60 /* of the header up to here */
};

/* Offsets in an entry of the rank table, which a struct program_file_entry begins. The others are
 * counts of struct program_rank. */
enum {
    PROGRAM_FILE_RANK_OPERATIONS = 20,
    PROGRAM_FILE_RANK_WAIT_SLOTS = 24,
    PROGRAM_FILE_RANK_SLOTS = 28,
    PROGRAM_FILE_RANK_SENDS = 32,
    PROGRAM_FILE_RANK_RECEIVES = 36,
    PROGRAM_FILE_RANK_MARKS = 40
};

/* Entry of a section of the file. */
struct program_file_entry {
    uint64_t stored_bytes;
    uint64_t raw_bytes;
    uint32_t crc;
};

static inline void program_file_put32(uint8_t *to, uint32_t value) {
    for (unsigned i = 0; i < 4; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

static inline void program_file_put64(uint8_t *to, uint64_t value) {
    for (unsigned i = 0; i < 8; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

static inline uint32_t program_file_get32(const uint8_t *from) {
    uint32_t value = 0;
    for (unsigned i = 0; i < 4; i++)
        value |= (uint32_t)from[i] << 8 * i;
    return value;
}

static inline uint64_t program_file_get64(const uint8_t *from) {
    return program_file_get32(from) | (uint64_t)program_file_get32(from + 4) << 32;
}

static inline void program_file_put_entry(uint8_t *to, const struct program_file_entry *entry) {
    program_file_put64(to, entry->stored_bytes);
    program_file_put64(to + 8, entry->raw_bytes);
    program_file_put32(to + 16, entry->crc);
}

static inline struct program_file_entry program_file_get_entry(const uint8_t *from) {
    return (struct program_file_entry){program_file_get64(from), program_file_get64(from + 8),
                                       program_file_get32(from + 16)};
}

static inline uint32_t program_file_crc_of(const uint8_t *bytes, size_t size) {
    return (uint32_t)crc32_z(crc32_z(0, NULL, 0), bytes, size);
}

#endif
