/* The table of routing policies, and the VCs that a configuration's policy needs. */
#include "network/network_choices.h"
#include "network/routing/misrouting.h"
#include "network/routing/ring.h"
#include "network/routing/routing.h"

static const struct routing_transit ofar = {
    .needs_ring = true, .find_output = routing_ofar_find_output, .depart = routing_ofar_depart};
static const struct routing_transit ofar_ordered = {.serves_transit_first = true,
                                                    .find_output = routing_ofar_find_output,
                                                    .depart = routing_ofar_depart};

#define ROWS(X)                                                                                    \
    X("minimal", .help = "always the minimal path, with at most one global hop (Kim 2008, 4.1)",   \
      .vcs = 2)                                                                                    \
    X("valiant", .help = "always a path through a random third group (Kim 2008, 4.1)", .vcs = 3,   \
      .initial_minimal_class = 1, .misrouting = "group", .has_intermediate_router = true,          \
      .decide = routing_valiant_decide)                                                            \
    X("ugal-l",                                                                                    \
      .help = "the minimal path or one through a random third group: that with the "               \
              "shorter queue at the source router, times its hops (Kim 2008, 4.2)",                \
      .vcs = 3, .initial_minimal_class = 1, .misrouting = "group",                                 \
      .has_intermediate_router = true, .decide = routing_ugal_decide)                              \
    X("ugal-g",                                                                                    \
      .help = "as ugal-l, but compares the queues of the global ports, wherever in the "           \
              "group they are: an ideal (Kim 2008, 4.2)",                                          \
      .vcs = 3, .initial_minimal_class = 1, .misrouting = "group",                                 \
      .has_intermediate_router = true, .load = ROUTING_LOAD_GLOBAL, .decide = routing_ugal_decide) \
    X("ugal-l-vc",                                                                                 \
      .help = "as ugal-l, but compares the queues of the VCs that the two paths take "             \
              "(Kim 2008, 4.3.1)",                                                                 \
      .vcs = 3, .initial_minimal_class = 1, .needs = ROUTING_VC_QUEUES, .misrouting = "group",     \
      .has_intermediate_router = true, .load = ROUTING_LOAD_VC, .decide = routing_ugal_decide)     \
    X("ugal-l-vch",                                                                                \
      .help = "as ugal-l-vc if both paths leave by the same port, otherwise as ugal-l "            \
              "(Kim 2008, 4.3.1)",                                                                 \
      .vcs = 3, .initial_minimal_class = 1, .needs = ROUTING_VC_QUEUES, .misrouting = "group",     \
      .has_intermediate_router = true, .decide = routing_ugal_l_vch_decide)                        \
    X("ugal-l-cr",                                                                                 \
      .help = "as ugal-l-vch; routers also delay credits by the excess of their round "            \
              "trips (Kim 2008, 4.3.2)",                                                           \
      .vcs = 3, .initial_minimal_class = 1, .needs = ROUTING_VC_QUEUES | ROUTING_ROUND_TRIPS,      \
      .misrouting = "group", .has_intermediate_router = true, .decide = routing_ugal_l_vch_decide) \
    X("piggyback",                                                                                 \
      .help = "as ugal-l, but non-minimal if the router knows that the minimal global "            \
              "link is saturated (Jiang 2009)",                                                    \
      .vcs = 3, .initial_minimal_class = 1, .needs = ROUTING_SATURATION, .misrouting = "group",    \
      .has_intermediate_router = true, .decide = routing_piggyback_decide)                         \
    X("par",                                                                                       \
      .help = "as ugal-l; after each local hop of a minimal path the router decides "              \
              "again (Abts 2011, 5.3.3)",                                                          \
      .vcs = 4, .initial_minimal_class = 2, .nonminimal_class = 1, .misrouting = "group",          \
      .has_intermediate_router = true, .decide = routing_par_decide)                               \
    X("ofar",                                                                                      \
      .help = "decides at every router: a packet takes another link if its minimal "               \
              "output is taken; an escape ring prevents deadlock (Garcia 2013, 2)",                \
      .vcs = 3, .misrouting = "mm", .local_vcs = 3, .transit = &ofar)                              \
    X("ofar-ordered",                                                                              \
      .help = "as ofar, but VCs in ascending order prevent deadlock in place of the "              \
              "ring",                                                                              \
      .vcs = 4, .misrouting = "mm", .local_vcs = 6, .transit = &ofar_ordered)

#define ROW(first, ...)  {.name = first, __VA_ARGS__},
#define NAME(first, ...) first,
static const struct routing_policy policy_rows[] = {ROWS(ROW){.name = NULL}};
static const char *const policy_names[] = {ROWS(NAME) NULL};
#undef ROWS
#undef ROW
#undef NAME

const struct routing_policy *routing_policies(void) {
    return policy_rows;
}

const char *const *network_routing_names(void) {
    return policy_names;
}

bool routing_reads_queues(const struct network_config *config) {
    const struct routing_policy *policy = &routing_policies()[config->routing];
    return policy->decide != NULL && policy->decide != routing_valiant_decide;
}

unsigned routing_vcs(const struct network_config *config) {
    const struct routing_policy *policy = &routing_policies()[config->routing];
    const struct misrouting_policy *misrouting = misrouting_chosen(config);
    if (ring_is_needed(config)) return (unsigned)config->ofar_vcs;
    if (misrouting != NULL && misrouting->allows_local) return policy->local_vcs;
    /* Minimal paths, too, can pass a third group if there are failures. */
    unsigned more = config->valiant == NETWORK_VALIANT_ROUTER ||
                    (misrouting == NULL && network_config_has_failures(config));
    return policy->vcs + more;
}
