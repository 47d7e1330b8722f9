/*
 * Warnings that a prediction from a trace is doubtful because much of the trace is not modelled;
 * for people and as JSON. Must not know the command line.
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

/* Finds the warnings about a program, at most WARNINGS_MAX. Returns false: out of memory. */
bool warnings_find(const struct program *program, struct warnings_entry *warnings, size_t *count);

/* Adds the warnings about a program, one per line after `before`. */
void warnings_text(struct text_buffer *text, const char *before, const struct program *program);
/* Adds the warnings about all programs of a replay in the same way, with the names of the jobs if
 * there are several, and one if the trace lacks the user regions that were asked for. */
void warnings_result_text(struct text_buffer *text, const char *before,
                          const anax_replay_result *result);

#endif
