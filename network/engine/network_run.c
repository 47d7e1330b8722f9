/*
 * A run: threads share the groups and simulate them in windows, during which no event from another
 * group can arrive. A group, in all rails, is a domain of core/simulation/windows.h.
 */
#include "network/network.h"

#include "core/processes/processors.h"
#include "core/simulation/windows.h"
#include "network/engine/checks/conservation.h"
#include "network/engine/exchange/group_exchange.h"
#include "network/engine/network_checkpoint.h"
#include "network/engine/processes/process_exchange.h"
#include "network/engine/processes/process_gather.h"
#include "network/engine/rail_group.h"
#include "network/engine/state/channel_times.h"

#include <inttypes.h>
#include <stdlib.h>

/* Returns a lower bound of the time of a group's next event, at most a bucket of the queue earlier.
 */
static int64_t group_bound_ps(const struct network *network, uint32_t group) {
    int64_t bound_ps = EVENT_NEVER;
    for (uint32_t i = group; i < network->rail_group_count; i += network->topology.groups) {
        int64_t next_ps = event_queue_next_bound_ps(&network->rail_groups[i].events);
        if (next_ps < bound_ps) bound_ps = next_ps;
    }
    return bound_ps;
}

static bool has_failed(const struct network *network, uint32_t group) {
    for (uint32_t i = group; i < network->rail_group_count; i += network->topology.groups) {
        const struct rail_group *rail_group = &network->rail_groups[i];
        if (rail_group->failure.out_of_memory || rail_group->events.out_of_memory ||
            rail_group->failure.starving_port_vc != NETWORK_NONE)
            return true;
    }
    return false;
}

/* Returns the events of a group so far, in all rails. */
static uint64_t group_events(const struct network *network, uint32_t group) {
    uint64_t events = 0;
    for (uint32_t i = group; i < network->rail_group_count; i += network->topology.groups)
        events += network->rail_groups[i].counts.totals.events;
    return events;
}

static void receive_group(void *context, const struct windows_worker *worker, uint32_t group) {
    exchange_receive(context, group, worker->window);
}

static void prefetch_group(void *context, const struct windows_worker *worker, uint32_t group,
                           unsigned ahead) {
    exchange_prefetch(context, group, worker->window, ahead);
}

static int64_t run_group_in_window(void *context, const struct windows_worker *worker,
                                   uint32_t group, int64_t end_ps, uint64_t *work) {
    struct network *network = context;
    struct rail_group *home = &network->rail_groups[group];
    uint64_t before = group_events(network, group);
    exchange_begin(home, worker->thread, worker->window, worker->has_one_thread);
    network->run.run_group(home, end_ps);
    exchange_end(home);
    *work += group_events(network, group) - before;
    return has_failed(network, group) ? WINDOWS_STOP : group_bound_ps(network, group);
}

static int64_t first_sent(void *context, const struct windows_worker *worker) {
    const struct network_sender *sender = exchange_sender(context, worker->thread, worker->window);
    int64_t earliest_ps = EVENT_NEVER;
    for (uint32_t i = 0; i < sender->group_count; i++) {
        int64_t sent_ps = sender->boxes[sender->groups[i]].earliest_ps;
        if (sent_ps < earliest_ps) earliest_ps = sent_ps;
    }
    return earliest_ps;
}

static void report_sent(void *context, const struct windows_worker *worker) {
    struct network_sender *sender = exchange_sender(context, worker->thread, worker->window);
    for (uint32_t i = 0; i < sender->group_count; i++) {
        uint32_t group = sender->groups[i];
        windows_record_sent(worker->windows, group, sender->boxes[group].earliest_ps);
    }
    exchange_hand_over(sender);
}

static bool is_elsewhere(void *context, uint32_t group) {
    return ((const struct network *)context)->rail_groups[group].is_elsewhere;
}

static bool report_progress(void *context, int64_t now_ps, uint64_t events) {
    struct network *network = context;
    enum { WINDOWS_PER_CALL = 8 }; /* some 0.4 s on 262,656 nodes under traffic */
    const struct network_run_options *options = network->run.options;
    if (options->progress == NULL || ++network->run.progress_windows % WINDOWS_PER_CALL != 0)
        return false;
    network->run.is_stopped = !options->progress(options->progress_context, now_ps, events);
    return network->run.is_stopped;
}

/* Returns how many threads may work: the wanted number, or without one the number of processors.
 * Never more than the groups. */
static unsigned threads_that_help(const struct network *network, unsigned wanted) {
    unsigned max = wanted;
    if (wanted == 0)
        max = processes_max_threads(network->distribution.processes, processors_in_set(),
                                    processors_quota());
    if (max > network->topology.groups) max = network->topology.groups;
    return max > 0 ? max : 1;
}

static status_code prepare_threads(struct network *network, unsigned wanted,
                                   struct status *status) {
    exchange_close(network);
    for (uint32_t i = 0; i < network->topology.groups; i++)
        network->run.next_ps[i] = has_failed(network, i) ? WINDOWS_STOP : EVENT_NEVER;
    for (uint32_t i = 0; i < network->rail_group_count; i++) {
        struct rail_group *rail_group = &network->rail_groups[i];
        int64_t first_ps = event_queue_next_ps(&rail_group->events);
        int64_t *next_ps = &network->run.next_ps[rail_group->group];
        if (first_ps < *next_ps) *next_ps = first_ps;
    }
    network->run.threads = threads_that_help(network, wanted);
    return exchange_open(network, status);
}

