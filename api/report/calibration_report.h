/* Calibrations as text, JSON and a picture; the caller frees the texts. Private to the api room. */
#ifndef ANAX_API_CALIBRATION_REPORT_H
#define ANAX_API_CALIBRATION_REPORT_H

#include "api/calibrate/calibration.h"

char *report_calibration_text(const anax_calibration *calibration);
char *report_calibration_json(const anax_calibration *calibration);
char *report_calibration_svg(const anax_calibration *calibration);

#endif
