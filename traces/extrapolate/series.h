/*
 * The state of an extrapolation: a series of programs of one application on different numbers of
 * ranks, what they have in common, and the laws by which they differ. Private to the traces room.
 *
 * All arithmetic is in integers, so that a result does not depend on the compiler.
 */
/* One row for each file. */
/* clang-format off */
/*
 * The files:
 *
 *   traces_extrapolate.h     the interface
 *   extrapolate.c            the steps of the search, in their order
 *
 * steps/: what ranks do
 *   series_steps.c           divides ranks into steps: an MPI call, what it posts and waits for
 *   series_tested_requests.c takes tests that found requests complete as waits
 *   series_fold.c            folds the steps of a rank into loops
 *   series_shape.c           unites the loops of several ranks into one shape
 *   series_parse.c           folds the steps of a rank along the shape of another one
 *   series_splits.c          divides loops in which several exchanges follow each other
 *   series_classes.c         divides the steps of a call by the sizes of its messages
 *   series_receives.c        lengths of receives that follow from the messages
 *
 * divisions/: series that are divided, each part of which is extrapolated alone
 *   series_call_sets.c       calls of two kinds that follow each other
 *   series_levels.c          multigrids: coarse levels and the rest
 *   series_level_divide.c    which ranks and calls are coarse levels
 *   series_level_copy.c      copies the calls of a part
 *   series_level_parts.c     the programs of both parts, and the new one that both make
 *   series_level_likeness.c  compares coarse levels with programs of as many ranks
 *   series_rotation.c        numbers ranks anew where roles move on in each iteration
 *
 * grids/: process grids and communicators
 *   series_grids.c           process grids: rules from a number of ranks to extents
 *   series_groups.c          communicators: which rule gives their members
 *   series_alternatives.c    rules of communicators that fit alike and differ in the new program
 *   series_trials.c          communicators that libraries make to try ways
 *
 * roles/: which ranks have the same shape
 *   series_keys.c            rules that give each rank the key of a role
 *   series_roles.c           the first rule by which ranks of one role have the same shape
 *   series_sizes.c           roles whose ranks make the same calls and give them other sizes
 *   series_refuse.c          says where programs without common roles differ
 *   series_samples.c         lists for each step of a role what was found in all programs
 *   series_pools.c           what all roles have in common
 *   series_balance.c         ranks of a role that compute more than others
 *
 * symmetry/: roles by symmetry, of which no program has some
 *   series_symmetry.c        the classes of ranks in a grid whose dimensions are alike
 *   series_infer.c           makes the steps of a role that no program has
 *   series_sources.c         the roles from which it is inferred
 *   series_views.c           programs with two dimensions of a grid exchanged
 *   series_tags.c            tags that number the messages of each dimension of a grid
 *
 * laws/: laws of values
 *   series_law.h             the laws
 *   series_laws.c            finds a law for each value of each step
 *   series_common.c          laws that all roles have in common
 *   series_keep_law.c        what a law that was found leaves: grids in use, alternatives
 *   law_samples.c            samples by groups that follow one law
 *   law_roots.c              roots and logarithms
 *   law_features.c           what a value may depend on
 *   law_exact.c              laws of sizes, counts and times that hold exactly
 *   law_values.c             values and texts of laws
 *   law_targets.c            compares laws in the new program
 *   law_places.c             laws of tags that are places in a plane
 *   law_place_search.c       looks for these places
 *
 * laws/partners/: laws of partners
 *   law_peers.c              looks for the laws in each grid
 *   law_peer_moves.c         along which dimensions partners move
 *   law_peer_text.c          texts of the laws
 *   law_rules.c              the rules of coordinates that the laws are made of
 *   law_known_rules.c        rules of coordinates that were found before
 *   law_trees.c              trees and exchanges in rounds
 *   law_distances.c          distances that follow from the number of ranks
 *   law_orders.c             transposes of grids
 *   series_compare.c         laws that fit alike and differ in the new program
 *
 * laws/sizes/: laws of sizes
 *   law_parts.c              parts of a total
 *   law_remainders.c         parts with other rests, and of rows
 *   law_ghosts.c             parts with ghost cells
 *   law_faces.c              faces of the parts of a box
 *   law_ends.c               sizes common to roles in a grid, or other ones at its ends
 *   law_by_neighbour.c       sizes that depend only on the neighbour in the grid of roles
 *   law_shared_extent.c      constant sizes of roles whose programs share an extent
 *   law_other_dimension.c    sizes that messages along two dimensions have in common
 *
 * laws/fits/: laws of measured times and sizes
 *   series_fits.h            the laws
 *   law_shapes.c             the shapes of fits
 *   law_fits.c               which shape fits measured values
 *   law_least_squares.c      fits a shape by least squares of relative errors
 *   law_visits.c             how often a rank visits a step
 *   law_whole_computation.c  the law of the whole computation
 *   law_ratios.c             sizes by the ratios of programs that differ along one dimension
 *   law_margins.c            sizes along a dimension, with margins
 *   law_scatter.c            how measured values scatter
 *
 * output/: what is written
 *   series_size.c            counts the operations of the wanted number of ranks
 *   series_write.c           writes the program of the wanted number of ranks
 *   series_report.c          lists what was found
 *   series_findings.c        puts equal findings on one line
 */
