/* Messages of the library in the command's words. */
#include "cli/option_advice.h"

#include "cli/command_options.h"
#include "cli/error_print.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What messages of the library name, and the option for it. A plan is an anax_compare_plan, an
 * anax_traffic_plan or an anax_search_plan. */
static const struct {
    const char *name, *option;
} words[] = {
    {"anax_options.advise", "--advise"},
    {"anax_options.explain", "--explain"},
    {"anax_options.replace", "--force"},
    {"anax_options.resume_folder", "--resume"},
    {"anax_options.threads", "--threads"},
    {"anax_traffic_part", "--part"},
    {"plan.loads", "--loads"},
    {"plan.machines", "--machine"},
    {"plan.negligible", "--negligible"},
    {"plan.points_folder", "--points"},
    {"plan.routings", "--routing"},
    {"plan.saturation_width", "--saturation"},
    {"plan.seeds", "--seeds"},
};

static const struct option_row *options; /* of the command that runs; NULL: none runs yet */

void option_advice_begin(const struct option_row *rows) {
    options = rows;
}

static bool is_of_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* Returns whether a name begins here that is no part of a longer one. */
static bool is_name_at(const char *text, const char *at, const char *name) {
    const size_t length = strlen(name);
    if (strncmp(at, name, length) != 0 || is_of_word(at[length])) return false;
    if (at[length] == '.' && is_of_word(at[length + 1])) return false;
    return at == text || (!is_of_word(at[-1]) && at[-1] != '.');
}

static bool has_name(const char *text, const char *name) {
    for (const char *at = text; (at = strstr(at, name)) != NULL; at++)
        if (is_name_at(text, at, name)) return true;
    return false;
}

static void add_in_words(FILE *message, const char *text) {
    for (const char *at = text; *at != '\0';) {
        size_t i = 0;
        while (i < sizeof words / sizeof *words && !is_name_at(text, at, words[i].name))
            i++;
        if (i < sizeof words / sizeof *words) {
            fputs(words[i].option, message);
            at += strlen(words[i].name);
        } else {
            fputc(*at++, message);
        }
    }
}

/* Adds " (--grid sets extrapolate.grid, --ranks sets extrapolate.ranks)". */
static void add_options(FILE *message, const char *text) {
    const char *before = strchr(text, '\n') != NULL ? "\n(" : " (", *after = "";
    for (const struct option_row *row = options; row != NULL && row->name != NULL; row++) {
        if (row->setting == NULL || strchr(row->setting, '.') == NULL) continue;
        if (!has_name(text, row->setting)) continue;
        fprintf(message, "%s--%s sets %s", before, row->name, row->setting);
        before = ", ";
        after = ")";
    }
    fputs(after, message);
}

void option_advice_print(const char *text) {
    char *message = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&message, &size);
    if (stream == NULL) {
        error_print("%s\n", text);
        return;
    }
    add_in_words(stream, text);
    if (strstr(text, ": error: ") == NULL) add_options(stream, text);
    const bool is_whole = fclose(stream) == 0;
    error_print("%s\n", is_whole ? message : text);
    free(message);
}
