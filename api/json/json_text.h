/*
 * Writes JSON values as text. json-c's own writer leaves out values without an error when memory
 * runs out, and its format changes with its versions. Must not know what the values mean.
 */
#ifndef ANAX_API_JSON_TEXT_H
#define ANAX_API_JSON_TEXT_H

#include <json-c/json.h>

/* Returns a value as text with one member or element per line, indented by two spaces for each
 * level. Numbers that are not whole appear as they were given to json_object_new_double_s. The
 * caller frees the text; NULL: out of memory. */
char *json_text_of(struct json_object *value);

#endif
