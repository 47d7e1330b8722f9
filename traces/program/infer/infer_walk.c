/*
 * Walks through the program in the order of its times in the trace and of causes, so that
 * unrecorded receives take messages that were there.
 *
 * Must not know how one of several messages is chosen. Rules of the walk:
 * - Ranks continue in the order of their times in the trace (of equal times, the lowest rank). No
 *   wait is passed before the sends of its receives, and no collective before the members whose
 *   data it needs. So a receive cannot take a message that its own rank caused later, even if
 *   clocks disagree.
 * - A synchronous send is complete when a receive takes it, other sends at once.
 * - If no rank can continue (the trace lacks something, or a decision was wrong), the walk releases
 *   the ranks that wait for collectives; if there are none, for synchronous sends; if there are
 *   none, for receives; if there are none, the unrecorded receives without a message.
 */
#include "traces/program/infer/infer_parts.h"

#include "core/memory/memory.h"
#include "traces/program/builder/builder_parts.h"

#include <stdlib.h>

typedef enum walk_state {
    WALK_RUNS, /* running, or in the heap */
    WALK_COLLECTIVE,
    WALK_RECEIVER,
    WALK_SEND,
    WALK_MESSAGE, /* waits in an unrecorded receive, for any message */
    WALK_STATES
} walk_state;

typedef enum walk_need {
    NEEDS_NOTHING,
    NEEDS_RECEIVER, /* the receiver of a synchronous send */
    NEEDS_SEND,
    NEEDS_MEMBERS, /* all members of a collective */
    NEEDS_ROOT
} walk_need;

/* What the operation in a slot waits for. */
struct walk_slot {
    walk_need kind;
    union {
        uint32_t queue;        /* NEEDS_RECEIVER, NEEDS_SEND */
        uint32_t communicator; /* NEEDS_MEMBERS, NEEDS_ROOT */
    };
    uint32_t position; /* of the send in the queue, or of the collective in the communicator */
    uint32_t receive;  /* NEEDS_SEND: number among the recorded receives of its queue */
};

struct walk_rank {
    uint64_t next; /* next operation */
    int64_t time_ps;
    int64_t call_ps;
    uint64_t first_slot;
    uint32_t stamp;        /* stamp of the rank's valid entry in the heap */
    uint32_t complete;     /* slots of the current wait that are complete */
    struct walk_slot slot; /* WALK_RECEIVER, WALK_SEND: the awaited slot */
    uint32_t next_waiter;
    struct infer_place place; /* surroundings of the unrecorded receive */
    uint64_t place_operation; /* number of that receive's operation */
    uint8_t state;
    bool has_arrived; /* at the blocking collective, whose part it waits for */
    bool is_released;
};

struct walk_instance {
    uint32_t arrived;
    bool has_root;
};

struct walk_communicator {
    struct walk_instance *instances;
    size_t count, capacity;
    uint32_t first_waiter;
};

struct walk_entry {
    int64_t time_ps;
    uint32_t rank;
    uint32_t stamp;
};

struct infer_walk {
    struct infer *infer;
    struct program *program;
    struct walk_rank *ranks;
    struct walk_slot *slots;
    struct walk_communicator *communicators;
    struct key_table passed_index; /* rank and communicator -> index in passed */
    uint32_t *passed;
    size_t passed_count, passed_capacity;
    struct walk_entry *heap;
    size_t heap_count, heap_capacity;
    int64_t now_ps;
};

/* ---- the next rank to continue ---- */

static bool is_before(const struct walk_entry *a, const struct walk_entry *b) {
    return a->time_ps != b->time_ps ? a->time_ps < b->time_ps : a->rank < b->rank;
}

/* Lets the rank continue at this time and at no other. */
static status_code push_rank(struct infer_walk *walk, uint32_t number, int64_t time_ps,
                             struct status *status) {
    FORWARD_IF_ERROR(memory_grow((void **)&walk->heap, &walk->heap_capacity, walk->heap_count + 1,
                                 sizeof *walk->heap, status));
    struct walk_entry entry = {time_ps, number, ++walk->ranks[number].stamp};
    size_t index = walk->heap_count++;
    for (; index > 0 && is_before(&entry, &walk->heap[(index - 1) / 2]); index = (index - 1) / 2)
        walk->heap[index] = walk->heap[(index - 1) / 2];
    walk->heap[index] = entry;
    return STATUS_OK;
}

