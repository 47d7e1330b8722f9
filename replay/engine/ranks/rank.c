/*
 * A rank: goes through its operations, posts them, and waits for them. rank_time.h accounts for
 * every picosecond of its time.
 *
 * Its clock runs ahead of simulated time through posts and overheads. The rank stops when it must
 * wait for an incomplete operation, at a computation (whose end is a timer), or when its clock is
 * RUN_AHEAD_PS ahead. So memory is proportional to the messages in flight.
 */
#include "replay/engine/ranks/rank.h"
#include "core/base/prefetch.h"
#include "replay/engine/activations/activation.h"
#include "replay/engine/causes/causes.h"
#include "replay/engine/measurement/observers.h"
#include "replay/engine/messages/rma.h"
#include "replay/engine/messages/storage.h"
#include "replay/engine/messages/transfer.h"
#include "replay/engine/ranks/marks.h"
#include "replay/engine/ranks/progress.h"
#include "replay/engine/ranks/rank_time.h"
#include "replay/engine/state/engine_domain.h"
#include "replay/engine/state/message.h"
#include "replay/hosts/host_cost.h"
#include "traces/program/file/program_read_ahead.h"

/* Long enough to post a group of messages at once, and short enough that a rank that only sends
 * does not fill the memory. */
#define RUN_AHEAD_PS INT64_C(1000000)

/* Moves a rank on. The update is atomic, since progress is reported on another thread. */
static inline void advance(struct engine_rank *rank, uint64_t operations) {
    __atomic_store_n(&rank->current, rank->current + operations, __ATOMIC_RELAXED);
}

/* A wait whose causes are not known. */
static const struct replay_collective_wait unknown_wait = {0, 0, 0, 0};

static struct engine_slot *slot_of(struct engine_domain *domain, const struct engine_rank *rank,
                                   uint32_t slot) {
    return &domain->engine->slots[rank->first_slot + slot];
}

/* Returns a slot for the rank's current operation. */
static struct engine_slot new_slot(const struct engine_rank *rank, engine_slot_state state,
                                   engine_slot_end end) {
    return (struct engine_slot){.operation = (uint32_t)(rank->current - rank->first),
                                .state = (uint16_t)state,
                                .end = (uint16_t)end};
}

/* Returns an operation of the rank, by its index among those of all ranks. */
static struct program_operation operation_at(const struct engine_domain *domain,
                                             const struct engine_rank *rank, uint64_t index) {
    return *PROGRAM_OPERATION_AT(domain->engine->program, rank->result.rank, index);
}

/* Posts a one-sided operation or an access to a file. The NIC reads and writes the data in memory,
 * so only data written to the target cost CPU time. */
static void post_rma_or_file(struct engine_domain *domain, struct engine_rank *rank,
                             const struct program_operation *operation) {
    bool is_file = operation->kind == OPERATION_FILE;
    unsigned write = is_file ? OPERATION_FLAG_FILE_WRITE : OPERATION_FLAG_RMA_WRITE;
    uint64_t bytes = (operation->flags & write) != 0 ? operation->bytes : 0;
    rank_charge_send(domain, rank, transfer_send_cost_ps(domain, REPLAY_MESSAGE_DIRECT, bytes));
    uint32_t owner = ENGINE_OWNER_NOBODY;
    if ((operation->flags & OPERATION_FLAG_DETACHED) == 0) {
        owner = is_file ? operation->file.slot : operation->message.slot;
        *slot_of(domain, rank, owner) = new_slot(rank, ENGINE_SLOT_PENDING, ENGINE_SLOT_ENDS);
    }
    if (causes_are_kept(domain)) causes_send_as_rank(domain, rank->result.rank);
    (is_file ? storage_begin : rma_send_request)(domain, rank->result.rank, rank->current, owner,
                                                 rank->clock_ps);
}

/* Blocks the rank before it starts a persistent send again, since the previous send of the slot is
 * incomplete. */
