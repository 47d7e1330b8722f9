/*
 * Chooses the message that an unrecorded receive takes. Must not know operations, nor how ranks
 * continue.
 *
 * A queue is urgent if its next recorded receive fits only a send after the next one. Unrecorded
 * receives posted before that receive must then take the sends in between: this is a deadline. All
 * deadlines of a rank must be kept together, so the choice excludes sends with which a deadline
 * would be missed.
 */
#include "traces/program/infer/infer_parts.h"

#include "core/memory/memory.h"

#include <stdlib.h>

/* ---- lists ---- */

static status_code list_add(struct infer_list *list, uint32_t queue, uint32_t *place,
                            struct status *status) {
    FORWARD_IF_ERROR(memory_grow((void **)&list->numbers, &list->capacity, list->count + 1,
                                 sizeof *list->numbers, status));
    *place = (uint32_t)list->count;
    list->numbers[list->count++] = queue;
    return STATUS_OK;
}

static status_code set_ready(struct infer *infer, uint32_t number, bool is_ready,
                             struct status *status) {
    struct infer_queue *queue = &infer->queues[number];
    if (queue->is_ready == is_ready) return STATUS_OK;
    struct infer_list *list = &infer->ranks[queue->destination].ready;
    queue->is_ready = is_ready;
    if (is_ready) return list_add(list, number, &queue->ready_place, status);
    uint32_t last = list->numbers[--list->count];
    list->numbers[queue->ready_place] = last;
    infer->queues[last].ready_place = queue->ready_place;
    return STATUS_OK;
}

static status_code set_urgent(struct infer *infer, uint32_t number, bool is_urgent,
                              struct status *status) {
    struct infer_queue *queue = &infer->queues[number];
    if (queue->is_urgent == is_urgent) return STATUS_OK;
    struct infer_list *list = &infer->ranks[queue->destination].urgent;
    queue->is_urgent = is_urgent;
    if (is_urgent) return list_add(list, number, &queue->urgent_place, status);
    uint32_t last = list->numbers[--list->count];
    list->numbers[queue->urgent_place] = last;
    infer->queues[last].urgent_place = queue->urgent_place;
    return STATUS_OK;
}

/* ---- the needs of the next recorded receive ---- */

/* Returns the first send from `from` on that the queue's next recorded receive can take;
 * PROGRAM_NONE if there is none. */
static uint32_t find_fitting(const struct infer *infer, const struct infer_queue *queue,
                             uint32_t from) {
    if (queue->known >= queue->receives) return PROGRAM_NONE;
    const struct infer_receive *receive = infer_receive_at(infer, queue, queue->known);
    for (uint32_t send = from; send <= receive->latest; send++)
        if (infer_fits(receive, infer_send_at(infer, queue, send))) return send;
    return PROGRAM_NONE;
}

status_code infer_queue_changed(struct infer *infer, uint32_t queue_number, struct status *status) {
    struct infer_queue *queue = &infer->queues[queue_number];
    if (!queue->is_open) return STATUS_OK;
    if (queue->known != queue->target_of || queue->claimed > queue->target) {
        queue->target_of = queue->known;
        queue->target = find_fitting(infer, queue, queue->claimed);
        queue->has_after = false;
    }
    FORWARD_IF_ERROR(set_ready(infer, queue_number, queue->posted > queue->claimed, status));
    bool is_urgent = queue->target != PROGRAM_NONE && queue->target > queue->claimed;
    return set_urgent(infer, queue_number, is_urgent, status);
}

/* Returns the target that the queue would have after its present target is taken. The next send is
 * the target. */
static uint32_t after_target(const struct infer *infer, struct infer_queue *queue) {
    if (!queue->has_after) queue->after = find_fitting(infer, queue, queue->target + 1);
    queue->has_after = true;
    return queue->after;
}

/* Returns true if the queue's recorded receives leave its next send to an unrecorded receive. */
static bool can_spare(const struct infer *infer, const struct infer_queue *queue) {
    if (queue->known >= queue->receives) return true;
    if (queue->target == PROGRAM_NONE) /* lengths contradict: keep at least enough */
        return queue->sends - queue->claimed > queue->receives - queue->known;
    return infer_receive_at(infer, queue, queue->known)->latest > queue->claimed;
}

/* ---- deadlines ---- */

struct deadline {
    uint32_t receives; /* unrecorded receives before the deadline, without the current one */
    uint32_t sends;    /* sends that these receives must take */
};

