/* The object behind anax_extrapolation. */
#ifndef ANAX_API_EXTRAPOLATION_NUMBERS_H
#define ANAX_API_EXTRAPOLATION_NUMBERS_H

#include "api/api.h"
#include "traces/extrapolate/traces_extrapolate.h"

struct anax_extrapolation {
    anax_trace trace;
    struct extrapolate_report report;
};

#endif
