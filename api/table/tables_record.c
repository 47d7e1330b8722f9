/* The tables over time, in time bins (record.time_bins): states of ranks, and load of channels; and
 * the communication matrix (record.matrix). */
#include "api/results/link_numbers.h"
#include "api/table/tables.h"

/* ---- states of ranks ---- */

struct state_row {
    uint64_t first_rank, ranks, bin;
    int64_t from_ps, to_ps;
    wide states_ps[REPLAY_STATES];
};

static bool has_rank_bins(const struct table_source *source) {
    return tables_is_complete(source) && source->replay->bins != NULL;
}

static const struct table_condition rank_bins_kept = {has_rank_bins, "with record.time_bins"};

/* Adds the times of a bin of a row of ranks to `states_ps`. Returns whether there are any. */
static bool add_states(const struct time_bins *bins, uint32_t bin, wide *states_ps) {
    bool any = false;
    for (size_t state = 0; state < REPLAY_STATES; state++) {
        int64_t time_ps = bins->sums[state * bins->count + bin];
        states_ps[state] += (uint64_t)time_ps;
        any = any || time_ps != 0;
    }
    return any;
}

static struct state_row row_of_bin(const struct replay_rank_bins *bins, uint32_t bin) {
    const int64_t width_ps = bins->rows[0].width_ps;
    return (struct state_row){.ranks = bins->rank_count,
                              .bin = bin,
                              .from_ps = bin * width_ps,
                              .to_ps = (bin + 1) * width_ps};
}

static status_code visit_rank_bins(const struct table_source *source, const struct table_sink *sink,
                                   struct status *status) {
    const struct replay_rank_bins *bins = source->replay->bins;
    (void)status;
    for (uint32_t row = 0; row < bins->row_count; row++) {
        for (uint32_t bin = 0; bin < bins->rows[row].count; bin++) {
            struct state_row states = row_of_bin(bins, bin);
            states.first_rank = (uint64_t)row * bins->ranks_per_row;
            states.ranks = bins->ranks_per_row;
            if (states.first_rank + states.ranks > bins->rank_count)
                states.ranks = bins->rank_count - states.first_rank;
            if (add_states(&bins->rows[row], bin, states.states_ps) && !table_add(sink, &states))
                return STATUS_OK;
        }
    }
    return STATUS_OK;
}

static status_code visit_state_bins(const struct table_source *source,
                                    const struct table_sink *sink, struct status *status) {
    const struct replay_rank_bins *bins = source->replay->bins;
    (void)status;
    for (uint32_t bin = 0; bins->row_count > 0 && bin < bins->rows[0].count; bin++) {
        struct state_row states = row_of_bin(bins, bin);
        bool any = false;
        for (uint32_t row = 0; row < bins->row_count; row++)
            any = add_states(&bins->rows[row], bin, states.states_ps) || any;
        if (any && !table_add(sink, &states)) return STATUS_OK;
    }
    return STATUS_OK;
}

#define BIN_COLUMNS(row)                                                                           \
    TABLE_COLUMN(row, bin, "bin", "", "number of the time bin, from 0"),                           \
        TABLE_COLUMN(row, from_ps, "from_ps", "ps", "simulated time at which the bin begins"),     \
        TABLE_COLUMN(row, to_ps, "to_ps", "ps", "simulated time at which it ends")
