/*
 * The smallest eager threshold that lets a program finish, held against trying all of them: random
 * programs whose ranks send, receive and enter collectives in orders that may block them, alone and
 * as jobs beside each other.
 */
#include "tests/support/core/dice.h"
#include "tests/support/replay/replay_world.h"

#include "traces/program/edit/program_join.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { RANKS = 5, STEPS = 40, NEVER = -1 };

static const uint64_t sizes[] = {0, 1, 8, 500, 1024, 1025, 5000, 70000};
#define SIZES (sizeof sizes / sizeof *sizes)

/* TSEND: a test finds it complete at once. */
typedef enum step_kind { SEND, ISEND, TSEND, RECEIVE, IRECEIVE, TOGETHER, ITOGETHER } step_kind;

struct step {
    step_kind kind;
    uint32_t peer; /* or the collective's kind */
    uint64_t bytes;
    unsigned flags;
};

/* Steps that may change places without changing which send meets which receive. */
static bool may_swap(const struct step *a, const struct step *b) {
    if (a->kind >= TOGETHER || b->kind >= TOGETHER) return a->kind < TOGETHER || b->kind < TOGETHER;
    bool both_send = a->kind <= TSEND && b->kind <= TSEND;
    bool both_receive = a->kind >= RECEIVE && b->kind >= RECEIVE;
    return !((both_send || both_receive) && a->peer == b->peer);
}

static void carry_out(struct world *w, uint32_t rank, const struct step *steps, uint32_t count) {
    uint64_t waited[STEPS + 1];
    uint32_t waits = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct step *step = &steps[i];
        bool later = step->kind == ISEND || step->kind == IRECEIVE || step->kind == ITOGETHER;
        if (step->kind == SEND) world_send(w, rank, step->peer, step->bytes, step->flags);
        if (step->kind == ISEND || step->kind == TSEND)
            world_isend(w, rank, step->peer, step->bytes, i);
        const uint64_t request = i;
        if (step->kind == TSEND) world_test(w, rank, &request, 1);
        if (step->kind == RECEIVE) world_receive(w, rank, step->peer, step->bytes);
        if (step->kind == IRECEIVE) world_irecv(w, rank, step->peer, step->bytes, i);
        if (step->kind >= TOGETHER)
            world_collective(w, rank, step->peer, w->everyone, PROGRAM_NONE, step->bytes,
                             step->bytes, 0, later ? i : BUILDER_NO_REQUEST);
        if (later) waited[waits++] = i;
        if (waits > 0 && !later) {
            world_wait(w, rank, waited, waits);
            waits = 0;
        }
    }
    if (waits > 0) world_wait(w, rank, waited, waits);
}

static void random_program_that_may_block(struct world *w, uint32_t seed) {
    static const uint32_t kinds[] = {PROGRAM_COLLECTIVE_BARRIER, PROGRAM_COLLECTIVE_ALLREDUCE,
                                     PROGRAM_COLLECTIVE_ALLGATHER};
    struct dice dice = {seed, 2, 0};
    struct step steps[RANKS][STEPS];
    uint32_t counts[RANKS] = {0};
    world_new(w, RANKS);
    for (uint32_t i = 0; i < STEPS; i++) {
        uint64_t bytes = sizes[dice_below(&dice, SIZES)];
        if (dice_below(&dice, 10) == 0) {
            uint32_t kind = kinds[dice_below(&dice, 3)];
            step_kind how = dice_below(&dice, 2) == 0 ? TOGETHER : ITOGETHER;
            for (uint32_t rank = 0; rank < RANKS; rank++)
                steps[rank][counts[rank]++] =
                    (struct step){how, kind, kind == PROGRAM_COLLECTIVE_BARRIER ? 0 : bytes, 0};
            continue;
        }
        uint32_t from = dice_below(&dice, RANKS),
                 to = (from + 1 + dice_below(&dice, RANKS - 1)) % RANKS;
        step_kind send = dice_below(&dice, 3) == 0   ? ISEND
                         : dice_below(&dice, 5) == 0 ? TSEND
                                                     : SEND;
        unsigned flags =
            send == SEND && dice_below(&dice, 100) == 0 ? OPERATION_FLAG_SEND_SYNCHRONOUS : 0;
        steps[from][counts[from]++] = (struct step){send, to, bytes, flags};
        steps[to][counts[to]++] =
            (struct step){dice_below(&dice, 8) == 0 ? IRECEIVE : RECEIVE, from, bytes, 0};
    }
    /* In the order in which they were made all go through; now some are moved. A send that comes
     * earlier only needs a buffer, anything else may block for good. */
    for (uint32_t moved = dice_below(&dice, 40); moved > 0; moved--) {
        uint32_t rank = dice_below(&dice, RANKS);
        if (counts[rank] < 2) continue;
        struct step *pair = &steps[rank][dice_below(&dice, counts[rank] - 1)], first = pair[0];
        if (!may_swap(&pair[0], &pair[1])) continue;
        if (pair[1].kind > TSEND && dice_below(&dice, 40) > 0) continue;
        pair[0] = pair[1];
        pair[1] = first;
    }
    for (uint32_t rank = 0; rank < RANKS; rank++)
        carry_out(w, rank, steps[rank], counts[rank]);
    w->config.rendezvous = seed % 2 == 0 ? REPLAY_RENDEZVOUS_PUT : REPLAY_RENDEZVOUS_GET;
    w->config.progress = seed % 4 < 2 ? REPLAY_PROGRESS_HARDWARE : REPLAY_PROGRESS_SOFTWARE;
}

