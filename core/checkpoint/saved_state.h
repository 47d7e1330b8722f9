/*
 * State as bytes, and back. One function describes a struct: it passes each member to the functions
 * of this file, which write it or, if state->is_restoring, read it. So what is saved and what is
 * restored cannot differ. Pointers are never saved; arrays that they point to are.
 *
 * Knows neither files nor what the state is of. Invariant: restoring never reads beyond the bytes
 * that are there; bytes that do not fit set is_wrong, and nothing more is read.
 */
#ifndef ANAX_CORE_SAVED_STATE_H
#define ANAX_CORE_SAVED_STATE_H

#include "core/memory/bitset.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct saved_state {
    bool is_restoring;
    bool is_wrong;      /* restoring: the bytes do not fit what they are restored to */
    bool out_of_memory; /* an allocation failed, so the bytes are incomplete */
    char *data;         /* owned */
    size_t bytes;
    size_t capacity;
    size_t place; /* restoring: bytes that have been read */
};

/* Empties the state and keeps its memory. is_restoring: it will be restored, not saved. */
void saved_reset(struct saved_state *state, bool is_restoring);

/* Frees the memory of a state. */
void saved_free(struct saved_state *state);

/* Returns whether restoring has read all bytes, and nothing went wrong. */
bool saved_is_read(const struct saved_state *state);

/* Saves or restores `bytes` bytes. */
void save_or_restore_bytes(struct saved_state *state, void *data, size_t bytes);

/* Saves or restores a number that must be equal on both sides, such as a length. */
void save_or_restore_equal(struct saved_state *state, uint64_t number);

/* Saves or restores an array of *count items in memory of its own. Restoring replaces the array,
 * whose memory begins at a multiple of the cache line. */
void save_or_restore_array(struct saved_state *state, void **items, size_t *count,
                           size_t item_bytes);

/* Saves or restores the members of a pool; SAVED_POOL passes them. */
void save_or_restore_pool(struct saved_state *state, void **items, uint32_t **free_items,
                          size_t *capacity, uint32_t *used, uint32_t *free_count,
                          size_t item_bytes);

/* Saves or restores the bits of a set; both sets have the same size. */
void save_or_restore_bitset(struct saved_state *state, struct bitset *set);

/* Stops the build when a struct has a new member that its size shows. */
#define SAVED_SIZE_IS(type, size)                                                                  \
    static_assert(sizeof(void *) != 8 || sizeof(type) == (size),                                   \
                  #type " has a new member: save it where its others are saved, or say there why " \
                        "it need not be, and set the new size")

/* A member. */
#define SAVED(state, member) save_or_restore_bytes((state), &(member), sizeof(member))

/* An array of known length, which is there on both sides or on neither (NULL). */
#define SAVED_ITEMS(state, items, count)                                                           \
    do {                                                                                           \
        if ((items) != NULL)                                                                       \
            save_or_restore_bytes((state), (items), (size_t)(count) * sizeof *(items));            \
    } while (0)

/* A pool (core/memory/pool.h): all items that were ever taken keep their indices. */
#define SAVED_POOL(state, pool)                                                                    \
    do {                                                                                           \
        void *items_ = (pool)->items;                                                              \
        save_or_restore_pool((state), &items_, &(pool)->free_items, &(pool)->capacity,             \
                             &(pool)->used, &(pool)->free_count, sizeof *(pool)->items);           \
        (pool)->items = items_;                                                                    \
    } while (0)

/* A map (core/memory/map.h): all entries keep their places. */
#define SAVED_MAP(state, map)                                                                      \
    do {                                                                                           \
        void *items_ = (map)->entries;                                                             \
        size_t capacity_ = (map)->capacity;                                                        \
        SAVED((state), (map)->count);                                                              \
        save_or_restore_array((state), &items_, &capacity_, sizeof *(map)->entries);               \
        (map)->entries = items_;                                                                   \
        (map)->capacity = (uint32_t)capacity_;                                                     \
        if ((capacity_ & (capacity_ - 1)) != 0 || (map)->count > capacity_)                        \
            (state)->is_wrong = true;                                                              \
    } while (0)

#endif