static void wait_for_last_start(struct engine_rank *rank, struct engine_slot *slot) {
    slot->state = ENGINE_SLOT_WAITED;
    rank->detached--;
    rank->pending++;
    rank->phase = ENGINE_RANK_WAITING;
}

/* Posts a send. Returns false if the rank is blocked; the send is then posted when the rank goes
 * on. */
static bool post_send(struct engine_domain *domain, struct engine_rank *rank,
                      const struct program_operation *operation) {
    bool waited_for = (operation->flags & OPERATION_FLAG_DETACHED) == 0;
    struct engine_slot *slot = waited_for ? slot_of(domain, rank, operation->message.slot) : NULL;
    if (slot != NULL && slot->state == ENGINE_SLOT_DETACHED) {
        wait_for_last_start(rank, slot);
        return false;
    }
    uint32_t self = rank->result.rank;
    uint64_t size_bytes = operation->bytes;
    bool unmatched = operation->message.match == PROGRAM_NONE;
    bool counted = program_is_message(domain->engine->program, operation);
    uint32_t owner = waited_for ? operation->message.slot : ENGINE_OWNER_NOBODY;
    unsigned flags = (unsigned)operation->flags | (counted ? 0 : TRANSFER_OF_WINDOW);
    const replay_message_path path =
        message_cost_path(domain->engine, self, operation->message.peer,
                          unmatched ? REPLAY_MESSAGE_COPIED
                                    : transfer_path(domain->engine, owner, size_bytes, flags));
    rank_charge_send(domain, rank, transfer_send_cost_ps(domain, path, size_bytes));
    rank->result.sent_messages += counted;
    rank->result.sent_bytes += size_bytes;
    bool done = true;
    uint32_t send = PROGRAM_NONE;
    if (slot != NULL) *slot = new_slot(rank, ENGINE_SLOT_PENDING, ENGINE_SLOT_ENDS);
    if (causes_are_kept(domain)) causes_send_as_rank(domain, self);
    if (unmatched) {
        transfer_send_unmatched(domain, self, operation->message.peer, size_bytes, rank->current,
                                flags, rank->clock_ps);
    } else {
        struct inflight_key key = {.rank = operation->message.peer,
                                   .source = self,
                                   .communicator = INFLIGHT_POINT_TO_POINT,
                                   .sequence = operation->message.match};
        done = transfer_send(domain, owner, &key, size_bytes, flags, rank->clock_ps, &send);
    }
    rank_charge_completion(domain, rank, path, size_bytes);
    if (slot == NULL) return true;
    if (done) slot->state = ENGINE_SLOT_DONE;
    if (!done) slot->send = send;
    return true;
}

static void post_receive(struct engine_domain *domain, struct engine_rank *rank,
                         const struct program_operation *operation) {
    bool waited_for = (operation->flags & OPERATION_FLAG_DETACHED) == 0;
    struct engine_slot *slot = waited_for ? slot_of(domain, rank, operation->message.slot) : NULL;
    int64_t take_in_ps = 0;
    uint32_t number = rank->receives++;
    bool done = true;
    const bool matched = operation->message.match != PROGRAM_NONE;
    if (slot != NULL)
        *slot =
            new_slot(rank, ENGINE_SLOT_PENDING, matched ? ENGINE_SLOT_TAKES_IN : ENGINE_SLOT_ENDS);
    if (causes_are_kept(domain)) causes_send_as_rank(domain, rank->result.rank);
    if (matched) {
        struct inflight_key key = {.rank = rank->result.rank,
                                   .source = operation->message.peer,
                                   .communicator = INFLIGHT_POINT_TO_POINT,
                                   .sequence = number};
        done = transfer_receive(domain, waited_for ? operation->message.slot : ENGINE_OWNER_NOBODY,
                                &key, rank->clock_ps, &take_in_ps);
    }
    if (done && slot != NULL) {
        slot->state = ENGINE_SLOT_DONE;
        slot->take_in_ps = take_in_ps;
        if (causes_are_kept(domain) && matched)
            causes_record_slot_received(domain, rank->result.rank, operation->message.slot);
    }
}

