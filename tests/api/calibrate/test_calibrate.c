/*
 * Calibrations from end to end: measurements that are made up from known settings give these
 * settings back, and replays on the machine that is written take what the calibration says.
 * The measurements do not use the programs that the calibration itself replays.
 */
#include "tests/support/api/calibrate_world.h"

#include <math.h>

/* Equal overheads without a latency of the NIC: a ping-pong determines all of it. */
static void a_ping_pong_gives_its_settings_back(void **state) {
    struct world *world = *state;
    static const struct truth truths[] = {
        {"mpi.eager_threshold", "8KiB"},
        {"mpi.send_overhead", "310ns/256B:420ns"},
        {"mpi.receive_overhead", "310ns/256B:420ns"},
        {"mpi.eager_send_copy_per_kib", "0/256B:90ns"},
        {"mpi.eager_receive_copy_per_kib", "0/256B:90ns"},
        {"mpi.rendezvous_send_overhead", "0/8193B:700ns"},
        {"mpi.rendezvous_receive_overhead", "0/8193B:700ns"},
        {"mpi.send_overhead_per_kib", "0/8193B:15ns"},
        {"mpi.receive_overhead_per_kib", "0/8193B:15ns"},
        {NULL, NULL},
    };
    anax_config *config = machine_of("kim-72", truths), *given = machine_of("kim-72", NULL);
    write_latency(world, config);
    anax_calibration *calibration = calibrate(world, given);
    expect_settings(calibration, truths);
    expect_warning(calibration, "a ping-pong tells only their sum", true);
    expect_warning(calibration, "mpi.eager_threshold: taken to be", true);
    expect_warning(calibration, "% off", false);
    expect_replays_as_modelled(world, calibration);
    anax_calibration_free(calibration);
    /* a known threshold is not looked for */
    api_set(given, "mpi.eager_threshold", "8KiB");
    calibration = calibrate(world, given);
    expect_settings(calibration, truths);
    expect_warning(calibration, "mpi.eager_threshold", false);
    anax_calibration_free(calibration);
    anax_config_free(given);
    anax_config_free(config);
}

/* With a stream the latency of NICs is told from overheads. */
static void a_stream_tells_latency_from_overheads(void **state) {
    struct world *world = *state;
    static const struct truth truths[] = {
        {"mpi.eager_threshold", "4KiB"},
        {"mpi.send_overhead", "200ns"},
        {"mpi.receive_overhead", "200ns"},
        {"network.nic.send_latency", "260ns"},
        {"network.nic.receive_latency", "260ns"},
        {"mpi.eager_send_copy_per_kib", "0/512B:40ns"},
        {"mpi.eager_receive_copy_per_kib", "0/512B:40ns"},
        {"mpi.rendezvous_send_overhead", "0/4097B:350ns"},
        {"mpi.rendezvous_receive_overhead", "0/4097B:350ns"},
        {NULL, NULL},
    };
    anax_config *config = machine_of("kim-72", truths), *given = machine_of("kim-72", NULL);
    write_latency(world, config);
    write_stream(world, config, 200e3);
    anax_calibration *calibration = calibrate(world, given);
    expect_settings(calibration, truths);
    expect_warning(calibration, "a stream tells the larger of them only", true);
    expect_replays_as_modelled(world, calibration);
    anax_calibration_free(calibration);
    anax_config_free(given);
    anax_config_free(config);
}

/* The network limits the messages of 8 KiB, whose window takes more than a tenth longer than on the
 * network alone, because of what its beginning and its end cost the hosts. */
