/*
 * Link arrangements: how the global links of the groups are paired.
 *
 * An arrangement is one file with a function that wires a whole machine and one row of the table in
 * arrangement.c. Knows numbers only. Link x = j·h + k of group i is the k-th global link of switch
 * j of that group; in a wiring its place is i·a·h + x.
 *
 * Invariants of every wiring, whatever the arrangement: the other end of a link's other end is that
 * link, no link joins a group with itself, every pair of groups is joined; the same input gives the
 * same wiring. For full machines (g = a·h + 1) every pair has exactly one link.
 */
#ifndef ANAX_NETWORK_ARRANGEMENT_H
#define ANAX_NETWORK_ARRANGEMENT_H

#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

struct arrangement_shape {
    uint32_t routers; /* a, per group */
    uint32_t globals; /* h, per router; a·h fits 16 bits */
    uint32_t groups;  /* g <= a·h + 1 */
};

/* All that a wiring follows from. */
struct arrangement_input {
    struct arrangement_shape shape;
    uint64_t seed;    /* of arrangements that draw */
    const char *file; /* of arrangements that are read; NULL or empty: none */
};

/* A link that leads nowhere. */
#define ARRANGEMENT_UNCONNECTED UINT32_MAX

struct arrangement {
    const char *name;
    const char *help; /* one line with its source, no full stop */
    /* Fills other[i·a·h + x] with the place of the other end of link x of group i, or
     * ARRANGEMENT_UNCONNECTED, for at least two groups. */
    status_code (*wire)(const struct arrangement_input *input, uint32_t *other,
                        struct status *status);
    bool even_globals; /* defined for an even h only */
    bool seeded;       /* uses the seed */
    bool from_file;    /* uses the file */
};

const struct arrangement *arrangements(void); /* ends with a row whose name is NULL */

/* STATUS_USAGE when the arrangement is not defined for a shape, or lacks its file or has one that
 * it does not use. */
status_code arrangement_check(const struct arrangement *arrangement,
                              const struct arrangement_input *input, struct status *status);

/* Wires a machine: other holds g·a·h entries, see arrangement.wire. Errors: those of
 * arrangement_check; STATUS_INPUT with all faults of a file; STATUS_MEMORY. */
status_code arrangement_wire(const struct arrangement *arrangement,
                             const struct arrangement_input *input, uint32_t *other,
                             struct status *status);

/* ---------------------------------------------------------------- for the arrangements' files */

static inline uint32_t arrangement_links(const struct arrangement_shape *shape) {
    return shape->routers * shape->globals;
}

struct arrangement_link {
    uint32_t group; /* ARRANGEMENT_UNCONNECTED: leads nowhere */
    uint32_t link;  /* x, or the number of a destination */
};

/* Where destination number d = 0 … g-2 of group i is, and the number of i there. */
typedef struct arrangement_link (*arrangement_round)(uint32_t groups, uint32_t group,
                                                     uint32_t destination);

/* The wiring of arrangements that are defined by an order of destinations; see
 * arrangement_rounds.c. */
void arrangement_wire_rounds(const struct arrangement_shape *shape, arrangement_round round,
                             uint32_t *other);

/* The links that are left over after as many full rounds as there are: left = a·h mod (g-1); slot
 * = 0 … left-1 of a group -> the other group and its slot. */
struct arrangement_link arrangement_leftover(uint32_t groups, uint32_t left, uint32_t group,
                                             uint32_t slot);

/* Defined in one file each. */
struct arrangement_link arrangement_absolute_round(uint32_t groups, uint32_t group,
                                                   uint32_t destination);
status_code arrangement_absolute(const struct arrangement_input *input, uint32_t *other,
                                 struct status *status);
status_code arrangement_relative(const struct arrangement_input *input, uint32_t *other,
                                 struct status *status);
status_code arrangement_circulant(const struct arrangement_input *input, uint32_t *other,
                                  struct status *status);
status_code arrangement_nautilus(const struct arrangement_input *input, uint32_t *other,
                                 struct status *status);
status_code arrangement_nautilus_index(const struct arrangement_input *input, uint32_t *other,
                                       struct status *status);
status_code arrangement_helix(const struct arrangement_input *input, uint32_t *other,
                              struct status *status);
status_code arrangement_random(const struct arrangement_input *input, uint32_t *other,
                               struct status *status);
status_code arrangement_file(const struct arrangement_input *input, uint32_t *other,
                             struct status *status);

#endif
