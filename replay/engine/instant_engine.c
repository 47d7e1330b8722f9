/*
 * An engine on a network that takes no time. An engine needs nodes and a transport, so all ranks
 * are placed on the first node. Collectives are not told of that: their algorithms are those for
 * ranks with a node each.
 */
#include "replay/engine/instant_engine.h"
#include "replay/engine/stall.h"

#include "core/memory/memory.h"

#include <stdlib.h>

status_code instant_engine_new(struct instant_engine *instant, const struct program *program,
                               const struct replay_config *config,
                               const struct network_config *network_config, struct status *status) {
    *instant = (struct instant_engine){0};
    FORWARD_IF_ERROR(network_config_check(network_config, status));
    transport_instant_init(&instant->transport, network_config);
    instant->everyone =
        (struct placement){.rank_count = program->rank_count,
                           .node_count = (uint32_t)network_config_nodes(network_config),
                           .node_of_rank = memory_new(program->rank_count, sizeof(uint32_t))};
    RETURN_ERROR_IF(instant->everyone.node_of_rank == NULL, status, STATUS_MEMORY,
                    "out of memory for %u ranks", program->rank_count);
    return engine_new(&instant->engine, program, &instant->everyone, config, network_config,
                      &instant->transport.transport, 0, status);
}

status_code instant_engine_run(struct instant_engine *instant, struct status *status) {
    engine_start(instant->engine);
    FORWARD_IF_ERROR(transport_run(&instant->transport.transport, NULL, status));
    return stall_check(instant->engine, status);
}

void instant_engine_free(struct instant_engine *instant) {
    engine_free(instant->engine);
    transport_instant_clear(&instant->transport);
    free(instant->everyone.node_of_rank);
    *instant = (struct instant_engine){0};
}
