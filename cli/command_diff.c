/* `anax diff`: two replay results side by side. */
#include "cli/report_outputs.h"
#include "cli/run.h"

static anax_code make_diff(anax_diff **diff, const struct invocation *invocation,
                           anax_error *error) {
    anax_code code = report_outputs_check(invocation, NULL, error);
    if (code == ANAX_OK)
        code = anax_diff_files(diff, invocation->arguments[0], invocation->arguments[1], error);
    if (code == ANAX_OK && report_outputs_wanted(invocation))
        code = report_outputs_write(invocation, anax_diff_json(*diff), error);
    return code;
}

int command_diff(const struct invocation *invocation) {
    anax_error error = ANAX_ERROR_INIT;
    anax_diff *diff = NULL;
    const anax_code code = make_diff(&diff, invocation, &error);
    const int exit_code =
        code == ANAX_OK ? run_print(invocation->json ? anax_diff_json(diff) : anax_diff_text(diff))
                        : run_print_error(&error);
    anax_diff_free(diff);
    return exit_code;
}
