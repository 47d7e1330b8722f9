/*
 * Closed formulas of a training step: operations, bytes and parameters of a rank. Must not know
 * programs. docs/training.md has the equations and their sources.
 */
#include "traces/patterns/training_shape.h"
#include "core/base/plural.h"

#include <inttypes.h>

enum { BF16_BYTES = 2, FP32_BYTES = 4 };

/* Returns a number of the model that a setting may replace. */
static int64_t number(int64_t setting, int64_t of_model) {
    return setting == TRAINING_OF_MODEL ? of_model : setting;
}

/* Returns whether a property holds that a training_choice may replace. */
static bool is_on(int32_t choice, bool of_model) {
    return choice == TRAINING_CHOICE_OF_MODEL ? of_model : choice == TRAINING_CHOICE_ON;
}

/* Sets all members of a shape but the data-parallel ranks. */
static void fill_in(const struct training_config *config, struct training_shape *shape) {
    const struct training_model *model = &training_models()[config->model];
    bool gated = is_on(config->gated, model->gated), tied = is_on(config->tied, model->tied);
    *shape = (struct training_shape){
        .layers = number(config->layers, model->layers),
        .hidden = number(config->hidden, model->hidden),
        .feed_forward = number(config->feed_forward, model->feed_forward),
        .heads = number(config->heads, model->heads),
        .key_value_heads = number(config->key_value_heads, model->key_value_heads),
        .vocabulary = number(config->vocabulary, model->vocabulary),
        .sequence = number(config->sequence, model->sequence),
        .experts = number(config->experts, model->experts),
        .experts_per_token = number(config->experts_per_token, model->experts_per_token),
        .matrices = gated ? 3 : 2,
        .tied = tied,
        .tensor = config->tensor,
        .context = config->context,
        .expert = config->expert,
        .pipeline = config->pipeline,
        .chunks = config->chunks,
        .micro_batch = config->micro_batch,
        .micro_batches = config->micro_batches,
        .data_bytes = config->data_type == TRAINING_DATA_BF16 ? BF16_BYTES : FP32_BYTES,
        .gradient_bytes = config->gradient_type == TRAINING_GRADIENT_FP32 ? FP32_BYTES : BF16_BYTES,
        .sharding = (training_sharding)config->sharding,
        .sequence_parallel = config->sequence_parallel,
        .recompute = config->recompute,
        .overlap = config->overlap,
        .rate_gflops = config->rate_gflops};
}

static status_code check_model(const struct training_shape *shape, struct status *status) {
    RETURN_ERROR_IF(shape->heads % shape->tensor != 0, status, STATUS_USAGE,
                    "training.tensor is %" PRId64 ", which does not divide the %" PRId64
                    " attention heads; choose a divisor of them",
                    shape->tensor, shape->heads);
    RETURN_ERROR_IF(shape->key_value_heads > shape->heads, status, STATUS_USAGE,
                    "training.key_value_heads is %" PRId64 ", more than the %" PRId64
                    " attention heads; lower it",
                    shape->key_value_heads, shape->heads);
    RETURN_ERROR_IF(shape->sequence % shape->context != 0, status, STATUS_USAGE,
                    "training.context is %" PRId64 ", which does not divide a sequence of %" PRId64
                    " tokens",
                    shape->context, shape->sequence);
    RETURN_ERROR_IF(shape->experts_per_token > shape->experts, status, STATUS_USAGE,
                    "training.experts_per_token is %" PRId64 ", but a layer has %" PRId64
                    " expert%s",
                    shape->experts_per_token, shape->experts, plural((uint64_t)shape->experts));
    RETURN_ERROR_IF(shape->experts % shape->expert != 0, status, STATUS_USAGE,
                    "training.expert is %" PRId64 ", which does not divide the %" PRId64
                    " expert%s of a layer",
                    shape->expert, shape->experts, plural((uint64_t)shape->experts));
    RETURN_ERROR_IF(
        shape->expert > 1 && shape->tensor > 1 && !shape->sequence_parallel, status, STATUS_USAGE,
        "training.expert and training.tensor together need "
        "training.sequence_parallel=on: otherwise every tensor-parallel rank would send "
        "the same tokens");
    return STATUS_OK;
}

static status_code check_pipeline(const struct training_shape *shape, struct status *status) {
    int64_t parts = shape->pipeline * shape->chunks;
    RETURN_ERROR_IF(shape->layers < parts, status, STATUS_USAGE,
                    "%" PRId64 " layer%s cannot be divided into %" PRId64
                    " parts (training.pipeline x training.chunks); lower one of these",
                    shape->layers, plural((uint64_t)shape->layers), parts);
    RETURN_ERROR_IF(shape->chunks > 1 && shape->pipeline == 1, status, STATUS_USAGE,
                    "training.chunks is %" PRId64 ", but there is only one pipeline stage; raise "
                    "training.pipeline, or leave training.chunks out",
                    shape->chunks);
    RETURN_ERROR_IF(
        shape->chunks > 1 && shape->micro_batches % shape->pipeline != 0, status, STATUS_USAGE,
        "the interleaved schedule (training.chunks=%" PRId64 ") needs a multiple of the %" PRId64
        " pipeline stages as training.micro_batches, not %" PRId64,
        shape->chunks, shape->pipeline, shape->micro_batches);
    return STATUS_OK;
}

