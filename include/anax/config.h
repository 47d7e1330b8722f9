/*
 * Configurations: machine, network, placement, MPI. anax.h has the rules for the whole interface.
 */
#ifndef ANAX_CONFIG_H
#define ANAX_CONFIG_H

#include <anax/common.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Making a configuration ------------------------------------------------------------------ */

/* All settings of a run. `anax list settings` has their names, ranges and defaults. */
typedef struct anax_config anax_config;

/* Creates a configuration of defaults; its network is a dragonfly of 1056 nodes. Objects made with
 * a configuration keep a copy of it, so that it can change or be freed meanwhile. */
ANAX_API anax_code anax_config_new(anax_config **config, anax_error *error);

/* Frees a configuration; NULL is allowed. */
ANAX_API void anax_config_free(anax_config *config);

/* Takes the network's settings from a named machine, or from a machine file if `machine` contains a
 * '/' or ends with ".yaml". Names are looked up in the folders of the environment variable
 * ANAX_MACHINES (separated by ':'), then among the machines that come with anax. All earlier
 * network settings are lost. A machine's settings mpi.* take effect where the configuration
 * still has the default, or the value of the machine chosen before. The name of a configuration's
 * machine, by which plans tell machines apart, is `machine` as it is given here, in a file or as
 * the setting `machine`; "custom" if no machine was chosen. Later changes of other settings do not
 * change it. A later file or setting that names another machine is refused. ANAX_ERROR_USAGE:
 * unknown name; the text lists the names. ANAX_ERROR_INPUT: the file is missing or wrong, sets no
 * network.* value and has no `base`, or sets anything but network.*, mpi.*, `base`, a description
 * and a source. A failure changes no setting. */
ANAX_API anax_code anax_config_machine(anax_config *config, const char *machine, anax_error *error);

/* Reads settings from a YAML file; they replace the present values. A `machine` in the file is
 * chosen first, wherever it stands. ANAX_ERROR_INPUT: the file is missing or has faults; the text
 * lists all faults as FILE:LINE:COL. Contradictions are faults: a machine other than the chosen
 * one; a machine after settings network.* that it would undo; the whole network of another
 * machine. ANAX_ERROR_USAGE: the path is empty, or no machine has the name in the file. A failure
 * changes nothing. */
ANAX_API anax_code anax_config_load(anax_config *config, const char *path, anax_error *error);

/* Sets a value from text with its unit: anax_config_set(c, "network.global.latency", "300ns", e).
 * ANAX_ERROR_USAGE: no such setting (the text names the nearest), or an invalid value. `machine`
 * can be set once, before settings network.*, with the errors of anax_config_machine. A failure
 * changes nothing. */
ANAX_API anax_code anax_config_set(anax_config *config, const char *name, const char *value,
                                   anax_error *error);

/* Sets one value from a text "name=value", with the errors of anax_config_set; ANAX_ERROR_USAGE
 * also if there is no '=', or no name before it. */
ANAX_API anax_code anax_config_set_pair(anax_config *config, const char *pair, anax_error *error);

/* ---- Reading a configuration ----------------------------------------------------------------- */

/* Sets *value to the present value of a setting as a text for anax_config_set, which the caller
 * frees (anax_text_free). ANAX_ERROR_USAGE: no such setting (the text names the nearest). */
ANAX_API anax_code anax_config_get(char **value, const anax_config *config, const char *name,
                                   anax_error *error);

/* Returns true once a machine was chosen, or anax_config_load has read a setting network.*. Other
 * functions do not ask for this: without a machine they work with the default network and with what
 * anax_config_set has changed of it. */
ANAX_API bool anax_config_has_machine(const anax_config *config);

/* What a configuration is used for. The scope determines which settings have an effect. Later
 * versions may add scopes at the end. */
typedef enum anax_scope {
    ANAX_SCOPE_ALL,    /* every setting */
    ANAX_SCOPE_REPLAY, /* anax_replay, anax_jobs_replay, anax_compare */
    ANAX_SCOPE_TRAFFIC,
    ANAX_SCOPE_GENERATE,
    ANAX_SCOPE_TRACE, /* anax_trace_open */
    ANAX_SCOPE_TOPOLOGY,
    ANAX_SCOPE_PLACE,
    ANAX_SCOPE_EXPORT, /* anax_trace_open and anax_trace_export */
    ANAX_SCOPE_BISECTION,
    ANAX_SCOPE_CALIBRATE,
    ANAX_SCOPE_SEARCH,
    ANAX_SCOPE_EXTRAPOLATE
} anax_scope;

/* Returns whether there is a setting of that name that has an effect in the scope. Without such a
 * scope: false. */
ANAX_API bool anax_config_in_scope(const anax_config *config, anax_scope scope, const char *name);

/* Returns all settings that have an effect in a scope, with their present values, as commented YAML
 * that anax_config_load can read; "" if there is no such scope. The caller frees the text. */
ANAX_API char *anax_config_yaml(const anax_config *config, anax_scope scope);

/* Returns the configured machine as a machine file for anax_config_machine: the whole network, and
 * the settings mpi.* that differ from the defaults. The caller frees the text. */
ANAX_API char *anax_config_machine_yaml(const anax_config *config);

/* Checks the settings of a scope together. ANAX_ERROR_USAGE: the machine is impossible (checked
 * once there is one, see anax_config_has_machine), settings floor.* do not fit the machine, a
 * setting names a traffic class that the machine does not have, there is no such traffic pattern,
 * or no such scope. Files that settings name are not read. Functions that use settings check those
 * that they use before they begin, the machine always. */
ANAX_API anax_code anax_config_check(const anax_config *config, anax_scope scope,
                                     anax_error *error);

#ifdef __cplusplus
}
#endif

#endif
