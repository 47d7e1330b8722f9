/*
 * The settings in the lists of `anax list`: one line for people each, and their facts in JSON.
 */
#ifndef ANAX_API_LIST_SETTINGS_H
#define ANAX_API_LIST_SETTINGS_H

#include "api/json/json_build.h"
#include "core/base/status.h"

#include <anax/anax.h>

typedef void (*list_visitor)(void *context, const anax_choice *choice);

/* Calls visit for every setting, with its help, its choices and its default in one line. */
status_code list_settings(list_visitor visit, void *context, struct status *status);

/* Adds the facts of the setting of that name to an entry: name, help, type, unit, minimum, maximum,
 * default and choices (anax-json(5)). The setting exists. */
void list_settings_put_json(struct json_object *entry, const char *name);

#endif
