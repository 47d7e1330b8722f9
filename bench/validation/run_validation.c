/*
 * Runs the workloads of published measurements and writes the page and the pictures about them.
 *
 *   run_validation [--only TEXT] [--out FOLDER] BUILD_FOLDER
 *
 * To be called in the project's folder; bench/validation.sh does so. Exit code 1 when a run failed
 * or the page could not be written.
 */
#include "bench/validation/validation.h"

#include <stdlib.h>
#include <sys/stat.h>

static void summarize(const struct bench_options *options,
                      const struct validation_results *results) {
    size_t verdicts[3] = {0};
    for (size_t r = 0; validation_rows[r].name != NULL; r++)
        for (size_t i = 0; i < validation_points(&validation_rows[r]); i++)
            verdicts[validation_judge(&validation_rows[r], i, results->figures[r][i])]++;
    printf("%s/validation.md: %zu figures are met, %zu are not, %zu are not measured; %zu runs "
           "failed\n",
           options->out, verdicts[MET], verdicts[NOT_MET], verdicts[NOT_MEASURED], results->failed);
}

int main(int argc, char **argv) {
    struct bench_options options;
    if (!bench_options_read(&options, false, argc, argv)) {
        fprintf(stderr, "usage: run_validation [--only TEXT] [--out FOLDER] BUILD_FOLDER\n");
        return 2;
    }
    if (options.out == NULL) options.out = "docs";
    struct validation_results results = validation_run(&options);
    mkdir(options.out, 0777);
    bool written = validation_page(&options, &results);
    if (written) summarize(&options, &results);
    free(results.figures);
    return !written || results.failed > 0;
}
