/*
 * Keys of roles. Private to the traces room. See series_roles.c.
 */
#ifndef ANAX_TRACES_SERIES_KEYS_H
#define ANAX_TRACES_SERIES_KEYS_H

#include "traces/extrapolate/series.h"

/* What a rule for roles depends on. */
enum {
    SERIES_KEY_OF_ROOT = 1, /* a rank, by its number */
    SERIES_KEY_OF_GRID = 2,
    SERIES_KEY_OF_CLASSES = 4,  /* in the dimensions of a grid */
    SERIES_KEY_OF_ARITY = 8,    /* how many children a rank of a tree has */
    SERIES_KEY_OF_RADIX = 32,   /* of a k-nomial tree */
    SERIES_KEY_OF_WIDTH = 64,   /* of a band */
    SERIES_KEY_OF_NUMBER = 128, /* the same for all ranks of a program: an alternative alone */
    SERIES_KEY_OF_SIZES = 16 /* ranks that are alike otherwise may have other sizes by this rule */
};

/* Returns whether roles are positions in a grid of several dimensions. */
bool series_has_positions(const struct series *series);

/* Returns the number of rules in the table. */
uint32_t series_key_count(void);
/* Returns what a rule depends on. */
uint8_t series_keys_of(uint32_t row);
/* Returns what a rule says, for reports. */
const char *series_keys_text(uint32_t row);
/* Returns whether the keys of a rule have the extents of a grid behind the position in it. */
bool series_key_has_extents(uint32_t row);
/* Returns whether the keys say which ranks are beyond a power of two, and which have such a
 * partner.
 */
bool series_key_is_beyond(uint32_t row);
/* Returns whether the keys of a rule are the zeros at the end of the rank's binary number. */
bool series_key_is_of_zeros(uint32_t row);
/* Returns the key of a rank by a rule, in a program with so many ranks and these extents. */
uint32_t series_key(const struct series *series, const struct series_role_rule *rule,
                    const struct series_grid_extents *extents, uint32_t ranks, uint32_t rank);

#endif
