/*
 * The tables of links: what goes into a router comes out of it, what all links carried is what the
 * network says, and sums over groups and routers are those of their links.
 */
#include "tests/support/check/check_csv.h"
#include "tests/support/check/check_result.h"

#include <stdlib.h>
#include <string.h>

enum { INJECTION, EJECTION, LOCAL, GLOBAL, KINDS };
static const char *const kind_names[KINDS] = {"injection", "ejection", "local", "global"};

struct link_sum {
    whole links, packets, bytes, busy_ps, stalled_ps;
};

/* What came into a router less what left it, and what its nodes did during a measurement. */
struct router_sum {
    whole packets, bytes;
    whole sent, ejected, stalled_ps;
};

struct link_check {
    const struct place *result;
    const struct check_machine *machine;
    const struct check_packets *packets;
    struct csv_table table;
    struct link_sum kinds[KINDS];
    struct link_sum *pairs; /* [source group][destination group], of global links; NULL: too many */
    struct router_sum *routers;
    uint64_t one_way; /* sums over the channels' ends as they are, and the other way round */
    uint64_t other_way;
    whole measure_ps; /* 0: nothing was measured */
    whole bandwidth[KINDS];
};

enum { GROUPS_MAX = 4096, ROUTERS_MAX = 1 << 24 };

struct link_row {
    size_t row;
    int kind;
    whole source, destination, source_group, destination_group;
    struct link_sum sum;
};

static int kind_of(const char *text) {
    int kind = 0;
    while (kind < KINDS && strcmp(text, kind_names[kind]) != 0)
        kind++;
    return kind;
}

static void row_that(const struct link_check *check, const struct link_row *link, bool holds,
                     const char *what) {
    check_that(check->result->check, holds, "links.csv: row %zu: %s", link->row + 1, what);
}

static whole group_of(const struct link_check *check, whole router) {
    return router / check->machine->routers_per_group % check->machine->groups;
}

/* Both ends are there, in the groups that the row says. False: they cannot be used. */
static bool check_ends(const struct link_check *check, const struct link_row *link) {
    const struct check_machine *machine = check->machine;
    whole sources = link->kind == INJECTION ? machine->nodes : machine->routers;
    whole destinations = link->kind == EJECTION ? machine->nodes : machine->routers;
    bool inside = link->source < sources && link->destination < destinations;
    row_that(check, link, inside, "no such end");
    if (!inside) return false;
    whole nodes_of_group = machine->nodes / machine->groups;
    whole in_rail = machine->routers / machine->rails;
    whole from = link->source, to = link->destination;
    whole from_group = link->kind == INJECTION ? from / nodes_of_group : group_of(check, from);
    whole to_group = link->kind == EJECTION ? to / nodes_of_group : group_of(check, to);
    row_that(check, link, link->source_group == from_group && link->destination_group == to_group,
             "an end is in another group");
    row_that(check, link, (link->kind == GLOBAL) == (link->source_group != link->destination_group),
             "only global links lead to another group");
    if (link->kind == INJECTION || link->kind == EJECTION) {
        whole node = link->kind == INJECTION ? from : to;
        whole router = (link->kind == INJECTION ? to : from) % in_rail;
        row_that(check, link, machine->nics > 1 || node / machine->nodes_per_router == router,
                 "the node is at another router");
        return true;
    }
    row_that(check, link, from != to && from / in_rail == to / in_rail,
             "it leads to its own router, or to another rail");
    return true;
}

static void check_load(const struct link_check *check, const struct link_row *link) {
    const struct check_packets *packets = check->packets;
    row_that(check, link, link->sum.bytes >= whole_times(link->sum.packets, packets->min_bytes),
             "fewer bytes than the headers");
    row_that(check, link, link->sum.bytes <= whole_times(link->sum.packets, packets->max_bytes),
             "more bytes than so many packets hold");
    whole bandwidth = check->bandwidth[link->kind];
    row_that(check, link,
             bandwidth == 0 || link->sum.busy_ps >= whole_times(link->sum.bytes, TERA) / bandwidth,
             "busy for less than its bytes take");
    row_that(check, link, link->sum.packets > 0 || link->sum.busy_ps == 0, "busy without a packet");
}

