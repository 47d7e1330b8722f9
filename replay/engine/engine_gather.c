/* Gathers results and state in process 0. Each process sends its domains in the order of their
 * numbers, and then its ranks. Pointers do not travel: process 0 finds again what they pointed to.
 */
#include "replay/engine/engine_gather.h"
#include "replay/engine/activations/activation.h"

#include "core/memory/memory.h"

#include <stdlib.h>
#include <string.h>

/* What a domain has counted. */
struct counts {
    uint64_t eager_messages;
    uint64_t rendezvous_messages;
    uint64_t collective_messages;
    uint64_t rma_operations;
};

/* The parts of a pool, without its memory. */
struct pool_head {
    uint32_t used;
    uint32_t free_count;
};

static bool is_mine(const struct replay_engine *engine, uint32_t domain) {
    return transport_is_here(engine->transport, domain);
}

/* Packs `count` elements. */
static void pack_array(struct processes_packing *packing, const void *items, size_t count,
                       size_t item_bytes) {
    processes_pack(packing, items, count * item_bytes);
}

/* Copies the next `count` elements of a block to `items`. Returns false if they are not there. */
static bool take_array(struct processes_unpacking *block, void *items, size_t count,
                       size_t item_bytes) {
    const void *data = processes_unpack(block, count * item_bytes);
    if (data == NULL) return false;
    if (count > 0) memcpy(items, data, count * item_bytes);
    return true;
}

/* Does the same with elements that get memory of their own. */
static bool take_new_array(struct processes_unpacking *block, void **items, size_t count,
                           size_t item_bytes) {
    *items = memory_new_aligned(count, item_bytes);
    return *items != NULL && take_array(block, *items, count, item_bytes);
}

/* ---------------------------------------------------------------- results */

/* Returns the number of a domain's I/O nodes. */
static uint32_t storage_of(const struct replay_engine *engine, const struct engine_domain *domain,
                           uint32_t *first) {
    if (engine->storage == NULL) return 0;
    *first = engine->storage->first[domain->index];
    return engine->storage->first[domain->index + 1] - *first;
}

static void pack_domain_results(struct processes_packing *packing,
                                const struct replay_engine *engine,
                                const struct engine_domain *domain) {
    const struct counts counts = {domain->eager_messages, domain->rendezvous_messages,
                                  domain->collective_messages, domain->rma_operations};
    processes_pack(packing, &counts, sizeof counts);
    pack_array(packing, domain->mpi_functions, engine->mpi_function_count,
               sizeof *domain->mpi_functions);
    uint32_t first = 0, count = storage_of(engine, domain, &first);
    if (count > 0)
        pack_array(packing, engine->storage->nodes + first, count, sizeof *engine->storage->nodes);
}

static bool take_domain_results(struct processes_unpacking *block,
                                const struct replay_engine *engine, struct engine_domain *domain) {
    struct counts counts;
    if (!take_array(block, &counts, 1, sizeof counts)) return false;
    domain->eager_messages = counts.eager_messages;
    domain->rendezvous_messages = counts.rendezvous_messages;
    domain->collective_messages = counts.collective_messages;
    domain->rma_operations = counts.rma_operations;
    uint32_t first = 0, count = storage_of(engine, domain, &first);
    return take_array(block, domain->mpi_functions, engine->mpi_function_count,
                      sizeof *domain->mpi_functions) &&
           (count == 0 || take_array(block, engine->storage->nodes + first, count,
                                     sizeof *engine->storage->nodes));
}

static void pack_rank_results(struct processes_packing *packing, const struct replay_engine *engine,
                              uint32_t rank) {
    processes_pack(packing, &engine->ranks[rank].result, sizeof engine->ranks[rank].result);
}

static bool take_rank_results(struct processes_unpacking *block, struct replay_engine *engine,
                              uint32_t rank) {
    return take_array(block, &engine->ranks[rank].result, 1, sizeof engine->ranks[rank].result);
}

/* ---------------------------------------------------------------- state */

