/*
 * Laws of partners: which rank a message goes to or comes from. Ranks, coordinates, iterations and
 * rounds count from 0. Texts are for reports: no more bytes than their size, with the final zero.
 * Private to the extrapolation.
 */
#ifndef ANAX_TRACES_LAW_PEERS_H
#define ANAX_TRACES_LAW_PEERS_H

#include "traces/extrapolate/laws/series_law.h"

/* law_trees.c */
/* Returns how many rounds of doubling reach all of so many ranks: ceil(log2 ranks), but at least 1.
 */
int64_t law_number_rounds(int64_t ranks);
/* Returns child `number`, from 0, of a rank in a k-nomial tree whose root is rank 0, beginning with
 * the nearest one; -1: the rank has fewer. radix: k. */
int64_t law_tree_child(int64_t ranks, int64_t rank, int64_t radix, int64_t number);
/* Does the same in another order: the farthest level comes first, and the children of a level begin
 * with the nearest one. */
int64_t law_tree_child_by_level(int64_t ranks, int64_t rank, int64_t radix, int64_t number);
/* Returns how many children a rank has. */
int64_t law_tree_child_count(int64_t ranks, int64_t rank, int64_t radix);
/* Returns the parent of a rank; -1 for rank 0. */
int64_t law_tree_parent(int64_t rank, int64_t radix);
/* Returns how many ranks are in the part of a binomial tree that begins at a rank, with itself. */
int64_t law_tree_size(int64_t ranks, int64_t rank);
/* Returns the round of an iteration, if rounds go from 0 to rounds - 1 and back to 0. */
int64_t law_round_up_and_down(int64_t index, int64_t rounds);
/* Returns the round of an iteration in stages, as in a bitonic sort: 0; 1, 0; 2, 1, 0; and so on.
 */
int64_t law_round_of_stages(int64_t index, int64_t rounds);
/* Returns how many of the numbers 0 to ranks - 1 have the bit of a round. */
int64_t law_round_blocks(int64_t ranks, int64_t round);

/* law_distances.c */
/* Distances that follow from an extent n, such as floor(sqrt n), have rows in a table. The last
 * rows are rare: only alternatives. Returns the number of rows. */
uint32_t law_distance_rows(void);
/* Returns the number of rare rows. */
uint32_t law_distance_rare_rows(void);
/* Returns the distance of a row for an extent, which is positive. */
int64_t law_distance_of(uint32_t row, int64_t extent);
/* Returns whether the distance of a row is the largest power of two not above the extent. */
bool law_distance_is_power(uint32_t row);
/* Returns the formula of a row, for reports. */
const char *law_distance_text(uint32_t row);

/* law_orders.c */
/* Returns the number that a rank has if the ranks of a grid are numbered along its dimensions in
 * another order; -1: it has none. number: index of the order in series->grids.orders. */
int64_t law_order_rank(const struct series *series, const struct series_place *place,
                       uint32_t number);
/* Writes an order, for reports. */
void law_order_text(const struct series *series, uint32_t number, char *text, size_t size);

/* law_known_rules.c */
/* What an earlier search has found for a coordinate of some partners. */
struct law_known_rule {
    struct series_coordinate_rule rule;
    bool is_found; /* false: no rule fits */
};
/* The results of earlier searches. */
struct law_known_rules {
    struct key_table index; /* [key]: index in the list */
    struct law_known_rule *list;
    size_t count, capacity;
};
/* Returns the key of a search for the coordinate of partners in a dimension of a grid. with_late,
 * with_rare: as in law_peers.c. has_index: of rules with iterations. */
uint64_t law_known_key(const struct series_law_data *data, uint32_t grid, uint32_t dimension,
                       bool with_late, bool with_rare, bool has_index);
/* Returns what an earlier search with this key has found; NULL: there was none. */
const struct law_known_rule *law_known_find(const struct series_law_data *data, uint64_t key);
/* Keeps what a search has found, if there is memory for it. */
void law_known_keep(const struct series_law_data *data, uint64_t key,
                    const struct series_coordinate_rule *rule, bool is_found);

/* Frees the results of all searches. NULL is allowed. */
void law_known_free(struct law_known_rules *known);

/* law_peers.c */
/* Sets *law to the law of partners (docs/extrapolate-rules.md, "Which rule is taken"). Returns
 * false if there is none. */
