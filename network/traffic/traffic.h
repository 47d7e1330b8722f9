/*
 * Synthetic traffic: how a network is held against papers and other simulators.
 *
 * Every node draws arrivals from a Bernoulli process (one trial per phit time of the terminal
 * channel), sends each message to a destination given by the pattern, and goes on for warm-up,
 * measurement and drain. Measured are the messages that arrive at their source's NIC during the
 * measurement; their latency counts from then, queueing at the source included.
 */
#ifndef ANAX_NETWORK_TRAFFIC_H
#define ANAX_NETWORK_TRAFFIC_H

#include "network/network.h"

struct traffic_config {
    char *pattern; /* name of a row; adv+N for N groups ahead */
    int64_t warmup_ps;
    int64_t measure_ps;
    int64_t drain_ps;       /* traffic goes on for so long after the measurement */
    int64_t message_bytes;  /* payload; 0: one packet */
    int64_t burst_messages; /* messages per arrival: to one destination, back to back */
    int64_t queue_messages; /* a source where so many wait takes no more; 0: without limit */
    int64_t hotspot_node;
    int64_t hotspot_millionths; /* share of messages that go to it */
};

extern const struct setting_row traffic_setting_rows[];
extern const size_t traffic_setting_count;

struct traffic_pattern {
    const char *name;
    const char *help; /* one line, no full stop */
};
const struct traffic_pattern *traffic_patterns(void); /* ends with a row whose name is NULL */

/* STATUS_USAGE, with the valid names, unless a pattern has that name; whether it means something on
 * a machine, traffic_run tells. */
status_code traffic_pattern_known(const char *name, const char *setting, struct status *status);

struct traffic_point {
    int64_t offered_millionths;  /* of the injection bandwidth, headers included */
    int64_t accepted_millionths; /* delivered during the measurement, in the same unit */
    uint64_t accepted_messages;  /* delivered during the measurement, whenever they came up */
    wide accepted_latency_sum_ps;
    uint64_t messages;   /* measured and delivered */
    uint64_t unfinished; /* measured, but refused by or still at their source at the end */
    wide latency_sum_ps;
    int64_t latency_max_ps;
    int64_t latency_p50_ps;
    int64_t latency_p95_ps;
    int64_t latency_p99_ps;
    uint64_t minimal_messages; /* of the measured ones: all packets on minimal paths */
    wide minimal_latency_sum_ps;
    uint64_t router_sum; /* routers passed by the measured messages' last packets */
    bool stable;         /* nothing unfinished, and the backlog does not grow: stability.h */
    struct network_totals totals; /* of the whole run */
};

/* Measured messages by latency: see network_latency_bin. */
struct traffic_histogram {
    uint64_t all[NETWORK_LATENCY_BINS];
    uint64_t minimal[NETWORK_LATENCY_BINS]; /* all their packets on minimal paths */
};

struct traffic_options {
    unsigned threads;                    /* 0: as many as help */
    struct traffic_histogram *histogram; /* filled in if not NULL */
    bool (*progress)(void *context, int64_t now_ps, uint64_t events);
    void *progress_context;
};

/* Runs one point. load: millionths of the injection bandwidth, 1 … 1000000. The network can be read
 * (links, totals) afterwards; the caller frees it (also after an error, when *network is not NULL).
 */
status_code traffic_run(struct traffic_point *point, struct network **network,
                        const struct network_config *config, const struct traffic_config *traffic,
                        int64_t load_millionths, uint64_t seed,
                        const struct traffic_options *options, struct status *status);

#endif
