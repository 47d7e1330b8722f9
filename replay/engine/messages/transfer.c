/*
 * One message with a send and a receive, from the moment it is handed to the NIC until it is
 * complete.
 *
 *   eager:       EAGER ------------------------------------> matched
 *   put:         RTS --> matched; CTS <--; DATA -------------> complete
 *   get:         RTS --> matched; CTS <--; DATA -------------> complete; FIN <--
 *
 * The clear to send (CTS) goes out as soon as the request to send (RTS) has arrived and its receive
 * is posted and, with software progress, the receiver is inside an MPI call. The data of a put
 * leave when the CTS has arrived and, with software progress, the sender is inside a call. The CTS
 * of a get is the read by the receiver's NIC, which the sender's NIC serves at once; FIN tells the
 * sender that its data were fetched.
 *
 * Must not know: operations, waiting ranks. Invariant: each message with data is taken in once.
 */
#include "replay/engine/messages/transfer.h"
#include "replay/engine/causes/causes.h"
#include "replay/engine/state/engine_domain.h"
#include "replay/engine/state/message.h"
#include "replay/engine/state/tasks.h"
#include "replay/hosts/host_cost.h"

bool transfer_ranks(const struct network_message *message, uint32_t *sender, uint32_t *receiver) {
    message_kind kind = message_cookie_kind(&message->cookie);
    struct inflight_key key = message_cookie_key(&message->cookie);
    *sender = key.source;
    *receiver = key.rank;
    if (kind == MESSAGE_RMA_REPLY) {
        *sender = key.rank;
        *receiver = key.source;
    }
    return !message_is_control(kind);
}

static void hand_over(struct engine_domain *domain, message_kind kind,
                      const struct inflight_key *key, uint64_t size_bytes, uint32_t handle,
                      bool notify, uint8_t nic, int64_t at_ps) {
    struct network_message message =
        message_between(domain->engine, key->source, key->rank, size_bytes);
    if (nic != NETWORK_NIC_ANY) message.source_nic = message.destination_nic = nic;
    if (kind == MESSAGE_RTS)
        message.traffic_class = message_control_class(domain->engine, key->source);
    message.notify_sent = notify;
    message.cookie = message_cookie_make(kind, key, handle);
    if (kind != MESSAGE_RTS) domain->sent++;
    engine_send_message(domain, at_ps, &message);
}

static uint32_t new_send(struct engine_domain *domain) {
    uint32_t index = engine_send_pool_take(&domain->sends);
    if (index == POOL_NONE)
        engine_fail(domain, STATUS_MEMORY, "out of memory for %u sends in flight",
                    domain->sends.used);
    return index;
}

static void free_send(struct engine_domain *domain, uint32_t handle) {
    domain->sends.items[handle].rank = PROGRAM_NONE;
    engine_send_pool_give(&domain->sends, handle);
}

replay_message_path transfer_path(const struct replay_engine *engine, uint32_t owner,
                                  uint64_t size_bytes, unsigned flags) {
    bool small = size_bytes <= (uint64_t)engine->config.eager_threshold_bytes;
    bool eager = small || (flags & (OPERATION_FLAG_SEND_READY | OPERATION_FLAG_SEND_BUFFERED)) != 0;
    if ((flags & OPERATION_FLAG_SEND_SYNCHRONOUS) != 0 || !eager) return REPLAY_MESSAGE_RENDEZVOUS;
    bool copied =
        small || (flags & OPERATION_FLAG_SEND_BUFFERED) != 0 || owner == ENGINE_OWNER_NOBODY;
    return copied ? REPLAY_MESSAGE_COPIED : REPLAY_MESSAGE_DIRECT;
}

int64_t transfer_send_cost_ps(struct engine_domain *domain, replay_message_path path,
                              uint64_t size_bytes) {
    if (causes_are_kept(domain)) causes_record_send(domain, path, size_bytes);
    return host_message_send_cost_ps(&domain->engine->config, path, size_bytes);
}

static int64_t receive_cost_ps(struct engine_domain *domain, const struct inflight_key *key,
                               replay_message_path by_protocol, uint64_t size_bytes) {
    const replay_message_path path =
        message_cost_path(domain->engine, key->source, key->rank, by_protocol);
    if (causes_are_kept(domain)) causes_record_receive(domain, path, size_bytes);
    return host_message_receive_cost_ps(&domain->engine->config, path, size_bytes);
}