/* clang-format on */
#ifndef ANAX_TRACES_SERIES_H
#define ANAX_TRACES_SERIES_H

#include "traces/extrapolate/traces_extrapolate.h"
#include "traces/key_table.h"
#include "traces/program/builder/program_builder.h"

enum {
    SERIES_DIMENSIONS = 4, /* of a process grid */
    SERIES_GRIDS = 128,    /* rules for process grids */
    SERIES_DEPTH = 5,      /* of loops in each other */
    SERIES_TEXT = 160
};

#define SERIES_LOOP UINT32_MAX

/* ---- process grids ---- */

typedef enum series_grid_kind {
    SERIES_GRID_FALLING, /* extents that are not given are as equal as possible, largest first */
    SERIES_GRID_RISING,  /* the same, in reverse */
    SERIES_GRID_SORTED_FALLING, /* the same, sorted: 5 x 3 x 2, not 5 x 2 x 3 */
    SERIES_GRID_SORTED_RISING,
    SERIES_GRID_MIDDLE_FIRST /* of three extents, the second is the largest divisor up to the cube
                                root, and the first that of the rest up to its square root; both
                                roots are rounded */
} series_grid_kind;

/* Rank = x + extent_x (y + extent_y (z + ...)). Some extents are given, the others as equal as
 * possible. */
struct series_grid_rule {
    uint32_t dimensions;
    series_grid_kind kind;
    uint32_t given[SERIES_DIMENSIONS]; /* 0: not given */
    /* Sides of a box whose parts have the least surface. 0: the rest of the rule gives the extents.
     */
    uint32_t sides[SERIES_DIMENSIONS];
};

/* Another order of the dimensions of a grid. row: in the table of law_orders.c */
struct series_order {
    uint8_t grid, row;
};
enum { SERIES_ORDERS = 5 }; /* of a grid, at most */

/* The extents of each grid for a number of ranks. */
struct series_grid_extents {
    uint32_t of[SERIES_GRIDS][SERIES_DIMENSIONS];
};

/* ---- steps ---- */

typedef enum series_value_kind {
    SERIES_VALUE_COMPUTE,       /* picoseconds of computation before the step */
    SERIES_VALUE_GAP,           /* picoseconds of the trace since the last step, less computation */
    SERIES_VALUE_EVENTS,        /* event records of the trace since the last call */
    SERIES_VALUE_DURATION,      /* picoseconds of the call in the trace */
    SERIES_VALUE_PEER,          /* partner of a message */
    SERIES_VALUE_BYTES,         /* of a send */
    SERIES_VALUE_RECEIVED,      /* bytes of a receive */
    SERIES_VALUE_TAG,           /* if tags follow from ranks */
    SERIES_VALUE_ROOT,          /* of a collective; -1: none */
    SERIES_VALUE_SEND_BYTES,    /* of a collective */
    SERIES_VALUE_RECEIVE_BYTES, /* of a collective */
    SERIES_VALUE_WAIT,          /* position of a request among those in flight */
    SERIES_VALUE_TRIPS,         /* of a loop */
    SERIES_VALUE_KINDS
} series_value_kind;

/* What steps with equal contents have in common: the words say which call it is and what it posts
 * and waits for, the values are numbers that may differ. */
struct series_symbol {
    uint32_t first_word, word_count;
    uint32_t first_kind, value_count; /* kinds of its values */
    uint8_t crossed; /* set of dimensions of the symmetric grid that its messages cross */
};

