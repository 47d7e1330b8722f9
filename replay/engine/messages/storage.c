/*
 * Carries out accesses to files. A request is a message to an I/O node, with the data of a write.
 * The I/O node serves its requests one after another, in the order in which they arrive, and
 * replies to each, with the data of a read. A rank has at most io.requests of an access under way;
 * a reply lets the next one go.
 *
 * Must not know: which slot or wait needs the access. Invariant: each request has one reply, and
 * the requests of an access hold each of its bytes once.
 */
#include "replay/engine/messages/storage.h"
#include "replay/engine/causes/causes.h"
#include "replay/engine/messages/transfer.h"
#include "replay/engine/state/engine_domain.h"
#include "replay/engine/state/message.h"
#include "replay/hosts/storage_nodes.h"

#include "core/memory/memory.h"

#include <inttypes.h>
#include <stdlib.h>

/* The upper half of word 2 of a cookie has the part of the access (PART_BITS bits), and above it
 * the request number, which tells the requests of an access that are under way at a time apart.
 * Word 1 of a request has the bytes of the part (BYTES_BITS bits), above them whether they are
 * written, and above that the number of the call if the replay is observed. It is all that the I/O
 * node needs: its process may not have the program of the rank. */
enum { PART_BITS = 28, BYTES_BITS = 48, CALL_BITS = 15 };
#define PARTS_LIMIT (UINT32_C(1) << PART_BITS)
#define CALLS_LIMIT (UINT32_C(1) << CALL_BITS)
static_assert(PROGRAM_BYTES_LIMIT <= UINT64_C(1) << BYTES_BITS, "parts fit into a cookie");
static_assert(BYTES_BITS + 1 + CALL_BITS == 64, "word 1 of a cookie is full");
static_assert(REPLAY_REQUESTS_MAX <= 1 << (32 - PART_BITS), "request numbers fit into a cookie");

/* ---------------------------------------------------------------- the I/O nodes */

static status_code find_ranges(struct engine_storage *storage, const struct replay_engine *engine,
                               struct status *status) {
    const uint32_t domains = network_config_domains(engine->network_config);
    storage->first = memory_new((size_t)domains + 1, sizeof *storage->first);
    RETURN_ERROR_IF(storage->first == NULL, status, STATUS_MEMORY, "out of memory for I/O nodes");
    for (uint32_t i = 0; i < storage->count; i++)
        storage
            ->first[network_config_domain_of_node(engine->network_config, storage->nodes[i].node) +
                    1]++;
    for (uint32_t i = 0; i < domains; i++)
        storage->first[i + 1] += storage->first[i];
    return STATUS_OK;
}

status_code storage_new(struct replay_engine *engine, struct status *status) {
    const uint32_t ranks = engine->program->rank_count;
    uint32_t *found = NULL, count = 0;
    engine->node_of_rank = engine->placement->node_of_rank;
    engine->participant_count = ranks;
    FORWARD_IF_ERROR(
        storage_nodes_find(&found, &count, &engine->config, engine->network_config, status));
    if (count == 0) return STATUS_OK;
    if (count >= ENGINE_RANK_LIMIT - ranks) {
        free(found);
        return status_set(status, STATUS_USAGE,
                          "replay: %u ranks and %u I/O nodes; at most %u together can be replayed",
                          ranks, count, ENGINE_RANK_LIMIT - 1);
    }
    struct engine_storage *storage = engine->storage = memory_new(1, sizeof *storage);
    if (storage != NULL) {
        storage->nodes = memory_new(count, sizeof *storage->nodes);
        storage->node_of_rank = memory_new((size_t)ranks + count, sizeof *storage->node_of_rank);
    }
    if (storage == NULL || storage->nodes == NULL || storage->node_of_rank == NULL) {
        free(found);
        return status_set(status, STATUS_MEMORY, "out of memory for I/O nodes");
    }
    storage->count = count;
    engine->participant_count += count;
    for (uint32_t rank = 0; rank < ranks; rank++)
        storage->node_of_rank[rank] = engine->placement->node_of_rank[rank];
    for (uint32_t i = 0; i < count; i++)
        storage->nodes[i].node = storage->node_of_rank[ranks + i] = found[i];
    engine->node_of_rank = storage->node_of_rank;
    free(found);
    return find_ranges(storage, engine, status);
}