bool transfer_send(struct engine_domain *domain, uint32_t owner, const struct inflight_key *key,
                   uint64_t size_bytes, unsigned flags, int64_t at_ps, uint32_t *handle) {
    bool synchronous = (flags & OPERATION_FLAG_SEND_SYNCHRONOUS) != 0;
    replay_message_path path = transfer_path(domain->engine, owner, size_bytes, flags);
    bool eager = path != REPLAY_MESSAGE_RENDEZVOUS;
    bool point_to_point = key->communicator == INFLIGHT_POINT_TO_POINT;
    domain->collective_messages += !point_to_point;
    bool counted = point_to_point && (flags & TRANSFER_OF_WINDOW) == 0;
    domain->eager_messages += counted && eager;
    domain->rendezvous_messages += counted && !eager;
    uint8_t nic = (uint8_t)(flags >> TRANSFER_NIC_SHIFT);
    if (path == REPLAY_MESSAGE_COPIED) {
        hand_over(domain, MESSAGE_EAGER, key, size_bytes, 0, false, nic, at_ps);
        return true;
    }
    *handle = new_send(domain);
    if (*handle == PROGRAM_NONE) return false;
    domain->sends.items[*handle] = (struct engine_send){.rank = key->source,
                                                        .owner = owner,
                                                        .is_synchronous = synchronous,
                                                        .is_cleared_to_send = eager,
                                                        .nic = nic,
                                                        .key = *key,
                                                        .size_bytes = size_bytes,
                                                        .requested_ps = at_ps,
                                                        .arrived_ps = at_ps,
                                                        .cleared_ps = at_ps,
                                                        .cts_arrived_ps = at_ps};
    if (eager) {
        hand_over(domain, MESSAGE_READY, key, size_bytes, *handle, true, nic, at_ps);
    } else {
        hand_over(domain, MESSAGE_RTS, key, (uint64_t)domain->engine->config.control_bytes, *handle,
                  false, nic, at_ps);
    }
    return false;
}

void transfer_detach(struct engine_domain *domain, uint32_t handle) {
    domain->sends.items[handle].owner = ENGINE_OWNER_DETACHED;
}

void transfer_send_unmatched(struct engine_domain *domain, uint32_t source, uint32_t destination,
                             uint64_t size_bytes, uint64_t operation, unsigned flags,
                             int64_t at_ps) {
    struct inflight_key key = {.rank = destination,
                               .source = source,
                               .communicator = (uint32_t)(operation >> 32),
                               .sequence = (uint32_t)operation};
    domain->eager_messages += (flags & TRANSFER_OF_WINDOW) == 0;
    hand_over(domain, MESSAGE_UNMATCHED, &key, size_bytes, 0, false, NETWORK_NIC_ANY, at_ps);
}

/* Sends a control message from the receiver back to the sender. carried_ps: a time that it carries.
 */
static void send_back(struct engine_domain *domain, message_kind kind,
                      const struct inflight_key *key, uint32_t handle, int64_t carried_ps,
                      int64_t at_ps) {
    struct network_message message =
        message_control_between(domain->engine, key->rank, key->source);
    message.cookie = message_cookie_make(kind, key, handle);
    message.cookie.word[1] = (uint64_t)carried_ps;
    message.cookie.word[2] = handle;
    engine_send_message(domain, at_ps, &message);
}

/* Answers a request whose receive is posted. */
static void send_clear(struct engine_domain *domain, struct inflight *entry, int64_t at_ps) {
    struct inflight_request *request = inflight_request_of(&domain->inflight, entry);
    entry->state = INFLIGHT_CLEARED;
    request->cleared_ps = at_ps;
    send_back(domain, MESSAGE_CTS, &entry->key, request->sender, request->arrived_ps, at_ps);
}

/* Answers a request at at_ps, or when its receive is posted if that is later. */
static void clear_posted(struct engine_domain *domain, struct inflight *entry, int64_t posted_ps,
                         int64_t at_ps) {
    if (causes_are_kept(domain)) {
        if (posted_ps > at_ps) causes_send_as_poster(domain, &entry->key);
        causes_record_match_margin(domain, entry->key.rank,
                                   posted_ps > at_ps ? posted_ps - at_ps : at_ps - posted_ps);
    }
    send_clear(domain, entry, posted_ps > at_ps ? posted_ps : at_ps);
}

void transfer_send_cts(struct engine_domain *domain, const struct inflight_key *key,
                       int64_t at_ps) {
    struct inflight *entry = inflight_find(&domain->inflight, key);
    clear_posted(domain, entry, inflight_request_of(&domain->inflight, entry)->posted_ps, at_ps);
}

