/* How the texts for people are laid out: label at the left, value in one column. */
#ifndef ANAX_API_REPORT_LAYOUT_H
#define ANAX_API_REPORT_LAYOUT_H

#include "api/api.h"
#include "api/report/text_buffer.h"
#include "core/wide.h"

enum { REPORT_LABEL_WIDTH = 24 };

/* Starts a row: its label, then blanks up to the column of values. */
void report_row(struct text_buffer *text, size_t indent, const char *label);
void report_time_row(struct text_buffer *text, size_t indent, const char *label, int64_t time_ps);
double report_percent(wide part, wide whole); /* 0 of nothing */

/* What is not modelled, and what was assumed; replay: NULL if there was none. Notes that share a
 * reason share its line. Nothing is added if there are none. */
void report_notes_text(struct text_buffer *text, const struct program *program,
                       const struct replay_result *replay);

typedef enum report_settings {
    REPORT_ALL_SETTINGS,
    REPORT_NETWORK_SETTINGS,
    REPORT_OTHER_SETTINGS
} report_settings;

/* A paragraph that begins with the label: which settings are not what the machine or the defaults
 * say, "network.groups=5 (kim-72: 9), ..."; nothing if there are none. result: whose routing
 * policies are told elsewhere; NULL for none. */
void report_settings_text(struct text_buffer *text, const char *label, const anax_config *config,
                          anax_scope scope, report_settings which, const anax_result *result);

/* A paragraph on the settings mpi.* that go with the machine; nothing if there are none. */
void report_machine_mpi_text(struct text_buffer *text, const anax_config *config);

/* The name of the machine, with control characters made visible. */
void report_machine_name(struct text_buffer *text, const anax_config *config);

/* The common parts: the machine's line, and the paragraphs on network, links and simulation. */
void report_machine_text(struct text_buffer *text, const anax_config *config);
/* "routing NAME, " and what else was chosen about it. */
void report_routing_text(struct text_buffer *text, const anax_result *result);
/* Of several jobs, or one with background traffic; else nothing. */
void report_jobs_text(struct text_buffer *text, const anax_result *result);
void report_network_text(struct text_buffer *text, const struct network_totals *totals);
/* How often packets went into ofar's escape ring; nothing if they never did. */
void report_ring_text(struct text_buffer *text, const struct network_totals *totals);
void report_links_text(struct text_buffer *text, const anax_result *result, int64_t time_ps);
void report_simulation_text(struct text_buffer *text, const anax_result *result);

#endif
