/*
 * What there is to choose from in a network, for people: the names and one-line descriptions of
 * routing policies, misrouting policies, link arrangements, choices of rails and traffic patterns.
 *
 * The public face of the tables: who only names a choice need not see how it works.
 */
#ifndef ANAX_NETWORK_NETWORK_CHOICES_H
#define ANAX_NETWORK_NETWORK_CHOICES_H

#include "network/network_choices.h"
#include "network/network_config.h"

typedef enum network_family {
    NETWORK_ROUTING,
    NETWORK_MISROUTING,
    NETWORK_ARRANGEMENTS,
    NETWORK_RAIL_CHOICES,
    NETWORK_TRAFFIC_PATTERNS
} network_family;

/* The name of the index-th row of a family's table, NULL behind the last; and its description, one
 * line without a full stop, with its source. */
const char *network_choice_name(network_family family, int32_t index);
const char *network_choice_help(network_family family, int32_t index);

/* All names of a family that a setting chooses from, ending with NULL. */
const char *const *network_routing_names(void);
const char *const *network_misrouting_names(void);
const char *const *network_arrangement_names(void);
const char *const *network_rail_names(void);

/* The misrouting policy that a configuration comes to (`auto` resolved); "none" where the routing
 * policy knows minimal paths only. */
const char *network_misrouting_in_force(const struct network_config *config);

/* Whether the configured arrangement follows from a seed, or from a file. */
bool network_arrangement_is_seeded(const struct network_config *config);
bool network_arrangement_is_from_file(const struct network_config *config);

#endif
