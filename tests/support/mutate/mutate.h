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
struct mutate_dice {
    uint64_t state;
};

uint64_t mutate_draw(struct mutate_dice *dice);
/* From 0 to bound - 1; 0 for bound 0. */
size_t mutate_below(struct mutate_dice *dice, size_t bound);
/* Small numbers, powers of two and their neighbours, and the ends of all widths. */
uint64_t mutate_extreme(struct mutate_dice *dice);

/* Bytes that may grow; owned. */
struct mutate_file {
    uint8_t *bytes;
    size_t size;
    size_t capacity;
};

bool mutate_read(struct mutate_file *file, const char *path);
bool mutate_write(const struct mutate_file *file, const char *path);
void mutate_free(struct mutate_file *file);
/* Replaces the bytes from `at` on, `old` of them, by `size` others. */
void mutate_splice(struct mutate_file *file, size_t at, size_t old, const void *bytes, size_t size);

/* What was done, for people. */
enum { MUTATE_NOTE = 200 };

/* Any file: bits, bytes, blocks, ends. */
void mutate_bytes(struct mutate_file *file, struct mutate_dice *dice, char note[MUTATE_NOTE]);

/* Configurations, lists and kept points: numbers become extreme, keys and lines change places. */
void mutate_text(struct mutate_file *file, struct mutate_dice *dice, char note[MUTATE_NOTE]);

/* An event or definition file of OTF2: time stamps, attributes and kinds of single records, and
 * their order. The number of records stays. False: no records were found. */
bool mutate_records(struct mutate_file *file, struct mutate_dice *dice, char note[MUTATE_NOTE]);

/* Copies an archive, the folder `from`, to the new folder `to`, and damages one or a few of its
 * files, or their places. */
bool mutate_archive(const char *from, const char *to, struct mutate_dice *dice,
                    char note[MUTATE_NOTE]);

/* A program file with a few operations changed and all checksums right. */
bool mutate_program(const char *from, const char *to, struct mutate_dice *dice,
                    char note[MUTATE_NOTE]);

#endif
