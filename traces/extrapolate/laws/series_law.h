/*
 * Laws: what a value of a step may depend on, and how laws are found, compared and fitted. Private
 * to the traces room. See series.h.
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
 * partner + rank. */
typedef enum series_pairing {
    SERIES_PAIRING_NONE,
    SERIES_PAIRING_RANK_FIRST,
    SERIES_PAIRING_PARTNER_FIRST
} series_pairing;

struct series_law {
    series_law_kind kind;
    series_pairing pairing; /* of SERIES_LAW_PEER, if it gives a tag */
    bool is_open;           /* laws that are as good give other values in the new program */
    bool is_weak;           /* SERIES_LAW_PEER: follows from iterations, of which there are two */
    bool adds_ranks;        /* the number of ranks is added */
    bool times_ranks;       /* the value is multiplied by the number of ranks */
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

/* law_roots.c */
/* Returns the largest root with root^power <= number, which has 124 bits at most. power: 2 or 3. */
uint64_t number_root(wide number, unsigned power);
/* Returns the root of this power; 0: there is no whole one. */
int64_t number_exact_root(uint32_t number, unsigned power);
/* Returns log2, rounded down; -1 for 0. */
int64_t number_log2(uint64_t number);
/* Returns how many binary digits a number has; 0 for 0. */
static inline int number_bits(uint32_t number) {
    return number == 0 ? 0 : 32 - __builtin_clz(number);
}
/* Returns whether a number is a power of two, or 0. */
static inline bool number_is_power(int64_t number) {
    return (number & (number - 1)) == 0;
}

/* law_trees.c */
/* Returns how many rounds of doubling reach all of so many ranks; 1 for one rank. */
int64_t number_rounds(int64_t ranks);
/* Returns a child of a rank in a k-nomial tree, from the nearest one on. -1: it has fewer. */
int64_t tree_child(int64_t ranks, int64_t rank, int64_t radix, int64_t number);
/* Does the same level by level from the farthest level on, each from its nearest one on. */
int64_t tree_child_by_level(int64_t ranks, int64_t rank, int64_t radix, int64_t number);
/* Returns the number of a rank's children. */
int64_t tree_child_count(int64_t ranks, int64_t rank, int64_t radix);
/* Returns the parent; -1 for rank 0. */
int64_t tree_parent(int64_t rank, int64_t radix);
/* Returns the number of ranks in the part of a binomial tree that begins at a rank. */
int64_t tree_size(int64_t ranks, int64_t rank);
/* Returns the round of an iteration: 0 to the last one and back to 0. */
int64_t round_up_and_down(int64_t index, int64_t rounds);
/* Returns the same for stages: 0, then 1 and 0, then 2, 1 and 0, and so on, as in a bitonic sort.
 */
int64_t round_of_stages(int64_t index, int64_t rounds);
/* Returns how many numbers below `ranks` have the bit of a round. */
int64_t round_blocks(int64_t ranks, int64_t round);

/* law_distances.c */
/* Distances that follow from an extent n, such as floor(sqrt n). The last ones are rare:
 * alternatives. Returns their number. */
uint32_t distance_rows(void);
/* Returns the number of rare distances, the last rows. */
uint32_t distance_rare_rows(void);
/* Returns the distance of a row for an extent. */
int64_t distance_of(uint32_t row, int64_t extent);
/* Returns whether the distance is the power of two not above the extent. */
bool distance_is_power(uint32_t row);
/* Returns the equation of a row, for reports. */
const char *distance_text(uint32_t row);

/* law_orders.c */
/* Returns the number of a rank's place in a grid whose ranks are numbered in another order of the
 * dimensions. number: of the order, in series->orders. */
int64_t order_rank(const struct series *series, const struct series_place *place, uint32_t number);
/* Writes the dimensions of an order, for reports. */
void order_text(const struct series *series, uint32_t number, char *text, size_t size);

/* law_features.c */
/* Returns the number of features. */
uint32_t feature_rows(void);
/* Returns whether a feature is about a dimension of a grid. */
bool feature_needs_grid(uint32_t row);
/* Returns whether a feature is about the number of an iteration. */
bool feature_needs_level(uint32_t row);
/* Returns how many divisors a feature has; 0: it has none. */
uint32_t feature_divisors(uint32_t row);
/* How features come in the order of preference. */
typedef enum law_feature_rank {
    LAW_FEATURE_PLAIN,
    LAW_FEATURE_ROUNDED, /* to a whole number */
    LAW_FEATURE_STEP,    /* a step every so many ranks, two features in one, or blocks of rounds and
                            trees */
    LAW_FEATURE_ALTERNATIVE /* too rare to be taken, but what another law is held against */
} law_feature_rank;
/* Returns where a feature comes in the order of preference. */
law_feature_rank feature_rank_of(uint32_t row);
/* Returns whether a law of a feature may add a number to it. */
bool feature_may_have_offset(uint32_t row);
/* The next functions return what kind of value a feature has. */
bool feature_is_of_stages(uint32_t row);  /* a count, which is not multiplied */
bool feature_is_logarithm(uint32_t row);  /* log2 P or that of an extent, rounded */
bool feature_is_a_case(uint32_t row);     /* 0 or 1 */
bool feature_is_of_blocks(uint32_t row);  /* of the iterations that belong to a coordinate */
bool feature_is_inverse(uint32_t row);    /* the inverse of an extent */
bool feature_is_extent(uint32_t row);     /* an extent of a grid, or its inverse */
bool feature_is_face(uint32_t row);       /* an extent divided by the number of ranks */
bool feature_is_of_program(uint32_t row); /* the same for all ranks of a program */
/* Returns how many iterations there are from one case to the next; 0: they are no such cases. */
int64_t feature_period(uint32_t row, uint32_t ranks);
/* Sets the feature's value as a fraction. Returns false if the place has no exact value. */
bool feature_value(const struct series *series, const struct series_feature *feature,
                   const struct series_place *place, int64_t *over, int64_t *under);
/* Writes a feature, for reports. */
void feature_text(const struct series *series, const struct series_feature *feature, char *text,
                  size_t size);

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
struct series_place target_place(const struct series *series, uint32_t rank);

/* law_targets.c */
/* Returns the number of the group of samples with these iterations, in a set of loops. */
uint32_t law_group_of(const struct series_role *role, const struct series_role_step *step,
                      uint32_t levels, const uint32_t index[SERIES_DEPTH]);
/* Returns the law of a value at a place. NULL: it has another law in each iteration, and none in
 * this one, which no program has. */
const struct series_law *value_law_at(const struct series_role *role,
                                      const struct series_role_step *step,
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
bool target_next(struct law_target_walk *walk);
/* Returns whether two laws give different values to a place of the new program, and sets the first
 * one. An own law without a value there differs from none. needs_other: nor does the other one. */
bool laws_differ(const struct series_law_data *data, const struct series_law *law,
                 const struct series_law *other, bool needs_other,
                 struct series_alternative *alternative);

/* Returns whether laws of a measured value give whole numbers in the new program, and computation
 * nowhere less than nothing: a line through a few short times may. */
bool law_is_possible(const struct series_law_data *data, const struct series_value_law *laws);

/* law_known_rules.c */
/* What was found for a coordinate of some partners: a rule, or none. */
struct series_known_rule {
    struct series_coordinate_rule rule;
    bool is_found;
};
struct series_known_rules {
    struct key_table index;
    struct series_known_rule *list;
    size_t count, capacity;
};
/* Returns the key of what is known about a coordinate. */
uint64_t known_rule_key(const struct series_law_data *data, uint32_t grid, uint32_t dimension,
                        bool with_late, bool with_rare, bool has_index);
/* Returns what is known; NULL: nothing. */
const struct series_known_rule *known_rule_find(const struct series_law_data *data, uint64_t key);
/* Keeps a rule, or that there is none. */
void known_rule_keep(const struct series_law_data *data, uint64_t key,
                     const struct series_coordinate_rule *rule, bool is_found);

/* Frees all known rules. */
void known_rules_free(struct series_known_rules *known);

/* law_exact.c, law_peers.c */
/* Finds the law of values. Returns false if no exact law is found. */
bool law_find_value(const struct series_law_data *data, struct series_law *law,
                    struct series_alternatives *alternatives);
/* Finds the law a + b / extent of two values in a dimension of a grid, which nothing tests. */
bool law_find_untested(const struct series_law_data *data, uint32_t grid, uint32_t dimension,
                       struct series_law *law);
/* Finds the law of partners. With roles by the position in a grid, a neighbour there comes before
 * the same distance among all ranks. Returns false if no exact law is found. */
bool law_find_peer(const struct series_law_data *data, struct series_law *law);
/* Returns whether all partners follow from rules in a grid. */
bool law_peer_fits(const struct series_law_data *data, uint32_t grid);
/* What an alternative of a law of partners is looked for with. */
struct law_peer_search {
    const struct series_law_data *data;
    const struct series_law *law;
    /* Returns whether another law may take the place of this one in all roles. */
    bool (*holds)(const struct law_peer_search *search, const struct series_law *other);
};
/* Finds a law that gives all partners of the series, and others in the new program. */
bool law_peer_alternative(const struct law_peer_search *wanted,
                          struct series_alternative *alternative);
/* Returns whether the partner is a neighbour in the grid, along one dimension or across several. */
bool law_peer_is_neighbour(const struct series *series, const struct series_law *law);
/* Returns whether the partner follows from an iteration. */
bool law_peer_has_index(const struct series *series, const struct series_law *law);
/* Records that the grids of a law are in use. */
void law_peer_mark(struct series *series, const struct series_law *law);
/* Returns whether a partner follows from the iterations of a loop by powers of two. */
bool law_peer_is_of_rounds(const struct series *series, const struct series_law *law,
                           uint32_t level);
/* Returns whether two laws of partners have the same rules in the same grid. */
bool law_peer_is_same(const struct series_law *left, const struct series_law *right);
/* Sets the value of a law at a place. Returns false if the law is NULL or gives none there. A fit
 * gives its mean. */
bool law_value(const struct series *series, const struct series_law *law,
               const struct series_place *place, int64_t *value);
/* Does the same for a law (a + b · feature) / d. */
bool law_linear_value(const struct series *series, const struct series_law *law,
                      const struct series_place *place, int64_t *value);
/* Sets the partner that a law gives at a place. Returns false if there is none. */
bool law_peer(const struct series *series, const struct series_law *law,
              const struct series_place *place, int64_t *value);
/* Writes a law of values, for reports. */
void law_text(const struct series *series, const struct series_law *law, char *text, size_t size);
/* Writes a law of partners, for reports. */
void law_peer_text(const struct series *series, const struct series_law *law, char *text,
                   size_t size);

/* Adds `other` to the alternatives of a law, if it differs from the law and from the other
 * alternatives in the new program. An alternative that is as good makes the law open, and then is
 * its only alternative. */
void law_add_alternative(const struct series_law_data *data, const struct series_law *other,
                         bool is_as_good, struct series_law *law,
                         struct series_alternatives *alternatives);

/* law_peer_moves.c */
/* Returns the set of dimensions in which a partner has another coordinate. */
uint32_t law_peer_moves(const struct series *series, const struct series_law *law);
/* Sets the grid, and its dimension that the messages of a step cross in a group of iterations of
 * the loops `levels`; levels 0: in all. Returns false if they cross none or several. */
bool law_peer_dimension(const struct series *series, const struct series_role_step *step,
                        uint32_t levels, uint32_t group, uint32_t *grid, uint32_t *dimension);
/* Does the same with the dimension along which the edge lies that the messages cross: the only one
 * that they do not cross. Returns false if there are several, or none. */
bool law_peer_edge(const struct series *series, const struct series_role_step *step,
                   uint32_t levels, uint32_t group, uint32_t *grid, uint32_t *dimension);
/* Lists along which dimensions partners move, for the next function. */
void law_peers_list_moves(struct series *series);
/* Returns whether a law moves along several dimensions of a grid at once, and nothing else shows
 * this grid: no partner along fewer of them, no role and no communicator. */
bool law_peer_is_alone(const struct series *series, const struct series_law *law);
/* Returns whether some partner follows from a grid of several dimensions. wanted: 0, or this one.
 */
bool law_peers_use_grid(const struct series *series, uint32_t wanted);

/* law_parts.c */
/* Returns whether a kind of value is a number of bytes. */
bool law_is_of_bytes(series_value_kind what);
/* Sets the dimension of a grid in use along which the edge lies that the message of a size crosses.
 * Returns false if there is none. */
bool law_own_edge(const struct series_law_data *data, uint32_t *grid, uint32_t *dimension);
/* Returns the largest number of bytes that divides all values, which are not 0. */
int64_t law_row_of(const struct series_law_data *data);
/* Takes the first dimension of a grid in use along which the values are parts of a total. For a law
 * that was found already, it looks for an alternative. Returns whether there is a law. */
bool law_find_parts(const struct series_law_data *data, struct series_law *law,
                    struct series_alternatives *alternatives);
/* Returns the place among those who share: the coordinate, shifted by the iteration. Sets among how
 * many the total is shared. */
int64_t law_part_number(const struct series_law *law, const struct series *series,
                        const struct series_place *place, int64_t *parts);
/* Returns the part of the total at a place. */
int64_t law_parts_value(const struct series *series, const struct series_law *law,
                        const struct series_place *place);
/* Writes a law of parts, for reports. */
void law_parts_text(const struct series *series, const struct series_law *law, char *text,
                    size_t size);

/* law_remainders.c */
/* Finds parts that share a rest in another way, or of rows. For a law that was found already, it
 * looks for alternatives. Returns whether there is a law. */
bool law_find_remainders(const struct series_law_data *data, struct series_law *law,
                         struct series_alternatives *alternatives);

/* Returns whether each rank has one value in all iterations, and some program two: equal parts show
 * no rule. */
bool law_may_have_remainders(const struct series_law_data *data);

/* law_ghosts.c */
/* Finds parts to which each rank adds as much. Returns whether there is a law. */
bool law_find_ghosts(const struct series_law_data *data, struct series_law *law,
                     struct series_alternatives *alternatives);

/* law_ends.c */
/* Finds the law of the size of a message that roles by the places in a grid have in common. The
 * size may be another one at the ends of the grid. */
status_code law_find_ends(const struct series_law_data *data, struct series_law *law,
                          struct series_alternatives *alternatives, bool *found,
                          struct status *status);
/* A part of a call: its words, and the first of its values. */
struct series_part_of_call {
    const int64_t *words;
    size_t word_count;
    uint32_t field;
};
/* Sets *part to the next part of a call; at first, part->words is NULL. Returns false after the
 * last. */
bool law_next_part(const struct series *series, const struct series_symbol *symbol,
                   struct series_part_of_call *part);
/* Copies the samples of a message in all roles, each with its size as its only value: those of the
 * n-th call with its partner. The caller frees pool->samples and *sizes. */
status_code law_pool_sizes(const struct series_law_data *data, struct series_role_step *pool,
                           int64_t **sizes, struct status *status);
/* Returns the law of the partner of a message whose size is a value of a step; NULL: there are
 * several, or it is the size of a collective. */
const struct series_law *law_partner_of(const struct series_role_step *step, uint32_t field);
bool law_is_of_message(const struct series_law_data *data);

/* law_by_neighbour.c */
/* Finds laws of the size of a message, one for each law of its partner: those that messages to the
 * same neighbour in the grid of the roles have in common, in all roles and iterations. */
status_code law_find_by_neighbour(struct series *series, const struct series_law_data *data,
                                  struct series_value_law *laws, bool *found,
                                  struct status *status);

/* law_shared_extent.c */
/* Returns whether all samples of a step are of programs with one extent along a dimension of the
 * grid of the roles, and the new program has another one. */
bool law_shares_extent(const struct series *series, const struct series_role_step *step);
/* Looks at the laws of a size in a role by a grid. shown_by: with the samples that the laws were
 * found in. Sets *is_shown to false if the laws have alternatives, or give the new program no whole
 * number; laws that are open stay if all programs have the role. It does the same if they are
 * constants, not all programs have the role, those that have it have the same extent along a
 * dimension where the new one has another one, and no other role shows the same size in programs
 * with other extents. */
status_code law_check_shared_extent(const struct series_law_data *data,
                                    const struct series_role_step *shown_by,
                                    const struct series_value_law *laws, bool *is_shown,
                                    struct status *status);

/* Returns whether the trips of a loop are constant, all these programs have the same extent along a
 * dimension where the new one has another one, and other roles have no loop with as many trips. */
bool law_trips_share_extent(const struct series_law_data *data,
                            const struct series_role_step *shown_by,
                            const struct series_value_law *laws);
/* The same with roles by symmetry, of which each is made of ranks of all programs: all extents of 3
 * or more along a dimension are the same. */
bool law_symmetric_trips_share_extent(const struct series_law_data *data,
                                      const struct series_value_law *laws);

/* law_other_dimension.c */
/* Finds the law that the sizes of messages along the dimensions of a plane have in common, if all
 * ranks of a program have the same size along each: in one iteration of the loop of a level, or in
 * all (SERIES_DEPTH). */
status_code law_find_by_other_dimension(struct series *series, const struct series_law_data *data,
                                        uint32_t level, uint32_t iteration, struct series_law *law,
                                        struct series_alternatives *alternatives, bool *found,
                                        struct status *status);

/* law_faces.c */
/* Finds the face of a part of a box of cells. Other faces that fit are alternatives. */
bool law_find_face(const struct series_law_data *data, struct series_law *law,
                   struct series_alternatives *alternatives);
/* Returns the size of the face at a place. */
int64_t law_face_value(const struct series *series, const struct series_law *law,
                       const struct series_place *place);
/* Writes a law of faces, for reports. */
void law_face_text(const struct series *series, const struct series_law *law, char *text,
                   size_t size);

/* law_place_search.c */
/* Finds the law of a tag that is the number of a place in a plane that is in use. */
bool law_find_place(const struct series_law_data *data, struct series_law *law);

/* law_places.c */
/* Returns the number of sums that may give a coordinate of a place. */
uint32_t law_place_sums(void);
/* Returns whether a sum has a coordinate of the rank. */
bool law_place_has_rank(int32_t number);
/* Returns a coordinate of the place. */
int64_t law_place_coordinate(const struct series *series, const struct series_law *law,
                             uint32_t dimension, const struct series_place *place);
/* Returns the value of a tag. */
int64_t law_place_value(const struct series *series, const struct series_law *law,
                        const struct series_place *place);
/* Writes a law of places, for reports. */
void law_place_text(const struct series *series, const struct series_law *law, char *text,
                    size_t size);

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

/* series_common.c */
/* Looks for the law that sizes along two dimensions have in common: in all iterations, and then in
 * those of one loop. */
status_code series_common_by_other_dimension(struct series *series,
                                             const struct series_law_data *data,
                                             struct series_value_law *laws, bool *found,
                                             struct status *status);
/* Looks for the law of a size in all roles in a grid, or along two dimensions of one. */
status_code series_common_find(struct series *series, const struct series_law_data *data,
                               struct series_value_law *laws, bool *found, struct status *status);
/* Replaces laws of a size that their samples do not decide (law_check_shared_extent) by a law that
 * all roles have in common, if there is one. Constants are uncertain then. */
status_code series_common_replace(struct series *series, const struct series_law_data *data,
                                  const struct series_role_step *shown_by,
                                  struct series_value_law *laws, struct status *status);

/* series_keep_law.c */
/* Records that a law uses a grid. */
void series_law_mark_grid(struct series *series, const struct series_law *law);
/* Keeps alternatives of a law. */
status_code series_alternative_keep(struct series *series,
                                    const struct series_alternative *alternatives, uint32_t count,
                                    struct series_law *law, struct status *status);

/* series_compare.c */
/* Sets the order of grids for partners: that of the ranks first, then grids that more partners
 * follow from. */
status_code series_compare_grids(struct series *series, struct status *status);
/* Looks for alternatives of the laws of partners. */
status_code series_compare_peers(struct series *series, struct status *status);
/* Returns whether laws of partners in a loop may be laws of single iterations: two iterations show
 * them, or they follow from iterations and not in the grid of the roles. */
bool series_peers_are_weak(const struct series *series, const struct series_value_law *laws);
/* Returns whether all partners are neighbours. */
bool series_peers_are_neighbours(const struct series *series, const struct series_value_law *laws);

/* series_pools.c */
struct series_pooled_law;
/* Returns what is known of a value of a call in all roles. NULL: nothing. */
const struct series_pooled_law *series_pooled_find(const struct series *series,
                                                   const struct series_law_data *data);
/* Sets *found to whether a law is known, and *laws to it. The caller frees laws->laws. */
status_code series_pooled_take(const struct series_pooled_law *known, series_value_kind what,
                               struct series_value_law *laws, bool *found, struct status *status);
/* Keeps what a search in the samples of all roles found. law: NULL if no law fits. */
status_code series_pooled_keep(struct series *series, const struct series_law_data *data,
                               const struct series_law *law, struct status *status);

#endif
