/* Reads a whole file into memory, and writes one. */
#include "tests/support/check/check_file.h"

#include <stdlib.h>
#include <string.h>

char *file_read_all(FILE *file, size_t *size) {
    size_t capacity = 1 << 16;
    char *text = malloc(capacity);
    *size = 0;
    for (size_t got;
         text != NULL && (got = fread(text + *size, 1, capacity - *size - 1, file)) > 0;) {
        *size += got;
        if (capacity - *size > 1) continue;
        char *larger = realloc(text, capacity *= 2);
        if (larger == NULL) free(text);
        text = larger;
    }
    if (text != NULL) text[*size] = '\0';
    return text;
}

char *file_read(const char *path, size_t *size) {
    if (strcmp(path, "-") == 0) return file_read_all(stdin, size);
    FILE *file = fopen(path, "rb");
    if (file == NULL) return NULL;
    char *text = file_read_all(file, size);
    fclose(file);
    return text;
}

bool file_write(const char *path, const char *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    if (file == NULL) return false;
    bool good = fwrite(bytes, 1, size, file) == size;
    return fclose(file) == 0 && good;
}
