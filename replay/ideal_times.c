/* Replays on ideal machines. See ideal_times.h. */
#include "replay/ideal_times.h"

#include "replay/transport/transport_idle.h"

/* Makes MPI take no time. Protocols stay: that a sender waits for its receiver is a dependency. */
static void free_hosts(struct replay_config *config) {
    const struct by_size none = by_size_constant(0);
    config->send_overhead_ps = config->receive_overhead_ps = none;
    config->send_overhead_per_kib_ps = config->receive_overhead_per_kib_ps = none;
    config->eager_send_copy_per_kib_ps = config->eager_receive_copy_per_kib_ps = none;
    config->rendezvous_send_overhead_ps = config->rendezvous_receive_overhead_ps = none;
    config->send_completion_ps = config->send_completion_per_kib_ps = none;
    config->reduction_per_kib_ps = 0;
    config->collectives.offload_latency_ps = 0;
}

status_code ideal_times_of(struct ideal_times *times, const struct network *network,
                           const struct program *program, const struct placement *placement,
                           const struct replay_config *config, const struct network_config *machine,
                           uint64_t seed, const struct replay_options *options,
                           const struct ideal_watch *watch, struct status *status) {
    struct replay_config effective = *config;
    struct replay_options plain = *options;
    plain.only_times = true;
    plain.explain = false;
    plain.timeline = watch != NULL;
    plain.time_bins = 0;
    plain.matrix = REPLAY_MATRIX_OFF;
    plain.link_count = 0;
    plain.companion = NULL;
    FORWARD_IF_ERROR(replay_settle_threshold(&effective, program, machine, status));
    struct replay_config free_of_cost = effective;
    free_hosts(&free_of_cost);
    const struct {
        const struct replay_config *config;
        const struct network *network;
        int64_t *time_ps;
    } runs[IDEAL_RUNS] = {{&free_of_cost, NULL, &times->ideal_ps},
                          {&effective, NULL, &times->hosts_ps},
                          {&effective, network, &times->distance_ps}};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        struct transport_idle idle;
        struct replay_result *result = NULL;
        status_code code = transport_idle_new(&idle, machine, runs[i].network, status);
        if (code == STATUS_OK)
            code = replay_run_on(&result, &idle.transport, program, placement, runs[i].config,
                                 machine, seed, &plain, status);
        transport_idle_clear(&idle);
        if (code != STATUS_OK) return code;
        *runs[i].time_ps = result->time_ps;
        if (watch != NULL) code = watch->look(watch->context, (unsigned)i, result, status);
        replay_result_free(result);
        if (code != STATUS_OK) return code;
    }
    return STATUS_OK;
}
