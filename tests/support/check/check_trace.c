/* Traces: what `anax info` says of one, and the schedule that `anax export --format json` writes.
 */
#include "tests/support/check/check_result.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------- anax.info/1 */

static void check_sizes(const struct place *result) {
    struct place sizes = place_key(result, "message_sizes");
    whole messages = 0, max = 0, min = 0, last = 0;
    for (size_t i = 0; i < place_count(&sizes); i++) {
        struct place class = place_item(&sizes, i);
        whole limit = place_whole(&class, "up_to_bytes"), here = place_whole(&class, "messages");
        place_that(&class, limit > last && (limit & (limit - 1)) == 0, "%s is no next power of two",
                   whole_text(limit));
        place_at_least(&class, "messages", 1, "a class that is there");
        messages += here;
        max += whole_times(limit, here);
        min += limit > 1 ? whole_times(limit / 2 + 1, here) : 0;
        last = limit;
    }
    place_equals(result, "messages", messages, "the sum over sizes");
    place_at_most(result, "message_bytes", max, "what the classes allow");
    place_at_least(result, "message_bytes", min, "what the classes allow");
}

/* A region lies inside the trace on each of its ranks, and calls lie inside the region. */
static void check_regions(const struct place *result) {
    struct place regions = place_key(result, "regions");
    whole span = place_whole(result, "span_ps"), all = place_whole(result, "ranks");
    for (size_t i = 0; i < place_count(&regions); i++) {
        struct place region = place_item(&regions, i);
        whole ranks = place_whole(&region, "ranks"), max = place_whole(&region, "most_ps");
        place_text(&region, "name");
        place_at_most(&region, "ranks", all, "all ranks");
        place_at_least(&region, "ranks", 1, "a region that was entered");
        place_at_least(&region, "count", ranks, "once on each rank");
        place_at_most(&region, "most_ps", span, "the span of the trace");
        place_at_most(&region, "time_ps", whole_times(ranks, max), "the longest on every rank");
        place_at_least(&region, "time_ps", max, "the longest rank");
        place_at_most(&region, "mpi_ps", place_whole(&region, "time_ps"), "the time in it");
        place_that(&region, place_whole(&region, "most_rank") < all, "there is no such rank");
    }
}

/* The periodic dimensions exist, and are in ascending order. */
static void check_periods(const struct place *topology, const char *dimensions) {
    const char *periods = place_text(topology, "periodic");
    unsigned long count = *dimensions != '\0', last = 0;
    if (strchr(dimensions, '.') != NULL || strchr(periods, '.') != NULL) return; /* cut */
    for (const char *at = dimensions; *at != '\0'; at++)
        count += *at == 'x';
    for (const char *at = periods; *at != '\0';) {
        char *end = NULL;
        unsigned long number = strtoul(at, &end, 10);
        place_that(topology, end > at && number < count && (at == periods || number > last),
                   "its periodic dimensions are wrong");
        if (end == at) return;
        last = number;
        at = end + (*end == ',');
    }
}

/* The product of the dimensions is the number of members; only graphs have edges. */
static void check_process_topologies(const struct place *result) {
    if (!place_has(result, "topologies")) return;
    struct place topologies = place_key(result, "topologies");
    whole all = place_whole(result, "ranks"), communicators = place_whole(result, "communicators");
    place_that(&topologies, place_count(&topologies) <= communicators, "more than communicators");
    for (size_t i = 0; i < place_count(&topologies); i++) {
        struct place topology = place_item(&topologies, i);
        const bool is_graph = strcmp(place_text(&topology, "kind"), "graph") == 0;
        const char *dimensions = place_text(&topology, "dimensions");
        whole members = place_whole(&topology, "ranks"), product = 1;
        place_at_most(&topology, "ranks", all, "all ranks");
        place_text(&topology, "communicator");
        if (is_graph) {
            place_that(&topology, *dimensions == '\0', "a graph with dimensions");
            place_whole(&topology, "edges");
            continue;
        }
        for (const char *at = dimensions; *at != '\0' && *at != '.'; at += *at == 'x') {
            char *end = NULL;
            product *= strtoull(at, &end, 10);
            if (end == at) break; /* the product is 0 then, which the next check refuses */
            at = end;
        }
        place_that(&topology, strchr(dimensions, '.') != NULL || product == members,
                   "its dimensions have another product than its members");
        place_equals(&topology, "edges", 0, "no graph");
        check_periods(&topology, dimensions);
    }
}

void check_trace_facts(const struct place *result, const char *folder) {
    (void)folder;
    place_named(result, "path");
    place_text(result, "creator");
    place_hash(result, "hash");
    place_at_least(result, "ranks", 1, "one rank");
    place_whole(result, "locations");
    place_whole(result, "events");
    place_whole(result, "span_ps");
    place_whole(result, "compute_ps");
    place_whole(result, "communicators");
    check_sizes(result);
    struct place remote = place_key(result, "one_sided");
    whole operations = place_whole(&remote, "operations");
    place_at_most(&remote, "locks", operations, "operations that are locks");
    place_at_most(&remote, "bytes",
                  whole_times(operations - place_whole(&remote, "locks"), (whole)1 << 48),
                  "so many of the largest");
    place_whole(&remote, "window_synchronisations");
    place_key(result, "collectives");
    place_at_most(result, "unmatched_sends", place_whole(result, "messages"), "all messages");
    place_whole(result, "unmatched_sends");
    place_whole(result, "unmatched_receives");
    check_process_topologies(result);
    check_regions(result);
    check_notes(result);
}

