/* Bernoulli arrivals without floating point. See arrivals.h. */
#include "network/arrivals.h"

#include "core/digest.h"

#include <string.h>

/*
 * The gap between Bernoulli arrivals, in slots: the binary digits of a geometrically distributed
 * number are independent, digit k being 1 with the chance q^(2^k) / (1 + q^(2^k)), q = 1 - p.
 */
static void prepare_digits(arrivals *arrivals, int64_t load_millionths, int64_t phit_bytes) {
    unsigned __int128 wire =
        (unsigned __int128)arrivals->wire_bytes * (uint64_t)arrivals->burst * 1000000u;
    unsigned __int128 sent = (unsigned __int128)load_millionths * (uint64_t)phit_bytes;
    const unsigned __int128 one = (unsigned __int128)1 << 64;
    unsigned __int128 q = sent >= wire ? 0 : ((wire - sent) << 64) / wire;
    memset(arrivals->digit_below, 0, sizeof arrivals->digit_below);
    arrivals->digits = 0;
    while (q > 0 && arrivals->digits < ARRIVALS_DIGITS) {
        arrivals->digit_below[arrivals->digits++] = (uint32_t)((q << 31) / ((one + q) >> 1));
        q = (q * q) >> 64;
    }
}

void arrivals_prepare(arrivals *arrivals, const network_config *config,
                      const traffic_config *traffic, int64_t load_millionths) {
    uint64_t packet_bytes = (uint64_t)config->packet_bytes;
    arrivals->message_bytes =
        traffic->message_bytes > 0 ? (uint64_t)traffic->message_bytes : packet_bytes;
    uint64_t packets = (arrivals->message_bytes + packet_bytes - 1) / packet_bytes;
    arrivals->wire_bytes = arrivals->message_bytes + packets * (uint64_t)config->header_bytes;
    arrivals->burst = traffic->burst_messages;
    if (arrivals->burst == 1 && strcmp(traffic->pattern, "bursts") == 0) arrivals->burst = 16;
    int64_t bandwidth = config->level[NETWORK_TERMINAL].bandwidth_bytes_per_s;
    arrivals->slot_ps =
        (int64_t)(((__int128)config->phit_bytes * 1000000000000 + bandwidth - 1) / bandwidth);
    prepare_digits(arrivals, load_millionths, config->phit_bytes);
}

/* Two digits from every 64 random bits: a chance is right to 2^-32. */
int64_t arrivals_gap_ps(const arrivals *arrivals, random_block block, int64_t left_ps) {
    uint64_t bits = (uint64_t)block.word[0] << 32 | block.word[1];
    uint64_t state = bits;
    int64_t gap = 1;
    for (unsigned k = 0; k < arrivals->digits; k += 2) {
        if ((uint32_t)bits < arrivals->digit_below[k]) gap += INT64_C(1) << k;
        if ((uint32_t)(bits >> 32) < arrivals->digit_below[k + 1]) gap += INT64_C(2) << k;
        state += UINT64_C(0x9E3779B97F4A7C15);
        bits = digest_spread(state);
    }
    return gap > left_ps / arrivals->slot_ps ? INT64_MAX : gap * arrivals->slot_ps;
}