static void fail_inflight(struct engine_domain *domain) {
    engine_fail(domain, STATUS_MEMORY, "out of memory for %u messages in flight",
                domain->inflight.map.count);
}

bool transfer_receive(struct engine_domain *domain, uint32_t owner, const struct inflight_key *key,
                      int64_t at_ps, int64_t *take_in_ps) {
    bool is_new;
    struct inflight *entry = inflight_find_or_add(&domain->inflight, key, &is_new);
    if (entry == NULL) {
        fail_inflight(domain);
        return false;
    }
    if (is_new) {
        inflight_post(entry, owner, at_ps);
        if (causes_are_kept(domain)) causes_record_posted(domain, key, at_ps);
        return false;
    }
    if (entry->state == INFLIGHT_ARRIVED) {
        if (causes_are_kept(domain)) causes_match_unexpected(domain, key, at_ps);
        *take_in_ps = receive_cost_ps(domain, key, (replay_message_path)entry->path,
                                      inflight_arrived_bytes(entry));
        inflight_remove(&domain->inflight, entry);
        return true;
    }
    entry->owner = owner;
    if (causes_are_kept(domain))
        causes_record_match_margin(
            domain, key->rank, at_ps - inflight_request_of(&domain->inflight, entry)->arrived_ps);
    send_clear(domain, entry, at_ps);
    return false;
}

void transfer_complete(struct engine_domain *domain, uint32_t rank, uint32_t owner,
                       const struct engine_transfer_end *end) {
    const struct engine_completions *completions = domain->engine->completions;
    if (owner == ENGINE_OWNER_NOBODY) return;
    if (owner == ENGINE_OWNER_DETACHED)
        completions->detached(domain, rank, end);
    else if (owner & ENGINE_OWNER_ACTIVATION)
        completions->step(domain, owner & ~ENGINE_OWNER_ACTIVATION, end);
    else
        completions->slot(domain, rank, owner, end);
}

static void eager_delivered(struct engine_domain *domain, int64_t now_ps,
                            const struct network_delivery *delivery) {
    struct inflight_key key = message_cookie_key(&delivery->cookie);
    bool is_new;
    struct inflight *entry = inflight_find_or_add(&domain->inflight, &key, &is_new);
    replay_message_path path = message_cookie_kind(&delivery->cookie) == MESSAGE_READY
                                   ? REPLAY_MESSAGE_DIRECT
                                   : REPLAY_MESSAGE_COPIED;
    domain->received++;
    if (entry == NULL) {
        fail_inflight(domain);
        return;
    }
    if (is_new) {
        inflight_arrive(entry, path, delivery->size_bytes);
        if (causes_are_kept(domain)) causes_record_unexpected(domain, &key);
        return;
    }
    struct engine_transfer_end end; /* the phases that it does not have stay as they are */
    end.now_ps = now_ps;
    end.from_ps = 0;
    end.take_in_ps = receive_cost_ps(domain, &key, path, delivery->size_bytes);
    end.phase_count = 2;
    end.phase[0] = (struct engine_wait_phase){ENGINE_WAIT_LATE_SENDER, delivery->ready_ps, 0};
    end.phase[1] = (struct engine_wait_phase){ENGINE_WAIT_NETWORK, now_ps, delivery->zero_load_ps};
    uint32_t owner = entry->owner;
    inflight_remove(&domain->inflight, entry);
    transfer_complete(domain, key.rank, owner, &end);
}

static void request_delivered(struct engine_domain *domain, int64_t now_ps,
                              const struct network_delivery *delivery) {
    struct inflight_key key = message_cookie_key(&delivery->cookie);
    bool is_new;
    struct inflight *entry = inflight_find_or_add(&domain->inflight, &key, &is_new);
    const bool posted = entry != NULL && !is_new;
    int64_t posted_ps = posted ? inflight_posted_ps(entry) : 0;
    struct inflight_request *request =
        entry != NULL ? inflight_request_new(&domain->inflight, entry) : NULL;
    if (request == NULL) {
        fail_inflight(domain);
        return;
    }
    *request = (struct inflight_request){.sender = message_cookie_handle(&delivery->cookie),
                                         .requested_ps = delivery->ready_ps,
                                         .arrived_ps = now_ps,
                                         .posted_ps = posted_ps};
    if (!posted) {
        if (causes_are_kept(domain)) causes_record_unexpected(domain, &key);
        return;
    }
    if (tasks_rank_is_outside(domain, key.rank, now_ps)) {
        struct engine_task task = {.kind = ENGINE_TASK_CTS, .key = key};
        tasks_postpone(domain, key.rank, &task);
        return;
    }
    clear_posted(domain, entry, posted_ps, now_ps);
}