/*
 * Returns the lookahead: the span of time within which no event of one group can reach another. It
 * is the global latency plus the shorter of two delays. A packet needs routers.delay_ps after the
 * channel before it may request an output. A credit leaves only after the time in which the
 * smallest packet leaves its buffer, by the channel, or with output buffers by the crossbar.
 */
static int64_t lookahead_ps(const struct network *network,
                            const struct network_run_options *options) {
    enum { ALONE_PS = 200000 }; /* one group: windows serve progress and stopping alone */
    if (network->topology.groups == 1) return ALONE_PS;
    int64_t smallest = network->config.packet_bytes;
    if (options->smallest_message_bytes < (uint64_t)smallest)
        smallest = (int64_t)options->smallest_message_bytes;
    int64_t smallest_bytes = network_config_packet_bytes(&network->config, smallest);
    int64_t response_bytes = network_config_response_bytes(&network->config, 0);
    if (network->nics.has_responses && response_bytes < smallest_bytes)
        smallest_bytes = response_bytes;
    int64_t fastest = 0; /* highest bandwidth out of a buffer; 0: a buffer is released at once */
    for (uint32_t type = 0; type < NETWORK_CHANNEL_TYPES; type++) {
        if (network->channels.bytes_per_s[type] > fastest)
            fastest = network->channels.bytes_per_s[type];
    }
    if (network->hop_features.has_output_buffers) fastest = network->routers.crossbar_bytes_per_s;
    if (network->config.release == NETWORK_RELEASE_HEAD) fastest = 0;
    int64_t leaving_ps = fastest > 0 ? channel_serialisation_ps(smallest_bytes, fastest) : 0;
    return network->channels.latency_ps[NETWORK_GLOBAL] +
           (leaving_ps < network->routers.delay_ps ? leaving_ps : network->routers.delay_ps);
}

/* Reads how groups are dealt from ANAX_TEST_DEALING, which is for tests. */
static status_code choose_dealing(struct dealing_choice *choice, struct status *status) {
    const char *text = getenv("ANAX_TEST_DEALING");
    *choice = (struct dealing_choice){DEALING_DYNAMIC, false};
    RETURN_ERROR_IF(text != NULL && !dealing_choice_of_text(choice, text), status, STATUS_USAGE,
                    "ANAX_TEST_DEALING is `%s`; it can be dynamic, static or random, also with "
                    "',delays' behind",
                    text);
    return STATUS_OK;
}

/* Opens the file that ANAX_TEST_LOADS names, which is for bench/speed/window_bounds.sh. */
static status_code open_loads(FILE **loads, struct status *status) {
    const char *path = getenv("ANAX_TEST_LOADS");
    *loads = path != NULL ? fopen(path, "we") : NULL;
    RETURN_ERROR_IF(path != NULL && *loads == NULL, status, STATUS_USAGE,
                    "ANAX_TEST_LOADS: %s cannot be written", path);
    return STATUS_OK;
}

status_code network_run(struct network *network, const struct network_run_options *options,
                        struct status *status) {
    RETURN_ERROR_IF(network->run.has_begun, status, STATUS_STATE,
                    "network: a second run of the same network; make a network for each run");
    network->run.has_begun = true;
    FORWARD_IF_ERROR(prepare_threads(network, options->threads, status));
    network->run.options = options;
    network->run.run_group = rail_group_run_of(network);
    struct windows_threads threads = {.max = network->run.threads,
                                      .is_adapting = options->threads == 0};
    FORWARD_IF_ERROR(choose_dealing(&threads.dealing, status));
    struct windows_setup work = {
        .context = network,
        .domains = network->topology.groups,
        .next_ps = network->run.next_ps,
        .lookahead_ps = lookahead_ps(network, options),
        .limit_ps = NETWORK_TIME_LIMIT_PS,
        .shift = network->rail_groups[0].events.shift,
        .receive = receive_group,
        .prefetch = prefetch_group,
        .run = run_group_in_window,
        .earliest_sent_ps = first_sent,
        .report = report_sent,
        .progress = report_progress,
    };
    if (options->checkpoint != NULL)
        FORWARD_IF_ERROR(network_checkpoint_prepare(network, &work, status));
    if (network->distribution.processes != NULL) {
        work.meet = process_exchange_meet;
        work.is_elsewhere = is_elsewhere;
    }
    FORWARD_IF_ERROR(open_loads(&work.work_log, status));
    const status_code code = windows_run(&work, threads, &network->run.numbers, status);
    if (work.work_log != NULL) fclose(work.work_log);
    if (code != STATUS_OK) return code;
    if (network->run.stop_status.code != STATUS_OK)
        return status_set(status, network->run.stop_status.code, "%s",
                          network->run.stop_status.text);
    RETURN_ERROR_IF(network->run.numbers.is_limited, status, STATUS_RUN,
                    "network: the simulated time passes %" PRId64
                    " s (26 days), and longer runs are not simulated; are messages too large, or "
                    "channels too slow?",
                    NETWORK_TIME_LIMIT_PS / INT64_C(1000000000000));
    FORWARD_IF_ERROR(process_gather_totals(network, status));
    FORWARD_IF_ERROR(conservation_check(network, status));
    return process_gather_links(network, status);
}
