/* Divides threads among independent runs (points) that run at once. Knows no run. */
#ifndef ANAX_API_POINTS_AT_ONCE_H
#define ANAX_API_POINTS_AT_ONCE_H

#include "anax/anax.h"

/* Returns how many of `count` points run at once on a machine of so many nodes, and sets *threads
 * to the threads of each point (0: as many as help). Points need no synchronisation, so threads
 * take points first. */
unsigned points_at_once(const anax_options *options, int64_t nodes, size_t count,
                        unsigned *threads);

#endif
