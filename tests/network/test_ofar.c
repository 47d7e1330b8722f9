/*
 * OFAR: what a packet may do is enumerated by letting the policy look at it with every output but
 * one closed; from that follow hop bounds, the order of virtual channels, and that the escape ring
 * is always there. The ring itself. Runs beyond saturation: test_ofar_floods.c.
 */
#include "network_world.h"

#include "network/arrangement/arrangement.h"
#include "network/router.h"
#include "network/routing/misrouting.h"
#include "network/routing/ring.h"
#include "network/routing/routing.h"

#include <stdbool.h>

static int32_t number_in(const char *const *names, const char *name) {
    for (int32_t i = 0; names[i] != NULL; i++)
        if (strcmp(names[i], name) == 0) return i;
    fail_msg("no %s", name);
    return -1;
}

static network_config shaped(const int64_t shape[3], int32_t arrangement, const char *pairs) {
    network_config config = network_world_config("nodes_per_router=1 packet=256B header=0");
    network_world_set(&config, pairs);
    config.routers_per_group = shape[0];
    config.globals_per_router = shape[1];
    config.groups = shape[2];
    config.arrangement = arrangement;
    return config;
}

/* ---------------------------------------------------------------- the ring */

/* The router (in the machine) at the other end of an output. */
static uint32_t behind(const network *network, uint32_t group, uint32_t number, uint32_t *end) {
    const place *place = &network->places[number];
    const topology *topology = &network->topology;
    if (place->level == NETWORK_LOCAL) {
        *end = network->local_peer[number];
        return group * topology->routers + *end / topology->radix;
    }
    const network_domain *domain = &network->domains[group];
    *end = domain->peer_port[place->peer_lane];
    return domain->peer_domain[place->peer_lane] * topology->routers + *end / topology->radix;
}

static void check_ring(const network *network) {
    const topology *topology = &network->topology;
    uint32_t routers = topology->groups * topology->routers;
    bool *seen = calloc(routers, sizeof *seen);
    uint32_t here = 0;
    for (uint32_t i = 0; i < routers; i++) {
        assert_false(seen[here]);
        seen[here] = true;
        uint32_t group = here / topology->routers;
        uint32_t number = here % topology->routers * topology->radix + network->ring_ports[here];
        uint32_t end, back;
        uint32_t next = behind(network, group, number, &end);
        assert_int_equal(behind(network, next / topology->routers, end, &back), here);
        assert_int_equal(back, number); /* credits find their way */
        here = next;
    }
    assert_int_equal(here, 0);
    free(seen);
}

static void test_rings_of_all_shapes(void **state) {
    (void)state;
    unsigned found = 0;
    for (int64_t a = 1; a <= 4; a++) {
        for (int64_t h = 0; h <= 3; h++) {
            for (int64_t g = 1; g <= a * h + 1; g++) {
                for (int32_t i = 0; network_arrangement_names()[i] != NULL; i++) {
                    const int64_t shape[] = {a, h, g};
                    network_config config = shaped(shape, i, "routing=ofar ofar.ring=embedded");
                    network *network = NULL;
                    network_sink sink = {0};
                    status status = STATUS_INIT;
                    if (a * g == 1) continue;
                    if (network_new(&network, &config, 1, &sink, &status) != STATUS_OK) {
                        status_clear(&status); /* groups that this arrangement cannot join */
                        continue;
                    }
                    check_ring(network);
                    found++;
                    network_free(network);
                    network = NULL;
                    config.ofar_ring = RING_PHYSICAL;
                    assert_int_equal(network_new(&network, &config, 1, &sink, &status), STATUS_OK);
                    check_ring(network);
                    network_free(network);
                }
            }
        }
    }
    assert_true(found > 60);
}

