/*
 * How to run: threads, progress, processes, checkpoints. anax.h has the rules for the whole
 * interface.
 */
#ifndef ANAX_OPTIONS_H
#define ANAX_OPTIONS_H

#include <anax/common.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- How to run ------------------------------------------------------------------------------ */

/* The state of a run, for the caller's progress function. Only the library makes it; later versions
 * may add members. Members without a meaning in a phase are 0. */
typedef struct anax_progress {
    /* "reading", "replaying", "replaying alone", "load 0.25", "load 0.25 of ugal-l (point 3 of
     * 19)", "7 of 12 points", "proving (5 open)"; valid during the call */
    const char *phase;
    /* Part of total: ranks read, operations replayed, points in millionths, proven points of a
     * curve. */
    uint64_t done;
    uint64_t total;  /* 0: unknown */
    int64_t time_ps; /* simulated so far */
    uint64_t events; /* simulated so far, estimated */
} anax_progress;

/* What a run with checkpoints is to do now. */
typedef enum anax_checkpoint_wish {
    ANAX_CHECKPOINT_NONE,
    ANAX_CHECKPOINT_WRITE,        /* write a checkpoint, and go on */
    ANAX_CHECKPOINT_WRITE_AND_END /* write one, and end the run with ANAX_ERROR_RUN */
} anax_checkpoint_wish;

/* Processes that simulate together; see anax/processes.h. */
typedef struct anax_processes anax_processes;

/* How a call does its work. Every member is 0 by default. The comment of a member says which calls
 * read it; "sweeps" are anax_traffic_sweep, anax_compare, anax_search_run and their parts. Nothing
 * here changes a figure of a result.
 *
 * A member that a call does not read has no effect, so that one struct can serve all calls of a
 * run. Exception: calls that simulate or analyse (anax_replay, anax_jobs_replay, anax_traffic,
 * anax_traffic_curves, sweeps, anax_place, anax_bisection_new, anax_calibrate, anax_extrapolate)
 * return ANAX_ERROR_USAGE if timeline, explain, advise, processes, checkpoint_folder, resume_folder
 * or points_folder is set and they do not read it: the caller would miss what was asked for. */
typedef struct anax_options {
    size_t size; /* set by ANAX_OPTIONS_INIT */

    /* -- Work. threads and progress: read by all calls that simulate or analyse. processes: by
     * replays and traffic; other calls that simulate refuse it. threads, progress and processes are
     * also read by anax_trace_open, anax_jobs_add and anax_jobs_load, and threads by
     * anax_trace_write_program. */

    unsigned threads; /* threads of this process; 0: as many as help */
    /* Sweeps and calls of anax_traffic: points that run at once and share the threads. 0: as many
     * as threads, but one on machines of more than 32,768 nodes. */
    unsigned points_at_once;
    /* Called now and then from the calling thread. anax_extrapolate does not call it. Returning
     * false stops the run with ANAX_ERROR_RUN, but does not stop the opening of a trace. NULL:
     * never called. */
    bool (*progress)(void *context, const anax_progress *progress);
    void *progress_context; /* first argument of progress */
    /* anax_replay, anax_jobs_replay, anax_traffic, anax_traffic_curves, and anax_traffic_sweep for
     * a plan without a folder: the processes that simulate together. NULL: this one alone. */
    anax_processes *processes;

    /* -- Outputs. */

    /* Calls that write a file: replace an existing one. false: it is refused with ANAX_ERROR_USAGE.
     */
    bool replace;

    /* -- Replays. Read by anax_replay and anax_jobs_replay. */

    /* Keep the data that anax_replay_result_write_timeline and _write_perfetto need. */
    bool timeline;
    /* Also replay with each change that the verdict recommends, and state the gain of the best one.
     * There are at most three such replays, one after another. Each takes as long as the first
     * replay, and as much memory, while the result keeps its own. */
    bool advise;
    /* Find the critical path, the efficiencies and the sensitivity to settings. Takes about twice
     * the time. */
    bool explain;
    /* With explain: how many of the latest steps of the critical path the result has. 0:
     * ANAX_PATH_STEPS_DEFAULT. ANAX_PATH_STEPS_ALL: all; memory then grows with the length of the
     * run. */
    size_t path_steps;

    /* -- Checkpoints. Read by anax_replay, anax_jobs_replay, anax_traffic, anax_traffic_curves,
     * anax_traffic_sweep and anax_traffic_part. A run with checkpoints cannot explain or advise,
     * and traffic has one point after another. */

    /* The folder where checkpoints are written, made if need be. NULL: none are. ANAX_ERROR_USAGE:
     * the folder has a checkpoint, and `resume_folder` is not the same; or another run writes into
     * it.
     */
    const char *checkpoint_folder;
    /* The folder of the checkpoint from which the run goes on. NULL: the run starts from its
     * beginning. The result is that of a run that was never stopped, with any number of threads and
     * processes. ANAX_ERROR_INPUT: there is no checkpoint, or it is damaged. ANAX_ERROR_USAGE: the
     * checkpoint belongs to a different build of the library, trace or settings; the text names
     * what differs.
     */
    const char *resume_folder;
    uint64_t checkpoint_every_s; /* from one checkpoint to the next; 0: only by checkpoint_wish */
    /* Called often, from any thread, but only from one thread at a time. NULL: never called. */
    anax_checkpoint_wish (*checkpoint_wish)(void *context);
    /* Called when a checkpoint could not be written, with the reason; the run then goes on, and the
     * last complete checkpoint stays. The next one is tried after checkpoint_every_s. NULL: the run
     * ends with ANAX_ERROR_SYSTEM, as it always does if the checkpoint is its last. Only process 0
     * calls it. */
    void (*checkpoint_failed)(void *context, const char *why);
    void *checkpoint_context; /* first argument of checkpoint_wish and checkpoint_failed */

    /* -- Searches for a placement. Read by anax_place. */

    /* The folder that keeps the replays of a search, and in which a later search finds them; made
     * if need be. NULL: they are not kept. */
    const char *points_folder;
} anax_options;

#define ANAX_PATH_STEPS_DEFAULT ((size_t)20)
#define ANAX_PATH_STEPS_ALL     SIZE_MAX

/* The default options: all threads that help, no progress, one process, no file replaced, no
 * timeline, no advice, no explanation, no checkpoint. Functions take NULL for these defaults. They
 * return ANAX_ERROR_USAGE if the size is wrong, or if the options have members that this library
 * does not know. */
#define ANAX_OPTIONS_INIT                                                                          \
    {                                                                                              \
        sizeof(anax_options), 0, 0, NULL, NULL, NULL, false, false, false, false, 0, NULL, NULL,   \
            0, NULL, NULL, NULL, NULL                                                              \
    }

#ifdef __cplusplus
}
#endif

#endif
