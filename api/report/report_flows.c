/* Writes the flows of watched links (record.links) as text: which flows load each link most, in
 * which MPI calls and user regions they were sent, and behind which flows its longest waits were.
 */
#include "api/report/report_layout.h"
#include "api/results/link_numbers.h"
#include "api/table/flow_ends.h"

#include <inttypes.h>

enum {
    FLOWS = 3,       /* most flows of a link in the text */
    PLACES = 3,      /* most pairs of a call and a region of a link in the text */
    PLACES_MAX = 64, /* most such pairs of a link that are counted */
    WAITS = 2        /* most waits of a link in the text */
};

/* A call and region in which flows were sent. */
struct place {
    const char *call, *region;
    uint64_t bytes;
};

/* A flow in the text. own_ps: how long its packets waited behind packets of the same flow. */
struct shown_flow {
    struct network_link_flow flow;
    int64_t own_ps;
};

struct shown_wait {
    struct network_link_flow behind;
    int64_t waited_ps;
};

struct flow_text {
    struct text_buffer *text;
    const anax_replay_result *result;
    struct network_link link; /* the current link, if has_link */
    unsigned flow_count;      /* of the link, so far */
    bool has_link;
    struct shown_flow shown[FLOWS]; /* its first flows */
    unsigned shown_count;
    struct place places[PLACES_MAX];
    size_t place_count;
    struct network_link_flow victim; /* the flow that waited longest */
    struct shown_wait waits[WAITS];  /* its longest waits */
    unsigned wait_count;
};

static void add_rank(struct text_buffer *text, const char *before, int64_t rank, int64_t node,
                     uint32_t rank_count) {
    const bool is_rank = rank < rank_count;
    text_add(text, "%s%" PRId64, is_rank ? before : "I/O node ", is_rank ? rank : node);
}

static void add_ends(struct text_buffer *text, const struct flow_ends *ends, uint32_t rank_count) {
    if (ends->source_rank >= 0) {
        add_rank(text, "rank ", ends->source_rank, ends->source_node, rank_count);
        text_add(text, " to ");
        add_rank(text, ends->source_rank < rank_count ? "" : "rank ", ends->destination_rank,
                 ends->destination_node, rank_count);
    } else {
        text_add(text, "node %" PRId64 " to %" PRId64, ends->source_node, ends->destination_node);
    }
    if (ends->minimal == 0) text_add(text, ", non-minimal");
}

static void add_call(struct text_buffer *text, const char *call, const char *region) {
    text_add_name(text, call != NULL ? call : "no MPI call", 0);
    if (region == NULL) return;
    text_add(text, " in ");
    text_add_name(text, region, 0);
}

static void add_flow_name(struct text_buffer *text, const anax_replay_result *result,
                          const struct network_link_flow *flow) {
    const struct flow_ends ends = flow_ends_find(result, flow);
    if (!flow->is_known) {
        text_add(text, "other flows");
        return;
    }
    add_ends(text, &ends, result->replay != NULL ? result->replay->rank_count : 0);
    if (ends.source_rank < 0) return;
    text_add(text, ", ");
    add_call(text, ends.call, ends.region);
}

static bool is_same_flow(const struct network_link_flow *one,
                         const struct network_link_flow *other) {
    return one->is_known == other->is_known && one->source_node == other->source_node &&
           one->destination_node == other->destination_node &&
           one->is_minimal == other->is_minimal && one->label.word[0] == other->label.word[0] &&
           one->label.word[1] == other->label.word[1];
}

/* Adds up the bytes by call and region. Names are texts of the program, so that equal pointers are
 * equal names. */
static void count_place(struct flow_text *flows, const struct network_link_flow *flow) {
    const struct flow_ends ends = flow_ends_find(flows->result, flow);
    size_t i = 0;
    if (ends.source_rank < 0) return;
    while (i < flows->place_count &&
           (flows->places[i].call != ends.call || flows->places[i].region != ends.region))
        i++;
    if (i == PLACES_MAX) return;
    if (i == flows->place_count)
        flows->places[flows->place_count++] = (struct place){ends.call, ends.region, 0};
    flows->places[i].bytes += flow->bytes;
}

/* Adds the calls and regions with most bytes of the link, unless all of its bytes are in one, which
 * the flows name already. */
static void add_places(struct flow_text *flows) {
    if (flows->place_count < 2) return;
    text_add(flows->text, "    by call: ");
    for (unsigned shown = 0; shown < PLACES && shown < flows->place_count; shown++) {
        size_t best = 0;
        for (size_t i = 1; i < flows->place_count; i++)
            if (flows->places[i].bytes > flows->places[best].bytes) best = i;
        struct place *place = &flows->places[best];
        if (place->bytes == 0) break;
        text_add(flows->text, "%s", shown > 0 ? ", " : "");
        add_call(flows->text, place->call, place->region);
        text_add(flows->text, " %.1f %%", percent_of(place->bytes, flows->link.bytes));
        place->bytes = 0;
    }
    text_add(flows->text, "\n");
}

