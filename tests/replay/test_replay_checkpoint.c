/*
 * A replay that is stopped with a checkpoint every few windows, and goes on from it in a new engine
 * on a new network, gives the result of one that was not stopped: for random programs with messages
 * of all kinds and collectives, one-sided operations with locks, all protocols, noise, background
 * traffic and time stamps.
 */
#include "tests/support/core/checkpoint_world.h"
#include "tests/support/core/process_mesh.h"
#include "tests/support/network/network_world.h"
#include "tests/support/replay/random_replay.h"
#include "tests/support/traces/goal_maker.h"

#include "core/base/digest.h"
#include "network/traffic/background.h"
#include "replay/hosts/protocol.h"
#include "replay/hosts/storage_nodes.h"

/* A run that ends in fewer lives has hardly been stopped: its machine or `every` is to be changed.
 */
enum { MIN_LIVES = 3 };

/* What is compared, in sums of all bytes, and by name what tells whether a test had what it tests.
 */
struct outcome {
    uint64_t digest;
    uint64_t totals; /* of the network */
    uint64_t ranks;
    uint64_t calls;
    uint64_t timeline;
    uint64_t time_stamps; /* their number */
    uint64_t events;
    uint64_t windows;
    uint64_t messages; /* through the network */
    uint64_t rendezvous_messages;
    uint64_t collective_messages;
    uint64_t rma_operations;
    uint64_t wait_storage_ps;
};

static void expect_equal(const struct outcome *whole, const struct outcome *other, const char *what,
                         unsigned lives) {
#define EQUAL(member)                                                                              \
    if (whole->member != other->member)                                                            \
    fail_msg("%s, after %u lives: " #member " is 0x%llx, and 0x%llx in the run that was not "      \
             "stopped",                                                                            \
             what, lives, (unsigned long long)other->member, (unsigned long long)whole->member)
    EQUAL(time_stamps);
    EQUAL(messages);
    EQUAL(rendezvous_messages);
    EQUAL(collective_messages);
    EQUAL(rma_operations);
    EQUAL(wait_storage_ps);
    EQUAL(events);
    EQUAL(windows);
    EQUAL(ranks);
    EQUAL(calls);
    EQUAL(timeline);
    EQUAL(totals);
    EQUAL(digest);
#undef EQUAL
}

static uint64_t mix(uint64_t running, const void *data, size_t bytes) {
    for (const unsigned char *byte = data; bytes > 0; bytes--, byte++)
        running = digest_mix(running, *byte);
    return running;
}

static struct outcome outcome_of(const struct replay_result *result,
                                 const struct network *network) {
    struct network_totals totals;
    network_fill_totals(network, &totals);
    totals.threads = 1;
    struct outcome outcome = {.digest = result->digest,
                              .totals = mix(0, &totals, sizeof totals),
                              .events = totals.events,
                              .windows = totals.windows,
                              .messages = totals.messages,
                              .rendezvous_messages = result->rendezvous_messages,
                              .collective_messages = result->collective_messages,
                              .rma_operations = result->rma_operations};
    outcome.ranks = mix(0, result->ranks, result->rank_count * sizeof *result->ranks);
    for (uint32_t i = 0; i < result->rank_count; i++)
        outcome.wait_storage_ps += (uint64_t)result->ranks[i].wait_storage_ps;
    for (uint32_t i = 0; i < result->mpi_function_count; i++) {
        const struct replay_mpi_function_result *call = &result->mpi_functions[i];
        outcome.calls = mix(outcome.calls, call->name, strlen(call->name));
        outcome.calls = mix(outcome.calls, &call->count, sizeof call->count);
        outcome.calls = mix(outcome.calls, &call->time_ps, sizeof call->time_ps);
        outcome.calls = mix(outcome.calls, &call->wait_ps, sizeof call->wait_ps);
    }
    const struct replay_timeline *timeline = result->timeline;
    if (timeline != NULL) {
        outcome.time_stamps = timeline->first[timeline->rank_count];
        outcome.timeline =
            mix(0, timeline->times_ps, outcome.time_stamps * sizeof *timeline->times_ps);
    }
    return outcome;
}

/* What is replayed. */
struct piece_of_work {
    struct world *w;
    const struct program *program;
    int64_t background; /* load in millionths */
    struct checkpoint_world *world;
    struct processes *processes;
    struct outcome outcome;
};

