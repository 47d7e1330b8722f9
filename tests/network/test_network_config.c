/* The network's settings: defaults are a valid machine; every wrong combination is named. */
#include "network/network.h"
#include "network/network_config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct network_config config;
static struct setting_section section;
static struct settings all;

static int set_up(void **state) {
    (void)state;
    section = (struct setting_section){network_setting_rows, network_setting_count, &config};
    all = (struct settings){&section, 1};
    memset(&config, 0xee, sizeof config);
    return settings_set_defaults(&all, NULL) == STATUS_OK ? 0 : 1;
}

static void sets(const char *pairs) {
    char copy[512], *rest = copy;
    snprintf(copy, sizeof copy, "%s", pairs);
    for (char *pair = strtok_r(copy, " ", &rest); pair != NULL; pair = strtok_r(NULL, " ", &rest)) {
        char full[128];
        snprintf(full, sizeof full, "network.%s", pair);
        struct status status = STATUS_INIT;
        if (settings_set_pair(&all, full, &status) != STATUS_OK) fail_msg("%s", status.text);
    }
}

static void accepted(const char *pairs) {
    set_up(NULL);
    sets(pairs);
    struct status status = STATUS_INIT;
    if (network_config_check(&config, &status) != STATUS_OK) fail_msg("%s: %s", pairs, status.text);
}

static void refused(const char *pairs, const char *expected) {
    set_up(NULL);
    sets(pairs);
    struct status status = STATUS_INIT;
    if (network_config_check(&config, &status) != STATUS_USAGE) fail_msg("%s accepted", pairs);
    if (strstr(status.text, expected) == NULL) fail_msg("%s: %s", pairs, status.text);
    status_clear(&status);
}

/* Every byte of the struct that a row covers is set; rows do not overlap. */
static void rows_cover_the_struct_without_overlap(void **state) {
    (void)state;
    char covered[sizeof(struct network_config)] = {0};
    for (size_t i = 0; i < network_setting_count; i++) {
        const struct setting_row *row = &network_setting_rows[i];
        size_t size = setting_size(row);
        for (size_t j = 0; j < size; j++) {
            if (covered[row->offset + j]++) fail_msg("%s overlaps another row", row->name);
        }
        assert_true(row->help[strlen(row->help) - 1] != '.');
    }
    size_t uncovered = 0;
    for (size_t i = 0; i < sizeof covered; i++)
        uncovered += covered[i] == 0;
    /* only padding: less than 8 bytes before each 64-bit member that follows a smaller one */
    assert_true(uncovered < 24);
    assert_int_equal(network_config_nodes(&config), 1056);
}

static void wrong_shapes_are_refused(void **state) {
    (void)state;
    accepted("");
    accepted("groups=1 globals_per_router=0");
    accepted("groups=1 globals_per_router=0 routers_per_group=1 nodes_per_router=1");
    accepted("nodes_per_router=16 routers_per_group=32 globals_per_router=16 groups=513");
    accepted("groups=2");
    refused("nodes_per_router=1000 routers_per_group=2 globals_per_router=1 groups=3 packet=1MiB "
            "header=512KiB terminal.buffer=4MiB local.buffer=4MiB global.buffer=4MiB "
            "routing=valiant",
            "the first packets in a router's 3006 buffers have up to ");
    accepted("nodes_per_router=1000 routers_per_group=2 globals_per_router=1 groups=3 packet=1MiB "
             "terminal.buffer=4MiB local.buffer=4MiB global.buffer=4MiB routing=valiant");
    refused("groups=34", "at most a*h + 1 = 33 groups");
    refused("globals_per_router=0 groups=2", "at most a*h + 1 = 1 group");
    refused("nodes_per_router=1000 routers_per_group=100", "1103 ports");
    refused("routers_per_group=500 globals_per_router=500", "250000 global channels");
    refused("nodes_per_router=512 routers_per_group=300 globals_per_router=200 groups=60000",
            "9216000000 nodes");
}

