/*
 * Results as texts and tables. The writers of this header's functions read results and change
 * nothing; they know every room's results, and no command line.
 */
#ifndef ANAX_API_REPORT_H
#define ANAX_API_REPORT_H

#include "api/api.h"

#include <stdio.h>

/* All give NULL when out of memory. */
char *report_replay_text(const anax_result *result);
char *report_replay_json(const anax_result *result);
char *report_traffic_text(const anax_result *result);
char *report_traffic_json(const anax_result *result);

/* The table of jobs. */
void report_write_jobs(const anax_result *result, FILE *file);
/* Tables of traffic, each into a file of the folder; the last two of a single point. */
void report_write_points(const anax_result *result, FILE *file);
void report_write_latencies(const anax_result *result, FILE *file);
status_code report_write_routers(const anax_result *result, FILE *file, struct status *status);

status_code report_write_tables(const anax_result *result, const char *folder,
                                struct status *status);

/* The misrouting policy that a routing policy uses, "none" for those that have no use for one. */
const char *report_misrouting(const anax_result *result, int32_t routing);

/* Shared by the JSON of replay, traffic and placements. */
struct json_object;
void report_json_jobs(struct json_object *object, const anax_result *result);
void report_json_machine(struct json_object *object, const anax_config *config);
/* How a group's routers are connected, unless completely by single links. */
void report_json_group(struct json_object *object, const struct network_config *network);
/* configuration and settings_changed. result: of which routing policies to list, NULL for the
 * configuration's. */
void report_json_configuration(struct json_object *object, const anax_config *config,
                               anax_scope scope, const anax_result *result);
/* settings_changed alone. */
void report_settings_json(struct json_object *object, const anax_config *config, anax_scope scope,
                          const anax_result *result);
/* The routing policy, or the misrouting policy that goes with it; of several ones, a list. */
void report_json_policies(struct json_object *object, const char *key, const anax_result *result,
                          bool misrouting);
/* name and changed: what the machine is called, and whether it is another one than that. */
void report_json_machine_name(struct json_object *object, const anax_config *config);
void report_json_trace(struct json_object *object, const struct program *program);
/* not_modelled and assumed; replay: NULL if there was none. */
void report_notes_json(struct json_object *object, const struct program *program,
                       const struct replay_result *replay);
void report_json_head(struct json_object *object, const anax_result *result, const char *schema);
void report_json_network(struct json_object *object, const struct network_totals *totals);
void report_json_simulation(struct json_object *object, const anax_result *result);
void report_json_links(struct json_object *object, const anax_result *result);

#endif
