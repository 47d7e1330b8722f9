/*
 * The host model of a machine, fitted to the measured times less the network's times
 * (docs/calibrate.md has the equations).
 *
 * Must not know files, settings, or how network times are found. Invariant: a parameter that the
 * data do not determine is marked as such (fit_standing), and `how` says how it was chosen.
 */
#ifndef ANAX_API_HOST_FIT_H
#define ANAX_API_HOST_FIT_H

#include "api/calibrate/segments.h"
#include "api/text/text_buffer.h"

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
    FIT_MEMORY_LATENCY,
    FIT_MEMORY_BANDWIDTH,
    FIT_REDUCTION,
    FIT_PARAMETERS
} fit_parameter;

typedef enum fit_standing {
    FIT_KEPT,      /* no data: the parameter keeps its value */
    FIT_DIVIDED,   /* the data determine a sum of parameters, which was divided */
    FIT_DETERMINED /* the data determine the parameter */
} fit_standing;

struct fit_step {
    uint64_t from_bytes;
    int64_t value;        /* ps, bytes or bytes per second, as the setting of the parameter */
    double half_interval; /* half of the 95 % confidence interval; infinite: not known */
};

enum { FIT_STEPS = 16 };

struct fit_result {
    fit_standing standing;
    char how[256]; /* a phrase that says how the parameter was found */
    struct fit_step steps[FIT_STEPS];
    size_t count; /* 0: the parameter was kept */
};

struct host_fit {
    struct fit_result parameters[FIT_PARAMETERS];
    struct text_buffer warnings; /* one warning per line */
};

/* A ping-pong: the time of one way. */
struct fit_latency_point {
    uint64_t size_bytes;
    double measured_ps, error_ps;
    double network_ps; /* time on the network with hosts that take no time */
};

/* The time per message of a stream; for streams in both directions, per message of each
 * direction. */
struct fit_stream_point {
    uint64_t size_bytes;
    double measured_ps, error_ps;
    double network_ps; /* time per message with hosts that take no time */
    double round_ps;   /* with the same hosts: the message, and an answer of 4 bytes; of an exchange
                        * the message alone */
};

struct fit_stream_data {
    const struct fit_stream_point *points; /* NULL: none */
    size_t count;
    uint32_t window, pairs;
};

struct host_data {
    const struct fit_latency_point *latencies;
    size_t latency_count;
    double control_ps;       /* time of a rendezvous' control message on the network */
    double given_latency_ps; /* latency of both NICs, or of the memory, in the given machine */
    bool is_within_node;     /* the processes ran on one node: messages pass through its memory */
    double fastest_memory;   /* bytes per second of a memory that takes no time per byte */
    struct fit_stream_data stream;   /* the stream with the fewest pairs */
    struct fit_stream_data crowded;  /* the most pairs, if more than in `stream` */
    struct fit_stream_data both;     /* streams in both directions */
    struct fit_stream_data exchange; /* two messages each way */
    int64_t eager_bytes;             /* eager threshold in the settings */
    bool eager_is_given;             /* the user gave the threshold, so it is not fitted */
};

/* Fits all parameters of the host model. Only memory can fail (STATUS_MEMORY). The caller frees the
 * fit's warnings by text_take. */
status_code host_fit_run(struct host_fit *fit, const struct host_data *data, struct status *status);

/* The phrase that says why a parameter of NICs is kept if the processes ran on one node. */
extern const char *const fit_needs_nodes;

/* Adds a step to a parameter. The value is rounded to the digits that its interval determines. */
void host_fit_add_step(struct fit_result *fitted, uint64_t from_bytes, double value,
                       double half_interval);
/* Sets how a parameter was found. */
void host_fit_set_how(struct fit_result *fitted, fit_standing standing, const char *how, ...)
    __attribute__((format(printf, 3, 4)));
/* Adds a warning. */
void host_fit_warn(struct host_fit *fit, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
