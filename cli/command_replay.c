/* `anax replay`: replays one trace, or several jobs. */
#include "api/command_support.h"
#include "cli/interrupt.h"
#include "cli/parallel_command.h"
#include "cli/report_outputs.h"
#include "cli/run.h"

#include <inttypes.h>
#include <stdio.h>

static anax_code prepare_config(anax_config **config, const struct invocation *invocation,
                                anax_error *error) {
    const anax_scope scope = invocation->command->scope;
    anax_code code = run_config_new(config, invocation, error);
    if (code == ANAX_OK) code = report_outputs_keep_bins(invocation, *config, error);
    if (code == ANAX_OK) code = run_check_background(*config, invocation, error);
    if (code == ANAX_OK && invocation->print_config)
        return anax_config_check(*config, scope, error);
    if (code != ANAX_OK) return code;
    code = run_check_machine(*config, error);
    if (code != ANAX_OK && invocation->argument_count > 0) {
        /* Report a wrong path before a missing machine. If there is a machine, opening the trace
         * reports it. */
        anax_code missing = run_check_trace(invocation->arguments[0], error);
        if (missing != ANAX_OK) code = missing;
    }
    /* Check the settings before reading a trace, which can take long. */
    if (code == ANAX_OK) code = anax_config_check(*config, scope, error);
    if (code == ANAX_OK && invocation->rank_count > 0 && invocation->perfetto_path == NULL)
        code = run_refuse(error, "--perfetto-ranks needs --perfetto FILE");
    if (code == ANAX_OK) code = run_check_folder(invocation->output, invocation, *config, error);
    if (code == ANAX_OK) code = run_check_folder(invocation->timeline, invocation, *config, error);
    if (code == ANAX_OK)
        code = run_check_file(invocation->perfetto_path, invocation, *config, error);
    if (code == ANAX_OK)
        code = run_check_different(invocation->output, invocation->timeline, error);
    if (code == ANAX_OK) code = run_check_checkpoint(invocation, *config, error);
    if (code == ANAX_OK) code = report_outputs_check(invocation, *config, error);
    if (code == ANAX_OK)
        code = run_check_different(invocation->perfetto_path, invocation->timeline, error);
    if (code == ANAX_OK)
        code = run_check_different(invocation->perfetto_path, invocation->output, error);
    return code;
}

/* Checks that no output overwrites a trace that the file of jobs names. */
static anax_code check_listed(const anax_jobs *jobs, const struct invocation *invocation,
                              anax_error *error) {
    const char *const outputs[] = {"/dev/stdout",           invocation->output,
                                   invocation->timeline,    invocation->perfetto_path,
                                   invocation->report_path, invocation->pictures_folder};
    anax_code code = ANAX_OK;
    for (size_t i = 0; i < anax_jobs_count(jobs); i++) {
        const char *path = anax_jobs_path(jobs, i);
        for (size_t k = 0; k < sizeof outputs / sizeof *outputs && code == ANAX_OK; k++)
            if (outputs[k] != NULL) code = api_check_apart(outputs[k], NULL, &path, 1, error);
    }
    return code;
}

/* Opens the traces of all jobs. */
static anax_code open_jobs(anax_jobs **jobs, const anax_config *config,
                           const struct invocation *invocation, const anax_options *options,
                           anax_error *error) {
    anax_code code = anax_jobs_new(jobs, error);
    if (code == ANAX_OK && invocation->jobs_file != NULL)
        code = anax_jobs_load(*jobs, invocation->jobs_file, config, options, error);
    if (code == ANAX_OK) code = check_listed(*jobs, invocation, error);
    for (size_t i = 0; i < invocation->argument_count && code == ANAX_OK; i++)
        code = anax_jobs_add(*jobs, invocation->arguments[i], config, options, error);
    return code;
}

