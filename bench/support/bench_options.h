/*
 * The arguments of a benchmark that runs a table of commands and writes a page about them.
 *
 * Must not know which benchmark it is.
 */
#ifndef ANAX_BENCH_BENCH_OPTIONS_H
#define ANAX_BENCH_BENCH_OPTIONS_H

#include <stdbool.h>

struct bench_options {
    const char *build; /* build folder, with the program to measure */
    const char *only;  /* run nothing whose name does not contain this; NULL: run all */
    const char *out;   /* folder of the page; NULL: not given */
    bool quick;        /* small machines and short times */
};

/* Reads the arguments [--only TEXT] [--out FOLDER] BUILD_FOLDER, and [--quick] if the benchmark has
 * a quick form. Returns false if they are others. */
bool bench_options_read(struct bench_options *options, bool has_quick, int argc, char **argv);

#endif
