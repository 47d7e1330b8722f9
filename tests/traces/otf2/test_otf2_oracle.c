/* The figures of every archive against those of an independent reader. */
#include "traces/traces.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

struct figures {
    const char *archive;
    uint32_t ranks;
    uint64_t locations, events, messages, bytes, unmatched_sends, unmatched_receives;
    const char *collectives; /* in any order */
};

static const struct figures all[] = {
    {"public/pipit-ping-pong", 2, 2, 120, 16, UINT64_C(8355840), 0, 0, ""},
    {"public/sstmacro-otf2", 10, 10, 22180, 1440, UINT64_C(23592600), 0, 0,
     "ALLGATHER=360 ALLREDUCE=360 ALLTOALL=360 BCAST=30 GATHER=30 REDUCE=30 SCATTER=30"},
    {"public/tracer-stencil4d-32", 32, 32, 4324, 512, UINT64_C(67108864), 0, 0, "BARRIER=96"},
    {"public/tracer-stencil4d-64", 64, 64, 8644, 1024, UINT64_C(268435456), 0, 0, "BARRIER=192"},
    {"recorded/sp_cancel_8", 8, 8, 1088, 40, UINT64_C(2560), 0, 0,
     "BARRIER=40 CREATE_HANDLE=8 DESTROY_HANDLE=8"},
    {"recorded/sp_colls_8", 8, 8, 3184, 0, UINT64_C(0), 0, 0,
     "ALLGATHER=80 ALLGATHERV=40 ALLREDUCE=80 ALLTOALL=80 ALLTOALLW=40 BARRIER=40 BCAST=40 "
     "CREATE_HANDLE=8 DESTROY_HANDLE=8 EXSCAN=40 GATHER=40 GATHERV=40 REDUCE=40 REDUCE_SCATTER=40 "
     "REDUCE_SCATTER_BLOCK=40 SCAN=40 SCATTER=40 SCATTERV=40"},
    {"recorded/sp_comms_8", 8, 8, 3336, 40, UINT64_C(81920), 0, 0,
     "ALLGATHER=20 ALLREDUCE=80 BARRIER=44 BCAST=40 CREATE_HANDLE=184 DESTROY_HANDLE=144 "
     "I:CREATE_HANDLE=8"},
    {"recorded/sp_edge_8", 8, 8, 1830, 161, UINT64_C(33804192), 0, 0,
     "CREATE_HANDLE=8 DESTROY_HANDLE=8"},
    {"recorded/sp_fft3d_16", 16, 16, 1920, 0, UINT64_C(0), 0, 0,
     "ALLTOALLV=160 CREATE_HANDLE=48 DESTROY_HANDLE=48"},
    {"recorded/sp_gromacs-pme_8", 8, 8, 17162, 2244, UINT64_C(47299312), 0, 0,
     "ALLREDUCE=162 ALLTOALL=164 BARRIER=16 BCAST=604 CREATE_HANDLE=66 DESTROY_HANDLE=40 GATHER=8 "
     "SCATTER=6 SCATTERV=18"},
    {"recorded/sp_halo2d-noxnb_8", 8, 8, 1384, 160, UINT64_C(491520), 0, 0,
     "ALLREDUCE=40 CREATE_HANDLE=8 DESTROY_HANDLE=16"},
    {"recorded/sp_halo2d_8", 8, 8, 1248, 96, UINT64_C(73728), 0, 0,
     "ALLREDUCE=24 CREATE_HANDLE=16 DESTROY_HANDLE=16"},
    {"recorded/sp_halo3d_16", 16, 16, 5280, 480, UINT64_C(2402880), 0, 0,
     "ALLREDUCE=80 CREATE_HANDLE=32 DESTROY_HANDLE=32"},
    {"recorded/sp_hpcc_8", 8, 8, 2685460, 62420, UINT64_C(7262697124), 0, 0,
     "ALLREDUCE=4929 ALLTOALL=264 BARRIER=1144 BCAST=3160 CREATE_HANDLE=152 DESTROY_HANDLE=152 "
     "GATHER=9 REDUCE=504"},
    {"recorded/sp_hybrid_8", 8, 24, 6560, 160, UINT64_C(1280), 0, 0,
     "ALLREDUCE=80 CREATE_HANDLE=8 DESTROY_HANDLE=8"},
    {"recorded/sp_inter_8", 8, 8, 1088, 40, UINT64_C(163840), 0, 0,
     "ALLGATHER=40 BARRIER=48 BCAST=40 CREATE_HANDLE=32 DESTROY_HANDLE=32"},
    {"recorded/sp_lammps-melt_8", 8, 8, 51400, 5184, UINT64_C(117468128), 0, 0,
     "ALLREDUCE=720 BARRIER=40 BCAST=512 CREATE_HANDLE=16 DESTROY_HANDLE=16 REDUCE=24 SCAN=8"},
    {"recorded/sp_lammps-peptide_8", 8, 8, 170907, 17051, UINT64_C(128797616), 0, 0,
     "ALLGATHER=112 ALLREDUCE=1800 ALLTOALL=112 ALLTOALLV=112 BARRIER=48 BCAST=2144 "
     "CREATE_HANDLE=72 DESTROY_HANDLE=72 REDUCE=24"},
    {"recorded/sp_modes_8", 8, 8, 2456, 240, UINT64_C(983040), 0, 0,
     "BARRIER=80 CREATE_HANDLE=8 DESTROY_HANDLE=8"},
    {"recorded/sp_mpiio_8", 8, 8, 640, 0, UINT64_C(0), 0, 0, "CREATE_HANDLE=8 DESTROY_HANDLE=8"},
    {"recorded/sp_mw_16", 16, 16, 1338, 175, UINT64_C(326642), 0, 0,
     "CREATE_HANDLE=16 DESTROY_HANDLE=16"},
    {"recorded/sp_nbc_16", 16, 16, 5958, 0, UINT64_C(0), 0, 0,
     "CREATE_HANDLE=16 DESTROY_HANDLE=16 I:ALLGATHER=80 I:ALLREDUCE=80 I:ALLTOALL=80 I:BARRIER=80 "
     "I:BCAST=80 I:GATHER=80 I:REDUCE=80"},
    {"recorded/sp_neigh_8", 8, 8, 624, 0, UINT64_C(0), 0, 0, "CREATE_HANDLE=16 DESTROY_HANDLE=16"},
    {"recorded/sp_nwchem-h2o_4", 4, 4, 641465, 160, UINT64_C(26880), 0, 0,
     "ALLGATHER=1016 ALLREDUCE=7320 BARRIER=12988 BCAST=4808 CREATE_HANDLE=1296 "
     "DESTROY_HANDLE=1292 REDUCE=114"},
    {"recorded/sp_order_8", 8, 8, 2064, 160, UINT64_C(307200), 0, 0,
     "CREATE_HANDLE=8 DESTROY_HANDLE=8"},
    {"recorded/sp_persist_8", 8, 8, 832, 80, UINT64_C(245760), 0, 0,
     "CREATE_HANDLE=8 DESTROY_HANDLE=8"},
    {"recorded/sp_qe-si_8", 8, 8, 62772, 136, UINT64_C(654384), 0, 0,
     "ALLREDUCE=1012 ALLTOALL=2208 ALLTOALLV=104 BARRIER=5700 BCAST=4576 CREATE_HANDLE=170 "
     "DESTROY_HANDLE=92 GATHERV=88"},
    {"recorded/sp_rma_8", 8, 8, 2992, 0, UINT64_C(0), 0, 0,
     "BARRIER=40 CREATE_HANDLE=8 DESTROY_HANDLE=8"},
    {"recorded/sp_sendrecv_8", 8, 8, 614, 115, UINT64_C(389120), 0, 0,
     "CREATE_HANDLE=8 DESTROY_HANDLE=8"},
    {"recorded/sp_sweep_16", 16, 16, 3200, 480, UINT64_C(3932160), 0, 0,
     "CREATE_HANDLE=16 DESTROY_HANDLE=16"},
    {"recorded/sp_tests_8", 8, 8, 5272, 440, UINT64_C(1488200), 80, 0,
     "CREATE_HANDLE=8 DESTROY_HANDLE=8"},
    {"recorded/sp_threads_8", 8, 24, 1504, 120, UINT64_C(491520), 0, 0,
     "BARRIER=8 CREATE_HANDLE=8 DESTROY_HANDLE=8"},
};

