/*
 * Topologies: links, ports and cables are as many as the shape has, and averages are those of the
 * lists beside them.
 */
#include "tests/support/check/check_result.h"

#include <string.h>

struct shape {
    const struct place *result;
    const struct place *machine;
    whole number, machines; /* of the machine in the list; how many there are */
    whole groups, rails, per_router, per_group, globals; /* nodes of a router, routers, links */
    whole nodes, in_rail;                                /* in_rail: routers */
    whole local_links, global_links;
};

/* A list of all machines, cut to the rows of this one. */
struct part {
    struct place list;
    size_t first, count;
};

static struct part part_of(const struct shape *shape, const char *name) {
    struct part part = {.list = place_key(shape->result, name)};
    size_t rows = place_count(&part.list);
    for (size_t i = 0; i < rows; i++) {
        struct place row = place_item(&part.list, i);
        whole machine = place_whole(&row, "machine");
        place_at_most(&row, "machine", shape->machines - 1, "the last machine");
        part.first += machine < shape->number;
        part.count += machine == shape->number;
    }
    for (size_t i = part.first; i < part.first + part.count && i < rows; i++) {
        struct place row = place_item(&part.list, i);
        place_equals(&row, "machine", shape->number, "that of the rows around it");
    }
    return part;
}

static void check_shape(struct shape *shape) {
    const struct place *machine = shape->machine;
    shape->groups = place_whole(machine, "groups");
    shape->rails = place_whole(machine, "rails");
    shape->per_router = place_whole(machine, "nodes_per_router");
    shape->per_group = place_whole(machine, "routers_per_group");
    shape->globals = place_whole(machine, "globals_per_router");
    shape->in_rail = shape->groups * shape->per_group;
    check_machine_nodes(machine);
    shape->nodes = place_whole(machine, "nodes");
    shape->local_links = place_whole(machine, "local_links");
    shape->global_links = place_whole(machine, "global_links");
    whole radix = place_whole(machine, "radix");
    whole locals = radix - shape->per_router - shape->globals;
    if (place_has(machine, "ring_ports")) {
        place_equals(machine, "ring_ports", 2, "to the next router and from the one before");
        locals -= 2;
    }
    place_named(machine, "name");
    place_named(machine, "arrangement");
    place_equals(machine, "routers", shape->in_rail * shape->rails, "routers of all groups");
    place_equals(machine, "terminal_links", shape->in_rail * shape->per_router * shape->rails,
                 "one of each NIC");
    place_equals(machine, "virtual_radix", shape->per_group * (shape->per_router + shape->globals),
                 "ports of a group");
    if (!place_has(machine, "group_dimensions") && !place_has(machine, "group_links"))
        place_that(machine, locals == shape->per_group - 1, "%s local ports of a router",
                   whole_text(locals));
    place_that(machine,
               2 * (shape->local_links + place_whole(machine, "failed_local_links")) ==
                   shape->in_rail * locals * shape->rails,
               "local links do not use up the local ports");
    place_that(machine,
               2 * (shape->global_links + place_whole(machine, "failed_global_links")) +
                       place_whole(machine, "free_global_ports") ==
                   shape->in_rail * shape->globals * shape->rails,
               "global links and free ports do not use up the global ports");
    place_at_most(machine, "failed_routers", shape->in_rail * shape->rails, "all routers");
    place_millionths(machine, "global_bandwidth_share");
}

/* Minimal routes of completely connected groups, by the equation of docs/model.md, 12.1. */
static void check_minimal(const struct shape *shape) {
    const struct place *machine = shape->machine;
    if (place_has(machine, "group_dimensions") || place_whole(machine, "failed_routers") > 0 ||
        place_whole(machine, "failed_local_links") + place_whole(machine, "failed_global_links") >
            0)
        return;
    whole a = shape->per_group, g = shape->groups, inside = a > 1;
    whole hops = g * a * (a - 1) + g * (g - 1) * a * (a + 2 * (a - 1));
    place_equals(machine, "minimal_diameter", g > 1 ? 2 * inside + 1 : inside,
                 "that of such groups");
    if (shape->nodes > 1)
        place_is_ratio(machine, "minimal_mean_hops",
                       whole_times(hops, shape->per_router * shape->per_router),
                       whole_times(shape->nodes, shape->nodes - 1), "that of such groups");
}

