/* Shares in percent. */
#ifndef ANAX_API_PERCENT_H
#define ANAX_API_PERCENT_H

#include "core/base/wide.h"

/* Returns part / whole in percent; 0 if whole is 0. */
static inline double percent_of(wide part, wide whole) {
    return whole > 0 ? 100.0 * (double)part / (double)whole : 0.0;
}

#endif
