/*
 * One message from handing over to completion.
 *
 *   eager:       EAGER ------------------------------------> matched
 *   put:         REQUEST --> matched; CLEAR <--; DATA -----> complete
 *   get:         REQUEST --> matched; CLEAR <--; DATA -----> complete; FINISHED <--
 *
 * A request is answered as soon as both it and its receive are there; with software progress, once
 * the receiver is inside an MPI call too. A put's data leave when the answer is back and (software
 * progress) the sender is inside a call; a get's answer is the NIC's own read, which the other NIC
 * serves at once, and the sender learns from FINISHED that its data are gone.
 *
 *   one-sided:   REMOTE --> ; ANSWER <--            by the peer's NIC, whatever its rank does; to a
 *                                                   lock once it is granted
 *
 * Must not know: operations (but one-sided ones), waiting ranks. Invariant: each message with data
 * is taken in once.
 */
#include "replay/engine.h"

#include "core/memory.h"

typedef enum message_kind {
    MESSAGE_EAGER = 1,
    MESSAGE_REQUEST,
    MESSAGE_CLEAR,
    MESSAGE_DATA,
    MESSAGE_UNMATCHED,
    MESSAGE_FINISHED,
    MESSAGE_REMOTE,
    MESSAGE_ANSWER
} message_kind;

/* word 0: kind (4 bits), receiver's rank (30), sender's rank (30).
 * EAGER, REQUEST, DATA: word 1: communicator, number; word 2: tag, handle at the sender.
 * CLEAR (towards the sender): word 1: when the request arrived; word 2: handle at the sender.
 * REMOTE: word 1: the operation; word 2: its slot. ANSWER (back to the one who sent it): word 1:
 * when REMOTE was handed to the NIC (locks: when it arrived); word 2: the slot. FINISHED (towards
 * the sender): word 1: when the data arrived; word 2: handle at the sender. */
static network_cookie cookie_of(message_kind kind, const inflight_key *key, uint32_t handle) {
    return (network_cookie){{(uint64_t)kind << 60 | (uint64_t)key->rank << 30 | key->source,
                             (uint64_t)key->communicator << 32 | key->number,
                             (uint64_t)key->tag << 32 | handle}};
}

static message_kind cookie_kind(const network_cookie *cookie) {
    return (message_kind)(cookie->word[0] >> 60);
}

static inflight_key cookie_key(const network_cookie *cookie) {
    return (inflight_key){(uint32_t)(cookie->word[0] >> 30) & (ENGINE_RANK_LIMIT - 1),
                          (uint32_t)cookie->word[0] & (ENGINE_RANK_LIMIT - 1),
                          (uint32_t)(cookie->word[1] >> 32), (uint32_t)cookie->word[1],
                          (uint32_t)(cookie->word[2] >> 32)};
}

static uint32_t cookie_handle(const network_cookie *cookie) {
    return (uint32_t)cookie->word[2];
}

bool transfer_ranks(const network_message *message, uint32_t *sender, uint32_t *receiver) {
    message_kind kind = cookie_kind(&message->cookie);
    inflight_key key = cookie_key(&message->cookie);
    *sender = key.source;
    *receiver = key.rank;
    if (kind == MESSAGE_ANSWER) {
        *sender = key.rank;
        *receiver = key.source;
    }
    return kind != MESSAGE_REQUEST && kind != MESSAGE_CLEAR && kind != MESSAGE_FINISHED;
}

static uint32_t node_of(const engine *engine, uint32_t rank) {
    return engine->placement->node_of_rank[rank];
}

static void hand_over(engine_domain *domain, message_kind kind, const inflight_key *key,
                      uint64_t size_bytes, uint32_t handle, bool notify, int64_t at_ps) {
    network_message message = {node_of(domain->engine, key->source),
                               node_of(domain->engine, key->rank), size_bytes, notify,
                               cookie_of(kind, key, handle)};
    if (kind != MESSAGE_REQUEST) domain->sent++;
    engine_send_message(domain, at_ps, &message);
}

