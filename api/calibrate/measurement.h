/*
 * Measurements of benchmarks between two nodes, or on several: tables of times by message size.
 *
 * Must not know the models that are fitted to them. Invariant: the sizes of a table ascend, and its
 * times are positive.
 */
#ifndef ANAX_API_MEASUREMENT_H
#define ANAX_API_MEASUREMENT_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum measurement_kind {
    MEASUREMENT_LATENCY,  /* one way: half of the round trip of a ping-pong */
    MEASUREMENT_STREAM,   /* a window of messages in one direction, then an answer */
    MEASUREMENT_BISTREAM, /* a window of messages in both directions at once */
    MEASUREMENT_SENDRECV, /* two processes send one message to each other at once */
    MEASUREMENT_EXCHANGE, /* two processes send two messages to each other at once */
    MEASUREMENT_ALLREDUCE,
    MEASUREMENT_OTHER, /* a benchmark of the suites that no parameter is fitted to */
    MEASUREMENT_KINDS
} measurement_kind;

struct measurement_row {
    uint64_t size_bytes;
    double time_ps;       /* time of a message or of the operation */
    double resolution_ps; /* worth of the last printed digit */
    size_t line;
};

struct measurement {
    measurement_kind kind;
    char name[64];      /* name of the benchmark: "osu_latency", "IMB PingPong" */
    const char *file;   /* lives as long as the list */
    size_t line;        /* line where the table begins */
    uint32_t processes; /* 0: the file does not say */
    uint32_t pairs;     /* pairs of processes that send at once */
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

/* Adds the tables of a file to the list. The file is the output of an OSU micro-benchmark, of the
 * Intel MPI Benchmarks or of NetPIPE. STATUS_INPUT: the file has faults, and the text lists all of
 * them; no table was added. */
status_code measurements_read(struct measurement_list *list, const char *path,
                              struct status *status);

/* Adds the tables of a text in memory, as measurements_read does for a file. The text need not be
 * terminated; name stands for the file. */
status_code measurements_read_text(struct measurement_list *list, const char *name,
                                   const char *text, size_t size, struct status *status);

/* Frees the tables and rows of a list. */
void measurements_free(struct measurement_list *list);

/* Returns whether a benchmark sends windows of messages, so that it measures a rate. */
static inline bool measurement_is_stream(measurement_kind kind) {
    return kind == MEASUREMENT_STREAM || kind == MEASUREMENT_BISTREAM;
}

/* Returns the name of a kind, such as "ping-pong" or "stream", for people and JSON. */
const char *measurement_kind_name(measurement_kind kind);

#endif