static status_code replay_once(struct piece_of_work *work, struct status *status) {
    struct world *w = work->w;
    struct placement *placement = NULL;
    struct network *network = NULL;
    struct replay_result *result = NULL;
    struct background *background = NULL;
    const struct traffic_config traffic = {
        .pattern = (char *)(uintptr_t) "uniform", .message_bytes = 512, .burst_messages = 1};
    const uint32_t nodes = (uint32_t)network_config_nodes(&w->network_config);
    const struct placement_machine machine = {.node_count = nodes,
                                              .nodes_per_router = 1,
                                              .nodes_per_group =
                                                  nodes / (uint32_t)w->network_config.groups};
    struct placement_config config = {.ranks_per_node = 2, .stride = 1};
    const struct placement_request request = {
        .config = &config, .machine = &machine, .rank_count = work->program->rank_count};
    struct replay_options options = w->options;
    options.checkpoint = work->world != NULL ? work->world->checkpoint : NULL;
    options.processes = work->processes;
    bool used[128] = {false};
    for (uint32_t node = 0; node < work->program->rank_count; node++)
        used[node] = true;
    status_code code = placement_new(&placement, &request, status);
    if (code == STATUS_OK && work->background > 0)
        code = background_new(&background, &w->network_config, &traffic, work->background, used, 3,
                              REPLAY_COMPANION, 1, status);
    struct replay_companion companion = {background, background_start, background_handle_timer,
                                         background_abandon, background_save_or_restore};
    if (background != NULL) options.companion = &companion;
    if (code == STATUS_OK)
        code = replay_run(&result, &network, work->program, placement, &w->config,
                          &w->network_config, 9, &options, status);
    if (code == STATUS_OK && processes_number(work->processes) == 0)
        work->outcome = outcome_of(result, network);
    replay_result_free(result);
    network_free(network);
    background_free(background);
    placement_free(placement);
    return code;
}

/* Checks a replay that is stopped after every `every` windows, on one to three threads. */
static void check_with(struct piece_of_work *work, unsigned every, const char *what) {
    struct status status = STATUS_INIT;
    struct checkpoint_world world;
    work->world = NULL;
    if (replay_once(work, &status) != STATUS_OK) fail_msg("%s: %s", what, status.text);
    const struct outcome whole = work->outcome;
    checkpoint_world_new(&world, every);
    work->world = &world;
    for (bool is_stopped = true; is_stopped;) {
        checkpoint_world_begin(&world);
        work->w->options.threads = 1 + world.lives % 3;
        is_stopped = checkpoint_world_end(&world, replay_once(work, &status), &status);
    }
    checkpoint_world_free(&world);
    expect_equal(&whole, &work->outcome, what, world.lives);
    assert_true(world.lives > MIN_LIVES);
}

/* 20 nodes in 5 groups, so that 12 ranks are in two groups. */
static void choose_machine(struct world *w) {
    w->packet_level = true;
    w->network_config.nodes_per_router = 2;
    w->network_config.routers_per_group = 2;
    w->network_config.globals_per_router = 2;
    w->network_config.groups = 5;
    w->network_config.channels[NETWORK_GLOBAL].latency_ps =
        5000000; /* longer windows, fewer of them */
}

static void random_programs_go_on_from_checkpoints(void **state) {
    (void)state;
    uint64_t rendezvous_messages = 0, collective_messages = 0;
    for (uint32_t seed = 1; seed <= 8; seed++) {
        struct world w;
        random_replay(&w, seed);
        world_seal(&w);
        choose_machine(&w);
        w.options.timeline = seed == 1;
        w.config.progress = seed % 2 ? REPLAY_PROGRESS_SOFTWARE : REPLAY_PROGRESS_HARDWARE;
        w.config.rendezvous = seed == 3 ? REPLAY_RENDEZVOUS_GET : REPLAY_RENDEZVOUS_PUT;
        struct piece_of_work work = {.w = &w, .program = w.program};
        check_with(&work, 1 + seed % 2, "random messages");
        assert_int_equal(work.outcome.time_stamps > 0, seed == 1);
        rendezvous_messages += work.outcome.rendezvous_messages;
        collective_messages += work.outcome.collective_messages;
        world_free(&w);
    }
    assert_true(rendezvous_messages > 0);
    assert_true(collective_messages > 0);
}

static void post_rma(struct world *w, const char *call, uint32_t rank, uint32_t target, int32_t tag,
                     uint64_t bytes) {
    const uint32_t region = builder_define_region(w->builder, call, true);
    builder_call(w->builder, rank, region, w->next_call++, 0, &w->status);
    builder_send(w->builder, rank, w->everyone, target, tag, bytes, OPERATION_FLAG_RMA_WRITE,
                 BUILDER_NO_REQUEST, &w->status);
    builder_wait_call(w->builder, rank, &w->status);
    assert_int_equal(builder_return(w->builder, rank, 0, false, &w->status), STATUS_OK);
}

