/* Maps against a list that is searched from end to end, with hashes that collide on purpose. */
#include "core/memory/map.h"

#include "tests/support/core/dice.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct pair {
    uint32_t first, second;
};

struct entry {
    struct pair key;
    uint32_t value; /* 0: the entry is free */
};

static bool same(const struct pair *one, const struct pair *other) {
    return one->first == other->first && one->second == other->second;
}

static bool used(const struct entry *entry) {
    return entry->value != 0;
}

static uint64_t good(const struct pair *key) {
    return map_hash((uint64_t)key->first << 32 | key->second);
}

/* Five homes for all keys, at the end of the table so that probing wraps round. */
static uint64_t poor(const struct pair *key) {
    return UINT64_MAX - ((uint64_t)(key->first % 5) << 60);
}
MAP_DEFINE(good, struct entry, struct pair, good, same, used)
MAP_DEFINE(poor, struct entry, struct pair, poor, same, used)

#define ENTRIES_MAX 400

static struct pair live[ENTRIES_MAX];
static uint32_t values[ENTRIES_MAX], count;

static uint32_t index_of(const struct pair *key) {
    for (uint32_t i = 0; i < count; i++)
        if (same(&live[i], key)) return i;
    return ENTRIES_MAX;
}

/* Keys that differ in one small number only. */
static struct pair random_key(struct dice *dice) {
    return (struct pair){dice_below(dice, 9), dice_below(dice, 90)};
}

#define RUN(NAME, rounds)                                                                          \
    static void like_a_list_##NAME(void **state) {                                                 \
        (void)state;                                                                               \
        struct NAME##_map map = {0};                                                               \
        struct dice dice = {.seed = 5};                                                            \
        count = 0;                                                                                 \
        for (uint32_t round = 1; round <= (rounds); round++) {                                     \
            const uint32_t adding = round / 500 % 2 == 0 ? 70 : 30;                                \
            if (dice_below(&dice, 100) < adding && count < ENTRIES_MAX) {                          \
                struct pair key = random_key(&dice);                                               \
                struct entry *found = NAME##_map_find(&map, &key);                                 \
                assert_int_equal(found != NULL, index_of(&key) < ENTRIES_MAX);                     \
                if (found != NULL) continue;                                                       \
                struct entry *added = NAME##_map_add(&map, &key);                                  \
                assert_int_equal(added->value, 0);                                                 \
                added->value = values[count] = round;                                              \
                live[count++] = key;                                                               \
            } else if (count > 0) {                                                                \
                uint32_t i = dice_below(&dice, count);                                             \
                struct entry *found = NAME##_map_find(&map, &live[i]);                             \
                assert_int_equal(found->value, values[i]);                                         \
                NAME##_map_remove(&map, found);                                                    \
                live[i] = live[--count];                                                           \
                values[i] = values[count];                                                         \
            }                                                                                      \
            assert_int_equal(map.count, count);                                                    \
            assert_true(map.count <= map.capacity / 4 * 3);                                        \
            for (uint32_t i = 0; round % 50 == 0 && i < count; i++)                                \
                assert_int_equal(NAME##_map_find(&map, &live[i])->value, values[i]);               \
        }                                                                                          \
        NAME##_map_empty(&map);                                                                    \
        assert_int_equal(map.count, 0);                                                            \
        for (uint32_t i = 0; i < count; i++)                                                       \
            assert_null(NAME##_map_find(&map, &live[i]));                                          \
        NAME##_map_clear(&map);                                                                    \
        assert_null(map.entries);                                                                  \
    }
RUN(good, 30000)
RUN(poor, 6000)

/* Emptying a map that is much too large frees its memory. Otherwise every later emptying would take
 * as long as for the largest content. */
static void emptying_gives_memory_back(void **state) {
    (void)state;
    struct good_map map = {0};
    for (uint32_t i = 0; i < 5000; i++) {
        struct pair key = {i, i};
        good_map_add(&map, &key)->value = 1;
    }
    good_map_empty(&map);
    assert_true(map.capacity > 5000);
    struct pair key = {1, 2};
    good_map_add(&map, &key)->value = 1;
    good_map_empty(&map);
    assert_int_equal(map.capacity, 0);
    assert_null(good_map_find(&map, &key));
    good_map_clear(&map);
}

/* Ids that count up get homes of their own. */
static void ids_that_count_up_lie_apart(void **state) {
    (void)state;
    static bool taken[1024];
    uint32_t collisions = 0;
    for (uint32_t id = 0; id < 512; id++) {
        uint32_t home = (uint32_t)(map_hash(id) >> 54);
        collisions += taken[home];
        taken[home] = true;
    }
    assert_int_equal(collisions, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(like_a_list_good),
        cmocka_unit_test(like_a_list_poor),
        cmocka_unit_test(emptying_gives_memory_back),
        cmocka_unit_test(ids_that_count_up_lie_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