static uint32_t new_send(engine_domain *domain) {
    if (domain->free_send != PROGRAM_NONE) {
        uint32_t handle = domain->free_send;
        domain->free_send = domain->sends[handle].next_free;
        return handle;
    }
    if (memory_grow((void **)&domain->sends, &domain->send_capacity, (size_t)domain->send_count + 1,
                    sizeof *domain->sends, NULL) != STATUS_OK) {
        engine_fail(domain, STATUS_MEMORY, "out of memory for %u sends in flight",
                    domain->send_count);
        return PROGRAM_NONE;
    }
    return domain->send_count++;
}

static void free_send(engine_domain *domain, uint32_t handle) {
    domain->sends[handle].rank = PROGRAM_NONE;
    domain->sends[handle].next_free = domain->free_send;
    domain->free_send = handle;
}

bool transfer_send(engine_domain *domain, uint32_t owner, const inflight_key *key,
                   uint64_t size_bytes, unsigned flags, int64_t at_ps) {
    bool synchronous = (flags & PROGRAM_SYNCHRONOUS) != 0;
    bool small = size_bytes <= (uint64_t)domain->engine->config.eager_threshold_bytes;
    bool eager = !synchronous && (small || (flags & (PROGRAM_READY | PROGRAM_BUFFERED)) != 0);
    bool point_to_point = key->communicator == INFLIGHT_POINT_TO_POINT;
    domain->collective_messages += !point_to_point;
    bool counted = point_to_point && (flags & TRANSFER_OF_WINDOW) == 0;
    domain->eager_messages += counted && eager;
    domain->rendezvous_messages += counted && !eager;
    /* A ready send above the threshold is not copied: it ends when its data have left. */
    bool copied = eager && (small || (flags & PROGRAM_BUFFERED) != 0 || owner == OWNER_NOBODY);
    if (copied) {
        hand_over(domain, MESSAGE_EAGER, key, size_bytes, 0, false, at_ps);
        return true;
    }
    uint32_t handle = new_send(domain);
    if (handle == PROGRAM_NONE) return false;
    domain->sends[handle] =
        (engine_send){key->source, owner, PROGRAM_NONE, synchronous, eager, *key,
                      size_bytes,  at_ps, at_ps,        at_ps,       at_ps};
    if (eager) {
        hand_over(domain, MESSAGE_EAGER, key, size_bytes, handle, true, at_ps);
    } else {
        hand_over(domain, MESSAGE_REQUEST, key, (uint64_t)domain->engine->config.control_bytes,
                  handle, false, at_ps);
    }
    return false;
}

void transfer_send_unmatched(engine_domain *domain, uint32_t source, uint32_t destination,
                             uint64_t size_bytes, uint64_t operation, int64_t at_ps) {
    inflight_key key = {destination, source, (uint32_t)(operation >> 32), (uint32_t)operation, 0};
    domain->eager_messages++;
    hand_over(domain, MESSAGE_UNMATCHED, &key, size_bytes, 0, false, at_ps);
}

uint64_t transfer_remote_bytes(const engine *engine, const program_operation *operation,
                               unsigned direction) {
    bool data = (operation->flags & direction) != 0 && operation->value > 0;
    return data ? operation->value : (uint64_t)engine->config.control_bytes;
}

void transfer_remote(engine_domain *domain, uint32_t source, uint64_t index, uint32_t owner,
                     int64_t at_ps) {
    const engine *engine = domain->engine;
    const program_operation *operation = &engine->program->operations[index];
    inflight_key key = {operation->message.peer, source, 0, 0, 0};
    network_message message = {node_of(engine, source), node_of(engine, key.rank),
                               transfer_remote_bytes(engine, operation, PROGRAM_REMOTE_WRITE),
                               false, cookie_of(MESSAGE_REMOTE, &key, 0)};
    message.cookie.word[1] = index;
    message.cookie.word[2] = owner;
    domain->remote_operations++;
    domain->sent++;
    engine_send_message(domain, at_ps, &message);
}

