/*
 * Finds the valid name nearest to a wrong one, for "did you mean". Knows no other file.
 *
 *     struct nearest_name search = nearest_name_begin("latnecy");
 *     for each candidate: nearest_name_offer(&search, candidate);
 *     if (search.name != NULL) … "did you mean `%s`?"
 */
#ifndef ANAX_CORE_NEAREST_NAME_H
#define ANAX_CORE_NEAREST_NAME_H

#include <stddef.h>

struct nearest_name {
    const char *wrong;
    const char *name; /* the best candidate so far; NULL: no candidate is near */
    size_t distance;  /* distance of name; a better candidate has a smaller distance */
};

/* Begins a search. A candidate is near if it differs from the wrong name by at most a quarter of
 * its letters, or by at most two, and by fewer than it has letters. Differences are inserted,
 * dropped and changed letters, and letters swapped with a neighbour; capital letters are no
 * difference. Names of 96 letters or more are near to none. */
struct nearest_name nearest_name_begin(const char *wrong);

/* Keeps the candidate if it is nearer than all before; of equal ones, the first. The candidate must
 * exist as long as the search. */
void nearest_name_offer(struct nearest_name *search, const char *candidate);

#endif
