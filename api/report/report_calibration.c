/*
 * A calibration for people: the settings with their intervals and sources, then measured against
 * modelled times by size. Knows results only.
 */
#include "api/report/report_calibration.h"
#include "api/calibrate/fit_settings.h"
#include "api/text/text_buffer.h"
#include "core/settings/units.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* Adds a step, such as "312.5ns +- 4.2ns from 8KiB". */
static void add_step(struct text_buffer *text, fit_parameter parameter,
                     const struct fit_step *step) {
    char value[UNITS_TEXT_BYTES], half[UNITS_TEXT_BYTES], from[UNITS_TEXT_BYTES];
    fit_write_value(parameter, step->value, value, sizeof value);
    text_add(text, "    %s", value);
    if (isfinite(step->half_interval) && step->half_interval >= 1 && step->half_interval < 9e18) {
        fit_write_value(parameter, (int64_t)step->half_interval, half, sizeof half);
        text_add(text, " +- %s", half);
    }
    if (step->from_bytes > 0) {
        units_size_text((int64_t)step->from_bytes, from, sizeof from);
        text_add(text, " from %s on", from);
    }
    text_add(text, "\n");
}

static void add_parameters(struct text_buffer *text, const anax_calibration *calibration) {
    text_add(text, "Settings (+-: 95 %% confidence), and what they follow from:\n");
    for (fit_parameter i = 0; i < FIT_PARAMETERS; i++) {
        const struct fit_result *fitted = &calibration->fit.parameters[i];
        text_add(text, "  %s: %s; %s\n", fit_setting_name(i), fit_standing_name(fitted->standing),
                 fitted->how);
        for (size_t k = 0; k < fitted->count; k++)
            add_step(text, i, &fitted->steps[k]);
        if (fitted->count > 0) continue;
        char *value = api_config_value(calibration->config, fit_setting_name(i));
        text_add(text, "    %s\n", value != NULL ? value : "");
        anax_text_free(value);
    }
}

static void add_table(struct text_buffer *text, const struct measurement *table,
                      const double *modelled_ps) {
    text_add(text, "\n%s, ", table->name);
    text_add_name(text, table->file, 0);
    text_add(text, ":%zu (%s", table->line, measurement_kind_name(table->kind));
    if (table->pairs > 1) text_add(text, ", %" PRIu32 " pairs", table->pairs);
    text_add(text, ")\n     bytes   measured us   modelled us  deviation\n");
    for (size_t i = 0; i < table->count; i++) {
        const struct measurement_row *row = &table->rows[i];
        text_add(text, "%10" PRIu64 "  %12.6g  %12.6g  %+7.1f %%\n", row->size_bytes,
                 row->time_ps / 1e6, modelled_ps[i] / 1e6,
                 100 * (modelled_ps[i] / row->time_ps - 1));
    }
}

static void add_deviations(struct text_buffer *text, const anax_calibration *calibration) {
    text_add(text, "\nDeviation of the model, |modelled / measured - 1|:\n");
    for (measurement_kind kind = 0; kind < MEASUREMENT_KINDS; kind++) {
        double mean = 0, max = 0;
        uint64_t bytes = 0;
        if (!calibration_deviation(calibration, kind, &mean, &max, &bytes)) continue;
        text_add(text, "  %-10s mean %.1f %%, largest %.1f %% at %" PRIu64 " bytes\n",
                 measurement_kind_name(kind), 100 * mean, 100 * max, bytes);
    }
}

char *report_calibration_text(const anax_calibration *calibration) {
    struct text_buffer text = TEXT_BUFFER_INIT;
    const struct measurement_list *list = &calibration->measurements;
    text_add(&text, "Machine ");
    text_add_name(&text, api_machine_name(calibration->given), 0);
    if (calibration->nodes.first == calibration->nodes.second)
        text_add(&text, ", measured within a node\n\n");
    else
        text_add(&text, ", measured between nodes %" PRIu32 " and %" PRIu32 " (%s)\n\n",
                 calibration->nodes.first, calibration->nodes.second,
                 calibrate_distance_name(calibration->given->calibrate.distance));
    add_parameters(&text, calibration);
    for (size_t t = 0; t < list->count; t++)
        if (calibration->modelled_ps[t] != NULL)
            add_table(&text, &list->tables[t], calibration->modelled_ps[t]);
    add_deviations(&text, calibration);
    return text_take(&text);
}
