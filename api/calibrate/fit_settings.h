/*
 * From what was fitted to settings: the only place that names them. Knows configurations.
 */
#ifndef ANAX_API_FIT_SETTINGS_H
#define ANAX_API_FIT_SETTINGS_H

#include "api/api.h"
#include "api/calibrate/host_fit.h"

/* The setting of a parameter. */
const char *fit_setting_name(fit_parameter parameter);

/* Hosts that take no time and send every message at once, so that only the network is left. */
status_code fit_settings_clear(anax_config *config, struct status *status);

/* Puts what was fitted in place; what was kept becomes what it is in `kept`. */
status_code fit_settings_apply(anax_config *config, const anax_config *kept,
                               const struct host_fit *fit, struct status *status);

/* One of them. */
status_code fit_setting_apply(anax_config *config, fit_parameter parameter,
                              const struct fit_result *fitted, struct status *status);

/* Values for people: "300ns/1KiB:350ns"; a step's value and half interval. */
void fit_value_text(fit_parameter parameter, int64_t value, char *buffer, size_t size);

#endif
