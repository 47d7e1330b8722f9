/*
 * Calibration: a machine whose hosts are fitted to what benchmarks measured. A part of the public
 * interface, which anax.h includes; the rules for the whole interface stand there.
 */
#ifndef ANAX_CALIBRATE_H
#define ANAX_CALIBRATE_H

#include <anax/anax.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A machine whose hosts were fitted to what benchmarks measured. */
typedef struct anax_calibration anax_calibration;

/* Reads outputs of the OSU micro-benchmarks, the Intel MPI Benchmarks and NetPIPE, at least one of
 * them a ping-pong, and fits the host costs of the configured machine to them (settings
 * calibrate.*, docs/calibrate.md). ANAX_INPUT: a file is damaged or something else; the text has
 * all faults of all files, as file:line:col. ANAX_USAGE: settings that do not fit together. */
ANAX_API anax_code anax_calibrate(anax_calibration **calibration, const anax_config *config,
                                  const char *const *files, size_t count,
                                  const anax_options *options, anax_error *error);
ANAX_API void anax_calibration_free(anax_calibration *calibration);

/* The machine with the fitted settings; it lives as long as the calibration. */
ANAX_API const anax_config *anax_calibration_config(const anax_calibration *calibration);

/* What the measurements do not determine, and where the model is far off; a line each, which live
 * as long as the calibration. */
ANAX_API const char *anax_calibration_warnings(const anax_calibration *calibration);

/* The fitted machine as a file for anax_config_machine; the settings with their intervals, and
 * measured against modelled times, for people; for programs (schema anax.calibration/1, see
 * anax-json(5)); and as a picture (SVG). */
ANAX_API char *anax_calibration_machine(const anax_calibration *calibration);
ANAX_API char *anax_calibration_text(const anax_calibration *calibration);
ANAX_API char *anax_calibration_json(const anax_calibration *calibration);
ANAX_API char *anax_calibration_svg(const anax_calibration *calibration);

#ifdef __cplusplus
}
#endif

#endif
