/*
 * A step of distributed training of a transformer: its settings, and what follows from them by
 * closed formulas. docs/training.md has the equations and their sources. Public header of the
 * traces room.
 */
#ifndef ANAX_TRACES_TRAINING_H
#define ANAX_TRACES_TRAINING_H

#include "core/settings/settings.h"

/* Value of a member of training_config that stands for the model's own number. */
#define TRAINING_OF_MODEL (-1)

typedef enum training_sharding {
    TRAINING_UNSHARDED,         /* every rank of a data group keeps all of its parameters */
    TRAINING_SHARDED_OPTIMISER, /* gradients are scattered, updated parameters gathered */
    TRAINING_SHARDED_FULLY      /* parameters are gathered where a layer needs them */
} training_sharding;

/* Values of a setting that replaces a property of the model, in the order of its choices. */
typedef enum training_choice {
    TRAINING_CHOICE_OF_MODEL, /* as the model has it */
    TRAINING_CHOICE_OFF,
    TRAINING_CHOICE_ON
} training_choice;

/* Types of numbers, in the order of each setting's choices. */
typedef enum training_data_type { TRAINING_DATA_BF16, TRAINING_DATA_FP32 } training_data_type;
typedef enum training_gradient_type {
    TRAINING_GRADIENT_FP32,
    TRAINING_GRADIENT_BF16
} training_gradient_type;

/* Settings training.*. Numbers of the model are TRAINING_OF_MODEL or at least 1. */
struct training_config {
    int32_t model; /* index of training_models() */
    int64_t layers, hidden, feed_forward, heads, key_value_heads, vocabulary, sequence;
    int64_t experts, experts_per_token; /* experts of each layer (1: layers have none), and experts
                                           that a token goes to */
    int32_t gated, tied;                /* training_choice */
    int64_t tensor, context, expert, pipeline; /* degrees of parallelism */
    int64_t chunks;         /* parts of the model on each pipeline stage, interleaved */
    int64_t micro_batch;    /* sequences of a micro-batch */
    int64_t micro_batches;  /* micro-batches of each data-parallel replica in a step */
    int32_t data_type;      /* a training_data_type, of parameters and activations */
    int32_t gradient_type;  /* a training_gradient_type, in which gradients are summed */
    int32_t sharding;       /* a training_sharding */
    bool sequence_parallel; /* tensor-parallel ranks divide the tokens between a layer's parts */
    bool recompute;         /* the backward pass of a layer repeats its forward pass */
    bool overlap;           /* ranks communicate while they compute */
    int64_t rate_gflops;    /* floating-point operations per second of a rank, in 10^9 */
};

/* Sets all members to their defaults. */
status_code training_set_defaults(struct training_config *config, struct status *status);

extern const struct setting_row training_setting_rows[];
extern const size_t training_setting_count;

/* A published model. */
struct training_model {
    const char *name;
    const char *help; /* its size and source */
    int64_t layers, hidden, feed_forward, heads, key_value_heads, vocabulary, sequence;
    int64_t experts, experts_per_token;
    bool gated; /* the feed-forward part has three matrices, otherwise two */
    bool tied;  /* embedding and output are one matrix */
};

/* Returns the table of models. Its last row has the name NULL. */
const struct training_model *training_models(void);

#endif
