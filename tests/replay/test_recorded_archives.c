/*
 * Every usable recording replays to the end under every routing policy, and with other libraries'
 * ways, with the messages it holds, and every rank's parts add up to its time.
 */
#include "replay/replay.h"
#include "traces/traces.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#define DATA     ANAX_SOURCE_DIR "/tests/data/otf2/"
#define RECORDED ANAX_SHARED "/traces/recorded/"
#define PUBLIC   ANAX_SHARED "/traces/public/"

/* Those that come with the project: calls of every kind that an archive can hold. */
static const char *const bundled[] = {
    DATA "sp_cancel_8",       DATA "sp_colls_8",   DATA "sp_halo2d_8",
    DATA "sp_halo2d-noxnb_8", DATA "sp_inter_8",   DATA "sp_neigh_8",
    DATA "sp_order_8",        DATA "sp_persist_8", DATA "sp_rma_8",
    DATA "sp_sendrecv_8",     DATA "sp_threads_8", ANAX_SOURCE_DIR "/examples/gromacs",
};

/* Applications, and programs of other tools. */
static const char *const shared[] = {
    RECORDED "sp_comms_8",       RECORDED "sp_edge_8",         RECORDED "sp_fft3d_16",
    RECORDED "sp_gromacs-pme_8", RECORDED "sp_halo3d_16",      RECORDED "sp_hpcc_8",
    RECORDED "sp_hybrid_8",      RECORDED "sp_lammps-melt_8",  RECORDED "sp_lammps-peptide_8",
    RECORDED "sp_modes_8",       RECORDED "sp_mpiio_8",        RECORDED "sp_mw_16",
    RECORDED "sp_nbc_16",        RECORDED "sp_nwchem-h2o_4",   RECORDED "sp_qe-si_8",
    RECORDED "sp_sweep_16",      RECORDED "sp_tests_8",        PUBLIC "pipit-ping-pong",
    PUBLIC "sstmacro-otf2",      PUBLIC "tracer-stencil4d-32", PUBLIC "tracer-stencil4d-64",
};

struct choices {
    struct traces_config traces;
    struct replay_config replay;
    struct network_config network;
    struct setting_section sections[3];
    struct settings settings;
};

static void set(struct choices *chosen, const char *pair) {
    struct status status = STATUS_INIT;
    if (settings_set_pair(&chosen->settings, pair, &status) != STATUS_OK)
        fail_msg("%s: %s", pair, status.text);
}

static void choose(struct choices *chosen) {
    struct status status = STATUS_INIT;
    *chosen = (struct choices){0};
    chosen->sections[0] =
        (struct setting_section){traces_setting_rows, traces_setting_count, &chosen->traces};
    chosen->sections[1] =
        (struct setting_section){replay_setting_rows, replay_setting_count, &chosen->replay};
    chosen->sections[2] =
        (struct setting_section){network_setting_rows, network_setting_count, &chosen->network};
    chosen->settings = (struct settings){chosen->sections, 3};
    assert_int_equal(settings_set_defaults(&chosen->settings, &status), STATUS_OK);
    chosen->network.nodes_per_router = 4;
    chosen->network.routers_per_group = 8;
    chosen->network.globals_per_router = 4;
    chosen->network.groups = 33;
    set(chosen, "mpi.eager_threshold=8KiB");
}

static void check_result(const struct program *program, const struct replay_result *result) {
    struct program_totals totals;
    program_totals_compute(program, &totals);
    assert_int_equal(result->eager_messages + result->rendezvous_messages, totals.messages);
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < result->rank_count; i++) {
        const struct replay_rank_result *rank = &result->ranks[i];
        bytes += rank->sent_bytes;
        assert_int_equal(rank->compute_ps + rank->send_overhead_ps + rank->receive_overhead_ps +
                             rank->reduction_ps + rank->wait_late_sender_ps +
                             rank->wait_late_receiver_ps + rank->wait_transit_ps +
                             rank->wait_queueing_ps + rank->collective_ps,
                         rank->time_ps);
    }
    assert_int_equal(bytes, totals.message_bytes);
}

/* Ranks on nodes in a block, or a group and a bit apart; so many ranks on each, and one less on
 * each second one. Returns the digest. */
