/* Archives we write: otf2-print accepts them, and importing them gives back their program. */
#include "tests/support/core/scratch_folder.h"
#include "tests/support/traces/builder_world.h"
#include "tests/support/traces/random_program.h"
#include "traces/program/builder/program_builder.h"
#include "traces/program/send_modes.h"
#include "traces/traces.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char archive[128];

static int set_up(void **state) {
    if (scratch_folder_set_up(state) != 0) return -1;
    snprintf(archive, sizeof archive, "%s/archive", scratch_folder);
    return 0;
}

static struct program *import(const char *path) {
    static const struct traces_config config = {.polling_gap_ps = 100000000, .user_regions = true};
    struct status status = STATUS_INIT;
    struct program *program = NULL;
    if (traces_open(&program, path, &config, 2, NULL, NULL, &status) != STATUS_OK)
        fail_msg("%s", status.text);
    return program;
}

/* Writes, reads back. */
static struct program *through_archive(const struct program *written) {
    struct status status = STATUS_INIT;
    struct traces_times times;
    assert_int_equal(traces_compute_nominal_times(written, &times, &status), STATUS_OK);
    scratch_folder_remove(archive);
    if (traces_write_otf2(written, &times, archive, &status) != STATUS_OK)
        fail_msg("%s", status.text);
    traces_times_free(&times);
    return import(archive);
}

/* What otf2-print says on stderr, and with which exit code; 0 when it says nothing. It takes a
 * second for the smallest archive, for memory that huge pages save it from filling page by page. */
static int complaints(void) {
    char command[256], line[256];
    snprintf(command, sizeof command,
             "GLIBC_TUNABLES=glibc.malloc.hugetlb=1 otf2-print -A %s/traces.otf2 2>&1 >/dev/null",
             archive);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    int said = 0;
    while (fgets(line, sizeof line, pipe) != NULL)
        said++;
    int result = pclose(pipe);
    return said > 0 || !WIFEXITED(result) ? 1 : WEXITSTATUS(result);
}

static bool have_otf2_print(void) {
    return system("command -v otf2-print >/dev/null 2>&1") == 0;
}

static void patterns_come_back(void **state) {
    (void)state;
    static const uint32_t counts[] = {1, 2, 7, 12};
    bool print = have_otf2_print();
    size_t printed = 0; /* of four patterns one is printed, with a count in turn */
    for (const struct traces_pattern *row = traces_patterns(); row->name != NULL; row++) {
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            struct traces_pattern_config config = {.rank_count = counts[i],
                                                   .iterations = 3,
                                                   .size_bytes = 5000,
                                                   .compute_ps = 123457,
                                                   .neighbours = 26,
                                                   .root = counts[i] / 2,
                                                   .seed = 1};
            struct program *written = NULL;
            assert_int_equal(traces_generate(&written, row->name, &config, NULL), STATUS_OK);
            struct program *read = through_archive(written);
            if (print && printed == 5 * i && complaints() != 0)
                fail_msg("otf2-print complains about %s on %u ranks", row->name, counts[i]);
            assert_int_equal(read->event_count, written->event_count);
            assert_int_equal(read->location_count, counts[i]);
            assert_int_equal(read->span_ps, written->span_ps);
            if (read->content_hash != written->content_hash)
                fail_msg("%s on %u ranks comes back as another program", row->name, counts[i]);
            program_free(read);
            program_free(written);
        }
        printed = (printed + 1) % (4 * sizeof counts / sizeof *counts);
    }
}

#define SAME(member, what)                                                                         \
    do {                                                                                           \
        if (x->member != y->member)                                                                \
            fail_msg("%s: rank %u, operation %llu (%s): %s is %llu, not %llu",                     \
                     name ? name : "random", rank, (unsigned long long)i,                          \
                     program_call_name(a, rank, i), what, (unsigned long long)y->member,           \
                     (unsigned long long)x->member);                                               \
    } while (0)

/* Skips computation, which is compared as a whole, and calls with nothing in them: a receive that
 * was cancelled has no records, so its MPI_Irecv does not come back. */
