/*
 * The conjectures of Belka et al. 2017, section 4, on arrangements that always form one global
 * connected component. The paper proves nautilus for h > 2 with a <= h or a = 2h, and helix for h
 * >= 4. The rows below are the cases that the paper verified by computer, as this file does.
 */
#include "network/analysis/components_conjecture.h"
#include "network/analysis/global_components.h"
#include "network/analysis/nautilus_components.h"

#include "core/memory/memory.h"

#include <stdlib.h>
#include <string.h>

const struct components_conjecture *components_conjectures(void) {
    static const struct components_conjecture rows[] = {
        {.arrangement = "nautilus",
         .min_globals = 3,
         .max_globals = 9,
         .min_routers = 1,
         .has_more_routers_than_globals = true,
         .max_routers = 500},
        {.arrangement = "nautilus-index",
         .min_globals = 3,
         .max_globals = 9,
         .min_routers = 1,
         .has_more_routers_than_globals = true,
         .max_routers = 500,
         .needs_odd_routers = true},
        {.arrangement = "helix",
         .min_globals = 2,
         .max_globals = 3,
         .min_routers = 1,
         .max_routers = 200},
        {.arrangement = NULL},
    };
    return rows;
}

static status_code count_of_wiring(const char *name, uint32_t routers, uint32_t globals,
                                   uint32_t *count, struct status *status) {
    const struct arrangement *row = arrangements();
    while (strcmp(row->name, name) != 0)
        row++;
    struct arrangement_input input = {{routers, globals, routers * globals + 1}, 0, NULL};
    size_t links = arrangement_links_per_group(&input.shape);
    uint32_t *other = memory_new(links * input.shape.groups, sizeof *other);
    RETURN_ERROR_IF(other == NULL, status, STATUS_MEMORY, "out of memory for a wiring");
    struct global_components components = {0};
    status_code code = arrangement_wire(row, &input, other, status);
    if (code == STATUS_OK) code = global_components_find(&components, &input.shape, other, status);
    *count = components.count;
    global_components_free(&components);
    free(other);
    return code;
}

status_code components_conjecture_verify(const struct components_conjecture *conjecture,
                                         uint32_t globals, struct components_verdict *verdict,
                                         struct status *status) {
    bool nautilus = strncmp(conjecture->arrangement, "nautilus", strlen("nautilus")) == 0;
    bool by_index = strcmp(conjecture->arrangement, "nautilus-index") == 0;
    uint32_t min = conjecture->min_routers;
    if (conjecture->has_more_routers_than_globals) min += globals;
    *verdict = (struct components_verdict){0};
    for (uint32_t a = min; a <= conjecture->max_routers; a++) {
        uint32_t count;
        if (conjecture->needs_odd_routers && a % 2 == 0) continue;
        FORWARD_IF_ERROR(
            nautilus ? nautilus_count_components(a, globals, by_index, &count, status)
                     : count_of_wiring(conjecture->arrangement, a, globals, &count, status));
        verdict->machines++;
        if (count == 1) continue;
        if (verdict->exceptions++ == 0) {
            verdict->routers = a;
            verdict->globals = globals;
            verdict->components = count;
        }
    }
    return STATUS_OK;
}
