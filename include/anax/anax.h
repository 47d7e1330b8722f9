/*
 * anax: how long would an MPI application run on a dragonfly that need not exist yet?
 *
 * The public interface of libanax, ordered from simple to advanced. From a trace to a time:
 *
 *     anax_error error = ANAX_ERROR_INIT;
 *     anax_config *config = NULL;
 *     anax_trace *trace = NULL;
 *     anax_result *result = NULL;
 *     int64_t time_ps;
 *     if (anax_config_new(&config, &error) == ANAX_OK &&
 *         anax_config_machine(config, "kim-1k", &error) == ANAX_OK &&
 *         anax_config_set(config, "network.routing", "ugal-l", &error) == ANAX_OK &&
 *         anax_trace_open(&trace, "traces.otf2", config, NULL, &error) == ANAX_OK &&
 *         anax_replay(&result, config, trace, NULL, &error) == ANAX_OK &&
 *         anax_result_time_ps(result, &time_ps, &error) == ANAX_OK)
 *         printf("%lld ps\n", (long long)time_ps);
 *     else
 *         fprintf(stderr, "%s\n", error.text);
 *     anax_result_free(result);
 *     anax_trace_free(trace);
 *     anax_config_free(config);
 *     anax_error_clear(&error);
 *
 * Rules for the whole interface; the comment of a function names its exceptions:
 *  - The library never prints, never exits, installs no signal handler and keeps no global state
 *    but for what other libraries need (METIS, OTF2). Several threads may use different objects at
 *    once. Only one thread at a time may use an object; but several may read one trace or
 *    configuration. The placement `partition` draws from the C library's rand().
 *  - Times are picoseconds (_ps), sizes are bytes, loads and shares are doubles.
 *    Single times are int64_t; a run that would pass 2^61 ps (26 days) ends with ANAX_RUN. Sums
 *    over ranks may exceed 64 bits and are an anax_sum; texts print them exactly.
 *  - A function that can fail returns an anax_code and takes an `anax_error *` last, which may be
 *    NULL. Success leaves the error unchanged; after a failure the error says where the fault is,
 *    what it is and how to mend it. Each of these functions can return ANAX_MEMORY, and those that
 *    read or write files ANAX_SYSTEM. On failure the pointer to a new object is set to NULL. No
 *    other pointer may be NULL unless the comment of its function allows NULL.
 *  - Paths are passed to the operating system unchanged. Inputs must be plain files: pipes, sockets
 *    and devices are refused. An output is called NAME.part-PROCESS-NUMBER until it is complete,
 *    and then gets its final name. An output that exists already is refused with ANAX_USAGE; for
 *    files options.replace allows it. Outputs that are no plain file (a device, a pipe,
 *    /dev/stdout) are written to, not replaced; of a symbolic link the target is replaced.
 *  - A struct that the caller allocates begins with its size; initialise it with the macro of its
 *    name (ANAX_OPTIONS_INIT). Later versions add members at its end, and programs compiled with an
 *    older header go on working: a missing member counts as zero. Members that the library in use
 *    does not know must be zero, otherwise ANAX_USAGE; in structs that the library fills, it sets
 *    them to zero. anax_sum does not grow. Structs that the library allocates (anax_progress,
 *    anax_choice, anax_column) may grow too; copy their members, not their sizeof.
 *  - A `char *` result is a NUL-terminated text that the caller frees (anax_text_free); NULL means
 *    out of memory. A `const char *` result belongs to the library. _free functions take NULL.
 *  - Results depend on the configuration, the trace and the seed alone: not on the number of
 *    threads, the compiler or the computer. Equal results have equal digests.
 */
#ifndef ANAX_ANAX_H
#define ANAX_ANAX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define ANAX_API __attribute__((visibility("default")))
#else
#define ANAX_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Version and errors ---------------------------------------------------------------------- */

#define ANAX_VERSION_MAJOR 0
#define ANAX_VERSION_MINOR 1
#define ANAX_VERSION_PATCH 0

