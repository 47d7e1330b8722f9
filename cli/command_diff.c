/* `anax diff`: two replay results side by side. */
#include "cli/run.h"

int command_diff(const struct invocation *invocation) {
    anax_error error = ANAX_ERROR_INIT;
    anax_diff *diff = NULL;
    if (anax_diff_results(&diff, invocation->arguments[0], invocation->arguments[1], &error) !=
        ANAX_OK)
        return run_failed(&error);
    const int exit_code = run_print(invocation->json ? anax_diff_json(diff) : anax_diff_text(diff));
    anax_diff_free(diff);
    return exit_code;
}