/* ---------------------------------------------------------------------------- anax.program/1 */

/* A send, or a receive. */
struct message {
    whole from, to, tag, order; /* order: in its rank */
    whole bytes;
};

struct message_list {
    struct message *items;
    size_t count, capacity;
};

static void add(struct message_list *list, const struct message *message) {
    if (list->count == list->capacity) {
        size_t capacity = list->capacity > 0 ? 2 * list->capacity : 1024;
        void *items = realloc(list->items, capacity * sizeof *list->items);
        if (items == NULL) abort();
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] = *message;
}

static int by_channel(const void *first, const void *second) {
    const struct message *one = first, *two = second;
    if (one->from != two->from) return one->from < two->from ? -1 : 1;
    if (one->to != two->to) return one->to < two->to ? -1 : 1;
    if (one->tag != two->tag) return one->tag < two->tag ? -1 : 1;
    return one->order < two->order ? -1 : one->order > two->order;
}

static void check_edges(const struct place *operation, const char *key, whole label) {
    struct place edges = place_key(operation, key);
    for (size_t i = 0; i < place_count(&edges); i++) {
        whole of = place_number(&edges, i);
        place_that(&edges, of >= 1 && of < label, "%s is no operation before it", whole_text(of));
    }
}

static void check_operation(const struct place *operation, whole rank, size_t number, whole ranks,
                            struct message_list lists[2]) {
    const char *kind = place_text(operation, "kind");
    place_equals(operation, "label", (whole)number + 1, "its place in the list");
    check_edges(operation, "requires", (whole)number + 1);
    check_edges(operation, "after_begin_of", (whole)number + 1);
    if (strcmp(kind, "calc") == 0) {
        place_whole(operation, "duration_ps");
        return;
    }
    bool sends = strcmp(kind, "send") == 0;
    place_that(operation, sends || strcmp(kind, "receive") == 0, "`%s` is no kind", kind);
    whole peer = place_whole(operation, "peer");
    place_at_most(operation, "peer", ranks - 1, "the last rank");
    struct message message = {sends ? rank : peer, sends ? peer : rank,
                              place_whole(operation, "tag"), (whole)number,
                              place_whole(operation, "bytes")};
    add(&lists[sends ? 0 : 1], &message);
}

/* The k-th send of a channel has the bytes of its k-th receive; sends may be left over, receives
 * not. */
static void check_matches(const struct place *result, struct message_list *sends,
                          struct message_list *receives) {
    size_t at = 0;
    if (sends->count > 0) qsort(sends->items, sends->count, sizeof *sends->items, by_channel);
    if (receives->count > 0)
        qsort(receives->items, receives->count, sizeof *receives->items, by_channel);
    for (size_t i = 0; i < receives->count; i++) {
        struct message receive = receives->items[i], wanted = receive;
        if (i == 0 || receives->items[i - 1].from != receive.from ||
            receives->items[i - 1].to != receive.to || receives->items[i - 1].tag != receive.tag) {
            wanted.order = -1;
            while (at < sends->count && by_channel(&sends->items[at], &wanted) < 0)
                at++;
        }
        const struct message *send = at < sends->count ? &sends->items[at] : NULL;
        bool met = send != NULL && send->from == receive.from && send->to == receive.to &&
                   send->tag == receive.tag;
        if (!place_that(result, met, "rank %s: receive %s from %s, tag %s: no send",
                        whole_text(receive.to), whole_text(receive.order + 1),
                        whole_text(receive.from), whole_text(receive.tag)))
            continue;
        place_that(result, send->bytes == receive.bytes,
                   "rank %s: receive %s: %s bytes, but %s were sent", whole_text(receive.to),
                   whole_text(receive.order + 1), whole_text(receive.bytes),
                   whole_text(send->bytes));
        at++;
    }
}

void check_schedule(const struct place *result, const char *folder) {
    struct message_list lists[2] = {{0}, {0}};
    struct place ranks = place_key(result, "ranks");
    size_t count = place_count(&ranks);
    (void)folder;
    place_named(result, "source");
    place_hash(result, "hash");
    place_equals(result, "rank_count", (whole)count, "the number of ranks");
    for (size_t i = 0; i < count; i++) {
        struct place rank = place_item(&ranks, i), operations = place_key(&rank, "operations");
        place_equals(&rank, "rank", (whole)i, "its place in the list");
        for (size_t k = 0; k < place_count(&operations); k++) {
            struct place operation = place_item(&operations, k);
            check_operation(&operation, (whole)i, k, (whole)count, lists);
        }
    }
    check_matches(result, &lists[0], &lists[1]);
    free(lists[0].items);
    free(lists[1].items);
}
