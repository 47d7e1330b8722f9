/*
 * Comparisons: every combination of machines and settings, replayed with several seeds. anax.h has
 * the rules for the whole interface.
 */
#ifndef ANAX_COMPARE_H
#define ANAX_COMPARE_H

#include <anax/config.h>
#include <anax/options.h>
#include <anax/sweep_part.h>
#include <anax/table.h>
#include <anax/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Running a comparison -------------------------------------------------------------------- */

/* A plan of comparisons. Every combination of machines and of the factors' values is a candidate,
 * replayed for every trace with each seed. The first combination is the baseline. */
typedef struct anax_compare_plan {
    size_t size; /* set by ANAX_COMPARE_PLAN_INIT */
    /* machine_count configurations, each with all settings of a machine. Machines must differ, and
     * so must their names (anax_config_machine). */
    const anax_config *const *machines;
    size_t machine_count; /* at least one */
    /* factor_count texts, each a setting and its values: "network.routing=minimal,par". NULL if
     * there are none. */
    const char *const *factors;
    size_t factor_count;
    const anax_trace *const *traces; /* at least one; each trace is a comparison of its own */
    size_t trace_count;
    const char *const *paths; /* paths that name the traces, all different; NULL: their own */
    uint64_t seeds; /* number of seeds, from the first machine's `seed` upwards; 1 … 1000 */
    const char *points_folder; /* keeps finished points for later runs; NULL: they are not kept */
    /* share of a time, such as "0.5%", from 0 to 1: smaller differences are called negligible;
     * NULL: 0.5% */
    const char *negligible;
} anax_compare_plan;

/* A plan without machines and traces, with one seed. */
#define ANAX_COMPARE_PLAN_INIT                                                                     \
    { sizeof(anax_compare_plan), NULL, 0, NULL, 0, NULL, 0, NULL, 1, NULL, NULL }

/* The points of a plan, and what follows from them. */
typedef struct anax_comparison anax_comparison;

/* Runs the points of a plan, at most a million, several at once. The traces must live as long as
 * the comparison. options: threads, points_at_once, progress, ascii_only; may be NULL.
 * ANAX_ERROR_USAGE: the plan has no machine or no trace, or a wrong number of seeds or points; two
 * machines are equal; two machines have the same name; two traces have the same path; a factor's
 * setting cannot vary; a value is not valid; there can be no folder of this name.
 * ANAX_ERROR_SYSTEM: the folder cannot be written. ANAX_ERROR_STOPPED: options.progress stopped the
 * run; finished points are kept. ANAX_ERROR_RUN: some points did not finish, their values do not
 * fit together, or a file that their settings name is missing or wrong. Exception: after
 * ANAX_ERROR_RUN there still is a *comparison, which the caller frees; these points have no time,
 * and their candidates no rank. */
ANAX_API anax_code anax_compare(anax_comparison **comparison, const anax_compare_plan *plan,
                                const anax_options *options, anax_error *error);

/* Frees a comparison; NULL is allowed. */
ANAX_API void anax_comparison_free(anax_comparison *comparison);

/* Runs one part of a plan, and keeps its points in plan.points_folder, which must not be NULL.
 * anax_compare with the same plan then finds them. options: threads, points_at_once, progress; may
 * be NULL. Points without a time are no error: part.failed counts them. ANAX_ERROR_USAGE: there is
 * no such part, or no folder. ANAX_ERROR_STOPPED: options.progress stopped the run; finished points
 * are kept. Other errors as for anax_compare. */
ANAX_API anax_code anax_compare_part(anax_sweep_part *part, const anax_compare_plan *plan,
                                     const anax_options *options, anax_error *error);

/* ---- Reading a comparison -------------------------------------------------------------------- */

/* Returns the number of points; *found (may be NULL) counts those found in the folder, *damaged
 * (may be NULL) those that were damaged there and were run again. */
ANAX_API size_t anax_comparison_point_count(size_t *found, size_t *damaged,
                                            const anax_comparison *comparison);

/* Returns the candidates by rank, with confidence intervals and differences to the baseline, for
 * people. The caller frees the text. */
ANAX_API char *anax_comparison_text(const anax_comparison *comparison);

/* Returns candidates and points for programs (schema anax.compare/2, see anax-json(5)). The caller
 * frees the text. */
ANAX_API char *anax_comparison_json(const anax_comparison *comparison);

/* Copies the table called compare.`name` in the list of tables. Examples of names are "candidates",
 * "points" and "winners". Candidates and points have a column for each factor, named after its
 * setting. ANAX_ERROR_USAGE: there is no table of that name; the text names the tables. */
ANAX_API anax_code anax_comparison_table(anax_table **table, const anax_comparison *comparison,
                                         const char *name, anax_error *error);

/* Writes candidates.csv and points.csv into the new folder `folder`. ANAX_ERROR_EXISTS: there is
 * something of that name. */
ANAX_API anax_code anax_comparison_write_tables(const anax_comparison *comparison,
                                                const char *folder, anax_error *error);

#ifdef __cplusplus
}
#endif

#endif