static void pack_pool(struct processes_packing *packing, const void *items, uint32_t used,
                      const uint32_t *free_items, uint32_t free_count, size_t item_bytes) {
    const struct pool_head head = {used, free_count};
    processes_pack(packing, &head, sizeof head);
    pack_array(packing, items, used, item_bytes);
    pack_array(packing, free_items, free_count, sizeof *free_items);
}

static bool take_pool(struct processes_unpacking *block, void **items, uint32_t **free_items,
                      size_t *capacity, uint32_t *used, uint32_t *free_count, size_t item_bytes) {
    struct pool_head head;
    if (!take_array(block, &head, 1, sizeof head)) return false;
    *used = head.used;
    *free_count = head.free_count;
    *capacity = head.used;
    *free_items = memory_new(head.used, sizeof **free_items);
    return *free_items != NULL && take_new_array(block, items, head.used, item_bytes) &&
           take_array(block, *free_items, head.free_count, sizeof **free_items);
}

#define PACK_POOL(packing, pool)                                                                   \
    pack_pool((packing), (pool)->items, (pool)->used, (pool)->free_items, (pool)->free_count,      \
              sizeof *(pool)->items)

/* For pools that are empty. An aligned pointer is kept apart, because the types of items differ. */
#define TAKE_POOL(is_there, block, pool)                                                           \
    do {                                                                                           \
        void *items_ = NULL;                                                                       \
        (is_there) =                                                                               \
            (is_there) && take_pool((block), &items_, &(pool)->free_items, &(pool)->capacity,      \
                                    &(pool)->used, &(pool)->free_count, sizeof *(pool)->items);    \
        (pool)->items = items_;                                                                    \
    } while (0)

static void pack_domain_state(struct processes_packing *packing, const struct replay_engine *engine,
                              const struct engine_domain *domain) {
    const struct inflight_map *map = &domain->inflight.map;
    (void)engine;
    const uint64_t inflight = map->count, locks = domain->lock_count;
    processes_pack(packing, &inflight, sizeof inflight);
    for (uint32_t i = 0; i < map->capacity; i++)
        if (inflight_is_used(&map->entries[i]))
            processes_pack(packing, &map->entries[i], sizeof map->entries[i]);
    processes_pack(packing, &locks, sizeof locks);
    pack_array(packing, domain->locks, locks, sizeof *domain->locks);
    PACK_POOL(packing, &domain->inflight.requests);
    PACK_POOL(packing, &domain->sends);
    PACK_POOL(packing, &domain->activations);
    PACK_POOL(packing, &domain->tasks);
    PACK_POOL(packing, &domain->lock_requests);
    PACK_POOL(packing, &domain->file_accesses);
}

static bool take_inflight(struct processes_unpacking *block, struct inflight_table *table) {
    uint64_t count;
    if (!take_array(block, &count, 1, sizeof count)) return false;
    for (uint64_t i = 0; i < count; i++) {
        struct inflight entry;
        if (!take_array(block, &entry, 1, sizeof entry)) return false;
        struct inflight *added = inflight_map_add(&table->map, &entry.key);
        if (added == NULL) return false;
        *added = entry;
    }
    return true;
}

static bool take_domain_state(struct processes_unpacking *block, const struct replay_engine *engine,
                              struct engine_domain *domain) {
    (void)engine;
    uint64_t locks = 0;
    void *items = NULL;
    bool is_there = take_inflight(block, &domain->inflight) &&
                    take_array(block, &locks, 1, sizeof locks) &&
                    take_new_array(block, &items, locks, sizeof *domain->locks);
    domain->locks = items;
    domain->lock_count = (uint32_t)locks;
    domain->lock_capacity = locks;
    TAKE_POOL(is_there, block, &domain->inflight.requests);
    TAKE_POOL(is_there, block, &domain->sends);
    TAKE_POOL(is_there, block, &domain->activations);
    TAKE_POOL(is_there, block, &domain->tasks);
    TAKE_POOL(is_there, block, &domain->lock_requests);
    TAKE_POOL(is_there, block, &domain->file_accesses);
    if (is_there) activation_renew(domain);
    return is_there;
}

