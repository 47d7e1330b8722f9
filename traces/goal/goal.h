/*
 * Reading schedules in GOAL. Private to traces/goal:
 *
 *   goal_import.c  from a file to a sealed program
 *   goal_text.c    the next rank of a text
 *   goal_binary.c  the next rank of a file of LogGOPSim's txt2bin
 *   goal_order.c   an order in which no vertex needs a later one
 *
 * Source: T. Hoefler, T. Schneider, A. Lumsdaine, LogGOPSim: Simulating Large-Scale Applications in
 * the LogGOPS Model, HPDC 2010, and what its txt2bin reads and writes.
 *
 * Invariant: a rank is read, ordered and appended to the program before the next one is read. So
 * besides the file and the program, memory is that of one rank.
 */
#ifndef ANAX_TRACES_GOAL_H
#define ANAX_TRACES_GOAL_H

#include "traces/key_table.h"
#include "traces/program/builder/program_builder.h"
#include "traces/program/program_graph.h"

/* A vertex as its file has it. */
struct goal_vertex {
    program_operation_kind kind; /* COMPUTE, SEND or RECEIVE */
    uint8_t cpu, nic;
    uint32_t peer, tag;
    uint32_t label; /* offset in labels; 0: the vertex has none */
    union {
        uint64_t duration_ns; /* COMPUTE */
        uint64_t bytes;       /* SEND, RECEIVE */
    };
    uint64_t place; /* line, or byte in the file */
};

struct goal_edge {
    uint32_t vertex;
    uint32_t need; /* PROGRAM_NEED */
};

/* One rank. Its memory is used again for the next one. */
struct goal_rank {
    uint32_t rank;
    struct goal_vertex *vertices;
    size_t vertex_count, vertex_capacity;
    struct goal_edge *edges;
    size_t edge_count, edge_capacity;
    char *labels; /* texts, one after another; offset 0 is "" */
    size_t label_bytes, label_capacity;
    struct key_table label_index;
    /* goal_order_vertices sets: */
    uint32_t *order; /* the vertices in an order in which they can begin */
    uint32_t *needs; /* PROGRAM_NEED of each vertex, from first[vertex] on */
    uint32_t *first;
    uint32_t *position; /* of each vertex in `order` */
    size_t order_capacity, needs_capacity, first_capacity, position_capacity;
};

/* A file that is read rank by rank. */
struct goal_reader {
    const char *path;
    char *bytes; /* ended by a 0 */
    size_t size;
    bool is_binary;
    uint32_t rank_count;
    size_t offset; /* text: what is read next */
    uint64_t line; /* text: its line */
    uint32_t next; /* binary: the rank that is read next */
};

/* Begins the rank with this number, and keeps the memory of the one before. */
void goal_rank_begin(struct goal_rank *rank, uint32_t number);

/* Frees what goal_rank_begin has made. */
void goal_rank_free(struct goal_rank *rank);

/* Adds a vertex to a rank. */
status_code goal_add_vertex(struct goal_rank *rank, const struct goal_vertex *vertex,
                            struct status *status);

/* Adds an edge: the vertex needs another one of the rank. */
status_code goal_add_edge(struct goal_rank *rank, uint32_t vertex, uint32_t need,
                          struct status *status);

enum { GOAL_PLACE_TEXT = 400 };
/* Writes a place for messages: "FILE:LINE", or "FILE, byte N". */
void goal_write_place(const struct goal_reader *reader, uint64_t place, char text[GOAL_PLACE_TEXT]);
enum { GOAL_NAME_TEXT = 80 };
/* Writes the name of a vertex for messages: its label, or its number in its rank. */
void goal_write_vertex_name(const struct goal_rank *rank, uint32_t vertex,
                            char text[GOAL_NAME_TEXT]);

/* Begins to read a text file whose bytes are there: sets rank_count. */
status_code goal_text_begin(struct goal_reader *reader, struct status *status);

/* Does the same with a binary file. */
status_code goal_binary_begin(struct goal_reader *reader, struct status *status);

/* Reads the next rank of a text file; *found is false after the last one. */
status_code goal_text_next(struct goal_reader *reader, struct goal_rank *rank, bool *found,
                           struct status *status);

/* Does the same with a binary file. */
status_code goal_binary_next(struct goal_reader *reader, struct goal_rank *rank, bool *found,
                             struct status *status);
/* Returns true if the bytes begin like a file of txt2bin. */
bool goal_is_binary(const char *bytes, size_t size);

/* Checks the peers and sizes of a rank and finds the order of its vertices: the one of the file, as
 * far as no vertex needs a later one. STATUS_INPUT: vertices wait for each other. */
status_code goal_order_vertices(const struct goal_reader *reader, struct goal_rank *rank,
                                struct status *status);

#endif
