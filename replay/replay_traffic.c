/*
 * The traffic of a program. The replay runs on a network that takes no time, and each message is
 * counted, so every operation that the replay knows is covered.
 *
 * Invariant: memory is proportional to the pairs of ranks that exchange messages.
 */
#include "replay/replay_traffic.h"

#include "core/memory/map.h"
#include "core/memory/memory.h"
#include "mapping/placement_graph.h"
#include "replay/engine/instant_engine.h"
#include "replay/engine/messages/transfer.h"

#include <stdlib.h>

/* The messages from one rank to another. */
struct pair_count {
    uint64_t key; /* rank of the sender (upper half) and of the receiver */
    uint64_t messages;
    wide bytes;
};

static inline bool pair_is_used(const struct pair_count *pair) {
    return pair->messages > 0;
}
MAP_DEFINE(pair, struct pair_count, uint64_t, map_hash_of_word, map_is_same_word, pair_is_used)

struct pair_counts {
    struct pair_map pairs;
    bool failed;
};

static void count_message(void *context, const struct network_message *message) {
    struct pair_counts *counts = context;
    uint32_t from, to;
    if (!transfer_ranks(message, &from, &to) || counts->failed) return;
    uint64_t key = (uint64_t)from << 32 | to;
    struct pair_count *pair = pair_map_find(&counts->pairs, &key);
    if (pair == NULL) pair = pair_map_add(&counts->pairs, &key);
    if (pair == NULL) {
        counts->failed = true;
        return;
    }
    pair->messages++;
    pair->bytes += message->size_bytes;
}

/* Stores the pairs in *traffic as a sorted list. Returns false if out of memory. */
static bool list_pairs(struct placement_traffic *traffic, const struct pair_map *pairs) {
    size_t count = 0;
    struct placement_edge *edges = memory_new(pairs->count, sizeof *edges);
    if (edges == NULL) return false;
    for (uint32_t i = 0; i < pairs->capacity; i++) {
        const struct pair_count *pair = &pairs->entries[i];
        if (pair_is_used(pair))
            edges[count++] = (struct placement_edge){.from = (uint32_t)(pair->key >> 32),
                                                     .to = (uint32_t)pair->key,
                                                     .messages = pair->messages,
                                                     .bytes = pair->bytes};
    }
    traffic->edge_count = placement_edges_merge(edges, count);
    traffic->edges = edges;
    return true;
}

status_code replay_traffic_new(struct placement_traffic *traffic, const struct program *program,
                               const struct replay_config *config,
                               const struct network_config *network_config, struct status *status) {
    struct pair_counts counts = {0};
    struct replay_config eager = *config;
    eager.eager_threshold_bytes = INT64_MAX;
    eager.storage = (struct replay_storage){0}; /* I/O nodes are not placed */
    *traffic = (struct placement_traffic){.rank_count = program->rank_count};
    struct instant_engine instant;
    status_code code = instant_engine_new(&instant, program, &eager, network_config, status);
    instant.transport.watch = count_message;
    instant.transport.watch_context = &counts;
    if (code == STATUS_OK) code = instant_engine_run(&instant, status);
    instant_engine_free(&instant);
    if (code == STATUS_OK && (counts.failed || !list_pairs(traffic, &counts.pairs)))
        code = status_set(status, STATUS_MEMORY, "out of memory for the traffic of %u ranks",
                          program->rank_count);
    pair_map_clear(&counts.pairs);
    return code;
}

void replay_traffic_free(struct placement_traffic *traffic) {
    free(traffic->edges);
    *traffic = (struct placement_traffic){0};
}
