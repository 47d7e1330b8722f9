/* The layout of texts for people: labels at the left, values in one column. */
#ifndef ANAX_API_REPORT_LAYOUT_H
#define ANAX_API_REPORT_LAYOUT_H

#include "api/api.h"
#include "api/results/percent.h"
#include "api/text/text_buffer.h"
#include "core/base/wide.h"

enum { REPORT_LABEL_WIDTH = 24 };

/* Starts a row: adds its label, then blanks up to the column of values. */
void report_row(struct text_buffer *text, size_t indent, const char *label);
/* Adds a whole row: a label, and a time with the unit that fits it. */
void report_time_row(struct text_buffer *text, size_t indent, const char *label, int64_t time_ps);

/* Adds the lists of what is not modelled and what was assumed. replay: NULL if there was no replay,
 * and then free_accesses is the number of accesses to files that a replay would leave out. Notes
 * with the same reason share a line. Adds nothing if there are no notes. */
void report_notes_text(struct text_buffer *text, const struct program *program,
                       uint64_t free_accesses, const struct replay_result *replay);

/* Adds the reads and writes of files in a trace; nothing if there are none. */
void report_files_text(struct text_buffer *text, const struct program *program,
                       const struct program_totals *totals);
/* Adds the I/O nodes of a replay; nothing if there are none. */
void report_io_nodes_text(struct text_buffer *text, const struct replay_result *replay);

/* Adds the times of user regions, the longest first. jobs: those that they belong to; NULL: there
 * is one job. count is at least 1. */
struct region_time;
void report_regions_text(struct text_buffer *text, const struct region_time *regions,
                         uint32_t count, const struct api_job_result *jobs);

typedef enum report_settings {
    REPORT_ALL_SETTINGS,
    REPORT_NETWORK_SETTINGS,
    REPORT_OTHER_SETTINGS
} report_settings;

/* Adds a paragraph that begins with the label and lists the settings that differ from the
 * machine or the defaults: "network.groups=5 (kim-72: 9), ..."; adds nothing if there are none.
 * run: if it has several routing policies, the text names them elsewhere and this leaves them out;
 * NULL: there is no run. */
void report_settings_text(struct text_buffer *text, const char *label, const anax_config *config,
                          anax_scope scope, report_settings which, const struct api_run *run);

/* Adds a paragraph on the settings mpi.* that the machine's file sets; nothing if it sets none. */
void report_machine_mpi_text(struct text_buffer *text, const anax_config *config);

/* Adds the name of the machine, with control characters made visible. */
void report_machine_name(struct text_buffer *text, const anax_config *config);

/* Adds the line about the machine: its name, nodes, groups and routers. */
void report_machine_text(struct text_buffer *text, const anax_config *config);
/* Adds a line on the routers and links that have failed, by list or at random; nothing if the
 * settings ask for none. The configuration has been checked. */
void report_failures_text(struct text_buffer *text, const anax_config *config);
/* Adds "placement NAME, 4 ranks per node, seed 1". */
void report_placement_text(struct text_buffer *text, const anax_config *config, int32_t policy);
/* Adds "routing NAME, " and the other choices of routing. */
void report_routing_text(struct text_buffer *text, const anax_config *config);
/* Adds a paragraph on jobs if there are several, or background traffic; otherwise nothing. */
void report_jobs_text(struct text_buffer *text, const anax_replay_result *result);
/* Adds the paragraph on the network: messages, their latencies, and packets. */
void report_network_text(struct text_buffer *text, const struct network_totals *totals);
/* Adds how often packets entered ofar's escape ring; nothing if they never did. */
void report_ring_text(struct text_buffer *text, const struct network_totals *totals);
/* Adds the busiest links, with the columns of their table that have a heading; nothing if there are
 * none. */
void report_links_text(struct text_buffer *text, const anax_replay_result *result);
/* Adds the flows that load the watched links most; nothing if no links are watched. */
void report_flows_text(struct text_buffer *text, const anax_replay_result *result);
/* Adds the critical path and the efficiencies; nothing if the replay does not explain its time. */
void report_path_text(struct text_buffer *text, const anax_replay_result *result);
/* Adds what the simulation took, and the digest. all_simulated: false if the run found some of its
 * results in a folder, so that its events per second mean nothing. */
void report_simulation_text(struct text_buffer *text, const struct api_run *run,
                            bool all_simulated);

#endif
