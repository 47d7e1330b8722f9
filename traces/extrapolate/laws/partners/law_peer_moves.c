/*
 * Along which dimensions of grids partners move, by the laws of partners that were found.
 */
#include "traces/extrapolate/laws/partners/law_peers.h"
#include "traces/extrapolate/laws/partners/law_rules.h"
#include "traces/extrapolate/laws/series_law.h"

#include <stdlib.h>
#include <string.h>

uint32_t law_peer_moves(const struct series *series, const struct series_law *law) {
    uint32_t moved = 0;
    for (uint32_t d = 0; d < series->grids.rules[law->grid].dimensions; d++)
        moved |= law_rule_is_same_place(&law->rules[d]) ? 0 : 1u << d;
    return moved;
}

bool law_peers_use_grid(const struct series *series, uint32_t wanted) {
    for (size_t r = 0; r < series->roles.count; r++)
        for (size_t i = 0; i < series->roles.list[r].step_count; i++) {
            const struct series_role_step *step = &series->roles.list[r].steps[i];
            for (uint32_t v = 0; v < step->law_count; v++)
                for (uint32_t g = 0; step->laws != NULL && g < step->laws[v].law_count; g++) {
                    const struct series_law *law = &step->laws[v].laws[g];
                    if (law->kind == SERIES_LAW_PEER &&
                        series->grids.rules[law->grid].dimensions > 1 &&
                        (wanted == 0 || law->grid == wanted))
                        return true;
                }
        }
    return false;
}

/* Returns the set of dimensions of a grid that the messages of a step cross in a group of
 * iterations, and sets *grid; 0: they follow several grids, or the line of all ranks. */
static uint32_t crossed_by(const struct series *series, const struct series_role_step *step,
                           uint32_t levels, uint32_t group, uint32_t *grid) {
    uint32_t moved = 0;
    for (uint32_t v = 0; v < step->law_count; v++) {
        const struct series_value_law *laws = &step->laws[v];
        const bool is_of_group = levels != 0 && laws->levels == levels && group < laws->law_count;
        for (uint32_t g = 0; laws->laws != NULL && g < laws->law_count; g++) {
            const struct series_law *law = &laws->laws[g];
            if (law->kind != SERIES_LAW_PEER || (is_of_group && g != group)) continue;
            if (series->grids.rules[law->grid].dimensions < 2 || (moved != 0 && law->grid != *grid))
                return 0;
            *grid = law->grid;
            moved |= law_peer_moves(series, law);
        }
    }
    return moved;
}

/* Sets *dimension to the only one of a set. Returns false if there are several, or none. */
static bool is_one(uint32_t set, uint32_t *dimension) {
    *dimension = (uint32_t)__builtin_ctz(set | 1u << (SERIES_DIMENSIONS - 1));
    return set != 0 && (set & (set - 1)) == 0;
}

bool law_peer_dimension(const struct series *series, const struct series_role_step *step,
                        uint32_t levels, uint32_t group, uint32_t *grid, uint32_t *dimension) {
    return is_one(crossed_by(series, step, levels, group, grid), dimension);
}

bool law_peer_edge(const struct series *series, const struct series_role_step *step,
                   uint32_t levels, uint32_t group, uint32_t *grid, uint32_t *dimension) {
    const uint32_t crossed = crossed_by(series, step, levels, group, grid);
    return crossed != 0 &&
           is_one(((1u << series->grids.rules[*grid].dimensions) - 1) & ~crossed, dimension);
}

void law_peers_list_moves(struct series *series) {
    memset(series->grids.moves, 0, sizeof series->grids.moves);
    for (size_t r = 0; r < series->roles.count; r++)
        for (size_t i = 0; i < series->roles.list[r].step_count; i++) {
            const struct series_role_step *step = &series->roles.list[r].steps[i];
            for (uint32_t v = 0; v < step->law_count; v++)
                for (uint32_t g = 0; g < step->laws[v].law_count; g++) {
                    const struct series_law *law = &step->laws[v].laws[g];
                    if (law->kind == SERIES_LAW_PEER)
                        series->grids.moves[law->grid] |=
                            (uint16_t)(1u << law_peer_moves(series, law));
                }
        }
}

/* Returns the set of those of the dimensions `moved` along which partners move without moving along
 * all of `moved`. */
static uint32_t parts_shown(const struct series *series, uint32_t grid, uint32_t moved) {
    uint32_t shown = 0;
    for (uint32_t own = 0; own < moved; own++)
        if ((own & ~moved) == 0 && series->grids.moves[grid] >> own & 1) shown |= own;
    return shown;
}

/* Returns whether a law is a step to a neighbour along each dimension. */
static bool is_short(const struct series *series, const struct series_law *law) {
    for (uint32_t d = 0; d < series->grids.rules[law->grid].dimensions; d++)
        if (abs(law->rules[d].parameter) > 1) return false;
    return true;
}

bool law_peer_is_alone(const struct series *series, const struct series_law *law) {
    const uint32_t moved = law_peer_moves(series, law);
    const bool is_of_roles = series->roles.rule.grid == law->grid;
    if (__builtin_popcount(moved) < 2) return false;
    for (uint32_t d = 0; d < series->grids.rules[law->grid].dimensions; d++)
        if (rule_rows[law->rules[d].row].kind != RULE_STEP) return false;
    for (size_t f = 0; f < series->families.count; f++)
        if (series->families.list[f].kind == SERIES_FAMILY_LINES &&
            series->families.list[f].grid == law->grid)
            return false;
    const uint32_t shown = parts_shown(series, law->grid, moved);
    /* The roles show their grid, with two exceptions. All partners along several dimensions at once
     * may be far away: with roles at the ends of a grid, any distance among all ranks looks so in
     * some grid. Or one dimension is crossed only together with another one that is crossed alone:
     * the two may be one dimension. */
    if (shown == 0) return !is_of_roles || !is_short(series, law);
    return is_of_roles && shown != moved;
}
