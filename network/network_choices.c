/* Looks up names and descriptions in the tables of routing, misrouting, arrangements, rails, NICs
 * and traffic patterns. */
#include "network/network_choices.h"

#include "network/arrangement/arrangement.h"
#include "network/engine/nic/nic_choice.h"
#include "network/engine/nic/rails.h"
#include "network/routing/misrouting.h"
#include "network/routing/routing.h"
#include "network/traffic/traffic.h"

#include <stddef.h>

const char *network_choice_name(network_family family, int32_t index) {
    switch (family) {
    case NETWORK_ROUTING:
        return routing_policies()[index].name;
    case NETWORK_MISROUTING:
        return misrouting_policies()[index].name;
    case NETWORK_ARRANGEMENTS:
        return arrangements()[index].name;
    case NETWORK_RAIL_CHOICES:
        return rail_choices()[index].name;
    case NETWORK_NIC_CHOICES:
        return nic_choices()[index].name;
    case NETWORK_TRAFFIC_PATTERNS:
        return traffic_patterns()[index].name;
    }
    return NULL;
}

const char *network_choice_help(network_family family, int32_t index) {
    switch (family) {
    case NETWORK_ROUTING:
        return routing_policies()[index].help;
    case NETWORK_MISROUTING:
        return misrouting_policies()[index].help;
    case NETWORK_ARRANGEMENTS:
        return arrangements()[index].help;
    case NETWORK_RAIL_CHOICES:
        return rail_choices()[index].help;
    case NETWORK_NIC_CHOICES:
        return nic_choices()[index].help;
    case NETWORK_TRAFFIC_PATTERNS:
        return traffic_patterns()[index].help;
    }
    return NULL;
}

const char *network_misrouting_in_force(const struct network_config *config) {
    const struct misrouting_policy *chosen = misrouting_chosen(config);
    return chosen != NULL ? chosen->name : "none";
}

bool network_arrangement_is_seeded(const struct network_config *config) {
    return arrangements()[config->arrangement].is_seeded;
}

bool network_arrangement_is_from_file(const struct network_config *config) {
    return arrangements()[config->arrangement].reads_file;
}
