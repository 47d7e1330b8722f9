/* Reads numbers of JSON exactly, and prints a line for each rule that does not hold, with the place
 * of its values. */
#include "tests/support/check/check_value.h"

#include <json-c/json.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Before the digits of a number, which json-c is given as a text. No text of a result begins so. */
#define NUMBER_MARK "\001\002"

#define WHOLE_MAX       (~((whole)1 << 127))
#define WHOLE_DIGITS    30
#define DECIMAL_PLACES  6
#define REPORTS_AT_MOST 40

/* ---------------------------------------------------------------------------- whole numbers */

whole whole_times(whole one, whole two) {
    whole product;
    if (!__builtin_mul_overflow(one, two, &product)) return product;
    return (one < 0) == (two < 0) ? WHOLE_MAX : -WHOLE_MAX;
}

whole whole_ratio(whole number, whole divisor) {
    return number / divisor;
}

bool whole_read(const char *text, whole *value) {
    bool negative = *text == '-';
    size_t digits = strspn(text += negative, "0123456789");
    whole sum = 0;
    if (digits == 0 || digits > WHOLE_DIGITS || text[digits] != '\0') return false;
    for (size_t i = 0; i < digits; i++)
        sum = sum * 10 + (text[i] - '0');
    *value = negative ? -sum : sum;
    return true;
}

const char *whole_text(whole value) {
    static _Thread_local char texts[8][48];
    static _Thread_local unsigned next;
    char *text = texts[next++ % 8] + sizeof texts[0] - 1;
    unsigned __int128 size = value < 0 ? -(unsigned __int128)value : (unsigned __int128)value;
    *text = '\0';
    do
        *--text = (char)('0' + (int)(size % 10));
    while ((size /= 10) > 0);
    if (value < 0) *--text = '-';
    return text;
}

/* ---------------------------------------------------------------------------- reports */

static void print_place(FILE *file, const struct place *at) {
    if (at->outer == NULL) return;
    print_place(file, at->outer);
    if (at->key != NULL)
        fprintf(file, "%s%s", at->outer->outer != NULL ? "." : "", at->key);
    else
        fprintf(file, "[%zu]", at->index);
}

static bool say(struct check *check, const struct place *at, const char *format,
                va_list arguments) {
    check->broken++;
    if (check->report == NULL || check->broken > REPORTS_AT_MOST) return false;
    fprintf(check->report, "%s: ", check->name);
    if (at != NULL && at->outer != NULL) {
        print_place(check->report, at);
        fputs(": ", check->report);
    }
    vfprintf(check->report, format, arguments);
    fputc('\n', check->report);
    return false;
}

bool check_that(struct check *check, bool holds, const char *format, ...) {
    check->rules++;
    if (holds) return true;
    va_list arguments;
    va_start(arguments, format);
    say(check, NULL, format, arguments);
    va_end(arguments);
    return false;
}

bool place_that(const struct place *at, bool holds, const char *format, ...) {
    at->check->rules++;
    if (holds) return true;
    va_list arguments;
    va_start(arguments, format);
    say(at->check, at, format, arguments);
    va_end(arguments);
    return false;
}

/* ---------------------------------------------------------------------------- reading */

/* A number as JSON writes it, without an exponent. */
static size_t number_length(const char *text) {
    size_t length = text[0] == '-', digits = strspn(text + length, "0123456789");
    if (digits == 0 || (digits > 1 && text[length] == '0')) return 0;
    length += digits;
    if (text[length] == '.') {
        digits = strspn(text + length + 1, "0123456789");
        if (digits == 0 || digits > DECIMAL_PLACES) return 0;
        length += 1 + digits;
    }
    return strchr("eE.+-0123456789", text[length]) != NULL && text[length] != '\0' ? 0 : length;
}

/* The text with each number in quotes and behind the mark; counts its members. To be freed; NULL: a
 * number is none. */
static char *mark_numbers(const char *text, size_t size, size_t *members) {
    char *marked = malloc(size * 16 + 1), *to = marked;
    bool quoted = false;
    for (size_t i = 0; marked != NULL && i < size; i++) {
        if (quoted || (text[i] != '-' && (text[i] < '0' || text[i] > '9'))) {
            *members += !quoted && text[i] == ':';
            if (text[i] == '"') quoted = !quoted;
            if (quoted && text[i] == '\\' && i + 1 < size) *to++ = text[i++];
            *to++ = text[i];
            continue;
        }
        size_t length = number_length(text + i);
        if (length == 0) {
            free(marked);
            return NULL;
        }
        to += sprintf(to, "\"\\u0001\\u0002%.*s\"", (int)length, text + i);
        i += length - 1;
    }
    if (marked != NULL) *to = '\0';
    return marked;
}

