/*
 * Damage to single records of OTF2's event and definition files. Knows how records follow each
 * other, not what they mean:
 *
 *   chunk header   3, byte order, first and last number (8 bytes each)
 *   time stamp     5, 8 bytes; the records after it have it
 *   record         kind, length (1 byte; 255: 8 more), attributes
 *   ends           1 of a chunk, 2 of the file
 *
 * Most attributes are a length of 0 to 8 and so many bytes, or a length of 255 for "undefined".
 */
#include "tests/support/mutate/mutate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct record {
    size_t at;      /* of the kind */
    size_t content; /* of the attributes */
    size_t end;
};

struct record_list {
    struct record *items;
    size_t count, capacity;
    size_t *stamps; /* places of the 8 bytes */
    size_t stamp_count, stamp_capacity;
};

static void *grow(void *items, size_t *capacity, size_t size) {
    *capacity = *capacity > 0 ? 2 * *capacity : 256;
    items = realloc(items, *capacity * size);
    if (items == NULL) abort();
    return items;
}

static void add_record(struct record_list *list, struct record found) {
    if (list->count == list->capacity)
        list->items = grow(list->items, &list->capacity, sizeof *list->items);
    list->items[list->count++] = found;
}

static void add_stamp(struct record_list *list, size_t at) {
    if (list->stamp_count == list->stamp_capacity)
        list->stamps = grow(list->stamps, &list->stamp_capacity, sizeof *list->stamps);
    list->stamps[list->stamp_count++] = at;
}

static void find_records(struct record_list *list, const struct mutate_file *file) {
    *list = (struct record_list){0};
    for (size_t at = 0; at + 2 < file->size;) {
        uint8_t kind = file->bytes[at];
        if (kind == 3 && at + 18 <= file->size) {
            at += 18;
        } else if (kind == 5 && at + 9 <= file->size) {
            add_stamp(list, at + 1);
            at += 9;
        } else if (kind < 5) {
            at++;
        } else {
            struct record found = {at, at + 2, 0};
            uint64_t length = file->bytes[at + 1];
            if (length == 255 && at + 10 <= file->size) {
                memcpy(&length, file->bytes + at + 2, 8);
                found.content = at + 10;
            }
            if (length > file->size - found.content) return;
            found.end = found.content + (size_t)length;
            add_record(list, found);
            at = found.end;
        }
    }
}

static void change_stamp(struct mutate_file *file, const struct record_list *list,
                         struct mutate_dice *dice, char *note) {
    size_t number = mutate_below(dice, list->stamp_count);
    size_t other = mutate_below(dice, list->stamp_count);
    uint64_t stamp, extreme = mutate_extreme(dice);
    memcpy(&stamp, file->bytes + list->stamps[number], 8);
    uint64_t before = stamp;
    switch (mutate_below(dice, 5)) {
    case 0:
        stamp = extreme;
        break;
    case 1:
        stamp += extreme;
        break;
    case 2:
        stamp -= extreme;
        break;
    case 3:
        memcpy(&stamp, file->bytes + list->stamps[other], 8);
        break;
    default:
        stamp ^= (uint64_t)(uint8_t)extreme << 8 * mutate_below(dice, 8);
    }
    memcpy(file->bytes + list->stamps[number], &stamp, 8);
    snprintf(note, MUTATE_NOTE, "time stamp %zu: %llu, before %llu", number,
             (unsigned long long)stamp, (unsigned long long)before);
}

/* A byte of the attributes; and if it looks like the length of a number, that number. */
static void change_attribute(struct mutate_file *file, const struct record *record,
                             struct mutate_dice *dice, char *note) {
    size_t length = record->end - record->content;
    size_t at = record->content + mutate_below(dice, length), size = file->bytes[at];
    uint64_t extreme = mutate_extreme(dice);
    unsigned kind = file->bytes[record->at];
    if (length == 0) {
        snprintf(note, MUTATE_NOTE, "kind %u without attributes", kind);
        return;
    }
    if (size >= 1 && size <= 8 && at + size < record->end && mutate_below(dice, 4) > 0) {
        memcpy(file->bytes + at + 1, &extreme, size);
        snprintf(note, MUTATE_NOTE, "kind %u at %zu: attribute of %zu bytes is %llu", kind,
                 record->at, size, (unsigned long long)extreme);
        return;
    }
    file->bytes[at] = (uint8_t)extreme;
    snprintf(note, MUTATE_NOTE, "kind %u at %zu: byte %zu is %u", kind, record->at, at,
             file->bytes[at]);
}

/* Puts record `from` in the place of record `to`, or exchanges them. */
static void move_record(struct mutate_file *file, const struct record_list *list,
                        struct mutate_dice *dice, char *note) {
    size_t one = mutate_below(dice, list->count), two = mutate_below(dice, list->count);
    if (mutate_below(dice, 2) == 0 && one + 1 < list->count) two = one + 1;
    if (one > two) {
        size_t swap = one;
        one = two;
        two = swap;
    }
    const struct record *first = &list->items[one], *second = &list->items[two];
    size_t first_size = first->end - first->at, second_size = second->end - second->at;
    uint8_t *copy = malloc(first_size + 1);
    memcpy(copy, file->bytes + first->at, first_size);
    bool exchange = mutate_below(dice, 2) == 0;
    uint8_t *other = malloc(second_size + 1);
    memcpy(other, file->bytes + second->at, second_size);
    if (exchange || mutate_below(dice, 2) == 0)
        mutate_splice(file, second->at, second_size, copy, first_size);
    else
        exchange = true;
    if (exchange) mutate_splice(file, first->at, first_size, other, second_size);
    snprintf(note, MUTATE_NOTE, "records %zu and %zu of %zu: %s", one, two, list->count,
             exchange ? "exchanged, or the first is the second" : "the second is the first");
    free(copy);
    free(other);
}

bool mutate_records(struct mutate_file *file, struct mutate_dice *dice, char note[MUTATE_NOTE]) {
    struct record_list list;
    find_records(&list, file);
    bool good = list.count > 0;
    size_t choice = mutate_below(dice, 8);
    if (good && choice < 3 && list.stamp_count > 0) {
        change_stamp(file, &list, dice, note);
    } else if (good && choice < 6) {
        change_attribute(file, &list.items[mutate_below(dice, list.count)], dice, note);
    } else if (good && choice == 6) {
        move_record(file, &list, dice, note);
    } else if (good) {
        const struct record *record = &list.items[mutate_below(dice, list.count)];
        unsigned before = file->bytes[record->at];
        const struct record *other = &list.items[mutate_below(dice, list.count)];
        file->bytes[record->at] =
            mutate_below(dice, 2) == 0 ? file->bytes[other->at] : (uint8_t)(before + 1);
        snprintf(note, MUTATE_NOTE, "record at %zu: kind %u is %u", record->at, before,
                 file->bytes[record->at]);
    }
    free(list.items);
    free(list.stamps);
    return good;
}
