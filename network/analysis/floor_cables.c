/*
 * Counts the global cables of each place on a floor.
 *
 * A cable adds 1 where its way begins and takes 1 where it ends; sums along rows and columns then
 * have how many cross from place to place, so that long cables take no longer than short ones.
 */
#include "network/analysis/floor_cables.h"

#include "core/memory/memory.h"

#include <stdlib.h>

struct wired_floor {
    const struct floor_config *config;
    const struct floor_grid *grid;
    const struct topology *topology;
};

static struct floor_place *place_at(struct floor_cables *cables, uint32_t column, uint32_t row) {
    return &cables->places[row * cables->columns + column];
}

/* Puts cabinets into their places. */
static void place_cabinets(struct floor_cables *cables, const struct wired_floor *floor) {
    const struct floor_config *config = floor->config;
    for (uint32_t cabinet = 0; cabinet < floor->grid->cabinets; cabinet++) {
        const struct floor_position spot = floor_position_of(floor->grid, cabinet);
        struct floor_place *place = place_at(cables, spot.x / cables->cabinets_per_side,
                                             spot.y / cables->cabinets_per_side);
        if (place->cabinets++ > 0) continue;
        place->cabinet = cabinet;
        place->group = config->cabinets_per_group > 1
                           ? cabinet / (uint32_t)config->cabinets_per_group
                           : cabinet * (uint32_t)config->groups_per_cabinet;
    }
}

static void add_end(struct floor_place *place, int64_t length_mm, bool is_optical) {
    place->ends++;
    place->optical += is_optical;
    place->length_mm += length_mm;
    if (length_mm > place->longest_mm) place->longest_mm = length_mm;
}

/* Adds a cable: its ends, and where its way along the row and along the column begins and ends. */
static void add_cable(struct floor_cables *cables, const struct wired_floor *floor, uint32_t from,
                      uint32_t to) {
    const uint32_t side = cables->cabinets_per_side;
    const int64_t length_mm = floor_cable_mm(floor->config, floor->grid, from, to);
    const bool is_optical = floor_cable_is_optical(floor->config, length_mm);
    const struct floor_position one = floor_position_of(floor->grid, from);
    const struct floor_position two = floor_position_of(floor->grid, to);
    const uint32_t x1 = one.x / side, y1 = one.y / side, x2 = two.x / side, y2 = two.y / side;
    add_end(place_at(cables, x1, y1), length_mm, is_optical);
    add_end(place_at(cables, x2, y2), length_mm, is_optical);
    place_at(cables, x1 < x2 ? x1 : x2, y1)->right++;
    place_at(cables, x1 < x2 ? x2 : x1, y1)->right--;
    place_at(cables, x2, y1 < y2 ? y1 : y2)->below++;
    place_at(cables, x2, y1 < y2 ? y2 : y1)->below--;
    if (cables->cabinets == 0 || from == to) return;
    struct floor_pair *pair = &cables->pairs[from][to];
    pair->cables++;
    pair->length_mm = length_mm;
}

static void sum_ways(struct floor_cables *cables) {
    for (uint32_t row = 0; row < cables->rows; row++)
        for (uint32_t column = 0; column < cables->columns; column++) {
            struct floor_place *place = place_at(cables, column, row);
            if (column > 0) place->right += place_at(cables, column - 1, row)->right;
            if (row > 0) place->below += place_at(cables, column, row - 1)->below;
        }
}

status_code floor_cables_find(struct floor_cables *cables, const struct floor_config *config,
                              const struct floor_grid *grid, const struct topology *topology,
                              struct status *status) {
    const uint32_t longer = grid->columns > grid->rows ? grid->columns : grid->rows;
    const uint32_t side = (longer + FLOOR_PLACES_ACROSS - 1) / FLOOR_PLACES_ACROSS;
    *cables = (struct floor_cables){
        .cabinets_per_side = side,
        .columns = (grid->columns + side - 1) / side,
        .rows = (grid->rows + side - 1) / side,
        .cabinets = grid->cabinets <= FLOOR_PAIRED_CABINETS ? grid->cabinets : 0};
    const size_t places = (size_t)cables->columns * cables->rows;
    cables->places = memory_new(places, sizeof *cables->places);
    RETURN_ERROR_IF(cables->places == NULL, status, STATUS_MEMORY, "out of memory for a floor");
    const struct wired_floor floor = {config, grid, topology};
    const uint32_t links = topology->links_per_group, h = topology->globals_per_router;
    place_cabinets(cables, &floor);
    for (uint32_t position = 0; position < topology->groups * links; position++) {
        const uint32_t end = topology->link_peers[position];
        if (end == TOPOLOGY_UNCONNECTED || end < position) continue;
        add_cable(cables, &floor,
                  floor_cabinet_of(config, topology, position / links, position % links / h),
                  floor_cabinet_of(config, topology, end / links, end % links / h));
    }
    sum_ways(cables);
    return STATUS_OK;
}

void floor_cables_free(struct floor_cables *cables) {
    free(cables->places);
    cables->places = NULL;
}
