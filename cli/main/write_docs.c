/*
 * Writes manual pages from the command's tables, while anax is built.
 *
 *     anax_write_docs page TEMPLATE FILE       a page of docs/man/, with its @ lines filled in
 *
 * A template is a page for man(7) in which these lines stand for text from the tables:
 *     @title NAME SECTION DATE  the .TH line      @command NAME    name, synopsis, description
 *     @options NAME           its options         @examples NAME   its examples
 *     @commands               all commands        @families        what `anax list` lists
 *     @family NAME            what `anax list NAME` lists
 *     @tables NAME            the tables of one kind of result, with their columns
 *     @files NAME             its tables that are written as CSV files
 */
#include "cli/option_text.h"

#include <stdio.h>
#include <string.h>

/* Writes a text with every character escaped that has a meaning in roff. */
static void put_text(FILE *file, const char *text) {
    if (*text == '.' || *text == '\'') fputs("\\&", file);
    for (; *text != '\0'; text++) {
        if (*text == '\\')
            fputs("\\e", file);
        else if (*text == '-')
            fputs("\\-", file);
        else if (*text == '`' || *text == '\'')
            fputs(*text == '`' ? "\\(ga" : "\\(aq", file);
        else
            fputc(*text, file);
    }
}

/* Writes paragraphs. Empty lines of the text separate them. */
static void put_paragraphs(FILE *file, const char *text) {
    while (*text != '\0') {
        char line[256];
        size_t length = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, text);
        if (length == 0)
            fputs(".PP", file);
        else
            put_text(file, line);
        fputc('\n', file);
        text += length + (text[length] == '\n');
    }
}

static void put_item(FILE *file, const char *tag, const char *text) {
    fputs(".TP\n.B ", file);
    put_text(file, tag);
    fputc('\n', file);
    put_text(file, text);
    fputc('\n', file);
}

static bool put_choice(void *context, const anax_choice *choice) {
    put_item(context, choice->name, choice->help);
    return true;
}

static void put_command(FILE *file, const struct command *command) {
    fprintf(file, ".SH NAME\nanax\\-%s \\- ", command->name);
    put_text(file, command->summary);
    fprintf(file, "\n.SH SYNOPSIS\n.B anax %s\n", command->name);
    if (command->arguments[0] != '\0') fprintf(file, ".I %s\n", command->arguments);
    fputs(".RI [ options ]\n.SH DESCRIPTION\n", file);
    put_paragraphs(file, command->description);
}

static void put_options(FILE *file, const struct command *command) {
    fputs(".SH OPTIONS\n", file);
    for (const struct option_row *row = command->options; row->name != NULL; row++) {
        char tag[80];
        option_write_text(row, tag, sizeof tag);
        put_item(file, tag + strspn(tag, " "), row->help);
    }
}

static void put_examples(FILE *file, const struct command *command) {
    fputs(".SH EXAMPLES\n", file);
    for (const struct example *row = command->examples; row->command != NULL; row++) {
        if (row != command->examples) fputs(".PP\n", file);
        put_text(file, row->what);
        fputs("\n.PP\n.nf\n.RS\n$ ", file);
        put_text(file, row->command);
        fputs("\n.RE\n.fi\n", file);
    }
}

static void put_commands(FILE *file) {
    for (const struct command *row = commands(); row->name != NULL; row++) {
        char tag[64];
        snprintf(tag, sizeof tag, "anax %s %s", row->name, row->arguments);
        put_item(file, tag, row->summary);
    }
}

struct table_page {
    FILE *file;
    const char *kind; /* of results */
    bool failed;
    unsigned count; /* of CSV files */
};

/* "busy_ps", or a group of columns that are named after something: SETTING. */
static void put_columns(FILE *file, const anax_table *table) {
    for (size_t i = 0; i < anax_table_column_count(table); i++) {
        const anax_column *column = anax_table_column(table, i);
        char help[512];
        snprintf(help, sizeof help, "%s%s", column->description,
                 column->type == ANAX_COLUMN_TRUTH ? " (true or false; in CSV 1 or 0)" : "");
        put_item(file, column->name, help);
    }
}

