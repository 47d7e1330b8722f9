/*
 * How a wait for a transfer is divided among its causes. In a phase of the network, the time that
 * an idle network takes too is transit, and the rest is queueing.
 *
 * Must not know: whose wait it is, and where its parts are counted.
 */
#ifndef ANAX_REPLAY_WAITS_H
#define ANAX_REPLAY_WAITS_H

#include "replay/engine/state/engine_state.h"

typedef enum wait_part {
    WAIT_PART_LATE_SENDER,
    WAIT_PART_LATE_RECEIVER,
    WAIT_PART_TRANSIT,
    WAIT_PART_QUEUEING,
    WAIT_PART_STORAGE /* an I/O node: a kind of late receiver */
} wait_part;

/* Calls `take` for each part of a wait that begins at clock_ps and ends with the end of a transfer,
 * in their order. Phases that end before clock_ps are no waiting. Returns the time when the last
 * part ends, or clock_ps if there is none. */
static inline int64_t wait_divide(const struct engine_transfer_end *end, int64_t clock_ps,
                                  void (*take)(void *context, wait_part part, int64_t from_ps,
                                               int64_t until_ps),
                                  void *context) {
    int64_t from_ps = end->from_ps;
    for (unsigned i = 0; i < end->phase_count; i++) {
        const struct engine_wait_phase *phase = &end->phase[i];
        int64_t until_ps = phase->until_ps, idle_ps = from_ps + phase->zero_load_ps;
        from_ps = until_ps;
        if (until_ps <= clock_ps) continue;
        if (phase->cause == ENGINE_WAIT_NETWORK) {
            if (idle_ps > until_ps) idle_ps = until_ps;
            if (idle_ps > clock_ps) {
                take(context, WAIT_PART_TRANSIT, clock_ps, idle_ps);
                clock_ps = idle_ps;
            }
            if (until_ps > clock_ps) take(context, WAIT_PART_QUEUEING, clock_ps, until_ps);
        } else {
            take(context,
                 phase->cause == ENGINE_WAIT_LATE_SENDER ? WAIT_PART_LATE_SENDER
                 : phase->cause == ENGINE_WAIT_STORAGE   ? WAIT_PART_STORAGE
                                                         : WAIT_PART_LATE_RECEIVER,
                 clock_ps, until_ps);
        }
        clock_ps = until_ps;
    }
    return clock_ps;
}

#endif
