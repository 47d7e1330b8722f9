/* What the critical path of a replay says about what bounds the run. */
#ifndef ANAX_API_VERDICT_PATH_H
#define ANAX_API_VERDICT_PATH_H

#include "api/text/text_buffer.h"
#include "network/network_config.h"
#include "replay/critical_path.h"

#include <stdbool.h>

/* The parts of a critical path that one rule of the verdict is about. */
struct verdict_share {
    const char *rule;
    const char *what;                       /* names these parts in the sentence */
    int64_t time_ps;                        /* their sum */
    const struct replay_path_part *longest; /* the longest of them */
};

/* Finds the rule with the longest parts; of equal ones the first in the table. A path without time
 * gives a share of time 0. */
void verdict_path_share(struct verdict_share *share, const struct replay_critical_path *path);
/* Adds where the longest part of a share is. */
void verdict_add_longest(struct text_buffer *text, const struct verdict_share *share);
/* Returns whether a message can be faster with other traffic than alone. On the idle network its
 * packets take one path; policies other than minimal spread them over several, which together are
 * faster if a channel between routers is slower than that of a node. */
bool verdict_path_can_spread(const struct network_config *network);

#endif
