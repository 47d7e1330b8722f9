/* Divides threads among points. */
#include "api/points/points_at_once.h"

#include "core/processes/parallel.h"

/* Machines larger than this take too much memory to be simulated several times at once. */
enum { NODES_AT_ONCE_MAX = 32768 };

unsigned points_at_once(const anax_options *options, int64_t nodes, size_t count,
                        unsigned *threads) {
    unsigned all = parallel_threads(options->threads, UINT64_MAX);
    unsigned points = options->points_at_once;
    if (points == 0) points = nodes > NODES_AT_ONCE_MAX ? 1 : all;
    if (points > count) points = (unsigned)count;
    *threads = points > 1 ? (all / points > 1 ? all / points : 1) : options->threads;
    return points;
}
