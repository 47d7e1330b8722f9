/* Independent runs at once: how threads are shared out among them. Knows no run. */
#ifndef ANAX_API_POINTS_H
#define ANAX_API_POINTS_H

#include "anax/anax.h"

/* How many of count points on a machine of so many nodes run at once; *threads is for each of them
 * (0: as many as help). Points need no synchronisation, so threads go to points first. */
unsigned points_at_once(const anax_options *options, int64_t nodes, size_t count,
                        unsigned *threads);

#endif
