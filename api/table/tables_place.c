/* The tables of a placement. */
#include "api/results/placement_numbers.h"
#include "api/run/place.h"
#include "api/table/tables.h"

/* ---- the placement itself ---- */

struct placement_row {
    const char *placement;
    int64_t seed;
};

static status_code visit_placement(const struct table_source *source, const struct table_sink *sink,
                                   struct status *status) {
    (void)status;
    const struct placement_row row = {placement_policy_names()[source->config->placement.policy],
                                      source->config->run.seed};
    table_add(sink, &row);
    return STATUS_OK;
}

static const struct table_column placement_columns[] = {
    TABLE_NAME(placement_row, placement, "placement", "placement policy"),
    TABLE_COLUMN(placement_row, seed, "seed", "", "number that all random choices follow from"),
};

static const struct table result = {
    .name = "result",
    .form = TABLE_KEYS,
    TABLE_LIST(placement_columns),
    .visit = visit_placement,
    .help = "the placement",
};

static status_code visit_used(const struct table_source *source, const struct table_sink *sink,
                              struct status *status) {
    (void)status;
    table_add(sink, source->placement);
    return STATUS_OK;
}

static const struct table_column used_columns[] = {
    TABLE_COLUMN(anax_placement, nodes_used, "nodes", "", "nodes that hold ranks"),
    TABLE_COLUMN(anax_placement, routers_used, "routers", "", "routers whose nodes hold ranks"),
    TABLE_COLUMN(anax_placement, groups_used, "groups", "", "groups whose nodes hold ranks"),
};

static const struct table machine_used = {
    .name = "used",
    .form = TABLE_OBJECT,
    TABLE_LIST(used_columns),
    .visit = visit_used,
    .help = "the part of the machine that holds ranks",
};

/* ---- traffic ---- */

struct traffic_row {
    const char *distance;
    uint64_t pairs, messages;
    wide bytes;
    int64_t share;
};

static struct traffic_row all_traffic(const anax_placement *placement) {
    struct traffic_row all = {.pairs = placement->traffic.edge_count};
    for (unsigned i = 0; i < PLACEMENT_DISTANCES; i++) {
        all.messages += placement->messages[i];
        all.bytes += placement->bytes[i];
    }
    return all;
}

static status_code visit_traffic(const struct table_source *source, const struct table_sink *sink,
                                 struct status *status) {
    (void)status;
    const struct traffic_row row = all_traffic(source->placement);
    table_add(sink, &row);
    return STATUS_OK;
}

static status_code visit_distances(const struct table_source *source, const struct table_sink *sink,
                                   struct status *status) {
    (void)status;
    const anax_placement *placement = source->placement;
    const struct traffic_row all = all_traffic(placement);
    for (unsigned i = 0; i < PLACEMENT_DISTANCES; i++) {
        const struct traffic_row row = {
            .distance = placement_distance_names[i],
            .messages = placement->messages[i],
            .bytes = placement->bytes[i],
            .share = table_ratio(placement->bytes[i], all.bytes),
        };
        table_add(sink, &row);
    }
    return STATUS_OK;
}

static const struct table_column traffic_columns[] = {
    TABLE_COLUMN(traffic_row, pairs, "pairs", "",
                 "pairs of ranks that send, each direction for itself"),
    TABLE_COLUMN(traffic_row, messages, "messages", "",
                 "messages between ranks, those of collectives included"),
    TABLE_COLUMN(traffic_row, bytes, "bytes", "bytes", "payload of these messages"),
};

static const struct table traffic = {
    .name = "traffic",
    .form = TABLE_OBJECT,
    TABLE_LIST(traffic_columns),
    .visit = visit_traffic,
    .help = "the messages between ranks",
};

static const struct table_column distance_columns[] = {
    TABLE_NAME(traffic_row, distance, "distance",
               "same_node, same_router, same_group (but another router) or other_group"),
    TABLE_COLUMN(traffic_row, messages, "messages", "", "messages between ranks so far apart"),
    TABLE_COLUMN(traffic_row, bytes, "bytes", "bytes", "payload of these messages"),
    TABLE_SHARE(traffic_row, share, "share", "", "share of all bytes; null if there are none"),
};

static const struct table distances = {
    .name = "distances",
    .form = TABLE_ARRAY,
    TABLE_LIST(distance_columns),
    .visit = visit_distances,
    .help = "a distance between the two ends of messages",
};

/* ---- expected links ---- */

struct expected_row {
    const char *kind;
    struct expected_links links;
    wide mean_bytes, max_time_ps;
    int64_t source, destination;
};

static status_code visit_links(const struct table_source *source, const struct table_sink *sink,
                               struct status *status) {
    (void)status;
    for (unsigned kind = 0; kind < EXPECTED_KINDS; kind++) {
        const struct expected_links *links = &source->placement->links[kind];
        const bool used = links->used > 0;
        const struct expected_row row = {
            .kind = placement_link_names[kind],
            .links = *links,
            .mean_bytes = links->links > 0 ? links->total_bytes / links->links : 0,
            .max_time_ps = placement_link_time_ps(links),
            .source = used ? links->source : TABLE_NONE,
            .destination = used ? links->destination : TABLE_NONE,
        };
        table_add(sink, &row);
    }
    return STATUS_OK;
}

