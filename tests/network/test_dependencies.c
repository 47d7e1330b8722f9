/*
 * Freedom from deadlock and livelock, shown by enumeration: all that packets can do under a routing
 * policy is walked with the routing functions themselves, on small machines of every arrangement.
 * What channels can wait for has no circles, every walk ends where it should, within the policy's
 * hops, and with one VC less there are circles.
 *
 * The queues' part in decisions is played by UGAL's bias: in one world it always says minimal, in
 * the other never, so that both outcomes of every decision are walked, for many draws of
 * candidates.
 */
#include "network/network_choices.h"
#include "network_face.h"

#include "network/arrangement/arrangement.h"
#include "network/routing/misrouting.h"
#include "network/routing/routing.h"
#include "network/topology/failures.h"

#include <stdbool.h>

#define DRAWS     40
#define SEQUENCES 6

struct graph {
    struct network *network;
    uint32_t channels;
    uint64_t *edges; /* [from·words + to / 64] */
    uint32_t words;
    unsigned most_hops;
    unsigned bound;
    bool leaves;         /* a packet within a group has left it */
    uint8_t *candidates; /* [(group·routers + router)·links + link]: drawn at the source router */
};

struct walk {
    uint32_t group;
    uint32_t router; /* of the group */
    uint32_t last;   /* channel, or NONE */
    unsigned hops;
    unsigned globals;
    bool entered; /* the group, just now */
    uint32_t virtual_network;
    struct packet packet;
};

static void add_edge(struct graph *graph, uint32_t from, uint32_t to) {
    if (from != NONE) graph->edges[(size_t)from * graph->words + to / 64] |= UINT64_C(1) << to % 64;
}

/* The channel that routing chose, and the packet at its end, as routers leave it. Parallel channels
 * are one: which is taken may hang on queues. */
static void step(struct graph *graph, struct walk *walk) {
    const struct network *network = graph->network;
    const struct topology *topology = &network->topology;
    struct packet *packet = &walk->packet;
    uint32_t port = packet->output_port;
    assert_true(packet->output_vc < network->vcs);
    walk->entered = topology_level(topology, port) == NETWORK_GLOBAL;
    uint32_t end = NONE, first = port;
    if (!walk->entered) {
        end = topology_local_end(topology, walk->router, port).router;
        first = topology_local_port(topology, walk->group, walk->router, end);
    }
    uint32_t output = walk->router * topology->radix + first;
    uint32_t channel = (walk->group * network->ports + output) * network->vcs + packet->output_vc;
    add_edge(graph, walk->last, channel);
    assert_int_equal(face_virtual_network(network, packet->output_vc), walk->virtual_network);
    walk->last = channel;
    walk->hops++;
    packet->routers++;
    if (!walk->entered) {
        assert_true(
            failures_port_works(topology, walk->group * topology->routers + walk->router, port));
        walk->router = end;
        return;
    }
    uint32_t link = walk->router * topology->globals + port - topology->first_global;
    uint32_t peer = topology->peer[walk->group * topology->links + link];
    assert_true(peer != TOPOLOGY_UNCONNECTED);
    walk->group = peer / topology->links;
    walk->router = peer % topology->links / topology->globals;
    walk->globals++;
    face_cross(network, packet);
}

/* The group that a packet turns in: behind the link by which it leaves, or where it is. */
static uint32_t turn_router(const struct network_domain *domain, const struct packet *packet) {
    uint32_t group = packet->via == NO_LINK ? network_domain_index(domain)
                                            : face_group_behind(domain, packet->via);
    return routing_turn_router(domain, group, packet);
}

static bool same_outcome(const struct network_domain *domain, const struct packet *a,
                         const struct packet *b) {
    return a->output_port == b->output_port && a->output_vc == b->output_vc && a->via == b->via &&
           a->vc == b->vc && a->flags == b->flags &&
           (!(a->flags & PACKET_TURNING) || turn_router(domain, a) == turn_router(domain, b));
}