/* What a step is, before it has a symbol. */
struct series_step_content {
    const int64_t *words;
    size_t word_count;
    const uint8_t *kinds;
    size_t kind_count;
    uint8_t crossed;
};

/* With a symmetric grid, the last word of each message and wait is the set of dimensions that it
 * crosses, or this number if it crosses several. */
#define SERIES_CROSSES_SEVERAL INT64_C(255)

/* How a wait names its requests, in the words of a symbol. */
enum { SERIES_WAIT_FOR_OWN, SERIES_WAIT_FOR_ALL, SERIES_WAIT_FOR_LIST };

struct series_step {
    uint32_t symbol;
    uint32_t first_value;
    bool is_moved; /* a test was moved to this wait (series_tested_requests.c) */
};

/* What tests are that found requests complete (series_tested_requests.c). */
typedef enum series_test_use {
    SERIES_TESTS_ARE_CALLS,   /* calls of their own */
    SERIES_TESTS_BEFORE_CALL, /* waits before the next call */
    SERIES_TESTS_BEFORE_WAIT, /* waits before the next call that waits */
    SERIES_TESTS_IN_WAIT,     /* a part of the next call that waits */
    SERIES_TEST_USES
} series_test_use;

/* A node of the folded steps of a rank: a step, or a loop of nodes. */
struct series_node {
    uint64_t hash;
    uint32_t symbol; /* SERIES_LOOP: a loop */
    uint32_t trips;
    uint32_t first, count; /* of a loop: its nodes */
};

struct series_rank {
    struct series_step *steps;
    size_t step_count, step_capacity;
    int64_t *values;
    size_t value_count, value_capacity;
    struct series_node *nodes;
    size_t node_count, node_capacity;
    uint32_t first, count; /* the nodes of the whole rank */
    uint64_t flat_hash;    /* of its symbols without the trips of loops */
    uint64_t size_hash;    /* of what it gives where a size has no law (series_sizes.c) */
};

/* ---- communicators ---- */

typedef enum series_family_kind {
    SERIES_FAMILY_ALL,      /* all ranks */
    SERIES_FAMILY_SELF,     /* each rank alone */
    SERIES_FAMILY_REST,     /* all ranks but rank 0 */
    SERIES_FAMILY_BUT_LAST, /* all ranks but the last one */
    SERIES_FAMILY_LINES /* ranks that share the coordinates in the dimensions that are not spanned
                         */
} series_family_kind;

struct series_family {
    series_family_kind kind;
    uint32_t grid;
    uint32_t spanned; /* set of dimensions */
    uint32_t firsts;  /* SERIES_FAMILY_LINES: set of dimensions that are not spanned; the lines have
                         the coordinate 0 in them, and other ranks are in none */
    char name[SERIES_TEXT];
    uint32_t target_first; /* index of the first communicator in the new program */
    /* Other lines that fit the series as well and are others in the new program. */
    bool has_alternative, is_open; /* is_open: nothing says which of the two it is */
    uint32_t alternative_grid, alternative_spanned, alternative_firsts;
    uint32_t alternative_distance; /* 0: the alternative is the lines above. Else it is blocks or
                                steps of a distance of law_distances.c, by its number from 1 */
};

/* ---- programs ---- */

struct series_program {
    const struct program *program;
    struct series_grid_extents extents;
    struct series_grid_extents *views; /* with two dimensions of a grid exchanged */
    struct series_rank *ranks;
    uint32_t *families; /* [communicator]; PROGRAM_NONE: none */
    bool *is_used;      /* [communicator]: some message or collective is in it */
    uint32_t *regions;  /* [region]: index in the common list */
};

/* ---- laws ---- */

/* The place of a value: rank and iteration, in a program of the series or in the new one. */
struct series_place {
    uint32_t ranks, rank;
    const struct series_grid_extents *extents;
    uint32_t depth;
    uint32_t index[SERIES_DEPTH];
    uint32_t trips[SERIES_DEPTH];
};

/* In which samples of a step a law is looked for, if roles follow from symmetry. */
typedef enum series_sample_choice {
    SERIES_SAMPLES_ALL,
    SERIES_SAMPLES_NEAR, /* of ranks whose class in the dimension is that of the role */
    SERIES_SAMPLES_OWN,  /* of the dimension itself, not of another one that is alike */
    SERIES_SAMPLES_BOTH  /* near, and of the dimension itself: as the programs have them */
} series_sample_choice;

