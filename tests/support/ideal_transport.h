/*
 * A transport without contention: the closed form ready + L + bytes / B for every message (LogGPS's
 * network), so that what the replay must yield can be said exactly. L is the global latency of the
 * machine, B its terminal bandwidth; messages within a node take the memory model.
 */
#ifndef ANAX_TESTS_IDEAL_TRANSPORT_H
#define ANAX_TESTS_IDEAL_TRANSPORT_H

#include "replay/transport.h"

/* NULL: out of memory. machine must live as long. Runs on one thread. */
transport *ideal_transport_new(const network_config *machine);
/* What was carried: messages, memory_messages, bytes and digest. */
const network_totals *ideal_transport_totals(const transport *transport);
void ideal_transport_free(transport *transport); /* NULL allowed */

#endif