static const struct traces_config config = {.polling_gap_ps = INT64_C(100000000)};

/* Every "NAME=count" of the expected text, and nothing else. */
static void check_collectives(const char *archive, const char *expected,
                              const struct program_totals *totals) {
    size_t expected_count = 0, found_count = 0;
    for (const char *at = expected; *at != '\0'; at++)
        expected_count += *at == '=';
    for (uint32_t kind = 0; kind < PROGRAM_COLLECTIVE_KINDS; kind++) {
        for (unsigned form = 0; form < 2; form++) {
            if (totals->collectives[kind][form] == 0 || kind == PROGRAM_COLLECTIVE_WINDOW) continue;
            char text[64], padded[600];
            snprintf(text, sizeof text, " %s%s=%llu ", form == 1 ? "I:" : "",
                     program_collective_name(kind),
                     (unsigned long long)totals->collectives[kind][form]);
            snprintf(padded, sizeof padded, " %s ", expected);
            if (strstr(padded, text) == NULL)
                fail_msg("%s: has%s, expected %s", archive, text, expected);
            found_count++;
        }
    }
    if (found_count != expected_count) fail_msg("%s: expected %s", archive, expected);
}

static void check_archive(const char *path, const struct figures *expected) {
    struct status status = STATUS_INIT;
    struct program *program = NULL;
    if (traces_open(&program, path, &config, 0, NULL, NULL, &status) != STATUS_OK)
        fail_msg("%s", status.text);
    if (program_check_file(program, &status) != STATUS_OK) fail_msg("%s: %s", path, status.text);
    struct program_totals totals;
    program_totals_compute(program, &totals);
    print_message("%s\n", expected->archive);
    assert_int_equal(program->rank_count, expected->ranks);
    assert_int_equal(program->location_count, expected->locations);
    assert_int_equal(program->event_count, expected->events);
    assert_int_equal(totals.messages, expected->messages);
    assert_int_equal(totals.message_bytes, expected->bytes);
    uint64_t inferred =
        0; /* receives by MPI_Mrecv, of which the independent reader knows nothing */
    for (uint64_t i = 0; i < program->operation_count; i++)
        inferred += program->operations[i].kind == OPERATION_RECEIVE &&
                    (program->operations[i].flags & OPERATION_FLAG_RECEIVE_INFERRED) != 0;
    assert_int_equal(program->unmatched_sends + inferred, expected->unmatched_sends);
    assert_true(program->unmatched_sends == 0 || inferred == 0);
    assert_int_equal(program->unmatched_receives, expected->unmatched_receives);
    check_collectives(path, expected->collectives, &totals);
    program_free(program);
}

