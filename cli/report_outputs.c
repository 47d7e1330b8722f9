/* Checks the paths of --report and --figures before a run, switches on the recording of time bins
 * that pages show, and writes the page and its pictures afterwards. */
#include "cli/report_outputs.h"

#include "cli/run.h"

#include <string.h>

anax_code report_outputs_check(const struct invocation *invocation, const anax_config *config,
                               anax_error *error) {
    const char *const others[] = {invocation->output,        invocation->timeline,
                                  invocation->csv_path,      invocation->svg_path,
                                  invocation->perfetto_path, invocation->pictures_folder};
    anax_code code = run_check_file(invocation->report_path, invocation, config, error);
    if (code == ANAX_OK)
        code = run_check_folder(invocation->pictures_folder, invocation, config, error);
    for (size_t i = 0; i < sizeof others / sizeof *others && code == ANAX_OK; i++)
        code = run_check_different(others[i], invocation->report_path, error);
    for (size_t i = 0; i + 1 < sizeof others / sizeof *others && code == ANAX_OK; i++)
        code = run_check_different(others[i], invocation->pictures_folder, error);
    return code;
}

bool report_outputs_wanted(const struct invocation *invocation) {
    return invocation->report_path != NULL || invocation->pictures_folder != NULL;
}

anax_code report_outputs_keep_bins(const struct invocation *invocation, anax_config *config,
                                   anax_error *error) {
    const bool kept = invocation->checkpoint_folder != NULL || invocation->resume_folder != NULL;
    if (!report_outputs_wanted(invocation) || kept) return ANAX_OK;
    char *now = NULL;
    anax_code code = anax_config_get(&now, config, "record.time_bins", error);
    if (code == ANAX_OK && strcmp(now, "off") == 0) {
        code = anax_config_set(config, "record.time_bins", "64", error);
        if (code == ANAX_OK) code = anax_config_set(config, "record.rank_rows", "64", error);
    }
    anax_text_free(now);
    return code;
}

anax_code report_outputs_write_drawn(const struct invocation *invocation, const anax_report *report,
                                     anax_error *error) {
    anax_options options = ANAX_OPTIONS_INIT;
    anax_code code = ANAX_OK;
    options.replace = invocation->force;
    if (invocation->report_path != NULL)
        code = anax_text_write(anax_report_html(report), invocation->report_path, &options, error);
    if (code == ANAX_OK && invocation->pictures_folder != NULL)
        code = anax_report_write_figures(report, invocation->pictures_folder, error);
    return code;
}

anax_code report_outputs_write(const struct invocation *invocation, char *json, anax_error *error) {
    anax_report *report = NULL;
    if (!report_outputs_wanted(invocation)) {
        anax_text_free(json);
        return ANAX_OK;
    }
    if (json == NULL) return error->code = ANAX_ERROR_MEMORY;
    anax_code code = anax_report_new(&report, json, error);
    anax_text_free(json);
    if (code == ANAX_OK) code = report_outputs_write_drawn(invocation, report, error);
    anax_report_free(report);
    return code;
}