static bool is_same_link(const struct network_link *one, const struct network_link *other) {
    return one->source == other->source && one->destination == other->destination &&
           one->is_injection == other->is_injection && one->channel_kind == other->channel_kind &&
           one->port == other->port && one->rail == other->rail;
}

static void add_flow_waits(const struct flow_text *flows, const struct shown_flow *flow) {
    char waited[32], caused[32];
    units_time_human(flow->flow.waited_ps, waited, sizeof waited);
    units_time_human(flow->flow.caused_ps - flow->own_ps, caused, sizeof caused);
    text_add(flows->text, "    %4.1f %%  ", percent_of(flow->flow.bytes, flows->link.bytes));
    add_flow_name(flows->text, flows->result, &flow->flow);
    text_add(flows->text, ":\n            waited %s; other flows waited %s behind it\n", waited,
             caused);
}

/* Adds the flow that waited longest, and the flows that it waited behind. */
static void add_longest_waits(const struct flow_text *flows) {
    char waited[32];
    if (flows->wait_count == 0) return;
    units_time_human(flows->victim.waited_ps, waited, sizeof waited);
    text_add(flows->text, "    waited longest, %s: ", waited);
    add_flow_name(flows->text, flows->result, &flows->victim);
    text_add(flows->text, "\n");
    for (unsigned i = 0; i < flows->wait_count; i++) {
        units_time_human(flows->waits[i].waited_ps, waited, sizeof waited);
        text_add(flows->text, "      %s behind ", waited);
        add_flow_name(flows->text, flows->result, &flows->waits[i].behind);
        text_add(flows->text, "\n");
    }
}

/* Writes the text of the current link, all of whose flows and waits are known. */
static void end_link(struct flow_text *flows) {
    if (!flows->has_link) return;
    for (unsigned i = 0; i < flows->shown_count; i++)
        add_flow_waits(flows, &flows->shown[i]);
    add_longest_waits(flows);
    add_places(flows);
    flows->has_link = false;
}

static void begin_link(struct flow_text *flows, const struct network_link *link) {
    char source[32], destination[32];
    end_link(flows);
    link_numbers_source(link, source, sizeof source);
    link_numbers_destination(link, destination, sizeof destination);
    text_add(flows->text, "  %s to %s (%s, port %" PRIu32 ")\n", source, destination,
             link_numbers_kind(link), link->port);
    flows->link = *link;
    flows->has_link = true;
    flows->flow_count = flows->shown_count = flows->wait_count = 0;
    flows->place_count = 0;
    flows->victim = (struct network_link_flow){0};
}

static void add_flow(void *context, const struct network_link *link,
                     const struct network_link_flow *flow) {
    struct flow_text *flows = context;
    if (!flows->has_link || !is_same_link(&flows->link, link)) begin_link(flows, link);
    count_place(flows, flow);
    if (flow->is_known && flow->waited_ps > flows->victim.waited_ps) flows->victim = *flow;
    if (flows->flow_count++ >= FLOWS || !flow->is_known) return;
    flows->shown[flows->shown_count++] = (struct shown_flow){*flow, 0};
}

static void add_wait(void *context, const struct network_link *link,
                     const struct network_link_wait *wait) {
    struct flow_text *flows = context;
    (void)link; /* the flows of a link come before its waits */
    for (unsigned i = 0; i < flows->shown_count && is_same_flow(wait->flow, wait->behind); i++)
        if (is_same_flow(wait->flow, &flows->shown[i].flow))
            flows->shown[i].own_ps += wait->waited_ps;
    if (flows->wait_count == WAITS || !is_same_flow(wait->flow, &flows->victim)) return;
    flows->waits[flows->wait_count++] = (struct shown_wait){*wait->behind, wait->waited_ps};
}

void report_flows_text(struct text_buffer *text, const anax_replay_result *result) {
    struct flow_text flows = {.text = text, .result = result};
    const struct network_watch_visitor visitor = {&flows, add_flow, add_wait};
    struct status status = STATUS_INIT;
    if (result->run.config->record.links == NULL || result->run.network == NULL) return;
    text_add(text, "\nWho loads these links: share of the bytes, and waiting\n");
    if (network_visit_watched(result->run.network, &visitor, &status) != STATUS_OK)
        text->failed = true;
    end_link(&flows);
    status_clear(&status);
}
