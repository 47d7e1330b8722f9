/*
 * The face of the traces room: files and patterns in, programs out.
 *
 * Must not know: networks, nodes, replay. Only reader and writer include OTF2.
 */
#ifndef ANAX_TRACES_TRACES_H
#define ANAX_TRACES_TRACES_H

#include "core/settings.h"
#include "traces/program/program.h"

/* The communicator of non-blocking collectives that left no record. */
typedef enum traces_guess {
    TRACES_GUESS_OFF,   /* they are not replayed */
    TRACES_GUESS_WORLD, /* of all ranks */
    TRACES_GUESS_LAST   /* that of the rank's last collective with a record */
} traces_guess;

struct traces_config {
    int64_t polling_gap_ps; /* gaps between failed tests or probes shorter than this are waiting */
    bool user_regions;      /* keep ENTER and LEAVE of user regions */
    int32_t guess;          /* traces_guess: non-blocking collectives without a record */
    int64_t guess_bytes;    /* of each of them: the vector, or a block */
    char *from;             /* what to keep of a trace, as in program_part.h; NULL or "": all */
    char *to;
    char *repeat;        /* what to repeat of that, as in program_repeat.h; NULL: nothing */
    char *compute_scale; /* factors on computation in regions, as in program_scale.h; NULL: none */
};

/* Whether a trace opened so keeps its user regions. */
bool traces_keeps_regions(const struct traces_config *config);

extern const struct setting_row traces_setting_rows[];
extern const size_t traces_setting_count;

/* Opens an OTF2 archive (its anchor file, or the folder that holds exactly one) or a program file,
 * told apart by content. threads: 0 means as many as help. progress may be NULL (done and total in
 * bytes or ranks). */
status_code traces_open(struct program **program, const char *path,
                        const struct traces_config *config, unsigned threads,
                        void (*progress)(void *context, uint64_t done, uint64_t total),
                        void *progress_context, struct status *status);

/* OTF2 archive -> program (otf2_import.c). */
status_code traces_import_otf2(struct program **program, const char *anchor_path,
                               const struct traces_config *config, unsigned threads,
                               void (*progress)(void *context, uint64_t done, uint64_t total),
                               void *progress_context, struct status *status);

/* Program files (program_file.c): versioned, checksummed, compressed rank by rank with zlib. The
 * file is written beside its final name and renamed when whole. replace: a file of that name may be
 * replaced. */
status_code traces_write_program(const struct program *program, const char *path, bool replace,
                                 unsigned threads, struct status *status);
status_code traces_read_program(struct program **program, const char *path, unsigned threads,
                                struct status *status);
/* Whether the file at path starts like a program file. */
status_code traces_is_program_file(bool *is, const char *path, struct status *status);

/* Writes a program as an OTF2 archive in Score-P's conventions into the new folder `folder`
 * (anchor folder/traces.otf2); otf2_writer.c. times_ps[first[r] …]: time stamps of rank r's CALL,
 * RETURN, ENTER and LEAVE operations in program order, from 0; end_ps[r]: of its END.
 * node_of_rank (may be NULL: one node per rank) and node_names give the system tree. The calls that
 * made persistent requests are not in a program: read again, its persistent sends are standard. */
struct traces_times {
    const uint64_t *first; /* rank_count + 1 entries */
    const int64_t *times_ps;
    const int64_t *end_ps; /* rank_count entries */
    const uint32_t *node_of_rank;
    uint32_t nodes_per_router; /* for the system tree's names; 0: unknown */
    uint32_t nodes_per_group;
};
status_code traces_write_otf2(const struct program *program, const struct traces_times *times,
                              const char *folder, struct status *status);

struct program_builder;

/* Synthetic programs: one row per pattern. */
struct traces_pattern_config {
    uint32_t rank_count;
    uint32_t iterations;
    uint64_t size_bytes; /* of a message; patterns with several sizes derive them (documented) */
    int64_t compute_ps;  /* per rank and iteration */
    uint32_t neighbours; /* halo3d: 6 or 26 */
    uint32_t root;       /* incast: the receiver */
    uint64_t seed;       /* random pairs */
};

/* Members of it that few patterns use; the others take any of their values without effect. */
enum { TRACES_USES_NEIGHBOURS = 1, TRACES_USES_ROOT = 2 };

struct traces_pattern {
    const char *name;
    const char *help;
    unsigned uses; /* TRACES_USES_NEIGHBOURS … */
    /* Appends all ranks; MPI_COMM_WORLD is already there, as communicator 0. */
    status_code (*build)(const struct traces_pattern_config *config,
                         struct program_builder *builder, struct status *status);
};

/* The table, ending with a row whose name is NULL. */
const struct traces_pattern *traces_patterns(void);
status_code traces_generate(struct program **program, const char *pattern,
                            const struct traces_pattern_config *config, struct status *status);
/* A benchmark of MPI, as a program: see benchmark_programs.c. */
typedef enum traces_benchmark_kind {
    TRACES_BENCHMARK_PING_PONG,
    TRACES_BENCHMARK_STREAM,    /* a window of messages, then an answer of 4 bytes */
    TRACES_BENCHMARK_BOTH_WAYS, /* a window of messages in both directions */
    TRACES_BENCHMARK_ALLREDUCE  /* of all ranks, after a barrier */
} traces_benchmark_kind;

struct traces_benchmark {
    traces_benchmark_kind kind;
    uint32_t ranks; /* even, but for allreduce: rank 2i and rank 2i + 1 are a pair */
    uint32_t window;
    uint32_t rounds; /* of each size */
    const uint64_t *sizes_bytes;
    size_t size_count;
};

/* Every size has a region of its own, named after it, in the order of the sizes. */
status_code traces_benchmark_new(struct program **program, const struct traces_benchmark *benchmark,
                                 struct status *status);

/* Nominal time stamps for a generated program's archive: computes take their time, MPI calls a
 * microsecond each, no rank waits for another. Free with traces_times_free. */
status_code traces_nominal_times(const struct program *program, struct traces_times *times,
                                 struct status *status);
void traces_times_free(struct traces_times *times);

#endif
