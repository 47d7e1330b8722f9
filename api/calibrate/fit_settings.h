/*
 * Turns fitted parameters into settings. No other file names these settings. Knows configurations.
 */
#ifndef ANAX_API_FIT_SETTINGS_H
#define ANAX_API_FIT_SETTINGS_H

#include "api/api.h"
#include "api/calibrate/host_fit.h"

/* Returns the name of the setting of a parameter. */
const char *fit_setting_name(fit_parameter parameter);

/* Returns the word for a standing: "kept", "divided" or "determined". */
const char *fit_standing_name(fit_standing standing);

/* Changes config to hosts that take no time for messages and send every message eagerly, so that
 * only the network takes time. */
status_code fit_settings_clear(anax_config *config, struct status *status);

/* Sets all fitted parameters in config. Parameters that were not fitted get their values from
 * `kept`. */
status_code fit_settings_apply(anax_config *config, const anax_config *kept,
                               const struct host_fit *fit, struct status *status);

/* Sets one fitted parameter in config. */
status_code fit_setting_apply(anax_config *config, fit_parameter parameter,
                              const struct fit_result *fitted, struct status *status);

/* Writes a value of a parameter, or half of its interval, for people, such as "300ns". */
void fit_write_value(fit_parameter parameter, int64_t value, char *buffer, size_t size);

#endif
