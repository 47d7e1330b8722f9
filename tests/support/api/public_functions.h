/*
 * The functions of the public headers with their comments, for tests that compare comments with
 * what the functions do.
 *
 * Header only. Reads include/anax; must not look behind it.
 */
#ifndef ANAX_TESTS_PUBLIC_FUNCTIONS_H
#define ANAX_TESTS_PUBLIC_FUNCTIONS_H

#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PUBLIC_FUNCTIONS_MAX = 256 };

struct public_function {
    char *name;
    char *comment;     /* of the function, in one line; "" if there is none */
    char *declaration; /* from ANAX_API to the parenthesis at the end */
};

/* Returns the content of a file with a NUL at its end, which the caller frees; NULL: it cannot be
 * read. */
static inline char *public_functions_read(const char *path) {
    enum { LARGEST = 1 << 16 };
    FILE *file = fopen(path, "r");
    char *text = file != NULL ? calloc(1, LARGEST) : NULL;
    if (text != NULL && fread(text, 1, LARGEST - 1, file) == 0) {
        free(text);
        text = NULL;
    }
    if (file != NULL) fclose(file);
    return text;
}

/* Adds the functions of one header. Text between comment and declaration belongs to neither. */
static inline size_t public_functions_of(struct public_function *functions, size_t count,
                                         char *text) {
    char *from = text, *to = text;
    for (; (*to = *from) != '\0'; from++, to++)
        if (strncmp(from, "\n * ", 4) == 0) { /* lines of a comment become one line */
            *to = ' ';
            from += 3;
        }
    char *after = text;
    for (char *start = strstr(text, "\nANAX_API "); start != NULL && count < PUBLIC_FUNCTIONS_MAX;
         start = strstr(after, "\nANAX_API ")) {
        char *end = strchr(start, ';');
        const char *open = strchr(start, '('), *word = open, *comment = NULL;
        while (word[-1] == '_' || isalnum((unsigned char)word[-1]))
            word--;
        for (const char *found = strstr(after, "/* "); found != NULL && found < start;
             found = strstr(found + 1, "/* "))
            comment = found;
        functions[count++] = (struct public_function){
            .name = strndup(word, (size_t)(open - word)),
            .comment = comment != NULL ? strndup(comment, (size_t)(start - comment)) : strdup(""),
            .declaration = strndup(start + 1, (size_t)(end - start - 1)),
        };
        after = end;
    }
    return count;
}

/* Reads the functions of all headers in the folder include/anax. Returns their number. */
static inline size_t public_functions_load(struct public_function *functions) {
    glob_t headers;
    size_t count = 0;
    if (glob(ANAX_SOURCE_DIR "/include/anax/*.h", 0, NULL, &headers) != 0) return 0;
    for (size_t i = 0; i < headers.gl_pathc; i++) {
        char *text = public_functions_read(headers.gl_pathv[i]);
        if (text != NULL) count = public_functions_of(functions, count, text);
        free(text);
    }
    globfree(&headers);
    return count;
}

static inline void public_functions_free(struct public_function *functions, size_t count) {
    for (size_t i = 0; i < count; i++) {
        free(functions[i].name);
        free(functions[i].comment);
        free(functions[i].declaration);
    }
}

#endif
