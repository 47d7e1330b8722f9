/* The table of what is in flight, held against a list that is searched from end to end. */
#include "core/simulation/random.h"
#include "replay/engine/state/inflight.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define LIVE 600

/* What was put in is still there, wherever the entry has been moved to. */
static void check(const struct inflight_table *table, const struct inflight *entry,
                  uint32_t value) {
    assert_int_equal(entry->owner, value);
    if (entry->state == INFLIGHT_REQUESTED)
        assert_int_equal(inflight_request_of(table, entry)->sender, ~value);
}

static void the_table_behaves_as_a_list(void **state) {
    (void)state;
    struct inflight_table table = {0};
    struct inflight_key live[LIVE];
    uint32_t value[LIVE], count = 0;
    for (uint32_t round = 0; round < 200000; round++) {
        struct random_block draw = random_draw(3, RANDOM_PATTERN, 0, round);
        bool growing = (round / 20000) % 2 == 0;
        bool add = count == 0 || (count < LIVE && draw.word[0] % 10 < (growing ? 7u : 3u));
        if (add) {
            /* Keys that differ in one small field only. */
            struct inflight_key key = {draw.word[1] % 7, draw.word[1] / 7 % 7, draw.word[2] % 5,
                                       draw.word[2] / 5 % 50, draw.word[3] % 3};
            bool known = false, is_new = false;
            for (uint32_t i = 0; i < count; i++)
                known = known || memcmp(&live[i], &key, sizeof key) == 0;
            assert_int_equal(known, inflight_find(&table, &key) != NULL);
            struct inflight *entry = inflight_find_or_add(&table, &key, &is_new);
            assert_int_equal(known, !is_new);
            if (known) continue;
            entry->state = INFLIGHT_POSTED;
            entry->owner = value[count] = round;
            if (draw.word[0] % 3 == 0) inflight_request_new(&table, entry)->sender = ~round;
            live[count++] = key;
        } else {
            uint32_t which = draw.word[1] % count;
            struct inflight *entry = inflight_find(&table, &live[which]);
            assert_non_null(entry);
            check(&table, entry, value[which]);
            inflight_remove(&table, entry);
            assert_null(inflight_find(&table, &live[which]));
            live[which] = live[--count];
            value[which] = value[count];
        }
        assert_int_equal(table.map.count, count);
    }
    for (uint32_t i = 0; i < count; i++)
        check(&table, inflight_find(&table, &live[i]), value[i]);
    assert_in_range(table.requests.used, 1, LIVE); /* those of removed entries are taken again */
    inflight_clear(&table);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_table_behaves_as_a_list)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
