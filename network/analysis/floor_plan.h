/*
 * Where a machine's cabinets stand, how long its cables are and what they cost.
 *
 * Knows shapes and wirings, no routers' inner life. Lengths are millimetres, money is
 * millionths of a dollar. See docs/model.md, chapter 12, for layout and prices with their sources.
 */
#ifndef ANAX_NETWORK_FLOOR_PLAN_H
#define ANAX_NETWORK_FLOOR_PLAN_H

#include "core/settings.h"
#include "network/topology/topology.h"

#include <stdint.h>

struct floor_config {
    int64_t groups_per_cabinet; /* one of the two is 1 */
    int64_t cabinets_per_group;
    int64_t pitch_x_mm;      /* from one cabinet to the next in a row … */
    int64_t pitch_y_mm;      /* … and from row to row */
    int64_t overhead_mm;     /* of a cable between cabinets, for both ends together */
    int64_t inside_mm;       /* length of a cable inside a cabinet */
    int64_t optical_from_mm; /* longer cables are optical; 0: the cheaper kind is taken */
    /* Prices of a cable, per Gbit/s of one direction, and per metre of that. */
    int64_t electrical_fixed;
    int64_t electrical_per_metre;
    int64_t optical_fixed;
    int64_t optical_per_metre;
    int64_t router_price;           /* of a router … */
    int64_t router_price_bandwidth; /* … and per Gbit/s of its ports, in one direction */
};

extern const struct setting_row floor_setting_rows[];
extern const size_t floor_setting_count;

/* STATUS_USAGE, with all faults, when settings do not fit together or to a group of so many
 * routers. */
status_code floor_config_check(const struct floor_config *config, uint32_t routers,
                               struct status *status);

/*
 * Cabinets in a grid that is as nearly square as whole blocks allow: blocks of cabinets that belong
 * together are numbered row by row, and so are the cabinets of a block.
 */
struct floor_grid {
    uint32_t cabinets;
    uint32_t columns; /* of cabinets */
    uint32_t rows;
    uint32_t of_block;      /* cabinets of a block … */
    uint32_t block_columns; /* … and of a row of it */
    uint32_t block_rows;
    uint32_t blocks_across;
};

/* The grid of so many blocks of so many cabinets each, both at least 1. */
struct floor_grid floor_grid_of(uint32_t blocks, uint32_t of_block);

/* The length of a cable between two cabinets of a grid. */
int64_t floor_cable_mm(const struct floor_config *config, const struct floor_grid *grid,
                       uint32_t from, uint32_t to);

/* Whether a cable of that length is optical. */
bool floor_cable_is_optical(const struct floor_config *config, int64_t length_mm);

/* The length from which on optical cables are not dearer than electrical ones, rounded up; -1:
 * there is none. */
int64_t floor_crossover_mm(const struct floor_config *config);

/* The cables of one kind. */
struct floor_cable_bill {
    uint64_t cables;
    uint64_t optical;  /* of these */
    int64_t length_mm; /* of all */
    int64_t longest_mm;
    __int128 price; /* per Gbit/s while adding up, then for the bandwidth */
};

/* Adds cables of one length. */
void cable_bill_add(struct floor_cable_bill *bill, const struct floor_config *config,
                    uint64_t cables, int64_t length_mm);

/* Turns a price per Gbit/s, as it was added up, into millionths of a dollar for a bandwidth. */
void cable_bill_finish(struct floor_cable_bill *bill, int64_t bytes_per_s);

struct floor_bill {
    struct floor_grid grid;
    struct floor_cable_bill level[NETWORK_LEVELS];
    int64_t cable_price;  /* of all levels */
    int64_t router_price; /* of all routers */
};

/* Cables of every level, with prices per Gbit/s; nothing else of the bill is set. */
status_code floor_bill_count(struct floor_bill *bill, const struct floor_config *config,
                             const struct topology *topology, struct status *status);

/* Cables of every level with their prices for the levels' bandwidths. STATUS_USAGE: the settings
 * are wrong, or the sums are beyond 9 trillion dollars. */
status_code floor_bill_make(struct floor_bill *bill, const struct floor_config *config,
                            const struct network_config *network, const struct topology *topology,
                            struct status *status);

#endif
