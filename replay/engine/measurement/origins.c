/* Packs the ranks, the MPI function and the user region of a message into the words of its label,
 * and reads them back. Keeps the user regions that each rank is in. */
#include "replay/engine/measurement/origins.h"

#include "core/memory/memory.h"
#include "replay/engine/state/engine_domain.h"
#include "replay/engine/state/message.h"

#include <stdlib.h>

/* Word 0 of a label: 1 (4 bits), sender's rank (30), receiver's rank (30). Word 1: MPI function +
 * 1, user region + 1; 0: none. */
#define ORIGIN_MARK (UINT64_C(1) << 60)

struct origins_rank {
    uint32_t *regions; /* that it is in, the innermost last */
    size_t depth;
    size_t capacity;
};

struct origins_list {
    uint64_t *items; /* word 1 of labels */
    size_t capacity;
};

struct origins_domain {
    struct origins_list activations; /* by index in the domain's pool */
    struct origins_list sends;       /* by index in the domain's pool */
    uint64_t collective_label;       /* word 1 of the label of the next messages of collectives */
};

struct origins {
    struct origins_rank *ranks;
    struct origins_domain *domains;
};

status_code origins_new(struct replay_engine *engine, struct status *status) {
    struct origins *origins = engine->origins = memory_new(1, sizeof *origins);
    if (origins != NULL) {
        origins->ranks = memory_new(engine->participant_count, sizeof *origins->ranks);
        origins->domains = memory_new(engine->domain_count, sizeof *origins->domains);
    }
    RETURN_ERROR_IF(origins == NULL || origins->ranks == NULL || origins->domains == NULL, status,
                    STATUS_MEMORY, "out of memory for the origins of messages");
    engine->is_observed = true;
    return STATUS_OK;
}

void origins_free(struct replay_engine *engine) {
    struct origins *origins = engine->origins;
    if (origins == NULL) return;
    for (uint32_t i = 0; origins->ranks != NULL && i < engine->program->rank_count; i++)
        free(origins->ranks[i].regions);
    for (uint32_t i = 0; origins->domains != NULL && i < engine->domain_count; i++) {
        free(origins->domains[i].activations.items);
        free(origins->domains[i].sends.items);
    }
    free(origins->ranks);
    free(origins->domains);
    free(origins);
    engine->origins = NULL;
}

static struct origins_domain *origins_of(const struct engine_domain *domain) {
    return &domain->engine->origins->domains[domain->index];
}

static void fail_origins(struct engine_domain *domain) {
    engine_fail(domain, STATUS_MEMORY, "out of memory for the origins of messages");
}

void origins_enter(struct engine_domain *domain, uint32_t rank, uint32_t region) {
    struct origins_rank *own = &domain->engine->origins->ranks[rank];
    void *regions = own->regions;
    if (memory_grow(&regions, &own->capacity, own->depth + 1, sizeof *own->regions, NULL) !=
        STATUS_OK) {
        fail_origins(domain);
        return;
    }
    own->regions = regions;
    own->regions[own->depth++] = region;
}

void origins_leave(struct engine_domain *domain, uint32_t rank) {
    struct origins_rank *own = &domain->engine->origins->ranks[rank];
    if (own->depth > 0) own->depth--;
}

/* Returns word 1 of the label of a message that a rank sends now. */
static uint64_t call_and_region_of(const struct replay_engine *engine, uint32_t rank) {
    const struct engine_rank *state = &engine->ranks[rank];
    const struct origins_rank *own = &engine->origins->ranks[rank];
    uint32_t region = own->depth > 0 ? own->regions[own->depth - 1] + 1 : 0;
    uint32_t function = state->is_outside_mpi ? 0 : state->mpi_function + 1;
    const bool is_rank = rank < engine->program->rank_count; /* else an I/O node */
    if (is_rank && engine->graphs != NULL && engine->graphs[rank] != NULL)
        function = engine->graph_functions + 1;
    return (uint64_t)function << 32 | region;
}

static void store_origin(struct engine_domain *domain, struct origins_list *list, uint32_t index,
                         uint64_t call_and_region) {
    void *items = list->items;
    if (memory_grow(&items, &list->capacity, (size_t)index + 1, sizeof *list->items, NULL) !=
        STATUS_OK) {
        fail_origins(domain);
        return;
    }
    list->items = items;
    list->items[index] = call_and_region;
}

void origins_activation_new(struct engine_domain *domain, uint32_t activation, uint32_t rank) {
    store_origin(domain, &origins_of(domain)->activations, activation,
                 call_and_region_of(domain->engine, rank));
}

void origins_send_as_activation(struct engine_domain *domain, uint32_t activation) {
    struct origins_domain *own = origins_of(domain);
    if (activation < own->activations.capacity)
        own->collective_label = own->activations.items[activation];
}

/* Returns word 1 of the label of a message from a rank. */
static uint64_t call_and_region_of_message(struct engine_domain *domain,
                                           const struct network_cookie *cookie, uint32_t from) {
    struct origins_domain *own = origins_of(domain);
    const uint32_t handle = message_cookie_handle(cookie);
    const struct inflight_key key = message_cookie_key(cookie);
    const message_kind kind = message_cookie_kind(cookie);
    if (kind == MESSAGE_DATA) return handle < own->sends.capacity ? own->sends.items[handle] : 0;
    if (kind != MESSAGE_EAGER && kind != MESSAGE_READY && kind != MESSAGE_RTS)
        return call_and_region_of(domain->engine, from);
    uint64_t call_and_region = key.communicator == INFLIGHT_POINT_TO_POINT
                                   ? call_and_region_of(domain->engine, from)
                                   : own->collective_label;
    if (kind == MESSAGE_RTS) store_origin(domain, &own->sends, handle, call_and_region);
    return call_and_region;
}

void origins_send(struct engine_domain *domain, const struct network_message *message) {
    const struct inflight_key key = message_cookie_key(&message->cookie);
    const bool back = message_goes_back(message_cookie_kind(&message->cookie));
    const uint32_t from = back ? key.rank : key.source, to = back ? key.source : key.rank;
    struct network_label label = {{ORIGIN_MARK | (uint64_t)from << 30 | to}};
    label.word[1] = call_and_region_of_message(domain, &message->cookie, from);
    transport_set_next_label(domain->engine->transport, domain->index, &label);
}

void origins_patterns(struct network_label_pattern patterns[2], uint32_t rank) {
    const uint64_t ranks = ENGINE_RANK_LIMIT - 1;
    patterns[0] = (struct network_label_pattern){ORIGIN_MARK | ranks << 30,
                                                 ORIGIN_MARK | (uint64_t)rank << 30};
    patterns[1] = (struct network_label_pattern){ORIGIN_MARK | ranks, ORIGIN_MARK | rank};
}

bool replay_origin_of(struct replay_origin *origin, const struct network_label *label) {
    *origin = (struct replay_origin){0};
    if (label->word[0] == 0) return false;
    *origin = (struct replay_origin){
        .source_rank = (uint32_t)(label->word[0] >> 30) & (ENGINE_RANK_LIMIT - 1),
        .destination_rank = (uint32_t)label->word[0] & (ENGINE_RANK_LIMIT - 1),
        .function = (uint32_t)(label->word[1] >> 32),
        .region = (uint32_t)label->word[1]};
    return true;
}
