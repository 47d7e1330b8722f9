/* Computes the cables of four topologies for one number of nodes. docs/model.md, chapter 12, has
 * the layouts. */
#include "network/analysis/rival_networks.h"

#include "network/arrangement/arrangement.h"

enum {
    NODES_OF_CABINET = 128,
    ROUTERS_OF_CABINET = 32, /* in a cabinet without nodes */
    FULL_NODES = 1024,       /* up to 1024 nodes, all routers are completely connected */
    FULL_CONCENTRATION = 32, /* and these have 32 nodes each */
    CONCENTRATION = 16,      /* nodes per router of larger dragonflies and flattened butterflies */
    SIDE = 16,               /* routers in a dimension of the flattened butterfly */
    LEAF_NODES = 32,         /* nodes of each radix-64 router of the Clos network */
};

/* ---------------------------------------------------------------------------- dragonfly */

static status_code make_groups(struct rival_network *made, const struct floor_config *floor,
                               uint32_t nodes, uint32_t group_nodes, struct status *status) {
    bool full = nodes <= FULL_NODES;
    struct network_config network = {
        .nodes_per_router = full ? FULL_CONCENTRATION : CONCENTRATION,
        .routers_per_group = full ? nodes / FULL_CONCENTRATION : group_nodes / CONCENTRATION,
        .globals_per_router = full ? 0 : CONCENTRATION,
        .groups = full ? 1 : nodes / group_nodes,
        .arrangement = 1, /* relative */
    };
    struct floor_config own = *floor;
    own.groups_per_cabinet = 1;
    own.cabinets_per_group =
        network.nodes_per_router * network.routers_per_group / NODES_OF_CABINET;
    struct topology topology;
    struct floor_bill bill = {0};
    status_code code = topology_new(&topology, &network, status);
    if (code == STATUS_OK) code = floor_bill_count(&bill, &own, &topology, status);
    made->routers = (uint64_t)network.routers_per_group * (uint64_t)network.groups;
    made->radix = topology.radix;
    made->cabinets = bill.grid.cabinets;
    made->diameter = full ? 1 : 3;
    made->nonminimal_diameter = full ? 2 : 5;
    made->terminal = bill.level[NETWORK_TERMINAL];
    made->local = bill.level[NETWORK_LOCAL];
    made->global = bill.level[NETWORK_GLOBAL];
    topology_free(&topology);
    return code;
}

static status_code make_dragonfly(struct rival_network *made, const struct floor_config *floor,
                                  uint32_t nodes, struct status *status) {
    return make_groups(made, floor, nodes, 512, status);
}

static status_code make_small_groups(struct rival_network *made, const struct floor_config *floor,
                                     uint32_t nodes, struct status *status) {
    return make_groups(made, floor, nodes, 256, status);
}

/* ---------------------------------------------------------------------------- flattened butterfly
 */

/* The layout: each block of two cabinets holds dimension 1; columns and rows of blocks are
 * dimensions 2 and 3. */
struct butterfly {
    const struct floor_config *floor;
    uint32_t columns, rows; /* of blocks */
    struct floor_grid grid;
};

static uint32_t butterfly_cabinet(const struct butterfly *butterfly, uint32_t column, uint32_t row,
                                  uint32_t half) {
    return 2 * (row * butterfly->columns + column) + half;
}

/* Adds the cables of dimension 1 in a block: sixteen routers, eight in each cabinet. */
static void add_blocks(struct rival_network *made, const struct butterfly *butterfly,
                       uint32_t column, uint32_t row) {
    const uint64_t half = SIDE / 2;
    uint32_t first = butterfly_cabinet(butterfly, column, row, 0);
    uint32_t second = butterfly_cabinet(butterfly, column, row, 1);
    floor_cable_bill_add(&made->local, butterfly->floor, half * (half - 1),
                         butterfly->floor->inside_mm);
    floor_cable_bill_add(&made->local, butterfly->floor, half * half,
                         floor_cable_mm(butterfly->floor, &butterfly->grid, first, second));
}

/* Adds the cables of dimension 2 or 3 from a block to later ones. A dimension of `size` routers
 * carries full uniform traffic with SIDE/size channels per pair. */
static void add_row(struct rival_network *made, const struct butterfly *butterfly, uint32_t column,
                    uint32_t row, bool along_columns) {
    uint32_t size = along_columns ? butterfly->columns : butterfly->rows;
    uint32_t from = butterfly_cabinet(butterfly, column, row, 0);
    for (uint32_t other = (along_columns ? column : row) + 1; other < size; other++) {
        uint32_t to = along_columns ? butterfly_cabinet(butterfly, other, row, 0)
                                    : butterfly_cabinet(butterfly, column, other, 0);
        floor_cable_bill_add(&made->global, butterfly->floor, (uint64_t)SIDE * (SIDE / size),
                             floor_cable_mm(butterfly->floor, &butterfly->grid, from, to));
    }
}

