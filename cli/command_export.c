/* The command `anax export`. */
#include "api/command_support.h"
#include "cli/run.h"

#include <inttypes.h>
#include <stdio.h>

static bool write_piece(void *context, const char *text, size_t length) {
    return fwrite(text, 1, length, context) == length;
}

/* Writes the export to the standard output, which may be a terminal, a pipe or a file. */
static int write_out(const anax_trace *trace, const anax_config *config,
                     const struct invocation *invocation) {
    anax_error error = ANAX_ERROR_INIT;
    anax_code code =
        anax_trace_export(trace, config, invocation->format, write_piece, stdout, &error);
    if (code != ANAX_OK && !ferror(stdout)) return run_print_error(&error);
    anax_error_clear(&error);
    return run_flush();
}

/* Warns about sends and receives without a partner, which other programs may not accept, and about
 * files, which no format has. */
static void warn_of_left_out(const anax_trace *trace) {
    anax_trace_info info = ANAX_TRACE_INFO_INIT;
    anax_trace_get_info(&info, trace, NULL);
    if (info.unmatched_sends > 0)
        fprintf(stderr,
                "anax export: sends without a receive in the trace: %" PRIu64
                " (they are written, and nothing requires that they are complete)\n",
                info.unmatched_sends);
    if (info.unmatched_receives > 0)
        fprintf(stderr,
                "anax export: receives without a send in the trace: %" PRIu64
                " (they are left out)\n",
                info.unmatched_receives);
    const uint64_t accesses = api_trace_count_file_accesses(trace);
    if (accesses > 0)
        fprintf(stderr,
                "anax export: reads and writes of files: %" PRIu64
                " (they are left out, and so is the time that they take)\n",
                accesses);
}

int command_export(const struct invocation *invocation) {
    anax_error error = ANAX_ERROR_INIT;
    anax_config *config = NULL;
    anax_trace *trace = NULL;
    struct run_progress progress;
    anax_options options = run_options(invocation, &progress);
    int exit_code = 0;
    if (invocation->format == NULL && !invocation->print_config) {
        fprintf(stderr, "anax export: missing option: --format NAME (anax list formats)\n"
                        "Try `anax help export`.\n");
        return EXIT_USAGE;
    }
    anax_code code = run_config_new(&config, invocation, &error);
    if (code == ANAX_OK && invocation->print_config) {
        exit_code = run_print_config(config, ANAX_SCOPE_EXPORT, invocation);
    } else {
        if (code == ANAX_OK) code = run_check_file(invocation->output, invocation, config, &error);
        if (code == ANAX_OK)
            code = anax_trace_open(&trace, invocation->arguments[0], config, &options, &error);
        run_progress_end(&progress);
        run_warn_of(NULL, trace);
        if (code == ANAX_OK && invocation->output != NULL)
            code = anax_trace_export_file(trace, config, invocation->format, invocation->output,
                                          &options, &error);
        else if (code == ANAX_OK)
            exit_code = write_out(trace, config, invocation);
        if (code == ANAX_OK && exit_code == 0)
            warn_of_left_out(trace);
        else if (code != ANAX_OK)
            exit_code = run_print_error(&error);
    }
    anax_trace_free(trace);
    anax_config_free(config);
    return exit_code;
}
