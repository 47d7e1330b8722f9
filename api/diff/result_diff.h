/*
 * The differences between two replay results, read from their JSON: what takes more or less time in
 * the second one. Knows files of results only, no simulation.
 *
 * Invariant: a difference is exact; it is the second time less the first one. A time that one of
 * the results does not have has no difference: it is not 0.
 */
#ifndef ANAX_API_RESULT_DIFF_H
#define ANAX_API_RESULT_DIFF_H

#include "api/api.h"
#include "core/base/wide.h"

/* What a time is about. */
typedef enum result_group {
    RESULT_CAUSE, /* part of the time of all ranks */
    RESULT_RANK,
    RESULT_CALL,
    RESULT_REGION,
    RESULT_LINKS, /* busy time of the busiest links of a kind */
    RESULT_GROUPS
} result_group;

struct result_entry {
    result_group group;
    char *name;
    bool is_known[2]; /* whether the results have it */
    wide time_ps[2];
};

/* Returns whether both results have the time, which then has a difference. */
static inline bool result_entry_compares(const struct result_entry *entry) {
    return entry->is_known[0] && entry->is_known[1];
}

/* Returns how much longer the second of two times is, in ps. */
static inline signed_wide result_subtract(wide first_ps, wide second_ps) {
    return (signed_wide)second_ps - (signed_wide)first_ps;
}

struct result_summary {
    char *trace, *machine, *placement, *routing;
    int64_t time_ps;
    uint64_t ranks;
    bool has_regions;
};

struct anax_diff {
    char *paths[2];
    struct result_summary results[2];
    struct result_entry *entries; /* causes, ranks and the rest of the first result, then what only
                                     the second one has */
    size_t count, capacity;
};

/* Returns the name of a group: "cause", "rank", ... */
const char *result_group_name(result_group group);

/* Adds a result to a diff, as the first (0) or the second (1). STATUS_INPUT: the text is no result
 * of a replay that completed. */
status_code result_diff_read(anax_diff *diff, int which, const char *text, size_t length,
                             struct status *status);
/* Does the same with a file; errors begin with its path. */
status_code result_diff_read_file(anax_diff *diff, int which, const char *path,
                                  struct status *status);

/* Returns the diff as text, which the caller frees; NULL: out of memory. */
char *report_diff_text(const anax_diff *diff);

#endif
