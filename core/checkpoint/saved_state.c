/* Appends members of structs to a buffer, or reads them back from it in the same order. Arrays,
 * pools and sets of bits stand there with their counts. */
#include "core/checkpoint/saved_state.h"

#include "core/memory/memory.h"

#include <string.h>

void saved_reset(struct saved_state *state, bool is_restoring) {
    state->is_restoring = is_restoring;
    state->is_wrong = state->out_of_memory = false;
    state->place = 0;
    if (!is_restoring) state->bytes = 0;
}

void saved_free(struct saved_state *state) {
    free(state->data);
    *state = (struct saved_state){0};
}

bool saved_is_read(const struct saved_state *state) {
    return state->is_restoring && !state->is_wrong && !state->out_of_memory &&
           state->place == state->bytes;
}

static void write_bytes(struct saved_state *state, const void *data, size_t bytes) {
    void *moved = state->data;
    if (state->out_of_memory ||
        memory_grow(&moved, &state->capacity, state->bytes + bytes, 1, NULL) != STATUS_OK) {
        state->out_of_memory = true;
        return;
    }
    state->data = moved;
    memcpy(state->data + state->bytes, data, bytes);
    state->bytes += bytes;
}

/* Returns whether so many bytes are left. */
static bool has_bytes(struct saved_state *state, size_t bytes) {
    if (state->out_of_memory || bytes > state->bytes - state->place) state->is_wrong = true;
    return !state->is_wrong;
}

void save_or_restore_bytes(struct saved_state *state, void *data, size_t bytes) {
    if (bytes == 0) return;
    if (!state->is_restoring) {
        write_bytes(state, data, bytes);
    } else if (has_bytes(state, bytes)) {
        memcpy(data, state->data + state->place, bytes);
        state->place += bytes;
    }
}

void save_or_restore_equal(struct saved_state *state, uint64_t number) {
    uint64_t there = number;
    SAVED(state, there);
    if (there != number) state->is_wrong = true;
}

/* Replaces an array by memory for `count` items, and fills it. */
static void restore_array(struct saved_state *state, void **items, size_t count,
                          size_t item_bytes) {
    if (count > SIZE_MAX / item_bytes || !has_bytes(state, count * item_bytes)) {
        state->is_wrong = true;
        return;
    }
    void *made = count > 0 ? memory_new_aligned(count, item_bytes) : NULL;
    if (count > 0 && made == NULL) {
        state->out_of_memory = true;
        return;
    }
    free(*items);
    *items = made;
    save_or_restore_bytes(state, made, count * item_bytes);
}

void save_or_restore_array(struct saved_state *state, void **items, size_t *count,
                           size_t item_bytes) {
    uint64_t there = *count;
    SAVED(state, there);
    if (!state->is_restoring) {
        save_or_restore_bytes(state, *items, *count * item_bytes);
        return;
    }
    if (there > UINT32_MAX) state->is_wrong = true;
    if (!state->is_wrong) restore_array(state, items, (size_t)there, item_bytes);
    if (!state->is_wrong && !state->out_of_memory) *count = (size_t)there;
}

/* Makes room for as many free items as there are items. */
static void restore_free_items(struct saved_state *state, uint32_t **free_items, size_t capacity) {
    free(*free_items);
    *free_items = memory_new(capacity, sizeof **free_items);
    if (*free_items == NULL) state->out_of_memory = true;
}

void save_or_restore_pool(struct saved_state *state, void **items, uint32_t **free_items,
                          size_t *capacity, uint32_t *used, uint32_t *free_count,
                          size_t item_bytes) {
    size_t count = *used;
    save_or_restore_array(state, items, &count, item_bytes);
    SAVED(state, *free_count);
    if (*free_count > count) state->is_wrong = true;
    if (state->is_wrong || state->out_of_memory) return;
    if (state->is_restoring) {
        *used = (uint32_t)count;
        *capacity = count;
        restore_free_items(state, free_items, count);
        if (state->out_of_memory) return;
    }
    save_or_restore_bytes(state, *free_items, *free_count * sizeof **free_items);
    for (uint32_t i = 0; state->is_restoring && i < *free_count; i++)
        if ((*free_items)[i] >= count) state->is_wrong = true;
}

void save_or_restore_bitset(struct saved_state *state, struct bitset *set) {
    save_or_restore_equal(state, set->word_count);
    SAVED(state, set->filled);
    save_or_restore_bytes(state, set->words,
                          ((size_t)set->word_count + set->summary_count) * sizeof *set->words);
}
