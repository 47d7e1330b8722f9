/* Compares each row of the tables of settings with the machine's value, or with the default, and
 * lists the rows that differ with both values as texts. */
#include "api/config/changed_settings.h"

#include "api/config/chosen_machine.h"
#include "core/memory/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns whether a setting is left out: results name the machine anyway, and its description has
 * no effect. */
static bool is_left_out(const struct setting_row *row) {
    return strcmp(row->name, "machine") == 0 || strcmp(row->name, "description") == 0;
}

static bool is_policy(const struct setting_row *row) {
    return strcmp(row->name, "network.routing") == 0 ||
           strcmp(row->name, "network.misrouting") == 0;
}

bool changed_network_differs(const struct network_config *network,
                             const struct network_config *other) {
    for (size_t r = 0; r < network_setting_count; r++) {
        const struct setting_row *row = &network_setting_rows[r];
        if (!is_policy(row) && !setting_equal(row, network, other)) return true;
    }
    return false;
}

char *changed_machine_name(const anax_config *config) {
    const char *name = api_machine_name(config);
    const bool changed = config->run.machine != NULL &&
                         changed_network_differs(&config->network, &config->machine_network);
    const char *more = changed ? ", changed" : "";
    const size_t size = strlen(name) + strlen(more) + 1;
    char *text = malloc(size);
    if (text != NULL) snprintf(text, size, "%s%s", name, more);
    return text;
}

static status_code add_change(struct changed_settings *changes, const struct setting_row *row,
                              const struct setting_section *now,
                              const struct setting_section *before, bool of_machine,
                              struct status *status) {
    FORWARD_IF_ERROR(memory_grow((void **)&changes->list, &changes->capacity, changes->count + 1,
                                 sizeof *changes->list, status));
    struct changed_setting *entry = &changes->list[changes->count++];
    *entry = (struct changed_setting){.name = row->name,
                                      .value = setting_new_text(now, row),
                                      .initial = setting_new_text(before, row),
                                      .is_of_machine = of_machine};
    RETURN_ERROR_IF(entry->value == NULL || entry->initial == NULL, status, STATUS_MEMORY,
                    "out of memory for settings");
    return STATUS_OK;
}

static status_code compare(struct changed_settings *changes, const anax_config *config,
                           const anax_config *before, const struct replay_config *defaults,
                           anax_scope scope, struct status *status) {
    for (size_t s = 0; s < API_SECTIONS; s++) {
        const struct setting_section *now = &config->sections[s];
        for (size_t r = 0; r < now->row_count; r++) {
            const struct setting_row *row = &now->rows[r];
            const bool of_machine =
                (s == API_SECTION_NETWORK && config->run.machine != NULL) ||
                (s == API_SECTION_REPLAY && !setting_equal(row, &before->replay, defaults));
            if (!is_left_out(row) && anax_config_in_scope(config, scope, row->name) &&
                !setting_equal(row, now->values, before->sections[s].values))
                FORWARD_IF_ERROR(
                    add_change(changes, row, now, &before->sections[s], of_machine, status));
        }
    }
    return STATUS_OK;
}

status_code changed_settings_find(struct changed_settings *changes, const anax_config *config,
                                  anax_scope scope, struct status *status) {
    anax_config *before = NULL;
    *changes = (struct changed_settings){0};
    FORWARD_IF_ERROR(api_config_new(&before, status));
    const struct replay_config defaults = before->replay;
    before->network = config->machine_network;
    before->replay = config->machine_replay;
    status_code code = compare(changes, config, before, &defaults, scope, status);
    anax_config_free(before);
    if (code != STATUS_OK) changed_settings_free(changes);
    return code;
}

status_code changed_settings_find_machine_values(struct changed_settings *settings,
                                                 const anax_config *config, struct status *status) {
    struct replay_config machine = config->machine_replay, defaults = machine;
    struct setting_section of_machine = chosen_machine_mpi(&machine);
    struct setting_section of_defaults = chosen_machine_mpi(&defaults);
    struct settings library = {&of_defaults, 1};
    *settings = (struct changed_settings){0};
    status_code code = settings_set_defaults(&library, status);
    for (size_t r = 0; r < of_machine.row_count && code == STATUS_OK; r++)
        if (!setting_equal(&of_machine.rows[r], &machine, &defaults))
            code =
                add_change(settings, &of_machine.rows[r], &of_machine, &of_defaults, false, status);
    if (code != STATUS_OK) changed_settings_free(settings);
    return code;
}

void changed_settings_free(struct changed_settings *changes) {
    for (size_t i = 0; i < changes->count; i++) {
        free(changes->list[i].value);
        free(changes->list[i].initial);
    }
    free(changes->list);
    *changes = (struct changed_settings){0};
}