/* How many sets of the loops around a step there are. */
enum { SERIES_LOOP_SETS = 1 << SERIES_DEPTH };

/* The laws of one value of a step: one law, or one for each iteration of some loops. */
struct series_value_law {
    series_value_kind what;
    /* Below SERIES_LOOP_SETS: a set of loops, each iteration of which has a law of its own; 0: all
     * have one law. Else divisor·SERIES_LOOP_SETS + 2^l: the iterations i of loop l with equal
     * i mod divisor have a law of their own; divisor 1: the first iteration, and all others. */
    uint32_t levels;
    uint32_t law_count;
    struct series_law *laws;
    series_sample_choice choice; /* of samples that the laws were found in */
    bool is_pooled;              /* the samples were those of all roles */
    bool is_by_neighbour;        /* they were those of all messages to a neighbour */
};

/* ---- roles ---- */

/* A step or loop that ranks of a role have in common. */
struct series_shape_node {
    uint32_t symbol;        /* SERIES_LOOP: a loop */
    uint32_t index_in_role; /* in its steps or loops */
    struct series_shape_node *nodes;
    size_t count, capacity;
};

/* What one rank has at a step, in one iteration. */
struct series_sample {
    uint32_t program, rank;
    const int64_t *values;
    uint32_t index[SERIES_DEPTH];
    uint32_t trips[SERIES_DEPTH];
    uint8_t view; /* the view of its program (series_views.c) in which the values hold */
    bool is_near; /* of a rank whose class in the dimension is that of the role */
};

struct series_role_step {
    uint32_t symbol;
    uint32_t depth; /* loops around it; of a loop: with itself */
    uint32_t loops[SERIES_DEPTH];
    uint32_t fixed_trips; /* of a loop: its trips if they are always the same, else 0 */
    uint64_t content;     /* of a loop: a hash of the symbols in it */
    struct series_sample *samples;
    size_t sample_count, sample_capacity;
    uint64_t visit_count; /* by symmetry: how often a rank does it */
    bool has_moved,
        has_others; /* of some and of other ranks it is a test (series_tested_requests.c) */
    struct series_value_law *laws; /* of each value; of a loop: of its trips */
    uint32_t law_count;
};

enum { SERIES_ROLE_EXAMPLES = 256 };

struct series_role {
    uint32_t key;
    struct series_shape_node shape;
    struct series_role_step *steps;
    size_t step_count, step_capacity;
    struct series_role_step *loops;
    size_t loop_count, loop_capacity;
    uint64_t members;                        /* ranks in all programs of the series */
    uint32_t programs;                       /* programs that have the role */
    uint64_t target_members;                 /* ranks of the new program */
    uint32_t examples[SERIES_ROLE_EXAMPLES]; /* some of these */
    uint32_t example_count;
    struct series_rank folded;       /* by symmetry: the steps of the role */
    char inferred_from[SERIES_TEXT]; /* role that it was inferred from; "": some program has it */
};

/* A value of a call. */
struct series_lacking {
    uint32_t symbol, field;
};

/* A rule from ranks to roles. */
struct series_role_rule {
    uint32_t row; /* in the table of series_keys.c */
    uint32_t grid;
    uint32_t parameter;
};

/* The tags of messages along one dimension of the symmetric grid, in their order. */
enum { SERIES_DIMENSION_TAGS = 16 };
struct series_dimension_tags {
    int32_t list[SERIES_DIMENSION_TAGS];
    uint32_t count;
};

struct series_known_rules;
struct series_pool;
struct series_sides;
struct series_pooled_law;

struct series {
    const struct extrapolate_config *config;
    uint32_t division_depth; /* how often a series was divided into call sets to get this one */
    struct series_program *programs; /* from few ranks to many */
    uint32_t program_count;
    uint32_t target_ranks;
    struct series_grid_extents target;
    struct series_grid_rule grids[SERIES_GRIDS];
    uint32_t grid_count;
    uint32_t alternative_grid_count; /* that follow these; no law is found in them */
    bool grid_used[SERIES_GRIDS];
    struct series_order orders[SERIES_GRIDS * SERIES_ORDERS];
    uint32_t order_count;
    uint32_t grid_order[SERIES_GRIDS]; /* in which partners' laws are looked for */
    uint16_t moves[SERIES_GRIDS];      /* bit s: partners move along the set s of dimensions */
    bool tags_are_values, tags_are_of_dimensions;
    struct series_dimension_tags dimension_tags[SERIES_DIMENSIONS];
    series_test_use tests;
    uint64_t test_count;     /* tests that are taken as waits */
    bool approximates;       /* sizes without a law may be fitted (--approximate) */
    bool receives_follow;    /* each receive has the length of its message (series_receives.c) */
    uint32_t view_grid;      /* whose dimensions are exchanged in views; 0: there are none */
    uint32_t symmetric_grid; /* whose dimensions are alike; 0: none (series_symmetry.c) */