void storage_free(struct replay_engine *engine) {
    if (engine->storage == NULL) return;
    free(engine->storage->nodes);
    free(engine->storage->node_of_rank);
    free(engine->storage->first);
    free(engine->storage);
    engine->storage = NULL;
}

/* ---------------------------------------------------------------- parts of an access */

static bool writes(const struct program_operation *operation) {
    return (operation->flags & OPERATION_FLAG_FILE_WRITE) != 0;
}

/* Returns how many stripes an access touches: each is a part. */
static uint64_t parts_of(const struct replay_engine *engine,
                         const struct program_operation *operation) {
    const uint64_t stripe = (uint64_t)engine->config.storage.stripe_bytes;
    const uint64_t first = operation->file.offset, last = first + operation->bytes - 1;
    return last / stripe - first / stripe + 1;
}

status_code storage_check(const struct replay_engine *engine, uint32_t rank,
                          const struct program_operation *operation, struct status *status) {
    RETURN_ERROR_IF(storage_takes_time(engine, operation) &&
                        parts_of(engine, operation) >= PARTS_LIMIT,
                    status, STATUS_INPUT,
                    "replay: rank %u reads or writes %" PRIu64
                    " bytes at once, more than %u stripes (io.stripe_size)",
                    rank, (uint64_t)operation->bytes, PARTS_LIMIT - 1);
    return STATUS_OK;
}

status_code storage_check_functions(const struct replay_engine *engine, struct status *status) {
    RETURN_ERROR_IF(engine->mpi_function_count > CALLS_LIMIT, status, STATUS_INPUT,
                    "replay: files are accessed in a trace with more than %u different MPI calls",
                    CALLS_LIMIT);
    return STATUS_OK;
}

static uint64_t bytes_of(const struct replay_engine *engine,
                         const struct program_operation *operation, uint32_t part) {
    const uint64_t stripe = (uint64_t)engine->config.storage.stripe_bytes;
    const uint64_t from = operation->file.offset, to = from + operation->bytes;
    const uint64_t begin = (from / stripe + part) * stripe, end = begin + stripe;
    return (end < to ? end : to) - (begin > from ? begin : from);
}

/* Returns the number of the I/O node that serves a part. The stripes of file f begin at I/O node
 * f times the number of I/O nodes that a file is spread over, so that files share the I/O nodes
 * evenly. */
static uint32_t server_of(const struct replay_engine *engine, uint32_t rank,
                          const struct program_operation *operation, uint32_t part) {
    const struct engine_storage *storage = engine->storage;
    const struct replay_storage *config = &engine->config.storage;
    const uint64_t count = storage->count;
    if (config->rule == STORAGE_RULE_STRIPES) {
        uint64_t width = (uint64_t)config->stripe_count;
        if (width == 0 || width > count) width = count;
        const uint64_t stripe = operation->file.offset / (uint64_t)config->stripe_bytes + part;
        const uint64_t file = engine->first_file + operation->file.index;
        return (uint32_t)((file * width + stripe % width) % count);
    }
    const uint32_t number = engine->first_rank + rank;
    const uint32_t *range = &storage->first[engine->ranks[rank].domain];
    if (config->rule == STORAGE_RULE_NEAREST && range[1] > range[0])
        return range[0] + number % (range[1] - range[0]);
    return number % storage->count;
}

/* ---------------------------------------------------------------- requests */

/* Returns a message of an access: a request or a reply, of which one has the data. The traffic
 * class is the rank's: an I/O node has none. */
static struct network_message message_of(const struct replay_engine *engine, uint32_t rank,
                                         const struct inflight_key *key, uint64_t data_bytes,
                                         bool is_reply) {
    const uint64_t bytes = data_bytes > 0 ? data_bytes : (uint64_t)engine->config.control_bytes;
    const struct network_message there = message_between(engine, rank, key->rank, bytes);
    struct network_message message = there;
    if (is_reply) {
        message.source_node = there.destination_node;
        message.source_nic = there.destination_nic;
        message.destination_node = there.source_node;
        message.destination_nic = there.source_nic;
    }
    if (data_bytes == 0) message.traffic_class = message_control_class(engine, rank);
    return message;
}

static void set_request(struct network_cookie *cookie, uint32_t request_number, uint32_t part) {
    cookie->word[2] |= (uint64_t)(request_number << PART_BITS | part) << 32;
}

static uint32_t part_of(const struct network_cookie *cookie) {
    return (uint32_t)(cookie->word[2] >> 32) & (PARTS_LIMIT - 1);
}