static void shared_archives_agree_with_the_oracle(void **state) {
    (void)state;
    struct stat about;
    if (stat(ANAX_SHARED "/traces/recorded", &about) != 0) skip();
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        char path[512];
        snprintf(path, sizeof path, ANAX_SHARED "/traces/%s", all[i].archive);
        check_archive(path, &all[i]);
    }
}

/* Those that come with the project. */
static void bundled_archives_agree_with_the_oracle(void **state) {
    (void)state;
    unsigned found = 0;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        char path[512];
        struct stat about;
        const char *name = strrchr(all[i].archive, '/') + 1;
        snprintf(path, sizeof path, ANAX_SOURCE_DIR "/tests/data/otf2/%s", name);
        if (stat(path, &about) != 0) continue;
        check_archive(path, &all[i]);
        found++;
    }
    assert_int_equal(found, 11);
}

/* Any number of threads gives the same program. */
static void threads_do_not_matter(void **state) {
    (void)state;
    static const char *const names[] = {"sp_threads_8", "sp_colls_8", "sp_cancel_8"};
    for (size_t i = 0; i < 3; i++) {
        char path[512];
        snprintf(path, sizeof path, ANAX_SOURCE_DIR "/tests/data/otf2/%s/traces.otf2", names[i]);
        uint64_t hash = 0;
        for (unsigned threads = 1; threads <= 5; threads++) {
            struct status status = STATUS_INIT;
            struct program *program = NULL;
            assert_int_equal(traces_open(&program, path, &config, threads, NULL, NULL, &status),
                             STATUS_OK);
            if (threads > 1) assert_true(program->content_hash == hash);
            hash = program->content_hash;
            program_free(program);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bundled_archives_agree_with_the_oracle),
        cmocka_unit_test(shared_archives_agree_with_the_oracle),
        cmocka_unit_test(threads_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
