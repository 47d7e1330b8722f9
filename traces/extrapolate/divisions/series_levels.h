/*
 * Coarse levels of a multigrid, on which some ranks do nothing. Private to the traces room. See
 * series_levels.c.
 */
#ifndef ANAX_TRACES_SERIES_LEVELS_H
#define ANAX_TRACES_SERIES_LEVELS_H

#include "traces/extrapolate/series.h"

/* The region that marks a run of calls of the coarse levels in their program. */
#define LEVEL_MARK "level"
/* The number of a request that a copy leaves out. */
#define LEVEL_DROPPED 0
/* Ends the names of communicators whose members all take part in the coarse levels. */
#define LEVEL_SUFFIX " (coarse)"

/* The tags of a program, in their order. */
struct level_tags {
    int32_t *list;
    size_t count, capacity;
};

/* The ranks of a program that take part in the coarse levels. */
struct level_set {
    uint32_t ranks;         /* ranks of the program */
    uint32_t count;         /* ranks that take part */
    uint32_t *coarse_ranks; /* [rank]: its number in the coarse levels; PROGRAM_NONE: it has none */
    uint32_t *members;      /* [its number there]: the rank */
    const struct level_tags *tags, *other_tags; /* of hashes: each tag is that of the same place */
};

/* A call with the computation before it, or the end of a region. Places count from the rank's first
 * operation. */
struct level_element {
    uint64_t first, end;
    uint64_t hash;  /* hash of what it is, without partners and sizes */
    uint64_t shape; /* the same hash without tags */
    int64_t end_ps;
    bool is_coarse;
    bool leaves_pending; /* a request is in flight behind it */
    uint32_t unit;       /* if coarse: coarse elements of different units are in different runs */
    uint32_t segment;    /* if not coarse: its segment (series_level_segments.c) */
};

/* The elements of a rank. */
struct level_rank {
    struct level_element *elements;
    size_t count, capacity;
    uint32_t runs; /* number of its runs: sequences of coarse elements without others between */
};

/* Which ranks take part in the coarse levels. */
typedef enum level_choice {
    LEVEL_BY_STEP,   /* every rank by a step along each dimension of a grid */
    LEVEL_BUT_FIRST, /* all but rank 0, which serves them */
    LEVEL_BUT_LAST   /* all but the last rank */
} level_choice;

/* A series whose calls are divided. */
struct level_divider {
    const struct series *series;
    level_choice choice;
    uint32_t grid, step;       /* LEVEL_BY_STEP; otherwise the line of all ranks, and 1 */
    struct level_set *sets;    /* [program]; the last one is that of the new program */
    struct level_rank **ranks; /* [program][rank] */
    struct level_tags *tags;   /* [program]: of the other calls; NULL: they keep their tags */
    uint32_t runs;
    uint32_t repeats; /* how often a part has all of its runs; 0: all ranks do not take part */
    struct key_table index; /* of hashes of a rank's other calls */
    uint64_t *places;       /* before which of these each run begins */
    size_t place_count, place_capacity;
};

/* Appends operations of a program to a builder. */
struct level_copy {
    const struct program *from;
    struct program_builder *builder;
    const uint32_t *ranks;               /* [rank of from]: rank of the builder; NULL: the same */
    uint32_t *communicators;             /* [communicator of from]: that of the builder */
    uint32_t *regions;                   /* [region of from]: that of the builder */
    uint64_t requests;                   /* is added to the numbers of requests */
    uint64_t *in_flight;                 /* [slot]: number of its request */
    uint64_t *waited;                    /* numbers of the requests of a wait */
    int64_t shift_ps;                    /* is added to times in the trace */
    int64_t latest_ps;                   /* the latest time of the copy */
    struct level_likeness *likeness;     /* changes tags, sizes and times; NULL: they stay */
    const struct level_tags *tags;       /* of `from`; NULL: tags stay */
    const struct level_tags *other_tags; /* what they become, each at its place */
    bool drops;                          /* leaves out messages to ranks that are not in `ranks` */
    bool moves_roots; /* communicators are some of `from`, and roots follow their ranks */
};