static void exact_measurements_give_exact_settings(void **state) {
    struct world *world = *state;
    static const struct truth truths[] = {
        {"mpi.eager_threshold", "16KiB"},         {"mpi.send_overhead", "240ns"},
        {"mpi.receive_overhead", "240ns"},        {"network.nic.send_latency", "330ns"},
        {"network.nic.receive_latency", "330ns"}, {"mpi.eager_send_copy_per_kib", "0"},
        {"mpi.eager_receive_copy_per_kib", "0"},  {"mpi.rendezvous_send_overhead", "0"},
        {"mpi.rendezvous_receive_overhead", "0"}, {"mpi.send_overhead_per_kib", "0"},
        {"mpi.receive_overhead_per_kib", "0"},    {NULL, NULL},
    };
    anax_config *config = machine_of("slingshot", truths), *given = machine_of("slingshot", NULL);
    const double gap_ps = stream_ps(config, 8192), small_ps = stream_ps(config, 4096);
    assert_true(gap_ps > 333e3 && small_ps < 300e3); /* the case that this is about */
    write_latency(world, config);
    write_replayed_stream(world, config, 20);
    api_set(given, "mpi.eager_threshold", "16KiB");
    anax_calibration *calibration = calibrate(world, given);
    expect_settings(calibration, truths);
    expect_warning(calibration, "% off", false);
    anax_calibration_free(calibration);
    anax_config_free(given);
    anax_config_free(config);
}

/* A stream that is slower than equal overheads would make it tells that they are not equal; one
 * that is slower than both together, that the NIC makes messages wait for each other. */
static void a_slow_stream_tells_unequal_overheads_or_the_gap(void **state) {
    struct world *world = *state;
    static const struct truth unequal[] = {
        {"mpi.send_overhead", "180ns"},
        {"mpi.receive_overhead", "320ns"},
        {NULL, NULL},
    };
    static const struct truth gap[] = {
        {"mpi.send_overhead", "250ns"},
        {"mpi.receive_overhead", "250ns"},
        {"network.nic.message_gap", "600ns"},
        {NULL, NULL},
    };
    anax_config *config = machine_of("kim-72", unequal), *given = machine_of("kim-72", NULL);
    write_latency(world, config);
    write_stream(world, config, 320e3);
    anax_calibration *calibration = calibrate(world, given);
    expect_settings(calibration, unequal);
    expect_warning(calibration, "slower than equal overheads would make it", true);
    expect_replays_as_modelled(world, calibration);
    anax_calibration_free(calibration);
    free(world->files[--world->count]);
    write_stream(world, config, 600e3);
    calibration = calibrate(world, given);
    expect_settings(calibration, gap);
    expect_warning(calibration, "slower than equal overheads would make it", false);
    anax_calibration_free(calibration);
    anax_config_free(given);
    anax_config_free(config);
}

/* Streams one way and both ways tell both overheads, but not which is whose. */
static void streams_both_ways_tell_both_overheads(void **state) {
    struct world *world = *state;
    static const struct truth truths[] = {
        {"mpi.send_overhead", "180ns"},
        {"mpi.receive_overhead", "320ns"},
        {"network.nic.send_latency", "150ns"},
        {"network.nic.receive_latency", "150ns"},
        {NULL, NULL},
    };
    anax_config *config = machine_of("kim-72", truths), *given = machine_of("kim-72", NULL);
    write_latency(world, config);
    write_stream(world, config, 320e3);
    write_both_ways(world, 500e3);
    anax_calibration *calibration = calibrate(world, given);
    expect_settings(calibration, truths);
    expect_warning(calibration, "do not tell which of the two is the larger one", true);
    expect_replays_as_modelled(world, calibration);
    anax_calibration_free(calibration);
    anax_config_free(given);
    anax_config_free(config);
}

static double number_of(const anax_calibration *calibration, const char *name) {
    char *value = value_of(anax_calibration_config(calibration), name);
    const double number = strtod(value, NULL);
    anax_text_free(value);
    return number;
}

static void expect_near(double value, double expected, double share) {
    if (fabs(value / expected - 1) > share) fail_msg("%g, not %g", value, expected);
}

