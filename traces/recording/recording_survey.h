/* What the first pass over a recording finds: the definitions of all ranks, and how far each rank
 * can be replayed. */
#ifndef ANAX_TRACES_RECORDING_SURVEY_H
#define ANAX_TRACES_RECORDING_SURVEY_H

#include "traces/recording/recording.h"

/* Numbers of the communicators that every rank has; then those that it makes. */
enum { SURVEY_WORLD, SURVEY_SELF, SURVEY_MADE };

/* A communicator as its members recorded it. */
struct survey_communicator {
    uint64_t name[3]; /* world rank of the leader, and its number: low, high */
    uint32_t local_size, remote_size;
    uint32_t *members; /* local, then remote; on the heap */
    uint32_t index;    /* in the program */
    /* Its process topology as the rank recorded it: sizes and periods of dimensions, or numbers of
     * sources and of destinations, and both. On the heap; NULL: it has none. */
    uint32_t *topology;
    size_t topology_count;
    bool is_graph;
    char *label; /* name by the user, or NULL */
};

struct survey_rma_window {
    uint32_t communicator;   /* of the rank */
    uint32_t program_window; /* its number in the program */
};

/* A partitioned request. MPI pairs the k-th one that sends from A to B with the k-th one that B
 * makes to receive from A, of those with the same communicator and tag. */
struct survey_partitioned {
    uint32_t communicator; /* of the rank */
    uint32_t peer;
    int32_t tag;
    bool receives;
    int32_t program_tag; /* the tag of its messages in the program */
};

/* What a rank defines. */
struct survey_rank {
    struct recording_header header;
    struct recording_extent extent;
    struct survey_communicator *communicators; /* by the rank's numbers */
    size_t communicator_count, communicator_capacity;
    struct survey_rma_window *windows;
    size_t window_count, window_capacity;
    struct survey_partitioned *partitioned;
    size_t partitioned_count, partitioned_capacity;
    char **regions;
    uint32_t *region_index; /* in the program */
    size_t region_count, region_capacity, index_capacity;
    char **files;
    uint32_t *file_index; /* in the program */
    size_t file_count, file_capacity, file_index_capacity;
    /* Collectives on each communicator before the rank ends. */
    uint64_t *collectives;
    size_t collective_capacity;
    uint64_t ended;           /* records that are replayed */
    uint64_t thread_calls[2]; /* calls of thread 0, and of all other threads */
    uint32_t busiest_thread;
    bool has_overlaps; /* calls of several threads were open at the same time */
    int64_t offset_ps; /* time of the program when the rank's recording began */
    bool uses_processor_time;
};

struct survey {
    const char *folder;
    const struct traces_config *config;
    struct program_builder *builder;
    struct survey_rank *ranks;
    uint32_t rank_count;
    uint64_t *limits; /* collectives of each communicator of the program that all members have */
    bool is_cut;
    uint32_t cut_ranks;
    /* The program's regions: of calls, and of what calls post that were split. */
    uint32_t calls[RECORDING_CALL_COUNT], begins[RECORDING_CALL_COUNT];
    uint32_t world, self;
};

/* Surveys all ranks and begins the program. Clear the survey also after errors. */
status_code recording_survey_folder(struct survey *survey, const char *folder,
                                    const struct traces_config *config, unsigned threads,
                                    struct status *status);

/* Defines the process topology of a communicator that a rank makes (recording_topologies.c). */
status_code recording_define_topology(struct survey_rank *rank, const struct recording_part *part,
                                      struct status *status);
/* What a member of a communicator recorded of it. */
struct survey_member {
    struct survey_communicator *made;
    uint32_t rank, communicator; /* its number on the rank */
};
/* Gives a communicator of the program the topology that its members recorded. members: in the order
 * of their ranks. */
status_code recording_make_topology(struct survey *survey, const struct survey_member *members,
                                    size_t count, struct status *status);
/* Defines a partitioned request of a rank (recording_partitioned.c). */
status_code recording_define_partitioned(struct survey *survey, struct survey_rank *rank,
                                         const struct recording_part *part, struct status *status);
/* Gives the partitioned requests of all ranks the tags of their messages. */
status_code recording_pair_partitioned(struct survey *survey, struct status *status);

/* Frees what recording_survey_folder has made. */
void recording_survey_clear(struct survey *survey);
/* Aligns the clocks of the hosts, and decides which time is computation. */
status_code recording_align_clocks(struct survey *survey, struct status *status);

#endif