#define STATE(state, name, help) TABLE_COLUMN(state_row, states_ps[state], name, "ps", help)
#define STATE_COLUMNS                                                                              \
    STATE(REPLAY_STATE_COMPUTE, "compute_ps", "time of the bin in computation"),                   \
        STATE(REPLAY_STATE_SEND, "send_overhead_ps", "host costs of sends"),                       \
        STATE(REPLAY_STATE_RECEIVE, "receive_overhead_ps", "host costs of receives"),              \
        STATE(REPLAY_STATE_REDUCTION, "reduction_ps", "combining data in collectives"),            \
        STATE(REPLAY_STATE_LATE_SENDER, "wait_late_sender_ps", "waiting for late senders"),        \
        STATE(REPLAY_STATE_LATE_RECEIVER, "wait_late_receiver_ps", "waiting for late receivers"),  \
        STATE(REPLAY_STATE_TRANSIT, "wait_transit_ps", "waiting for the network as if idle"),      \
        STATE(REPLAY_STATE_QUEUEING, "wait_queueing_ps", "waiting for the network beyond that"),   \
        STATE(REPLAY_STATE_COLLECTIVE_LATE, "collective_late_ps",                                  \
              "waiting in collectives for late partners"),                                         \
        STATE(REPLAY_STATE_COLLECTIVE_TRANSIT, "collective_transit_ps",                            \
              "waiting in collectives for the network as if idle"),                                \
        STATE(REPLAY_STATE_COLLECTIVE_QUEUEING, "collective_queueing_ps",                          \
              "waiting in collectives for the network beyond that"),                               \
        STATE(REPLAY_STATE_COLLECTIVE_OTHER, "collective_other_ps",                                \
              "other waiting for collectives")

static const struct table_column rank_bin_columns[] = {
    TABLE_COLUMN(state_row, first_rank, "first_rank", "", "the rank, or the first of the ranks"),
    TABLE_COLUMN(
        state_row, ranks, "ranks", "",
        "number of ranks, which follow each other: 1 unless there are more than record.rank_rows"),
    BIN_COLUMNS(state_row),
    STATE_COLUMNS,
};

const struct table table_rank_bins = {
    .name = "rank_bins",
    .form = TABLE_ARRAY,
    .has_file = true,
    TABLE_LIST(rank_bin_columns),
    .condition = &rank_bins_kept,
    .visit = visit_rank_bins,
    .help =
        "the states of ranks in a time bin, with record.time_bins; over all bins the times add up "
        "to those of the ranks",
};

static const struct table_column state_bin_columns[] = {
    TABLE_COLUMN(state_row, ranks, "ranks", "", "number of all ranks"),
    BIN_COLUMNS(state_row),
    STATE_COLUMNS,
};

const struct table table_state_bins = {
    .name = "state_bins",
    .form = TABLE_ARRAY,
    .has_file = true,
    TABLE_LIST(state_bin_columns),
    .condition = &rank_bins_kept,
    .visit = visit_state_bins,
    .help = "the states of all ranks together in a time bin",
};

/* ---- load of channels ---- */

struct load_row {
    const char *kind;
    struct network_load load;
};

static bool has_load(const struct table_source *source) {
    return tables_is_complete(source) && network_has_history(source->run->network);
}

static const struct table_condition load_kept = {has_load, "with record.time_bins"};

static bool has_traffic_load(const struct table_source *source) {
    return tables_is_single_point(source) && network_has_history(source->run->network);
}

static const struct table_condition traffic_load_kept = {
    has_traffic_load, "with a single point and record.time_bins"};

static bool add_load(void *context, const struct network_load *load) {
    const struct network_link link = {.channel_kind = load->channel_kind,
                                      .is_injection = load->is_injection};
    const struct load_row row = {link_numbers_kind(&link), *load};
    return table_add(context, &row);
}

static status_code visit_load(const struct table_source *source, const struct table_sink *sink,
                              struct status *status) {
    return network_visit_history(source->run->network, add_load, (void *)sink, status);
}

static const struct table_column load_columns[] = {
    TABLE_COLUMN(load_row, load.group, "group", "", "group of the channels' source"),
    TABLE_NAME(load_row, kind, "kind", "injection, ejection, local or global, as in links"),
    TABLE_COLUMN(load_row, load.channels, "channels", "",
                 "number of such channels, of all rails, each direction for itself"),
    TABLE_COLUMN(load_row, load.bin, "bin", "", "number of the time bin, from 0"),
    TABLE_COLUMN(load_row, load.from_ps, "from_ps", "ps", "simulated time at which the bin begins"),
    TABLE_COLUMN(load_row, load.to_ps, "to_ps", "ps", "simulated time at which it ends"),
    TABLE_COLUMN(load_row, load.packets, "packets", "", "packets that began to be sent in the bin"),
    TABLE_COLUMN(load_row, load.bytes, "bytes", "bytes", "bytes of these packets"),
    TABLE_COLUMN(load_row, load.busy_ps, "busy_ps", "ps",
                 "time of the bin during which they carried something, over all channels"),
    TABLE_COLUMN(load_row, load.stalled_ps, "stalled_ps", "ps",
                 "time of the bin during which they were idle for lack of credits, though packets "
                 "waited for them, over all channels"),
};

