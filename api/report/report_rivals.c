/*
 * The comparison of topologies for equal numbers of nodes (network/analysis/rival_networks.h), for
 * people and as JSON.
 */
#include "api/api.h"
#include "api/command_support.h"
#include "api/report/report_layout.h"
#include "api/table/tables_analysis.h"
#include "core/memory/memory.h"

#include <inttypes.h>
#include <stdlib.h>

static void add_text(struct text_buffer *text, const struct rival_kind *kind,
                     const struct rival_network *network) {
    double nodes = (double)network->nodes;
    double price =
        (double)(network->cable_price_microdollars + network->router_price_microdollars) / 1e6;
    double longest_m = (double)network->global.longest_mm / 1e3;
    double mean_m = network->global.cables > 0
                        ? (double)network->global.length_mm / 1e3 / (double)network->global.cables
                        : 0.0;
    text_add(text,
             "%7" PRIu64 "  %-24s %7" PRIu64 " %5" PRIu32 " %8" PRIu32 " %8" PRIu64 " %8" PRIu64
             " %8.1f %8.1f %9.2f\n",
             network->nodes, kind->name, network->routers, network->radix, network->diameter,
             network->local.cables, network->global.cables, mean_m, longest_m, price / nodes);
}

static size_t count_kinds(void) {
    size_t count = 0;
    while (rival_kinds()[count].name != NULL)
        count++;
    return count;
}

/* Builds all networks, those of one number of nodes next to each other. */
static status_code compare_all(struct tables_rival *rivals, size_t *count,
                               const anax_config *config, struct status *status) {
    int64_t bandwidth = config->network.channels[NETWORK_GLOBAL].bandwidth_bytes_per_s;
    *count = 0;
    for (uint32_t nodes = RIVAL_NODES_MIN; nodes <= RIVAL_NODES_MAX; nodes *= 2) {
        for (const struct rival_kind *kind = rival_kinds(); kind->name != NULL; kind++) {
            struct tables_rival *rival = &rivals[(*count)++];
            rival->kind = kind;
            FORWARD_IF_ERROR(rival_network_make(&rival->network, kind, &config->floor, bandwidth,
                                                nodes, status));
        }
    }
    return STATUS_OK;
}

static char *text_of(const struct tables_rival *rivals, size_t count, const anax_config *config) {
    struct text_buffer text = TEXT_BUFFER_INIT;
    text_add(&text,
             "  nodes  topology                 routers radix diameter    local   global   mean m "
             " longest    $/node\n");
    for (size_t i = 0; i < count; i++) {
        add_text(&text, rivals[i].kind, &rivals[i].network);
        if (i + 1 < count && rivals[i + 1].network.nodes != rivals[i].network.nodes)
            text_add(&text, "\n");
    }
    text_add(&text, "\nChannels of one bandwidth, enough of them for full uniform traffic; "
                    "of \"global\" ones, mean and longest length.\n");
    report_settings_text(&text, "settings changed: ", config, ANAX_SCOPE_TOPOLOGY,
                         REPORT_ALL_SETTINGS, NULL);
    return text_take(&text);
}

anax_code api_compute_rivals(char **text, char **json, const anax_config *config,
                             anax_error *error) {
    struct status status = STATUS_INIT;
    size_t count = 0, sizes = 1;
    for (uint32_t nodes = RIVAL_NODES_MIN; nodes < RIVAL_NODES_MAX; nodes *= 2)
        sizes++;
    struct tables_rival *rivals = memory_new(sizes * count_kinds(), sizeof *rivals);
    *text = *json = NULL;
    status_code code = rivals != NULL ? compare_all(rivals, &count, config, &status)
                                      : status_set(&status, STATUS_MEMORY,
                                                   "out of memory for a comparison of topologies");
    if (code == STATUS_OK) {
        const struct table_source source = {
            .config = config, .scope = ANAX_SCOPE_TOPOLOGY, .rivals = rivals, .rival_count = count};
        api_take_report(text, text_of(rivals, count, config), json,
                        table_json(&tables_rivals, &source), &status);
    }
    free(rivals);
    return api_return(&status, error);
}