static size_t count_members(struct json_object *value) {
    size_t count = 0;
    if (json_object_is_type(value, json_type_object)) {
        json_object_object_foreach(value, key, member) {
            (void)key;
            count += 1 + count_members(member);
        }
    } else if (json_object_is_type(value, json_type_array)) {
        for (size_t i = 0; i < json_object_array_length(value); i++)
            count += count_members(json_object_array_get_idx(value, i));
    }
    return count;
}

bool place_open(struct place *result, struct check *check, const char *text, size_t size) {
    *result = (struct place){.check = check};
    size_t members = 0;
    if (!check_that(check, strlen(text) == size, "a byte 0 at place %zu", strlen(text)))
        return false;
    char *marked = mark_numbers(text, size, &members);
    if (!check_that(check, marked != NULL,
                    "a number that is none, or with an exponent, or with more "
                    "than six decimals"))
        return false;
    struct json_tokener *tokener = json_tokener_new();
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
    result->value = json_tokener_parse_ex(tokener, marked, (int)strlen(marked) + 1);
    enum json_tokener_error error = json_tokener_get_error(tokener);
    json_tokener_free(tokener);
    free(marked);
    bool good =
        check_that(check, error == json_tokener_success, "no JSON: %s",
                   json_tokener_error_desc(error)) &&
        check_that(check, json_object_is_type(result->value, json_type_object), "no JSON object") &&
        check_that(check, count_members(result->value) == members, "a key stands twice");
    if (!good) place_close(result);
    return good;
}

void place_close(struct place *result) {
    json_object_put(result->value);
    result->value = NULL;
}

bool place_knows(const struct place *object, const char *key) {
    return json_object_is_type(object->value, json_type_object) &&
           json_object_object_get_ex(object->value, key, NULL);
}

size_t place_keys(const struct place *object) {
    bool good =
        place_that(object, json_object_is_type(object->value, json_type_object), "no object");
    return good ? (size_t)json_object_object_length(object->value) : 0;
}

const char *place_key_at(const struct place *object, size_t index) {
    if (!json_object_is_type(object->value, json_type_object)) return NULL;
    json_object_object_foreach(object->value, key, member) {
        (void)member;
        if (index-- == 0) return key;
    }
    return NULL;
}

static struct place find(const struct place *object, const char *key) {
    struct place member = {object->check, object, key, 0, NULL};
    if (json_object_is_type(object->value, json_type_object))
        json_object_object_get_ex(object->value, key, &member.value);
    return member;
}

bool place_has(const struct place *object, const char *key) {
    return find(object, key).value != NULL;
}

struct place place_key(const struct place *object, const char *key) {
    struct place member = find(object, key);
    place_that(&member, place_knows(object, key), "is missing");
    return member;
}

size_t place_count(const struct place *array) {
    bool good = place_that(array, json_object_is_type(array->value, json_type_array), "no array");
    return good ? json_object_array_length(array->value) : 0;
}

struct place place_item(const struct place *array, size_t index) {
    return (struct place){array->check, array, NULL, index,
                          json_object_array_get_idx(array->value, index)};
}

static const char *digits_of(const struct place *at) {
    const char *text =
        json_object_is_type(at->value, json_type_string) ? json_object_get_string(at->value) : "";
    return strncmp(text, NUMBER_MARK, sizeof NUMBER_MARK - 1) == 0 ? text + sizeof NUMBER_MARK - 1
                                                                   : NULL;
}

const char *place_text(const struct place *object, const char *key) {
    struct place member = place_key(object, key);
    bool good = json_object_is_type(member.value, json_type_string) && digits_of(&member) == NULL;
    if (!place_that(&member, good, "no text")) return "";
    return json_object_get_string(member.value);
}

bool place_flag(const struct place *object, const char *key) {
    struct place member = place_key(object, key);
    bool good = json_object_is_type(member.value, json_type_boolean);
    return place_that(&member, good, "neither true nor false") &&
           json_object_get_boolean(member.value);
}

static whole read_whole(const struct place *at, bool may_be_negative) {
    const char *digits = digits_of(at);
    whole value = 0;
    if (!place_that(at, digits != NULL && whole_read(digits, &value), "no whole number")) return 0;
    return place_that(at, may_be_negative || value >= 0, "%s is negative", digits) ? value : 0;
}

whole place_signed(const struct place *object, const char *key) {
    struct place member = place_key(object, key);
    return read_whole(&member, true);
}

whole place_whole(const struct place *object, const char *key) {
    struct place member = place_key(object, key);
    return read_whole(&member, false);
}

whole place_number(const struct place *array, size_t index) {
    struct place item = place_item(array, index);
    return read_whole(&item, false);
}

static bool read_decimal(const char *digits, whole *millionths) {
    char text[2 * WHOLE_DIGITS];
    const char *point = digits != NULL ? strchr(digits, '.') : NULL;
    if (point == NULL || point - digits > WHOLE_DIGITS - DECIMAL_PLACES) return false;
    int length = snprintf(text, sizeof text, "%.*s%s", (int)(point - digits), digits, point + 1);
    for (size_t places = strlen(point + 1); places < DECIMAL_PLACES; places++)
        length += snprintf(text + length, sizeof text - (size_t)length, "0");
    return whole_read(text, millionths);
}