    int64_t *words;
    size_t word_count, word_capacity;
    uint8_t *kinds;
    size_t kind_count, kind_capacity;
    struct series_symbol *symbols;
    size_t symbol_count, symbol_capacity;
    struct key_table symbol_index;

    struct program_region *regions; /* names are offsets in the program region_programs */
    uint32_t *region_programs;
    size_t region_count, region_capacity, region_program_capacity;

    struct series_family *families;
    size_t family_count, family_capacity;

    int64_t **copies; /* values of samples in views */
    size_t copy_count, copy_capacity;

    struct series_role_rule role_rule;
    bool roles_are_of_sizes; /* only rules by which a size may differ are tried */
    /* The first rule that fits the calls, if the series lacks some of its positions; row 0: none */
    struct series_role_rule missing_positions;
    bool tries_other_positions;
    bool has_roles;    /* the first rule without symmetry has all roles of the new program */
    bool has_partners; /* the last search found the laws of all partners */
    bool had_partners; /* so did one of those before it, by other rules for roles */
    bool lacks_rule;   /* the last search for laws ended at a partner, root or count without any */
    bool lacks_role;   /* it ended at a role by the zeros of the rank that the series lacks */
    bool lacks_size;   /* it ended at a size without any */
    bool lacks_waits;  /* no rank waits where tests were moved to */
    uint32_t number_rule;        /* rule by the kind of the number of ranks that says which calls
                                    they make; 0: none */
    bool roles_are_of_grids;     /* sizes may differ by the position in a grid, too */
    struct series_lacking sizes; /* that ended the search */
    const struct series_role
        *lacking_role; /* that has the partner or tag without a rule; NULL: none */
    const struct series_role_step *lacking_step;
    struct series_role *roles;
    size_t role_count, role_capacity;

    struct series_known_rules *known; /* law_known_rules.c */
    struct series_sides *sides;       /* law_by_neighbour.c */
    size_t side_count, side_capacity;
    struct series_pool *pools;
    size_t pool_count, pool_capacity;
    struct series_pooled_law *pooled;
    size_t pooled_count, pooled_capacity;
    struct series_fit *fits;
    size_t fit_count, fit_capacity;
    struct series_fit *whole; /* to which the fits of computation add up; NULL: nothing */
    struct series_alternative *alternatives; /* of laws */
    size_t alternative_count, alternative_capacity;
    wide fit_weight; /* of all fits of computation */
    struct key_table finding_index;
    struct extrapolate_report *report;
};

/* series_steps.c */
/* Takes the steps of all ranks of all programs. */
status_code series_steps_take(struct series *series, struct status *status);
/* Frees the steps. */
void series_steps_forget(struct series *series);
/* Finds the symbol of a content, or makes a new one. */
status_code series_symbol_intern(struct series *series, const struct series_step_content *content,
                                 uint32_t *symbol, struct status *status);
/* Returns how many words a message, collective or wait of a symbol has. */
static inline size_t series_part_words(const struct series *series, const int64_t *words) {
    const size_t crossed = series->symmetric_grid > 0 ? 1 : 0;
    const int64_t kind = words[0] & 0xFF;
    if (kind == OPERATION_COLLECTIVE) return 4;
    if (kind == OPERATION_WAIT) return (words[1] == SERIES_WAIT_FOR_LIST ? 3 : 2) + crossed;
    return (series->tags_are_values ? 2 : 3) + crossed;
}
/* Returns the name of a region, by its index in the series. */
const char *series_region_name(const struct series *series, uint32_t region);
/* Returns the name of the call of a symbol. */
const char *series_symbol_name(const struct series *series, uint32_t symbol);

/* series_splits.c */
/* Divides the loop, or the call, in which the last search found no rule for a partner or a tag.
 * Sets *found to whether there is a division. */
status_code series_splits_find(struct series *series, bool *found, struct status *status);

