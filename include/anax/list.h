/*
 * What there is to choose from: machines, policies, settings, tables and so on. anax.h has the
 * rules for the whole interface.
 */
#ifndef ANAX_LIST_H
#define ANAX_LIST_H

#include <anax/common.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A member of a family. Only the library makes it; later versions may add members. */
typedef struct anax_choice {
    const char *name; /* valid during the call, like help */
    const char *help; /* one line that says what the member is */
} anax_choice;

/* Calls visit, with `context`, for every member of a family, in the order of its table, until visit
 * returns false. family: machines, routing, misrouting, arrangements, rails, nics, placement,
 * patterns, models, traffic, formats, collectives, protocols, settings or tables; NULL: the members
 * are these families themselves. word: NULL for all members; another word chooses the members whose
 * name is the word or has it as first parts ("network.global" chooses network.global.latency). If
 * there are none, it chooses the members whose name contains it. ANAX_ERROR_USAGE: there is no such
 * family (the text names the families), or no name in it contains the word. */
ANAX_API anax_code anax_list(const char *family, const char *word,
                             bool (*visit)(void *context, const anax_choice *choice), void *context,
                             anax_error *error);

/* Sets *text to what anax_list visits as an aligned text, which the caller frees. Errors as for
 * anax_list. */
ANAX_API anax_code anax_list_text(char **text, const char *family, const char *word,
                                  anax_error *error);

/* Sets *json to what anax_list visits as JSON (schema anax.list/1), which the caller frees. Errors
 * as for anax_list. */
ANAX_API anax_code anax_list_json(char **json, const char *family, const char *word,
                                  anax_error *error);

#ifdef __cplusplus
}
#endif

#endif
