/* Steps of training: bytes of every kind of parallelism against closed forms, refusals. */
#include "traces/program/program.h"
#include "traces/traces.h"
#include "traces/training.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* A small model: 8 layers of width 64, 4 heads of which 2 have keys and values, 16 tokens. */
static struct training_config base(void) {
    struct training_config config;
    struct status status = STATUS_INIT;
    assert_int_equal(training_set_defaults(&config, &status), STATUS_OK);
    config.layers = 8, config.hidden = 64, config.feed_forward = 128, config.heads = 4;
    config.key_value_heads = 2, config.vocabulary = 1000, config.sequence = 16;
    config.experts = config.experts_per_token = 1;
    config.gated = TRAINING_CHOICE_OFF; /* two matrices */
    config.tied = TRAINING_CHOICE_OFF;  /* two matrices at the ends */
    config.micro_batches = 4;
    config.rate_gflops = 1;
    return config;
}

struct traffic {
    uint64_t messages, message_bytes;         /* of all ranks */
    uint64_t calls[PROGRAM_COLLECTIVE_KINDS]; /* of all ranks, without MPI_COMM_WORLD */
    uint64_t bytes[PROGRAM_COLLECTIVE_KINDS]; /* sum of send_bytes of these calls */
    uint64_t least_bytes;                     /* that collectives send, the world's included */
    int64_t compute_ps;
};

static struct traffic traffic_of(const struct training_config *training, uint32_t ranks) {
    struct traces_pattern_config config = {
        .rank_count = ranks, .iterations = 1, .training = training};
    struct program *program = NULL;
    struct status status = STATUS_INIT;
    if (traces_generate(&program, "training", &config, &status) != STATUS_OK)
        fail_msg("%s", status.text);
    if (program_check(program, &status) != STATUS_OK) fail_msg("%s", status.text);
    assert_int_equal(program->unmatched_sends, 0);
    assert_int_equal(program->unmatched_receives, 0);
    struct program_totals totals;
    program_totals_compute(program, &totals);
    struct traffic traffic = {.messages = totals.messages,
                              .message_bytes = (uint64_t)totals.message_bytes,
                              .least_bytes = (uint64_t)totals.collective_bytes,
                              .compute_ps = (int64_t)totals.compute_ps};
    for (uint64_t i = 0; i < program->operation_count; i++) {
        const struct program_operation *operation = &program->operations[i];
        if (operation->kind != OPERATION_COLLECTIVE) continue;
        const struct program_collective_arguments *arguments =
            &program->collective_arguments[operation->collective.arguments];
        if (arguments->communicator == 0) continue;
        traffic.calls[arguments->kind]++;
        traffic.bytes[arguments->kind] += arguments->send_bytes;
    }
    program_free(program);
    return traffic;
}

enum { ACTIVATION = 16 * 64 * 2 }; /* bytes */
/* Parameters of a layer: queries and outputs 2 · 64², keys and values 2 · 64 · 32, two matrices of
 * 64 x 128, two normalisations of 64. */
enum { LAYER = 2 * 64 * 64 + 2 * 64 * 32 + 2 * 64 * 128 + 2 * 64, EMBEDDING = 1000 * 64 };

static void one_rank_only_computes(void **state) {
    (void)state;
    struct training_config config = base();
    struct traffic traffic = traffic_of(&config, 1);
    assert_int_equal(traffic.messages, 0);
    for (int k = 0; k < PROGRAM_COLLECTIVE_KINDS; k++)
        assert_int_equal(traffic.calls[k], 0);
    /* operations of a forward pass; 10^9 operations take a second, so one takes 1000 ps */
    int64_t layer = 16 * 4 * 64 * (64 + 32) + 16 * 4 * 16 * 64 + 16 * 4 * 64 * 128;
    int64_t forward = 8 * layer + 16 * 2 * 64 * 1000;
    assert_int_equal(traffic.compute_ps, 4 * 3 * forward * 1000);
    config.recompute = true;
    assert_int_equal(traffic_of(&config, 1).compute_ps, 4 * (3 * forward + 8 * layer) * 1000);
}