static uint64_t skip_to_content(const struct program *program, uint32_t rank, uint64_t i,
                                int64_t *compute_ps) {
    for (;; i++) {
        const struct program_operation *operation =
            &program->operations[program->ranks[rank].first + i];
        if (operation->kind == OPERATION_COMPUTE)
            *compute_ps += operation->compute.duration_ps;
        else if (operation->kind == OPERATION_CALL && operation[1].kind == OPERATION_RETURN)
            i++;
        else
            return i;
    }
}

static void assert_same_collective(const struct program *a, const struct program_operation *x,
                                   const struct program *b, const struct program_operation *y,
                                   const char *name, uint32_t rank, uint64_t i) {
    SAME(collective.slot, "slot");
    SAME(collective.instance, "instance");
    const struct program_collective_arguments *p =
        &a->collective_arguments[x->collective.arguments];
    const struct program_collective_arguments *q =
        &b->collective_arguments[y->collective.arguments];
    assert_int_equal(p->kind, q->kind);
    assert_int_equal(p->communicator, q->communicator);
    if (name == NULL) return; /* random sizes need not make sense together */
    if (memcmp(p, q, sizeof *p) != 0)
        fail_msg("%s: rank %u, operation %llu: %s of %llu/%llu bytes, root %u comes back as %s of "
                 "%llu/%llu bytes, root %u",
                 name, rank, (unsigned long long)i, program_collective_name(p->kind),
                 (unsigned long long)p->send_bytes, (unsigned long long)p->receive_bytes, p->root,
                 program_collective_name(q->kind), (unsigned long long)q->send_bytes,
                 (unsigned long long)q->receive_bytes, q->root);
}

/* Everything but where in the trace a call stood, and when. */
static void assert_same_operations(const struct program *a, const struct program *b,
                                   const char *name) {
    assert_int_equal(a->rank_count, b->rank_count);
    assert_int_equal(a->unmatched_sends, b->unmatched_sends);
    assert_int_equal(a->unmatched_receives, b->unmatched_receives);
    for (uint32_t rank = 0; rank < a->rank_count; rank++) {
        int64_t compute_a = 0, compute_b = 0;
        for (uint64_t i = 0, k = 0;; i++, k++) {
            i = skip_to_content(a, rank, i, &compute_a);
            k = skip_to_content(b, rank, k, &compute_b);
            const struct program_operation *x = &a->operations[a->ranks[rank].first + i];
            const struct program_operation *y = &b->operations[b->ranks[rank].first + k];
            SAME(kind, "kind");
            unsigned mask = name == NULL ? ~(unsigned)OPERATION_FLAG_COLLECTIVE_IN_PLACE : ~0u;
            if (x->kind == OPERATION_SEND &&
                strncmp(program_call_name(a, rank, i), "MPI_Start", 9) == 0)
                mask &= ~(unsigned)SEND_MODES_FLAGS;
            if (x->kind == OPERATION_RECEIVE) mask &= ~(unsigned)OPERATION_FLAG_RECEIVE_INFERRED;
            if (((x->flags ^ y->flags) & mask) != 0) SAME(flags, "flags");
            if (x->kind == OPERATION_SEND || x->kind == OPERATION_RECEIVE) {
                SAME(value, "bytes");
                SAME(message.peer, "peer");
                SAME(message.match, "match");
                SAME(message.slot, "slot");
                SAME(message.envelope, "envelope");
            } else if (x->kind == OPERATION_COLLECTIVE) {
                assert_same_collective(a, x, b, y, name, rank, i);
            } else if (x->kind == OPERATION_WAIT) {
                SAME(wait.count, "count");
                SAME(wait.first, "slots");
            } else if (x->kind == OPERATION_END) {
                break;
            }
        }
        assert_int_equal(compute_a, compute_b);
        assert_int_equal(a->ranks[rank].wait_slot_count, b->ranks[rank].wait_slot_count);
        assert_memory_equal(a->wait_slots + a->ranks[rank].first_wait_slot,
                            b->wait_slots + b->ranks[rank].first_wait_slot,
                            a->ranks[rank].wait_slot_count * sizeof *a->wait_slots);
    }
}

