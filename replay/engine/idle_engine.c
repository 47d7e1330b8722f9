/*
 * An engine needs nodes and a transport, so all ranks are placed on the first node. Collectives are
 * not told of that: their algorithms are those for ranks with a node each.
 */
#include "replay/engine/idle_engine.h"
#include "replay/engine/stall.h"

#include "core/memory/memory.h"

#include <stdlib.h>

status_code idle_engine_new(struct idle_engine *idle, const struct program *program,
                            const struct replay_config *config,
                            const struct network_config *network_config, struct status *status) {
    *idle = (struct idle_engine){0};
    FORWARD_IF_ERROR(network_config_check(network_config, status));
    transport_instant_init(&idle->instant, network_config);
    idle->everyone =
        (struct placement){.rank_count = program->rank_count,
                           .node_count = (uint32_t)network_config_nodes(network_config),
                           .node_of_rank = memory_new(program->rank_count, sizeof(uint32_t))};
    RETURN_ERROR_IF(idle->everyone.node_of_rank == NULL, status, STATUS_MEMORY,
                    "out of memory for %u ranks", program->rank_count);
    return engine_new(&idle->engine, program, &idle->everyone, config, network_config,
                      &idle->instant.transport, 0, status);
}

status_code idle_engine_run(struct idle_engine *idle, struct status *status) {
    engine_start(idle->engine);
    FORWARD_IF_ERROR(transport_run(&idle->instant.transport, NULL, status));
    return stall_check(idle->engine, status);
}

void idle_engine_free(struct idle_engine *idle) {
    engine_free(idle->engine);
    transport_instant_clear(&idle->instant);
    free(idle->everyone.node_of_rank);
    *idle = (struct idle_engine){0};
}
