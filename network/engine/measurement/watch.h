/*
 * Who loads a link: what each flow sends over a watched link, how long it waits for it, and behind
 * which other flows. A flow has all packets with one label from one node to another one that are on
 * minimal paths, or all that are on non-minimal ones.
 *
 * A network watches links only after network_watch. The links of a network have together at most
 * WATCH_FLOWS flows and WATCH_PAIRS pairs of flows, each link the same share of them; what is
 * beyond counts for flow 0, "all others". It must not know ranks. Invariant: the flows of a link
 * add up to its packets, bytes, busy and stalled time.
 */
#ifndef ANAX_NETWORK_WATCH_H
#define ANAX_NETWORK_WATCH_H

#include "core/base/compiler_hints.h"
#include "network/engine/state/state.h"

#define WATCH_FLOWS (1u << 18)
#define WATCH_PAIRS (1u << 22)
/* Latest transmissions of a link that the wait of a packet is compared with. */
#define WATCH_TRANSMISSIONS 1024u

/* Frees what is watched; NULL is allowed. */
void watch_free(struct watch *watch);

/* Records a packet that an output sends from start_ps to end_ps. */
HINT_NOINLINE void watch_record_transmission(struct rail_group *rail_group, uint32_t output,
                                             uint32_t packet_index, int64_t start_ps,
                                             int64_t end_ps);
/* Records that an output was stalled for time_ps. */
HINT_NOINLINE void watch_record_stall(struct rail_group *rail_group, uint32_t output,
                                      int64_t time_ps);

/* Several processes: puts the watched links of a rail group into a block. */
void watch_pack(struct processes_packing *block, const struct rail_group *rail_group);

/* Takes the watched links of a rail group out of a block in process 0. Returns false if memory is
 * short.
 */
bool watch_unpack(struct rail_group *rail_group, struct processes_unpacking *block);

#endif
