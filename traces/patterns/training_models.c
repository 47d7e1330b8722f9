/* The settings training.*, and the published models whose numbers they start from. */
#include "traces/training.h"

/* The models, as rows of training_models. */
#define TRAINING_MODELS(X)                                                                         \
    X("gpt2-124m", "GPT-2, 124 million parameters (Radford et al. 2019, table 2)", .layers = 12,   \
      .hidden = 768, .feed_forward = 3072, .heads = 12, .key_value_heads = 12,                     \
      .vocabulary = 50257, .sequence = 1024, .experts = 1, .experts_per_token = 1, .gated = false, \
      .tied = true)                                                                                \
    X("gpt3-175b", "GPT-3, 175 billion parameters (Brown et al. 2020, table 2.1)", .layers = 96,   \
      .hidden = 12288, .feed_forward = 49152, .heads = 96, .key_value_heads = 96,                  \
      .vocabulary = 50257, .sequence = 2048, .experts = 1, .experts_per_token = 1, .gated = false, \
      .tied = true)                                                                                \
    X("llama2-7b", "Llama 2, 7 billion parameters (Touvron et al. 2023)", .layers = 32,            \
      .hidden = 4096, .feed_forward = 11008, .heads = 32, .key_value_heads = 32,                   \
      .vocabulary = 32000, .sequence = 4096, .experts = 1, .experts_per_token = 1, .gated = true)  \
    X("llama3-8b", "Llama 3.1, 8 billion parameters (Grattafiori et al. 2024, table 3)",           \
      .layers = 32, .hidden = 4096, .feed_forward = 14336, .heads = 32, .key_value_heads = 8,      \
      .vocabulary = 128256, .sequence = 8192, .experts = 1, .experts_per_token = 1, .gated = true) \
    X("llama3-70b", "Llama 3.1, 70 billion parameters (Grattafiori et al. 2024, table 3)",         \
      .layers = 80, .hidden = 8192, .feed_forward = 28672, .heads = 64, .key_value_heads = 8,      \
      .vocabulary = 128256, .sequence = 8192, .experts = 1, .experts_per_token = 1, .gated = true) \
    X("llama3-405b", "Llama 3.1, 405 billion parameters (Grattafiori et al. 2024, table 3)",       \
      .layers = 126, .hidden = 16384, .feed_forward = 53248, .heads = 128, .key_value_heads = 8,   \
      .vocabulary = 128256, .sequence = 8192, .experts = 1, .experts_per_token = 1, .gated = true) \
    X("mixtral-8x7b", "Mixtral, 8 experts, 47 billion parameters (Jiang et al. 2024, table 1)",    \
      .layers = 32, .hidden = 4096, .feed_forward = 14336, .heads = 32, .key_value_heads = 8,      \
      .vocabulary = 32000, .sequence = 32768, .experts = 8, .experts_per_token = 2, .gated = true)

const struct training_model *training_models(void) {
    static const struct training_model rows[] = {
#define ROW(model, about, ...) {.name = model, .help = about, __VA_ARGS__},
        TRAINING_MODELS(ROW)
#undef ROW
            {.name = NULL}};
    return rows;
}

#define NAME(name, ...) name,
SETTING_CHOICES(model_names, TRAINING_MODELS(NAME) NULL)
#undef NAME
SETTING_CHOICES(model_words, "model")
SETTING_CHOICES(of_model_names, "model", "off", "on")
SETTING_CHOICES(data_type_names, "bf16", "fp32")
SETTING_CHOICES(gradient_type_names, "fp32", "bf16")
SETTING_CHOICES(sharding_names, "none", "optimiser", "full")

#define AT(member) offsetof(struct training_config, member)

/* NOLINTBEGIN(bugprone-macro-parentheses): texts are joined, and AT takes the name of a member */
/* A number of the model, which replaces the published one. */
#define OF_MODEL(text, member, max, what)                                                          \
    {                                                                                              \
        .name = "training." text, .kind = SETTING_COUNT, .offset = AT(member), .minimum = 1,       \
        .maximum = max, .initial = "model", .choices = model_words, .help = what                   \
    }

