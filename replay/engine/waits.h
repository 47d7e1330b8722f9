/*
 * How a wait for a transfer is divided among its causes. In a phase of the network, the time that
 * an idle network takes too is transit, and the rest is queueing.
 *
 * Must not know: whose wait it is, and where its parts are counted.
 */
#ifndef ANAX_REPLAY_WAITS_H
#define ANAX_REPLAY_WAITS_H

#include "replay/engine/engine_state.h"

typedef enum wait_part {
    WAIT_PART_LATE_SENDER,
    WAIT_PART_LATE_RECEIVER,
    WAIT_PART_TRANSIT,
    WAIT_PART_QUEUEING
} wait_part;

/* Calls `take` for each part of the phases that led to the end of a transfer, in their order. A
 * part ends at until_ps and begins where the part before it ends, the first at end->from_ps; parts
 * that end before the waiting began are no waiting. */
static inline void wait_divide(const struct engine_transfer_end *end,
                               void (*take)(void *context, wait_part part, int64_t until_ps),
                               void *context) {
    int64_t from_ps = end->from_ps;
    for (unsigned i = 0; i < end->phase_count; i++) {
        const struct engine_wait_phase *phase = &end->phase[i];
        int64_t until_ps = phase->until_ps, idle_ps = from_ps + phase->zero_load_ps;
        switch (phase->cause) {
        case ENGINE_WAIT_LATE_SENDER:
            take(context, WAIT_PART_LATE_SENDER, until_ps);
            break;
        case ENGINE_WAIT_LATE_RECEIVER:
            take(context, WAIT_PART_LATE_RECEIVER, until_ps);
            break;
        case ENGINE_WAIT_NETWORK:
            take(context, WAIT_PART_TRANSIT, idle_ps < until_ps ? idle_ps : until_ps);
            take(context, WAIT_PART_QUEUEING, until_ps);
        }
        from_ps = until_ps;
    }
}

#endif
