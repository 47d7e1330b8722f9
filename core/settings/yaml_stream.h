/*
 * Reads a YAML text as a stream of nodes with places, and reports faults at their places.
 *
 * Does not know settings; no other file knows libfyaml. The text never becomes a tree, and skipped
 * nodes are not kept, so deep, large or aliased nodes of a hostile text cost no memory. Invariant:
 * the stream ends when the report is full of faults or memory is short.
 */
#ifndef ANAX_CORE_YAML_STREAM_H
#define ANAX_CORE_YAML_STREAM_H

#include "core/settings/source_report.h"

typedef enum yaml_kind {
    YAML_NONE, /* the stream has ended or is broken */
    YAML_DOCUMENT,
    YAML_SCALAR,
    YAML_ALIAS,
    YAML_MAP,
    YAML_MAP_END,
    YAML_LIST,
    YAML_LIST_END,
    YAML_OTHER
} yaml_kind;

/* Line and column (in characters), both from 1. */
struct yaml_mark {
    size_t line;
    size_t column;
};

struct yaml_stream {
    struct source_report report; /* the caller initializes it with the text */
    struct fy_diag *diag;
    struct fy_parser *parser;
    struct fy_event *event; /* current event; NULL after the end of the stream */
    bool out_of_memory;
};

/* Reports a fault at a place of the file (`at` has members line and column). hint: what to do, or
 * NULL; then a format and its values, as for printf. */
#define YAML_FAULT(stream, at, hint, ...)                                                          \
    source_report_fault(&(stream)->report, (at).line, (at).column, (hint), __VA_ARGS__)

/* Goes to the first document. Returns false if out of memory. Call yaml_end in any case. */
bool yaml_begin(struct yaml_stream *stream);

/* Reports the faults that libfyaml found, and frees everything except the report. */
void yaml_end(struct yaml_stream *stream);

/* Returns the kind of the current node. */
yaml_kind yaml_kind_of(const struct yaml_stream *stream);

/* Returns the place of the current node in the file. */
struct yaml_mark yaml_mark_of(const struct yaml_stream *stream);

/* Goes to the next event. */
void yaml_advance(struct yaml_stream *stream);

/* Goes to the event after the current node with everything in it. */
void yaml_skip_node(struct yaml_stream *stream);

/* Returns true if the node has no anchor, alias or tag. Otherwise adds a fault, since no setting
 * needs them. */
bool yaml_is_bare(struct yaml_stream *stream);

/* Returns true if the current node is an empty value ("latency:"). */
bool yaml_is_empty(const struct yaml_stream *stream);

/* Returns the text of the current scalar, which the caller frees; NULL after a fault. */
char *yaml_text(struct yaml_stream *stream);

#endif
