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
void check_result(struct check *check, const char *text, size_t size, const char *folder);

/* ------------------------------------------------------------------- for the checker's own parts
 */

/* Settings of the result's configuration, in base units; 0 and a report where there is none. */
whole config_size(const struct place *result, const char *name);
whole config_time(const struct place *result, const char *name);
whole config_bandwidth(const struct place *result, const char *name);
whole config_ratio(const struct place *result, const char *name);
whole config_count(const struct place *result, const char *name);
/* Whether network interfaces acknowledge packets, without which nothing holds them back. */
bool config_acknowledges(const struct place *result);
/* "" where there is none. */
const char *config_text(const struct place *result, const char *name);

/* The machine of a replay, traffic or placement. */
struct check_machine {
    whole nodes, groups, routers, rails;
    whole nics; /* of a node in each rail */
    whole nodes_per_router, routers_per_group;
    bool fails; /* some of it may have failed */
};
void check_machine_of(const struct place *result, struct check_machine *machine);

/* The nodes of a machine's row, and their NICs: each router of a rail has so many NICs. */
void check_machine_nodes(const struct place *machine);

/* The trace of a replay or a placement. */
void check_trace_head(const struct place *result);
/* The notes on what is left out and assumed. */
void check_notes(const struct place *result);

/* The machine's own settings of MPI: the run has them, or settings_changed has another value. */
void check_mpi_of_machine(const struct place *result);

/* What all packets come to. */
struct check_packets {
    whole messages, memory_messages, bytes, packets, packet_hops;
    whole responses, response_hops, response_bytes; /* acknowledgements that are packets */
    whole packet_bytes;                             /* largest payload */
    whole header_bytes;                             /* of every packet */
    whole min_bytes, max_bytes; /* on a channel: of an empty packet, of a full one */
    bool rounded;               /* packets have cells or whole flits */
};
/* Bytes of a packet with so much payload on a channel. */
whole check_packet_bytes(const struct place *result, whole payload);
/* What framing leaves of the bandwidth of channels `terminal`, `local` or `global`. */
whole check_bandwidth_of(const struct place *result, const char *kind);
/* Whether local channels have other bandwidths, too. Then `local` has the largest of them. */
bool check_unequal_locals(const struct place *result);
/* The totals of the network, and those of its packets, which this sets. */
void check_network(const struct place *result, struct check_packets *packets);
/* mean … max of some messages under these keys of object, or all null. */
struct check_latencies {
    whole mean_ps, p50_ps, p95_ps, p99_ps, max_ps;
};
void check_latencies_of(const struct place *object, whole messages,
                        struct check_latencies *latencies);
/* result's busiest_links, if it has them. */
void check_busiest_links(const struct place *result, const struct check_machine *machine,
                         const struct check_packets *packets);

/* The tables links.csv, groups.csv and routers.csv (of traffic). */
void check_link_tables(const struct place *result, const char *folder,
                       const struct check_machine *machine, const struct check_packets *packets);

/* The tables of time bins, if the result has them. */
void check_history(const struct place *result, const char *folder);
/* The communication matrix, if the result has it. */
void check_matrix(const struct place *result, const char *folder,
                  const struct check_packets *packets);
/* How the load of a replay divides over groups, links and latencies; folder may be NULL. */
void check_divided_load(const struct place *result, const struct check_machine *machine,
                        const struct check_packets *packets, const char *folder);

/* The functions below check results of one schema each, with the tables in folder (may be NULL). */
void check_replay(const struct place *result, const char *folder);
void check_traffic(const struct place *result, const char *folder);
void check_search(const struct place *result, const char *folder);
void check_comparison(const struct place *result, const char *folder);
void check_placement(const struct place *result, const char *folder);
void check_topologies(const struct place *result, const char *folder);
void check_bisections(const struct place *result, const char *folder);
void check_trace_facts(const struct place *result, const char *folder);
void check_schedule(const struct place *result, const char *folder);
void check_calibration(const struct place *result, const char *folder);

#endif