static void wrong_sizes_are_refused(void **state) {
    (void)state;
    accepted("cell=64B cell_header=18B flit=6B local.framing=9/10 global.framing=64/66");
    refused("cell_header=18B", "network.cell_header means nothing without cells; set network.cell");
    refused("local.bandwidth=2MB/s local.framing=1/3",
            "network.local.framing leaves less than 1MB/s of network.local.bandwidth");
    set_up(NULL);
    config.channels[NETWORK_GLOBAL].framing = 1;
    struct status status = STATUS_INIT;
    assert_int_equal(network_config_check(&config, &status), STATUS_USAGE);
    assert_non_null(strstr(status.text, "network.global.framing is no share above 0 and up to 1"));
    status_clear(&status);
}

static void wrong_types_of_local_channels_are_refused(void **state) {
    (void)state;
    accepted("group.drawer=4 local2.bandwidth=5GB/s local2.latency=1us");
    accepted("group.dimensions=2x4 local2.bandwidth=5GB/s");
    accepted("group.dimensions=2x2x2 local3.bandwidth=5GB/s");
    refused("local2.bandwidth=5GB/s",
            "network.local2.bandwidth is set, but local channels are of 1 type; set "
            "network.group.dimensions or network.group.drawer");
    refused("group.drawer=8 local3.latency=5ns",
            "network.local3.latency is set, but local channels are of 2 types; set "
            "network.group.dimensions");
    refused("group.drawer=9", "network.group.drawer is 9, but a group has only 8 routers");
    refused("group.drawer=4 group.dimensions=2x4", "network.group.drawer is for completely "
                                                   "connected groups");
    refused("group.drawer=4 local2.bandwidth=1kB/s", "network.local2.bandwidth must be 0");
    refused("group.drawer=4 local2.bandwidth=1500kB/s local.framing=1/2",
            "network.local.framing leaves less than 1MB/s");
}

static void buffers_too_small_are_refused(void **state) {
    (void)state;
    refused("local.buffer=2KiB", "network.local.buffer is 2KiB, too small for a packet of 2080B "
                                 "(network.packet + network.header); enlarge it by 32B or more");
    refused("global.buffer=1B", "network.global.buffer");
    refused("terminal.buffer=1B", "network.terminal.buffer");
    refused("local.buffer=2080B flit=64B",
            "network.local.buffer is 2080B, too small for a packet of 2112B (network.packet + "
            "network.header, in whole flits); enlarge it by 32B or more");
    refused("local.buffer=2KiB cell=64B cell_header=18B flit=6B",
            "too small for a packet of 2724B (network.packet + headers of the packet and of its "
            "cells, in whole flits)");
    refused("router.output_buffer=1KiB", "network.router.output_buffer");
    refused("nic.receive_buffer=2KiB",
            "network.nic.receive_buffer is 2KiB, too small for a packet");
    accepted("nic.receive_buffer=0");
    accepted("nic.receive_buffer=2080B");
    accepted("local.buffer=2080B global.buffer=2080B terminal.buffer=2080B");
    accepted("global.buffer=1B groups=1");
    accepted("local.buffer=1B routers_per_group=1 groups=2");
}