/* Returns the version of the library in use, "0.1.0". Never NULL. */
ANAX_API const char *anax_version(void);

typedef enum anax_code {
    ANAX_OK,
    ANAX_USAGE, /* the call or the settings are wrong */
    ANAX_INPUT, /* a file is missing, damaged or of the wrong kind */
    ANAX_RUN,   /* the simulation could not finish */
    ANAX_MEMORY,
    ANAX_SYSTEM /* the operating system refused a request */
} anax_code;

typedef struct anax_error {
    size_t size; /* set by ANAX_ERROR_INIT */
    anax_code code;
    char *text; /* NULL while code is ANAX_OK, and when memory ran out for the text */
} anax_error;

#define ANAX_ERROR_INIT                                                                            \
    { sizeof(anax_error), ANAX_OK, NULL }

/* Frees the error's text and sets its code to ANAX_OK. */
ANAX_API void anax_error_clear(anax_error *error);

/* Returns a phrase for a code, never NULL; and the exit code that a command should end with: 0, 2
 * (usage or input) or 1 (any other failure). */
ANAX_API const char *anax_code_text(anax_code code);
ANAX_API int anax_exit_code(anax_code code);

ANAX_API void anax_text_free(char *text);

/* A sum, high · 2^64 + low. 64 bits are too few: 2^63 ps are 15,372 ranks for ten minutes. */
typedef struct anax_sum {
    uint64_t high;
    uint64_t low;
} anax_sum;

/* Returns all decimal digits of a sum. */
ANAX_API char *anax_sum_text(anax_sum sum);

/* ---- Configuration: machine, network, placement, MPI ---- */

/* All settings of a run. anax_list("settings") lists their names, ranges and defaults. */
typedef struct anax_config anax_config;

/* Creates a configuration of defaults. Objects made with a configuration keep a copy of it. */
ANAX_API anax_code anax_config_new(anax_config **config, anax_error *error);
ANAX_API void anax_config_free(anax_config *config);

/* Takes the network's settings from a named machine, or from a machine file if `machine` contains a
 * '/' or ends with ".yaml". Names are looked up in the folders of the environment variable
 * ANAX_MACHINES (separated by ':'), then among the machines that come with anax. All network
 * settings made before are lost. A machine's settings mpi.* take effect where the configuration
 * still has the default, or the value of the machine chosen before. A later file or setting that
 * names another machine is refused. ANAX_USAGE: unknown name; the text lists the names. ANAX_INPUT:
 * the file is missing or wrong, sets no network.* value, or sets anything but network.*, mpi.*, a
 * description and a source. A failure changes no setting. */
ANAX_API anax_code anax_config_machine(anax_config *config, const char *machine, anax_error *error);

/* Reads settings from a YAML file; they replace the present values. A `machine` in the file is
 * chosen first, wherever it stands. ANAX_INPUT: the file is missing or has faults; the text
 * lists all faults as FILE:LINE:COL. Contradictions are faults: a machine other than the chosen
 * one; a machine after settings network.* that it would undo; the whole network of another
 * machine. ANAX_USAGE: the path is empty, or no machine has the name in the file. A failure
 * changes nothing. */
ANAX_API anax_code anax_config_load(anax_config *config, const char *path, anax_error *error);

/* Sets a value from text with its unit: anax_config_set(c, "network.global.latency", "300ns", e).
 * ANAX_USAGE: no such setting (the text names the nearest), or an invalid value. `machine` can be
 * set once, before settings network.*, with the errors of anax_config_machine. */
ANAX_API anax_code anax_config_set(anax_config *config, const char *name, const char *value,
                                   anax_error *error);

/* Sets one value from a text "name=value"; see anax_config_set. */
ANAX_API anax_code anax_config_set_pair(anax_config *config, const char *pair, anax_error *error);

/* Returns the present value as a text for anax_config_set; NULL also for an unknown setting. */
ANAX_API char *anax_config_get(const anax_config *config, const char *name);

