/*
 * Two replay results side by side. anax.h includes this header.
 */
#ifndef ANAX_DIFF_H
#define ANAX_DIFF_H

#include <anax/anax.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What takes more or less time in the second of two results. */
typedef struct anax_diff anax_diff;

/* Reads two files with results of replays (what anax_result_json returns). ANAX_INPUT: a file is
 * missing, damaged, or no result of a replay that finished. */
ANAX_API anax_code anax_diff_results(anax_diff **diff, const char *first, const char *second,
                                     anax_error *error);

/* Does the same with results in memory (what anax_result_json returns). The names stand where a
 * diff of files has their paths. A text that is NULL is read from the file of its name. */
ANAX_API anax_code anax_diff_texts(anax_diff **diff, const char *first_name, const char *first_text,
                                   const char *second_name, const char *second_text,
                                   anax_error *error);
ANAX_API void anax_diff_free(anax_diff *diff);

/* Returns the predicted times, and times by cause, rank, MPI call, user region and kind of link:
 * the largest changes for people; and all for programs (schema anax.diff/1, see anax-json(5)). */
ANAX_API char *anax_diff_text(const anax_diff *diff);
ANAX_API char *anax_diff_json(const anax_diff *diff);

/* Returns a table of the diff as data: results or changes. ANAX_USAGE: there is no such table. */
ANAX_API anax_code anax_diff_table(anax_table **table, const anax_diff *diff, const char *name,
                                   anax_error *error);

#ifdef __cplusplus
}
#endif

#endif
