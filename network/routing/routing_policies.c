/* The table of routing policies, and what a configuration's policy needs. */
#include "network/network_choices.h"
#include "network/routing/misrouting.h"
#include "network/routing/ring.h"
#include "network/routing/routing.h"

/* name, what it is with its source, VCs, first VC class of minimal paths and of others, needs, own
 * misrouting policy, VCs with local misrouting, whether turning at a router is possible, decision
 */
#define ROWS(X)                                                                                    \
    X("minimal", "the one global hop that is needed, never another (Kim 2008, 4.1)", 2, 0, 0, 0,   \
      NULL, 0, false, NULL)                                                                        \
    X("valiant", "always by way of a random third group (Kim 2008, 4.1)", 3, 1, 0, 0, "group", 0,  \
      true, routing_valiant_decide)                                                                \
    X("ugal-l",                                                                                    \
      "minimal or by way of a random third group, whichever queue at the source router times "     \
      "hops is less (Kim 2008, 4.2)",                                                              \
      3, 1, 0, 0, "group", 0, true, routing_ugal_l_decide)                                         \
    X("ugal-g",                                                                                    \
      "as ugal-l, but compares the queues of the global ports, wherever in the group they are: "   \
      "the ideal (Kim 2008, 4.2)",                                                                 \
      3, 1, 0, 0, "group", 0, true, routing_ugal_g_decide)                                         \
    X("ugal-l-vc", "as ugal-l, but compares the queues of the two paths' VCs (Kim 2008, 4.3.1)",   \
      3, 1, 0, ROUTING_VC_QUEUES, "group", 0, true, routing_ugal_l_vc_decide)                      \
    X("ugal-l-vch",                                                                                \
      "as ugal-l, but as ugal-l-vc if both paths leave by the same port (Kim 2008, 4.3.1)", 3, 1,  \
      0, ROUTING_VC_QUEUES, "group", 0, true, routing_ugal_l_vch_decide)                           \
    X("ugal-l-cr",                                                                                 \
      "as ugal-l-vch, with credits upstream delayed by what their round trip took too long (Kim "  \
      "2008, 4.3.2)",                                                                              \
      3, 1, 0, ROUTING_VC_QUEUES | ROUTING_ROUND_TRIPS, "group", 0, true,                          \
      routing_ugal_l_vch_decide)                                                                   \
    X("piggyback",                                                                                 \
      "as ugal-l, and non-minimal if the router has heard that the minimal global link is "        \
      "saturated (Jiang 2009)",                                                                    \
      3, 1, 0, ROUTING_SATURATION, "group", 0, true, routing_piggyback_decide)                     \
    X("par",                                                                                       \
      "as ugal-l, and after a local hop of a minimal path the same once more (Abts 2011, 5.3.3)",  \
      4, 2, 1, 0, "group", 0, true, routing_par_decide)

/* Those that decide in transit: name, help, VCs, own misrouting policy, VCs with local misrouting,
 * what they do */
#define TRANSIT_ROWS(X)                                                                            \
    X("ofar",                                                                                      \
      "in transit: by another link whenever the minimal output is taken; an escape ring against "  \
      "deadlock (Garcia 2013, 2)",                                                                 \
      3, "mm", 3, &ofar)                                                                           \
    X("ofar-ordered", "as ofar, but with VCs in ascending order in place of the ring", 4, "mm", 6, \
      &ofar_ordered)

static const struct routing_transit ofar = {true, false, routing_ofar_find_output,
                                            routing_ofar_depart};
static const struct routing_transit ofar_ordered = {false, true, routing_ofar_find_output,
                                                    routing_ofar_depart};

#define ROW(name, ...) {name, __VA_ARGS__, NULL},
#define TRANSIT_ROW(name, help, vcs, misrouting, local_vcs, transit)                               \
    {name, help, vcs, 0, 0, 0, misrouting, local_vcs, false, NULL, transit},
#define NAME(name, ...) name,
static const struct routing_policy policy_rows[] = {
    ROWS(ROW) TRANSIT_ROWS(TRANSIT_ROW){NULL, NULL, 0, 0, 0, 0, NULL, 0, false, NULL, NULL}};
static const char *const policy_names[] = {ROWS(NAME) TRANSIT_ROWS(NAME) NULL};
#undef ROWS
#undef TRANSIT_ROWS
#undef TRANSIT_ROW
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
    if (ring_needed(config)) return (unsigned)config->ofar_vcs;
    if (misrouting != NULL && misrouting->local) return policy->local_vcs;
    /* Minimal paths, too, go by a third group where failures have left no other way. */
    unsigned more = config->valiant == NETWORK_VALIANT_ROUTER ||
                    (misrouting == NULL && network_config_fails(config));
    return policy->vcs + more;
}