/* Hops of each pair of routers, and what follows from them. */
static void check_distances(const struct shape *shape) {
    const struct place *machine = shape->machine;
    place_whole(machine, "minimal_diameter");
    whole minimal = place_millionths(machine, "minimal_mean_hops");
    place_that(machine, minimal <= whole_times(place_whole(machine, "minimal_diameter"), MILLION),
               "minimal_mean_hops is above minimal_diameter");
    check_minimal(shape);
    struct part part = part_of(shape, "router_pairs_by_hops");
    place_that(machine, (part.count > 0) == place_has(machine, "diameter"),
               "a diameter without the pairs, or pairs without it");
    if (part.count == 0) return;
    struct place pairs = part.list;
    whole count = 0, hops = 0, diameter = 0, routers = 0;
    for (size_t i = 0; i < part.count; i++) {
        struct place row = place_item(&pairs, part.first + i);
        whole here = place_whole(&row, "router_pairs");
        place_equals(&row, "hops", (whole)i, "its place in the list");
        if (i == 0) routers = here;
        if (here > 0) diameter = (whole)i;
        count += here;
        hops += here * (whole)i;
    }
    if (shape->rails == 1)
        place_that(&pairs, routers == shape->in_rail - place_whole(machine, "failed_routers"),
                   "%s routers", whole_text(routers));
    place_that(&pairs, count == routers * routers, "%s pairs of %s routers", whole_text(count),
               whole_text(routers));
    place_equals(machine, "diameter", diameter, "the most hops of a pair");
    place_at_least(machine, "minimal_diameter", diameter, "the diameter");
    whole nodes = routers * shape->per_router;
    whole of_nodes = whole_times(hops, shape->per_router * shape->per_router);
    if (nodes > 1)
        place_is_ratio(machine, "mean_hops", of_nodes, nodes * (nodes - 1), "that of the pairs");
    place_that(machine, minimal + 1 >= place_millionths(machine, "mean_hops"),
               "minimal_mean_hops is below mean_hops");
}

/* Pairs of groups in order, with all global links. */
static void check_wiring(const struct shape *shape) {
    struct part part = part_of(shape, "group_wiring");
    const whole of_row = shape->groups > 64 ? (shape->groups + 63) / 64 : 1;
    whole sum = 0, last = -1;
    for (size_t i = 0; i < part.count; i++) {
        struct place entry = place_item(&part.list, part.first + i);
        const whole one = place_whole(&entry, "group"), two = place_whole(&entry, "other_group");
        place_equals(&entry, "groups", of_row, "the groups of a row");
        place_at_least(&entry, "links", 1, "a pair that is joined");
        place_that(&entry, one % of_row == 0 && two % of_row == 0 && two < shape->groups,
                   "no such groups");
        place_that(&entry, of_row > 1 ? one <= two : one < two, "the groups are in no order");
        place_that(&entry, one * shape->groups + two > last, "it stands out of order");
        last = one * shape->groups + two;
        sum += place_whole(&entry, "links");
    }
    place_that(&part.list, sum == shape->global_links, "%s links, but there are %s",
               whole_text(sum), whole_text(shape->global_links));
}

static void check_pairs(const struct shape *shape) {
    const struct place *machine = shape->machine;
    struct part part = part_of(shape, "group_pairs_by_links");
    struct place list = part.list;
    whole pairs = shape->groups * (shape->groups - 1) / 2, found = 0, sum = 0, last = -1;
    size_t count = part.count;
    for (size_t i = 0; i < count; i++) {
        struct place entry = place_item(&list, part.first + i);
        whole here = place_whole(&entry, "links"), so_many = place_whole(&entry, "group_pairs");
        place_at_least(&entry, "links", last + 1, "more than the one before");
        place_at_least(&entry, "group_pairs", 1, "one that is there");
        if (i == 0) place_equals(machine, "least_links_per_pair", here, "the first of the list");
        if (i + 1 == count)
            place_equals(machine, "most_links_per_pair", here, "the last of the list");
        found += so_many;
        sum += here * so_many;
        last = here;
    }
    place_that(&list, found == pairs, "%s pairs of %s groups", whole_text(found),
               whole_text(shape->groups));
    if (shape->rails == 1)
        place_that(&list, sum == shape->global_links, "%s links, but there are %s", whole_text(sum),
                   whole_text(shape->global_links));
    if (pairs > 0) place_is_ratio(machine, "mean_links_per_pair", sum, pairs, "that of the list");
    whole mean = place_millionths(machine, "mean_nonminimal_paths_per_pair");
    if (!place_has(machine, "least_nonminimal_paths_per_pair")) return;
    whole min = place_whole(machine, "least_nonminimal_paths_per_pair");
    whole max = place_whole(machine, "most_nonminimal_paths_per_pair");
    place_that(machine, whole_times(min, MILLION) <= mean && mean <= whole_times(max, MILLION),
               "the mean of nonminimal paths is not between least and most");
    place_that(machine, count > 1 || min == max, "the pairs are alike, but their paths are not");
}

