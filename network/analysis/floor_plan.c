/*
 * Computes cabinets on a floor, the cables between them, and prices.
 *
 * Must not know what is printed. Invariant: the length of a cable depends on its two cabinets
 * alone, its price on its length and bandwidth. Sums are exact, and rounded once to millionths of a
 * dollar.
 */
#include "network/analysis/floor_plan.h"

#include <inttypes.h>

#define FLOOR_AT(member) offsetof(struct floor_config, member)
#define LENGTH_MAX       INT64_C(100000)        /* 100 m */
#define PRICE_MAX        INT64_C(1000000000000) /* a million dollars */
#define BITS_PER_GBIT    INT64_C(1000000000)

const struct setting_row floor_setting_rows[] = {
    {.name = "floor.groups_per_cabinet",
     .kind = SETTING_COUNT,
     .offset = FLOOR_AT(groups_per_cabinet),
     .minimum = 1,
     .maximum = 65535,
     .initial = "1",
     .help = "groups that share a cabinet"},
    {.name = "floor.cabinets_per_group",
     .kind = SETTING_COUNT,
     .offset = FLOOR_AT(cabinets_per_group),
     .minimum = 1,
     .maximum = 1024,
     .initial = "1",
     .help = "cabinets that a group is spread over, its routers in order"},
    {.name = "floor.pitch_x",
     .kind = SETTING_LENGTH,
     .offset = FLOOR_AT(pitch_x_mm),
     .minimum = 1,
     .maximum = LENGTH_MAX,
     .initial = "1.3m",
     .help = "distance from the middle of a cabinet to that of its neighbour in a row"},
    {.name = "floor.pitch_y",
     .kind = SETTING_LENGTH,
     .offset = FLOOR_AT(pitch_y_mm),
     .minimum = 1,
     .maximum = LENGTH_MAX,
     .initial = "1.3m",
     .help = "distance from the middle of a row of cabinets to that of the next row"},
    {.name = "floor.overhead",
     .kind = SETTING_LENGTH,
     .offset = FLOOR_AT(overhead_mm),
     .maximum = LENGTH_MAX,
     .initial = "2m",
     .help = "length of a cable between cabinets beyond their distance: the way up and down at its "
             "ends"},
    {.name = "floor.inside",
     .kind = SETTING_LENGTH,
     .offset = FLOOR_AT(inside_mm),
     .maximum = LENGTH_MAX,
     .initial = "1m",
     .help = "length of a cable inside a cabinet"},
    {.name = "floor.optical_from",
     .kind = SETTING_LENGTH,
     .offset = FLOOR_AT(optical_from_mm),
     .maximum = LENGTH_MAX,
     .initial = "0",
     .help = "length from which on cables are optical; 0: each cable is of the cheaper kind"},
    {.name = "price.electrical",
     .kind = SETTING_RATIO,
     .offset = FLOOR_AT(electrical_fixed_microdollars),
     .maximum = PRICE_MAX,
     .initial = "2.16",
     .help =
         "dollars per Gbit/s of an electrical cable, whatever its length (Abts 2011, Figure 4.4)"},
    {.name = "price.electrical_per_metre",
     .kind = SETTING_RATIO,
     .offset = FLOOR_AT(electrical_per_metre_microdollars),
     .maximum = PRICE_MAX,
     .initial = "1.4",
     .help = "dollars per Gbit/s and metre of an electrical cable"},
    {.name = "price.optical",
     .kind = SETTING_RATIO,
     .offset = FLOOR_AT(optical_fixed_microdollars),
     .maximum = PRICE_MAX,
     .initial = "9.71",
     .help = "dollars per Gbit/s of an optical cable, whatever its length (Abts 2011, Figure 4.4)"},
    {.name = "price.optical_per_metre",
     .kind = SETTING_RATIO,
     .offset = FLOOR_AT(optical_per_metre_microdollars),
     .maximum = PRICE_MAX,
     .initial = "0.364",
     .help = "dollars per Gbit/s and metre of an optical cable"},
    {.name = "price.router",
     .kind = SETTING_RATIO,
     .offset = FLOOR_AT(router_price_microdollars),
     .maximum = PRICE_MAX,
     .initial = "0",
     .help = "dollars of a router, whatever its ports; 0: only cables have a price"},
    {.name = "price.router_bandwidth",
     .kind = SETTING_RATIO,
     .offset = FLOOR_AT(router_price_bandwidth_microdollars),
     .maximum = PRICE_MAX,
     .initial = "0",
     .help = "dollars of a router per Gbit/s of its ports"},
};

