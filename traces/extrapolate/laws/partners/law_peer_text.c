/*
 * Texts of laws of partners, for reports.
 */
#include "traces/extrapolate/grids/series_grids.h"
#include "traces/extrapolate/laws/partners/law_peers.h"
#include "traces/extrapolate/laws/partners/law_rules.h"
#include "traces/extrapolate/laws/series_law.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void rule_text(const struct series *series, const struct series_coordinate_rule *rule,
                      char *text, size_t size) {
    const char *name = rule_rows[rule->row].text, *sign = strchr(name, '#');
    const enum rule_parameter parameter = rule_rows[rule->row].parameter;
    const bool is_dimension =
        parameter == RULE_WITH_DIMENSION || parameter == RULE_WITH_OTHER_DIMENSION;
    const int number = rule->parameter + (is_dimension ? 1 : 0);
    if (rule_rows[rule->row].parameter == RULE_WITH_ORDER)
        law_order_text(series, (uint32_t)number, text, size);
    else if (sign == NULL)
        snprintf(text, size, "%s", name);
    else if (rule_rows[rule->row].parameter == RULE_WITH_DISTANCE)
        snprintf(text, size, "%c %s (periodic)", number < 0 ? '-' : '+',
                 law_distance_text((uint32_t)abs(number) - 1));
    else if (rule_rows[rule->row].parameter == RULE_WITH_CHILD)
        snprintf(text, size, "child %d in a tree of %d children", number / RULE_CHILD_UNIT,
                 number % RULE_CHILD_UNIT);
    else if (rule_rows[rule->row].kind == RULE_STEP)
        snprintf(text, size, "%+d%s", number, sign + 1);
    else
        snprintf(text, size, "%.*s%d%s", (int)(sign - name), name, number, sign + 1);
}

void law_peer_text(const struct series *series, const struct series_law *law, char *text,
                   size_t size) {
    const struct series_grid_rule *grid = &series->grids.rules[law->grid];
    size_t length = 0;
    *text = '\0';
    for (uint32_t d = 0; d < grid->dimensions && length < size; d++) {
        if (law_rule_is_same_place(&law->rules[d])) continue;
        char rule[SERIES_TEXT];
        rule_text(series, &law->rules[d], rule, sizeof rule);
        length +=
            (size_t)snprintf(text + length, size - length, "%s%s", length > 0 ? "; " : "", rule);
        if (grid->dimensions > 1 && length < size)
            length += (size_t)snprintf(text + length, size - length, " in dimension %u", d + 1);
    }
    if (length == 0) snprintf(text, size, "the rank itself");
    if (grid->dimensions > 1 && length < size) {
        char extents[SERIES_TEXT];
        grid_text(series, law->grid, &series->target, extents, sizeof extents);
        length = strlen(text);
        snprintf(text + length, size - length, " of %s", extents);
    } else if (length > 0 && length < size) {
        snprintf(text + length, size - length, " among all ranks");
    }
}

void law_peer_pair_text(const struct series *series, const struct series_law *law, char *text,
                        size_t size) {
    char grid[SERIES_TEXT];
    grid_text(series, law->grid, &series->target, grid, sizeof grid);
    snprintf(
        text, size,
        ": one rank up or one rank down along dimension %d of the grid %s, which has at most 2 "
        "ranks there in all programs; add a program with more ranks along it",
        __builtin_ctz(law_peer_moves(series, law)) + 1, grid);
}
