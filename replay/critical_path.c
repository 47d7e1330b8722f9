/* Critical paths: the chain of the last rank as lists of parts and steps, and what depends on
 * settings. */
#include "replay/critical_path.h"

#include "core/memory/memory.h"
#include "replay/engine/causes/causes.h"
#include "replay/engine/causes/chain_channels.h"

#include <inttypes.h>
#include <stdlib.h>

static const char *const kind_names[] = {"terminal", "local", "global"};

/* Parts of a chain that become a part of the path each, with a name each. */
static const struct {
    chain_part part;
    const char *kind;
    const char *name;
} part_rows[] = {
    {CHAIN_LATE_START, "late_start", NULL},
    {CHAIN_NOISE, "noise", NULL},
    {CHAIN_OFFLOAD, "nic_collective", NULL},
    {CHAIN_STORAGE, "storage", "latency"},
    {CHAIN_STORAGE_WRITE, "storage", "write"},
    {CHAIN_STORAGE_READ, "storage", "read"},
    {CHAIN_MEMORY, "memory", NULL},
    {CHAIN_NIC, "nic", NULL},
    {CHAIN_ACKNOWLEDGEMENT_WAIT, "nic_window", NULL},
    {CHAIN_ROUTERS, "routers", NULL},
    {CHAIN_RENDEZVOUS, "rendezvous", NULL},
    {CHAIN_QUEUEING_NIC, "queueing", "nic"},
};
#define PART_ROWS (sizeof part_rows / sizeof *part_rows)

/* Settings in proportion to which a part of the path grows. */
static const struct {
    const char *setting;
    chain_part part;
    int count; /* chain_count that is the derivative; -1: none */
} setting_rows[] = {
    {"replay.compute_scale", CHAIN_COMPUTE, -1},
    {"mpi.send_overhead", CHAIN_SEND, CHAIN_SENDS},
    {"mpi.send_overhead_per_kib", CHAIN_SEND_BYTES, -1},
    {"mpi.eager_send_copy_per_kib", CHAIN_SEND_COPY, -1},
    {"mpi.rendezvous_send_overhead", CHAIN_SEND_RENDEZVOUS, -1},
    {"mpi.memory_send_overhead", CHAIN_SEND_MEMORY, -1},
    {"mpi.send_completion", CHAIN_SEND_COMPLETION, -1},
    {"mpi.send_completion_per_kib", CHAIN_SEND_COMPLETION_BYTES, -1},
    {"mpi.receive_overhead", CHAIN_RECEIVE, CHAIN_RECEIVES},
    {"mpi.receive_overhead_per_kib", CHAIN_RECEIVE_BYTES, -1},
    {"mpi.eager_receive_copy_per_kib", CHAIN_RECEIVE_COPY, -1},
    {"mpi.rendezvous_receive_overhead", CHAIN_RECEIVE_RENDEZVOUS, -1},
    {"mpi.memory_receive_overhead", CHAIN_RECEIVE_MEMORY, -1},
    {"mpi.reduction_per_kib", CHAIN_REDUCTION, -1},
    {"mpi.offload_latency", CHAIN_OFFLOAD, -1},
    {"io.latency", CHAIN_STORAGE, -1},
};
#define SETTING_ROWS (sizeof setting_rows / sizeof *setting_rows)

static void add_part(struct replay_critical_path *path, const char *kind, const char *name,
                     int64_t time_ps) {
    if (time_ps == 0) return;
    path->parts[path->part_count++] = (struct replay_path_part){kind, name, time_ps};
}

static void list_parts(struct replay_critical_path *path, const int64_t *values,
                       const struct causes_names *names) {
    for (uint32_t i = 0; i < names->region_count; i++)
        add_part(path, "computation", names->regions[i], values[CHAIN_NAMES + i]);
    for (uint32_t i = 0; i < names->mpi_function_count; i++)
        add_part(path, "overhead", names->mpi_functions[i],
                 values[CHAIN_NAMES + names->region_count + i]);
    for (size_t i = 0; i < PART_ROWS; i++)
        add_part(path, part_rows[i].kind, part_rows[i].name, values[part_rows[i].part]);
    for (unsigned kind = 0; kind < 3; kind++) {
        add_part(path, "latency", kind_names[kind], values[CHAIN_LATENCY + kind]);
        add_part(path, "serialisation", kind_names[kind], values[CHAIN_SERIALISATION + kind]);
        add_part(path, "queueing", kind_names[kind], values[CHAIN_QUEUEING + kind]);
    }
}

