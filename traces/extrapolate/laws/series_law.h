/*
 * Laws: formulas by which a value of a step depends on the number of ranks, the rank and the
 * iteration, and how they are found, compared and written. "For reports": the text has no more
 * bytes than its size, with the final zero. Private to the extrapolation; series.h lists all files.
 */
#ifndef ANAX_TRACES_SERIES_LAW_H
#define ANAX_TRACES_SERIES_LAW_H

#include "traces/extrapolate/series.h"

/* A feature: what a value may depend on, such as 1/P or an extent of a grid. */
struct series_feature {
    uint8_t row;             /* in the table of law_features.c */
    uint8_t grid, dimension; /* of a feature of a dimension of a grid */
    uint8_t level;           /* of a feature of an iteration: the loop, from the outer one */
    uint8_t divisor;         /* of a feature with a divisor or radix: index in its list */
};

/* How a coordinate of the partner follows from the rank's own. */
struct series_coordinate_rule {
    uint8_t row;       /* in the table of law_rules.c */
    uint8_t level;     /* of a rule with iterations: the loop, from the outer one */
    int32_t parameter; /* its meaning depends on the rule (rule_parameter) */
};

/* Which part of a total of a elements the place x of n gets; docs/extrapolate-rules.md, "Parts of a
 * total". */
typedef enum series_part {
    SERIES_PART_OF_RANK,      /* a / n rounded down, and one more for the first a mod n places */
    SERIES_PART_SMALLEST,     /* all places the same: a / n rounded down */
    SERIES_PART_LARGEST,      /* all places the same: a / n rounded up */
    SERIES_PART_LAST_RANKS,   /* a / n rounded down, and one more for the last a mod n places */
    SERIES_PART_LAST_RANK,    /* a / n rounded down, and the whole remainder for the last place */
    SERIES_PART_PROPORTIONAL, /* a (x + 1) / n - a x / n, each rounded down */
    SERIES_PART_BLOCK         /* a / n rounded up, until too few elements are left */
} series_part;

/* Among whom a total is shared. */
typedef enum series_sharers {
    SERIES_SHARED_BY_LINE,   /* the ranks of a line of a grid, or all ranks */
    SERIES_SHARED_BY_PAIRS,  /* all pairs of ranks, each rank with itself included */
    SERIES_SHARED_BY_OTHERS, /* all ranks but one */
    SERIES_SHARED_TWICE, /* all ranks, and each part by the ranks of a line: a transpose's blocks */
    SERIES_SHARERS
} series_sharers;

/* The kinds of laws, and how they use the members a, b and d of a law. */
typedef enum series_law_kind {
    SERIES_LAW_NONE,
    SERIES_LAW_CONSTANT, /* a */
    SERIES_LAW_MODULO,   /* a modulo the number of ranks */
    SERIES_LAW_LINEAR,   /* (a + b feature) / d */
    SERIES_LAW_PARTS,    /* d times a part of a (law_parts.c) */
    SERIES_LAW_FACE,     /* d times the parts of a and b along two dimensions (law_faces.c) */
    SERIES_LAW_PEER,     /* the rank whose coordinates in a grid follow from rules (law_peers.c) */
    SERIES_LAW_PLACE,    /* of a tag: a plus the number of a place in a plane (law_places.c) */
    SERIES_LAW_SENDER,   /* of a receive: the length of the message that it takes */
    SERIES_LAW_FIT       /* a fit: number a in series->laws.fits */
} series_law_kind;

/* What a tag is, if a law of partners gives a rank, the partner. P is the number of ranks. */
typedef enum series_pairing {
    SERIES_PAIRING_NONE,          /* the value is no tag, but the partner */
    SERIES_PAIRING_RANK_FIRST,    /* P x rank + partner */
    SERIES_PAIRING_PARTNER_FIRST, /* P x partner + rank */
    SERIES_PAIRING_PARTNER        /* a + partner */
} series_pairing;