static struct walk_entry pop_rank(struct infer_walk *walk) {
    struct walk_entry first = walk->heap[0], last = walk->heap[--walk->heap_count];
    size_t index = 0;
    for (;;) {
        size_t child = 2 * index + 1;
        if (child >= walk->heap_count) break;
        if (child + 1 < walk->heap_count && is_before(&walk->heap[child + 1], &walk->heap[child]))
            child++;
        if (!is_before(&walk->heap[child], &last)) break;
        walk->heap[index] = walk->heap[child];
        index = child;
    }
    walk->heap[index] = last;
    return first;
}

/* Moves the rank's clock forward. *others: other ranks go first, and this rank is in the heap
 * behind them. */
static status_code advance_clock(struct infer_walk *walk, uint32_t number, int64_t time_ps,
                                 bool *others, struct status *status) {
    struct walk_rank *rank = &walk->ranks[number];
    *others = false;
    if (time_ps <= rank->time_ps) return STATUS_OK;
    rank->time_ps = time_ps;
    const struct walk_entry own = {time_ps, number, 0};
    *others = walk->heap_count > 0 && is_before(&walk->heap[0], &own);
    if (*others) return push_rank(walk, number, time_ps, status);
    walk->now_ps = time_ps;
    return STATUS_OK;
}

static status_code wake(struct infer_walk *walk, uint32_t number, struct status *status) {
    walk->ranks[number].state = WALK_RUNS;
    return push_rank(walk, number, walk->now_ps, status);
}

/* ---- messages ---- */

static void set_slot(struct infer_walk *walk, const struct walk_rank *rank, uint32_t slot,
                     struct walk_slot content) {
    if (slot != PROGRAM_NONE) walk->slots[rank->first_slot + slot] = content;
}

static status_code pass_send(struct infer_walk *walk, const struct walk_rank *rank,
                             const struct program_operation *operation, struct status *status) {
    set_slot(walk, rank, operation->message.slot, (struct walk_slot){.kind = NEEDS_NOTHING});
    if (program_is_one_sided(operation)) return STATUS_OK;
    uint32_t number = operation->message.queue;
    struct infer_queue *queue = &walk->infer->queues[number];
    if (operation->flags & OPERATION_FLAG_SEND_SYNCHRONOUS)
        set_slot(
            walk, rank, operation->message.slot,
            (struct walk_slot){.kind = NEEDS_RECEIVER, .queue = number, .position = queue->posted});
    queue->posted++;
    FORWARD_IF_ERROR(infer_queue_changed(walk->infer, number, status));
    const struct walk_rank *destination = &walk->ranks[queue->destination];
    bool is_awaited = destination->state == WALK_SEND ? destination->slot.queue == number
                                                      : destination->state == WALK_MESSAGE;
    return is_awaited ? wake(walk, queue->destination, status) : STATUS_OK;
}

/* Updates a queue after a receive has claimed a send, and wakes the sender if it waits for that
 * receive. */
static status_code update_claimed(struct infer_walk *walk, uint32_t number, struct status *status) {
    FORWARD_IF_ERROR(infer_queue_changed(walk->infer, number, status));
    uint32_t source = walk->infer->queues[number].source;
    const struct walk_rank *sender = &walk->ranks[source];
    bool is_awaited = sender->state == WALK_RECEIVER && sender->slot.queue == number;
    return is_awaited ? wake(walk, source, status) : STATUS_OK;
}

static status_code pass_receive(struct infer_walk *walk, const struct walk_rank *rank,
                                const struct program_operation *operation, struct status *status) {
    uint32_t number = operation->message.queue;
    struct infer_queue *queue = &walk->infer->queues[number];
    set_slot(walk, rank, operation->message.slot,
             (struct walk_slot){.kind = NEEDS_SEND,
                                .queue = number,
                                .position = queue->claimed,
                                .receive = queue->known});
    queue->claimed++;
    queue->known++;
    return update_claimed(walk, number, status);
}

/* ---- unrecorded receives ---- */

static void record_choice(struct infer_walk *walk, uint32_t number,
                          const struct infer_choice *choice) {
    struct infer_rank *receiver = &walk->infer->ranks[number];
    struct infer_decision *decision =
        &walk->infer->decisions[receiver->first_decision + receiver->decided++];
    *decision = (struct infer_decision){choice->queue, 0, choice->is_by_time};
    if (choice->queue == PROGRAM_NONE) return;
    decision->send = walk->infer->queues[choice->queue].claimed++;
    receiver->left--;
}

