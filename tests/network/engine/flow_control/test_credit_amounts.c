/*
 * The invariant of credits (network/engine/state/state.h) in the middle of a run: for every output
 * VC whose channel ends at a router, the credits, the bytes in the output buffer, on the wire and
 * in the next buffer, and the credits on their way back add up to the size of that buffer. An
 * output VC to a node has all of its credits.
 */
#include "tests/support/network/network_face.h"

#define SHAPE                                                                                      \
    "nodes_per_router=2 routers_per_group=4 globals_per_router=2 groups=%s "                       \
    "packet=512B terminal.bandwidth=10GB/s local.bandwidth=10GB/s global.bandwidth=10GB/s "        \
    "local.latency=20ns global.latency=100ns local.buffer=4KiB global.buffer=8KiB "                \
    "terminal.buffer=4KiB router.latency=30ns "

static bool stop_after(void *context, int64_t now_ps, uint64_t events) {
    (void)now_ps, (void)events;
    return --*(int *)context > 0;
}

/* Runs until `progress` was called so many times. */
static void run_a_part(struct network_world *world, int calls) {
    const uint32_t nodes = network_node_count(world->network);
    for (uint32_t i = 0; i < 200 * nodes; i++) {
        const uint32_t source = i % nodes;
        const uint32_t other = (source + 1 + i / nodes * 7 % (nodes - 1)) % nodes;
        network_world_send(world, source, i % 5 == 0 ? 0 : other, i * 37 % 3000,
                           (int64_t)(i / nodes) * 50000);
    }
    struct status status = STATUS_INIT;
    struct network_run_options options = {
        .threads = 1, .progress = stop_after, .progress_context = &calls};
    const status_code code = network_run(world->network, &options, &status);
    if (code != STATUS_STOPPED || calls != 0) fail_msg("%d calls left: %s", calls, status.text);
    status_clear(&status);
}

static struct face_amounts check_amounts(struct network *network) {
    const uint32_t vcs = face_port_vc(network, 1, 0);
    const size_t per_rail_group = (size_t)face_outputs(network) * vcs;
    const size_t count = per_rail_group * network_group_count(network);
    struct face_amounts *amounts = calloc(count, sizeof *amounts), all = {0};
    assert_non_null(amounts);
    face_count_amounts(network, amounts);
    for (size_t i = 0; i < count; i++) {
        const struct face_amounts *each = &amounts[i];
        const uint32_t output = (uint32_t)(i % per_rail_group) / vcs;
        const int64_t behind = face_other_end_bytes(network, output);
        const int64_t sum =
            each->credits + each->output_buffer + each->wire + each->buffer + each->returning;
        if (sum != behind || each->credits < 0)
            fail_msg("output %u of group %zu: %lld credits + %lld + %lld + %lld + %lld returning "
                     "are not %lld bytes",
                     output, i / per_rail_group, (long long)each->credits,
                     (long long)each->output_buffer, (long long)each->wire, (long long)each->buffer,
                     (long long)each->returning, (long long)behind);
        if (face_channel_kind(network, output) == NETWORK_TERMINAL && output < face_ports(network))
            assert_int_equal(each->credits, behind);
        all.output_buffer += each->output_buffer;
        all.wire += each->wire;
        all.buffer += each->buffer;
        all.returning += each->returning;
    }
    free(amounts);
    return all;
}

static void credits_and_bytes_add_up_to_the_buffer(void **state) {
    (void)state;
    static const struct {
        const char *settings;
        bool has_output_buffers;
    } cases[] = {
        {"routing=minimal", false},
        {"routing=valiant", false},
        {"routing=minimal router.output_buffer=2KiB", true},
        {"routing=ugal-l router.crossbar=input router.output_buffer=2KiB router.speedup=2", true},
        {"routing=minimal router.crossbar=vc router.credit_latency=40ns", false},
        {"routing=minimal router.release=head", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int two = 0; two < 2; two++) {
            struct face_amounts all = {0};
            for (int calls = 1; calls <= 4; calls++) {
                char shape[512];
                snprintf(shape, sizeof shape, SHAPE, two ? "2" : "9");
                struct network_world world;
                network_world_open(&world, shape, cases[i].settings);
                run_a_part(&world, calls);
                const struct face_amounts some = check_amounts(world.network);
                all.output_buffer += some.output_buffer;
                all.wire += some.wire;
                all.buffer += some.buffer;
                all.returning += some.returning;
                network_world_free(&world);
            }
            assert_true(all.wire > 0 && all.buffer > 0 && all.returning > 0);
            assert_int_equal(all.output_buffer > 0, cases[i].has_output_buffers);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(credits_and_bytes_add_up_to_the_buffer)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