static void test_rings_of_flattened_butterflies(void **state) {
    (void)state;
    const struct {
        int64_t shape[3];
        const char *group;
    } cases[] = {{{6, 2, 9}, "group.dimensions=3x2"},
                 {{6, 0, 1}, "group.dimensions=2x3"},
                 {{4, 0, 1}, "group.dimensions=2x2"},
                 {{12, 1, 6}, "group.dimensions=2x3x2"},
                 {{8, 0, 1}, "group.dimensions=2x2x2"},
                 {{4, 2, 5}, "group.dimensions=2x2"},
                 {{96, 10, 14}, "group.dimensions=16x6 group.links=1x3"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        network_config config = shaped(cases[i].shape, 0, "routing=ofar ofar.ring=embedded");
        network_world_set(&config, cases[i].group);
        network_world world;
        network_world_new(&world, &config, 1);
        check_ring(world.network);
        network_world_free(&world);
    }
}

/* Two groups joined by one link, of routers that have neighbours: what goes in cannot come out. */
static void test_no_ring_in_the_wiring(void **state) {
    (void)state;
    const int64_t shape[] = {3, 1, 2};
    network_config config = shaped(shape, 0, "routing=ofar");
    network_world world;
    network_world_new(&world, &config, 1);
    topology *topology = &world.network->topology;
    for (uint32_t i = 0; i < 2 * topology->links; i++)
        if (i % topology->links > 0) topology->peer[i] = TOPOLOGY_UNCONNECTED;
    topology->peer[0] = topology->links;
    topology->peer[topology->links] = 0;
    free(world.network->ring_ports);
    status status = STATUS_INIT;
    assert_int_equal(ring_new(world.network, &status), STATUS_USAGE);
    assert_non_null(strstr(status.text, "network.ofar.ring to physical"));
    status_clear(&status);
    network_world_free(&world);
}

/* ---------------------------------------------------------------- all that packets may do */

typedef struct walker {
    network *network;
    bool *edges; /* [channel·channels + channel] */
    uint32_t channels;
    unsigned most_hops;
    unsigned most_globals;
    uint64_t states;
} walker;

static void set_output(network_domain *domain, uint32_t number, bool open) {
    domain->outputs[number].free_ps = open ? 0 : INT64_MAX / 4;
}

static void set_router(network_domain *domain, uint32_t router, bool open) {
    uint32_t radix = domain->network->topology.radix;
    for (uint32_t port = 0; port < radix; port++)
        set_output(domain, router * radix + port, open);
}

/* Puts a packet first in a lane and lets it ask, as when it has arrived there. */
static uint32_t put(network_domain *domain, uint32_t lane, const packet *what) {
    uint32_t index = packet_new(domain);
    packet *placed = &domain->packets.items[index];
    *placed = *what;
    domain->buffers[lane].first = domain->buffers[lane].last = index;
    routing_route(domain, domain->buffers[lane].router, placed);
    router_ask(domain, lane);
    return index;
}

static packet take(network_domain *domain, uint32_t lane) {
    uint32_t index = domain->buffers[lane].first;
    packet taken = domain->packets.items[index];
    router_withdraw(domain, lane);
    domain->buffers[lane].first = domain->buffers[lane].last = NONE;
    packet_free(domain, index);
    return taken;
}

static void walk(walker *walker, uint32_t group, uint32_t lane, const packet *what, uint32_t last,
                 unsigned hops, unsigned globals);

/* One hop by one output, if the policy takes it when all others are closed. */
static bool try_hop(walker *walker, uint32_t group, uint32_t lane, const packet *what,
                    uint32_t port, uint32_t last, unsigned hops, unsigned globals) {
    network *network = walker->network;
    network_domain *domain = &network->domains[group];
    const buffer *buffer = &domain->buffers[lane];
    uint32_t number = buffer->router * network->topology.radix + port;
    set_router(domain, buffer->router, false);
    set_output(domain, number, true);
    put(domain, lane, what);
    int64_t at_ps = network->look(domain, lane);
    bool goes = at_ps <= domain->now_ps;
    if (goes) {
        assert_int_equal(buffer->output, number);
        packet *packet = &domain->packets.items[buffer->first];
        packet->routers++;
        network->depart(domain, buffer, packet);
    }
    struct packet moved = take(domain, lane);
    set_router(domain, buffer->router, true);
    if (!goes || network->places[number].level == NETWORK_TERMINAL) return goes;
    assert_true(moved.output_vc < network->vcs);
    uint32_t channel = (group * network->ports + number) * network->vcs + moved.output_vc;
    if (last != NONE) walker->edges[(size_t)last * walker->channels + channel] = true;
    uint32_t end;
    uint32_t next = behind(network, group, number, &end);
    bool global = network->places[number].level == NETWORK_GLOBAL;
    if (global) { /* as the router does */
        moved.vc = (uint8_t)(moved.output_vc + 1);
        moved.via = NO_LINK;
    }
    walk(walker, next / network->topology.routers, end * network->vcs + moved.output_vc, &moved,
         channel, hops + 1, globals + global);
    return true;
}

static void walk(walker *walker, uint32_t group, uint32_t lane, const packet *what, uint32_t last,
                 unsigned hops, unsigned globals) {
    const network *network = walker->network;
    uint32_t router = network->domains[group].buffers[lane].router;
    walker->states++;
    if (hops > walker->most_hops) walker->most_hops = hops;
    if (globals > walker->most_globals) walker->most_globals = globals;
    assert_true(hops <= 3 * network->topology.group.diameter + 5 && globals <= 2);
    bool here = group == what->target_group && router == what->target_router;
    unsigned ways = 0;
    for (uint32_t port = 0; port < network->topology.radix; port++)
        ways += try_hop(walker, group, lane, what, port, last, hops, globals);
    assert_true(ways > 0);
    if (here) assert_int_equal(ways, 1); /* it ends */
}

static bool has_circle(const walker *walker) {
    uint32_t n = walker->channels, count = 0, done = 0;
    uint32_t *waits_for = calloc(n, sizeof *waits_for);
    uint32_t *ready = malloc(n * sizeof *ready);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++)
            waits_for[i] += walker->edges[(size_t)i * n + j];
        if (waits_for[i] == 0) ready[count++] = i;
    }
    while (done < count) {
        uint32_t taken = ready[done++];
        for (uint32_t i = 0; i < n; i++)
            if (walker->edges[(size_t)i * n + taken] && --waits_for[i] == 0) ready[count++] = i;
    }
    free(waits_for);
    free(ready);
    return count < n;
}

