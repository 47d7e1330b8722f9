/*
 * An engine needs nodes and a transport: all ranks are put on the first node.
 */
#include "replay/idle_engine.h"

#include "core/memory.h"

#include <stdlib.h>

status_code idle_engine_new(idle_engine *idle, const program *program, const replay_config *config,
                            const network_config *machine, status *status) {
    *idle = (idle_engine){0};
    FORWARD_IF_ERROR(network_config_check(machine, status));
    transport_instant_init(&idle->instant, machine);
    idle->everyone = (placement){.rank_count = program->rank_count,
                                 .node_count = (uint32_t)network_config_nodes(machine),
                                 .node_of_rank = memory_new(program->rank_count, sizeof(uint32_t))};
    RETURN_ERROR_IF(idle->everyone.node_of_rank == NULL, status, STATUS_MEMORY,
                    "out of memory for %u ranks", program->rank_count);
    return engine_new(&idle->engine, program, &idle->everyone, config, machine,
                      &idle->instant.transport, false, status);
}

status_code idle_engine_run(idle_engine *idle, status *status) {
    engine_start(idle->engine);
    FORWARD_IF_ERROR(transport_run(&idle->instant.transport, NULL, status));
    return engine_check_end(idle->engine, status);
}

void idle_engine_free(idle_engine *idle) {
    engine_free(idle->engine);
    transport_instant_clear(&idle->instant);
    free(idle->everyone.node_of_rank);
    *idle = (idle_engine){0};
}
