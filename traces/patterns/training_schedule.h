/*
 * The order in which a pipeline stage works on micro-batches: one forward, one backward (1F1B), and
 * its interleaved form. Private to the traces room.
 */
#ifndef ANAX_TRACES_TRAINING_SCHEDULE_H
#define ANAX_TRACES_TRAINING_SCHEDULE_H

#include "traces/patterns/training_shape.h"

/* The forward or backward pass of one micro-batch through one part of the model on a stage. */
struct training_unit {
    uint32_t chunk; /* number of the part among those of the stage */
    bool is_forward;
    bool is_last; /* backward: of the last micro-batch, so that the part's gradients are complete */
};

/* Returns the number of units that each stage has in a step. */
uint32_t training_units(const struct training_shape *shape);

/* Returns [stage · units + i]: the units of all stages in their order, coded; NULL: out of memory.
 * training_unit_of decodes one. The caller frees it. */
uint32_t *training_schedule(const struct training_shape *shape);
/* Returns the unit that a code of training_schedule stands for. */
struct training_unit training_unit_of(const struct training_shape *shape, uint32_t code);

/* The tag of keys and values on the ring of context-parallel ranks. */
enum { TRAINING_RING_TAG = 0 };
/* Returns the tag of what a part of the model (docs/training.md) starts from, in the forward or the
 * backward pass. */
static inline int32_t training_stage_tag(bool is_forward, uint32_t part) {
    return (int32_t)(1 + 2 * part + (is_forward ? 0 : 1));
}

#endif