static void clear_delivered(struct engine_domain *domain, int64_t now_ps,
                            const struct network_delivery *delivery) {
    uint32_t handle = message_cookie_handle(&delivery->cookie);
    struct engine_send *send = &domain->sends.items[handle];
    send->is_cleared_to_send = true;
    send->arrived_ps = (int64_t)delivery->cookie.word[1];
    send->cleared_ps = delivery->ready_ps;
    send->cts_arrived_ps = now_ps;
    if (domain->engine->config.rendezvous == REPLAY_RENDEZVOUS_GET) {
        hand_over(domain, MESSAGE_DATA, &send->key, send->size_bytes, handle, false, send->nic,
                  now_ps);
    } else if (tasks_rank_is_outside(domain, send->rank, now_ps)) {
        struct engine_task task = {.kind = ENGINE_TASK_DATA, .send = handle};
        tasks_postpone(domain, send->rank, &task);
    } else {
        transfer_data(domain, handle, now_ps);
    }
}

void transfer_data(struct engine_domain *domain, uint32_t handle, int64_t at_ps) {
    struct engine_send *send = &domain->sends.items[handle];
    bool notify = send->owner != ENGINE_OWNER_NOBODY;
    hand_over(domain, MESSAGE_DATA, &send->key, send->size_bytes, handle, notify, send->nic, at_ps);
    if (!notify) free_send(domain, handle);
}

void transfer_send_fin(struct engine_domain *domain, const struct inflight_key *key,
                       uint32_t handle, int64_t arrived_ps, int64_t at_ps) {
    send_back(domain, MESSAGE_FIN, key, handle, arrived_ps, at_ps);
}

/* Handles the arrival of the data of a get: tells the sender at once, or postpones that. */
static void fetched(struct engine_domain *domain, const struct inflight_key *key, uint32_t handle,
                    int64_t now_ps) {
    if (!tasks_rank_is_outside(domain, key->rank, now_ps)) {
        transfer_send_fin(domain, key, handle, now_ps, now_ps);
        return;
    }
    struct engine_task task = {
        .kind = ENGINE_TASK_FIN, .send = handle, .key = *key, .arrived_ps = now_ps};
    tasks_postpone(domain, key->rank, &task);
}

static void data_delivered(struct engine_domain *domain, int64_t now_ps,
                           const struct network_delivery *delivery) {
    struct inflight_key key = message_cookie_key(&delivery->cookie);
    struct inflight *entry = inflight_find(&domain->inflight, &key);
    domain->received++;
    const struct replay_engine *engine = domain->engine;
    const struct inflight_request *request = inflight_request_of(&domain->inflight, entry);
    int64_t back_ps = message_control_zero_load_ps(engine, key.rank, key.source);
    /* With software progress the sender may have seen the clear to send late. The queueing of it
     * is not known here then. */
    bool software = engine->config.progress == REPLAY_PROGRESS_SOFTWARE;
    int64_t cleared_ps = request->cleared_ps + back_ps;
    if (!software || cleared_ps > delivery->ready_ps) cleared_ps = delivery->ready_ps;
    struct engine_transfer_end end = {
        .now_ps = now_ps,
        .take_in_ps =
            receive_cost_ps(domain, &key, REPLAY_MESSAGE_RENDEZVOUS, delivery->size_bytes),
        .phase_count = 6,
        .phase = {{ENGINE_WAIT_LATE_SENDER, request->requested_ps, 0},
                  {ENGINE_WAIT_NETWORK, request->arrived_ps,
                   message_control_zero_load_ps(engine, key.source, key.rank)},
                  {ENGINE_WAIT_LATE_SENDER, request->cleared_ps,
                   0}, /* adds nothing: the receiver waits only after it posts */
                  {ENGINE_WAIT_NETWORK, cleared_ps, back_ps},
                  {ENGINE_WAIT_LATE_SENDER, delivery->ready_ps, 0},
                  {ENGINE_WAIT_NETWORK, now_ps, delivery->zero_load_ps}}};
    uint32_t owner = entry->owner;
    inflight_remove(&domain->inflight, entry);
    if (engine->config.rendezvous == REPLAY_RENDEZVOUS_GET)
        fetched(domain, &key, message_cookie_handle(&delivery->cookie), now_ps);
    transfer_complete(domain, key.rank, owner, &end);
}

