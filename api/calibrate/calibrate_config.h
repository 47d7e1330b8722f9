/* The settings of `anax calibrate`. Knows no other file of api/calibrate. */
#ifndef ANAX_API_CALIBRATE_CONFIG_H
#define ANAX_API_CALIBRATE_CONFIG_H

#include "core/settings/settings.h"

typedef enum calibrate_distance {
    CALIBRATE_SAME_ROUTER,
    CALIBRATE_SAME_GROUP,
    CALIBRATE_OTHER_GROUP,
    CALIBRATE_SAME_NODE
} calibrate_distance;

struct calibrate_config {
    int32_t distance; /* calibrate_distance */
    int64_t window;   /* messages of a window of a stream, if the output does not say; >= 1 */
    int64_t ranks;    /* processes of a collective, if the output does not say; 0: not known */
};

extern const struct setting_row calibrate_setting_rows[];
extern const size_t calibrate_setting_count;

/* Returns the name of a calibrate_distance, as the setting has it. */
const char *calibrate_distance_name(int32_t distance);

#endif
