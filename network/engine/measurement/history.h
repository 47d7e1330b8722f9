/*
 * The load of channels over time: sums for each kind of channel of a group, in time bins
 * (core/simulation/time_bins.h). Channels from nodes to routers are a kind of their own here.
 *
 * A network has one only after network_keep_history. A group has one for all rails. It must not
 * know who sends what. Invariant: bins add up to the counts of the group's links.
 */
#ifndef ANAX_NETWORK_HISTORY_H
#define ANAX_NETWORK_HISTORY_H

#include "core/base/compiler_hints.h"
#include "core/simulation/time_bins.h"
#include "network/engine/state/state.h"

/* Frees a history; NULL is allowed. */
void history_free(struct history *history);

/* Records a packet that an output sends from start_ps to end_ps. */
HINT_NOINLINE void history_record_transmission(struct rail_group *rail_group, uint32_t output,
                                               uint32_t bytes, int64_t start_ps, int64_t end_ps);
/* Records that an output was stalled from since_ps to until_ps. Records nothing if until_ps is
 * earlier.
 */
HINT_NOINLINE void history_record_stall(struct rail_group *rail_group, uint32_t output,
                                        int64_t since_ps, int64_t until_ps);

/* Several processes: puts the history of a group into a block. */
void history_pack(struct processes_packing *block, const struct rail_group *home);

/* Takes the history of a group out of a block in process 0, whose group has none. Returns false if
 * memory is short. */
bool history_unpack(struct rail_group *home, struct processes_unpacking *block);

#endif