static void tensor_parallelism_has_the_closed_form(void **state) {
    (void)state;
    struct training_config config = base();
    config.tensor = 4;
    struct traffic traffic = traffic_of(&config, 4);
    /* 4 allreduces for a layer and micro-batch, and one each for embedding and output */
    uint64_t calls = 4 * (4 * 8 + 2);
    assert_int_equal(traffic.calls[PROGRAM_COLLECTIVE_ALLREDUCE], 4 * calls);
    assert_int_equal(traffic.bytes[PROGRAM_COLLECTIVE_ALLREDUCE], 4 * calls * ACTIVATION);
    int64_t compute_ps = traffic.compute_ps;
    config.sequence_parallel = true;
    /* An allreduce is a reduce-scatter and an all-gather. Each part of a layer and the output
     * gather their input once more for the gradients of their matrices. */
    uint64_t gathers = calls + 4 * (2 * 8 + 1);
    for (int overlap = 0; overlap < 2; overlap++) {
        config.overlap = overlap == 1;
        traffic = traffic_of(&config, 4);
        assert_int_equal(traffic.calls[PROGRAM_COLLECTIVE_ALLREDUCE], 0);
        assert_int_equal(traffic.calls[PROGRAM_COLLECTIVE_ALLGATHER], 4 * gathers);
        assert_int_equal(traffic.bytes[PROGRAM_COLLECTIVE_ALLGATHER], 4 * gathers * ACTIVATION / 4);
        assert_int_equal(traffic.calls[PROGRAM_COLLECTIVE_REDUCE_SCATTER_BLOCK], 4 * calls);
        assert_int_equal(traffic.bytes[PROGRAM_COLLECTIVE_REDUCE_SCATTER_BLOCK],
                         4 * calls * ACTIVATION / 4);
        assert_true(compute_ps == traffic.compute_ps);
    }
    config.recompute = true; /* gathers and sums of a forward pass once more */
    traffic = traffic_of(&config, 4);
    assert_int_equal(traffic.calls[PROGRAM_COLLECTIVE_ALLGATHER], 4 * (gathers + 4 * 2 * 8));
    assert_int_equal(traffic.calls[PROGRAM_COLLECTIVE_REDUCE_SCATTER_BLOCK],
                     4 * (calls + 4 * 2 * 8));
}

static void context_parallelism_has_the_closed_form(void **state) {
    (void)state;
    struct training_config config = base();
    config.context = 4;
    struct traffic traffic = traffic_of(&config, 4);
    /* Keys and values of a quarter of the tokens make three turns forward; backward as many with
     * their gradients. */
    uint64_t turns = 4 * 3 * 8 * 4; /* ranks, turns, layers, micro-batches */
    assert_int_equal(traffic.messages, 2 * turns);
    assert_int_equal(traffic.message_bytes, turns * 3 * (2 * 4 * 32 * 2));
    /* all ranks have the same parameters */
    assert_int_equal(traffic.bytes[PROGRAM_COLLECTIVE_ALLREDUCE],
                     4 * 4 * (8 * LAYER + 2 * EMBEDDING));
}

