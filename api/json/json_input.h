/*
 * Reading JSON objects that anax or others have written. Must not know what they mean.
 *
 * Invariant: numbers of any size keep their value. An integer of 19 digits or more is of json-c's
 * type double.
 */
#ifndef ANAX_API_JSON_INPUT_H
#define ANAX_API_JSON_INPUT_H

#include "core/base/status.h"
#include "core/base/wide.h"

#include <json-c/json_types.h>
#include <stdbool.h>
#include <stddef.h>

enum {
    JSON_INPUT_MAX = 1 << 30, /* bytes of a text */
    JSON_INPUT_DIGITS = 31    /* of a whole number: below 2^103, so that sums of them fit a wide */
};

/* Parses a text into an object, which the caller releases with json_object_put. STATUS_INPUT: it is
 * no JSON object, or too long. */
status_code json_input_parse(struct json_object **object, const char *text, size_t length,
                             struct status *status);

/* Reads a file in the same way; errors begin with its path. */
status_code json_input_read(struct json_object **object, const char *path, struct status *status);

/* Reads a whole number of at least 0, exactly. Returns false if it is none, or has too many digits.
 */
bool json_input_whole(wide *value, struct json_object *number);

#endif
