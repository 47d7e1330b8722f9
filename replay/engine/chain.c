/* Chains of causes: memory and sharing. */
#include "replay/engine/chain.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static size_t bytes_of(uint32_t value_count) {
    return sizeof(struct chain) + value_count * sizeof(int64_t);
}

struct chain *chain_new(uint32_t names) {
    uint32_t value_count = CHAIN_NAMES + names;
    struct chain *chain = calloc(1, bytes_of(value_count));
    if (chain == NULL) return NULL;
    atomic_init(&chain->holders, 1);
    chain->value_count = value_count;
    return chain;
}

void chain_drop(struct chain *chain) {
    if (chain == NULL) return;
    if (atomic_fetch_sub_explicit(&chain->holders, 1, memory_order_acq_rel) == 1) free(chain);
}

bool chain_own(struct chain **chain) {
    struct chain *shared = *chain;
    if (atomic_load_explicit(&shared->holders, memory_order_acquire) == 1) return true;
    struct chain *own = malloc(bytes_of(shared->value_count));
    if (own == NULL) return false;
    atomic_init(&own->holders, 1);
    own->value_count = shared->value_count;
    own->time_ps = shared->time_ps;
    memcpy(own->values, shared->values, shared->value_count * sizeof(int64_t));
    chain_drop(shared);
    *chain = own;
    return true;
}