static packet packet_to(const network *network, uint32_t source, uint32_t to) {
    uint32_t routers = network->topology.routers;
    return (packet){.source = source,
                    .destination = to,
                    .number = to,
                    .size_bytes = 256,
                    .message = NONE,
                    .via = NO_LINK,
                    .target_group = (uint16_t)(to / routers),
                    .target_router = (uint16_t)(to % routers)};
}

/* Every packet, from every router to every node, by every way that ofar-ordered may send it. */
static unsigned check_ordered(const int64_t shape[3], int32_t arrangement, int32_t misrouting,
                              const char *group) {
    network_config config = shaped(shape, arrangement, "routing=ofar-ordered");
    network_world_set(&config, group);
    config.misrouting = misrouting;
    network_world world;
    network_world_new(&world, &config, 5);
    walker walker = {.network = world.network};
    const topology *topology = &world.network->topology;
    walker.channels = topology->groups * world.network->ports * world.network->vcs;
    walker.edges = calloc((size_t)walker.channels * walker.channels, sizeof *walker.edges);
    uint32_t routers = topology->groups * topology->routers;
    for (uint32_t i = 0; i < topology->groups; i++)
        world.network->domains[i].now_ps = 1;
    for (uint32_t source = 0; source < routers; source++) {
        for (uint32_t to = 0; to < routers; to++) {
            packet packet = packet_to(world.network, source, to);
            uint32_t port = source % topology->routers * topology->radix;
            walk(&walker, source / topology->routers, port * world.network->vcs, &packet, NONE, 0,
                 0);
        }
    }
    if (has_circle(&walker))
        fail_msg("%s, %s: channels can wait for each other in a circle",
                 network_misrouting_names()[misrouting], network_arrangement_names()[arrangement]);
    free(walker.edges);
    network_world_free(&world);
    return walker.most_hops;
}

