/*
 * What the command `anax` needs of the library and no other program does. It is neither installed
 * nor exported: the command is linked with the static library. The rules of anax/anax.h hold here.
 *
 * This is the only header of api/ that cli/ may include. It must not include anything but
 * anax/anax.h, so that the command sees no more of the library than this.
 */
#ifndef ANAX_API_COMMAND_SUPPORT_H
#define ANAX_API_COMMAND_SUPPORT_H

#include "anax/anax.h"

/* The candidate nearest to a mistyped word, or NULL when none is near. */
const char *api_nearest(const char *word, const char *const *candidates, size_t count);

/* Whether a synthetic application depends on a setting; false for unknown ones. */
bool api_pattern_uses(const char *pattern, const char *setting);

/* ANAX_USAGE when writing to `path`, a file or a folder, would touch what is read, by whatever name
 * or link: a file that config (may be NULL) was read from or that its settings name, one of
 * `inputs`, or of the archives that these are or hold; or when it lies in the folder of such an
 * archive's events. Inputs that do not exist are passed over. */
anax_code api_check_apart(const char *path, const anax_config *config, const char *const *inputs,
                          size_t input_count, anax_error *error);

/* For the command when a signal ends it: removes what this process has begun to write as `path`, a
 * file or a folder, and has not finished. Other threads may still be writing it, so the process
 * should end at once. Not to be called in a signal handler, but in a thread of its own. */
void api_abandon(const char *path);

/* The same for the points that anax_compare keeps in a folder. */
void api_abandon_points(const char *folder);

/* Cables and cost of dragonflies, flattened butterflies, folded Clos networks and 3-D tori of 1K to
 * 64K nodes, after Kim et al. 2008, Figure 19, by the settings floor.*, price.* and
 * network.global.bandwidth. *text and *json are the result (schema anax.rivals/1). */
anax_code api_topology_rivals(char **text, char **json, const anax_config *config,
                              anax_error *error);

/* Verifies by computation that the arrangements nautilus and helix form one global connected
 * component on full machines, for the sizes of Belka et al. 2017, section 4. *text and *json are
 * the result (schema anax.gcc-conjectures/1). ANAX_RUN: there is an exception, and *text and *json
 * are set as on success; or options.progress stopped it, and they are NULL. Takes some seconds. */
anax_code api_gcc_conjectures(char **text, char **json, const anax_options *options,
                              anax_error *error);

#endif