static void note_candidate(struct graph *graph, const struct walk *walk,
                           const struct packet *packet) {
    const struct topology *topology = &graph->network->topology;
    if (walk->hops > 0 || packet->via == NO_LINK) return;
    graph->candidates[(walk->group * topology->routers + walk->router) * topology->links +
                      packet->via] = 1;
}

/* All that routing can make of a packet where it is. */
static unsigned outcomes(struct graph *graph, const struct walk *walk, struct packet *found) {
    struct network *network = graph->network;
    struct network_domain *domain = network_domain_at(network, walk->group);
    bool decides = network->policy->decide != NULL && !(walk->packet.flags & PACKET_ROUTED);
    bool draws = decides || (walk->packet.flags & PACKET_TURNING && walk->entered);
    unsigned count = 0;
    for (uint32_t draw = 0; draw < (draws ? DRAWS : 1); draw++) {
        for (int world = 0; world < (decides ? 2 : 1); world++) {
            struct packet packet = walk->packet;
            if (draws) packet.number = draw;
            face_set_bias(network, world == 0 ? -(1 << 30) : 1 << 30);
            routing_route(domain, walk->router, &packet);
            note_candidate(graph, walk, &packet);
            unsigned i = 0;
            while (i < count && !same_outcome(domain, &found[i], &packet))
                i++;
            if (i == count) found[count++] = packet;
        }
    }
    return count;
}

static void walk_on(struct graph *graph, const struct walk *from) {
    const struct topology *topology = &graph->network->topology;
    struct packet found[2 * DRAWS];
    unsigned count = outcomes(graph, from, found);
    for (unsigned i = 0; i < count; i++) {
        struct walk next = *from;
        next.packet = found[i];
        if (topology_level(topology, next.packet.output_port) == NETWORK_TERMINAL) {
            assert_int_equal(next.group, next.packet.target_group);
            assert_int_equal(next.router, next.packet.target_router);
            assert_int_equal(next.packet.output_port,
                             next.packet.destination % topology->nodes_per_router);
            bool detour = next.packet.flags & PACKET_DETOUR;
            bool away = next.packet.source / topology->nodes_per_group != next.group;
            assert_int_equal(next.globals, detour ? 2 : away);
            graph->leaves = graph->leaves || (detour && !away);
            if (next.hops > graph->most_hops) graph->most_hops = next.hops;
            continue;
        }
        step(graph, &next);
        assert_true(next.hops <= graph->bound);
        walk_on(graph, &next);
    }
}

/* Every source router, destination router, and choice among several links, in one virtual network.
 */
static void walk_network(struct graph *graph, uint32_t virtual_network) {
    const struct topology *topology = &graph->network->topology;
    uint32_t routers = topology->groups * topology->routers;
    uint32_t sequences = topology->links >= topology->groups ? SEQUENCES : 1;
    for (uint32_t source = 0; source < routers; source++) {
        for (uint32_t target = 0; target < routers; target++) {
            if (!failures_router_works(topology, source) ||
                !failures_router_works(topology, target))
                continue;
            for (uint32_t sequence = 0; sequence < sequences; sequence++) {
                struct walk walk = {
                    .group = source / topology->routers,
                    .router = source % topology->routers,
                    .last = NONE,
                    .virtual_network = virtual_network,
                    .packet = {.source = source * topology->nodes_per_router,
                               .destination = target * topology->nodes_per_router,
                               .sequence = sequence,
                               .target_group = (uint16_t)(target / topology->routers),
                               .target_router = (uint16_t)(target % topology->routers),
                               .via = NO_LINK,
                               .vc = graph->network->launch_class,
                               .flags = graph->network->launch_flags},
                };
                face_enter(graph->network, &walk.packet, virtual_network);
                walk_on(graph, &walk);
            }
        }
    }
}

static void walk_all(struct graph *graph) {
    for (uint32_t i = 0; i < network_config_virtual_networks(&graph->network->config); i++)
        walk_network(graph, i);
}

