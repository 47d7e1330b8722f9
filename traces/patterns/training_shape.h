/*
 * What a rank of a training step computes, keeps and exchanges, from the settings by closed
 * formulas (docs/training.md). Private to the traces room.
 */
#ifndef ANAX_TRACES_TRAINING_SHAPE_H
#define ANAX_TRACES_TRAINING_SHAPE_H

#include "core/base/status.h"
#include "core/base/wide.h"
#include "traces/training.h"

/* Settings with the model's numbers filled in (struct training_config). Rank = t + tensor * (c +
 * context * (d + data * p)), where t, c and d are its numbers in the tensor-parallel,
 * context-parallel and data-parallel dimension, and p is its pipeline stage. */
struct training_shape {
    int64_t layers, hidden, feed_forward, heads, key_value_heads, vocabulary, sequence;
    int64_t experts, experts_per_token;
    int64_t matrices; /* of the feed-forward part: 3 if gated, otherwise 2 */
    int64_t tensor, context, data, expert, pipeline, chunks; /* degrees of parallelism; data
                                                                follows from the number of ranks */
    int64_t micro_batch, micro_batches;
    int64_t data_bytes, gradient_bytes; /* of one number */
    training_sharding sharding;
    bool tied; /* embedding and output are one matrix */
    bool sequence_parallel, recompute, overlap;
    int64_t rate_gflops;
};

/* Fills in *shape. STATUS_USAGE: the settings contradict each other or the number of ranks, or a
 * layer is too large; the text says which. */
status_code training_shape_of(const struct training_config *config, uint32_t ranks,
                              struct training_shape *shape, struct status *status);

/* The functions below return what one rank computes, keeps or sends. These return the
 * floating-point operations of a forward pass of one micro-batch; a backward pass has twice as
 * many. */
wide training_projection_operations(const struct training_shape *shape); /* one layer */
/* the part of them that follows attention */
wide training_attention_output_operations(const struct training_shape *shape);
wide training_attention_operations(const struct training_shape *shape);    /* one layer */
wide training_feed_forward_operations(const struct training_shape *shape); /* one layer */
wide training_output_operations(const struct training_shape *shape);       /* of the last stage */
/* Returns the time that a rank needs for a number of floating-point operations; INT64_MAX for
 * 2^62 ps or more. */
int64_t training_time_ps(const struct training_shape *shape, wide operations);

/* These return sizes of one micro-batch. */
uint64_t training_activation_bytes(const struct training_shape *shape); /* a layer's output */
uint64_t training_key_value_bytes(const struct training_shape *shape);  /* keys and values */
uint64_t training_stage_bytes(const struct training_shape *shape);      /* sent to the next stage */
/* Returns the size of the block that a rank sends to each rank of its expert group. */
uint64_t training_expert_block_bytes(const struct training_shape *shape);

/* These return numbers of parameters. */
uint64_t training_dense_parameters(const struct training_shape *shape);  /* a layer's, no experts */
uint64_t training_expert_parameters(const struct training_shape *shape); /* a layer's experts */
uint64_t training_embedding_parameters(const struct training_shape *shape); /* either end */

/* Returns the number of layers in part `part` of the model, of pipeline * chunks parts. */
int64_t training_layers_of_part(const struct training_shape *shape, int64_t part);

/* Returns value / divisor, rounded up. */
static inline uint64_t training_share(uint64_t value, int64_t divisor) {
    return value / (uint64_t)divisor + (value % (uint64_t)divisor != 0);
}

#endif