/* series_level_copy.c */
/* Begins a copy and defines the regions. Free it with series_level_copy_free, also after errors. */
status_code series_level_copy_begin(struct level_copy *copy, const struct program *from,
                                    struct program_builder *builder, struct status *status);
void series_level_copy_free(struct level_copy *copy);
/* Defines the topology of a communicator in the copy, whose index there is given, if it has one. */
status_code series_level_copy_topology(struct level_copy *copy, uint32_t communicator,
                                       uint32_t index, struct status *status);
/* Appends the operations first to end - 1 of a rank. STATUS_INPUT: the likeness has no rule for one
 * of them. */
status_code series_level_copy_operations(struct level_copy *copy, uint32_t rank, uint64_t first,
                                         uint64_t end, struct status *status);
/* Seals a program that comes from another one. */
status_code series_level_copy_seal(const struct level_copy *copy, unsigned threads,
                                   struct program **program, struct status *status);
/* Lists the elements of a rank. If set is NULL, no element is coarse. Sets *fits to false if an
 * element is both coarse and not, or has operations that are not divided: tests, files, persistent
 * requests, intercommunicators. */
status_code series_level_rank_list(struct level_rank *elements, const struct program *program,
                                   uint32_t rank, const struct level_set *set, bool *fits,
                                   struct status *status);

/* series_level_divide.c */
/* Makes what divides a series: every rank by a step along each dimension of a grid takes part in
 * the coarse levels. Free it with series_level_divider_free, also after errors. */
status_code series_level_divider_new(struct level_divider *divider, const struct series *series,
                                     uint32_t grid, uint32_t step, struct status *status);
void series_level_divider_free(struct level_divider *divider);
/* Makes the set of the ranks whose coordinates are multiples of a step. */
status_code series_level_set_make(struct level_set *set, const struct series *series, uint32_t grid,
                                  uint32_t step, uint32_t ranks,
                                  const struct series_grid_extents *extents, struct status *status);
/* Makes the set of all ranks but the first or the last one. */
status_code series_level_set_others(struct level_set *set, uint32_t ranks, level_choice choice,
                                    struct status *status);
void series_level_set_free(struct level_set *set);
/* Divides all programs. Sets *fits to whether two of them or more have coarse levels, the largest
 * one among them. */
status_code series_level_divide(struct level_divider *divider, bool *fits, struct status *status);
/* Divides them again, where tags are those of the largest program (divider->tags). */
status_code series_level_divide_by_order(struct level_divider *divider, bool *fits,
                                         struct status *status);
/* Returns the hash of a rank's calls that are not of the coarse levels. */
uint64_t series_level_rank_hash(const struct level_rank *rank);
/* Returns where the places of the runs of a rank of program k begin in divider->places;
 * KEY_TABLE_NONE: no rank with the same other calls has runs. */
uint32_t series_level_rank_places(const struct level_divider *divider, uint32_t k, uint32_t rank);

/* series_level_tags.c */
/* Lists the tags of the calls of each program that are not of the coarse levels. Sets *differ to
 * whether all programs have equally many and some have others, so that each may become that of the
 * largest program at its place. If not, divider->tags is NULL. */
status_code series_level_tags_find(struct level_divider *divider, bool *differ,
                                   struct status *status);
void series_level_tags_free(struct level_divider *divider);
/* Returns the tag at the place of a tag in another list. */
int32_t series_level_tag(const struct level_tags *tags, const struct level_tags *other,
                         int32_t tag);

/* series_level_segments.c */
/* Segments of calls that begin at given places. */
struct level_segments;
/* Takes from rank 0 which calls that are not coarse are in which segment. A segment begins before
 * each cut, which is a number of such calls. extents: the program's grid; the array must stay as
 * long as *new. Free *new also after errors. */
status_code series_level_segments_new(struct level_segments **new, const struct program *program,
                                      const uint32_t *extents, uint32_t dimensions,
                                      struct level_rank *first, const uint64_t *cuts,
                                      size_t cut_count, struct status *status);
