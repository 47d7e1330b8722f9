/*
 * The public header of the traces room. The room turns files and patterns into programs.
 *
 * Must not know: networks, nodes, replay. Only the OTF2 reader and the OTF2 writer include OTF2.
 */
#ifndef ANAX_TRACES_TRACES_H
#define ANAX_TRACES_TRACES_H

#include "core/settings/settings.h"
#include "traces/program/program.h"

/* The communicator on which non-blocking collectives without a record are replayed. */
typedef enum traces_guess {
    TRACES_GUESS_OFF,   /* none: these collectives are not replayed */
    TRACES_GUESS_WORLD, /* the communicator of all ranks */
    TRACES_GUESS_LAST   /* the communicator of the rank's last collective with a record */
} traces_guess;

/* The time between the calls of a recording that is computation. */
typedef enum traces_time {
    TRACES_TIME_AUTO, /* processor time on hosts with more ranks than processors */
    TRACES_TIME_WALL,
    TRACES_TIME_PROCESSOR
} traces_time;

/* The note of a recording that says how many ranks were not recorded to their ends. */
#define TRACES_CUT_RANKS "ranks that were cut"

struct processes;

struct traces_config {
    int64_t polling_gap_ps; /* gaps between failed tests or probes that are shorter than this count
                               as waiting */
    bool user_regions;      /* keep ENTER and LEAVE of user regions */
    int32_t guess;          /* a traces_guess, for non-blocking collectives without a record */
    int64_t guess_bytes;    /* bytes of each guessed collective: its vector, or one block */
    char *from; /* start of the part to keep, as in program_extract.h; NULL or "": the beginning */
    char *to;
    char *repeat; /* region of the kept part to repeat, as in program_repeat.h; NULL or "": none */
    char *per_iteration;  /* region whose entries divide the run into parts; NULL or "": none */
    char *compute_scale;  /* factors on the computation in regions, as in program_scale.h; NULL or
                             "": none */
    int32_t computation;  /* a traces_time, for recordings */
    int64_t memory_bytes; /* bytes of a program's operations that may be in memory; others lie in a
                             file. -1: half of the memory that the process can have */
    char *memory_folder;  /* folder of that file; NULL or "": TMPDIR, or /var/tmp */
    struct processes *processes; /* processes that all open the trace and divide the reading of
                                    archives among them, and programs that are large
                                    (program_division.h; no setting); NULL: this one alone */
};

/* Returns where the operations of a program lie under this configuration: the program owns it.
 * NULL: out of memory. */
struct paging *traces_paging(const struct traces_config *config);

/* Returns true if traces_open keeps the user regions of a trace under this configuration: if
 * user_regions is set, or if another member names regions. */
bool traces_keeps_regions(const struct traces_config *config);

/* The settings of the traces room (struct traces_config). */
extern const struct setting_row traces_setting_rows[];
extern const size_t traces_setting_count;

/* Opens a trace and applies the configuration to it. path names an OTF2 archive (by its anchor
 * file, or by a folder that holds exactly one anchor file), the folder of a recording, a program
 * file or a schedule in GOAL; traces_open tells them apart by their content. threads: 0 uses as
 * many threads as are useful. progress may be NULL; its done and total count bytes or ranks. The
 * caller frees *program with program_free. *program is NULL after an error; STATUS_INPUT or
 * STATUS_USAGE says what is wrong and where. */
status_code traces_open(struct program **program, const char *path,
                        const struct traces_config *config, unsigned threads,
                        void (*progress)(void *context, uint64_t done, uint64_t total),
                        void *progress_context, struct status *status);

/* Gives a program that process 0 of the configuration has, and the others have not (*program is
 * NULL), to all of them, which divide it (program_division.h). They get it as temporary files in
 * trace.memory_folder. All processes call this function. It frees the program of process 0.
 * STATUS_SYSTEM: such a file cannot be written. */
status_code traces_distribute(struct program **program, const struct traces_config *config,
                              unsigned threads, struct status *status);

/* Makes a program of the part of another one between two places, which are those of from and to in
 * traces_config. The caller frees *part with program_free. STATUS_INPUT or STATUS_USAGE: there is
 * no such part. */
status_code traces_cut(struct program **part, const struct program *whole, const char *from,
                       const char *to, unsigned threads, struct status *status);

/* Imports an OTF2 archive (otf2_import.c). The parameters are those of traces_open, but from, to,
 * repeat and compute_scale of the configuration have no effect here. Of several processes, process
 * 0 alone gets a large program: *program is NULL in the others. */