static void add_setting(struct replay_critical_path *path, const char *setting, int64_t count,
                        int64_t effect_ps, bool inverse) {
    if (effect_ps == 0 && (count == 0 || count == REPLAY_PATH_UNCOUNTED)) return;
    path->settings[path->setting_count++] = (struct replay_path_setting){
        .setting = setting, .count = count, .effect_ps = effect_ps, .is_inverse = inverse};
}

/* ---------------------------------------------------------------- how far derivatives hold */

#define MILLION 1000000

/* What is known of the other chains that lead to the end. */
struct rivals {
    struct chain_rivals of;
    bool is_known; /* false: nothing */
};

/* Returns the part of `value` that `amount` is, in millionths, rounded down. */
static int64_t part_of(int64_t amount, int64_t value) {
    if (value <= 0 || amount == INT64_MAX) return REPLAY_PATH_UNLIMITED;
    const wide part = (wide)amount * MILLION / (uint64_t)value;
    return part < (wide)REPLAY_PATH_UNLIMITED ? (int64_t)part : REPLAY_PATH_UNLIMITED;
}

/* Sets the range of the setting that was added last. bound_ps: upper bound of the setting's time in
 * any chain. */
static void set_range(struct replay_critical_path *path, const struct rivals *rivals,
                      int64_t bound_ps) {
    struct replay_path_setting *setting = &path->settings[path->setting_count - 1];
    const int64_t margin_ps = rivals->of.margin_ps, effect_ps = setting->effect_ps;
    if (!rivals->is_known || effect_ps <= 0) return;
    const int64_t gain_ps = bound_ps - effect_ps; /* of a rival, if the setting's time doubles */
    const bool shrinks = margin_ps < effect_ps;   /* otherwise it can become zero */
    if (setting->is_inverse) {
        setting->holds_up_millionths =
            shrinks ? part_of(margin_ps, effect_ps - margin_ps) : REPLAY_PATH_UNLIMITED;
        setting->holds_down_millionths = gain_ps > 0 && margin_ps < INT64_MAX - gain_ps
                                             ? part_of(margin_ps, gain_ps + margin_ps)
                                             : MILLION;
    } else {
        setting->holds_up_millionths = part_of(margin_ps, gain_ps);
        setting->holds_down_millionths = shrinks ? part_of(margin_ps, effect_ps) : MILLION;
    }
}

/* Adds a setting as add_setting does, and its range. value: index in chain_values of the sum
 * that is the setting's effect, in units of unit_ps. */
static void add_acting(struct replay_critical_path *path, const struct rivals *rivals,
                       const char *setting, int64_t count, const int64_t *values, unsigned value,
                       int64_t unit_ps, bool inverse) {
    const uint32_t before = path->setting_count;
    add_setting(path, setting, count, values[value] * unit_ps, inverse);
    if (path->setting_count == before) return;
    for (unsigned i = 0; i < CHAIN_ACTED; i++)
        if (chain_acted_value(i) == value) set_range(path, rivals, rivals->of.bounds[i] * unit_ps);
}

static void limit(int64_t *range, int64_t max) {
    if (*range > max) *range = max;
}

/* Limits the range of the setting that was added last, the bandwidth `own` of a kind of channel, to
 * where it reaches the bandwidth `other`: only the slowest channel of a message counts. */
static void limit_by(struct replay_critical_path *path, int64_t own, int64_t other) {
    struct replay_path_setting *setting = &path->settings[path->setting_count - 1];
    if (other >= own) limit(&setting->holds_up_millionths, part_of(other - own, own));
    if (other > 0 && other <= own)
        limit(&setting->holds_down_millionths, part_of(own - other, own));
}

static void limit_bandwidth(struct replay_critical_path *path,
                            const struct network_config *network_config, unsigned kind) {
    const int64_t own = network_config_bytes_per_s(network_config, kind);
    for (uint32_t other = 0; other < NETWORK_CHANNEL_TYPES; other++)
        if (network_kind_of_channel_type(other) != kind)
            limit_by(path, own, network_config_bytes_per_s(network_config, other));
    const int64_t nic[] = {network_config->nic_bandwidth_bytes_per_s,
                           network_config->nic_receive_bandwidth_bytes_per_s,
                           network_config->nic_host_bandwidth_bytes_per_s};
    for (size_t i = 0; i < sizeof nic / sizeof *nic; i++)
        if (nic[i] > 0) limit_by(path, own, nic[i]);
}

/* Returns whether the channels of a kind have one latency and one bandwidth. */
static bool is_one_setting(const struct network_config *network_config, unsigned kind) {
    if (kind == NETWORK_LOCAL)
        return network_config->group_dimensions == 0 && network_config->drawer_routers == 0;
    return kind != NETWORK_TERMINAL || network_config->nic_bandwidth_bytes_per_s == 0;
}