/* Sets the surroundings of the current unrecorded receive. */
static void find_place(const struct infer_walk *walk, struct walk_rank *rank) {
    if (rank->place_operation == rank->next) return;
    const struct program_operation *operation = &walk->program->operations[rank->next];
    struct infer_place *place = &rank->place;
    rank->place_operation = rank->next;
    *place = (struct infer_place){.enter_ps = rank->call_ps, .partner = PROGRAM_NONE};
    while (operation->kind != OPERATION_RETURN)
        operation++;
    place->leave_ps = operation->mark.trace_ps;
    int64_t call_ps = 0;
    for (; operation->kind != OPERATION_END && !builder_is_unrecorded(operation); operation++) {
        if (operation->kind == OPERATION_CALL) call_ps = operation->mark.trace_ps;
        bool sends = operation->kind == OPERATION_SEND && !program_is_one_sided(operation);
        if (sends && place->partner == PROGRAM_NONE) place->partner = operation->message.peer;
    }
    place->next_ps = operation->kind != OPERATION_END ? call_ps : INT64_MAX;
}

/* Decides on the unrecorded receive and passes it and its wait. *waits: the rank must wait. */
static status_code decide_receive(struct infer_walk *walk, uint32_t number, bool *waits,
                                  struct status *status) {
    struct walk_rank *rank = &walk->ranks[number];
    find_place(walk, rank);
    const struct infer_place *place = &rank->place;
    FORWARD_IF_ERROR(advance_clock(walk, number, place->leave_ps, waits, status));
    if (*waits) return STATUS_OK;
    struct infer_choice choice;
    FORWARD_IF_ERROR(infer_choose(walk->infer, number, place, &choice, status));
    int64_t last_ps = place->leave_ps > INT64_MAX - INFER_PATIENCE_PS
                          ? INT64_MAX
                          : place->leave_ps + INFER_PATIENCE_PS;
    bool is_empty = rank->is_released || (choice.may_be_empty && rank->time_ps >= last_ps);
    if (choice.queue == PROGRAM_NONE && !is_empty) {
        rank->state = WALK_MESSAGE;
        *waits = true;
        return choice.may_be_empty ? push_rank(walk, number, last_ps, status) : STATUS_OK;
    }
    record_choice(walk, number, &choice);
    rank->is_released = false;
    rank->next += 2; /* the receive and its wait */
    return choice.queue != PROGRAM_NONE ? update_claimed(walk, choice.queue, status) : STATUS_OK;
}

/* ---- collectives ---- */

static status_code count_collective(struct infer_walk *walk, uint32_t rank, uint32_t communicator,
                                    uint32_t *number, struct status *status) {
    uint64_t key = (uint64_t)rank << 32 | communicator;
    uint32_t index = key_table_find(&walk->passed_index, key);
    if (index == KEY_TABLE_NONE) {
        index = (uint32_t)walk->passed_count;
        FORWARD_IF_ERROR(memory_grow((void **)&walk->passed, &walk->passed_capacity,
                                     walk->passed_count + 1, sizeof *walk->passed, status));
        FORWARD_IF_ERROR(key_table_insert(&walk->passed_index, key, index, status));
        walk->passed[walk->passed_count++] = 0;
    }
    *number = walk->passed[index]++;
    return STATUS_OK;
}

/* Returns whose data the rank's part in a collective needs. */
static walk_need needs_of(const struct program *program,
                          const struct program_collective_arguments *arguments) {
    const struct program_communicator *communicator =
        &program->communicators[arguments->communicator];
    if (communicator->members == PROGRAM_NONE || communicator->remote_size > 0)
        return NEEDS_NOTHING;
    bool is_root = arguments->root == arguments->own_member;
    switch ((program_collective_kind)arguments->kind) {
    case PROGRAM_COLLECTIVE_BCAST:
    case PROGRAM_COLLECTIVE_SCATTER:
    case PROGRAM_COLLECTIVE_SCATTERV:
        return is_root ? NEEDS_NOTHING : NEEDS_ROOT;
    case PROGRAM_COLLECTIVE_GATHER:
    case PROGRAM_COLLECTIVE_GATHERV:
    case PROGRAM_COLLECTIVE_REDUCE:
        return is_root ? NEEDS_MEMBERS : NEEDS_NOTHING;
    case PROGRAM_COLLECTIVE_SCAN:
    case PROGRAM_COLLECTIVE_EXSCAN:
    case PROGRAM_COLLECTIVE_CREATE_HANDLE:
    case PROGRAM_COLLECTIVE_DESTROY_HANDLE:
        return NEEDS_NOTHING;
    default:
        return NEEDS_MEMBERS;
    }
}