/* Returns true once a machine was chosen, or anax_config_load has read a setting network.*. */
ANAX_API bool anax_config_has_machine(const anax_config *config);

/* What a configuration is used for. The scope determines which settings have an effect. */
typedef enum anax_scope {
    ANAX_SCOPE_ALL,
    ANAX_SCOPE_REPLAY,
    ANAX_SCOPE_TRAFFIC,
    ANAX_SCOPE_GENERATE,
    ANAX_SCOPE_TRACE, /* reading a trace */
    ANAX_SCOPE_TOPOLOGY,
    ANAX_SCOPE_PLACE,
    ANAX_SCOPE_EXPORT,
    ANAX_SCOPE_BISECTION,
    ANAX_SCOPE_CALIBRATE,
    ANAX_SCOPE_SEARCH,
    ANAX_SCOPE_EXTRAPOLATE
} anax_scope;

/* Returns whether there is a setting of that name that has an effect in the scope. */
ANAX_API bool anax_config_in_scope(const anax_config *config, anax_scope scope, const char *name);

/* Returns the effective settings of a scope as commented YAML that anax_config_load can read. */
ANAX_API char *anax_config_yaml(const anax_config *config, anax_scope scope);

/* Returns the configured machine as a machine file: the whole network, and the settings mpi.* that
 * differ from the defaults. */
ANAX_API char *anax_config_machine_yaml(const anax_config *config);

/* Checks the settings of a scope as a whole. ANAX_USAGE: the machine is impossible (checked once
 * there is one, see anax_config_has_machine), there is no such traffic pattern, or no such scope.
 * Functions that use the settings make the same check before they begin. */
ANAX_API anax_code anax_config_check(const anax_config *config, anax_scope scope,
                                     anax_error *error);

/* ---- How to run ------------------------------------------------------------------------------ */

/* The state of a run. Members without a meaning in a phase are 0. */
typedef struct anax_progress {
    /* "reading", "replaying", "replaying alone", "load 0.25", "load 0.25 of ugal-l (point 3 of
     * 19)", "7 of 12 points", "proving (5 open)"; valid during the call */
    const char *phase;
    uint64_t done;   /* part of total: what was read, operations replayed, millionths of points */
    uint64_t total;  /* 0: unknown */
    int64_t time_ps; /* simulated so far */
    uint64_t events; /* simulated so far, estimated */
} anax_progress;

/* Processes that simulate together; see anax/parallel_run.h. */
typedef struct anax_processes anax_processes;

/* What a run with checkpoints shall do now. */
typedef enum anax_wish {
    ANAX_WISH_NOTHING,
    ANAX_WISH_CHECKPOINT,        /* write a checkpoint, and go on */
    ANAX_WISH_CHECKPOINT_AND_END /* write one, and end the run with ANAX_RUN */
} anax_wish;

