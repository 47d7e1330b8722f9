/*
 * Extrapolation: the program of an application on a number of ranks that was not recorded, usually
 * a larger one. anax.h has the rules for the whole interface.
 */
#ifndef ANAX_EXTRAPOLATE_H
#define ANAX_EXTRAPOLATE_H

#include <anax/config.h>
#include <anax/options.h>
#include <anax/table.h>
#include <anax/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A program on another number of ranks, and the rules and laws by which it follows from a series.
 */
typedef struct anax_extrapolation anax_extrapolation;

/* A plan of an extrapolation. */
typedef struct anax_extrapolate_plan {
    size_t size; /* set by ANAX_EXTRAPOLATE_PLAN_INIT */
    /* The settings extrapolate.* (anax-settings(5)): extrapolate.ranks, how many ranks the new
     * program has, must be set */
    const anax_config *config;
    /* trace_count traces, three or more, of one application on different numbers of ranks, in any
     * order; the library reads them during the call only */
    const anax_trace *const *traces;
    size_t trace_count;
} anax_extrapolate_plan;

/* A plan without settings and without traces. */
#define ANAX_EXTRAPOLATE_PLAN_INIT                                                                 \
    { sizeof(anax_extrapolate_plan), NULL, NULL, 0 }

/* Makes the program of a plan. options: threads, progress; may be NULL. progress is called before
 * each attempt to find rules, and before the new program is made. ANAX_ERROR_STOPPED:
 * options.progress stopped the extrapolation. ANAX_ERROR_INPUT: the traces are of different
 * applications, do not scale as extrapolate.scaling tells, or something in them follows no rule;
 * the text says where. ANAX_ERROR_USAGE: the plan has no configuration, fewer than three traces, or
 * settings that do not fit together. */
ANAX_API anax_code anax_extrapolate(anax_extrapolation **extrapolation,
                                    const anax_extrapolate_plan *plan, const anax_options *options,
                                    anax_error *error);

/* Frees an extrapolation with its trace; NULL is allowed. */
ANAX_API void anax_extrapolation_free(anax_extrapolation *extrapolation);

/* Returns the new program as a trace. It lives as long as the extrapolation; the caller does not
 * free it, and frees its results first. */
ANAX_API const anax_trace *anax_extrapolation_trace(const anax_extrapolation *extrapolation);

/* Returns the findings that are uncertain, one warning per line; "" if there are none. The caller
 * frees the text. */
ANAX_API char *anax_extrapolation_warnings(const anax_extrapolation *extrapolation);

/* Returns the rules and laws that were found, for people. The caller frees the text. */
ANAX_API char *anax_extrapolation_text(const anax_extrapolation *extrapolation);

/* Returns the same for programs (schema anax.extrapolation/1, see anax-json(5)). The caller frees
 * the text. */
ANAX_API char *anax_extrapolation_json(const anax_extrapolation *extrapolation);

/* Copies the table called extrapolation.`name` in the list of tables. Examples of names are
 * "series" and "findings". ANAX_ERROR_USAGE: there is no table of that name; the text names the
 * tables. */
ANAX_API anax_code anax_extrapolation_table(anax_table **table,
                                            const anax_extrapolation *extrapolation,
                                            const char *name, anax_error *error);

#ifdef __cplusplus
}
#endif

#endif
