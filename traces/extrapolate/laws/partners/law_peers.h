/*
 * Laws of partners: which rank a message goes to or comes from. Private to the extrapolation.
 */
#ifndef ANAX_TRACES_LAW_PEERS_H
#define ANAX_TRACES_LAW_PEERS_H

#include "traces/extrapolate/laws/series_law.h"

/* law_trees.c */
/* Returns how many rounds of doubling reach all of so many ranks; 1 for one rank. */
int64_t law_number_rounds(int64_t ranks);
/* Returns a child of a rank in a k-nomial tree, from the nearest one on. -1: it has fewer. */
int64_t law_tree_child(int64_t ranks, int64_t rank, int64_t radix, int64_t number);
/* Does the same level by level from the farthest level on, each from its nearest one on. */
int64_t law_tree_child_by_level(int64_t ranks, int64_t rank, int64_t radix, int64_t number);
/* Returns the number of a rank's children. */
int64_t law_tree_child_count(int64_t ranks, int64_t rank, int64_t radix);
/* Returns the parent; -1 for rank 0. */
int64_t law_tree_parent(int64_t rank, int64_t radix);
/* Returns the number of ranks in the part of a binomial tree that begins at a rank. */
int64_t law_tree_size(int64_t ranks, int64_t rank);
/* Returns the round of an iteration: 0 to the last one and back to 0. */
int64_t law_round_up_and_down(int64_t index, int64_t rounds);
/* Returns the same for stages: 0, then 1 and 0, then 2, 1 and 0, and so on, as in a bitonic sort.
 */
int64_t law_round_of_stages(int64_t index, int64_t rounds);
/* Returns how many numbers below `ranks` have the bit of a round. */
int64_t law_round_blocks(int64_t ranks, int64_t round);

/* law_distances.c */
/* Distances that follow from an extent n, such as floor(sqrt n). The last ones are rare:
 * alternatives. Returns their number. */
uint32_t law_distance_rows(void);
/* Returns the number of rare distances, the last rows. */
uint32_t law_distance_rare_rows(void);
/* Returns the distance of a row for an extent. */
int64_t law_distance_of(uint32_t row, int64_t extent);
/* Returns whether the distance is the power of two not above the extent. */
bool law_distance_is_power(uint32_t row);
/* Returns the equation of a row, for reports. */
const char *law_distance_text(uint32_t row);

/* law_orders.c */
/* Returns the number of a rank's place in a grid whose ranks are numbered in another order of the
 * dimensions. number: of the order, in series->grids.orders. */
int64_t law_order_rank(const struct series *series, const struct series_place *place,
                       uint32_t number);
/* Writes the dimensions of an order, for reports. */
void law_order_text(const struct series *series, uint32_t number, char *text, size_t size);

/* law_known_rules.c */
/* What was found for a coordinate of some partners: a rule, or none. */
struct law_known_rule {
    struct series_coordinate_rule rule;
    bool is_found;
};
struct law_known_rules {
    struct key_table index;
    struct law_known_rule *list;
    size_t count, capacity;
};
/* Returns the key of what is known about a coordinate. */
uint64_t law_known_key(const struct series_law_data *data, uint32_t grid, uint32_t dimension,
                       bool with_late, bool with_rare, bool has_index);
/* Returns what is known; NULL: nothing. */
const struct law_known_rule *law_known_find(const struct series_law_data *data, uint64_t key);
/* Keeps a rule, or that there is none. */
void law_known_keep(const struct series_law_data *data, uint64_t key,
                    const struct series_coordinate_rule *rule, bool is_found);

/* Frees all known rules. */
void law_known_free(struct law_known_rules *known);

/* law_peers.c, law_peer_text.c */
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
/* Returns whether the partner is a neighbour along one dimension of a grid whose extent is 2 in all
 * programs, or 1 or 2 if it is recorded, so that both neighbours are one rank. */
bool law_peer_is_pair(const struct series *series, const struct series_law *law);
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
/* Sets the partner that a law gives at a place. Returns false if there is none. */
bool law_peer(const struct series *series, const struct series_law *law,
              const struct series_place *place, int64_t *value);
/* Writes a law of partners, for reports. */
void law_peer_text(const struct series *series, const struct series_law *law, char *text,
                   size_t size);

/* Writes why a partner is a pair (law_peer_is_pair), for refusals. */
void law_peer_pair_text(const struct series *series, const struct series_law *law, char *text,
                        size_t size);

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

/* series_compare.c */
/* Sets the order of grids for partners: that of the ranks first, then grids that more partners
 * follow from. */
status_code series_compare_grids(struct series *series, struct status *status);
/* Looks for alternatives of the laws of partners. */
status_code series_compare_peers(struct series *series, struct status *status);
/* Returns whether laws of partners in a loop may be laws of single iterations, or of iterations by
 * turns: two iterations or one rank show them, or they follow from iterations and not in the grid
 * of the roles. */
bool series_peers_are_weak(const struct series *series, const struct series_value_law *laws);
/* Returns whether all partners are neighbours. */
bool series_peers_are_neighbours(const struct series *series, const struct series_value_law *laws);

#endif
