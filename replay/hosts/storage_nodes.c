/*
 * Spreads I/O nodes over the machine, or takes its last nodes; leaves out nodes that have failed.
 */
#include "replay/hosts/storage_nodes.h"

#include "core/base/plural.h"
#include "core/memory/memory.h"
#include "network/topology/failures.h"

#include <inttypes.h>
#include <stdlib.h>

const char *const *storage_place_names(void) {
    static const char *const names[] = {"spread", "last", NULL};
    return names;
}

const char *const *storage_rule_names(void) {
    static const char *const names[] = {"stripes", "rank", "nearest", NULL};
    return names;
}

static status_code count_wanted(int64_t *wanted, const struct replay_config *config,
                                int64_t node_count, struct status *status) {
    const struct replay_storage *storage = &config->storage;
    RETURN_ERROR_IF(storage->nodes > 0 && storage->share_millionths > 0, status, STATUS_USAGE,
                    "io.nodes and io.share both say how many I/O nodes there are; give one");
    *wanted = storage->nodes;
    if (storage->share_millionths > 0) {
        *wanted = (int64_t)((wide)node_count * (uint64_t)storage->share_millionths / 1000000);
        RETURN_ERROR_IF(*wanted == 0, status, STATUS_USAGE,
                        "io.share: it gives no I/O node of %" PRId64 "; give io.nodes", node_count);
    }
    RETURN_ERROR_IF(*wanted >= node_count, status, STATUS_USAGE,
                    "%" PRId64 " I/O node%s of a machine of %" PRId64
                    " leave none to ranks; lower io.nodes or io.share",
                    *wanted, plural((uint64_t)*wanted), node_count);
    return STATUS_OK;
}

/* Marks as many nodes as are wanted: each is the next free one at or below its place. */
static status_code mark_nodes(bool *marked, const bool *failed, int64_t node_count, int64_t wanted,
                              storage_place place, struct status *status) {
    for (int64_t i = 0; i < wanted; i++) {
        int64_t node = node_count - 1, tried = 0;
        if (place == STORAGE_PLACE_SPREAD)
            node = (int64_t)((wide)(uint64_t)(i + 1) * (uint64_t)node_count / (uint64_t)wanted) - 1;
        while (tried < node_count && (marked[node] || failed[node])) {
            node = node > 0 ? node - 1 : node_count - 1;
            tried++;
        }
        RETURN_ERROR_IF(tried == node_count, status, STATUS_USAGE,
                        "%" PRId64 " I/O nodes are wanted, and only %" PRId64
                        " node%s work%s; lower io.nodes or io.share",
                        wanted, i, plural((uint64_t)i), i == 1 ? "s" : "");
        marked[node] = true;
    }
    return STATUS_OK;
}

status_code storage_nodes_find(uint32_t **nodes, uint32_t *count,
                               const struct replay_config *config,
                               const struct network_config *network_config, struct status *status) {
    const int64_t node_count = network_config_nodes(network_config);
    int64_t wanted = 0;
    *nodes = NULL;
    *count = 0;
    FORWARD_IF_ERROR(count_wanted(&wanted, config, node_count, status));
    if (wanted == 0) return STATUS_OK;
    bool *marked = memory_new((size_t)node_count, sizeof *marked);
    bool *failed = memory_new((size_t)node_count, sizeof *failed);
    uint32_t *found = memory_new((size_t)wanted, sizeof *found);
    status_code code = STATUS_OK;
    if (marked == NULL || failed == NULL || found == NULL)
        code = status_set(status, STATUS_MEMORY, "out of memory for %" PRId64 " nodes", node_count);
    if (code == STATUS_OK) code = failures_mark_nodes(failed, network_config, status);
    if (code == STATUS_OK)
        code = mark_nodes(marked, failed, node_count, wanted, (storage_place)config->storage.place,
                          status);
    for (int64_t node = 0; node < node_count && code == STATUS_OK; node++)
        if (marked[node]) found[(*count)++] = (uint32_t)node;
    free(marked);
    free(failed);
    if (code == STATUS_OK)
        *nodes = found;
    else
        free(found);
    return code;
}