/* series_classes.c */
/* Divides the steps of a symbol by the sizes of their messages, and folds all ranks anew. Sets
 * *found to whether all programs have equally many sizes, from 2 to 8. */
status_code series_classes_divide(struct series *series, uint32_t symbol, bool *found,
                                  struct status *status);

/* series_symmetry.c */
/* Looks for roles by symmetry in the symmetric grid, and takes their samples. */
status_code series_symmetry_find(struct series *series, bool *found, struct status *status);
/* series_views.c */
/* Makes the views of the programs for a grid. */
status_code series_views_make(struct series *series, uint32_t grid, struct status *status);
/* Returns the number of the view in which two dimensions are exchanged; 0: they are the same. */
uint8_t series_view_of(uint32_t dimension, uint32_t other);

/* Frees what series_views_make has made. */
void series_views_free(struct series *series);
/* Returns the number of a rank in a view of its program. */
uint32_t series_view_rank(const struct series *series, uint32_t program, uint8_t view,
                          uint32_t rank);
/* Ranks the grids by how many messages cross one dimension by one step. Returns how many grids are
 * worth a try, at most `most`. */
uint32_t series_views_grids(const struct series *series, uint32_t *grids, uint32_t most);

/* series_receives.c: sets series->receives_follow. */
status_code series_receives_check(struct series *series, struct status *status);
/* Returns whether some rank of the series sends messages of unequal sizes in one MPI_Alltoallv. */
bool series_rows_are_unequal(const struct series *series);

/* series_tags.c */
/* Finds the tags of the dimensions of the symmetric grid. Returns whether all have as many, and not
 * the same. */
bool series_tags_find(struct series *series);
/* Returns the word of a tag in a symbol. */
int64_t series_tag_word(const struct series *series, uint8_t crossed, int32_t tag);
/* Returns the tag of a word. */
int64_t series_tag_of(const struct series *series, int64_t crossed, int64_t word);

/* series_keys.c */
/* Returns whether roles are positions in a grid of several dimensions. */
bool series_has_positions(const struct series *series);

/* series_samples.c */
/* Numbers the steps and loops of a role's shape. */
status_code series_samples_number(struct series_role *role, struct status *status);
/* Takes the samples of all steps. */
status_code series_samples_take(struct series *series, struct status *status);

/* Returns whether all samples are of ranks whose iterations of the loop at a level are a multiple
 * of a number. */
bool series_trips_are_multiples(const struct series_role_step *step, uint32_t level,
                                uint32_t number);

/* Frees the steps and loops of a role, with their samples and laws. */
void series_samples_free(struct series_role *role);

/* series_pools.c */
/* Sets *pool to the samples of the same call, or of loops of the same calls, in all roles. The
 * series keeps them until series_pools_forget. */
status_code series_samples_pool(struct series *series, const struct series_role_step *step,
                                bool is_loop, struct series_role_step *pool, struct status *status);
/* Frees the samples that were pooled. */
void series_pools_forget(struct series *series);

/* law_by_neighbour.c */
/* Frees the messages that were sorted by their neighbours. */
void series_sides_forget(struct series *series);
/* Collects the samples of two steps, by programs. The caller frees them. */
status_code series_samples_join(const struct series *series, const struct series_role_step *step,
                                const struct series_role_step *other, struct series_role_step *both,
                                struct status *status);
/* Frees what searches for laws in pooled samples found. */
void series_pooled_forget(struct series *series);

/* series_laws.c */
/* Finds the laws of all steps of all roles. */
status_code series_laws_find(struct series *series, struct status *status);
/* Returns the name of a kind of value, for reports. */
const char *value_name(series_value_kind what);

/* series_size.c */
/* Returns about how many operations the new program will have. */
wide series_operations(const struct series *series);

/* series_write.c */
status_code series_write(struct series *series, unsigned threads, struct program **program,
                         struct status *status);

/* series_balance.c */
/* What a rank computes by measured times, beside the ranks of its role. */
struct series_balance {
    uint32_t rank, ranks; /* of the largest program with the role */
    wide own, mean;       /* picoseconds */
};
/* Finds the rank of a role that differs most from the mean. Returns STATUS_OK also if there is
 * none; then balance->ranks is 0. */
status_code series_balance_find(const struct series *series, const struct series_role *role,
                                struct series_balance *balance, struct status *status);

/* series_report.c: adds all findings to the report. */
status_code series_report_fill(struct series *series, const struct program *program,
                               struct status *status);

#endif