/* Begins a collective. Returns false if the rank is blocked in it. */
static bool begin_collective(struct engine_domain *domain, struct engine_rank *rank,
                             const struct program_operation *operation) {
    uint64_t index = rank->current;
    int64_t done_ps = rank->clock_ps;
    bool blocking = (operation->flags & OPERATION_FLAG_COLLECTIVE_BLOCKING) != 0;
    uint32_t number = operation->collective.slot;
    if (!blocking)
        *slot_of(domain, rank, number) =
            new_slot(rank, ENGINE_SLOT_PENDING, ENGINE_SLOT_COLLECTIVE);
    uint32_t activation = PROGRAM_NONE;
    if (causes_are_kept(domain)) causes_begin_collective(domain, rank->result.rank);
    bool done = activation_start(domain, rank->result.rank, index, done_ps, &done_ps, &activation);
    if (blocking) {
        rank->clock_ps = done_ps;
        if (done && causes_are_kept(domain)) causes_adopt_collective(domain, rank->result.rank);
        if (!done) rank->phase = ENGINE_RANK_IN_COLLECTIVE;
        return done;
    }
    struct engine_slot *slot = slot_of(domain, rank, number);
    if (done) slot->state = ENGINE_SLOT_DONE;
    if (done && causes_are_kept(domain))
        causes_record_slot_collective(domain, rank->result.rank, number);
    if (done)
        slot->done_ps = done_ps;
    else
        slot->activation = activation;
    return true;
}

/* Empties a slot that is done. The rank spends the receive overhead of its message, or waits until
 * the end of its collective. */
static void take_done(struct engine_domain *domain, struct engine_rank *rank,
                      struct engine_slot *slot) {
    uint64_t index = (uint64_t)(slot - domain->engine->slots);
    slot->state = ENGINE_SLOT_EMPTY;
    if (slot->end == ENGINE_SLOT_COLLECTIVE) {
        bool waited = rank_account_collective(domain, rank, slot->done_ps, &unknown_wait);
        if (!causes_are_kept(domain)) return;
        (waited ? causes_slot_waited : causes_slot_passed)(domain, rank->result.rank, index);
        causes_empty_slot(domain, index);
        return;
    }
    if (causes_are_kept(domain)) causes_slot_passed(domain, rank->result.rank, index);
    if (slot->end == ENGINE_SLOT_TAKES_IN) {
        if (causes_are_kept(domain)) causes_record_receive_of_slot(domain, index);
        rank_charge_receive(domain, rank, slot->take_in_ps);
    }
}

/* Records the end, at done_ps, of a collective that the rank went on without. Returns whether this
 * end is the latest so far. */
static bool note_detached_end(struct engine_domain *domain, const struct engine_rank *rank,
                              int64_t done_ps) {
    int64_t *until_ps = &domain->engine->detached_until_ps[rank->result.rank];
    if (done_ps <= *until_ps) return false;
    *until_ps = done_ps;
    return true;
}

/* Handles a slot that a test found complete in the trace, whether or not it is complete here.
 * Returns false if the rank must wait for it because it needs the data. */
