/*
 * Traffic of a program: the replay itself, run on a network that takes no time, with each message
 * counted. So it is right for every operation that the replay knows.
 *
 * Invariant: memory follows the pairs of ranks that exchange anything.
 */
#include "replay/replay_traffic.h"

#include "core/digest.h"
#include "core/memory.h"
#include "mapping/placement_graph.h"
#include "replay/engine/idle_engine.h"
#include "replay/engine/transfer.h"

#include <stdlib.h>

#define FREE UINT32_MAX

/* Open addressing, at most half full. */
struct pair_table {
    struct placement_edge *edges;
    size_t capacity; /* power of two */
    size_t count;
    bool failed;
};

static struct placement_edge *find(const struct pair_table *table, uint32_t from, uint32_t to) {
    size_t place = (size_t)digest_spread((uint64_t)from << 32 | to) & (table->capacity - 1);
    while (table->edges[place].from != FREE &&
           (table->edges[place].from != from || table->edges[place].to != to))
        place = (place + 1) & (table->capacity - 1);
    return &table->edges[place];
}

static bool grow(struct pair_table *table) {
    struct pair_table larger = {.capacity = table->capacity > 0 ? 2 * table->capacity : 1024,
                                .count = table->count};
    larger.edges = memory_new(larger.capacity, sizeof *larger.edges);
    if (larger.edges == NULL) return false;
    for (size_t i = 0; i < larger.capacity; i++)
        larger.edges[i].from = FREE;
    for (size_t i = 0; i < table->capacity; i++)
        if (table->edges[i].from != FREE)
            *find(&larger, table->edges[i].from, table->edges[i].to) = table->edges[i];
    free(table->edges);
    *table = larger;
    return true;
}

static void count_message(void *context, const struct network_message *message) {
    struct pair_table *table = context;
    uint32_t from, to;
    if (!transfer_ranks(message, &from, &to) || table->failed) return;
    if (2 * (table->count + 1) > table->capacity && !grow(table)) {
        table->failed = true;
        return;
    }
    struct placement_edge *edge = find(table, from, to);
    if (edge->from == FREE) {
        *edge = (struct placement_edge){.from = from, .to = to};
        table->count++;
    }
    edge->messages++;
    edge->bytes += message->size_bytes;
}

/* Moves the used entries together; the table is a list then. */
static void pack(struct pair_table *table) {
    size_t count = 0;
    for (size_t i = 0; i < table->capacity; i++)
        if (table->edges[i].from != FREE) table->edges[count++] = table->edges[i];
    table->count = placement_edges_merge(table->edges, count);
}

status_code replay_traffic_new(struct placement_traffic *traffic, const struct program *program,
                               const struct replay_config *config,
                               const struct network_config *machine, struct status *status) {
    struct pair_table table = {0};
    struct replay_config eager = *config;
    eager.eager_threshold_bytes = INT64_MAX;
    *traffic = (struct placement_traffic){0};
    struct idle_engine idle;
    status_code code = idle_engine_new(&idle, program, &eager, machine, status);
    idle.instant.watch = count_message;
    idle.instant.watch_context = &table;
    if (code == STATUS_OK) code = idle_engine_run(&idle, status);
    idle_engine_free(&idle);
    if (code == STATUS_OK && table.failed)
        code = status_set(status, STATUS_MEMORY, "out of memory for the traffic of %u ranks",
                          program->rank_count);
    if (code != STATUS_OK) {
        free(table.edges);
        return code;
    }
    pack(&table);
    *traffic = (struct placement_traffic){program->rank_count, table.count, table.edges};
    return STATUS_OK;
}

void replay_traffic_free(struct placement_traffic *traffic) {
    free(traffic->edges);
    *traffic = (struct placement_traffic){0};
}
