/*
 * Results of replays (anax/replay.h) and of synthetic traffic (anax/traffic.h). anax.h has the
 * rules for the whole interface.
 */
#ifndef ANAX_RESULT_H
#define ANAX_RESULT_H

#include <anax/options.h>
#include <anax/table.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- State of a run -------------------------------------------------------------------------- */

/* The result of a replay or of traffic, also of one that could not finish. */
typedef struct anax_result anax_result;

/* Frees a result; NULL is allowed. */
ANAX_API void anax_result_free(anax_result *result);

/* Returns false if the run could not finish. */
ANAX_API bool anax_result_completed(const anax_result *result);

/* Returns the digest, which is equal for equal runs on any machine and with any number of threads;
 * 0 if the run did not finish. */
ANAX_API uint64_t anax_result_digest(const anax_result *result);

/* Sets *time_ps to the time when the last rank ends, in ps from the start of the replay.
 * ANAX_USAGE: the result is of traffic, or the replay did not finish; *time_ps is then 0. */
ANAX_API anax_code anax_result_time_ps(const anax_result *result, int64_t *time_ps,
                                       anax_error *error);

/* Returns the number of points of traffic, 0 for replays; *found (may be NULL) counts those found
 * in the folder of the plan, *damaged (may be NULL) those that were damaged there and were run
 * again. */
ANAX_API size_t anax_result_points(const anax_result *result, size_t *found, size_t *damaged);

/* ---- Texts and tables ------------------------------------------------------------------------ */

/* Returns the whole result for people. ascii: only ASCII ("+-" for a plus-minus sign), except in
 * names. The caller frees the text. */
ANAX_API char *anax_result_text(const anax_result *result, bool ascii);

/* Returns the whole result for programs (schema anax.replay/2 or anax.traffic/2, see anax-json(5)).
 * The caller frees the text. */
ANAX_API char *anax_result_json(const anax_result *result);

/* Returns the warnings of anax_trace_warnings for all traces of a replay, one per line; "" if there
 * are none. The caller frees the text. */
ANAX_API char *anax_result_warnings(const anax_result *result);

/* Copies one table of the result. ANAX_USAGE: the result has no table of that name; the text names
 * its tables. */
ANAX_API anax_code anax_result_table(anax_table **table, const anax_result *result,
                                     const char *name, anax_error *error);

/* Writes the tables that have a file (anax_list("tables") names them) as CSV into the new folder
 * `folder`: one header line, units in the column names. ANAX_USAGE: the run did not finish. */
ANAX_API anax_code anax_result_write_tables(const anax_result *result, const char *folder,
                                            anax_error *error);

/* ---- Timelines of replays -------------------------------------------------------------------- */

/* Writes the predicted run as an OTF2 archive into the new folder `folder`. ANAX_USAGE: the result
 * is of traffic, the run did not finish, or anax_options.timeline was not set for it. */
ANAX_API anax_code anax_result_write_timeline(const anax_result *result, const char *folder,
                                              anax_error *error);

/* Writes the predicted run as a trace for the Perfetto viewer (ui.perfetto.dev): calls, user
 * regions, computation and messages of `count` ranks from rank `first` on. count 0: up to 256
 * ranks; viewers do not show thousands well. options: replace; may be NULL. ANAX_USAGE: as of
 * anax_result_write_timeline, the file exists, or there are not so many ranks. */
ANAX_API anax_code anax_result_write_perfetto(const anax_result *result, const char *path,
                                              uint32_t first, uint32_t count,
                                              const anax_options *options, anax_error *error);

#ifdef __cplusplus
}
#endif

#endif