static bool goes_on_without(struct engine_domain *domain, struct engine_rank *rank,
                            struct engine_slot *slot) {
    const struct program_operation operation =
        operation_at(domain, rank, rank->first + slot->operation);
    if (!program_only_gives(domain->engine->program, &operation)) return false;
    if (slot->state == ENGINE_SLOT_DONE) {
        if (operation.kind == OPERATION_COLLECTIVE) {
            bool latest = note_detached_end(domain, rank, slot->done_ps);
            uint64_t index = (uint64_t)(slot - domain->engine->slots);
            if (latest && causes_are_kept(domain))
                causes_keep_detached_slot(domain, rank->result.rank, index);
            if (causes_are_kept(domain)) causes_empty_slot(domain, index);
        }
        slot->state = ENGINE_SLOT_EMPTY;
        return true;
    }
    rank->detached++;
    if (causes_are_kept(domain)) causes_mark_order_dependent(domain);
    if (operation.kind == OPERATION_SEND &&
        (operation.flags & OPERATION_FLAG_SEND_PERSISTENT) != 0) {
        slot->state = ENGINE_SLOT_DETACHED;
        return true;
    }
    slot->state = ENGINE_SLOT_EMPTY;
    if (operation.kind == OPERATION_SEND)
        transfer_detach(domain, slot->send);
    else
        activation_detach(domain, slot->activation);
    return true;
}

/* Begins to wait for slots. Returns false if the rank is blocked. */
static bool begin_wait(struct engine_domain *domain, struct engine_rank *rank,
                       const struct program_operation *operation) {
    const struct program *program = domain->engine->program;
    const uint32_t *slots = &operation->wait.first;
    bool is_tested = (operation->flags & OPERATION_FLAG_WAIT_TESTED) != 0;
    if (operation->wait.count > 1) {
        uint64_t first = program->ranks[rank->result.rank].first_wait_slot;
        slots = &program->wait_slots[first + operation->wait.first];
    }
    for (uint32_t i = 0; i < operation->wait.count; i++) {
        struct engine_slot *slot = slot_of(domain, rank, slots[i]);
        if (is_tested && goes_on_without(domain, rank, slot)) continue;
        if (slot->state == ENGINE_SLOT_DONE) {
            take_done(domain, rank, slot);
        } else {
            slot->state = ENGINE_SLOT_WAITED;
            rank->pending++;
        }
    }
    if (rank->pending > 0) rank->phase = ENGINE_RANK_WAITING;
    return rank->pending == 0;
}

static void set_timer(struct engine_domain *domain, struct engine_rank *rank) {
    rank->phase = ENGINE_RANK_TIMED;
    engine_set_timer(domain, rank->clock_ps, rank->result.rank);
}

/* Begins a computation, and sets a timer for its end. Returns true, without a timer, if it takes no
 * time. */
static bool begin_compute(struct engine_domain *domain, struct engine_rank *rank,
                          int64_t duration_ps) {
    int64_t scaled_ps = rank_duration_ps(domain->engine, rank, rank->current - rank->first,
                                         rank->clock_ps, duration_ps);
    advance(rank, 1);
    if (scaled_ps == 0) return true;
    if (scaled_ps > HOST_TIME_LIMIT_PS - rank->clock_ps) {
        engine_fail_at_limit(domain, rank->result.rank, &rank->clock_ps);
        return false;
    }
    rank->clock_ps += scaled_ps;
    rank->result.compute_ps += scaled_ps;
    if (engine_is_observed(domain))
        observe_compute(domain, rank,
                        rank_duration_without_noise_ps(domain->engine, rank, duration_ps),
                        scaled_ps);
    set_timer(domain, rank);
    return false;
}

static void finish_rank(struct engine_domain *domain, struct engine_rank *rank) {
    int64_t until_ps = domain->engine->detached_until_ps[rank->result.rank];
    if (rank_account_collective(domain, rank, until_ps, &unknown_wait) && causes_are_kept(domain))
        causes_adopt_detached(domain, rank->result.rank);
    int64_t waited_ps = rank->waited_ps - rank->call_waited_ps;
    if (waited_ps > 0) {
        const uint32_t finalize = domain->engine->finalize_function;
        domain->mpi_functions[finalize].count += rank->mpi_function != finalize;
        domain->mpi_functions[finalize].time_ps += (uint64_t)waited_ps;
        domain->mpi_functions[finalize].wait_ps += (uint64_t)waited_ps;
    }
    rank->phase = ENGINE_RANK_FINISHED;
    rank->result.time_ps = rank->clock_ps;
}

