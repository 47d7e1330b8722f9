/*
 * A run: threads share the domains and simulate them in windows, during which no event from
 * another group can arrive.
 */
#include "network/network.h"

#include "core/processors.h"
#include "core/windows.h"
#include "network/engine/channel_times.h"
#include "network/engine/conservation.h"
#include "network/engine/domain.h"
#include "network/engine/exchange.h"

#include <inttypes.h>

/* Returns a lower bound of the time of a group's next event, at least end_ps because all earlier
 * events have been processed. If the bound is too low, only the next window changes. */
static int64_t group_bound_ps(const struct network *network, uint32_t group, int64_t end_ps) {
    int64_t bound_ps = EVENT_NEVER;
    for (uint32_t i = group; i < network->domains_in_all_rails; i += network->topology.groups) {
        int64_t next_ps = event_queue_next_bound(&network->domains[i].events);
        if (next_ps < bound_ps) bound_ps = next_ps;
    }
    return bound_ps > end_ps ? bound_ps : end_ps;
}

static void run_thread(void *context, unsigned thread, int64_t end_ps, uint64_t window) {
    struct network *network = context;
    for (uint32_t i = thread; i < network->topology.groups; i += network->threads) {
        if (network->next_ps[i] >= end_ps) continue;
        for (uint32_t j = i; j < network->domains_in_all_rails; j += network->topology.groups)
            network->domains[j].window = window;
        domain_run(&network->domains[i], end_ps);
        network->next_ps[i] = group_bound_ps(network, i, end_ps);
    }
}

static int64_t earliest_of_thread(void *context, unsigned thread, uint64_t window) {
    const struct network *network = context;
    int64_t earliest_ps = EVENT_NEVER;
    for (uint32_t i = thread; i < network->topology.groups; i += network->threads) {
        if (network->next_ps[i] < earliest_ps) earliest_ps = network->next_ps[i];
        for (uint32_t j = i; j < network->domains_in_all_rails; j += network->topology.groups) {
            const struct network_domain *domain = &network->domains[j];
            if (domain->out_of_memory || domain->events.out_of_memory ||
                domain->starving_port_vc != NETWORK_NONE)
                return WINDOWS_STOP;
        }
    }
    int64_t sent_ps = exchange_earliest_ps(network, thread, window);
    return sent_ps < earliest_ps ? sent_ps : earliest_ps;
}

static void receive(void *context, unsigned thread, uint64_t window) {
    exchange_receive(context, thread, window);
}

static bool between(void *context, int64_t now_ps) {
    struct network *network = context;
    enum { WINDOWS_BETWEEN = 8 }; /* some 0.4 s on 262,656 nodes under traffic */
    if (network->progress == NULL || ++network->ticks % WINDOWS_BETWEEN != 0) return false;
    uint64_t events = 0; /* events of thread 0's own domains, in all rails */
    for (uint32_t i = 0; i < network->topology.groups; i += network->threads)
        for (uint32_t j = i; j < network->domains_in_all_rails; j += network->topology.groups)
            events += network->domains[j].totals.events;
    network->stopped =
        !network->progress(network->progress_context, now_ps, events * network->threads);
    return network->stopped;
}

/* Returns the number of threads: the wanted number, or without one the number of processors, but
 * at most a quarter of the groups that have events. Never more than the groups. */
static unsigned threads_that_help(const struct network *network, unsigned wanted) {
    uint32_t busy = 0;
    for (uint32_t i = 0; i < network->topology.groups; i++)
        busy += network->next_ps[i] != EVENT_NEVER;
    unsigned most = wanted > 0 ? wanted : processors_count();
    if (wanted == 0 && busy / 4 < most) most = busy / 4;
    if (most > network->topology.groups) most = network->topology.groups;
    return most > 0 ? most : 1;
}

static status_code prepare_threads(struct network *network, unsigned wanted,
                                   struct status *status) {
    exchange_close(network);
    for (uint32_t i = 0; i < network->topology.groups; i++)
        network->next_ps[i] = EVENT_NEVER;
    for (uint32_t i = 0; i < network->domains_in_all_rails; i++) {
        struct network_domain *domain = &network->domains[i];
        int64_t first_ps = event_queue_next_time(&domain->events);
        int64_t *next_ps = &network->next_ps[domain->group];
        if (first_ps < *next_ps) *next_ps = first_ps;
    }
    network->threads = threads_that_help(network, wanted);
    for (uint32_t i = 0; i < network->domains_in_all_rails; i++)
        network->domains[i].thread = network->domains[i].group % network->threads;
    return exchange_open(network, status);
}

/*
 * Returns the lookahead: the span of time within which no event of one group can reach another. It
 * is the global latency plus a delay that always follows: a packet needs hop_ps before it may
 * request an output, and a credit needs the time in which the smallest packet leaves its buffer,
 * by the channel, or with output buffers by the crossbar.
 */
static int64_t lookahead_ps(const struct network *network,
                            const struct network_run_options *options) {
    if (network->topology.groups == 1) return EVENT_NEVER;
    int64_t smallest = network->config.packet_bytes;
    if (options->smallest_message_bytes < (uint64_t)smallest)
        smallest = (int64_t)options->smallest_message_bytes;
    int64_t smallest_bytes = network_config_packet_bytes(&network->config, smallest);
    int64_t response_bytes = network_config_response_bytes(&network->config, 0);
    if (network->responds && response_bytes < smallest_bytes) smallest_bytes = response_bytes;
    int64_t fastest = 0; /* highest bandwidth out of a buffer; 0: a buffer is released at once */
    for (uint32_t channel = 0; channel < NETWORK_CHANNELS; channel++) {
        if (network->bandwidth[channel] > fastest) fastest = network->bandwidth[channel];
    }
    if (network->output_buffered) fastest = network->crossbar_bandwidth;
    if (network->config.release == NETWORK_RELEASE_HEAD) fastest = 0;
    int64_t leaving_ps = fastest > 0 ? serialization_ps(smallest_bytes, fastest) : 0;
    return network->latency_ps[NETWORK_GLOBAL] +
           (leaving_ps < network->router_delay_ps ? leaving_ps : network->router_delay_ps);
}

status_code network_run(struct network *network, const struct network_run_options *options,
                        struct status *status) {
    FORWARD_IF_ERROR(prepare_threads(network, options->threads, status));
    network->progress = options->progress;
    network->progress_context = options->progress_context;
    network->stopped = false;
    bool is_limited = false;
    struct windows_work work = {
        .context = network,
        .run = run_thread,
        .earliest = earliest_of_thread,
        .receive = receive,
        .between = between,
        .limit_ps = NETWORK_TIME_LIMIT_PS,
        .is_limited = &is_limited,
    };
    FORWARD_IF_ERROR(windows_run(&work, network->threads, lookahead_ps(network, options),
                                 &network->windows, status));
    RETURN_ERROR_IF(is_limited, status, STATUS_RUN,
                    "network: the simulated time passes %" PRId64
                    " s (26 days), and longer runs are not simulated; are messages too large, or "
                    "channels too slow?",
                    NETWORK_TIME_LIMIT_PS / INT64_C(1000000000000));
    return conservation_check(network, status);
}