static bool has_detached_receive(const struct program *program) {
    for (uint64_t i = 0; i < program->operation_count; i++)
        if (program->operations[i].kind == OPERATION_RECEIVE &&
            (program->operations[i].flags & OPERATION_FLAG_DETACHED) != 0)
            return true;
    return false;
}

/* Random programs: all modes, waits in any order, sub-, self- and intercommunicators. */
static void random_programs_come_back(void **state) {
    (void)state;
    unsigned compared = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct program *written =
            random_program(seed, 1 + seed % 9, 30 + (uint32_t)(seed * 7 % 200));
        if (!has_detached_receive(written)) { /* of which an archive holds nothing */
            struct program *read = through_archive(written);
            assert_same_operations(written, read, NULL);
            program_free(read);
            compared++;
        }
        program_free(written);
    }
    assert_true(compared >= 5);
}

/* A window's lock, a put under it, and its end, by rank 0. */
static void put_locked(struct program_builder *b, const uint32_t *regions, uint32_t communicator,
                       int32_t window, program_lock lock, uint64_t request) {
    struct status status = STATUS_INIT;
    status_code code = STATUS_OK;
#define DO(expression) (code = code != STATUS_OK ? code : (expression))
#define LOCK(kind, peer)                                                                           \
    DO(builder_send(b, 0, communicator, peer, PROGRAM_TAG_LOCK + 6 * window + (int32_t)(kind), 0,  \
                    OPERATION_FLAG_RMA_WRITE, BUILDER_NO_REQUEST, &status))
    DO(builder_call(b, 0, regions[0], 1, 0, &status));
    if (lock == PROGRAM_LOCK_EXCLUSIVE) {
        LOCK(PROGRAM_LOCK_ONE, 0);
        DO(builder_wait_call(b, 0, &status));
    }
    LOCK(lock, lock == PROGRAM_LOCK_ALL ? 0 : 1);
    DO(builder_wait_call(b, 0, &status));
    DO(builder_return(b, 0, 1, false, &status));
    DO(builder_call(b, 0, regions[1], 1, 2, &status));
    DO(builder_send(b, 0, communicator, 1, PROGRAM_TAG_RMA, 100, OPERATION_FLAG_RMA_WRITE, request,
                    &status));
    DO(builder_return(b, 0, 3, false, &status));
    DO(builder_call(b, 0, regions[2], 1, 4, &status));
    DO(builder_wait(b, 0, &request, 1, &status));
    if (lock != PROGRAM_LOCK_ALL) LOCK(PROGRAM_LOCK_RELEASE, 1);
    if (lock != PROGRAM_LOCK_SHARED) LOCK(PROGRAM_LOCK_RELEASE_ALL, 0);
    DO(builder_wait_call(b, 0, &status));
    DO(builder_return(b, 0, 5, false, &status));
#undef LOCK
    if (code != STATUS_OK) fail_msg("%s", status.text);
}

/* MPI_Win_post of rank 0 to all others, for which they wait in MPI_Win_start. */
static void expose(struct program_builder *b, const uint32_t *regions, uint32_t communicator,
                   uint32_t rank_count) {
    struct status status = STATUS_INIT;
    status_code code = STATUS_OK;
    for (uint32_t rank = 0; rank < rank_count; rank++) {
        DO(builder_call(b, rank, regions[rank == 0 ? 3 : 4], 1, 6, &status));
        for (uint32_t other = rank_count; rank == 0 && --other > 0;)
            DO(builder_send(b, 0, communicator, other, PROGRAM_TAG_POST, 0, 0, BUILDER_NO_REQUEST,
                            &status));
        if (rank > 0)
            DO(builder_receive(b, rank, communicator, 0, PROGRAM_TAG_POST, 0, 0, BUILDER_NO_REQUEST,
                               &status));
        DO(builder_wait_call(b, rank, &status));
        DO(builder_return(b, rank, 7, false, &status));
    }
#undef DO
    if (code != STATUS_OK) fail_msg("%s", status.text);
}