static void all_faults_are_told_at_once(void **state) {
    (void)state;
    const char *wrong = "groups=40 local.buffer=1KiB router.speedup=2 nic.bandwidth=5B/s";
    refused(wrong, "network.groups");
    refused(wrong, "network.local.buffer");
    refused(wrong, "network.router.speedup");
    refused(wrong, "network.nic.bandwidth");
    refused("nic.receive_bandwidth=5B/s", "network.nic.receive_bandwidth must be 0 (no limit");
    refused("nic.host_bandwidth=5B/s", "network.nic.host_bandwidth must be 0 (no limit");
    refused("router.crossbar=input router.speedup=2", "network.router.speedup");
    accepted("router.crossbar=input router.speedup=2 router.output_buffer=4KiB");
    refused("routing=ofar ofar.trigger=granted router.crossbar=vc", "network.ofar.trigger");
    accepted("routing=ofar ofar.trigger=granted router.crossbar=vc router.allocation_rounds=2");
    accepted("routing=ofar ofar.trigger=granted");
    accepted("routing=minimal ofar.trigger=granted router.crossbar=vc");
    refused("router.vc_allocation=first", "first needs network.router.crossbar input or vc");
    refused("router.vc_allocation=first router.crossbar=vc router.arbitration=oldest",
            "set network.router.arbitration to round-robin");
    refused("router.vc_allocation=first router.crossbar=vc routing=ofar",
            "while they wait (network.routing ofar)");
    refused("router.vc_allocation=first router.crossbar=vc routing=par reroute=1",
            "(network.routing par, network.reroute)");
    refused("router.vc_allocation=first router.crossbar=vc classes=2",
            "serves all input VCs in turn");
    refused("router.vc_allocation=first router.crossbar=vc router.transit_priority=on",
            "serves all input VCs in turn");
    accepted("router.vc_allocation=first router.crossbar=vc routing=par");
    refused("routing=ofar ofar.vcs=2 ofar.global_vcs=3", "network.ofar.global_vcs");
    accepted("routing=ofar ofar.vcs=2 ofar.global_vcs=2");
    accepted("routing=ofar-ordered ofar.vcs=2 ofar.global_vcs=3");
}

/* Between routers something takes time; the error says what for. */
static void routers_without_any_latency_are_refused(void **state) {
    (void)state;
    accepted("terminal.latency=0 router.latency=0");
    accepted("local.latency=1ps global.latency=1ps");
    refused("local.latency=0", "network.local.latency is 0");
    refused("local.latency=0", "at the same instant");
    refused("global.latency=0", "network.global.latency is 0");
    refused("global.latency=0", "lookahead");
}

/* A configuration made by a program, not read from text. */
static void members_out_of_range_are_refused(void **state) {
    (void)state;
    struct status status = STATUS_INIT;
    config.channels[NETWORK_GLOBAL].latency_ps = -1;
    config.routing = 1000;
    config.groups = INT64_MAX;
    assert_int_equal(network_config_check(&config, &status), STATUS_USAGE);
    assert_non_null(strstr(status.text, "network.global.latency is out of range"));
    assert_non_null(strstr(status.text, "network.routing is out of range; it takes one of"));
    assert_non_null(strstr(status.text, "network.groups is out of range"));
    status_clear(&status);
}

/* A timer of a sink of any order numbers a node of the machine in 28 bits. */
static void timers_number_the_nodes_of_the_machine(void **state) {
    (void)state;
    accepted("nodes_per_router=64 routers_per_group=256 globals_per_router=64 groups=16385");
    struct network *network = NULL;
    const struct network_sink sink = {.is_unordered = true};
    struct status status = STATUS_INIT;
    assert_int_equal(network_new(&network, &config, 1, &sink, &status), STATUS_USAGE);
    assert_null(network);
    assert_non_null(strstr(status.text, "the machine has 268451840 nodes, and synthetic traffic is "
                                        "possible for at most 2^28 of them"));
    status_clear(&status);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(rows_cover_the_struct_without_overlap, set_up),
        cmocka_unit_test_setup(wrong_shapes_are_refused, set_up),
        cmocka_unit_test_setup(wrong_sizes_are_refused, set_up),
        cmocka_unit_test_setup(wrong_types_of_local_channels_are_refused, set_up),
        cmocka_unit_test_setup(buffers_too_small_are_refused, set_up),
        cmocka_unit_test_setup(all_faults_are_told_at_once, set_up),
        cmocka_unit_test_setup(routers_without_any_latency_are_refused, set_up),
        cmocka_unit_test_setup(members_out_of_range_are_refused, set_up),
        cmocka_unit_test_setup(timers_number_the_nodes_of_the_machine, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