static status_code make_butterfly(struct rival_network *made, const struct floor_config *floor,
                                  uint32_t nodes, struct status *status) {
    if (nodes <= FULL_NODES) return make_dragonfly(made, floor, nodes, status);
    uint32_t blocks = nodes / (CONCENTRATION * SIDE);
    struct butterfly butterfly = {.floor = floor, .columns = blocks < SIDE ? blocks : SIDE};
    butterfly.rows = blocks / butterfly.columns;
    bool beside = butterfly.columns <= butterfly.rows; /* a block's cabinets stand side by side */
    butterfly.grid = (struct floor_grid){.cabinets = 2 * blocks,
                                         .columns = (beside ? 2 : 1) * butterfly.columns,
                                         .rows = (beside ? 1 : 2) * butterfly.rows,
                                         .cabinets_per_block = 2,
                                         .block_columns = beside ? 2 : 1,
                                         .block_rows = beside ? 1 : 2,
                                         .blocks_across = butterfly.columns};
    for (uint32_t row = 0; row < butterfly.rows; row++) {
        for (uint32_t column = 0; column < butterfly.columns; column++) {
            add_blocks(made, &butterfly, column, row);
            add_row(made, &butterfly, column, row, true);
            add_row(made, &butterfly, column, row, false);
        }
    }
    uint32_t second = (butterfly.columns - 1) * (SIDE / butterfly.columns);
    uint32_t third = (butterfly.rows - 1) * (SIDE / butterfly.rows);
    floor_cable_bill_add(&made->terminal, floor, nodes, floor->inside_mm);
    made->routers = nodes / CONCENTRATION;
    made->radix = CONCENTRATION + SIDE - 1 + second + third;
    made->cabinets = butterfly.grid.cabinets;
    made->diameter = 2 + (butterfly.rows > 1);
    made->nonminimal_diameter = 2 * made->diameter;
    return STATUS_OK;
}

/* ---------------------------------------------------------------------------- folded Clos */

struct clos {
    const struct floor_config *floor;
    struct floor_grid grid;
    uint32_t node_cabinets;
    uint32_t router_cabinets; /* in the middle of the floor */
};

static uint32_t node_cabinet(const struct clos *clos, uint32_t number) {
    return number < clos->node_cabinets / 2 ? number : number + clos->router_cabinets;
}

static uint32_t router_cabinet(const struct clos *clos, uint32_t number) {
    return clos->node_cabinets / 2 + number;
}

static void add_clos_cables(struct rival_network *made, const struct clos *clos, uint64_t cables,
                            uint32_t from, uint32_t to) {
    floor_cable_bill_add(&made->global, clos->floor, cables,
                         floor_cable_mm(clos->floor, &clos->grid, from, to));
}

/* Builds a Clos network of two ranks up to 2048 nodes, and of three ranks beyond. Three ranks
 * consist of pods of 1024 nodes. The second-rank routers of a pod share a cabinet. Each has a cable
 * to a router of the third rank in each of 32 cabinets; if there are fewer cabinets, its cables are
 * divided equally among them. */
static status_code make_clos(struct rival_network *made, const struct floor_config *floor,
                             uint32_t nodes, struct status *status) {
    (void)status;
    const uint32_t pod_nodes = 1024;
    bool three = nodes > 2048;
    uint32_t leaves = nodes / LEAF_NODES, tops = leaves / 2, pods = nodes / pod_nodes;
    uint32_t top_cabinets = tops / ROUTERS_OF_CABINET > 0 ? tops / ROUTERS_OF_CABINET : 1;
    struct clos clos = {.floor = floor, .node_cabinets = nodes / NODES_OF_CABINET};
    clos.router_cabinets = top_cabinets + (three ? pods : 0);
    clos.grid = floor_grid_of(clos.node_cabinets + clos.router_cabinets, 1);
    for (uint32_t cabinet = 0; cabinet < clos.node_cabinets; cabinet++) {
        uint32_t from = node_cabinet(&clos, cabinet);
        uint32_t pod = cabinet * NODES_OF_CABINET / pod_nodes;
        if (three) {
            add_clos_cables(made, &clos, NODES_OF_CABINET, from, router_cabinet(&clos, pod));
        } else {
            for (uint32_t top = 0; top < top_cabinets; top++)
                add_clos_cables(made, &clos, NODES_OF_CABINET / top_cabinets, from,
                                router_cabinet(&clos, top));
        }
    }
    for (uint32_t pod = 0; three && pod < pods; pod++) {
        for (uint32_t top = 0; top < top_cabinets; top++)
            add_clos_cables(made, &clos, pod_nodes / top_cabinets, router_cabinet(&clos, pod),
                            router_cabinet(&clos, pods + top));
    }
    floor_cable_bill_add(&made->terminal, floor, nodes, floor->inside_mm);
    made->routers = (three ? 2 : 1) * leaves + tops;
    made->radix = 2 * LEAF_NODES;
    made->cabinets = clos.grid.cabinets;
    made->diameter = three ? 4 : 2;
    return STATUS_OK;
}

