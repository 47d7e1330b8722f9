/* Sharing threads out among points. */
#include "api/points.h"

#include "api/api_progress.h"
#include "core/parallel.h"

/* Machines larger than this take too much memory to be simulated several times at once. */
enum { MOST_NODES_AT_ONCE = 32768 };

unsigned points_at_once(const anax_options *options, int64_t nodes, size_t count,
                        unsigned *threads) {
    unsigned all = parallel_threads(api_threads(options), UINT64_MAX);
    unsigned points = options != NULL ? options->points_at_once : 0;
    if (points == 0) points = nodes > MOST_NODES_AT_ONCE ? 1 : all;
    if (points > count) points = (unsigned)count;
    *threads = points > 1 ? (all / points > 1 ? all / points : 1) : api_threads(options);
    return points;
}
