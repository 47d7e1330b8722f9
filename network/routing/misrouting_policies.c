/* The table of misrouting policies, and which of them a configuration has. */
#include "network/network_choices.h"
#include "network/routing/misrouting.h"
#include "network/routing/routing.h"

#include <string.h>

/* name, what it is with its source, candidates at injection and in transit, local misrouting */
#define ROWS(X)                                                                                    \
    X("auto", "what the routing policy's authors use: group, for OFAR mm", 0, 0, false)            \
    X("group", "a random third group, by the packet's link to it (Kim 2008, 4.1)", MISROUTE_GROUP, \
      MISROUTE_GROUP, false)                                                                       \
    X("rrg", "random router: any global link of the group (Garcia 2013, 3)", MISROUTE_ANY,         \
      MISROUTE_ANY, false)                                                                         \
    X("crg", "current router: its own global links (Garcia 2013, 3)", MISROUTE_CURRENT,            \
      MISROUTE_CURRENT, false)                                                                     \
    X("nrg", "neighbour router: the global links of a random other router (Garcia 2013, 3)",       \
      MISROUTE_NEIGHBOUR, MISROUTE_NEIGHBOUR, false)                                               \
    X("mm", "mixed mode: crg at injection, nrg in transit (Garcia 2013, 3)", MISROUTE_CURRENT,     \
      MISROUTE_NEIGHBOUR, false)                                                                   \
    X("rrg+l", "rrg, and local misrouting after the first group (Garcia 2013, 4)", MISROUTE_ANY,   \
      MISROUTE_ANY, true)                                                                          \
    X("crg+l", "crg, and local misrouting after the first group (Garcia 2013, 4)",                 \
      MISROUTE_CURRENT, MISROUTE_CURRENT, true)                                                    \
    X("nrg+l", "nrg, and local misrouting after the first group (Garcia 2013, 4)",                 \
      MISROUTE_NEIGHBOUR, MISROUTE_NEIGHBOUR, true)                                                \
    X("mm+l", "mm, and local misrouting after the first group (Garcia 2013, 4)", MISROUTE_CURRENT, \
      MISROUTE_NEIGHBOUR, true)

#define ROW(name, ...)  {name, __VA_ARGS__},
#define NAME(name, ...) name,
static const struct misrouting_policy misrouting_rows[] = {ROWS(ROW){NULL, NULL, 0, 0, false}};
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
    if (routing->misrouting == NULL) return "knows only minimal paths; leave it at auto";
    if (chosen->local && routing->local_vcs == 0)
        return "has no virtual channels for local misrouting; choose one without +l";
    if (chosen->injected == MISROUTE_GROUP && routing->transit != NULL)
        return "chooses among links at every router; take rrg for any link of the group";
    return NULL;
}