/* Takes away channels that wait for none until none is left; a circle stays. */
static bool has_circle(const struct graph *graph) {
    uint32_t n = graph->channels;
    uint32_t *waits_for = calloc(n, sizeof *waits_for);
    uint32_t *ready = malloc(n * sizeof *ready);
    uint32_t count = 0, done = 0;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t word = 0; word < graph->words; word++)
            waits_for[i] +=
                (uint32_t)__builtin_popcountll(graph->edges[(size_t)i * graph->words + word]);
        if (waits_for[i] == 0) ready[count++] = i;
    }
    while (done < count) {
        uint32_t taken = ready[done++];
        for (uint32_t i = 0; i < n; i++) {
            bool edge = graph->edges[(size_t)i * graph->words + taken / 64] >> taken % 64 & 1;
            if (edge && --waits_for[i] == 0) ready[count++] = i;
        }
    }
    free(waits_for);
    free(ready);
    return count < n;
}

/* The search for circles does find one. */
static void test_circles_are_found(void **state) {
    (void)state;
    uint64_t edges[3] = {2, 4, 0};
    struct graph graph = {.channels = 3, .edges = edges, .words = 1};
    assert_false(has_circle(&graph));
    edges[2] = 1;
    assert_true(has_circle(&graph));
}

/* ---------------------------------------------------------------- machines and policies */

struct shape {
    int64_t a, h, g;
};

static unsigned bound_of(const struct network_config *config, unsigned inside) {
    const struct routing_policy *policy = &routing_policies()[config->routing];
    if (inside == 0) inside = 1;
    unsigned bound = 2 * inside + 1;
    if (policy->misrouting == NULL && !network_config_fails(config)) return bound;
    bound += inside + 1;
    if (config->valiant == NETWORK_VALIANT_ROUTER) bound += inside;
    return bound + (strcmp(policy->name, "par") == 0 ? inside : 0);
}

/* Every candidate that the misrouting policy names has been drawn, by every router. */
static void check_candidates(const struct graph *graph) {
    const struct network *network = graph->network;
    const struct topology *topology = &network->topology;
    unsigned kind = network->misrouting->injected;
    if (kind == MISROUTING_GROUP && topology->links >= topology->groups)
        return; /* a link to each group for a message, more than are walked */
    for (uint32_t group = 0; group < topology->groups; group++) {
        for (uint32_t router = 0; router < topology->routers; router++) {
            for (uint32_t link = 0; link < topology->links; link++) {
                if (face_group_behind(face_domain(network, group), link) == NONE) continue;
                bool own = link / topology->globals == router;
                bool wanted = kind == MISROUTING_CURRENT     ? own
                              : kind == MISROUTING_NEIGHBOUR ? !own
                                                             : true;
                assert_int_equal(
                    graph
                        ->candidates[(group * topology->routers + router) * topology->links + link],
                    wanted);
            }
        }
    }
}

/* Walks all; returns whether there is a circle. */
static bool explore(const struct network_config *config, bool whole, unsigned *most_hops) {
    struct network_world world;
    network_world_new(&world, config, 5);
    struct network *network = world.network;
    struct graph graph = {.network = network,
                          .bound = bound_of(config, network->topology.local_diameter)};
    graph.channels = network->topology.groups * network->ports * network->vcs;
    graph.words = (graph.channels + 63) / 64;
    graph.edges = calloc((size_t)graph.channels * graph.words, sizeof *graph.edges);
    graph.candidates = calloc(
        (size_t)network->topology.groups * network->topology.routers * network->topology.links + 1,
        1);
    walk_all(&graph);
    if (whole && network->misrouting != NULL && config->groups > 3) check_candidates(&graph);
    bool decides = network->policy->decide != NULL && config->groups > 1;
    assert_int_equal(graph.leaves,
                     decides && config->intragroup_paths == NETWORK_INTRAGROUP_POLICY);
    bool circle = has_circle(&graph);
    *most_hops = graph.most_hops;
    free(graph.edges);
    free(graph.candidates);
    network_world_free(&world);
    return circle;
}

