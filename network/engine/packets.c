/* The pools of packets and messages. They grow when they are empty, by doubling. */
#include "network/engine/packets.h"

#include "core/memory.h"

/* A free list through `next`, grown on demand; the same for the three kinds of pool. */
#define DEFINE_POOL(kind)                                                                          \
    static uint32_t kind##_take(struct network_domain *domain, struct pool_of_##kind##s *pool) {   \
        if (pool->free == NONE) {                                                                  \
            size_t old = pool->capacity;                                                           \
            void *moved = pool->items;                                                             \
            if (memory_grow_aligned(&moved, &pool->capacity, old + 1, sizeof *pool->items,         \
                                    NULL) != STATUS_OK) {                                          \
                domain->out_of_memory = true;                                                      \
                return NONE;                                                                       \
            }                                                                                      \
            pool->items = moved;                                                                   \
            for (size_t i = pool->capacity; i-- > old;) {                                          \
                pool->items[i].next = pool->free;                                                  \
                pool->free = (uint32_t)i;                                                          \
            }                                                                                      \
        }                                                                                          \
        uint32_t index = pool->free;                                                               \
        pool->free = pool->items[index].next;                                                      \
        __builtin_prefetch(&pool->items[pool->free], 1); /* for the one who takes it */            \
        return index;                                                                              \
    }
DEFINE_POOL(packet)
DEFINE_POOL(message)

uint32_t packet_new(struct network_domain *domain) {
    return packet_take(domain, &domain->packets);
}

void packet_free(struct network_domain *domain, uint32_t index) {
    domain->packets.items[index].next = domain->packets.free;
    domain->packets.free = index;
}

uint32_t message_new(struct network_domain *domain) {
    return message_take(domain, &domain->messages);
}

void message_free(struct network_domain *domain, uint32_t index) {
    domain->messages.items[index].next = domain->messages.free;
    domain->messages.free = index;
}

uint32_t message_move(struct network_domain *from, struct network_domain *to, uint32_t index) {
    uint32_t moved = message_new(to);
    if (moved != NONE) to->messages.items[moved] = from->messages.items[index];
    message_free(from, index);
    return moved;
}
