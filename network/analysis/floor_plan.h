/*
 * The positions of a machine's cabinets, and the lengths and prices of its cables.
 *
 * Knows shapes and wirings, but nothing inside routers. Lengths are in millimetres, money in
 * millionths of a dollar. docs/model.md, chapter 12, gives layout and prices with their sources.
 */
#ifndef ANAX_NETWORK_FLOOR_PLAN_H
#define ANAX_NETWORK_FLOOR_PLAN_H

#include "core/settings/settings.h"
#include "network/topology/topology.h"

#include <stdint.h>

struct floor_config {
    int64_t groups_per_cabinet; /* this or cabinets_per_group is 1 */
    int64_t cabinets_per_group;
    int64_t pitch_x_mm;      /* distance of neighbouring cabinets in a row */
    int64_t pitch_y_mm;      /* distance of neighbouring rows */
    int64_t overhead_mm;     /* additional length of a cable between cabinets, both ends together */
    int64_t inside_mm;       /* length of a cable inside a cabinet */
    int64_t optical_from_mm; /* cables this long or longer are optical; 0: the cheaper kind */
    /* Prices of a cable per Gbit/s of one direction: a fixed part, and a part per metre. */
    int64_t electrical_fixed_microdollars;
    int64_t electrical_per_metre_microdollars;
    int64_t optical_fixed_microdollars;
    int64_t optical_per_metre_microdollars;
    int64_t router_price_microdollars;           /* of a router, without what its ports cost */
    int64_t router_price_bandwidth_microdollars; /* of a router, per Gbit/s of its ports in one
                                                    direction */
};

extern const struct setting_row floor_setting_rows[];
extern const size_t floor_setting_count;

/* Checks the settings, for groups of so many routers. STATUS_USAGE: they do not fit together or do
 * not fit such a group. */
status_code floor_config_check(const struct floor_config *config, uint32_t routers,
                               struct status *status);

/*
 * Cabinets in a grid that is as nearly square as possible. It consists of blocks of cabinets that
 * belong together. Blocks are numbered row by row, and so are the cabinets of a block.
 */
struct floor_grid {
    uint32_t cabinets;
    uint32_t columns; /* columns of cabinets */
    uint32_t rows;
    uint32_t cabinets_per_block; /* cabinets of a block */
    uint32_t block_columns;      /* cabinets of one row of a block */
    uint32_t block_rows;
    uint32_t blocks_across;
};

/* Returns the grid of `blocks` blocks of `of_block` cabinets each. Both are at least 1. */
struct floor_grid floor_grid_of(uint32_t blocks, uint32_t of_block);

/* A place in a grid: column and row, from 0. */
struct floor_position {
    uint32_t x, y;
};

/* Returns where a cabinet stands. */
struct floor_position floor_position_of(const struct floor_grid *grid, uint32_t cabinet);

/* Returns the cabinet of a router of a group. */
uint32_t floor_cabinet_of(const struct floor_config *config, const struct topology *topology,
                          uint32_t group, uint32_t router);

/* Returns the length of a cable between two cabinets of a grid, or of a cable inside a cabinet if
 * both are the same. */
int64_t floor_cable_mm(const struct floor_config *config, const struct floor_grid *grid,
                       uint32_t from, uint32_t to);

/* Returns whether a cable of that length is optical. */
bool floor_cable_is_optical(const struct floor_config *config, int64_t length_mm);

/* Returns the least length, rounded up, from which on optical cables cost no more than electrical
 * ones; -1 if there is none. */
int64_t floor_crossover_mm(const struct floor_config *config);

/* The cables of one level, which is a kind of channel, and their price. */
struct floor_cable_bill {
    uint64_t cables;
    uint64_t optical;  /* number of optical ones among them */
    int64_t length_mm; /* sum of all cables */
    int64_t longest_mm;
    __int128 price; /* per Gbit/s until floor_cable_bill_finish, then for the bandwidth */
};

/* Adds cables of one length, at their price per Gbit/s. */
void floor_cable_bill_add(struct floor_cable_bill *bill, const struct floor_config *config,
                          uint64_t cables, int64_t length_mm);

/* Turns the sum of prices per Gbit/s into millionths of a dollar for a bandwidth. */
void floor_cable_bill_finish(struct floor_cable_bill *bill, int64_t bytes_per_s);

struct floor_bill {
    struct floor_grid grid;
    struct floor_cable_bill level[NETWORK_CHANNEL_KINDS];
    /* Prices of the cables of the second and third type of local channels, which are part of the
     * local level: per Gbit/s in floor_bill_count, for their bandwidth in floor_bill_make. */
    __int128 more_local_prices[NETWORK_CHANNEL_TYPES - NETWORK_CHANNEL_KINDS];
    int64_t cable_price_microdollars;  /* cables of all levels */
    int64_t router_price_microdollars; /* all routers */
};

/* Counts the cables of every level of one rail, with prices per Gbit/s. Sets no prices of the bill
 * as a whole. Errors: those of floor_config_check. */
status_code floor_bill_count(struct floor_bill *bill, const struct floor_config *config,
                             const struct topology *topology, struct status *status);

/* Makes the complete bill of a machine, for the levels' bandwidths and all rails. STATUS_USAGE: the
 * settings are wrong, or the sum exceeds 9 trillion dollars. */
status_code floor_bill_make(struct floor_bill *bill, const struct floor_config *config,
                            const struct network_config *network, const struct topology *topology,
                            struct status *status);

#endif
