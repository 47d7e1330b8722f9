/*
 * Divides the calls of a series into those of the coarse levels of a multigrid, in which only some
 * ranks take part, and the other calls. A server, which takes no part in the grid of the other
 * ranks, is found in the same way: then the calls among the other ranks are the coarse levels.
 * Private to the extrapolation. series_levels.c states the rules.
 *
 * Unless a function says otherwise, it returns STATUS_MEMORY if memory is short, and no other
 * error. Times are in picoseconds, and sizes in bytes.
 */
#ifndef ANAX_TRACES_SERIES_LEVELS_H
#define ANAX_TRACES_SERIES_LEVELS_H

#include "traces/extrapolate/series.h"

/* Name of the region around each run of calls in the program of the coarse levels. */
#define LEVEL_MARK "level"
/* Instead of the number of a request: a copy leaves the request out. */
#define LEVEL_DROPPED 0
/* End of the names of communicators of which all members take part in the coarse levels. */
#define LEVEL_SUFFIX " (coarse)"

/* The tags of a program, in ascending order. */
struct level_tags {
    int32_t *list;
    size_t count, capacity;
};

/* The ranks of a program that take part in the coarse levels. */
struct level_set {
    uint32_t ranks;         /* ranks of the program */
    uint32_t count;         /* ranks that take part */
    uint32_t *coarse_ranks; /* [rank]: its number in the coarse levels; PROGRAM_NONE: it has none */
    uint32_t *members;      /* [number in the coarse levels]: the rank */
    /* In the hashes of elements, tag n of `tags` counts as tag n of `other_tags`. NULL: tags count
     * as they are. */
    const struct level_tags *tags, *other_tags;
};

/* A call, or the begin or end of a user region, with the computation before it. */
struct level_element {
    uint64_t first, end; /* operations first to end - 1 of the rank; 0 is its first one */
    uint64_t hash;       /* of the call and its operations, without partners and sizes */
    uint64_t shape;      /* the same without tags */
    int64_t end_ps;      /* time in the trace */
    bool is_coarse;      /* belongs to the coarse levels */
    bool leaves_pending; /* a request is in flight after it */
    uint32_t unit;       /* if coarse: coarse elements of different units are in different runs */
    uint32_t segment;    /* if not coarse: its segment (series_level_segments.c) */
};

/* The elements of a rank, in their order. A run is a sequence of coarse elements with no other
 * element between them. */
struct level_rank {
    struct level_element *elements;
    size_t count, capacity;
    uint32_t runs; /* how many there are */
};

/* Which ranks take part in the coarse levels. */
typedef enum level_choice {
    LEVEL_BY_STEP,   /* every rank by a step along each dimension of a grid */
    LEVEL_BUT_FIRST, /* all but rank 0, which serves them */
    LEVEL_BUT_LAST   /* all but the last rank */
} level_choice;

/* A series whose calls are divided. "Other" calls are those that are not of the coarse levels. */
struct level_divider {
    const struct series *series;
    level_choice choice;
    uint32_t grid, step;       /* LEVEL_BY_STEP; otherwise the line of all ranks, and 1 */
    struct level_set *sets;    /* [program]; the last one is that of the new program */
    struct level_rank **ranks; /* [program][rank] */
    struct level_tags *tags;   /* [program]: of the other calls; NULL: they keep their tags */
    uint32_t runs; /* of each rank that takes part; if ranks besides a server differ: the most */
    /* 0: the coarse levels are those of a set of ranks. Otherwise all ranks take part, and the
     * program of the coarse levels has all of their runs so often (series_level_inner.c). */
    uint32_t repeats;
    struct key_table index; /* [hash of a rank's other calls]: index of its first run in places */
    uint64_t *places;       /* [run]: how many other calls are before it. The number of runs of a
                               rank stands before its first run. */
    size_t place_count, place_capacity;
};

/* Appends operations of a program to a builder. */
struct level_copy {
    const struct program *from;
    struct program_builder *builder;
    /* [rank of from]: rank of the builder, PROGRAM_NONE: it has none; NULL: all keep their numbers
     */
    const uint32_t *ranks;
    uint32_t *communicators; /* [communicator of from]: that of the builder; PROGRAM_NONE: none */
    uint32_t *regions;       /* [region of from]: that of the builder */
    uint64_t requests;       /* is added to the numbers of requests */
    uint64_t *in_flight;     /* [slot]: number of its request, or LEVEL_DROPPED */
    uint64_t *waited;        /* numbers of the requests of a wait */
    int64_t shift_ps;        /* is added to times in the trace */
    int64_t latest_ps;       /* the latest time of the copy */
    struct level_likeness *likeness;     /* changes tags, sizes and computation; NULL: they stay */
    const struct level_tags *tags;       /* of `from`; NULL: tags stay */
    const struct level_tags *other_tags; /* tag n of `tags` becomes tag n of these */
    bool drops;       /* leaves out messages to ranks that the builder does not have */
    bool moves_roots; /* a communicator becomes another one of `from`; its roots keep their ranks */
};

