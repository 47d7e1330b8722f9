/*
 * Reading a result that was parsed from JSON, and writing its values for people. A member that is
 * not there, or has another type, is a number that is not a number, an empty text, or an empty
 * list, so that a page can be drawn of any JSON.
 */
#ifndef ANAX_API_PAGE_VALUES_H
#define ANAX_API_PAGE_VALUES_H

#include "api/text/text_buffer.h"

#include <json-c/json_types.h>
#include <stdbool.h>
#include <stddef.h>

enum { VALUES_TEXT = 40 };

/* Returns a member that is an object; NULL: there is none. `object` may be NULL, as in all
 * functions of this header. */
struct json_object *page_value_object(struct json_object *object, const char *key);
/* Returns a member that is an array; NULL: there is none. */
struct json_object *page_value_list(struct json_object *object, const char *key);
/* Returns the number of items of an array; 0 for NULL. */
size_t page_value_count(struct json_object *list);
/* Returns an item of an array, counted from 0; NULL: there is none. */
struct json_object *page_value_at(struct json_object *list, size_t index);

/* Returns a member that is a number; NAN: there is none. */
double page_value_number(struct json_object *object, const char *key);
/* Returns a member that is a text; "" if there is none. Valid as long as the object. */
const char *page_value_text(struct json_object *object, const char *key);
/* Returns a member that is true or false; false if there is none. */
bool page_value_truth(struct json_object *object, const char *key);
/* Returns whether a member is there and not null. */
bool page_value_has(struct json_object *object, const char *key);

/* Returns a number as a size from 0 to max; 0 if it is none. */
size_t page_value_size(struct json_object *object, const char *key, size_t max);

/* Adds the names of the first `max` machines in the result's list of machines, and how many more
 * there are. */
void page_value_machine_names(struct text_buffer *text, struct json_object *result, size_t max);

/* Writes "rank 3" into a text of VALUES_TEXT bytes and returns it. Numbers after those of the
 * result's ranks are I/O nodes: "I/O node 71". */
char *page_value_rank_name(char *text, struct json_object *result, double rank);

/* Writes the same without the word "rank": "3". */
char *page_value_rank_number(char *text, struct json_object *result, double rank);

/* The next functions write a number into a text of VALUES_TEXT bytes and return it; they write
 * "none" if it is no number. This one writes a time with the unit that fits it: "1.5 us". */
char *page_value_time(char *text, double time_ps);
/* Writes a size with the unit that fits it: "1.5 KiB". */
char *page_value_bytes(char *text, double bytes);
/* Writes a share of 1 in percent, with one decimal: "12.5 %". */
char *page_value_percent(char *text, double share);
/* Writes a change with its sign and one decimal, or its first digit if it is smaller: "+1.2 %",
 * "-0.004 %". */
char *page_value_change(char *text, double share);
/* Writes a number without decimals. */
char *page_value_count_text(char *text, double count);
/* Writes dollars: "$1,234,567". */
char *page_value_dollars(char *text, double dollars);

/* Returns the time, in ps, that the busy shares of links refer to. */
double page_value_links_span(struct json_object *result);

/* Returns the ending of a noun with a number before it: "" after 1, else "s". */
const char *page_value_plural(double count);

/* Returns the number of dollars of the unit in which costs up to `max` are best drawn, and sets
 * *name to the name of the unit. */
double page_value_dollar_unit(double max, const char **name);

/* Returns the name of the unit in which times up to max_ps are best written ("ms"), and sets
 * *unit_ps to its length. */
const char *page_value_unit(double max_ps, double *unit_ps);

#endif