typedef struct anax_options {
    size_t size;      /* set by ANAX_OPTIONS_INIT */
    unsigned threads; /* 0: as many as help. Never changes a result. */
    /* Traffic, sweeps, comparisons and searches: points that run at once and share the threads. 0:
     * as many as threads, but one on machines of more than 32,768 nodes. Never changes a result. */
    unsigned points_at_once;
    bool timeline; /* replays: keep the data that anax_result_write_timeline needs */
    bool replace;  /* replace existing files, else refused with ANAX_USAGE */
    /* anax_compare: write texts for people in ASCII ("+-" for a plus-minus sign), except names.
     * JSON and files are UTF-8 in any case. */
    bool ascii;
    /* replays: replay with each change that the verdict recommends as well, and state the gain of
     * the best. There are at most three, one after another; each takes as long as a replay, and its
     * memory while the result keeps its own. */
    bool advise;
    /* replays: find the critical path, the efficiencies and the sensitivity to settings. Takes
     * about twice the time. */
    bool explain;
    /* Called now and then from the calling thread. Returning false stops the run with ANAX_RUN, but
     * does not stop the opening of a trace. NULL: never called. */
    bool (*progress)(void *context, const anax_progress *progress);
    void *progress_context;
    /* Replays, traffic and sweeps of traffic: the processes that simulate together. NULL: this one
     * alone. Never changes a result. */
    anax_processes *processes;
    /* anax_replay, anax_replay_jobs, anax_traffic, anax_traffic_curves, anax_traffic_sweep: the
     * folder where checkpoints are written, made if need be. NULL: none are. A run cannot explain
     * or advise, and traffic has one point after another. ANAX_USAGE: the folder has a checkpoint,
     * and `resume` is not the same folder. */
    const char *checkpoint;
    /* The folder of the checkpoint from which the run goes on. NULL: it begins. The result is that
     * of a run that was never stopped, with any threads and processes. ANAX_INPUT: there is no
     * checkpoint, or it is damaged. ANAX_USAGE: it is of another build of the library, trace or
     * settings; the text names what differs. */
    const char *resume;
    uint64_t checkpoint_every_s; /* from one checkpoint to the next; 0: only by checkpoint_wish */
    /* Called often, from any thread, but from one at a time. NULL: never called. */
    anax_wish (*checkpoint_wish)(void *context);
    void *checkpoint_context;
    /* replays with explain: how many of the latest steps of the critical path the result has. 0:
     * ANAX_PATH_STEPS. ANAX_ALL_STEPS: all; memory then grows with the length of the run. */
    size_t path_steps;
    /* Called when a checkpoint could not be written, with the reason; the run then goes on, and the
     * last complete checkpoint stays. The next one is tried after checkpoint_every_s. NULL: the run
     * ends with ANAX_SYSTEM, as it always does if the checkpoint is its last. Takes
     * checkpoint_context; only process 0 calls it. */
    void (*checkpoint_failed)(void *context, const char *why);
    /* anax_place_by: the folder that keeps the replays of a search, and in which a later search
     * finds them; made if need be. NULL: they are not kept. */
    const char *points;
} anax_options;

#define ANAX_PATH_STEPS ((size_t)20)
#define ANAX_ALL_STEPS  SIZE_MAX

/* The default options: all threads that help, no timeline, no advice, no explanation, no progress,
 * no checkpoint, no file replaced, ANAX_PATH_STEPS steps. Functions take NULL for these defaults.
 * They return ANAX_USAGE if the size is wrong, or if the options have members that this library
 * does not know. */
#define ANAX_OPTIONS_INIT                                                                          \
    {                                                                                              \
        sizeof(anax_options), 0, 0, false, false, false, false, false, NULL, NULL, NULL, NULL,     \
            NULL, 0, NULL, NULL, 0, NULL, NULL                                                     \
    }

/* ---- Files that are written ---- */

/* Writes a text into a file. */
ANAX_API anax_code anax_text_write(const char *text, const char *path, const anax_options *options,
                                   anax_error *error);

/* Checks before a long run whether a file could be written. ANAX_USAGE: `path` is a folder, or a
 * file that exists while options.replace is not set. Creates nothing, so writing can still fail. */
ANAX_API anax_code anax_check_file(const char *path, const anax_options *options,
                                   anax_error *error);

/* ---- Traces ---------------------------------------------------------------------------------- */

/* The operations of every rank of an application, from an OTF2 archive, a recording, a program
 * file, a schedule in GOAL, or a pattern. */
typedef struct anax_trace anax_trace;

/* Opens an OTF2 archive (its .otf2 file, or the folder that holds exactly one), a recording of
 * `anax record` (its folder), a program file, or a schedule in GOAL (text or binary). config (NULL:
 * defaults) gives the settings trace.*. ANAX_INPUT: the trace is missing, damaged, without MPI, or
 * without records that a replay needs; the text names them. ANAX_USAGE: the path is empty, or
 * settings trace.* do not fit the trace. */
ANAX_API anax_code anax_trace_open(anax_trace **trace, const char *path, const anax_config *config,
                                   const anax_options *options, anax_error *error);