static void check_components(const struct shape *shape) {
    struct part sizes = part_of(shape, "components_by_size");
    whole routers = 0, count = 0;
    for (size_t i = 0; i < sizes.count; i++) {
        struct place size = place_item(&sizes.list, sizes.first + i);
        whole here = place_whole(&size, "routers"), so_many = place_whole(&size, "components");
        place_that(&size, here > 0 && so_many > 0, "none of them");
        routers += here * so_many;
        count += so_many;
    }
    place_equals(shape->machine, "global_components", count, "the sum over sizes");
    place_that(&sizes.list, routers == shape->in_rail, "%s routers, but there are %s",
               whole_text(routers), whole_text(shape->in_rail));
}

/* ---------------------------------------------------------------------------- cables */

struct bill {
    whole cables, optical, length, dollars, longest; /* length and dollars in millionths */
};

static struct bill check_bill(const struct place *cables) {
    struct bill bill = {place_whole(cables, "cables"), place_whole(cables, "optical"),
                        place_millionths(cables, "length_m"), place_millionths(cables, "dollars"),
                        place_millionths(cables, "longest_m")};
    place_equals(cables, "electrical", bill.cables - bill.optical, "those that are not optical");
    place_at_most(cables, "optical", bill.cables, "all cables");
    if (bill.cables > 0)
        place_equals_decimal(cables, "mean_length_m", bill.length / bill.cables,
                             "length_m / cables");
    place_that(cables, bill.length <= whole_times(bill.cables, bill.longest),
               "longer in all than so many of the longest");
    place_that(cables, bill.length >= bill.longest, "the longest is longer than all");
    return bill;
}

static void check_cables(const struct shape *shape) {
    static const char *const levels[] = {"terminal", "local", "global", "all"};
    const struct place *machine = shape->machine;
    struct part cables = part_of(shape, "cables");
    struct bill sum = {0};
    whole right[3] = {shape->nodes * shape->rails,
                      shape->local_links + place_whole(machine, "failed_local_links"),
                      shape->global_links + place_whole(machine, "failed_global_links")};
    if (!place_that(&cables.list, cables.count == 4, "not of four levels")) return;
    for (size_t i = 0; i < 4; i++) {
        struct place level = place_item(&cables.list, cables.first + i);
        struct bill bill = check_bill(&level);
        place_that(&level, strcmp(place_text(&level, "level"), levels[i]) == 0, "not %s",
                   levels[i]);
        if (i < 3) {
            place_equals(&level, "cables", right[i], "one for each link");
            sum.cables += bill.cables;
            sum.optical += bill.optical;
            sum.length += bill.length;
            sum.dollars += bill.dollars;
            if (bill.longest > sum.longest) sum.longest = bill.longest;
            continue;
        }
        place_equals(&level, "cables", sum.cables, "the sum over levels");
        place_equals(&level, "optical", sum.optical, "the sum over levels");
        place_equals_decimal(&level, "length_m", sum.length, "the sum over levels");
        place_equals_decimal(&level, "longest_m", sum.longest, "the longest of all levels");
        place_equals_decimal(&level, "dollars", sum.dollars, "the sum over levels");
    }
    place_equals_decimal(machine, "cable_dollars", sum.dollars, "the sum over levels");
    if (shape->nodes > 0)
        place_equals_decimal(machine, "dollars_per_node",
                             (place_millionths(machine, "cable_dollars") +
                              place_millionths(machine, "router_dollars")) /
                                 shape->nodes,
                             "all dollars over the nodes");
    place_at_least(machine, "cabinets", 1, "one cabinet");
    whole spaces = whole_times(place_whole(machine, "columns"), place_whole(machine, "rows"));
    place_at_most(machine, "cabinets", spaces, "columns and rows");
    if (place_has(machine, "crossover_m")) place_millionths(machine, "crossover_m");
}

