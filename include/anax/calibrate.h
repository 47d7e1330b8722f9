/*
 * Calibration: fitting a machine's hosts to benchmark measurements. anax.h has the rules for the
 * whole interface.
 */
#ifndef ANAX_CALIBRATE_H
#define ANAX_CALIBRATE_H

#include <anax/config.h>
#include <anax/options.h>
#include <anax/table.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A machine whose hosts were fitted to benchmark measurements. */
typedef struct anax_calibration anax_calibration;

/* A plan of a calibration. */
typedef struct anax_calibrate_plan {
    size_t size;               /* set by ANAX_CALIBRATE_PLAN_INIT */
    const anax_config *config; /* the machine, and the settings calibrate.* (anax-settings(5)) */
    /* file_count paths, at least one: outputs of the OSU micro-benchmarks, the Intel MPI Benchmarks
     * and NetPIPE, at least one of them a ping-pong */
    const char *const *files;
    size_t file_count;
} anax_calibrate_plan;

/* A plan without a machine and without files. */
#define ANAX_CALIBRATE_PLAN_INIT                                                                   \
    { sizeof(anax_calibrate_plan), NULL, NULL, 0 }

/* Fits the host costs of a plan's machine to the measurements of the plan's files. options:
 * threads, progress; may be NULL. ANAX_ERROR_INPUT: a file is missing, damaged or no output of
 * these benchmarks (the text lists all faults of all files as FILE:LINE:COL), no file has a
 * ping-pong, or a file that a setting names is missing or wrong. ANAX_ERROR_USAGE: the plan has no
 * configuration or no files, or settings do not fit together. ANAX_ERROR_STOPPED: options.progress
 * stopped it. */
ANAX_API anax_code anax_calibrate(anax_calibration **calibration, const anax_calibrate_plan *plan,
                                  const anax_options *options, anax_error *error);

/* Frees a calibration with its configuration; NULL is allowed. */
ANAX_API void anax_calibration_free(anax_calibration *calibration);

/* Returns the plan's configuration with the fitted settings. It lives as long as the calibration;
 * the caller does not free it. */
ANAX_API const anax_config *anax_calibration_config(const anax_calibration *calibration);

/* Returns the parameters that the measurements do not determine, and the benchmarks for which the
 * model is off by 10 % or more, one warning per line; "" if there are none. The caller frees the
 * text. */
ANAX_API char *anax_calibration_warnings(const anax_calibration *calibration);

/* Returns the fitted machine as a file for anax_config_machine. The caller frees the text. */
ANAX_API char *anax_calibration_machine_yaml(const anax_calibration *calibration);

/* Returns the fitted settings with their confidence intervals, and measured and modelled times side
 * by side, for people. The caller frees the text. */
ANAX_API char *anax_calibration_text(const anax_calibration *calibration);

/* Returns the same figures for programs (schema anax.calibration/1, see anax-json(5)). The caller
 * frees the text. */
ANAX_API char *anax_calibration_json(const anax_calibration *calibration);

/* Copies the table called calibration.`name` in the list of tables. Examples of names are
 * "settings" and "times". ANAX_ERROR_USAGE: there is no table of that name; the text names the
 * tables. */
ANAX_API anax_code anax_calibration_table(anax_table **table, const anax_calibration *calibration,
                                          const char *name, anax_error *error);

/* Returns measured and modelled times as a picture (SVG). The caller frees the text. */
ANAX_API char *anax_calibration_svg(const anax_calibration *calibration);

#ifdef __cplusplus
}
#endif

#endif
