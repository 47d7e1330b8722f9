/*
 * Parts of sweeps: one of several processes that share the points of a plan by a folder.
 * anax_traffic_part, anax_compare_part and anax_search_part run them. anax.h has the rules for the
 * whole interface.
 */
#ifndef ANAX_SWEEP_PART_H
#define ANAX_SWEEP_PART_H

#include <anax/common.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A part of a sweep. Part K of N has every N-th point (of a search for saturation, every N-th curve
 * and seed) from the K-th on, and runs those that the folder of the plan does not have. A part of
 * anax_search_part needs all points, because each stage follows from all points of the stage before
 * it; the parts share the work. Several processes never run one point at the same time. The caller
 * sets part and parts; the functions set the counts. After an error the counts are unchanged. */
typedef struct anax_sweep_part {
    size_t size;       /* set by ANAX_SWEEP_PART_INIT */
    uint32_t part;     /* 1 … parts */
    uint32_t parts;    /* number of parts, 1 or more */
    size_t points;     /* points that the part needs, those in the folder included */
    size_t all_points; /* points that all parts need; of a search for saturation, at most */
    size_t found;      /* of points: the folder had them, from an earlier run or another part */
    size_t damaged;    /* of points: they were damaged in the folder and were run again */
    size_t failed;     /* of points: they did not finish */
} anax_sweep_part;

/* The only part of a sweep. */
#define ANAX_SWEEP_PART_INIT                                                                       \
    { sizeof(anax_sweep_part), 1, 1, 0, 0, 0, 0, 0 }

#ifdef __cplusplus
}
#endif

#endif