/* ---------------------------------------------------------------------------- floor */

enum { PAIRED_CABINETS = 16 };

struct floor_sums {
    whole cabinets, numbers, ends, optical, length, longest;
    whole ways;                                   /* lengths of cables along rows and columns */
    whole x[PAIRED_CABINETS], y[PAIRED_CABINETS]; /* of the first cabinets */
};

static whole apart(whole one, whole two) {
    return one > two ? one - two : two - one;
}

/* Pairs of cabinets in order, with no more cables than there are; on the floor the cables run as
 * far as their cabinets are apart, and each is longer by the same. */
static void check_floor_pairs(const struct shape *shape, const struct floor_sums *sums,
                              whole cables) {
    struct part part = part_of(shape, "floor_cables");
    const whole cabinets = sums->cabinets;
    whole sum = 0, last = -1, more = 0, ways = 0;
    place_that(&part.list, cabinets <= PAIRED_CABINETS || part.count == 0, "pairs of %s cabinets",
               whole_text(cabinets));
    if (cabinets > PAIRED_CABINETS) return;
    for (size_t i = 0; i < part.count; i++) {
        struct place pair = place_item(&part.list, part.first + i);
        const whole one = place_whole(&pair, "cabinet"), two = place_whole(&pair, "other_cabinet");
        if (!place_that(&pair, one < two && two < cabinets, "no such cabinets")) return;
        const whole far = apart(sums->x[one], sums->x[two]) + apart(sums->y[one], sums->y[two]);
        if (i == 0) more = place_millionths(&pair, "length_m") - far;
        place_equals_decimal(&pair, "length_m", far + more, "as far as they are apart, and more");
        ways += far * place_whole(&pair, "cables");
        place_that(&pair, one * cabinets + two > last, "it stands out of order");
        place_at_least(&pair, "cables", 1, "a pair that is joined");
        last = one * cabinets + two;
        sum += place_whole(&pair, "cables");
    }
    place_that(&part.list, sum <= cables, "%s cables, but there are %s", whole_text(sum),
               whole_text(cables));
    place_that(&part.list, ways == sums->ways, "they run along other ways");
}

/* Numbers of cabinets, and of groups, which are as many for each cabinet. */
static void check_cabinet(const struct shape *shape, const struct place *entry,
                          struct floor_sums *sums) {
    const whole cabinet = place_whole(entry, "cabinet"), group = place_whole(entry, "group");
    const whole all = place_whole(shape->machine, "cabinets");
    const whole of_group = shape->groups > 0 && all >= shape->groups ? all / shape->groups : 1;
    place_at_most(entry, "cabinet", all - 1, "the last cabinet");
    sums->numbers += cabinet;
    if (of_group > 1 || all == shape->groups)
        place_that(entry, group == cabinet / of_group, "the group of another cabinet");
    else
        place_that(entry, (group < shape->groups && group >= cabinet) || cabinet >= shape->groups,
                   "no such group");
    if (cabinet >= PAIRED_CABINETS) return;
    sums->x[cabinet] = place_millionths(entry, "x_m");
    sums->y[cabinet] = place_millionths(entry, "y_m");
}

