/*
 * Two replay results side by side. anax.h has the rules for the whole interface.
 */
#ifndef ANAX_DIFF_H
#define ANAX_DIFF_H

#include <anax/common.h>
#include <anax/table.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What takes more or less time in the second of two results. */
typedef struct anax_diff anax_diff;

/* Compares two results of replays in files, whose content is what anax_replay_result_json returns.
 * first and second are their paths. ANAX_ERROR_INPUT: a file is missing, damaged, larger than 1
 * GiB, or no result of a replay that finished. */
ANAX_API anax_code anax_diff_files(anax_diff **diff, const char *first, const char *second,
                                   anax_error *error);

/* Compares two results of replays in memory (what anax_replay_result_json returns). The names take
 * the place of the paths in the diff. A text may be NULL: that result is then read from the file of
 * its name. Errors as for anax_diff_files. */
ANAX_API anax_code anax_diff_texts(anax_diff **diff, const char *first_name, const char *first_text,
                                   const char *second_name, const char *second_text,
                                   anax_error *error);

/* Frees a diff; NULL is allowed. */
ANAX_API void anax_diff_free(anax_diff *diff);

/* Returns the predicted times, and the largest changes of times by cause, rank, MPI call, user
 * region and kind of link, for people. The caller frees the text. */
ANAX_API char *anax_diff_text(const anax_diff *diff);

/* Returns all changes for programs (schema anax.diff/1, see anax-json(5)). The caller frees the
 * text. */
ANAX_API char *anax_diff_json(const anax_diff *diff);

/* Copies the table called diff.`name` in the list of tables. Examples of names are "results" and
 * "changes". ANAX_ERROR_USAGE: there is no table of that name; the text names the tables. */
ANAX_API anax_code anax_diff_table(anax_table **table, const anax_diff *diff, const char *name,
                                   anax_error *error);

#ifdef __cplusplus
}
#endif

#endif
