/*
 * A one-sided operation, from the moment it is handed to the NIC until it is complete. The source
 * sends RMA_REQUEST to the target, whose NIC sends back RMA_REPLY: at once, whatever the target's
 * rank does, or, to a request for a lock, as soon as the lock is granted.
 *
 * Must not know: which slot or wait needs the operation. Invariant: each RMA_REQUEST has one
 * RMA_REPLY.
 */
#include "replay/engine/messages/rma.h"
#include "replay/engine/causes/causes.h"
#include "replay/engine/messages/rma_window_lock.h"
#include "replay/engine/messages/transfer.h"
#include "replay/engine/state/engine_domain.h"
#include "replay/engine/state/message.h"

/* Returns the bytes of data that a message of an operation has. direction: OPERATION_FLAG_RMA_WRITE
 * for the message to the target, OPERATION_FLAG_RMA_READ for the reply. */
static uint64_t data_bytes(const struct program_operation *operation, unsigned direction) {
    return (operation->flags & direction) != 0 ? operation->bytes : 0;
}

/* Returns the payload of a message with so many bytes of data. */
static uint64_t payload_of(const struct replay_engine *engine, uint64_t size_bytes) {
    return size_bytes > 0 ? size_bytes : (uint64_t)engine->config.control_bytes;
}

uint64_t rma_bytes(const struct replay_engine *engine, const struct program_operation *operation,
                   unsigned direction) {
    return payload_of(engine, data_bytes(operation, direction));
}

/* Returns the traffic class of a message to the target or back. */
static uint8_t rma_class(const struct replay_engine *engine, uint32_t source, uint64_t size_bytes) {
    return size_bytes > 0 ? message_class_of_rank(engine, source)
                          : message_control_class(engine, source);
}

void rma_send_request(struct engine_domain *domain, uint32_t source, uint64_t operation_index,
                      uint32_t owner, int64_t at_ps) {
    const struct replay_engine *engine = domain->engine;
    const struct program_operation *operation =
        PROGRAM_OPERATION_AT(engine->program, source, operation_index);
    struct inflight_key key = {.rank = operation->message.peer, .source = source};
    const uint64_t written_bytes = data_bytes(operation, OPERATION_FLAG_RMA_WRITE);
    struct network_message message =
        message_between(engine, source, key.rank, payload_of(engine, written_bytes));
    message.traffic_class = rma_class(engine, source, written_bytes);
    message.cookie = message_cookie_make(MESSAGE_RMA_REQUEST, &key, 0);
    message.cookie.word[1] = data_bytes(operation, OPERATION_FLAG_RMA_READ);
    message.cookie.word[2] = (uint64_t)operation->message.envelope << 32 | owner;
    domain->rma_operations++;
    domain->sent++;
    engine_send_message(domain, at_ps, &message);
}

/* Sends the reply to a request at now_ps. carried_ps: word 1 of the reply's cookie (message.h). */
static void send_reply(struct engine_domain *domain, int64_t now_ps,
                       const struct engine_rma_request *request, int64_t carried_ps) {
    const struct replay_engine *engine = domain->engine;
    struct inflight_key key = {.rank = request->target, .source = request->source};
    struct network_message message =
        message_between(engine, key.rank, key.source, payload_of(engine, request->reply_bytes));
    message.traffic_class = rma_class(engine, key.source, request->reply_bytes);
    message.cookie = message_cookie_make(MESSAGE_RMA_REPLY, &key, 0);
    message.cookie.word[1] = (uint64_t)carried_ps;
    message.cookie.word[2] = request->owner;
    engine_send_message(domain, now_ps, &message);
}

void rma_request_arrived(struct engine_domain *domain, int64_t now_ps,
                         const struct network_delivery *delivery) {
    const struct replay_engine *engine = domain->engine;
    const struct network_cookie *cookie = &delivery->cookie;
    struct engine_rma_request request = {.reply_bytes = cookie->word[1],
                                         .target = message_cookie_key(cookie).rank,
                                         .source = message_cookie_key(cookie).source,
                                         .envelope = (uint32_t)(cookie->word[2] >> 32),
                                         .owner = (uint32_t)cookie->word[2],
                                         .arrived_ps = now_ps};
    program_lock lock = program_lock_of(engine->program->envelopes[request.envelope].tag);
    domain->received++;
    if (program_lock_takes(lock)) {
        if (causes_are_kept(domain)) causes_mark_order_dependent(domain);
        if (rma_window_lock_take(domain, &request)) send_reply(domain, now_ps, &request, now_ps);
        return;
    }
    send_reply(domain, now_ps, &request, delivery->ready_ps);
    if (lock == PROGRAM_LOCK_NONE) return;
    rma_window_lock_give_back(domain, &request);
    struct engine_rma_request granted;
    while (rma_window_lock_next(domain, &request, &granted))
        send_reply(domain, now_ps, &granted, granted.arrived_ps);
}

/* Handles the grant of a lock. The rank that requests a lock waits for it from the request on. */
static void lock_granted(struct engine_domain *domain, int64_t now_ps,
                         const struct network_delivery *delivery,
                         const struct program_operation *operation) {
    const struct replay_engine *engine = domain->engine;
    uint32_t source = message_cookie_key(&delivery->cookie).source;
    int64_t request_transit_ps =
        message_control_zero_load_ps(engine, source, operation->message.peer);
    struct engine_transfer_end end = {
        .now_ps = now_ps,
        .from_ps = engine->ranks[source].clock_ps,
        .phase_count = 3,
        .phase = {{ENGINE_WAIT_NETWORK, (int64_t)delivery->cookie.word[1], request_transit_ps},
                  {ENGINE_WAIT_LATE_RECEIVER, delivery->ready_ps, 0},
                  {ENGINE_WAIT_NETWORK, now_ps, delivery->zero_load_ps}}};
    transfer_complete(domain, source, (uint32_t)delivery->cookie.word[2], &end);
}

void rma_reply_arrived(struct engine_domain *domain, int64_t now_ps,
                       const struct network_delivery *delivery) {
    const struct replay_engine *engine = domain->engine;
    const struct network_cookie *cookie = &delivery->cookie;
    uint32_t owner = (uint32_t)cookie->word[2], source = message_cookie_key(cookie).source;
    if (owner == ENGINE_OWNER_NOBODY) return;
    const struct engine_rank *rank = &engine->ranks[source];
    uint32_t number = engine->slots[rank->first_slot + owner].operation;
    const struct program_operation *operation =
        PROGRAM_OPERATION_AT(engine->program, source, rank->first + number);
    uint32_t target = operation->message.peer;
    const uint64_t written_bytes = data_bytes(operation, OPERATION_FLAG_RMA_WRITE);
    program_lock lock = program_lock_kind(engine->program, operation);
    if (program_lock_takes(lock)) {
        lock_granted(domain, now_ps, delivery, operation);
        return;
    }
    struct network_message request =
        message_between(engine, source, target, payload_of(engine, written_bytes));
    request.traffic_class = rma_class(engine, source, written_bytes);
    struct engine_transfer_end end = {
        .now_ps = now_ps,
        .from_ps = (int64_t)cookie->word[1],
        .phase_count = 1,
        .phase = {{ENGINE_WAIT_NETWORK, now_ps,
                   transport_zero_load_ps(engine->transport, &request) + delivery->zero_load_ps}}};
    transfer_complete(domain, source, owner, &end);
}
