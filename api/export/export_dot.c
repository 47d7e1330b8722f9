/*
 * The schedule as a graph for Graphviz: a cluster for each rank, a box for each operation, an arrow
 * from each required operation (dotted if it must only have begun), and a point for each message,
 * between its send and its receive.
 */
#include "api/export/export.h"

#include <inttypes.h>

void export_dot_begin(struct export_writer *writer) {
    text_add(&writer->text, "digraph program {\nrankdir=TB;\nnode [shape=box, fontsize=10];\n");
}

void export_dot_begin_rank(struct export_writer *writer, uint32_t rank) {
    text_add(&writer->text, "subgraph cluster_%u {\nlabel=\"rank %u\";\n", rank, rank);
}

/* Adds the beginning of a box and its label. Names in it are escaped. */
static void add_box(struct text_buffer *text, const struct schedule_operation *operation) {
    text_add(text, "r%u_%u [label=\"", operation->rank, operation->label);
    for (const char *c = operation->call; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\') text_add(text, "\\");
        text_add(text, "%c", (unsigned char)*c < 0x20 ? '?' : *c);
    }
}

/* Adds an operation. Both sides of a message name its point, which stands in the cluster of the
 * side that is written first. */
void export_dot_operation(struct export_writer *writer,
                          const struct schedule_operation *operation) {
    struct text_buffer *text = &writer->text;
    uint32_t rank = operation->rank, peer = operation->peer;
    switch (operation->kind) {
    case SCHEDULE_CALC:
        text_add(text, "r%u_%u [label=\"calc %" PRId64 " ps\"];\n", rank, operation->label,
                 operation->duration_ps);
        break;
    case SCHEDULE_SEND:
        add_box(text, operation);
        text_add(text, "\\nsend %" PRIu64 " B to %u\"];\n", operation->size_bytes, peer);
        break;
    case SCHEDULE_RECEIVE:
        add_box(text, operation);
        text_add(text, "\\nreceive %" PRIu64 " B from %u\"];\n", operation->size_bytes, peer);
        break;
    }
    if (operation->kind == SCHEDULE_SEND)
        text_add(text, "m%u_%u_%u [shape=point];\nr%u_%u -> m%u_%u_%u;\n", rank, peer,
                 operation->tag, rank, operation->label, rank, peer, operation->tag);
    if (operation->kind == SCHEDULE_RECEIVE)
        text_add(text, "m%u_%u_%u [shape=point];\nm%u_%u_%u -> r%u_%u;\n", peer, rank,
                 operation->tag, peer, rank, operation->tag, rank, operation->label);
    for (size_t i = 0; i < operation->edge_count; i++)
        text_add(text, "r%u_%u -> r%u_%u%s;\n", rank, operation->edges[i].label, rank,
                 operation->label, operation->edges[i].needs_only_posted ? " [style=dotted]" : "");
}

void export_dot_end_rank(struct export_writer *writer, uint32_t rank) {
    (void)rank;
    text_add(&writer->text, "}\n");
}

void export_dot_end(struct export_writer *writer) {
    text_add(&writer->text, "}\n");
}
