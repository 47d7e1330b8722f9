/*
 * Collectives of size - 1 steps in which every member sends one block and receives one: round a
 * ring (allgather, allreduce) or pairwise (alltoall, reduce_scatter), as MPICH and Open MPI run
 * them for long vectors.
 *
 * Sources: Thakur, Rabenseifner, Gropp (2005); Patarasuk, Yuan, "Bandwidth optimal all-reduce
 * algorithms for clusters of workstations" (2009) for allreduce.
 */
#include "replay/collectives.h"

/* me - back, going round; back may be up to 2·size. */
static uint32_t behind(const collective_call *call, uint32_t back) {
    return (call->me + 2 * call->size - back) % call->size;
}

static uint32_t ahead(const collective_call *call, uint32_t distance) {
    return (call->me + distance) % call->size;
}

uint32_t collective_ring_allgather_steps(const collective_call *call) {
    return call->size - 1;
}

void collective_ring_allgather_step(const collective_call *call, uint32_t number,
                                    collective_step *step) {
    step->to = ahead(call, 1);
    step->from = behind(call, 1);
    step->tag = number;
    step->send = (collective_blocks){behind(call, number), 1};
    step->receive = (collective_blocks){behind(call, number + 1), 1};
}

uint32_t collective_ring_allreduce_steps(const collective_call *call) {
    return 2 * (call->size - 1);
}

/* Once round to combine each slice, once more to spread the results; slice me + 1 is complete at me
 * after the first. */
void collective_ring_allreduce_step(const collective_call *call, uint32_t number,
                                    collective_step *step) {
    uint32_t half = call->size - 1;
    bool spreads = number >= half;
    uint32_t back = spreads ? number - half + call->size - 1 : number;
    step->to = ahead(call, 1);
    step->from = behind(call, 1);
    step->tag = number;
    step->send = (collective_blocks){behind(call, back), 1};
    step->receive = (collective_blocks){behind(call, back + 1), 1};
    step->combine = spreads ? 0 : 1;
}

uint32_t collective_pairwise_alltoall_steps(const collective_call *call) {
    return call->size - 1;
}

/* With a power of two, partners exchange; else one sends ahead and receives from behind. */
void collective_pairwise_alltoall_step(const collective_call *call, uint32_t number,
                                       collective_step *step) {
    uint32_t distance = number + 1;
    bool power = (call->size & (call->size - 1)) == 0;
    step->to = power ? call->me ^ distance : ahead(call, distance);
    step->from = power ? call->me ^ distance : behind(call, distance);
    step->send = (collective_blocks){step->to, 1};
    step->receive = (collective_blocks){call->me, 1};
}

uint32_t collective_pairwise_reduce_scatter_steps(const collective_call *call) {
    return call->size - 1;
}

void collective_pairwise_reduce_scatter_step(const collective_call *call, uint32_t number,
                                             collective_step *step) {
    step->to = behind(call, number + 1);
    step->from = ahead(call, number + 1);
    step->send = (collective_blocks){step->to, 1};
    step->receive = (collective_blocks){call->me, 1};
    step->combine = 1;
}
