/*
 * Building JSON objects with json-c. Only the api room includes json-c.
 *
 * Invariant: integers stay integers; a number that is not whole is written from exact decimal
 * arithmetic, so that equal results give equal bytes on every machine; the text is UTF-8. Once
 * memory ran out for anything there is no text, so writers need no check of their own: what is put
 * into an object NULL is lost.
 */
#ifndef ANAX_API_JSON_BUILD_H
#define ANAX_API_JSON_BUILD_H

#include "core/wide.h"

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

/* A new object; NULL when out of memory. */
struct json_object *json_begin(void);

/* Memory ran out for what is to be put into it: there will be no text. */
void json_give_up(struct json_object *container);

void json_put_text(struct json_object *object, const char *key, const char *text);
void json_put_bool(struct json_object *object, const char *key, bool value);
void json_put_int(struct json_object *object, const char *key, int64_t value);
void json_put_count(struct json_object *object, const char *key, uint64_t value);

/* A sum, of any size: JSON numbers have no largest one. */
void json_put_sum(struct json_object *object, const char *key, wide value);

void json_put_null(struct json_object *object, const char *key);

/* A hash or digest: 16 hexadecimal digits, since JSON numbers cannot hold it. */
void json_put_hash(struct json_object *object, const char *key, uint64_t value);

/* value / 10^6 as a decimal number. */
void json_put_millionths(struct json_object *object, const char *key, int64_t value);

/* numerator / denominator, rounded down to six decimals; null when the denominator is 0. */
void json_put_ratio(struct json_object *object, const char *key, wide numerator, wide denominator);

/* The same of a difference, rounded towards 0. */
void json_put_change(struct json_object *object, const char *key, int64_t difference,
                     uint64_t denominator);

/* A latency in ps of so many messages; null if there were none. */
void json_put_latency(struct json_object *object, const char *key, uint64_t messages,
                      int64_t latency_ps);

/* Wall times, for people: six decimals. */
void json_put_seconds(struct json_object *object, const char *key, double seconds);

/* New members of an object, owned by it. */
struct json_object *json_put_object(struct json_object *object, const char *key);
struct json_object *json_put_array(struct json_object *object, const char *key);

/* New object at the end of an array, owned by it. */
struct json_object *json_append_object(struct json_object *array);
void json_append_text(struct json_object *array, const char *text);
void json_append_count(struct json_object *array, uint64_t value);

/* The finished text, one key per line; frees the object. NULL when out of memory. */
char *json_finish(struct json_object *object);

#endif
