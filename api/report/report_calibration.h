/* Calibrations as text and a picture; the caller frees the texts. Private to the api room. */
#ifndef ANAX_API_REPORT_CALIBRATION_H
#define ANAX_API_REPORT_CALIBRATION_H

#include "api/calibrate/calibration.h"

/* Returns a calibration for people; NULL: out of memory. The caller frees the text. */
char *report_calibration_text(const anax_calibration *calibration);
/* Returns the picture of measured and fitted times as SVG; NULL: out of memory. The caller frees
 * the text. */
char *report_calibration_svg(const anax_calibration *calibration);

#endif
