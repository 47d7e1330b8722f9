/*
 * How what a small message costs its hosts is divided among sending, receiving and latency: by the
 * rates at which streams of messages run. Inside of api/calibrate.
 */
#ifndef ANAX_API_HOST_DIVISION_H
#define ANAX_API_HOST_DIVISION_H

#include "api/calibrate/host_fit.h"

struct host_division {
    struct segment_estimate latency; /* of both NICs */
    bool latency_is_fitted;          /* else it is the machine's */
    double send_share;               /* of the overheads, the sender's */
    char of_overheads[200], of_latency[200];
};

/* first: the segment of the smallest messages, up to last_bytes. Also finds the message gap. */
void host_division_find(struct host_division *division, struct host_fit *fit,
                        const struct host_data *data, const struct segment *first,
                        uint64_t last_bytes);

#endif
