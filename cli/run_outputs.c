/* Checks before a run that an output is none of its inputs, and that it is in no folder of points
 * or checkpoints. */
#include "api/command_support.h"
#include "cli/run.h"

/* Refuses an output that is also an input of the command line, or is in a folder of points or of a
 * checkpoint. Arguments that name members of a family, such as patterns, are not files. */
static anax_code check_apart(const char *path, const struct invocation *invocation,
                             const anax_config *config, anax_error *error) {
    const bool files = invocation->command->argument_family == NULL;
    const char *const more[] = {invocation->trace, invocation->jobs_file};
    anax_code code = api_check_apart(path, config, invocation->arguments,
                                     files ? invocation->argument_count : 0, error);
    for (size_t i = 0; i < sizeof more / sizeof *more && code == ANAX_OK; i++)
        if (more[i] != NULL) code = api_check_apart(path, NULL, &more[i], 1, error);
    const char *const folders[] = {invocation->resume_folder, invocation->checkpoint_folder,
                                   invocation->points_folder};
    for (size_t i = 0; i < sizeof folders / sizeof *folders && code == ANAX_OK; i++)
        if (folders[i] != NULL) code = api_check_outside(path, folders[i], error);
    return code;
}

anax_code run_check_file(const char *path, const struct invocation *invocation,
                         const anax_config *config, anax_error *error) {
    if (path == NULL) return ANAX_OK;
    anax_options options = ANAX_OPTIONS_INIT;
    options.replace = invocation->force;
    anax_code code = run_check_parent(path, error);
    if (code == ANAX_OK) code = check_apart(path, invocation, config, error);
    return code == ANAX_OK ? anax_file_check(path, &options, error) : code;
}

anax_code run_check_folder(const char *path, const struct invocation *invocation,
                           const anax_config *config, anax_error *error) {
    if (path == NULL) return ANAX_OK;
    anax_code code = run_check_new(path, error);
    return code == ANAX_OK ? check_apart(path, invocation, config, error) : code;
}

anax_code run_check_checkpoint(const struct invocation *invocation, const anax_config *config,
                               anax_error *error) {
    const char *folder = invocation->checkpoint_folder;
    if (folder == NULL) return ANAX_OK;
    const char *const others[] = {invocation->output,      invocation->timeline,
                                  invocation->csv_path,    invocation->perfetto_path,
                                  invocation->report_path, invocation->pictures_folder};
    anax_code code = check_apart(folder, invocation, config, error);
    for (size_t i = 0; i < sizeof others / sizeof *others && code == ANAX_OK; i++)
        code = run_check_different(others[i], folder, error);
    return code;
}

anax_code run_check_stdout(const struct invocation *invocation, const anax_config *config,
                           anax_error *error) {
    return check_apart("/dev/stdout", invocation, config, error);
}
