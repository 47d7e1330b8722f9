/* The table that names the setting of each fitted parameter, and the functions that write fitted
 * values into a configuration, or reset the settings before a fit. */
#include "api/calibrate/fit_settings.h"

#include "core/settings/units.h"

#include <stdio.h>
#include <stdlib.h>

static const struct {
    const char *name;
    const char *cleared; /* value with which hosts take no time */
    void (*text)(int64_t value, char *buffer, size_t size);
} rows[FIT_PARAMETERS] = {
    [FIT_EAGER_THRESHOLD] = {"mpi.eager_threshold", "256TiB", units_size_text},
    [FIT_SEND_OVERHEAD] = {"mpi.send_overhead", "0", units_time_text},
    [FIT_RECEIVE_OVERHEAD] = {"mpi.receive_overhead", "0", units_time_text},
    [FIT_SEND_COPY] = {"mpi.eager_send_copy_per_kib", "0", units_time_text},
    [FIT_RECEIVE_COPY] = {"mpi.eager_receive_copy_per_kib", "0", units_time_text},
    [FIT_RENDEZVOUS_SEND] = {"mpi.rendezvous_send_overhead", "0", units_time_text},
    [FIT_RENDEZVOUS_RECEIVE] = {"mpi.rendezvous_receive_overhead", "0", units_time_text},
    [FIT_SEND_PER_KIB] = {"mpi.send_overhead_per_kib", "0", units_time_text},
    [FIT_RECEIVE_PER_KIB] = {"mpi.receive_overhead_per_kib", "0", units_time_text},
    [FIT_SEND_LATENCY] = {"network.nic.send_latency", "0", units_time_text},
    [FIT_RECEIVE_LATENCY] = {"network.nic.receive_latency", "0", units_time_text},
    [FIT_MESSAGE_GAP] = {"network.nic.message_gap", "0", units_time_text},
    [FIT_NIC_BANDWIDTH] = {"network.nic.bandwidth", NULL, units_bandwidth_text},
    [FIT_HOST_BANDWIDTH] = {"network.nic.host_bandwidth", "0", units_bandwidth_text},
    [FIT_MEMORY_LATENCY] = {"network.memory.latency", "0", units_time_text},
    [FIT_MEMORY_BANDWIDTH] = {"network.memory.bandwidth", "10TB/s", units_bandwidth_text},
    [FIT_REDUCTION] = {"mpi.reduction_per_kib", NULL, units_time_text},
};

const char *fit_standing_name(fit_standing standing) {
    static const char *const names[] = {
        [FIT_KEPT] = "kept", [FIT_DIVIDED] = "divided", [FIT_DETERMINED] = "determined"};
    return names[standing];
}

const char *fit_setting_name(fit_parameter parameter) {
    return rows[parameter].name;
}

void fit_write_value(fit_parameter parameter, int64_t value, char *buffer, size_t size) {
    rows[parameter].text(value, buffer, size);
}

status_code fit_settings_clear(anax_config *config, struct status *status) {
    for (size_t i = 0; i < FIT_PARAMETERS; i++)
        if (rows[i].cleared != NULL)
            FORWARD_IF_ERROR(
                settings_set(&config->settings, rows[i].name, rows[i].cleared, status));
    /* The fit has one overhead at each end, with all that a message costs there. */
    return settings_set(&config->settings, "mpi.send_completion", "0", status);
}

status_code fit_setting_apply(anax_config *config, fit_parameter parameter,
                              const struct fit_result *fitted, struct status *status) {
    char text[SETTING_TEXT_BYTES];
    size_t length = 0;
    for (size_t i = 0; i < fitted->count; i++) {
        char value[UNITS_TEXT_BYTES], from[UNITS_TEXT_BYTES];
        fit_write_value(parameter, fitted->steps[i].value, value, sizeof value);
        units_size_text((int64_t)fitted->steps[i].from_bytes, from, sizeof from);
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%s%s%s",
                                   i > 0 ? "/" : "", i > 0 ? from : "", i > 0 ? ":" : "", value);
    }
    return settings_set(&config->settings, rows[parameter].name, text, status);
}

status_code fit_settings_apply(anax_config *config, const anax_config *kept,
                               const struct host_fit *fit, struct status *status) {
    for (fit_parameter i = 0; i < FIT_PARAMETERS; i++) {
        const struct fit_result *fitted = &fit->parameters[i];
        if (fitted->count > 0) {
            FORWARD_IF_ERROR(fit_setting_apply(config, i, fitted, status));
            continue;
        }
        struct setting_section *section = NULL;
        const struct setting_row *row = settings_find(&kept->settings, rows[i].name, &section);
        char *text = setting_new_text(section, row);
        RETURN_ERROR_IF(text == NULL, status, STATUS_MEMORY, "out of memory for settings");
        status_code code = settings_set(&config->settings, rows[i].name, text, status);
        free(text);
        FORWARD_IF_ERROR(code);
    }
    return STATUS_OK;
}