static void test_ordered_channels_make_no_circle(void **state) {
    (void)state;
    const int64_t shapes[][3] = {{1, 2, 3}, {2, 1, 3}, {2, 2, 5}, {3, 1, 4},
                                 {2, 3, 4}, {3, 2, 3}, {3, 0, 1}, {3, 2, 5}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        for (int32_t m = 0; network_misrouting_names()[m] != NULL; m++) {
            if (strcmp(network_misrouting_names()[m], "group") == 0) continue;
            for (int32_t i = 0; i < 2;
                 i++) { /* absolute, relative: others differ in numbers only */
                unsigned hops = check_ordered(shapes[s], i, m, "");
                bool local = misrouting_policies()[m].local;
                assert_true(hops <= (local ? 8u : 6u));
                const char *name = network_misrouting_names()[m];
                if (shapes[s][0] == 3 && shapes[s][2] == 5) { /* the longest ways do occur */
                    if (strcmp(name, "mm+l") == 0) assert_int_equal(hops, 8);
                    if (strcmp(name, "mm") == 0) assert_int_equal(hops, 6);
                    if (strcmp(name, "crg") == 0) assert_int_equal(hops, 5);
                }
            }
        }
    }
}

/* The same in groups of several dimensions and parallel links. */
static void test_ordered_channels_of_flattened_butterflies(void **state) {
    (void)state;
    const struct {
        int64_t shape[3];
        const char *group;
    } cases[] = {{{4, 1, 3}, "group.dimensions=2x2"},
                 {{6, 1, 2}, "group.dimensions=3x2"},
                 {{3, 1, 2}, "group.links=2"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int32_t n = 0; network_misrouting_names()[n / 2] != NULL; n++) {
            int32_t m = n / 2, arrangement = n % 2; /* absolute, relative */
            if (strcmp(network_misrouting_names()[m], "group") == 0) continue;
            unsigned inside = i < 2 ? 2 : 1;
            unsigned misroutings = misrouting_policies()[m].local ? 3 : 1;
            unsigned hops = check_ordered(cases[i].shape, arrangement, m, cases[i].group);
            assert_true(hops <= 3 * inside + 2 + misroutings);
        }
    }
}

/* With nothing free but the ring a packet goes by the ring: into it if there is room for two, on in
 * it if there is room for one. Without room it waits. */
static void check_escape(network_world *world) {
    network *network = world->network;
    const topology *topology = &network->topology;
    uint32_t full = network->full_packet_bytes;
    for (uint32_t source = 0; source < topology->groups * topology->routers; source++) {
        network_domain *domain = &network->domains[source / topology->routers];
        uint32_t router = source % topology->routers;
        uint32_t number = router * topology->radix + network->ring_ports[source];
        domain->now_ps = 1;
        for (uint32_t i = 0; i < network->ports * network->vcs; i++) {
            if (network->places[i / network->vcs].level == NETWORK_TERMINAL) continue;
            domain->lanes[i].credits_bytes = 0; /* all is full */
        }
        struct lane *ring = &domain->lanes[number * network->vcs + network->ring_vc];
        for (uint32_t to = 0; to < topology->groups * topology->routers; to++) {
            if (to == source) continue;
            for (unsigned room = 0; room < 4; room++) {
                packet packet = packet_to(network, source, to);
                bool inside = room % 2;
                ring->credits_bytes = (int32_t)(full * (room / 2 + 1));
                uint32_t vc = inside ? network->ring_vc : 0;
                uint32_t lane =
                    (router * topology->radix + topology->nodes_per_router) * network->vcs + vc;
                packet.routers = 1;
                put(domain, lane, &packet);
                bool goes = network->look(domain, lane) <= domain->now_ps;
                assert_int_equal(goes, inside || room >= 2);
                if (goes) {
                    assert_int_equal(domain->buffers[lane].output, number);
                    assert_int_equal(take(domain, lane).output_vc, network->ring_vc);
                } else {
                    take(domain, lane);
                }
            }
            ring->credits_bytes = 0;
        }
        /* at its destination it leaves the ring */
        packet packet = packet_to(network, source, source);
        uint32_t lane = (router * topology->radix + topology->nodes_per_router) * network->vcs +
                        network->ring_vc;
        put(domain, lane, &packet);
        assert_true(network->look(domain, lane) <= domain->now_ps);
        assert_int_equal(take(domain, lane).output_port, 0);
    }
}

