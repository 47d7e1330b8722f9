/* Large archives are packed while they are read, rank by rank and in pieces. That gives the program
 * that reading them in another way gives. */
#include "tests/support/core/scratch_folder.h"
#include "tests/support/traces/archive_world.h"
#include "tests/support/traces/packed_import.h"
#include "tests/support/traces/random_program.h"

#include <stdio.h>

static char archive[128];
static const struct traces_config config = {
    .polling_gap_ps = 100000000, .user_regions = true, .memory_bytes = INT64_C(1) << 30};

static int set_up(void **state) {
    if (scratch_folder_set_up(state) != 0) return -1;
    snprintf(archive, sizeof archive, "%s/archive", scratch_folder);
    return 0;
}

static void write_archive(struct program *written) {
    struct traces_times times;
    struct status status = STATUS_INIT;
    assert_int_equal(traces_compute_nominal_times(written, &times, &status), STATUS_OK);
    scratch_folder_remove(archive);
    if (traces_write_otf2(written, &times, archive, &status) != STATUS_OK)
        fail_msg("%s", status.text);
    traces_times_free(&times);
    program_free(written);
}

/* Writes an archive of a program, and returns what reading it with much memory gives. */
static struct program *through_archive(struct program *written) {
    write_archive(written);
    struct program *program = archive_read(archive, &config);
    assert_null(program->packed);
    return program;
}

/* Ranks of loops end many pieces. Their blocks share what repeats, and a message takes next to no
 * memory: 32 iterations are as many as there are places of an iteration in a block. */
static void loops_in_pieces_take_little_memory(void **state) {
    (void)state;
    struct traces_pattern_config pattern = {.rank_count = 12,
                                            .iterations = 200,
                                            .size_bytes = 4096,
                                            .compute_ps = 1000000,
                                            .neighbours = 6};
    struct program *made = NULL;
    assert_int_equal(traces_generate(&made, "halo3d", &pattern, NULL), STATUS_OK);
    struct program *program = through_archive(made);
    for (unsigned threads = 1; threads <= 3; threads++)
        assert_true(packed_import_is_same(program, archive, &config, threads));
    struct traces_config own = config;
    own.memory_bytes = packed_import_bytes(program->event_count);
    struct program *packed = archive_read(archive, &own);
    const struct program_packed_rank *rank = &packed->packed->ranks[5];
    assert_true(rank->shape_count * PROGRAM_BLOCK_OPERATIONS * 4 < program->ranks[5].count);
    assert_true(rank->count < 100);
    program_free(packed);
    program_free(program);
}

/* Reads the archive with much memory and packed. Both give the same program or the same refusal.
 * Returns whether it is a program. */
static bool is_same(const struct traces_config *own, unsigned threads) {
    struct status status = STATUS_INIT;
    struct program *program = NULL;
    const bool is_read =
        traces_open(&program, archive, own, threads, NULL, NULL, &status) == STATUS_OK;
    if (is_read)
        packed_import_is_same(program, archive, own, threads);
    else
        packed_import_is_refused(archive, own, status.text);
    status_clear(&status);
    program_free(program);
    return is_read;
}

/* Whatever programs have: unmatched messages, requests that stay in flight, collectives of all
 * kinds, user regions. An archive says nothing of some receives, so some archives are refused. */
static void any_program_is_the_one_of_unpacked_reading(void **state) {
    (void)state;
    struct traces_config bare = config;
    bare.user_regions = false;
    unsigned read = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        write_archive(random_program(seed, 1 + seed % 9, 100 + (uint32_t)(seed * 97 % 900)));
        read += is_same(&config, 1 + seed % 2);
        is_same(&bare, 1 + seed % 2);
    }
    assert_true(read >= 5 && read < 40);
}

/* A receive of a tag has the length of its send, which changes from message to message; some are
 * recorded shorter, some longer, and some without a length. */
static void receives_have_the_lengths_of_their_sends(void **state) {
    (void)state;
    enum { MESSAGES = 400 };
    struct archive_maker *maker = archive_of_two();
    OTF2_EvtWriter *from = maker_events(maker, 0, 0), *to = maker_events(maker, 1, 0);
    for (uint64_t i = 0; i < MESSAGES; i++) {
        const uint64_t bytes = 100 + i / 7 % 5;
        const uint64_t got = i % 11 == 3 ? bytes - 1 : i % 11 == 5 ? bytes + 4 : bytes;
        const uint64_t ticks = 10 * i + 10;
        maker_enter(maker, from, ticks, "MPI_Send");
        OTF2_EvtWriter_MpiSend(from, NULL, ticks, 1, MAKER_WORLD, (uint32_t)(i % 3), bytes);
        maker_leave(maker, from, ticks + 1, "MPI_Send");
        if (i > MESSAGES - 6) continue; /* without a receive */
        maker_enter(maker, to, ticks, "MPI_Recv");
        OTF2_EvtWriter_MpiRecv(to, NULL, ticks, 0, MAKER_WORLD, (uint32_t)(i % 3),
                               i % 17 == 9 ? UINT64_MAX - 3 : got);
        maker_leave(maker, to, ticks + 1, "MPI_Recv");
    }
    maker_enter(maker, to, 10 * MESSAGES + 20, "MPI_Recv");
    OTF2_EvtWriter_MpiRecv(to, NULL, 10 * MESSAGES + 20, 0, MAKER_WORLD, 9, UINT64_MAX - 3);
    maker_leave(maker, to, 10 * MESSAGES + 21, "MPI_Recv");
    const char *path = maker_finish(maker);
    struct program *program = archive_read(path, &config);
    assert_true(archive_noted(program, "length mismatch") > 10);
    assert_true(archive_noted(program, "receives longer than their sends") > 10);
    assert_true(archive_noted(program, "receives of unknown length") > 10);
    assert_int_equal(program->unmatched_sends, 5);
    assert_int_equal(program->unmatched_receives, 1);
    assert_true(packed_import_is_same(program, path, &config, 1));
    assert_true(packed_import_is_same(program, path, &config, 2));
    program_free(program);
    maker_free(maker);
}

/* Where memory does not suffice for all operations as they are, they lie in a file, not packed. */
static void without_memory_operations_lie_in_a_file(void **state) {
    (void)state;
    struct program *program = through_archive(random_program(5, 4, 400));
    struct traces_config own = config;
    own.memory_bytes = 1000;
    struct program *paged = archive_read(archive, &own);
    assert_null(paged->packed);
    packed_import_compare(program, paged);
    program_free(paged);
    program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_in_pieces_take_little_memory),
        cmocka_unit_test(any_program_is_the_one_of_unpacked_reading),
        cmocka_unit_test(receives_have_the_lengths_of_their_sends),
        cmocka_unit_test(without_memory_operations_lie_in_a_file),
    };
    return cmocka_run_group_tests(tests, set_up, scratch_folder_tear_down);
}