static void check_measured(const struct link_check *check, const struct link_row *link) {
    const struct csv_table *table = &check->table;
    whole packets = csv_whole(table, link->row, "measured_packets");
    whole busy_ps = csv_whole(table, link->row, "measured_busy_ps");
    whole stalled_ps = csv_whole(table, link->row, "measured_stalled_ps");
    whole share = csv_millionths(table, link->row, "utilisation");
    row_that(check, link, packets <= link->sum.packets, "more packets measured than there were");
    row_that(check, link, busy_ps <= link->sum.busy_ps, "busy in the measurement for too long");
    row_that(check, link, stalled_ps <= link->sum.stalled_ps,
             "stalled in the measurement for too long");
    row_that(check, link, busy_ps + stalled_ps <= check->measure_ps,
             "busy and stalled for longer than the measurement");
    row_that(check, link, share <= MILLION, "utilisation above 1");
    row_that(check, link, share == whole_ratio(whole_times(busy_ps, MILLION), check->measure_ps),
             "utilisation is not measured_busy_ps over the measurement");
    whole router = link->kind == EJECTION ? link->source : link->destination;
    if (link->kind == INJECTION) check->routers[router].sent += packets;
    if (link->kind == INJECTION) check->routers[router].stalled_ps += stalled_ps;
    if (link->kind == EJECTION) check->routers[router].ejected += packets;
}

static void add(struct link_sum *sum, const struct link_sum *more) {
    sum->links++;
    sum->packets += more->packets;
    sum->bytes += more->bytes;
    sum->busy_ps += more->busy_ps;
    sum->stalled_ps += more->stalled_ps;
}

/* Channels have two directions: each row has one with its ends the other way round. Sums of a hash
 * tell that without a search. */
static uint64_t hash_of(int kind, whole from, whole to) {
    uint64_t hash = (uint64_t)from * 0x9e3779b97f4a7c15u + (uint64_t)to + ((uint64_t)kind << 56);
    hash = (hash ^ hash >> 31) * 0xbf58476d1ce4e5b9u;
    hash = (hash ^ hash >> 29) * 0x94d049bb133111ebu;
    return hash ^ hash >> 32;
}

static void note_direction(struct link_check *check, const struct link_row *link) {
    bool terminal = link->kind == INJECTION || link->kind == EJECTION;
    int kind = terminal ? INJECTION : link->kind;
    uint64_t hash = hash_of(kind, link->source, link->destination);
    if (link->kind != EJECTION) check->one_way += hash;
    if (link->kind != INJECTION) check->other_way += hash_of(kind, link->destination, link->source);
}

static void check_link(struct link_check *check, size_t row) {
    const struct csv_table *table = &check->table;
    struct link_row link = {row,
                            kind_of(csv_text(table, row, "kind")),
                            csv_whole(table, row, "source"),
                            csv_whole(table, row, "destination"),
                            csv_whole(table, row, "source_group"),
                            csv_whole(table, row, "destination_group"),
                            {1, csv_whole(table, row, "packets"), csv_whole(table, row, "bytes"),
                             csv_whole(table, row, "busy_ps"),
                             csv_whole(table, row, "stalled_ps")}};
    csv_whole(table, row, "port");
    row_that(check, &link,
             csv_whole(table, row, "held_ps") == 0 ||
                 (link.kind == INJECTION && config_acknowledges(check->result)),
             "held back by nothing");
    row_that(check, &link, csv_whole(table, row, "rail") < check->machine->rails, "no such rail");
    row_that(check, &link, link.kind < KINDS, "no kind of links");
    if (link.kind == KINDS || !check_ends(check, &link)) return;
    check_load(check, &link);
    note_direction(check, &link);
    add(&check->kinds[link.kind], &link.sum);
    if (link.kind != INJECTION) {
        check->routers[link.source].packets -= link.sum.packets;
        check->routers[link.source].bytes -= link.sum.bytes;
    }
    if (link.kind != EJECTION) {
        check->routers[link.destination].packets += link.sum.packets;
        check->routers[link.destination].bytes += link.sum.bytes;
    }
    if (link.kind == GLOBAL && check->pairs != NULL)
        add(&check->pairs[link.source_group * check->machine->groups + link.destination_group],
            &link.sum);
    if (check->measure_ps > 0) check_measured(check, &link);
}

/* ---------------------------------------------------------------------------- sums */