/* Several pairs on one node are held up by the gap between its messages. */
static void pairs_tell_the_message_gap(void **state) {
    struct world *world = *state;
    static const struct truth truths[] = {
        {"mpi.send_overhead", "400ns"}, {"mpi.receive_overhead", "400ns"}, {NULL, NULL}};
    anax_config *config = machine_of("kim-72", truths), *given = machine_of("kim-72", NULL);
    write_latency(world, config);
    write_stream(world, config, 400e3);
    anax_calibration *calibration = calibrate(world, given);
    assert_true(number_of(calibration, "network.nic.message_gap") == 0);
    anax_calibration_free(calibration);
    FILE *file = begin_file(world, "osu_mbw_mr.txt");
    fputs("# OSU MPI Multiple Bandwidth / Message Rate Test v7.0\n# [ pairs: 8 ] [ window size: 64 "
          "]\n# Size                  MB/s        Messages/s\n",
          file);
    for (size_t i = 1; i <= 8; i++) {
        const double pairs = 8, gap_ps = 90e3, messages = WINDOW * pairs - (pairs - 1) / 2 - 1;
        const double time_ps = (double)ping_pong_ps(config, size_of(i)) + messages * gap_ps +
                               (double)ping_pong_ps(config, 4);
        fprintf(file, "%llu 1.0 %.6f\n", (unsigned long long)size_of(i),
                WINDOW * pairs * 1e12 / time_ps);
    }
    fclose(file);
    calibration = calibrate(world, given);
    expect_near(number_of(calibration, "network.nic.message_gap"), 90, 1e-3);
    expect_settings(calibration, truths);
    anax_calibration_free(calibration);
    anax_config_free(given);
    anax_config_free(config);
}

static double number_of_setting(const anax_config *config, const char *name) {
    char *value = value_of(config, name);
    const double number = strtod(value, NULL) * (strstr(value, "KiB") != NULL ? 1024 : 1);
    anax_text_free(value);
    return number;
}

/* A stream of large messages that is slower than the machine's links is held up by the NIC. */
static void large_messages_tell_the_bandwidth(void **state) {
    struct world *world = *state;
    anax_config *config = machine_of("kim-72", NULL), *given = machine_of("kim-72", NULL);
    char *bandwidth = value_of(config, "network.terminal.bandwidth");
    const double bytes_per_s = strtod(bandwidth, NULL) * 0.4e9;
    char nic[64];
    assert_non_null(strstr(bandwidth, "GB/s"));
    snprintf(nic, sizeof nic, "%.0fMB/s", bytes_per_s / 1e6);
    api_set(config, "network.nic.bandwidth", nic);
    write_latency(world, config);
    FILE *file = begin_file(world, "osu_bw.txt");
    fputs("# OSU MPI Bandwidth Test v5.9\n# Size      Bandwidth (MB/s)\n", file);
    const double packet = number_of_setting(config, "network.packet");
    const double header = number_of_setting(config, "network.header");
    for (size_t i = 18; i < SIZES; i++)
        fprintf(file, "%llu %.3f\n", (unsigned long long)size_of(i),
                bytes_per_s / 1e6 * packet / (packet + header));
    fclose(file);
    anax_calibration *calibration = calibrate(world, given);
    char *fitted = value_of(anax_calibration_config(calibration), "network.nic.bandwidth");
    const double unit = strstr(fitted, "GB/s") != NULL ? 1e9 : 1e6;
    expect_near(strtod(fitted, NULL) * unit, bytes_per_s, 5e-3);
    anax_text_free(fitted);
    anax_text_free(bandwidth);
    anax_calibration_free(calibration);
    anax_config_free(given);
    anax_config_free(config);
}

/* An allreduce tells what combining data costs, once its processes are known. */
static void an_allreduce_tells_the_cost_of_combining(void **state) {
    struct world *world = *state;
    static const struct truth truths[] = {{"mpi.reduction_per_kib", "240ns"}, {NULL, NULL}};
    anax_config *config = machine_of("kim-72", truths), *given = machine_of("kim-72", NULL);
    write_latency(world, config);
    api_set(config, "generate.ranks", "8");
    FILE *file = begin_file(world, "osu_allreduce.txt");
    fputs("# OSU MPI Allreduce Latency Test v5.9\n# Size       Avg Latency(us)\n", file);
    for (size_t i = 4; i < 20; i++) {
        char size[32];
        snprintf(size, sizeof size, "%lluB", (unsigned long long)size_of(i));
        api_set(config, "generate.size", size);
        const int64_t time_ps =
            pattern_ps(config, "allreduce", "9") - pattern_ps(config, "allreduce", "1");
        fprintf(file, "%llu %.6f\n", (unsigned long long)size_of(i), (double)time_ps / 8e6);
    }
    fclose(file);
    anax_calibration *calibration = calibrate(world, given);
    expect_warning(calibration, "set calibrate.ranks", true);
    anax_calibration_free(calibration);
    api_set(given, "calibrate.ranks", "8");
    calibration = calibrate(world, given);
    expect_warning(calibration, "set calibrate.ranks", false);
    /* allreduces that follow each other overlap a little */
    expect_near(number_of(calibration, "mpi.reduction_per_kib"), 240, 0.05);
    anax_calibration_free(calibration);
    anax_config_free(given);
    anax_config_free(config);
}

