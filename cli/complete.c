/*
 * Completes command lines for shells: `anax __complete WORD...` prints the words that can stand in
 * place of the last one. The scripts in cli/completion call it.
 *
 * Invariant: each line of the output is a whole word, or the output is the line @files, for which
 * the shell offers names of files. Names come from the tables that the parser reads.
 */
#include "cli/complete.h"

#include "api/command_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A completion: the beginning that candidates must have, and the text before it that stays. */
struct completion {
    const struct command *command;
    const anax_config *config; /* NULL: all settings are offered */
    const char *word;          /* the whole word */
    size_t kept;               /* bytes of it that stay */
    const char *end;           /* stands behind each candidate */
    size_t printed;
};

/* Returns whether a list of names separated by commas has a name. */
static bool is_in_list(const char *list, size_t length, const char *name) {
    const size_t wanted = strlen(name);
    for (const char *item = list; item < list + length;) {
        const size_t here = strcspn(item, ",");
        if (here == wanted && memcmp(item, name, here) == 0) return true;
        item += here + 1;
    }
    return false;
}

static void offer(struct completion *completion, const char *name) {
    const char *begun = completion->word + completion->kept;
    if (strncmp(name, begun, strlen(begun)) != 0) return;
    printf("%.*s%s%s\n", (int)completion->kept, completion->word, name, completion->end);
    completion->printed++;
}

static bool offer_choice(void *context, const anax_choice *choice) {
    struct completion *completion = context;
    const char *list = completion->word;
    size_t length = completion->kept;
    for (const char *c; (c = memchr(list, '=', length)) != NULL;) {
        length -= (size_t)(c + 1 - list);
        list = c + 1;
    }
    if (!is_in_list(list, length, choice->name)) offer(completion, choice->name);
    return true;
}

/* Offers the settings that the command uses. */
static bool offer_setting(void *context, const anax_choice *choice) {
    struct completion *completion = context;
    if (completion->config == NULL || completion->command->scope == ANAX_SCOPE_ALL ||
        anax_config_in_scope(completion->config, completion->command->scope, choice->name))
        offer(completion, choice->name);
    return true;
}

static void print_files_word(void) {
    puts("@files");
}

static void offer_family(struct completion *completion, const char *family) {
    if (strcmp(family, "commands") == 0)
        for (const struct command *row = commands(); row->name != NULL; row++)
            offer(completion, row->name);
    else
        anax_list(strcmp(family, "families") == 0 ? NULL : family, NULL, offer_choice, completion,
                  NULL);
}

/* Returns the family of a setting's values, as an option of any command names it; or NULL. */
static const char *family_of(const char *setting, size_t length) {
    for (const struct command *command = commands(); command->name != NULL; command++)
        for (const struct option_row *row = command->options; row->name != NULL; row++)
            if (row->setting != NULL && row->family != NULL && strlen(row->setting) == length &&
                memcmp(row->setting, setting, length) == 0)
                return row->family;
    return length == strlen("machine") && memcmp(setting, "machine", length) == 0 ? "machines"
                                                                                  : NULL;
}

static void offer_value(void *context, const char *value) {
    offer_choice(context, &(anax_choice){.name = value});
}

/* Offers the values of a setting; those of a list go on after its last comma. */
static void offer_values(struct completion *completion, const char *setting, size_t length) {
    char name[128];
    const char *comma = strrchr(completion->word + completion->kept, ',');
    if (comma != NULL) completion->kept = (size_t)(comma + 1 - completion->word);
    snprintf(name, sizeof name, "%.*s", (int)length, setting);
    const char *family = family_of(setting, length);
    if (family != NULL)
        offer_family(completion, family);
    else if (api_setting_is_path(name))
        print_files_word();
    else
        api_visit_setting_choices(name, offer_value, completion);
}