/* Builds the synthetic application named by `pattern` (anax_list("patterns")) from the settings
 * generate.* and seed of config (NULL: defaults). ANAX_USAGE: there is no such pattern, or it
 * cannot work with the settings. */
ANAX_API anax_code anax_trace_generate(anax_trace **trace, const char *pattern,
                                       const anax_config *config, anax_error *error);

/* Frees a trace. Free its results, comparisons and placements before. */
ANAX_API void anax_trace_free(anax_trace *trace);

/* Writes a program file: a compressed file with checksums, much faster to open than an archive. */
ANAX_API anax_code anax_trace_write_program(const anax_trace *trace, const char *path,
                                            const anax_options *options, anax_error *error);

/* Writes an OTF2 archive into the new folder `folder` (anchor file folder/traces.otf2). Time stamps
 * are nominal: computation takes its time, and each MPI call a microsecond. */
ANAX_API anax_code anax_trace_write_otf2(const anax_trace *trace, const char *folder,
                                         anax_error *error);

/* Writes what each rank computes, sends and receives, and in which order, with collectives as the
 * messages of their algorithms, in a format of anax_list("formats"). config gives the settings
 * mpi.* and replay.compute_scale. `write` receives the text in pieces that do not end with NUL; if
 * it returns false, ANAX_SYSTEM. ANAX_USAGE: no such format, or impossible settings. */
ANAX_API anax_code anax_trace_export(const anax_trace *trace, const anax_config *config,
                                     const char *format,
                                     bool (*write)(void *context, const char *text, size_t length),
                                     void *context, anax_error *error);

/* Writes the text of anax_trace_export into a file. */
ANAX_API anax_code anax_trace_export_file(const anax_trace *trace, const anax_config *config,
                                          const char *format, const char *path,
                                          const anax_options *options, anax_error *error);

typedef struct anax_trace_info {
    size_t size; /* set by ANAX_TRACE_INFO_INIT */
    uint32_t ranks;
    uint64_t locations; /* event streams of the archive; for a pattern: ranks */
    uint64_t events;    /* records of the archive; for a pattern: those of an equal archive */
    uint64_t messages;  /* point to point, without those of collectives */
    anax_sum message_bytes;
    uint64_t unmatched_sends;    /* without a receive in the trace */
    uint64_t unmatched_receives; /* without a send */
    int64_t span_ps;             /* time from the first to the last time stamp */
    anax_sum compute_ps;         /* time outside MPI, over all ranks */
    uint64_t hash; /* hash of the content; equal for an archive and its program file */
} anax_trace_info;

#define ANAX_TRACE_INFO_INIT                                                                       \
    { sizeof(anax_trace_info), 0, 0, 0, 0, {0, 0}, 0, 0, 0, {0, 0}, 0 }

/* Fills info. ANAX_USAGE: the size in info is wrong. */
ANAX_API anax_code anax_trace_get_info(const anax_trace *trace, anax_trace_info *info,
                                       anax_error *error);

/* Returns all about a trace, for people and for programs (schema anax.info/1, see anax-json(5)). */
ANAX_API char *anax_trace_text(const anax_trace *trace);
ANAX_API char *anax_trace_json(const anax_trace *trace);

/* Returns the reasons why much of a trace cannot be replayed and its predictions are doubtful, one
 * per line; "" if there are none. Texts and JSON contain them too. */
ANAX_API char *anax_trace_warnings(const anax_trace *trace);

/* ---- Results as data ---- */

/* A table of a result: the values of its JSON or CSV, in an array for each column. A table is a
 * copy and outlives the result. `anax list tables`, or anax_list("tables"), names the tables of
 * every kind of result, and anax-json(5) describes their columns. */
typedef struct anax_table anax_table;

typedef enum anax_type {
    ANAX_INTEGER, /* int64_t */
    ANAX_TRUTH,   /* int64_t: 1 or 0 */
    ANAX_NUMBER,  /* double */
    ANAX_SUM,     /* anax_sum */
    ANAX_TEXT     /* NUL-terminated, any bytes but 0 */
} anax_type;

