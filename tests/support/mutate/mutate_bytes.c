/* Draws, files, and damage to bytes whatever they mean. */
#include "tests/support/mutate/mutate.h"

#include "tests/support/check/check_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t mutate_draw(struct mutate_dice *dice) {
    uint64_t draw = dice->state += 0x9e3779b97f4a7c15u;
    draw = (draw ^ draw >> 30) * 0xbf58476d1ce4e5b9u;
    draw = (draw ^ draw >> 27) * 0x94d049bb133111ebu;
    return draw ^ draw >> 31;
}

size_t mutate_below(struct mutate_dice *dice, size_t bound) {
    return bound > 0 ? (size_t)(mutate_draw(dice) % bound) : 0;
}

uint64_t mutate_extreme(struct mutate_dice *dice) {
    uint64_t power = UINT64_C(1) << mutate_below(dice, 64);
    switch (mutate_below(dice, 6)) {
    case 0:
        return mutate_below(dice, 16);
    case 1:
        return power;
    case 2:
        return power - 1;
    case 3:
        return power + 1;
    case 4:
        return UINT64_MAX >> 8 * mutate_below(dice, 8);
    default:
        return mutate_draw(dice) >> mutate_below(dice, 64);
    }
}

bool mutate_read(struct mutate_file *file, const char *path) {
    *file = (struct mutate_file){0};
    file->bytes = (uint8_t *)file_read(path, &file->size);
    file->capacity = file->size;
    return file->bytes != NULL;
}

bool mutate_write(const struct mutate_file *file, const char *path) {
    return file_write(path, (const char *)file->bytes, file->size);
}

void mutate_free(struct mutate_file *file) {
    free(file->bytes);
    *file = (struct mutate_file){0};
}

void mutate_splice(struct mutate_file *file, size_t at, size_t old, const void *bytes,
                   size_t size) {
    if (at > file->size) at = file->size;
    if (old > file->size - at) old = file->size - at;
    size_t after = file->size - at - old;
    uint8_t *spliced = malloc(file->size - old + size + 1);
    if (spliced == NULL) abort();
    memcpy(spliced, file->bytes, at);
    if (size > 0) memcpy(spliced + at, bytes, size);
    memcpy(spliced + at + size, file->bytes + at + old, after);
    free(file->bytes);
    file->bytes = spliced;
    file->size += size - old;
    file->capacity = file->size;
    spliced[file->size] = 0;
}

/* Up to 32 random bytes. */
static size_t draw_bytes(struct mutate_dice *dice, uint8_t bytes[32]) {
    size_t size = 1 + mutate_below(dice, 32);
    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)mutate_draw(dice);
    return size;
}

void mutate_bytes(struct mutate_file *file, struct mutate_dice *dice, char note[MUTATE_NOTE]) {
    uint8_t drawn[32];
    size_t at = mutate_below(dice, file->size), size = draw_bytes(dice, drawn);
    uint64_t extreme = mutate_extreme(dice);
    switch (mutate_below(dice, 9)) {
    case 0:
        if (file->size > 0) file->bytes[at] ^= (uint8_t)(1u << mutate_below(dice, 8));
        snprintf(note, MUTATE_NOTE, "bit at %zu", at);
        break;
    case 1:
        if (file->size > 0) file->bytes[at] = drawn[0];
        snprintf(note, MUTATE_NOTE, "byte at %zu is %u", at, drawn[0]);
        break;
    case 2:
        mutate_splice(file, at, file->size - at, NULL, 0);
        snprintf(note, MUTATE_NOTE, "cut at %zu", at);
        break;
    case 3:
        mutate_splice(file, at, 0, drawn, size);
        snprintf(note, MUTATE_NOTE, "%zu bytes more at %zu", size, at);
        break;
    case 4:
        mutate_splice(file, at, size, NULL, 0);
        snprintf(note, MUTATE_NOTE, "%zu bytes less at %zu", size, at);
        break;
    case 5: {
        size_t from = mutate_below(dice, file->size), count = mutate_below(dice, file->size - from);
        uint8_t *copy = malloc(count + 1);
        memcpy(copy, file->bytes + from, count);
        mutate_splice(file, at, mutate_below(dice, 2) * count, copy, count);
        free(copy);
        snprintf(note, MUTATE_NOTE, "%zu bytes of %zu at %zu", count, from, at);
        break;
    }
    case 6:
        memset(file->bytes + at, (int)(drawn[0] & 1) * 0xff,
               size < file->size - at ? size : file->size - at);
        snprintf(note, MUTATE_NOTE, "%zu bytes of %d at %zu", size, (drawn[0] & 1) * 0xff, at);
        break;
    case 7: /* a number of 1 to 8 bytes */
        size = (size_t)1 << mutate_below(dice, 4);
        if (at + size <= file->size) memcpy(file->bytes + at, &extreme, size);
        snprintf(note, MUTATE_NOTE, "%zu bytes at %zu are %llu", size, at,
                 (unsigned long long)extreme);
        break;
    default:
        for (size_t i = 0; i < size && file->size > 0; i++)
            file->bytes[mutate_below(dice, file->size)] ^= (uint8_t)mutate_draw(dice);
        snprintf(note, MUTATE_NOTE, "%zu bytes anywhere", size);
    }
}
