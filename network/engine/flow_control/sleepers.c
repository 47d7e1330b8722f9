/* Makes and frees the state of sleepers.h, and wakes input VCs whose time has come. */
#include "network/engine/flow_control/sleepers.h"

#include "core/base/compiler_hints.h"
#include "core/memory/memory.h"

#include <stdlib.h>

struct sleepers *sleepers_new(const struct network *network) {
    struct sleepers *made = memory_new(1, sizeof *made);
    if (made == NULL) return NULL;
    size_t routers = network->topology.routers_per_group;
    size_t words = network->routers.request_words;
    made->asleep_bits = memory_new(routers * words, sizeof *made->asleep_bits);
    made->wait_bits = memory_new(network->tables.ports * words, sizeof *made->wait_bits);
    made->any_waits = memory_new(network->tables.ports, sizeof *made->any_waits);
    made->wake_ps =
        memory_new((size_t)network->tables.ports * network->vcs.per_port, sizeof *made->wake_ps);
    made->next_ps = memory_new(routers, sizeof *made->next_ps);
    if (made->asleep_bits && made->wait_bits && made->any_waits && made->wake_ps && made->next_ps)
        return made;
    sleepers_free(made);
    return NULL;
}

void sleepers_free(struct sleepers *sleepers) {
    if (sleepers == NULL) return;
    free(sleepers->asleep_bits);
    free(sleepers->wait_bits);
    free(sleepers->any_waits);
    free(sleepers->wake_ps);
    free(sleepers->next_ps);
    free(sleepers);
}

HINT_NOINLINE void sleepers_wake_in_time(struct rail_group *rail_group, uint32_t router) {
    const struct network *network = rail_group->network;
    struct sleepers *sleepers = rail_group->allocation.sleepers;
    size_t first = (size_t)router * network->routers.request_words;
    const int64_t *wake_ps =
        &sleepers->wake_ps[(size_t)router * network->topology.radix * network->vcs.per_port];
    int64_t next_ps = EVENT_NEVER;
    for (size_t word = 0; word < network->routers.request_words; word++) {
        uint64_t *asleep = &sleepers->asleep_bits[first + word];
        for (uint64_t bits = *asleep; bits != 0; bits &= bits - 1) {
            int64_t at_ps = wake_ps[word * 64 + (size_t)__builtin_ctzll(bits)];
            if (at_ps <= rail_group->now_ps) {
                *asleep &= ~(bits & -bits);
            } else if (at_ps < next_ps) {
                next_ps = at_ps;
            }
        }
    }
    sleepers->next_ps[router] = next_ps;
}
