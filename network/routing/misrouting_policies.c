/* The table of misrouting policies, and the choice of one by a configuration. */
#include "network/network_choices.h"
#include "network/routing/misrouting.h"
#include "network/routing/routing.h"

#include <string.h>

#define ROWS(X)                                                                                    \
    X("auto",                                                                                      \
      .help = "what the authors of the routing policy use: mm for OFAR, group for all others")     \
    X("group", .help = "a random third group, by the packet's link to it (Kim 2008, 4.1)",         \
      .injected = MISROUTING_GROUP, .transit = MISROUTING_GROUP)                                   \
    X("rrg", .help = "random router: any global link of the group (Garcia 2013, 3)",               \
      .injected = MISROUTING_ANY, .transit = MISROUTING_ANY)                                       \
    X("crg", .help = "current router: its own global links (Garcia 2013, 3)",                      \
      .injected = MISROUTING_CURRENT, .transit = MISROUTING_CURRENT)                               \
    X("nrg",                                                                                       \
      .help = "neighbour router: the global links of a random other router (Garcia 2013, 3)",      \
      .injected = MISROUTING_NEIGHBOUR, .transit = MISROUTING_NEIGHBOUR)                           \
    X("mm", .help = "mixed mode: crg at injection, nrg in transit (Garcia 2013, 3)",               \
      .injected = MISROUTING_CURRENT, .transit = MISROUTING_NEIGHBOUR)                             \
    X("rrg+l", .help = "rrg, and local misrouting after the first group (Garcia 2013, 4)",         \
      .injected = MISROUTING_ANY, .transit = MISROUTING_ANY, .allows_local = true)                 \
    X("crg+l", .help = "crg, and local misrouting after the first group (Garcia 2013, 4)",         \
      .injected = MISROUTING_CURRENT, .transit = MISROUTING_CURRENT, .allows_local = true)         \
    X("nrg+l", .help = "nrg, and local misrouting after the first group (Garcia 2013, 4)",         \
      .injected = MISROUTING_NEIGHBOUR, .transit = MISROUTING_NEIGHBOUR, .allows_local = true)     \
    X("mm+l", .help = "mm, and local misrouting after the first group (Garcia 2013, 4)",           \
      .injected = MISROUTING_CURRENT, .transit = MISROUTING_NEIGHBOUR, .allows_local = true)

#define ROW(first, ...)  {.name = first, __VA_ARGS__},
#define NAME(first, ...) first,
static const struct misrouting_policy misrouting_rows[] = {ROWS(ROW){.name = NULL}};
static const char *const misrouting_names[] = {ROWS(NAME) NULL};
#undef ROWS
#undef ROW
#undef NAME

const struct misrouting_policy *misrouting_policies(void) {
    return misrouting_rows;
}

const char *const *network_misrouting_names(void) {
    return misrouting_names;
}

const struct misrouting_policy *misrouting_chosen(const struct network_config *config) {
    const char *initial = routing_policies()[config->routing].misrouting;
    const struct misrouting_policy *chosen = &misrouting_rows[config->misrouting];
    if (initial == NULL || chosen->injected != 0) return initial == NULL ? NULL : chosen;
    for (chosen = misrouting_rows; strcmp(chosen->name, initial) != 0;)
        chosen++;
    return chosen;
}

const char *misrouting_fault(const struct network_config *config) {
    const struct routing_policy *routing = &routing_policies()[config->routing];
    const struct misrouting_policy *chosen = &misrouting_rows[config->misrouting];
    if (chosen->injected == 0) return NULL;
    if (routing->misrouting == NULL) return "takes only minimal paths; set network.misrouting=auto";
    if (chosen->allows_local && routing->local_vcs == 0)
        return "has no virtual channels for local misrouting; choose one without +l";
    if (chosen->injected == MISROUTING_GROUP && routing->transit != NULL)
        return "chooses among links at every router; take rrg for any link of the group";
    return NULL;
}