/* A table of this kind of results: what a row is, and the columns. */
static bool put_table(void *context, const anax_choice *choice) {
    struct table_page *page = context;
    const size_t length = strlen(page->kind);
    anax_table *table = NULL;
    if (strncmp(choice->name, page->kind, length) != 0 || choice->name[length] != '.') return true;
    fputs(".SS ", page->file);
    put_text(page->file, choice->name + length + 1);
    fputc('\n', page->file);
    put_text(page->file, choice->help);
    fputc('\n', page->file);
    if (anax_table_outline(&table, choice->name, NULL) == ANAX_OK)
        put_columns(page->file, table);
    else
        page->failed = true;
    anax_table_free(table);
    return true;
}

static bool put_tables(FILE *file, const char *kind) {
    struct table_page page = {.file = file, .kind = kind};
    return anax_list("tables", NULL, put_table, &page, NULL) == ANAX_OK && !page.failed;
}

/* Writes an item for a table of this kind of results that has a CSV file, from a text like "a
 * traffic class (an array; classes.csv; only with several classes)". */
static bool put_file(void *context, const anax_choice *choice) {
    struct table_page *page = context;
    const size_t length = strlen(page->kind);
    if (strncmp(choice->name, page->kind, length) != 0 || choice->name[length] != '.') return true;
    char tag[80], mark[96], text[512];
    snprintf(tag, sizeof tag, "%s.csv", choice->name + length + 1);
    snprintf(mark, sizeof mark, "; %s", tag);
    const char *file = strstr(choice->help, mark);
    if (file == NULL) return true;
    const char *form = file;
    while (form > choice->help && strncmp(form, " (", 2) != 0)
        form--;
    snprintf(text, sizeof text, "%.*s%s%s", (int)(form - choice->help), choice->help,
             file[strlen(mark)] == ';' ? " (" : "",
             file[strlen(mark)] == ';' ? file + strlen(mark) + 2 : "");
    put_item(page->file, tag, text);
    page->count++;
    return true;
}

/* Returns false if no table of this kind of results has a file. */
static bool put_files(FILE *file, const char *kind) {
    struct table_page page = {.file = file, .kind = kind};
    return anax_list("tables", NULL, put_file, &page, NULL) == ANAX_OK && page.count > 0;
}

/* Replaces one @ line. Returns false if the line is unknown. */
static bool fill(FILE *file, const char *line) {
    char word[32] = "", name[64] = "", section[8] = "", date[16] = "";
    sscanf(line, "@%31s %63s %7s %15s", word, name, section, date);
    const struct command *command = command_find(name);
    if (strcmp(word, "title") == 0 && date[0] != '\0')
        fprintf(file, ".TH %s %s %s \"anax %s\" \"anax\"\n", name, section, date, anax_version());
    else if (strcmp(word, "commands") == 0)
        put_commands(file);
    else if (strcmp(word, "families") == 0)
        return anax_list(NULL, NULL, put_choice, file, NULL) == ANAX_OK;
    else if (strcmp(word, "family") == 0)
        return anax_list(name, NULL, put_choice, file, NULL) == ANAX_OK;
    else if (strcmp(word, "tables") == 0)
        return put_tables(file, name);
    else if (strcmp(word, "files") == 0)
        return put_files(file, name);
    else if (strcmp(word, "command") == 0 && command != NULL)
        put_command(file, command);
    else if (strcmp(word, "options") == 0 && command != NULL)
        put_options(file, command);
    else if (strcmp(word, "examples") == 0 && command != NULL)
        put_examples(file, command);
    else
        return false;
    return true;
}

static bool write_page(const char *template, FILE *file) {
    FILE *input = fopen(template, "r");
    if (input == NULL) {
        fprintf(stderr, "anax_write_docs: cannot read %s\n", template);
        return false;
    }
    char line[1024];
    bool good = true;
    while (good && fgets(line, sizeof line, input) != NULL) {
        if (line[0] != '@')
            fputs(line, file);
        else if (!fill(file, line)) {
            fprintf(stderr, "anax_write_docs: %s: cannot fill in: %s", template, line);
            good = false;
        }
    }
    fclose(input);
    return good;
}

int main(int argc, char **argv) {
    if (argc != 4 || strcmp(argv[1], "page") != 0) {
        fprintf(stderr, "usage: anax_write_docs page TEMPLATE FILE\n");
        return EXIT_USAGE;
    }
    FILE *file = fopen(argv[3], "w");
    if (file == NULL) {
        fprintf(stderr, "anax_write_docs: cannot write %s\n", argv[3]);
        return 1;
    }
    bool good = write_page(argv[2], file);
    good = fclose(file) == 0 && good;
    if (!good) remove(argv[3]);
    return good ? 0 : 1;
}
