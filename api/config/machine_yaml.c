/* Writes the configured machine as a machine file: its description and source, then all settings of
 * the network and the mpi.* that differ from the defaults. */
#include "api/config/machine_yaml.h"

#include "api/config/changed_settings.h"
#include "api/text/text_buffer.h"
#include "core/memory/memory.h"

#include <stdlib.h>
#include <string.h>

static const struct setting_row text_rows[] = {
    {.name = "description", .kind = SETTING_TEXT, .initial = "", .help = "what machine this is"},
    {.name = "source",
     .kind = SETTING_TEXT,
     .offset = sizeof(char *),
     .initial = "",
     .help = "where its settings come from"},
};

/* Selects the settings mpi.* of a machine file. Returns their number. */
static size_t select_mpi(struct setting_row *rows, const anax_config *config,
                         const anax_config *defaults, bool (*also)(const struct setting_row *row)) {
    size_t count = 0;
    for (size_t r = 0; r < replay_setting_count; r++) {
        const struct setting_row *row = &replay_setting_rows[r];
        if (strncmp(row->name, "mpi.", strlen("mpi.")) != 0) continue;
        if (setting_equal(row, &config->replay, &defaults->replay) && (also == NULL || !also(row)))
            continue;
        rows[count++] = *row;
    }
    return count;
}

char *machine_yaml(const anax_config *config, char *description, char *source,
                   bool (*also)(const struct setting_row *row)) {
    char *texts[] = {description, source};
    struct setting_row *rows = memory_new(replay_setting_count, sizeof *rows);
    anax_config *defaults = NULL;
    char *yaml = NULL;
    if (description != NULL && source != NULL && rows != NULL &&
        api_config_new(&defaults, NULL) == STATUS_OK) {
        struct replay_config replay = config->replay;
        struct setting_section sections[] = {
            {text_rows, 2, texts},
            config->sections[API_SECTION_NETWORK],
            {rows, select_mpi(rows, config, defaults, also), &replay},
        };
        const struct settings settings = {sections, 3};
        yaml = settings_yaml(&settings);
    }
    anax_config_free(defaults);
    free(rows);
    return yaml;
}

/* Returns where the machine's settings come from: "kim-72 of anax 0.2.0, with
 * network.routing=minimal". The caller frees the text. */
static char *describe_source(const anax_config *config) {
    struct changed_settings changes;
    struct text_buffer text = TEXT_BUFFER_INIT;
    const bool is_named = config->run.machine != NULL;
    if (changed_settings_find(&changes, config, ANAX_SCOPE_TRAFFIC, NULL) != STATUS_OK) return NULL;
    text_add(&text, "%s, printed by anax %s", api_machine_name(config), anax_version());
    const char *between = ", with ";
    for (size_t i = 0; i < changes.count && is_named; i++) {
        const struct changed_setting *change = &changes.list[i];
        if (strncmp(change->name, "network.", strlen("network.")) != 0) continue;
        text_add(&text, "%s%s=%s", between, change->name, change->value);
        between = ", ";
    }
    changed_settings_free(&changes);
    return text_take(&text);
}

/* Returns the machine's own description, or its name if it has none or was changed. The caller
 * frees the text. */
static char *describe_machine(const anax_config *config) {
    struct text_buffer text = TEXT_BUFFER_INIT;
    const char *description = config->run.description;
    if (description == NULL || changed_network_differs(&config->network, &config->machine_network))
        return changed_machine_name(config);
    text_add(&text, "%s", description);
    return text_take(&text);
}

char *anax_config_machine_yaml(const anax_config *config) {
    char *description = describe_machine(config), *source = describe_source(config);
    char *yaml = machine_yaml(config, description, source, NULL);
    free(description);
    free(source);
    return yaml;
}
