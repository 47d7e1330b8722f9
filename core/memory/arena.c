/* Cuts pieces from the current block, and begins a larger block when it is full. */
#include "core/memory/arena.h"

#include "core/memory/memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define LINE_BYTES ((size_t)64)
/* The first block of an arena: a small replay needs no more. */
#define FIRST_BYTES ((size_t)256 << 10)

/* At the beginning of a block. */
struct arena_block {
    _Alignas(64) struct arena_block *before;
    size_t bytes;
};

/* Begins a block with room for some bytes. Returns false if out of memory. */
static bool add_block(struct arena *arena, size_t bytes) {
    size_t block_bytes = arena->block_bytes == 0 ? FIRST_BYTES : MEMORY_HUGE_PAGE_BYTES;
    if (bytes > SIZE_MAX - sizeof(struct arena_block)) return false;
    if (bytes + sizeof(struct arena_block) > block_bytes)
        block_bytes = bytes + sizeof(struct arena_block);
    struct arena_block *block = block_bytes < MEMORY_HUGE_PAGE_BYTES
                                    ? aligned_alloc(LINE_BYTES, block_bytes)
                                    : memory_new_uninitialised(block_bytes, 1);
    if (block == NULL) return false;
    *block = (struct arena_block){arena->blocks, block_bytes};
    *arena = (struct arena){.blocks = block,
                            .next = (char *)block + sizeof *block,
                            .left = block_bytes - sizeof *block,
                            .block_bytes = block_bytes};
    return true;
}

void *arena_allocate(struct arena *arena, size_t bytes) {
    if (bytes > SIZE_MAX - LINE_BYTES) return NULL;
    bytes = (bytes + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
    if (bytes > arena->left && !add_block(arena, bytes)) return NULL;
    void *piece = arena->next;
    arena->next += bytes;
    arena->left -= bytes;
    return piece;
}

void arena_free(struct arena *arena) {
    while (arena->blocks != NULL) {
        struct arena_block *block = arena->blocks;
        arena->blocks = block->before;
        memory_free_to_system(block, block->bytes);
    }
    *arena = (struct arena){0};
}
