/* The tables of every kind of result. The row of a column documents the column. */
#ifndef ANAX_API_TABLES_H
#define ANAX_API_TABLES_H

#include "api/compare/candidate_set.h"
#include "api/table/table.h"

extern const struct table_schema tables_replay, tables_traffic, tables_compare, tables_place,
    tables_topology, tables_bisection, tables_rivals, tables_conjectures, tables_info,
    tables_search, tables_calibration, tables_extrapolation;

/* Returns the source of the rows of tables_replay. It borrows from the result. */
struct table_source tables_replay_source(const anax_replay_result *result);
/* Returns the source of the rows of tables_traffic. It borrows from the result. */
struct table_source tables_traffic_source(const anax_traffic_result *result);

/* tables_run.c: tables that several kinds of results share */
extern const struct table table_replay_result, table_traffic_result;
extern const struct table table_machine, table_configuration, table_settings_changed,
    table_mpi_of_machine, table_trace, table_not_modelled, table_assumed, table_simulation;
extern const struct table table_warnings, table_job_warnings, table_trace_warnings;

/* tables_path.c */
extern const struct table table_critical_path, table_path_parts, table_path_steps,
    table_path_channels, table_job_parts, table_sensitivity, table_efficiency,
    table_efficiency_regions, table_efficiency_iterations;

enum { TABLES_COLLECTIVE_BYTES = 48 };
/* tables_trace.c: writes the name of a collective: "ALLREDUCE", or "I:ALLREDUCE" for its
 * non-blocking form. */
void tables_collective_name(uint32_t kind, bool non_blocking, char name[TABLES_COLLECTIVE_BYTES]);

/* tables_files.c */
extern const struct table table_files, table_io_nodes;

/* tables_bisection.c: the lines of curves as a file */
extern const struct table table_bisection_file;
/* Returns the source of the rows of one bisection, which borrows from it. */
struct table_source tables_bisection_source(const anax_bisection *const *bisection);

/* tables_compare.c: the candidates of comparisons and searches, and of traffic */
extern const struct table table_factors, table_machines, table_machine_changes;
extern const struct table table_traffic_factors, table_traffic_machines,
    table_traffic_machine_changes;
/* Lists the values of a candidate's factors. The caller frees *values. */
status_code tables_values_of(const struct candidate_set *set, size_t candidate,
                             const char ***values, struct status *status);

/* tables_wiring.c */
extern const struct table table_wiring;

/* tables_floor.c */
extern const struct table table_floor, table_floor_cables;

/* tables_load.c */
extern const struct table table_group_pairs, table_group_channels, table_link_shares;

/* tables_network.c */
extern const struct table table_network, table_classes, table_traffic_classes,
    table_packets_by_hops, table_latency_bins, table_links, table_groups, table_busiest_links;
extern const struct table table_traffic_links, table_traffic_groups, table_traffic_busiest_links,
    table_routers;

/* A row of table_links and of table_busiest_links. */
struct tables_link_row {
    const char *kind;
    struct network_link link;
    int64_t utilisation;
};

/* tables_record.c */
extern const struct table table_rank_bins, table_state_bins, table_channel_bins, table_matrix;
extern const struct table table_traffic_channel_bins;

/* tables_watch.c */
extern const struct table table_link_flows, table_link_waits, table_longest_waits;
extern const struct table table_traffic_link_flows, table_traffic_link_waits,
    table_traffic_longest_waits;

/* Returns whether the result completed. */
bool tables_is_complete(const struct table_source *source);
/* Returns whether the result is of traffic with a single point, whose network is kept. */
bool tables_is_single_point(const struct table_source *source);
extern const struct table_condition tables_completed, tables_single_point;

struct tables_settings_row {
    int64_t machine; /* number of a machine in a list */
    const char *name;
    const char *value;
    const char *initial;
    const char *from;
};
#define TABLES_SETTINGS_COLUMNS                                                                    \
    TABLE_NAME(tables_settings_row, name, "name", "name of the setting"),                          \
        TABLE_COLUMN(tables_settings_row, value, "value", "", "its value"),                        \
        TABLE_COLUMN(tables_settings_row, initial, "default", "", "the value that it would have"), \
        TABLE_NAME(tables_settings_row, from, "from",                                              \
                   "where the default comes from: `machine` for network.* of a named machine, "    \
                   "else `defaults`")
/* Adds a row for each setting that a configuration has changed. If the run has several routing
 * policies, the row of network.routing lists them; run is NULL if there is none. row: gives the
 * machine's number. */
status_code tables_add_changes(const anax_config *config, anax_scope scope,
                               const struct api_run *run, struct tables_settings_row row,
                               const struct table_sink *sink, struct status *status);

/* Name, shape and policies of a machine. */
struct tables_machine_row {
    int64_t machine;
    const char *name;
    int64_t changed, nodes, groups, routers, nodes_per_router, routers_per_group,
        globals_per_router, rails, nics_per_node, routers_per_node, injection_bytes_per_s;
    const char *arrangement, *group_dimensions, *group_links;
    char text[2][64]; /* texts of group_dimensions and group_links */
};
#define TABLES_MACHINE_COLUMNS(row, member)                                                        \
    TABLE_COLUMN(row, member name, "name", "",                                                     \
                 "name of the machine, with `, changed` if settings have made it another one; "    \
                 "`custom` without a machine"),                                                    \
        TABLE_FLAG(row, member changed, "changed",                                                 \
                   "whether a setting of the network, other than network.routing and "             \
                   "network.misrouting, is not the one of the machine of that name"),              \
        TABLE_COLUMN(row, member nodes, "nodes", "", "nodes"),                                     \
        TABLE_COLUMN(row, member groups, "groups", "", "groups"),                                  \
        TABLE_COLUMN(row, member routers, "routers", "",                                           \
                     "routers of all rails, failed ones included"),                                \
        TABLE_COLUMN(row, member nodes_per_router, "nodes_per_router", "",                         \
                     "NICs of a router: its nodes, if each has one NIC"),                          \
        TABLE_COLUMN(row, member routers_per_group, "routers_per_group", "",                       \
                     "routers of a group and a rail"),                                             \
        TABLE_COLUMN(row, member group_dimensions, "group_dimensions", "",                         \
                     "routers of a group in each dimension, as 16x6; null in groups of one "       \
                     "dimension"),                                                                 \
        TABLE_COLUMN(row, member group_links, "group_links", "",                                   \
                     "parallel links between two routers in each dimension, as 1x3; null in "      \
                     "groups that are completely connected by single links"),                      \
        TABLE_COLUMN(row, member globals_per_router, "globals_per_router", "",                     \
                     "ports of a router for global links"),                                        \
        TABLE_NAME(row, member arrangement, "arrangement", "arrangement of the global links"),     \
        TABLE_COLUMN(row, member rails, "rails", "", "rails"),                                     \
        TABLE_COLUMN(row, member nics_per_node, "nics_per_node", "",                               \
                     "NICs of a node in each rail"),                                               \
        TABLE_COLUMN(row, member routers_per_node, "routers_per_node", "",                         \
                     "routers of a rail that the NICs of a node are on"),                          \
        TABLE_COLUMN(row, member injection_bytes_per_s, "injection_bytes_per_s", "bytes/s",        \
                     "bandwidth of the channels of a node's NICs together, in each direction")
/* Fills a row with the configuration's machine. name: of the machine, which the row borrows. */
void tables_fill_machine(struct tables_machine_row *row, const anax_config *config,
                         const char *name);

#endif
