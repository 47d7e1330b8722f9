/*
 * The floors of machines: where cabinets stand, and where their global cables run; small for any
 * machine: on large floors neighbouring cabinets share a row.
 *
 * Invariant: each global cable of all rails, also of failed links, has two ends in the rows of
 * `floor`.
 */
#include "api/results/topology_numbers.h"
#include "api/table/tables.h"

/* ---- places ---- */

struct floor_row {
    int64_t machine;
    uint64_t column, row, side, cabinets, cables, optical, cables_right, cables_below;
    int64_t x_m, y_m, cabinet, group, mean_length_m, longest_m;
};

static void add_place(const anax_topology *machine, int64_t number, uint32_t column, uint32_t row,
                      const struct table_sink *sink) {
    const struct floor_cables *floor = &machine->floor;
    const struct floor_config *config = &machine->config->floor;
    const struct floor_place *place = &floor->places[row * floor->columns + column];
    const bool stands = place->cabinets > 0;
    if (!stands && place->right == 0 && place->below == 0) return;
    table_add(sink,
              &(struct floor_row){
                  .machine = number,
                  .column = (uint64_t)column * floor->cabinets_per_side,
                  .row = (uint64_t)row * floor->cabinets_per_side,
                  .side = floor->cabinets_per_side,
                  .cabinets = place->cabinets,
                  .cables = topology_numbers_of_rails(machine, place->ends),
                  .optical = topology_numbers_of_rails(machine, place->optical),
                  .cables_right = topology_numbers_of_rails(machine, (uint64_t)place->right),
                  .cables_below = topology_numbers_of_rails(machine, (uint64_t)place->below),
                  .x_m = (int64_t)column * floor->cabinets_per_side * config->pitch_x_mm * 1000,
                  .y_m = (int64_t)row * floor->cabinets_per_side * config->pitch_y_mm * 1000,
                  .cabinet = stands ? (int64_t)place->cabinet : TABLE_NONE,
                  .group = stands ? (int64_t)place->group : TABLE_NONE,
                  .mean_length_m = place->ends > 0 ? table_ratio((wide)place->length_mm,
                                                                 (wide)place->ends * 1000)
                                                   : TABLE_NONE,
                  .longest_m = place->ends > 0 ? place->longest_mm * 1000 : TABLE_NONE});
}

static status_code visit_floor(const struct table_source *source, const struct table_sink *sink,
                               struct status *status) {
    (void)status;
    for (size_t i = 0; i < source->machine_count; i++) {
        const struct floor_cables *floor = &source->machines[i]->floor;
        for (uint32_t row = 0; row < floor->rows; row++)
            for (uint32_t column = 0; column < floor->columns; column++)
                add_place(source->machines[i], (int64_t)i, column, row, sink);
    }
    return STATUS_OK;
}

static const struct table_column floor_columns[] = {
    TABLE_COLUMN(floor_row, machine, "machine", "", "number of the machine, from 0"),
    TABLE_COLUMN(floor_row, column, "column", "", "its first column of cabinets, from 0"),
    TABLE_COLUMN(floor_row, row, "row", "", "its first row of cabinets, from 0"),
    TABLE_COLUMN(
        floor_row, side, "side", "",
        "columns and rows of cabinets in it: 1 on floors of up to 64 columns and rows; the "
        "last places may have fewer"),
    TABLE_SHARE(floor_row, x_m, "x_m", "m",
                "from the middle of cabinet 0 along rows to the middle of the first column"),
    TABLE_SHARE(floor_row, y_m, "y_m", "m",
                "from the middle of cabinet 0 along columns to the middle of the first row"),
    TABLE_COLUMN(floor_row, cabinets, "cabinets", "",
                 "cabinets in it; 0: a place without one, past which cables run"),
    TABLE_COLUMN(floor_row, cabinet, "cabinet", "",
                 "number of the first of them, from 0; null if there is none"),
    TABLE_COLUMN(floor_row, group, "group", "",
                 "the first group in it; null if there is no cabinet"),
    TABLE_COLUMN(floor_row, cables, "cables", "",
                 "ends of global cables, also of failed links: a cable that begins and ends in the "
                 "place counts twice"),
    TABLE_COLUMN(floor_row, optical, "optical", "", "those of optical cables"),
    TABLE_SHARE(floor_row, mean_length_m, "mean_length_m", "m",
                "mean length of the cables, over their ends; null if there are none"),
    TABLE_SHARE(floor_row, longest_m, "longest_m", "m", "length of the longest; null, too"),
    TABLE_COLUMN(floor_row, cables_right, "cables_right", "",
                 "global cables that run between it and the next place of the row, if each runs "
                 "along the row of the group with the lower number first, and then along the "
                 "column of the other group"),
    TABLE_COLUMN(floor_row, cables_below, "cables_below", "",
                 "global cables that run between it and the next place of the column"),
};

const struct table table_floor = {
    .name = "floor",
    .form = TABLE_ARRAY,
    TABLE_LIST(floor_columns),
    .visit = visit_floor,
    .help = "a place on the floor where a cabinet stands, or a square of neighbouring ones",
};

/* ---- cables between two cabinets ---- */

struct pair_row {
    int64_t machine, length_m, is_optical;
    uint64_t cabinet, other_cabinet, cables;
};

static void add_pairs(const anax_topology *machine, int64_t number, const struct table_sink *sink) {
    const struct floor_cables *floor = &machine->floor;
    for (uint32_t one = 0; one < floor->cabinets; one++)
        for (uint32_t two = one + 1; two < floor->cabinets; two++) {
            const struct floor_pair *pair = &floor->pairs[one][two];
            if (pair->cables == 0) continue;
            table_add(sink, &(struct pair_row){
                                number, pair->length_mm * 1000,
                                floor_cable_is_optical(&machine->config->floor, pair->length_mm),
                                one, two, topology_numbers_of_rails(machine, pair->cables)});
        }
}

static status_code visit_pairs(const struct table_source *source, const struct table_sink *sink,
                               struct status *status) {
    (void)status;
    for (size_t i = 0; i < source->machine_count; i++)
        add_pairs(source->machines[i], (int64_t)i, sink);
    return STATUS_OK;
}

static const struct table_column pair_columns[] = {
    TABLE_COLUMN(pair_row, machine, "machine", "", "number of the machine, from 0"),
    TABLE_COLUMN(pair_row, cabinet, "cabinet", "", "a cabinet"),
    TABLE_COLUMN(pair_row, other_cabinet, "other_cabinet", "", "a later cabinet"),
    TABLE_COLUMN(pair_row, cables, "cables", "",
                 "global cables between them, also of failed links"),
    TABLE_SHARE(pair_row, length_m, "length_m", "m", "length of each"),
    TABLE_FLAG(pair_row, is_optical, "optical", "whether they are optical"),
};

const struct table table_floor_cables = {
    .name = "floor_cables",
    .form = TABLE_ARRAY,
    TABLE_LIST(pair_columns),
    .visit = visit_pairs,
    .help = "two cabinets that global cables join, on floors of up to 16 cabinets",
};
