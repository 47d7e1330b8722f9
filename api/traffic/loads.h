/* Lists of offered loads, from text. Knows units only. */
#ifndef ANAX_API_LOADS_H
#define ANAX_API_LOADS_H

#include "core/base/status.h"

#include <stddef.h>
#include <stdint.h>

/* Reads a list of loads, such as "0.1", "0.1,0.2" or "first:last:step" (last included). Commas
 * separate loads and ranges. Each load is more than 0 and at most 1, and occurs once. The caller
 * frees *loads_millionths. STATUS_USAGE: the text is wrong. */
status_code loads_parse(const char *text, int64_t **loads_millionths, size_t *count,
                        struct status *status);

#endif