/* series_level_copy.c */
/* Begins a copy, and defines the regions of `from` in the builder. The caller defines the
 * communicators. Free the copy with series_level_copy_free, also after errors. builder: NULL is
 * STATUS_MEMORY. */
status_code series_level_copy_begin(struct level_copy *copy, const struct program *from,
                                    struct program_builder *builder, struct status *status);
/* Frees what series_level_copy_begin has made, but not the builder. */
void series_level_copy_free(struct level_copy *copy);
/* If a communicator of `from` has a process topology, defines it for the communicator `index` of
 * the builder. */
status_code series_level_copy_topology(struct level_copy *copy, uint32_t communicator,
                                       uint32_t index, struct status *status);
/* Appends the operations first to end - 1 of a rank of `from`. STATUS_INPUT: the likeness has no
 * rule for one of them, or the builder lacks its communicator. */
status_code series_level_copy_operations(struct level_copy *copy, uint32_t rank, uint64_t first,
                                         uint64_t end, struct status *status);
/* Seals the program of the builder, with the notes and the source of `from`. threads: as for
 * builder_seal. The caller frees *program. Returns the errors of builder_seal. */
status_code series_level_copy_seal(const struct level_copy *copy, unsigned threads,
                                   struct program **program, struct status *status);
/* Lists the elements of a rank. If set is NULL, no element is coarse. The caller frees
 * elements->elements, also after errors. Sets *fits to false if a call has both coarse and other
 * operations, if a request is in flight where a run begins or ends, or if an operation is not
 * divided: a test, a file access, a persistent request, one-sided communication, or one in an
 * intercommunicator. */
status_code series_level_rank_list(struct level_rank *elements, const struct program *program,
                                   uint32_t rank, const struct level_set *set, bool *fits,
                                   struct status *status);

/* series_level_divide.c */
/* Makes a divider: every rank by `step` along each dimension of a grid takes part in the coarse
 * levels, unless the caller sets divider->choice. Free it with series_level_divider_free, also
 * after errors. */
status_code series_level_divider_new(struct level_divider *divider, const struct series *series,
                                     uint32_t grid, uint32_t step, struct status *status);
void series_level_divider_free(struct level_divider *divider);
/* Makes the set of the ranks whose coordinates in a grid of these extents are multiples of a step.
 * Free it with series_level_set_free, also after errors. */
status_code series_level_set_make(struct level_set *set, const struct series *series, uint32_t grid,
                                  uint32_t step, uint32_t ranks,
                                  const struct series_grid_extents *extents, struct status *status);
/* Makes the set of all ranks but the first one (LEVEL_BUT_FIRST) or the last one (LEVEL_BUT_LAST).
 * Free it with series_level_set_free, also after errors. */
status_code series_level_set_others(struct level_set *set, uint32_t ranks, level_choice choice,
                                    struct status *status);
void series_level_set_free(struct level_set *set);
/* Divides all programs. Sets *fits to whether the division keeps the rules of series_levels.c, and
 * two programs or more have coarse levels, the largest one among them. */
status_code series_level_divide(struct level_divider *divider, bool *fits, struct status *status);
/* Divides all programs once more, with the tags of the largest program in the hashes of other calls
 * (divider->tags). Sets *fits as series_level_divide does. */
status_code series_level_divide_by_order(struct level_divider *divider, bool *fits,
                                         struct status *status);
/* Returns the hash of a rank's other calls. */
uint64_t series_level_rank_hash(const struct level_rank *rank);
/* Returns the index in divider->places of the first run of a rank of program k; KEY_TABLE_NONE: no
 * rank with the same other calls has runs. */
uint32_t series_level_rank_places(const struct level_divider *divider, uint32_t k, uint32_t rank);

/* series_level_tags.c */
/* Sets divider->tags to the tags of each program's other calls. Sets *differ to whether all
 * programs have equally many of these tags, and some programs have different ones. Then tag n of
 * each program may become tag n of the largest program. If *differ is false, divider->tags is NULL.
 */
status_code series_level_tags_find(struct level_divider *divider, bool *differ,
                                   struct status *status);
void series_level_tags_free(struct level_divider *divider);
/* Returns tag n of `other`, where `tag` is tag n of `tags`; the tag itself: `tags` does not have
 * it.
 */
int32_t series_level_tag(const struct level_tags *tags, const struct level_tags *other,
                         int32_t tag);

/* series_level_segments.c */
/* Divides the other calls of rank 0 into segments, and remembers which messages are in which
 * segment. */
struct level_segments;
/* Sets the segments of rank 0, from 0. elements: those of rank 0. cuts: ascending; segment n + 1
 * begins after so many other calls as cuts[n] says. extents: of the program's grid; the array must
 * stay as long as *new. Free *new with series_level_segments_free, also after errors. */
