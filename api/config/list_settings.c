/* Makes a line and a JSON object of each row of the tables of settings. Must not know what a
 * setting means. */
#include "api/config/list_settings.h"

#include "api/api.h"
#include "api/command_support.h"
#include "api/text/text_buffer.h"

#include <stdlib.h>
#include <string.h>

/* Names in JSON of the kinds of settings, and the units of their minimum and maximum. */
static const struct {
    const char *type, *unit;
} kinds[] = {
    [SETTING_TIME] = {"time", "ps"},
    [SETTING_SIZE] = {"size", "B"},
    [SETTING_BYTE_HOPS] = {"bytes_times_hops", "B"},
    [SETTING_BANDWIDTH] = {"bandwidth", "B/s"},
    [SETTING_COUNT] = {"count", ""},
    [SETTING_LENGTH] = {"length", "mm"},
    [SETTING_DIMENSIONS] = {"dimensions", NULL},
    [SETTING_AMOUNT] = {"amount", NULL},
    [SETTING_SHARE] = {"share", NULL},
    [SETTING_RATIO] = {"ratio", "1e-6"},
    [SETTING_TIME_BY_SIZE] = {"time_by_size", "ps"},
    [SETTING_BYTE_HOPS_BY_HOP] = {"bytes_times_hops_by_hop", "B"},
    [SETTING_SWITCH] = {"switch", NULL},
    [SETTING_CHOICE] = {"choice", NULL},
    [SETTING_TEXT] = {"text", NULL},
    [SETTING_PATH] = {"path", NULL},
};

/* Returns the help of a setting followed by its default, its choices, or the kind of size it varies
 * with. The caller frees the text. */
static char *one_line(const struct setting_row *row) {
    struct text_buffer text = TEXT_BUFFER_INIT;
    text_add(&text, "%s (", row->help);
    if (row->choices != NULL && row->kind != SETTING_CHOICE) text_add(&text, "or ");
    if (row->choices != NULL)
        for (const char *const *name = row->choices(); *name != NULL; name++)
            text_add(&text, "%s%s", *name, name[1] != NULL ? "|" : "; ");
    if (row->kind == SETTING_TIME_BY_SIZE) text_add(&text, "by message size; ");
    if (row->kind == SETTING_BYTE_HOPS_BY_HOP) text_add(&text, "by hop; ");
    if (row->initial[0] != '\0')
        text_add(&text, "default %s)", row->initial);
    else
        text_add(&text, "default none)");
    return text_take(&text);
}

status_code list_settings(list_visitor visit, void *context, struct status *status) {
    anax_config *config = NULL;
    RETURN_ERROR_IF(anax_config_new(&config, NULL) != ANAX_OK, status, STATUS_MEMORY,
                    "out of memory for a list");
    status_code code = STATUS_OK;
    for (size_t s = 0; s < API_SECTIONS; s++) {
        for (size_t r = 0; r < config->sections[s].row_count && code == STATUS_OK; r++) {
            const struct setting_row *row = &config->sections[s].rows[r];
            char *help = one_line(row);
            anax_choice choice = {row->name, help};
            if (help != NULL)
                visit(context, &choice);
            else
                code = status_set(status, STATUS_MEMORY, "out of memory for a list");
            free(help);
        }
    }
    anax_config_free(config);
    return code;
}

void list_settings_put_json(struct json_object *entry, const char *name) {
    anax_config *config = NULL;
    if (anax_config_new(&config, NULL) != ANAX_OK) return;
    struct settings settings = {config->sections, API_SECTIONS};
    const struct setting_row *row = settings_find(&settings, name, NULL);
    json_put_text(entry, "name", row->name);
    json_put_text(entry, "help", row->help);
    json_put_text(entry, "type", kinds[row->kind].type);
    if (kinds[row->kind].unit != NULL) {
        json_put_text(entry, "unit", kinds[row->kind].unit);
        json_put_int(entry, "minimum", row->minimum);
        json_put_int(entry, "maximum", row->maximum);
    }
    char range[1024];
    setting_range_text(row, range, sizeof range);
    json_put_text(entry, "range", range);
    json_put_text(entry, "default", row->initial);
    if (row->choices != NULL) {
        struct json_object *choices = json_put_array(entry, "choices");
        for (const char *const *choice = row->choices(); *choice != NULL; choice++)
            json_append_text(choices, *choice);
    }
    anax_config_free(config);
}

/* Returns the row of a setting; NULL: there is none. Rows live as long as the program. */
static const struct setting_row *find_row(const char *name) {
    anax_config *config = NULL;
    if (anax_config_new(&config, NULL) != ANAX_OK) return NULL;
    const struct settings settings = {config->sections, API_SECTIONS};
    const struct setting_row *row = settings_find(&settings, name, NULL);
    anax_config_free(config);
    return row;
}

void api_visit_setting_choices(const char *setting, void (*visit)(void *context, const char *word),
                               void *context) {
    const struct setting_row *row = find_row(setting);
    if (row != NULL && row->kind == SETTING_SWITCH) {
        visit(context, "on");
        visit(context, "off");
    }
    if (row == NULL || row->choices == NULL) return;
    for (const char *const *word = row->choices(); *word != NULL; word++)
        visit(context, *word);
}

bool api_setting_is_path(const char *setting) {
    const struct setting_row *row = find_row(setting);
    return row != NULL && row->kind == SETTING_PATH;
}
