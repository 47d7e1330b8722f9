/*
 * Runs many independent points at once, and keeps them in a folder. Knows no kind of point.
 *
 * Invariant: a point that the folder has is not run. A point is run under a claim, so of all
 * processes that work at one folder only one runs it, and the others find it. Points that others
 * have claimed are left to the end.
 */
#ifndef ANAX_API_POINTS_RUN_H
#define ANAX_API_POINTS_RUN_H

#include "api/points/kept_folder.h"

#include <stdatomic.h>

enum { POINTS_MILLION = 1000000 };

/* How points of a kind are run and kept. */
struct points_kind {
    /* Sets the key of a point. *is_there false: the point has a result already, or cannot have
     * one. */
    status_code (*key)(void *context, size_t point, struct kept_key *key, bool *is_there,
                       struct status *status);
    kept_state (*find)(void *context, size_t point, const char *folder, const struct kept_key *key);
    status_code (*run)(void *context, unsigned worker, size_t point, bool *worth_keeping,
                       struct status *status);
    status_code (*keep)(void *context, size_t point, const char *folder, const struct kept_key *key,
                        struct status *status);
};

/* What a worker does; other threads read it. */
struct points_worker {
    atomic_size_t point; /* the point that it is at */
    atomic_bool has_claim;
    atomic_uint_fast64_t claim[2];
    atomic_int_fast64_t time_ps; /* simulated of its point */
    atomic_uint_fast64_t events;
    atomic_uint_fast64_t share_millionths; /* of its point that is done, as far as known */
};

struct ticker;

struct points_run {
    const struct points_kind *kind;
    void *context;
    const char *folder; /* NULL: points are neither found nor kept */
    const anax_options *options;
    size_t count;         /* number of items */
    uint32_t part, parts; /* run the items of this part, from 1; parts 0: all items */
    unsigned at_once;     /* number of items that run at once */
    /* Does one item, which consists of points, by points_find_or_run. Another call may follow for
     * an item that is left to others. NULL: an item is a point. */
    status_code (*item)(struct points_run *run, unsigned worker, size_t item, bool *left,
                        struct status *status);
    /* Returns whether an item is to be done. NULL: all are. */
    bool (*is_wanted)(const void *context, size_t item);
    /* Returns whether an item is done before those of which this is not true. NULL: none is. */
    bool (*comes_first)(const void *context, size_t item);
    /* Called for each other item when those that come first are done. Returns true if it gives the
     * item its result, because theirs decides it. */
    bool (*follows)(void *context, size_t item);
    /* Tells the caller of the library how far the run is; is called by the clock, and before each
     * point. Returns false to stop the run. */
    bool (*report)(const struct points_run *run);
    atomic_size_t done;  /* points that are there */
    atomic_size_t begun; /* points that were begun */
    atomic_bool stopped;
    struct points_worker *workers; /* [at_once] */
    bool *left;                    /* [item]: claimed by another process */
    size_t *list;                  /* items to do in this turn */
    size_t list_count;
    double renewed_s; /* when the claims were renewed */
    struct ticker *ticker;
};

/* Runs all items of the part. STATUS_RUN with run->stopped: the caller stopped the run. */
status_code points_run(struct points_run *run, struct status *status);

/* Finds a point in the folder, or runs it. *left: another process is at it. */
status_code points_find_or_run(struct points_run *run, unsigned worker, size_t point, bool *left,
                               struct status *status);

/* Notes the progress of a worker's point. Returns false if it shall stop. */
bool points_note(struct points_run *run, unsigned worker, int64_t time_ps, uint64_t events,
                 uint64_t share_millionths);

/* Returns the millionths of points that are done, of `points` in all: those that are there, and the
 * shares of those that workers are at. */
uint64_t points_done_millionths(const struct points_run *run, size_t points);

/* Returns whether an item belongs to the part. */
static inline bool points_is_of_part(size_t item, uint32_t part, uint32_t parts) {
    return parts == 0 || item % parts + 1 == part;
}

/* Returns the number of items of a part. */
size_t points_of_part(size_t count, uint32_t part, uint32_t parts);

/* How long the points of a sweep take. */
struct points_times {
    double known_s;   /* of the points that are kept with their times */
    size_t known;     /* number of these points */
    size_t missing;   /* points that are still to be run */
    size_t items;     /* items that they belong to */
    unsigned at_once; /* points that run at once */
};

/* Returns how many parts take 5 minutes or more each, if the missing points take as long as the
 * known ones; at most 1000, and no more than there are items. If no time is known: the number of
 * items, at most 100. */
unsigned points_parts(const struct points_times *times);

/* Checks the number of a part, and that there is a folder that keeps its points. whole: what the
 * part belongs to, for messages. STATUS_USAGE. */
status_code points_check_part(uint32_t part, uint32_t parts, const char *folder, const char *whole,
                              struct status *status);

#endif
