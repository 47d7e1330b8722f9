/*
 * The mutator: damages archives, program files and texts, the same way for the same seed. Must not
 * know what reads them. Each part says in a few words what it did.
 */
#ifndef ANAX_TESTS_MUTATE_H
#define ANAX_TESTS_MUTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Draws that follow from a seed alone. */
typedef struct mutate_dice {
    uint64_t state;
} mutate_dice;

uint64_t mutate_draw(mutate_dice *dice);
/* From 0 to bound - 1; 0 for bound 0. */
size_t mutate_below(mutate_dice *dice, size_t bound);
/* Small numbers, powers of two and their neighbours, and the ends of all widths. */
uint64_t mutate_extreme(mutate_dice *dice);

/* Bytes that may grow; owned. */
typedef struct mutate_file {
    uint8_t *bytes;
    size_t size;
    size_t capacity;
} mutate_file;

bool mutate_read(mutate_file *file, const char *path);
bool mutate_write(const mutate_file *file, const char *path);
void mutate_free(mutate_file *file);
/* Replaces the bytes from `at` on, `old` of them, by `size` others. */
void mutate_splice(mutate_file *file, size_t at, size_t old, const void *bytes, size_t size);

/* What was done, for people. */
enum { MUTATE_NOTE = 200 };

/* Any file: bits, bytes, blocks, ends. */
void mutate_bytes(mutate_file *file, mutate_dice *dice, char note[MUTATE_NOTE]);

/* Configurations, lists and kept points: numbers become extreme, keys and lines change places. */
void mutate_text(mutate_file *file, mutate_dice *dice, char note[MUTATE_NOTE]);

/* An event or definition file of OTF2: time stamps, attributes and kinds of single records, and
 * their order. The number of records stays. False: no records were found. */
bool mutate_records(mutate_file *file, mutate_dice *dice, char note[MUTATE_NOTE]);

/* Copies an archive, the folder `from`, to the new folder `to`, and damages one or a few of its
 * files, or their places. */
bool mutate_archive(const char *from, const char *to, mutate_dice *dice, char note[MUTATE_NOTE]);

/* A program file with a few operations changed and all checksums right. */
bool mutate_program(const char *from, const char *to, mutate_dice *dice, char note[MUTATE_NOTE]);

#endif
