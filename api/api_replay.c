/*
 * A replay through the public interface: configuration and trace in, result out.
 *
 * Invariant: a result that did not complete holds no time and no digest, only the report.
 */
#include "api/api.h"
#include "api/api_progress.h"
#include "api/place.h"
#include "api/result.h"
#include "core/memory.h"

#include <stdlib.h>

static status_code run(anax_result *result, const anax_options *options, status *status) {
    const anax_config *config = result->config;
    const program *program = result->trace->program;
    uint64_t seed = (uint64_t)config->run.seed;
    api_progress progress = {options, "replaying"};
    replay_options run_options = {
        .threads = api_threads(options),
        .timeline = options != NULL && options->timeline,
        .progress = api_wants_progress(options) ? api_progress_run : NULL,
        .progress_context = &progress,
    };
    FORWARD_IF_ERROR(network_config_check(&config->network, status));
    FORWARD_IF_ERROR(place_program(&result->placement, config, program, status));
    double start_s = api_clock_s();
    status_code code = replay_run(&result->replay, &result->network, program, result->placement,
                                  &config->replay, &config->network, seed, &run_options, status);
    result->wall_s = api_clock_s() - start_s;
    if (result->network != NULL) network_totals_of(result->network, &result->totals);
    if (code == STATUS_OK) {
        result->completed = true;
        result->digest = result->replay->digest;
    }
    return code;
}

anax_code anax_replay(anax_result **result, const anax_config *config, const anax_trace *trace,
                      const anax_options *options, anax_error *error) {
    status status = STATUS_INIT;
    if (result_new(result, RESULT_REPLAY, config, &status) == STATUS_OK) {
        (*result)->trace = trace;
        result_finish(result, run(*result, options, &status), &status);
    }
    return api_return(&status, error);
}
