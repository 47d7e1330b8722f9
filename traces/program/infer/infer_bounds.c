/*
 * Finds the last send that each recorded receive can take. Must not know in which order ranks
 * continue.
 *
 * Invariant: `latest` increases over the receives of a queue, and each receive fits the length of
 * its latest send. So, whatever unrecorded receives take within these bounds, all recorded receives
 * still find a send.
 */
#include "traces/program/infer/infer_parts.h"

#include <stdlib.h>

/* Moves the bounds of the first `count` receives to sends before `end`. Returns false if a receive
 * finds no send there. carry_out false: only tests whether that is possible. */
static bool move_bounds(struct infer *infer, const struct infer_queue *queue, uint32_t count,
                        uint32_t end, bool carry_out) {
    for (uint32_t i = count; i-- > 0;) {
        struct infer_receive *receive = infer_receive_at(infer, queue, i);
        if (receive->latest < end) end = receive->latest + 1;
        do {
            if (end <= i) return false;
            end--;
        } while (!infer_fits(receive, infer_send_at(infer, queue, end)));
        if (carry_out) receive->latest = end;
    }
    return true;
}

/* Sets the bounds of a queue's receives by times: a receive completes after its send began, up to
 * the difference of the clocks, and sends begin in their order. Returns false if no bounds fit. */
static bool find_bounds(struct infer *infer, const struct infer_queue *queue,
                        int64_t clock_uncertainty_ps) {
    uint32_t end = queue->sends;
    for (uint32_t i = queue->receives; i-- > 0;) {
        struct infer_receive *receive = infer_receive_at(infer, queue, i);
        int64_t last_ps = receive->done_ps > INT64_MAX - clock_uncertainty_ps
                              ? INT64_MAX
                              : receive->done_ps + clock_uncertainty_ps;
        while (end > 0 && infer_send_at(infer, queue, end - 1)->sent_ps > last_ps)
            end--;
        if (end == 0) return false;
        receive->latest = end - 1;
    }
    return move_bounds(infer, queue, queue->receives, queue->sends, true);
}

/* Ignores the lengths of a queue in which they contradict each other: some tracers record the size
 * of the buffer. */
static void ignore_lengths(struct infer *infer, const struct infer_queue *queue) {
    for (uint32_t i = 0; i < queue->receives; i++) {
        struct infer_receive *receive = infer_receive_at(infer, queue, i);
        receive->bytes = INFER_ANY_BYTES;
        receive->latest = queue->sends - queue->receives + i;
    }
}

static int64_t lateness(const struct infer *infer, const struct infer_queue *queue,
                        uint32_t receive, uint32_t send) {
    int64_t sent_ps = infer_send_at(infer, queue, send)->sent_ps;
    int64_t done_ps = infer_receive_at(infer, queue, receive)->done_ps;
    if (done_ps > 0) return sent_ps < INT64_MIN + done_ps ? INT64_MIN : sent_ps - done_ps;
    return sent_ps > INT64_MAX + done_ps ? INT64_MAX : sent_ps - done_ps;
}

/* Sets how much clocks may differ for each rank, from the recorded messages to it. */
static void find_doubts(struct infer *infer) {
    for (uint32_t rank = 0; rank < infer->program->rank_count; rank++)
        infer->ranks[rank].clock_uncertainty_ps = INFER_DOUBT_PS;
    for (size_t i = 0; i < infer->queue_count; i++) {
        const struct infer_queue *queue = &infer->queues[i];
        if (!queue->is_watched || queue->is_open) continue;
        struct infer_rank *rank = &infer->ranks[queue->destination];
        for (uint32_t k = 0; k < queue->sends; k++) { /* receives are not fewer */
            int64_t late_ps = lateness(infer, queue, k, k);
            if (late_ps > rank->clock_uncertainty_ps) rank->clock_uncertainty_ps = late_ps;
        }
    }
}

void infer_bounds_find(struct infer *infer) {
    find_doubts(infer);
    for (size_t i = 0; i < infer->queue_count; i++) {
        const struct infer_queue *queue = &infer->queues[i];
        if (queue->is_open &&
            !find_bounds(infer, queue, infer->ranks[queue->destination].clock_uncertainty_ps) &&
            !find_bounds(infer, queue, INT64_MAX))
            ignore_lengths(infer, queue);
    }
}

int64_t infer_lateness(const struct infer *infer, uint32_t queue_number, uint32_t receive,
                       uint32_t send) {
    const struct infer_queue *queue = &infer->queues[queue_number];
    return queue->is_open ? lateness(infer, queue, receive, send) : INT64_MIN;
}

bool infer_rule_out(struct infer *infer, uint32_t queue_number, uint32_t receive, uint32_t send) {
    const struct infer_queue *queue = &infer->queues[queue_number];
    return move_bounds(infer, queue, receive + 1, send, false) &&
           move_bounds(infer, queue, receive + 1, send, true);
}
