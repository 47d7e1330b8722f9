/*
 * What a benchmark measured is kept under a hash of everything that it depends on: a run that was
 * interrupted goes on where it was, and nothing old is taken for new.
 *
 * Must not know what is measured. Invariant: the same inputs give the same hash; functions end the
 * program, with a message, when memory is short or an input is missing.
 */
#ifndef ANAX_BENCH_RUN_CACHE_H
#define ANAX_BENCH_RUN_CACHE_H

#include <stddef.h>
#include <stdint.h>

uint64_t cache_hash(uint64_t hash, const void *bytes, size_t count);
uint64_t cache_hash_file(uint64_t hash, const char *path);

/* Makes the folder NAME in the build folder, and returns the hash of the build folder's anax. */
uint64_t cache_begin(const char *build, const char *name);

/* The hash of nothing. */
#define CACHE_HASH_START UINT64_C(0xCBF29CE484222325)

_Noreturn void cache_out_of_memory(void);
/* Returns a formatted text, to be freed. */
char *cache_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