const size_t floor_setting_count = sizeof floor_setting_rows / sizeof *floor_setting_rows;

status_code floor_config_check(const struct floor_config *config, uint32_t routers,
                               struct status *status) {
    RETURN_ERROR_IF(config->groups_per_cabinet > 1 && config->cabinets_per_group > 1, status,
                    STATUS_USAGE,
                    "floor.groups_per_cabinet is %" PRId64 " and floor.cabinets_per_group is "
                    "%" PRId64 "; one of them must be 1",
                    config->groups_per_cabinet, config->cabinets_per_group);
    RETURN_ERROR_IF(config->cabinets_per_group > routers, status, STATUS_USAGE,
                    "floor.cabinets_per_group is %" PRId64 ", but a group has only %" PRIu32
                    " routers; lower it",
                    config->cabinets_per_group, routers);
    return STATUS_OK;
}

/* ---------------------------------------------------------------------------- cables */

static uint32_t ceiling_of_root(uint32_t number) {
    uint32_t root = 1;
    while ((uint64_t)root * root < number)
        root++;
    return root;
}

struct floor_grid floor_grid_of(uint32_t blocks, uint32_t of_block) {
    struct floor_grid grid = {.cabinets = blocks * of_block, .cabinets_per_block = of_block};
    grid.block_columns = ceiling_of_root(of_block);
    grid.block_rows = (of_block + grid.block_columns - 1) / grid.block_columns;
    uint32_t across = 1, down = blocks;
    while ((uint64_t)across * grid.block_columns < (uint64_t)down * grid.block_rows) {
        across++;
        down = (blocks + across - 1) / across;
    }
    grid.blocks_across = across;
    grid.columns = across * grid.block_columns;
    grid.rows = down * grid.block_rows;
    return grid;
}

struct floor_position floor_position_of(const struct floor_grid *grid, uint32_t cabinet) {
    uint32_t block = cabinet / grid->cabinets_per_block,
             inside = cabinet % grid->cabinets_per_block;
    return (struct floor_position){
        block % grid->blocks_across * grid->block_columns + inside % grid->block_columns,
        block / grid->blocks_across * grid->block_rows + inside / grid->block_columns};
}

static int64_t distance_mm(uint32_t one, uint32_t two, int64_t pitch_mm) {
    return (one > two ? one - two : two - one) * pitch_mm;
}

int64_t floor_cable_mm(const struct floor_config *config, const struct floor_grid *grid,
                       uint32_t from, uint32_t to) {
    if (from == to) return config->inside_mm;
    struct floor_position one = floor_position_of(grid, from), two = floor_position_of(grid, to);
    return distance_mm(one.x, two.x, config->pitch_x_mm) +
           distance_mm(one.y, two.y, config->pitch_y_mm) + config->overhead_mm;
}

/* Returns the price in thousandths of a millionth of a dollar per Gbit/s, which is exact for whole
 * millimetres. */
static __int128 price_of(int64_t fixed, int64_t per_metre, int64_t length_mm) {
    return (__int128)fixed * 1000 + (__int128)per_metre * length_mm;
}

bool floor_cable_is_optical(const struct floor_config *config, int64_t length_mm) {
    if (config->optical_from_mm > 0) return length_mm >= config->optical_from_mm;
    return price_of(config->optical_fixed_microdollars, config->optical_per_metre_microdollars,
                    length_mm) < price_of(config->electrical_fixed_microdollars,
                                          config->electrical_per_metre_microdollars, length_mm);
}

static __int128 exact_price(const struct floor_config *config, int64_t length_mm) {
    return floor_cable_is_optical(config, length_mm)
               ? price_of(config->optical_fixed_microdollars,
                          config->optical_per_metre_microdollars, length_mm)
               : price_of(config->electrical_fixed_microdollars,
                          config->electrical_per_metre_microdollars, length_mm);
}