/* Ends a rank: waits for operations that were only tested, and carries out postponed tasks. */
static void end_rank(struct engine_domain *domain, struct engine_rank *rank) {
    rank->call_waited_ps = rank->waited_ps;
    if (rank->detached > 0)
        rank->phase = ENGINE_RANK_ENDING;
    else
        finish_rank(domain, rank);
    progress_enter(domain, rank);
}

/* Skips the marks before the rank's next operation. */
static void skip_marks(const struct program *program, struct engine_rank *rank) {
    program_operation_kind kind;
    uint32_t region;
    uint64_t next = rank->current;
    while (program_read_mark(program, rank->result.rank, next, &kind, &region))
        next++;
    advance(rank, next - rank->current);
}

/* Executes the rank's current operation. Returns false if the rank cannot go on now. */
static bool execute_operation(struct engine_domain *domain, struct engine_rank *rank) {
    struct replay_engine *engine = domain->engine;
    program_operation_kind kind;
    uint32_t region;
    program_prefetch(engine->program, rank->result.rank, rank->current, 256);
    if (engine->skips_marks) {
        skip_marks(engine->program, rank);
    } else if (program_read_mark(engine->program, rank->result.rank, rank->current, &kind,
                                 &region)) {
        marks_pass(domain, rank, kind, region);
        advance(rank, 1);
        return true;
    }
    struct program_operation room; /* not initialised: this runs for every operation */
    const struct program_operation *operation =
        program_operation_at(engine->program, rank->result.rank, rank->current, &room);
    switch ((program_operation_kind)operation->kind) {
    case OPERATION_COMPUTE:
        return begin_compute(domain, rank, operation->compute.duration_ps);
    case OPERATION_CALL:
    case OPERATION_RETURN:
    case OPERATION_ENTER:
    case OPERATION_LEAVE:
        marks_pass(domain, rank, (program_operation_kind)operation->kind, operation->mark.region);
        break;
    case OPERATION_SEND:
        if (program_is_one_sided(operation))
            post_rma_or_file(domain, rank, operation);
        else if (!post_send(domain, rank, operation))
            return false;
        break;
    case OPERATION_RECEIVE:
        post_receive(domain, rank, operation);
        break;
    case OPERATION_FILE:
        if (storage_takes_time(engine, operation))
            post_rma_or_file(domain, rank, operation);
        else if (operation->file.slot != PROGRAM_NONE)
            *slot_of(domain, rank, operation->file.slot) =
                new_slot(rank, ENGINE_SLOT_DONE, ENGINE_SLOT_ENDS);
        break;
    case OPERATION_COLLECTIVE:
        if (!begin_collective(domain, rank, operation)) return false;
        break;
    case OPERATION_WAIT:
        if (!begin_wait(domain, rank, operation)) return false;
        break;
    case OPERATION_END:
        end_rank(domain, rank);
        return false;
    case OPERATION_VERTEX: /* graph.c */
        return false;
    }
    advance(rank, 1);
    return true;
}

static void run_rank(struct engine_domain *domain, struct engine_rank *rank, int64_t now_ps) {
    program_read_ahead_advance(domain->engine->ahead, rank->result.rank, rank->current);
    while (domain->failure.code == STATUS_OK) {
        if (rank->clock_ps - now_ps > RUN_AHEAD_PS) {
            set_timer(domain, rank);
            return;
        }
        if (!execute_operation(domain, rank)) return;
    }
}

void rank_timer_expired(struct engine_domain *domain, uint32_t rank_number, int64_t now_ps) {
    run_rank(domain, &domain->engine->ranks[rank_number], now_ps);
}

/* Counts down the slots that the rank is blocked for, and goes on after the last one. A send that
 * waited for its slot is posted then. */