static status_code wake_members(struct infer_walk *walk, struct walk_communicator *communicator,
                                struct status *status) {
    uint32_t waiter = communicator->first_waiter;
    communicator->first_waiter = PROGRAM_NONE;
    while (waiter != PROGRAM_NONE) {
        uint32_t next = walk->ranks[waiter].next_waiter;
        if (walk->ranks[waiter].state == WALK_COLLECTIVE)
            FORWARD_IF_ERROR(wake(walk, waiter, status));
        waiter = next;
    }
    return STATUS_OK;
}

/* Counts the rank's arrival at its next collective. *slot: what the rank has to wait for. */
static status_code arrive(struct infer_walk *walk, uint32_t rank,
                          const struct program_collective_arguments *arguments,
                          struct walk_slot *slot, struct status *status) {
    const struct program *program = walk->program;
    *slot = (struct walk_slot){.kind = NEEDS_NOTHING, .communicator = arguments->communicator};
    if (arguments->kind == PROGRAM_COLLECTIVE_CREATE_HANDLE ||
        arguments->kind == PROGRAM_COLLECTIVE_DESTROY_HANDLE)
        return STATUS_OK; /* some members may not record them */
    FORWARD_IF_ERROR(
        count_collective(walk, rank, arguments->communicator, &slot->position, status));
    slot->kind = needs_of(program, arguments);
    struct walk_communicator *communicator = &walk->communicators[arguments->communicator];
    FORWARD_IF_ERROR(memory_grow((void **)&communicator->instances, &communicator->capacity,
                                 slot->position + 1, sizeof *communicator->instances, status));
    while (communicator->count <= slot->position)
        communicator->instances[communicator->count++] = (struct walk_instance){0, false};
    struct walk_instance *instance = &communicator->instances[slot->position];
    instance->arrived++;
    instance->has_root |= arguments->root == arguments->own_member;
    bool is_whole = instance->arrived == program->communicators[arguments->communicator].size;
    return is_whole || arguments->root == arguments->own_member
               ? wake_members(walk, communicator, status)
               : STATUS_OK;
}

/* ---- waiting ---- */

static bool is_complete(const struct infer_walk *walk, const struct walk_slot *slot) {
    if (slot->kind == NEEDS_NOTHING) return true;
    if (slot->kind == NEEDS_RECEIVER || slot->kind == NEEDS_SEND) {
        const struct infer_queue *queue = &walk->infer->queues[slot->queue];
        if (slot->kind == NEEDS_SEND)
            return queue->posted > slot->position || slot->position >= queue->sends;
        bool is_received = queue->is_open || slot->position < queue->receives;
        return queue->claimed > slot->position || !is_received;
    }
    const struct walk_instance *instance =
        &walk->communicators[slot->communicator].instances[slot->position];
    return slot->kind == NEEDS_ROOT
               ? instance->has_root
               : instance->arrived >= walk->program->communicators[slot->communicator].size;
}

/* Returns true if the rank has to wait for the slot, and notes what it waits for. */
static bool waits_for(struct infer_walk *walk, uint32_t number, const struct walk_slot *slot) {
    struct walk_rank *rank = &walk->ranks[number];
    if (rank->is_released || is_complete(walk, slot)) return false;
    if (slot->kind == NEEDS_RECEIVER || slot->kind == NEEDS_SEND) {
        rank->state = slot->kind == NEEDS_RECEIVER ? WALK_RECEIVER : WALK_SEND;
        rank->slot = *slot;
        return true;
    }
    rank->state = WALK_COLLECTIVE;
    rank->next_waiter = walk->communicators[slot->communicator].first_waiter;
    walk->communicators[slot->communicator].first_waiter = number;
    return true;
}

