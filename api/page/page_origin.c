/* Which settings differ, and where a result comes from. */
#include "api/page/page_values.h"
#include "api/page/pages.h"

#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

bool page_machine_is_custom(struct json_object *machine) {
    return strcmp(page_value_text(machine, "name"), "custom") == 0;
}

/* Returns the machine of a result; of bisections, that of the first curve. */
static struct json_object *machine_of(struct json_object *result) {
    struct json_object *machine = page_value_object(result, "machine");
    return machine != NULL ? machine
                           : page_value_object(page_bisection_curve(result, 0), "machine");
}

void page_changes(struct page *page, struct json_object *result) {
    struct json_object *first = page_bisection_curve(result, 0);
    const bool has_own = page_value_has(result, "settings_changed");
    struct json_object *list = page_value_list(has_own ? result : first, "settings_changed");
    page_section(page, "settings", "Settings that differ");
    if (page_value_count(list) == 0) {
        page_paragraph(page, "All settings are those of the machine and the defaults.");
        return;
    }
    if (!has_own)
        page_paragraph(page, "The table is about the first curve. The others have other %s.",
                       page_bisection_has_one_shape(result) ? "arrangements" : "machines");
    else if (page_value_count(page_value_list(result, "candidates")) > 1)
        page_paragraph(page,
                       "The table is about the first candidate. The others have the values that "
                       "their names say.");
    page_table(page, "setting|value|instead of|from");
    for (size_t i = 0; i < page_value_count(list); i++) {
        struct json_object *change = page_value_at(list, i);
        page_cell(page, "%s", page_value_text(change, "name"));
        page_cell(page, "%s", page_value_text(change, "value"));
        page_cell(page, "%s", page_value_text(change, "default"));
        page_cell(page, "%s", page_value_text(change, "from"));
    }
    page_table_end(page);
}

static void add_fact(struct page *page, struct json_object *object, const char *key,
                     const char *name) {
    const char *text = page_value_text(object, key);
    if (*text == '\0') return;
    page_cell(page, "%s", name);
    page_cell(page, "%s", text);
}

static void add_number(struct page *page, struct json_object *object, const char *key,
                       const char *name) {
    char text[VALUES_TEXT];
    const double number = page_value_number(object, key);
    if (!(number >= 0)) return;
    page_cell(page, "%s", name);
    page_cell(page, "%s", page_value_count_text(text, number));
}

static void add_texts(struct page *page, struct json_object *result, const char *key,
                      const char *what) {
    struct json_object *list = page_value_list(result, key);
    for (size_t i = 0; i < page_value_count(list); i++) {
        struct json_object *note = page_value_at(list, i);
        const char *text = json_object_is_type(note, json_type_string)
                               ? json_object_get_string(note)
                               : page_value_text(note, "text");
        if (*text != '\0') page_paragraph(page, "%s: %s", what, text);
    }
}

/* Adds the traces and seeds of a result of many replays. */
static void add_traces(struct page *page, struct json_object *result) {
    enum { LISTED = 8 };
    struct json_object *list = page_value_list(result, "traces");
    for (size_t i = 0; i < page_value_count(list) && i < LISTED; i++) {
        add_fact(page, page_value_at(list, i), "path", "trace");
        add_fact(page, page_value_at(list, i), "hash", "hash of the trace");
        add_number(page, page_value_at(list, i), "ranks", "ranks");
    }
    add_number(page, result, "first_seed", "first seed");
    add_number(page, result, "seeds", "seeds");
}

void page_origin(struct page *page, struct json_object *result) {
    struct json_object *trace = page_value_object(result, "trace");
    struct json_object *machine = machine_of(result);
    struct json_object *configuration = page_value_object(result, "configuration");
    page_section(page, "origin", "Where the result comes from");
    add_texts(page, result, "warnings", "Warning");
    page_table(page, "what|value");
    add_fact(page, result, "version", "version of anax");
    add_fact(page, result, "schema", "schema of the result");
    add_fact(page, result, "digest", "digest of the result");
    add_number(page, result, "seed", "seed");
    add_traces(page, result);
    add_fact(page, trace, "path", "trace");
    add_fact(page, trace, "creator", "trace written by");
    add_fact(page, trace, "hash", "hash of the trace");
    add_number(page, trace, "ranks", "ranks");
    add_number(page, trace, "events", "events of the trace");
    add_fact(page, machine, "name", "machine");
    add_number(page, machine, "nodes", "nodes");
    add_number(page, machine, "routers", "routers");
    add_number(page, machine, "groups", "groups");
    add_fact(page, machine, "arrangement", "arrangement of global links");
    page_table_end(page);
    if (configuration == NULL) return;
    page_numbers(page, "All settings", "setting|value");
    json_object_object_foreach(configuration, name, value) {
        page_cell(page, "%s", name);
        page_cell(page, "%s", value != NULL ? json_object_get_string(value) : "");
    }
    page_numbers_end(page);
}
