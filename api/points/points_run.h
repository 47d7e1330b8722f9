/*
 * Runs many independent points at once, and keeps them in a folder. The caller describes the kind
 * of point by callbacks. The unit of work is an item: a point, or a search that runs several points
 * one after another.
 *
 * Invariant: a point that the folder has is not run. A point is run under a claim, so of all
 * processes that work at one folder only one runs it, and the others find it. A point that another
 * process has claimed is looked for again after all other points.
 */
#ifndef ANAX_API_POINTS_RUN_H
#define ANAX_API_POINTS_RUN_H

#include "api/points/kept_folder.h"

#include <stdatomic.h>

enum { POINTS_MILLION = 1000000 };

/* How points of a kind are run and kept. `context` is that of the run; points have numbers from 0.
 * Workers call these functions at the same time, for different points. */
struct points_kind {
    /* Sets the key of a point. Sets *is_pending to false if the point has a result already, or
     * cannot have one. */
    status_code (*key)(void *context, size_t point, struct kept_key *key, bool *is_pending,
                       struct status *status);
    /* Takes the result of a point from its file in the folder, if there is a sound one. */
    kept_state (*find)(void *context, size_t point, const char *folder, const struct kept_key *key);
    /* Computes the result of a point. A point that fails for a reason of its own is a success with
     * a failure as its result; an error ends the whole run. */
    status_code (*run)(void *context, unsigned worker, size_t point, bool *worth_keeping,
                       struct status *status);
    /* Writes the result of a point into its file. */
    status_code (*keep)(void *context, size_t point, const char *folder, const struct kept_key *key,
                        struct status *status);
};

/* The state of a worker, which other threads read. */
struct points_worker {
    atomic_size_t point; /* the point that the worker runs, or looks for */
    atomic_bool has_claim;
    atomic_uint_fast64_t claim[2];         /* key of the claimed point, if has_claim */
    atomic_int_fast64_t time_ps;           /* simulated time that its point has reached */
    atomic_uint_fast64_t events;           /* events of its point so far */
    atomic_uint_fast64_t share_millionths; /* finished share of its point; 0: unknown */
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
    /* Does one item, whose points it runs by points_find_or_run. Sets *claimed_elsewhere if another
     * process has claimed a point of the item; it is then called for the item again later. NULL: an
     * item is a point. */
    status_code (*do_item)(struct points_run *run, unsigned worker, size_t item,
                           bool *claimed_elsewhere, struct status *status);
    /* Returns whether an item is to be done. NULL: all are. */
    bool (*is_wanted)(const void *context, size_t item);
    /* Returns whether an item belongs to the first stage, which ends before other items begin.
     * NULL: there is no first stage. */
    bool (*comes_first)(const void *context, size_t item);
    /* Called for each other item after the first stage. If a result of the first stage is also that
     * of this item, gives it to the item and returns true; the item is then not run. NULL: there
     * are no such items. */
    bool (*take_result)(void *context, size_t item);
    /* Tells the caller of the library how far the run is. It is called at intervals, and before
     * each point. Returns false to stop the run. */
    bool (*report)(const struct points_run *run);
    atomic_size_t done;  /* points that were found, run, or given a result */
    atomic_size_t begun; /* points that are done or running */
    atomic_bool stopped;
    struct points_worker *workers; /* [at_once] */
    bool *claimed_elsewhere;       /* [item]: another process has claimed a point of it */
    size_t *list;                  /* items to do in this turn */
    size_t list_count;
    double renewed_s;         /* when the claims were renewed */
    atomic_uint waits;        /* waits for other processes since the last point */
    atomic_flag claimed_lock; /* held for a moment, to read or write `claimed` */
    struct kept_key claimed;  /* of a point that another process has claimed */
    struct ticker *ticker;
};

/* Runs all items of the part. STATUS_STOPPED: the caller stopped the run. */
status_code points_run(struct points_run *run, struct status *status);

/* Finds a point in the folder, or runs it and keeps it there. Sets *claimed_elsewhere if it did
 * neither, because another process has claimed the point. */
status_code points_find_or_run(struct points_run *run, unsigned worker, size_t point,
                               bool *claimed_elsewhere, struct status *status);

/* Records the progress of a worker's point. Returns false if the point must stop. */
bool points_record_progress(struct points_run *run, unsigned worker, int64_t time_ps,
                            uint64_t events, uint64_t share_millionths);

/* Returns how many millionths of points are done, at most `points` million: a million for each
 * point that is done, and the finished shares of those that are running. */
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
    size_t items;     /* number of items that the sweep has */
    unsigned at_once; /* points that run at once */
};

/* Returns how many parts take 5 minutes or more each, if the missing points take as long as the
 * known ones; at most 1000, and no more than there are items. If no time is known: the number of
 * items, at most 100. */
unsigned points_count_parts(const struct points_times *times);

/* Checks the number of a part, and that there is a folder that keeps its points. whole: name of
 * what the part belongs to, such as "a comparison", for messages. STATUS_USAGE. */
status_code points_check_part(uint32_t part, uint32_t parts, const char *folder, const char *whole,
                              struct status *status);

#endif
