/* Computes the probability of an arrival in a slot, and draws the gaps between arrivals, which are
 * geometric, with integers of enough bits instead of floating point. */
#include "network/traffic/arrivals.h"

#include "core/base/digest.h"
#include "core/base/greatest_common_divisor.h"

#include <inttypes.h>
#include <string.h>

#define PICOSECONDS_PER_SECOND UINT64_C(1000000000000)

struct fraction {
    wide part;
    wide out_of;
};

/* Returns the probability of an arrival in a slot: p = load · bytes of a slot / bytes of an
 * arrival. A slot is a whole number of picoseconds, so the channel may carry a little more than
 * a phit in it. */
static struct fraction chance_of(const struct arrivals *arrivals, int64_t load_millionths,
                                 int64_t bandwidth) {
    /* bytes of a slot, in units of 10^-12 bytes; phits are at most 1 MiB */
    uint64_t slot = (uint64_t)arrivals->slot_ps * (uint64_t)bandwidth;
    uint64_t common = greatest_common_divisor(slot, PICOSECONDS_PER_SECOND);
    struct fraction chance = {(wide)load_millionths * (slot / common),
                              (wide)arrivals->wire_bytes * (uint64_t)arrivals->burst};
    for (; chance.out_of >> 48 != 0; chance.out_of >>= 1)
        chance.part >>= 1;
    chance.out_of *= (wide)1000000u * (PICOSECONDS_PER_SECOND / common);
    return chance;
}

/*
 * Computes the distribution of gaps for a probability p of an arrival in a slot; q = 1 - p.
 *
 * In each slot a message arrives with probability p. So the gap between two arrivals, in slots, is
 * more than n with probability q^n: it is geometrically distributed. random_gap draws it as
 * 1 + low + 64·high, from two numbers that do not depend on each other:
 * - low is from 0 to 63. It is more than j with probability (q^(j+1) - q^64) / (1 - q^64).
 * - high is the number of whole blocks of 64 slots without an arrival. It is geometrically
 *   distributed, too, with q^64 in place of q. The binary digits of such a number do not depend on
 *   each other: with r = q^(64·2^k), digit k of high is 1 with probability r / (1 + r).
 */
static void prepare_gaps(struct arrivals *arrivals, struct fraction chance) {
    const wide one = (wide)1 << 64;
    for (; chance.out_of >> 64 != 0; chance.out_of >>= 1)
        chance.part >>= 1;
    wide q = ((chance.out_of - chance.part) << 64) / chance.out_of;
    if (q == one) q--; /* p rounds to 0; arrivals are rarer than any run is long */
    wide power[ARRIVALS_LOW + 1] = {one}; /* powers of q, in units of 2^-64 */
    for (unsigned j = 1; j <= ARRIVALS_LOW; j++)
        power[j] = power[j - 1] == one ? q : power[j - 1] * q >> 64;
    wide all = power[ARRIVALS_LOW]; /* q^64 */
    for (unsigned j = 0; j < ARRIVALS_LOW; j++) {
        wide above = power[j + 1] - all;
        arrivals->low_below[j] = (uint64_t)((above << 63) / (one - all) << 1);
    }
    memset(arrivals->digit_below, 0, sizeof arrivals->digit_below);
    arrivals->digits = 0;
    for (q = all; q > 0 && arrivals->digits < ARRIVALS_DIGITS; q = q * q >> 64)
        arrivals->digit_below[arrivals->digits++] = (uint32_t)((q << 31) / ((one + q) >> 1));
}

status_code arrivals_prepare(struct arrivals *arrivals, const struct network_config *config,
                             const struct traffic_config *traffic, int64_t load_millionths,
                             struct status *status) {
    uint64_t packet_bytes = (uint64_t)config->packet_bytes;
    arrivals->message_bytes =
        traffic->message_bytes > 0 ? (uint64_t)traffic->message_bytes : packet_bytes;
    arrivals->wire_bytes = (uint64_t)network_config_message_bytes(config, arrivals->message_bytes);
    arrivals->burst = traffic->burst_messages;
    if (arrivals->burst == 1 && strcmp(traffic->pattern, "bursts") == 0) arrivals->burst = 16;
    int64_t bandwidth = network_config_injection_bytes_per_s(config);
    arrivals->slot_ps =
        (int64_t)(((wide)config->phit_bytes * PICOSECONDS_PER_SECOND + (uint64_t)bandwidth - 1) /
                  (uint64_t)bandwidth);
    arrivals->longest_gap = INT64_MAX / arrivals->slot_ps;
    struct fraction chance = chance_of(arrivals, load_millionths, bandwidth);
    /* A slot is up to a picosecond longer than a phit takes, so a slight excess is no error. */
    char at_once[WIDE_TEXT_BYTES];
    RETURN_ERROR_IF(
        chance.part > chance.out_of / 100 * 101, status, STATUS_USAGE,
        "messages of %s B, headers included, are too small for this load: a node sends at "
        "most one in the time of a phit (%" PRId64
        " B); send larger messages, or lower network.phit",
        wide_text((wide)arrivals->wire_bytes * (uint64_t)arrivals->burst, at_once),
        config->phit_bytes);
    if (chance.part > chance.out_of) chance.part = chance.out_of;
    prepare_gaps(arrivals, chance);
    return STATUS_OK;
}

/* Returns a random gap in slots. 64 random bits give the low part, and each further 64 bits give
 * two digits of the high part. */
static inline int64_t random_gap(const struct arrivals *arrivals, struct random_block block) {
    uint64_t bits = (uint64_t)block.word[0] << 32 | block.word[1];
    unsigned low = 0;
    for (unsigned half = ARRIVALS_LOW / 2; half > 0; half /= 2)
        low += half & -(unsigned)(bits < arrivals->low_below[low + half - 1]); /* no branch */
    int64_t gap = 1 + low;
    for (unsigned k = 0; k < arrivals->digits; k += 2) {
        uint64_t more = digest_spread(bits + DIGEST_GOLDEN * (k + 1));
        if ((uint32_t)more < arrivals->digit_below[k]) gap += (int64_t)ARRIVALS_LOW << k;
        if ((uint32_t)(more >> 32) < arrivals->digit_below[k + 1])
            gap += (int64_t)ARRIVALS_LOW << (k + 1);
    }
    return gap;
}

int64_t arrivals_gap_ps(const struct arrivals *arrivals, struct random_block block,
                        int64_t left_ps) {
    int64_t gap = random_gap(arrivals, block);
    if (gap > arrivals->longest_gap) return INT64_MAX;
    int64_t gap_ps = gap * arrivals->slot_ps;
    return gap_ps > left_ps ? INT64_MAX : gap_ps;
}
