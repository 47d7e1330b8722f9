/*
 * The invariant checker: what must hold in every result that anax prints as JSON or writes as
 * tables, whatever was simulated. It knows the meaning of keys (anax-json(5)) and nothing of how
 * figures come about.
 */
#ifndef ANAX_TESTS_CHECK_RESULT_H
#define ANAX_TESTS_CHECK_RESULT_H

#include "tests/support/check/check_value.h"

/* Checks the text of a result of any schema, and if folder is not NULL, the tables that `-o folder`
 * wrote beside it. */
void check_result(check *check, const char *text, size_t size, const char *folder);

/* ------------------------------------------------------------------- for the checker's own parts
 */

/* Settings of the result's configuration, in base units; 0 and a report where there is none. */
whole config_size(const place *result, const char *name);
whole config_time(const place *result, const char *name);
whole config_bandwidth(const place *result, const char *name);
whole config_ratio(const place *result, const char *name);
whole config_count(const place *result, const char *name);
/* "" where there is none. */
const char *config_text(const place *result, const char *name);

/* The machine of a replay, traffic or placement. */
typedef struct check_machine {
    whole nodes, groups, routers, rails;
    whole nodes_per_router, routers_per_group;
    bool fails; /* some of it may have failed */
} check_machine;
void check_machine_of(const place *result, check_machine *machine);

/* The trace of a replay or a placement; the notes on what is left out and assumed. */
void check_trace_head(const place *result);
void check_notes(const place *result);

/* What all packets come to. */
typedef struct check_packets {
    whole messages, memory_messages, bytes, packets, packet_hops;
    whole packet_bytes, header_bytes;
} check_packets;
void check_network(const place *result, check_packets *packets);
/* mean … max of some messages under these keys of object, or all null. */
typedef struct check_latencies {
    whole mean_ps, p50_ps, p95_ps, p99_ps, max_ps;
} check_latencies;
void check_latencies_of(const place *object, whole messages, check_latencies *latencies);
/* result's busiest_links, if it has them. */
void check_busiest_links(const place *result, const check_machine *machine,
                         const check_packets *packets);

/* The tables links.csv, groups.csv and routers.csv (of traffic). */
void check_link_tables(const place *result, const char *folder, const check_machine *machine,
                       const check_packets *packets);

/* One schema each. */
void check_replay(const place *result, const char *folder);
void check_traffic(const place *result, const char *folder);
void check_comparison(const place *result, const char *folder);
void check_placement(const place *result, const char *folder);
void check_topologies(const place *result, const char *folder);
void check_bisections(const place *result, const char *folder);
void check_trace_facts(const place *result, const char *folder);
void check_schedule(const place *result, const char *folder);

#endif
