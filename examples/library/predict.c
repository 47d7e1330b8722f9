/*
 * Predicts the time of a trace under two placements, with libanax.
 *
 *     cc predict.c $(pkg-config --cflags --libs anax) -o predict
 *     ./predict traces.otf2 kim-1k
 */
#include <anax/anax.h>
#include <inttypes.h>
#include <stdio.h>

static anax_code predict(anax_config *config, const anax_trace *trace, const char *placement,
                         anax_error *error) {
    anax_result *result = NULL;
    anax_code code = anax_config_set(config, "placement.policy", placement, error);
    if (code == ANAX_OK) code = anax_replay(&result, config, trace, NULL, error);
    if (code == ANAX_OK) printf("%-8s %" PRId64 " ps\n", placement, anax_result_time_ps(result));
    anax_result_free(result);
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
    return anax_exit_code(code);
}