/* Offers arguments of an option; they begin at completion->kept. */
static void offer_argument(struct completion *completion, const struct option_row *row) {
    const char *text = completion->word + completion->kept, *equals = strchr(text, '=');
    bool written;
    if (row->action == OPTION_PAIR || row->action == OPTION_VARY) {
        if (equals == NULL) {
            completion->end = "=";
            anax_list("settings", NULL, offer_setting, completion, NULL);
            return;
        }
        completion->kept = (size_t)(equals + 1 - completion->word);
        offer_values(completion, text, (size_t)(equals - text));
    } else if (row->action == OPTION_EMIT) {
        offer(completion, "slurm");
        offer(completion, "commands");
    } else if (row->setting != NULL) {
        offer_values(completion, row->setting, strlen(row->setting));
    } else if (row->family != NULL) {
        const char *comma = strrchr(text, ',');
        if (comma != NULL) completion->kept = (size_t)(comma + 1 - completion->word);
        offer_family(completion, row->family);
        if (completion->printed == 0 && row->action == OPTION_MACHINE) print_files_word();
    } else if (command_option_is_path(row->action, &written)) {
        print_files_word();
    }
}

/* Returns the option that a word ends with and that takes its argument from the next word; NULL:
 * none. */
static const struct option_row *option_before(const struct command *command, const char *word) {
    const size_t length = strlen(word);
    if (length < 2 || word[0] != '-') return NULL;
    for (const struct option_row *row = command->options; row->name != NULL; row++) {
        if (row->argument == NULL) continue;
        const bool is_name = word[1] == '-' && strcmp(word + 2, row->name) == 0;
        const bool is_letter =
            word[1] != '-' && row->letter != 0 && word[length - 1] == row->letter;
        if (is_name || is_letter) return row;
    }
    return NULL;
}

/* Returns the option of a word such as --name=value; NULL: none. */
static const struct option_row *option_with_value(const struct command *command, const char *word) {
    const char *equals = strchr(word, '=');
    if (strncmp(word, "--", 2) != 0 || equals == NULL) return NULL;
    const size_t length = (size_t)(equals - word) - 2;
    for (const struct option_row *row = command->options; row->name != NULL; row++)
        if (row->argument != NULL && strlen(row->name) == length &&
            memcmp(row->name, word + 2, length) == 0)
            return row;
    return NULL;
}

static void offer_options(struct completion *completion) {
    completion->kept = 2;
    for (const struct option_row *row = completion->command->options; row->name != NULL; row++)
        offer(completion, row->name);
}

/* Completes a word of a command's line; `before` is the word before it. */
static void complete_word(struct completion *completion, const char *before) {
    const struct command *command = completion->command;
    const struct option_row *row = option_before(command, before);
    if (row != NULL) {
        offer_argument(completion, row);
    } else if ((row = option_with_value(command, completion->word)) != NULL) {
        completion->kept = strlen("--=") + strlen(row->name);
        offer_argument(completion, row);
    } else if (completion->word[0] == '-') {
        if (completion->word[1] == '\0') completion->word = "--";
        offer_options(completion);
    } else if (command->argument_family != NULL) {
        offer_family(completion, command->argument_family);
        if (completion->printed == 0 && strcmp(command->argument_family, "machines") == 0)
            print_files_word();
    } else if (command->max_arguments > 0) {
        print_files_word();
    }
}

int complete(int count, char **words) {
    if (count < 1) return EXIT_USAGE;
    struct completion completion = {.word = words[count - 1], .end = ""};
    if (count == 1) {
        offer_family(&completion, "commands");
        offer(&completion, "--version");
        offer(&completion, "--help");
        return 0;
    }
    completion.command = command_find(words[0]);
    if (completion.command == NULL) return 0;
    anax_config *config = NULL;
    if (anax_config_new(&config, NULL) == ANAX_OK) completion.config = config;
    complete_word(&completion, words[count - 2]);
    anax_config_free(config);
    return 0;
}