status_code traces_import_otf2(struct program **program, const char *anchor_path,
                               const struct traces_config *config, unsigned threads,
                               void (*progress)(void *context, uint64_t done, uint64_t total),
                               void *progress_context, struct status *status);

/* Imports a schedule in GOAL, as text or in LogGOPSim's binary form (goal/goal_import.c). Every
 * rank becomes a graph (program/program_graph.h). */
status_code traces_import_goal(struct program **program, const char *path, unsigned threads,
                               void (*progress)(void *context, uint64_t done, uint64_t total),
                               void *progress_context, struct status *status);
/* Sets *is_goal to whether the file at path is a schedule in GOAL: whether it begins like one, or
 * has a name that ends with .goal. */
status_code traces_is_goal_file(bool *is_goal, const char *path, struct status *status);

/* Writes a program file (program_file_writer.c), which has a version and checksums, and each rank's
 * operations compressed with zlib. The file is written beside its final name and renamed when it is
 * complete; replace allows to replace an existing file. */
status_code traces_write_program(const struct program *program, const char *path, bool replace,
                                 unsigned threads, struct status *status);
/* Reads a program file. The caller frees the program with program_free. */
status_code traces_read_program(struct program **program, const char *path, unsigned threads,
                                struct status *status);
/* How a program file is loaded. */
struct traces_loading {
    struct paging *paging; /* where the operations lie; the program owns it. NULL: in memory */
    struct processes *processes; /* that load the file together, and divide the program if it is
                                    large (program_division.h); NULL: this one has all of it */
    bool gathers;                /* process 0 gets a large program as a whole, the others get none:
                                    their *program is NULL */
    bool is_large;               /* whatever its size */
    bool keeps_user_regions;     /* of a program that is divided: others keep them all */
    unsigned threads;
};
/* Reads a program file. The function frees paging if it fails, and where there is no program. */
status_code traces_load_program(struct program **loaded, const char *path,
                                const struct traces_loading *loading, struct status *status);
/* Sets *is_program to whether the file at path begins with the magic bytes of a program file. */
status_code traces_is_program_file(bool *is_program, const char *path, struct status *status);

/* A path through the ranks of a timeline, which is written as a location of its own: on which rank
 * it is between two times, and what it consists of there. Steps follow each other in time. */
struct traces_path_step {
    int64_t from_ps;
    int64_t to_ps;
    uint32_t rank; /* the program's number of ranks plus k: the k-th I/O node */
    uint32_t name; /* index into names */
};
struct traces_path {
    const char *title; /* the location's name */
    const struct traces_path_step *steps;
    uint64_t step_count;
    const char *const *names;
    uint32_t name_count;
    uint32_t *io_nodes; /* their nodes */
    uint32_t io_node_count;
};

/* Writes a program as an OTF2 archive with Score-P's conventions into the new folder `folder`
 * (otf2_writer.c). The anchor file is folder/traces.otf2. times holds the time stamps, in
 * picoseconds from 0: times_ps[first[r]] and the entries after it belong to rank r's CALL, RETURN,
 * ENTER and LEAVE operations in program order, and end_ps[r] belongs to rank r's END. node_of_rank
 * and the numbers of nodes describe the system tree; a NULL node_of_rank gives each rank a node of
 * its own. A program does not hold the calls that made persistent requests, so an importer of the
 * written archive takes persistent sends for standard sends. */
struct traces_times {
    const uint64_t *first; /* rank_count + 1 entries */
    const int64_t *times_ps;
    const int64_t *end_ps; /* rank_count entries */
    const uint32_t *node_of_rank;
    uint32_t nodes_per_router; /* for the names in the system tree; 0: unknown */
    uint32_t nodes_per_group;
    const struct traces_path *path; /* NULL: none */
    struct processes *processes;    /* that write the archive together, into a folder that all of
                                       them see: each calls the function, and process 0 writes what
                                       is about all ranks. NULL: this one alone */
    const bool *own; /* [rank]: this process has its operations and times, and writes them. Each
                        rank belongs to one process. NULL: all belong to this one */
    struct paging *paging; /* of times_ps of traces_compute_nominal_times, which owns it */
};
status_code traces_write_otf2(const struct program *program, const struct traces_times *times,
                              const char *folder, struct status *status);

