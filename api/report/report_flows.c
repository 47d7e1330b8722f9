/* The flows of watched links (record.links) as text: who loads each of them most. */
#include "api/report/link_report.h"
#include "api/report/report_layout.h"

#include <inttypes.h>

enum { FLOWS = 3 }; /* of a link */

struct flow_text {
    struct text_buffer *text;
    const anax_result *result;
    struct network_link link; /* the one that was told last */
    unsigned told;            /* its flows so far; 0: no link yet */
};

static void add_place(struct text_buffer *text, const anax_result *result, uint32_t node) {
    const struct placement *placement = result->placement;
    uint32_t first = placement != NULL ? placement->first_rank[node] : 0;
    uint32_t ranks = placement != NULL ? placement->first_rank[node + 1] - first : 0;
    if (ranks == 1)
        text_add(text, "rank %" PRIu32, placement->ranks[first]);
    else
        text_add(text, "node %" PRIu32, node);
}

static void add_link(struct flow_text *flows, const struct network_link *link) {
    char source[32], destination[32];
    link_report_source(link, source, sizeof source);
    link_report_destination(link, destination, sizeof destination);
    text_add(flows->text, "  %s to %s (%s, port %" PRIu32 ")\n", source, destination,
             link_report_kind(link), link->port);
}

static bool is_same(const struct network_link *one, const struct network_link *other) {
    return one->source == other->source && one->destination == other->destination &&
           one->injection == other->injection && one->channel_kind == other->channel_kind &&
           one->port == other->port && one->rail == other->rail;
}

static void add_flow(void *context, const struct network_link *link,
                     const struct network_link_flow *flow) {
    struct flow_text *flows = context;
    struct text_buffer *text = flows->text;
    char waited[32], caused[32];
    if (flows->told == 0 || !is_same(&flows->link, link)) {
        add_link(flows, link);
        flows->link = *link;
        flows->told = 0;
    }
    if (flows->told++ >= FLOWS || !flow->is_known) return;
    units_time_human(flow->waited_ps, waited, sizeof waited);
    units_time_human(flow->caused_ps, caused, sizeof caused);
    text_add(text, "    %4.1f %%  ", report_percent(flow->bytes, link->bytes));
    add_place(text, flows->result, flow->source_node);
    text_add(text, " to ");
    add_place(text, flows->result, flow->destination_node);
    text_add(text, "%s: waited %s, others %s\n", flow->minimal ? "" : ", detour", waited, caused);
}

void report_flows_text(struct text_buffer *text, const anax_result *result) {
    struct flow_text flows = {.text = text, .result = result};
    const struct network_watch_visitor visitor = {&flows, add_flow, NULL};
    struct status status = STATUS_INIT;
    if (result->config->record.links == NULL || result->network == NULL) return;
    text_add(text, "\nWho loads these links: share of the bytes, and waiting\n");
    if (network_visit_watched(result->network, &visitor, &status) != STATUS_OK) text->failed = true;
    status_clear(&status);
}
