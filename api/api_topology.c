/*
 * Topologies through the public interface: what can be said of a machine without a run, and the
 * conjectures on global connected components.
 */
#include "api/api_progress.h"
#include "api/report/json_build.h"
#include "api/report/text_buffer.h"
#include "api/report/topology_report.h"
#include "core/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static status_code make(anax_topology *machine, const anax_config *config, status *status) {
    const network_config *network = &config->network;
    FORWARD_IF_ERROR(network_config_check(network, status));
    FORWARD_IF_ERROR(
        floor_config_check(&config->floor, (uint32_t)network->routers_per_group, status));
    FORWARD_IF_ERROR(api_config_copy(&machine->config, config, status));
    FORWARD_IF_ERROR(topology_new(&machine->topology, network, status));
    FORWARD_IF_ERROR(topology_facts_find(&machine->facts, &machine->topology, status));
    /* What has failed was bought all the same. */
    network_config whole = *network;
    whole.failures_file[0] = '\0';
    whole.failed_routers = whole.failed_locals = whole.failed_globals = 0;
    topology intact;
    status_code code = topology_new(&intact, &whole, status);
    if (code == STATUS_OK)
        code = floor_bill_make(&machine->bill, &config->floor, network, &intact, status);
    topology_free(&intact);
    return code;
}

anax_code anax_topology_new(anax_topology **topology, const anax_config *config,
                            anax_error *error) {
    status status = STATUS_INIT;
    *topology = memory_new(1, sizeof **topology);
    if (*topology == NULL) {
        status_set(&status, STATUS_MEMORY, "out of memory for a topology");
    } else if (make(*topology, config, &status) != STATUS_OK) {
        anax_topology_free(*topology);
        *topology = NULL;
    }
    return api_return(&status, error);
}

void anax_topology_free(anax_topology *topology) {
    if (topology == NULL) return;
    anax_config_free(topology->config);
    topology_free(&topology->topology);
    topology_facts_free(&topology->facts);
    free(topology);
}

cable_bill topology_cables(const anax_topology *machine) {
    cable_bill sum = {0};
    for (int level = 0; level < NETWORK_LEVELS; level++) {
        const cable_bill *bill = &machine->bill.level[level];
        sum.cables += bill->cables;
        sum.optical += bill->optical;
        sum.length_mm += bill->length_mm;
        sum.price += bill->price;
        if (bill->longest_mm > sum.longest_mm) sum.longest_mm = bill->longest_mm;
    }
    return sum;
}

uint64_t topology_of_rails(const anax_topology *machine, uint64_t count) {
    return count * (uint64_t)machine->config->network.rails;
}

int64_t topology_global_share(const anax_topology *machine) {
    const network_level_config *level = machine->config->network.level;
    __int128 global =
        (__int128)2 * machine->facts.global_links * level[NETWORK_GLOBAL].bandwidth_bytes_per_s;
    __int128 injected =
        (__int128)machine->facts.nodes * level[NETWORK_TERMINAL].bandwidth_bytes_per_s;
    return (int64_t)(global * 1000000 / injected);
}

char *anax_topology_text(const anax_topology *const *machines, size_t count) {
    return report_topology_text(machines, count);
}

char *anax_topology_json(const anax_topology *const *machines, size_t count) {
    return report_topology_json(machines, count);
}

char *anax_topology_dot(const anax_topology *machine) {
    return report_topology_dot(machine);
}

/* ---------------------------------------------------------------------------- conjectures */

typedef struct conjecture_report {
    text_buffer text;
    struct json_object *json;
    struct json_object *rows;
    uint64_t exceptions;
} conjecture_report;

static void add_verdict(conjecture_report *report, const gcc_conjecture *conjecture,
                        uint32_t globals, const gcc_verdict *verdict) {
    uint32_t least = conjecture->least_routers + (conjecture->routers_over_globals ? globals : 0);
    report->exceptions += verdict->exceptions;
    text_add(&report->text, "%-15s h = %" PRIu32 ", %sa = %" PRIu32 " to %" PRIu32 ": ",
             conjecture->arrangement, globals, conjecture->odd_routers ? "odd " : "", least,
             conjecture->most_routers);
    if (verdict->exceptions == 0)
        text_add(&report->text, "one component each, %" PRIu64 " machines\n", verdict->machines);
    else
        text_add(&report->text,
                 "%" PRIu64 " of %" PRIu64 " machines have several components, first a = %" PRIu32
                 " with %" PRIu32 "\n",
                 verdict->exceptions, verdict->machines, verdict->routers, verdict->components);
    struct json_object *row = json_append_object(report->rows);
    json_put_text(row, "arrangement", conjecture->arrangement);
    json_put_int(row, "globals_per_router", globals);
    json_put_int(row, "least_routers_per_group", least);
    json_put_int(row, "most_routers_per_group", conjecture->most_routers);
    json_put_bool(row, "odd_routers_only", conjecture->odd_routers);
    json_put_count(row, "machines", verdict->machines);
    json_put_count(row, "exceptions", verdict->exceptions);
    if (verdict->exceptions > 0) {
        json_put_int(row, "first_routers_per_group", verdict->routers);
        json_put_int(row, "first_components", verdict->components);
    }
}

static status_code verify_all(conjecture_report *report, const anax_options *options,
                              status *status) {
    uint64_t total = 0, done = 0;
    for (const gcc_conjecture *row = gcc_conjectures(); row->arrangement != NULL; row++)
        total += row->most_globals - row->least_globals + 1;
    for (const gcc_conjecture *row = gcc_conjectures(); row->arrangement != NULL; row++) {
        for (uint32_t h = row->least_globals; h <= row->most_globals; h++) {
            anax_progress progress = {.phase = "verifying", .done = done++, .total = total};
            gcc_verdict verdict;
            RETURN_ERROR_IF(options != NULL && options->progress != NULL &&
                                !options->progress(options->progress_context, &progress),
                            status, STATUS_RUN, "stopped");
            FORWARD_IF_ERROR(gcc_conjecture_verify(row, h, &verdict, status));
            add_verdict(report, row, h, &verdict);
        }
    }
    return STATUS_OK;
}

anax_code anax_gcc_conjectures(char **text, char **json, const anax_options *options,
                               anax_error *error) {
    status status = STATUS_INIT;
    conjecture_report report = {TEXT_BUFFER_INIT, json_object_new_object(), NULL, 0};
    *text = *json = NULL;
    json_put_text(report.json, "schema", "anax.gcc-conjectures/1");
    json_put_text(report.json, "version", anax_version());
    report.rows = json_put_array(report.json, "conjectures");
    text_add(&report.text, "Global connected components of full machines (g = a*h + 1)\n");
    status_code code = verify_all(&report, options, &status);
    json_put_bool(report.json, "hold", report.exceptions == 0);
    char *as_text = text_take(&report.text), *as_json = json_finish(report.json);
    if (code == STATUS_OK && (as_text == NULL || as_json == NULL))
        code = status_set(&status, STATUS_MEMORY, "out of memory for a report");
    if (code == STATUS_OK) {
        *text = as_text;
        *json = as_json;
        if (report.exceptions > 0)
            status_set(&status, STATUS_RUN, "a conjecture does not hold: see the result");
    } else {
        free(as_text);
        free(as_json);
    }
    return api_return(&status, error);
}