static whole decimal_of(const struct place *object, const char *key, bool may_be_negative) {
    struct place member = place_key(object, key);
    const char *digits = digits_of(&member);
    whole value = 0;
    if (!place_that(&member, read_decimal(digits, &value), "no decimal number")) return 0;
    return place_that(&member, may_be_negative || value >= 0, "%s is negative", digits) ? value : 0;
}

whole place_millionths(const struct place *object, const char *key) {
    return decimal_of(object, key, false);
}

whole place_signed_millionths(const struct place *object, const char *key) {
    return decimal_of(object, key, true);
}

whole place_share(const struct place *object, const char *key) {
    whole value = decimal_of(object, key, false);
    struct place member = find(object, key);
    place_that(&member, value <= MILLION, "%s millionths: a share is at most 1", whole_text(value));
    return value;
}

const char *place_figure(const struct place *object, const char *key) {
    struct place member = place_key(object, key);
    if (member.value == NULL) return "";
    if (json_object_is_type(member.value, json_type_boolean))
        return json_object_get_boolean(member.value) ? "1" : "0";
    const char *digits = digits_of(&member);
    return digits != NULL ? digits : json_object_get_string(member.value);
}

/* ---------------------------------------------------------------------------- rules */

/* Keys of numbers that may be negative, or the beginnings of such keys. */
static const char *const signed_keys[] = {"difference", "low_ps", "derivative", "elasticity",
                                          "effect_ps"};

static bool may_be_negative(const char *key) {
    for (size_t i = 0; i < sizeof signed_keys / sizeof *signed_keys; i++)
        if (strncmp(key, signed_keys[i], strlen(signed_keys[i])) == 0) return true;
    return false;
}

void place_none_negative(const struct place *at) {
    if (at->key != NULL && may_be_negative(at->key)) return;
    const char *digits = digits_of(at);
    if (digits != NULL) {
        place_that(at, *digits != '-', "%s is negative", digits);
    } else if (json_object_is_type(at->value, json_type_object)) {
        json_object_object_foreach(at->value, key, value) {
            struct place member = {at->check, at, key, 0, value};
            place_none_negative(&member);
        }
    } else if (json_object_is_type(at->value, json_type_array)) {
        for (size_t i = 0; i < json_object_array_length(at->value); i++) {
            struct place item = place_item(at, i);
            place_none_negative(&item);
        }
    }
}

void place_equals(const struct place *object, const char *key, whole value, const char *what) {
    whole is = place_signed(object, key);
    struct place member = find(object, key);
    place_that(&member, is == value, "%s, but %s is %s", whole_text(is), what, whole_text(value));
}

void place_at_most(const struct place *object, const char *key, whole limit, const char *what) {
    whole is = place_signed(object, key);
    struct place member = find(object, key);
    place_that(&member, is <= limit, "%s is more than %s, %s", whole_text(is), what,
               whole_text(limit));
}

void place_at_least(const struct place *object, const char *key, whole limit, const char *what) {
    whole is = place_signed(object, key);
    struct place member = find(object, key);
    place_that(&member, is >= limit, "%s is less than %s, %s", whole_text(is), what,
               whole_text(limit));
}

void place_equals_decimal(const struct place *object, const char *key, whole millionths,
                          const char *what) {
    whole is = place_signed_millionths(object, key);
    struct place member = find(object, key);
    place_that(&member, is == millionths, "%s millionths, but %s is %s", whole_text(is), what,
               whole_text(millionths));
}

void place_at_least_decimal(const struct place *object, const char *key, whole limit,
                            const char *what) {
    whole is = place_signed_millionths(object, key);
    struct place member = find(object, key);
    place_that(&member, is >= limit, "%s millionths is less than %s, %s", whole_text(is), what,
               whole_text(limit));
}

void place_is_ratio(const struct place *object, const char *key, whole number, whole divisor,
                    const char *what) {
    struct place member = place_key(object, key);
    if (divisor == 0) {
        place_that(&member, member.value == NULL, "not null, but %s has nothing to be divided by",
                   what);
        return;
    }
    whole is = place_signed_millionths(object, key);
    whole right = whole_ratio(whole_times(number, MILLION), divisor);
    place_that(&member, is == right, "%s millionths, but %s is %s", whole_text(is), what,
               whole_text(right));
}

void place_named(const struct place *object, const char *key) {
    bool named = place_text(object, key)[0] != '\0';
    struct place member = find(object, key);
    place_that(&member, named, "is empty");
}

void place_hash(const struct place *object, const char *key) {
    const char *text = place_text(object, key);
    struct place member = find(object, key);
    place_that(&member, strlen(text) == 16 && strspn(text, "0123456789abcdef") == 16,
               "`%s` is not 16 hexadecimal digits", text);
}