static void pack_rank_state(struct processes_packing *packing, const struct replay_engine *engine,
                            uint32_t rank) {
    const struct engine_rank *state = &engine->ranks[rank];
    processes_pack(packing, state, sizeof *state);
    processes_pack(packing, &engine->detached_until_ps[rank], sizeof(int64_t));
    pack_array(packing, &engine->slots[state->first_slot], engine->program->ranks[rank].slot_count,
               sizeof *engine->slots);
}

static bool take_rank_state(struct processes_unpacking *block, struct replay_engine *engine,
                            uint32_t rank) {
    struct engine_rank *state = &engine->ranks[rank];
    return take_array(block, state, 1, sizeof *state) &&
           take_array(block, &engine->detached_until_ps[rank], 1, sizeof(int64_t)) &&
           take_array(block, &engine->slots[state->first_slot],
                      engine->program->ranks[rank].slot_count, sizeof *engine->slots);
}

/* ---------------------------------------------------------------- both */

/* What is gathered of each domain and of each rank. */
struct gathering {
    void (*pack_domain)(struct processes_packing *packing, const struct replay_engine *engine,
                        const struct engine_domain *domain);
    bool (*take_domain)(struct processes_unpacking *block, const struct replay_engine *engine,
                        struct engine_domain *domain);
    void (*pack_rank)(struct processes_packing *packing, const struct replay_engine *engine,
                      uint32_t rank);
    bool (*take_rank)(struct processes_unpacking *block, struct replay_engine *engine,
                      uint32_t rank);
};

static void pack_all(struct processes_packing *packing, const struct replay_engine *engine,
                     const struct gathering *gathering) {
    for (uint32_t i = 0; i < engine->domain_count; i++)
        if (is_mine(engine, i)) gathering->pack_domain(packing, engine, &engine->domains[i]);
    for (uint32_t rank = 0; rank < engine->program->rank_count; rank++)
        if (is_mine(engine, engine->ranks[rank].domain))
            gathering->pack_rank(packing, engine, rank);
}

static bool take_all(struct processes_unpacking *blocks, struct replay_engine *engine,
                     const struct gathering *gathering) {
    const struct transport *transport = engine->transport;
    bool is_there = true;
    for (uint32_t i = 0; i < engine->domain_count && is_there; i++)
        if (!is_mine(engine, i))
            is_there = gathering->take_domain(&blocks[transport_process_of(transport, i)], engine,
                                              &engine->domains[i]);
    for (uint32_t rank = 0; rank < engine->program->rank_count && is_there; rank++) {
        uint32_t domain = engine->ranks[rank].domain;
        if (!is_mine(engine, domain))
            is_there = gathering->take_rank(&blocks[transport_process_of(transport, domain)],
                                            engine, rank);
    }
    return is_there;
}

static status_code gather_results(struct replay_engine *engine, const struct gathering *gathering,
                                  struct status *status) {
    struct processes *processes = engine->transport->processes;
    struct processes_packing own = {0};
    struct processes_unpacking *blocks = NULL;
    const bool is_first = processes_number(processes) == 0;
    if (processes == NULL) return STATUS_OK;
    if (!is_first) pack_all(&own, engine, gathering);
    status_code code = processes_gather(processes, &own, &blocks, status);
    if (code == STATUS_OK && is_first && !take_all(blocks, engine, gathering))
        code =
            status_set(status, STATUS_MEMORY, "out of memory for the results of other processes");
    processes_pack_free(&own);
    free(blocks);
    return code;
}

status_code engine_gather_results(struct replay_engine *engine, struct status *status) {
    static const struct gathering results = {pack_domain_results, take_domain_results,
                                             pack_rank_results, take_rank_results};
    return gather_results(engine, &results, status);
}

status_code engine_gather_state(struct replay_engine *engine, struct status *status) {
    static const struct gathering state = {pack_domain_state, take_domain_state, pack_rank_state,
                                           take_rank_state};
    return gather_results(engine, &state, status);
}
