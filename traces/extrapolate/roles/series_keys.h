/*
 * Keys of roles: the table of rules that give each rank a key. Ranks with equal keys have one role.
 * A row is the number of a rule in the table, from 0 to series_key_count() - 1. Private to the
 * extrapolation. See series_roles.c.
 */
#ifndef ANAX_TRACES_SERIES_KEYS_H
#define ANAX_TRACES_SERIES_KEYS_H

#include "traces/extrapolate/series.h"

/* What a rule for roles depends on: a set of these. */
enum {
    SERIES_KEY_OF_ROOT = 1,     /* the number of the rank that differs, a parameter */
    SERIES_KEY_OF_GRID = 2,     /* the rank's coordinates in a grid, or the extents of the grid */
    SERIES_KEY_OF_CLASSES = 4,  /* each dimension of the grid apart: a key has a class for each */
    SERIES_KEY_OF_ARITY = 8,    /* how many children an inner rank of a tree has, a parameter */
    SERIES_KEY_OF_RADIX = 32,   /* the radix of a k-nomial tree, a parameter */
    SERIES_KEY_OF_WIDTH = 64,   /* the width of a band, a parameter */
    SERIES_KEY_OF_NUMBER = 128, /* the number of ranks alone: the rule is never taken, and only
                                   compared with others */
    SERIES_KEY_OF_SIZES = 16    /* by this rule, ranks that make the same calls may give different
                                   sizes */
};

/* Layout of a key with classes: each dimension has 2 bits, beginning with dimension 0 in the lowest
 * ones. A key by positions and extents has those of the extents in the lowest
 * SERIES_KEY_EXTENT_BITS bits, and those of the positions above. */
enum { SERIES_KEY_CLASS_BITS = 2, SERIES_KEY_EXTENT_BITS = 8 };

/* Returns whether the roles of the series are positions in a grid of several dimensions, perhaps
 * together with rank 0 or with even and odd coordinates. */
bool series_has_positions(const struct series *series);

/* Returns the number of rules in the table. */
uint32_t series_key_count(void);
/* Returns the set of SERIES_KEY_OF_... of a rule. */
uint8_t series_keys_of(uint32_t row);
/* Returns what a rule says, for reports. */
const char *series_keys_text(uint32_t row);
/* Returns whether the keys of a rule are positions in a grid together with its extents. */
bool series_key_has_extents(uint32_t row);
/* Returns whether the keys of a rule say which ranks are beyond a power of two, and which are their
 * partners. */
bool series_key_is_beyond(uint32_t row);
/* Returns whether the keys of a rule are the number of zeros at the end of the rank's binary
 * number.
 */
bool series_key_is_of_zeros(uint32_t row);
/* Returns the rule that tells the same ranks apart, and rank 0 from all others; row itself if there
 * is none. */
uint32_t series_key_with_root(uint32_t row);
/* Returns the key of a rank by a rule. ranks, extents: of its program. */
uint32_t series_key(const struct series *series, const struct series_role_rule *rule,
                    const struct series_grid_extents *extents, uint32_t ranks, uint32_t rank);

#endif
