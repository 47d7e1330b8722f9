/* Hashes texts and the contents of files, and joins texts. Ends the program if memory is short or a
 * file is missing. */
#define _GNU_SOURCE /* vasprintf */
#include "bench/support/run_cache.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

uint64_t cache_hash(uint64_t hash, const void *bytes, size_t count) {
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ byte[i]) * UINT64_C(0x100000001B3); /* FNV-1a */
    return hash;
}

uint64_t cache_hash_file(uint64_t hash, const char *path) {
    char part[65536];
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fprintf(stderr, "bench: %s: %s; build it first\n", path, strerror(errno));
        exit(1);
    }
    for (size_t got; (got = fread(part, 1, sizeof part, file)) > 0;)
        hash = cache_hash(hash, part, got);
    fclose(file);
    return hash;
}

_Noreturn void cache_out_of_memory(void) {
    fprintf(stderr, "bench: out of memory\n");
    exit(1);
}

char *cache_text(const char *format, ...) {
    va_list arguments;
    char *text = NULL;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0) cache_out_of_memory();
    return text;
}

uint64_t cache_begin(const char *build, const char *name) {
    char *path = cache_text("%s/%s", build, name);
    mkdir(path, 0777);
    free(path);
    path = cache_text("%s/anax", build);
    const uint64_t hash = cache_hash_file(CACHE_HASH_START, path);
    free(path);
    return hash;
}
