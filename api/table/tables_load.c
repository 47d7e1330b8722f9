/*
 * Tables of how the load of a replay divides over groups and links. They are small for any machine:
 * neighbouring groups share a row, and links are counted by their busy share.
 *
 * Invariant: over all rows of a kind, the links of group_channels and of link_shares are all links
 * of the machine, and the rows of group_pairs have the bytes of its global links.
 */
#include "api/results/link_numbers.h"
#include "api/table/tables.h"
#include "core/memory/memory.h"

#include <stdlib.h>
#include <string.h>

enum { BINS_MAX = 64, SHARES = 100, KINDS = 4 };

static const char *const kind_names[KINDS] = {"injection", "ejection", "local", "global"};

struct load_row {
    uint64_t source_group, destination_group, groups, links;
    wide bytes, busy_ps, stalled_ps;
    const char *kind;
};

struct share_row {
    const char *kind;
    int64_t from, to;
    uint64_t links;
};

struct load {
    uint64_t groups, groups_of_row, rows;
    struct load_row *pairs;    /* [source row * rows + destination row] */
    struct load_row *channels; /* [row * KINDS + kind] */
};

static unsigned kind_of(const struct network_link *link) {
    unsigned kind = 0;
    while (kind + 1 < KINDS && strcmp(kind_names[kind], link_numbers_kind(link)) != 0)
        kind++;
    return kind;
}

static void count_link(struct load_row *row, const struct network_link *link) {
    row->links++;
    row->bytes += link->bytes;
    row->busy_ps += (uint64_t)link->busy_ps;
    row->stalled_ps += (uint64_t)link->numbers.stalled_ps;
}

static void add_link(void *context, const struct network_link *link) {
    const struct load *load = context;
    const unsigned kind = kind_of(link);
    const uint64_t row = link->source_group / load->groups_of_row;
    count_link(&load->channels[row * KINDS + kind], link);
    if (link->channel_kind == NETWORK_GLOBAL)
        count_link(&load->pairs[row * load->rows + link->destination_group / load->groups_of_row],
                   link);
}

static void free_load(struct load *load) {
    free(load->pairs);
    free(load->channels);
}

static status_code measure_load(struct load *load, const struct table_source *source,
                                struct status *status) {
    load->groups = (uint64_t)source->config->network.groups;
    load->groups_of_row = (load->groups + BINS_MAX - 1) / BINS_MAX;
    load->rows = (load->groups + load->groups_of_row - 1) / load->groups_of_row;
    load->pairs = memory_new(load->rows * load->rows, sizeof *load->pairs);
    load->channels = memory_new(load->rows * KINDS, sizeof *load->channels);
    if (load->pairs == NULL || load->channels == NULL) {
        free_load(load);
        return status_set(status, STATUS_MEMORY, "out of memory for the load of groups");
    }
    network_visit_links(source->run->network, add_link, load);
    return STATUS_OK;
}

/* Returns how many groups a row has; the last may have fewer. */
static uint64_t groups_of(const struct load *load, uint64_t row) {
    const uint64_t left = load->groups - row * load->groups_of_row;
    return left < load->groups_of_row ? left : load->groups_of_row;
}

static status_code visit_pairs(const struct table_source *source, const struct table_sink *sink,
                               struct status *status) {
    struct load load = {0};
    FORWARD_IF_ERROR(measure_load(&load, source, status));
    for (uint64_t i = 0; i < load.rows * load.rows; i++) {
        struct load_row *row = &load.pairs[i];
        if (row->bytes == 0) continue;
        row->source_group = i / load.rows * load.groups_of_row;
        row->destination_group = i % load.rows * load.groups_of_row;
        row->groups = load.groups_of_row;
        table_add(sink, row);
    }
    free_load(&load);
    return STATUS_OK;
}

static const struct table_column pair_columns[] = {
    TABLE_COLUMN(load_row, source_group, "source_group", "",
                 "group that they lead from, or the first of several"),
    TABLE_COLUMN(load_row, destination_group, "destination_group", "",
                 "group that they lead to, or the first of several"),
    TABLE_COLUMN(load_row, groups, "groups", "",
                 "how many consecutive groups share a row: 1 on machines of up to 64 groups; the "
                 "last ones may be fewer"),
    TABLE_COLUMN(load_row, links, "links", "", "number of channels"),
    TABLE_COLUMN(load_row, bytes, "bytes", "bytes", "bytes carried, headers included"),
    TABLE_COLUMN(load_row, busy_ps, "busy_ps", "ps", "sum of busy_ps over the channels"),
    TABLE_COLUMN(load_row, stalled_ps, "stalled_ps", "ps", "sum of stalled_ps over the channels"),
};

