/*
 * Kinds of laws of partners: neighbours, pairs, laws that depend on iterations, and equal laws.
 */
#include "traces/extrapolate/laws/partners/law_peers.h"
#include "traces/extrapolate/laws/partners/law_rules.h"
#include "traces/extrapolate/laws/series_law.h"

#include <stdlib.h>

bool law_peer_is_pair(const struct series *series, const struct series_law *law) {
    uint32_t moved = 0;
    for (uint32_t d = 0; d < series->grids.rules[law->grid].dimensions; d++) {
        const struct series_coordinate_rule *rule = &law->rules[d];
        if (rule_rows[rule->row].kind != RULE_STEP || abs(rule->parameter) > 1) return false;
        if (rule->parameter == 0) continue;
        moved++;
        for (uint32_t k = 0; k < series->program_count; k++) {
            const uint32_t extent = series->programs[k].extents.of[law->grid][d];
            if (extent != 2 && !(extent == 1 && series->grids.rules[law->grid].is_recorded))
                return false;
        }
    }
    return moved == 1 && series->grids.rules[law->grid].dimensions > 1;
}

bool law_peer_is_neighbour(const struct series *series, const struct series_law *law) {
    for (uint32_t d = 0; d < series->grids.rules[law->grid].dimensions; d++)
        if (rule_rows[law->rules[d].row].kind != RULE_STEP || abs(law->rules[d].parameter) > 1)
            return false;
    return true;
}

bool law_peer_has_index(const struct series *series, const struct series_law *law) {
    for (uint32_t d = 0; d < series->grids.rules[law->grid].dimensions; d++)
        if (rule_rows[law->rules[d].row].has_index) return true;
    return false;
}

bool law_peer_is_of_rounds(const struct series *series, const struct series_law *law,
                           uint32_t level) {
    if (law->kind != SERIES_LAW_PEER) return false;
    for (uint32_t d = 0; d < series->grids.rules[law->grid].dimensions; d++)
        if (law_rule_is_of_rounds(law->rules[d].row) && law->rules[d].level == level) return true;
    return false;
}

bool law_peer_is_same(const struct series_law *left, const struct series_law *right) {
    bool same = left->kind == SERIES_LAW_PEER && right->kind == SERIES_LAW_PEER &&
                left->grid == right->grid;
    for (uint32_t d = 0; d < SERIES_DIMENSIONS && same; d++)
        same = left->rules[d].row == right->rules[d].row &&
               left->rules[d].level == right->rules[d].level &&
               left->rules[d].parameter == right->rules[d].parameter;
    return same;
}

void law_peer_mark(struct series *series, const struct series_law *law) {
    const struct series_coordinate_rule *rule = &law->rules[0];
    series->grids.used[law->grid] = true;
    if (rule_rows[rule->row].parameter == RULE_WITH_ORDER)
        series->grids.used[series->grids.orders[rule->parameter].grid] = true;
}