static void check_sums(const struct link_check *check) {
    struct check *of = check->result->check;
    const struct link_sum *kinds = check->kinds;
    const struct check_packets *packets = check->packets;
    whole forwarded = kinds[EJECTION].packets + kinds[LOCAL].packets + kinds[GLOBAL].packets;
    whole headers = whole_times(packets->packets, packets->header_bytes);
    whole all = packets->packets + packets->responses;
    check_that(of, kinds[INJECTION].packets == all,
               "links.csv: nodes inject %s packets, but there are %s, responses included",
               whole_text(kinds[INJECTION].packets), whole_text(all));
    check_that(of, kinds[EJECTION].packets == all,
               "links.csv: nodes get %s packets, but there are %s, responses included",
               whole_text(kinds[EJECTION].packets), whole_text(all));
    check_that(of, forwarded == packets->packet_hops + packets->response_hops,
               "links.csv: routers forward %s packets, but packet_hops and response_hops are %s",
               whole_text(forwarded), whole_text(packets->packet_hops + packets->response_hops));
    /* A packet without any byte counts as one. */
    whole max = packets->bytes + headers + (headers == 0 ? packets->packets : 0);
    if (packets->rounded) max = whole_times(packets->packets, packets->max_bytes);
    whole data = kinds[INJECTION].bytes - packets->response_bytes;
    check_that(of,
               kinds[INJECTION].bytes >= packets->response_bytes &&
                   data >= packets->bytes + headers && data <= max,
               "links.csv: nodes inject %s bytes besides responses, but bytes and headers are %s",
               whole_text(data), whole_text(packets->bytes + headers));
    check_that(of, kinds[INJECTION].bytes == kinds[EJECTION].bytes,
               "links.csv: nodes inject %s bytes and get %s", whole_text(kinds[INJECTION].bytes),
               whole_text(kinds[EJECTION].bytes));
    check_that(of, kinds[INJECTION].links == kinds[EJECTION].links,
               "links.csv: %s channels from nodes, %s to nodes", whole_text(kinds[INJECTION].links),
               whole_text(kinds[EJECTION].links));
    whole channels = check->machine->nodes * check->machine->nics * check->machine->rails;
    check_that(of,
               kinds[INJECTION].links == channels ||
                   (check->machine->fails && kinds[INJECTION].links < channels),
               "links.csv: %s channels from nodes, but the machine has %s",
               whole_text(kinds[INJECTION].links), whole_text(channels));
    check_that(of, check->one_way == check->other_way,
               "links.csv: a channel has only one direction");
    for (whole router = 0; router < check->machine->routers; router++) {
        const struct router_sum *sum = &check->routers[router];
        check_that(of, sum->packets == 0 && sum->bytes == 0,
                   "links.csv: router %s keeps %s packets, %s bytes", whole_text(router),
                   whole_text(sum->packets), whole_text(sum->bytes));
    }
}

static void check_groups(struct link_check *check, const char *folder) {
    struct csv_table table;
    whole groups = check->machine->groups;
    if (check->pairs == NULL) return;
    if (csv_open(&table, check->result->check, folder, "groups.csv")) {
        for (size_t row = 0; row < table.rows; row++) {
            whole from = csv_whole(&table, row, "source_group");
            whole to = csv_whole(&table, row, "destination_group");
            if (!check_that(check->result->check, from < groups && to < groups,
                            "groups.csv: row %zu: no such group", row + 1))
                continue;
            struct link_sum *pair = &check->pairs[from * groups + to];
            csv_equals(&table, row, "links", pair->links, "their number");
            csv_equals(&table, row, "packets", pair->packets, "the sum over links");
            csv_equals(&table, row, "bytes", pair->bytes, "the sum over links");
            csv_equals(&table, row, "busy_ps", pair->busy_ps, "the sum over links");
            csv_equals(&table, row, "stalled_ps", pair->stalled_ps, "the sum over links");
            *pair = (struct link_sum){0};
        }
    }
    csv_close(&table);
    for (whole i = 0; i < groups * groups; i++)
        check_that(check->result->check, check->pairs[i].links == 0,
                   "groups.csv: groups %s and %s are missing, or there twice",
                   whole_text(i / groups), whole_text(i % groups));
}

/* Bytes are at most what so many packets hold: exactly that, where every packet of the run is full
 * and there are no responses. */
