/*
 * What makes a prediction from a trace doubtful as a whole: much of it is not modelled. For people
 * and as JSON. Must not know the command line.
 */
#ifndef ANAX_API_WARNINGS_H
#define ANAX_API_WARNINGS_H

#include "api/api.h"
#include "api/report/text_buffer.h"

enum { WARNINGS_MOST = 4, WARNING_BYTES = 512 };

struct report_trace_warning {
    const char *what;
    uint64_t part, whole; /* its share */
    char why[WARNING_BYTES];
};

/* The warnings about a program; their number is at most WARNINGS_MOST. false: out of memory. */
bool warnings_of(const struct program *program, struct report_trace_warning *warnings,
                 size_t *count);

/* The same about all programs of a result, or about a single one, a line each after `before`; if
 * there are several jobs, with their names. */
void warnings_text(struct text_buffer *text, const char *before, const struct program *program);
void warnings_result_text(struct text_buffer *text, const char *before, const anax_result *result);

/* "warnings" */
struct json_object;
void warnings_json(struct json_object *object, const struct program *program);
void warnings_result_json(struct json_object *object, const anax_result *result);

#endif