/* A law. Members that name a kind are used by laws of this kind alone. */
struct series_law {
    series_law_kind kind;
    series_pairing pairing; /* SERIES_LAW_PEER */
    bool is_open;           /* laws that are as good give other values in the new program */
    bool is_weak; /* SERIES_LAW_PEER: follows from iterations, and no loop has more than two */
    bool is_of_one_rank;  /* SERIES_LAW_PEER: follows from iterations along several dimensions, and
                             one rank of each program shows it */
    bool adds_ranks;      /* the number of ranks is added to the value */
    bool times_ranks;     /* the value is multiplied by the number of ranks */
    uint32_t alternative; /* number of its first alternative in series->laws.alternatives, from 1;
                             0: it has none */
    uint32_t alternative_count;
    int64_t a, b, d; /* see series_law_kind */
    /* SERIES_LAW_PARTS: bytes that each rank has beyond its part. SERIES_LAW_FACE: if not 0, the
     * face is that of a buffer, with this number of cells beyond each of the two parts. */
    int64_t margin;
    /* SERIES_LAW_LINEAR; of SERIES_LAW_PARTS, its grid, dimension and level. */
    struct series_feature feature;
    uint32_t grid;         /* SERIES_LAW_PEER, SERIES_LAW_PLACE and SERIES_LAW_FACE */
    uint8_t dimensions[2]; /* SERIES_LAW_FACE: those of the parts of a and b */
    /* SERIES_LAW_PEER and SERIES_LAW_PLACE: [dimension]. SERIES_LAW_PARTS: the place of a rank is
     * its coordinate plus the parameter of rules[0], plus the iteration times that of rules[1]. */
    struct series_coordinate_rule rules[SERIES_DIMENSIONS];
    series_part part;           /* SERIES_LAW_PARTS */
    series_sharers sharers;     /* SERIES_LAW_PARTS */
    uint32_t programs;          /* number of programs of the series whose values show the law */
    bool is_of_other_dimension; /* found together with the sizes along another dimension
                                   (law_other_dimension.c) */
    bool is_rounded;            /* SERIES_LAW_LINEAR: rounded down where it gives no whole number */
    bool shares_extent;         /* a constant that may depend on an extent (law_shared_extent.c) */
    uint32_t rounds;            /* number of rounds in each of which the iterations of a loop are
                                   counted anew; 0: they are not */
    uint32_t round_level;       /* with rounds: of this loop */
    uint32_t tests;             /* SERIES_LAW_LINEAR: number of values beyond the coefficients */
};

/* An alternative of a law: it fits the series as well, and gives some rank of the new program
 * another value. */
struct series_alternative {
    struct series_law law;
    uint32_t rank;           /* of the new program, as an example */
    int64_t own, other;      /* what the law and its alternative give this rank */
    bool has_own, has_other; /* false: the law, or its alternative, gives this rank no value */
};

/* Some alternatives of a law, which give different values. */
enum { SERIES_MOST_ALTERNATIVES = 4 };
struct series_alternatives {
    struct series_alternative list[SERIES_MOST_ALTERNATIVES];
    uint32_t count;
};

/* Of which number a law is looked for. P is the number of ranks. */
typedef enum series_share {
    SERIES_SHARE_WHOLE,      /* the value */
    SERIES_SHARE_LESS_RANKS, /* the value less P */
    SERIES_SHARE_PER_RANK,   /* the value divided by P */
    SERIES_SHARE_AFTER_RANK, /* the partner, if the value is P x rank + partner */
    SERIES_SHARE_BEFORE_RANK /* the partner, if the value is P x partner + rank; otherwise -1 */
} series_share;

/* The values for which one law is looked for: those of one group of samples. */
struct series_groups;
struct series_law_data {
    const struct series *series;
    const struct series_role *role;
    const struct series_role_step *step;
    uint32_t field; /* index of the value among those of the step; of a loop: unused */
    bool is_loop;   /* the values are the trips of the loop `step` */
    series_value_kind what;
    const uint32_t *samples; /* indices in step->samples, in the order of programs and ranks */
    size_t count;
    /* The number of the group; `levels` divides the samples into groups, as in struct
     * series_value_law. 0: there is one group. groups: all of them. */
    uint32_t levels, group;
    const struct series_groups *groups;
    /* Of partners: the samples without those that repeat a partner of their rank; NULL: not known.
     */
    const uint32_t *partners;
    size_t partner_count;
    uint64_t partner_hash; /* of ranks and partners */
    uint64_t visit_hash;   /* of ranks, partners and iterations */
    series_sample_choice choice;
    series_share share;
    bool may_be_untested;   /* a law with two coefficients may have two values of its feature */
    size_t change;          /* index of a sample whose value differs from the one before; 0: not
                               known */
    int64_t margin;         /* with SERIES_SHARE_WHOLE: is subtracted from each value */
    uint32_t programs;      /* number of programs that the samples are of */
    uint32_t known_program; /* of a fit: the largest program that has the role */
    uint32_t rounds, round_level; /* of the law that is looked for */
    int64_t exact; /* of a fit: what an exact law that it replaces gives the new program; 0: none */
};
/* Returns the number of sample i, by the share. */
static inline int64_t law_sample_value(const struct series_law_data *data, size_t i) {
    const struct series_sample *sample = &data->step->samples[data->samples[i]];
    const int64_t value =
        data->is_loop ? sample->trips[data->step->depth - 1] : sample->values[data->field];
    const int64_t ranks = data->series->programs[sample->program].program->rank_count;
    switch (data->share) {
    case SERIES_SHARE_LESS_RANKS:
        return value - ranks;
    case SERIES_SHARE_PER_RANK:
        return value / ranks;
    case SERIES_SHARE_AFTER_RANK:
        return value - ranks * sample->rank;
    case SERIES_SHARE_BEFORE_RANK:
        return (value - sample->rank) % ranks == 0 ? (value - sample->rank) / ranks : -1;
    default:
        return value - data->margin;
    }
}
/* law_values.c */
/* Returns the place of sample i; in a view, that of the rank in the view. */
struct series_place law_place(const struct series_law_data *data, size_t i);
/* Counts the iterations of a place anew in each of `rounds` rounds of the loop at `level`. Returns
 * false if the trips of the loop are no multiple of the number of rounds. */
