/*
 * How the load divides over groups and links (group_pairs, group_channels, link_shares) and over
 * latencies (latency_bins): against each other, and against links.csv.
 */
#include "tests/support/check/check_csv.h"
#include "tests/support/check/check_result.h"

#include <string.h>

enum { KINDS = 4, ROWS_MAX = 64, SHARES = 100 };

static const char *const kinds[KINDS] = {"injection", "ejection", "local", "global"};

struct load_sum {
    whole groups, links, bytes, busy_ps, stalled_ps;
};

struct load_check {
    const struct place *result;
    whole groups, of_row; /* of the machine; that share a row */
    struct load_sum rows[ROWS_MAX][KINDS], pairs[ROWS_MAX][ROWS_MAX], all[KINDS];
    whole span_ps;               /* of which links are busy for a share */
    whole shares[KINDS][SHARES]; /* links by the hundredth of their share */
};

static int kind_of(const struct place *row) {
    const char *name = place_text(row, "kind");
    int kind = 0;
    while (kind < KINDS && strcmp(kinds[kind], name) != 0)
        kind++;
    place_that(row, kind < KINDS, "no kind of channel: %s", name);
    return kind < KINDS ? kind : 0;
}

static void add(struct load_sum *sum, whole links, whole bytes, whole busy_ps, whole stalled_ps) {
    sum->links += links;
    sum->bytes += bytes;
    sum->busy_ps += busy_ps;
    sum->stalled_ps += stalled_ps;
}

static void add_row(struct load_sum *sum, const struct place *row) {
    add(sum, place_whole(row, "links"), place_whole(row, "bytes"), place_whole(row, "busy_ps"),
        place_whole(row, "stalled_ps"));
}

/* Returns the number of a row of groups. */
static whole row_of(const struct load_check *check, const struct place *row, const char *key) {
    whole group = place_whole(row, key);
    if (!place_that(row, group < check->groups && group % check->of_row == 0, "%s %s begins no row",
                    key, whole_text(group)))
        return 0;
    return group / check->of_row;
}

static void check_channels(struct load_check *check) {
    struct place list = place_key(check->result, "group_channels");
    int last = -1;
    for (size_t i = 0; i < place_count(&list); i++) {
        struct place row = place_item(&list, i);
        const int kind = kind_of(&row);
        const whole group = row_of(check, &row, "group");
        const int order = (int)group * KINDS + kind;
        place_that(&row, order > last, "it stands out of order");
        last = order;
        add_row(&check->rows[group][kind], &row);
        add_row(&check->all[kind], &row);
        check->all[kind].groups += place_whole(&row, "groups");
        const whole left = check->groups - group * check->of_row;
        place_equals(&row, "groups", left < check->of_row ? left : check->of_row,
                     "the groups of a row");
    }
}

static void check_pairs(struct load_check *check) {
    struct place list = place_key(check->result, "group_pairs");
    struct load_sum sum = {0};
    whole last = -1;
    for (size_t i = 0; i < place_count(&list); i++) {
        struct place row = place_item(&list, i);
        const whole from = row_of(check, &row, "source_group");
        const whole to = row_of(check, &row, "destination_group");
        place_that(&row, from * ROWS_MAX + to > last, "it stands out of order");
        last = from * ROWS_MAX + to;
        place_equals(&row, "groups", check->of_row, "the groups of a row");
        place_at_least(&row, "bytes", 1, "a pair that is in the list");
        place_at_least(&row, "links", 1, "a pair that is in the list");
        add_row(&check->pairs[from][to], &row);
        add_row(&sum, &row);
    }
    const struct load_sum *all = &check->all[KINDS - 1];
    place_that(&list, sum.bytes == all->bytes && sum.busy_ps == all->busy_ps,
               "all pairs carry %s bytes, but all global channels %s", whole_text(sum.bytes),
               whole_text(all->bytes));
    place_that(&list, sum.links <= all->links && sum.stalled_ps <= all->stalled_ps,
               "all pairs have %s links, but there are %s", whole_text(sum.links),
               whole_text(all->links));
}

/* No channel is busy or stalled for longer than its share is of. */
static void check_span(struct load_check *check) {
    struct place network = place_key(check->result, "network");
    struct place links = place_key(check->result, "busiest_links");
    check->span_ps = place_whole(&network, "links_span_ps");
    place_at_least(&network, "links_span_ps", place_whole(check->result, "time_ps"),
                   "the time of the run");
    for (size_t i = 0; i < place_count(&links); i++) {
        struct place link = place_item(&links, i);
        place_that(&link,
                   place_whole(&link, "busy_ps") + place_whole(&link, "stalled_ps") <=
                       check->span_ps,
                   "busy and stalled for longer than links_span_ps");
    }
}

static void check_shares(struct load_check *check) {
    struct place list = place_key(check->result, "link_shares");
    whole links[KINDS] = {0}, last = -1;
    for (size_t i = 0; i < place_count(&list); i++) {
        struct place row = place_item(&list, i);
        const int kind = kind_of(&row);
        const whole from = place_share(&row, "from_share");
        place_that(&row, kind * MILLION + from > last && from % (MILLION / 100) == 0,
                   "it stands out of order, or begins at no hundredth");
        last = kind * MILLION + from;
        place_equals_decimal(&row, "to_share", from + MILLION / 100, "a hundredth more");
        place_at_least(&row, "links", 1, "a row that is in the list");
        links[kind] += place_whole(&row, "links");
        if (from >= 0 && from < MILLION)
            check->shares[kind][from / (MILLION / SHARES)] = place_whole(&row, "links");
    }
    for (int kind = 0; kind < KINDS; kind++)
        place_that(&list, links[kind] == check->all[kind].links,
                   "%s links of the kind %s, but group_channels has %s", whole_text(links[kind]),
                   kinds[kind], whole_text(check->all[kind].links));
}

