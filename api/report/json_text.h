/*
 * JSON values -> text. json-c's own way leaves out what memory is too short for, and says nothing;
 * and its texts change with its versions. Must not know what is written.
 */
#ifndef ANAX_API_JSON_TEXT_H
#define ANAX_API_JSON_TEXT_H

#include <json-c/json.h>

/* One member or element per line, indented by two spaces for each level; numbers that are not whole
 * as they were given to json_object_new_double_s. To be freed; NULL when out of memory. */
char *json_text_of(struct json_object *value);

#endif