/* A network that is slower than what was measured cannot be calibrated away. */
static void a_machine_that_is_too_slow_is_told(void **state) {
    struct world *world = *state;
    anax_config *config = machine_of("kim-72", NULL), *given = machine_of("kim-72", NULL);
    write_latency(world, config);
    api_set(given, "network.terminal.latency", "3us");
    anax_calibration *calibration = calibrate(world, given);
    expect_warning(calibration, "it is slower than the measured one", true);
    expect_warning(calibration, "% off", true);
    anax_calibration_free(calibration);
    anax_config_free(given);
    anax_config_free(config);
}

/* Every place of the two nodes finds the same hosts, if the measurement was there. */
static void every_place_of_two_nodes_finds_the_same_hosts(void **state) {
    struct world *world = *state;
    static const struct truth truths[] = {
        {"mpi.send_overhead", "310ns"}, {"mpi.receive_overhead", "310ns"}, {NULL, NULL}};
    static const char *const distances[] = {"same-group", "other-group"};
    for (size_t i = 0; i < 2; i++) {
        anax_config *config = machine_of("kim-72", truths), *given = machine_of("kim-72", NULL);
        api_set(config, "network.routing", "minimal"); /* no draws decide the time */
        api_set(given, "network.routing", "minimal");
        api_set(given, "calibrate.distance", distances[i]);
        write_latency(world, config);
        anax_calibration *calibration = calibrate(world, given); /* tells which nodes they are */
        char *text = anax_calibration_text(calibration);
        const char *place = strstr(text, "nodes 0 and ");
        assert_non_null(place);
        char node[16];
        snprintf(node, sizeof node, "%ld", strtol(place + strlen("nodes 0 and "), NULL, 10));
        assert_true((atoi(node) < 8) == (i == 0)); /* a group has 8 nodes */
        anax_calibration_free(calibration);
        free(world->files[--world->count]);
        api_set(config, "placement.policy", "strided");
        api_set(config, "placement.stride", node);
        write_latency(world, config);
        calibration = calibrate(world, given);
        expect_settings(calibration, truths);
        anax_text_free(text);
        anax_calibration_free(calibration);
        anax_config_free(given);
        anax_config_free(config);
        free(world->files[--world->count]);
    }
}

/* Processes on one node: the memory has the latency, and CPUs take the time of bytes. With a
 * ping-pong alone the machine's latency stays, with a stream it is told from overheads. */
