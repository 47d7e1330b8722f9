/*
 * Laws: what the value of a step may depend on, and how laws are found, compared and written.
 * Private to the extrapolation; series.h lists all files.
 */
#ifndef ANAX_TRACES_SERIES_LAW_H
#define ANAX_TRACES_SERIES_LAW_H

#include "traces/extrapolate/series.h"

struct series_feature {
    uint8_t row;                    /* in the table of law_features.c */
    uint8_t grid, dimension, level; /* dimension: of the grid, or the number of a divisor */
};

/* How a coordinate of the partner follows from the rank's own. */
struct series_coordinate_rule {
    uint8_t row; /* in the table of law_rules.c */
    uint8_t level;
    int32_t parameter;
};

/* Which part of a total a rank gets. */
typedef enum series_part {
    SERIES_PART_OF_RANK,      /* that of its place: the first ones are larger */
    SERIES_PART_SMALLEST,     /* all ranks the same: rounded down */
    SERIES_PART_LARGEST,      /* rounded up */
    SERIES_PART_LAST_RANKS,   /* the last ones are larger */
    SERIES_PART_LAST_RANK,    /* the last one has the rest */
    SERIES_PART_PROPORTIONAL, /* a (x + 1) / n - a x / n, each rounded down */
    SERIES_PART_BLOCK         /* rounded up, as long as there is so much */
} series_part;

/* Among whom a total is shared. */
typedef enum series_sharers {
    SERIES_SHARED_BY_LINE,   /* the ranks of a line of a grid, or all ranks */
    SERIES_SHARED_BY_PAIRS,  /* all pairs of ranks, each rank with itself included */
    SERIES_SHARED_BY_OTHERS, /* all ranks but one */
    SERIES_SHARED_TWICE, /* all ranks, and each part by the ranks of a line: a transpose's blocks */
    SERIES_SHARERS
} series_sharers;

typedef enum series_law_kind {
    SERIES_LAW_NONE,
    SERIES_LAW_CONSTANT, /* a */
    SERIES_LAW_MODULO,   /* a modulo the number of ranks */
    SERIES_LAW_LINEAR,   /* (a + b feature) / d */
    SERIES_LAW_PARTS,    /* d times the part of a that rank x of n gets (law_parts.c) */
    SERIES_LAW_FACE,     /* d times the parts of a and b along two dimensions (law_faces.c) */
    SERIES_LAW_PEER,     /* coordinates of a grid */
    SERIES_LAW_PLACE,    /* of a tag: a and the number of a place in a plane (law_places.c) */
    SERIES_LAW_SENDER,   /* of a receive: the length of the message that it takes */
    SERIES_LAW_FIT       /* fits[a] */
} series_law_kind;

/* A number of a pair of ranks, of which a law of partners gives one: P x rank + partner, or P x
 * partner + rank; or a number of the partner alone: a + partner. */
typedef enum series_pairing {
    SERIES_PAIRING_NONE,
    SERIES_PAIRING_RANK_FIRST,
    SERIES_PAIRING_PARTNER_FIRST,
    SERIES_PAIRING_PARTNER
} series_pairing;

struct series_law {
    series_law_kind kind;
    series_pairing pairing; /* of SERIES_LAW_PEER, if it gives a tag */
    bool is_open;           /* laws that are as good give other values in the new program */
    bool is_weak;           /* SERIES_LAW_PEER: follows from iterations, of which there are two */
    bool is_of_one_rank; /* SERIES_LAW_PEER: follows from iterations along several dimensions, and
                            one rank of each program shows it */
    bool adds_ranks;     /* the number of ranks is added */
    bool times_ranks;    /* the value is multiplied by the number of ranks */
    uint32_t
        alternative; /* the first law that fits as well: number from 1 in their list; 0: none */
    uint32_t alternative_count;
    int64_t a, b, d;
    int64_t margin; /* SERIES_LAW_PARTS: that each rank has beyond its part */
    struct series_feature feature;
    uint32_t grid;
    uint8_t dimensions[2]; /* SERIES_LAW_FACE */
    struct series_coordinate_rule rules[SERIES_DIMENSIONS];
    series_part part; /* SERIES_LAW_PARTS */
    series_sharers sharers;
    uint32_t programs;          /* programs of the series that the law was found in */
    bool is_of_other_dimension; /* found with the sizes along another dimension
                                   (law_other_dimension.c) */
    bool is_rounded;    /* SERIES_LAW_LINEAR: rounded down, since it gives the new program no whole
                         * number
                         */
    bool shares_extent; /* a constant that other extents may not have (law_shared_extent.c) */
    uint32_t tests;     /* SERIES_LAW_LINEAR: values of the feature beyond its coefficients */
};

/* A law that gives all values of the series as another one does, and another value somewhere in the
 * new program. */
struct series_alternative {
    struct series_law law;
    uint32_t rank;           /* of the new program, for example */
    int64_t own, other;      /* what the two laws give it */
    bool has_own, has_other; /* false: no value */
};

/* Some alternatives of a law, which give different values. */
enum { SERIES_MOST_ALTERNATIVES = 4 };
struct series_alternatives {
    struct series_alternative list[SERIES_MOST_ALTERNATIVES];
    uint32_t count;
};

/* What of a value a law is looked for. */
typedef enum series_share {
    SERIES_SHARE_WHOLE,
    SERIES_SHARE_LESS_RANKS, /* what is left without the number of ranks */
    SERIES_SHARE_PER_RANK,   /* the value divided by it */
    SERIES_SHARE_AFTER_RANK, /* the partner, if the value is P x rank + partner */
    SERIES_SHARE_BEFORE_RANK /* the same of P x partner + rank; -1: it is not */
} series_share;

