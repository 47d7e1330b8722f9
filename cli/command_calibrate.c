/* `anax calibrate`: a machine's hosts fitted to measurements. */
#include "cli/run.h"

#include <string.h>

/* Checks the outputs, so that errors come before the fit. */
static anax_code check_outputs(const struct invocation *invocation, const anax_config *config,
                               anax_error *error) {
    anax_code code = run_check_different(invocation->output, invocation->svg_path, error);
    if (code == ANAX_OK) code = run_check_file(invocation->output, invocation, config, error);
    if (code == ANAX_OK) code = run_check_file(invocation->svg_path, invocation, config, error);
    return code;
}

static anax_code write_file(const char *path, char *text, const struct invocation *invocation,
                            anax_error *error) {
    anax_options options = ANAX_OPTIONS_INIT;
    options.replace = invocation->force;
    anax_code code = ANAX_ERROR_MEMORY;
    if (text != NULL)
        code = anax_text_write(text, path, &options, error);
    else
        error->code = ANAX_ERROR_MEMORY;
    anax_text_free(text);
    return code;
}

static int output_calibration(const anax_calibration *calibration,
                              const struct invocation *invocation) {
    anax_error error = ANAX_ERROR_INIT;
    anax_code code = ANAX_OK;
    if (invocation->output != NULL)
        code = write_file(invocation->output, anax_calibration_machine_yaml(calibration),
                          invocation, &error);
    if (code == ANAX_OK && invocation->svg_path != NULL)
        code =
            write_file(invocation->svg_path, anax_calibration_svg(calibration), invocation, &error);
    if (code != ANAX_OK) return run_print_error(&error);
    run_warn(NULL, anax_calibration_warnings(calibration));
    return run_print(invocation->json ? anax_calibration_json(calibration)
                                      : anax_calibration_text(calibration));
}

int command_calibrate(const struct invocation *invocation) {
    anax_error error = ANAX_ERROR_INIT;
    anax_config *config = NULL;
    anax_calibration *calibration = NULL;
    struct run_progress progress;
    anax_code code = run_config_new(&config, invocation, &error);
    if (code == ANAX_OK && invocation->print_config) {
        int printed = run_print_config(config, ANAX_SCOPE_CALIBRATE, invocation);
        anax_config_free(config);
        return printed;
    }
    if (code == ANAX_OK) code = run_check_machine(config, &error);
    if (code == ANAX_OK) code = check_outputs(invocation, config, &error);
    anax_options options = run_options(invocation, &progress);
    const anax_calibrate_plan plan = {sizeof plan, config, invocation->arguments,
                                      invocation->argument_count};
    if (code == ANAX_OK) code = anax_calibrate(&calibration, &plan, &options, &error);
    run_progress_end(&progress);
    int exit_code =
        code == ANAX_OK ? output_calibration(calibration, invocation) : run_print_error(&error);
    anax_calibration_free(calibration);
    anax_config_free(config);
    return exit_code;
}
