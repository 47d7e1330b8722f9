/*
 * The predicted run for the Perfetto viewer. anax.h includes this header.
 */
#ifndef ANAX_PERFETTO_H
#define ANAX_PERFETTO_H

#include <anax/anax.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes the predicted run as a trace for the Perfetto viewer (ui.perfetto.dev): calls, user
 * regions, computation and messages of `count` ranks from rank `first` on. count 0: up to 256
 * ranks; viewers do not show thousands well. ANAX_USAGE: the result is of traffic, the run did not
 * finish, or options.timeline was not set for it; the file exists, and `options` do not allow to
 * replace it; or there are not so many ranks. */
ANAX_API anax_code anax_result_write_perfetto(const anax_result *result, const char *path,
                                              uint32_t first, uint32_t count,
                                              const anax_options *options, anax_error *error);

#ifdef __cplusplus
}
#endif

#endif