static const struct table_column link_columns[] = {
    TABLE_NAME(expected_row, kind, "kind",
               "injection (node to router), ejection (router to node), local or global"),
    TABLE_COLUMN(expected_row, links.links, "links", "",
                 "number of channels: each link counts once in each direction"),
    TABLE_COLUMN(expected_row, links.used, "used", "", "channels that carry anything"),
    TABLE_COLUMN(expected_row, links.total_bytes, "bytes", "bytes", "bytes over all channels"),
    TABLE_COLUMN(expected_row, mean_bytes, "mean_bytes", "bytes",
                 "bytes per channel, rounded down; 0 without channels"),
    TABLE_COLUMN(expected_row, links.max_bytes, "max_bytes", "bytes",
                 "bytes over the channel that takes longest for its load"),
    TABLE_COLUMN(expected_row, max_time_ps, "max_time_ps", "ps",
                 "time in which that channel carries them, rounded up"),
    TABLE_COLUMN(expected_row, source, "source", "",
                 "source of that channel: a router, of injection a node; null if nothing is "
                 "carried"),
    TABLE_COLUMN(expected_row, destination, "destination", "",
                 "its destination: a router, of ejection a node; null if nothing is carried"),
};

static const struct table links = {
    .name = "expected_links",
    .form = TABLE_ARRAY,
    TABLE_LIST(link_columns),
    .visit = visit_links,
    .help = "a kind of link, and its load if all messages take minimal paths",
};

/* ---- ranks ---- */

struct rank_row {
    int64_t rank, node, router, group, nic;
};

static status_code visit_ranks(const struct table_source *source, const struct table_sink *sink,
                               struct status *status) {
    (void)status;
    const struct network_config *network = &source->config->network;
    const struct node_shape shape = network_config_node(network);
    const struct placement *placement = source->placement->placement;
    for (uint32_t rank = 0; rank < placement->rank_count; rank++) {
        struct rank_row row = {.rank = rank, .node = placement->node_of_rank[rank]};
        uint32_t nic = place_nic(network, placement, rank);
        row.nic = nic != NETWORK_NIC_ANY ? (int64_t)nic - 1 : TABLE_NONE;
        row.router =
            node_shape_endpoint(&shape, (uint32_t)row.node, nic != NETWORK_NIC_ANY ? nic - 1 : 0) /
            shape.endpoints_per_router;
        row.group = row.router / network->routers_per_group;
        table_add(sink, &row);
    }
    return STATUS_OK;
}

static const struct table_column rank_columns[] = {
    TABLE_COLUMN(rank_row, rank, "rank", "", "number of the rank"),
    TABLE_COLUMN(rank_row, node, "node", "", "node that it runs on"),
    TABLE_COLUMN(rank_row, router, "router", "",
                 "router of the node in the first rail; if the node has several, that of the "
                 "rank's NIC, or of the first NIC if messages choose"),
    TABLE_COLUMN(rank_row, group, "group", "", "group of the node"),
    TABLE_COLUMN(rank_row, nic, "nic", "",
                 "NIC that the rank uses; null if its node has one, or if messages choose "
                 "(network.node.nic_choice)"),
};

static const struct table ranks = {
    .name = "ranks",
    .form = TABLE_ARRAY,
    TABLE_LIST(rank_columns),
    .visit = visit_ranks,
    .help = "an MPI rank, and where it runs",
};

/* ---- the search ---- */

static bool has_search(const struct table_source *source) {
    return source->placement == NULL || source->placement->search.placements > 0;
}

static const struct table_condition searched = {has_search, "with exchange.placements"};

struct search_row {
    uint64_t placements, replays;
    wide start_busiest_ps, busiest_ps, start_bytes, bytes;
    int64_t start_time_ps, time_ps;
};

static status_code visit_search(const struct table_source *source, const struct table_sink *sink,
                                struct status *status) {
    (void)status;
    const struct placement_search_numbers *search = &source->placement->search;
    const struct search_row row = {.placements = search->placements,
                                   .replays = search->replays,
                                   .start_busiest_ps = search->start_busiest_ps,
                                   .busiest_ps = search->busiest_ps,
                                   .start_bytes = search->start_bytes,
                                   .bytes = search->bytes,
                                   .start_time_ps =
                                       table_of(search->replays, search->start_time_ps),
                                   .time_ps = table_of(search->replays, search->time_ps)};
    table_add(sink, &row);
    return STATUS_OK;
}

static const struct table_column search_columns[] = {
    TABLE_COLUMN(search_row, placements, "placements", "",
                 "placements that were compared by the loads of links"),
    TABLE_COLUMN(
        search_row, start_busiest_ps, "start_busiest_ps", "ps",
        "time that the busiest link needs for its expected bytes with the placement of the "
        "policy"),
    TABLE_COLUMN(search_row, busiest_ps, "busiest_ps", "ps",
                 "the same with the placement that was found"),
    TABLE_COLUMN(search_row, start_bytes, "start_bytes", "bytes",
                 "bytes expected on all links with the placement of the policy"),
    TABLE_COLUMN(search_row, bytes, "bytes", "bytes", "the same with the placement that was found"),
    TABLE_COLUMN(search_row, replays, "replays", "", "placements that were compared by replays"),
    TABLE_COLUMN(search_row, start_time_ps, "start_time_ps", "ps",
                 "predicted time with the placement of the policy; null without replays"),
    TABLE_COLUMN(search_row, time_ps, "time_ps", "ps",
                 "predicted time with the placement that was found; null without replays"),
};

static const struct table search = {
    .name = "search",
    .form = TABLE_OBJECT,
    TABLE_LIST(search_columns),
    .condition = &searched,
    .visit = visit_search,
    .help = "the search for a placement by exchange of ranks",
};

static const struct table *const tables[] = {&result,
                                             &table_machine,
                                             &table_trace,
                                             &machine_used,
                                             &traffic,
                                             &distances,
                                             &links,
                                             &search,
                                             &ranks,
                                             &table_configuration,
                                             &table_settings_changed,
                                             NULL};

const struct table_schema tables_place = {"place", "anax.place/2", tables};