/* The absent value of integers and truths, such as a mean of nothing. */
#define ANAX_NONE INT64_MIN

/* A column. Only the library makes columns; later versions may add members. */
typedef struct anax_column {
    const char *name; /* with its unit at the end: "busy_ps" */
    const char *unit; /* "ps", "bytes", "bytes/s", "s", "m", "dollars"; "" for counts, names … */
    const char *description; /* one sentence without its full stop */
    anax_type type;
    /* One value for each row, in the array of the column's type; the other arrays are NULL. */
    const int64_t *integers;  /* ANAX_INTEGER and ANAX_TRUTH; ANAX_NONE: there is no value */
    const double *numbers;    /* ANAX_NUMBER; NaN: there is no value */
    const anax_sum *sums;     /* ANAX_SUM */
    const char *const *texts; /* ANAX_TEXT; NULL: there is no value */
} anax_column;

ANAX_API size_t anax_table_rows(const anax_table *table);
ANAX_API size_t anax_table_columns(const anax_table *table);

/* Returns a column by its number, from 0, or by its name; NULL: none. The table owns the column. */
ANAX_API const anax_column *anax_table_column(const anax_table *table, size_t column);
ANAX_API const anax_column *anax_table_find(const anax_table *table, const char *name);
ANAX_API void anax_table_free(anax_table *table);

/* Copies one table of what anax_trace_json returns, as anax_result_table does. */
ANAX_API anax_code anax_trace_table(anax_table **table, const anax_trace *trace, const char *name,
                                    anax_error *error);

/* Creates a table without rows that has the columns of `name`. ANAX_USAGE: no such table. */
ANAX_API anax_code anax_table_outline(anax_table **table, const char *name, anax_error *error);

/* ---- Replay and traffic ---------------------------------------------------------------------- */

typedef struct anax_result anax_result;

/* Replays a trace on the configured machine. The trace must live as long as the result. ANAX_USAGE:
 * settings that do not fit together, or more ranks than fit the machine. ANAX_RUN: the ranks or the
 * network could not go on; the text says which ranks wait for what. Exception: after ANAX_RUN there
 * still is a *result, with anax_result_completed() false and without any time. */
ANAX_API anax_code anax_replay(anax_result **result, const anax_config *config,
                               const anax_trace *trace, const anax_options *options,
                               anax_error *error);

/* Jobs that run on one machine at once, each with its own start, seed and placement. An anax_jobs
 * owns the traces of its jobs. */
typedef struct anax_jobs anax_jobs;

/* Creates an empty list of jobs. */
ANAX_API anax_code anax_jobs_new(anax_jobs **jobs, anax_error *error);
ANAX_API void anax_jobs_free(anax_jobs *jobs);
ANAX_API size_t anax_jobs_count(const anax_jobs *jobs);

/* Returns the path of a job's trace, valid as long as jobs; NULL if there is no such job. */
ANAX_API const char *anax_jobs_path(const anax_jobs *jobs, size_t job);

/* Opens a trace and adds a job for it. The job is named after the trace, starts at 0, is placed by
 * the settings placement.* of config, and has config's seed plus the number of jobs before it.
 * Errors as of anax_trace_open; ANAX_USAGE also if there are 1000 jobs already. */
ANAX_API anax_code anax_jobs_add(anax_jobs *jobs, const char *path, const anax_config *config,
                                 const anax_options *options, anax_error *error);

/* Adds the jobs of a YAML file (see anax-replay(1)) and opens their traces. Values that the file
 * does not give are those of anax_jobs_add. ANAX_INPUT: faults of the file (the text lists all as
 * FILE:LINE:COL), or more than 1000 jobs. ANAX_USAGE: the path is empty. A failure adds no job. */
ANAX_API anax_code anax_jobs_load(anax_jobs *jobs, const char *path, const anax_config *config,
                                  const anax_options *options, anax_error *error);

