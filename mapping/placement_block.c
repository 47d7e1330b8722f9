/* Block placement: ranks take the free nodes in order of their numbers, so that routers and groups
 * fill one after another. Must not know ranks. */
#include "mapping/placement.h"

status_code placement_block_choose(const struct placement_request *request,
                                   struct placement_pick *pick, struct status *status) {
    (void)status;
    for (uint32_t node = 0; node < request->machine->node_count; node++)
        if (!placement_offer(pick, node)) break;
    return STATUS_OK;
}
