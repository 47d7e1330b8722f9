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

/* A map of either hash, by functions, so that one test runs on both. */
struct any_map {
    void *map;
    struct entry *(*find)(const void *map, const struct pair *key);
    struct entry *(*add)(void *map, const struct pair *key);
    void (*remove)(void *map, struct entry *entry);
    void (*empty)(void *map);
    uint32_t (*count)(const void *map);
};

#define DEFINE_ANY_MAP(NAME)                                                                       \
    static struct entry *NAME##_find(const void *map, const struct pair *key) {                    \
        return NAME##_map_find(map, key);                                                          \
    }                                                                                              \
    static struct entry *NAME##_add(void *map, const struct pair *key) {                           \
        return NAME##_map_add(map, key);                                                           \
    }                                                                                              \
    static void NAME##_remove(void *map, struct entry *entry) {                                    \
        NAME##_map_remove(map, entry);                                                             \
    }                                                                                              \
    static void NAME##_empty(void *map) {                                                          \
        NAME##_map_empty(map);                                                                     \
    }                                                                                              \
    static uint32_t NAME##_count(const void *map) {                                                \
        return ((const struct NAME##_map *)map)->count;                                            \
    }                                                                                              \
    static struct any_map NAME##_any(struct NAME##_map *map) {                                     \
        return (struct any_map){map,           NAME##_find,  NAME##_add,                           \
                                NAME##_remove, NAME##_empty, NAME##_count};                        \
    }
DEFINE_ANY_MAP(good)
DEFINE_ANY_MAP(poor)

/* Adds and removes random entries in a map and in the list. */
static void act_like_a_list(const struct any_map *any, uint32_t rounds) {
    struct dice dice = {.seed = 5};
    count = 0;
    for (uint32_t round = 1; round <= rounds; round++) {
        const uint32_t adding = round / 500 % 2 == 0 ? 70 : 30;
        if (dice_below(&dice, 100) < adding && count < ENTRIES_MAX) {
            struct pair key = random_key(&dice);
            const struct entry *found = any->find(any->map, &key);
            assert_int_equal(found != NULL, index_of(&key) < ENTRIES_MAX);
            if (found != NULL) continue;
            struct entry *added = any->add(any->map, &key);
            assert_int_equal(added->value, 0);
            added->value = values[count] = round;
            live[count++] = key;
        } else if (count > 0) {
            uint32_t i = dice_below(&dice, count);
            struct entry *found = any->find(any->map, &live[i]);
            assert_int_equal(found->value, values[i]);
            any->remove(any->map, found);
            live[i] = live[--count];
            values[i] = values[count];
        }
        assert_int_equal(any->count(any->map), count);
        for (uint32_t i = 0; round % 50 == 0 && i < count; i++)
            assert_int_equal(any->find(any->map, &live[i])->value, values[i]);
    }
    any->empty(any->map);
    assert_int_equal(any->count(any->map), 0);
    for (uint32_t i = 0; i < count; i++)
        assert_null(any->find(any->map, &live[i]));
}

static void a_map_acts_like_a_list(void **state) {
    (void)state;
    struct good_map map = {0};
    const struct any_map any = good_any(&map);
    act_like_a_list(&any, 30000);
    good_map_clear(&map);
    assert_int_equal(map.count, 0);
}

static void a_map_with_a_poor_hash_acts_like_a_list(void **state) {
    (void)state;
    struct poor_map map = {0};
    const struct any_map any = poor_any(&map);
    act_like_a_list(&any, 6000);
    poor_map_clear(&map);
    assert_int_equal(map.count, 0);
}

/* Searches stay short: a quarter of the places is free. */
static void a_quarter_of_the_places_is_free(void **state) {
    (void)state;
    struct good_map map = {0};
    for (uint32_t i = 0; i < 5000; i++) {
        struct pair key = {i, i};
        good_map_add(&map, &key)->value = 1;
        assert_true(map.count <= map.capacity / 4 * 3);
    }
    good_map_clear(&map);
}

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
        const uint32_t home = map_home(map_hash(id), 1024);
        collisions += taken[home];
        taken[home] = true;
    }
    assert_int_equal(collisions, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_map_acts_like_a_list),
        cmocka_unit_test(a_map_with_a_poor_hash_acts_like_a_list),
        cmocka_unit_test(a_quarter_of_the_places_is_free),
        cmocka_unit_test(emptying_gives_memory_back),
        cmocka_unit_test(ids_that_count_up_lie_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
