/*
 * Divides host costs by the rates of streams. docs/calibrate.md has the equations.
 *
 * With L(n) = H(n) + Z(n), a window of W messages takes L(n) + (W - 1) g + L(4), where g is the
 * larger of the sender's and the receiver's overhead, unless the network or the NIC is slower. In
 * streams in both directions at once, each message costs a rank both overheads. An exchange takes
 * L(n) + g.
 */
#include "api/calibrate/host_division.h"

#include "api/compare/student_t.h"

#include <math.h>
#include <stdio.h>

/* The hosts limit the rate of a stream if a message takes longer than on the network by this
 * factor: with the beginning and the end of the window, and without them. */
#define BY_HOSTS 1.1

/* A mean of values with weights 1 / error^2. */
struct mean {
    double weight, value, squares;
    uint32_t count;
};

static void mean_add(struct mean *mean, double value, double error) {
    const double weight = 1 / (error * error), total = mean->weight + weight;
    const double off = value - mean->value;
    mean->value += off * weight / total;
    mean->squares += mean->weight * weight / total * off * off;
    mean->weight = total;
    mean->count++;
}

static struct segment_estimate mean_of(const struct mean *mean) {
    struct segment_estimate estimate = {mean->value, INFINITY};
    if (mean->count > 1)
        estimate.half_interval = student_t_quantile(0.05, mean->count - 1) *
                                 sqrt(mean->squares / (mean->count - 1) / mean->weight);
    return estimate;
}

/* Returns what the first message of a window and the answer to the window cost the hosts. */
static double ends_of(const struct fit_stream_point *point, const struct segment *first) {
    return segment_at(first, point->size_bytes) + segment_at(first, 4);
}

/* Returns the time between two messages of a window, without what its beginning and end cost. */
static double gap_of(const struct fit_stream_data *data, const struct fit_stream_point *point,
                     const struct segment *first, double messages) {
    const double rounds = point->round_ps + ends_of(point, first);
    return (data->window * point->measured_ps - rounds) / (messages - 1);
}

/* Returns whether a point shows the hosts' cost of each message: messages are small and slower than
 * the network, also without ends_ps, which the hosts take once in `messages` messages. Where the
 * network limits the rate, only that makes the messages slower. */
static bool is_by_hosts(const struct fit_stream_point *point, uint64_t last_bytes, double messages,
                        double ends_ps) {
    const double gaps_ps = messages * point->measured_ps - point->round_ps - ends_ps;
    const double network_gaps_ps = messages * point->network_ps - point->round_ps;
    return point->size_bytes <= last_bytes && point->measured_ps > BY_HOSTS * point->network_ps &&
           gaps_ps > BY_HOSTS * network_gaps_ps;
}

struct rates {
    struct mean larger;  /* the larger of the two overheads */
    struct mean both;    /* the sum of the overheads */
    struct mean hosts;   /* H(n) at the same sizes as `larger` */
    struct mean latency; /* H(n) less the overheads, if those are equal or known */
};

static void add_stream(struct rates *rates, const struct fit_stream_data *data,
                       const struct segment *first, uint64_t last_bytes) {
    for (size_t i = 0; i < data->count && data->window > 1; i++) {
        const struct fit_stream_point *point = &data->points[i];
        if (!is_by_hosts(point, last_bytes, data->window, ends_of(point, first))) continue;
        const double larger = gap_of(data, point, first, data->window);
        const double hosts = segment_at(first, point->size_bytes);
        mean_add(&rates->larger, larger, point->error_ps);
        mean_add(&rates->hosts, hosts, point->error_ps);
        mean_add(&rates->latency, hosts - 2 * larger, point->error_ps);
    }
}

static void add_exchange(struct rates *rates, const struct fit_stream_data *data,
                         const struct segment *first, uint64_t last_bytes) {
    for (size_t i = 0; i < data->count; i++) {
        const struct fit_stream_point *point = &data->points[i];
        const double hosts = segment_at(first, point->size_bytes);
        if (!is_by_hosts(point, last_bytes, 1, hosts)) continue;
        const double larger = point->measured_ps - point->round_ps - hosts;
        if (larger <= 0) continue;
        mean_add(&rates->larger, larger, point->error_ps);
        mean_add(&rates->hosts, hosts, point->error_ps);
        mean_add(&rates->latency, hosts - 2 * larger, point->error_ps);
    }
}

static void add_both(struct rates *rates, const struct fit_stream_data *data,
                     const struct segment *first, uint64_t last_bytes) {
    struct mean latency = {0};
    for (size_t i = 0; i < data->count && data->window > 1; i++) {
        const struct fit_stream_point *point = &data->points[i];
        if (!is_by_hosts(point, last_bytes, data->window, ends_of(point, first))) continue;
        mean_add(&rates->both, point->measured_ps, point->error_ps);
        mean_add(&latency, segment_at(first, point->size_bytes) - point->measured_ps,
                 point->error_ps);
    }
    if (latency.count > 0) rates->latency = latency;
}

#define SAY(text, ...) snprintf(text, sizeof text, __VA_ARGS__)

static void without_rates(struct host_division *division, struct host_fit *fit,
                          const struct host_data *data, const struct segment *first) {
    const bool fits = data->given_latency_ps < first->fixed.value;
    division->latency = (struct segment_estimate){fits ? data->given_latency_ps : 0, 0};
    division->latency_is_fitted = !fits;
    SAY(division->of_overheads, "ping-pong: half of what the network and the NICs leave");
    SAY(division->of_latency, fits ? "a ping-pong does not tell it from overheads"
                                   : "the machine's does not fit into the ping-pong, so it is 0");
    host_fit_warn(
        fit,
        "mpi.send_overhead, mpi.receive_overhead, network.%s: a ping-pong tells only their "
        "sum; overheads are taken to be equal, and the latency of the %s as the machine has "
        "it (%.0f ns); a stream of small messages (osu_bw, IMB Uniband) tells more",
        data->is_within_node ? "memory.latency" : "nic.*_latency",
        data->is_within_node ? "memory" : "NICs", division->latency.value / 1e3);
}

