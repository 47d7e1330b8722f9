/*
 * The latencies of synthetic traffic at ten loads under two routing policies, with libanax.
 *
 *     cc latencies.c $(pkg-config --cflags --libs anax) -o latencies
 *     ./latencies kim-1k
 */
#include <anax/anax.h>
#include <inttypes.h>
#include <stdio.h>

/* One line for each point: the policy, the load, the mean latency. */
static anax_code print_points(const anax_traffic_result *result, anax_error *error) {
    anax_table *points = NULL;
    anax_code code = anax_traffic_result_table(&points, result, "points", error);
    if (code != ANAX_OK) return code;
    const anax_column *routing = anax_table_find(points, "routing");
    const anax_column *load = anax_table_find(points, "offered_load");
    const anax_column *latency = anax_table_find(points, "mean_latency_ps");
    const anax_column *stable = anax_table_find(points, "stable");
    for (size_t i = 0; i < anax_table_row_count(points); i++) {
        printf("%-8s %.2f", routing->texts[i], load->numbers[i]);
        if (stable->integers[i] == 0)
            printf(" saturated\n");
        else if (latency->integers[i] == ANAX_ABSENT_INTEGER)
            printf(" no message\n");
        else
            printf(" %" PRId64 " ps\n", latency->integers[i]);
    }
    anax_table_free(points);
    return ANAX_OK;
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: latencies MACHINE\n");
        return 2;
    }
    anax_error error = ANAX_ERROR_INIT;
    anax_config *config = NULL;
    anax_traffic_result *result = NULL;
    anax_code code = anax_config_new(&config, &error);
    if (code == ANAX_OK) code = anax_config_machine(config, argv[1], &error);
    if (code == ANAX_OK) code = anax_config_set(config, "traffic.pattern", "adv+1", &error);
    if (code == ANAX_OK)
        code =
            anax_traffic_curves(&result, config, "minimal,ugal-l", "0.05:0.5:0.05", NULL, &error);
    if (code == ANAX_OK) code = print_points(result, &error);
    if (code != ANAX_OK) fprintf(stderr, "latencies: %s\n", error.text);
    anax_traffic_result_free(result);
    anax_config_free(config);
    anax_error_clear(&error);
    return anax_code_exit_code(code);
}