/* Replays all jobs at once, each on nodes of its own, and each job alone too if the setting
 * jobs.alone is on and anything else runs on the machine. In the result the ranks of a job follow
 * those of the job before. The jobs must live as long as the result. Errors as of anax_replay;
 * ANAX_USAGE also if there are no jobs. */
ANAX_API anax_code anax_replay_jobs(anax_result **result, const anax_config *config,
                                    const anax_jobs *jobs, const anax_options *options,
                                    anax_error *error);

/* Runs synthetic traffic (settings traffic.*) through the configured network, once for each load.
 * loads: "0.1", "0.1,0.2,0.5" or "first:last:step", shares of the injection bandwidth, at most 1000
 * different ones; NULL: "0.1:0.9:0.2". ANAX_USAGE: wrong loads or settings. ANAX_RUN: the network
 * could not go on; there is a *result as with anax_replay. */
ANAX_API anax_code anax_traffic(anax_result **result, const anax_config *config, const char *loads,
                                const anax_options *options, anax_error *error);

/* Runs synthetic traffic as anax_traffic does, once for each load and routing policy. routings:
 * "minimal" or "minimal,valiant,ugal-l", each once; NULL: network.routing alone. At most 4000
 * points in all. The result of a point does not depend on the other points. */
ANAX_API anax_code anax_traffic_curves(anax_result **result, const anax_config *config,
                                       const char *routings, const char *loads,
                                       const anax_options *options, anax_error *error);

ANAX_API void anax_result_free(anax_result *result);

/* Returns false if the run could not finish. */
ANAX_API bool anax_result_completed(const anax_result *result);

/* Returns the digest, which is equal for equal runs on any machine and with any number of threads;
 * 0 if the run did not finish. */
ANAX_API uint64_t anax_result_digest(const anax_result *result);

/* Returns the whole result for people; and for programs (schema anax.replay/2 or anax.traffic/2,
 * see anax-json(5)). */
ANAX_API char *anax_result_text(const anax_result *result);
ANAX_API char *anax_result_json(const anax_result *result);

/* Returns the warnings of anax_trace_warnings for all traces of a replay. */
ANAX_API char *anax_result_warnings(const anax_result *result);

/* Writes the tables that have a file (anax_list("tables") names them) as CSV into the new folder
 * `folder`: one header line, units in the column names. ANAX_USAGE: the run did not finish. */
ANAX_API anax_code anax_result_write_tables(const anax_result *result, const char *folder,
                                            anax_error *error);

/* Sets *time_ps to the time when the last rank ends. ANAX_USAGE: traffic, or no completed
 * replay. */
ANAX_API anax_code anax_result_time_ps(const anax_result *result, int64_t *time_ps,
                                       anax_error *error);

/* Copies one table of the result, which the caller frees. ANAX_USAGE: the result has no table of
 * that name; the text names its tables. */
ANAX_API anax_code anax_result_table(anax_table **table, const anax_result *result,
                                     const char *name, anax_error *error);

/* Writes the predicted run as an OTF2 archive into the new folder `folder`. ANAX_USAGE: the result
 * is of traffic, the run did not finish, or options.timeline was not set. */
ANAX_API anax_code anax_result_write_timeline(const anax_result *result, const char *folder,
                                              anax_error *error);

/* ---- Comparisons ---- */

/* A plan of comparisons. Every combination of machines and of the factors' values is a candidate,
 * replayed for every trace with each seed. The first combination is the baseline. */
typedef struct anax_plan {
    size_t size;                        /* set by ANAX_PLAN_INIT */
    const anax_config *const *machines; /* all settings of each machine; at least one */
    size_t machine_count;
    const char *const *factors; /* a setting and its values: "network.routing=minimal,par" */
    size_t factor_count;
    const anax_trace *const *traces; /* at least one; each trace is a comparison of its own */
    size_t trace_count;
    const char *const *paths; /* paths that name the traces, all different; NULL: their own */
    uint32_t seeds;     /* number of seeds, from the first machine's `seed` upwards; 1 … 1000 */
    const char *folder; /* keeps finished points for later runs; NULL: points are not kept */
    /* share of a time, such as "0.5%": smaller differences are called negligible; NULL: 0.5% */
    const char *negligible;
} anax_plan;

