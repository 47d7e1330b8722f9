/* Reading JSON objects that anax or others have written. Must not know what they mean. */
#ifndef ANAX_API_JSON_INPUT_H
#define ANAX_API_JSON_INPUT_H

#include "core/status.h"

#include <json-c/json_types.h>
#include <stddef.h>

enum { JSON_INPUT_MOST = 1 << 30 }; /* bytes of a text */

/* Parses a text into an object, which the caller releases with json_object_put. STATUS_INPUT: it is
 * no JSON object, or too long. */
status_code json_input_parse(struct json_object **object, const char *text, size_t length,
                             struct status *status);

/* Reads a file in the same way; errors begin with its path. */
status_code json_input_read(struct json_object **object, const char *path, struct status *status);

#endif
