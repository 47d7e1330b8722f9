/*
 * The names and one-line descriptions of what a user can choose from: routing policies, misrouting
 * policies, link arrangements, choices of rails and of NICs, and traffic patterns.
 *
 * This is the public interface of the tables, for code that names a choice without using it.
 */
#ifndef ANAX_NETWORK_NETWORK_CHOICES_H
#define ANAX_NETWORK_NETWORK_CHOICES_H

#include "network/network_config.h"

typedef enum network_family {
    NETWORK_ROUTING,
    NETWORK_MISROUTING,
    NETWORK_ARRANGEMENTS,
    NETWORK_RAIL_CHOICES,
    NETWORK_NIC_CHOICES,
    NETWORK_TRAFFIC_PATTERNS
} network_family;

/* Returns the name of row `index` of a family's table, or NULL for the row after the last. */
const char *network_choice_name(network_family family, int32_t index);

/* Returns the description of row `index` of a family's table: one line with its source, without a
 * full stop. */
const char *network_choice_help(network_family family, int32_t index);

/* Returns the names of all routing policies, ending with NULL. */
const char *const *network_routing_names(void);

/* Returns the names of all misrouting policies, ending with NULL. */
const char *const *network_misrouting_names(void);

/* Returns the names of all link arrangements, ending with NULL. */
const char *const *network_arrangement_names(void);

/* Returns the names of all ways to choose the rail of a message, ending with NULL. */
const char *const *network_rail_names(void);

/* Returns the names of all ways to choose the NICs of a message, ending with NULL. */
const char *const *network_nic_names(void);

/* Returns the name of the misrouting policy that a configuration uses, which is never "auto";
 * "none" if the routing policy has minimal paths only. */
const char *network_misrouting_in_force(const struct network_config *config);

/* Returns whether the configured arrangement is drawn from a seed. */
bool network_arrangement_is_seeded(const struct network_config *config);

/* Returns whether the configured arrangement is read from a file. */
bool network_arrangement_is_from_file(const struct network_config *config);

#endif