/* Ranks lock windows of each other, so that some wait in line, and write to them. */
static void windows_and_locks_go_on_from_checkpoints(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 12);
    for (uint32_t round = 0; round < 4; round++) {
        for (uint32_t rank = 0; rank < 12; rank++) {
            const uint32_t target = (rank + round) % 3;
            const int kind = rank % 2 ? PROGRAM_LOCK_EXCLUSIVE : PROGRAM_LOCK_SHARED;
            post_rma(&w, "MPI_Win_lock", rank, target, PROGRAM_TAG_LOCK + kind, 0);
            world_compute(&w, rank, 3000000 + 1000 * rank);
            post_rma(&w, "MPI_Put", rank, target, PROGRAM_TAG_RMA, 5000 * rank);
            post_rma(&w, "MPI_Win_unlock", rank, target, PROGRAM_TAG_LOCK + PROGRAM_LOCK_RELEASE,
                     0);
        }
    }
    world_seal(&w);
    choose_machine(&w);
    struct piece_of_work work = {.w = &w, .program = w.program};
    check_with(&work, 1, "windows and locks");
    /* a lock, a put and the release in 4 rounds by 12 ranks */
    assert_int_equal(work.outcome.rma_operations, 3 * 4 * 12);
    world_free(&w);
}

/* Ranks write to a file and read it, so that I/O nodes have queues. */
static void accesses_to_files_go_on_from_checkpoints(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 12);
    const uint32_t file = builder_define_file(w.builder, "out"),
                   region = builder_define_region(w.builder, "MPI_File_write_at", true);
    for (uint32_t round = 0; round < 4; round++) {
        for (uint32_t rank = 0; rank < 12; rank++) {
            builder_call(w.builder, rank, region, w.next_call++, 0, &w.status);
            builder_access_file(w.builder, rank, file, UINT64_C(300000) * rank, 300000,
                                round % 2 ? 0 : OPERATION_FLAG_FILE_WRITE, BUILDER_NO_REQUEST,
                                &w.status);
            builder_wait_call(w.builder, rank, &w.status);
            builder_return(w.builder, rank, 0, false, &w.status);
            world_compute(&w, rank, 3000000 + 1000 * rank);
        }
    }
    w.config.storage.nodes = 3;
    w.config.storage.place = STORAGE_PLACE_LAST;
    w.config.storage.stripe_bytes = 65536;
    w.config.storage.stripe_count = 0;
    world_seal(&w);
    choose_machine(&w);
    struct piece_of_work work = {.w = &w, .program = w.program};
    check_with(&work, 4, "files");
    assert_true(work.outcome.wait_storage_ps > 0);
    world_free(&w);
}

/* Adds a rank with two CPUs: one computes and sends to the next rank, the other one receives. Each
 * computation needs what has arrived before. */
static void add_graph(FILE *schedule, int rank, int ranks) {
    fprintf(schedule, "rank %d {\n", rank);
    for (int i = 0; i < 6; i++) {
        fprintf(schedule, "c%d: calc %d cpu 0\n", i, 9000 + 1000 * rank);
        fprintf(schedule, "x%d: calc %d cpu 1\n", i, 20000 + i); /* ready from the beginning */
        fprintf(schedule, "s%d: send %db to %d tag %d cpu 0\n", i, 400 << i, (rank + 1) % ranks, i);
        fprintf(schedule, "r%d: recv %db from %d tag %d cpu 1\n", i, 400 << i,
                (rank + ranks - 1) % ranks, i);
        fprintf(schedule, "s%d requires c%d\n", i, i);
        if (i > 0) fprintf(schedule, "c%d requires r%d\nc%d requires s%d\n", i, i - 1, i, i - 1);
    }
    fprintf(schedule, "}\n");
}

