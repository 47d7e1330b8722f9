/*
 * The comparison of topologies for equal numbers of nodes (network/analysis/rival_networks.h), for
 * people and as JSON (schema anax.rivals/1).
 */
#include "api/api.h"
#include "api/command_support.h"
#include "api/report/json_build.h"
#include "api/report/report_layout.h"
#include "api/table/tables.h"
#include "network/analysis/rival_networks.h"

#include <inttypes.h>
#include <stdlib.h>

struct rivals_report {
    struct text_buffer text;
    struct json_object *rows;
};

static void add_text(struct text_buffer *text, const struct rival_kind *kind,
                     const struct rival_network *network) {
    double nodes = (double)network->nodes;
    double price = (double)(network->cable_price + network->router_price) / 1e6;
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

static void put_bill(struct json_object *row, const char *key,
                     const struct floor_cable_bill *bill) {
    struct json_object *object = json_put_object(row, key);
    json_put_count(object, "cables", bill->cables);
    json_put_count(object, "optical", bill->optical);
    json_put_ratio(object, "length_m", (uint64_t)bill->length_mm, 1000);
    json_put_ratio(object, "longest_m", (uint64_t)bill->longest_mm, 1000);
    json_put_millionths(object, "dollars", (int64_t)bill->price);
}

static void add_json(struct json_object *rows, const struct rival_kind *kind,
                     const struct rival_network *network) {
    struct json_object *row = json_append_object(rows);
    json_put_text(row, "topology", kind->name);
    json_put_count(row, "nodes", network->nodes);
    json_put_count(row, "routers", network->routers);
    json_put_int(row, "radix", network->radix);
    json_put_int(row, "cabinets", network->cabinets);
    json_put_int(row, "diameter", network->diameter);
    if (network->detour_diameter > 0)
        json_put_int(row, "nonminimal_diameter", network->detour_diameter);
    put_bill(row, "terminal", &network->terminal);
    put_bill(row, "local", &network->local);
    put_bill(row, "global", &network->global);
    json_put_millionths(row, "cable_dollars", network->cable_price);
    json_put_millionths(row, "router_dollars", network->router_price);
    json_put_ratio(row, "dollars_per_node",
                   (uint64_t)(network->cable_price + network->router_price),
                   (wide)network->nodes * 1000000);
}

static status_code compare_all(struct rivals_report *report, const anax_config *config,
                               struct status *status) {
    int64_t bandwidth = config->network.level[NETWORK_GLOBAL].bandwidth_bytes_per_s;
    for (uint32_t nodes = RIVAL_NODES_LEAST; nodes <= RIVAL_NODES_MOST; nodes *= 2) {
        for (const struct rival_kind *kind = rival_kinds(); kind->name != NULL; kind++) {
            struct rival_network network;
            FORWARD_IF_ERROR(
                rival_network_make(&network, kind, &config->floor, bandwidth, nodes, status));
            add_text(&report->text, kind, &network);
            add_json(report->rows, kind, &network);
        }
        if (nodes < RIVAL_NODES_MOST) text_add(&report->text, "\n");
    }
    return STATUS_OK;
}

anax_code api_topology_rivals(char **text, char **json, const anax_config *config,
                              anax_error *error) {
    struct status status = STATUS_INIT;
    struct json_object *object = json_begin();
    struct rivals_report report = {TEXT_BUFFER_INIT, NULL};
    *text = *json = NULL;
    json_put_text(object, "schema", "anax.rivals/1");
    json_put_text(object, "version", anax_version());
    report.rows = json_put_array(object, "networks");
    text_add(&report.text,
             "  nodes  topology                 routers radix diameter    local   global   mean m "
             " longest    $/node\n");
    status_code code = compare_all(&report, config, &status);
    const struct table_source source = {.config = config, .scope = ANAX_SCOPE_TOPOLOGY};
    table_put_json(object, &table_settings_changed, &source);
    text_add(&report.text, "\nChannels of one bandwidth, enough of them for full uniform traffic; "
                           "of \"global\" ones, mean and longest length.\n");
    report_settings_text(&report.text, "settings changed: ", config, ANAX_SCOPE_TOPOLOGY,
                         REPORT_ALL_SETTINGS, NULL);
    char *as_text = text_take(&report.text), *as_json = json_finish(object);
    if (code == STATUS_OK && (as_text == NULL || as_json == NULL))
        code = status_set(&status, STATUS_MEMORY, "out of memory for a report");
    if (code == STATUS_OK) {
        *text = as_text;
        *json = as_json;
    } else {
        free(as_text);
        free(as_json);
    }
    return api_return(&status, error);
}