/* told_ps: what the origin learns from it. */
static void answer(engine_domain *domain, int64_t now_ps, const lock_request *request,
                   int64_t told_ps) {
    const engine *engine = domain->engine;
    const program_operation *operation = &engine->program->operations[request->operation];
    inflight_key key = {operation->message.peer, request->source, 0, 0, 0};
    network_message message = {node_of(engine, key.rank), node_of(engine, key.source),
                               transfer_remote_bytes(engine, operation, PROGRAM_REMOTE_READ), false,
                               cookie_of(MESSAGE_ANSWER, &key, 0)};
    message.cookie.word[1] = (uint64_t)told_ps;
    message.cookie.word[2] = request->slot;
    engine_send_message(domain, now_ps, &message);
}

static void remote_delivered(engine_domain *domain, int64_t now_ps,
                             const network_delivery *delivery) {
    const engine *engine = domain->engine;
    const network_cookie *cookie = &delivery->cookie;
    lock_request request = {.operation = cookie->word[1],
                            .source = cookie_key(cookie).source,
                            .slot = (uint32_t)cookie->word[2],
                            .arrived_ps = now_ps};
    const program_operation *operation = &engine->program->operations[request.operation];
    program_lock lock = program_lock_kind(engine->program, operation);
    domain->received++;
    if (program_lock_takes(lock)) {
        if (window_lock_take(domain, &request)) answer(domain, now_ps, &request, now_ps);
        return;
    }
    answer(domain, now_ps, &request, delivery->ready_ps);
    if (lock == PROGRAM_NO_LOCK) return;
    window_lock_give_back(domain, operation);
    while (window_lock_next(domain, operation, &request))
        answer(domain, now_ps, &request, request.arrived_ps);
}

/* From the receiver back to the sender, which is told a time. */
static void send_back(engine_domain *domain, message_kind kind, const inflight_key *key,
                      uint32_t handle, int64_t told_ps, int64_t at_ps) {
    network_message message = {
        node_of(domain->engine, key->rank), node_of(domain->engine, key->source),
        (uint64_t)domain->engine->config.control_bytes, false, cookie_of(kind, key, handle)};
    message.cookie.word[1] = (uint64_t)told_ps;
    message.cookie.word[2] = handle;
    engine_send_message(domain, at_ps, &message);
}

/* Request and receive are both there. */
static void clear(engine_domain *domain, inflight *entry, int64_t at_ps) {
    inflight_request *request = inflight_request_of(&domain->inflight, entry);
    entry->state = INFLIGHT_CLEARED;
    request->cleared_ps = at_ps;
    send_back(domain, MESSAGE_CLEAR, &entry->key, request->sender, request->arrived_ps, at_ps);
}

void transfer_answer(engine_domain *domain, const inflight_key *key, int64_t at_ps) {
    inflight *entry = inflight_find(&domain->inflight, key);
    int64_t posted_ps = inflight_request_of(&domain->inflight, entry)->cleared_ps;
    clear(domain, entry, posted_ps > at_ps ? posted_ps : at_ps);
}

static void fail_inflight(engine_domain *domain) {
    engine_fail(domain, STATUS_MEMORY, "out of memory for %u messages in flight",
                domain->inflight.count);
}

static inflight *add_inflight(engine_domain *domain, const inflight_key *key, inflight_state state,
                              uint64_t value) {
    inflight *entry = inflight_add(&domain->inflight, key);
    if (entry == NULL) {
        fail_inflight(domain);
        return NULL;
    }
    entry->state = state & 7;
    entry->value = value & (UINT64_MAX >> 3);
    return entry;
}

bool transfer_receive(engine_domain *domain, uint32_t owner, const inflight_key *key, int64_t at_ps,
                      uint64_t *size_bytes) {
    inflight *entry = inflight_find(&domain->inflight, key);
    if (entry == NULL) {
        entry = add_inflight(domain, key, INFLIGHT_POSTED, (uint64_t)at_ps);
        if (entry != NULL) entry->owner = owner;
        return false;
    }
    if (entry->state == INFLIGHT_ARRIVED) {
        *size_bytes = entry->value;
        inflight_remove(&domain->inflight, entry);
        return true;
    }
    entry->owner = owner;
    clear(domain, entry, at_ps);
    return false;
}