/* Locks of several windows stay apart, and are of their communicators. */
static void windows_come_back(void **state) {
    (void)state;
    static const char *const names[] = {"MPI_Win_lock", "MPI_Put", "MPI_Win_unlock", "MPI_Win_post",
                                        "MPI_Win_start"};
    static const uint32_t members[] = {0, 1, 2, 3};
    struct status status = STATUS_INIT;
    struct program_builder *b = builder_new(4, &status);
    assert_non_null(b);
    uint32_t regions[5], world, pair, reversed;
    for (size_t i = 0; i < 5; i++)
        regions[i] = builder_define_region(b, names[i], true);
    assert_int_equal(builder_define_communicator(b, "MPI_COMM_WORLD", members, 4, &world, &status),
                     0);
    assert_int_equal(builder_define_communicator(b, "pair", members, 2, &pair, &status), 0);
    assert_int_equal(
        builder_define_communicator(b, "reversed", (uint32_t[]){3, 2, 1, 0}, 4, &reversed, &status),
        0);
    put_locked(b, regions, pair, 9, PROGRAM_LOCK_EXCLUSIVE, 1);
    put_locked(b, regions, world, 4, PROGRAM_LOCK_SHARED, 2);
    put_locked(b, regions, world, 5, PROGRAM_LOCK_EXCLUSIVE, 3);
    put_locked(b, regions, world, 5, PROGRAM_LOCK_ALL, 4);
    expose(b, regions, reversed, 4);
    struct program *written = NULL;
    if (builder_seal(b, 1, &written, &status) != STATUS_OK) fail_msg("%s", status.text);
    builder_free(b);
    struct program *read = through_archive(written);
    assert_same_operations(written, read, "windows");
    if (have_otf2_print()) assert_int_equal(complaints(), 0);
    /* Window 9 is the third of those locked; reversed has a fourth one. */
    assert_int_equal(read->envelope_count, written->envelope_count);
    for (uint32_t i = 0; i < read->envelope_count; i++) {
        struct program_envelope x = written->envelopes[i], y = read->envelopes[i];
        assert_int_equal(x.communicator, y.communicator);
        if (x.tag >= PROGRAM_TAG_LOCK && x.tag <= PROGRAM_TAG_LAST) {
            int32_t window = (x.tag - PROGRAM_TAG_LOCK) / 6;
            int32_t moved = (window == 9 ? 2 : window - 4) - window;
            assert_int_equal(y.tag, x.tag + 6 * moved);
        } else {
            assert_int_equal(x.tag, y.tag);
        }
    }
    program_free(read);
    program_free(written);
}

static char *long_text(size_t size) {
    char *text = malloc(size + 1);
    assert_non_null(text);
    for (size_t i = 0; i + 1 < size; i += 2)
        memcpy(text + i, "\xc3\xa9", 2);
    text[size] = '\0';
    return text;
}

/* A program with a long name of a region, and of a communicator, which is not used. */
static struct program *named_program(size_t size) {
    char *name = long_text(size);
    struct build_world world = build_world_new(2), *w = &world;
    uint32_t members[] = {1, 0}, communicator;
    const uint32_t region = builder_define_region(w->builder, name, false);
    builder_set_source(w->builder, name, "nobody", 0, 2, 0);
    memcpy(name, "cc", 2);
    BUILD_OK(builder_define_communicator(w->builder, name, members, 2, &communicator, &w->status));
    for (uint32_t rank = 0; rank < 2; rank++) {
        BUILD_OK(builder_enter(w->builder, rank, region, 1, &w->status));
        build_collective(w, rank, PROGRAM_COLLECTIVE_BARRIER, w->communicator, 0, 0,
                         BUILDER_NO_REQUEST);
        BUILD_OK(builder_leave(w->builder, rank, 9, &w->status));
    }
    free(name);
    return build_sealed(w, 1);
}

