/*
 * Prints the commands of all parts of a sweep: a script for Slurm, or lines for GNU parallel. Words
 * are quoted for the shell, so that every argument arrives as it was given.
 */
#include "cli/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Writes a word so that the shell reads it as it is. */
static void put_word(FILE *file, const char *before, const char *word) {
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                "_./:=,+@%-";
    if (*before == '\0' && *word == '\0') fputs("''", file);
    if (strspn(before, plain) == strlen(before) && strspn(word, plain) == strlen(word)) {
        fprintf(file, "%s%s", before, word);
        return;
    }
    fprintf(file, "%s'", before);
    for (const char *c = word; *c != '\0'; c++) {
        if (*c == '\'')
            fputs("'\\''", file);
        else
            fputc(*c, file);
    }
    fputc('\'', file);
}

/* Writes the path of this program, because a batch job may have another search path. */
static void put_program(FILE *file) {
    char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length > 0 ? length : 0] = '\0';
    put_word(file, "", length > 0 ? path : "anax");
}

/* Tells whether an option belongs to the command of a part, or to the command that merges. */
static bool is_wanted(const struct option_row *row, bool part) {
    if (row->action == OPTION_EMIT || row->action == OPTION_PART_COUNT) return false;
    return !part || (row->action != OPTION_JSON && row->action != OPTION_OUTPUT &&
                     row->action != OPTION_REPORT && row->action != OPTION_FIGURES);
}

/* Writes the command line without the options that concern only --emit. end: text after the
 * options. */
static void put_command(FILE *file, const struct invocation *invocation,
                        const struct plan_inputs *inputs, bool part, const char *end) {
    char before[64];
    put_program(file);
    fprintf(file, " %s", invocation->command->name);
    for (size_t i = 0; i < invocation->given_count; i++) {
        const struct given_option *given = &invocation->given[i];
        if (!is_wanted(given->row, part)) continue;
        snprintf(before, sizeof before, " --%s%s", given->row->name,
                 given->argument != NULL ? "=" : "");
        fputs(before, file);
        if (given->argument != NULL && *given->argument != '\0')
            put_word(file, "", given->argument);
    }
    if (invocation->points_folder == NULL) {
        fputs(" --points=", file);
        put_word(file, "", inputs->folder);
    }
    fputs(end, file);
    bool like_option = false;
    for (size_t i = 0; i < invocation->argument_count; i++)
        like_option = like_option || invocation->arguments[i][0] == '-';
    if (like_option) fputs(" --", file);
    for (size_t i = 0; i < invocation->argument_count; i++) {
        fputc(' ', file);
        put_word(file, "", invocation->arguments[i]);
    }
}

static char *command_text(const struct invocation *invocation, const struct plan_inputs *inputs,
                          bool part, const char *end) {
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (file == NULL) return NULL;
    put_command(file, invocation, inputs, part, end);
    if (fclose(file) == 0) return text;
    free(text);
    return NULL;
}

static int no_memory(void) {
    fprintf(stderr, "anax: out of memory for a text\n");
    return anax_code_exit_code(ANAX_ERROR_MEMORY);
}

/* Prints one line for each part, and the command that merges as a comment. */
static int emit_commands(const struct invocation *invocation, const struct plan_inputs *inputs,
                         unsigned count) {
    char end[64];
    char *merge = command_text(invocation, inputs, false, "");
    if (merge == NULL) return no_memory();
    if (strchr(merge, '\n') != NULL) {
        free(merge);
        fprintf(stderr,
                "anax %s: --emit commands prints a line for each part, and an argument of this "
                "command has a newline in it\n",
                invocation->command->name);
        return EXIT_USAGE;
    }
    for (unsigned i = 1; i <= count; i++) {
        snprintf(end, sizeof end, " --part=%u/%u", i, count);
        put_command(stdout, invocation, inputs, true, end);
        putchar('\n');
    }
    printf("# when all parts have ended: %s\n", merge);
    free(merge);
    return run_flush();
}

/* Prints a command for sbatch, which reads the script that follows up to a line that does not occur
 * in it. */
static void put_job(const char *name, const char *options, const char *script) {
    char end[64] = "END_OF_JOB";
    while (strstr(script, end) != NULL && strlen(end) + 1 < sizeof end)
        strcat(end, "_");
    printf("%s=$(sbatch --parsable %s \"$@\" <<'%s'\n#!/bin/sh\nexec %s\n%s\n)\n", name, options,
           end, script, end);
}

/* Prints a script that submits an array of jobs, and a job that merges their points when all have
 * ended. The merging job also runs if some of them failed, and reports that. */
static int emit_slurm(const struct invocation *invocation, const struct plan_inputs *inputs,
                      unsigned count) {
    const char *command = invocation->command->name;
    char end[64], options[256], processors[64] = "";
    snprintf(end, sizeof end, " --part=\"$SLURM_ARRAY_TASK_ID\"/%u", count);
    char *part = command_text(invocation, inputs, true, end);
    char *merge = command_text(invocation, inputs, false, "");
    if (part != NULL && merge != NULL) {
        if (invocation->threads > 0)
            snprintf(processors, sizeof processors, " --cpus-per-task=%u", invocation->threads);
        printf("#!/bin/sh\n"
               "# Submits %u part%s of `anax %s` to Slurm, and a job that merges them. Run it in\n"
               "# the folder of this command, with options for sbatch if need be:\n"
               "#     sh FILE --time=1:00:00 --partition=NAME\n"
               "set -eu\n",
               count, count == 1 ? "" : "s", command);
        snprintf(options, sizeof options, "--job-name=anax-%s --array=1-%u%s", command, count,
                 processors);
        put_job("parts", options, part);
        snprintf(options, sizeof options,
                 "--job-name=anax-merge --dependency=\"afterany:${parts%%%%;*}\"%s", processors);
        put_job("merge", options, merge);
        printf("echo \"parts: job ${parts%%%%;*}; merging: job ${merge%%%%;*}\"\n");
    }
    const bool good = part != NULL && merge != NULL;
    free(part);
    free(merge);
    return good ? run_flush() : no_memory();
}

int plan_emit(const struct invocation *invocation, const struct plan_inputs *inputs,
              unsigned count) {
    if (invocation->part_count > 0) count = invocation->part_count;
    return strcmp(invocation->emit, "slurm") == 0 ? emit_slurm(invocation, inputs, count)
                                                  : emit_commands(invocation, inputs, count);
}