int64_t floor_crossover_mm(const struct floor_config *config) {
    int64_t dearer = config->optical_fixed_microdollars - config->electrical_fixed_microdollars;
    int64_t saved =
        config->electrical_per_metre_microdollars - config->optical_per_metre_microdollars;
    if (dearer <= 0) return saved >= 0 ? 0 : -1;
    if (saved <= 0) return -1;
    return (int64_t)(((__int128)dearer * 1000 + saved - 1) / saved);
}

void floor_cable_bill_add(struct floor_cable_bill *bill, const struct floor_config *config,
                          uint64_t cables, int64_t length_mm) {
    if (cables == 0) return;
    bill->cables += cables;
    if (floor_cable_is_optical(config, length_mm)) bill->optical += cables;
    bill->length_mm += (int64_t)cables * length_mm;
    if (length_mm > bill->longest_mm) bill->longest_mm = length_mm;
    bill->price += exact_price(config, length_mm) * cables;
}

/* ---------------------------------------------------------------------------- a machine */

struct layout {
    const struct floor_config *config;
    const struct topology *topology;
    struct floor_grid grid;
};

uint32_t floor_cabinet_of(const struct floor_config *config, const struct topology *topology,
                          uint32_t group, uint32_t router) {
    uint32_t spread = (uint32_t)config->cabinets_per_group;
    if (spread == 1) return group / (uint32_t)config->groups_per_cabinet;
    return group * spread + router * spread / topology->routers_per_group;
}

static uint32_t cabinet_of(const struct layout *layout, uint32_t group, uint32_t router) {
    return floor_cabinet_of(layout->config, layout->topology, group, router);
}

/* Adds the local cables of all groups. The blocks of cabinets are alike, and so are the groups in a
 * cabinet, so the first group stands for all. */
static void add_locals(struct floor_bill *whole, const struct layout *layout) {
    const struct topology *topology = layout->topology;
    struct floor_cable_bill *bill = &whole->level[NETWORK_LOCAL];
    for (uint32_t router = 0; router < topology->routers_per_group; router++) {
        uint32_t from = cabinet_of(layout, 0, router);
        for (uint32_t port = topology->endpoints_per_router; port < topology->first_global_port;
             port++) {
            uint32_t end = topology_local_end(topology, router, port).router;
            if (end <= router) continue;
            __int128 before = bill->price;
            floor_cable_bill_add(
                bill, layout->config, topology->groups,
                floor_cable_mm(layout->config, &layout->grid, from, cabinet_of(layout, 0, end)));
            uint32_t type = topology_channel_type(topology, router, port);
            if (type >= NETWORK_CHANNEL_KINDS)
                whole->more_local_prices[type - NETWORK_CHANNEL_KINDS] += bill->price - before;
        }
    }
}

static void add_globals(struct floor_cable_bill *bill, const struct layout *layout) {
    const struct topology *topology = layout->topology;
    uint32_t h = topology->globals_per_router, links = topology->links_per_group;
    for (uint32_t position = 0; position < topology->groups * links; position++) {
        uint32_t end = topology->link_peers[position];
        if (end == TOPOLOGY_UNCONNECTED || end < position) continue;
        uint32_t from = cabinet_of(layout, position / links, position % links / h);
        uint32_t to = cabinet_of(layout, end / links, end % links / h);
        floor_cable_bill_add(bill, layout->config, 1,
                             floor_cable_mm(layout->config, &layout->grid, from, to));
    }
}

/* Returns the price of a bandwidth. Divides by 1000 and by the bits of a Gbit, and rounds to the
 * nearest whole number. */
static __int128 bandwidth_price(__int128 price_per_gbit, int64_t bytes_per_s) {
    const __int128 divisor = (__int128)1000 * BITS_PER_GBIT;
    __int128 bits = (__int128)bytes_per_s * 8;
    return price_per_gbit / divisor * bits +
           (price_per_gbit % divisor * bits + divisor / 2) / divisor;
}

void floor_cable_bill_finish(struct floor_cable_bill *bill, int64_t bytes_per_s) {
    bill->price = bandwidth_price(bill->price, bytes_per_s);
}

