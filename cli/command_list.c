/* The commands that inform: `anax list`, `anax help` and `anax version`. */
#include "api/command_support.h"
#include "cli/run.h"

#include <stdio.h>
#include <string.h>

static int print_list(const char *family, const char *word, bool json) {
    anax_error error = ANAX_ERROR_INIT;
    char *text = NULL;
    anax_code code = json ? anax_list_json(family, word, &text, &error)
                          : anax_list_text(family, word, &text, &error);
    return code == ANAX_OK ? run_print(text) : run_failed(&error);
}

int command_list(const struct invocation *invocation) {
    const char *family = invocation->argument_count > 0 ? invocation->arguments[0] : NULL;
    const char *word = invocation->argument_count > 1 ? invocation->arguments[1] : NULL;
    return print_list(family, word, invocation->json);
}

/* Whether a name is that of a family of `anax list`. */
struct family_search {
    const char *name;
    bool found;
};

static void compare_family(void *context, const anax_choice *choice) {
    struct family_search *search = context;
    search->found |= strcmp(choice->name, search->name) == 0;
}

int command_help(const struct invocation *invocation) {
    if (invocation->argument_count == 0) {
        help_overview();
        return 0;
    }
    const char *name = invocation->arguments[0];
    const struct command *command = command_find(name);
    if (command != NULL) {
        help_command(command);
        return 0;
    }
    struct family_search search = {name, false};
    if (anax_list(NULL, NULL, compare_family, &search, NULL) == ANAX_OK && search.found)
        return print_list(name, NULL, false);
    if (strchr(name, '.') != NULL) return print_list("settings", name, false);
    command_unknown(name);
    return EXIT_USAGE;
}

int command_version(const struct invocation *invocation) {
    char *libraries = anax_processes_supported();
    (void)invocation;
    printf("anax %s\n", anax_version());
    if (libraries != NULL)
        printf("runs on several processes of: %s\n",
               *libraries != '\0' ? libraries : "no MPI library");
    anax_text_free(libraries);
    return 0;
}
