/*
 * Speed of the replay: a generated pattern on a machine, ranks on consecutive nodes, one thread
 * unless threads=N is given.
 *
 *   bench_replay MACHINE.yaml PATTERN RANKS ITERATIONS BYTES [SETTING=VALUE | threads=N |
 * runs=N]...
 */
#include "core/settings/config_file.h"
#include "replay/replay.h"
#include "traces/traces.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now_s(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void check(status_code code, const struct status *status) {
    if (code == STATUS_OK) return;
    fprintf(stderr, "%s\n", status->text);
    exit(status_exit_code(code));
}

/* Replays once; returns the seconds it took. */
static double run(const struct program *program, const struct replay_config *config,
                  const struct network_config *network_config, unsigned threads) {
    struct status status = STATUS_INIT;
    struct replay_result *result;
    struct network *network;
    uint32_t *nodes = malloc(program->rank_count * sizeof *nodes);
    if (nodes == NULL) exit(1);
    for (uint32_t rank = 0; rank < program->rank_count; rank++)
        nodes[rank] = rank;
    struct placement placement = {.rank_count = program->rank_count,
                                  .node_count = (uint32_t)network_config_nodes(network_config),
                                  .node_of_rank = nodes};
    struct replay_options options = {.threads = threads};
    double start_s = now_s();
    check(replay_run(&result, &network, program, &placement, config, network_config, 1, &options,
                     &status),
          &status);
    double wall_s = now_s() - start_s;
    struct network_totals totals;
    network_fill_totals(network, &totals);
    double messages = (double)(totals.messages + totals.memory_messages);
    printf("%.3f s: %.3f million messages/s, %.2f million packet-hops/s, %.1f hops per message, "
           "digest %016" PRIx64 "\n",
           wall_s, messages / wall_s / 1e6, (double)totals.packet_hops / wall_s / 1e6,
           (double)totals.packet_hops / messages, result->digest);
    replay_result_free(result);
    network_free(network);
    free(nodes);
    return wall_s;
}

int main(int count, char **arguments) {
    struct status status = STATUS_INIT;
    struct replay_config config = {0};
    struct network_config network_config = {0};
    struct setting_section sections[] = {
        {replay_setting_rows, replay_setting_count, &config},
        {network_setting_rows, network_setting_count, &network_config}};
    struct settings settings = {sections, 2};
    unsigned threads = 1, runs = 3;
    if (count < 6) {
        fprintf(stderr, "usage: bench_replay MACHINE.yaml PATTERN RANKS ITERATIONS BYTES "
                        "[SETTING=VALUE | threads=N | runs=N]...\n");
        return 2;
    }
    check(settings_set_defaults(&settings, &status), &status);
    check(config_file_read(&settings, arguments[1], &status), &status);
    for (int i = 6; i < count; i++) {
        if (sscanf(arguments[i], "threads=%u", &threads) == 1) continue;
        if (sscanf(arguments[i], "runs=%u", &runs) == 1) continue;
        check(settings_set_pair(&settings, arguments[i], &status), &status);
    }
    struct traces_pattern_config pattern = {.rank_count = (uint32_t)strtoul(arguments[3], NULL, 10),
                                            .iterations = (uint32_t)strtoul(arguments[4], NULL, 10),
                                            .size_bytes = strtoull(arguments[5], NULL, 10),
                                            .compute_ps = 1000000,
                                            .neighbours = 6,
                                            .seed = 1};
    struct program *program;
    check(traces_generate(&program, arguments[2], &pattern, &status), &status);
    double best_s = run(program, &config, &network_config, threads);
    for (unsigned i = 1; i < runs; i++) {
        double wall_s = run(program, &config, &network_config, threads);
        if (wall_s < best_s) best_s = wall_s;
    }
    printf("best of %u: %.3f s\n", runs, best_s);
    program_free(program);
    settings_clear(&settings);
    return 0;
}