static void list_settings(struct replay_critical_path *path, const int64_t *values,
                          const struct rivals *rivals,
                          const struct network_config *network_config) {
    static const char *const latencies[] = {"network.terminal.latency", "network.local.latency",
                                            "network.global.latency"};
    static const char *const bandwidths[] = {"network.terminal.bandwidth",
                                             "network.local.bandwidth", "network.global.bandwidth"};
    for (size_t i = 0; i < SETTING_ROWS; i++)
        add_acting(path, rivals, setting_rows[i].setting,
                   setting_rows[i].count < 0 ? REPLAY_PATH_UNCOUNTED
                                             : values[setting_rows[i].count],
                   values, setting_rows[i].part, 1, false);
    for (unsigned kind = 0; kind < 3; kind++) {
        if (!is_one_setting(network_config, kind)) continue;
        add_acting(path, rivals, latencies[kind], values[CHAIN_HOPS + kind], values,
                   CHAIN_HOPS + kind, network_config->channels[kind].latency_ps, false);
        const uint32_t before = path->setting_count;
        add_acting(path, rivals, bandwidths[kind], REPLAY_PATH_UNCOUNTED, values,
                   CHAIN_SIZE_DEPENDENT_PS + kind, 1, true);
        if (path->setting_count > before) limit_bandwidth(path, network_config, kind);
    }
    add_setting(path, "io.write_rate", REPLAY_PATH_UNCOUNTED, values[CHAIN_STORAGE_WRITE], true);
    add_setting(path, "io.read_rate", REPLAY_PATH_UNCOUNTED, values[CHAIN_STORAGE_READ], true);
    int64_t passes = values[CHAIN_ROUTER_PASSES], messages = values[CHAIN_MESSAGES];
    add_acting(path, rivals, "network.router.latency", passes, values, CHAIN_ROUTER_PASSES,
               network_config->router_latency_ps, false);
    add_acting(path, rivals, "network.router.allocation_latency", passes, values,
               CHAIN_ROUTER_PASSES, network_config->allocation_latency_ps, false);
    add_acting(path, rivals, "network.nic.overhead", messages, values, CHAIN_MESSAGES,
               network_config->nic_overhead_ps, false);
    add_acting(path, rivals, "network.memory.latency", values[CHAIN_MEMORY_MESSAGES], values,
               CHAIN_MEMORY_MESSAGES, network_config->memory_latency_ps, false);
    add_acting(path, rivals, "network.memory.bandwidth", REPLAY_PATH_UNCOUNTED, values,
               CHAIN_MEMORY_SIZE_DEPENDENT_PS, 1, true);
}
#define SETTINGS_MAX (SETTING_ROWS + 6 + 2 + 5)

#define CHANNELS_MAX 10u /* that are listed */

static int longest_first(const void *one, const void *other) {
    const struct chain_channel *a = one, *b = other;
    if (a->time_ps != b->time_ps) return a->time_ps > b->time_ps ? -1 : 1;
    return a->key < b->key ? -1 : a->key > b->key;
}

static void list_channels(struct replay_critical_path *path, const int64_t *table) {
    static const char *const kinds[] = {"nic", "ejection", "local", "global"};
    struct chain_channel channels[CHAIN_CHANNELS];
    uint32_t count = chain_channels_list(table, channels);
    qsort(channels, count, sizeof *channels, longest_first);
    path->channel_count = count < CHANNELS_MAX ? count : CHANNELS_MAX;
    for (uint32_t i = 0; i < path->channel_count; i++)
        path->channels[i] =
            (struct replay_path_channel){.kind = kinds[chain_channel_kind_of(channels[i].key)],
                                         .source = chain_channel_source(channels[i].key),
                                         .destination = chain_channel_destination(channels[i].key),
                                         .time_ps = channels[i].time_ps};
}

static status_code check_sum(const struct replay_critical_path *path,
                             const struct replay_engine *engine, struct status *status) {
    int64_t sum_ps = 0;
    for (uint32_t i = 0; i < path->part_count; i++)
        sum_ps += path->parts[i].time_ps;
    int64_t end_ps = engine->ranks[path->rank].result.time_ps;
    RETURN_ERROR_IF(sum_ps != end_ps, status, STATUS_RUN,
                    "replay: the critical path of rank %u has %" PRId64
                    " ps, but the rank ends at %" PRId64 " ps (a fault of anax)",
                    path->rank, sum_ps, end_ps);
    return STATUS_OK;
}

/* ---------------------------------------------------------------- steps */

