/*
 * Results for people: the shared parts of the texts of replay and traffic. Figures are rounded; the
 * JSON has the exact figures.
 */
#include "api/config/changed_settings.h"
#include "api/report/report_layout.h"
#include "api/traffic/sweep.h"
#include "core/base/plural.h"
#include "core/settings/units.h"
#include "network/analysis/topology_facts.h"
#include "network/network_choices.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

void report_row(struct text_buffer *text, size_t indent, const char *label) {
    text_add(text, "%*s%s", (int)indent, "", label);
    text_pad(text, REPORT_LABEL_WIDTH);
}

void report_time_row(struct text_buffer *text, size_t indent, const char *label, int64_t time_ps) {
    char human[32];
    units_time_human(time_ps, human, sizeof human);
    report_row(text, indent, label);
    text_add(text, "%s\n", human);
}

void report_machine_name(struct text_buffer *text, const anax_config *config) {
    char *name = changed_machine_name(config);
    text_add_name(text, name != NULL ? name : "", 0);
    text->failed = text->failed || name == NULL;
    free(name);
}

void report_machine_text(struct text_buffer *text, const anax_config *config) {
    const struct network_config *network = &config->network;
    text_add(text, "machine ");
    report_machine_name(text, config);
    const int64_t nodes = network_config_nodes(network);
    const int64_t routers = network_config_routers(network);
    text_add(text,
             ": %" PRId64 " node%s, %" PRId64 " router%s, %" PRId64 " group%s, arrangement %s",
             nodes, plural((uint64_t)nodes), routers, plural((uint64_t)routers), network->groups,
             plural((uint64_t)network->groups), network_arrangement_names()[network->arrangement]);
    if (network->node_nics > 1)
        text_add(text, ", %" PRId64 " NICs per node by %s", network->node_nics,
                 network_nic_names()[network->nic_choice]);
    if (network->rails > 1)
        text_add(text, ", %" PRId64 " rails by %s", network->rails,
                 network_rail_names()[network->rail_choice]);
    text_add(text, "\n");
    report_failures_text(text, config);
}

void report_failures_text(struct text_buffer *text, const anax_config *config) {
    struct topology_counts counts;
    struct status status = STATUS_INIT;
    if (!network_config_has_failures(&config->network)) return;
    if (topology_counts_find(&counts, &config->network, &status) != STATUS_OK) {
        text->failed = text->failed || status.code == STATUS_MEMORY;
        status_clear(&status); /* any other failure is that of the run, which states it */
        return;
    }
    text_add(text,
             "failed: %" PRIu64 " router%s, %" PRIu64 " local and %" PRIu64 " global link%s\n",
             counts.failed_routers, plural(counts.failed_routers), counts.failed_locals,
             counts.failed_globals, plural(counts.failed_globals));
}

void report_placement_text(struct text_buffer *text, const anax_config *config, int32_t policy) {
    const int64_t ranks = config->placement.ranks_per_node;
    text_add(text, "placement %s, ", placement_policy_names()[policy]);
    if (ranks > 1) text_add(text, "%" PRId64 " ranks per node, ", ranks);
    text_add(text, "seed %" PRId64 "\n", config->run.seed);
}

void report_routing_text(struct text_buffer *text, const anax_config *config) {
    const struct network_config *network = &config->network;
    text_add(text, "routing %s, ", network_routing_names()[network->routing]);
    if (network->misrouting != 0) /* chosen, not auto */
        text_add(text, "misrouting %s, ", network_misrouting_names()[network->misrouting]);
}

void report_ring_text(struct text_buffer *text, const struct network_totals *totals) {
    if (totals->ring_entries == 0) return;
    report_row(text, 2, "escape ring");
    text_add(text, "entered %" PRIu64 " time%s\n", totals->ring_entries,
             plural(totals->ring_entries));
}

void report_network_text(struct text_buffer *text, const struct network_totals *totals) {
    char size[32];
    units_size_human(totals->bytes, size, sizeof size);
    text_add(text, "\nNetwork\n");
    report_row(text, 2, "messages");
    text_add(text, "%" PRIu64 " through the network, %s; %" PRIu64 " within nodes\n",
             totals->messages, size, totals->memory_messages);
    if (totals->messages == 0 || totals->packets == 0) return;
    report_time_row(text, 2, "latency, mean", wide_mean(totals->latency_sum_ps, totals->messages));
    report_time_row(text, 2, "  median", network_latency_percentile_ps(totals, 500000));
    report_time_row(text, 2, "  95 %", network_latency_percentile_ps(totals, 950000));
    report_time_row(text, 2, "  99 %", network_latency_percentile_ps(totals, 990000));
    report_time_row(text, 2, "  largest", totals->latency_max_ps);
    report_row(text, 2, "packets");
    text_add(text, "%" PRIu64 ", %.2f routers each, %.1f %% on minimal paths\n", totals->packets,
             (double)totals->packet_hops / (double)totals->packets,
             percent_of(totals->minimal_packets, totals->packets));
    if (totals->responses > 0) {
        report_row(text, 2, "responses");
        text_add(text, "%" PRIu64 ", %.2f routers each\n", totals->responses,
                 (double)totals->response_hops / (double)totals->responses);
    }
    report_ring_text(text, totals);
}

void report_simulation_text(struct text_buffer *text, const struct api_run *run,
                            bool all_simulated) {
    struct rusage usage;
    char memory[32];
    getrusage(RUSAGE_SELF, &usage);
    units_size_human((wide)(uint64_t)usage.ru_maxrss * 1024, memory, sizeof memory);
    double seconds = run->wall_s > 1e-6 ? run->wall_s : 1e-6;
    text_add(text, "\nSimulation\n");
    report_row(text, 2, "took");
    bool is_short = run->wall_s < 0.01; /* two decimals of a second are too few */
    char processes[48] = "";
    if (run->process_count > 1)
        snprintf(processes, sizeof processes, "%u processes of ", run->process_count);
    text_add(text, "%.2f %s with %s%u thread%s, %s of memory at most\n",
             is_short ? run->wall_s * 1e3 : run->wall_s, is_short ? "ms" : "s", processes,
             run->totals.threads, plural(run->totals.threads), memory);
    if (all_simulated) {
        report_row(text, 2, "parallel limit");
        text_add(text, "%.1f times one thread's speed, by any number of threads\n",
                 (double)network_parallel_limit_millionths(&run->totals) / 1e6);
        report_row(text, 2, "speed");
        text_add(text, "%.2f million events/s, %.2f million packet-hops/s\n",
                 (double)run->totals.events / seconds / 1e6,
                 (double)run->totals.packet_hops / seconds / 1e6);
    }
    report_row(text, 2, "digest");
    text_add(text, "%016" PRIx64 "\n", run->digest);
}