/* A plan without machines and traces, with one seed. */
#define ANAX_PLAN_INIT                                                                             \
    { sizeof(anax_plan), NULL, 0, NULL, 0, NULL, 0, NULL, 1, NULL, NULL }

typedef struct anax_comparison anax_comparison;

/* Runs the points of a plan, several at once (options.points_at_once, options.threads). The traces
 * must live as long as the comparison. ANAX_USAGE: a factor's setting cannot vary, or a value is
 * not valid. ANAX_SYSTEM: the folder cannot be written. ANAX_RUN with *comparison NULL:
 * options.progress stopped the run; finished points are kept. Exception: after ANAX_RUN with a
 * *comparison, some points did not finish, or their values do not fit together; these points have
 * no time, and their candidates no rank. */
ANAX_API anax_code anax_compare(anax_comparison **comparison, const anax_plan *plan,
                                const anax_options *options, anax_error *error);
ANAX_API void anax_comparison_free(anax_comparison *comparison);

/* Returns the number of points; *found (may be NULL) counts those found in the folder. */
ANAX_API size_t anax_comparison_points(const anax_comparison *comparison, size_t *found);

/* Returns the number of points that were damaged in the folder and were run again. */
ANAX_API size_t anax_comparison_damaged(const anax_comparison *comparison);

/* Returns the candidates by rank, with confidence intervals and differences to the baseline, for
 * people; and for programs (schema anax.compare/2, see anax-json(5)). */
ANAX_API char *anax_comparison_text(const anax_comparison *comparison);
ANAX_API char *anax_comparison_json(const anax_comparison *comparison);

/* Copies one table, as anax_result_table does. */
ANAX_API anax_code anax_comparison_table(anax_table **table, const anax_comparison *comparison,
                                         const char *name, anax_error *error);

/* Writes candidates.csv and points.csv into the new folder `folder`. */
ANAX_API anax_code anax_comparison_write_tables(const anax_comparison *comparison,
                                                const char *folder, anax_error *error);

/* ---- Topologies ---- */

/* A machine's wiring, and what anax computes about it without simulating it. */
typedef struct anax_topology anax_topology;

/* Builds the configured machine (settings network.*, floor.* and price.*). ANAX_USAGE: settings
 * that do not fit together. ANAX_INPUT: a file of links has faults; the text lists them all. */
ANAX_API anax_code anax_topology_new(anax_topology **topology, const anax_config *config,
                                     anax_error *error);
ANAX_API void anax_topology_free(anax_topology *topology);

/* Returns sizes, distances, paths, components, cables and cost of machines side by side, for
 * people; and for programs (schema anax.topology/2, see anax-json(5)). count is at least 1. */
ANAX_API char *anax_topology_text(const anax_topology *const *machines, size_t count);
ANAX_API char *anax_topology_json(const anax_topology *const *machines, size_t count);

/* Copies a table as anax_result_table does; rows say which machine of the list they are about. */
ANAX_API anax_code anax_topology_table(anax_table **table, const anax_topology *const *machines,
                                       size_t count, const char *name, anax_error *error);

/* Returns the routers and the channels between them as a graph for Graphviz. */
ANAX_API char *anax_topology_dot(const anax_topology *topology);

#ifdef __cplusplus
}
#endif

#include <anax/bisections.h>
#include <anax/calibrate.h>
#include <anax/diff.h>
#include <anax/extrapolate.h>
#include <anax/html_report.h>
#include <anax/list.h>
#include <anax/parallel_run.h>
#include <anax/perfetto.h>
#include <anax/placements.h>
#include <anax/search.h>
#include <anax/sweep.h>

#endif