static void test_ring_is_always_reachable(void **state) {
    (void)state;
    const int64_t shapes[][3] = {{2, 1, 3}, {2, 2, 5}, {3, 1, 4}, {4, 2, 9}, {3, 2, 3}, {4, 1, 1}};
    const char *const kinds[] = {"routing=ofar ofar.ring=embedded",
                                 "routing=ofar ofar.ring=physical",
                                 "routing=ofar misrouting=rrg+l"};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            network_config config = shaped(shapes[s], 1, kinds[k]);
            network_world world;
            network_world_new(&world, &config, 5);
            check_escape(&world);
            network_free(world.network);
        }
    }
}

/* The same in groups of several dimensions and parallel links, under every misrouting policy. */
static void test_ring_of_flattened_butterflies_is_always_reachable(void **state) {
    (void)state;
    const struct {
        int64_t shape[3];
        const char *group;
    } cases[] = {{{4, 1, 3}, "routing=ofar group.dimensions=2x2"},
                 {{6, 1, 3}, "routing=ofar group.dimensions=3x2 group.links=1x2"},
                 {{8, 1, 3}, "routing=ofar group.dimensions=2x2x2"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int32_t n = 0; network_misrouting_names()[n / 2] != NULL; n++) {
            network_config config = shaped(cases[i].shape, n % 2, cases[i].group);
            config.misrouting = n / 2;
            if (strcmp(network_misrouting_names()[n / 2], "group") == 0) continue;
            network_world world;
            network_world_new(&world, &config, 5);
            check_escape(&world);
            network_free(world.network);
        }
    }
}

/* On an idle network OFAR is minimal. */
static void test_minimal_without_load(void **state) {
    (void)state;
    const char *const names[] = {"ofar", "ofar-ordered"};
    for (size_t n = 0; n < 2; n++) {
        network_config config = network_world_config(
            "nodes_per_router=2 routers_per_group=4 globals_per_router=2 groups=9");
        config.routing = number_in(network_routing_names(), names[n]);
        network_world world;
        network_world_new(&world, &config, 1);
        for (uint32_t i = 0; i < 500; i++)
            network_world_send(&world, i * 7 % 72, (i * 31 + 5) % 72, 2000, i * INT64_C(10000000));
        network_world_run(&world, 1);
        for (size_t i = 0; i < world.count; i++) {
            const network_delivery *delivery = &world.deliveries[i].delivery;
            assert_true(delivery->minimal);
            assert_int_equal(world.deliveries[i].time_ps - delivery->ready_ps,
                             delivery->zero_load_ps);
        }
        network_world_free(&world);
    }
}

/* ---------------------------------------------------------------- settings */

static void refused(const char *pairs, const char *expected) {
    network_config config = network_world_config(pairs);
    network *network = NULL;
    network_sink sink = {0};
    status status = STATUS_INIT;
    assert_int_equal(network_new(&network, &config, 1, &sink, &status), STATUS_USAGE);
    if (strstr(status.text, expected) == NULL) fail_msg("%s: %s", pairs, status.text);
    status_clear(&status);
}

static void test_refused(void **state) {
    (void)state;
    refused("routing=ofar local.buffer=3KiB", "room for 2 packets");
    refused("routing=ofar misrouting=group", "take rrg");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rings_of_all_shapes),
        cmocka_unit_test(test_rings_of_flattened_butterflies),
        cmocka_unit_test(test_no_ring_in_the_wiring),
        cmocka_unit_test(test_ordered_channels_make_no_circle),
        cmocka_unit_test(test_ordered_channels_of_flattened_butterflies),
        cmocka_unit_test(test_ring_is_always_reachable),
        cmocka_unit_test(test_ring_of_flattened_butterflies_is_always_reachable),
        cmocka_unit_test(test_minimal_without_load),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
