/*
 * Link arrangements: how the global links of the groups are paired.
 *
 * An arrangement is one file with a pure function and one row of the table in arrangement.c.
 * Knows numbers only. Link x = j·h + k of group i is the k-th global link of switch j of that
 * group. Invariant: peer(peer(link)) = link, and no link joins a group with itself.
 */
#ifndef ANAX_NETWORK_ARRANGEMENT_H
#define ANAX_NETWORK_ARRANGEMENT_H

#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct arrangement_shape {
    uint32_t routers; /* a, per group */
    uint32_t globals; /* h, per router */
    uint32_t groups;  /* g <= a·h + 1 */
} arrangement_shape;

typedef struct arrangement_link {
    uint32_t group;
    uint32_t link; /* x = j·h + k */
} arrangement_link;

typedef struct arrangement {
    const char *name;
    const char *help; /* one line with its source, no full stop */
    /* The other end of a link in the rounds where every pair of groups gets one link: destination
     * number d = 0 … g-2 of group i -> the destination and the number of i there. */
    arrangement_link (*peer)(uint32_t groups, uint32_t group, uint32_t destination);
} arrangement;

const arrangement *arrangements(void); /* ends with a row whose name is NULL */
const char *const *network_arrangement_names(void);

/* The other end of any link; group is UINT32_MAX for a link that is not connected (see
 * docs/model.md, fewer groups than a·h + 1). */
arrangement_link arrangement_peer(const arrangement *arrangement, const arrangement_shape *shape,
                                  arrangement_link link);

/* Defined in one file each. */
arrangement_link arrangement_absolute_peer(uint32_t groups, uint32_t group, uint32_t destination);
arrangement_link arrangement_relative_peer(uint32_t groups, uint32_t group, uint32_t destination);

#endif
