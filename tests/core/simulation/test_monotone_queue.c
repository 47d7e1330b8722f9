/*
 * The monotone queue against a plain list, from which the item with the lowest key is searched each
 * time, and of several with that key the one that came first. Random workloads have keys near, far
 * and equal to the key taken last.
 */
#include "core/simulation/monotone_queue.h"

#include "core/simulation/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define ITEMS 200u

struct model {
    struct monotone_queue queue;
    uint64_t keys[ITEMS];
    uint64_t came[ITEMS]; /* from 1; 0: the item is not in the queue */
    uint64_t put;
    uint64_t draws;
};

static uint32_t draw(struct model *model, uint32_t bound) {
    return random_below(random_draw(7, RANDOM_NOISE, 0, model->draws++).word[0], bound);
}

static void put_one(struct model *model) {
    uint32_t item = draw(model, ITEMS);
    if (model->came[item] != 0) return;
    uint64_t ahead = draw(model, 3) == 0 ? 0 : (uint64_t)draw(model, 1000) << draw(model, 32);
    model->keys[item] = model->queue.key + ahead;
    model->came[item] = ++model->put;
    assert_true(monotone_queue_put(&model->queue, model->keys[item], item));
}

/* Returns the item that must come next; MONOTONE_NONE: there is none. */
static uint32_t expected(const struct model *model) {
    uint32_t best = MONOTONE_NONE;
    for (uint32_t item = 0; item < ITEMS; item++) {
        if (model->came[item] == 0) continue;
        if (best == MONOTONE_NONE || model->keys[item] < model->keys[best] ||
            (model->keys[item] == model->keys[best] && model->came[item] < model->came[best]))
            best = item;
    }
    return best;
}

static void take_one(struct model *model) {
    uint32_t item = expected(model);
    bool is_due = item != MONOTONE_NONE && model->keys[item] == model->queue.key;
    assert_int_equal(monotone_queue_is_due(&model->queue), is_due);
    assert_int_equal(monotone_queue_take(&model->queue), item);
    if (item == MONOTONE_NONE) return;
    assert_true(model->queue.key == model->keys[item]);
    model->came[item] = 0;
}

static void random_workloads_come_in_order_of_keys(void **state) {
    (void)state;
    struct model model = {0};
    monotone_queue_new(&model.queue);
    for (unsigned round = 0; round < 200; round++) {
        for (uint32_t puts = draw(&model, 60); puts > 0; puts--)
            put_one(&model);
        for (uint32_t takes = draw(&model, 60); takes > 0; takes--)
            take_one(&model);
    }
    while (expected(&model) != MONOTONE_NONE)
        take_one(&model);
    take_one(&model);
    assert_true(model.put > 1000);
    monotone_queue_free(&model.queue);
}

/* Keys that differ in the highest digits only, and the largest one. */
static void keys_far_apart_come_in_order(void **state) {
    (void)state;
    struct monotone_queue queue;
    monotone_queue_new(&queue);
    const uint64_t keys[] = {UINT64_MAX, UINT64_C(1) << 63, 0, UINT64_MAX, 1};
    const uint32_t order[] = {2, 4, 1, 0, 3};
    for (uint32_t item = 0; item < 5; item++)
        assert_true(monotone_queue_put(&queue, keys[item], item));
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(monotone_queue_take(&queue), order[i]);
    assert_int_equal(monotone_queue_take(&queue), MONOTONE_NONE);
    monotone_queue_free(&queue);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_workloads_come_in_order_of_keys),
        cmocka_unit_test(keys_far_apart_come_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
