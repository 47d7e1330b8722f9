/* Local search by exchange against all placements of small spaces, with random measures. */
#include "api/search/rank_exchange.h"

#include "core/simulation/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { RANKS = 4, NODES = 4, EACH = 2, SLOTS = NODES * EACH };

/* Bytes between ranks times distances between nodes; and the number of calls. */
struct problem {
    uint32_t bytes[RANKS][RANKS];
    uint32_t distance[NODES][NODES];
    uint64_t calls;
    bool fails;
};

static uint32_t draw(uint64_t seed, uint32_t number, uint32_t below) {
    return random_below(random_draw(seed, RANDOM_PATTERN, 7, number).word[0], below);
}

static void new_problem(struct problem *problem, uint64_t seed) {
    uint32_t number = 0;
    memset(problem, 0, sizeof *problem);
    for (uint32_t i = 0; i < RANKS; i++)
        for (uint32_t k = 0; k < RANKS; k++)
            problem->bytes[i][k] = draw(seed, number++, 5);
    for (uint32_t i = 0; i < NODES; i++)
        for (uint32_t k = 0; k < NODES; k++)
            problem->distance[i][k] = i == k ? 0 : 1 + draw(seed, number++, 9);
}

static struct rank_exchange_value value_of(const struct problem *problem, const uint32_t *nodes) {
    struct rank_exchange_value value = {0, 0};
    for (uint32_t i = 0; i < RANKS; i++) {
        for (uint32_t k = 0; k < RANKS; k++) {
            const wide cost = problem->bytes[i][k] * problem->distance[nodes[i]][nodes[k]];
            if (cost > value.first) value.first = cost;
            value.second += cost;
        }
    }
    return value;
}

static status_code measure(void *context, const uint32_t *nodes, struct rank_exchange_value *value,
                           struct status *status) {
    struct problem *problem = context;
    uint32_t on[NODES] = {0};
    for (uint32_t i = 0; i < RANKS; i++)
        assert_true(++on[nodes[i]] <= EACH);
    problem->calls++;
    RETURN_ERROR_IF(problem->fails && problem->calls == 3, status, STATUS_RUN, "stopped");
    *value = value_of(problem, nodes);
    return STATUS_OK;
}

/* Returns the least value of all placements. */
static struct rank_exchange_value min(const struct problem *problem) {
    struct rank_exchange_value best = {INT64_MAX, 0};
    for (uint32_t code = 0; code < 256; code++) {
        uint32_t nodes[RANKS], on[NODES] = {0};
        bool fits = true;
        for (uint32_t i = 0; i < RANKS; i++) {
            nodes[i] = code >> 2 * i & 3;
            fits = fits && ++on[nodes[i]] <= EACH;
        }
        const struct rank_exchange_value value = value_of(problem, nodes);
        if (fits &&
            (value.first < best.first || (value.first == best.first && value.second < best.second)))
            best = value;
    }
    return best;
}

static const uint32_t slots[SLOTS] = {0, 0, 1, 1, 2, 2, 3, 3};

static void exchange_finds_the_best_placement(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++) {
        struct problem problem;
        struct status status = STATUS_INIT;
        uint32_t nodes[RANKS] = {3, 3, 1, 0}, again[RANKS] = {3, 3, 1, 0};
        new_problem(&problem, seed);
        const struct rank_exchange_task task = {RANKS, SLOTS,   slots,    seed,
                                                400,   measure, &problem, NULL};
        const struct rank_exchange_value start = value_of(&problem, nodes), best = min(&problem);
        struct rank_exchange_found found;
        assert_int_equal(rank_exchange_search(nodes, &found, &task, &status), STATUS_OK);
        const struct rank_exchange_value own = value_of(&problem, nodes);
        assert_true(found.best.first == best.first && found.best.second == best.second);
        assert_true(own.first == best.first && own.second == best.second);
        assert_true(found.start.first == start.first && found.start.second == start.second);
        assert_int_equal(found.measures, problem.calls); /* none is measured twice */
        assert_true(found.measures <= 204);              /* so many placements there are */
        assert_int_equal(rank_exchange_search(again, &found, &task, &status), STATUS_OK);
        assert_memory_equal(again, nodes, sizeof nodes);
    }
}

static void exchange_keeps_its_budget(void **state) {
    (void)state;
    struct problem problem;
    struct status status = STATUS_INIT;
    struct rank_exchange_found found;
    new_problem(&problem, 1);
    for (uint64_t budget = 1; budget < 20; budget++) {
        uint32_t nodes[RANKS] = {0, 1, 2, 3};
        const struct rank_exchange_task task = {RANKS,  SLOTS,   slots,    1,
                                                budget, measure, &problem, NULL};
        problem.calls = 0;
        assert_int_equal(rank_exchange_search(nodes, &found, &task, &status), STATUS_OK);
        assert_int_equal(problem.calls, budget);
        assert_true(found.best.first <= found.start.first);
    }
    problem.calls = 0;
    problem.fails = true;
    uint32_t nodes[RANKS] = {0, 1, 2, 3};
    const struct rank_exchange_task task = {RANKS, SLOTS, slots, 1, 20, measure, &problem, NULL};
    assert_int_equal(rank_exchange_search(nodes, &found, &task, &status), STATUS_RUN);
    status_clear(&status);
    uint32_t crowded[RANKS] = {0, 0, 0, 1};
    problem.fails = false;
    assert_int_equal(rank_exchange_search(crowded, &found, &task, &status), STATUS_USAGE);
    status_clear(&status);
}

/* Of two starts, each is measured once, within the budget, and the better one is exchanged. */
static void exchange_begins_with_the_better_start(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++) {
        static const uint32_t first[RANKS] = {0, 0, 1, 2}, second[RANKS] = {3, 1, 2, 0};
        struct problem problem;
        struct status status = STATUS_INIT;
        struct rank_exchange_found found;
        new_problem(&problem, seed);
        const struct rank_exchange_value one = value_of(&problem, first);
        const struct rank_exchange_value two = value_of(&problem, second);
        const bool is_first =
            one.first != two.first ? one.first < two.first : one.second <= two.second;
        for (uint64_t budget = 1; budget < 6; budget++) {
            const struct rank_exchange_task task = {RANKS,  SLOTS,   slots,    seed,
                                                    budget, measure, &problem, second};
            uint32_t nodes[RANKS];
            memcpy(nodes, first, sizeof nodes);
            problem.calls = 0;
            assert_int_equal(rank_exchange_search(nodes, &found, &task, &status), STATUS_OK);
            assert_int_equal(problem.calls, budget);
            assert_int_equal(found.measures, budget);
            assert_true(found.start.first == one.first && found.start.second == one.second);
            const struct rank_exchange_value own = value_of(&problem, nodes);
            assert_true(own.first == found.best.first && own.second == found.best.second);
            if (budget < 3)
                assert_memory_equal(nodes, budget == 1 || is_first ? first : second, sizeof nodes);
        }
        const struct rank_exchange_task same = {RANKS, SLOTS,   slots,    seed,
                                                1000,  measure, &problem, first};
        uint32_t nodes[RANKS];
        memcpy(nodes, first, sizeof nodes);
        problem.calls = 0;
        assert_int_equal(rank_exchange_search(nodes, &found, &same, &status), STATUS_OK);
        assert_int_equal(problem.calls, found.measures);
        assert_true(found.measures <= 204);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exchange_finds_the_best_placement),
        cmocka_unit_test(exchange_keeps_its_budget),
        cmocka_unit_test(exchange_begins_with_the_better_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
