/* Reads members of parsed JSON with a substitute for those that are missing, and writes times,
 * bytes, shares and names of ranks for people. */
#include "api/page/page_values.h"

#include "core/settings/units.h"

#include <json-c/json.h>
#include <math.h>
#include <stdio.h>

static struct json_object *member(struct json_object *object, const char *key) {
    struct json_object *value = NULL;
    if (object == NULL || !json_object_is_type(object, json_type_object)) return NULL;
    return json_object_object_get_ex(object, key, &value) ? value : NULL;
}

static struct json_object *typed(struct json_object *object, const char *key, json_type type) {
    struct json_object *value = member(object, key);
    return value != NULL && json_object_is_type(value, type) ? value : NULL;
}

struct json_object *page_value_object(struct json_object *object, const char *key) {
    return typed(object, key, json_type_object);
}

struct json_object *page_value_list(struct json_object *object, const char *key) {
    return typed(object, key, json_type_array);
}

size_t page_value_count(struct json_object *list) {
    return list != NULL ? json_object_array_length(list) : 0;
}

struct json_object *page_value_at(struct json_object *list, size_t index) {
    return index < page_value_count(list) ? json_object_array_get_idx(list, index) : NULL;
}

double page_value_number(struct json_object *object, const char *key) {
    struct json_object *value = member(object, key);
    if (value == NULL || (!json_object_is_type(value, json_type_int) &&
                          !json_object_is_type(value, json_type_double)))
        return (double)NAN;
    return json_object_get_double(value);
}

const char *page_value_text(struct json_object *object, const char *key) {
    struct json_object *value = typed(object, key, json_type_string);
    return value != NULL ? json_object_get_string(value) : "";
}

bool page_value_truth(struct json_object *object, const char *key) {
    struct json_object *value = typed(object, key, json_type_boolean);
    return value != NULL && json_object_get_boolean(value);
}

bool page_value_has(struct json_object *object, const char *key) {
    return member(object, key) != NULL;
}

size_t page_value_size(struct json_object *object, const char *key, size_t max) {
    const double number = page_value_number(object, key);
    if (!(number > 0)) return 0;
    return number < (double)max ? (size_t)number : max;
}

double page_value_links_span(struct json_object *result) {
    const double span_ps = page_value_number(page_value_object(result, "network"), "links_span_ps");
    return isfinite(span_ps) ? span_ps : page_value_number(result, "time_ps");
}

void page_value_machine_names(struct text_buffer *text, struct json_object *result, size_t max) {
    struct json_object *machines = page_value_list(result, "machines");
    const size_t count = page_value_count(machines);
    for (size_t i = 0; i < count && i < max; i++)
        text_add(text, "%s%s", i > 0 ? ", " : "",
                 page_value_text(page_value_at(machines, i), "name"));
    if (count > max) text_add(text, " and %zu more", count - max);
}

char *page_value_time(char *text, double time_ps) {
    char human[UNITS_TEXT_BYTES];
    if (!isfinite(time_ps) || fabs(time_ps) >= 1e37) {
        snprintf(text, VALUES_TEXT, "none");
        return text;
    }
    units_time_sum_human((wide)fabs(time_ps), human, sizeof human);
    snprintf(text, VALUES_TEXT, "%s%s", time_ps < 0 ? "-" : "", human);
    return text;
}

char *page_value_bytes(char *text, double bytes) {
    char human[UNITS_TEXT_BYTES];
    if (!(bytes >= 0 && bytes < 1e37)) {
        snprintf(text, VALUES_TEXT, "none");
        return text;
    }
    units_size_human((wide)bytes, human, sizeof human);
    snprintf(text, VALUES_TEXT, "%s", human);
    return text;
}

char *page_value_percent(char *text, double share) {
    if (isfinite(share) && fabs(share) < 1e15)
        snprintf(text, VALUES_TEXT, "%.1f %%", share * 100);
    else
        snprintf(text, VALUES_TEXT, "none");
    return text;
}

char *page_value_change(char *text, double share) {
    const double percent = share * 100;
    int decimals = 1;
    if (!isfinite(percent) || fabs(percent) >= 1e15) return page_value_percent(text, share);
    while (percent != 0 && decimals < 9 && fabs(percent) < 0.5 * pow(10, -decimals))
        decimals++;
    snprintf(text, VALUES_TEXT, percent == 0 ? "%.*f %%" : "%+.*f %%", decimals, percent);
    return text;
}

char *page_value_count_text(char *text, double count) {
    if (isfinite(count) && fabs(count) < 1e30)
        snprintf(text, VALUES_TEXT, "%.0f", count);
    else
        snprintf(text, VALUES_TEXT, "none");
    return text;
}

char *page_value_dollars(char *text, double dollars) {
    char digits[VALUES_TEXT];
    size_t length = 0;
    if (!isfinite(dollars) || fabs(dollars) >= 1e15) {
        snprintf(text, VALUES_TEXT, "none");
        return text;
    }
    const int count = snprintf(digits, sizeof digits, "%.0f", fabs(dollars));
    if (dollars <= -0.5) text[length++] = '-';
    text[length++] = '$';
    for (int i = 0; i < count; i++) {
        if (i > 0 && (count - i) % 3 == 0) text[length++] = ',';
        text[length++] = digits[i];
    }
    text[length] = '\0';
    return text;
}

const char *page_value_plural(double count) {
    return count == 1 ? "" : "s";
}

double page_value_dollar_unit(double max, const char **name) {
    const bool millions = max >= 1e6, thousands = max >= 1e4;
    *name = millions ? "million dollars" : thousands ? "thousand dollars" : "dollars";
    return millions ? 1e6 : thousands ? 1e3 : 1;
}

const char *page_value_unit(double max_ps, double *unit_ps) {
    static const struct {
        double ps;
        const char *name;
    } units[] = {{1e12, "s"}, {1e9, "ms"}, {1e6, "us"}, {1e3, "ns"}, {1, "ps"}};
    const size_t count = sizeof units / sizeof *units;
    for (size_t i = 0; i < count; i++) {
        *unit_ps = units[i].ps;
        if (max_ps >= units[i].ps || i + 1 == count) return units[i].name;
    }
    return "";
}

char *page_value_rank_number(char *text, struct json_object *result, double rank) {
    struct json_object *nodes = page_value_list(result, "io_nodes");
    const double number = rank - (double)page_value_count(page_value_list(result, "ranks"));
    if (!(number >= 0 && number < (double)page_value_count(nodes)))
        return page_value_count_text(text, rank);
    snprintf(text, VALUES_TEXT, "I/O node %.0f",
             page_value_number(page_value_at(nodes, (size_t)number), "node"));
    return text;
}

char *page_value_rank_name(char *text, struct json_object *result, double rank) {
    char number[VALUES_TEXT];
    page_value_rank_number(number, result, rank);
    snprintf(text, VALUES_TEXT, "%s%.34s", number[0] == 'I' ? "" : "rank ", number);
    return text;
}
