/*
 * An engine needs nodes and a network: all ranks are put on the first one, of a network that
 * nothing is ever told of.
 */
#include "replay/idle_engine.h"

#include "core/memory.h"

#include <stdlib.h>

static void no_delivery(void *context, network_domain *domain, int64_t now_ps,
                        const network_delivery *delivery) {
    (void)context, (void)domain, (void)now_ps, (void)delivery;
}

static void no_sent(void *context, network_domain *domain, int64_t now_ps, uint32_t source_node,
                    const network_cookie *cookie) {
    (void)context, (void)domain, (void)now_ps, (void)source_node, (void)cookie;
}

static void no_timer(void *context, network_domain *domain, int64_t now_ps, uint32_t entity,
                     uint64_t data) {
    (void)context, (void)domain, (void)now_ps, (void)entity, (void)data;
}

status_code idle_engine_new(idle_engine *idle, const program *program, const replay_config *config,
                            const network_config *machine, status *status) {
    network_sink sink = {.delivered = no_delivery, .sent = no_sent, .timer = no_timer};
    *idle = (idle_engine){0};
    FORWARD_IF_ERROR(network_new(&idle->network, machine, 0, &sink, status));
    idle->everyone = (placement){.rank_count = program->rank_count,
                                 .node_count = network_node_count(idle->network),
                                 .node_of_rank = memory_new(program->rank_count, sizeof(uint32_t))};
    RETURN_ERROR_IF(idle->everyone.node_of_rank == NULL, status, STATUS_MEMORY,
                    "out of memory for %u ranks", program->rank_count);
    return engine_new(&idle->engine, program, &idle->everyone, config, idle->network, false,
                      status);
}

void idle_engine_free(idle_engine *idle) {
    engine_free(idle->engine);
    network_free(idle->network);
    free(idle->everyone.node_of_rank);
    *idle = (idle_engine){0};
}
