/*
 * Fairness: under a load that the network does not carry, all nodes of a router inject equally
 * much, whatever the policy, the arbitration and the crossbar; and a global link serves the router
 * that owns it and the others of the group as a round of their ports does.
 *
 * Runs are deterministic. Nodes of adaptive policies differ by chance, as their packets draw
 * different third groups: by less than 10 % in runs as long as these.
 */
#include "tests/support/network/traffic_world.h"

#include <stdbool.h>

/* Sanitizers make runs several times slower: shorter ones show crashes, not shares. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SHARE 20
#else
#define SHARE 1
#endif

#define NODES_MAX 512

/* What each node injects during the measurement. */
struct injected {
    uint64_t packets[NODES_MAX];
};

static void note_injected(void *context, const struct network_link *link) {
    struct injected *injected = context;
    if (link->is_injection) injected->packets[link->source] = link->measured.packets;
}

static struct injected overload(const struct network_config *config, const char *pattern,
                                int64_t load_millionths, int64_t measure_ps) {
    struct traffic_config traffic =
        traffic_world_config(pattern, measure_ps / 4 / SHARE, measure_ps / SHARE, 0);
    traffic.queue_messages = 64;
    struct traffic_options options = {.threads = 1};
    struct network *network;
    traffic_world_run(config, &traffic, load_millionths, 1, &options, &network);
    struct injected injected = {{0}};
    network_visit_links(network, note_injected, &injected);
    network_free(network);
    return injected;
}

/* Each node of a router within 10 % of their mean, and added up over all routers within 3 %. */
static void check_equal_shares(const struct network_config *config, const char *name,
                               const char *pattern, int64_t load_millionths, int64_t measure_ps) {
    struct injected injected = overload(config, pattern, load_millionths, measure_ps);
    if (SHARE > 1) return;
    uint64_t nodes = (uint64_t)config->nodes_per_router, sums[NODES_MAX] = {0}, all = 0;
    uint64_t routers = (uint64_t)(config->routers_per_group * config->groups);
    for (uint64_t router = 0; router < routers; router++) {
        uint64_t sum = 0;
        for (uint64_t i = 0; i < nodes; i++) {
            sum += injected.packets[router * nodes + i];
            sums[i] += injected.packets[router * nodes + i];
        }
        all += sum;
        assert_true(sum > 100 * nodes);
        for (uint64_t i = 0; i < nodes; i++) {
            uint64_t packets = injected.packets[router * nodes + i] * nodes;
            if (packets * 10 < sum * 9 || packets * 10 > sum * 11)
                fail_msg(
                    "%s, %s, %s: node %llu injects %llu packets, all %llu of router %llu: %llu",
                    network_routing_names()[config->routing], name, pattern,
                    (unsigned long long)(router * nodes + i), (unsigned long long)packets / nodes,
                    (unsigned long long)nodes, (unsigned long long)router, (unsigned long long)sum);
        }
    }
    for (uint64_t i = 0; i < nodes; i++)
        if (sums[i] * nodes * 100 < all * 97 || sums[i] * nodes * 100 > all * 103)
            fail_msg(
                "%s, %s, %s: the nodes at port %llu of all routers inject %llu packets of %llu",
                network_routing_names()[config->routing], name, pattern, (unsigned long long)i,
                (unsigned long long)sums[i], (unsigned long long)all);
}

static const char *const arbiters[] = {
    "router.crossbar=ideal router.arbitration=round-robin",
    "router.crossbar=input router.arbitration=round-robin router.allocation_rounds=2",
    "router.crossbar=vc router.arbitration=round-robin",
    "router.crossbar=input router.vc_allocation=first",
    "router.crossbar=vc router.vc_allocation=first router.allocation_rounds=2",
    "router.crossbar=ideal router.arbitration=least-recent",
    "router.crossbar=vc router.arbitration=least-recent",
    "router.crossbar=ideal router.arbitration=oldest",
};

/* kim-72's channels and routers between 36 nodes, three at a router. */
static struct network_config small_machine(const char *routing) {
    struct network_config config = network_world_machine("kim-72", routing);
    network_world_set(&config, "nodes_per_router=3 routers_per_group=3 globals_per_router=1 "
                               "groups=4");
    return config;
}

static void every_policy_serves_nodes_alike(void **state) {
    (void)state;
    for (int32_t routing = 0; network_routing_names()[routing] != NULL; routing++) {
        struct network_config config = small_machine("");
        config.routing = routing;
        if (routing % 2 == 0)
            check_equal_shares(&config, "kim-72", "uniform", 950000, 1600000000);
        else
            check_equal_shares(&config, "kim-72", "adv+1", 600000, 1600000000);
    }
}

static void every_arbiter_serves_nodes_alike(void **state) {
    (void)state;
    const char *const routings[] = {"routing=minimal", "routing=valiant"};
    for (size_t i = 0; i < sizeof routings / sizeof *routings; i++) {
        for (size_t j = i; j < sizeof arbiters / sizeof *arbiters; j += 2) {
            struct network_config config = small_machine(routings[i]);
            network_world_set(&config, arbiters[j]);
            check_equal_shares(&config, arbiters[j], "uniform", 950000, 1600000000);
        }
    }
}

/*
 * Kim's router, minimal routing, adv+1: all eight routers of a group send by one link. The output
 * takes from the four nodes at its router and from the seven other routers in turn: 1/11 from each,
 * however often credits come, and whatever goes by the output's other VC in between. Input VCs with
 * turns of their own: the nodes have two each, the other routers send by one, so 2/15 and 1/15.
 */
static void check_link(const char *more, uint64_t turns_of_node) {
    struct network_config config = network_world_machine(
        "kim-1k-paper", "routing=minimal globals_per_router=1 groups=9 routers_per_group=8");
    network_world_set(&config, more);
    struct injected injected = overload(&config, "adv+1", 200000, 40000000);
    if (SHARE > 1) return;
    for (uint64_t group = 0; group < 9; group++) {
        uint64_t sum = 0;
        for (uint64_t node = 0; node < 32; node++)
            sum += injected.packets[group * 32 + node];
        assert_true(sum > 35000);
        uint64_t owner = group < 8 ? group : 0; /* absolute: link x leads to x + 1 from x = group */
        for (uint64_t node = 0; node < 32; node++) {
            uint64_t turns = node / 4 == owner ? 4 * turns_of_node : 1;
            uint64_t all = 28 + 16 * turns_of_node;
            uint64_t packets = injected.packets[group * 32 + node] * all;
            if (packets * 50 < sum * turns * 49 || packets * 50 > sum * turns * 51)
                fail_msg(
                    "group %llu: node %llu injects %llu of %llu packets, %llu/%llu are its share",
                    (unsigned long long)group, (unsigned long long)node,
                    (unsigned long long)(packets / all), (unsigned long long)sum,
                    (unsigned long long)turns, (unsigned long long)all);
        }
    }
}

static void a_link_serves_ports_in_turn(void **state) {
    (void)state;
    check_link("", 1);
    check_link("router.vc_allocation=first", 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_policy_serves_nodes_alike),
        cmocka_unit_test(every_arbiter_serves_nodes_alike),
        cmocka_unit_test(a_link_serves_ports_in_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
