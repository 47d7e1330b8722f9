/*
 * Random arrangement: the groups are numbered at random, and so are the links of each group; these
 * numbers are wired as in the absolute arrangement. So for full machines all wirings are equally
 * likely. With fewer groups, chance also decides which pairs of groups have one more link.
 *
 * The seed is a setting of the machine, not of a run: runs with several seeds use one machine.
 * Draws: the entity is the group, or UINT32_MAX for the numbers of the groups (Fisher-Yates).
 */
#include "core/memory/memory.h"
#include "core/simulation/random.h"
#include "network/arrangement/arrangement.h"

#include <stdlib.h>

static void shuffle(uint32_t *numbers, uint32_t count, uint64_t seed, uint32_t entity) {
    for (uint32_t i = 0; i < count; i++)
        numbers[i] = i;
    for (uint32_t i = count; i-- > 1;) {
        uint32_t draw = random_draw(seed, RANDOM_ARRANGEMENT, entity, i).word[0];
        uint32_t chosen = random_below(draw, i + 1), kept = numbers[i];
        numbers[i] = numbers[chosen];
        numbers[chosen] = kept;
    }
}

status_code arrangement_random(const struct arrangement_input *input, uint32_t *other,
                               struct status *status) {
    uint32_t groups = input->shape.groups, links = arrangement_links_per_group(&input->shape);
    size_t positions = (size_t)groups * links;
    uint32_t *absolute = memory_new(positions, sizeof *absolute);
    uint32_t *position_of = memory_new(positions, sizeof *position_of);
    uint32_t *group_of = memory_new(groups, sizeof *group_of);
    status_code code = STATUS_OK;
    if (absolute == NULL || position_of == NULL || group_of == NULL) {
        code =
            status_set(status, STATUS_MEMORY, "out of memory for the wiring of %u groups", groups);
    } else {
        arrangement_wire_rounds(&input->shape, arrangement_absolute_round, absolute);
        shuffle(group_of, groups, input->seed, UINT32_MAX);
        for (uint32_t i = 0; i < groups; i++) {
            uint32_t *of_group = &position_of[(size_t)i * links];
            shuffle(of_group, links, input->seed, i);
            for (uint32_t x = 0; x < links; x++)
                of_group[x] += group_of[i] * links;
        }
        for (size_t position = 0; position < positions; position++)
            other[position_of[position]] = absolute[position] == ARRANGEMENT_UNCONNECTED
                                               ? ARRANGEMENT_UNCONNECTED
                                               : position_of[absolute[position]];
    }
    free(absolute);
    free(position_of);
    free(group_of);
    return code;
}
