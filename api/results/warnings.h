/*
 * Warnings that a prediction is doubtful because much of its trace is not modelled, or because
 * messages within a node exceed the bandwidth of its memory; for people and as JSON. Must not know
 * the command line.
 */
#ifndef ANAX_API_WARNINGS_H
#define ANAX_API_WARNINGS_H

#include "api/api.h"
#include "api/text/text_buffer.h"

enum { WARNINGS_MAX = 4, WARNING_BYTES = 512 };

struct warnings_entry {
    const char *what;
    uint64_t part, whole; /* the doubtful share is part / whole */
    char why[WARNING_BYTES];
};

/* Finds the warnings about a program on machines with or without I/O nodes, at most WARNINGS_MAX.
 * Returns false: out of memory. */
bool warnings_find(const struct program *program, bool has_storage, struct warnings_entry *warnings,
                   size_t *count);

/* Finds the warning that messages within a node take longer than the run at the bandwidth of its
 * memory, which the model does not make them share. *count: 1 or 0; *job: the job of the first rank
 * on the busiest such node. Returns false: out of memory. */
bool warnings_find_memory(const anax_replay_result *result, struct warnings_entry *warning,
                          size_t *count, size_t *job);

/* Adds the warnings of warnings_find, one per line after `before`. */
void warnings_text(struct text_buffer *text, const char *before, const struct program *program,
                   bool has_storage);
/* Adds the warnings about all programs of a replay in the same way, with the names of the jobs if
 * there are several, that about memory, and one if the trace lacks the user regions that were asked
 * for. */
void warnings_result_text(struct text_buffer *text, const char *before,
                          const anax_replay_result *result);

#endif
