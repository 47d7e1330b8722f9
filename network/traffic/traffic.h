/*
 * Synthetic traffic, with which the network is compared with papers and other simulators.
 *
 * Every node draws arrivals from a Bernoulli process (one trial per phit time of all its channels
 * together), sends each arrival's messages to a destination given by the pattern, and goes on for
 * warm-up, measurement and drain. The measured messages are those generated during the
 * measurement. Their latency counts from then and includes queueing at the source.
 */
#ifndef ANAX_NETWORK_TRAFFIC_H
#define ANAX_NETWORK_TRAFFIC_H

#include "core/base/compiler_hints.h"
#include "network/network.h"

/* The messages of a node have the traffic classes in turns. */
#define TRAFFIC_CLASS_EACH INT64_C(-1)

struct traffic_config {
    char *pattern; /* name of a row of traffic_patterns, or adv+N for N groups ahead */
    int64_t warmup_ps;
    int64_t measure_ps;
    int64_t drain_ps;           /* traffic continues for this time after the measurement */
    int64_t message_bytes;      /* payload of a message; 0: one full packet */
    int64_t burst_messages;     /* messages per arrival, all to one destination */
    int64_t queue_messages;     /* waiting messages at which a source refuses more; 0: no limit */
    int64_t hotspot_node;       /* of the patterns that prefer one node */
    int64_t hotspot_millionths; /* share of messages that go to hotspot_node */
    int64_t traffic_class;      /* of the messages; TRAFFIC_CLASS_EACH: in turns */
};

/* Returns the traffic class of the messages of a node's arrival with that number, if there are so
 * many classes. */
static inline uint8_t traffic_class_of(int64_t traffic_class, int64_t classes, uint64_t arrival) {
    return (uint8_t)(HINT_UNLIKELY(traffic_class == TRAFFIC_CLASS_EACH)
                         ? arrival % (uint64_t)classes
                         : (uint64_t)traffic_class);
}

/* Returns the words that settings of the class of synthetic traffic accept in place of a number,
 * NULL-terminated: that of TRAFFIC_CLASS_EACH. */
const char *const *traffic_class_words(void);

extern const struct setting_row traffic_setting_rows[];
extern const size_t traffic_setting_count;

struct traffic_pattern {
    const char *name;
    const char *help; /* one line without a full stop */
};
/* Returns the table of patterns, which ends with a row whose name is NULL. */
const struct traffic_pattern *traffic_patterns(void);

/* Checks that a pattern has that name. `setting` names the setting in error messages.
 * STATUS_USAGE, with the valid names: no pattern has it. Whether the pattern makes sense on a
 * machine is checked by traffic_run. */
status_code traffic_pattern_check(const char *name, const char *setting, struct status *status);

struct traffic_point {
    int64_t offered_millionths;  /* share of the injection bandwidth, headers included */
    int64_t accepted_millionths; /* load delivered during the measurement, as the offered load is
                                    counted */
    uint64_t accepted_messages;  /* messages delivered during the measurement, whenever they were
                                    generated */
    wide accepted_latency_sum_ps;
    uint64_t messages;   /* measured messages that were delivered */
    uint64_t unfinished; /* measured messages refused, or still at their source at the end */
    wide latency_sum_ps;
    int64_t latency_max_ps;
    int64_t latency_p50_ps;
    int64_t latency_p95_ps;
    int64_t latency_p99_ps;
    uint64_t minimal_messages; /* measured messages with all packets on minimal paths */
    wide minimal_latency_sum_ps;
    uint64_t router_sum; /* sum of the routers passed by the measured messages' last packets */
    bool stable; /* no message is unfinished, the backlog does not grow (stability.h), and no node
                    is offered more than its channels carry */
    struct network_totals totals; /* totals of the whole run */
};

/* Numbers of measured messages by latency: see network_latency_bin. */
struct traffic_histogram {
    uint64_t all[NETWORK_LATENCY_BINS];
    uint64_t minimal[NETWORK_LATENCY_BINS]; /* messages with all packets on minimal paths */
};

struct traffic_options {
    unsigned threads;                    /* number of threads; 0: as many as help */
    struct traffic_histogram *histogram; /* NULL, or the caller's histogram to fill in */
    bool (*progress)(void *context, int64_t now_ps, uint64_t events);
    void *progress_context;
    struct processes *processes; /* that simulate the network together; NULL: only this one */
    const struct network_link_name *links; /* links that are watched (network_watch) */
    uint32_t link_count;
    uint32_t time_bins; /* most bins of the load of channels (network_keep_history); 0: none */
    struct checkpoint *checkpoint; /* of the simulation that has begun there; NULL: none */
};

/* Returns the overload of a bottleneck, in millionths of its capacity, that the test of stability
 * detects in half of all runs: of one that all measured messages of a point pass, and of one that
 * is a single channel of the slowest kind. */
int64_t traffic_overload_of_all(const struct traffic_point *point);
int64_t traffic_overload_of_channel(const struct network_config *config,
                                    const struct traffic_config *traffic);

/* Runs one point at a load of 1 to 1000000 millionths of the injection bandwidth. Afterwards the
 * caller can read the network's links and totals, and frees the network; also after an error, if
 * *network is not NULL. STATUS_USAGE: a load, pattern or setting that is not possible on the
 * machine. Also passes on the errors of network_new and network_run. */
status_code traffic_run(struct traffic_point *point, struct network **network,
                        const struct network_config *config, const struct traffic_config *settings,
                        int64_t load_millionths, uint64_t seed,
                        const struct traffic_options *options, struct status *status);

#endif