struct schedule {
    bool keeps_all;        /* true even if the current receive takes no urgent send */
    bool can_keep;         /* true if the current receive takes the right send */
    uint32_t first_missed; /* receives before the first deadline that is missed otherwise */
};

/* Computes a deadline. Returns false if it has passed. */
static bool deadline_of(const struct infer *infer, const struct infer_queue *queue, uint32_t target,
                        struct deadline *deadline) {
    uint32_t before = infer_receive_at(infer, queue, queue->known)->unrecorded_before;
    uint32_t decided = infer->ranks[queue->destination].decided;
    if (before <= decided) return false;
    deadline->receives = before - decided - 1;
    deadline->sends = target - queue->claimed;
    return true;
}

static int compare_deadlines(const void *left, const void *right) {
    const struct deadline *a = left, *b = right;
    return (a->receives > b->receives) - (a->receives < b->receives);
}

/* Tests whether all deadlines of a rank can be kept. more: an additional deadline, or NULL. */
static status_code find_schedule(struct infer *infer, const struct infer_rank *rank,
                                 const struct deadline *more, struct schedule *schedule,
                                 struct status *status) {
    *schedule = (struct schedule){true, true, UINT32_MAX};
    if (rank->urgent.count == 0 && more == NULL) return STATUS_OK;
    FORWARD_IF_ERROR(memory_grow(&infer->deadlines, &infer->deadline_capacity,
                                 rank->urgent.count + 1, sizeof(struct deadline), status));
    struct deadline *deadlines = infer->deadlines;
    size_t count = 0;
    if (more != NULL) deadlines[count++] = *more;
    for (size_t i = 0; i < rank->urgent.count; i++) {
        const struct infer_queue *queue = &infer->queues[rank->urgent.numbers[i]];
        count += deadline_of(infer, queue, queue->target, &deadlines[count]);
    }
    if (count > 1) qsort(deadlines, count, sizeof *deadlines, compare_deadlines);
    uint64_t sends = 0;
    for (size_t i = 0; i < count; i++) {
        sends += deadlines[i].sends;
        bool is_last = i + 1 == count || deadlines[i + 1].receives > deadlines[i].receives;
        if (!is_last || sends <= deadlines[i].receives) continue;
        if (schedule->keeps_all) schedule->first_missed = deadlines[i].receives;
        schedule->keeps_all = false;
        schedule->can_keep &= sends == (uint64_t)deadlines[i].receives + 1;
    }
    return STATUS_OK;
}

/* Sets *keeps to whether all deadlines are kept if the current receive takes the queue's next send.
 */
static status_code keeps_deadlines(struct infer *infer, const struct infer_rank *rank,
                                   struct infer_queue *queue, const struct schedule *schedule,
                                   bool *keeps, struct status *status) {
    struct deadline own;
    bool is_bound = queue->target != PROGRAM_NONE && deadline_of(infer, queue, queue->target, &own);
    *keeps = schedule->keeps_all || !schedule->can_keep;
    if (queue->is_urgent) *keeps |= is_bound && own.receives <= schedule->first_missed;
    if (queue->is_urgent || !is_bound || !schedule->keeps_all) return STATUS_OK;
    /* The queue's next recorded receive will need a later send than now. */
    own.sends = after_target(infer, queue) - queue->claimed - 1;
    struct schedule after;
    FORWARD_IF_ERROR(find_schedule(infer, rank, &own, &after, status));
    *keeps = after.keeps_all;
    return STATUS_OK;
}

/* ---- the choice ---- */

static const struct infer_send *next_send(const struct infer *infer,
                                          const struct infer_queue *queue) {
    return infer_send_at(infer, queue, queue->claimed);
}

/* Returns true if the times in the trace say that this receive must take the send. */
static bool is_due(const struct infer_send *send, const struct infer_place *place) {
    return send->is_synchronous && send->due_ps < place->next_ps;
}

static bool is_inside(const struct infer_send *send, const struct infer_place *place) {
    return send->sent_ps >= place->enter_ps && send->sent_ps <= place->leave_ps;
}

/* Returns true if `left` goes before `right`, both from one source: the send that was due first. */
static bool is_earlier(const struct infer_send *left, const struct infer_send *right) {
    if (left->due_ps != right->due_ps) return left->due_ps < right->due_ps;
    return left->order < right->order;
}

