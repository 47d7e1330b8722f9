/*
 * Tells what the checker of results does not see: plant_faults FILE [FOLDER]
 *
 * FILE is a result in JSON, FOLDER holds its tables. Numbers of each key, in turn, are made larger
 * by the least that can be written, and have their signs turned, and the checker is run on the
 * result. Prints the keys, and the columns as table:column, of which some fault was not seen: `more
 * KEY` or `negative KEY`. Exit code 2: wrong usage, or the result is bad to begin with.
 */
#include "tests/support/check/check_file.h"
#include "tests/support/check/check_result.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Of a table so many cells, evenly over it, get a fault; of the numbers that a key has, so many. */
enum { CELLS_MAX = 10, NUMBERS_MAX = 6, KEYS_MAX = 512, KEY_BYTES = 256 };

struct subject {
    const char *text; /* the result */
    size_t size;
    const char *folder;
};

/* Without the tables first, which take longer. */
static bool is_good(const struct subject *subject, const char *text, size_t size) {
    struct check check = {.name = "planted"};
    check_result(&check, text, size, NULL);
    if (check.broken == 0 && subject->folder != NULL)
        check_result(&check, text, size, subject->folder);
    return check.broken == 0;
}

/* A number of that length with a fault; to has room for two characters more. */
static size_t write_fault(char *to, const char *number, size_t length, bool negative) {
    if (negative && *number == '-') {
        memcpy(to, number + 1, length - 1);
        return length - 1;
    }
    size_t minus = negative, at = length;
    memcpy(to + minus, number, length);
    if (minus > 0) *to = '-';
    if (negative && strspn(number, "0.") >= length) to[minus + length - 1] = '1';
    if (negative) return minus + length;
    while (at > 0 && (to[at - 1] == '9' || to[at - 1] == '.')) {
        if (to[at - 1] == '9') to[at - 1] = '0';
        at--;
    }
    if (at > 0 && to[at - 1] != '-') {
        to[at - 1]++;
        return length;
    }
    memmove(to + at + 1, to + at, length - at);
    to[at] = '1';
    return length + 1;
}

/* The text with the number of that length at `at` replaced. To be freed. */
static char *plant(const char *text, size_t size, size_t at, size_t length, bool negative,
                   size_t *planted_size) {
    char *planted = malloc(size + 3);
    memcpy(planted, text, at);
    size_t written = write_fault(planted + at, text + at, length, negative);
    memcpy(planted + at + written, text + at + length, size - at - length + 1);
    *planted_size = size - length + written;
    return planted;
}

/* The number at the beginning of a text; 0: there is none. */
static size_t number_length(const char *text) {
    size_t minus = *text == '-', digits = strspn(text + minus, "0123456789.");
    return digits > 0 ? minus + digits : 0;
}

static void try_number(const struct subject *subject, size_t at, size_t length, const char *key) {
    for (int negative = 0; negative < 2; negative++) {
        size_t size;
        char *planted = plant(subject->text, subject->size, at, length, negative != 0, &size);
        if (is_good(subject, planted, size)) printf("%s %s\n", negative ? "negative" : "more", key);
        free(planted);
    }
}

/* Whether this number of a key gets a fault: the first few and each 16th. */
static bool has_turn(const char *key) {
    static char keys[KEYS_MAX][KEY_BYTES];
    static unsigned counts[KEYS_MAX];
    size_t i = 0;
    while (i < KEYS_MAX - 1 && keys[i][0] != '\0' && strcmp(keys[i], key) != 0)
        i++;
    snprintf(keys[i], sizeof keys[i], "%s", key);
    return counts[i]++ < NUMBERS_MAX || counts[i] % 16 == 0;
}

static void try_numbers(const struct subject *subject) {
    const char *text = subject->text;
    char key[KEY_BYTES] = "";
    for (size_t i = 0; i < subject->size; i++) {
        size_t length = number_length(text + i);
        if (text[i] == '"') {
            size_t end = i + 1;
            while (text[end] != '"')
                end += text[end] == '\\' ? 2 : 1;
            if (text[end + 1] == ':')
                snprintf(key, sizeof key, "%.*s", (int)(end - i - 1), text + i + 1);
            i = end;
        } else if (length > 0) {
            if (has_turn(key)) try_number(subject, i, length, key);
            i += length - 1;
        }
    }
}

/* The name of the column of a cell that starts at `at`. */
static void column_name(const char *text, size_t at, char *name, size_t size) {
    size_t column = 0, line = at;
    while (line > 0 && text[line - 1] != '\n')
        line--;
    for (bool quoted = false; line < at; line++) {
        if (text[line] == '"') quoted = !quoted;
        column += text[line] == ',' && !quoted;
    }
    const char *from = text;
    for (; column > 0; column--)
        from += strcspn(from, ",\n") + 1;
    snprintf(name, size, "%.*s", (int)strcspn(from, ",\n"), from);
}

static bool is_cell(const char *text, size_t at, size_t length) {
    return length > 0 && at > 0 && (text[at - 1] == ',' || text[at - 1] == '\n') &&
           (text[at + length] == ',' || text[at + length] == '\n');
}

static void try_table(const struct subject *subject, const char *name) {
    char path[4096], column[256];
    size_t size, cells = 0, number = 0;
    snprintf(path, sizeof path, "%s/%s", subject->folder, name);
    char *text = access(path, R_OK) == 0 ? file_read(path, &size) : NULL;
    for (size_t i = 0; text != NULL && i < size; i++)
        cells += is_cell(text, i, number_length(text + i));
    for (size_t i = 0; text != NULL && i < size; i++) {
        size_t length = number_length(text + i);
        if (!is_cell(text, i, length) || number++ % (cells / CELLS_MAX + 1) != 0) continue;
        for (int negative = 0; negative < 2; negative++) {
            size_t planted_size;
            char *planted = plant(text, size, i, length, negative != 0, &planted_size);
            file_write(path, planted, planted_size);
            column_name(text, i, column, sizeof column);
            if (is_good(subject, subject->text, subject->size))
                printf("%s %s:%s\n", negative ? "negative" : "more", name, column);
            free(planted);
        }
    }
    if (text != NULL) file_write(path, text, size);
    free(text);
}

int main(int argument_count, char **arguments) {
    static const char *const tables[] = {
        "ranks.csv",      "calls.csv", "jobs.csv",   "regions.csv", "points.csv",
        "candidates.csv", "links.csv", "groups.csv", "routers.csv", "latencies.csv"};
    if (argument_count < 2 || argument_count > 3) {
        fputs("usage: plant_faults FILE [FOLDER]\n", stderr);
        return 2;
    }
    struct subject subject = {.folder = arguments[2]};
    subject.text = file_read(arguments[1], &subject.size);
    if (subject.text == NULL || !is_good(&subject, subject.text, subject.size)) {
        fprintf(stderr, "plant_faults: %s: not a good result\n", arguments[1]);
        return 2;
    }
    try_numbers(&subject);
    for (size_t i = 0; subject.folder != NULL && i < sizeof tables / sizeof *tables; i++)
        try_table(&subject, tables[i]);
    free((char *)subject.text);
    return 0;
}
