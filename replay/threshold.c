/*
 * EAGER_AUTO: the smallest eager threshold with which a program goes through.
 *
 * Must not know: placements, times. Whether ranks can go on depends on neither (instant.c).
 */
#include "replay/idle_engine.h"

status_code replay_settle_threshold(replay_config *config, const program *program,
                                    const network_config *machine, status *status) {
    if (config->eager_threshold_bytes != EAGER_AUTO) return STATUS_OK;
    replay_config nothing_eager = *config;
    nothing_eager.eager_threshold_bytes = 0;
    idle_engine idle;
    status_code code = idle_engine_new(&idle, program, &nothing_eager, machine, status);
    if (code == STATUS_OK) {
        int64_t threshold = instant_smallest_threshold(idle.engine);
        config->eager_threshold_bytes = threshold >= 0 ? threshold : (int64_t)PROGRAM_BYTES_LIMIT;
    }
    idle_engine_free(&idle);
    return code;
}
