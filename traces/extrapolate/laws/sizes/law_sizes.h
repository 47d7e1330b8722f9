/*
 * Laws of sizes: parts of a total, faces of boxes, and laws that several roles or dimensions have
 * in common. Sizes are in bytes. Functions that look for a law set *law to it and *alternatives to
 * its alternatives, and return false (or set *found to false) if there is none. Functions with a
 * status return STATUS_MEMORY, and no other error. Private to the extrapolation.
 */
#ifndef ANAX_TRACES_LAW_SIZES_H
#define ANAX_TRACES_LAW_SIZES_H

#include "traces/extrapolate/laws/series_law.h"

/* law_parts.c */
/* Returns whether a kind of value is a number of bytes. */
bool law_is_of_bytes(series_value_kind what);
/* If the messages of a size cross an edge (law_peer_edge) of a grid in use, sets *grid and
 * *dimension to the dimension that the edge is along. Returns false otherwise. */
bool law_own_edge(const struct series_law_data *data, uint32_t *grid, uint32_t *dimension);
/* Returns the largest number that divides all values; 0: all values are 0. */
int64_t law_common_divisor(const struct series_law_data *data);
/* Looks for the first dimension of a grid in use along which the values are parts of a total. If
 * *law is a law already (its kind is not SERIES_LAW_NONE), only adds to its alternatives. Returns
 * whether there is a law. */
bool law_find_parts(const struct series_law_data *data, struct series_law *law,
                    struct series_alternatives *alternatives);
/* Returns x, the place of a rank and an iteration among those who share the total, and sets *parts
 * to n, the number of these. */
int64_t law_part_number(const struct series_law *law, const struct series *series,
                        const struct series_place *place, int64_t *parts);
/* Returns the value of a law of parts at a place. */
int64_t law_parts_value(const struct series *series, const struct series_law *law,
                        const struct series_place *place);
/* Writes a law of parts, for reports. */
void law_parts_text(const struct series *series, const struct series_law *law, char *text,
                    size_t size);

/* law_remainders.c */
/* Looks for parts that share the remainder in other ways, or whose elements are rows. If *law is a
 * law already, only adds to its alternatives. Returns whether there is a law. */
bool law_find_remainders(const struct series_law_data *data, struct series_law *law,
                         struct series_alternatives *alternatives);

/* Returns whether each rank has one value in all iterations, and the ranks of some program have
 * different ones. Equal parts show no rule for the remainder. */
bool law_may_have_remainders(const struct series_law_data *data);

/* law_ghosts.c */
/* Looks for parts of a total that are longer by the same number of bytes on all ranks. */
bool law_find_ghosts(const struct series_law_data *data, struct series_law *law,
                     struct series_alternatives *alternatives);

/* law_ends.c */
/* Looks for one law of the size of a message in all roles, which are positions in a grid. At the
 * ends of a dimension, the size may have a constant more or less. */
status_code law_find_ends(const struct series_law_data *data, struct series_law *law,
                          struct series_alternatives *alternatives, bool *found,
                          struct status *status);
/* A part of a call: a message, collective or wait. */
struct law_part_of_call {
    const int64_t *words; /* of the symbol; NULL: before the first part */
    size_t word_count;
    uint32_t field; /* index of its first value */
};
/* Sets *part to the next part of a call. At first, the caller zeroes *part. Returns false after the
 * last one. */
bool law_next_part(const struct series *series, const struct series_symbol *symbol,
                   struct law_part_of_call *part);
/* Copies the samples of a message in all roles to pool->samples, each with its size as its only
 * value. If the message is the n-th of its role with its call, words and partner, takes the n-th
 * one of each role. The caller frees pool->samples and *sizes, also after errors. */
status_code law_pool_sizes(const struct series_law_data *data, struct series_role_step *pool,
                           int64_t **sizes, struct status *status);
/* Returns the law of the partner of a message. field: its size, among the values of the step. NULL:
 * the partner has several laws, or the size is that of a collective. */
const struct series_law *law_partner_of(const struct series_role_step *step, uint32_t field);
/* Returns whether the values are sizes of messages. */
bool law_is_of_message(const struct series_law_data *data);

/* law_by_neighbour.c */
/* Looks for laws of the size of a message, one for each law of its partner: each holds for the
 * messages to one neighbour in the grid of the roles, in all roles and iterations. The caller frees
 * laws->laws. */
status_code law_find_by_neighbour(struct series *series, const struct series_law_data *data,
                                  struct series_value_law *laws, bool *found,
                                  struct status *status);

/* law_shared_extent.c */
/* Returns whether all samples of a step are of programs with one extent along a dimension of the
 * grid of the roles, and the new program has another one. */
bool law_shares_extent(const struct series *series, const struct series_role_step *step);
/* Sets *is_shown to whether the samples decide the laws of a size in a role by a grid. They do not
 * if the laws have alternatives, or give the new program no whole number; but if laws are equally
 * good (is_open) and all programs have the role, *is_shown is true. Nor do they if the laws are
 * constants, not all programs have the role, the programs of the samples share an extent
 * (law_shares_extent), and no other role shows the same size in programs with other extents.
 * shown_by: the step with the samples that the laws were found in. */
status_code law_check_shared_extent(const struct series_law_data *data,
                                    const struct series_role_step *shown_by,
                                    const struct series_value_law *laws, bool *is_shown,
                                    struct status *status);

/* Returns whether the trips of a loop in a role by a grid are constant, not all programs have the
 * role, the programs of the samples of shown_by share an extent (law_shares_extent), and rank 0 of
 * some program has no loop with as many trips on the same level. */
bool law_trips_share_extent(const struct series_law_data *data,
                            const struct series_role_step *shown_by,
                            const struct series_value_law *laws);
/* Returns the same with roles by symmetry, whose samples are of all programs: instead of a shared
 * extent, all extents of 3 or more along some dimension are one number, which that of the new
 * program is not. */
bool law_symmetric_trips_share_extent(const struct series_law_data *data,
                                      const struct series_value_law *laws);

/* law_other_dimension.c */
/* Looks for one law of the sizes of a call's messages along both dimensions of a plane, if all
 * ranks of a program have the same size along each dimension. level, iteration: the sizes of one
 * iteration of the loop at this level; SERIES_DEPTH: of all iterations. */
status_code law_find_by_other_dimension(struct series *series, const struct series_law_data *data,
                                        uint32_t level, uint32_t iteration, struct series_law *law,
                                        struct series_alternatives *alternatives, bool *found,
                                        struct status *status);

/* law_faces.c */
/* Looks for a face of the parts of a box of cells. Other faces that fit are alternatives. */
bool law_find_face(const struct series_law_data *data, struct series_law *law,
                   struct series_alternatives *alternatives);
/* Returns the value of a law of faces at a place. */
int64_t law_face_value(const struct series *series, const struct series_law *law,
                       const struct series_place *place);
/* Writes a law of faces, for reports. */
void law_face_text(const struct series *series, const struct series_law *law, char *text,
                   size_t size);

#endif
