/* The process topologies of a recording: each member of a communicator recorded the dimensions, or
 * its own edges of a graph. */
#include "traces/recording/recording_survey.h"

#include "core/memory/memory.h"

#include <stdlib.h>
#include <string.h>

status_code recording_define_topology(struct survey_rank *rank, const struct recording_part *part,
                                      struct status *status) {
    const bool is_graph = part->item == RECORDING_GRAPH;
    struct survey_communicator *made = &rank->communicators[rank->communicator_count - 1];
    RETURN_ERROR_IF(part->words[0] != rank->communicator_count - 1 ||
                        part->words[0] < SURVEY_MADE || made->topology != NULL,
                    status, STATUS_INPUT, "the definition of a topology is damaged");
    made->is_graph = is_graph;
    made->topology_count = (is_graph ? 2 : 0) + part->listed_count;
    made->topology = memory_new(made->topology_count + 1, sizeof *made->topology);
    RETURN_ERROR_IF(made->topology == NULL, status, STATUS_MEMORY, "out of memory");
    uint32_t *at = made->topology;
    if (is_graph) {
        *at++ = (uint32_t)part->words[1];
        *at++ = (uint32_t)part->words[2];
    }
    for (size_t i = 0; i < part->listed_count; i++) {
        RETURN_ERROR_IF(part->listed[i] > UINT32_MAX, status, STATUS_INPUT,
                        "the definition of a topology is damaged");
        *at++ = (uint32_t)part->listed[i];
    }
    return STATUS_OK;
}

static status_code make_cartesian(struct survey *survey, const struct survey_communicator *model,
                                  const struct survey_member *members, size_t count,
                                  struct status *status) {
    for (size_t i = 0; i < count; i++) {
        const struct survey_communicator *made = members[i].made;
        RETURN_ERROR_IF(made->topology != NULL &&
                            (made->is_graph || made->topology_count != model->topology_count ||
                             memcmp(made->topology, model->topology,
                                    model->topology_count * sizeof *model->topology) != 0),
                        status, STATUS_INPUT, "its members disagree on its dimensions (damaged?)");
    }
    return builder_define_topology(survey->builder, model->index, PROGRAM_TOPOLOGY_CARTESIAN,
                                   model->topology, model->topology_count, status);
}

static int by_rank(const void *key, const void *entry) {
    const uint32_t rank = *(const uint32_t *)key;
    const struct survey_member *member = entry;
    return (rank > member->rank) - (rank < member->rank);
}

/* Joins the edges of all members, in their order. Members that were cut have none. */
static status_code make_graph(struct survey *survey, const struct survey_communicator *model,
                              const struct survey_member *members, size_t count,
                              struct status *status) {
    size_t numbers = 2 * (size_t)model->local_size, at = 0;
    for (size_t i = 0; i < count; i++)
        if (members[i].made->topology != NULL) numbers += members[i].made->topology_count;
    uint32_t *all = memory_new(numbers, sizeof *all);
    RETURN_ERROR_IF(all == NULL, status, STATUS_MEMORY, "out of memory for a graph");
    bool fits = true;
    for (uint32_t i = 0; fits && i < model->local_size; i++) {
        const struct survey_member *found =
            bsearch(&model->members[i], members, count, sizeof *members, by_rank);
        const struct survey_communicator *made = found != NULL ? found->made : NULL;
        if (made == NULL || made->topology == NULL) {
            at += 2; /* both are 0 */
            continue;
        }
        fits = made->is_graph && made->topology_count <= numbers - at;
        if (fits) memcpy(all + at, made->topology, made->topology_count * sizeof *all);
        if (fits) at += made->topology_count;
    }
    status_code code =
        fits ? builder_define_topology(survey->builder, model->index, PROGRAM_TOPOLOGY_GRAPH, all,
                                       at, status)
             : status_set(status, STATUS_INPUT, "its members disagree on its topology (damaged?)");
    free(all);
    return code;
}

status_code recording_make_topology(struct survey *survey, const struct survey_member *members,
                                    size_t count, struct status *status) {
    const struct survey_communicator *first = members[0].made;
    size_t i = 0;
    while (i < count && members[i].made->topology == NULL)
        i++;
    if (i == count) return STATUS_OK;
    struct survey_communicator model = *members[i].made;
    model.index = first->index; /* the only member so far that knows it */
    return model.is_graph ? make_graph(survey, &model, members, count, status)
                          : make_cartesian(survey, &model, members, count, status);
}