bool law_place_in_round(struct series_place *place, uint32_t rounds, uint32_t level);

/* law_targets.c */
/* Returns the place of a rank of the new program, outside loops. */
struct series_place law_target_place(const struct series *series, uint32_t rank);
/* Returns the number of the group that samples with these iterations are in. levels: as in struct
 * series_value_law. ranks: of the program. */
uint32_t law_group_of(const struct series_role *role, const struct series_role_step *step,
                      uint32_t levels, uint32_t ranks, const uint32_t index[SERIES_DEPTH]);
/* Returns how many iterations a round has on so many ranks, at least 1. kind: 0: ceil(log2 P), 1:
 * floor(log2 P), 2: P - 1. */
uint32_t law_round_iterations(uint32_t kind, uint32_t ranks);
/* Returns the law of a value at a place; NULL: each iteration has a law of its own, and no program
 * has this iteration. */
const struct series_law *law_at(const struct series_role *role, const struct series_role_step *step,
                                const struct series_value_law *laws,
                                const struct series_place *place);
/* A walk through places of a step in the new program: the examples of the role, in some iterations.
 * The caller sets `data`, and zeroes the rest. */
struct law_target_walk {
    const struct series_law_data *data;
    uint32_t example; /* the next one */
    bool began;
    struct series_place place; /* the current one */
};
/* Sets walk->place to the next place. Returns false after the last one. */
bool law_target_next(struct law_target_walk *walk);
/* Returns whether two laws give different values to a place of the new program, and sets
 * *alternative to `other` at the first such place. Places where `law` gives no value do not count;
 * with needs_other, nor do those where `other` gives none. */
bool laws_differ(const struct series_law_data *data, const struct series_law *law,
                 const struct series_law *other, bool needs_other,
                 struct series_alternative *alternative);

/* Returns whether laws give a whole number everywhere in the new program, and no negative
 * computation, as a line through a few short times may. */
bool law_is_possible(const struct series_law_data *data, const struct series_value_law *laws);
/* Lets the laws (a + b feature) / d of a size that give the new program no whole number round down.
 * Returns false, and rounds none of them, if they still give no size, or if no value tests them. */
bool law_round(const struct series_law_data *data, struct series_value_law *laws);

/* law_exact.c */
/* Sets *law to the exact law of values, and *alternatives to its alternatives. Returns false if
 * there is none. */
bool law_find_value(const struct series_law_data *data, struct series_law *law,
                    struct series_alternatives *alternatives);
/* Sets *law to a + b / extent, with a >= 0 and b > 0, for a dimension of a grid that may have only
 * two extents, so that nothing tests the law. Returns false if it does not fit. */
bool law_find_untested(const struct series_law_data *data, uint32_t grid, uint32_t dimension,
                       struct series_law *law);

/* law_values.c */
/* Sets *value to what a law gives at a place; a fit gives its mean. Returns false if the law is
 * NULL or gives no value there. */
bool law_value(const struct series *series, const struct series_law *law,
               const struct series_place *place, int64_t *value);
/* Does the same for a law (a + b feature) / d, without adds_ranks and times_ranks. */
bool law_linear_value(const struct series *series, const struct series_law *law,
                      const struct series_place *place, int64_t *value);
/* Writes a law, for reports. */
void law_text(const struct series *series, const struct series_law *law, char *text, size_t size);
/* Adds `other`, which fits the series, to the alternatives of a law, if it gives some rank of the
 * new program a value that neither the law nor another alternative gives, and that is not negative.
 * An alternative that is as good makes the law open, and is its only alternative. */
void law_add_alternative(const struct series_law_data *data, const struct series_law *other,
                         bool is_as_good, struct series_law *law,
                         struct series_alternatives *alternatives);

/* law_samples.c */
/* The samples of a step in groups; those of a group follow one law. The samples of group g are
 * order[first[g]] to order[first[g + 1] - 1]. */
struct series_groups {
    uint32_t *order; /* indices of samples */
    size_t *first;
    /* Of partners: the same samples without those that repeat one of the last partners of their
     * rank. Otherwise NULL. */
    uint32_t *partners;
    size_t *first_partner;
    uint64_t *partner_hashes, *visit_hashes; /* [group]: as in struct series_law_data */
    uint32_t count;                          /* groups */
    uint32_t levels;                         /* as in struct series_value_law */
};
/* Returns for how many groups a law gives every value. data: one of the groups. */
uint32_t law_count_groups(const struct series_law_data *data, const struct series_law *law);
/* Divides the samples of data->step that data->choice takes into `count` groups, by `levels`. Free
 * *groups with series_groups_free, also after errors. STATUS_MEMORY. */
status_code series_groups_make(const struct series_law_data *data, uint32_t levels, uint32_t count,
                               struct series_groups *groups, struct status *status);

/* Frees what series_groups_make has made. */
void series_groups_free(struct series_groups *groups);
/* Returns `like` with the samples of group `number`, which belong to `groups`. */
struct series_law_data series_groups_data(const struct series_groups *groups, uint32_t number,
                                          const struct series_law_data *like);

#endif