static void fin_delivered(struct engine_domain *domain, int64_t now_ps,
                          const struct network_delivery *delivery) {
    uint32_t handle = message_cookie_handle(&delivery->cookie);
    const struct replay_engine *engine = domain->engine;
    struct engine_send send = domain->sends.items[handle];
    uint32_t to = send.key.rank;
    int64_t back_ps = message_control_zero_load_ps(engine, to, send.rank);
    int64_t arrived_ps = (int64_t)delivery->cookie.word[1];
    struct engine_transfer_end end = {
        .now_ps = now_ps,
        .from_ps = send.requested_ps,
        .phase_count = 6,
        .phase = {{ENGINE_WAIT_NETWORK, send.arrived_ps,
                   message_control_zero_load_ps(engine, send.rank, to)},
                  {ENGINE_WAIT_LATE_RECEIVER, send.cleared_ps, 0},
                  {ENGINE_WAIT_NETWORK, send.cts_arrived_ps, back_ps},
                  {ENGINE_WAIT_NETWORK, arrived_ps,
                   message_zero_load_between_ps(engine, send.rank, to, send.size_bytes)},
                  {ENGINE_WAIT_LATE_RECEIVER, delivery->ready_ps, 0},
                  {ENGINE_WAIT_NETWORK, now_ps, back_ps}}};
    free_send(domain, handle);
    transfer_complete(domain, send.rank, send.owner, &end);
}

void transfer_delivered(struct engine_domain *domain, int64_t now_ps,
                        const struct network_delivery *delivery) {
    switch (message_cookie_kind(&delivery->cookie)) {
    case MESSAGE_EAGER:
    case MESSAGE_READY:
        eager_delivered(domain, now_ps, delivery);
        break;
    case MESSAGE_RTS:
        request_delivered(domain, now_ps, delivery);
        break;
    case MESSAGE_CTS:
        clear_delivered(domain, now_ps, delivery);
        break;
    case MESSAGE_DATA:
        data_delivered(domain, now_ps, delivery);
        break;
    case MESSAGE_UNMATCHED:
        domain->received++;
        break;
    case MESSAGE_FIN:
        fin_delivered(domain, now_ps, delivery);
        break;
    case MESSAGE_RMA_REQUEST: /* handled by rma.c and storage.c */
    case MESSAGE_RMA_REPLY:
    case MESSAGE_IO_REQUEST:
    case MESSAGE_IO_REPLY:
        break;
    }
}

void transfer_sent(struct engine_domain *domain, int64_t now_ps,
                   const struct network_cookie *cookie) {
    if (domain->failure.code != STATUS_OK) return;
    uint32_t handle = message_cookie_handle(cookie);
    const struct replay_engine *engine = domain->engine;
    struct engine_send send = domain->sends.items[handle];
    uint32_t to = send.key.rank;
    struct engine_transfer_end end = {
        .now_ps = now_ps,
        .from_ps = send.requested_ps,
        .phase_count = 4,
        .phase = {{ENGINE_WAIT_NETWORK, send.arrived_ps,
                   message_control_zero_load_ps(engine, send.rank, to)},
                  {ENGINE_WAIT_LATE_RECEIVER, send.cleared_ps, 0},
                  {ENGINE_WAIT_NETWORK, send.cts_arrived_ps,
                   message_control_zero_load_ps(engine, to, send.rank)},
                  {ENGINE_WAIT_NETWORK, now_ps,
                   message_zero_load_between_ps(engine, send.rank, to, send.size_bytes)}}};
    free_send(domain, handle);
    transfer_complete(domain, send.rank, send.owner, &end);
}

void transfer_release(struct engine_domain *domain, uint64_t size_bytes) {
    for (uint32_t handle = 0; handle < domain->sends.used; handle++) {
        struct engine_send *send = &domain->sends.items[handle];
        if (send->rank == PROGRAM_NONE || send->is_cleared_to_send || send->is_synchronous ||
            send->owner == ENGINE_OWNER_NOBODY || send->size_bytes > size_bytes)
            continue;
        struct engine_transfer_end end = {.now_ps = send->requested_ps};
        uint32_t owner = send->owner;
        send->owner = ENGINE_OWNER_NOBODY;
        transfer_complete(domain, send->rank, owner, &end);
    }
}
