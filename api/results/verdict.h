/*
 * The verdict on a replay: one to three sentences, each with its numbers, that say what bounds the
 * run, what could be gained at most, and what to try. They follow from the numbers of the result by
 * the rules in verdict.c, which docs/model.md (9.14) states.
 */
#ifndef ANAX_API_VERDICT_H
#define ANAX_API_VERDICT_H

#include "api/api.h"

enum { VERDICT_MAX = 3, VERDICT_BYTES = 640, VERDICT_VALUE_BYTES = 40, VERDICT_ADVICES = 3 };

struct verdict_sentence {
    const char *rule;
    char text[VERDICT_BYTES];
};

struct verdict {
    struct verdict_sentence sentences[VERDICT_MAX];
    size_t count;
};

/* A change of one setting that could make the run faster. */
struct verdict_advice {
    const char *rule;
    const char *setting;
    char value[VERDICT_VALUE_BYTES];
};

/* Finds the verdict on a result that completed; no sentences for any other result. */
void verdict_find(struct verdict *verdict, const anax_replay_result *result);

/* Finds the changes that the rules recommend for a completed result, and returns their number. The
 * verdict recommends the one with the shortest replay, or the first one if none was replayed. */
size_t verdict_find_advice(struct verdict_advice list[VERDICT_ADVICES],
                           const anax_replay_result *result);

#endif
