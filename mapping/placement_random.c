/*
 * Random placement: every ordered choice of nodes of the whole machine is equally likely, and the
 * same for a seed on every machine that runs anax. The beginning of a Fisher-Yates shuffle
 * (Durstenfeld, Algorithm 235, CACM 1964), with draw i for step i.
 */
#include "core/memory.h"
#include "core/random.h"
#include "mapping/placement.h"

#include <stdlib.h>

status_code placement_random_choose(const placement_config *config,
                                    const placement_machine *machine, uint64_t seed,
                                    uint32_t *nodes, uint32_t count, status *status) {
    (void)config;
    uint32_t *shuffled = memory_new(machine->node_count, sizeof *shuffled);
    RETURN_ERROR_IF(shuffled == NULL, status, STATUS_MEMORY, "out of memory for %u nodes",
                    machine->node_count);
    for (uint32_t i = 0; i < machine->node_count; i++)
        shuffled[i] = i;
    for (uint32_t i = 0; i < count; i++) {
        random_block draw = random_draw(seed, RANDOM_PLACEMENT, 0, i);
        uint32_t other = i + random_below(draw.word[0], machine->node_count - i);
        nodes[i] = shuffled[other];
        shuffled[other] = shuffled[i];
    }
    free(shuffled);
    return STATUS_OK;
}
