/* Finds the times of a trace on the three ideal machines: without events by ideal_flow.c where that
 * is possible, and otherwise by one replay for each machine. */
#include "replay/ideal/ideal_times.h"

#include "core/processes/parallel.h"
#include "replay/ideal/ideal_flow.h"
#include "replay/transport/transport_idle.h"

/* Makes MPI take no time. Protocols stay: that a sender waits for its receiver is a dependency. */
static void free_hosts(struct replay_config *config) {
    const struct by_size none = by_size_constant(0);
    config->send_overhead_ps = config->receive_overhead_ps = none;
    config->send_overhead_per_kib_ps = config->receive_overhead_per_kib_ps = none;
    config->eager_send_copy_per_kib_ps = config->eager_receive_copy_per_kib_ps = none;
    config->rendezvous_send_overhead_ps = config->rendezvous_receive_overhead_ps = none;
    config->send_completion_ps = config->send_completion_per_kib_ps = none;
    config->memory_send_overhead_ps = config->memory_receive_overhead_ps = none;
    config->reduction_per_kib_ps = 0;
    config->collectives.offload_latency_ps = 0;
}

/* The replays, and what they have in common. */
struct ideal_work {
    struct replay_config effective, free_of_cost;
    struct replay_options options;
    const struct network *network;
    const struct program *program;
    const struct placement *placement;
    const struct network_config *network_config;
    uint64_t seed;
    const struct ideal_watch *watch;
    int64_t times_ps[IDEAL_RUNS];
};

/* Finds the times without events, if that is possible; otherwise sets *is_known to false. */
static status_code run_together(struct ideal_work *work, bool *is_known, struct status *status) {
    const struct flow_task task = {.effective = &work->effective,
                                   .free_of_cost = &work->free_of_cost,
                                   .network = work->network,
                                   .program = work->program,
                                   .placement = work->placement,
                                   .network_config = work->network_config,
                                   .seed = work->seed,
                                   .options = &work->options};
    return ideal_flow_run(work->times_ps, is_known, &task, status);
}

/* The longest replay begins first. */
static status_code run_one(void *context, unsigned worker, uint64_t item, struct status *status) {
    struct ideal_work *work = context;
    const unsigned run = IDEAL_RUNS - 1 - (unsigned)item;
    struct replay_options options = work->options;
    struct transport_idle idle;
    struct replay_result *result = NULL;
    if (worker > 0) options.progress = NULL; /* the callers' function is called by one thread */
    status_code code = transport_idle_new(&idle, work->network_config,
                                          run == IDEAL_DISTANCE ? work->network : NULL, status);
    if (code == STATUS_OK)
        code = replay_run_on(&result, &idle.transport, work->program, work->placement,
                             run == IDEAL_FREE ? &work->free_of_cost : &work->effective,
                             work->network_config, work->seed, &options, status);
    transport_idle_clear(&idle);
    if (code != STATUS_OK) return code;
    work->times_ps[run] = result->time_ps;
    if (work->watch != NULL) code = work->watch->inspect(work->watch->context, run, result, status);
    replay_result_free(result);
    return code;
}

status_code ideal_times_compute(struct ideal_times *times, const struct network *network,
                                const struct program *program, const struct placement *placement,
                                const struct replay_config *config,
                                const struct network_config *network_config, uint64_t seed,
                                const struct replay_options *options,
                                const struct ideal_watch *watch, struct status *status) {
    struct ideal_work work = {.effective = *config,
                              .options = *options,
                              .network = network,
                              .program = program,
                              .placement = placement,
                              .network_config = network_config,
                              .seed = seed,
                              .watch = watch};
    work.options.skips_survey = true;
    work.options.explain = false;
    work.options.timeline = watch != NULL;
    work.options.time_bins = 0;
    work.options.matrix = REPLAY_MATRIX_OFF;
    work.options.link_count = 0;
    work.options.companion = NULL;
    FORWARD_IF_ERROR(replay_settle_threshold(&work.effective, program, network_config, status));
    work.free_of_cost = work.effective;
    free_hosts(&work.free_of_cost);
    bool is_known = false;
    if (watch == NULL) FORWARD_IF_ERROR(run_together(&work, &is_known, status));
    /* Timelines are looked at in turn, and need not be there at the same time. */
    if (!is_known)
        FORWARD_IF_ERROR(
            parallel_for(watch != NULL ? 1 : options->threads, IDEAL_RUNS, run_one, &work, status));
    times->ideal_ps = work.times_ps[IDEAL_FREE];
    times->hosts_ps = work.times_ps[IDEAL_HOSTS];
    times->distance_ps = work.times_ps[IDEAL_DISTANCE];
    return STATUS_OK;
}