static void processes_on_one_node_tell_the_memory_and_the_cost_of_bytes(void **state) {
    struct world *world = *state;
    static const struct truth placed[] = {{"placement.ranks_per_node", "2"}, {NULL, NULL}};
    for (int with_stream = 0; with_stream < 2; with_stream++) {
        const struct truth truths[] = {
            {"mpi.eager_threshold", "4KiB"},
            {"mpi.send_overhead", "140ns"},
            {"mpi.receive_overhead", "140ns"},
            {"mpi.eager_send_copy_per_kib", "0/512B:60ns"},
            {"mpi.eager_receive_copy_per_kib", "0/512B:60ns"},
            {"mpi.rendezvous_send_overhead", "0/4097B:350ns"},
            {"mpi.rendezvous_receive_overhead", "0/4097B:350ns"},
            {"mpi.send_overhead_per_kib", "0/4097B:45ns"},
            {"mpi.receive_overhead_per_kib", "0/4097B:45ns"},
            {"network.memory.latency", with_stream ? "310ns" : "200ns"}, /* kim-72 has 200 ns */
            {"network.memory.bandwidth", "10TB/s"},
            {NULL, NULL},
        };
        anax_config *config = machine_of("kim-72", truths), *given = machine_of("kim-72", NULL);
        api_set(config, placed->name, placed->value);
        api_set(given, "calibrate.distance", "same-node");
        if (!with_stream) api_set(given, "mpi.eager_threshold", "4KiB"); /* a short rendezvous */
        write_latency(world, config);
        if (with_stream) write_stream(world, config, 140e3);
        anax_calibration *calibration = calibrate(world, given);
        char *text = anax_calibration_text(calibration);
        assert_non_null(strstr(text, "measured within a node"));
        anax_text_free(text);
        expect_settings(calibration, truths);
        expect_warning(calibration, "% off", false);
        expect_warning(calibration, "network.memory.latency: a ping-pong tells", !with_stream);
        expect_replays_as_modelled_with(world, calibration, placed);
        anax_calibration_free(calibration);
        anax_config_free(given);
        anax_config_free(config);
        while (world->count > 0)
            free(world->files[--world->count]);
    }
}

static void what_cannot_be_fitted_is_refused(void **state) {
    struct world *world = *state;
    anax_config *config = machine_of("kim-72", NULL);
    anax_calibration *calibration = NULL;
    anax_error error = ANAX_ERROR_INIT;
    write_stream(world, config, 400e3);
    anax_calibrate_plan plan = {sizeof plan, config, (const char *const *)world->files, 1};
    assert_int_equal(anax_calibrate(&calibration, &plan, NULL, &error), ANAX_ERROR_INPUT);
    assert_non_null(strstr(error.text, "no ping-pong"));
    assert_null(calibration);
    plan.file_count = 0;
    assert_int_equal(anax_calibrate(&calibration, &plan, NULL, &error), ANAX_ERROR_USAGE);
    assert_non_null(strstr(error.text, "no files"));
    FILE *file = begin_file(world, "wrong.txt");
    fputs("# OSU MPI Latency Test v5\n# Size          Latency (us)\n1 x\n", file);
    fclose(file);
    file = begin_file(world, "other.txt");
    fputs("hello\n", file);
    fclose(file);
    plan.file_count = 3;
    assert_int_equal(anax_calibrate(&calibration, &plan, NULL, &error), ANAX_ERROR_INPUT);
    assert_non_null(strstr(error.text, "wrong.txt:3:3: error:"));
    assert_non_null(strstr(error.text, "other.txt:1: error:"));
    api_set(config, "calibrate.distance", "same-group");
    api_set(config, "network.routers_per_group", "1");
    plan.file_count = 1;
    assert_int_equal(anax_calibrate(&calibration, &plan, NULL, &error), ANAX_ERROR_USAGE);
    anax_error_clear(&error);
    anax_config_free(config);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_ping_pong_gives_its_settings_back, setup, teardown),
        cmocka_unit_test_setup_teardown(a_stream_tells_latency_from_overheads, setup, teardown),
        cmocka_unit_test_setup_teardown(exact_measurements_give_exact_settings, setup, teardown),
        cmocka_unit_test_setup_teardown(a_slow_stream_tells_unequal_overheads_or_the_gap, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(streams_both_ways_tell_both_overheads, setup, teardown),
        cmocka_unit_test_setup_teardown(pairs_tell_the_message_gap, setup, teardown),
        cmocka_unit_test_setup_teardown(large_messages_tell_the_bandwidth, setup, teardown),
        cmocka_unit_test_setup_teardown(an_allreduce_tells_the_cost_of_combining, setup, teardown),
        cmocka_unit_test_setup_teardown(a_machine_that_is_too_slow_is_told, setup, teardown),
        cmocka_unit_test_setup_teardown(every_place_of_two_nodes_finds_the_same_hosts, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(processes_on_one_node_tell_the_memory_and_the_cost_of_bytes,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(what_cannot_be_fitted_is_refused, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