/* ---------------------------------------------------------------------------- torus */

/* Adds a dimension of the torus. Its rings pass through `cabinets` cabinets in a row, or lie in
 * one. A row is folded, so that neighbours are two cabinets apart, except at its two ends. Only the
 * cables from cabinet to cabinet leave a cabinet. */
static void add_rings(struct rival_network *made, const struct floor_config *floor, uint32_t nodes,
                      uint32_t size, uint32_t cabinets, int64_t pitch_mm) {
    uint64_t channels = size / 8; /* bandwidth for full uniform traffic, in channels */
    uint64_t rings = nodes / size;
    uint64_t across = cabinets > 1 ? cabinets : 0;
    uint64_t ends = across < 2 ? across : 2;
    floor_cable_bill_add(&made->local, floor, rings * channels * (size - across), floor->inside_mm);
    floor_cable_bill_add(&made->global, floor, rings * channels * ends,
                         pitch_mm + floor->overhead_mm);
    floor_cable_bill_add(&made->global, floor, rings * channels * (across - ends),
                         2 * pitch_mm + floor->overhead_mm);
    made->radix += 2;
    made->diameter += size / 2;
    made->router_bandwidth += 2 * channels;
}

/* Builds a torus with one router per node. Its longest dimension lies inside cabinets, the others
 * along the floor. */
static status_code make_torus(struct rival_network *made, const struct floor_config *floor,
                              uint32_t nodes, struct status *status) {
    (void)status;
    uint32_t size[3] = {8, 8, 16};
    for (uint32_t grown = 1024; grown < nodes; grown *= 2)
        size[size[0] < size[2] ? 0 : size[1] < size[2] ? 1 : 2] *= 2;
    uint32_t layer = NODES_OF_CABINET / size[2]; /* nodes of a cabinet along the floor */
    uint32_t inside_x = 1, inside_y = layer;
    while (inside_y > inside_x * 2)
        inside_x *= 2, inside_y /= 2;
    made->radix = 1;
    made->router_bandwidth = 1;
    add_rings(made, floor, nodes, size[0], size[0] / inside_x, floor->pitch_x_mm);
    add_rings(made, floor, nodes, size[1], size[1] / inside_y, floor->pitch_y_mm);
    add_rings(made, floor, nodes, size[2], 1, floor->pitch_y_mm);
    made->router_bandwidth *= nodes;
    floor_cable_bill_add(&made->terminal, floor, nodes, floor->inside_mm);
    made->routers = nodes;
    made->cabinets = nodes / NODES_OF_CABINET;
    return STATUS_OK;
}

/* ---------------------------------------------------------------------------- all */

const struct rival_kind *rival_kinds(void) {
    static const struct rival_kind kinds[] = {
        {"dragonfly", "groups of 512 nodes, p = h = 16, a = 32", make_dragonfly},
        {"dragonfly, small groups", "groups of 256 nodes, p = h = a = 16", make_small_groups},
        {"flattened butterfly", "16 nodes per router, up to 3 dimensions of 16", make_butterfly},
        {"folded Clos", "radix 64, two or three ranks", make_clos},
        {"3-D torus", "one node per router, channels as wide as uniform traffic needs", make_torus},
        {NULL, NULL, NULL},
    };
    return kinds;
}

status_code rival_network_make(struct rival_network *made, const struct rival_kind *kind,
                               const struct floor_config *floor, int64_t bandwidth_bytes_per_s,
                               uint32_t nodes, struct status *status) {
    *made = (struct rival_network){.nodes = nodes};
    RETURN_ERROR_IF(
        nodes < RIVAL_NODES_MIN || nodes > RIVAL_NODES_MAX || (nodes & (nodes - 1)) != 0, status,
        STATUS_USAGE, "networks of %u nodes are not compared; take a power of two from %d to %d",
        nodes, RIVAL_NODES_MIN, RIVAL_NODES_MAX);
    FORWARD_IF_ERROR(kind->make(made, floor, nodes, status));
    if (made->router_bandwidth == 0) made->router_bandwidth = made->routers * made->radix;
    struct floor_cable_bill *bills[] = {&made->terminal, &made->local, &made->global};
    for (size_t i = 0; i < sizeof bills / sizeof *bills; i++) {
        floor_cable_bill_finish(bills[i], bandwidth_bytes_per_s);
        made->cable_price_microdollars += (int64_t)bills[i]->price;
    }
    __int128 ports = (__int128)floor->router_price_bandwidth_microdollars * bandwidth_bytes_per_s *
                     8 * (int64_t)made->router_bandwidth / 1000000000;
    made->router_price_microdollars =
        floor->router_price_microdollars * (int64_t)made->routers + (int64_t)ports;
    return STATUS_OK;
}
