/*
 * Link arrangements: how the global links of the groups are paired.
 *
 * An arrangement is one file with a function that wires a whole machine, and one row of the table
 * in arrangement.c. It knows numbers only. Link x = j·h + k of group i is the k-th global link of
 * router j of that group; its place in a wiring is i·a·h + x.
 *
 * Invariants of every wiring, whatever the arrangement: if link y is the other end of link x, then
 * x is the other end of y; no link joins a group with itself; every pair of groups is joined; equal
 * inputs give equal wirings. In full machines (g = a·h + 1) every pair of groups has exactly one
 * link.
 */
#ifndef ANAX_NETWORK_ARRANGEMENT_H
#define ANAX_NETWORK_ARRANGEMENT_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stdint.h>

struct arrangement_shape {
    uint32_t routers_per_group;  /* a, per group */
    uint32_t globals_per_router; /* h, per router; a·h fits 16 bits */
    uint32_t groups;             /* g <= a·h + 1 */
};

/* Everything that a wiring depends on. */
struct arrangement_input {
    struct arrangement_shape shape;
    uint64_t seed;    /* for arrangements that are drawn at random */
    const char *file; /* for arrangements that are read; NULL or empty: none */
};

/* The other end of a link that is not connected. */
#define ARRANGEMENT_UNCONNECTED UINT32_MAX

struct arrangement {
    const char *name;
    const char *help; /* one line with its source, no full stop */
    /* Fills other[i·a·h + x] with the place of the other end of link x of group i, or with
     * ARRANGEMENT_UNCONNECTED. Requires at least two groups. */
    status_code (*wire)(const struct arrangement_input *input, uint32_t *other,
                        struct status *status);
    bool needs_even_globals; /* defined only for even h */
    bool is_seeded;          /* depends on the seed */
    bool reads_file;         /* reads the file */
};

/* Returns the table of arrangements, which ends with a row whose name is NULL. */
const struct arrangement *arrangements(void);

/* Checks an arrangement's input. STATUS_USAGE: the arrangement is not defined for the shape, lacks
 * its file, or has a file that it does not use. */
status_code arrangement_check(const struct arrangement *arrangement,
                              const struct arrangement_input *input, struct status *status);

/* Wires a machine: fills the g·a·h entries of `other` as arrangement.wire does. Errors: those of
 * arrangement_check; STATUS_INPUT with all faults of a file; STATUS_MEMORY. */
status_code arrangement_wire(const struct arrangement *arrangement,
                             const struct arrangement_input *input, uint32_t *other,
                             struct status *status);

/* ---------------------------------------------------------------- for the arrangements' files */

/* Returns the number of global ports of a group. */
static inline uint32_t arrangement_links_per_group(const struct arrangement_shape *shape) {
    return shape->routers_per_group * shape->globals_per_router;
}

struct arrangement_link {
    uint32_t group; /* ARRANGEMENT_UNCONNECTED: not connected */
    uint32_t link;  /* x, or the number of a destination */
};

/* An order of destinations: returns the group that is destination number d = 0 … g-2 of group i,
 * and the number that i has among that group's destinations. */
typedef struct arrangement_link (*arrangement_round)(uint32_t groups, uint32_t group,
                                                     uint32_t destination);

/* Wires an arrangement that is defined by an order of destinations; see arrangement_rounds.c. */
void arrangement_wire_rounds(const struct arrangement_shape *shape, arrangement_round round,
                             uint32_t *other);

/* Wires the links that remain after all full rounds: left = a·h mod (g-1) for each group. Returns
 * the group and the slot at the other end of slot 0 … left-1 of a group. */
struct arrangement_link arrangement_wire_leftover(uint32_t groups, uint32_t left, uint32_t group,
                                                  uint32_t slot);

/* The functions of the arrangements, each in a file of its own. */
struct arrangement_link arrangement_absolute_round(uint32_t groups, uint32_t group,
                                                   uint32_t destination);
typedef status_code arrangement_wiring(const struct arrangement_input *input, uint32_t *other,
                                       struct status *status);
arrangement_wiring arrangement_absolute, arrangement_relative, arrangement_circulant,
    arrangement_nautilus, arrangement_nautilus_index, arrangement_helix, arrangement_random,
    arrangement_file;

#endif