static struct network_config config_of(const struct shape *shape, int32_t routing) {
    struct network_config config = network_world_config("nodes_per_router=1");
    config.routers_per_group = shape->a;
    config.globals_per_router = shape->h;
    config.groups = shape->g;
    config.routing = routing;
    return config;
}

/* Policies that decide in transit have walks of their own: test_ofar.c. */
static bool is_valid(const struct network_config *config) {
    if (routing_policies()[config->routing].transit != NULL) return false;
    struct status status = STATUS_INIT;
    bool valid = network_config_check(config, &status) == STATUS_OK;
    status_clear(&status);
    return valid;
}

static void check_free_of_circles(const struct network_config *config) {
    unsigned most_hops;
    if (!explore(config, true, &most_hops)) return;
    fail_msg("%s, %s, %s, a=%lld h=%lld g=%lld: channels can wait for each other in a circle",
             network_routing_names()[config->routing],
             network_misrouting_names()[config->misrouting],
             network_arrangement_names()[config->arrangement], (long long)config->routers_per_group,
             (long long)config->globals_per_router, (long long)config->groups);
}

/* Every policy on every small shape. */
static void test_all_small_shapes(void **state) {
    (void)state;
    for (int32_t routing = 0; network_routing_names()[routing] != NULL; routing++) {
        if (routing_policies()[routing].transit != NULL) continue; /* test_ofar.c */
        for (int64_t a = 1; a <= 4; a++) {
            for (int64_t h = 1; h <= 3 && a * h <= 6; h++) {
                for (int64_t g = 1; g <= a * h + 1; g++) {
                    struct network_config config = config_of(&(struct shape){a, h, g}, routing);
                    if (is_valid(&config)) check_free_of_circles(&config);
                }
            }
        }
    }
}

/* Every policy with every misrouting policy, arrangement and way of turning, and minimal paths in
 * turn with either VCs. */
static void test_all_combinations(void **state) {
    (void)state;
    const struct shape shapes[] = {{3, 2, 7}, {2, 2, 4}};
    unsigned runs = 0;
    for (int32_t routing = 0; network_routing_names()[routing] != NULL; routing++) {
        if (routing_policies()[routing].transit != NULL) continue; /* test_ofar.c */
        for (int32_t misrouting = 0; network_misrouting_names()[misrouting] != NULL; misrouting++) {
            for (int32_t i = 0; network_arrangement_names()[i] != NULL; i++) {
                for (size_t n = 0; n < 2 * sizeof shapes / sizeof *shapes; n++) {
                    struct network_config config = config_of(&shapes[n / 2], routing);
                    config.misrouting = misrouting;
                    config.arrangement = i;
                    config.valiant = n % 2;
                    config.minimal_vcs = (int32_t)(n + n / 2 + (size_t)i) % 2;
                    if (!is_valid(&config)) continue;
                    check_free_of_circles(&config);
                    runs++;
                }
            }
        }
    }
    assert_true(runs > 200);
}

/* Packets whose draw of a third group is the minimal path, with either VCs of minimal paths. */
static void test_third_groups(void **state) {
    (void)state;
    for (int32_t routing = 0; network_routing_names()[routing] != NULL; routing++) {
        if (routing_policies()[routing].transit != NULL) continue; /* test_ofar.c */
        for (int kind = 0; kind < 8; kind++) {
            struct network_config config = config_of(&(struct shape){3, 2, 6}, routing);
            config.third_group = kind % 2 == 0 ? NETWORK_THIRD_NOT_OWN : (int32_t)NETWORK_THIRD_ANY;
            config.minimal_vcs = kind / 2 % 2;
            config.valiant = kind / 4;
            if (!is_valid(&config)) continue;
            unsigned most_hops;
            assert_false(explore(&config, false, &most_hops));
            assert_true(most_hops <= bound_of(&config, 1));
        }
    }
}

