/* Whether the seed had any influence on a replay. Knows results only. */
#ifndef ANAX_API_SEED_INFLUENCE_H
#define ANAX_API_SEED_INFLUENCE_H

#include "api/api.h"

/* Returns false if a replay that completed would be the same with every other seed. True does not
 * mean that it would differ. */
bool seed_has_influence(const anax_replay_result *result);

#endif
