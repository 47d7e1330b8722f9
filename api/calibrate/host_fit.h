/*
 * The host model of a machine, fitted to what benchmarks measured beyond what the network takes
 * (docs/calibrate.md has the equations).
 *
 * Must not know files, settings, or how network times are found. Invariant: a parameter that the
 * data do not determine says so, and how it was chosen.
 */
#ifndef ANAX_API_HOST_FIT_H
#define ANAX_API_HOST_FIT_H

#include "api/calibrate/segments.h"
#include "api/report/text_buffer.h"

#include <stdbool.h>

typedef enum fit_parameter {
    FIT_EAGER_THRESHOLD,
    FIT_SEND_OVERHEAD,
    FIT_RECEIVE_OVERHEAD,
    FIT_SEND_COPY,
    FIT_RECEIVE_COPY,
    FIT_RENDEZVOUS_SEND,
    FIT_RENDEZVOUS_RECEIVE,
    FIT_SEND_PER_KIB,
    FIT_RECEIVE_PER_KIB,
    FIT_SEND_LATENCY,
    FIT_RECEIVE_LATENCY,
    FIT_MESSAGE_GAP,
    FIT_NIC_BANDWIDTH,
    FIT_HOST_BANDWIDTH,
    FIT_REDUCTION,
    FIT_PARAMETERS
} fit_parameter;

typedef enum fit_standing {
    FIT_KEPT,      /* no data: it stays what it was */
    FIT_DIVIDED,   /* the data determine a sum, which was divided */
    FIT_DETERMINED /* the data determine it */
} fit_standing;

struct fit_step {
    uint64_t from_bytes;
    int64_t value;        /* in base units */
    double half_interval; /* of the 95 % confidence interval; infinite: not known */
};

enum { FIT_STEPS = 16 };

struct fit_result {
    fit_standing standing;
    char how[256]; /* a phrase */
    struct fit_step steps[FIT_STEPS];
    size_t count; /* 0: kept */
};

struct host_fit {
    struct fit_result parameters[FIT_PARAMETERS];
    struct text_buffer warnings; /* a line each */
};

/* A ping-pong, one way. */
struct fit_latency_point {
    uint64_t size_bytes;
    double measured_ps, error_ps;
    double network_ps; /* with hosts that take no time */
};

/* A message of a stream; both ways: one each way. */
struct fit_stream_point {
    uint64_t size_bytes;
    double measured_ps, error_ps;
    double network_ps; /* the same by hosts that take no time */
    double round_ps;   /* with such hosts: once to, and back with 4 bytes; exchange: once to */
};

struct fit_stream_data {
    const struct fit_stream_point *points; /* NULL: none */
    size_t count;
    uint32_t window, pairs;
};

struct host_data {
    const struct fit_latency_point *latencies;
    size_t latency_count;
    double control_ps;               /* a control message of a rendezvous on the network */
    double kept_latency_ps;          /* of both NICs, as the machine has it */
    struct fit_stream_data stream;   /* of the fewest pairs */
    struct fit_stream_data crowded;  /* of the most pairs, if those are more */
    struct fit_stream_data both;     /* both ways */
    struct fit_stream_data exchange; /* two messages each way */
    int64_t eager_bytes;             /* the threshold as the settings have it */
    bool eager_is_given;             /* by the user, so that it is not looked for */
};

/* STATUS_MEMORY. The fit's warnings are to be freed by text_take. */
status_code host_fit_run(struct host_fit *fit, const struct host_data *data, struct status *status);

/* Adds a step to a parameter. The value is rounded to what its interval leaves of its digits. */
void fit_add_step(struct fit_result *fitted, uint64_t from_bytes, double value,
                  double half_interval);
void fit_say(struct fit_result *fitted, fit_standing standing, const char *how, ...)
    __attribute__((format(printf, 3, 4)));
void fit_warn(struct host_fit *fit, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