static bool waits_in_wait(struct infer_walk *walk, uint32_t number,
                          const struct program_operation *operation) {
    struct walk_rank *rank = &walk->ranks[number];
    const struct program_rank *rank_entry = &walk->program->ranks[number];
    for (; rank->complete < operation->wait.count; rank->complete++) {
        uint32_t slot = operation->wait.count == 1
                            ? operation->wait.first
                            : walk->program->wait_slots[rank_entry->first_wait_slot +
                                                        operation->wait.first + rank->complete];
        if (waits_for(walk, number, &walk->slots[rank->first_slot + slot])) return true;
    }
    rank->complete = 0;
    rank->is_released = false;
    return false;
}

/* Passes a collective. A blocking one takes two steps: the rank arrives, and then it waits until
 * its part is complete. */
static status_code pass_collective(struct infer_walk *walk, uint32_t number,
                                   const struct program_operation *operation, bool *waits,
                                   struct status *status) {
    struct walk_rank *rank = &walk->ranks[number];
    const struct program_collective_arguments *arguments =
        &walk->program->collective_arguments[operation->collective.arguments];
    bool blocking = (operation->flags & OPERATION_FLAG_COLLECTIVE_BLOCKING) != 0;
    struct walk_slot *own =
        &walk->slots[rank->first_slot + walk->program->ranks[number].slot_count];
    if (!rank->has_arrived) {
        struct walk_slot slot;
        FORWARD_IF_ERROR(arrive(walk, number, arguments, &slot, status));
        if (!blocking) {
            set_slot(walk, rank, operation->collective.slot, slot);
            return STATUS_OK;
        }
        *own = slot;
        rank->has_arrived = true;
    }
    *waits = waits_for(walk, number, own);
    if (*waits) return STATUS_OK;
    rank->has_arrived = false;
    rank->is_released = false;
    return STATUS_OK;
}

/* ---- ranks ---- */

/* Passes the next operation. *waits: the rank must wait before it can pass the operation. */
static status_code pass(struct infer_walk *walk, uint32_t number, bool *waits,
                        struct status *status) {
    struct walk_rank *rank = &walk->ranks[number];
    const struct program_operation *operation = &walk->program->operations[rank->next];
    switch (operation->kind) {
    case OPERATION_CALL:
    case OPERATION_RETURN:
        FORWARD_IF_ERROR(advance_clock(walk, number, operation->mark.trace_ps, waits, status));
        rank->call_ps = operation->mark.trace_ps;
        break;
    case OPERATION_SEND:
        FORWARD_IF_ERROR(pass_send(walk, rank, operation, status));
        break;
    case OPERATION_RECEIVE:
        if (builder_is_unrecorded(operation)) return decide_receive(walk, number, waits, status);
        FORWARD_IF_ERROR(pass_receive(walk, rank, operation, status));
        break;
    case OPERATION_COLLECTIVE:
        FORWARD_IF_ERROR(pass_collective(walk, number, operation, waits, status));
        break;
    case OPERATION_FILE:
        set_slot(walk, rank, operation->file.slot, (struct walk_slot){.kind = NEEDS_NOTHING});
        break;
    case OPERATION_WAIT:
        *waits = waits_in_wait(walk, number, operation);
        break;
    default:
        break;
    }
    rank->next += !*waits;
    return STATUS_OK;
}

static status_code run_rank(struct infer_walk *walk, uint32_t number, struct status *status) {
    struct walk_rank *rank = &walk->ranks[number];
    bool waits = false;
    while (!waits && walk->program->operations[rank->next].kind != OPERATION_END)
        FORWARD_IF_ERROR(pass(walk, number, &waits, status));
    return STATUS_OK;
}

static status_code run_all(struct infer_walk *walk, struct status *status) {
    while (walk->heap_count > 0) {
        struct walk_entry entry = pop_rank(walk);
        struct walk_rank *rank = &walk->ranks[entry.rank];
        if (entry.stamp != rank->stamp) continue;
        walk->now_ps = entry.time_ps;
        rank->state = WALK_RUNS;
        if (entry.time_ps > rank->time_ps) rank->time_ps = entry.time_ps;
        FORWARD_IF_ERROR(run_rank(walk, entry.rank, status));
    }
    return STATUS_OK;
}

/* Releases all waiting ranks in the first state of walk_state that has any. *released: false if no
 * rank waits. */