static uint32_t request_number_of(const struct network_cookie *cookie) {
    return (uint32_t)(cookie->word[2] >> (32 + PART_BITS));
}

static struct network_message request_of(const struct replay_engine *engine,
                                         const struct program_operation *operation, uint32_t rank,
                                         uint32_t part, struct inflight_key *key) {
    *key = (struct inflight_key){.rank = engine->program->rank_count +
                                         server_of(engine, rank, operation, part),
                                 .source = rank};
    const uint64_t written_bytes = writes(operation) ? bytes_of(engine, operation, part) : 0;
    return message_of(engine, rank, key, written_bytes, false);
}

/* Returns the number of the call that an access belongs to. */
static uint32_t call_of(const struct replay_engine *engine,
                        const struct engine_file_access *access) {
    const struct program *program = engine->program;
    uint64_t call = access->operation;
    while (PROGRAM_OPERATION_AT(program, access->rank, call)->kind != OPERATION_CALL)
        call--;
    return engine
        ->mpi_function_of_region[PROGRAM_OPERATION_AT(program, access->rank, call)->mark.region];
}

/* Returns word 1 of the cookie of a request. */
static uint64_t asked_of(const struct replay_engine *engine,
                         const struct engine_file_access *access,
                         const struct program_operation *operation, uint32_t part) {
    const uint64_t call = engine->is_observed ? call_of(engine, access) : 0;
    return (call << 1 | writes(operation)) << BYTES_BITS | bytes_of(engine, operation, part);
}

static void send_request(struct engine_domain *domain, uint32_t handle, uint32_t request_number,
                         int64_t at_ps) {
    const struct replay_engine *engine = domain->engine;
    struct engine_file_access *access = &domain->file_accesses.items[handle];
    const uint32_t part = access->sent_parts++;
    const struct program_operation *operation =
        PROGRAM_OPERATION_AT(engine->program, access->rank, access->operation);
    struct inflight_key key;
    struct network_message message = request_of(engine, operation, access->rank, part, &key);
    message.cookie = message_cookie_make(MESSAGE_IO_REQUEST, &key, handle);
    message.cookie.word[1] = asked_of(engine, access, operation, part);
    set_request(&message.cookie, request_number, part);
    access->sent_ps[request_number] = at_ps;
    domain->sent++;
    engine_send_message(domain, at_ps, &message);
}

void storage_begin(struct engine_domain *domain, uint32_t rank, uint64_t operation, uint32_t owner,
                   int64_t at_ps) {
    const struct replay_engine *engine = domain->engine;
    const uint32_t handle = engine_file_access_pool_take(&domain->file_accesses);
    if (handle == POOL_NONE) {
        engine_fail(domain, STATUS_MEMORY, "out of memory for accesses to files");
        return;
    }
    const uint32_t parts =
        (uint32_t)parts_of(engine, PROGRAM_OPERATION_AT(engine->program, rank, operation));
    domain->file_accesses.items[handle] = (struct engine_file_access){
        .rank = rank, .owner = owner, .parts = parts, .operation = operation, .from_ps = at_ps};
    for (uint32_t request_number = 0;
         request_number < parts && request_number < engine->config.storage.requests_max;
         request_number++)
        send_request(domain, handle, request_number, at_ps);
}

/* ---------------------------------------------------------------- service */

static int64_t service_ps(const struct replay_engine *engine, uint64_t bytes, bool is_write) {
    const int64_t rate = is_write ? engine->config.storage.write_bytes_per_s
                                  : engine->config.storage.read_bytes_per_s;
    const wide time_ps = (wide)bytes * UINT64_C(1000000000000) / (uint64_t)rate;
    return time_ps < (wide)HOST_TIME_LIMIT_PS ? (int64_t)time_ps : HOST_TIME_LIMIT_PS;
}

/* Extends the chain of an I/O node, from which its reply is sent. The chain of the request
 * replaces it first, unless the I/O node was still busy with earlier requests. */
static void explain(struct engine_domain *domain, const struct inflight_key *key, bool is_busy,
                    int64_t time_ps, bool is_write) {
    const struct replay_engine *engine = domain->engine;
    if (!is_busy) {
        causes_rank_waited(domain, key->rank);
        causes_charge_rank(domain, key->rank, CHAIN_STORAGE, engine->config.storage.latency_ps);
    }
    causes_charge_rank(domain, key->rank, is_write ? CHAIN_STORAGE_WRITE : CHAIN_STORAGE_READ,
                       time_ps);
    causes_send_as_rank(domain, key->rank);
}

