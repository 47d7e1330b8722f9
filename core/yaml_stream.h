/*
 * A YAML text as a stream of nodes, each with its place, and faults told where they are.
 *
 * Knows nothing of settings, and nobody else knows libfyaml. The text is never kept as a tree, and
 * what is not asked for is passed over: depth, aliases and size of a hostile text cost nothing.
 * Invariant: after YAML_FAULT has told as many faults as a report takes, or memory is short, the
 * stream ends.
 */
#ifndef ANAX_CORE_YAML_STREAM_H
#define ANAX_CORE_YAML_STREAM_H

#include "core/source_report.h"

typedef enum yaml_kind {
    YAML_NONE, /* the stream has ended, or is broken */
    YAML_DOCUMENT,
    YAML_SCALAR,
    YAML_ALIAS,
    YAML_MAP,
    YAML_MAP_END,
    YAML_LIST,
    YAML_LIST_END,
    YAML_OTHER
} yaml_kind;

/* Line and column (characters), both from 1. */
struct yaml_mark {
    size_t line;
    size_t column;
};

struct yaml_stream {
    struct source_report report; /* begun by the caller, with the text */
    struct fy_diag *diag;
    struct fy_parser *parser;
    struct fy_event *event; /* the current one; NULL once the stream has ended or broken */
    bool no_memory;
};

#define YAML_FAULT(stream, at, hint, ...)                                                          \
    source_fault(&(stream)->report, (at).line, (at).column, (hint), __VA_ARGS__)

/* Goes to the first document; false when out of memory. yaml_end in any case. */
bool yaml_begin(struct yaml_stream *stream);

/* Tells what libfyaml found wrong, and frees all but the report. */
void yaml_end(struct yaml_stream *stream);

/* Of what the stream is at. */
yaml_kind yaml_kind_of(const struct yaml_stream *stream);
struct yaml_mark yaml_mark_of(const struct yaml_stream *stream);

/* Goes on by one event; past the current node, whatever is in it. */
void yaml_advance(struct yaml_stream *stream);
void yaml_skip_node(struct yaml_stream *stream);

/* Anchors, aliases and tags say nothing that a setting needs; false, and a fault, if the node has
 * one. */
bool yaml_is_bare(struct yaml_stream *stream);

/* Nothing was written where a node could be ("latency:"). */
bool yaml_is_empty(const struct yaml_stream *stream);

/* The current scalar as a text to be freed; NULL after a fault. */
char *yaml_text(struct yaml_stream *stream);

#endif