static void data_parallelism_has_the_closed_form(void **state) {
    (void)state;
    struct training_config config = base();
    struct traffic traffic = traffic_of(&config, 4);
    uint64_t parameters = 8 * LAYER + 2 * EMBEDDING;
    assert_int_equal(traffic.messages, 0);
    assert_int_equal(traffic.calls[PROGRAM_COLLECTIVE_ALLREDUCE], 4 * (8 + 2));
    assert_int_equal(traffic.bytes[PROGRAM_COLLECTIVE_ALLREDUCE], 4 * 4 * parameters);
    assert_int_equal(traffic.least_bytes, 4 * 4 * (parameters + 1)); /* and the norm */
    config.overlap = false;
    assert_int_equal(traffic_of(&config, 4).bytes[PROGRAM_COLLECTIVE_ALLREDUCE],
                     4 * 4 * parameters);
    config.sharding = TRAINING_SHARDED_OPTIMISER; /* blocks of a quarter */
    traffic = traffic_of(&config, 4);
    assert_int_equal(traffic.calls[PROGRAM_COLLECTIVE_ALLREDUCE], 0);
    assert_int_equal(traffic.bytes[PROGRAM_COLLECTIVE_REDUCE_SCATTER_BLOCK], 4 * parameters);
    assert_int_equal(traffic.calls[PROGRAM_COLLECTIVE_ALLGATHER], 4);
    assert_int_equal(traffic.bytes[PROGRAM_COLLECTIVE_ALLGATHER], 2 * parameters);
    /* each of four ranks gives blocks to three, of gradients and of parameters */
    assert_int_equal(traffic.least_bytes, 3 * (4 + 2) * parameters + 4 * 4);
    for (int overlap = 0; overlap < 2; overlap++) { /* everything, for each micro-batch */
        config.sharding = TRAINING_SHARDED_FULLY;
        config.overlap = overlap == 1;
        traffic = traffic_of(&config, 4);
        /* each parameter is gathered forward and backward, and its gradient scattered */
        assert_int_equal(traffic.calls[PROGRAM_COLLECTIVE_ALLGATHER], 4 * 4 * 2 * (8 + 2));
        assert_int_equal(traffic.bytes[PROGRAM_COLLECTIVE_ALLGATHER], 4 * 2 * 2 * parameters);
        assert_int_equal(traffic.calls[PROGRAM_COLLECTIVE_REDUCE_SCATTER_BLOCK], 4 * 4 * (8 + 2));
        assert_int_equal(traffic.bytes[PROGRAM_COLLECTIVE_REDUCE_SCATTER_BLOCK],
                         4 * 4 * parameters);
    }
}

/* On one stage, a tied matrix is summed, scattered and gathered once. */
static void tied_embeddings_are_one_matrix(void **state) {
    (void)state;
    struct training_config config = base();
    config.tied = TRAINING_CHOICE_ON;
    uint64_t parameters = 8 * LAYER + EMBEDDING;
    struct traffic traffic = traffic_of(&config, 4);
    assert_int_equal(traffic.calls[PROGRAM_COLLECTIVE_ALLREDUCE], 4 * (8 + 1));
    assert_int_equal(traffic.bytes[PROGRAM_COLLECTIVE_ALLREDUCE], 4 * 4 * parameters);
    assert_int_equal(traffic.messages, 0);
    config.sharding = TRAINING_SHARDED_OPTIMISER;
    traffic = traffic_of(&config, 4);
    assert_int_equal(traffic.bytes[PROGRAM_COLLECTIVE_REDUCE_SCATTER_BLOCK], 4 * parameters);
    assert_int_equal(traffic.bytes[PROGRAM_COLLECTIVE_ALLGATHER], 2 * parameters);
    for (int overlap = 0; overlap < 2; overlap++) {
        config.sharding = TRAINING_SHARDED_FULLY;
        config.overlap = overlap == 1;
        traffic = traffic_of(&config, 4);
        assert_int_equal(traffic.bytes[PROGRAM_COLLECTIVE_ALLGATHER], 4 * 2 * 2 * parameters);
        assert_int_equal(traffic.bytes[PROGRAM_COLLECTIVE_REDUCE_SCATTER_BLOCK],
                         4 * 4 * parameters);
    }
}

/* On two stages, both have a copy, and send each other the sums of their gradients. */
static void tied_embeddings_of_two_stages_are_summed(void **state) {
    (void)state;
    struct training_config config = base();
    config.pipeline = 4;
    struct traffic untied = traffic_of(&config, 8);
    for (int32_t sharding = TRAINING_UNSHARDED; sharding <= TRAINING_SHARDED_FULLY; sharding++) {
        config.tied = TRAINING_CHOICE_ON;
        config.sharding = sharding;
        struct traffic tied = traffic_of(&config, 8);
        assert_int_equal(tied.messages, untied.messages + 4);
        uint64_t share = sharding == TRAINING_UNSHARDED ? 1 : 2; /* two replicas */
        assert_int_equal(tied.message_bytes, untied.message_bytes + 4 * 4 * EMBEDDING / share);
    }
    config.sharding = TRAINING_UNSHARDED;
    assert_int_equal(traffic_of(&config, 8).bytes[PROGRAM_COLLECTIVE_ALLREDUCE],
                     untied.bytes[PROGRAM_COLLECTIVE_ALLREDUCE]);
}