static void complete(engine_domain *domain, uint32_t rank, uint32_t owner,
                     const transfer_end *end) {
    if (owner == OWNER_NOBODY) return;
    if (owner & OWNER_ACTIVATION)
        activation_transfer_done(domain, owner & ~OWNER_ACTIVATION, end);
    else
        rank_slot_done(domain, rank, owner, end);
}

static int64_t control_zero_load(const engine *engine, uint32_t from, uint32_t to) {
    return network_zero_load_ps(engine->network, node_of(engine, from), node_of(engine, to),
                                (uint64_t)engine->config.control_bytes);
}

static void eager_delivered(engine_domain *domain, int64_t now_ps,
                            const network_delivery *delivery) {
    inflight_key key = cookie_key(&delivery->cookie);
    inflight *entry = inflight_find(&domain->inflight, &key);
    domain->received++;
    if (entry == NULL) {
        (void)add_inflight(domain, &key, INFLIGHT_ARRIVED, delivery->size_bytes);
        return;
    }
    transfer_end end = {now_ps,
                        0,
                        true,
                        delivery->size_bytes,
                        2,
                        {{WAIT_LATE_SENDER, delivery->ready_ps, 0},
                         {WAIT_NETWORK, now_ps, delivery->zero_load_ps}}};
    uint32_t owner = entry->owner;
    inflight_remove(&domain->inflight, entry);
    complete(domain, key.rank, owner, &end);
}

static void request_delivered(engine_domain *domain, int64_t now_ps,
                              const network_delivery *delivery) {
    inflight_key key = cookie_key(&delivery->cookie);
    inflight *entry = inflight_find(&domain->inflight, &key);
    bool posted = entry != NULL;
    int64_t posted_ps = posted ? (int64_t)entry->value : 0;
    if (!posted) entry = inflight_add(&domain->inflight, &key);
    inflight_request *request =
        entry != NULL ? inflight_request_new(&domain->inflight, entry) : NULL;
    if (request == NULL) {
        fail_inflight(domain);
        return;
    }
    *request = (inflight_request){.sender = cookie_handle(&delivery->cookie),
                                  .requested_ps = delivery->ready_ps,
                                  .arrived_ps = now_ps,
                                  .cleared_ps = posted_ps};
    if (!posted) return;
    if (progress_is_outside(domain, key.rank, now_ps)) {
        engine_task task = {.kind = TASK_ANSWER, .key = key};
        progress_put_off(domain, key.rank, &task);
        return;
    }
    clear(domain, entry, posted_ps > now_ps ? posted_ps : now_ps);
}

static void clear_delivered(engine_domain *domain, int64_t now_ps,
                            const network_delivery *delivery) {
    uint32_t handle = cookie_handle(&delivery->cookie);
    engine_send *send = &domain->sends[handle];
    send->answered = true;
    send->arrived_ps = (int64_t)delivery->cookie.word[1];
    send->cleared_ps = delivery->ready_ps;
    send->answered_ps = now_ps;
    if (domain->engine->config.rendezvous == RENDEZVOUS_GET) {
        hand_over(domain, MESSAGE_DATA, &send->key, send->size_bytes, handle, false, now_ps);
    } else if (progress_is_outside(domain, send->rank, now_ps)) {
        engine_task task = {.kind = TASK_DATA, .handle = handle};
        progress_put_off(domain, send->rank, &task);
    } else {
        transfer_data(domain, handle, now_ps);
    }
}

void transfer_data(engine_domain *domain, uint32_t handle, int64_t at_ps) {
    engine_send *send = &domain->sends[handle];
    bool notify = send->owner != OWNER_NOBODY;
    hand_over(domain, MESSAGE_DATA, &send->key, send->size_bytes, handle, notify, at_ps);
    if (!notify) free_send(domain, handle);
}

void transfer_finish(engine_domain *domain, const inflight_key *key, uint32_t handle,
                     int64_t arrived_ps, int64_t at_ps) {
    send_back(domain, MESSAGE_FINISHED, key, handle, arrived_ps, at_ps);
}

/* The data of a get are here. */
static void fetched(engine_domain *domain, const inflight_key *key, uint32_t handle,
                    int64_t now_ps) {
    if (!progress_is_outside(domain, key->rank, now_ps)) {
        transfer_finish(domain, key, handle, now_ps, now_ps);
        return;
    }
    engine_task task = {.kind = TASK_FINISH, .handle = handle, .key = *key, .arrived_ps = now_ps};
    progress_put_off(domain, key->rank, &task);
}