const struct table table_group_pairs = {
    .name = "group_pairs",
    .form = TABLE_ARRAY,
    TABLE_LIST(pair_columns),
    .condition = &tables_completed,
    .visit = visit_pairs,
    .help = "the global channels from one group to another that carried something, added up; of "
            "machines of more than 64 groups from several groups to several",
};

static status_code visit_channels(const struct table_source *source, const struct table_sink *sink,
                                  struct status *status) {
    struct load load = {0};
    FORWARD_IF_ERROR(measure_load(&load, source, status));
    for (uint64_t i = 0; i < load.rows * KINDS; i++) {
        struct load_row *row = &load.channels[i];
        if (row->links == 0) continue;
        row->source_group = i / KINDS * load.groups_of_row;
        row->groups = groups_of(&load, i / KINDS);
        row->kind = kind_names[i % KINDS];
        table_add(sink, row);
    }
    free_load(&load);
    return STATUS_OK;
}

static const struct table_column channel_columns[] = {
    TABLE_COLUMN(load_row, source_group, "group", "",
                 "group of their source, or the first of several"),
    TABLE_COLUMN(load_row, groups, "groups", "", "how many consecutive groups share the row"),
    TABLE_NAME(load_row, kind, "kind", "injection, ejection, local or global, as of links"),
    TABLE_COLUMN(load_row, links, "links", "", "number of channels"),
    TABLE_COLUMN(load_row, bytes, "bytes", "bytes", "bytes carried, headers included"),
    TABLE_COLUMN(load_row, busy_ps, "busy_ps", "ps", "sum of busy_ps over the channels"),
    TABLE_COLUMN(load_row, stalled_ps, "stalled_ps", "ps", "sum of stalled_ps over the channels"),
};

const struct table table_group_channels = {
    .name = "group_channels",
    .form = TABLE_ARRAY,
    TABLE_LIST(channel_columns),
    .condition = &tables_completed,
    .visit = visit_channels,
    .help = "all channels of one kind that begin in a group, or in several consecutive ones on "
            "machines of more than 64 groups",
};

/* ---- links by their busy share ---- */

struct shares {
    int64_t span_ps;
    uint64_t links[KINDS][SHARES];
};

static void add_share(void *context, const struct network_link *link) {
    struct shares *shares = context;
    const int64_t share = table_ratio((uint64_t)link->busy_ps, (uint64_t)shares->span_ps);
    int64_t bin = share == TABLE_NONE ? 0 : share * SHARES / 1000000;
    if (bin >= SHARES) bin = SHARES - 1;
    shares->links[kind_of(link)][bin]++;
}

static status_code visit_shares(const struct table_source *source, const struct table_sink *sink,
                                struct status *status) {
    struct shares *shares = memory_new(1, sizeof *shares);
    RETURN_ERROR_IF(shares == NULL, status, STATUS_MEMORY, "out of memory for shares of links");
    shares->span_ps = link_numbers_span_ps(source->run->network, source->replay->time_ps);
    network_visit_links(source->run->network, add_share, shares);
    const int64_t share = 1000000 / SHARES;
    for (int kind = 0; kind < KINDS; kind++) {
        for (int64_t bin = 0; bin < SHARES; bin++) {
            if (shares->links[kind][bin] == 0) continue;
            table_add(sink, &(struct share_row){.kind = kind_names[kind],
                                                .from = bin * share,
                                                .to = (bin + 1) * share,
                                                .links = shares->links[kind][bin]});
        }
    }
    free(shares);
    return STATUS_OK;
}

static const struct table_column share_columns[] = {
    TABLE_NAME(share_row, kind, "kind", "injection, ejection, local or global, as of links"),
    TABLE_SHARE(share_row, from, "from_share", "",
                "busy_ps divided by links_span_ps of network is at least this"),
    TABLE_SHARE(share_row, to, "to_share", "",
                "and less than this; the last row of all is 1 and has all above it"),
    TABLE_COLUMN(share_row, links, "links", "", "number of channels of the kind"),
};

const struct table table_link_shares = {
    .name = "link_shares",
    .form = TABLE_ARRAY,
    TABLE_LIST(share_columns),
    .condition = &tables_completed,
    .visit = visit_shares,
    .help = "channels of one kind whose busy share of the run lies in the same hundredth; rows "
            "without channels are left out",
};