/* Names are as long as an archive's largest chunks hold, and no longer. */
static void long_names_come_back(void **state) {
    (void)state;
    static const size_t sizes[] = {1000, 262100, 262130, 262144, 400000, 4194304, 16700000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct program *written = named_program(sizes[i]);
        struct program *read = through_archive(written);
        assert_int_equal(read->communicator_count, 2);
        assert_int_equal(strlen(program_text(read, read->communicators[1].name)), sizes[i]);
        assert_same_operations(written, read, "long names");
        if (sizes[i] == 262130 && have_otf2_print()) assert_int_equal(complaints(), 0);
        program_free(read);
        program_free(written);
    }
    struct program *written = named_program(1 << 24);
    struct status status = STATUS_INIT;
    struct traces_times times;
    assert_int_equal(traces_compute_nominal_times(written, &times, &status), STATUS_OK);
    scratch_folder_remove(archive);
    assert_int_equal(traces_write_otf2(written, &times, archive, &status), STATUS_USAGE);
    assert_non_null(strstr(status.text, "16777216 bytes"));
    status_clear(&status);
    traces_times_free(&times);
    program_free(written);
}

/* Archives in a folder: imported, written, imported again. Returns how many. */
static unsigned come_back(const char *folder) {
    DIR *recorded = opendir(folder);
    assert_non_null(recorded);
    bool print = have_otf2_print();
    unsigned compared = 0;
    for (struct dirent *entry; (entry = readdir(recorded)) != NULL;) {
        if (strncmp(entry->d_name, "sp_", 3) != 0) continue;
        if (strcmp(entry->d_name, "sp_threads-nothr_8") == 0) continue; /* damaged */
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        struct program *written = import(path);
        /* Chunks of events follow each other in smaller ones, too. */
        if (written->event_count > 1000000) {
            program_free(written);
            continue;
        }
        struct program *read = through_archive(written);
        assert_same_operations(written, read, entry->d_name);
        /* one in four */
        if (print && written->event_count < 20000 && written->content_hash % 4 == 0)
            assert_int_equal(complaints(), 0);
        program_free(read);
        program_free(written);
        compared++;
    }
    closedir(recorded);
    return compared;
}

static void bundled_archives_come_back(void **state) {
    (void)state;
    assert_true(come_back(ANAX_SOURCE_DIR "/tests/data/otf2") > 10);
}

static void shared_archives_come_back(void **state) {
    (void)state;
    if (access(ANAX_SHARED "/traces/recorded", R_OK) != 0) skip();
    assert_true(come_back(ANAX_SHARED "/traces/recorded") > 20);
}

/* The system tree shows the placement; local definition files are there. */
static void placement_is_in_the_system_tree(void **state) {
    (void)state;
    if (!have_otf2_print()) skip();
    struct traces_pattern_config config = {.rank_count = 4, .iterations = 1, .neighbours = 6};
    struct program *program = NULL;
    struct status status = STATUS_INIT;
    assert_int_equal(traces_generate(&program, "halo2d", &config, NULL), STATUS_OK);
    struct traces_times times;
    assert_int_equal(traces_compute_nominal_times(program, &times, &status), STATUS_OK);
    static const uint32_t nodes[] = {17, 3, 17, 18};
    times.node_of_rank = nodes;
    times.nodes_per_router = 2;
    times.nodes_per_group = 8;
    scratch_folder_remove(archive);
    assert_int_equal(traces_write_otf2(program, &times, archive, &status), STATUS_OK);
    times.node_of_rank = NULL;
    traces_times_free(&times);
    program_free(program);
    char command[256];
    snprintf(command, sizeof command,
             "otf2-print -G %s/traces.otf2 | sed -n -e 's/^SYSTEM_TREE_NODE  *[0-9]* *//p' "
             "-e 's/^LOCATION_GROUP  *[0-9]* *//p'",
             archive);
    FILE *pipe = popen(command, "r");
    char text[4096];
    text[fread(text, 1, sizeof text - 1, pipe)] = '\0';
    pclose(pipe);
    static const char *const expected[] = {
        "Name: \"group 2\"",  "Name: \"router 8\"", "Name: \"node 17\"",
        "Name: \"group 0\"",  "Name: \"router 1\"", "Name: \"node 3\"",
        "Name: \"router 9\"", "Name: \"node 18\"",  "Name: \"MPI Rank 2\" <",
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const char *found = strstr(text, expected[i]);
        if (found == NULL) fail_msg("%s is missing in:\n%s", expected[i], text);
        if (i < 8) assert_null(strstr(found + 1, expected[i])); /* defined once */
    }
    assert_int_equal(complaints(), 0);
}

