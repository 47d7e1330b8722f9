/*
 * Checks results of anax: check_json [--completed] FILE [FOLDER]
 *
 * FILE is what --json printed (or `anax export --format json`), - the standard input; FOLDER is
 * what -o wrote beside it. Prints a line for each invariant that does not hold, and how many rules
 * it looked at. Exit code 0: all hold; 1: some do not; 2: wrong usage.
 */
#include "tests/support/check/check_file.h"
#include "tests/support/check/check_result.h"

#include <stdlib.h>
#include <string.h>

int main(int argument_count, char **arguments) {
    struct check check = {.report = stdout};
    for (; argument_count > 1 && strncmp(arguments[1], "--", 2) == 0; arguments++) {
        check.completed = check.completed || strcmp(arguments[1], "--completed") == 0;
        check.recorded = check.recorded || strcmp(arguments[1], "--recorded") == 0;
        argument_count--;
    }
    if (argument_count < 2 || argument_count > 3) {
        fputs("usage: check_json [--completed] [--recorded] FILE [FOLDER]\n", stderr);
        return 2;
    }
    size_t size = 0;
    char *text = file_read(arguments[1], &size);
    if (text == NULL) {
        fprintf(stderr, "check_json: %s: cannot be read\n", arguments[1]);
        return 2;
    }
    check.name = arguments[1];
    check_result(&check, text, size, arguments[2]);
    printf("%s: %u rules, %u broken\n", arguments[1], check.rules, check.broken);
    free(text);
    return check.broken > 0;
}
