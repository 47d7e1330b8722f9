/* Ranks find their places in the program: whichever is done first, and however large they are. */
#include "tests/support/traces/builder_world.h"

/* Rank r sends to the next one; some do it a thousand times as often as others. */
enum { UNEVEN_RANKS = 40 };

static uint32_t uneven_count(uint32_t rank) {
    return rank % 7 == 6 ? 3000 : 1 + rank;
}

/* Each rank has another order of envelopes. */
static int32_t uneven_tag(uint32_t sender, uint32_t i) {
    return (int32_t)((sender + i) % 5);
}

static void append_uneven(struct build_world *w, uint32_t rank) {
    uint32_t to = (rank + 1) % UNEVEN_RANKS, from = (rank + UNEVEN_RANKS - 1) % UNEVEN_RANKS;
    for (uint32_t i = 0; i < uneven_count(rank); i++) {
        build_call(w, rank);
        BUILD_OK(builder_send(w->builder, rank, w->communicator, to, uneven_tag(rank, i), i, 0, i,
                              &w->status));
        build_call_end(w, rank);
        build_call(w, rank);
        BUILD_OK(builder_wait(w->builder, rank, (uint64_t[]){i}, 1, &w->status));
        build_call_end(w, rank);
    }
    for (uint32_t i = 0; i < uneven_count(from); i++) {
        build_call(w, rank);
        BUILD_OK(builder_reserve_receive(w->builder, rank, UINT64_C(1000000) + i, &w->status));
        build_call_end(w, rank);
    }
    for (uint32_t i = uneven_count(from); i-- > 0;) {
        uint64_t request = UINT64_C(1000000) + i;
        if (i == 0 && rank == 3) {
            BUILD_OK(builder_drop_receive(w->builder, rank, request, &w->status));
            continue;
        }
        BUILD_OK(builder_fill_receive(w->builder, rank, request, w->communicator, from,
                                      uneven_tag(from, i), i, &w->status));
        build_call(w, rank);
        BUILD_OK(builder_wait(w->builder, rank, &request, 1, &w->status));
        build_call_end(w, rank);
    }
}

/* A rank that goes on with another one's memory knows nothing of what that has sent. */
static void memory_of_others_is_as_new(void **state) {
    (void)state;
    struct build_world world = build_world_new(3), *w = &world;
    for (uint32_t rank = 0; rank < 3; rank++) {
        for (int32_t tag = rank == 0 ? 0 : 1; tag < 3; tag++) {
            build_call(w, rank);
            BUILD_OK(builder_send(w->builder, rank, w->communicator, 2, tag, 1, 0, (uint64_t)tag,
                                  &w->status));
            build_call_end(w, rank);
        }
        BUILD_OK(builder_end_rank(w->builder, rank, &w->status));
    }
    struct program *program = NULL;
    BUILD_OK(builder_seal(w->builder, 1, &program, &w->status));
    BUILD_OK(program_check(program, &w->status));
    builder_free(w->builder);
    assert_int_equal(program->envelope_count, 3);
    for (uint32_t rank = 0; rank < 3; rank++) {
        int32_t tag = rank == 0 ? 0 : 1;
        for (uint64_t i = 0; i < program->ranks[rank].count; i++) {
            const struct program_operation *operation =
                &program->operations[program->ranks[rank].first + i];
            if (operation->kind != OPERATION_SEND) continue;
            assert_int_equal(program->envelopes[operation->message.envelope].tag, tag++);
        }
        assert_int_equal(tag, 3);
    }
    program_free(program);
}

/* The order in which ranks are done, what was expected of them, and threads make no difference;
 * places are those of ranks in order. */
static void ranks_are_done_in_any_order(void **state) {
    (void)state;
    uint64_t hash = 0;
    for (unsigned order = 0; order < 5; order++) {
        struct build_world world = build_world_new(UNEVEN_RANKS), *w = &world;
        for (uint32_t rank = 0; rank < UNEVEN_RANKS; rank++) /* wrong for most of them */
            if (order > 2)
                builder_set_expected_share(w->builder, rank, order == 3 ? rank % 3 : 1000 * rank);
        for (uint32_t i = 0; i < UNEVEN_RANKS; i++) {
            uint32_t rank = order == 1 ? UNEVEN_RANKS - 1 - i : i * 9 % UNEVEN_RANKS;
            if (order > 2) rank = i;
            append_uneven(w, rank);
            if (order > 0 && i != 17) BUILD_OK(builder_end_rank(w->builder, rank, &w->status));
            if (i == 20) BUILD_OK(builder_end_rank(w->builder, rank, &w->status)); /* twice */
        }
        struct program *program = NULL;
        BUILD_OK(builder_seal(w->builder, 1 + order % 3, &program, &w->status));
        BUILD_OK(program_check(program, &w->status));
        builder_free(w->builder);
        uint64_t first = 0;
        for (uint32_t rank = 0; rank < UNEVEN_RANKS; rank++) {
            assert_int_equal(program->ranks[rank].first, first);
            first += program->ranks[rank].count;
            assert_int_equal(program->ranks[rank].send_count, uneven_count(rank));
        }
        assert_int_equal(program->operation_count, first);
        assert_int_equal(program->unmatched_sends, 1); /* the receive that was dropped */
        if (order > 0) assert_true(program->content_hash == hash);
        hash = program->content_hash;
        program_free(program);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_are_done_in_any_order),
        cmocka_unit_test(memory_of_others_is_as_new),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
