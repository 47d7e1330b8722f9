/*
 * The parts that the JSON results of replay and traffic have in common. Keys are documented in
 * anax-json(5); what stands there stays.
 */
#include "api/changed_settings.h"
#include "api/report/json_build.h"
#include "api/report/link_report.h"
#include "api/report/report.h"
#include "api/report/text_buffer.h"
#include "network/network_choices.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

void report_json_group(struct json_object *object, const struct network_config *network) {
    if (network->group_dimensions == 0 && network->group_links == 1) return;
    char text[UNITS_TEXT_BYTES];
    units_dimensions_text(network->group_dimensions, text, sizeof text);
    if (network->group_dimensions != 0) json_put_text(object, "group_dimensions", text);
    units_dimensions_text(network->group_links, text, sizeof text);
    json_put_text(object, "group_links", text);
}

void report_json_machine_name(struct json_object *object, const anax_config *config) {
    char *name = changed_machine_name(config);
    json_put_text(object, "name", name != NULL ? name : "");
    json_put_bool(object, "changed",
                  config->run.machine != NULL &&
                      changed_network(&config->network, &config->machine_network));
    free(name);
}

void report_json_machine(struct json_object *object, const anax_config *config) {
    const struct network_config *network = &config->network;
    struct json_object *machine = json_put_object(object, "machine");
    report_json_machine_name(machine, config);
    json_put_int(machine, "nodes", network_config_nodes(network));
    json_put_int(machine, "groups", network->groups);
    json_put_int(machine, "routers", network_config_routers(network));
    json_put_int(machine, "nodes_per_router", network->nodes_per_router);
    json_put_int(machine, "routers_per_group", network->routers_per_group);
    report_json_group(machine, network);
    json_put_int(machine, "globals_per_router", network->globals_per_router);
    json_put_text(machine, "arrangement", network_arrangement_names()[network->arrangement]);
    json_put_int(machine, "rails", network->rails);
}

const char *report_misrouting(const anax_result *result, int32_t routing) {
    struct network_config config = result->config->network;
    config.routing = routing;
    return network_misrouting_in_force(&config);
}

void report_json_policies(struct json_object *object, const char *key, const anax_result *result,
                          bool misrouting) {
    struct text_buffer text = TEXT_BUFFER_INIT;
    size_t count = result->routing_count > 0 ? result->routing_count : 1;
    for (size_t i = 0; i < count; i++) {
        int32_t routing =
            result->routing_count > 0 ? result->routings[i] : result->config->network.routing;
        text_add(&text, "%s%s", i > 0 ? "," : "",
                 misrouting ? report_misrouting(result, routing)
                            : network_routing_names()[routing]);
    }
    char *list = text_take(&text);
    if (list != NULL) json_put_text(object, key, list);
    free(list);
}

void report_json_configuration(struct json_object *object, const anax_config *config,
                               anax_scope scope, const anax_result *result) {
    struct setting_section subset[API_SECTIONS];
    struct settings settings;
    api_config_scope(config, scope, subset, &settings);
    struct json_object *configuration = json_put_object(object, "configuration");
    for (size_t s = 0; s < settings.section_count; s++) {
        for (size_t r = 0; r < subset[s].row_count; r++) {
            const char *name = subset[s].rows[r].name;
            if (result != NULL && strcmp(name, "network.routing") == 0) {
                report_json_policies(configuration, name, result, false);
                continue;
            }
            char *value = anax_config_get(config, name);
            if (value != NULL) json_put_text(configuration, name, value);
            anax_text_free(value);
        }
    }
    report_settings_json(object, config, scope, result);
}

void report_json_head(struct json_object *object, const anax_result *result, const char *schema) {
    json_put_text(object, "schema", schema);
    json_put_text(object, "version", anax_version());
    json_put_bool(object, "completed", result->completed);
    if (result->completed)
        json_put_hash(object, "digest", result->digest);
    else
        json_put_text(object, "failure", result->failure != NULL ? result->failure : "");
    report_json_machine(object, result->config);
    report_json_policies(object, "routing", result, false);
    report_json_policies(object, "misrouting", result, true);
    json_put_int(object, "seed", result->config->run.seed);
    report_json_configuration(
        object, result->config,
        result->kind == API_RESULT_REPLAY ? ANAX_SCOPE_REPLAY : ANAX_SCOPE_TRAFFIC, result);
}

void report_json_network(struct json_object *object, const struct network_totals *totals) {
    uint64_t messages = totals->messages;
    json_put_count(object, "messages", messages);
    json_put_count(object, "memory_messages", totals->memory_messages);
    json_put_sum(object, "bytes", totals->bytes);
    json_put_count(object, "packets", totals->packets);
    json_put_count(object, "packet_hops", totals->packet_hops);
    json_put_latency(object, "mean_latency_ps", messages,
                     wide_mean(totals->latency_sum_ps, messages));
    json_put_latency(object, "p50_latency_ps", messages,
                     network_latency_percentile(totals, 500000));
    json_put_latency(object, "p95_latency_ps", messages,
                     network_latency_percentile(totals, 950000));
    json_put_latency(object, "p99_latency_ps", messages,
                     network_latency_percentile(totals, 990000));
    json_put_latency(object, "max_latency_ps", messages, totals->latency_max_ps);
    json_put_ratio(object, "mean_hops", totals->packet_hops, totals->packets);
    json_put_ratio(object, "minimal_share", totals->minimal_packets, totals->packets);
    json_put_count(object, "ring_entries", totals->escapes);
    struct json_object *hops = json_put_array(object, "packets_by_hops");
    for (size_t i = 0; i < sizeof totals->router_hops / sizeof *totals->router_hops; i++)
        json_append_count(hops, totals->router_hops[i]);
}

void report_json_simulation(struct json_object *object, const anax_result *result) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    struct json_object *simulation = json_put_object(object, "simulation");
    json_put_count(simulation, "events", result->totals.events);
    json_put_count(simulation, "windows", result->totals.windows);
    json_put_seconds(simulation, "wall_s", result->wall_s);
    json_put_int(simulation, "peak_rss_bytes", (int64_t)usage.ru_maxrss * 1024);
    json_put_int(simulation, "threads", (int64_t)result->totals.threads);
}

void report_json_links(struct json_object *object, const anax_result *result) {
    struct link_report_busiest busiest;
    link_report_busiest(result->network, &busiest);
    struct json_object *links = json_put_array(object, "busiest_links");
    for (size_t i = 0; i < busiest.count; i++) {
        const struct network_link *link = &busiest.links[i];
        char end[32];
        struct json_object *entry = json_append_object(links);
        json_put_text(entry, "level", link_report_level(link));
        link_report_source(link, end, sizeof end);
        json_put_text(entry, "source", end);
        link_report_destination(link, end, sizeof end);
        json_put_text(entry, "destination", end);
        json_put_int(entry, "source_group", link->source_group);
        json_put_int(entry, "destination_group", link->destination_group);
        json_put_count(entry, "packets", link->packets);
        json_put_count(entry, "bytes", link->bytes);
        json_put_int(entry, "busy_ps", link->busy_ps);
        json_put_int(entry, "stalled_ps", link->figures.stalled_ps);
    }
}