void series_level_segments_free(struct level_segments *segments);
/* Sets the segments of a rank's other calls. Sets *fits to false if they are not those of rank 0.
 */
status_code series_level_segments_apply(const struct level_segments *segments,
                                        const struct program *program, uint32_t rank,
                                        struct level_rank *elements, bool *fits,
                                        struct status *status);

/* series_level_parts.c */
/* Makes the coarse levels of a program, or the rest. Sets *fits to false if its communicators do
 * not follow the ranks. */
status_code series_level_part_make(const struct level_divider *divider, uint32_t k, bool coarse,
                                   struct program **part, bool *fits, struct status *status);
/* Puts the new programs together. coarse: NULL: one rank alone takes part in the coarse levels. */
status_code series_level_parts_join(const struct level_divider *divider, const struct program *fine,
                                    const struct program *coarse, struct program **program,
                                    struct status *status);

/* series_level_likeness.c */
/* How coarse levels differ from a program that they look like: each kind of message may have
 * another tag, and sizes in a fixed proportion. */
struct level_likeness;
/* Returns a likeness to which no program was compared; NULL: out of memory. */
struct level_likeness *series_level_likeness_new(void);
void series_level_likeness_free(struct level_likeness *likeness);
/* Compares a program with coarse levels of as many ranks. Sets *fits to whether all programs that
 * were compared so far differ in the same way. */
status_code series_level_likeness_add(struct level_likeness *likeness, const struct program *whole,
                                      const struct program *coarse, bool *fits,
                                      struct status *status);
/* Returns whether all tags and sizes were the same. */
bool series_level_likeness_is_equal(const struct level_likeness *likeness);
/* Returns how many programs with messages were compared. */
uint32_t series_level_likeness_tests(const struct level_likeness *likeness);
/* Sets the tag and the size of a message. kind: hash of its call and operation. Returns false if
 * none is known. */
bool series_level_likeness_message(const struct level_likeness *likeness, uint64_t kind,
                                   int32_t *tag, uint64_t *bytes);
/* Sets the size of a collective. Returns false if none is known. */
bool series_level_likeness_collective(const struct level_likeness *likeness, uint64_t kind,
                                      int64_t collective, uint64_t *bytes);
/* Returns a time of computation in the proportion of all computation that was compared. */
int64_t series_level_likeness_computation(const struct level_likeness *likeness,
                                          int64_t duration_ps);
/* Makes the coarse levels that look like a program. */
status_code series_level_likeness_make(struct level_likeness *likeness, const struct program *whole,
                                       unsigned threads, struct program **coarse,
                                       struct status *status);

/* series_level_flat.c */
/* Makes the program of the ranks whose coordinates are 0 along some dimensions, without their
 * messages to other ranks. from: of the grid of program j. *part stays NULL if its calls do not
 * allow it. */
status_code series_level_flat_make(const struct level_divider *divider, const struct program *from,
                                   uint32_t j, uint32_t flat, struct program **part,
                                   struct status *status);

/* series_level_inner.c */
/* Makes the new coarse levels from the inner levels of a program of the series with as many ranks,
 * or of one that is extrapolated from these, if all coarse levels look like inner levels. *new
 * stays NULL otherwise. */
status_code series_level_inner_copy(const struct level_divider *divider,
                                    struct program *const *coarse, uint32_t wanted,
                                    struct program **new, uint32_t *tests,
                                    struct extrapolate_report *report, struct status *status);

/* series_levels.c */
/* Looks for coarse levels that some of the ranks alone take part in, extrapolates them and the rest
 * apart, and puts the new programs together. Adds the findings to the report. Sets *found to
 * whether there are such levels; otherwise *status stays. */
status_code series_levels_find(struct series *series, struct program **program, bool *found,
                               struct status *status);
/* The same where all ranks but one take part, which serves them: a grid of all others. */
status_code series_server_find(struct series *series, struct program **program, bool *found,
                               struct status *status);

#endif
