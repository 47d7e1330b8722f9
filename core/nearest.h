/*
 * The valid name nearest to a wrong one, for "did you mean". Knows nothing of any other file.
 *
 *     nearest search = nearest_to("latnecy");
 *     for each candidate: nearest_offer(&search, candidate);
 *     if (search.name != NULL) … "did you mean `%s`?"
 */
#ifndef ANAX_CORE_NEAREST_H
#define ANAX_CORE_NEAREST_H

#include <stddef.h>

struct nearest {
    const char *wrong;
    const char *name; /* the best candidate so far; NULL: none is near */
    size_t distance;  /* of name; candidates must be nearer than this */
};

/* Candidates count as near when at most a quarter of the wrong name's letters, and at least two,
 * are inserted, dropped, changed or swapped with a neighbour. */
struct nearest nearest_to(const char *wrong);

/* Keeps the candidate if it is nearer than all before; it must outlive the search. Of candidates
 * equally near, the first stays. */
void nearest_offer(struct nearest *search, const char *candidate);

#endif