static void graphs_go_on_from_checkpoints(void **state) {
    (void)state;
    enum { RANKS = 12 }; /* in two groups */
    char *text = NULL;
    size_t length = 0;
    FILE *schedule = open_memstream(&text, &length);
    fprintf(schedule, "num_ranks %d\n", RANKS);
    for (int rank = 0; rank < RANKS; rank++)
        add_graph(schedule, rank, RANKS);
    fclose(schedule);
    struct world w;
    world_new(&w, RANKS);
    choose_machine(&w);
    struct program *program = goal_maker_program(text);
    struct piece_of_work work = {.w = &w, .program = program};
    check_with(&work, 1, "graphs");
    /* The next rank is on another node for every second rank: 6 of 12 ranks send 6 messages each.
     * The longest ones also have a request and its answer. */
    assert_true(work.outcome.messages > 6 * 6);
    program_free(program);
    free(text);
    world_free(&w);
}

/* Collectives that a test has found complete, whose reductions end after all else. */
static void collectives_that_end_late_go_on_from_checkpoints(void **state) {
    (void)state;
    const uint64_t id = 1;
    struct world w;
    world_new(&w, 12);
    for (uint32_t rank = 0; rank < 12; rank++) {
        world_collective(&w, rank, PROGRAM_COLLECTIVE_REDUCE, w.everyone, 0, 1024, 1024, 0, id);
        world_compute(&w, rank, 20000000000);
        world_test(&w, rank, &id, 1);
        world_compute(&w, rank, 10000000 + 5000000 * rank);
    }
    w.config.reduction_per_kib_ps = 9000000000;
    world_seal(&w);
    choose_machine(&w);
    struct piece_of_work work = {.w = &w, .program = w.program};
    check_with(&work, 1, "collectives that end late");
    assert_true(work.outcome.collective_messages > 0);
    world_free(&w);
}

static void background_traffic_goes_on_from_checkpoints(void **state) {
    (void)state;
    struct world w;
    random_replay(&w, 4);
    world_seal(&w);
    choose_machine(&w);
    struct piece_of_work work = {.w = &w, .program = w.program, .background = 200000};
    check_with(&work, 1, "background traffic");
    const uint64_t messages = work.outcome.messages;
    work.background = 0;
    work.world = NULL;
    struct status status = STATUS_INIT;
    if (replay_once(&work, &status) != STATUS_OK) fail_msg("%s", status.text);
    assert_true(messages > 2 * work.outcome.messages); /* at least half are of the background */
    world_free(&w);
}

/* Several processes go on from what another number of them has written. */
struct on_processes {
    struct piece_of_work *work;
    struct checkpoint_world *world;
    bool is_stopped;
};

static status_code one_of_several(void *context, struct processes *processes,
                                  struct status *status) {
    struct on_processes *on = context;
    struct status own = STATUS_INIT;
    on->world->processes = on->work->processes = processes;
    checkpoint_world_begin(on->world);
    on->is_stopped = checkpoint_world_end(on->world, replay_once(on->work, &own), &own);
    on->world->processes = on->work->processes = NULL;
    (void)status;
    return STATUS_OK;
}

static void any_number_of_processes_goes_on_from_checkpoints(void **state) {
    (void)state;
    struct world w;
    random_replay(&w, 5);
    world_seal(&w);
    choose_machine(&w);
    struct piece_of_work work = {.w = &w, .program = w.program, .background = 100000};
    struct status status = STATUS_INIT;
    if (replay_once(&work, &status) != STATUS_OK) fail_msg("%s", status.text);
    const struct outcome whole = work.outcome;
    struct checkpoint_world world;
    checkpoint_world_new(&world, 6);
    work.world = &world;
    struct on_processes on = {.work = &work, .world = &world, .is_stopped = true};
    /* Three processes send to each other after a reduction. */
    assert_int_equal(setenv("ANAX_TEST_DIRECT_PROCESSES", "2", 1), 0);
    for (unsigned life = 0; on.is_stopped; life++) {
        static const unsigned counts[] = {2, 1, 3};
        assert_int_equal(process_mesh_run(counts[life % 3], one_of_several, &on), STATUS_OK);
    }
    assert_int_equal(unsetenv("ANAX_TEST_DIRECT_PROCESSES"), 0);
    assert_true(world.lives > MIN_LIVES);
    checkpoint_world_free(&world);
    expect_equal(&whole, &work.outcome, "processes", world.lives);
    world_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_programs_go_on_from_checkpoints),
        cmocka_unit_test(windows_and_locks_go_on_from_checkpoints),
        cmocka_unit_test(accesses_to_files_go_on_from_checkpoints),
        cmocka_unit_test(graphs_go_on_from_checkpoints),
        cmocka_unit_test(collectives_that_end_late_go_on_from_checkpoints),
        cmocka_unit_test(background_traffic_goes_on_from_checkpoints),
        cmocka_unit_test(any_number_of_processes_goes_on_from_checkpoints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
