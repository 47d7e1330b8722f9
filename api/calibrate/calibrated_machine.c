/*
 * Writes a machine file with the fitted settings: the whole network of the machine, the settings
 * mpi.* that differ from the defaults or were fitted, and the source of each. Knows calibrations.
 */
#include "api/calibrate/calibration.h"
#include "api/calibrate/fit_settings.h"
#include "api/config/machine_yaml.h"
#include "api/text/text_buffer.h"

#include <stdlib.h>
#include <string.h>

static char *describe_calibration(const anax_calibration *calibration) {
    struct text_buffer text = TEXT_BUFFER_INIT;
    text_add(&text, "%s, with hosts calibrated by anax from measurements",
             api_machine_name(calibration->given));
    return text_take(&text);
}

/* Returns the description of the machine: its network, the measurements, and the source of each
 * setting, such as "mpi.send_overhead: determined, stream ...". The caller frees the text. */
static char *describe_sources(const anax_calibration *calibration) {
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
                 fit_standing_name(calibration->fit.parameters[i].standing),
                 calibration->fit.parameters[i].how);
    return text_take(&text);
}

static bool is_fitted(const struct setting_row *row) {
    for (fit_parameter i = 0; i < FIT_PARAMETERS; i++)
        if (strcmp(row->name, fit_setting_name(i)) == 0) return true;
    return false;
}

char *calibrated_machine_yaml(const anax_calibration *calibration) {
    char *description = describe_calibration(calibration), *source = describe_sources(calibration);
    char *yaml = machine_yaml(calibration->config, description, source, is_fitted);
    free(description);
    free(source);
    return yaml;
}