status_code series_level_segments_new(struct level_segments **new, const struct program *program,
                                      const uint32_t *extents, uint32_t dimensions,
                                      struct level_rank *elements, const uint64_t *cuts,
                                      size_t cut_count, struct status *status);
void series_level_segments_free(struct level_segments *segments);
/* Sets the segment of each other call of a rank to that in which rank 0 has the same messages. Sets
 * *fits to false if a call has messages of several segments, or if the numbers of segments fall
 * from call to call. *fits must be true before. */
status_code series_level_segments_apply(const struct level_segments *segments,
                                        const struct program *program, uint32_t rank,
                                        struct level_rank *elements, bool *fits,
                                        struct status *status);

/* series_level_parts.c */
/* Makes the program of the coarse levels of program k (coarse), or of its other calls. The caller
 * frees *part. Sets *fits to false if the coarse levels use a communicator of some ranks of which
 * a member takes no part in them. Returns the errors of builder_seal. */
status_code series_level_part_make(const struct level_divider *divider, uint32_t k, bool coarse,
                                   struct program **part, bool *fits, struct status *status);
/* Joins the new program of the other calls (fine) and that of the coarse levels. coarse: NULL: one
 * rank alone takes part in the coarse levels. The caller frees *program, also after STATUS_INPUT:
 * no rule says when a rank takes part in the coarse levels, or a message has no partner. */
status_code series_level_parts_join(const struct level_divider *divider, const struct program *fine,
                                    const struct program *coarse, struct program **program,
                                    struct status *status);

/* series_level_likeness.c */
/* How coarse levels differ from the programs of as many ranks that they look like: a message of a
 * kind and tag may have another tag, and a size in a fixed proportion. */
struct level_likeness;
/* Returns a likeness for which no program has been compared yet; NULL: out of memory. */
struct level_likeness *series_level_likeness_new(void);
void series_level_likeness_free(struct level_likeness *likeness);
/* Compares a program (whole) with coarse levels of as many ranks. Sets *fits to whether they differ
 * only as a likeness allows, and as all that were compared before. */
status_code series_level_likeness_add(struct level_likeness *likeness, const struct program *whole,
                                      const struct program *coarse, bool *fits,
                                      struct status *status);
/* Returns whether no tag and no size differed in all comparisons. */
bool series_level_likeness_is_equal(const struct level_likeness *likeness);
/* Returns how many comparisons of programs with messages have fitted. */
uint32_t series_level_likeness_tests(const struct level_likeness *likeness);
/* Changes the tag and the size of a message of the whole program to those of the coarse levels.
 * kind: hash of its call and operation. Returns false if they are not known. */
bool series_level_likeness_message(const struct level_likeness *likeness, uint64_t kind,
                                   int32_t *tag, uint64_t *bytes);
/* Does the same for a size of a collective. collective: its program_collective_kind. */
bool series_level_likeness_collective(const struct level_likeness *likeness, uint64_t kind,
                                      int64_t collective, uint64_t *bytes);
/* Returns a time of computation of the coarse levels: that of the whole program, in the proportion
 * of all computation in the programs that were compared. */
int64_t series_level_likeness_computation(const struct level_likeness *likeness,
                                          int64_t duration_ps);
/* Makes the coarse levels that look like a program. The caller frees *coarse. STATUS_INPUT: the
 * likeness does not say the tag or the size of some message or collective. */
status_code series_level_likeness_make(struct level_likeness *likeness, const struct program *whole,
                                       unsigned threads, struct program **coarse,
                                       struct status *status);

/* series_level_flat.c */
/* Makes the program of the ranks whose coordinates are 0 along a set of dimensions (flat), without
 * their messages to other ranks. from: a program with the grid of program j. The caller frees
 * *part, which stays NULL if a call of `from` cannot be divided. */
status_code series_level_flat_make(const struct level_divider *divider, const struct program *from,
                                   uint32_t j, uint32_t flat, struct program **part,
                                   struct status *status);

/* series_level_inner.c */
/* If all coarse levels look like inner levels, makes the new coarse levels from the inner levels of
 * the program of the series with `wanted` ranks, or else from extrapolated inner levels. coarse:
 * [program], the coarse levels. Sets *tests to the number of comparisons. The caller frees *new,
 * which stays NULL otherwise. */
status_code series_level_inner_copy(const struct level_divider *divider,
                                    struct program *const *coarse, uint32_t wanted,
                                    struct program **new, uint32_t *tests,
                                    struct extrapolate_report *report, struct status *status);

/* series_levels.c */
/* Looks for coarse levels, extrapolates them and the other calls apart, and joins the two new
 * programs. Adds the findings to the report. The caller frees *program. Sets *found to whether
 * there are such levels; if there are none, *program is NULL and *status stays. */
status_code series_levels_find(struct series *series, struct program **program, bool *found,
                               struct status *status);
/* Does the same for a server: all ranks but the first or the last one exchange messages, and are
 * extrapolated apart. */
status_code series_server_find(struct series *series, struct program **program, bool *found,
                               struct status *status);

#endif
