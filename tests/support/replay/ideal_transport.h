/*
 * A transport without contention: the closed form ready + L + bytes / B for every message (LogGPS's
 * network), so that what the replay must yield can be said exactly. L is the global latency of the
 * machine, B its terminal bandwidth; messages within a node take the memory model.
 */
#ifndef ANAX_TESTS_IDEAL_TRANSPORT_H
#define ANAX_TESTS_IDEAL_TRANSPORT_H

#include "replay/transport/transport.h"

/* NULL: out of memory. network_config must live as long. Runs on one thread. */
struct transport *ideal_transport_new(const struct network_config *network_config);
/* What was carried: messages, memory_messages, bytes and digest. */
const struct network_totals *ideal_transport_totals(const struct transport *transport);
/* Frees a transport; NULL is allowed. */
void ideal_transport_free(struct transport *transport);

#endif
