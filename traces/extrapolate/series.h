/*
 * The state of an extrapolation: a series of programs of one application on different numbers of
 * ranks, what they have in common, and the laws by which they differ. Private to the extrapolation.
 * docs/glossary.md and docs/internals.md explain its words.
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
 *   series_free.c            frees what they have found
 *
 * steps/: what ranks do
 *   series_step.h            steps, and loops of steps
 *   series_steps.c           divides ranks into steps: an MPI call, what it posts and waits for
 *   series_names.c           names of regions and steps
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
 *   series_levels.c          multigrids: coarse levels and the rest; a server and all other ranks
 *   series_level_divide.c    which ranks and calls are coarse levels
 *   series_level_copy.c      copies the calls of a part
 *   series_level_parts.c     the programs of both parts, and the new one that both make
 *   series_level_likeness.c  compares coarse levels with programs of as many ranks
 *   series_level_inner.c     compares coarse levels with inner levels
 *   series_level_segments.c  places in the calls of all ranks that are those of rank 0
 *   series_level_tags.c      tags that follow the number of levels
 *   series_level_flat.c      a program without some dimensions of its grid
 *   series_rotation.c        numbers ranks anew where roles move on in each iteration
 *
 * grids/: process grids and communicators
 *   series_grid_rule.h       rules for grids and for communicators
 *   series_grids.c           process grids: rules from a number of ranks to extents
 *   series_rare_grids.c      programs by rare grids that are not taken
 *   series_recorded_grids.c  process grids of recorded Cartesian topologies
 *   series_topologies.c      topologies of the new program
 *   series_graphs.c          graph topologies
 *   series_communicators.c   communicators: which rule gives their members
 *   series_alternatives.c    rules of communicators that fit alike and differ in the new program
 *   series_trials.c          communicators that a library makes only to time alternatives
 *
 * roles/: which ranks have the same shape
 *   series_role.h            roles, with the samples and laws of their steps
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
 *   series_value_law.h       places of values, and the laws of a value in all iterations
 *   series_laws.c            finds a law for each value of each step
 *   series_rounds.c          laws of the first iteration of each round
 *   series_common.c          laws that all roles have in common
 *   series_rare.c            values of roles that few programs have
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
 *   law_peer_kinds.c         neighbours, pairs, and laws that depend on iterations
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
 *   law_sizes.h              the interface of these files
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
 *   law_copied.c             which values of the largest program the new one copies
 *   law_copied_rounds.c      places of computation in rounds of other lengths
 *   law_visits.c             how often a rank visits a step
 *   law_whole_computation.c  the law of the whole computation
 *   law_supersteps.c         how long ranks wait for the one that computes longest
 *   law_ratios.c             sizes by the ratios of programs that differ along one dimension
 *   law_margins.c            sizes along a dimension, with margins
 *   law_refuted.c            exact laws of sizes that margins refute
 *   law_scatter.c            how measured values scatter
 *
 * refusals/: why a series is refused
 *   series_where.c           where something is: its call, user region and ranks
 *   series_where_step.c      where a step of a role is
 *
 * output/: what is written
 *   series_output.h          the interface of these files
 *   series_size.c            checks that the wanted number of ranks fits in memory
 *   series_write.c           writes the program of the wanted number of ranks
 *   series_report.c          lists what was found
 *   scaling.c                weak or strong scaling, told or found
 *   series_report_computation.c  how far the computation may be off
 *   series_meetings.c        partners that are one rank in the new program
 *   series_findings.c        lists of findings, in which equal ones stand on one line
 */
/* clang-format on */
#ifndef ANAX_TRACES_SERIES_H
#define ANAX_TRACES_SERIES_H

#include "traces/extrapolate/grids/series_grid_rule.h"
#include "traces/extrapolate/laws/series_value_law.h"
#include "traces/extrapolate/roles/series_role.h"
#include "traces/extrapolate/steps/series_step.h"
#include "traces/extrapolate/traces_extrapolate.h"
#include "traces/key_table.h"
#include "traces/program/builder/program_builder.h"

/* A program of the series, and what the search has found in it. */
struct series_program {
    const struct program *program;
    struct series_grid_extents extents;
    struct series_grid_extents *views; /* [view]: extents with two dimensions of a grid exchanged;
                                          0: the extents themselves; NULL: there are no views */
    struct series_rank *ranks;         /* [rank]: its steps; NULL: they are not known */
    uint32_t *families; /* [communicator]: number of its family; PROGRAM_NONE: it has none */
    bool *is_used;      /* [communicator]: a message or any collective is in it */
    bool *is_idle;     /* [communicator]: no message is in it, and no collective but those that make
                          and free it */
    uint32_t *regions; /* [region]: index in series->steps.regions */
};

struct law_known_rules;
struct series_pool;
struct series_neighbour_messages;
struct series_pooled_law;

/* Process grids, and along which of their dimensions partners move. Grid 0 is the line of all
 * ranks. */
struct series_grid_list {
    struct series_grid_rule rules[SERIES_GRIDS];
    uint32_t count;
    uint32_t alternative_count; /* number of rare grids, whose rules follow these; only alternatives
                                   of laws are looked for in them */
    bool used[SERIES_GRIDS];    /* [grid]: communicators, roles or laws follow it */
    struct series_order orders[SERIES_GRIDS * SERIES_ORDERS];
    uint32_t order_count;
    uint32_t search_order[SERIES_GRIDS]; /* grids in the order in which laws of partners are looked
                                            for in them */
    uint16_t
        moves[SERIES_GRIDS]; /* [grid]: bit s: some partner moves along the dimensions of set s */
    uint32_t viewed; /* the grid whose dimensions are exchanged in views; 0: there are no views */
    uint32_t symmetric; /* the grid in which roles by symmetry are looked for; 0: none */
    /* Number, from 1, of a Cartesian topology of the largest program whose dimensions follow no
     * rule; 0: there is none. */
    uint32_t without_rule;
};