#define LOAD(when)                                                                                 \
    {                                                                                              \
        .name = "channel_bins", .form = TABLE_ARRAY, .has_file = true, TABLE_LIST(load_columns),   \
        .condition = (when), .visit = visit_load,                                                  \
        .help = "the channels of a kind that lead from a group in a time bin; "                    \
                "over all bins the numbers add up to those of the links",                          \
    }

const struct table table_channel_bins = LOAD(&load_kept);
const struct table table_traffic_channel_bins = LOAD(&traffic_load_kept);

/* ---- the communication matrix ---- */

struct matrix_row {
    const char *by;
    uint64_t source, sources, destination, destinations;
    uint64_t messages, bytes, control_messages, control_bytes;
};

static bool has_matrix(const struct table_source *source) {
    return tables_is_complete(source) && source->replay->matrix != NULL;
}

static const struct table_condition matrix_kept = {has_matrix, "with record.matrix"};

static uint64_t places_in_row(const struct replay_matrix *matrix, uint32_t row) {
    uint64_t left = matrix->place_count - (uint64_t)row * matrix->places_per_row;
    return left < matrix->places_per_row ? left : matrix->places_per_row;
}

static status_code visit_matrix(const struct table_source *source, const struct table_sink *sink,
                                struct status *status) {
    static const char *const names[] = {"off", "rank", "node", "router", "group"};
    const struct replay_matrix *matrix = source->replay->matrix;
    (void)status;
    for (size_t i = 0; i < (size_t)matrix->row_count * matrix->row_count; i++) {
        struct replay_matrix_cell *cell = &matrix->cells[i];
        const uint32_t from = (uint32_t)(i / matrix->row_count),
                       to = (uint32_t)(i % matrix->row_count);
        const struct matrix_row row = {
            .by = names[matrix->by],
            .source = (uint64_t)from * matrix->places_per_row,
            .sources = places_in_row(matrix, from),
            .destination = (uint64_t)to * matrix->places_per_row,
            .destinations = places_in_row(matrix, to),
            .messages = atomic_load(&cell->messages),
            .bytes = atomic_load(&cell->bytes),
            .control_messages = atomic_load(&cell->control_messages),
            .control_bytes = atomic_load(&cell->control_bytes),
        };
        if (row.messages + row.control_messages > 0 && !table_add(sink, &row)) return STATUS_OK;
    }
    return STATUS_OK;
}

static const struct table_column matrix_columns[] = {
    TABLE_NAME(matrix_row, by, "by", "what the places are: rank, node, router or group"),
    TABLE_COLUMN(matrix_row, source, "source", "", "number of the sending place, or of the first"),
    TABLE_COLUMN(matrix_row, sources, "sources", "",
                 "number of places, which follow each other: 1 unless there are more than 1,024"),
    TABLE_COLUMN(matrix_row, destination, "destination", "",
                 "number of the receiving place, or of the first"),
    TABLE_COLUMN(matrix_row, destinations, "destinations", "", "number of these places"),
    TABLE_COLUMN(matrix_row, messages, "messages", "",
                 "messages with data: point-to-point, of collectives, one-sided and their answers"),
    TABLE_COLUMN(matrix_row, bytes, "bytes", "bytes", "payload of these messages"),
    TABLE_COLUMN(matrix_row, control_messages, "control_messages", "",
                 "requests, answers and notices of messages by rendezvous"),
    TABLE_COLUMN(matrix_row, control_bytes, "control_bytes", "bytes",
                 "payload of the control messages"),
};

const struct table table_matrix = {
    .name = "matrix",
    .form = TABLE_ARRAY,
    .has_file = true,
    TABLE_LIST(matrix_columns),
    .condition = &matrix_kept,
    .visit = visit_matrix,
    .help = "messages from one place to another, if there are any; within a node included",
};
