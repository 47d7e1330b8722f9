/*
 * Divides the cost of a small message on its hosts among sending, receiving and latency, by the
 * rates of streams of messages. Private to api/calibrate.
 */
#ifndef ANAX_API_HOST_DIVISION_H
#define ANAX_API_HOST_DIVISION_H

#include "api/calibrate/host_fit.h"

struct host_division {
    struct segment_estimate latency; /* latency of both NICs together */
    bool latency_is_fitted;          /* false: the latency is the machine's */
    double send_share;               /* the sender's share of the overheads, 0 to 1 */
    char of_overheads[200];          /* phrase that says how the overheads were divided */
    char of_latency[200];            /* phrase that says how the latency was found */
};

/* Finds the division, and fits the message gap. first: the segment of the smallest messages, up to
 * last_bytes. */
void host_division_find(struct host_division *division, struct host_fit *fit,
                        const struct host_data *data, const struct segment *first,
                        uint64_t last_bytes);

#endif
