/*
 * Which nodes of a machine are I/O nodes: nodes with storage, which ranks do not use.
 */
#ifndef ANAX_REPLAY_STORAGE_NODES_H
#define ANAX_REPLAY_STORAGE_NODES_H

#include "replay/replay.h"

/* Where I/O nodes are. */
typedef enum storage_place {
    STORAGE_PLACE_SPREAD, /* the last node of each of as many equal parts of the machine */
    STORAGE_PLACE_LAST    /* the last nodes of the machine */
} storage_place;

/* Which I/O node serves a request. */
typedef enum storage_rule {
    STORAGE_RULE_STRIPES, /* the one that has the stripe of the file */
    STORAGE_RULE_RANK,    /* by the number of the rank */
    STORAGE_RULE_NEAREST  /* one of the rank's group, by the number of the rank */
} storage_rule;

/* Sets *nodes to the I/O nodes in ascending order, which the caller frees, and *count to their
 * number, 0 if there is no storage. Failed nodes are none. STATUS_USAGE: the settings do not fit
 * together, or there are too few nodes. */
status_code storage_nodes_find(uint32_t **nodes, uint32_t *count,
                               const struct replay_config *config,
                               const struct network_config *network_config, struct status *status);

/* Returns the names of places of I/O nodes that settings accept, NULL-terminated. */
const char *const *storage_place_names(void);

/* Returns the names of rules that choose an I/O node, NULL-terminated. */
const char *const *storage_rule_names(void);

#endif