bool law_find_peer(const struct series_law_data *data, struct series_law *law);
/* Returns whether rules in a grid give all partners. */
bool law_peer_fits(const struct series_law_data *data, uint32_t grid);
/* The search for an alternative of a law of partners. */
struct law_peer_search {
    const struct series_law_data *data; /* the partners that the law gives */
    const struct series_law *law;
    /* Returns whether `other` may take the place of the law in all roles. */
    bool (*holds)(const struct law_peer_search *search, const struct series_law *other);
};
/* Sets *alternative to the first law that gives all partners of the series, and other ones to a
 * rank of the new program. Returns false if there is none. */
bool law_peer_alternative(const struct law_peer_search *wanted,
                          struct series_alternative *alternative);
/* Sets *value to the partner that a law gives at a place. Returns false if it gives none. */
bool law_peer(const struct series *series, const struct series_law *law,
              const struct series_place *place, int64_t *value);

/* law_peer_kinds.c */
/* Returns whether the partner is a neighbour along one dimension of a grid of several, and this
 * dimension has the extent 2 in all programs (or 1 and 2, if it is recorded): one step up and one
 * step down lead to the same rank. */
bool law_peer_is_pair(const struct series *series, const struct series_law *law);
/* Returns whether the partner is at most one step away along each dimension of the grid. */
bool law_peer_is_neighbour(const struct series *series, const struct series_law *law);
/* Returns whether the partner depends on an iteration. */
bool law_peer_has_index(const struct series *series, const struct series_law *law);
/* Sets series->grids.used of the grids of a law. */
void law_peer_mark(struct series *series, const struct series_law *law);
/* Returns whether a law is one of partners by powers of two of the iterations of the loop at a
 * level.
 */
bool law_peer_is_of_rounds(const struct series *series, const struct series_law *law,
                           uint32_t level);
/* Returns whether two laws are laws of partners with the same rules in the same grid. */
bool law_peer_is_same(const struct series_law *left, const struct series_law *right);

/* law_peer_text.c */
/* Writes a law of partners, for reports. */
void law_peer_text(const struct series *series, const struct series_law *law, char *text,
                   size_t size);
/* Writes, for refusals, which two neighbours the partner of a pair may be (law_peer_is_pair). */
void law_peer_pair_text(const struct series *series, const struct series_law *law, char *text,
                        size_t size);

/* law_peer_moves.c */
/* Returns the set of dimensions along which the partner may have another coordinate than the rank.
 */
uint32_t law_peer_moves(const struct series *series, const struct series_law *law);
/* Sets *grid and *dimension to the only dimension that the messages of a step cross, in one group
 * of iterations (levels, group: as in struct series_law_data), or in all (levels 0). Returns false
 * if they cross none, or several, or those of several grids. */
bool law_peer_dimension(const struct series *series, const struct series_role_step *step,
                        uint32_t levels, uint32_t group, uint32_t *grid, uint32_t *dimension);
/* Sets *grid and *dimension to the only dimension that these messages do not cross: the edge that
 * they cross is along it. Returns false if there are several, or none. */
bool law_peer_edge(const struct series *series, const struct series_role_step *step,
                   uint32_t levels, uint32_t group, uint32_t *grid, uint32_t *dimension);
/* Sets series->grids.moves, which law_peer_is_alone reads, by all laws of partners. */
void law_peers_list_moves(struct series *series);
/* Returns whether the partners of a law move by steps along several dimensions of a grid at once,
 * and nothing else shows these dimensions: no partner along fewer of them, no role and no
 * communicator. */
bool law_peer_is_alone(const struct series *series, const struct series_law *law);
/* Returns whether some partner follows from the grid `wanted`; 0: from any grid of several
 * dimensions.
 */
bool law_peers_use_grid(const struct series *series, uint32_t wanted);

/* series_compare.c */
/* Sets series->grids.search_order: the line of all ranks comes first, then grids with recorded
 * dimensions, then those from which more partners follow. STATUS_MEMORY. */
status_code series_compare_grids(struct series *series, struct status *status);
/* Looks for alternatives of all laws of partners. STATUS_INPUT: a partner may be either neighbour
 * along a dimension of two ranks. STATUS_MEMORY. */
status_code series_compare_peers(struct series *series, struct status *status);
/* Returns whether single iterations of a loop, or iterations by turns, may have better laws than
 * these laws of partners: two iterations or one rank show them, or they depend on iterations, but
 * not in the grid of the roles. */
bool series_peers_are_weak(const struct series *series, const struct series_value_law *laws);
/* Returns whether the partners of all laws are neighbours (law_peer_is_neighbour). */
bool series_peers_are_neighbours(const struct series *series, const struct series_value_law *laws);

#endif
