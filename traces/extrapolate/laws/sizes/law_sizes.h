/*
 * Laws of sizes: parts of a total, faces of boxes, and sizes that several roles or dimensions have
 * in common. Private to the extrapolation.
 */
#ifndef ANAX_TRACES_LAW_SIZES_H
#define ANAX_TRACES_LAW_SIZES_H

#include "traces/extrapolate/laws/series_law.h"

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
struct law_part_of_call {
    const int64_t *words;
    size_t word_count;
    uint32_t field;
};
/* Sets *part to the next part of a call; at first, part->words is NULL. Returns false after the
 * last. */
bool law_next_part(const struct series *series, const struct series_symbol *symbol,
                   struct law_part_of_call *part);
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

#endif
