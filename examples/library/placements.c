/*
 * Placements of the ranks of a trace: how far messages travel, without a simulation, and how long
 * the replays take, with libanax.
 *
 *     cc placements.c $(pkg-config --cflags --libs anax) -o placements
 *     ./placements traces.otf2 kim-1k
 */
#include <anax/anax.h>
#include <inttypes.h>
#include <stdio.h>

/* Places the ranks by a policy, and prints the share of bytes at each distance. */
static anax_code print_distances(anax_config *config, const anax_trace *trace, const char *policy,
                                 anax_error *error) {
    anax_placement *placement = NULL;
    anax_table *distances = NULL;
    anax_place_plan plan = ANAX_PLACE_PLAN_INIT;
    plan.config = config;
    plan.trace = trace;
    anax_code code = anax_config_set(config, "placement.policy", policy, error);
    if (code == ANAX_OK) code = anax_place(&placement, &plan, NULL, error);
    if (code == ANAX_OK) code = anax_placement_table(&distances, placement, "distances", error);
    if (code == ANAX_OK) {
        const anax_column *distance = anax_table_find(distances, "distance");
        const anax_column *share = anax_table_find(distances, "share");
        printf("%-8s", policy);
        for (size_t i = 0; i < anax_table_row_count(distances); i++)
            printf(" %s %.0f%%", distance->texts[i], 100 * share->numbers[i]);
        printf("\n");
    }
    anax_table_free(distances);
    anax_placement_free(placement);
    return code;
}

/* One line for each candidate: its policy, its rank, and its mean time over the seeds. */
static anax_code print_candidates(const anax_comparison *comparison, anax_error *error) {
    anax_table *candidates = NULL;
    anax_code code = anax_comparison_table(&candidates, comparison, "candidates", error);
    if (code != ANAX_OK) return code;
    const anax_column *policy = anax_table_find(candidates, "placement.policy"); /* the factor */
    const anax_column *rank = anax_table_find(candidates, "rank");
    const anax_column *mean = anax_table_find(candidates, "mean_ps");
    for (size_t i = 0; i < anax_table_row_count(candidates); i++)
        printf("%-8s number %" PRId64 ", %" PRId64 " ps\n", policy->texts[i], rank->integers[i],
               mean->integers[i]);
    anax_table_free(candidates);
    return ANAX_OK;
}

/* Replays the trace under both policies with three seeds each. */
static anax_code compare(const anax_config *config, const anax_trace *trace, anax_error *error) {
    const char *const factors[] = {"placement.policy=block,random"};
    anax_comparison *comparison = NULL;
    anax_compare_plan plan = ANAX_COMPARE_PLAN_INIT;
    plan.machines = &config;
    plan.machine_count = 1;
    plan.factors = factors;
    plan.factor_count = 1;
    plan.traces = &trace;
    plan.trace_count = 1;
    plan.seeds = 3;
    anax_code code = anax_compare(&comparison, &plan, NULL, error);
    if (code == ANAX_OK) code = print_candidates(comparison, error);
    anax_comparison_free(comparison);
    return code;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: placements TRACE MACHINE\n");
        return 2;
    }
    anax_error error = ANAX_ERROR_INIT;
    anax_config *config = NULL;
    anax_trace *trace = NULL;
    anax_code code = anax_config_new(&config, &error);
    if (code == ANAX_OK) code = anax_config_machine(config, argv[2], &error);
    if (code == ANAX_OK) code = anax_trace_open(&trace, argv[1], config, NULL, &error);
    if (code == ANAX_OK) code = print_distances(config, trace, "block", &error);
    if (code == ANAX_OK) code = print_distances(config, trace, "random", &error);
    if (code == ANAX_OK) code = compare(config, trace, &error);
    if (code != ANAX_OK) fprintf(stderr, "placements: %s\n", error.text);
    anax_trace_free(trace);
    anax_config_free(config);
    anax_error_clear(&error);
    return anax_code_exit_code(code);
}
