/* The commands that inform: `anax list`, `anax help` and `anax version`. */
#include "api/command_support.h"
#include "cli/run.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { OTHER_WIDTH = 80 }; /* columns of help that does not go to a terminal */

/* Returns the width of the terminal in columns; 0: the output is no terminal. */
static size_t terminal_width(void) {
    enum { WIDTH_MIN = 40 };
    struct winsize size;
    if (!isatty(STDOUT_FILENO)) return 0;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return OTHER_WIDTH;
    return size.ws_col > WIDTH_MIN ? size.ws_col : WIDTH_MIN;
}

/* Prints a line "NAME   HELP", and breaks the help before `width`. Names have one column; where
 * that takes more than half of the width, the help begins below its name. */
static void print_member(const char *line, size_t length, size_t width) {
    const char *gap = strstr(line, "  ");
    size_t indent = gap != NULL ? (size_t)(gap - line) : 0, column = 0;
    while (indent < length && line[indent] == ' ')
        indent++;
    const char *text = line + indent, *end = line + length;
    if (gap == NULL || indent > length) text = line, indent = 0;
    if (indent > width / 2) {
        printf("%.*s\n", (int)(gap - line), line);
        indent = 4;
    } else {
        printf("%.*s", (int)indent, line);
        column = indent;
    }
    for (bool joined = true; text < end;) {
        size_t word = strcspn(text, " |\n");
        word += text[word] == '|'; /* choices may be divided there */
        const size_t blank = joined ? 0 : 1;
        if (column == 0 || (column > indent && column + blank + word > width)) {
            printf("%s%*s", column > 0 ? "\n" : "", (int)indent, "");
            column = indent;
        } else if (blank > 0) {
            putchar(' ');
            column++;
        }
        printf("%.*s", (int)word, text);
        column += word;
        text += word;
        joined = text < end && *text != ' ';
        while (text < end && *text == ' ')
            text++;
    }
    putchar('\n');
}

static int print_members(char *text, size_t width) {
    for (const char *line = text; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        print_member(line, length, width);
        line += length + (line[length] == '\n');
    }
    anax_text_free(text);
    return run_flush();
}

/* Prints a list. other_width: width of lines if the output is no terminal; 0: one line for each
 * member. */
static int print_list(const char *family, const char *word, bool json, size_t other_width) {
    anax_error error = ANAX_ERROR_INIT;
    char *text = NULL;
    anax_code code = json ? anax_list_json(&text, family, word, &error)
                          : anax_list_text(&text, family, word, &error);
    if (code != ANAX_OK) return run_print_error(&error);
    size_t width = json ? 0 : terminal_width();
    if (width == 0) width = other_width;
    return width > 0 && text != NULL ? print_members(text, width) : run_print(text);
}

int command_list(const struct invocation *invocation) {
    const char *family = invocation->argument_count > 0 ? invocation->arguments[0] : NULL;
    const char *word = invocation->argument_count > 1 ? invocation->arguments[1] : NULL;
    return print_list(family, word, invocation->json, 0);
}

/* A search for a family of `anax list` by its name. */
struct family_search {
    const char *name;
    bool found;
};

static bool compare_family(void *context, const anax_choice *choice) {
    struct family_search *search = context;
    search->found = strcmp(choice->name, search->name) == 0;
    return !search->found;
}

int command_help(const struct invocation *invocation) {
    if (invocation->argument_count == 0) {
        help_print_overview();
        return 0;
    }
    const char *name = invocation->arguments[0];
    const struct command *command = command_find(name);
    if (command != NULL) {
        help_print_command(command);
        return 0;
    }
    struct family_search search = {name, false};
    if (anax_list(NULL, NULL, compare_family, &search, NULL) == ANAX_OK && search.found)
        return print_list(name, NULL, false, OTHER_WIDTH);
    if (strchr(name, '.') != NULL) return print_list("settings", name, false, OTHER_WIDTH);
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