static void data_delivered(engine_domain *domain, int64_t now_ps,
                           const network_delivery *delivery) {
    inflight_key key = cookie_key(&delivery->cookie);
    inflight *entry = inflight_find(&domain->inflight, &key);
    domain->received++;
    const engine *engine = domain->engine;
    const inflight_request *request = inflight_request_of(&domain->inflight, entry);
    int64_t back_ps = control_zero_load(engine, key.rank, key.source);
    /* With software progress the sender may have been late to see the answer. What of the time it
     * took was queueing is not known here then. */
    bool software = engine->config.progress == PROGRESS_SOFTWARE;
    int64_t answer_ps = request->cleared_ps + back_ps;
    if (!software || answer_ps > delivery->ready_ps) answer_ps = delivery->ready_ps;
    transfer_end end = {
        now_ps,
        0,
        true,
        delivery->size_bytes,
        6,
        {{WAIT_LATE_SENDER, request->requested_ps, 0},
         {WAIT_NETWORK, request->arrived_ps, control_zero_load(engine, key.source, key.rank)},
         {WAIT_LATE_SENDER, request->cleared_ps, 0}, /* the receiver cannot wait before it posts */
         {WAIT_NETWORK, answer_ps, back_ps},
         {WAIT_LATE_SENDER, delivery->ready_ps, 0},
         {WAIT_NETWORK, now_ps, delivery->zero_load_ps}}};
    uint32_t owner = entry->owner;
    inflight_remove(&domain->inflight, entry);
    if (engine->config.rendezvous == RENDEZVOUS_GET)
        fetched(domain, &key, cookie_handle(&delivery->cookie), now_ps);
    complete(domain, key.rank, owner, &end);
}

static void finished_delivered(engine_domain *domain, int64_t now_ps,
                               const network_delivery *delivery) {
    uint32_t handle = cookie_handle(&delivery->cookie);
    const engine *engine = domain->engine;
    engine_send send = domain->sends[handle];
    uint32_t to = send.key.rank;
    int64_t back_ps = control_zero_load(engine, to, send.rank);
    int64_t arrived_ps = (int64_t)delivery->cookie.word[1];
    transfer_end end = {now_ps,
                        send.requested_ps,
                        false,
                        send.size_bytes,
                        6,
                        {{WAIT_NETWORK, send.arrived_ps, control_zero_load(engine, send.rank, to)},
                         {WAIT_LATE_RECEIVER, send.cleared_ps, 0},
                         {WAIT_NETWORK, send.answered_ps, back_ps},
                         {WAIT_NETWORK, arrived_ps,
                          network_zero_load_ps(engine->network, node_of(engine, send.rank),
                                               node_of(engine, to), send.size_bytes)},
                         {WAIT_LATE_RECEIVER, delivery->ready_ps, 0},
                         {WAIT_NETWORK, now_ps, back_ps}}};
    free_send(domain, handle);
    complete(domain, send.rank, send.owner, &end);
}

/* Who asks for a lock waits for it from then on. */
static void lock_granted(engine_domain *domain, int64_t now_ps, const network_delivery *delivery,
                         const program_operation *operation) {
    const engine *engine = domain->engine;
    uint32_t source = cookie_key(&delivery->cookie).source;
    int64_t there_ps = control_zero_load(engine, source, operation->message.peer);
    transfer_end end = {.now_ps = now_ps,
                        .from_ps = engine->ranks[source].clock_ps,
                        .phase_count = 3,
                        .phase = {{WAIT_NETWORK, (int64_t)delivery->cookie.word[1], there_ps},
                                  {WAIT_LATE_RECEIVER, delivery->ready_ps, 0},
                                  {WAIT_NETWORK, now_ps, delivery->zero_load_ps}}};
    complete(domain, source, (uint32_t)delivery->cookie.word[2], &end);
}

