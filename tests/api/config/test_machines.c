/* The machines that come with anax: every file is read, valid, documented and of the size that its
 * name promises. */
#include "anax/anax.h"
#include "api/api.h"
#include "core/settings/source_report.h"
#include "network/network_config.h"
#include "network/topology/topology.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct {
    const char *name;
    int64_t nodes;
    bool of_a_paper; /* buffers are those of a paper, not chosen to cover round trips */
} machines[] = {
    {"cray-xc", 5376, false},
    {"edison", 5760, false},
    {"frontier", 9472, false},
    {"lumi", 3072, false},
    {"malbec", 512, false},
    {"perlmutter", 3072, false},
    {"piz-daint", 5376, false},
    {"shandy", 1024, false},
    {"theta", 3456, false},
    {"dragonfly-262k", 262656, false},
    {"garcia-342-fogsim", 342, true},
    {"garcia-342-paper", 342, true},
    {"garcia-5k", 5256, false},
    {"garcia-5k-fogsim", 5256, true},
    {"garcia-5k-paper", 5256, true},
    {"kim-1k", 1056, false},
    {"kim-1k-booksim", 1056, true},
    {"kim-1k-paper", 1056, true},
    {"kim-72", 72, false},
    {"percs", 16384, false},
    {"slingshot", 37888, false},
};
#define MACHINES (sizeof machines / sizeof *machines)

static void file_of(const char *name, char *path, size_t size) {
    snprintf(path, size, "%s/machines/%s.yaml", ANAX_SOURCE_DIR, name);
}

static struct network_config read_machine(const char *name) {
    anax_config *config = NULL;
    anax_error error = ANAX_ERROR_INIT;
    char path[512];
    file_of(name, path, sizeof path);
    assert_int_equal(anax_config_new(&config, NULL), ANAX_OK);
    if (anax_config_machine(config, path, &error) != ANAX_OK) fail_msg("%s", error.text);
    struct network_config network = config->network;
    anax_config_free(config);
    return network;
}

static void machines_are_valid(void **state) {
    (void)state;
    for (size_t i = 0; i < MACHINES; i++) {
        struct network_config config = read_machine(machines[i].name);
        struct status status = STATUS_INIT;
        if (network_config_check(&config, &status) != STATUS_OK)
            fail_msg("%s: %s", machines[i].name, status.text);
        assert_int_equal(network_config_nodes(&config), machines[i].nodes);
        struct topology topology;
        if (topology_new(&topology, &config, &status) != STATUS_OK)
            fail_msg("%s: %s", machines[i].name, status.text);
        topology_free(&topology);
    }
}

/* A channel can send without a pause while credits come back, also with packets of full size. */
static void buffers_cover_round_trips(void **state) {
    (void)state;
    for (size_t i = 0; i < MACHINES; i++) {
        if (machines[i].of_a_paper) continue;
        struct network_config config = read_machine(machines[i].name);
        for (int level = 0; level < NETWORK_CHANNEL_KINDS; level++) {
            const struct network_channel_config *channel = &config.channels[level];
            __int128 round_trip_ps = 2 * channel->latency_ps + config.router_latency_ps;
            int64_t in_flight =
                (int64_t)(round_trip_ps *
                          network_config_bytes_per_s(&config, (network_channel_kind)level) /
                          1000000000000);
            assert_true(channel->buffer_bytes >=
                        in_flight + 2 * network_config_full_bytes(&config));
        }
    }
}

static void machines_say_where_they_come_from(void **state) {
    (void)state;
    for (size_t i = 0; i < MACHINES; i++) {
        char path[512], *text;
        size_t size;
        file_of(machines[i].name, path, sizeof path);
        assert_int_equal(source_file_read(path, 1 << 16, &text, &size, NULL), STATUS_OK);
        const char *description = strstr(text, "description: ");
        assert_non_null(description);
        assert_true(description == text || strncmp(text, "base: ", strlen("base: ")) == 0);
        assert_non_null(strstr(text, "\nsource: "));
        free(text);
    }
}

/* No file without a row above, so that none goes untested. */
static void every_machine_file_is_tested(void **state) {
    (void)state;
    DIR *directory = opendir(ANAX_SOURCE_DIR "/machines");
    assert_non_null(directory);
    size_t files = 0;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;)
        files += strstr(entry->d_name, ".yaml") != NULL;
    closedir(directory);
    assert_int_equal(files, MACHINES);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(machines_are_valid),
        cmocka_unit_test(buffers_cover_round_trips),
        cmocka_unit_test(machines_say_where_they_come_from),
        cmocka_unit_test(every_machine_file_is_tested),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
