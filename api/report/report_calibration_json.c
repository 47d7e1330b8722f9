/* A calibration as JSON, schema anax.calibration/1 (docs/man/anax-json.5.in). Knows results only.
 */
#include "api/calibrate/fit_settings.h"
#include "api/json/json_build.h"
#include "api/report/report_calibration.h"
#include "api/version.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Puts a time in whole picoseconds, rounded down. */
static void put_ps(struct json_object *object, const char *key, double time_ps) {
    json_put_int(object, key, (int64_t)llround(time_ps));
}

static void put_parameters(struct json_object *root, const anax_calibration *calibration) {
    static const char *const standings[] = {
        [FIT_KEPT] = "kept", [FIT_DIVIDED] = "divided", [FIT_DETERMINED] = "determined"};
    struct json_object *list = json_put_array(root, "settings");
    for (fit_parameter i = 0; i < FIT_PARAMETERS; i++) {
        const struct fit_result *fitted = &calibration->fit.parameters[i];
        struct json_object *entry = json_append_object(list);
        char *value = api_config_value(calibration->config, fit_setting_name(i));
        json_put_text(entry, "name", fit_setting_name(i));
        json_put_text(entry, "value", value);
        json_put_text(entry, "standing", standings[fitted->standing]);
        json_put_text(entry, "from", fitted->how);
        anax_text_free(value);
        struct json_object *steps = json_put_array(entry, "steps");
        for (size_t k = 0; k < fitted->count; k++) {
            const double half = fitted->steps[k].half_interval;
            struct json_object *step = json_append_object(steps);
            json_put_count(step, "from_bytes", fitted->steps[k].from_bytes);
            json_put_int(step, "value", fitted->steps[k].value);
            if (isfinite(half) && half < 9e18)
                put_ps(step, "half_interval", half);
            else
                json_put_null(step, "half_interval");
        }
    }
}

static void put_rows(struct json_object *entry, const struct measurement *table,
                     const double *modelled_ps) {
    struct json_object *rows = json_put_array(entry, "rows");
    for (size_t i = 0; i < table->count && modelled_ps != NULL; i++) {
        struct json_object *row = json_append_object(rows);
        json_put_count(row, "bytes", table->rows[i].size_bytes);
        put_ps(row, "measured_ps", table->rows[i].time_ps);
        put_ps(row, "modelled_ps", modelled_ps[i]);
    }
}

static void put_tables(struct json_object *root, const anax_calibration *calibration) {
    const struct measurement_list *list = &calibration->measurements;
    struct json_object *tables = json_put_array(root, "benchmarks");
    for (size_t t = 0; t < list->count; t++) {
        const struct measurement *table = &list->tables[t];
        struct json_object *entry = json_append_object(tables);
        json_put_text(entry, "name", table->name);
        json_put_text(entry, "file", table->file);
        json_put_count(entry, "line", table->line);
        json_put_text(entry, "kind", measurement_kind_name(table->kind));
        json_put_bool(entry, "used", calibration->modelled_ps[t] != NULL);
        json_put_count(entry, "pairs", table->pairs);
        put_rows(entry, table, calibration->modelled_ps[t]);
    }
}

char *report_calibration_json(const anax_calibration *calibration) {
    struct json_object *root = json_begin();
    json_put_text(root, "schema", "anax.calibration/1");
    json_put_text(root, "version", anax_version());
    json_put_text(root, "machine", api_machine_name(calibration->given));
    json_put_text(root, "distance",
                  calibrate_distance_name(calibration->given->calibrate.distance));
    struct json_object *nodes = json_put_array(root, "nodes");
    json_append_count(nodes, calibration->nodes.first);
    json_append_count(nodes, calibration->nodes.second);
    put_parameters(root, calibration);
    put_tables(root, calibration);
    struct json_object *warnings = json_put_array(root, "warnings");
    for (const char *line = calibration->warnings; line != NULL && *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        char *copy = strndup(line, length);
        if (copy == NULL) json_give_up(root);
        if (copy != NULL) json_append_text(warnings, copy);
        free(copy);
        line += length + (line[length] == '\n');
    }
    return json_finish(root);
}
