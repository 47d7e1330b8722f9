/*
 * The recorder's table from handles to numbers: values of one key come out in the order in which
 * they were inserted, also if the table grows meanwhile and wherever it begins.
 * tests/cli/test_record.sh builds and runs it.
 */
#include "plugins/record/recorder.h"

#include <stdio.h>

enum { VALUES = 200, KEYS = 500 };

/* Inserts values of one key, with others between, and takes them out again. */
static bool come_in_order(uint64_t key) {
    struct record_map map = {0};
    for (uint32_t i = 1; i <= VALUES; i++) {
        record_map_insert(&map, key, i);
        record_map_insert(&map, key + 16 * i, VALUES + i);
    }
    for (uint32_t i = 1; i <= VALUES; i++) {
        if (record_map_find(&map, key) != i) return false;
        record_map_remove(&map, key, i);
        if (record_map_find(&map, key + 16 * i) != VALUES + i) return false;
    }
    return record_map_find(&map, key) == 0;
}

int main(void) {
    for (uint64_t key = 1; key <= KEYS; key++)
        if (!come_in_order(key)) {
            fprintf(stderr, "values of the key %llu are out of order\n", (unsigned long long)key);
            return 1;
        }
    return 0;
}