static status_code release_waiting(struct infer_walk *walk, bool *released, struct status *status) {
    *released = false;
    for (uint8_t state = WALK_COLLECTIVE; state < WALK_STATES && !*released; state++)
        for (uint32_t i = 0; i < walk->program->rank_count; i++) {
            if (walk->ranks[i].state != state) continue;
            walk->ranks[i].is_released = *released = true;
            FORWARD_IF_ERROR(wake(walk, i, status));
        }
    for (uint32_t i = 0; *released && i < walk->program->communicator_count; i++)
        walk->communicators[i].first_waiter = PROGRAM_NONE;
    return STATUS_OK;
}

/* If a synchronous sender waits forever, marks its send as taken by an earlier unrecorded receive.
 * Returns true if that is new for any send. */
static bool hasten_sends(struct infer_walk *walk) {
    bool is_new = false;
    for (uint32_t i = 0; i < walk->program->rank_count; i++) {
        const struct walk_rank *rank = &walk->ranks[i];
        if (rank->state == WALK_RECEIVER)
            is_new |= infer_hasten(walk->infer, rank->slot.queue, rank->slot.position);
    }
    return is_new;
}

/* Rules out one decision. Among the recorded receives that wait forever behind unrecorded ones,
 * this function chooses the one whose send began latest after the receive completed: the receive
 * took an earlier send. Returns false if there is no such receive, or if it has no earlier send. */
static bool rule_out_worst(struct infer_walk *walk) {
    const struct walk_slot *worst = NULL;
    int64_t worst_ps = 0;
    for (uint32_t i = 0; i < walk->program->rank_count; i++) {
        const struct walk_rank *rank = &walk->ranks[i];
        if (rank->state != WALK_SEND || rank->slot.position == rank->slot.receive) continue;
        int64_t late_ps =
            infer_lateness(walk->infer, rank->slot.queue, rank->slot.receive, rank->slot.position);
        if (late_ps <= worst_ps) continue;
        worst = &rank->slot;
        worst_ps = late_ps;
    }
    return worst != NULL &&
           infer_rule_out(walk->infer, worst->queue, worst->receive, worst->position);
}

static status_code go_through(struct infer_walk *walk, bool *again, struct status *status) {
    for (uint32_t i = 0; i < walk->program->communicator_count; i++)
        walk->communicators[i].first_waiter = PROGRAM_NONE;
    for (uint32_t i = 0; i < walk->infer->queue_count; i++)
        FORWARD_IF_ERROR(infer_queue_changed(walk->infer, i, status));
    uint64_t slots = 0;
    for (uint32_t i = 0; i < walk->program->rank_count; i++) {
        walk->ranks[i] = (struct walk_rank){
            .next = walk->program->ranks[i].first, .time_ps = INT64_MIN, .first_slot = slots};
        slots += (uint64_t)walk->program->ranks[i].slot_count + 1;
        FORWARD_IF_ERROR(push_rank(walk, i, INT64_MIN, status));
    }
    for (bool released = true; released;) {
        FORWARD_IF_ERROR(run_all(walk, status));
        if (again != NULL && (hasten_sends(walk) || rule_out_worst(walk))) {
            *again = true;
            return STATUS_OK;
        }
        FORWARD_IF_ERROR(release_waiting(walk, &released, status));
    }
    return STATUS_OK;
}

status_code infer_walk(struct infer *infer, bool *again, struct status *status) {
    struct program *program = infer->program;
    uint64_t slots = 0; /* each rank has one more, for blocking collectives */
    for (uint32_t i = 0; i < program->rank_count; i++)
        slots += (uint64_t)program->ranks[i].slot_count + 1;
    struct infer_walk walk = {
        .infer = infer,
        .program = program,
        .ranks = memory_new(program->rank_count, sizeof *walk.ranks),
        .slots = memory_new((size_t)slots, sizeof *walk.slots),
        .communicators = memory_new(program->communicator_count, sizeof *walk.communicators)};
    status_code code =
        walk.ranks != NULL && walk.slots != NULL && walk.communicators != NULL
            ? go_through(&walk, again, status)
            : status_set(status, STATUS_MEMORY, "out of memory for %u ranks", program->rank_count);
    for (uint32_t i = 0; walk.communicators != NULL && i < program->communicator_count; i++)
        free(walk.communicators[i].instances);
    free(walk.communicators);
    free(walk.ranks);
    free(walk.slots);
    free(walk.passed);
    free(walk.heap);
    key_table_free(&walk.passed_index);
    return code;
}
