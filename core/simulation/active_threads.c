/*
 * Trials come in pairs: one thread, then many. Many stay if they did a twentieth more work per
 * time. The first choice is kept for sixteen trials, and each later one twice as long as the one
 * before, up to 2.6 s, so trials of the slower choice cost little.
 */
#include "core/simulation/active_threads.h"

#define TRIAL_NS              INT64_C(5000000)
#define KEEP_NS               (16 * TRIAL_NS)
#define KEEP_DOUBLES_BELOW_NS INT64_C(2000000000)

void active_threads_begin(struct active_threads *active, unsigned threads, uint64_t work,
                          int64_t now_ns) {
    *active = (struct active_threads){.threads = threads,
                                      .work = work,
                                      .is_trial = true,
                                      .since_ns = now_ns,
                                      .stretch_ns = TRIAL_NS,
                                      .keep_ns = KEEP_NS};
}

static void begin_stretch(struct active_threads *active, bool is_trial, bool is_many) {
    active->is_trial = is_trial;
    active->is_many = is_many;
    active->stretch_ns = is_trial ? TRIAL_NS : active->keep_ns;
}

unsigned active_threads_next(struct active_threads *active, int64_t now_ns, uint64_t work,
                             unsigned most_useful) {
    unsigned many = most_useful < active->threads ? most_useful : active->threads;
    int64_t elapsed_ns = now_ns - active->since_ns;
    if (elapsed_ns >= active->stretch_ns) {
        uint64_t rate = (work - active->work) * 1000000 / (uint64_t)elapsed_ns;
        bool was_many = active->is_many;
        if (!active->is_trial) {
            begin_stretch(active, true, false);
        } else if (!was_many) {
            active->one_rate = rate;
            begin_stretch(active, true, true);
        } else {
            bool helps = rate > active->one_rate + active->one_rate / 20;
            begin_stretch(active, false, helps);
            if (active->keep_ns < KEEP_DOUBLES_BELOW_NS) active->keep_ns *= 2;
        }
        active->since_ns = now_ns;
        active->work = work;
    }
    return active->is_many && many > 1 ? many : 1;
}
