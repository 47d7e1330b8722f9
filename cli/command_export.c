/* The command `anax export`. */
#include "cli/run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool write_piece(void *context, const char *text, size_t length) {
    return fwrite(text, 1, length, context) == length;
}

static int failed_to_write(const char *path) {
    fprintf(stderr, "anax export: cannot write %s: %s\n",
            path != NULL ? path : "to the standard output", strerror(errno));
    return 1;
}

/* Writes to `file`, whatever it is. */
static int write_to(FILE *file, const char *path, const anax_trace *trace,
                    const anax_config *config, const invocation *invocation) {
    anax_error error = ANAX_ERROR_INIT;
    anax_code code =
        anax_trace_export(trace, config, invocation->format, write_piece, file, &error);
    if (code == ANAX_OK && fflush(file) == 0 && !ferror(file)) return 0;
    if (code == ANAX_OK || ferror(file)) {
        anax_error_clear(&error);
        return failed_to_write(path);
    }
    return run_failed(&error);
}

/* Under another name first: a file appears only when it is whole. */
static int write_file(const char *path, const anax_trace *trace, const anax_config *config,
                      const invocation *invocation) {
    size_t size = strlen(path) + sizeof ".part";
    char *part = malloc(size);
    if (part == NULL) return failed_to_write(path);
    snprintf(part, size, "%s.part", path);
    FILE *file = fopen(part, "wx");
    int exit_code =
        file == NULL ? failed_to_write(part) : write_to(file, part, trace, config, invocation);
    if (file != NULL && fclose(file) != 0 && exit_code == 0) exit_code = failed_to_write(part);
    if (file != NULL && exit_code == 0 && rename(part, path) != 0)
        exit_code = failed_to_write(path);
    if (file != NULL && exit_code != 0) remove(part);
    free(part);
    return exit_code;
}

int command_export(const invocation *invocation) {
    anax_error error = ANAX_ERROR_INIT;
    anax_config *config = NULL;
    anax_trace *trace = NULL;
    run_progress progress;
    anax_options options = run_options(invocation, &progress);
    int exit_code = 0;
    if (invocation->format == NULL && !invocation->print_config) {
        fprintf(stderr, "anax export: missing: --format NAME (anax list formats)\n"
                        "Try `anax help export`.\n");
        return EXIT_USAGE;
    }
    anax_code code = run_config_new(&config, invocation, &error);
    if (code == ANAX_OK && invocation->print_config) {
        exit_code = run_print(anax_config_yaml(config, ANAX_SCOPE_EXPORT));
    } else {
        if (code == ANAX_OK) code = run_check_parent(invocation->output, &error);
        if (code == ANAX_OK)
            code = anax_trace_open(&trace, invocation->arguments[0], config, &options, &error);
        run_progress_end(&progress);
        if (code != ANAX_OK)
            exit_code = run_failed(&error);
        else if (invocation->output != NULL)
            exit_code = write_file(invocation->output, trace, config, invocation);
        else
            exit_code = write_to(stdout, NULL, trace, config, invocation);
    }
    anax_trace_free(trace);
    anax_config_free(config);
    return exit_code;
}