static void expert_parallelism_has_the_closed_form(void **state) {
    (void)state;
    struct training_config config = base();
    config.experts = 8;
    config.experts_per_token = 2;
    config.expert = 2;
    struct traffic traffic = traffic_of(&config, 4);
    /* Tokens go to experts and back, forward and backward; each rank of two gets half of them. */
    assert_int_equal(traffic.calls[PROGRAM_COLLECTIVE_ALLTOALL], 4 * 4 * 8 * 4);
    assert_int_equal(traffic.bytes[PROGRAM_COLLECTIVE_ALLTOALL],
                     4 * 4 * 8 * 4 * (uint64_t)(ACTIVATION * 2 / 2));
    /* Experts: 4 of 8 on each rank, summed over two ranks; the rest over four, with a choice of
     * experts of 64 x 8. */
    uint64_t dense = 8 * (LAYER - 2 * 64 * 128 + 64 * 8) + 2 * EMBEDDING;
    uint64_t experts = 8 * 4 * 2 * 64 * 128;
    assert_int_equal(traffic.bytes[PROGRAM_COLLECTIVE_ALLREDUCE], 4 * 4 * (dense + experts));
}

static void pipelines_have_the_closed_form(void **state) {
    (void)state;
    for (int64_t chunks = 1; chunks <= 2; chunks++)
        for (int64_t stages = 2; stages <= 4; stages++)
            for (int64_t replicas = 1; replicas <= 2; replicas++) {
                struct training_config config = base();
                config.pipeline = stages;
                config.chunks = chunks;
                config.micro_batches = 3 * stages;
                uint32_t ranks = (uint32_t)(stages * replicas);
                struct traffic traffic = traffic_of(&config, ranks);
                uint64_t borders = (uint64_t)(stages * chunks - 1);
                uint64_t messages =
                    2 * borders * (uint64_t)config.micro_batches * (uint64_t)replicas;
                assert_int_equal(traffic.messages, messages);
                assert_int_equal(traffic.message_bytes, messages * ACTIVATION);
                uint64_t summed = replicas == 1 ? 0 : 2ull * 4 * (8 * LAYER + 2 * EMBEDDING);
                assert_int_equal(traffic.bytes[PROGRAM_COLLECTIVE_ALLREDUCE], summed);
            }
}

/* All together: what is divided by one kind of parallelism is divided by all. */
static void all_kinds_together_divide_the_bytes(void **state) {
    (void)state;
    struct training_config config = base();
    config.experts = 4, config.experts_per_token = 1;
    config.tensor = 2, config.context = 2, config.pipeline = 2, config.expert = 2;
    config.chunks = 2;
    config.sequence_parallel = true;
    const uint64_t ranks = 32, tensor = 2, context = 2, stages = 2, chunks = 2, micro_batches = 4;
    struct traffic traffic = traffic_of(&config, (uint32_t)ranks);
    /* Forward and backward, each micro-batch crosses the borders between the parts of the model in
     * each of the pipelines. Tokens are divided by context and tensor. */
    uint64_t crossings = 2 * micro_batches * (stages * chunks - 1) * (ranks / stages);
    uint64_t crossing_bytes = ACTIVATION / context / tensor;
    /* Each rank has the layers of its stage. Their keys and values, 2 · 32 numbers of 2 bytes for a
     * token and layer, make one turn forward, and with their gradients one of twice the size
     * backward. Tokens are divided by context, and the width by tensor. */
    uint64_t turns = (context - 1) * micro_batches * (8 / stages) * ranks;
    uint64_t turn_bytes = 16 / context * (2 * 32 / tensor) * 2;
    assert_int_equal(traffic.messages, crossings + 2 * turns);
    assert_int_equal(traffic.message_bytes,
                     crossings * crossing_bytes + turns * (1 + 2) * turn_bytes);
}