/* Divides the costs with the sum of both overheads, for streams that do not show which part is the
 * sender's. */
static void by_both(struct host_division *division, struct host_fit *fit,
                    const struct rates *rates) {
    const double sum = rates->both.value, larger = rates->larger.value;
    division->latency = mean_of(&rates->latency);
    if (rates->larger.count > 0 && larger < sum && larger > sum / 2 * 1.02)
        division->send_share = (sum - larger) / sum;
    SAY(division->of_overheads, rates->larger.count > 0
                                    ? "streams one way (the larger) and both ways (their sum); the "
                                      "receiver's is taken to be the larger"
                                    : "stream both ways (their sum), taken to be equal");
    SAY(division->of_latency, "ping-pong less the overheads, divided equally");
    host_fit_warn(fit,
                  "mpi.send_overhead, mpi.receive_overhead: streams do not tell which of the two "
                  "is the larger one; it is taken to be the receiver's");
}

static void by_stream(struct host_division *division, struct host_fit *fit,
                      const struct host_data *data, const struct rates *rates) {
    const double larger = rates->larger.value, hosts = rates->hosts.value;
    division->latency = mean_of(&rates->latency);
    SAY(division->of_overheads, "stream: the larger of the two, taken to be equal");
    SAY(division->of_latency, "ping-pong less the overheads, divided equally");
    if (division->latency.value >= 0) {
        host_fit_warn(fit,
                      "mpi.send_overhead, mpi.receive_overhead: a stream tells the larger of them "
                      "only; they are taken to be equal (a stream both ways, osu_bibw or IMB "
                      "Biband, tells their sum)");
        return;
    }
    division->latency = (struct segment_estimate){0, 0};
    if (larger < hosts) {
        division->send_share = (hosts - larger) / hosts;
        SAY(division->of_overheads, "stream (the larger one, taken to be the receiver's) and "
                                    "ping-pong (their sum)");
        host_fit_warn(fit,
                      "mpi.send_overhead, mpi.receive_overhead: the stream is slower than equal "
                      "overheads would make it; the larger one is taken to be the receiver's");
        return;
    }
    SAY(division->of_overheads, "ping-pong: half of what the network leaves");
    if (data->is_within_node) {
        host_fit_warn(fit,
                      "the stream of small messages is slower than its ping-pong lets it be, which "
                      "no setting of one node explains");
        return;
    }
    host_fit_add_step(&fit->parameters[FIT_MESSAGE_GAP], 0, larger,
                      mean_of(&rates->larger).half_interval);
    host_fit_set_how(&fit->parameters[FIT_MESSAGE_GAP], FIT_DETERMINED,
                     "stream: messages follow each other more slowly than hosts take for them");
}

/* Fits the message gap to a stream of several pairs. If each pair is slower than one pair alone,
 * the NIC limits the rate. */
static void find_gap(struct host_fit *fit, const struct host_data *data, const struct rates *rates,
                     const struct segment *first, uint64_t last_bytes) {
    struct fit_result *gap = &fit->parameters[FIT_MESSAGE_GAP];
    const struct fit_stream_data *crowded = &data->crowded;
    struct mean each = {0}, node = {0};
    if (gap->count > 0) return;
    if (data->is_within_node) {
        host_fit_set_how(gap, FIT_KEPT, "%s", fit_needs_nodes);
        return;
    }
    host_fit_set_how(gap, FIT_KEPT, "needs a stream of several pairs (osu_mbw_mr, IMB Uniband)");
    for (size_t i = 0; i < crowded->count && crowded->window > 1; i++) {
        const struct fit_stream_point *point = &crowded->points[i];
        if (!is_by_hosts(point, last_bytes, crowded->window, ends_of(point, first))) continue;
        const double pairs = crowded->pairs; /* a pair ends half a turn before the last */
        const double messages = (double)crowded->window * pairs - (pairs - 1) / 2;
        mean_add(&each, gap_of(crowded, point, first, crowded->window), point->error_ps);
        mean_add(&node, gap_of(crowded, point, first, messages), point->error_ps);
    }
    if (each.count == 0 || rates->larger.count == 0) return;
    if (each.value > 1.15 * rates->larger.value) {
        const struct segment_estimate found = mean_of(&node);
        host_fit_add_step(gap, 0, found.value, found.half_interval);
        host_fit_set_how(gap, FIT_DETERMINED, "stream of %u pairs: what they have together",
                         crowded->pairs);
        return;
    }
    host_fit_set_how(gap, FIT_KEPT, "%u pairs do not reach it: at most %.1f ns", crowded->pairs,
                     node.value / 1e3);
}

void host_division_find(struct host_division *division, struct host_fit *fit,
                        const struct host_data *data, const struct segment *first,
                        uint64_t last_bytes) {
    struct rates rates = {0};
    *division = (struct host_division){.latency_is_fitted = true, .send_share = 0.5};
    add_stream(&rates, &data->stream, first, last_bytes);
    if (rates.larger.count == 0) add_exchange(&rates, &data->exchange, first, last_bytes);
    add_both(&rates, &data->both, first, last_bytes);
    if (rates.both.count > 0 && rates.latency.value >= 0)
        by_both(division, fit, &rates);
    else if (rates.larger.count > 0)
        by_stream(division, fit, data, &rates);
    else
        without_rates(division, fit, data, first);
    find_gap(fit, data, &rates, first, last_bytes);
}