/* Whose recorded sizes could be either way: 4 blocks of 24576 bytes are 3 of 32768. */
static void calls_in_place_come_back(void **state) {
    (void)state;
    static const struct {
        program_collective_kind kind;
        uint64_t send_bytes, receive_bytes;
        unsigned flags;
    } calls[] = {
        {PROGRAM_COLLECTIVE_ALLREDUCE, 24576, 24576, 0},
        {PROGRAM_COLLECTIVE_ALLREDUCE, 24576, 24576, OPERATION_FLAG_COLLECTIVE_IN_PLACE},
        {PROGRAM_COLLECTIVE_ALLREDUCE, 32768, 32768, OPERATION_FLAG_COLLECTIVE_IN_PLACE},
        {PROGRAM_COLLECTIVE_ALLGATHER, 24, 24, OPERATION_FLAG_COLLECTIVE_IN_PLACE},
        {PROGRAM_COLLECTIVE_ALLTOALL, 24, 24, 0},
        {PROGRAM_COLLECTIVE_ALLGATHERV, 48, 192, OPERATION_FLAG_COLLECTIVE_IN_PLACE},
        {PROGRAM_COLLECTIVE_REDUCE_SCATTER, 192, 48, OPERATION_FLAG_COLLECTIVE_IN_PLACE},
        {PROGRAM_COLLECTIVE_REDUCE_SCATTER, 192, 48, 0},
        {PROGRAM_COLLECTIVE_REDUCE_SCATTER_BLOCK, 12, 12, OPERATION_FLAG_COLLECTIVE_IN_PLACE},
        {PROGRAM_COLLECTIVE_SCAN, 8, 8, OPERATION_FLAG_COLLECTIVE_IN_PLACE},
    };
    static const uint32_t members[] = {0, 1, 2, 3};
    struct status status = STATUS_INIT;
    struct program_builder *b = builder_new(4, &status);
    uint32_t region = builder_define_region(b, "MPI_Call", true), world;
    assert_int_equal(builder_define_communicator(b, "MPI_COMM_WORLD", members, 4, &world, &status),
                     0);
    for (uint32_t rank = 0; rank < 4; rank++) {
        for (size_t i = 0; i < 2 * sizeof calls / sizeof calls[0]; i++) {
            size_t c = i / 2;
            struct program_collective_arguments arguments = {.kind = calls[c].kind,
                                                             .communicator = world,
                                                             .send_bytes = calls[c].send_bytes,
                                                             .receive_bytes =
                                                                 calls[c].receive_bytes};
            uint64_t request = i % 2 == 0 ? BUILDER_NO_REQUEST : i; /* blocking, and not */
            status_code code = builder_call(b, rank, region, i, 0, &status);
            if (code == STATUS_OK)
                code = builder_collective(b, rank, &arguments, calls[c].flags, request, &status);
            if (code == STATUS_OK && i % 2 != 0) code = builder_wait(b, rank, &request, 1, &status);
            if (code == STATUS_OK) code = builder_return(b, rank, 1, false, &status);
            if (code != STATUS_OK) fail_msg("%s", status.text);
        }
    }
    struct program *written = NULL;
    if (builder_seal(b, 1, &written, &status) != STATUS_OK) fail_msg("%s", status.text);
    builder_free(b);
    struct program *read = through_archive(written);
    assert_same_operations(written, read, "calls in place");
    assert_int_equal(read->note_count, 0);
    if (have_otf2_print()) assert_int_equal(complaints(), 0);
    program_free(read);
    program_free(written);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_come_back),
        cmocka_unit_test(random_programs_come_back),
        cmocka_unit_test(bundled_archives_come_back),
        cmocka_unit_test(shared_archives_come_back),
        cmocka_unit_test(windows_come_back),
        cmocka_unit_test(long_names_come_back),
        cmocka_unit_test(calls_in_place_come_back),
        cmocka_unit_test(placement_is_in_the_system_tree),
    };
    return cmocka_run_group_tests(tests, set_up, scratch_folder_tear_down);
}