/* Checks, before a run that can take long, that there are the ranks of --perfetto-ranks. */
static anax_code check_ranks(const anax_jobs *jobs, const struct invocation *invocation,
                             anax_error *error) {
    const uint32_t ranks = api_jobs_count_ranks(jobs);
    const uint64_t end = (uint64_t)invocation->first_rank + invocation->rank_count;
    if (end <= ranks) return ANAX_OK;
    char text[128];
    snprintf(text, sizeof text,
             "--perfetto-ranks: there is no rank %" PRIu64 "; the ranks are 0 to %" PRIu32, end - 1,
             ranks - 1);
    return run_refuse(error, text);
}

static anax_code write_perfetto(const anax_replay_result *result,
                                const struct invocation *invocation, anax_error *error) {
    anax_options options = ANAX_OPTIONS_INIT;
    options.replace = invocation->force;
    if (invocation->perfetto_path == NULL) return ANAX_OK;
    return anax_replay_result_write_perfetto(result, invocation->perfetto_path,
                                             invocation->first_rank, invocation->rank_count,
                                             &options, error);
}

/* Writes the files and prints the text of a replay that finished, as the command line asks for.
 * Returns the exit code. */
static int write_result(const anax_replay_result *result, const struct invocation *invocation,
                        anax_error *error) {
    anax_code code = ANAX_OK;
    if (invocation->output != NULL)
        code = anax_replay_result_write_tables(result, invocation->output, error);
    if (code == ANAX_OK && invocation->timeline != NULL)
        code = anax_replay_result_write_timeline(result, invocation->timeline, error);
    if (code == ANAX_OK && report_outputs_wanted(invocation))
        code = report_outputs_write(invocation, anax_replay_result_json(result), error);
    if (code == ANAX_OK) code = write_perfetto(result, invocation, error);
    if (code != ANAX_OK) return run_print_error(error);
    return run_print(invocation->json ? anax_replay_result_json(result)
                                      : anax_replay_result_text(result));
}

/* Shows what a replay returned: its result (NULL: there is none), or its error. Returns the exit
 * code. */
static int show(const anax_replay_result *result, anax_code code,
                const struct invocation *invocation, anax_error *error) {
    if (!parallel_command_prints()) { /* process 0 has the whole result */
        if (code == ANAX_OK && invocation->timeline != NULL)
            code = anax_replay_result_write_timeline(result, invocation->timeline, error);
        if (code == ANAX_OK) code = write_perfetto(result, invocation, error);
        return code == ANAX_OK ? 0 : run_print_error(error);
    }
    if (result != NULL) run_warn(NULL, anax_replay_result_warnings(result));
    if (code == ANAX_OK) return write_result(result, invocation, error);
    if (result != NULL && invocation->json) run_print(anax_replay_result_json(result));
    return run_print_error(error);
}

int command_replay(const struct invocation *invocation) {
    anax_error error = ANAX_ERROR_INIT;
    anax_config *config = NULL;
    anax_jobs *jobs = NULL;
    anax_replay_result *result = NULL;
    struct run_progress progress;
    anax_options options = run_options(invocation, &progress);
    int exit_code = 0;
    anax_code code = prepare_config(&config, invocation, &error);
    if (code == ANAX_OK && invocation->print_config) {
        exit_code = run_print_config(config, ANAX_SCOPE_REPLAY, invocation);
    } else {
        if (code == ANAX_OK) code = open_jobs(&jobs, config, invocation, &options, &error);
        if (code == ANAX_OK) code = check_ranks(jobs, invocation, &error);
        if (code == ANAX_OK) {
            if (parallel_command_prints()) {
                run_progress_end(&progress);
                run_warn(NULL, api_jobs_warnings_before(config, jobs));
            }
            if (invocation->checkpoint_folder != NULL) interrupt_defer_long();
            code = anax_jobs_replay(&result, config, jobs, &options, &error);
            interrupt_defer(false);
        }
        run_progress_end(&progress);
        const bool stopped = code == ANAX_ERROR_STOPPED;
        exit_code = show(stopped ? NULL : result, code, invocation, &error);
        if (stopped) exit_code = RUN_INTERRUPTED;
    }
    anax_replay_result_free(result);
    anax_jobs_free(jobs);
    anax_config_free(config);
    return exit_code;
}