/* Values of one group of samples. */
struct series_groups;
struct series_law_data {
    const struct series *series;
    const struct series_role *role;
    const struct series_role_step *step;
    uint32_t field; /* value of the step; of a loop: unused */
    bool is_loop;
    series_value_kind what;
    const uint32_t *samples; /* indices */
    size_t count;
    /* The group of the samples, by the loops of `levels`, and all groups. levels 0: there is one.
     */
    uint32_t levels, group;
    const struct series_groups *groups;
    const uint32_t *partners; /* the same without those that repeat a partner of the same rank;
                                 NULL: not known */
    size_t partner_count;
    uint64_t partner_hash; /* of ranks and partners */
    uint64_t visit_hash;   /* of these and iterations */
    series_sample_choice choice;
    series_share share;
    bool may_be_untested;   /* two values of a feature may have a law with two coefficients */
    size_t change;          /* a sample with another value than the one before; 0: not known */
    int64_t margin;         /* is taken from each value */
    uint32_t programs;      /* that the samples are of */
    uint32_t known_program; /* of a fit: the largest program that has the role */
    int64_t exact; /* of a fit: what an exact law that it replaces gives the new program; 0: none */
};
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
struct series_place law_place(const struct series_law_data *data, size_t i);
/* Makes the place of a rank of the new program, outside loops. */
struct series_place law_target_place(const struct series *series, uint32_t rank);

/* law_targets.c */
/* Returns the number of the group of samples with these iterations, in a set of loops. ranks: of
 * the program. */
uint32_t law_group_of(const struct series_role *role, const struct series_role_step *step,
                      uint32_t levels, uint32_t ranks, const uint32_t index[SERIES_DEPTH]);
/* Returns how many iterations a round of a kind below LAW_ROUND_KINDS has. */
uint32_t law_round_iterations(uint32_t kind, uint32_t ranks);
/* Returns the law of a value at a place. NULL: it has another law in each iteration, and none in
 * this one, which no program has. */
const struct series_law *law_at(const struct series_role *role, const struct series_role_step *step,
                                const struct series_value_law *laws,
                                const struct series_place *place);
/* Places of a step in the new program: some ranks of the role, in some iterations. */
struct law_target_walk {
    const struct series_law_data *data;
    uint32_t example;
    bool began;
    struct series_place place;
};
/* Sets the next place. Returns false after the last. */
bool law_target_next(struct law_target_walk *walk);
/* Returns whether two laws give different values to a place of the new program, and sets the first
 * one. An own law without a value there differs from none. needs_other: nor does the other one. */
bool laws_differ(const struct series_law_data *data, const struct series_law *law,
                 const struct series_law *other, bool needs_other,
                 struct series_alternative *alternative);

/* Returns whether laws of a measured value give whole numbers in the new program, and computation
 * nowhere less than nothing: a line through a few short times may. */
bool law_is_possible(const struct series_law_data *data, const struct series_value_law *laws);
/* Rounds laws (a + b · feature) / d of a size that give no whole numbers in the new program.
 * Returns whether they give sizes then; if not, they stay. */
bool law_round(const struct series_law_data *data, struct series_value_law *laws);

/* law_exact.c, law_values.c */
/* Finds the law of values. Returns false if no exact law is found. */
bool law_find_value(const struct series_law_data *data, struct series_law *law,
                    struct series_alternatives *alternatives);
/* Finds the law a + b / extent of two values in a dimension of a grid, which nothing tests. */
bool law_find_untested(const struct series_law_data *data, uint32_t grid, uint32_t dimension,
                       struct series_law *law);
/* Sets the value of a law at a place. Returns false if the law is NULL or gives none there. A fit
 * gives its mean. */
bool law_value(const struct series *series, const struct series_law *law,
               const struct series_place *place, int64_t *value);
/* Does the same for a law (a + b · feature) / d. */
bool law_linear_value(const struct series *series, const struct series_law *law,
                      const struct series_place *place, int64_t *value);
/* Writes a law of values, for reports. */
void law_text(const struct series *series, const struct series_law *law, char *text, size_t size);
/* Adds `other` to the alternatives of a law, if it differs from the law and from the other
 * alternatives in the new program. An alternative that is as good makes the law open, and then is
 * its only alternative. */
void law_add_alternative(const struct series_law_data *data, const struct series_law *other,
                         bool is_as_good, struct series_law *law,
                         struct series_alternatives *alternatives);

/* law_samples.c */
/* Samples by group: order[first[g]] ... order[first[g + 1] - 1]. Of partners also without those
 * that repeat one of the last of their rank: partners[first_partner[g]] ... */
struct series_groups {
    uint32_t *order;
    size_t *first;
    uint32_t *partners;
    size_t *first_partner;
    uint64_t *partner_hashes, *visit_hashes;
    uint32_t count;
    uint32_t levels; /* the loops */
};
/* Returns in how many groups a law gives every value. data: one of them. */
uint32_t law_count_groups(const struct series_law_data *data, const struct series_law *law);
/* Sorts the samples of a step into groups of equal iterations in the given loops. The caller frees
 * them, also after errors. */
status_code series_groups_make(const struct series_law_data *data, uint32_t levels, uint32_t count,
                               struct series_groups *groups, struct status *status);

/* Frees what series_groups_make has made. */
void series_groups_free(struct series_groups *groups);
/* Returns the data of one group: `like` with its samples. */
struct series_law_data series_groups_data(const struct series_groups *groups, uint32_t number,
                                          const struct series_law_data *like);

#endif
