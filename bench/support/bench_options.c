/* Reads the arguments of a benchmark from its command line, and refuses unknown ones. */
#include "bench/support/bench_options.h"

#include <stddef.h>
#include <string.h>

bool bench_options_read(struct bench_options *options, bool has_quick, int argc, char **argv) {
    *options = (struct bench_options){.build = NULL};
    for (int i = 1; i < argc; i++) {
        const bool more = i + 1 < argc;
        if (strcmp(argv[i], "--quick") == 0 && has_quick)
            options->quick = true;
        else if (strcmp(argv[i], "--only") == 0 && more)
            options->only = argv[++i];
        else if (strcmp(argv[i], "--out") == 0 && more)
            options->out = argv[++i];
        else if (argv[i][0] != '-' && options->build == NULL)
            options->build = argv[i];
        else
            return false;
    }
    return options->build != NULL;
}
