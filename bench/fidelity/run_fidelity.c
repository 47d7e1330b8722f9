/*
 * Runs the experiments of the papers and writes the page and the pictures about them.
 *
 *   run_fidelity [--quick] [--only TEXT] [--out FOLDER] BUILD_FOLDER
 *
 * To be called in the project's folder; bench/fidelity.sh does so. --quick: small machines and
 * short times, into BUILD_FOLDER/fidelity/quick unless --out says otherwise. --only: run no
 * experiment whose name does not contain TEXT (what was run before is in the page nevertheless).
 * Exit code 1 when an experiment failed or the page could not be written.
 */
#include "bench/fidelity/fidelity.h"

#include <sys/stat.h>

static void summarize(const struct bench_options *options, const struct measurement *all,
                      size_t failed) {
    size_t verdicts[4] = {0};
    for (const struct claim *claim = claims; claim->source != NULL; claim++)
        verdicts[judge(claim, all).verdict]++;
    printf("%s/fidelity.md: %zu hold, %zu in part, %zu do not, %zu not measured; %zu runs failed\n",
           options->out, verdicts[HOLDS], verdicts[HOLDS_IN_PART], verdicts[DOES_NOT_HOLD],
           verdicts[NOT_MEASURED], failed);
}

int main(int argc, char **argv) {
    struct bench_options options;
    char quick[1024];
    size_t failed;
    if (!bench_options_read(&options, true, argc, argv)) {
        fprintf(stderr,
                "usage: run_fidelity [--quick] [--only TEXT] [--out FOLDER] BUILD_FOLDER\n");
        return 2;
    }
    if (!reference_read("bench/fidelity/fidelity_reference.csv")) return 2;
    struct measurement *all = measure_all(&options, &failed);
    snprintf(quick, sizeof quick, "%s/fidelity/quick", options.build);
    if (options.out == NULL) options.out = options.quick ? quick : "docs";
    mkdir(options.out, 0777);
    bool written = page_write(&options, all);
    if (written) summarize(&options, all, failed);
    measured_free(all);
    reference_free();
    return !written || failed > 0;
}
