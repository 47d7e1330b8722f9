/* `anax report`: the page of a result that was saved. */
#include "cli/report_outputs.h"
#include "cli/run.h"

static anax_code make_report(const struct invocation *invocation, anax_error *error) {
    const char *path = invocation->arguments[0];
    anax_report *report = NULL;
    anax_code code = report_outputs_check(invocation, NULL, error);
    if (code == ANAX_OK) code = anax_report_open(&report, path, error);
    if (code == ANAX_OK) code = report_outputs_write_drawn(invocation, report, error);
    anax_report_free(report);
    return code;
}

int command_report(const struct invocation *invocation) {
    anax_error error = ANAX_ERROR_INIT;
    anax_code code = ANAX_OK;
    if (!report_outputs_wanted(invocation))
        code = run_refuse(&error, "nothing to write: name a page with --report FILE.html, or a "
                                  "folder of pictures with --figures DIR");
    if (code == ANAX_OK) code = make_report(invocation, &error);
    return code == ANAX_OK ? 0 : run_print_error(&error);
}
