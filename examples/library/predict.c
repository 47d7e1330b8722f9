/*
 * Predicts the time of a trace under two placements, with libanax.
 *
 *     cc predict.c $(pkg-config --cflags --libs anax) -o predict
 *     ./predict traces.otf2 kim-1k
 */
#include <anax/anax.h>
#include <inttypes.h>
#include <stdio.h>

/* The time of the run, and of it the longest that a rank waits for the network. */
static anax_code print_ranks(const anax_replay_result *result, const char *placement,
                             anax_error *error) {
    anax_table *ranks = NULL;
    int64_t time_ps = 0, max_ps = 0;
    anax_code code = anax_replay_result_time_ps(&time_ps, result, error);
    if (code == ANAX_OK) code = anax_replay_result_table(&ranks, result, "ranks", error);
    if (code != ANAX_OK) return code;
    const anax_column *wait = anax_table_find(ranks, "wait_queueing_ps");
    for (size_t i = 0; wait != NULL && i < anax_table_row_count(ranks); i++)
        if (wait->integers[i] > max_ps) max_ps = wait->integers[i];
    printf("%-8s %" PRId64 " ps", placement, time_ps);
    if (wait != NULL) printf(", at most %" PRId64 " ps of it queueing", max_ps);
    printf("\n");
    anax_table_free(ranks);
    return ANAX_OK;
}

static anax_code predict(anax_config *config, const anax_trace *trace, const char *placement,
                         anax_error *error) {
    anax_replay_result *result = NULL;
    anax_code code = anax_config_set(config, "placement.policy", placement, error);
    if (code == ANAX_OK) code = anax_replay(&result, config, trace, NULL, error);
    if (code == ANAX_OK) code = print_ranks(result, placement, error);
    anax_replay_result_free(result);
    return code;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: predict TRACE MACHINE\n");
        return 2;
    }
    anax_error error = ANAX_ERROR_INIT;
    anax_config *config = NULL;
    anax_trace *trace = NULL;
    anax_code code = anax_config_new(&config, &error);
    if (code == ANAX_OK) code = anax_config_machine(config, argv[2], &error);
    if (code == ANAX_OK) code = anax_trace_open(&trace, argv[1], config, NULL, &error);
    if (code == ANAX_OK) code = predict(config, trace, "block", &error);
    if (code == ANAX_OK) code = predict(config, trace, "random", &error);
    if (code != ANAX_OK) fprintf(stderr, "predict: %s\n", error.text);
    anax_trace_free(trace);
    anax_config_free(config);
    anax_error_clear(&error);
    return anax_code_exit_code(code);
}