/* What the search assumes now. If it finds no program, it tries other assumptions. */
struct series_assumptions {
    series_test_use tests;
    uint64_t test_count;         /* number of tests of the series that are taken as waits */
    bool tags_are_values;        /* tags are values of steps, and not parts of their symbols */
    bool tags_are_of_dimensions; /* each dimension of the symmetric grid has its own tags: */
    struct series_dimension_tags dimension_tags[SERIES_DIMENSIONS];
    bool roles_are_of_sizes;    /* only rules with SERIES_KEY_OF_SIZES are tried */
    bool roles_are_of_grids;    /* also those of them that are by a grid */
    bool tries_other_positions; /* only rules of the row of outcome.missing_positions are tried */
    bool approximates;          /* sizes without an exact law are fitted */
};

/* The symbols of all steps, with their words and the kinds of their values; and all regions. */
struct series_step_tables {
    int64_t *words;
    size_t word_count, word_capacity;
    uint8_t *kinds; /* series_value_kind */
    size_t kind_count, kind_capacity;
    struct series_symbol *symbols;
    size_t symbol_count, symbol_capacity;
    struct key_table symbol_index;  /* [hash of the words]: index in symbols */
    struct program_region *regions; /* their names are those of program region_programs[region] */
    uint32_t *region_programs;
    size_t region_count, region_capacity, region_program_capacity;
    bool receives_follow; /* each receive has the length of its message (series_receives.c) */
};

/* The families of communicators. */
struct series_family_list {
    struct series_family *list;
    size_t count, capacity;
    bool leaves_out_idle; /* the new program lacks idle communicators, which have no rule */
};

/* The roles by the rule that is tried. */
struct series_role_list {
    struct series_role_rule rule;
    uint32_t number_rule; /* row of a rule by the kind of the number of ranks (even, a power of two,
                             ...) that says which calls ranks make; 0: there is none */
    struct series_role *list;
    size_t count, capacity;
    int64_t **copies; /* values of samples in views, which series_views_free frees */
    size_t copy_count, copy_capacity;
};

/* How the last search ended. A search tries the rules for roles one by one. */
struct series_outcome {
    bool has_roles;    /* the new program has only roles of the first rule that fits the calls */
    bool has_partners; /* the laws of all partners were found by the last rule */
    bool had_partners; /* they were found by some rule */
    bool lacks_rule;   /* it ended at a partner, root, tag or count without a law */
    bool lacks_role;   /* the series lacks a role of the rule that counts the zeros at the end */
    bool lacks_size;   /* it ended at a size without a law */
    bool lacks_waits;  /* no rank waits where tests were moved to */
    /* The grid of the first roles that give all partners laws, if the search ended there at a value
     * of a role that one program alone has; 0: there is none. */
    uint32_t of_one_program;
    /* rare_grid: a rare grid that gives everything a law, and is not taken because this may be a
     * coincidence: roles by ordinary_grid give all partners, too, and lack only values of a role
     * that one program alone has. 0: there is none. */
    uint32_t rare_grid, ordinary_grid;
    /* The first rule by positions in a grid that fits the calls, if the series lacks some of these
     * positions; row 0: there is none. */
    struct series_role_rule missing_positions;
    struct series_lacking sizes; /* the value without a law at which it ended, if it is of a step */
    /* If this is a partner or a tag: the role and step that have it; otherwise NULL. */
    const struct series_role *lacking_role;
    const struct series_role_step *lacking_step;
};

/* What several laws share. */
struct series_law_list {
    struct law_known_rules *known;              /* law_known_rules.c */
    struct series_neighbour_messages *messages; /* law_by_neighbour.c */
    size_t message_count, message_capacity;
    struct series_pool *pools; /* series_pools.c */
    size_t pool_count, pool_capacity;
    struct series_pooled_law *pooled; /* series_pools.c */
    size_t pooled_count, pooled_capacity;
    struct series_fit *fits;
    size_t fit_count, fit_capacity;
    wide fit_weight; /* sum of the weights of all fits of computation, in ps */
    wide made_ps;    /* computation of the new program */
    wide alone_ps;   /* the part of made_ps by laws from one program */
    struct series_fit
        *whole; /* the law of the whole computation; NULL: each step has its own law */
    struct series_alternative *alternatives; /* of all laws */
    size_t alternative_count, alternative_capacity;
};

/* The report, and an index of its findings. */
struct series_findings {
    struct key_table index; /* [hash of a finding]: its number in the report */
    struct extrapolate_report *report;
};

struct series {
    const struct extrapolate_config *config;
    uint32_t
        division_depth; /* how often a series was divided to get this one; 0: it is the whole */
    struct series_program *programs; /* from few ranks to many */
    uint32_t program_count;
    uint32_t target_ranks;             /* of the new program */
    struct series_grid_extents target; /* extents of its grids */
    struct series_grid_list grids;
    struct series_assumptions assumptions;
    struct series_step_tables steps;
    struct series_family_list families;
    struct series_role_list roles;
    struct series_outcome outcome;
    struct series_law_list laws;
    struct series_findings findings;
};

/* series_free.c */
/* Frees a series, but not the programs that it was made from. */
void series_free(struct series *series);

#endif