/* Packets within a group that leave it and come back, with either VCs of minimal paths and way of
 * turning, in groups of one and two dimensions, where links have failed, and in turn with who can
 * be the third group; every kind of candidate with one of these. And no VC is one too many. */
static void test_intragroup_paths(void **state) {
    (void)state;
    const struct {
        struct shape shape;
        const char *settings;
    } cases[] = {{{3, 2, 7}, ""},
                 {{2, 2, 4}, "third_group=not-own"},
                 {{2, 1, 2}, ""},
                 {{3, 2, 3}, "third_group=any"},
                 {{4, 1, 4}, "group.dimensions=2x2"},
                 {{4, 2, 5}, "failures.locals=3 failures.globals=4"}};
    unsigned runs = 0;
    for (int32_t routing = 0; network_routing_names()[routing] != NULL; routing++) {
        for (int32_t misrouting = 0; network_misrouting_names()[misrouting] != NULL; misrouting++) {
            for (size_t n = 0; n < 4 * sizeof cases / sizeof *cases; n++) {
                struct network_config config = config_of(&cases[n / 4].shape, routing);
                network_world_set(&config, cases[n / 4].settings);
                config.intragroup_paths = NETWORK_INTRAGROUP_POLICY;
                config.misrouting = misrouting;
                config.minimal_vcs = n % 2;
                config.valiant = n / 2 % 2;
                bool turn = n >= 4 && (n + (size_t)routing) % 4 == 0;
                if (!is_valid(&config) || (misrouting > 0 && !turn)) continue;
                unsigned most_hops;
                assert_false(explore(&config, false, &most_hops));
                assert_true(most_hops <= bound_of(&config, 4));
                runs++;
                if (misrouting > 0 || n >= 4) continue;
                config.vcs = routing_vcs(&config) - 1;
                assert_true(explore(&config, false, &most_hops));
            }
        }
    }
    assert_true(runs > 100);
}

/* Several virtual networks: packets of one never take a channel of another, and with one VC less
 * there are circles in all. */
static void test_virtual_networks(void **state) {
    (void)state;
    for (int32_t routing = 0; network_routing_names()[routing] != NULL; routing++) {
        if (routing_policies()[routing].transit != NULL) continue; /* test_ofar.c */
        for (int64_t classes = 2; classes <= 3; classes++) {
            struct network_config config = config_of(&(struct shape){3, 2, 7}, routing);
            config.classes = classes;
            config.injection_vcs = classes == 3 ? 5 : 0;
            config.valiant = classes == 3 && routing_policies()[routing].turns_at_router;
            assert_true(is_valid(&config));
            check_free_of_circles(&config);
            config.vcs = routing_vcs(&config) - 1;
            unsigned most_hops;
            assert_true(explore(&config, true, &most_hops));
        }
    }
}

/* Routers that use fewer of their global ports than they have. */
static void test_tapered(void **state) {
    (void)state;
    for (int32_t routing = 0; network_routing_names()[routing] != NULL; routing++) {
        if (routing_policies()[routing].transit != NULL) continue; /* test_ofar.c */
        struct network_config config = config_of(&(struct shape){3, 3, 4}, routing);
        config.globals_used = 1;
        assert_true(is_valid(&config));
        check_free_of_circles(&config);
    }
}

/* The longest paths do occur, and no longer ones. */
static void test_hops(void **state) {
    (void)state;
    for (int32_t routing = 0; network_routing_names()[routing] != NULL; routing++) {
        if (routing_policies()[routing].transit != NULL) continue; /* test_ofar.c */
        for (int32_t valiant = 0; valiant <= 1; valiant++) {
            struct network_config config = config_of(&(struct shape){4, 2, 9}, routing);
            config.valiant = valiant;
            if (!is_valid(&config)) continue;
            unsigned most_hops;
            assert_false(explore(&config, true, &most_hops));
            assert_int_equal(most_hops, bound_of(&config, network_config_group(&config).diameter));
            if (valiant > 0 || routing_policies()[routing].needs > 0) continue; /* as others */
            config.globals_per_router = 1;
            config.groups = 5;
            network_world_set(&config, "group.dimensions=2x2");
            assert_false(explore(&config, false, &most_hops));
            assert_true(most_hops <= bound_of(&config, network_config_group(&config).diameter) &&
                        most_hops + 1 >= bound_of(&config, network_config_group(&config).diameter));
        }
    }
}

