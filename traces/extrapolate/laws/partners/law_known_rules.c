/*
 * Keeps which rules of coordinates were found, because the search for roles asks for the partners
 * of the same ranks again and again. A key has a hash of the ranks and their partners; that of
 * rules with iterations also has the iterations.
 */
#include "core/memory/memory.h"
#include "traces/extrapolate/laws/partners/law_peers.h"
#include "traces/extrapolate/laws/series_law.h"
#include "traces/program/content_hash.h"

#include <stdlib.h>

enum { MOST_KNOWN = 1 << 20 }; /* results that are kept */

uint64_t law_known_key(const struct series_law_data *data, uint32_t grid, uint32_t dimension,
                       bool with_late, bool with_rare, bool has_index) {
    const uint64_t place = (uint64_t)grid << 32 | dimension;
    const uint64_t kind = (uint64_t)has_index << 2 | (uint64_t)with_late << 1 | with_rare;
    return content_hash_add3(has_index ? data->visit_hash : data->partner_hash, place, kind,
                             data->series->grids.symmetric);
}

const struct law_known_rule *law_known_find(const struct series_law_data *data, uint64_t key) {
    const struct law_known_rules *known = data->series->laws.known;
    if (data->partners == NULL) return NULL;
    const uint32_t number = key_table_find(&known->index, key);
    return number == KEY_TABLE_NONE ? NULL : &known->list[number];
}

void law_known_keep(const struct series_law_data *data, uint64_t key,
                    const struct series_coordinate_rule *rule, bool is_found) {
    struct law_known_rules *known = data->series->laws.known;
    struct status status = STATUS_INIT;
    if (data->partners == NULL || known->count >= MOST_KNOWN) return;
    if (memory_grow((void **)&known->list, &known->capacity, known->count + 1, sizeof *known->list,
                    &status) == STATUS_OK &&
        key_table_insert(&known->index, key, (uint32_t)known->count, &status) == STATUS_OK)
        known->list[known->count++] = (struct law_known_rule){*rule, is_found};
    status_clear(&status); /* if memory is short, the rule is looked for again */
}

void law_known_free(struct law_known_rules *known) {
    if (known == NULL) return;
    key_table_free(&known->index);
    free(known->list);
    free(known);
}
