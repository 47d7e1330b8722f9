/*
 * Building JSON objects with json-c. Only the api room includes json-c.
 *
 * Invariant: integers stay integers; a number that is not whole is written from exact decimal
 * arithmetic, so that equal results give equal bytes on every computer; the text is UTF-8. Once
 * memory has run out, json_finish returns NULL. Writers therefore need no checks: putting a value
 * into a NULL object does nothing.
 */
#ifndef ANAX_API_JSON_BUILD_H
#define ANAX_API_JSON_BUILD_H

#include "core/base/wide.h"

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

/* Creates an object; NULL: out of memory. */
struct json_object *json_begin(void);

/* Records that memory ran out for a value of `container`, so that json_finish returns NULL. */
void json_give_up(struct json_object *container);

/* Puts a text into an object. */
void json_put_text(struct json_object *object, const char *key, const char *text);
/* Puts true or false. */
void json_put_bool(struct json_object *object, const char *key, bool value);
/* Puts a number that may be negative. */
void json_put_int(struct json_object *object, const char *key, int64_t value);
/* Puts a number of 0 or more. */
void json_put_count(struct json_object *object, const char *key, uint64_t value);

/* Puts a sum of any size, as a number: JSON numbers have no upper limit. */
void json_put_sum(struct json_object *object, const char *key, wide value);
/* Puts a difference of sums, of any size and sign, as a number. */
void json_put_balance(struct json_object *object, const char *key, signed_wide value);

/* Puts null. */
void json_put_null(struct json_object *object, const char *key);

/* Puts a hash or digest as a text of 16 hexadecimal digits, because many readers of JSON numbers
 * lose digits. */
void json_put_hash(struct json_object *object, const char *key, uint64_t value);

/* Puts value / 10^6 as a decimal number. */
void json_put_millionths(struct json_object *object, const char *key, signed_wide value);

/* Puts a wall time in seconds with six decimals. */
void json_put_seconds(struct json_object *object, const char *key, double seconds);

/* Puts a new object into an object, which owns it, and returns it. */
struct json_object *json_put_object(struct json_object *object, const char *key);

/* Puts a new array into an object, which owns it, and returns it. */
struct json_object *json_put_array(struct json_object *object, const char *key);

/* Appends a new object to an array, which owns it, and returns it. */
struct json_object *json_append_object(struct json_object *array);
/* Appends a text to an array. */
void json_append_text(struct json_object *array, const char *text);
/* Appends a number to an array. */
void json_append_count(struct json_object *array, uint64_t value);

/* Returns the finished text, one key per line, and frees the object. The caller frees the text;
 * NULL: out of memory. */
char *json_finish(struct json_object *object);

#endif