/* Places row by row, with all cabinets and both ends of all global cables. */
static void check_floor(const struct shape *shape) {
    const struct place *machine = shape->machine;
    struct part part = part_of(shape, "floor"), bills = part_of(shape, "cables");
    if (bills.count != 4 || !place_that(&part.list, part.count > 0, "no places")) return;
    struct place bill = place_item(&bills.list, bills.first + 2), entry;
    const whole columns = place_whole(machine, "columns"), rows = place_whole(machine, "rows");
    const whole max = columns > rows ? columns : rows, side = max > 64 ? (max + 63) / 64 : 1;
    const whole pitch_x = place_millionths(machine, "pitch_x_m");
    const whole pitch_y = place_millionths(machine, "pitch_y_m");
    struct floor_sums sums = {0};
    whole last = -1;
    for (size_t i = 0; i < part.count; i++) {
        entry = place_item(&part.list, part.first + i);
        const whole column = place_whole(&entry, "column"), row = place_whole(&entry, "row");
        const whole here = place_whole(&entry, "cables");
        place_equals(&entry, "side", side, "the cabinets of a place");
        place_that(&entry, column % side == 0 && column < columns && row % side == 0 && row < rows,
                   "it is not on the floor");
        place_that(&entry, row * columns + column > last, "it stands out of order");
        last = row * columns + column;
        place_equals_decimal(&entry, "x_m", column * pitch_x, "column x pitch_x_m");
        place_equals_decimal(&entry, "y_m", row * pitch_y, "row x pitch_y_m");
        place_at_most(&entry, "cabinets", side * side, "its columns and rows");
        place_at_most(&entry, "optical", here, "all of them");
        place_that(&entry, place_has(&entry, "cabinet") == (place_whole(&entry, "cabinets") > 0),
                   "a number without a cabinet, or a cabinet without one");
        place_that(&entry, place_has(&entry, "mean_length_m") == (here > 0),
                   "a length without cables, or cables without one");
        if (column + side >= columns)
            place_equals(&entry, "cables_right", 0, "no place is to the right");
        if (row + side >= rows) place_equals(&entry, "cables_below", 0, "no place is below");
        sums.cabinets += place_whole(&entry, "cabinets");
        sums.ends += here;
        sums.optical += place_whole(&entry, "optical");
        sums.ways += side * (place_whole(&entry, "cables_right") * pitch_x +
                             place_whole(&entry, "cables_below") * pitch_y);
        if (place_has(&entry, "cabinet")) check_cabinet(shape, &entry, &sums);
        if (here == 0) continue;
        sums.length += here * place_millionths(&entry, "mean_length_m");
        if (place_millionths(&entry, "longest_m") > sums.longest)
            sums.longest = place_millionths(&entry, "longest_m");
    }
    place_that(&part.list, sums.cabinets == place_whole(machine, "cabinets"), "%s cabinets",
               whole_text(sums.cabinets));
    if (side == 1)
        place_that(&part.list, 2 * sums.numbers == sums.cabinets * (sums.cabinets - 1),
                   "cabinets do not have different numbers");
    place_that(&part.list, sums.ends == 2 * place_whole(&bill, "cables"), "%s ends of cables",
               whole_text(sums.ends));
    place_that(&part.list, sums.optical == 2 * place_whole(&bill, "optical"), "%s of optical ones",
               whole_text(sums.optical));
    place_that(&part.list, sums.longest == place_millionths(&bill, "longest_m"),
               "the longest is not that of all cables");
    const whole twice = 2 * place_millionths(&bill, "length_m"); /* means are rounded down */
    place_that(&part.list, sums.length <= twice && twice <= sums.length + sums.ends,
               "cables are not as long as all of them");
    check_floor_pairs(shape, &sums, place_whole(&bill, "cables"));
}

void check_topologies(const struct place *result, const char *folder) {
    struct place machines = place_key(result, "machines");
    struct place changes = place_key(result, "settings_changed");
    (void)folder;
    place_that(&machines, place_count(&machines) > 0, "no machines");
    for (size_t i = 0; i < place_count(&changes); i++) {
        struct place change = place_item(&changes, i);
        place_at_most(&change, "machine", (whole)place_count(&machines) - 1, "the last machine");
    }
    for (size_t i = 0; i < place_count(&machines); i++) {
        struct place machine = place_item(&machines, i);
        struct shape shape = {.result = result,
                              .machine = &machine,
                              .number = (whole)i,
                              .machines = (whole)place_count(&machines)};
        place_equals(&machine, "machine", (whole)i, "its place in the list");
        check_shape(&shape);
        check_distances(&shape);
        check_pairs(&shape);
        check_wiring(&shape);
        check_components(&shape);
        check_cables(&shape);
        check_floor(&shape);
    }
}
