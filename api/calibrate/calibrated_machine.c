/*
 * Writes a machine file with the fitted settings: the whole network of the machine, the settings
 * mpi.* that differ from the defaults or were fitted, and the source of each. Knows calibrations.
 */
#include "api/calibrate/calibration.h"
#include "api/calibrate/fit_settings.h"
#include "api/report/text_buffer.h"
#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

static const struct setting_row text_rows[] = {
    {"description", SETTING_TEXT, 0, 0, 0, "", NULL, "what machine this is"},
    {"source", SETTING_TEXT, sizeof(char *), 0, 0, "", NULL, "where its settings come from"},
};

static char *describe(const anax_calibration *calibration) {
    struct text_buffer text = TEXT_BUFFER_INIT;
    text_add(&text, "%s, with hosts calibrated by anax from measurements",
             api_machine_name(calibration->given));
    return text_take(&text);
}

/* Returns the description of the machine: its network, the measurements, and the source of each
 * setting, such as "mpi.send_overhead: determined, stream ...". The caller frees the text. */
static char *tell_sources(const anax_calibration *calibration) {
    static const char *const standings[] = {"kept", "divided", "determined"};
    struct text_buffer text = TEXT_BUFFER_INIT;
    const struct measurement_list *list = &calibration->measurements;
    text_add(&text, "Network of %s. Measurements:", api_machine_name(calibration->given));
    for (size_t t = 0; t < list->count; t++) {
        if (!calibration_uses(calibration, &list->tables[t])) continue;
        text_add(&text, "%s %s (", t > 0 ? "," : "", list->tables[t].name);
        text_add_name(&text, list->tables[t].file, 0);
        text_add(&text, ")");
    }
    text_add(&text, "; distance: %s.",
             calibrate_distance_name(calibration->given->calibrate.distance));
    for (fit_parameter i = 0; i < FIT_PARAMETERS; i++)
        text_add(&text, " %s: %s, %s.", fit_setting_name(i),
                 standings[calibration->fit.parameters[i].standing],
                 calibration->fit.parameters[i].how);
    return text_take(&text);
}

/* Selects the settings mpi.* for the machine file: those that differ from the defaults, and those
 * that can be fitted. Returns their number. */
static size_t select_mpi(struct setting_row *rows, const anax_calibration *calibration,
                         const anax_config *defaults) {
    size_t count = 0;
    for (size_t r = 0; r < replay_setting_count; r++) {
        const struct setting_row *row = &replay_setting_rows[r];
        bool wanted = strncmp(row->name, "mpi.", strlen("mpi.")) == 0 &&
                      !setting_equal(row, &calibration->config->replay, &defaults->replay);
        for (fit_parameter i = 0; i < FIT_PARAMETERS; i++)
            wanted = wanted || strcmp(row->name, fit_setting_name(i)) == 0;
        if (wanted) rows[count++] = *row;
    }
    return count;
}

char *calibrated_machine_yaml(const anax_calibration *calibration) {
    char *texts[] = {describe(calibration), tell_sources(calibration)};
    struct setting_row *rows = memory_new(replay_setting_count, sizeof *rows);
    anax_config *defaults = NULL;
    char *yaml = NULL;
    if (texts[0] != NULL && texts[1] != NULL && rows != NULL &&
        api_config_new(&defaults, NULL) == STATUS_OK) {
        struct setting_section sections[] = {
            {text_rows, 2, texts},
            calibration->config->sections[API_SECTION_NETWORK],
            {rows, select_mpi(rows, calibration, defaults), &calibration->config->replay},
        };
        const struct settings settings = {sections, 3};
        yaml = settings_yaml(&settings);
    }
    anax_config_free(defaults);
    free(rows);
    free(texts[0]);
    free(texts[1]);
    return yaml;
}