/* Returns true if the next send of queue a is a better choice than that of queue b, from another
 * source. The criteria, in this order: the send would be too late for the next receive; the send
 * began during the call, so that it may have ended the waiting; the rank sends to this source next.
 * Then, of sends that began during the call, the last one; of others, the one that was due first.
 */
static bool is_better(const struct infer *infer, const struct infer_queue *a,
                      const struct infer_queue *b, const struct infer_place *place) {
    const struct infer_send *left = next_send(infer, a), *right = next_send(infer, b);
    bool is_left = is_due(left, place), is_inner = is_inside(left, place);
    if (is_left != is_due(right, place)) return is_left;
    if (is_inner != is_inside(right, place)) return is_inner;
    is_left = a->source == place->partner;
    if (is_left != (b->source == place->partner)) return is_left;
    if (is_inner && left->sent_ps != right->sent_ps) return left->sent_ps > right->sent_ps;
    if (left->due_ps != right->due_ps) return left->due_ps < right->due_ps;
    if (left->sent_ps != right->sent_ps) return left->sent_ps < right->sent_ps;
    return a->source < b->source;
}

/* Finds the queues whose next send the receive may take. */
static status_code find_candidates(struct infer *infer, struct infer_rank *rank,
                                   const struct schedule *schedule, struct status *status) {
    struct infer_list *candidates = &infer->candidates;
    FORWARD_IF_ERROR(memory_grow((void **)&candidates->numbers, &candidates->capacity,
                                 rank->ready.count, sizeof *candidates->numbers, status));
    candidates->count = 0;
    for (size_t i = 0; i < rank->ready.count; i++) {
        struct infer_queue *queue = &infer->queues[rank->ready.numbers[i]];
        bool fits = false;
        if (can_spare(infer, queue))
            FORWARD_IF_ERROR(keeps_deadlines(infer, rank, queue, schedule, &fits, status));
        if (fits) candidates->numbers[candidates->count++] = rank->ready.numbers[i];
    }
    return STATUS_OK;
}

/* Keeps one candidate of each source, the earliest. */
static void keep_earliest(struct infer *infer) {
    struct infer_list *candidates = &infer->candidates;
    size_t kept = 0;
    for (size_t i = 0; i < candidates->count; i++) {
        const struct infer_queue *queue = &infer->queues[candidates->numbers[i]];
        struct infer_rank *source = &infer->ranks[queue->source];
        if (source->candidate < kept &&
            infer->queues[candidates->numbers[source->candidate]].source == queue->source) {
            uint32_t *other = &candidates->numbers[source->candidate];
            if (is_earlier(next_send(infer, queue), next_send(infer, &infer->queues[*other])))
                *other = candidates->numbers[i];
            continue;
        }
        source->candidate = (uint32_t)kept;
        candidates->numbers[kept++] = candidates->numbers[i];
    }
    candidates->count = kept;
}

status_code infer_choose(struct infer *infer, uint32_t rank_number, const struct infer_place *place,
                         struct infer_choice *choice, struct status *status) {
    struct infer_rank *rank = &infer->ranks[rank_number];
    struct schedule schedule;
    FORWARD_IF_ERROR(find_schedule(infer, rank, NULL, &schedule, status));
    FORWARD_IF_ERROR(find_candidates(infer, rank, &schedule, status));
    *choice = (struct infer_choice){.queue = PROGRAM_NONE,
                                    .is_by_time = infer->candidates.count > 1,
                                    .may_be_empty = rank->unrecorded - rank->decided > rank->left &&
                                                    (schedule.keeps_all || !schedule.can_keep)};
    keep_earliest(infer);
    for (size_t i = 0; i < infer->candidates.count; i++) {
        uint32_t queue = infer->candidates.numbers[i];
        if (choice->queue == PROGRAM_NONE ||
            is_better(infer, &infer->queues[queue], &infer->queues[choice->queue], place))
            choice->queue = queue;
    }
    return STATUS_OK;
}

bool infer_hasten(struct infer *infer, uint32_t queue_number, uint32_t send) {
    const struct infer_queue *queue = &infer->queues[queue_number];
    bool could_be = queue->is_open && infer->ranks[queue->destination].decided > 0;
    if (!could_be || queue->claimed != send) return false;
    struct infer_send *own = infer_send_at(infer, queue, send);
    bool is_new = own->due_ps != INT64_MIN;
    own->due_ps = INT64_MIN;
    return is_new;
}
