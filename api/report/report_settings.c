/*
 * What a run's settings have changed, of its machine and of the defaults, for people and as JSON.
 * Knows configurations only.
 */
#include "api/changed_settings.h"
#include "api/report/json_build.h"
#include "api/report/report.h"
#include "api/report/report_layout.h"
#include "network/network_choices.h"

#include <stdlib.h>
#include <string.h>

enum { LINE_WIDTH = 90 };

static bool is_network(const struct changed_setting *change) {
    return strncmp(change->name, "network.", strlen("network.")) == 0;
}

/* Of several routing policies none is the setting's. */
static bool has_policies(const anax_result *result) {
    return result != NULL && result->routing_count > 1;
}

static bool is_wanted(const struct changed_setting *change, report_settings which,
                      const anax_result *result) {
    if (has_policies(result) && strcmp(change->name, "network.routing") == 0) return false;
    return which == REPORT_ALL_SETTINGS || is_network(change) == (which == REPORT_NETWORK_SETTINGS);
}

/* Adds an item to a paragraph that begins with the label `before`. */
static void add_item(struct text_buffer *text, size_t *column, const char *before,
                     struct text_buffer *item) {
    char *words = text_take(item);
    const size_t length = words != NULL ? strlen(words) : 0;
    const bool wrap = *column > 0 && *column + length + 2 > LINE_WIDTH;
    text->failed = text->failed || words == NULL;
    if (*column == 0)
        text_add(text, "%s", before);
    else
        text_add(text, wrap ? ",\n  " : ", ");
    text_add(text, "%s", words != NULL ? words : "");
    *column = length + (*column == 0 ? strlen(before) : wrap ? 2 : *column + 2);
    free(words);
}

/* "network.groups=5 (kim-72: 9)", and what follows it. */
static void add_change(struct text_buffer *text, size_t *column, const char *before,
                       const struct changed_setting *change, const char *machine) {
    struct text_buffer item = TEXT_BUFFER_INIT;
    text_add(&item, "%s=", change->name);
    text_add_name(&item, change->value, 0);
    text_add(&item, " (");
    text_add_name(&item, change->of_machine ? machine : "default", 0);
    text_add(&item, ": ");
    text_add_name(&item, change->initial[0] != '\0' ? change->initial : "none", 0);
    text_add(&item, ")");
    add_item(text, column, before, &item);
}

void report_settings_text(struct text_buffer *text, const char *label, const anax_config *config,
                          anax_scope scope, report_settings which, const anax_result *result) {
    struct changed_settings changes;
    size_t column = 0;
    if (changed_settings_find(&changes, config, scope, NULL) != STATUS_OK) {
        text->failed = true;
        return;
    }
    for (size_t i = 0; i < changes.count; i++)
        if (is_wanted(&changes.list[i], which, result))
            add_change(text, &column, label, &changes.list[i], config->run.machine);
    if (column > 0) text_add(text, "\n");
    changed_settings_free(&changes);
}

void report_machine_mpi_text(struct text_buffer *text, const anax_config *config) {
    struct changed_settings settings;
    struct text_buffer label = TEXT_BUFFER_INIT;
    size_t column = 0;
    text_add(&label, "MPI of ");
    text_add_name(&label, api_machine_name(config), 0);
    text_add(&label, ": ");
    char *before = text_take(&label);
    if (before == NULL || changed_settings_of_machine(&settings, config, NULL) != STATUS_OK) {
        text->failed = true;
        free(before);
        return;
    }
    for (size_t i = 0; i < settings.count; i++) {
        struct text_buffer item = TEXT_BUFFER_INIT;
        text_add(&item, "%s=", settings.list[i].name);
        text_add_name(&item, settings.list[i].value, 0);
        add_item(text, &column, before, &item);
    }
    if (column > 0) text_add(text, "\n");
    changed_settings_free(&settings);
    free(before);
}

/* result: whose routing policies are the value; NULL: the one of change. */
static void put_change(struct json_object *array, const struct changed_setting *change,
                       const anax_result *result) {
    struct json_object *entry = json_append_object(array);
    json_put_text(entry, "name", change->name);
    if (result != NULL)
        report_json_policies(entry, "value", result, false);
    else
        json_put_text(entry, "value", change->value);
    json_put_text(entry, "default", change->initial);
    json_put_text(entry, "from", change->of_machine ? "machine" : "defaults");
}

static void put_machine_mpi(struct json_object *object, const anax_config *config) {
    struct changed_settings settings;
    if (changed_settings_of_machine(&settings, config, NULL) != STATUS_OK) return;
    struct json_object *mpi = settings.count > 0 ? json_put_object(object, "mpi_of_machine") : NULL;
    for (size_t i = 0; i < settings.count; i++)
        json_put_text(mpi, settings.list[i].name, settings.list[i].value);
    changed_settings_free(&settings);
}

void report_settings_json(struct json_object *object, const anax_config *config, anax_scope scope,
                          const anax_result *result) {
    struct changed_settings changes;
    if (changed_settings_find(&changes, config, scope, NULL) != STATUS_OK) {
        json_object_object_add(object, "settings_changed", NULL);
        return;
    }
    if (anax_config_in_scope(config, scope, "mpi.protocol")) put_machine_mpi(object, config);
    struct json_object *array = json_put_array(object, "settings_changed");
    for (size_t i = 0; i < changes.count; i++)
        if (is_wanted(&changes.list[i], REPORT_ALL_SETTINGS, result))
            put_change(array, &changes.list[i], NULL);
    changed_settings_free(&changes);
    if (!has_policies(result)) return;
    const char *before = network_routing_names()[config->machine_network.routing];
    const struct changed_setting policies = {.name = "network.routing",
                                             .initial = (char *)before,
                                             .of_machine = config->run.machine != NULL};
    put_change(array, &policies, result);
}
