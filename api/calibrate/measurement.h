/*
 * What benchmarks measured between two nodes, or on several: tables of times by message size.
 *
 * Must not know what is fitted to them. Invariant: the sizes of a table ascend, and its times are
 * positive.
 */
#ifndef ANAX_API_MEASUREMENT_H
#define ANAX_API_MEASUREMENT_H

#include "core/status.h"

#include <stddef.h>
#include <stdint.h>

typedef enum measurement_kind {
    MEASUREMENT_LATENCY,  /* one way, half of a ping-pong's round */
    MEASUREMENT_STREAM,   /* a window of messages in one direction, then an answer */
    MEASUREMENT_BISTREAM, /* a window of messages in both directions at once */
    MEASUREMENT_SENDRECV, /* two processes send to each other at once, one message each */
    MEASUREMENT_EXCHANGE, /* the same with two messages each */
    MEASUREMENT_ALLREDUCE,
    MEASUREMENT_OTHER, /* a benchmark of the suites that nothing is fitted to */
    MEASUREMENT_KINDS
} measurement_kind;

struct measurement_row {
    uint64_t size_bytes;
    double time_ps;       /* a message's, or the operation's */
    double resolution_ps; /* what the last printed digit is worth */
    size_t line;
};

struct measurement {
    measurement_kind kind;
    char name[64];      /* of the benchmark: "osu_latency", "IMB PingPong" */
    const char *file;   /* lives as long as the list */
    size_t line;        /* where the table begins */
    uint32_t processes; /* 0: the file does not say */
    uint32_t pairs;     /* that send at once */
    uint32_t window;    /* messages in flight; 0: the file does not say */
    struct measurement_row *rows;
    size_t count, capacity;
};

struct measurement_list {
    struct measurement *tables;
    size_t count, capacity;
    char **files;
    size_t file_count, file_capacity;
};

/* Adds the tables of a file: the output of an OSU micro-benchmark, of the Intel MPI Benchmarks or
 * of NetPIPE. STATUS_INPUT with all faults of the file; then nothing was added. */
status_code measurements_read(struct measurement_list *list, const char *path,
                              struct status *status);

/* The same for a text in memory, which need not be terminated; name stands for the file. */
status_code measurements_read_text(struct measurement_list *list, const char *name,
                                   const char *text, size_t size, struct status *status);

void measurements_free(struct measurement_list *list);

/* "ping-pong", "stream", ... for people and JSON. */
const char *measurement_kind_name(measurement_kind kind);

#endif