/* A quantity over time: values[i] holds from times_ps[i] on. */
struct traces_counter {
    const char *name;
    const char *unit;
    const int64_t *times_ps;
    const int64_t *values;
    size_t count;
};
/* Writes some ranks of a program, with simulated times, as a trace that ui.perfetto.dev opens
 * (perfetto_writer.c): calls, user regions and computation of each rank; messages between these
 * ranks as arrows; counters and the path of the times on tracks of their own. */
struct traces_perfetto {
    const struct traces_times *times;
    uint32_t first_rank;
    uint32_t rank_count; /* first_rank + rank_count is at most the program's number of ranks */
    const struct traces_counter *counters;
    size_t counter_count;
};
status_code traces_write_perfetto(const struct program *program,
                                  const struct traces_perfetto *input, const char *path,
                                  bool replace, struct status *status);

struct program_builder;
struct training_config;

/* The settings of a generated program. */
struct traces_pattern_config {
    uint32_t rank_count;
    uint32_t iterations;
    uint64_t size_bytes; /* bytes of a message; a pattern with several sizes derives them from this
                            one */
    int64_t compute_ps;  /* computation of each rank in each iteration */
    uint32_t neighbours; /* halo3d: neighbours of a rank, 6 or 26 */
    uint32_t root;    /* incast, bcast: the rank that receives from all others, or sends to them */
    uint32_t window;  /* stream, both-ways, random-access: messages that a rank sends at once */
    uint32_t edge;    /* side of a rank's part of the mesh; 0: as published */
    bool has_barrier; /* begin each iteration with a barrier, outside of the iteration's region */
    uint64_t seed;    /* of random patterns */
    const struct training_config *training; /* training; NULL: defaults */
    const struct traces_config *traces;     /* where the operations lie; NULL: in memory */
};

/* Members of traces_pattern_config that few patterns use. Other patterns ignore these members. */
enum {
    TRACES_USES_NEIGHBOURS = 1,
    TRACES_USES_ROOT = 2,
    TRACES_USES_WINDOW = 4,
    TRACES_USES_TRAINING = 8, /* the settings training.*, and neither size_bytes nor compute_ps */
    TRACES_USES_EDGE = 16     /* edge, and not size_bytes */
};

struct traces_pattern {
    const char *name;
    const char *help;
    unsigned uses; /* set of TRACES_USES_… */
    /* Appends the operations of all ranks. Communicator 0 of the builder is MPI_COMM_WORLD. */
    status_code (*build)(const struct traces_pattern_config *config,
                         struct program_builder *builder, struct status *status);
};

/* Returns the table of patterns. Its last row has the name NULL. */
const struct traces_pattern *traces_patterns(void);
/* Generates the program of a pattern, by its name in the table. STATUS_USAGE: the pattern is
 * unknown, or the configuration is out of range. The caller frees *program with program_free. */
status_code traces_generate(struct program **program, const char *pattern,
                            const struct traces_pattern_config *config, struct status *status);
/* A benchmark of MPI, as a program: see benchmark_programs.c. */
typedef enum traces_benchmark_kind {
    TRACES_BENCHMARK_PING_PONG,
    TRACES_BENCHMARK_STREAM,    /* a window of messages, then an answer of 4 bytes */
    TRACES_BENCHMARK_BOTH_WAYS, /* a window of messages in both directions */
    TRACES_BENCHMARK_ALLREDUCE  /* an allreduce of all ranks, after a barrier */
} traces_benchmark_kind;

struct traces_benchmark {
    traces_benchmark_kind kind;
    uint32_t ranks; /* an even number, except for allreduce: ranks 2i and 2i + 1 are a pair */
    uint32_t window;
    uint32_t rounds; /* of each size */
    const uint64_t *sizes_bytes;
    size_t size_count;
};

/* Every size has a region of its own, named after it, in the order of the sizes. */
status_code traces_benchmark_new(struct program **program, const struct traces_benchmark *benchmark,
                                 struct status *status);

#define TRACES_NOMINAL_CALL_PS INT64_C(1000000) /* what an MPI call takes in nominal times */

/* Computes nominal time stamps for the archive of a generated program: a computation takes its
 * duration, an MPI call takes one microsecond, and no rank waits for another. Free the result with
 * traces_times_free. STATUS_INPUT: a rank's computation is longer than an archive can hold. */
status_code traces_compute_nominal_times(const struct program *program, struct traces_times *times,
                                         struct status *status);

/* Frees what traces_compute_nominal_times has made. */
void traces_times_free(struct traces_times *times);

#endif