static bool finishes(struct world *w, int64_t threshold_bytes) {
    w->config.eager_threshold_bytes = threshold_bytes;
    status_code code = world_run(w);
    assert_true(code == STATUS_OK || code == STATUS_RUN);
    return code == STATUS_OK;
}

/* The smallest of all sizes with which the program finishes, as it must with all larger ones. */
static int64_t smallest_by_trying(struct world *w) {
    int64_t smallest = NEVER;
    for (size_t i = 0; i < SIZES; i++) {
        bool finished = finishes(w, (int64_t)sizes[i]);
        assert_true(finished || smallest == NEVER);
        if (finished && smallest == NEVER) smallest = (int64_t)sizes[i];
    }
    return smallest;
}

static void auto_is_the_smallest(struct world *w, int64_t smallest) {
    bool finished = finishes(w, REPLAY_EAGER_AUTO);
    assert_int_equal(finished, smallest != NEVER);
    if (finished) assert_int_equal(w->result->eager_threshold_bytes, smallest);
    if (smallest > 0) assert_false(finishes(w, smallest - 1));
}

/* What the report of a stall advises is the same, wherever the replay stalled. */
static void the_report_names_it(struct world *w, int64_t smallest) {
    char advice[80] = "no eager threshold frees them";
    if (smallest != NEVER)
        snprintf(advice, sizeof advice, "(mpi.eager_threshold=%lldB)", (long long)smallest);
    for (size_t i = 0; i < SIZES; i++) {
        if (finishes(w, (int64_t)sizes[i])) return;
        if (strstr(w->status.text, advice) == NULL)
            fail_msg("`%s` is not in:\n%s", advice, w->status.text);
    }
}

static void the_threshold_is_what_trying_all_finds(void **state) {
    (void)state;
    uint32_t found[SIZES + 1] = {0};
    for (uint32_t seed = 1; seed <= 200; seed++) {
        struct world w;
        random_program_that_may_block(&w, seed);
        int64_t smallest = smallest_by_trying(&w);
        auto_is_the_smallest(&w, smallest);
        the_report_names_it(&w, smallest);
        for (size_t i = 0; i < SIZES; i++)
            found[i] += smallest == (int64_t)sizes[i];
        found[SIZES] += smallest == NEVER;
        world_free(&w);
    }
    for (size_t i = 0; i <= SIZES; i++) /* nothing is tested if all of them go through */
        assert_true(found[i] > 0);
}

/* Of several jobs the one that needs most decides. */
static void jobs_need_the_largest_of_theirs(void **state) {
    (void)state;
    for (uint32_t seed = 300; seed < 330; seed++) {
        struct world parts[2];
        const struct program *programs[2];
        int64_t needed = 0;
        for (uint32_t i = 0; i < 2; i++) {
            random_program_that_may_block(&parts[i], 2 * seed + i);
            int64_t smallest = smallest_by_trying(&parts[i]);
            if (smallest == NEVER || needed == NEVER)
                needed = NEVER;
            else if (smallest > needed)
                needed = smallest;
            programs[i] = parts[i].program;
        }
        struct world both;
        world_new(&both, 2 * RANKS);
        assert_int_equal(program_join(&both.program, programs, 2, &both.status), STATUS_OK);
        auto_is_the_smallest(&both, needed);
        for (uint32_t i = 0; i < 2; i++)
            world_free(&parts[i]);
        world_free(&both);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_threshold_is_what_trying_all_finds),
        cmocka_unit_test(jobs_need_the_largest_of_theirs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