static void refused(struct training_config config, uint32_t ranks, const char *text) {
    struct traces_pattern_config pattern = {
        .rank_count = ranks, .iterations = 1, .training = &config};
    struct program *program = NULL;
    struct status status = STATUS_INIT;
    assert_int_equal(traces_generate(&program, "training", &pattern, &status), STATUS_USAGE);
    assert_null(program);
    if (strstr(status.text, text) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", status.text, text);
    status_clear(&status);
}

static void contradictory_settings_are_refused(void **state) {
    (void)state;
    struct training_config config = base();
    config.tensor = 3;
    refused(config, 4, "4 ranks cannot be divided into replicas of 3");
    refused(config, 6, "does not divide the 4 attention heads");
    config = base();
    config.pipeline = 16;
    refused(config, 16, "8 layers cannot be divided into 16 parts");
    config = base();
    config.chunks = 2;
    refused(config, 4, "only one pipeline stage");
    config.pipeline = 4;
    config.micro_batches = 6;
    refused(config, 4, "needs a multiple of the 4 pipeline stages");
    config = base();
    config.context = 3;
    refused(config, 3, "does not divide a sequence of 16 tokens");
    config = base();
    config.expert = 2;
    refused(config, 3, "does not divide the 3 data-parallel replicas");
    refused(config, 4, "does not divide the 1 expert of a layer");
    config.experts = 2;
    config.experts_per_token = 3;
    refused(config, 4, "training.experts_per_token is 3, but a layer has 2 experts");
    config.experts_per_token = 1;
    config.tensor = 2;
    refused(config, 4, "need training.sequence_parallel=on");
    config = base();
    config.key_value_heads = 8;
    refused(config, 4, "more than the 4 attention heads");
    config = base();
    config.hidden = 1 << 20, config.feed_forward = 1 << 22, config.sequence = 1 << 24;
    refused(config, 4, "too large");
    config = base();
    config.layers = 100000, config.micro_batches = 1 << 20;
    refused(config, 4, "do not fit into this computer");
}

static void models_have_the_published_parameters(void **state) {
    (void)state;
    /* parameters in 10^6, from the papers */
    static const struct {
        const char *name;
        double min, max;
    } published[] = {{"gpt2-124m", 123e6, 125e6},   {"gpt3-175b", 174e9, 176e9},
                     {"llama2-7b", 6.7e9, 6.8e9},   {"llama3-8b", 8.0e9, 8.1e9},
                     {"llama3-70b", 70e9, 71e9},    {"llama3-405b", 405e9, 406e9},
                     {"mixtral-8x7b", 46e9, 47.5e9}};
    const struct training_model *model = training_models();
    for (size_t i = 0; i < sizeof published / sizeof *published; i++, model++) {
        assert_string_equal(model->name, published[i].name);
        double hidden = (double)model->hidden, layers = (double)model->layers;
        double width = hidden * (double)model->key_value_heads / (double)model->heads;
        double matrices = model->gated ? 3 : 2;
        double all =
            layers * (2 * hidden * hidden + 2 * hidden * width +
                      matrices * hidden * (double)model->feed_forward * (double)model->experts) +
            (model->tied ? 1 : 2) * (double)model->vocabulary * hidden;
        if (all < published[i].min || all > published[i].max)
            fail_msg("%s has %.3g parameters", model->name, all);
    }
    assert_null(model->name);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_rank_only_computes),
        cmocka_unit_test(tensor_parallelism_has_the_closed_form),
        cmocka_unit_test(context_parallelism_has_the_closed_form),
        cmocka_unit_test(data_parallelism_has_the_closed_form),
        cmocka_unit_test(tied_embeddings_are_one_matrix),
        cmocka_unit_test(tied_embeddings_of_two_stages_are_summed),
        cmocka_unit_test(expert_parallelism_has_the_closed_form),
        cmocka_unit_test(pipelines_have_the_closed_form),
        cmocka_unit_test(all_kinds_together_divide_the_bytes),
        cmocka_unit_test(contradictory_settings_are_refused),
        cmocka_unit_test(models_have_the_published_parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
