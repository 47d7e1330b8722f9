/*
 * Damages files, the same way for the same seed:
 *
 *     mutate archive SEED FOLDER NEW     a copy of an OTF2 archive, damaged
 *     mutate program SEED FILE NEW       a program file whose checksums are right
 *     mutate text SEED FILE NEW          configurations and other texts
 *     mutate bytes SEED FILE NEW         any file
 *     mutate draws SEED BOUND...         a number below each bound
 *
 * Prints what was done. Exit code 0: done; 1: it cannot be; 2: wrong usage.
 */
#include "tests/support/mutate/mutate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool mutate_one(const char *kind, const char *from, const char *to, struct mutate_dice *dice,
                       char note[MUTATE_NOTE]) {
    struct mutate_file file;
    if (!mutate_read(&file, from)) return false;
    if (strcmp(kind, "text") == 0)
        mutate_text(&file, dice, note);
    else
        mutate_bytes(&file, dice, note);
    bool good = mutate_write(&file, to);
    mutate_free(&file);
    return good;
}

int main(int argument_count, char **arguments) {
    const char *kind = argument_count > 1 ? arguments[1] : "";
    bool draws = strcmp(kind, "draws") == 0, good = false;
    bool one = strcmp(kind, "text") == 0 || strcmp(kind, "bytes") == 0;
    bool archive = strcmp(kind, "archive") == 0, program = strcmp(kind, "program") == 0;
    if (!draws && (argument_count != 5 || (!one && !archive && !program))) {
        fputs("usage: mutate archive|program|text|bytes SEED FROM TO\n"
              "       mutate draws SEED BOUND...\n",
              stderr);
        return 2;
    }
    struct mutate_dice dice = {argument_count > 2 ? strtoull(arguments[2], NULL, 10) : 0};
    char note[MUTATE_NOTE] = "";
    mutate_draw(&dice);
    for (int i = 3; draws && i < argument_count; i++)
        printf("%zu ", mutate_below(&dice, (size_t)strtoull(arguments[i], NULL, 10)));
    if (one) good = mutate_one(kind, arguments[3], arguments[4], &dice, note);
    if (archive) good = mutate_archive(arguments[3], arguments[4], &dice, note);
    if (program) good = mutate_program(arguments[3], arguments[4], &dice, note);
    printf("%s\n", note);
    return good || draws ? 0 : 1;
}