static const char *const causes[] = {
    [CHAIN_STARTS_LATE] = "late_start",
    [CHAIN_COMPUTES] = "computation",
    [CHAIN_SENDS_MESSAGE] = "send",
    [CHAIN_RECEIVES_MESSAGE] = "receive",
    [CHAIN_WORKS] = "work",
    [CHAIN_NIC_WORKS] = "nic_collective",
    [CHAIN_STORAGE_WORKS] = "storage",
    [CHAIN_MESSAGE_LEAVES] = "departure",
    [CHAIN_CONTROL_ARRIVES] = "rendezvous",
    [CHAIN_MESSAGE_ARRIVES] = "message",
};

static const char *name_of(const struct replay_engine *engine, const struct chain_step *step) {
    if (step->name == CHAIN_NO_NAME) return NULL;
    if (step->cause != CHAIN_COMPUTES) return engine->mpi_function_names[step->function];
    return program_text(engine->program, engine->program->regions[step->region].name);
}

static status_code list_steps(struct replay_critical_path *path, const struct replay_engine *engine,
                              const struct chain *chain, const struct chain_rules *rules,
                              struct status *status) {
    uint64_t count = chain_steps(chain, rules, 0, NULL);
    struct chain_step *steps = memory_new(count, sizeof *steps);
    path->steps = memory_new(count, sizeof *path->steps);
    if (steps != NULL && path->steps != NULL) {
        if (count > 0) chain_steps(chain, rules, count, steps);
        for (uint64_t i = 0; i < count; i++) {
            const struct chain_step *step = &steps[i];
            bool is_message = step->cause >= CHAIN_MESSAGE_LEAVES;
            path->steps[path->step_count++] =
                (struct replay_path_step){.rank = step->rank,
                                          .name = name_of(engine, step),
                                          .from_ps = step->from_ps,
                                          .to_ps = step->to_ps,
                                          .cause = causes[step->cause],
                                          .is_message = is_message,
                                          .from_rank = step->from_rank,
                                          .size_bytes = step->size_bytes,
                                          .queueing_ps = step->queueing_ps,
                                          .route = step->route};
        }
    }
    free(steps);
    RETURN_ERROR_IF(path->step_count < count, status, STATUS_MEMORY,
                    "out of memory for the critical path");
    return STATUS_OK;
}

static status_code list_sums(struct replay_critical_path *path, const struct replay_engine *engine,
                             const struct chain *chain, const struct causes_names *names,
                             struct status *status) {
    int64_t *values = memory_new(names->rules->value_count, sizeof *values);
    path->parts = memory_new(names->region_count + names->mpi_function_count + PART_ROWS + 9,
                             sizeof *path->parts);
    path->settings = memory_new(SETTINGS_MAX, sizeof *path->settings);
    path->channels = memory_new(CHANNELS_MAX, sizeof *path->channels);
    bool enough =
        values != NULL && path->parts != NULL && path->settings != NULL && path->channels != NULL;
    if (enough) {
        struct rivals rivals;
        rivals.is_known =
            causes_find_rivals(engine, path->first_rank, path->rank_count, &rivals.of);
        path->margin_ps = rivals.is_known ? rivals.of.margin_ps : 0;
        chain_values(chain, names->rules, values);
        path->messages = (uint64_t)values[CHAIN_STEPS];
        list_parts(path, values, names);
        list_settings(path, values, &rivals, engine->network_config);
        list_channels(path, &values[names->rules->first_channel]);
    }
    free(values);
    RETURN_ERROR_IF(!enough, status, STATUS_MEMORY, "out of memory for the critical path");
    return check_sum(path, engine, status);
}

status_code critical_path_build(struct replay_critical_path *path,
                                const struct replay_engine *engine, uint32_t first_rank,
                                uint32_t rank_count, struct status *status) {
    struct causes_names names = causes_names_of(engine);
    uint32_t rank = causes_last_rank(engine, first_rank, rank_count);
    const struct chain *chain = causes_chain_of_rank(engine, rank);
    RETURN_ERROR_IF(chain == NULL, status, STATUS_MEMORY, "out of memory for the critical path");
    *path = (struct replay_critical_path){.first_rank = first_rank,
                                          .rank_count = rank_count,
                                          .rank = rank,
                                          .time_ps = chain->time_ps};
    FORWARD_IF_ERROR(list_sums(path, engine, chain, &names, status));
    return list_steps(path, engine, chain, names.rules, status);
}

void critical_path_clear(struct replay_critical_path *path) {
    free(path->parts);
    free(path->settings);
    free(path->steps);
    free(path->channels);
    *path = (struct replay_critical_path){0};
}