status_code training_shape_of(const struct training_config *config, uint32_t ranks,
                              struct training_shape *shape, struct status *status) {
    fill_in(config, shape);
    int64_t replica = shape->tensor * shape->context * shape->pipeline; /* at most 2^48 */
    RETURN_ERROR_IF(
        ranks % replica != 0, status, STATUS_USAGE,
        "%u rank%s cannot be divided into replicas of %" PRId64
        " (training.tensor x training.context x training.pipeline); set generate.ranks to a "
        "multiple of that",
        ranks, plural(ranks), replica);
    shape->data = ranks / replica;
    RETURN_ERROR_IF(shape->data % shape->expert != 0, status, STATUS_USAGE,
                    "training.expert is %" PRId64 ", which does not divide the %" PRId64
                    " data-parallel replica%s; choose a divisor of that",
                    shape->expert, shape->data, plural((uint64_t)shape->data));
    FORWARD_IF_ERROR(check_model(shape, status));
    FORWARD_IF_ERROR(check_pipeline(shape, status));
    RETURN_ERROR_IF(training_time_ps(shape, training_feed_forward_operations(shape)) > INT64_C(1)
                                                                                           << 52 ||
                        training_activation_bytes(shape) >> 44 != 0 ||
                        training_expert_parameters(shape) >> 44 != 0 ||
                        training_embedding_parameters(shape) >> 44 != 0,
                    status, STATUS_USAGE,
                    "a layer of this model is too large: a micro-batch would take longer than an "
                    "hour, or have more than 16 TiB");
    return STATUS_OK;
}

/* Tokens of a micro-batch that a rank has. */
static wide tokens(const struct training_shape *shape) {
    return (uint64_t)shape->micro_batch * (wide)(shape->sequence / shape->context);
}

/* Width of the keys, and of the values, of all heads. */
static wide key_value_width(const struct training_shape *shape) {
    return (wide)shape->hidden * (uint64_t)shape->key_value_heads / (uint64_t)shape->heads;
}

wide training_projection_operations(const struct training_shape *shape) {
    wide hidden = (uint64_t)shape->hidden;
    return tokens(shape) * 4u * hidden * (hidden + key_value_width(shape)) /
           (uint64_t)shape->tensor;
}

wide training_attention_output_operations(const struct training_shape *shape) {
    wide hidden = (uint64_t)shape->hidden;
    return tokens(shape) * 2u * hidden * hidden / (uint64_t)shape->tensor;
}

wide training_attention_operations(const struct training_shape *shape) {
    return tokens(shape) * 4u * (uint64_t)shape->sequence * (uint64_t)shape->hidden /
           (uint64_t)shape->tensor;
}

wide training_feed_forward_operations(const struct training_shape *shape) {
    wide matrices = tokens(shape) * 2u * (uint64_t)shape->matrices * (uint64_t)shape->hidden *
                    (uint64_t)shape->feed_forward * (uint64_t)shape->experts_per_token /
                    (uint64_t)shape->tensor;
    wide choice = shape->experts > 1 ? tokens(shape) * 2u * (uint64_t)shape->hidden *
                                           (uint64_t)shape->experts / (uint64_t)shape->tensor
                                     : 0;
    return matrices + choice;
}

wide training_output_operations(const struct training_shape *shape) {
    return tokens(shape) * 2u * (uint64_t)shape->hidden * (uint64_t)shape->vocabulary /
           (uint64_t)shape->tensor;
}

int64_t training_time_ps(const struct training_shape *shape, wide operations) {
    wide time_ps = operations * 1000u / (uint64_t)shape->rate_gflops;
    return time_ps >> 62 != 0 ? INT64_MAX : (int64_t)time_ps;
}

uint64_t training_activation_bytes(const struct training_shape *shape) {
    return (uint64_t)(tokens(shape) * (uint64_t)shape->hidden * (uint64_t)shape->data_bytes);
}

uint64_t training_key_value_bytes(const struct training_shape *shape) {
    wide all = 2u * tokens(shape) * key_value_width(shape) * (uint64_t)shape->data_bytes;
    return training_share((uint64_t)all, shape->tensor);
}

uint64_t training_stage_bytes(const struct training_shape *shape) {
    return training_share(training_activation_bytes(shape),
                          shape->sequence_parallel ? shape->tensor : 1);
}

uint64_t training_expert_block_bytes(const struct training_shape *shape) {
    uint64_t sent = training_stage_bytes(shape) * (uint64_t)shape->experts_per_token;
    return training_share(sent, shape->expert);
}

/* Parameters of the feed-forward part of one expert, or of a dense layer. */
static uint64_t feed_forward_parameters(const struct training_shape *shape) {
    return (uint64_t)((wide)shape->matrices * (uint64_t)shape->hidden *
                      (uint64_t)shape->feed_forward / (uint64_t)shape->tensor);
}

uint64_t training_dense_parameters(const struct training_shape *shape) {
    wide hidden = (uint64_t)shape->hidden;
    wide attention = 2u * hidden * (hidden + key_value_width(shape)) / (uint64_t)shape->tensor;
    wide rest =
        shape->experts > 1 ? hidden * (uint64_t)shape->experts : feed_forward_parameters(shape);
    return (uint64_t)(attention + rest + 2u * hidden); /* 2 hidden: normalisations */
}

uint64_t training_expert_parameters(const struct training_shape *shape) {
    if (shape->experts == 1) return 0;
    return feed_forward_parameters(shape) * (uint64_t)(shape->experts / shape->expert);
}

uint64_t training_embedding_parameters(const struct training_shape *shape) {
    return training_share((uint64_t)shape->vocabulary * (uint64_t)shape->hidden, shape->tensor);
}

int64_t training_layers_of_part(const struct training_shape *shape, int64_t part) {
    int64_t parts = shape->pipeline * shape->chunks;
    return shape->layers / parts + (part < shape->layers % parts ? 1 : 0);
}
