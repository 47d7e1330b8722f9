/*
 * The settings of a run that differ from its machine or the defaults, for people and as JSON. Knows
 * configurations only.
 */
#include "api/config/changed_settings.h"
#include "api/report/report.h"
#include "api/report/report_layout.h"
#include "network/network_choices.h"

#include <stdlib.h>
#include <string.h>

enum { LINE_WIDTH = 90 };

static bool is_network(const struct changed_setting *change) {
    return strncmp(change->name, "network.", strlen("network.")) == 0;
}

/* Returns whether a run has several routing policies, so that its settings must not name one. */
static bool has_policies(const struct api_run *run) {
    return run != NULL && run->routing_count > 1;
}

static bool is_wanted(const struct changed_setting *change, report_settings which,
                      const struct api_run *run) {
    if (has_policies(run) && strcmp(change->name, "network.routing") == 0) return false;
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

/* Adds a changed setting, such as "network.groups=5 (kim-72: 9)". */
static void add_change(struct text_buffer *text, size_t *column, const char *before,
                       const struct changed_setting *change, const char *machine) {
    struct text_buffer item = TEXT_BUFFER_INIT;
    text_add(&item, "%s=", change->name);
    text_add_name(&item, change->value, 0);
    text_add(&item, " (");
    text_add_name(&item, change->is_of_machine ? machine : "default", 0);
    text_add(&item, ": ");
    text_add_name(&item, change->initial[0] != '\0' ? change->initial : "none", 0);
    text_add(&item, ")");
    add_item(text, column, before, &item);
}

void report_settings_text(struct text_buffer *text, const char *label, const anax_config *config,
                          anax_scope scope, report_settings which, const struct api_run *run) {
    struct changed_settings changes;
    size_t column = 0;
    if (changed_settings_find(&changes, config, scope, NULL) != STATUS_OK) {
        text->failed = true;
        return;
    }
    for (size_t i = 0; i < changes.count; i++)
        if (is_wanted(&changes.list[i], which, run))
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
    if (before == NULL ||
        changed_settings_find_machine_values(&settings, config, NULL) != STATUS_OK) {
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