static void check_terminal_bytes(const struct link_check *check, const struct csv_table *table,
                                 size_t row, const char *packets, const char *bytes) {
    const struct check_packets *all = check->packets;
    whole max = whole_times(csv_whole(table, row, packets), all->max_bytes);
    bool full = all->packet_bytes > 0 && all->responses == 0 &&
                all->bytes == whole_times(all->packets, all->packet_bytes);
    whole found = csv_whole(table, row, bytes);
    check_that(check->result->check, full ? found == max : found <= max,
               "routers.csv: row %zu: %s do not fit %s", row + 1, bytes, packets);
}

static void check_routers(const struct link_check *check, const char *folder) {
    static const char *const of[][2] = {{"injected_packets", "injected_bytes"},
                                        {"ejected_packets", "ejected_bytes"},
                                        {"sent_packets", "sent_bytes"}};
    struct csv_table table;
    if (csv_open(&table, check->result->check, folder, "routers.csv")) {
        check_that(check->result->check, (whole)table.rows == check->machine->routers,
                   "routers.csv: %zu rows", table.rows);
        for (size_t row = 0; row < table.rows && (whole)row < check->machine->routers; row++) {
            const struct router_sum *sum = &check->routers[row];
            csv_equals(&table, row, "router", (whole)row, "its place");
            csv_equals(&table, row, "group", group_of(check, (whole)row), "its place");
            csv_equals(&table, row, "sent_packets", sum->sent, "the sum over links");
            csv_equals(&table, row, "ejected_packets", sum->ejected, "the sum over links");
            csv_equals(&table, row, "injection_stalled_ps", sum->stalled_ps, "the sum over links");
            for (size_t i = 0; i < 3; i++)
                check_terminal_bytes(check, &table, row, of[i][0], of[i][1]);
        }
    }
    csv_close(&table);
}

/* A row says what an entry of busiest_links says. */
static bool is_row(const struct link_check *check, size_t row, const struct place *link) {
    bool same = check->table.columns == place_keys(link);
    for (size_t i = 0; i < check->table.columns && same; i++)
        same = csv_is(&check->table, row, check->table.cells[i], link);
    return same;
}

/* The busiest links in JSON are rows of the table, the first one with the most of it. */
static void check_busiest(const struct link_check *check) {
    struct place links = place_key(check->result, "busiest_links");
    size_t count = place_count(&links);
    whole max_ps = 0;
    for (size_t row = 0; row < check->table.rows; row++) {
        whole busy_ps = csv_whole(&check->table, row, "busy_ps");
        if (busy_ps > max_ps) max_ps = busy_ps;
    }
    for (size_t i = 0; i < count; i++) {
        struct place link = place_item(&links, i);
        size_t row = 0;
        while (row < check->table.rows && !is_row(check, row, &link))
            row++;
        place_that(&link, row < check->table.rows, "no row of links.csv says the same");
        if (i == 0) place_equals(&link, "busy_ps", max_ps, "the most of links.csv");
    }
}

static void find_bandwidths(struct link_check *check) {
    static const char *const kinds[KINDS] = {"terminal", "terminal", "local", "global"};
    for (int kind = 0; kind < KINDS; kind++)
        check->bandwidth[kind] = check_bandwidth_of(check->result, kinds[kind]);
    whole nic = config_bandwidth(check->result, "network.nic.bandwidth");
    if (nic > 0 && nic < check->bandwidth[INJECTION]) check->bandwidth[INJECTION] = nic;
}

void check_link_tables(const struct place *result, const char *folder,
                       const struct check_machine *machine, const struct check_packets *packets) {
    struct link_check check = {.result = result, .machine = machine, .packets = packets};
    if (!place_that(result, machine->routers > 0 && machine->routers <= ROUTERS_MAX,
                    "a machine of %s routers", whole_text(machine->routers)))
        return;
    find_bandwidths(&check);
    check.routers = calloc((size_t)machine->routers, sizeof *check.routers);
    if (machine->groups <= GROUPS_MAX)
        check.pairs = calloc((size_t)(machine->groups * machine->groups), sizeof *check.pairs);
    if (csv_open(&check.table, result->check, folder, "links.csv") && check.routers != NULL) {
        if (csv_has(&check.table, "utilisation"))
            check.measure_ps = config_time(result, "traffic.measure");
        for (size_t row = 0; row < check.table.rows; row++)
            check_link(&check, row);
        check_sums(&check);
        check_groups(&check, folder);
        check_busiest(&check);
        if (check.measure_ps > 0) check_routers(&check, folder);
    }
    csv_close(&check.table);
    free(check.routers);
    free(check.pairs);
}