static uint64_t replay_on(const struct program *program, const struct choices *chosen,
                          uint32_t stride, uint32_t each, unsigned threads) {
    struct status status = STATUS_INIT;
    uint32_t *nodes = malloc(program->rank_count * sizeof *nodes);
    for (uint32_t i = 0, node = 0, left = each; i < program->rank_count; i++, left--) {
        if (left == 0) left = ++node % 2 == 1 && each > 1 ? each - 1 : each;
        nodes[i] = node * stride % 1056;
    }
    struct placement placement = {
        .rank_count = program->rank_count, .node_count = 1056, .node_of_rank = nodes};
    struct replay_options options = {.threads = threads};
    struct replay_result *result;
    struct network *network;
    if (replay_run(&result, &network, program, &placement, &chosen->replay, &chosen->network, 1,
                   &options, &status) != STATUS_OK)
        fail_msg("%s", status.text);
    check_result(program, result);
    uint64_t digest = result->digest;
    replay_result_free(result);
    network_free(network);
    free(nodes);
    return digest;
}

static void replay(const struct program *program, const struct choices *chosen, uint32_t stride) {
    replay_on(program, chosen, stride, 1, 1);
}

/* With the simplest settings, and in turn with others, some of these on several threads. */
static void replay_in_turn(const char *const *archives, unsigned count) {
    static const char *const routings[] = {"network.routing=minimal", "network.routing=valiant",
                                           "network.routing=ugal-l"};
    for (unsigned i = 0; i < count; i++) {
        struct status status = STATUS_INIT;
        struct choices chosen;
        struct program *program;
        choose(&chosen);
        if (traces_open(&program, archives[i], &chosen.traces, 1, NULL, NULL, &status) != STATUS_OK)
            fail_msg("%s: %s", archives[i], status.text);
        set(&chosen, routings[i % 3]);
        replay(program, &chosen, 37);
        set(&chosen, routings[(i + 1) % 3]);
        static const char *const others[] = {"mpi.collectives=openmpi", "mpi.progress=software",
                                             "mpi.rendezvous=get"};
        for (unsigned k = 0; k < 3; k++)
            set(&chosen, others[k]);
        if (i % 2 == 0) replay(program, &chosen, 1);
        /* collectives that know which ranks share a node, of all kinds, blocking or not */
        static const char *const vendors[] = {"mpi.collectives=cray-mpich", "mpi.offload=tree",
                                              "mpi.offload_radix=2", "mpi.alltoallv=random-order"};
        for (unsigned k = 0; k < 4; k++)
            set(&chosen, vendors[k]);
        if (i % 2 != 0) {
            uint64_t digest = replay_on(program, &chosen, 37, 3, 1);
            if (i % 4 == 1) assert_int_equal(replay_on(program, &chosen, 37, 3, 3), digest);
        }
        program_free(program);
        settings_clear(&chosen.settings);
    }
}

static void bundled_archives_replay_to_the_end(void **state) {
    (void)state;
    replay_in_turn(bundled, sizeof bundled / sizeof *bundled);
}

static void shared_archives_replay_to_the_end(void **state) {
    (void)state;
    if (access(ANAX_SHARED "/traces/recorded", R_OK) != 0) skip();
    replay_in_turn(shared, sizeof shared / sizeof *shared);
}

/* Programs that test their sends and go on, with fewer eager sends than when they were recorded. */
static void sends_that_were_tested_replay_to_the_end(void **state) {
    (void)state;
    static const struct {
        const char *archive, *threshold;
    } cases[] = {{"found/sl_qr_6", "mpi.eager_threshold=80B"},
                 {"found/sl_qr_6", "mpi.eager_threshold=0"},
                 {"found/slud_pddrive3_4", "mpi.eager_threshold=0"}};
    if (access(ANAX_SHARED "/traces/found", R_OK) != 0) skip();
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct status status = STATUS_INIT;
        struct choices chosen;
        struct program *program;
        char path[1000];
        snprintf(path, sizeof path, ANAX_SHARED "/traces/%s", cases[i].archive);
        choose(&chosen);
        set(&chosen, cases[i].threshold);
        if (traces_open(&program, path, &chosen.traces, 1, NULL, NULL, &status) != STATUS_OK)
            fail_msg("%s: %s", path, status.text);
        replay(program, &chosen, 37);
        set(&chosen, "mpi.progress=software");
        replay(program, &chosen, 1);
        program_free(program);
        settings_clear(&chosen.settings);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(bundled_archives_replay_to_the_end),
                                       cmocka_unit_test(shared_archives_replay_to_the_end),
                                       cmocka_unit_test(sends_that_were_tested_replay_to_the_end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