/* Groups that are not completely connected, or not by single links: every policy with every
 * misrouting policy and way of turning; no VC is one too many. */
static void test_flattened_butterflies(void **state) {
    (void)state;
    const struct {
        struct shape shape;
        const char *group;
    } cases[] = {
        {{4, 1, 4}, "group.dimensions=2x2"},
        {{6, 1, 3}, "group.dimensions=3x2 group.links=1x2"},
        {{8, 1, 2}, "group.dimensions=2x2x2 group.links=1x2x1"},
        {{3, 1, 4}, "group.dimensions=3x1"},
        {{3, 1, 4}, "group.links=2"},
    };
    unsigned runs = 0;
    for (int32_t routing = 0; network_routing_names()[routing] != NULL; routing++) {
        for (int32_t misrouting = 0; network_misrouting_names()[misrouting] != NULL; misrouting++) {
            for (size_t n = 0; n < 2 * sizeof cases / sizeof *cases; n++) {
                struct network_config config = config_of(&cases[n / 2].shape, routing);
                network_world_set(&config, cases[n / 2].group);
                config.misrouting = misrouting;
                config.valiant = n % 2;
                const char *name = network_routing_names()[routing];
                if (misrouting > 0 && strcmp(name, n % 2 > 0 ? "ugal-l" : "par") != 0) continue;
                if (!is_valid(&config)) continue;
                unsigned most_hops;
                assert_false(explore(&config, misrouting > 0, &most_hops));
                assert_true(most_hops <= bound_of(&config, network_config_group(&config).diameter));
                runs++;
                if (misrouting > 0 || n > 1) continue;
                config.vcs = routing_vcs(&config) - 1;
                assert_true(explore(&config, false, &most_hops));
            }
        }
    }
    assert_true(runs > 40);
}

/* Groups of two dimensions under every policy, misrouting policy and arrangement, in turn with ways
 * of turning; of three in two arrangements. Always with fewer groups than could be joined. */
static void test_flattened_butterflies_in_all_wirings(void **state) {
    (void)state;
    unsigned runs = 0;
    for (int32_t routing = 0; network_routing_names()[routing] != NULL; routing++) {
        for (int32_t misrouting = 0; network_misrouting_names()[misrouting] != NULL; misrouting++) {
            for (int32_t i = 0; network_arrangement_names()[i] != NULL; i++) {
                bool solid = misrouting == 0 && i < 2;
                struct network_config config =
                    config_of(solid ? &(struct shape){8, 1, 3} : &(struct shape){4, 1, 3}, routing);
                network_world_set(&config,
                                  solid ? "group.dimensions=2x2x2" : "group.dimensions=2x2");
                config.misrouting = misrouting;
                config.arrangement = i;
                config.valiant = (routing + misrouting + i) % 2;
                if (!is_valid(&config)) config.valiant = NETWORK_VALIANT_GROUP;
                if (!is_valid(&config)) continue;
                unsigned most_hops;
                assert_false(explore(&config, false, &most_hops));
                assert_true(most_hops <= bound_of(&config, network_config_group(&config).diameter));
                runs++;
            }
        }
    }
    assert_true(runs > 200);
}

/* Machines with failures, of every kind, drawn many times: packets go by what works alone, within
 * the hops that the longest way round inside a group allows, and channels cannot wait in circles.
 */
