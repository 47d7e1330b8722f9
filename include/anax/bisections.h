/*
 * Bisection bandwidth. anax.h includes this header.
 */
#ifndef ANAX_BISECTIONS_H
#define ANAX_BISECTIONS_H

#include <anax/anax.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The bisection bandwidth of a machine as a function of alpha, the bandwidth of a global link over
 * that of a local link: the least local_links + alpha·global_links of all cuts into halves. */
typedef struct anax_bisection anax_bisection;

/* Computes the bisection bandwidth of the configured machine, which may take up to time_limit_s
 * seconds: then the proof ends, with the bounds that it has found. 0: an hour, and no proof for
 * machines of more than 128 routers. Machines of more than 512 routers are never proven.
 * ANAX_USAGE: settings that do not fit together, fewer than two routers, or failed routers.
 * ANAX_RUN: options.progress stopped it. */
ANAX_API anax_code anax_bisection_new(anax_bisection **bisection, const anax_config *config,
                                      uint32_t time_limit_s, const anax_options *options,
                                      anax_error *error);
ANAX_API void anax_bisection_free(anax_bisection *bisection);

/* Returns whether the whole curve is proven; otherwise its lines are upper bounds. */
ANAX_API bool anax_bisection_proven(const anax_bisection *bisection);

/* Returns several bisections one after the other for people; for programs (schema anax.bisection/1,
 * see anax-json(5)); as CSV with one header line; and as a picture (SVG) with one curve each, for
 * machines of equal size. count is at least 1. */
ANAX_API char *anax_bisection_text(const anax_bisection *const *list, size_t count);
ANAX_API char *anax_bisection_json(const anax_bisection *const *list, size_t count);
ANAX_API char *anax_bisection_csv(const anax_bisection *const *list, size_t count);
ANAX_API char *anax_bisection_svg(const anax_bisection *const *list, size_t count);

/* Copies one table of a bisection, as anax_result_table does. */
ANAX_API anax_code anax_bisection_table(anax_table **table, const anax_bisection *bisection,
                                        const char *name, anax_error *error);

#ifdef __cplusplus
}
#endif

#endif
