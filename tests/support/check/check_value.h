/*
 * A result of anax in JSON as the checker sees it: values with their places, read exactly, and
 * rules about them.
 *
 * Numbers are whole numbers of 128 bits or decimals of six places, since sums over ranks and links
 * may be larger than 2^64; json-c would round them. Must not know which result it is.
 *
 * Invariant: a value that is missing or of the wrong kind is reported once, and read as 0 or "".
 */
#ifndef ANAX_TESTS_CHECK_VALUE_H
#define ANAX_TESTS_CHECK_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct json_object;

typedef __int128 whole;
#define MILLION ((whole)1000000)
#define TERA    ((whole)1000000000000) /* picoseconds of a second */

/* Products of figures; the largest number where they are larger. */
whole whole_times(whole one, whole two);
/* Rounded down; divisor > 0, number >= 0. */
whole whole_ratio(whole number, whole divisor);
/* Digits without a point; false for anything else. */
bool whole_read(const char *text, whole *value);
/* A text that stays as it is during the next seven calls. */
const char *whole_text(whole value);

/* What is checked, and how much was found. */
struct check {
    const char *name; /* of the file, for messages */
    bool completed;   /* a run that did not finish is a fault as well */
    bool recorded;    /* the trace is an archive, so that computation took place in its span */
    FILE *report;     /* NULL: silent */
    unsigned rules;   /* looked at */
    unsigned broken;
};

/* One more rule; where it does not hold, a line with the place of it. Returns holds. */
bool check_that(struct check *check, bool holds, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A value and the way to it: result, jobs, [3], time_ps. */
struct place {
    struct check *check;
    const struct place *outer; /* NULL: the result itself */
    const char *key;           /* NULL: item `index` of an array */
    size_t index;
    struct json_object *value;
};

/* The same for a rule about a value. */
bool place_that(const struct place *at, bool holds, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The result in a text. False, and reported: it is no JSON, strictly, or has a key twice. To be
 * closed. */
bool place_open(struct place *result, struct check *check, const char *text, size_t size);
/* Frees the result. */
void place_close(struct place *result);

/* No number in it is negative, but for differences, effects of settings and the low ends of
 * intervals. */
void place_none_negative(const struct place *at);

/* A member of an object, which must be there. */
struct place place_key(const struct place *object, const char *key);
/* Whether it has that key, with null or another value. */
bool place_knows(const struct place *object, const char *key);
/* Whether it has that key, with another value than null. */
bool place_has(const struct place *object, const char *key);
/* The number of items of an array; 0 of anything else. */
size_t place_count(const struct place *array);
/* An item of an array. index: below the number of items. */
struct place place_item(const struct place *array, size_t index);

const char *place_text(const struct place *object, const char *key);
bool place_flag(const struct place *object, const char *key);
/* A whole number of 0 or more. */
whole place_whole(const struct place *object, const char *key);
/* A decimal of 0 or more, in millionths. */
whole place_millionths(const struct place *object, const char *key);
/* 0 … 1 in millionths. */
whole place_share(const struct place *object, const char *key);
/* A whole number, which may be negative. */
whole place_signed(const struct place *object, const char *key);
/* A decimal in millionths, which may be negative. */
whole place_signed_millionths(const struct place *object, const char *key);
/* An item of an array of numbers. */
whole place_number(const struct place *array, size_t index);
/* The number of an object's keys. */
size_t place_keys(const struct place *object);
/* The key at a place; NULL beyond the last. */
const char *place_key_at(const struct place *object, size_t index);

/* A member as a table would show it: the digits of a number, 1 and 0 for true and false, "" for
 * null. */
const char *place_figure(const struct place *object, const char *key);

/* The next functions are rules about one member; `what` says what it is held against. */
void place_equals(const struct place *object, const char *key, whole value, const char *what);
void place_at_most(const struct place *object, const char *key, whole limit, const char *what);
void place_at_least(const struct place *object, const char *key, whole limit, const char *what);
void place_equals_decimal(const struct place *object, const char *key, whole millionths,
                          const char *what);
void place_at_least_decimal(const struct place *object, const char *key, whole limit,
                            const char *what);
/* A decimal that is `number` / `divisor`, rounded down; null if divisor is 0. */
void place_is_ratio(const struct place *object, const char *key, whole number, whole divisor,
                    const char *what);
/* A text that is not empty. */
void place_named(const struct place *object, const char *key);
/* 16 hexadecimal digits. */
void place_hash(const struct place *object, const char *key);

#endif