static void test_failures(void **state) {
    (void)state;
    const struct {
        struct shape shape;
        const char *settings;
    } cases[] = {
        {{5, 1, 6}, "failures.locals=6"},
        {{4, 1, 5}, "failures.globals=2 failures.locals=2"},
        {{3, 2, 4}, "failures.globals=4 failures.routers=1"},
        {{4, 2, 5}, "failures.locals=5 failures.globals=5 failures.routers=2"},
        {{6, 1, 4}, "group.dimensions=3x2 group.links=1x2 failures.locals=6 failures.globals=1"},
    };
    unsigned runs = 0, cut = 0, turning = 0;
    for (int32_t routing = 0; network_routing_names()[routing] != NULL; routing++) {
        for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
            for (int64_t seed = 1; seed <= 4; seed++) {
                struct network_config config = config_of(&cases[n].shape, routing);
                network_world_set(&config, cases[n].settings);
                config.failures_seed = seed;
                config.valiant = seed > 3;
                config.minimal_vcs = (seed + routing) % 2;
                if (!is_valid(&config)) continue;
                config.misrouting = routing_policies()[routing].misrouting != NULL ? seed % 5 : 0;
                struct topology topology;
                struct status status = STATUS_INIT;
                bool whole = topology_new(&topology, &config, &status) == STATUS_OK;
                cut += topology.cut;
                topology_free(&topology);
                status_clear(&status);
                if (!whole) continue; /* too much has failed */
                unsigned most_hops;
                assert_false(explore(&config, false, &most_hops));
                runs++;
                turning += config.valiant > 0;
            }
        }
    }
    assert_true(runs > 100);
    assert_true(turning > 20);
    assert_true(cut > 10);
}

/* No policy asks for more VCs than it needs: with one less, channels wait in a circle. */
static void test_every_vc_is_needed(void **state) {
    (void)state;
    for (int32_t routing = 0; network_routing_names()[routing] != NULL; routing++) {
        if (routing_policies()[routing].transit != NULL) continue; /* test_ofar.c */
        for (int32_t kind = 0; kind < 4; kind++) {
            struct network_config config = config_of(&(struct shape){3, 2, 7}, routing);
            config.valiant = kind % 2;
            config.minimal_vcs = kind / 2;
            if (!is_valid(&config)) continue;
            config.vcs = routing_vcs(&config) - 1;
            unsigned most_hops;
            if (!explore(&config, true, &most_hops))
                fail_msg("%s needs only %lld VCs", network_routing_names()[routing],
                         (long long)config.vcs);
        }
    }
}

/* Nor do minimal paths where they go by third groups, because that is all that is left. */
static void test_minimal_needs_its_vcs_where_links_have_failed(void **state) {
    (void)state;
    bool circle = false;
    for (int64_t seed = 1; seed <= 20 && !circle; seed++) {
        struct network_config config = config_of(&(struct shape){2, 2, 5}, 0);
        network_world_set(&config, "routing=minimal failures.globals=40%");
        config.failures_seed = seed;
        struct topology topology;
        bool whole = topology_new(&topology, &config, NULL) == STATUS_OK;
        topology_free(&topology);
        if (!whole) continue;
        config.vcs = routing_vcs(&config);
        assert_int_equal(config.vcs, 3);
        unsigned most_hops;
        assert_false(explore(&config, false, &most_hops));
        config.vcs--;
        circle = explore(&config, true, &most_hops);
    }
    assert_true(circle);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tapered),
        cmocka_unit_test(test_circles_are_found),
        cmocka_unit_test(test_all_small_shapes),
        cmocka_unit_test(test_all_combinations),
        cmocka_unit_test(test_third_groups),
        cmocka_unit_test(test_intragroup_paths),
        cmocka_unit_test(test_hops),
        cmocka_unit_test(test_virtual_networks),
        cmocka_unit_test(test_flattened_butterflies),
        cmocka_unit_test(test_flattened_butterflies_in_all_wirings),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_minimal_needs_its_vcs_where_links_have_failed),
        cmocka_unit_test(test_every_vc_is_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