/* Finishes the bill of local cables, whose channels may be of several types. */
static void finish_locals(struct floor_bill *bill, const struct network_config *network) {
    struct floor_cable_bill *locals = &bill->level[NETWORK_LOCAL];
    __int128 price = 0;
    for (uint32_t type = NETWORK_CHANNEL_KINDS; type < NETWORK_CHANNEL_TYPES; type++) {
        __int128 *more = &bill->more_local_prices[type - NETWORK_CHANNEL_KINDS];
        *more *= network->rails;
        locals->price -= *more;
        *more = bandwidth_price(*more, network_config_raw_bytes_per_s(network, type));
        price += *more;
    }
    floor_cable_bill_finish(locals, network_config_raw_bytes_per_s(network, NETWORK_LOCAL));
    locals->price += price;
}

/* Returns the bandwidth of all local ports of a router. */
static __int128 local_bandwidth(const struct network_config *network,
                                const struct topology *topology, uint32_t router) {
    __int128 sum = 0;
    for (uint32_t port = topology->endpoints_per_router;
         port < topology->endpoints_per_router + topology->group_shape.ports_per_router; port++)
        sum +=
            network_config_raw_bytes_per_s(network, topology_channel_type(topology, router, port));
    return sum;
}

static __int128 price_of_routers(const struct floor_config *config,
                                 const struct network_config *network,
                                 const struct topology *topology) {
    __int128 sum = 0; /* of the routers of a group */
    for (uint32_t router = 0; router < topology->routers_per_group; router++) {
        __int128 bytes_per_s = (__int128)topology->endpoints_per_router *
                                   network->channels[NETWORK_TERMINAL].bandwidth_bytes_per_s +
                               local_bandwidth(network, topology, router) +
                               (__int128)topology->globals_per_router *
                                   network->channels[NETWORK_GLOBAL].bandwidth_bytes_per_s;
        sum += config->router_price_microdollars +
               (config->router_price_bandwidth_microdollars * bytes_per_s * 8 + BITS_PER_GBIT / 2) /
                   BITS_PER_GBIT;
    }
    return sum * topology->groups;
}

status_code floor_bill_count(struct floor_bill *bill, const struct floor_config *config,
                             const struct topology *topology, struct status *status) {
    *bill = (struct floor_bill){0};
    FORWARD_IF_ERROR(floor_config_check(config, topology->routers_per_group, status));
    uint32_t sharing = (uint32_t)config->groups_per_cabinet;
    uint32_t blocks = (topology->groups + sharing - 1) / sharing; /* 1 if a group spans cabinets */
    struct layout layout = {config, topology,
                            floor_grid_of(blocks, (uint32_t)config->cabinets_per_group)};
    bill->grid = layout.grid;
    uint64_t nodes = (uint64_t)topology->endpoints_per_group * topology->groups;
    floor_cable_bill_add(&bill->level[NETWORK_TERMINAL], config, nodes, config->inside_mm);
    add_locals(bill, &layout);
    add_globals(&bill->level[NETWORK_GLOBAL], &layout);
    return STATUS_OK;
}

/* Multiplies a bill by the number of rails: the cabinets of a group hold its routers of all
 * rails. */
static void for_rails(struct floor_cable_bill *bill, int64_t rails) {
    bill->cables *= (uint64_t)rails;
    bill->optical *= (uint64_t)rails;
    bill->length_mm *= rails;
    bill->price *= rails;
}

status_code floor_bill_make(struct floor_bill *bill, const struct floor_config *config,
                            const struct network_config *network, const struct topology *topology,
                            struct status *status) {
    FORWARD_IF_ERROR(floor_bill_count(bill, config, topology, status));
    __int128 cables = 0, routers = price_of_routers(config, network, topology) * network->rails;
    for (int level = 0; level < NETWORK_CHANNEL_KINDS; level++) {
        for_rails(&bill->level[level], network->rails);
        if (level == NETWORK_LOCAL)
            finish_locals(bill, network);
        else
            floor_cable_bill_finish(&bill->level[level],
                                    network->channels[level].bandwidth_bytes_per_s);
        cables += bill->level[level].price;
    }
    RETURN_ERROR_IF(cables > INT64_MAX || routers > INT64_MAX || cables + routers > INT64_MAX,
                    status, STATUS_USAGE,
                    "cables and routers cost more than 9 trillion dollars; check price.* and the "
                    "bandwidths");
    bill->cable_price_microdollars = (int64_t)cables;
    bill->router_price_microdollars = (int64_t)routers;
    return STATUS_OK;
}
