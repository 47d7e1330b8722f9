/*
 * How to run: threads, progress, processes, checkpoints, and which call reads which of these.
 * anax.h has the rules for the whole interface.
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
    /* What the run does, for people: "reading", "replaying", "load 0.25 of ugal-l (point 3 of 19)",
     * "7 of 12 points", "waiting for FILE, claimed by process 5 on host", "proving (5 open)". Later
     * versions may say it in other words. Valid during the call. */
    const char *phase;
    /* How much of `total` is done. The unit differs between phases and between versions (ranks,
     * operations, millionths of points), so only done / total has a meaning. A call has one phase
     * or several, and each counts from its own beginning. */
    uint64_t done;
    uint64_t total;  /* 0: unknown */
    int64_t time_ps; /* simulated so far */
    uint64_t events; /* simulated so far, estimated */
    bool is_waiting; /* nothing is computed: other processes compute the points that are left */
} anax_progress;

/* What a run with checkpoints is to do now. */
typedef enum anax_checkpoint_wish {
    ANAX_CHECKPOINT_NONE,
    ANAX_CHECKPOINT_WRITE, /* write a checkpoint, and go on */
    /* Write one, and end the run with ANAX_ERROR_STOPPED. If the run has failed already, nothing is
     * written, and the run ends with ANAX_ERROR_RUN. */
    ANAX_CHECKPOINT_WRITE_AND_END
} anax_checkpoint_wish;

/* Processes that simulate together; see anax/processes.h. */
typedef struct anax_processes anax_processes;

/* How a call does its work. Every member is 0 by default. Nothing here changes a figure of a
 * result. What a call computes is in its arguments and its plan.
 *
 * This table says which call reads which member. A letter: the call reads the member. A dot: the
 * member has no effect, so that one struct can serve all calls of a run. An exclamation mark: the
 * call returns ANAX_ERROR_USAGE if the member is set, because the caller would miss its effect.
 * The columns, from left to right:
 *
 *     T threads                       R replace        V advise
 *     A points_at_once                I ascii_only     E explain, path_steps
 *     P progress, progress_context    L timeline       C checkpoint_..., resume_folder
 *     M processes
 *
 *     anax_trace_open                     T . P M . . . . . .
 *     anax_trace_write_program            T . . . R . . . . .
 *     anax_trace_export_file              . . . . R . . . . .
 *     anax_jobs_add                       T . P M . . . . . .
 *     anax_jobs_load                      T . P M . . . . . .
 *     anax_replay                         T . P M . . L V E C
 *     anax_jobs_replay                    T . P M . . L V E C
 *     anax_replay_result_write_perfetto   . . . . R . . . . .
 *     anax_traffic                        T A P M . I ! ! ! C
 *     anax_traffic_curves                 T A P M . I ! ! ! C
 *     anax_traffic_sweep                  T A P M . I ! ! ! C
 *     anax_traffic_part                   T A P ! . . ! ! ! C
 *     anax_compare                        T A P ! . I ! ! ! !
 *     anax_compare_part                   T A P ! . . ! ! ! !
 *     anax_search_run                     T A P ! . I ! ! ! !
 *     anax_search_part                    T A P ! . . ! ! ! !
 *     anax_place                          T . P ! . . ! ! ! !
 *     anax_placement_write_rank_file      . . . . R . . . . .
 *     anax_bisection_new                  T . P ! . . ! ! ! !
 *     anax_bisection_write_curves         . . . . R . . . . .
 *     anax_calibrate                      T . P ! . . ! ! ! !
 *     anax_extrapolate                    T . P ! . . ! ! ! !
 *     anax_text_write                     . . . . R . . . . .
 *     anax_file_check                     . . . . R . . . . .
 *
 * With a folder of points, anax_traffic_sweep refuses processes too. */
typedef struct anax_options {
    size_t size; /* set by ANAX_OPTIONS_INIT */

    /* -- Work. */

    unsigned threads; /* most threads of this process; 0: as many as help */
    /* Points that run at once and share the threads. 0: as many as threads, but one on machines of
     * more than 32,768 nodes. */
    unsigned points_at_once;
    /* Called now and then from the calling thread. If it returns false, the run stops and its call
     * returns ANAX_ERROR_STOPPED; the opening of a trace goes on. NULL: never called. */
    bool (*progress)(void *context, const anax_progress *progress);
    void *progress_context; /* first argument of progress */
    /* The processes that simulate together, or read a trace together. They must live until the last
     * call on the trace or the result that anax/processes.h asks all of them for. NULL: this one
     * alone. */
    anax_processes *processes;

    /* -- Outputs. */

    /* Replace the file if it exists. false: it is refused with ANAX_ERROR_EXISTS. */
    bool replace;
    /* The texts of the result for people have only ASCII, except in names: "+-" for a plus-minus
     * sign. Texts of other calls have only ASCII anyway. */
    bool ascii_only;

    /* -- Replays. */

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
     * run. Without explain it has no effect. */
    size_t path_steps;

    /* -- Checkpoints. A run with a folder below has checkpoints. It refuses explain, advise, and
     * the settings trace.per_iteration, record.time_bins, record.matrix and record.links
     * (ANAX_ERROR_USAGE), and runs one point of traffic after another. Without a folder the other
     * members have no effect. */

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
    /* Seconds from one checkpoint to the next; 0: checkpoints are written only when checkpoint_wish
     * asks for one. */
    uint64_t checkpoint_every_s;
    /* Asks the caller what to do now. Called often, from any thread, but only from one thread at a
     * time. NULL: never called. */
    anax_checkpoint_wish (*checkpoint_wish)(void *context);
    /* Called when a checkpoint could not be written, with the reason; the run then goes on, and the
     * last complete checkpoint stays. The next one is tried after checkpoint_every_s. NULL: the run
     * ends with ANAX_ERROR_SYSTEM, as it always does if the checkpoint is its last. Only process 0
     * calls it. */
    void (*checkpoint_failed)(void *context, const char *why);
    void *checkpoint_context; /* first argument of checkpoint_wish and checkpoint_failed */
} anax_options;

#define ANAX_PATH_STEPS_DEFAULT ((size_t)20)
#define ANAX_PATH_STEPS_ALL     SIZE_MAX

/* The default options: all threads that help, no progress, one process, no file replaced, texts
 * with all signs, no timeline, no advice, no explanation, no checkpoint.
 * Functions take NULL for these defaults. They return ANAX_ERROR_USAGE if the size is wrong, or if
 * the options have members that this library does not know. */
#define ANAX_OPTIONS_INIT                                                                          \
    {                                                                                              \
        sizeof(anax_options), 0, 0, NULL, NULL, NULL, false, false, false, false, false, 0, NULL,  \
            NULL, 0, NULL, NULL, NULL                                                              \
    }

#ifdef __cplusplus
}
#endif

#endif
