/* What the first pass over a recording finds: the definitions of all ranks, and how far each rank
 * can be replayed. */
#ifndef ANAX_TRACES_RECORDING_SURVEY_H
#define ANAX_TRACES_RECORDING_SURVEY_H

#include "traces/recording/recording.h"

/* A rank's numbers of MPI_COMM_WORLD and MPI_COMM_SELF, and of the first communicator that it makes
 * itself. */
enum { SURVEY_WORLD, SURVEY_SELF, SURVEY_MADE };

#define SURVEY_SEVERAL_THREADS UINT32_MAX /* in survey_rank.other_thread */

/* A communicator as one member recorded it. */
struct survey_communicator {
    uint64_t name[3]; /* on which the members agreed: world rank of a leader, and the leader's
                         number of the communicator, lower half first */
    uint32_t local_size;
    uint32_t remote_size; /* 0: it is no intercommunicator */
    uint32_t *members;    /* world ranks, local then remote; on the heap. NULL for the communicators
                             that every rank has */
    uint32_t index;       /* in the program */
    /* Its process topology as the rank recorded it. Cartesian: size and 1 if periodic, for each
     * dimension. Graph: number of sources, number of destinations, then the sources and the
     * destinations. On the heap; NULL: it has none. */
    uint32_t *topology;
    size_t topology_count;
    bool is_graph;
    char *label; /* name by the user, or NULL */
};

struct survey_rma_window {
    uint32_t communicator;   /* the rank's number of it */
    uint32_t program_window; /* its number in the program */
};

/* A partitioned request. MPI pairs the k-th one that sends from A to B with the k-th one that B
 * makes to receive from A, of those with the same communicator and tag. */
struct survey_partitioned {
    uint32_t communicator; /* the rank's number of it */
    uint32_t peer;         /* a world rank */
    int32_t tag;           /* of the application */
    bool receives;
    int32_t program_tag; /* the tag of its messages in the program */
};

/* What the first pass knows of a rank. */
struct survey_rank {
    struct recording_header header;
    struct recording_extent extent;
    struct survey_communicator *communicators; /* by the rank's numbers */
    size_t communicator_count, communicator_capacity;
    struct survey_rma_window *windows;
    size_t window_count, window_capacity;
    struct survey_partitioned *partitioned;
    size_t partitioned_count, partitioned_capacity;
    char **regions;         /* names of user regions, by the rank's numbers */
    uint32_t *region_index; /* of each in the program */
    size_t region_count, region_capacity, region_index_capacity;
    char **files;         /* names, by the rank's numbers */
    uint32_t *file_index; /* of each in the program */
    size_t file_count, file_capacity, file_index_capacity;
    uint64_t *collectives; /* on each communicator, of the records that are replayed */
    size_t collective_capacity;
    uint64_t replayed_records; /* how many of the file's records, from the first one on, are
                                  replayed */
    bool first_thread_communicates;
    uint32_t other_thread;    /* the only other thread that communicates; 0: there is none;
                                 SURVEY_SEVERAL_THREADS: there are several */
    bool has_overlaps;        /* calls of several threads were open at the same time */
    int64_t offset_ps;        /* time of the program when the rank's recording began */
    bool uses_processor_time; /* computation is processor time, not the time that passed */
};

/* What the first pass knows of all ranks, and the program that is being built. */
struct survey {
    const char *folder; /* of the recording; owned by the caller of recording_survey_folder */
    const struct traces_config *config;
    struct program_builder *builder;
    struct survey_rank *ranks;
    uint32_t rank_count;
    /* How many collectives of each communicator of the program all its members have. NULL if no
     * rank was cut. */
    uint64_t *limits;
    bool is_cut;        /* some ranks were */
    uint32_t cut_ranks; /* ranks whose recording does not end with MPI_Finalize */
    /* The program's regions of calls, and of the beginnings of calls that are split
     * (recording_threads.h). */
    uint32_t calls[RECORDING_CALL_COUNT], begins[RECORDING_CALL_COUNT];
    uint32_t world, self; /* indices of communicators in the program */
};

/* Surveys all ranks, and begins the program with its communicators, windows, regions and files.
 * threads: as in parallel_for. The caller clears the survey with recording_survey_clear, also after
 * errors. Returns the errors of recording_read, and STATUS_INPUT if the files are of different
 * runs, contradict each other, or hold no call at all. */
status_code recording_survey_folder(struct survey *survey, const char *folder,
                                    const struct traces_config *config, unsigned threads,
                                    struct status *status);

/* Keeps the process topology of the communicator that the rank defined last, from an item
 * RECORDING_CARTESIAN or RECORDING_GRAPH (recording_topologies.c). STATUS_INPUT: the item is
 * damaged. STATUS_MEMORY. */
status_code recording_define_topology(struct survey_rank *rank, const struct recording_part *part,
                                      struct status *status);
/* A communicator as a member recorded it, with the member. */
struct survey_member {
    struct survey_communicator *made;
    uint32_t rank;         /* world rank of the member */
    uint32_t communicator; /* the rank's number of the communicator */
};
/* Gives a communicator of the program the topology that its members recorded, if any did. members:
 * by their world ranks; the first one knows the index of the communicator in the program.
 * STATUS_INPUT: the members disagree. STATUS_MEMORY. */
status_code recording_make_topology(struct survey *survey, const struct survey_member *members,
                                    size_t count, struct status *status);
/* Adds a partitioned request to a rank, from an item RECORDING_PARTITIONED
 * (recording_partitioned.c). STATUS_INPUT: the item is damaged. STATUS_MEMORY. */
status_code recording_define_partitioned(struct survey *survey, struct survey_rank *rank,
                                         const struct recording_part *part, struct status *status);
/* Gives the partitioned requests of all ranks the tags of their messages in the program.
 * STATUS_INPUT: there are more of one order than tags. STATUS_MEMORY. */
status_code recording_pair_partitioned(struct survey *survey, struct status *status);

/* Frees what recording_survey_folder has made, and the program if it has not been sealed. */
void recording_survey_clear(struct survey *survey);
/* Aligns the clocks of the hosts, and decides for each rank which time is computation: sets its
 * members offset_ps and uses_processor_time (recording_hosts.c). The smallest offset becomes 0.
 * STATUS_MEMORY. */
status_code recording_align_clocks(struct survey *survey, struct status *status);

#endif
