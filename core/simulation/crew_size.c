/*
 * Trials come in pairs: one thread, then many. Many stay if they did a twentieth more work per
 * time. The first choice is kept for sixteen trials, and each later one twice as long as the one
 * before, up to 2.6 s, so trials of the slower choice cost little.
 */
#include "core/simulation/crew_size.h"

#define TRIAL_NS    INT64_C(5000000)
#define KEEP_NS     (16 * TRIAL_NS)
#define KEEP_MAX_NS INT64_C(2000000000)

void crew_size_begin(struct crew_size *crew, unsigned threads, uint64_t work, int64_t now_ns) {
    *crew = (struct crew_size){.threads = threads,
                               .work = work,
                               .is_trial = true,
                               .since_ns = now_ns,
                               .stretch_ns = TRIAL_NS,
                               .keep_ns = KEEP_NS};
}

static void begin_stretch(struct crew_size *crew, bool is_trial, bool is_many) {
    crew->is_trial = is_trial;
    crew->is_many = is_many;
    crew->stretch_ns = is_trial ? TRIAL_NS : crew->keep_ns;
}

unsigned crew_size_next(struct crew_size *crew, int64_t now_ns, uint64_t work,
                        unsigned most_useful) {
    unsigned many = most_useful < crew->threads ? most_useful : crew->threads;
    int64_t elapsed_ns = now_ns - crew->since_ns;
    if (elapsed_ns >= crew->stretch_ns) {
        uint64_t rate = (work - crew->work) * 1000000 / (uint64_t)elapsed_ns;
        bool was_many = crew->is_many;
        if (!crew->is_trial) {
            begin_stretch(crew, true, false);
        } else if (!was_many) {
            crew->one_rate = rate;
            begin_stretch(crew, true, true);
        } else {
            bool helps = rate > crew->one_rate + crew->one_rate / 20;
            begin_stretch(crew, false, helps);
            if (crew->keep_ns < KEEP_MAX_NS) crew->keep_ns *= 2;
        }
        crew->since_ns = now_ns;
        crew->work = work;
    }
    return crew->is_many && many > 1 ? many : 1;
}