void storage_delivered(struct engine_domain *domain, int64_t now_ps,
                       const struct network_delivery *delivery) {
    const struct replay_engine *engine = domain->engine;
    const struct network_cookie *cookie = &delivery->cookie;
    const struct inflight_key key = {.rank = message_cookie_key(cookie).rank,
                                     .source = message_cookie_key(cookie).source};
    const uint64_t asked = cookie->word[1];
    struct replay_storage_node *node =
        &engine->storage->nodes[key.rank - engine->program->rank_count];
    const uint64_t bytes = asked & ((UINT64_C(1) << BYTES_BITS) - 1);
    const bool is_write = (asked >> BYTES_BITS & 1) != 0;
    const int64_t ready_ps = now_ps + engine->config.storage.latency_ps;
    const int64_t time_ps = service_ps(engine, bytes, is_write);
    const bool is_busy = node->free_ps > ready_ps;
    if (time_ps > HOST_TIME_LIMIT_PS - (is_busy ? node->free_ps : ready_ps)) {
        engine_fail(
            domain, STATUS_RUN,
            "replay: a request at the I/O node on node %u ends later than the 26 days that a "
            "run may take (io.write_rate, io.read_rate)",
            node->node);
        return;
    }
    domain->received++;
    node->waited_ps += is_busy ? (uint64_t)(node->free_ps - ready_ps) : 0;
    node->free_ps = (is_busy ? node->free_ps : ready_ps) + time_ps;
    node->busy_ps += time_ps;
    node->requests++;
    *(is_write ? &node->written_bytes : &node->read_bytes) += bytes;
    /* The current call of the I/O node is that of the rank that it serves. */
    if (engine->is_observed)
        engine->ranks[key.rank].mpi_function = (uint32_t)(asked >> (BYTES_BITS + 1));
    if (causes_are_kept(domain)) {
        causes_mark_order_dependent(domain);
        explain(domain, &key, is_busy, time_ps, is_write);
    }
    struct network_message message =
        message_of(engine, key.source, &key, is_write ? 0 : bytes, true);
    message.cookie = message_cookie_make(MESSAGE_IO_REPLY, &key, message_cookie_handle(cookie));
    message.cookie.word[1] = (uint64_t)now_ps;
    set_request(&message.cookie, request_number_of(cookie), part_of(cookie));
    engine_send_message(domain, node->free_ps, &message);
}

/* Ends an access with the reply to its last request. What happened before that request was sent
 * counts as storage too. */
static void end_access(struct engine_domain *domain, int64_t now_ps,
                       const struct network_delivery *delivery, uint32_t handle) {
    const struct replay_engine *engine = domain->engine;
    const struct engine_file_access access = domain->file_accesses.items[handle];
    const struct program_operation *operation =
        PROGRAM_OPERATION_AT(engine->program, access.rank, access.operation);
    struct inflight_key key;
    const struct network_message request =
        request_of(engine, operation, access.rank, part_of(&delivery->cookie), &key);
    struct engine_transfer_end end = {
        .now_ps = now_ps,
        .from_ps = access.from_ps,
        .phase_count = 4,
        .phase = {{ENGINE_WAIT_STORAGE, access.sent_ps[request_number_of(&delivery->cookie)], 0},
                  {ENGINE_WAIT_NETWORK, (int64_t)delivery->cookie.word[1],
                   transport_zero_load_ps(engine->transport, &request)},
                  {ENGINE_WAIT_STORAGE, delivery->ready_ps, 0},
                  {ENGINE_WAIT_NETWORK, now_ps, delivery->zero_load_ps}}};
    engine_file_access_pool_give(&domain->file_accesses, handle);
    if (access.owner != ENGINE_OWNER_NOBODY)
        transfer_complete(domain, access.rank, access.owner, &end);
}

void storage_served(struct engine_domain *domain, int64_t now_ps,
                    const struct network_delivery *delivery) {
    const uint32_t handle = message_cookie_handle(&delivery->cookie);
    struct engine_file_access *access = &domain->file_accesses.items[handle];
    if (access->sent_parts < access->parts)
        send_request(domain, handle, request_number_of(&delivery->cookie), now_ps);
    if (++access->replied_parts == access->parts) end_access(domain, now_ps, delivery, handle);
}