static void complete_waited_slot(struct engine_domain *domain, struct engine_rank *rank,
                                 struct engine_slot *slot, int64_t now_ps) {
    slot->state = ENGINE_SLOT_EMPTY;
    if (--rank->pending > 0) return;
    advance(rank, operation_at(domain, rank, rank->current).kind == OPERATION_WAIT);
    run_rank(domain, rank, now_ps);
}

/* Counts down the operations that the rank went on without, and finishes a rank that only waits for
 * them. */
static void complete_detached(struct engine_domain *domain, struct engine_rank *rank) {
    if (--rank->detached == 0 && rank->phase == ENGINE_RANK_ENDING) finish_rank(domain, rank);
}

void rank_detached_done(struct engine_domain *domain, uint32_t rank_number,
                        const struct engine_transfer_end *end) {
    struct engine_rank *rank = &domain->engine->ranks[rank_number];
    if (rank->phase == ENGINE_RANK_ENDING) rank_account_transfer(domain, rank, end);
    complete_detached(domain, rank);
}

void rank_detached_collective_done(struct engine_domain *domain, uint32_t rank_number,
                                   int64_t done_ps) {
    struct engine_rank *rank = &domain->engine->ranks[rank_number];
    if (note_detached_end(domain, rank, done_ps) && causes_are_kept(domain))
        causes_keep_detached(domain, rank_number);
    complete_detached(domain, rank);
}

/* Prefetches the rank's next operations, which are seldom in the cache when a rank goes on. */
PREFETCH_FUNCTION void fetch_operations(const struct replay_engine *engine,
                                        const struct engine_rank *rank) {
    for (unsigned line = 0; line < 4; line++)
        program_prefetch(engine->program, rank->result.rank, rank->current, (size_t)64 * line);
}

void rank_slot_done(struct engine_domain *domain, uint32_t rank_number, uint32_t slot_number,
                    const struct engine_transfer_end *end) {
    struct engine_rank *rank = &domain->engine->ranks[rank_number];
    struct engine_slot *slot = slot_of(domain, rank, slot_number);
    fetch_operations(domain->engine, rank);
    if (slot->state == ENGINE_SLOT_DETACHED) {
        slot->state = ENGINE_SLOT_EMPTY;
        rank_detached_done(domain, rank_number, end);
        return;
    }
    if (slot->state != ENGINE_SLOT_WAITED) {
        slot->state = ENGINE_SLOT_DONE;
        slot->take_in_ps = end->take_in_ps;
        if (causes_are_kept(domain)) causes_record_slot_received(domain, rank_number, slot_number);
        return;
    }
    rank_account_transfer(domain, rank, end);
    rank_charge_receive(domain, rank, end->take_in_ps);
    complete_waited_slot(domain, rank, slot, end->now_ps);
}

void rank_collective_slot_done(struct engine_domain *domain, uint32_t rank_number,
                               uint32_t slot_number, int64_t now_ps, int64_t done_ps,
                               const struct replay_collective_wait *wait) {
    struct engine_rank *rank = &domain->engine->ranks[rank_number];
    struct engine_slot *slot = slot_of(domain, rank, slot_number);
    if (slot->state != ENGINE_SLOT_WAITED) {
        slot->state = ENGINE_SLOT_DONE;
        slot->done_ps = done_ps;
        if (causes_are_kept(domain))
            causes_record_slot_collective(domain, rank_number, slot_number);
        return;
    }
    const bool waited = rank_account_collective(domain, rank, done_ps, wait);
    if (causes_are_kept(domain)) causes_need_collective(domain, rank_number, waited);
    complete_waited_slot(domain, rank, slot, now_ps);
}

void rank_collective_done(struct engine_domain *domain, uint32_t rank_number, int64_t now_ps,
                          int64_t done_ps) {
    struct engine_rank *rank = &domain->engine->ranks[rank_number];
    rank->clock_ps = done_ps;
    if (causes_are_kept(domain)) causes_adopt_collective(domain, rank_number);
    advance(rank, 1);
    run_rank(domain, rank, now_ps);
}