static void answer_delivered(engine_domain *domain, int64_t now_ps,
                             const network_delivery *delivery) {
    const engine *engine = domain->engine;
    const network_cookie *cookie = &delivery->cookie;
    uint32_t owner = (uint32_t)cookie->word[2], source = cookie_key(cookie).source;
    if (owner == OWNER_NOBODY) return;
    const engine_rank *rank = &engine->ranks[source];
    uint32_t number = engine->slots[rank->first_slot + owner].operation;
    const program_operation *operation = &engine->program->operations[rank->first + number];
    uint32_t here = node_of(engine, source), there = node_of(engine, operation->message.peer);
    uint64_t bytes = transfer_remote_bytes(engine, operation, PROGRAM_REMOTE_WRITE);
    program_lock lock = program_lock_kind(engine->program, operation);
    if (program_lock_takes(lock)) {
        lock_granted(domain, now_ps, delivery, operation);
        return;
    }
    transfer_end end = {.now_ps = now_ps,
                        .from_ps = (int64_t)cookie->word[1],
                        .size_bytes = operation->value,
                        .phase_count = 1,
                        .phase = {{WAIT_NETWORK, now_ps,
                                   network_zero_load_ps(engine->network, here, there, bytes) +
                                       delivery->zero_load_ps}}};
    complete(domain, source, owner, &end);
}

void transfer_delivered(engine_domain *domain, int64_t now_ps, const network_delivery *delivery) {
    if (domain->failure.code != STATUS_OK) return;
    /* The receiver's state is fetched while its message is looked up. */
    const char *receiver = (const char *)&domain->engine->ranks[cookie_key(&delivery->cookie).rank];
    __builtin_prefetch(receiver);
    __builtin_prefetch(receiver + 64);
    switch (cookie_kind(&delivery->cookie)) {
    case MESSAGE_EAGER:
        eager_delivered(domain, now_ps, delivery);
        break;
    case MESSAGE_REQUEST:
        request_delivered(domain, now_ps, delivery);
        break;
    case MESSAGE_CLEAR:
        clear_delivered(domain, now_ps, delivery);
        break;
    case MESSAGE_DATA:
        data_delivered(domain, now_ps, delivery);
        break;
    case MESSAGE_UNMATCHED:
        domain->received++;
        break;
    case MESSAGE_FINISHED:
        finished_delivered(domain, now_ps, delivery);
        break;
    case MESSAGE_REMOTE:
        remote_delivered(domain, now_ps, delivery);
        break;
    case MESSAGE_ANSWER:
        answer_delivered(domain, now_ps, delivery);
        break;
    }
}

void transfer_sent(engine_domain *domain, int64_t now_ps, const network_cookie *cookie) {
    if (domain->failure.code != STATUS_OK) return;
    uint32_t handle = cookie_handle(cookie);
    const engine *engine = domain->engine;
    engine_send send = domain->sends[handle];
    uint32_t to = send.key.rank;
    transfer_end end = {now_ps,
                        send.requested_ps,
                        false,
                        send.size_bytes,
                        4,
                        {{WAIT_NETWORK, send.arrived_ps, control_zero_load(engine, send.rank, to)},
                         {WAIT_LATE_RECEIVER, send.cleared_ps, 0},
                         {WAIT_NETWORK, send.answered_ps, control_zero_load(engine, to, send.rank)},
                         {WAIT_NETWORK, now_ps,
                          network_zero_load_ps(engine->network, node_of(engine, send.rank),
                                               node_of(engine, to), send.size_bytes)}}};
    free_send(domain, handle);
    complete(domain, send.rank, send.owner, &end);
}

void transfer_release(engine_domain *domain, uint64_t size_bytes) {
    for (uint32_t handle = 0; handle < domain->send_count; handle++) {
        engine_send *send = &domain->sends[handle];
        if (send->rank == PROGRAM_NONE || send->answered || send->synchronous ||
            send->owner == OWNER_NOBODY || send->size_bytes > size_bytes)
            continue;
        transfer_end end = {.now_ps = send->requested_ps, .size_bytes = send->size_bytes};
        uint32_t owner = send->owner;
        send->owner = OWNER_NOBODY;
        complete(domain, send->rank, owner, &end);
    }
}
