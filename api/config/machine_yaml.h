/*
 * Machine files as text.
 */
#ifndef ANAX_API_MACHINE_YAML_H
#define ANAX_API_MACHINE_YAML_H

#include "api/api.h"

/* Returns a machine file: its description and source, the whole network of the configuration, and
 * of the settings mpi.* those that differ from the defaults or for which `also` returns true (NULL:
 * none). The caller frees the text; NULL if out of memory, or if description or source is NULL. */
char *machine_yaml(const anax_config *config, char *description, char *source,
                   bool (*also)(const struct setting_row *row));

#endif