#define COUNT(text, member, max, by_default, what)                                                 \
    {                                                                                              \
        .name = "training." text, .kind = SETTING_COUNT, .offset = AT(member), .minimum = 1,       \
        .maximum = max, .initial = by_default, .help = what                                        \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

const struct setting_row training_setting_rows[] = {
    {.name = "training.model",
     .kind = SETTING_CHOICE,
     .offset = AT(model),
     .initial = "gpt2-124m",
     .choices = model_names,
     .help = "published model whose numbers count where a setting says `model`: anax list models"},
    OF_MODEL("layers", layers, 100000, "transformer layers"),
    OF_MODEL("hidden", hidden, 1 << 20, "width of the hidden state"),
    OF_MODEL("feed_forward", feed_forward, 1 << 22, "width of the feed-forward part of a layer"),
    OF_MODEL("heads", heads, 1 << 16, "attention heads of a layer"),
    OF_MODEL("key_value_heads", key_value_heads, 1 << 16, "key and value heads of a layer"),
    OF_MODEL("vocabulary", vocabulary, 1 << 24, "number of tokens in the vocabulary"),
    OF_MODEL("sequence", sequence, 1 << 24, "number of tokens in a sequence"),
    OF_MODEL("experts", experts, 1 << 16, "number of experts of a layer; 1: a dense model"),
    OF_MODEL("experts_per_token", experts_per_token, 1 << 16,
             "number of experts that each token goes to"),
    {.name = "training.gated",
     .kind = SETTING_CHOICE,
     .offset = AT(gated),
     .initial = "model",
     .choices = of_model_names,
     .help = "whether the feed-forward part has three matrices (gated) or two"},
    {.name = "training.tied",
     .kind = SETTING_CHOICE,
     .offset = AT(tied),
     .initial = "model",
     .choices = of_model_names,
     .help = "whether the embedding and the output are one matrix (tied) or two"},
    COUNT("tensor", tensor, 1 << 16, "1", "ranks that share each layer (tensor parallelism)"),
    COUNT("context", context, 1 << 16, "1",
          "ranks that share each sequence (context parallelism, ring attention)"),
    COUNT("expert", expert, 1 << 16, "1",
          "data-parallel ranks that share the experts of a layer (expert parallelism)"),
    COUNT("pipeline", pipeline, 1 << 16, "1",
          "pipeline stages; the rest of the ranks are data "
          "parallel: ranks / (tensor x context x pipeline)"),
    COUNT("chunks", chunks, 1 << 16, "1",
          "parts of the model on each stage, for the interleaved pipeline schedule"),
    COUNT("micro_batch", micro_batch, 1 << 20, "1", "sequences of a micro-batch"),
    COUNT("micro_batches", micro_batches, 1 << 20, "8",
          "micro-batches of a step, for each data-parallel replica"),
    {.name = "training.data_type",
     .kind = SETTING_CHOICE,
     .offset = AT(data_type),
     .initial = "bf16",
     .choices = data_type_names,
     .help = "type of parameters and activations"},
    {.name = "training.gradient_type",
     .kind = SETTING_CHOICE,
     .offset = AT(gradient_type),
     .initial = "fp32",
     .choices = gradient_type_names,
     .help = "type in which gradients are summed"},
    {.name = "training.sharding",
     .kind = SETTING_CHOICE,
     .offset = AT(sharding),
     .initial = "none",
     .choices = sharding_names,
     .help = "what data-parallel ranks divide among them; none: nothing; optimiser: the "
             "optimiser's state; full: also parameters and gradients"},
    {.name = "training.sequence_parallel",
     .kind = SETTING_SWITCH,
     .offset = AT(sequence_parallel),
     .initial = "off",
     .help = "whether tensor-parallel ranks divide the tokens between layers' parts, with "
             "all-gathers and reduce-scatters in place of allreduces"},
    {.name = "training.recompute",
     .kind = SETTING_SWITCH,
     .offset = AT(recompute),
     .initial = "off",
     .help = "whether each layer's forward pass is computed again before its backward pass"},
    {.name = "training.overlap",
     .kind = SETTING_SWITCH,
     .offset = AT(overlap),
     .initial = "on",
     .help = "whether receives, gathers of parameters and sums of gradients start before their "
             "results are needed, beside computation"},
    COUNT("rate", rate_gflops, INT64_C(1000000000), "400000",
          "achieved speed of a rank in 10^9 operations per second (Llama 3.1 405B: 380,000 to "
          "430,000 on an H100, Grattafiori et al. 2024, table 4)"),
};

const size_t training_setting_count = sizeof training_setting_rows / sizeof *training_setting_rows;

status_code training_set_defaults(struct training_config *config, struct status *status) {
    struct setting_section section = {training_setting_rows, training_setting_count, config};
    struct settings settings = {&section, 1};
    return settings_set_defaults(&settings, status);
}
