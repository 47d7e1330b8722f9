/*
 * Bisection bandwidth of machines. anax.h has the rules for the whole interface.
 */
#ifndef ANAX_BISECTION_H
#define ANAX_BISECTION_H

#include <anax/config.h>
#include <anax/options.h>
#include <anax/table.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A plan of a bisection. */
typedef struct anax_bisection_plan {
    size_t size;               /* set by ANAX_BISECTION_PLAN_INIT */
    const anax_config *config; /* the machine */
    /* Seconds of wall time that the proof may take. A proof that ends early leaves the bounds that
     * it has found. 0: an hour, and no proof for machines of more than 128 routers. Machines of
     * more than 512 routers are never proven. */
    uint64_t time_limit_s;
} anax_bisection_plan;

/* A plan without a machine, with the default limit of time. */
#define ANAX_BISECTION_PLAN_INIT                                                                   \
    { sizeof(anax_bisection_plan), NULL, 0 }

/* The bisection bandwidth of a machine as a function of alpha, the bandwidth of a global link over
 * that of a local link: the least local_links + alpha·global_links of all cuts into halves. It is
 * in units of a local link's bandwidth; anax-bisection(1) says what the unit is if local links
 * differ. */
typedef struct anax_bisection anax_bisection;

/* Computes the bisection bandwidth of the machine of a plan, and tries to prove it. options:
 * threads, progress; may be NULL. ANAX_ERROR_USAGE: the plan has no configuration, settings that do
 * not fit together, fewer than two routers, failed routers, failures and several rails, or local
 * links whose largest bandwidth is more than 10,000 times the largest common divisor of all.
 * ANAX_ERROR_INPUT: a file that a setting names is missing or wrong (links, failures).
 * ANAX_ERROR_STOPPED: options.progress stopped it. */
ANAX_API anax_code anax_bisection_new(anax_bisection **bisection, const anax_bisection_plan *plan,
                                      const anax_options *options, anax_error *error);

/* Frees a bisection; NULL is allowed. */
ANAX_API void anax_bisection_free(anax_bisection *bisection);

/* Returns whether the whole curve is proven; otherwise its lines are upper bounds. */
ANAX_API bool anax_bisection_proven(const anax_bisection *bisection);

/* Returns count bisections, at least one, one after the other for people. The caller frees the
 * text. */
ANAX_API char *anax_bisection_text(const anax_bisection *const *bisections, size_t count);

/* Returns count bisections, at least one, for programs (schema anax.bisection/2, see
 * anax-json(5)). The caller frees the text. */
ANAX_API char *anax_bisection_json(const anax_bisection *const *bisections, size_t count);

/* Returns count bisections, at least one, as a picture (SVG) with one curve each, named after its
 * arrangement. If the machines differ in shape (routers of a group, global ports of a router or
 * groups), the names of the curves have the shapes, too. The caller frees the text. */
ANAX_API char *anax_bisection_svg(const anax_bisection *const *bisections, size_t count);

/* Copies the table called bisection.`name` in the list of tables. Examples of names are "lines" and
 * "points". It is of one bisection, because its rows do not say which machine they are about;
 * anax_bisection_write_curves has several side by side. ANAX_ERROR_USAGE: there is no table of that
 * name; the text names the tables. */
ANAX_API anax_code anax_bisection_table(anax_table **table, const anax_bisection *bisection,
                                        const char *name, anax_error *error);

/* Writes the table `curves` of count bisections, at least one, as CSV into one file: one header
 * line, units in the column names. options: replace; may be NULL. Errors as for anax_text_write. */
ANAX_API anax_code anax_bisection_write_curves(const anax_bisection *const *bisections,
                                               size_t count, const char *path,
                                               const anax_options *options, anax_error *error);

#ifdef __cplusplus
}
#endif

#endif
