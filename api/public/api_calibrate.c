/* Calibrations through the public interface: reads measurements and creates a fitted machine. */
#include "api/calibrate/calibration.h"
#include "api/caller_struct.h"
#include "api/report/report_calibration.h"
#include "api/table/tables.h"
#include "core/memory/memory.h"
#include "network/network_config.h"

#include <stdlib.h>

/* Reads all files, so that the error lists the faults of every file. */
static status_code read_files(struct measurement_list *list, const char *const *files, size_t count,
                              struct status *status) {
    status_code code = STATUS_OK;
    for (size_t i = 0; i < count; i++) {
        struct status own = STATUS_INIT;
        status_code one = measurements_read(list, files[i], &own);
        if (one != STATUS_OK && code == STATUS_OK) {
            code = one;
            if (status != NULL) *status = own;
            continue;
        }
        if (one != STATUS_OK) status_append(status, "%s", own.text);
        status_clear(&own);
    }
    return code;
}

static status_code calibrate(anax_calibration *calibration, const anax_calibrate_plan *plan,
                             const anax_options *options, struct status *status) {
    const anax_config *config = plan->config;
    RETURN_ERROR_IF(config == NULL, status, STATUS_USAGE,
                    "a calibration needs a machine: set plan.config");
    FORWARD_IF_ERROR(api_config_copy(&calibration->config, config, status));
    FORWARD_IF_ERROR(api_config_copy(&calibration->given, config, status));
    RETURN_ERROR_IF(plan->files == NULL || plan->file_count == 0, status, STATUS_USAGE,
                    "there are no files of measurements");
    FORWARD_IF_ERROR(network_config_check(&config->network, status));
    FORWARD_IF_ERROR(read_files(&calibration->measurements, plan->files, plan->file_count, status));
    FORWARD_IF_ERROR(benchmark_nodes_find(&calibration->nodes, config, status));
    FORWARD_IF_ERROR(calibration_fit(calibration, options, status));
    calibration->warnings = text_take(&calibration->fit.warnings);
    RETURN_ERROR_IF(calibration->warnings == NULL, status, STATUS_MEMORY,
                    "out of memory for warnings");
    return STATUS_OK;
}

anax_code anax_calibrate(anax_calibration **calibration, const anax_calibrate_plan *plan,
                         const anax_options *options, anax_error *error) {
    struct status status = STATUS_INIT;
    anax_options own;
    anax_calibrate_plan own_plan = ANAX_CALIBRATE_PLAN_INIT;
    status_code code = caller_read_options(&own, options, __func__, &status);
    if (code == STATUS_OK)
        code = caller_struct_read(&own_plan, plan, &caller_calibrate_plan_struct, &status);
    *calibration = memory_new(1, sizeof **calibration);
    if (*calibration == NULL)
        code = status_set(&status, STATUS_MEMORY, "out of memory for a calibration");
    if (code == STATUS_OK) code = calibrate(*calibration, &own_plan, &own, &status);
    if (code != STATUS_OK) {
        anax_calibration_free(*calibration);
        *calibration = NULL;
    }
    return api_return(&status, error);
}

void anax_calibration_free(anax_calibration *calibration) {
    if (calibration == NULL) return;
    for (size_t t = 0; calibration->modelled_ps != NULL && t < calibration->measurements.count; t++)
        free(calibration->modelled_ps[t]);
    free(calibration->modelled_ps);
    measurements_free(&calibration->measurements);
    free(text_take(&calibration->fit.warnings));
    free(calibration->warnings);
    anax_config_free(calibration->config);
    anax_config_free(calibration->given);
    free(calibration);
}

const anax_config *anax_calibration_config(const anax_calibration *calibration) {
    return calibration->config;
}

char *anax_calibration_warnings(const anax_calibration *calibration) {
    return strdup(calibration->warnings);
}

char *anax_calibration_machine_yaml(const anax_calibration *calibration) {
    return calibrated_machine_yaml(calibration);
}

char *anax_calibration_text(const anax_calibration *calibration) {
    return report_calibration_text(calibration);
}

char *anax_calibration_json(const anax_calibration *calibration) {
    const struct table_source source = {.calibration = calibration};
    return table_json(&tables_calibration, &source);
}

anax_code anax_calibration_table(anax_table **table, const anax_calibration *calibration,
                                 const char *name, anax_error *error) {
    struct status status = STATUS_INIT;
    const struct table_source source = {.calibration = calibration};
    table_collect(table, &tables_calibration, name, &source, &status);
    return api_return(&status, error);
}

char *anax_calibration_svg(const anax_calibration *calibration) {
    return report_calibration_svg(calibration);
}
