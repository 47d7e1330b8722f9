/* The table of messages and receives in flight: a map and a pool. */
#include "replay/engine/state/inflight.h"

void inflight_clear(struct inflight_table *table) {
    inflight_map_clear(&table->map);
    inflight_request_pool_clear(&table->requests);
}

struct inflight_request *inflight_request_new(struct inflight_table *table,
                                              struct inflight *entry) {
    uint32_t number = inflight_request_pool_take(&table->requests);
    if (number == POOL_NONE) return NULL;
    inflight_set(entry, INFLIGHT_REQUESTED, number);
    return &table->requests.items[number];
}