/* A row is an eighth of a power of two wide, and rows are in order. */
static void check_latencies(const struct place *result, whole messages) {
    struct place list = place_key(result, "latency_bins");
    struct place network = place_key(result, "network");
    whole sum = 0, last_ps = 0;
    const size_t count = place_count(&list);
    for (size_t i = 0; i < count; i++) {
        struct place row = place_item(&list, i);
        const whole from_ps = place_whole(&row, "from_ps"), to_ps = place_whole(&row, "to_ps");
        const whole width_ps = to_ps - from_ps;
        place_that(&row, from_ps >= last_ps && width_ps > 0, "it stands out of order");
        place_that(&row,
                   width_ps > 0 && (width_ps & (width_ps - 1)) == 0 && from_ps % width_ps == 0,
                   "%s ps is no width of a row", whole_text(width_ps));
        last_ps = to_ps;
        place_at_least(&row, "messages", 1, "a row that is in the list");
        sum += place_whole(&row, "messages");
        if (i + 1 < count) continue;
        place_at_least(&network, "max_latency_ps", from_ps, "the last row of latency_bins");
        place_at_most(&network, "max_latency_ps", to_ps - 1, "the last row of latency_bins");
    }
    place_that(&list, sum == messages, "%s messages, but there are %s", whole_text(sum),
               whole_text(messages));
}

static void check_sum(const struct place *list, const struct load_sum *said,
                      const struct load_sum *found, const char *what) {
    place_that(list,
               said->links == found->links && said->bytes == found->bytes &&
                   said->busy_ps == found->busy_ps && said->stalled_ps == found->stalled_ps,
               "%s is not what links.csv says", what);
}

/* Returns the hundredth in which a link's share lies. */
static whole share_of(whole busy_ps, whole span_ps) {
    if (span_ps <= 0) return 0;
    const whole bin = whole_ratio(whole_times(busy_ps, MILLION), span_ps) / (MILLION / SHARES);
    return bin < SHARES ? bin : SHARES - 1;
}

/* The rows are the sums over links.csv. */
static void check_table(struct load_check *check, const char *folder) {
    struct csv_table table;
    struct load_sum rows[ROWS_MAX][KINDS] = {{{0}}}, pairs[ROWS_MAX][ROWS_MAX] = {{{0}}};
    struct place channels = place_key(check->result, "group_channels");
    struct place list = place_key(check->result, "group_pairs");
    whole shares[KINDS][SHARES] = {{0}};
    const bool good = csv_open(&table, check->result->check, folder, "links.csv");
    for (size_t i = 0; i < table.rows && good; i++) {
        const whole from = csv_whole(&table, i, "source_group") / check->of_row;
        const whole to = csv_whole(&table, i, "destination_group") / check->of_row;
        const whole bytes = csv_whole(&table, i, "bytes"),
                    busy_ps = csv_whole(&table, i, "busy_ps");
        const whole stalled_ps = csv_whole(&table, i, "stalled_ps");
        const char *name = csv_text(&table, i, "kind");
        place_that(&list, busy_ps <= check->span_ps,
                   "a link is busy for longer than links_span_ps");
        if (from >= ROWS_MAX || to >= ROWS_MAX) continue;
        for (int kind = 0; kind < KINDS; kind++) {
            if (strcmp(kinds[kind], name) != 0) continue;
            add(&rows[from][kind], 1, bytes, busy_ps, stalled_ps);
            shares[kind][share_of(busy_ps, check->span_ps)]++;
        }
        if (strcmp(name, "global") == 0) add(&pairs[from][to], 1, bytes, busy_ps, stalled_ps);
    }
    csv_close(&table);
    place_that(&list, !good || memcmp(shares, check->shares, sizeof shares) == 0,
               "link_shares is not what links.csv says");
    for (int from = 0; from < ROWS_MAX && good; from++) {
        for (int kind = 0; kind < KINDS; kind++)
            check_sum(&channels, &check->rows[from][kind], &rows[from][kind], kinds[kind]);
        for (int to = 0; to < ROWS_MAX; to++)
            if (pairs[from][to].bytes > 0 || check->pairs[from][to].links > 0)
                check_sum(&list, &check->pairs[from][to], &pairs[from][to], "a pair of groups");
    }
}

void check_divided_load(const struct place *result, const struct check_machine *machine,
                        const struct check_packets *packets, const char *folder) {
    struct load_check check = {.result = result, .groups = machine->groups};
    if (!place_that(result, check.groups > 0, "a machine without groups")) return;
    check.of_row = (check.groups + ROWS_MAX - 1) / ROWS_MAX;
    check_channels(&check);
    check_pairs(&check);
    check_span(&check);
    check_shares(&check);
    check_latencies(result, packets->messages);
    if (folder != NULL) check_table(&check, folder);
}
